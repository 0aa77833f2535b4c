/* split_wide_kernels.h - the kernels of a partition that move wide tiles, and their part of the table. */
#define SPLIT_WIDE_TILES
#include "kernels/split_shapes.h"
#include "dev/kernel.h"
#include "kernels/split_table.h"
#include "kernels/split_turns.h"

KERNEL(SPLIT_NAME(wide), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 1, 0);
}

KERNEL(SPLIT_NAME(wide_any), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 0, 0);
}

#if defined(__CUDACC__)
extern "C" void SPLIT_NAME(wide_cuda)(struct split_table *t)
#else
void SPLIT_NAME(wide_small)(struct split_table *t)
#endif
{
    t->kernel[SPLIT_WIDE] = SPLIT_ENUM(wide);
    t->kernel[SPLIT_WIDE_ANY] = SPLIT_ENUM(wide_any);
    t->shared[SPLIT_WIDE] = MANY_SHARED;
    t->shared[SPLIT_WIDE_ANY] = MANY_SHARED;
    t->wide.threads = SPLIT_THREADS;
    t->wide.items = SPLIT_TILE;
    t->wide.blocks = SPLIT_BLOCKS;
    t->wide_least = SPLIT_WIDE_LEAST;
}
