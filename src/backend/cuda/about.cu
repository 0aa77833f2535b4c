#include "backend/cuda/about.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

static cudaError_t ask(struct cw_cuda_about *out, int device)
{
    const struct {
        int *to;
        cudaDeviceAttr what;
    } list[] = {
        {&out->major, cudaDevAttrComputeCapabilityMajor},
        {&out->minor, cudaDevAttrComputeCapabilityMinor},
        {&out->processors, cudaDevAttrMultiProcessorCount},
        {&out->shared, cudaDevAttrMaxSharedMemoryPerBlockOptin},
        {&out->l2, cudaDevAttrL2CacheSize},
    };
    cudaError_t error = cudaSuccess;

    for (size_t x = 0; x < sizeof list / sizeof *list && error == cudaSuccess; x++)
        error = cudaDeviceGetAttribute(list[x].to, list[x].what, device);
    return error == cudaSuccess ? cudaMemGetInfo(&out->free, &out->memory) : error;
}

cw_status cw_cuda_describe(struct cw_cuda_about *out)
{
    cudaDeviceProp all;
    int device = 0;
    cudaError_t error;

    memset(out, 0, sizeof *out);
    error = cudaDriverGetVersion(&out->driver);
    if (error == cudaSuccess)
        error = cudaRuntimeGetVersion(&out->runtime);
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&all, device);
    if (error == cudaSuccess) {
        (void)snprintf(out->name, sizeof out->name, "%s", all.name);
        error = ask(out, device);
    }
    if (error == cudaSuccess)
        return CW_OK;
    (void)cudaGetLastError();
    return cw_fail(CW_ERR_DEVICE, "%s", cudaGetErrorString(error));
}
