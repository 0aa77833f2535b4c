/* data.c - every kind makes words: unsigned numbers in the order of the keys (prim/key_map.h),
 * NaNs at the end.  Keys are made of words at the end, the same way for all types. */
#include "inputs/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/adversary.h"
#include "inputs/random.h"
#include "prim/key_map.h"
#include "base/status.h"

#define ZIPF_VALUES (UINT64_C(1) << 20)

const char *const cw_data_names[CW_DATA_COUNT + 1] = {
#define NAME(constant, name) name,
    CW_DATA_LIST(NAME)
#undef NAME
        NULL};

struct maker {
    enum cw_data kind;
    struct cw_key_map map;
    uint64_t n, limit; /* words from limit on are NaNs; 0: 2^64 */
    uint64_t state;
    uint64_t some[16];
    double zipf; /* the logarithm of the number of values */
};

static uint64_t low_bits(uint32_t bits)
{
    return bits ? UINT64_MAX >> (64u - bits) : 0;
}

/* The word of the key with rank r, over all words where there are enough. */
static uint64_t rank_word(const struct maker *k, uint64_t r)
{
    const uint64_t last = k->limit - 1; /* of 2^64 words too */

    if (k->n - 1 <= last)
        return r * (last / (k->n > 1 ? k->n - 1 : 1));
    return r / ((k->n - 1) / k->limit + 1);
}

static uint64_t nan_word(struct maker *k, uint64_t r)
{
    const uint64_t zero = (k->map.mask >> 1) + 1 - k->map.bias; /* +0; -0 is before it */
    const uint64_t picked[4] = {zero, zero - 1, 0, k->limit - 1};

    if (r % 8 == 0)
        return k->limit + cw_drawn_below(&k->state, k->map.mask - k->limit + 1);
    if (r % 8 == 1)
        return picked[r >> 62];
    return cw_scaled(cw_mixed(r), k->limit);
}

/* Bits of a key that are the same in all, and random ones where `random` has a 1. */
static uint64_t half_word(const struct maker *k, uint64_t same, uint64_t random, uint64_t r)
{
    const uint64_t infinity = (k->map.mask >> 1) - k->map.bias;
    uint64_t key = (same & ~random) | (r & random);

    if (k->map.bias && (key & k->map.mask >> 1) > infinity)
        key ^= (k->map.mask >> 2) + 1; /* no NaN: half the exponent */
    return CW_KEY_TO_WORD(&k->map, key);
}

static uint64_t word_of(struct maker *k, uint64_t i)
{
    const uint32_t half = k->map.bits / 2 < 16 ? k->map.bits / 2 : 16;
    const uint64_t r = cw_drawn(&k->state);

    switch (k->kind) {
    case CW_DATA_SORTED:
        return rank_word(k, i);
    case CW_DATA_REVERSE:
        return rank_word(k, k->n - 1 - i);
    case CW_DATA_EQUAL:
        return k->some[0];
    case CW_DATA_TWO:
        return k->some[r >> 63];
    case CW_DATA_FEW:
        return k->some[r >> 60];
    case CW_DATA_ZIPF:
        return cw_scaled(cw_mixed((uint64_t)exp((double)(r >> 11) * 0x1p-53 * k->zipf)), k->limit);
    case CW_DATA_HEAVY:
        return r & 1 ? k->some[0] : cw_scaled(r, k->limit);
    case CW_DATA_TOP_EQUAL:
        return half_word(k, k->map.mask >> 2, low_bits(k->map.bits - half), r);
    case CW_DATA_LOW_EQUAL:
        return half_word(k, k->some[0], k->map.mask & ~low_bits(half), r);
    case CW_DATA_NAN:
        return nan_word(k, r);
    default:
        return cw_scaled(r, k->limit);
    }
}

static uint64_t key_of(const struct cw_key_map *m, uint64_t word)
{
    const uint64_t flipped = CW_WORD_FLIPPED(m, word);

    return CW_FLIPPED_TO_KEY(m, flipped);
}

static void put(void *out, size_t i, size_t bytes, uint64_t x)
{
    const uint8_t x1 = (uint8_t)x;
    const uint16_t x2 = (uint16_t)x;
    const uint32_t x4 = (uint32_t)x;

    memcpy((unsigned char *)out + i * bytes,
           bytes == 1   ? (const void *)&x1
           : bytes == 2 ? (const void *)&x2
           : bytes == 4 ? (const void *)&x4
                        : (const void *)&x,
           bytes);
}

static uint64_t get(const void *in, size_t i, size_t bytes)
{
    const unsigned char *const p = (const unsigned char *)in + i * bytes;
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

/* ---- adversaries ---------------------------------------------------------------------------- */

static cw_status merge_keys(struct maker *k, const struct cw_adversary *a, cw_type type,
                            uint64_t seed, void *out)
{
    const size_t bytes = cw_type_bytes(type), entry = k->n >> 32 ? 8 : 4;
    void *rank;
    cw_status status;

    if (k->limit && k->n > k->limit)
        return cw_fail(CW_ERR_TYPE, "%llu keys that all differ: the type %s has not so many values",
                       (unsigned long long)k->n, cw_type_name(type));
    rank = malloc(k->n * entry);
    if (!rank)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %llu ranks", (unsigned long long)k->n);
    status = cw_adversary_merge(a, bytes, k->n, seed, rank, entry);
    for (uint64_t i = 0; !status && i < k->n; i++)
        put(out, i, bytes, key_of(&k->map, rank_word(k, get(rank, i, entry))));
    free(rank);
    return status;
}

/* A radix sort turns the bits of floats as the map does, but leaves NaNs where they fall; the
 * digits keep clear of those. */
static void radix_keys(const struct maker *k, const struct cw_adversary *a, size_t bytes, void *out)
{
    for (uint64_t i = 0; i < k->n; i++) {
        const uint64_t x = cw_adversary_radix(a, k->n, (uint32_t)bytes, i);

        put(out, i, bytes, key_of(&k->map, x - k->map.bias));
    }
}

cw_status cw_data_make_against(enum cw_data kind, cw_type type, size_t n, uint64_t seed,
                               const struct cw_adversary *asked, void *out)
{
    const size_t bytes = cw_type_bytes(type);
    struct maker k = {.kind = kind, .n = n, .state = seed};
    struct cw_adversary a;
    cw_status status;

    if (!bytes)
        return cw_fail(CW_ERR_TYPE, "type %d: there is no such", (int)type);
    if ((int)kind < 0 || kind >= CW_DATA_COUNT)
        return cw_fail(CW_ERR_ARGUMENT, "data of kind %d: there is no such", (int)kind);
    k.map = cw_key_map_of(type, 0, 0);
    k.limit = (k.map.mask - 2 * k.map.bias + 1) & k.map.mask; /* 0 where 2^bits */
    if (!k.limit && k.map.bits < 64)
        k.limit = k.map.mask + 1;
    if (kind == CW_DATA_NAN && !k.map.bias)
        return cw_fail(CW_ERR_TYPE, "keys of type %s cannot be NaN", cw_type_name(type));
    status = cw_adversary_of(asked, bytes, &a);
    if (status || !n)
        return status;
    if (kind == CW_DATA_MERGE)
        return merge_keys(&k, &a, type, seed, out);
    if (kind == CW_DATA_RADIX) {
        radix_keys(&k, &a, bytes, out);
        return CW_OK;
    }
    for (int x = 0; x < 16; x++)
        k.some[x] = cw_drawn_below(&k.state, k.limit);
    if (k.some[1] == k.some[0])
        k.some[1] = k.some[0] ? k.some[0] - 1 : 1;
    k.zipf = log((double)(n < ZIPF_VALUES ? n : ZIPF_VALUES));
    for (size_t i = 0; i < n; i++)
        put(out, i, bytes, key_of(&k.map, word_of(&k, i)));
    return CW_OK;
}

cw_status cw_data_make(enum cw_data kind, cw_type type, size_t n, uint64_t seed, void *out)
{
    return cw_data_make_against(kind, type, n, seed, NULL, out);
}
