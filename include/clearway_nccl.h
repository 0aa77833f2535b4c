/* clearway_nccl.h - sort, permute and partition arrays that are spread over the GPUs of an ncclComm_t.
 *
 * Link with clearway_nccl, clearway, NCCL and CUDA's runtime.  What the calls do stands in
 * clearway_distributed.h.  Items go from GPU to GPU; what ranks say about them, a few hundred KB a round,
 * goes through a buffer of the GPU that the group holds: 4 MiB, and 1 KiB a rank.
 */
#ifndef CLEARWAY_NCCL_H
#define CLEARWAY_NCCL_H

#include <nccl.h>

#include "clearway_distributed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cw_nccl cw_nccl;

/* A group of the communicator's ranks.  The GPU of this rank is current, and the stream (a cudaStream_t;
 * NULL: the default one) is one of it.  The communicator must outlive the group.  Fails on one rank alone: if
 * it does, the others must not call with theirs. */
CW_API cw_status cw_nccl_open(ncclComm_t comm, cw_stream stream, cw_nccl **out);
CW_API void cw_nccl_close(cw_nccl *nccl); /* NULL is fine */

/* To be handed to cw_group_sort, cw_group_permute and cw_group_partition. */
CW_API const cw_group *cw_nccl_group(const cw_nccl *nccl);

#ifdef __cplusplus
}
#endif
#endif
