/* current.h - which GPU is current in the calling thread, and what a stream is.
 *
 * For callers that are handed arrays of several GPUs.
 */
#ifndef CW_BACKEND_CUDA_CURRENT_H
#define CW_BACKEND_CUDA_CURRENT_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#ifdef __cplusplus
extern "C" {
#endif

cw_status cw_cuda_count(int *count);

/* "NVIDIA H200 (sm_90, 139 GiB)" */
cw_status cw_cuda_name(int device, char *out, size_t room);

cw_status cw_cuda_current(int *device);

/* Make a GPU current.  *before, unless NULL, becomes the one that was. */
cw_status cw_cuda_use(int device, int *before);

/* *id becomes a number that no other stream of the process has, now or later.  If a graph is being
 * captured on the stream, the number is 0, and that is said.  The default stream has 0, and is
 * never captured. */
cw_status cw_cuda_stream(cw_stream stream, uint64_t *id, int *captures);

#ifdef __cplusplus
}
#endif
#endif
