/* count.h - the stable partition: one reading of the keys counts the digits of all passes;
 * then, where buckets begin.
 *
 *      count     digits of both passes; labels out of range
 *      begin     counts become places; if there is one pass, the caller's offsets too
 *      find      if there are two passes: where buckets begin, found in the keys when they are in
 *                order
 *      blocks    the bucket of each block of pad_to places
 *
 * One reading for the digits of all passes: Adinets and Merrill (Onesweep, 2022).
 */
#ifndef CW_PARTITION_STABLE_COUNT_H
#define CW_PARTITION_STABLE_COUNT_H

#include "partition/stable/rule.h"
#include "prim/block_scan.h"
#include "prim/counters.h"

#define STABLE_COUNT_AT(pass, digit) \
    (SHARED_AT(stable_count_shared, counts) + 4u * (STABLE_BUCKETS * (pass) + (digit)))
#define STABLE_COUNT_CUTS SHARED_AT(stable_count_shared, cuts)

DEV key stable_load(const struct stable_job *a, uint64_t i, uint32_t bytes)
{
#if KEY_LOG == 3
    (void)bytes;
    return gm_ld8((const uint64_t *)a->keys + i);
#else
    return bytes == 4u   ? gm_ld4((const uint32_t *)a->keys + i)
           : bytes == 2u ? gm_ld2((const uint16_t *)a->keys + i)
                         : gm_ld1((const uint8_t *)a->keys + i);
#endif
}

DEV void stable_count_one(const struct stable_job *a, key x, uint32_t *bad, int plain)
{
    const uint32_t b = plain ? (uint32_t)(x >> a->rule.first) & a->rule.mask
                             : stable_bucket(&a->rule, x, STABLE_COUNT_CUTS);

    if (x > a->rule.most) {
        *bad += 1u;
        return;
    }
    sh_inc4(STABLE_COUNT_AT(0u, b & ((1u << a->width[0]) - 1u)));
    if (a->passes > 1u)
        sh_inc4(STABLE_COUNT_AT(1u, b >> a->width[0]));
}

/* `bytes` and `plain` are constants. */
DEV void stable_count_range(const struct stable_job *a, uint32_t *bad, uint32_t bytes, int plain)
{
    const uint64_t tile = STABLE_COUNT_THREADS * STABLE_COUNT_ITEMS;
    const uint64_t n = stable_count(a);

    ROLL for (uint64_t from = BLOCK_ID * tile; from < n; from += GRID_DIM * tile)
    {
        if (n - from >= tile) {
            key x[STABLE_COUNT_ITEMS];

            UNROLL for (uint32_t i = 0; i < STABLE_COUNT_ITEMS; i++) x[i] =
                stable_load(a, from + i * STABLE_COUNT_THREADS + THREAD_ID, bytes);
            UNROLL for (uint32_t i = 0; i < STABLE_COUNT_ITEMS; i++)
                stable_count_one(a, x[i], bad, plain);
        } else {
            ROLL for (uint64_t i = from + THREAD_ID; i < n; i += STABLE_COUNT_THREADS)
                stable_count_one(a, stable_load(a, i, bytes), bad, plain);
        }
    }
}

DEV void stable_count_digits(const struct stable_job *a)
{
    uint32_t bad = 0;

    counters_clear(STABLE_COUNT_AT(0u, 0u), STABLE_BUCKETS * STABLE_PASSES, STABLE_COUNT_THREADS);
    block_sync();
    stable_load_cuts(&a->rule, STABLE_COUNT_CUTS);
    if (!a->rule.plain)
        stable_count_range(a, &bad, a->key_bytes, 0);
#if KEY_LOG == 3
    else
        stable_count_range(a, &bad, 8u, 1);
#else
    else if (a->key_bytes == 4u)
        stable_count_range(a, &bad, 4u, 1);
    else if (a->key_bytes == 2u)
        stable_count_range(a, &bad, 2u, 1);
    else
        stable_count_range(a, &bad, 1u, 1);
#endif
    if (bad && !a->drop)
        counter_add_most(&a->state->bad, bad);
    block_sync();
    counters_add(&a->counts->digit[0][0], STABLE_COUNT_AT(0u, 0u), STABLE_BUCKETS * STABLE_PASSES,
                 STABLE_COUNT_THREADS);
}

/* ---- where buckets begin, by one block, a thread a bucket ------------------------------------ */

/* Write the caller's arrays for bucket b = THREAD_ID, which has `mine` items from `start` on.  All
 * threads come here. */
DEV void stable_tell(const struct stable_job *a, uint64_t start, uint64_t mine, uint64_t kept,
                     uint32_t bad)
{
    const uint32_t b = THREAD_ID, buckets = a->rule.buckets;
    const uint64_t none = ~(uint64_t)0;

    if (bad && !a->mark)
        return;
    if (a->offsets && b < buckets)
        gm_st8(a->offsets + b, bad ? none : start);
    if (a->offsets && b == 0)
        gm_st8(a->offsets + buckets, bad ? none : kept);
    if (a->padded) {
        const uint64_t pads = b < buckets ? (mine + a->pad_to - 1u) / a->pad_to : 0u;
        uint64_t all;
        const uint64_t before = block_scan8(pads, &all, 0);

        if (b < buckets)
            gm_st8(a->padded + b, bad ? none : before * a->pad_to);
        if (b == 0)
            gm_st8(a->padded + buckets, bad ? none : all * a->pad_to);
    }
}

DEV void stable_begin(const struct stable_job *a)
{
    const uint32_t bad = gm_ld4(&a->state->bad);
    uint64_t kept = 0;

    ROLL for (uint32_t p = 0; p < a->passes; p++)
    {
        const uint64_t mine = gm_ld8(&a->counts->digit[p][THREAD_ID]);
        const uint64_t start = block_scan8(mine, &kept, 0);

        gm_st8(a->base + 2u * STABLE_BUCKETS * p + THREAD_ID, start);
        if (a->passes == 1u)
            stable_tell(a, start, mine, kept, bad);
    }
    if (THREAD_ID == 0) {
        gm_st8(a->total, stable_count(a));
        gm_st8(a->total + 1, kept);
    }
}

#if KEY_LOG == 3
#define FIND_WAYS 4u /* parts of what is left that a step of the search tells apart */

/* How many of the keys, which stand in the order of their buckets, are of buckets below b.  A step
 * asks for three keys at once: it takes as long as one. */
DEV uint64_t stable_below(const struct stable_job *a, uint32_t b, uint64_t kept)
{
    uint64_t low = 0;
    uint64_t left = kept;

    ROLL while (left)
    {
        const uint64_t part = left / FIND_WAYS;
        uint64_t x[FIND_WAYS - 1u];
        uint32_t less = 0;

        UNROLL for (uint32_t k = 0; k < FIND_WAYS - 1u; k++) x[k] =
            load_bits(a->keys, low + (k + 1u) * part, a->key_bytes);
        UNROLL for (uint32_t k = 0; k < FIND_WAYS - 1u; k++) less +=
            stable_bucket(&a->rule, x[k], STABLE_COUNT_CUTS) < b ? 1u : 0u;
        /* Those up to number `less` are below, the next one is not. */
        low += less ? less * part + 1u : 0u;
        left = less == FIND_WAYS - 1u ? left - less * part - 1u : less ? part - 1u : part;
    }
    return low;
}

DEV void stable_find(const struct stable_job *a)
{
    const uint32_t bad = gm_ld4(&a->state->bad), buckets = a->rule.buckets;
    const uint64_t kept = gm_ld8(a->total + 1);

    if (bad && !a->mark)
        return;
    ROLL for (uint32_t b = BLOCK_ID * BLOCK_DIM + THREAD_ID; b <= buckets;
              b += GRID_DIM * BLOCK_DIM)
    {
        const uint64_t x = bad ? ~(uint64_t)0 : b < buckets ? stable_below(a, b, kept) : kept;

        if (b < buckets)
            gm_st8(a->starts + b, x);
        if (a->offsets)
            gm_st8(a->offsets + b, x);
    }
}

/* The bucket of each block of pad_to places; ~0 behind the last.  A job of 0 items has neither
 * state nor buckets. */
DEV void stable_blocks(const struct stable_job *a)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    const uint32_t bad = a->state ? gm_ld4(&a->state->bad) : 0u;

    if (bad && !a->mark)
        return;
    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < a->block_count;
              i += step)
    {
        const uint64_t at = i * a->pad_to;
        uint32_t low = 0, high = a->rule.buckets;

        ROLL while (low < high) /* the first bucket that ends behind it */
        {
            const uint32_t mid = (low + high) / 2u;

            if (gm_ld8(a->padded + mid + 1u) <= at)
                low = mid + 1u;
            else
                high = mid;
        }
        gm_st4(a->blocks + i, bad || low == a->rule.buckets ? ~0u : low);
    }
}
#endif

#endif
