/* arith.h - arithmetic of the host. */
#ifndef CW_BASE_ARITH_H
#define CW_BASE_ARITH_H

#include <stdint.h>

static inline uint64_t cw_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t cw_most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t cw_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t c = a % b;

        a = b;
        b = c;
    }
    return a;
}

/* How many bits hold x. */
static inline uint32_t cw_width(uint64_t x)
{
#if defined(__GNUC__)
    return x ? 64u - (uint32_t)__builtin_clzll(x) : 0;
#else
    uint32_t n = 0;

    for (; x; x >>= 1)
        n++;
    return n;
#endif
}

#endif
