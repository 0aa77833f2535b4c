/* runs.h - sorted runs, one behind the other, merged by kernels.
 *
 *      runs     |aaaaaaaa|bbbbbbbbbbb|cccccc|
 *      cuts       ^    ^    ^     ^    ^  ^       where the items of each tile of the result lie in each run
 *      gather   |aabbbc|aaabbc|aaabbbc|..         the parts of a tile, in the order of runs
 *      rows     |......|......|.......|           cw_sort_rows sorts every tile
 *
 * Tiles are equal shares of the result, so the cuts are exact on any input: the order is key, then
 * run, then place, which is also why equal keys keep the order of runs if rows are sorted stably.
 * First every 1024th item is looked up in all runs, which gives its place in the result.  Between two
 * such of each run lie the cuts of a tile; as many lanes of a warp as there are runs look for its
 * first item there by bisecting words: at most 64 steps, each a binary search in what a run has left
 * of its 1023.  Each item is read and written twice, however many runs there are; a sort of it all
 * takes more: docs/distributed.md.
 *
 * Idea: merging by exact splitting (Varman et al., JPDC 1991), with a sort of rows that never asks
 * a bank twice in the place of a merge of two, which does. */
#ifndef CW_DISTRIBUTED_SORT_RUNS_H
#define CW_DISTRIBUTED_SORT_RUNS_H

#include "distributed/local.h"

#define CW_RUNS 32u /* at most: the lanes of a warp */

/* For tests: not 0, so many items a tile. */
extern size_t cw_runs_tile;

struct cw_runs {
    struct cw_local_keys keys; /* n: of all runs; scratch: cw_runs_cuts_bytes() for the cuts */
    uint32_t runs;
    const uint64_t *lengths;
    void *keys_out;
    size_t value_bytes; /* 0, or 1, 2, 4 or 8 */
    const void *values;
    void *values_out;
    cw_type type;
    unsigned flags;
};

/* Can keys of this job be merged so?  Of 4 bytes or more that count as a whole, with at most one
 * payload. */
int cw_runs_fit(const cw_array *job, uint32_t runs);

/* Memory for the cuts of n items, and for the sort of rows; the latter may lie over the runs. */
size_t cw_runs_cuts_bytes(uint64_t n, uint32_t runs);
size_t cw_runs_rows_bytes(const cw_array *job, uint64_t n);

/* On the stream; outputs overlap neither the runs nor the scratch. */
cw_status cw_runs_merge(const struct cw_runs *r, void *workspace, size_t workspace_bytes);

#endif
