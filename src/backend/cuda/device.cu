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

static cw_status launch(struct cw_queue *queue, const struct cw_launch *l)
{
    struct cw_cuda_queue *const q = (struct cw_cuda_queue *)queue;
    const void *const kernel = entries[l->kernel]();
    void *args[] = {(void *)l->arg};
    cudaLaunchAttribute overlap = {};
    cudaLaunchConfig_t config = {};
    cudaError_t error = cudaSuccess;

    if (!l->blocks)
        return CW_OK;
    if (l->shared > 48u * 1024u)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)l->shared);
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(l->blocks);
    config.blockDim = dim3(l->threads);
    config.dynamicSmemBytes = l->shared;
    config.stream = (cudaStream_t)q->stream;
    config.attrs = &overlap;
    config.numAttrs = q->overlaps ? 1u : 0u;
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
    q->queue.clear = clear;
    q->queue.copy = copy;
    q->queue.processors = processors;
    q->stream = stream;
    q->overlaps = overlaps();
}
