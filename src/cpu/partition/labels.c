/* labels.c - which bucket each item goes to.
 *
 * No loop has a branch that depends on keys.  A search among splitters goes down all levels for
 * four keys side by side, so that none waits for another's comparisons: with 2^levels splitters,
 * those behind the last all ones, b grows by 2^k where splitter b + 2^k - 1 is not above the key.
 * A key of all ones passes those, which is why the outcome is limited to the last bucket.
 *
 * A search without branches, several keys side by side: Sanders and Winkel (Super Scalar Sample
 * Sort, 2004).  Here splitters are a sorted array, not a tree in the order of a heap.
 */
#include "cpu/partition/labels.h"

#include <stdlib.h>

#include "base/status.h"

#define WORD_LOG 3
#include "cpu/words.h"

#define GOOD_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15) /* 2^64 over the golden ratio; as kernels do */

cw_status cw_labels_open(const cw_partition_job *job, struct cw_labels *out)
{
    const struct cw_labels l = {job,
                                cw_key_map_of(job->type, job->flags, 1),
                                cw_type_bytes(job->type),
                                job->multiplier ? job->multiplier : GOOD_MULTIPLIER,
                                NULL,
                                0,
                                0};
    const uint64_t largest = l.map.toggle ? l.map.mask / 2 : l.map.mask;

    *out = l;
    out->most = largest < job->buckets - 1 ? largest : job->buckets - 1;
    if (job->rule != CW_BY_SPLITTER || job->buckets < 2)
        return CW_OK;
    while (1u << out->levels < job->buckets)
        out->levels++;
    out->splitters = (uint64_t *)malloc(sizeof(uint64_t) << out->levels);
    if (!out->splitters)
        return cw_fail(CW_ERR_MEMORY, "no room for %u splitters", job->buckets - 1);
    for (uint32_t x = 0; x < 1u << out->levels; x++) {
        const uint64_t key = x + 1 < job->buckets ? item_get(job->splitters, x, l.bytes) : 0;
        const uint64_t word = CW_KEY_TO_WORD(&l.map, key);

        out->splitters[x] = x + 1 < job->buckets ? CW_WORD_TO_RANK(&l.map, word) : UINT64_MAX;
    }
    return CW_OK;
}

void cw_labels_close(struct cw_labels *l)
{
    free(l->splitters);
    l->splitters = NULL;
}

/* ---- the rules ------------------------------------------------------------------------------ */

/* `bytes` is a constant wherever this and the next two are called.  A negative label is a large
 * one, and above `most`. */
CW_INLINE uint32_t by_label(const void *keys, uint32_t n, uint64_t most, uint16_t *to, size_t bytes)
{
    uint32_t bad = 0;

    CW_SIMD_OR(bad)
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t label = item_get(keys, k, bytes);

        to[k] = (uint16_t)label;
        bad |= label > most;
    }
    for (uint32_t k = 0; k < n && bad; k++)
        if (item_get(keys, k, bytes) > most)
            return k;
    return n;
}

/* The same, but such labels get a bucket of their own, behind all. */
CW_INLINE uint32_t by_label_or_none(const void *keys, uint32_t n, uint64_t most, uint16_t none,
                                    uint16_t *to, size_t bytes)
{
    CW_SIMD
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t label = item_get(keys, k, bytes);

        to[k] = label > most ? none : (uint16_t)label;
    }
    return n;
}

CW_INLINE void by_bits(const struct cw_labels *l, const void *keys, uint32_t n, uint16_t *to,
                       size_t bytes)
{
    const struct cw_key_map m = l->map;
    const uint32_t first = l->job->first_bit, mask = l->job->buckets - 1;

    CW_SIMD
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t key = item_get(keys, k, bytes);
        const uint64_t word = CW_KEY_TO_WORD(&m, key);

        to[k] = (uint16_t)((uint32_t)(CW_WORD_TO_RANK(&m, word) >> first) & mask);
    }
}

CW_INLINE void by_hash(const struct cw_labels *l, const void *keys, uint32_t n, uint16_t *to,
                       size_t bytes)
{
    const uint64_t multiplier = l->multiplier, buckets = l->job->buckets;

    CW_SIMD
    for (uint32_t k = 0; k < n; k++)
        to[k] = (uint16_t)((item_get(keys, k, bytes) * multiplier >> 32) * buckets >> 32);
}

/* Four keys, as words. */
static void search4(const struct cw_labels *l, const uint64_t *word, uint32_t *at)
{
    const uint64_t a = word[0], b = word[1], c = word[2], d = word[3];
    uint32_t p = 0, q = 0, r = 0, s = 0;

    for (uint32_t level = l->levels; level--;) {
        const uint64_t *x =
            l->splitters + (1u << level) - 1; /* sums, as branches would be missed */

        p += (uint32_t)(x[p] <= a) << level;
        q += (uint32_t)(x[q] <= b) << level;
        r += (uint32_t)(x[r] <= c) << level;
        s += (uint32_t)(x[s] <= d) << level;
    }
    at[0] = p, at[1] = q, at[2] = r, at[3] = s;
}

CW_INLINE void by_splitter(const struct cw_labels *l, const void *keys, uint32_t n, uint16_t *to,
                           size_t bytes)
{
    const uint32_t last = l->job->buckets - 1;
    const struct cw_key_map m = l->map;
    uint64_t word[CW_LABELS_BLOCK + 4];
    uint32_t at[CW_LABELS_BLOCK + 4];

    for (uint32_t k = 0; k < n; k++) {
        const uint64_t key = item_get(keys, k, bytes);
        const uint64_t x = CW_KEY_TO_WORD(&m, key);

        word[k] = CW_WORD_TO_RANK(&m, x);
    }
    memset(word + n, 0, 4 * sizeof *word);
    for (uint32_t k = 0; k < n; k += 4)
        search4(l, word + k, at + k);
    for (uint32_t k = 0; k < n; k++)
        to[k] = (uint16_t)(at[k] < last ? at[k] : last);
}

/* ---- the choice ----------------------------------------------------------------------------- */

CW_INLINE uint32_t find(const struct cw_labels *l, const void *keys, uint32_t n, uint16_t *to,
                        size_t bytes)
{
    if (l->job->rule == CW_BY_LABEL && l->job->flags & CW_DROP)
        return by_label_or_none(keys, n, l->most, (uint16_t)l->job->buckets, to, bytes);
    if (l->job->rule == CW_BY_LABEL)
        return by_label(keys, n, l->most, to, bytes);
    if (l->job->rule == CW_BY_BITS)
        by_bits(l, keys, n, to, bytes);
    else if (l->job->rule == CW_BY_HASH)
        by_hash(l, keys, n, to, bytes);
    else
        by_splitter(l, keys, n, to, bytes);
    return n;
}

uint32_t cw_labels_find(const struct cw_labels *l, size_t x, uint32_t n, uint16_t *to)
{
    const char *keys = (const char *)l->job->keys_in + x * l->bytes;

    switch (l->bytes) {
    case 1:
        return find(l, keys, n, to, 1);
    case 2:
        return find(l, keys, n, to, 2);
    case 4:
        return find(l, keys, n, to, 4);
    default:
        return find(l, keys, n, to, 8);
    }
}
