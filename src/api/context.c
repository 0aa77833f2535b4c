/* context.c - contexts and their memory. */
#include "api/context.h"

#include <stdlib.h>
#include <string.h>

#include "machine/status.h"

static cw_status open_cuda(cw_context *c)
{
#if defined(CW_HAVE_CUDA)
    return cw_cuda_open(&c->device, &c->processors);
#else
    (void)c;
    return cw_fail(CW_ERR_DEVICE, "this library was built without CUDA");
#endif
}

static cw_status open_backend(cw_context *c, cw_backend backend)
{
    c->backend = backend;
    switch (backend) {
    case CW_AUTO:
        c->backend = open_cuda(c) ? CW_CPU : CW_CUDA;
        return CW_OK;
    case CW_CUDA:
        return open_cuda(c);
    case CW_EMULATOR:
        c->memory = (struct cw_emulated_memory *)calloc(1, sizeof *c->memory);
        return c->memory ? CW_OK : cw_fail(CW_ERR_MEMORY, "out of memory");
    case CW_CPU:
        return CW_OK;
    }
    return cw_fail(CW_ERR_ARGUMENT, "backend %d: there is no such", (int)backend);
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
    status = open_backend(c, backend);
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
    context->threads = threads;
    return CW_OK;
}

void cw_context_queue(const cw_context *context, cw_stream stream, union cw_any_queue *out)
{
#if defined(CW_HAVE_CUDA)
    if (context->backend == CW_CUDA) {
        cw_cuda_queue_begin(&out->cuda, stream, context->processors);
        return;
    }
#endif
    (void)stream;
    cw_emulated_queue_begin(&out->emulated);
    out->emulated.hook = context->hook;
    out->emulated.user = context->user;
    out->emulated.fault = context->fault;
    out->emulated.memory = context->memory;
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
#if defined(CW_HAVE_CUDA)
    if (context->backend == CW_CUDA)
        return cw_cuda_alloc(bytes, out);
#endif
    if (context->memory)
        *out = cw_emulated_alloc(context->memory, bytes);
    else if (bytes <= SIZE_MAX - 255u) /* on 256 bytes, like a GPU's */
        *out = aligned_alloc(256, bytes ? (bytes + 255u) / 256u * 256u : 256u);
    return *out ? CW_OK : cw_fail(CW_ERR_MEMORY, "%zu bytes of the host's memory", bytes);
}

void cw_memory_free(cw_context *context, void *memory)
{
#if defined(CW_HAVE_CUDA)
    if (context && context->backend == CW_CUDA) {
        cw_cuda_free(memory);
        return;
    }
#endif
    if (context && context->memory)
        cw_emulated_free(context->memory, memory);
    else
        free(memory);
}

cw_status cw_memory_write(cw_context *context, void *to, const void *host, size_t bytes)
{
    const cw_status status = bad(context, to, host, bytes);

    if (status || !bytes)
        return status;
#if defined(CW_HAVE_CUDA)
    if (context->backend == CW_CUDA)
        return cw_cuda_write(to, host, bytes);
#endif
    cw_emulated_wrote(context->memory, to, bytes);
    memcpy(to, host, bytes);
    return CW_OK;
}

cw_status cw_memory_read(cw_context *context, void *host, const void *from, size_t bytes)
{
    const cw_status status = bad(context, host, from, bytes);

    if (status || !bytes)
        return status;
#if defined(CW_HAVE_CUDA)
    if (context->backend == CW_CUDA)
        return cw_cuda_read(host, from, bytes);
#endif
    memcpy(host, from, bytes);
    return CW_OK;
}

cw_status cw_wait(cw_context *context, cw_stream stream)
{
    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
#if defined(CW_HAVE_CUDA)
    if (context->backend == CW_CUDA)
        return cw_cuda_wait(stream);
#endif
    (void)stream;
    return CW_OK;
}
