/* gpu_sizes.h - sizes of the whole-device sort's kernels as a GPU has them, in any build. */
#ifndef CW_GPU_SIZES_H
#define CW_GPU_SIZES_H

#include "kernels/grid_compare_table.h"
#include "kernels/grid_table.h"

void gpu_sizes_u32(struct grid_table *t);
void gpu_sizes_u64(struct grid_table *t);
void gpu_sizes_p32(struct grid_table *t);
void gpu_sizes_compare(struct compare_table *t); /* what grid_compare_levels.h looks at */

#endif
