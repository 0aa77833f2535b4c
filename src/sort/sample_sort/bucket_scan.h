/* bucket_scan.h - where buckets begin: from the counts of a splitter in all tiles to the place of
 * its bucket in each.  No key is read here.
 *
 * Items that equal a splitter are divided so that the bucket begins at the rank that was wanted.
 * Those of the first tiles go before it.  So equal items keep their order, also across buckets,
 * and arrays of equal keys are cut evenly.
 *
 * No bank is asked twice: see prim/block_scan.h.
 */
#ifndef CW_SORT_SAMPLE_SORT_BUCKET_SCAN_H
#define CW_SORT_SAMPLE_SORT_BUCKET_SCAN_H

#include "prim/block_scan.h"
#include "sort/sample_sort/find.h"
#include "sort/sample_sort/job.h"

#define SETTLE_SHARED ((uint32_t)sizeof(struct settle_shared))

/* Shared memory: the sums of warps.  Each scan has its own. */
struct settle_shared {
    uint32_t less[32], equal[32], before[32], position[32];
};
FITS(sizeof(struct settle_shared));

/* Add up the block's counts: how many items are less, how many are equal. */
DEV void settle_totals(const uint32_t *raw, uint32_t tiles, uint32_t *less, uint32_t *equal)
{
    uint32_t x[2] = {0, 0};

    UNROLL4 for (uint32_t i = THREAD_ID; i < tiles; i += BLOCK_DIM)
    {
        const uint32_t c = gm_ld4(raw + i);

        x[0] += c & 0xffffu;
        x[1] += c >> 16;
    }
    *less = block_scan_items(&x[0], 1, 0, SHARED_AT(settle_shared, less));
    *equal = block_scan_items(&x[1], 1, 0, SHARED_AT(settle_shared, equal));
}

DEV void put_guide(const struct sample_sort_job *a, uint32_t g, uint32_t cells, uint32_t windows,
                   uint64_t start, uint64_t items, uint32_t tiles, int last)
{
    const vec16 x = {cells, windows, (uint32_t)start, (uint32_t)items};
    const vec16 y = {tiles, (uint32_t)last, 0u, 0u};

    gm_st16(a->guides + (uint64_t)g * SAMPLE_GUIDE, x);
    gm_st16(a->guides + (uint64_t)g * SAMPLE_GUIDE + 16u, y);
}

/* Settle one bucket a block. */
DEV void sample_sort_settle(const struct sample_sort_job *a)
{
    const uint32_t segments = gm_ld4(a->at.count);
    const uint32_t g = BLOCK_ID;

    if (g < gm_ld4(a->at.buckets + segments)) {
        const uint32_t s = find_last(a->at.buckets, segments, g);
        const uint32_t first = gm_ld4(a->at.buckets + s);
        const uint32_t buckets = gm_ld4(a->at.buckets + s + 1) - first;
        const uint32_t tiles = gm_ld4(a->at.tiles + s + 1) - gm_ld4(a->at.tiles + s);
        const uint32_t windows = (tiles + 31u) / 32u;
        const uint64_t row = gm_ld4(a->at.cells + s) + (uint64_t)(g - first) * tiles;
        const uint64_t start = gm_ld8(a->at.start + s);
        const uint64_t items = gm_ld8(a->at.start + s + 1) - start;
        const uint32_t rank = (uint32_t)(items * (g - first) / buckets);
        const uint32_t window = gm_ld4(a->at.windows + s) + (g - first) * windows;
        uint32_t *const sums = a->sums + window;
        uint32_t less = 0, equal = 0, want, given = 0, sum = 0;

        settle_totals(a->raw + row, tiles, &less, &equal);
        want = rank > less ? rank - less : 0u;
        want = want < equal ? want : equal;
        if (THREAD_ID == 0) {
            gm_st8(a->next.start + g, start + less + want);
            put_guide(a, g, (uint32_t)row, window, start, items, tiles, g + 1u == first + buckets);
        }
        ROLL for (uint32_t from = 0; from < tiles; from += BLOCK_DIM)
        {
            const uint32_t i = from + THREAD_ID;
            const uint32_t c = i < tiles ? gm_ld4(a->raw + row + i) : 0u;
            uint32_t before = c >> 16, position, sum_before, all;

            all = block_scan_items(&before, 1, 0, SHARED_AT(settle_shared, before));
            before += given;
            given += all;
            position = want > before ? want - before : 0u;
            position = (c & 0xffffu) + (position < c >> 16 ? position : c >> 16);
            sum_before = position;
            all = block_scan_items(&sum_before, 1, 0, SHARED_AT(settle_shared, position));
            if (i < tiles)
                gm_st2(a->cuts + row + i, position);
            if (i < tiles && i % 32u == 0)
                gm_st4(sums + i / 32u, sum + sum_before);
            sum += all;
            block_sync();
        }
    }
}

#endif
