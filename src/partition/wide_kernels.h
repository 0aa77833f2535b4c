/* wide_kernels.h - the kernels of a partition that move wide tiles, and their part of the table. */
#define PARTITION_WIDE_TILES
#include "tuning/partition.h"
#include "dev/kernel.h"
#include "partition/table.h"
#include "partition/scatter_stable.h"

KERNEL(PARTITION_NAME(scatter8_wide), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_turns(arg, 1, 0);
}

KERNEL(PARTITION_NAME(scatter8_wide_any), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_turns(arg, 0, 0);
}

#if !defined(__CUDACC__) /* the emulator's wrappers know the sizes of all */
void SHAPES_TABLE(PARTITION_NAME(wide))(struct partition_table *t)
{
    t->kernel[PARTITION_WIDE] = PARTITION_ENUM(scatter8_wide);
    t->kernel[PARTITION_WIDE_ANY] = PARTITION_ENUM(scatter8_wide_any);
    t->shared[PARTITION_WIDE] = MANY_SHARED;
    t->shared[PARTITION_WIDE_ANY] = MANY_SHARED;
    t->wide.threads = SCATTER_THREADS;
    t->wide.items = SCATTER_TILE;
    t->wide.blocks = SCATTER_BLOCKS;
    t->wide_least = PARTITION_WIDE_LEAST;
}
#endif
