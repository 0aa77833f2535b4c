/* sum_plan.h - cw_gather_sum as launches into a queue. */
#ifndef CW_PERMUTE_SUM_PLAN_H
#define CW_PERMUTE_SUM_PLAN_H

#include "backend/queue.h"

cw_status cw_gather_sum_enqueue(struct cw_queue *q, const cw_gather_job *job);

/* The word at the beginning of the workspace is 0 afterwards if every index names a row. */
cw_status cw_gather_sum_enqueue_check(struct cw_queue *q, const cw_gather_job *job,
                                      void *workspace);

#endif
