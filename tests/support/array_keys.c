/* array_keys.c - keys of an array_case: how they are made, and their order by what they mean. */
#include "array_keys.h"

#include <math.h>
#include <string.h>

#include "values.h"

static int is_float(cw_type t)
{
    return t >= CW_F16;
}

int array_compare(const struct array_case *c, uint64_t x, uint64_t y)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const unsigned count = c->bits ? c->bits : bits - c->first_bit;
    const uint64_t sign = c->type >= CW_I8 && c->type <= CW_I64 ? (uint64_t)1 << (bits - 1) : 0;
    const uint64_t a = (x ^ sign) >> c->first_bit << (64u - count);
    const uint64_t b = (y ^ sign) >> c->first_bit << (64u - count);

    if (is_float(c->type))
        return cw_value_compare(c->type, c->flags, x, y);
    return ((a > b) - (a < b)) * (c->flags & CW_DESCENDING ? -1 : 1);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static uint64_t special(cw_type t, uint64_t r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(t);
    const uint64_t sign = (uint64_t)1 << (bits - 1), all = UINT64_MAX >> (64 - bits);
    const uint64_t infinity = t == CW_F16    ? 0x7c00
                              : t == CW_BF16 ? 0x7f80
                              : t == CW_F32  ? 0x7f800000
                                             : 0x7ff0000000000000u;
    const uint64_t quiet = infinity | (infinity & ~(infinity << 1)) >> 1;
    const uint64_t floats[] = {0, sign,     infinity, infinity | sign, quiet, quiet | sign,
                               1, sign | 1, all,      infinity | 1};
    const uint64_t integers[] = {0, sign, all, sign - 1, 1, all - 1, sign + 1};

    return is_float(t) ? floats[r % 10] : integers[r % 7];
}

/* Eight clusters; all but one in 40 keys of one are near its begin. */
static uint64_t nested(uint64_t r, unsigned bits)
{
    const uint64_t cluster = (r & 7) << (bits - 3);

    if (r >> 3 & 31)
        return cluster | (r >> 60);
    return cluster + ((uint64_t)1 << (r >> 8) % (bits - 4));
}

static uint64_t pattern_key(const struct array_case *c, size_t i, uint64_t r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const uint64_t all = UINT64_MAX >> (64 - bits);
    const uint64_t low = all >> bits / 2;
    const uint64_t place = (uint64_t)(((double)i + 0.5) / (double)c->n * 4294967296.0);

    switch (c->pattern) {
    case ARRAY_EQUAL:
        return 77;
    case ARRAY_TWO:
        return r & 1 ? 77 : all / 3;
    case ARRAY_NEARLY:
        if ((r >> 20) % 1000 == 0)
            return r;
        return bits >= 32 ? place << (bits - 32) : place >> (32 - bits);
    case ARRAY_SORTED:
        return bits >= 32 ? place << (bits - 32) : place >> (32 - bits);
    case ARRAY_REVERSE:
        return bits >= 32 ? ~place << (bits - 32) : ~place >> (32 - bits);
    case ARRAY_HEAVY:
        return r >> 63 ? (r & all >> 8) | (uint64_t)0x5a << (bits - 8) : r;
    case ARRAY_ZIPF:
        return (uint64_t)exp((double)(r >> 11) / 9007199254740992.0 * 16.0);
    case ARRAY_FAR:
        if (r >> 32 & 8191)
            return (r & low) | (low & 0x5a5aa5a5) << bits / 2;
        return r * 0x9e3779b97f4a7c15u;
    case ARRAY_TOP_EQUAL:
        return (r & low) | (low & 0xabcdef12) << bits / 2;
    case ARRAY_LOW_EQUAL:
        return (r & ~low) | (low & 0x12345678);
    case ARRAY_SPECIAL:
        return special(c->type, r >> 20);
    case ARRAY_NESTED:
        return nested(r, bits);
    case ARRAY_PERIODIC:
        return (i % 1024 + 1) * 0x9e3779b97f4a7c15u >> (64 - bits);
    default:
        return r;
    }
}

uint64_t array_key(const struct array_case *c, size_t i, uint64_t r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);

    return pattern_key(c, i, r) & UINT64_MAX >> (64 - bits);
}
