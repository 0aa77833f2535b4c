/* scan.h - counts of pieces become places: columns, starts, pieces, and the caller's offsets.
 *
 * All prefix sums are over few numbers, since there are only some pieces for each multiprocessor.
 *
 * Scans of histograms: Merrill and Grimshaw (2011).
 */
#ifndef CW_PARTITION_SCAN_H
#define CW_PARTITION_SCAN_H

#include "dev/kernel.h"
#include "partition/piece.h"
#include "prim/block_scan.h"

#define SCAN_AT     0u /* u64 a warp and lane, or a warp */
#define SCAN_SHARED (8u * SCAN_THREADS)
FITS(SCAN_SHARED);

/* The sum of a lane's digit over `pieces` pieces of `row`.  With `to`, each count is replaced by
 * the sum before it, from `sum` on. */
DEV uint64_t column_sum(uint64_t *row, uint32_t pieces, uint32_t width, uint64_t sum, int to)
{
    uint32_t c = 0;

    ROLL for (; c + 8u <= pieces; c += 8u)
    {
        uint64_t x[8];

        UNROLL for (uint32_t k = 0; k < 8u; k++) x[k] = gm_ld8(row + ((uint64_t)(c + k) << width));
        UNROLL for (uint32_t k = 0; k < 8u; k++)
        {
            if (to)
                gm_st8(row + ((uint64_t)(c + k) << width), sum);
            sum += x[k];
        }
    }
    ROLL for (; c < pieces; c++)
    {
        const uint64_t x = gm_ld8(row + ((uint64_t)c << width));

        if (to)
            gm_st8(row + ((uint64_t)c << width), sum);
        sum += x;
    }
    return sum;
}

/* A block has 32 digits of a range, a warp some of its pieces. */
KERNEL(cw_partition_scan, struct partition_job, SCAN_THREADS, 1)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t bins = 1u << arg->width;
    const uint32_t groups = (bins + 31u) / 32u;

    if (partition_stopped(arg))
        return;
    ROLL for (uint32_t g = BLOCK_ID; g < arg->ranges * groups; g += GRID_DIM)
    {
        const uint32_t range = g / groups;
        const uint32_t digit = g % groups * 32u + LANE_ID;
        const uint32_t first = first_piece(arg, range);
        const uint32_t pieces = first_piece(arg, range + 1u) - first;
        const uint32_t from = pieces / warps * WARP_ID + pieces % warps * WARP_ID / warps;
        const uint32_t to =
            pieces / warps * (WARP_ID + 1u) + pieces % warps * (WARP_ID + 1u) / warps;
        uint64_t *const row = arg->counts + ((uint64_t)(first + from) << arg->width) + digit;
        uint64_t sum = 0;
        uint64_t all = 0;

        if (digit < bins)
            sum = column_sum(row, to - from, arg->width, 0, 0);
        sh_st8(SCAN_AT + 8u * THREAD_ID, sum);
        block_sync();
        sum = 0;
        ROLL for (uint32_t w = 0; w < warps; w++)
        {
            const uint64_t x = sh_ld8(SCAN_AT + 8u * (32u * w + LANE_ID));

            sum += w < WARP_ID ? x : 0u;
            all += x;
        }
        if (digit < bins)
            (void)column_sum(row, to - from, arg->width, sum, 1);
        if (digit < bins && WARP_ID == 0)
            gm_st8(arg->totals + ((uint64_t)range << arg->width) + digit, all);
        block_sync();
    }
}

KERNEL(cw_partition_starts, struct partition_job, SCATTER_BINS, 1)
{
    if (partition_stopped(arg))
        return;
    ROLL for (uint32_t p = BLOCK_ID; p < arg->ranges; p += GRID_DIM)
    {
        const uint64_t start = arg->ranges == 1 ? 0u : gm_ld8(arg->starts + p);
        const uint64_t at = ((uint64_t)p << arg->width) + THREAD_ID;
        const uint32_t bins = 1u << arg->width;
        const uint64_t mine = THREAD_ID < bins ? gm_ld8(arg->totals + at) : 0u;
        uint64_t all;
        const uint64_t before = block_scan8(mine, &all, SCAN_AT);

        if (THREAD_ID < bins)
            gm_st8(arg->next + at, start + before);
    }
}

/* Where the pieces of a pass begin that has several ranges: a thread for each. */
KERNEL(cw_partition_pieces, struct partition_job, PARTITION_PLAIN, 1)
{
    const uint32_t step = GRID_DIM * BLOCK_DIM;

    if (partition_stopped(arg))
        return;
    ROLL for (uint32_t i = BLOCK_ID * BLOCK_DIM + THREAD_ID; i <= arg->pieces; i += step)
    {
        uint64_t at = arg->n;
        uint32_t to = arg->pieces;
        uint32_t range = 0;

        if (i < arg->chunks) {
            at = i * arg->chunk;
            range = parts_before(arg, at);
            to = i + range;
            range = range ? range - 1u : 0u;
        } else if (i < arg->pieces) {
            range = i - arg->chunks;
            at = gm_ld8(arg->starts + range);
            to = first_piece(arg, range);
        }
        gm_st8(arg->bounds + to, at);
        if (to < arg->pieces)
            gm_st4(arg->range + to, range);
    }
}

DEV uint64_t all_of_them(const struct partition_after *a)
{
    return a->total ? gm_ld8(a->total) : a->n;
}

DEV uint64_t start_of(const struct partition_after *a, uint32_t b)
{
    return gm_ld8(a->starts + ((uint64_t)b << a->finer));
}

/* Where buckets begin, for the caller; ~0 everywhere if there were bad labels. */
KERNEL(cw_partition_offsets, struct partition_after, PARTITION_PLAIN, 4)
{
    const uint32_t bad = gm_ld4(&arg->state->bad);
    const uint32_t buckets = arg->rule.buckets;

    if (bad && !arg->mark)
        return;
    ROLL for (uint32_t b = BLOCK_ID * BLOCK_DIM + THREAD_ID; b <= buckets;
              b += GRID_DIM * BLOCK_DIM)
    {
        const uint64_t start = b < buckets ? start_of(arg, b) : all_of_them(arg);

        gm_st8(arg->offsets + b, bad ? ~(uint64_t)0 : start);
    }
}

/* pad_to goes so many times into bucket b, or range of it. */
DEV uint64_t pads_of(const struct partition_after *a, uint32_t b)
{
    const uint64_t end = b + 1u < a->rule.buckets ? start_of(a, b + 1u) : all_of_them(a);

    return (end - start_of(a, b) + a->pad_to - 1u) / a->pad_to;
}

/* The same if every bucket were rounded up, by one block. */
KERNEL(cw_partition_padded, struct partition_after, SCAN_THREADS, 1)
{
    const uint32_t bad = gm_ld4(&arg->state->bad);
    const uint32_t buckets = arg->rule.buckets;
    const uint32_t each = buckets / BLOCK_DIM + 1u;
    const uint32_t from = THREAD_ID * each < buckets ? THREAD_ID * each : buckets;
    const uint32_t to = buckets - from < each ? buckets : from + each;
    uint64_t sum = 0;
    uint64_t all;

    if (bad && !arg->mark)
        return;
    UNROLL4 for (uint32_t b = from; b < to; b++) sum += bad ? 0u : pads_of(arg, b);
    sum = block_scan8(sum, &all, SCAN_AT);
    UNROLL4 for (uint32_t b = from; b < to; b++)
    {
        gm_st8(arg->padded + b, bad ? ~(uint64_t)0 : sum * arg->pad_to);
        sum += bad ? 0u : pads_of(arg, b);
    }
    if (THREAD_ID == 0)
        gm_st8(arg->padded + buckets, bad ? ~(uint64_t)0 : all * arg->pad_to);
}

#endif
