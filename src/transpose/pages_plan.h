/* pages_plan.h - a matrix transposed in place by pages, as launches into a queue. */
#ifndef CW_TRANSPOSE_PAGES_PLAN_H
#define CW_TRANSPOSE_PAGES_PLAN_H

#include "backend/queue.h"

/* Is it one that can be? */
int cw_transpose_by_pages(const cw_transpose_job *job);

/* Workspace for it. */
uint64_t cw_transpose_pages_bytes(const cw_transpose_job *job, int cuda);

/* The matrix at `data`. */
cw_status cw_transpose_pages(struct cw_queue *q, const cw_transpose_job *job, void *data, int cuda,
                             void *workspace);

#endif
