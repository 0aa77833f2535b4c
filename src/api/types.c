/* types.c - the types of keys: sizes, names, and their order as unsigned numbers. */
#include "clearway.h"
#include "prim/key_map.h"

enum kind { UNSIGNED, SIGNED, FLOAT };

struct type {
    const char *name;
    size_t bytes;
};

static const struct type types[] = {
#define TYPE_ROW(constant, name, bytes) {name, bytes},
    CW_TYPE_LIST(TYPE_ROW)
#undef TYPE_ROW
};

static int known(cw_type type)
{
    return (int)type >= 0 && type < CW_TYPE_COUNT;
}

size_t cw_type_bytes(cw_type type)
{
    return known(type) ? types[type].bytes : 0;
}

const char *cw_type_name(cw_type type)
{
    return known(type) ? types[type].name : "unknown";
}

static enum kind kind_of(cw_type type)
{
    if (type >= CW_F16)
        return FLOAT;
    return type >= CW_I8 ? SIGNED : UNSIGNED;
}

/* Bits of a float's fraction. */
static unsigned fraction(cw_type type)
{
    switch (type) {
    case CW_F16:
        return 10;
    case CW_BF16:
        return 7;
    case CW_F32:
        return 23;
    default:
        return 52;
    }
}

struct cw_key_map cw_key_map_of(cw_type type, int descending)
{
    const enum kind kind = kind_of(type);
    struct cw_key_map m;

    m.bits = 8u * (uint32_t)cw_type_bytes(type);
    m.mask = UINT64_MAX >> (64u - m.bits);
    m.flip = kind == FLOAT ? m.mask >> 1 : 0;
    m.toggle = kind == UNSIGNED ? 0 : (uint64_t)1 << (m.bits - 1u);
    m.toggle ^= descending ? m.mask : 0;
    m.bias = kind == FLOAT ? ((uint64_t)1 << fraction(type)) - 1u : 0;
    m.plain = kind == UNSIGNED && !descending;
    return m;
}
