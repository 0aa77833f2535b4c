/* plan.h - the sort in one launch. */
#ifndef CW_SORT_SMALL_PLAN_H
#define CW_SORT_SMALL_PLAN_H

#include "backend/queue.h"
#include "sort/lsd/plan.h"

/* The longest array that may be sorted so; 0: none.  The shapes are for a number of blocks that run
 * at once.  A GPU that holds fewer may yet be too small: cw_small_fits knows. */
uint64_t cw_small_most(const struct lsd_task *task, enum cw_shapes shapes);
int cw_small_fits(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes);

/* Bytes of workspace: a second array of all that is moved (keys that are not wanted: two), and less
 * than 2 MiB. */
uint64_t cw_small_bytes(const struct lsd_task *task, enum cw_shapes shapes);

cw_status cw_small_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                           void *workspace);

#endif
