/* grid_compare_levels.h - how often an array is cut, and what bounds there are for everything.
 *
 * Tiles are sorted; then follow up to three cuts.  Each but the last makes buckets that are cut into
 * tiles again and sorted; the last makes buckets that one block sorts.  Whatever the keys are, a
 * bucket is at most its target, (P - 1)(q - 1) and 2 q longer, in a segment of P tiles with samples of
 * every q-th item (grid_compare_cut.h).  So
 *
 *      the last level's buckets    fit in the longest tile;
 *      a segment's samples         fit in a row of cw_sort_rows, but for the first level, where
 *                                  they are an array to be sorted in this very way;
 *      cells                       are no more than the table says
 *
 * decide how many cuts there are and how many samples.
 */
#ifndef CW_GRID_COMPARE_LEVELS_H
#define CW_GRID_COMPARE_LEVELS_H

#include "kernels/grid_compare_plan.h"

#define COMPARE_CUTS 3

struct compare_bounds {
    uint64_t longest; /* segment of the level */
    uint32_t room;    /* segments */
    uint32_t target, every;
};

struct compare_cuts {
    int count;
    struct compare_bounds level[COMPARE_CUTS + 1]; /* the one past the last: what it makes */
};

void cw_compare_cuts(const struct compare_table *t, uint64_t n, struct compare_cuts *c);

/* Bounds on what a level has. */
uint64_t cw_compare_tiles(const struct compare_table *t, const struct compare_cuts *c, int l,
                          uint64_t n);
uint64_t cw_compare_cells(const struct compare_table *t, const struct compare_cuts *c, int l,
                          uint64_t n);
uint64_t cw_compare_windows(const struct compare_table *t, const struct compare_cuts *c, int l);
uint64_t cw_compare_units(const struct compare_table *t, const struct compare_cuts *c, int l);
uint64_t cw_compare_samples(const struct compare_table *t, const struct compare_cuts *c, int l,
                            uint64_t n);

#endif
