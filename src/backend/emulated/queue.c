/* queue.c - launches on the emulator: a machine of the right size for each. */
#include "backend/emulated/queue.h"

#include <string.h>

#include "base/status.h"

#define PROCESSORS 2u /* few, so that blocks take turns also in small tests */

#define DECLARE(name, type, free, oblivious) \
    extern void name##_emulated(struct cw_emu *e, const void *arg);
CW_KERNELS(DECLARE)

struct kernel {
    const char *name;
    cw_emu_kernel run;
    int free;
};

static const struct kernel kernels[] = {
#define ROW(name, type, free, oblivious) {#name, name##_emulated, free},
    CW_KERNELS(ROW)
#undef ROW
};

const char *cw_kernel_name(enum cw_kernel kernel)
{
    return kernel < CW_KERNEL_COUNT ? kernels[kernel].name : "unknown";
}

int cw_kernel_free(enum cw_kernel kernel)
{
    return kernel < CW_KERNEL_COUNT && kernels[kernel].free;
}

static cw_status launch(struct cw_queue *queue, const struct cw_launch *l)
{
    struct cw_emulated_queue *const q = (struct cw_emulated_queue *)queue;
    const struct cw_emu_config config = {l->threads, (l->shared + 15u) / 16u * 16u};
    const struct cw_emu_launch launch = {kernels[l->kernel].run, l->arg, l->blocks, queue->buffers,
                                         queue->buffer_count};
    struct cw_emu *e;
    cw_status status;

    if (!l->blocks)
        return CW_OK;
    status = cw_emu_create(&config, &e);
    if (status)
        return status;
    status = cw_emu_launch(e, &launch);
    if (!status && q->hook)
        q->hook(q->user, l, e);
    cw_emu_destroy(e);
    return status;
}

static cw_status clear(struct cw_queue *q, void *at, size_t bytes)
{
    (void)q;
    memset(at, 0, bytes);
    return CW_OK;
}

static cw_status copy(struct cw_queue *q, void *to, const void *from, size_t bytes)
{
    (void)q;
    memcpy(to, from, bytes);
    return CW_OK;
}

void cw_emulated_queue_begin(struct cw_emulated_queue *q)
{
    memset(q, 0, sizeof *q);
    q->queue.launch = launch;
    q->queue.clear = clear;
    q->queue.copy = copy;
    q->queue.processors = PROCESSORS;
}
