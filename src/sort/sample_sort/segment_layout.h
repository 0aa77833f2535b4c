/* segment_layout.h - where the tiles, samples, buckets, .. of each segment begin: sums over the
 * segments.  No key is read here.
 *
 * The array itself is one segment.  The host knows what it has.  The kernel that sorts short tiles
 * writes that down; with longer tiles, which leave no register free, it is a launch of its own.
 *
 * No bank is asked twice: see prim/block_scan.h.
 */
#ifndef CW_SORT_SAMPLE_SORT_SEGMENT_LAYOUT_H
#define CW_SORT_SAMPLE_SORT_SEGMENT_LAYOUT_H

#include "prim/block_scan.h"
#include "sort/sample_sort/job.h"

#define LAYOUT_THREADS 256u
#define LAYOUT_SUMS    6
#define LAYOUT_SHARED  ((uint32_t)sizeof(struct layout_shared))

/* Shared memory: the sums of warps.  Each scan has its own. */
struct layout_shared {
    uint32_t sums[LAYOUT_SUMS][32];
};
FITS(sizeof(struct layout_shared));

/* Count what segment s has of everything. */
DEV void segments_layout(uint32_t *x, const struct sample_sort_job *a, uint64_t items)
{
    const uint32_t tiles = (uint32_t)((items + (1u << a->log_tile) - 1u) >> a->log_tile);
    const uint32_t whole = (uint32_t)(items >> a->log_tile);
    const uint32_t left = (uint32_t)(items - ((uint64_t)whole << a->log_tile));
    const uint32_t buckets = (uint32_t)((items + a->at.target - 1u) / a->at.target);

    x[0] = tiles;
    x[1] = whole * ((1u << a->log_tile) / a->at.every) + left / a->at.every;
    x[2] = buckets;
    x[3] = (tiles + a->at.span - 1u) / a->at.span * ((buckets + 31u) / 32u);
    x[4] = tiles * buckets;
    x[5] = (tiles + 31u) / 32u * buckets;
}

DEV void layout_put(const struct sample_sort_pass *l, uint32_t s, const uint32_t *x,
                    uint32_t samples)
{
    gm_st4(l->tiles + s, x[0]);
    gm_st8(l->samples + s, (uint64_t)x[1]);
    gm_st8(l->rows + 2u * s, (uint64_t)x[1]);
    gm_st8(l->rows + 2u * s + 1u, (uint64_t)x[1] + (samples < l->row ? samples : l->row));
    gm_st4(l->buckets + s, x[2]);
    gm_st4(l->units + s, x[3]);
    gm_st4(l->cells + s, x[4]);
    gm_st4(l->windows + s, x[5]);
}

/* Lay out the array, by one thread.  No bucket is on the list yet. */
DEV void whole_layout(const struct sample_sort_job *a)
{
    const struct sample_sort_sums *const w = &a->whole;
    const uint32_t none[LAYOUT_SUMS] = {0};
    const uint32_t all[LAYOUT_SUMS] = {w->tiles, w->samples, w->buckets,
                                       w->units, w->cells,   w->windows};

    layout_put(&a->at, 0u, none, w->samples);
    layout_put(&a->at, 1u, all, 0u);
    gm_st8(a->at.start, 0ull);
    gm_st8(a->at.start + 1, a->n);
    gm_st4(a->at.count, 1u);
    gm_st4(a->next.count, w->buckets);
    gm_st8(a->next.start + w->buckets, a->n);
    gm_st4(a->list_count, 0u);
}

/* Lay out the segments of a pass, by one block. */
DEV void pass_layout(const struct sample_sort_job *a)
{
    const uint32_t count = gm_ld4(a->at.count);
    uint32_t sum[LAYOUT_SUMS] = {0};

    ROLL for (uint32_t from = 0; from <= a->at.room; from += LAYOUT_THREADS)
    {
        const uint32_t s = from + THREAD_ID;
        uint32_t x[LAYOUT_SUMS] = {0};
        uint32_t samples;

        if (s < count)
            segments_layout(x, a, gm_ld8(a->at.start + s + 1) - gm_ld8(a->at.start + s));
        samples = x[1];
        UNROLL for (int i = 0; i < LAYOUT_SUMS; i++)
        {
            const uint32_t all =
                block_scan_items(&x[i], 1, 0, SHARED_AT(layout_shared, sums[1]) * (uint32_t)i);

            x[i] += sum[i];
            sum[i] += all;
        }
        if (s <= a->at.room)
            layout_put(&a->at, s, x, samples);
        block_sync();
    }
    if (THREAD_ID == 0) {
        gm_st4(a->next.count, sum[2]);
        gm_st8(a->next.start + sum[2], a->n);
    }
}

/* Lay out the segments of a pass, or the array, by one block. */
DEV void sample_sort_layout(const struct sample_sort_job *a)
{
    if (!a->whole.tiles)
        pass_layout(a);
    else if (THREAD_ID == 0)
        whole_layout(a);
}

#endif
