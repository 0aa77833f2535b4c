/* passes.h - how often an array is cut, and bounds on the number of everything.
 *
 * Tiles are sorted.  Then follow up to three cuts.  Each cut but the last makes buckets that are
 * cut into tiles again and sorted.  The last one makes buckets that one block sorts.  In a segment
 * of P tiles with samples of every q-th item, a bucket is at most its target + (P - 1)(q - 1) + 2 q
 * long, whatever the keys are (sample_sort/splitter_ranks.h).  Three conditions decide how many
 * cuts there are, and how many samples:
 *
 *      the last pass's buckets     fit in the longest tile
 *      a segment's samples         fit in a row of cw_sort_rows; those of the first pass are an
 *                                  array, which is sorted in this very way
 *      cells                       are no more than the table says
 *
 * Short arrays have short tiles, so that more multiprocessors have some.  A few tiles are merged,
 * two runs of them at a time.  More are cut once, into buckets for so few items that the longest
 * one fits in a short tile, too: no bucket is ever too long for the kernel that expects it.
 */
#ifndef CW_SORT_SAMPLE_SORT_PASSES_H
#define CW_SORT_SAMPLE_SORT_PASSES_H

#include "sort/sample_sort/plan.h"

#define SAMPLE_CUTS 3

struct sample_sort_bounds {
    uint64_t longest; /* segment of the pass */
    uint32_t room;    /* segments */
    uint32_t target, every;
};

struct sample_sort_cuts {
    int count;
    int brief;                                       /* tiles are short */
    int merges;                                      /* levels of them, where there is no cut */
    uint32_t log_tile;                               /* items of a tile */
    struct sample_sort_bounds pass[SAMPLE_CUTS + 1]; /* the one past the last: what it makes */
};

void cw_sample_sort_cuts(const struct sample_sort_table *t, uint64_t n, struct sample_sort_cuts *c);

/* Bounds on what a pass has. */
uint64_t cw_sample_sort_tiles(const struct sample_sort_cuts *c, int l, uint64_t n);
uint64_t cw_sample_sort_cells(const struct sample_sort_cuts *c, int l, uint64_t n);
uint64_t cw_sample_sort_windows(const struct sample_sort_cuts *c, int l);
uint32_t cw_sample_sort_span(const struct sample_sort_cuts *c, int l); /* tiles of a unit */
uint64_t cw_sample_sort_units(const struct sample_sort_cuts *c, int l);
uint64_t cw_sample_sort_samples(const struct sample_sort_cuts *c, int l, uint64_t n);

#endif
