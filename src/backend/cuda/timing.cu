#include "backend/cuda/timing.h"

#include <cuda_runtime.h>

#include "base/status.h"

static cw_status failed(const char *what, cudaError_t error)
{
    if (error == cudaSuccess)
        return CW_OK;
    (void)cudaGetLastError();
    return cw_fail(CW_ERR_DEVICE, "%s: %s", what, cudaGetErrorString(error));
}

static void destroy(struct cw_cuda_clock *clock)
{
    if (clock->begin)
        (void)cudaEventDestroy((cudaEvent_t)clock->begin);
    if (clock->end)
        (void)cudaEventDestroy((cudaEvent_t)clock->end);
    clock->begin = clock->end = NULL;
}

cw_status cw_cuda_clock_start(struct cw_cuda_clock *clock, cw_stream stream)
{
    cudaEvent_t begin = NULL, end = NULL;
    cudaError_t error = cudaEventCreate(&begin);

    if (error == cudaSuccess)
        error = cudaEventCreate(&end);
    clock->begin = begin;
    clock->end = end;
    if (error == cudaSuccess)
        error = cudaEventRecord(begin, (cudaStream_t)stream);
    if (error != cudaSuccess)
        destroy(clock);
    return failed("an event", error);
}

cw_status cw_cuda_clock_stop(struct cw_cuda_clock *clock, cw_stream stream, cw_status status,
                             double *seconds)
{
    cudaError_t error = cudaSuccess;
    float ms = 0;

    if (!status && clock->end) {
        error = cudaEventRecord((cudaEvent_t)clock->end, (cudaStream_t)stream);
        if (error == cudaSuccess)
            error = cudaEventSynchronize((cudaEvent_t)clock->end);
        if (error == cudaSuccess)
            error = cudaEventElapsedTime(&ms, (cudaEvent_t)clock->begin, (cudaEvent_t)clock->end);
    }
    destroy(clock);
    *seconds = 1e-3 * (double)ms;
    return status ? status : failed("work on the GPU", error);
}

cw_status cw_cuda_copy(void *to, const void *from, size_t bytes, cw_stream stream)
{
    return failed("copy on the GPU",
                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, (cudaStream_t)stream));
}
