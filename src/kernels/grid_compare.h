/* grid_compare.h - cw_sort with CW_CONFLICT_FREE, as launches. */
#ifndef CW_GRID_COMPARE_H
#define CW_GRID_COMPARE_H

#include "kernels/grid_sort.h"

/* For arguments that were checked, with `bits` set: as in grid_sort.h. */
const char *cw_compare_refuses(const cw_array *job, enum cw_grid_kernels kernels);
size_t cw_compare_workspace(const cw_array *job, enum cw_grid_kernels kernels);
cw_status cw_compare_sort(struct cw_queue *q, const cw_array *job, enum cw_grid_kernels kernels,
                          void *workspace);

#endif
