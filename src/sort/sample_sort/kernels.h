/* kernels.h - the comparison sort's kernels for one kind of item, and their table.
 *
 * A source defines SAMPLE_TYPE, SAMPLE_KEY_TYPE (the engine of its keys alone, whose samples and
 * cuts it shares), KEY_LOG and SAMPLE_REST, and includes this. */
#include "dev/kernel.h"
#include "tuning/sort_sample.h"
#include "sort/sample_sort/table.h"
#include "sort/sample_sort/tile_sort.h"
#include "sort/sample_sort/tile_merge.h"
#include "sort/sample_sort/splitter_ranks.h"
#include "sort/sample_sort/bucket_scan.h"

#define SAMPLE_THREADS_A (1 << (SAMPLE_LOG_A - SAMPLE_LOG_K))
#define SAMPLE_THREADS_B (1 << (SAMPLE_LOG_B - SAMPLE_LOG_K))
FITS(SAMPLE_SHARED(SAMPLE_THREADS_A));
FITS(SAMPLE_SHARED(SAMPLE_THREADS_B));

KERNEL(SAMPLE_NAME(tiles), struct sample_sort_job, SAMPLE_THREADS_A, SAMPLE_BLOCKS_A)
{
    sample_sort_first(arg, SAMPLE_LOG_A, 1, SAMPLE_MADS, 0);
}

KERNEL(SAMPLE_NAME(short_tiles), struct sample_sort_job, SAMPLE_THREADS_B, SAMPLE_BLOCKS_B)
{
    sample_sort_first(arg, SAMPLE_LOG_B, 1, SAMPLE_MADS, 1);
}

KERNEL(SAMPLE_NAME(short_merge), struct sample_sort_job, SAMPLE_THREADS_B, SAMPLE_BLOCKS_B / 2)
{
    sample_sort_merge(arg, SAMPLE_LOG_B, 1, SAMPLE_MADS);
}

KERNEL(SAMPLE_NAME(coarse), struct sample_sort_job, SAMPLE_THREADS_A, SAMPLE_BLOCKS_A)
{
    sample_sort_coarse(arg, SAMPLE_LOG_A, 1, SAMPLE_MADS);
}

KERNEL(SAMPLE_NAME(fine), struct sample_sort_job, SAMPLE_THREADS_B, SAMPLE_BLOCKS_B)
{
    sample_sort_fine(arg, SAMPLE_LOG_B, 1, SAMPLE_MADS);
}

KERNEL(SAMPLE_NAME(long), struct sample_sort_job, SAMPLE_THREADS_A, SAMPLE_BLOCKS_A)
{
    sample_sort_long(arg, SAMPLE_LOG_A, 1, SAMPLE_MADS);
}

#if !SAMPLE_REST
KERNEL(SAMPLE_NAME(sample), struct sample_sort_job, CUT_THREADS, 8)
{
    sample_sort_sample(arg);
}

KERNEL(SAMPLE_NAME(splitter_ranks), struct sample_sort_job, CUT_THREADS, 6)
{
    sample_sort_cut(arg);
}

#if KEY_LOG == 2
KERNEL(cw_sample_sort_layout, struct sample_sort_job, LAYOUT_THREADS, 1)
{
    sample_sort_layout(arg);
}

KERNEL(cw_sample_sort_bucket_scan, struct sample_sort_job, 1024, 2)
{
    sample_sort_settle(arg);
}
#endif
#endif

#if !defined(__CUDACC__) /* the emulator's wrappers know the sizes of all */
void SHAPES_TABLE(SAMPLE_NAME(table))(struct sample_sort_table *t)
{
    t->part_bytes = 1u << PART_LOG;
    t->log_a = SAMPLE_LOG_A;
    t->log_b = SAMPLE_LOG_B;
    t->target = SAMPLE_TARGET;
    t->coarse = SAMPLE_COARSE;
    t->fan = SAMPLE_FAN;
    t->wide = SAMPLE_WIDE;
    t->every = SAMPLE_EVERY;
    t->row = SAMPLE_ROW;
    t->tiles = SAMPLE_TILES;
    t->parts = SAMPLE_PARTS;
    t->cells = SAMPLE_CELLS;
    t->most = SAMPLE_MOST;
    t->rest = SAMPLE_REST;
    t->log_k = SAMPLE_LOG_K;
    t->threads_a = SAMPLE_THREADS_A;
    t->threads_b = SAMPLE_THREADS_B;
    t->shared_a = SAMPLE_SHARED(SAMPLE_THREADS_A);
    t->shared_b = SAMPLE_SHARED(SAMPLE_THREADS_B);
    t->blocks_a = SAMPLE_BLOCKS_A;
    t->first = SAMPLE_ENUM(tiles);
    t->short_first = SAMPLE_ENUM(short_tiles);
    t->short_merge = SAMPLE_ENUM(short_merge);
    t->coarse_kernel = SAMPLE_ENUM(coarse);
    t->fine = SAMPLE_ENUM(fine);
    t->longer = SAMPLE_ENUM(long);
    t->sample = SAMPLE_KEYS(sample);
    t->cut = SAMPLE_KEYS(splitter_ranks);
    t->cut_threads = CUT_THREADS;
    t->cut_shared = CUT_SHARED;
    t->layout_threads = LAYOUT_THREADS;
    t->layout_shared = LAYOUT_SHARED;
    t->settle_shared = SETTLE_SHARED;
}
#endif
