/* stable_one.h - a stable partition of a short array in one launch, as for tokens that are routed
 * to experts.
 *
 * All blocks run at once (a cooperative launch).  Each holds a slice of the array in registers.  It
 * ranks the slice, publishes how many items of each bucket it has, and reads what all others have
 * published (prim/grid_counts.h).  Then it knows where buckets begin, rounded up or not, which
 * block is of which bucket, and where its own items go.  Reading counts is the only barrier.
 *
 * Labels out of range are in no count.  If fewer items were counted than there are, every block
 * sees it, and none moves anything.
 *
 * After Merrill and Grimshaw (2011); that counts are their own flags is from look-back (Merrill and
 * Garland 2016).  Time, H200: docs/partition.md.
 */
#ifndef CW_PARTITION_STABLE_ONE_H
#define CW_PARTITION_STABLE_ONE_H

#include "partition/stable_tile.h"

#define COUNTS_JOB           struct stable_job
#define COUNTS_ROW           (uint64_t)(TILE_BUCKETS / 2u)
#define COUNTS_ROWS(a, pass) (a)->slices
#define COUNTS_MINE(a, pass) ((a)->slices + (uint64_t)BLOCK_ID * COUNTS_ROW)
#include "prim/grid_counts.h"

#define ONE_KEPT TILE_MORE(2) /* items that go somewhere */

/* Of bucket THREAD_ID: items in slices before this one, and in all. */
DEV void one_totals(const struct stable_job *a, uint32_t own, uint32_t *before, uint32_t *total)
{
    uint32_t x[8], rest[8];

    *before = 0;
    *total = own;
    if (GRID_DIM == 1u)
        return;
    counts_read(a, 0, x, rest);
    block_sync(); /* the exchange is done with the counters */
    *before = counts_sum(x);
    block_sync();
    *total = *before + counts_sum(rest);
}

/* The bucket of each block of pad_to places.  Starts of buckets, in blocks, stand at
 * TILE_COUNTS. */
DEV void one_blocks(const struct stable_job *a, uint32_t all)
{
    const uint64_t step = (uint64_t)GRID_DIM * TILE_THREADS;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * TILE_THREADS + THREAD_ID; i < a->block_count;
              i += step)
    {
        uint32_t b = 0;

        UNROLL for (uint32_t by = TILE_BUCKETS / 2u; by; by /= 2u)
        {
            const uint32_t start = sh_ld4(TILE_COUNTS + 4u * (b + by));

            b = start <= i ? b + by : b;
        }
        gm_st4(a->blocks + i, i < all ? b : ~0u);
    }
}

/* Offsets, rounded up or not, and blocks.  Barriers inside. */
DEV void one_tell(const struct stable_job *a, uint32_t first, uint32_t total, uint32_t kept,
                  uint32_t bad)
{
    const uint32_t buckets = a->rule.buckets, b = THREAD_ID;
    const uint64_t none = ~(uint64_t)0;

    if (BLOCK_ID == 0 && a->offsets) {
        if (b < buckets)
            gm_st8(a->offsets + b, bad ? none : first);
        if (b == 0)
            gm_st8(a->offsets + buckets, bad ? none : kept);
    }
    if (a->padded || a->blocks) {
        const uint32_t pads =
            b < buckets && !bad ? (uint32_t)((total + a->pad_to - 1u) / a->pad_to) : 0u;
        uint32_t before, all;

        before = tile_scan(pads);
        if (b < TILE_BUCKETS)
            sh_st4(TILE_COUNTS + 4u * b, before);
        if (b == TILE_BUCKETS - 1u)
            sh_st4(STABLE_TICKET, before + pads);
        block_sync();
        all = sh_ld4(STABLE_TICKET);
        if (a->padded && BLOCK_ID == 0) {
            if (b < buckets)
                gm_st8(a->padded + b, bad ? none : before * a->pad_to);
            if (b == 0)
                gm_st8(a->padded + buckets, bad ? none : all * a->pad_to);
        }
        if (a->blocks)
            one_blocks(a, all);
    }
}

DEV void stable_one(const struct stable_job *a)
{
    const uint32_t n = (uint32_t)stable_count(a), lanes = TILE_THREADS * GRID_DIM;
    const uint32_t rounds = (n + lanes - 1u) / lanes, slice = rounds * TILE_THREADS;
    const uint32_t from = BLOCK_ID * slice < n ? BLOCK_ID * slice : n;
    const uint32_t count = n - from < slice ? n - from : slice;
    uint32_t digits[TILE_ITEMS / DIGIT_PACK];
    uint32_t own = 0, before, total, start, first, kept, bad;
    struct stable_tile s;

    stable_load_cuts(&a->rule, STABLE_CUTS);
    tile_load(&s.t, a->keys, from, count, rounds, a->key_bytes, 0);
    stable_digits(a, &s, count, rounds, 0);
    stable_rank(&s, rounds, 0);
    block_sync();
    if (THREAD_ID < TILE_BUCKETS) {
        own = tile_column();
        if (GRID_DIM > 1u)
            counts_publish(a, 0, own);
    }
    start = tile_scan(own);
    if (THREAD_ID < TILE_BUCKETS)
        tile_starts(start);
    if (THREAD_ID == TILE_BUCKETS - 1u)
        sh_st4(STABLE_LIVE, start + own);
    block_sync();
    stable_exchange(&s, rounds, 0);
    one_totals(a, own, &before, &total);
    first = tile_scan(total);
    if (THREAD_ID < TILE_BUCKETS)
        sh_st8(TILE_DELTA + 8u * THREAD_ID, (uint64_t)first + before - start);
    if (THREAD_ID == TILE_BUCKETS - 1u)
        sh_st4(ONE_KEPT, first + total);
    block_sync();
    kept = sh_ld4(ONE_KEPT);
    bad = a->drop ? 0u : n - kept;
    if (BLOCK_ID == 0 && THREAD_ID == 0) {
        gm_st4(&a->state->bad, bad);
        gm_st8(a->total, (uint64_t)n);
        gm_st8(a->total + 1, (uint64_t)kept);
    }
    if (!bad || a->mark)
        one_tell(a, first, total, kept, bad);
    if (bad)
        return;
    stable_keys(a, digits, sh_ld4(STABLE_LIVE), rounds, 0);
    stable_index(a, &s, digits, from, count, sh_ld4(STABLE_LIVE), rounds, 0);
}

#endif
