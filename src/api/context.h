/* context.h - what a context holds. */
#ifndef CW_API_CONTEXT_H
#define CW_API_CONTEXT_H

#include "emulated/queue.h"

#if defined(CW_HAVE_CUDA)
#include "cuda/device.h"
#endif

struct cw_context {
    cw_backend backend; /* never CW_AUTO */
    unsigned threads;
    int device;
    uint32_t processors;   /* multiprocessors */
    cw_emulated_hook hook; /* of the emulator, for those who count */
    void *user;
    const struct cw_emu_fault *fault;  /* of the emulator, for tests */
    struct cw_emulated_memory *memory; /* of the emulator: what was written; NULL elsewhere */
};

/* A queue of either kind. */
union cw_any_queue {
    struct cw_queue queue;
    struct cw_emulated_queue emulated;
#if defined(CW_HAVE_CUDA)
    struct cw_cuda_queue cuda;
#endif
};

/* For contexts that run kernels: CW_CUDA and CW_EMULATOR. */
void cw_context_queue(const cw_context *context, cw_stream stream, union cw_any_queue *out);

#endif
