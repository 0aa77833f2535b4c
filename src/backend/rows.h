/* rows.h - batches of rows, sorted by launches: what src/rows does for other operations.
 *
 * The comparison sort sorts its samples so (sort/sample_sort/plan.c).  This declaration stands
 * below both rooms, so that neither includes the other.
 */
#ifndef CW_BACKEND_ROWS_H
#define CW_BACKEND_ROWS_H

#include "backend/queue.h"

/* Bytes of workspace for arguments that were checked.  SIZE_MAX if that is no number. */
size_t cw_rows_workspace(const cw_rows *job);

/* Queue it all. */
cw_status cw_rows_enqueue(struct cw_queue *q, const cw_rows *job, void *workspace);

#endif
