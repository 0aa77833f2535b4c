/* current.cu - the current GPU, and streams, for callers that know no CUDA. */
#include "backend/cuda/current.h"

#include <cuda_runtime.h>
#include <stdio.h>

#include "base/status.h"

static cw_status failed(const char *what, cudaError_t error)
{
    if (error == cudaSuccess)
        return CW_OK;
    (void)cudaGetLastError();
    return cw_fail(CW_ERR_DEVICE, "%s: %s", what, cudaGetErrorString(error));
}

cw_status cw_cuda_count(int *count)
{
    *count = 0;
    return failed("no GPU", cudaGetDeviceCount(count));
}

cw_status cw_cuda_name(int device, char *out, size_t room)
{
    cudaDeviceProp about;
    const cudaError_t error = cudaGetDeviceProperties(&about, device);

    if (error != cudaSuccess)
        return failed("a GPU's properties", error);
    (void)snprintf(out, room, "%s (sm_%d%d, %.0f GiB)", about.name, about.major, about.minor,
                   (double)about.totalGlobalMem / (1024.0 * 1024.0 * 1024.0));
    return CW_OK;
}

cw_status cw_cuda_current(int *device)
{
    return failed("the current GPU", cudaGetDevice(device));
}

cw_status cw_cuda_use(int device, int *before)
{
    int now = device;
    cudaError_t error = cudaGetDevice(&now);

    if (before)
        *before = now;
    if (error == cudaSuccess && now != device)
        error = cudaSetDevice(device);
    return failed("choosing a GPU", error);
}

cw_status cw_cuda_stream(cw_stream stream, uint64_t *id, int *captures)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long number = 0;
    cudaError_t error;

    *id = 0;
    *captures = 0;
    if (!stream)
        return CW_OK;
    error = cudaStreamIsCapturing((cudaStream_t)stream, &status);
    *captures = status != cudaStreamCaptureStatusNone;
    if (error == cudaSuccess && !*captures)
        error = cudaStreamGetId((cudaStream_t)stream, &number);
    *id = (uint64_t)number;
    return failed("a stream", error);
}
