/* split_kernels.h - the moving kernels of a partition for one type of item, and their table. */
#include "kernels/split_shapes.h"
#include "dev/kernel.h"
#include "kernels/split_table.h"
#include "kernels/split_turns.h"
#include "kernels/split_ring.h"

KERNEL(SPLIT_NAME(once), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    tile_once(arg);
}

KERNEL(SPLIT_NAME(tile1), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_pieces(arg);
}

KERNEL(SPLIT_NAME(tile5), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 1, 5u);
}

KERNEL(SPLIT_NAME(tile5_any), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 0, 5u);
}

KERNEL(SPLIT_NAME(tile8), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 1, 0);
}

KERNEL(SPLIT_NAME(tile8_any), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 0, 0);
}

KERNEL(SPLIT_NAME(ring), struct split_job, GRID_THREADS, GRID_BLOCKS)
{
    ring_pieces(arg, 1);
}

KERNEL(SPLIT_NAME(ring_any), struct split_job, GRID_THREADS, GRID_BLOCKS)
{
    ring_pieces(arg, 0);
}

#define COUNT_SHARED_BYTES (132u * SPLIT_BINS + 1024u + 16u) /* split_count.h */

#if defined(__CUDACC__)
extern "C" void SPLIT_NAME(table_cuda)(struct split_table *t)
#else
void SPLIT_NAME(table_small)(struct split_table *t)
#endif
{
    t->kernel[SPLIT_ONCE] = SPLIT_ENUM(once);
    t->shared[SPLIT_ONCE] = FEW_SHARED;
    t->kernel[SPLIT_TILE1] = SPLIT_ENUM(tile1);
    t->kernel[SPLIT_TILE5] = SPLIT_ENUM(tile5);
    t->kernel[SPLIT_TILE5_ANY] = SPLIT_ENUM(tile5_any);
    t->kernel[SPLIT_TILE8] = SPLIT_ENUM(tile8);
    t->kernel[SPLIT_TILE8_ANY] = SPLIT_ENUM(tile8_any);
    t->kernel[SPLIT_RING] = SPLIT_ENUM(ring);
    t->kernel[SPLIT_RING_ANY] = SPLIT_ENUM(ring_any);
    t->shared[SPLIT_TILE1] = FEW_SHARED;
    t->shared[SPLIT_TILE5] = FEW_SHARED;
    t->shared[SPLIT_TILE5_ANY] = FEW_SHARED;
    t->shared[SPLIT_TILE8] = MANY_SHARED;
    t->shared[SPLIT_TILE8_ANY] = MANY_SHARED;
    t->shared[SPLIT_RING] = SPLIT_RING_SHARED;
    t->shared[SPLIT_RING_ANY] = SPLIT_RING_SHARED;
    t->width = SPLIT_WIDTH;
    t->count_threads = COUNT_THREADS;
    t->count_blocks = COUNT_BLOCKS;
    t->turns = SPLIT_TURNS;
    t->count_shared = COUNT_SHARED_BYTES;
    t->scan_threads = SCAN_THREADS;
    t->scan_shared = 8u * SCAN_THREADS;
    t->tile.threads = SPLIT_THREADS;
    t->tile.items = SPLIT_TILE;
    t->tile.blocks = SPLIT_BLOCKS;
    t->ring_threads = GRID_THREADS;
    t->ring_items = GRID_THREADS * GRID_ITEMS;
    t->ring_blocks = GRID_BLOCKS;
    t->ring_room = GRID_RING / (4u + GRID_VALUES);
    t->processors = SPLIT_PROCESSORS;
}
