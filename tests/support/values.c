#include "values.h"

#include <math.h>
#include <string.h>

int cw_is_float(cw_type type)
{
    return type == CW_F16 || type == CW_BF16 || type == CW_F32 || type == CW_F64;
}

static float float_of(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 1 bit of sign, 5 of exponent, 10 of fraction: a whole number times 2^(exponent - 25), which is the float
 * with the exponent 127 - 25 higher. */
static float half_of(uint32_t bits)
{
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float power = float_of(((exponent ? exponent : 1) + 102) << 23);
    float x = (float)(exponent ? 1024 + fraction : fraction) * power;

    if (exponent == 31)
        x = fraction ? NAN : INFINITY;
    return bits >> 15 ? -x : x;
}

/* Of a float type: a double holds them all. */
static double float_value(cw_type type, uint64_t bits)
{
    double x;

    if (type == CW_F16)
        return half_of((uint32_t)bits);
    if (type != CW_F64)
        return float_of((uint32_t)bits << (type == CW_BF16 ? 16 : 0));
    memcpy(&x, &bits, sizeof x);
    return x;
}

long double cw_value_of(cw_type type, uint64_t bits)
{
    switch (type) {
    case CW_I8:
        return (int8_t)bits;
    case CW_I16:
        return (int16_t)bits;
    case CW_I32:
        return (int32_t)bits;
    case CW_I64:
        return (long double)(int64_t)bits;
    default:
        return cw_is_float(type) ? (long double)float_value(type, bits) : (long double)bits;
    }
}

int cw_value_before(long double x, long double y, int descending)
{
    if (isnan(x) || isnan(y))
        return !isnan(x) && isnan(y);
    return descending ? x > y : x < y;
}

/* IEEE 754's total order: the sign, then how large the other bits are as a number. */
static int compare_total(cw_type type, uint64_t a, uint64_t b)
{
    const unsigned top = 8 * (unsigned)cw_type_bytes(type) - 1;
    const int minus_a = (int)(a >> top & 1), minus_b = (int)(b >> top & 1);

    if (minus_a != minus_b)
        return minus_a ? -1 : 1;
    return (minus_a ? -1 : 1) * ((a > b) - (a < b));
}

static int compare_floats(cw_type type, unsigned flags, uint64_t a, uint64_t b)
{
    const double x = float_value(type, a), y = float_value(type, b);
    const int down = flags & CW_DESCENDING ? -1 : 1;

    if (isnan(x) || isnan(y)) {
        const int first = flags & CW_NAN_FIRST || (flags & CW_NAN_GREATEST && down < 0);

        return (!!isnan(x) - !!isnan(y)) * (first ? -1 : 1);
    }
    return down * ((x > y) - (x < y));
}

static int compare_integers(cw_type type, unsigned flags, uint64_t a, uint64_t b)
{
    const long double x = cw_value_of(type, a), y = cw_value_of(type, b);

    return (flags & CW_DESCENDING ? -1 : 1) * ((x > y) - (x < y));
}

int cw_value_compare(cw_type type, unsigned flags, uint64_t a, uint64_t b)
{
    if (!cw_is_float(type))
        return compare_integers(type, flags, a, b);
    return flags & CW_TOTAL_ORDER ? compare_total(type, a, b) * (flags & CW_DESCENDING ? -1 : 1)
                                  : compare_floats(type, flags, a, b);
}

uint64_t cw_item(const void *array, size_t x, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)array + x * bytes;
    uint16_t x2;
    uint32_t x4;
    uint64_t x8;

    if (bytes == 1)
        return *p;
    if (bytes == 2)
        return memcpy(&x2, p, 2), x2;
    if (bytes == 4)
        return memcpy(&x4, p, 4), x4;
    return memcpy(&x8, p, 8), x8;
}

void cw_set_item(void *array, size_t x, size_t bytes, uint64_t to)
{
    unsigned char *p = (unsigned char *)array + x * bytes;
    const uint16_t x2 = (uint16_t)to;
    const uint32_t x4 = (uint32_t)to;

    if (bytes == 1)
        *p = (unsigned char)to;
    else
        memcpy(p, bytes == 2 ? (const void *)&x2 : bytes == 4 ? (const void *)&x4 : &to, bytes);
}

uint64_t cw_nan_of(cw_type type, uint64_t seed)
{
    static const uint64_t nans[][3] = {
        {0x7e00, 0xfe00, 0x7c01},
        {0x7fc0, 0xffc0, 0x7f81},
        {0x7fc00000, 0xffc00000, 0x7f800001},
        {UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000), UINT64_C(0x7ff0000000000001)},
    };

    return nans[type - CW_F16][seed % 3];
}

void cw_value_sort(const long double *value, uint32_t *place, uint32_t *spare, size_t n,
                   int descending)
{
    const size_t half = n / 2;
    size_t a = 0, b = half;

    if (n < 2)
        return;
    cw_value_sort(value, place, spare, half, descending);
    cw_value_sort(value, place + half, spare, n - half, descending);
    memcpy(spare, place, n * sizeof *place);
    for (size_t k = 0; k < n; k++) {
        const int second =
            a == half || (b < n && cw_value_before(value[spare[b]], value[spare[a]], descending));

        place[k] = spare[second ? b++ : a++];
    }
}
