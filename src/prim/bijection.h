/* bijection.h - a random permutation of 0 .. n - 1 that is computed, not stored; and its inverse.
 *
 * A Feistel network of 8 rounds works on the bits of a number, by turns on the upper and the lower
 * half.  A round adds (xor) to one half a hash of the other half and of the round's key.  The
 * network is a permutation of all numbers of so many bits.  A result of n or more is sent through
 * again until it is below n (cycle walking).  On the n numbers that is a permutation, too.  The
 * network has fewer than 2 n numbers, at least 256, so on average a number goes through it less
 * than twice.
 *
 * How random it is.  With round functions drawn at random, 8 rounds on 2 b bits cannot be told from
 * a random permutation by far fewer than 2^2b questions (Patarin 2004: 6 rounds up to 2^b(2 - e)).
 * Ours are hashes of 32 bits: two multiplications with a shift between them, of which the upper
 * bits are taken.  Tests look for what these lack (tests/permute/test_shuffle.c): places, pairs,
 * fixed points, cycles, all n! orders of small n.  Feistel rounds are even permutations.  A bit of
 * the key swaps what goes to 0 and 1, so both kinds occur.  There are 2^64 seeds, so of 21 and more
 * numbers not every order has one.  It keeps no secret.
 *
 * It departs from the shuffle of Mitchell, Stokes, Frank and Holmes (ACM TOPC 2022), which has 24
 * rounds of Philox on a power of two and a compaction.  Walking needs no compaction, and the
 * inverse is as easy.
 */
#ifndef CW_PRIM_BIJECTION_H
#define CW_PRIM_BIJECTION_H

#include <stdint.h>

#if defined(__CUDACC__)
#define BIJECTION_BOTH static __host__ __device__ __forceinline__
#else
#define BIJECTION_BOTH static inline __attribute__((unused))
#endif

#define BIJECTION_KEYS 8u
#define BIJECTION_BITS 8u /* of a number, at least */

struct bijection {
    uint64_t n;
    uint32_t key[BIJECTION_KEYS];
    uint32_t high, low; /* bits of the halves */
    uint32_t swap;      /* 1: what goes to 0 and to 1 change places */
};

/* A word of a 64-bit seed: splitmix64 (Steele, Lea, Flood 2014). */
BIJECTION_BOTH uint64_t bijection_word(uint64_t seed, uint64_t k)
{
    uint64_t x = seed + (k + 1u) * UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

BIJECTION_BOTH struct bijection bijection_of(uint64_t n, uint64_t seed)
{
    struct bijection b;
    uint32_t bits = BIJECTION_BITS;

    while (bits < 64u && n > (uint64_t)1 << bits)
        bits++;
    b.n = n;
    b.low = bits / 2u;
    b.high = bits - b.low;
    for (uint32_t k = 0; k < BIJECTION_KEYS; k++)
        b.key[k] = (uint32_t)(bijection_word(seed, k) >> 32);
    b.swap = n > 1u ? (uint32_t)(bijection_word(seed, BIJECTION_KEYS) >> 63) : 0u;
    return b;
}

/* `bits` of a hash of one half, for the other. */
BIJECTION_BOTH uint32_t bijection_hash(uint32_t half, uint32_t key, uint32_t bits)
{
    uint32_t h = (half ^ key) * 0x9e3779b1u;

    h = (h ^ h >> 15) * 0x85ebca77u;
    h = (h ^ h >> 13) * 0xc2b2ae3du;
    return h >> (32u - bits);
}

/* Where i goes. */
BIJECTION_BOTH uint64_t bijection_at(const struct bijection *b, uint64_t i)
{
    do {
        uint32_t high = (uint32_t)(i >> b->low),
                 low = (uint32_t)(i & (((uint64_t)1 << b->low) - 1u));

        for (uint32_t k = 0; k < BIJECTION_KEYS; k += 2u) {
            high ^= bijection_hash(low, b->key[k], b->high);
            low ^= bijection_hash(high, b->key[k + 1u], b->low);
        }
        i = (uint64_t)high << b->low | low;
    } while (i >= b->n);
    return i < 2u ? i ^ b->swap : i;
}

/* What goes to i. */
BIJECTION_BOTH uint64_t bijection_back(const struct bijection *b, uint64_t i)
{
    i = i < 2u ? i ^ b->swap : i;
    do {
        uint32_t high = (uint32_t)(i >> b->low),
                 low = (uint32_t)(i & (((uint64_t)1 << b->low) - 1u));

        for (uint32_t k = BIJECTION_KEYS; k > 0; k -= 2u) {
            low ^= bijection_hash(high, b->key[k - 1u], b->low);
            high ^= bijection_hash(low, b->key[k - 2u], b->high);
        }
        i = (uint64_t)high << b->low | low;
    } while (i >= b->n);
    return i;
}

#endif
