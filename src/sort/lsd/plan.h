/* plan.h - a stable sort of keys, values and indices of any width, as launches. */
#ifndef CW_SORT_LSD_PLAN_H
#define CW_SORT_LSD_PLAN_H

#include "backend/queue.h"

/* For arguments that were checked, with `bits` set. */

/* Bytes of workspace: another array of keys, of values and of indices, and at most 3 MiB; grows with
 * n. */
uint64_t cw_lsd_bytes(const cw_array *job);

cw_status cw_lsd_enqueue(struct cw_queue *q, const cw_array *job, void *workspace);

#endif
