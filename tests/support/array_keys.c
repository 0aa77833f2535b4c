/* array_keys.c - keys of an array_case: how they are made, and their order by what they mean. */
#include "array_keys.h"

#include <math.h>
#include <string.h>

static int is_float(cw_type t)
{
    return t >= CW_F16;
}

static double half_value(uint64_t x)
{
    const int exponent = (int)(x >> 10 & 31), fraction = (int)(x & 1023);
    const double sign = x >> 15 ? -1.0 : 1.0;

    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static double float_value(cw_type t, uint64_t x)
{
    const uint32_t single = (uint32_t)(t == CW_BF16 ? x << 16 : x);
    double d;
    float f;

    if (t == CW_F16)
        return half_value(x);
    memcpy(&f, &single, sizeof f);
    memcpy(&d, &x, sizeof d);
    return t == CW_F64 ? d : f;
}

static int compare_floats(const struct array_case *c, uint64_t x, uint64_t y)
{
    const double a = float_value(c->type, x), b = float_value(c->type, y);
    const int down = c->flags & CW_DESCENDING ? -1 : 1;

    if (isnan(a) || isnan(b)) /* last in both directions */
        return !!isnan(a) - !!isnan(b);
    if (a == 0 && b == 0)
        return down * (!!signbit(b) - !!signbit(a));
    return down * ((a > b) - (a < b));
}

int array_compare(const struct array_case *c, uint64_t x, uint64_t y)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const unsigned count = c->bits ? c->bits : bits - c->first_bit;
    const uint64_t sign = c->type >= CW_I8 && c->type <= CW_I64 ? (uint64_t)1 << (bits - 1) : 0;
    const uint64_t a = (x ^ sign) >> c->first_bit << (64u - count);
    const uint64_t b = (y ^ sign) >> c->first_bit << (64u - count);

    if (is_float(c->type))
        return compare_floats(c, x, y);
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
    const uint64_t floats[] = {0, sign, infinity, infinity | sign, quiet, 1, sign | 1};
    const uint64_t integers[] = {0, sign, all, sign - 1, 1, all - 1, sign + 1};

    return is_float(t) ? floats[r % 7] : integers[r % 7];
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

/* NaNs have many bit patterns, whose order among each other is not promised: one is used. */
uint64_t array_key(const struct array_case *c, size_t i, uint64_t r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(c->type);
    const uint64_t x = pattern_key(c, i, r) & UINT64_MAX >> (64 - bits);

    return is_float(c->type) && isnan(float_value(c->type, x)) ? special(c->type, 4) : x;
}
