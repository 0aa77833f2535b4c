/* split_partition.h - cw_partition as launches. */
#ifndef CW_SPLIT_PARTITION_H
#define CW_SPLIT_PARTITION_H

#include "kernels/grid_sort.h"
#include "kernels/queue.h"

/* For arguments that were checked. */

/* Why such a job is not taken; NULL: it is. */
const char *cw_split_refuses(const cw_partition_job *job);

/* Bytes of workspace; looks at no pointer but for being NULL.  It begins with a u32: how many labels
 * were out of range, once all is done. */
size_t cw_split_workspace(const cw_partition_job *job, enum cw_grid_kernels kernels);

/* Queue all but payloads that are moved by cw_split_payload.  mark: offsets become ~0 if there are
 * bad labels. */
cw_status cw_split_partition(struct cw_queue *q, const cw_partition_job *job,
                             enum cw_grid_kernels kernels, void *workspace, int mark);

/* Whether payloads are moved after the rest, one by one. */
int cw_split_gathers(const cw_partition_job *job);

cw_status cw_split_payload(struct cw_queue *q, const cw_partition_job *job,
                           enum cw_grid_kernels kernels, void *workspace,
                           const cw_payload *payload);

#endif
