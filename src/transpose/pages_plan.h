/* pages_plan.h - a matrix transposed in place by pages, as launches into a queue. */
#ifndef CW_TRANSPOSE_PAGES_PLAN_H
#define CW_TRANSPOSE_PAGES_PLAN_H

#include "backend/queue.h"

enum { CW_TRANSPOSE_NOT_BY_PAGES, CW_TRANSPOSE_TURNED, CW_TRANSPOSE_SPREAD };

/* Can it be done, and how: with tiles that stay in place, or are spread over the output's rows.  `steps`:
 * it could be done by steps, too (transpose/in_place.h), if the GPU cannot spread. */
int cw_transpose_by_pages(const cw_transpose_job *job, int cuda, int steps);

/* Workspace for it. */
uint64_t cw_transpose_pages_bytes(const cw_transpose_job *job, int cuda, int steps);

/* The matrix at `data`.  *done is 0 if nothing was launched, since the GPU runs fewer blocks at a time
 * than CW_TRANSPOSE_SPREAD needs. */
cw_status cw_transpose_pages(struct cw_queue *q, const cw_transpose_job *job, void *data, int cuda,
                             int steps, void *workspace, int *done);

#endif
