/* sort.h - cw_sort as launches. */
#ifndef CW_SORT_SORT_H
#define CW_SORT_SORT_H

#include "sort/radix/table.h"
#include "backend/queue.h"

/* Which kernels: those of a GPU, or the small ones of the emulator. */

/* For arguments that were checked, with `bits` set. */

uint64_t cw_sort_most(void); /* keys */

/* Why such a job is not taken; NULL: it is. */
const char *cw_sort_refuses(const cw_array *job);

/* Which of CW_RADIX_ENGINES (radix/table.h) it takes: 0, 1 or 2. */
int cw_sort_engine(const cw_array *job);

/* Bytes of workspace; looks at no pointer but for being NULL. */
size_t cw_sort_bytes_of(const cw_array *job, const struct radix_table *table);
size_t cw_sort_bytes(const cw_array *job, enum cw_shapes kernels);

/* Queue it all. */
cw_status cw_sort_enqueue(struct cw_queue *q, const cw_array *job, enum cw_shapes kernels,
                          void *workspace);

#endif
