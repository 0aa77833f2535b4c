/* gpu_sizes_compare.c - into what a GPU's comparison sort cuts an array, without a GPU: of items of 8 bytes,
 * whose tiles are as short as any, so that segments have the most of them. */
#ifndef RADIX_FULL_SHAPES
#define RADIX_FULL_SHAPES
#endif
#define RADIX_GPU_SIZES
#define KEY_LOG     3
#define SAMPLE_REST 0

#include <string.h>

#include "gpu_sizes.h"

#include "tuning/sort_sample.h"
#include "sort/sample_sort/sizes.h"

void gpu_sizes_compare(struct sample_sort_table *t)
{
    memset(t, 0, sizeof *t);
    sample_sort_sizes(t);
}
