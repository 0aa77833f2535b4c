#include "backend/dry.h"

#include <string.h>

#include "backend/emulated/queue.h"
#include "base/status.h"

static cw_status launch(struct cw_queue *queue, const struct cw_launch *l)
{
    struct cw_dry_queue *const q = (struct cw_dry_queue *)queue;
    cw_status status;

    if (!l->blocks)
        return CW_OK;
    q->launches++;
    if (q->each)
        q->each(q->user, l);
    status = cw_gpu_check(q->gpu, l->blocks, l->threads, l->shared, l->cooperative);
    if (!status && (l->kernel >= CW_KERNEL_FIRST_SMALL) && queue->shapes != CW_SHAPES_SMALL)
        status = cw_fail(CW_ERR_INTERNAL, "%s: not in these shapes", cw_kernel_name(l->kernel));
    return status;
}

static cw_status resident(struct cw_queue *queue, const struct cw_launch *l, uint32_t *blocks)
{
    const struct cw_gpu *const gpu = ((struct cw_dry_queue *)queue)->gpu;

    *blocks = gpu->cooperative ? cw_gpu_resident(gpu, l->threads, l->shared) : 0;
    return CW_OK;
}

/* Nothing is at these addresses: they are numbers. */
static cw_status inside(const struct cw_queue *queue, const void *at, size_t bytes)
{
    const struct cw_dry_queue *const q = (const struct cw_dry_queue *)queue;
    const uintptr_t from = (uintptr_t)at - (uintptr_t)q->room;

    if (!q->room || from >= q->room_bytes || bytes <= q->room_bytes - from)
        return CW_OK;
    return cw_fail(CW_ERR_INTERNAL, "%zu bytes at %zu of a workspace of %zu", bytes, (size_t)from,
                   q->room_bytes);
}

static cw_status clear(struct cw_queue *q, void *at, size_t bytes)
{
    return inside(q, at, bytes);
}

static cw_status copy(struct cw_queue *q, void *to, const void *from, size_t bytes)
{
    const cw_status status = inside(q, to, bytes);

    return status ? status : inside(q, from, bytes);
}

void cw_dry_queue_begin(struct cw_dry_queue *q, const struct cw_gpu *gpu, enum cw_shapes shapes)
{
    memset(q, 0, sizeof *q);
    q->queue.launch = launch;
    q->queue.resident = resident;
    q->queue.clear = clear;
    q->queue.copy = copy;
    q->queue.processors = gpu->processors;
    q->queue.shared = gpu->shared;
    q->queue.shapes = shapes;
    q->gpu = gpu;
}
