/* adversary_merge.c - the input of a merge sort, from its output backwards.
 *
 * Runs of w * E * 2^k keys are merged in pairs, w threads of E keys each at a time.  Every two
 * warps (one, where E is even) take as many keys from either run, in the order of
 * adversary_warp.c, so that all warps of all merges begin with both runs in bank 0.  Backwards: the
 * sorted sequence is dealt out to two runs by that order, each of them to two again, down to runs
 * of w * E keys, which are shuffled.
 *
 * A block of CUB holds 256 * E keys: the merges of several blocks are reached, and those inside a
 * block of runs of 32 * E keys or more.  Keys of 8 bytes are served 16 lanes at a time, so w = 16.
 * A pair of runs that is cut short by the end of the array is dealt out until one of them is full.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/adversary.h"
#include "inputs/random.h"
#include "base/status.h"

cw_status cw_adversary_of(const struct cw_adversary *asked, size_t key_bytes,
                          struct cw_adversary *out)
{
    const struct cw_adversary none = {0, 0};

    *out = asked ? *asked : none;
    if (!out->items)
        out->items = key_bytes <= 4 ? 17 : 8;
    if (!out->tile)
        out->tile = key_bytes <= 2 ? 512 * 19 : key_bytes == 4 ? 384 * 23 : 384 * 11;
    if (out->items > CW_ADVERSARY_ITEMS)
        return cw_fail(CW_ERR_ARGUMENT, "%u keys a thread: at most %u", out->items,
                       CW_ADVERSARY_ITEMS);
    if (out->tile < 1024 || out->tile > CW_ADVERSARY_TILE)
        return cw_fail(CW_ERR_ARGUMENT, "a tile of %u keys: only 1024 to %u", out->tile,
                       CW_ADVERSARY_TILE);
    return CW_OK;
}

struct deal {
    uint64_t n;
    uint32_t period;
    uint8_t *from; /* whose turn it is: 0 the first run's, 1 the second's */
    size_t bytes;  /* of a rank */
};

static uint64_t get(const struct deal *d, const void *ranks, uint64_t i)
{
    return d->bytes == 4 ? ((const uint32_t *)ranks)[i] : ((const uint64_t *)ranks)[i];
}

static void put(const struct deal *d, void *ranks, uint64_t i, uint64_t x)
{
    if (d->bytes == 4)
        ((uint32_t *)ranks)[i] = (uint32_t)x;
    else
        ((uint64_t *)ranks)[i] = x;
}

/* What was merged from two runs of `half` keys, dealt out to them. */
static void unmerge(const struct deal *d, uint64_t half, const void *in, void *out)
{
    for (uint64_t begin = 0; begin < d->n; begin += 2 * half) {
        const uint64_t left = d->n - begin;
        const uint64_t end = left < 2 * half ? d->n : begin + 2 * half;
        const uint64_t middle = left < half ? d->n : begin + half;
        uint64_t a = begin, b = middle;
        uint32_t turn = 0;

        for (uint64_t i = begin; i < end; i++) {
            const int second = d->from[turn];

            turn = turn + 1 == d->period ? 0 : turn + 1;
            if (a < middle && (!second || b == end))
                put(d, out, a++, get(d, in, i));
            else
                put(d, out, b++, get(d, in, i));
        }
    }
}

static void shuffle_runs(const struct deal *d, uint64_t length, uint64_t seed, void *ranks)
{
    for (uint64_t begin = 0; begin < d->n; begin += length) {
        const uint64_t count = d->n - begin < length ? d->n - begin : length;

        for (uint64_t i = count; i > 1; i--) {
            const uint64_t j = begin + cw_drawn_below(&seed, i);
            const uint64_t last = begin + i - 1, x = get(d, ranks, j);

            put(d, ranks, j, get(d, ranks, last));
            put(d, ranks, last, x);
        }
    }
}

/* Levels from the largest down, between two buffers; the last one ends in `rank`. */
static void deal_out(const struct deal *d, uint64_t run, uint64_t seed, void *rank, void *other)
{
    uint64_t half = run;
    int levels = 0;

    while (half < d->n) {
        half *= 2;
        levels++;
    }
    for (uint64_t i = 0; i < d->n; i++)
        put(d, levels % 2 ? other : rank, i, i);
    for (; levels > 0; levels--) {
        half /= 2;
        unmerge(d, half, levels % 2 ? other : rank, levels % 2 ? rank : other);
    }
    shuffle_runs(d, run, seed, rank);
}

cw_status cw_adversary_merge(const struct cw_adversary *a, size_t key_bytes, uint64_t n,
                             uint64_t seed, void *rank, size_t bytes)
{
    const uint32_t w = key_bytes == 8 ? 16 : 32, e = a->items, run = w * e;
    struct deal d = {.n = n, .period = e % 2 ? 2 * run : run, .bytes = bytes};
    void *const other = malloc(n ? n * bytes : 1);
    cw_status status = CW_OK;

    d.from = (uint8_t *)malloc((size_t)2 * run);
    if (!other || !d.from)
        status = cw_fail(CW_ERR_MEMORY, "out of memory for %llu ranks", (unsigned long long)n);
    if (!status && (!cw_adversary_warp(w, e, (e + 1) / 2 * w, d.from) ||
                    !cw_adversary_warp(w, e, e / 2 * w, d.from + run)))
        status = cw_fail(CW_ERR_MEMORY, "out of memory for the order of a warp");
    if (!status)
        deal_out(&d, run, seed, rank, other);
    free(other);
    free(d.from);
    return status;
}
