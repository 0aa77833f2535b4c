/* gpu_sizes_compare.c - into what a GPU's comparison sort cuts an array, without a GPU: of items of 8 bytes,
 * whose tiles are as short as any, so that segments have the most of them. */
#ifndef GRID_FULL_SHAPES
#define GRID_FULL_SHAPES
#endif
#define GRID_GPU_SIZES
#define KEY_LOG      3
#define COMPARE_REST 0

#include <string.h>

#include "gpu_sizes.h"

#include "kernels/grid_compare_shapes.h"

void gpu_sizes_compare(struct compare_table *t)
{
    memset(t, 0, sizeof *t);
    t->part_bytes = 1u << PART_LOG;
    t->log_a = COMPARE_LOG_A;
    t->log_b = COMPARE_LOG_B;
    t->target = COMPARE_TARGET;
    t->coarse = COMPARE_COARSE;
    t->fan = COMPARE_FAN;
    t->wide = COMPARE_WIDE;
    t->cells = COMPARE_CELLS;
    t->most = COMPARE_MOST;
}
