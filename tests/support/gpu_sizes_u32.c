/* gpu_sizes_u32.c - what a GPU's kernels of this type make of an array, without a GPU. */
#ifndef GRID_FULL_SHAPES
#define GRID_FULL_SHAPES
#endif
#define GRID_GPU_SIZES
#define KEY_LOG     2
#define GRID_VALUES 0

#include "gpu_sizes.h"

#include "kernels/grid_shapes.h"
#include "kernels/grid_sizes.h"

void gpu_sizes_u32(struct grid_table *t)
{
    grid_sizes(t);
}
