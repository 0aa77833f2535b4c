/* grid_kernels.h - the passes of grid_pass.h for one type of item, and their part of the table. */
#include "dev/kernel.h"
#include "kernels/grid_sizes.h"
#include "kernels/grid_mids.h"

#if defined(__CUDACC__)
extern "C" void GRID_NAME(passes_cuda)(struct grid_table *t)
#else
void GRID_NAME(passes_small)(struct grid_table *t)
#endif
{
    for (int k = 0; k < GRID_KERNELS; k++) {
        t->kernel[k] = CW_KERNEL_COUNT;
        t->shared[k] = 0;
    }
    grid_sizes(t);
    t->kernel[GRID_BEGIN] = GRID_ENUM(begin);
    t->kernel[GRID_COUNT] = GRID_ENUM(count);
    t->kernel[GRID_COUNT_PLAIN] = GRID_ENUM(count_plain);
    t->kernel[GRID_SPLIT] = GRID_ENUM(split);
    t->kernel[GRID_MOVE] = GRID_ENUM(move);
    t->kernel[GRID_MOVE_PLAIN] = GRID_ENUM(move_plain);
    t->kernel[GRID_HOT] = GRID_ENUM(hot);
    t->kernel[GRID_TILES] = GRID_ENUM(tiles);
    t->kernel[GRID_MIDS] = GRID_ENUM(mids);
    t->kernel[GRID_SAMPLE_KEYS] = GRID_ENUM(sample);
    t->kernel[GRID_COUNT_TREE] = GRID_ENUM(count_tree);
    t->kernel[GRID_MOVE_TREE] = GRID_ENUM(move_tree);
    t->kernel[GRID_TILES_TREE] = GRID_ENUM(tiles_tree);
#if GRID_VALUES
    t->kernel[GRID_ORDER] = GRID_ENUM(order);
    t->shared[GRID_ORDER] = ORDER_SHARED;
    t->shared[GRID_COUNT_TREE] = COUNT_TREE + TREE_SHARED;
#else
    t->kernel[GRID_FILL] = GRID_ENUM(fill);
    t->shared[GRID_FILL] = EXPAND_SHARED;
    t->shared[GRID_COUNT_TREE] = EXACT_SHARED;
#endif
    t->shared[GRID_COUNT] = SPLIT_SHARED;
    t->shared[GRID_COUNT_PLAIN] = SPLIT_SHARED;
    t->shared[GRID_SPLIT] = SPLIT_SHARED;
    t->shared[GRID_MOVE] = RING_BYTES;
    t->shared[GRID_MOVE_PLAIN] = RING_BYTES;
    t->shared[GRID_HOT] = RING_BYTES;
    t->shared[GRID_TILES] = TILE_BYTES(TILE_THREADS, TILE_PER);
    t->shared[GRID_MIDS] = MIDS_SHARED;
    t->shared[GRID_SAMPLE_KEYS] = SAMPLE_BYTES;
    t->shared[GRID_MOVE_TREE] = MOVE_TREE + TREE_SHARED;
    t->shared[GRID_TILES_TREE] = TILE_TREE + TREE_SHARED;
}
