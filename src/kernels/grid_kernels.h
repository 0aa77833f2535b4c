/* grid_kernels.h - the passes of grid_pass.h for one type of item, and their part of the table. */
#include "kernels/grid_pass.h"
#include "kernels/grid_table.h"

#ifndef GRID_ENTRY
#define GRID_ENTRY2(name) name##_entry()
#define GRID_ENTRY(name)  GRID_ENTRY2(name)
#endif

extern "C" void GRID_NAME(table)(struct grid_table *t)
{
    t->key_bytes = KEY_BYTES;
    t->value_bytes = GRID_VALUES;
    t->round_items = GRID_THREADS * GRID_ITEMS;
    t->move_blocks = GRID_BLOCKS;
    t->kernel[GRID_BEGIN] = GRID_ENTRY(GRID_NAME(begin));
    t->kernel[GRID_COUNT] = GRID_ENTRY(GRID_NAME(count));
    t->kernel[GRID_ORDER] = GRID_ENTRY(GRID_NAME(order));
    t->kernel[GRID_SPLIT] = GRID_ENTRY(GRID_NAME(split));
    t->kernel[GRID_MOVE] = GRID_ENTRY(GRID_NAME(move));
    t->kernel[GRID_TILES] = GRID_ENTRY(GRID_NAME(tiles));
    t->kernel[GRID_CROWDED] = GRID_ENTRY(GRID_NAME(crowded));
    t->kernel[GRID_MIDS] = GRID_ENTRY(GRID_NAME(mids));
    for (int k = 0; k < GRID_KERNELS; k++) {
        t->threads[k] = GRID_THREADS;
        t->shared[k] = 0;
    }
    t->shared[GRID_COUNT] = SPLIT_LENS + 8u * GRID_BINS + 1024u;
    t->shared[GRID_SPLIT] = SPLIT_LENS + 8u * GRID_BINS + 1024u;
    t->shared[GRID_MOVE] = RING_BYTES;
    t->shared[GRID_TILES] = TILE_BYTES;
    t->shared[GRID_CROWDED] = GRID_SHARED;
    t->shared[GRID_MIDS] = MIDS_SHARED;
}
