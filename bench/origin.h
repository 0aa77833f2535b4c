/* origin.h - where figures come from: the first three columns of every benchmark's CSV.
 *
 * Driver and commit come from the environment (CW_DRIVER, CW_COMMIT): scripts/bench sets them.
 */
#ifndef CW_BENCH_ORIGIN_H
#define CW_BENCH_ORIGIN_H

#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>

#define ORIGIN_HEAD "gpu,driver,commit,"

static std::string given(const char *name, const std::string &otherwise)
{
    const char *const text = getenv(name);

    return text && *text ? text : otherwise;
}

/* "NVIDIA H200,580.159.04,1a2b3c4," */
static const char *origin(void)
{
    static std::string says;
    cudaDeviceProp gpu;
    int cuda = 0;

    if (!says.empty())
        return says.c_str();
    if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess ||
        cudaDriverGetVersion(&cuda) != cudaSuccess) {
        fprintf(stderr, "no GPU\n");
        exit(1);
    }
    says = std::string(gpu.name) + "," + given("CW_DRIVER", "CUDA " + std::to_string(cuda / 1000)) +
           "," + given("CW_COMMIT", "unknown") + ",";
    return says.c_str();
}

#endif
