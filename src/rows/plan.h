/* plan.h - cw_sort_rows as launches. */
#ifndef CW_ROWS_PLAN_H
#define CW_ROWS_PLAN_H

#include "backend/queue.h"

/* Bytes of workspace for arguments that were checked; SIZE_MAX when that is no number. */
size_t cw_rows_workspace(const cw_rows *job);

/* Queue it all. */
cw_status cw_rows_enqueue(struct cw_queue *q, const cw_rows *job, void *workspace);

#endif
