/* context.c - contexts and their memory. */
#include "api/context.h"

#include <stdlib.h>
#include <string.h>

#include "backend/dry.h"
#include "cpu/entropy.h"
#include "inputs/random.h"
#include "base/status.h"

/* The device, its limits, and the shapes that fit them: what does not fit is refused here. */
static cw_status open_backend(cw_context *c, cw_backend backend)
{
    cw_status status = cw_backend_find(backend, &c->on);

    if (!status)
        status = c->on->limits(&c->gpu);
    if (!status)
        status = cw_shapes_of(&c->gpu, &c->shapes);
    c->backend = backend;
    if (!status && backend == CW_EMULATOR) {
        c->memory = (struct cw_emulated_memory *)calloc(1, sizeof *c->memory);
        if (!c->memory)
            status = cw_fail(CW_ERR_MEMORY, "out of memory");
    }
    return status;
}

static cw_status open_any(cw_context *c, cw_backend backend)
{
    if (backend != CW_AUTO)
        return open_backend(c, backend);
    return open_backend(c, CW_CUDA) ? open_backend(c, CW_CPU) : CW_OK;
}

cw_status cw_context_create(cw_backend backend, cw_context **out)
{
    cw_context *c;
    cw_status status;

    if (!out)
        return cw_fail(CW_ERR_ARGUMENT, "cw_context_create: out is NULL");
    *out = NULL;
    c = (cw_context *)calloc(1, sizeof *c);
    if (!c)
        return cw_fail(CW_ERR_MEMORY, "a context of %zu bytes", sizeof *c);
    c->random = cw_entropy();
    status = open_any(c, backend);
    if (status) {
        free(c);
        return status;
    }
    *out = c;
    return CW_OK;
}

void cw_context_destroy(cw_context *context)
{
    if (context && context->memory) {
        cw_emulated_forget(context->memory);
        free(context->memory);
    }
    if (context)
        cw_team_end(&context->team);
    free(context);
}

cw_backend cw_context_backend(const cw_context *context)
{
    return context ? context->backend : CW_AUTO;
}

cw_status cw_context_set_threads(cw_context *context, unsigned threads)
{
    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    cw_team_end(&context->team);
    context->team.wanted = threads;
    return CW_OK;
}

cw_status cw_context_as(cw_context *context, const struct cw_gpu *gpu)
{
    const uint32_t processors = context->gpu.processors;
    enum cw_shapes shapes;
    const cw_status status = cw_shapes_of(gpu, &shapes);

    if (status)
        return status;
    if (context->backend == CW_CUDA && gpu->shared > context->gpu.shared)
        return cw_fail(CW_ERR_DEVICE, "%s as %s: its blocks have but %u bytes of shared memory",
                       context->gpu.name, gpu->name, context->gpu.shared);
    context->gpu = *gpu;
    if (context->backend == CW_CUDA)
        context->gpu.processors = processors;
    context->shapes = shapes;
    return CW_OK;
}

cw_status cw_context_set_seed(cw_context *context, uint64_t seed)
{
    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    context->random = seed;
    return CW_OK;
}

uint64_t cw_context_draw(cw_context *context)
{
    return cw_drawn(&context->random);
}

void cw_context_queue(const cw_context *context, cw_stream stream, union cw_any_queue *out)
{
    context->on->queue(&context->gpu, stream, out);
    out->queue.shapes = context->shapes;
    out->queue.shared = context->gpu.shared;
    if (context->backend == CW_EMULATOR) {
        out->emulated.hook = context->hook;
        out->emulated.user = context->user;
        out->emulated.fault = context->fault;
        out->emulated.memory = context->memory;
    }
}

/* Large and tiny kernels are known to fit (dev/shapes.h), so only small shapes are tried. */
static cw_status fits(const cw_context *context, cw_enqueue enqueue, const void *call)
{
    struct cw_dry_queue dry;

    if (context->shapes != CW_SHAPES_SMALL)
        return CW_OK;
    cw_dry_queue_begin(&dry, &context->gpu, context->shapes);
    return enqueue(&dry.queue, call);
}

cw_status cw_context_enqueue(const cw_context *context, cw_stream stream,
                             const struct cw_given *all, size_t arrays, cw_enqueue enqueue,
                             const void *call)
{
    const cw_status status = fits(context, enqueue, call);
    union cw_any_queue q;

    if (status)
        return status;
    cw_context_queue(context, stream, &q);
    for (size_t x = 0; x < arrays; x++)
        cw_queue_buffer(&q.queue, all[x].data, all[x].bytes, all[x].written);
    return enqueue(&q.queue, call);
}

size_t cw_context_need(const cw_context *context, const void *job, cw_need of)
{
    size_t need = 0;

    if (context)
        return context->backend == CW_CPU ? 0 : of(job, context->shapes);
    for (int shapes = 0; shapes < CW_SHAPES; shapes++) {
        const size_t some = of(job, (enum cw_shapes)shapes);

        need = some > need ? some : need;
    }
    return need;
}

/* ---- memory --------------------------------------------------------------------------------- */

static cw_status bad(const cw_context *context, const void *a, const void *b, size_t bytes)
{
    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    if (bytes && (!a || !b))
        return cw_fail(CW_ERR_ARGUMENT, "memory is NULL");
    return CW_OK;
}

cw_status cw_memory_alloc(cw_context *context, size_t bytes, void **out)
{
    if (!context || !out)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", context ? "out" : "context");
    *out = NULL;
    if (!context->memory)
        return context->on->alloc(bytes, out);
    *out = cw_emulated_alloc(context->memory, bytes);
    return *out ? CW_OK : cw_fail(CW_ERR_MEMORY, "%zu bytes of the host's memory", bytes);
}

void cw_memory_free(cw_context *context, void *memory)
{
    if (context && context->memory)
        cw_emulated_free(context->memory, memory);
    else if (context)
        context->on->free(memory);
    else
        free(memory);
}

cw_status cw_memory_write(cw_context *context, void *to, const void *host, size_t bytes)
{
    const cw_status status = bad(context, to, host, bytes);

    if (status || !bytes)
        return status;
    if (context->memory)
        cw_emulated_wrote(context->memory, to, bytes);
    return context->on->write(to, host, bytes);
}

cw_status cw_memory_read(cw_context *context, void *host, const void *from, size_t bytes)
{
    const cw_status status = bad(context, host, from, bytes);

    return status || !bytes ? status : context->on->read(host, from, bytes);
}

cw_status cw_wait(cw_context *context, cw_stream stream)
{
    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    return context->on->wait(stream);
}
