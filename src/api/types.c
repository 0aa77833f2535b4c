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

/* NaNs of one sign. */
static uint64_t nans_of(cw_type type)
{
    return ((uint64_t)1 << fraction(type)) - 1u;
}

static int nans_first(unsigned flags)
{
    return flags & CW_NAN_FIRST || (flags & CW_NAN_GREATEST && flags & CW_DESCENDING);
}

/* Floats in numeric order: words get ranks.  Of all NaNs the one next to the numbers stands for the
 * rest. */
static void tie(struct cw_key_map *m, cw_type type, unsigned flags)
{
    const uint64_t sign = (uint64_t)1 << (m->bits - 1u), nans = 2u * nans_of(type);

    m->tied = 1;
    m->minus = CW_KEY_TO_WORD(m, sign);
    m->plus = CW_KEY_TO_WORD(m, (uint64_t)0);
    if (nans_first(flags))
        m->nan = m->low = nans - 1u;
    else
        m->nan = m->high = m->mask - nans + 1u;
}

struct cw_key_map cw_key_map_of(cw_type type, unsigned flags, int keeps)
{
    const int descending = (flags & CW_DESCENDING) != 0;
    const enum kind kind = kind_of(type);
    struct cw_key_map m;

    m.bits = 8u * (uint32_t)cw_type_bytes(type);
    m.mask = UINT64_MAX >> (64u - m.bits);
    m.flip = kind == FLOAT ? m.mask >> 1 : 0;
    m.toggle = kind == UNSIGNED ? 0 : (uint64_t)1 << (m.bits - 1u);
    m.toggle ^= descending ? m.mask : 0;
    m.bias = 0;
    if (kind == FLOAT && !(flags & CW_TOTAL_ORDER))
        m.bias = (nans_first(flags) ? 0u - nans_of(type) : nans_of(type)) & m.mask;
    m.plain = kind == UNSIGNED && !descending;
    m.tied = 0;
    m.minus = m.plus = 0;
    m.low = m.nan = 0;
    m.high = m.mask;
    if (keeps && kind == FLOAT && !(flags & CW_TOTAL_ORDER))
        tie(&m, type, flags);
    return m;
}

/* An index tells where equal keys were; of some bits of -0 and +0 only ranks have the same. */
struct cw_key_map cw_key_map_of_array(const cw_array *job)
{
    const int all = !job->bits || job->bits == 8u * cw_type_bytes(job->type);

    return cw_key_map_of(job->type, job->flags,
                         (job->flags & CW_STABLE) || job->index_bytes || !all);
}

struct cw_key_map cw_key_map_of_rows(const cw_rows *job)
{
    return cw_key_map_of(job->type, job->flags, (job->flags & CW_STABLE) || job->index_out);
}
