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

/* 1 bit of sign, 5 of exponent, 10 of fraction. */
static long double half_of(uint32_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const long double fraction = bits & 1023;
    long double x = ldexpl(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);

    if (exponent == 31)
        x = fraction > 0 ? (long double)NAN : (long double)INFINITY;
    return bits >> 15 ? -x : x;
}

long double cw_value_of(cw_type type, uint64_t bits)
{
    double x;

    switch (type) {
    case CW_I8:
        return (int8_t)bits;
    case CW_I16:
        return (int16_t)bits;
    case CW_I32:
        return (int32_t)bits;
    case CW_I64:
        return (long double)(int64_t)bits;
    case CW_F16:
        return half_of((uint32_t)bits);
    case CW_BF16:
        return float_of((uint32_t)bits << 16);
    case CW_F32:
        return float_of((uint32_t)bits);
    case CW_F64:
        memcpy(&x, &bits, sizeof x);
        return x;
    default:
        return (long double)bits;
    }
}

int cw_value_before(long double x, long double y, int descending)
{
    if (isnan(x) || isnan(y))
        return !isnan(x) && isnan(y);
    if (x != y)
        return descending ? x > y : x < y;
    return descending ? !signbit(x) && signbit(y) : signbit(x) && !signbit(y);
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
