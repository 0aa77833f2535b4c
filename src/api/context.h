/* context.h - what a context holds. */
#ifndef CW_API_CONTEXT_H
#define CW_API_CONTEXT_H

#include "api/checks.h"
#include "backend/backend.h"
#include "base/threads.h"

struct cw_context {
    cw_backend backend; /* never CW_AUTO */
    const struct cw_backend_table *on;
    struct cw_gpu gpu;     /* whose limits hold for launches */
    enum cw_shapes shapes; /* which kernels and sizes it takes */
    struct cw_team team;   /* threads of the host */
    uint64_t random;       /* state: one draw a call says where it samples */
    cw_emulated_hook hook; /* of the emulator, for those who count */
    void *user;
    const struct cw_emu_fault *fault;  /* of the emulator, for tests */
    struct cw_emulated_memory *memory; /* of the emulator: what was written; NULL elsewhere */
};

/* The seed of one call: samples at places that no caller foresees, unless he set the seed. */
uint64_t cw_context_draw(cw_context *context);

/* For contexts that run kernels: CW_CUDA and CW_EMULATOR. */
void cw_context_queue(const cw_context *context, cw_stream stream, union cw_any_queue *out);

/* A call that is queued: its job, and the workspace if it needs one.  Calls that need more have a
 * struct of their own. */
struct cw_call {
    const void *job;
    void *workspace;
};

/* Queue a call: `enqueue` makes its launches, from what `call` points to, which may touch these
 * arrays.  If one of them would not fit the GPU, CW_ERR_DEVICE, and none is made. */
typedef cw_status (*cw_enqueue)(struct cw_queue *q, const void *call);
cw_status cw_context_enqueue(const cw_context *context, cw_stream stream,
                             const struct cw_given *all, size_t arrays, cw_enqueue enqueue,
                             const void *call);

/* Let a context take the limits of another GPU: every launch must fit both. */
cw_status cw_context_as(cw_context *context, const struct cw_gpu *gpu);

/* The workspace that is needed.  `of` says it for one set of shapes.  With a context: for its own;
 * without: the most that any backend and any GPU may need. */
typedef size_t (*cw_need)(const void *job, enum cw_shapes shapes);
size_t cw_context_need(const cw_context *context, const void *job, cw_need of);

#endif
