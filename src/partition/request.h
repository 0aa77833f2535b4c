/* request.h - cw_partition as launches. */
#ifndef CW_PARTITION_REQUEST_H
#define CW_PARTITION_REQUEST_H

#include "backend/queue.h"

/* For arguments that were checked. */

/* Why such a job is not taken; NULL: it is. */
const char *cw_partition_request_refuses(const cw_partition_job *job);

/* Bytes of workspace; looks at no pointer but for being NULL.  It begins with a u32: how many
 * labels were out of range, once all is done. */
size_t cw_partition_request_bytes(const cw_partition_job *job, enum cw_shapes shapes);

/* Queue all but payloads that are moved by cw_partition_request_payload.  mark: offsets become ~0
 * if there are bad labels. */
cw_status cw_partition_request(struct cw_queue *q, const cw_partition_job *job,
                               enum cw_shapes shapes, void *workspace, int mark);

/* How many of the payloads are moved with the rest; the others are moved after it, one by one. */
size_t cw_partition_request_moves(const cw_partition_job *job, enum cw_shapes shapes);

cw_status cw_partition_request_payload(struct cw_queue *q, const cw_partition_job *job,
                                       enum cw_shapes shapes, void *workspace,
                                       const cw_payload *payload);

#endif
