/* grid_sort.h - cw_sort as launches. */
#ifndef CW_GRID_SORT_H
#define CW_GRID_SORT_H

#include "kernels/grid_table.h"
#include "kernels/queue.h"

/* Which kernels: those of a GPU, or the small ones of the emulator. */
enum cw_grid_kernels { CW_GRID_SMALL, CW_GRID_CUDA };

/* For arguments that were checked, with `bits` set. */

/* Why such a job is not taken; NULL: it is. */
const char *cw_grid_refuses(const cw_array *job);

/* Which of CW_GRID_ENGINES (grid_table.h) it takes: 0, 1 or 2. */
int cw_grid_engine(const cw_array *job);

/* Bytes of workspace; looks at no pointer but for being NULL. */
size_t cw_grid_workspace_of(const cw_array *job, const struct grid_table *table);
size_t cw_grid_workspace(const cw_array *job, enum cw_grid_kernels kernels);

/* Queue it all. */
cw_status cw_grid_sort(struct cw_queue *q, const cw_array *job, enum cw_grid_kernels kernels,
                       void *workspace);

#endif
