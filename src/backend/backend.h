/* backend.h - the machines that a context can run on, behind one table of functions.
 *
 *      cuda        a GPU: the current device, streams
 *      emulated    the emulator: host memory, kernels run when they are launched
 *      cpu         the host: no kernels, src/cpu does the work
 *
 * This is the only place of the library that knows whether CUDA was built (backend.c).
 */
#ifndef CW_BACKEND_BACKEND_H
#define CW_BACKEND_BACKEND_H

#include "backend/cuda/device.h"
#include "backend/emulated/queue.h"
#include "tuning/gpu.h"

/* A queue of either kind. */
union cw_any_queue {
    struct cw_queue queue; /* launch, clear, copy */
    struct cw_emulated_queue emulated;
    struct cw_cuda_queue cuda;
};

struct cw_backend_table {
    cw_backend backend;
    cw_status (*limits)(struct cw_gpu *out);      /* what a launch may ask for; opens the device */
    cw_status (*alloc)(size_t bytes, void **out); /* aligned to 256 bytes */
    void (*free)(void *memory);
    cw_status (*write)(void *to, const void *host, size_t bytes);
    cw_status (*read)(void *host, const void *from, size_t bytes);
    cw_status (*read_on)(cw_stream stream, void *host, const void *from, size_t bytes);
    cw_status (*wait)(cw_stream stream);
    int (*touches)(
        const void *memory); /* can kernels reach this memory? NULL: all that the caller can */

    /* Copies from and to host memory that the GPU can reach.  They are queued and not waited
     * for. */
    cw_status (*pinned)(size_t bytes, void **out);
    void (*unpinned)(void *memory);
    cw_status (*read_later)(cw_stream stream, void *host, const void *from, size_t bytes);
    cw_status (*write_later)(cw_stream stream, void *to, const void *host, size_t bytes);
    cw_status (*stream)(cw_stream *out); /* make a stream; NULL where there are none */
    void (*end_stream)(cw_stream stream);
    void (*queue)(const struct cw_gpu *gpu, cw_stream stream, union cw_any_queue *out);
};

/* CW_ERR_DEVICE if the backend was not built, CW_ERR_ARGUMENT if there is no such backend.  Never
 * for CW_AUTO. */
cw_status cw_backend_find(cw_backend backend, const struct cw_backend_table **out);

#endif
