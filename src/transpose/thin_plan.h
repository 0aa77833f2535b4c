/* thin_plan.h - matrices of few rows or columns, transposed by a launch into a queue. */
#ifndef CW_TRANSPOSE_THIN_PLAN_H
#define CW_TRANSPOSE_THIN_PLAN_H

#include "backend/queue.h"

/* `batch` matrices from `in` to `out`, which is another.  0 if they are not of those that are done so;
 * else *status says how it went. */
int cw_transpose_thin(struct cw_queue *q, const cw_transpose_job *job, const void *in, void *out,
                      uint64_t batch, cw_status *status);

#endif
