/* grid_compare_kernels.h - the comparison sort's kernels for one kind of item, and their table.
 *
 * A source defines COMPARE_TYPE, COMPARE_KEY_TYPE (the engine of its keys alone, whose samples and
 * cuts it shares), KEY_LOG and COMPARE_REST, and includes this. */
#include "dev/kernel.h"
#include "kernels/grid_compare_shapes.h"
#include "kernels/grid_compare_sizes.h"
#include "kernels/grid_compare_tile.h"
#include "kernels/grid_compare_cut.h"
#include "kernels/grid_compare_settle.h"

#define COMPARE_THREADS_A (1 << (COMPARE_LOG_A - COMPARE_LOG_K))
#define COMPARE_THREADS_B (1 << (COMPARE_LOG_B - COMPARE_LOG_K))

KERNEL(COMPARE_NAME(first), struct compare_job, COMPARE_THREADS_A, COMPARE_BLOCKS_A)
{
    compare_first(arg, COMPARE_LOG_A, 1, COMPARE_MADS);
}

KERNEL(COMPARE_NAME(coarse), struct compare_job, COMPARE_THREADS_A, COMPARE_BLOCKS_A)
{
    compare_coarse(arg, COMPARE_LOG_A, 1, COMPARE_MADS);
}

KERNEL(COMPARE_NAME(fine), struct compare_job, COMPARE_THREADS_B, COMPARE_BLOCKS_B)
{
    compare_fine(arg, COMPARE_LOG_B, 1, COMPARE_MADS);
}

KERNEL(COMPARE_NAME(long), struct compare_job, COMPARE_THREADS_A, COMPARE_BLOCKS_A)
{
    compare_long(arg, COMPARE_LOG_A, 1, COMPARE_MADS);
}

#if !COMPARE_REST
KERNEL(COMPARE_NAME(sample), struct compare_job, CUT_THREADS, 8)
{
    compare_sample(arg);
}

KERNEL(COMPARE_NAME(cut), struct compare_job, CUT_THREADS, 6)
{
    compare_cut(arg);
}

#if KEY_LOG == 2
KERNEL(cw_compare_layout, struct compare_job, LAYOUT_THREADS, 1)
{
    compare_layout(arg);
}

KERNEL(cw_compare_settle, struct compare_job, 1024, 2)
{
    compare_settle(arg);
}
#endif
#endif

#if defined(__CUDACC__)
extern "C" void COMPARE_NAME(cuda)(struct compare_table *t)
#else
void COMPARE_NAME(small)(struct compare_table *t)
#endif
{
    compare_sizes(t);
    t->rest = COMPARE_REST;
    t->log_k = COMPARE_LOG_K;
    t->threads_a = COMPARE_THREADS_A;
    t->threads_b = COMPARE_THREADS_B;
    t->shared_a = COMPARE_SHARED(COMPARE_THREADS_A);
    t->shared_b = COMPARE_SHARED(COMPARE_THREADS_B);
    t->blocks_a = COMPARE_BLOCKS_A;
    t->first = COMPARE_ENUM(first);
    t->coarse_kernel = COMPARE_ENUM(coarse);
    t->fine = COMPARE_ENUM(fine);
    t->longer = COMPARE_ENUM(long);
    t->sample = COMPARE_KEYS(sample);
    t->cut = COMPARE_KEYS(cut);
    t->cut_threads = CUT_THREADS;
    t->cut_shared = CUT_SHARED;
    t->layout_threads = LAYOUT_THREADS;
    t->layout_shared = LAYOUT_SHARED;
    t->settle_shared = SETTLE_SHARED;
}
