#include "backend/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* ---- host memory: the emulator and the CPU -------------------------------------------------- */

static cw_status host_alloc(size_t bytes, void **out)
{
    *out = NULL;
    if (bytes <= SIZE_MAX - 255u) /* on 256 bytes, like a GPU's */
        *out = aligned_alloc(256, bytes ? (bytes + 255u) / 256u * 256u : 256u);
    return *out ? CW_OK : cw_fail(CW_ERR_MEMORY, "%zu bytes of the host's memory", bytes);
}

static cw_status host_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return CW_OK;
}

static cw_status host_read_on(cw_stream stream, void *host, const void *from, size_t bytes)
{
    (void)stream;
    return host_copy(host, from, bytes);
}

static cw_status host_write_on(cw_stream stream, void *to, const void *host, size_t bytes)
{
    (void)stream;
    return host_copy(to, host, bytes);
}

static cw_status host_stream(cw_stream *out)
{
    *out = NULL;
    return CW_OK;
}

static void host_end_stream(cw_stream stream)
{
    (void)stream;
}

static cw_status host_wait(cw_stream stream)
{
    (void)stream;
    return CW_OK;
}

static cw_status cpu_limits(struct cw_gpu *out)
{
    *out = cw_gpu_emulator; /* never looked at: no kernel runs */
    return CW_OK;
}

static void emulated_queue(const struct cw_gpu *gpu, cw_stream stream, union cw_any_queue *out)
{
    (void)stream;
    cw_emulated_queue_begin(&out->emulated);
    cw_emulated_queue_gpu(&out->emulated, gpu);
}

/* clang-format off */
#define IN_HOST_MEMORY(which, limits_of, queue_of)                                 \
    {                                                                              \
        .backend = (which), .limits = (limits_of), .alloc = host_alloc,            \
        .free = free, .write = host_copy, .read = host_copy,                       \
        .read_on = host_read_on, .wait = host_wait, .pinned = host_alloc,          \
        .unpinned = free, .read_later = host_read_on,                              \
        .write_later = host_write_on, .stream = host_stream,                       \
        .end_stream = host_end_stream, .queue = (queue_of),                        \
    }
/* clang-format on */

static const struct cw_backend_table emulated =
    IN_HOST_MEMORY(CW_EMULATOR, cw_emulated_limits, emulated_queue);
static const struct cw_backend_table cpu = IN_HOST_MEMORY(CW_CPU, cpu_limits, emulated_queue);

/* ---- a GPU ---------------------------------------------------------------------------------- */

#if defined(CW_HAVE_CUDA)
static void cuda_queue(const struct cw_gpu *gpu, cw_stream stream, union cw_any_queue *out)
{
    cw_cuda_queue_begin(&out->cuda, stream, gpu->processors);
}

static const struct cw_backend_table cuda = {
    .backend = CW_CUDA,
    .limits = cw_cuda_limits,
    .alloc = cw_cuda_alloc,
    .free = cw_cuda_free,
    .write = cw_cuda_write,
    .read = cw_cuda_read,
    .read_on = cw_cuda_read_on,
    .wait = cw_cuda_wait,
    .touches = cw_cuda_touches,
    .pinned = cw_cuda_pinned,
    .unpinned = cw_cuda_unpinned,
    .read_later = cw_cuda_read_later,
    .write_later = cw_cuda_write_later,
    .stream = cw_cuda_stream_open,
    .end_stream = cw_cuda_stream_close,
    .queue = cuda_queue,
};
#define CUDA_TABLE &cuda
#else
#define CUDA_TABLE NULL
#endif

cw_status cw_backend_find(cw_backend backend, const struct cw_backend_table **out)
{
    switch (backend) {
    case CW_CUDA:
        *out = CUDA_TABLE;
        return *out ? CW_OK : cw_fail(CW_ERR_DEVICE, "this library was built without CUDA");
    case CW_CPU:
        *out = &cpu;
        return CW_OK;
    case CW_EMULATOR:
        *out = &emulated;
        return CW_OK;
    case CW_AUTO:
        break;
    }
    return cw_fail(CW_ERR_ARGUMENT, "backend %d: there is no such", (int)backend);
}
