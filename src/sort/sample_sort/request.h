/* request.h - cw_sort with CW_CONFLICT_FREE, as launches. */
#ifndef CW_SORT_SAMPLE_SORT_REQUEST_H
#define CW_SORT_SAMPLE_SORT_REQUEST_H

#include "sort/sort.h"

/* For arguments that were checked, with `bits` set: as in sort/sort.h. */
uint64_t cw_sample_sort_most(const cw_array *job, enum cw_shapes shapes); /* keys that it takes */
const char *cw_sample_sort_refuses(const cw_array *job, enum cw_shapes shapes);
size_t cw_sample_sort_workspace(const cw_array *job, enum cw_shapes shapes);
cw_status cw_sample_sort_enqueue_job(struct cw_queue *q, const cw_array *job, enum cw_shapes shapes,
                                     void *workspace);

#endif
