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
#include "kernels/grid_compare_sizes.h"

void gpu_sizes_compare(struct compare_table *t)
{
    memset(t, 0, sizeof *t);
    compare_sizes(t);
}
