/* random.h - random words, the same on every machine. */
#ifndef CW_INPUTS_RANDOM_H
#define CW_INPUTS_RANDOM_H

#include <stdint.h>

/* A bijection of 64-bit words that looks like chance. */
static inline uint64_t cw_mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A counter through the mixer: every state is on one cycle of length 2^64. */
static inline uint64_t cw_drawn(uint64_t *state)
{
    return cw_mixed(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* x scaled down from 2^64 values to `limit`, the order kept; limit 0 means 2^64. */
static inline uint64_t cw_scaled(uint64_t x, uint64_t limit)
{
    const uint64_t high = x >> 32, low = x & UINT32_MAX;
    const uint64_t a = limit >> 32, b = limit & UINT32_MAX;
    const uint64_t middle = high * b + (low * b >> 32);

    if (!limit)
        return x;
    return high * a + (middle >> 32) + ((low * a + (middle & UINT32_MAX)) >> 32);
}

/* Below `limit`, each value as likely but for one part in 2^64 / limit. */
static inline uint64_t cw_drawn_below(uint64_t *state, uint64_t limit)
{
    return cw_scaled(cw_drawn(state), limit);
}

#endif
