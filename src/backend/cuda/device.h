/* device.h - a GPU: its memory, and a queue on one of its streams. */
#ifndef CW_BACKEND_CUDA_DEVICE_H
#define CW_BACKEND_CUDA_DEVICE_H

#include "backend/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cw_cuda_queue {
    struct cw_queue queue; /* the first member: one is handed around as the other */
    cw_stream stream;
    int overlaps; /* a kernel is set up before the one ahead of it ends */
};

/* The GPU that is current; CW_ERR_DEVICE if there is none. */
cw_status cw_cuda_open(int *device, uint32_t *processors);

/* The limits of the GPU, less what the machine code in this library leaves unused.  CW_GPU_AS of
 * the environment names a GPU (tuning/gpu.h) whose limits hold, too.  So a large GPU can run what a
 * small one would. */
cw_status cw_cuda_limits(struct cw_gpu *out);

cw_status cw_cuda_alloc(size_t bytes, void **out);
void cw_cuda_free(void *memory);
cw_status cw_cuda_write(void *to, const void *host, size_t bytes);
cw_status cw_cuda_read(void *host, const void *from, size_t bytes);
cw_status cw_cuda_read_on(cw_stream stream, void *host, const void *from, size_t bytes);
cw_status cw_cuda_wait(cw_stream stream);

/* Can kernels touch this memory?  They can touch the GPU's memory, and managed and pinned memory.
 * On systems where a GPU reads the host's pages they can touch any. */
int cw_cuda_touches(const void *memory);

/* Page-locked memory of the host, a stream of its own, and copies that are queued there. */
cw_status cw_cuda_pinned(size_t bytes, void **out);
void cw_cuda_unpinned(void *memory);
cw_status cw_cuda_read_later(cw_stream stream, void *host, const void *from, size_t bytes);
cw_status cw_cuda_write_later(cw_stream stream, void *to, const void *host, size_t bytes);
cw_status cw_cuda_stream_open(cw_stream *out);
void cw_cuda_stream_close(cw_stream stream);

/* Tell a profiler that waits for it (ncu --profile-from-start off) to look at launches from now on,
 * or no longer. */
void cw_cuda_profile(int on);

void cw_cuda_queue_begin(struct cw_cuda_queue *q, cw_stream stream, uint32_t processors);

#ifdef __cplusplus
}
#endif
#endif
