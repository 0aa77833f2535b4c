/* queue.c - launches on the emulator: a machine of the right size for each. */
#include "backend/emulated/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define DECLARE(name, type, free, oblivious)                        \
    extern void name##_emulated(struct cw_emu *e, const void *arg); \
    extern void name##_large(struct cw_emu *e, const void *arg);
#define DECLARE_SMALL(name, type, free, oblivious) \
    extern void name##_emulated(struct cw_emu *e, const void *arg);
CW_KERNELS(DECLARE)
CW_SMALL_KERNELS(DECLARE_SMALL)

struct kernel {
    const char *name;
    cw_emu_kernel tiny, large; /* in the shapes of either */
    int free;
};

static const struct kernel kernels[] = {
#define ROW(name, type, free, oblivious)   {#name, name##_emulated, name##_large, free},
#define SMALL(name, type, free, oblivious) {#name, name##_emulated, name##_emulated, free},
    CW_KERNELS(ROW) CW_SMALL_KERNELS(SMALL)
#undef ROW
#undef SMALL
};

const char *cw_kernel_name(enum cw_kernel kernel)
{
    return kernel < CW_KERNEL_COUNT ? kernels[kernel].name : "unknown";
}

int cw_kernel_free(enum cw_kernel kernel)
{
    return kernel < CW_KERNEL_COUNT && kernels[kernel].free;
}

static cw_status check(const struct cw_emulated_queue *q, const struct cw_launch *l)
{
    enum cw_shapes shapes;
    cw_status status;

    if (!q->gpu)
        return cw_fail(CW_ERR_ARGUMENT, "CW_EMU_GPU=%s: there is no such", getenv("CW_EMU_GPU"));
    if (q->order >= CW_EMU_ORDERS)
        return cw_fail(CW_ERR_ARGUMENT,
                       "CW_EMU_ORDER=%s: neither sequential, reversed, random nor adversarial",
                       getenv("CW_EMU_ORDER"));
    status = cw_shapes_of(q->gpu, &shapes);
    if (status)
        return status;
    return cw_gpu_check(q->gpu, l->blocks, l->threads, l->shared, l->cooperative);
}

static cw_status resident(struct cw_queue *queue, const struct cw_launch *l, uint32_t *blocks)
{
    const struct cw_gpu *const gpu = ((struct cw_emulated_queue *)queue)->gpu;

    *blocks = gpu && gpu->cooperative ? cw_gpu_resident(gpu, l->threads, l->shared) : 0;
    return CW_OK;
}

static cw_status name_kernel(cw_status status, enum cw_kernel kernel)
{
    char text[512];

    snprintf(text, sizeof text, "%s", cw_last_error());
    return cw_fail(status, "%s: %s", cw_kernel_name(kernel), text);
}

static cw_status launch(struct cw_queue *queue, const struct cw_launch *l)
{
    struct cw_emulated_queue *const q = (struct cw_emulated_queue *)queue;
    const struct cw_emu_config config = {l->threads, (l->shared + 15u) / 16u * 16u};
    const struct kernel *const k = &kernels[l->kernel];
    uint32_t count = queue->buffer_count;
    struct cw_emu_buffer *const buffers = q->reach ? q->reach(queue, l, &count) : queue->buffers;
    const struct cw_emu_launch launch = {.kernel =
                                             queue->shapes == CW_SHAPES_TINY ? k->tiny : k->large,
                                         .arg = l->arg,
                                         .blocks = l->blocks,
                                         .buffers = buffers,
                                         .buffer_count = count,
                                         .cooperative = l->cooperative,
                                         .order = q->order,
                                         .seed = q->seed,
                                         .fault = q->fault};
    struct cw_emu *e;
    cw_status status;

    if (!l->blocks)
        return CW_OK;
    status = check(q, l);
    if (!status)
        status = cw_emu_create(&config, &e);
    if (status)
        return status;
    for (uint32_t x = 0; x < count; x++)
        cw_emulated_marks(q->memory, &buffers[x]);
    status = cw_emu_launch(e, &launch);
    if (!status && q->hook)
        q->hook(q->user, l, e);
    if (status)
        status = name_kernel(status, l->kernel);
    cw_emu_destroy(e);
    return status;
}

static cw_status clear(struct cw_queue *q, void *at, size_t bytes)
{
    cw_emulated_wrote(((struct cw_emulated_queue *)q)->memory, at, bytes);
    memset(at, 0, bytes);
    return CW_OK;
}

static cw_status copy(struct cw_queue *q, void *to, const void *from, size_t bytes)
{
    cw_emulated_copied(((struct cw_emulated_queue *)q)->memory, to, from, bytes);
    memcpy(to, from, bytes);
    return CW_OK;
}

void cw_emulated_queue_gpu(struct cw_emulated_queue *q, const struct cw_gpu *gpu)
{
    q->gpu = gpu;
    q->queue.processors = gpu ? gpu->processors : cw_gpu_emulator.processors;
    q->queue.shared = gpu ? gpu->shared : 0;
    q->queue.shapes = CW_SHAPES_TINY;
    if (gpu)
        (void)cw_shapes_of(gpu, &q->queue.shapes); /* launches look at it again */
}

static const struct cw_gpu *gpu_by_name(void)
{
    const char *const name = getenv("CW_EMU_GPU");

    return name && *name ? cw_gpu_find(name) : &cw_gpu_emulator;
}

cw_status cw_emulated_limits(struct cw_gpu *out)
{
    const struct cw_gpu *const gpu = gpu_by_name();

    if (!gpu)
        return cw_fail(CW_ERR_ARGUMENT, "CW_EMU_GPU=%s: there is no such", getenv("CW_EMU_GPU"));
    *out = *gpu;
    return CW_OK;
}

static enum cw_emu_order_by order_by(const char *name)
{
    static const char *const names[CW_EMU_ORDERS] = {"sequential", "reversed", "random",
                                                     "adversarial"};
    uint32_t x = 0;

    while (name && *name && x < CW_EMU_ORDERS && strcmp(name, names[x]) != 0)
        x++;
    return (enum cw_emu_order_by)x;
}

void cw_emulated_queue_begin(struct cw_emulated_queue *q)
{
    const char *const seed = getenv("CW_EMU_SEED");

    memset(q, 0, sizeof *q);
    q->queue.launch = launch;
    q->queue.resident = resident;
    q->queue.clear = clear;
    q->queue.copy = copy;
    cw_emulated_queue_gpu(q, gpu_by_name());
    q->order = order_by(getenv("CW_EMU_ORDER"));
    q->seed = seed ? strtoull(seed, NULL, 10) : 1;
}
