/* plan.h - cw_permute as launches into a queue. */
#ifndef CW_PERMUTE_PLAN_H
#define CW_PERMUTE_PLAN_H

#include "backend/queue.h"
#include "permute/way.h"

/* Bytes of workspace, for the permutation alone; and for the check alone. */
uint64_t cw_permute_bytes(const cw_permute_job *job, enum cw_permute_way way, int cuda);
uint64_t cw_permute_check_bytes(const cw_permute_job *job);

cw_status cw_permute_enqueue(struct cw_queue *q, const cw_permute_job *job, enum cw_permute_way way,
                             int cuda, void *workspace);

/* The same for cw_shuffle: NAIVE, a gather with computed places, or PLACE. */
uint64_t cw_shuffle_bytes(const cw_shuffle_job *job, enum cw_permute_way way, int cuda);
cw_status cw_shuffle_enqueue(struct cw_queue *q, const cw_shuffle_job *job, enum cw_permute_way way,
                             int cuda, void *workspace);

/* The word at the beginning of the workspace is 0 afterwards if the index is a permutation. */
cw_status cw_permute_enqueue_check(struct cw_queue *q, const cw_permute_job *job, void *workspace);

#endif
