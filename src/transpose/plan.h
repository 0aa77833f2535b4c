/* plan.h - cw_transpose as launches into a queue.  The job has a batch of 1 or more. */
#ifndef CW_TRANSPOSE_PLAN_H
#define CW_TRANSPOSE_PLAN_H

#include "backend/queue.h"

/* The least bytes of workspace: none unless `in_place`, and none for square matrices. */
uint64_t cw_transpose_bytes(const cw_transpose_job *job, int in_place, int cuda);

cw_status cw_transpose_enqueue(struct cw_queue *q, const cw_transpose_job *job, int cuda,
                               void *workspace, size_t workspace_bytes);

#endif
