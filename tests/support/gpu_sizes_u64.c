/* gpu_sizes_u64.c - what a GPU's kernels of this type make of an array, without a GPU. */
#ifndef RADIX_FULL_SHAPES
#define RADIX_FULL_SHAPES
#endif
#define RADIX_GPU_SIZES
#define KEY_LOG       3
#define PAYLOAD_BYTES 0

#include "gpu_sizes.h"

#include "tuning/sort_radix.h"
#include "sort/radix/sizes.h"

void gpu_sizes_u64(struct radix_table *t)
{
    radix_sizes(t);
}
