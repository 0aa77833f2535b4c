/* rect_plan.h - matrices transposed by rectangles, as a launch into a queue. */
#ifndef CW_TRANSPOSE_RECT_PLAN_H
#define CW_TRANSPOSE_RECT_PLAN_H

#include "backend/queue.h"

/* `batch` matrices from `in` to `out`, which is another.  CW_ERR_SHAPE if they need too many
 * blocks. */
cw_status cw_transpose_rect(struct cw_queue *q, const cw_transpose_job *job, const void *in,
                            void *out, uint64_t batch);

#endif
