/* rows_order.h - the order of keys of every type, in the most obvious way. */
#ifndef CW_ROWS_ORDER_H
#define CW_ROWS_ORDER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "clearway.h"

static int is_float(cw_type t)
{
    return t >= CW_F16;
}

static int is_signed(cw_type t)
{
    return t >= CW_I8 && t <= CW_I64;
}

static uint64_t bits_at(const void *array, size_t bytes, size_t item)
{
    uint64_t x = 0;

    memcpy(&x, (const char *)array + item * bytes, bytes);
    return x;
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

static int compare_floats(cw_type t, uint64_t x, uint64_t y)
{
    const double a = float_value(t, x), b = float_value(t, y);
    const int below = (x > y) - (x < y);

    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? below : 0;
    if (a == 0 && b == 0)
        return !!signbit(b) - !!signbit(a);
    return (a > b) - (a < b);
}

/* Ascending; NaNs are not seen here but against each other. */
static int compare_bits(cw_type t, uint64_t x, uint64_t y)
{
    const unsigned unused = 64u - 8u * (unsigned)cw_type_bytes(t);

    if (is_float(t))
        return compare_floats(t, x, y);
    if (is_signed(t)) {
        const int64_t a = (int64_t)(x << unused), b = (int64_t)(y << unused);

        return (a > b) - (a < b);
    }
    return (x > y) - (x < y);
}

struct item {
    uint64_t key, value;
    uint32_t place;
    cw_type type;
    unsigned flags;
};

static int by_key(const struct item *a, const struct item *b)
{
    const int nan_a = is_float(a->type) && isnan(float_value(a->type, a->key));
    const int nan_b = is_float(a->type) && isnan(float_value(a->type, b->key));
    const int c = compare_bits(a->type, a->key, b->key);

    if (nan_a != nan_b)
        return nan_a ? 1 : -1;
    return a->flags & CW_DESCENDING ? -c : c;
}

static int by_key_then_place(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int c = by_key(a, b);

    return c ? c : (a->place > b->place) - (a->place < b->place);
}

static int by_key_then_value(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int c = by_key(a, b);

    return c ? c : (a->value > b->value) - (a->value < b->value);
}

#endif
