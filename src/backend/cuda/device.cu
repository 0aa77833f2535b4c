/* device.cu - memory of the GPU, and launches of the kernels in backend/kernel_list.h on a stream. */
#include "backend/cuda/device.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <string.h>

#include "base/status.h"

#define DECLARE(name, type, free, oblivious) extern "C" const void *name##_entry(void);
CW_KERNELS(DECLARE)

typedef const void *(*entry)(void);

static const entry entries[] = {
#define ROW(name, type, free, oblivious) name##_entry,
    CW_KERNELS(ROW)
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

cw_status cw_cuda_read_on(cw_stream stream, void *host, const void *from, size_t bytes)
{
    const cudaError_t error =
        cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)stream);

    return error == cudaSuccess ? cw_cuda_wait(stream) : failed("copy from the GPU", error);
}

/* Whether a kernel may be set up before the one ahead of it ends, which saves a microsecond a launch: if its code
 * waits (dev_cuda.h), as that for 9.0 and newer does. */
static int overlaps(void)
{
    static const int made_for[] = {__CUDA_ARCH_LIST__};
    int device = 0, major = 0, minor = 0;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
        return 0;
    for (size_t i = 0; i < sizeof made_for / sizeof *made_for; i++) {
        if (made_for[i] >= 900 && made_for[i] <= 100 * major + 10 * minor)
            return 1;
    }
    return 0;
}

/* The most blocks that the GPU can run at a time: more of a cooperative launch would never end. */
static cw_status resident(struct cw_queue *queue, const struct cw_launch *l, uint32_t *blocks)
{
    const void *const kernel = entries[l->kernel]();
    int each = 0;
    cudaError_t error = cudaSuccess;

    *blocks = 0;
    if (l->shared > 48u * 1024u)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)l->shared);
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

/* A cooperative launch is not set up early: whether that goes together is not promised. */
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
    if (l->shared > 48u * 1024u)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)l->shared);
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
    q->stream = stream;
    q->overlaps = overlaps();
}
