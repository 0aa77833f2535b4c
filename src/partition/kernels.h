/* kernels.h - the moving kernels of a partition for one type of item, and their table. */
#include "tuning/partition.h"
#include "dev/kernel.h"
#include "partition/count_shared.h"
#include "partition/table.h"
#include "partition/scatter_stable.h"
#include "partition/scatter_any.h"

KERNEL(PARTITION_NAME(two_any), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    tile_once(arg);
}

KERNEL(PARTITION_NAME(two), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_pieces(arg);
}

KERNEL(PARTITION_NAME(scatter5), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_tickets(arg, 1, 5u);
}

KERNEL(PARTITION_NAME(scatter5_any), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_tickets(arg, 0, 5u);
}

KERNEL(PARTITION_NAME(scatter8), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_tickets(arg, 1, 0);
}

KERNEL(PARTITION_NAME(scatter8_any), struct partition_job, SCATTER_THREADS, SCATTER_BLOCKS)
{
    take_tickets(arg, 0, 0);
}

KERNEL(PARTITION_NAME(combining), struct partition_job, RADIX_THREADS, RADIX_BLOCKS)
{
    combine_pieces(arg, 1);
}

KERNEL(PARTITION_NAME(combining_any), struct partition_job, RADIX_THREADS, RADIX_BLOCKS)
{
    combine_pieces(arg, 0);
}

#if !defined(__CUDACC__) /* the emulator's wrappers know the sizes of all */
void SHAPES_TABLE(PARTITION_NAME(table))(struct partition_table *t)
{
    t->kernel[PARTITION_ONCE] = PARTITION_ENUM(two_any);
    t->shared[PARTITION_ONCE] = FEW_SHARED;
    t->kernel[PARTITION_TILE1] = PARTITION_ENUM(two);
    t->kernel[PARTITION_TILE5] = PARTITION_ENUM(scatter5);
    t->kernel[PARTITION_TILE5_ANY] = PARTITION_ENUM(scatter5_any);
    t->kernel[PARTITION_TILE8] = PARTITION_ENUM(scatter8);
    t->kernel[PARTITION_TILE8_ANY] = PARTITION_ENUM(scatter8_any);
    t->kernel[PARTITION_COMBINING] = PARTITION_ENUM(combining);
    t->kernel[PARTITION_COMBINING_ANY] = PARTITION_ENUM(combining_any);
    t->shared[PARTITION_TILE1] = FEW_SHARED;
    t->shared[PARTITION_TILE5] = FEW_SHARED;
    t->shared[PARTITION_TILE5_ANY] = FEW_SHARED;
    t->shared[PARTITION_TILE8] = MANY_SHARED;
    t->shared[PARTITION_TILE8_ANY] = MANY_SHARED;
    t->shared[PARTITION_COMBINING] = (uint32_t)sizeof(struct combining_shared);
    t->shared[PARTITION_COMBINING_ANY] = (uint32_t)sizeof(struct combining_shared);
    t->width = SCATTER_WIDTH;
    t->count_threads = COUNT_THREADS;
    t->count_blocks = COUNT_BLOCKS;
    t->tickets = PARTITION_TURNS;
    t->count_shared = COUNT_SHARED;
    t->scan_threads = SCAN_THREADS;
    t->scan_shared = 8u * SCAN_THREADS;
    t->tile.threads = SCATTER_THREADS;
    t->tile.items = SCATTER_TILE;
    t->tile.blocks = SCATTER_BLOCKS;
    t->queue_threads = RADIX_THREADS;
    t->queue_items = RADIX_THREADS * RADIX_ITEMS;
    t->queue_blocks = RADIX_BLOCKS;
    t->queue_room = RADIX_QUEUES / (4u + PAYLOAD_BYTES);
    t->processors = PARTITION_PROCESSORS;
}
#endif
