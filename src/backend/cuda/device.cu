/* device.cu - memory of the GPU, and launches of the kernels in backend/kernel_list.h on a
 * stream. */
#include "backend/cuda/device.h"

#include <cuda_profiler_api.h>
#include <atomic>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define DECLARE(name, type, free, oblivious) extern "C" const void *name##_entry(void);
CW_KERNELS(DECLARE)
CW_SMALL_KERNELS(DECLARE)

typedef const void *(*entry)(void);

static const entry entries[] = {
#define ROW(name, type, free, oblivious) name##_entry,
    CW_KERNELS(ROW) CW_SMALL_KERNELS(ROW)
#undef ROW
};

static cw_status failed(const char *what, cudaError_t error)
{
    if (error == cudaSuccess)
        return CW_OK;
    (void)cudaGetLastError(); /* a failed launch is not found again by the next call */
    return cw_fail(error == cudaErrorMemoryAllocation ? CW_ERR_MEMORY : CW_ERR_DEVICE, "%s: %s",
                   what, cudaGetErrorString(error));
}

cw_status cw_cuda_open(int *device, uint32_t *processors)
{
    int count = 0;
    cudaError_t error = cudaGetDevice(device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, *device);
    *processors = (uint32_t)count;
    return failed("no GPU", error);
}

static uint32_t attribute(int device, cudaDeviceAttr what, cudaError_t *error)
{
    int x = 0;

    if (*error == cudaSuccess)
        *error = cudaDeviceGetAttribute(&x, what, device);
    return (uint32_t)x;
}

/* Large kernels are empty in machine code for GPUs that have no room for them (dev/shapes.h).  Such
 * code may run on a larger GPU.  Then that GPU takes the small kernels, too. */
static cudaError_t limit_by_code(struct cw_gpu *gpu)
{
    cudaFuncAttributes made;
    const cudaError_t error = cudaFuncGetAttributes(&made, entries[0]());

    if (error == cudaSuccess && (made.ptxVersion < 90 || made.ptxVersion >= 120) &&
        gpu->shared >= CW_LARGE_SHARED)
        gpu->shared = CW_LARGE_SHARED - 1024u;
    return error;
}

static cw_status limit_by_name(struct cw_gpu *gpu)
{
    const char *const name = getenv("CW_GPU_AS");
    const struct cw_gpu *const as = name && *name ? cw_gpu_find(name) : gpu;

    if (!as)
        return cw_fail(CW_ERR_ARGUMENT, "CW_GPU_AS=%s: there is no such", name);
    if (as->shared < gpu->shared) {
        char both[sizeof gpu->name];

        (void)snprintf(both, sizeof both, "%.10s as %.8s", gpu->name, as->name);
        memcpy(gpu->name, both, sizeof both);
        gpu->shared = as->shared;
    }
    return CW_OK;
}

cw_status cw_cuda_limits(struct cw_gpu *out)
{
    int device;
    uint32_t major, minor;
    cw_status status = cw_cuda_open(&device, &out->processors);
    cudaError_t error = cudaSuccess;

    if (status)
        return status;
    major = attribute(device, cudaDevAttrComputeCapabilityMajor, &error);
    minor = attribute(device, cudaDevAttrComputeCapabilityMinor, &error);
    out->capability = 10u * major + minor;
    (void)snprintf(out->name, sizeof out->name, "sm_%u", out->capability);
    out->shared = attribute(device, cudaDevAttrMaxSharedMemoryPerBlockOptin, &error);
    out->processor_shared = attribute(device, cudaDevAttrMaxSharedMemoryPerMultiprocessor, &error);
    out->threads = attribute(device, cudaDevAttrMaxThreadsPerBlock, &error);
    out->processor_threads = attribute(device, cudaDevAttrMaxThreadsPerMultiProcessor, &error);
    out->processor_blocks = attribute(device, cudaDevAttrMaxBlocksPerMultiprocessor, &error);
    out->cooperative = (int)attribute(device, cudaDevAttrCooperativeLaunch, &error);
    out->clusters = major >= 9u;
    out->warp_reduce = major >= 8u;
    out->tiny = 0;
    if (error == cudaSuccess)
        error = limit_by_code(out);
    status = failed(out->name, error);
    return status ? status : limit_by_name(out);
}

cw_status cw_cuda_alloc(size_t bytes, void **out)
{
    return failed("memory of the GPU", cudaMalloc(out, bytes ? bytes : 1));
}

void cw_cuda_profile(int on)
{
    (void)(on ? cudaProfilerStart() : cudaProfilerStop());
}

void cw_cuda_free(void *memory)
{
    (void)cudaFree(memory);
}

cw_status cw_cuda_write(void *to, const void *host, size_t bytes)
{
    return failed("copy to the GPU", cudaMemcpy(to, host, bytes, cudaMemcpyHostToDevice));
}

cw_status cw_cuda_read(void *host, const void *from, size_t bytes)
{
    return failed("copy from the GPU", cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost));
}

cw_status cw_cuda_wait(cw_stream stream)
{
    return failed("work on the GPU", cudaStreamSynchronize((cudaStream_t)stream));
}

cw_status cw_cuda_pinned(size_t bytes, void **out)
{
    return failed("page-locked memory", cudaMallocHost(out, bytes ? bytes : 1));
}

void cw_cuda_unpinned(void *memory)
{
    (void)cudaFreeHost(memory);
}

cw_status cw_cuda_read_later(cw_stream stream, void *host, const void *from, size_t bytes)
{
    return failed("copy from the GPU",
                  cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream));
}

cw_status cw_cuda_write_later(cw_stream stream, void *to, const void *host, size_t bytes)
{
    return failed("copy to the GPU",
                  cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, (cudaStream_t)stream));
}

cw_status cw_cuda_stream_open(cw_stream *out)
{
    return failed("a stream",
                  cudaStreamCreateWithFlags((cudaStream_t *)out, cudaStreamNonBlocking));
}

void cw_cuda_stream_close(cw_stream stream)
{
    (void)cudaStreamDestroy((cudaStream_t)stream);
}

cw_status cw_cuda_read_on(cw_stream stream, void *host, const void *from, size_t bytes)
{
    const cudaError_t error =
        cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream);

    return error == cudaSuccess ? cw_cuda_wait(stream) : failed("copy from the GPU", error);
}

int cw_cuda_touches(const void *memory)
{
    cudaPointerAttributes is;
    int device = 0, pages = 0;

    if (cudaPointerGetAttributes(&is, memory) == cudaSuccess && is.devicePointer)
        return 1;
    (void)cudaGetLastError();
    /* A thread that has not used the GPU yet does not know its memory. */
    if (cudaGetDevice(&device) == cudaSuccess && cudaSetDevice(device) == cudaSuccess &&
        cudaPointerGetAttributes(&is, memory) == cudaSuccess && is.devicePointer)
        return 1;
    (void)cudaGetLastError();
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&pages, cudaDevAttrPageableMemoryAccess, device) == cudaSuccess &&
           pages;
}

/* What was asked of a device once is remembered: asking takes the host as long as a tenth of a
 * launch. */
#define DEVICES 16
#define KERNELS (sizeof entries / sizeof *entries)

/* May a kernel be set up before the one ahead of it ends?  It may if its code waits (dev_cuda.h),
 * as that for 9.0 and newer does.  This saves a microsecond a launch. */
static int overlaps_on(int device)
{
    static const int made_for[] = {__CUDA_ARCH_LIST__};
    int major = 0, minor = 0;

    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
        return 0;
    for (size_t i = 0; i < sizeof made_for / sizeof *made_for; i++) {
        if (made_for[i] >= 900 && made_for[i] <= 100 * major + 10 * minor)
            return 1;
    }
    return 0;
}

static int overlaps(void)
{
    static std::atomic<int> known[DEVICES]; /* 0: not asked; 1: no; 2: yes */
    int device = 0, answer;

    if (cudaGetDevice(&device) != cudaSuccess)
        return 0;
    if (device >= DEVICES)
        return overlaps_on(device);
    answer = known[device].load(std::memory_order_relaxed);
    if (!answer) {
        answer = 1 + overlaps_on(device);
        known[device].store(answer, std::memory_order_relaxed);
    }
    return answer - 1;
}

static std::atomic<uint32_t> rooms[DEVICES][KERNELS]; /* shared memory that a kernel may have */

/* Let a kernel have that much shared memory.  `again`: what is remembered is not to be trusted,
 * since the device may have been reset. */
static cudaError_t make_room(const struct cw_launch *l, int again)
{
    int device = 0;
    cudaError_t error = cudaSuccess;

    if (l->shared <= 48u * 1024u)
        return cudaSuccess;
    error = cudaGetDevice(&device);
    if (error == cudaSuccess && !again && device < DEVICES &&
        rooms[device][l->kernel].load(std::memory_order_relaxed) >= l->shared)
        return cudaSuccess;
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(entries[l->kernel](),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)l->shared);
    if (error == cudaSuccess && device < DEVICES)
        rooms[device][l->kernel].store(l->shared, std::memory_order_relaxed);
    return error;
}

/* The most blocks that the GPU runs at a time.  A cooperative launch of more would never end. */
static cw_status resident(struct cw_queue *queue, const struct cw_launch *l, uint32_t *blocks)
{
    const void *const kernel = entries[l->kernel]();
    int each = 0;
    cudaError_t error = cudaSuccess;

    *blocks = 0;
    error = make_room(l, 0);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)l->threads,
                                                              l->shared);
    *blocks = (uint32_t)each * queue->processors;
    return failed("blocks at a time", error);
}

static cw_status check_resident(struct cw_queue *queue, const struct cw_launch *l)
{
    uint32_t most;
    const cw_status status = resident(queue, l, &most);

    if (status || l->blocks <= most)
        return status;
    return cw_fail(CW_ERR_DEVICE,
                   "a cooperative launch of %u blocks of %u threads and %u bytes of shared memory: "
                   "the GPU runs %u of them at a time",
                   l->blocks, l->threads, l->shared, most);
}

/* Launch a kernel.  A cooperative launch is not set up early: CUDA does not promise that this works
 * together. */
static cw_status launch(struct cw_queue *queue, const struct cw_launch *l)
{
    struct cw_cuda_queue *const q = (struct cw_cuda_queue *)queue;
    const void *const kernel = entries[l->kernel]();
    void *args[] = {(void *)l->arg};
    cudaLaunchAttribute how = {};
    cudaLaunchConfig_t config = {};
    cudaError_t error = cudaSuccess;
    cw_status status = CW_OK;

    if (!l->blocks)
        return CW_OK;
    if (l->cooperative)
        status = check_resident(queue, l);
    if (status)
        return status;
    error = make_room(l, 0);
    if (l->cooperative) {
        how.id = cudaLaunchAttributeCooperative;
        how.val.cooperative = 1;
    } else {
        how.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        how.val.programmaticStreamSerializationAllowed = 1;
    }
    config.gridDim = dim3(l->blocks);
    config.blockDim = dim3(l->threads);
    config.dynamicSmemBytes = l->shared;
    config.stream = (cudaStream_t)q->stream;
    config.attrs = &how;
    config.numAttrs = l->cooperative || q->overlaps ? 1u : 0u;
    if (error == cudaSuccess)
        error = cudaLaunchKernelExC(&config, kernel, args);
    if (error == cudaErrorInvalidValue && l->shared > 48u * 1024u) {
        (void)cudaGetLastError();
        error = make_room(l, 1);
        if (error == cudaSuccess)
            error = cudaLaunchKernelExC(&config, kernel, args);
    }
    return failed("launch", error);
}

static cw_status clear(struct cw_queue *queue, void *at, size_t bytes)
{
    struct cw_cuda_queue *const q = (struct cw_cuda_queue *)queue;

    return failed("clear", cudaMemsetAsync(at, 0, bytes, (cudaStream_t)q->stream));
}

static cw_status copy(struct cw_queue *queue, void *to, const void *from, size_t bytes)
{
    struct cw_cuda_queue *const q = (struct cw_cuda_queue *)queue;

    return failed("copy", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice,
                                          (cudaStream_t)q->stream));
}

void cw_cuda_queue_begin(struct cw_cuda_queue *q, cw_stream stream, uint32_t processors)
{
    memset(q, 0, sizeof *q);
    q->queue.launch = launch;
    q->queue.resident = resident;
    q->queue.clear = clear;
    q->queue.copy = copy;
    q->queue.processors = processors;
    q->queue.shapes = CW_SHAPES_LARGE;
    q->stream = stream;
    q->overlaps = overlaps();
}
