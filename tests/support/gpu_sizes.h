/* gpu_sizes.h - sizes of the whole-device sort's kernels as a GPU has them, in any build. */
#ifndef CW_GPU_SIZES_H
#define CW_GPU_SIZES_H

#include "sort/sample_sort/table.h"
#include "sort/radix/table.h"

void gpu_sizes_u32(struct radix_table *t);
void gpu_sizes_u64(struct radix_table *t);
void gpu_sizes_p32(struct radix_table *t);
void gpu_sizes_compare(struct sample_sort_table *t); /* what radix_compare_levels.h looks at */

#endif
