/* rows_launch.h - row-sort kernels of one type of key, and their launch.
 *
 * A source defines KEY_LOG, ROWS_LOG_K, ROWS_TYPE (its name, u32), ROWS, and includes this once.
 * A line of ROWS names a kernel: log_n, the merges done by shuffles, the comparators of 8 that use
 * multiply-adds, the threads of a block, the blocks that a multiprocessor should hold (which
 * bounds the registers).  A row takes the first kernel that holds it.
 */
#include <cuda_runtime.h>
#include <stddef.h>

#include "dev/dev_cuda.h"

#define ROWS_K (1 << ROWS_LOG_K)
#include "kernels/rows_io.h"
#include "cuda/sort_rows.h"

#define ROWS_JOIN2(a, b) a##b
#define ROWS_JOIN(a, b)  ROWS_JOIN2(a, b)
#define ROWS_TEXT2(a)    #a
#define ROWS_TEXT(a)     ROWS_TEXT2(a)
#define ROWS_NAME(log_n) ROWS_JOIN(ROWS_JOIN(ROWS_JOIN(cw_sort_rows_, ROWS_TYPE), _), log_n)

#define ROWS_ENTRY(log_n, shuffles, mads, threads, blocks)                  \
    static __global__ void __launch_bounds__(threads, blocks)               \
        ROWS_NAME(log_n)(struct rows a, uint32_t one)                       \
    {                                                                       \
        const struct row_shape shape = {ROWS_LOG_K, log_n, shuffles, mads}; \
                                                                            \
        rows_kernel(a, one, shape);                                         \
    }
ROWS(ROWS_ENTRY)

#define ROWS_LINE(log_n, shuffles, mads, threads, blocks)                               \
    {ROWS_TEXT(ROWS_NAME(log_n)), (const void *)ROWS_NAME(log_n), 1u << log_n, threads, \
     threads * (ROWS_K * KEY_BYTES + 16u)},
static const struct cw_rows_kernel kernels[] = {ROWS(ROWS_LINE)};

static const struct cw_rows_kernel *kernel_of(uint32_t length)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (length >= 2u && length <= kernels[i].places)
            return &kernels[i];
    }
    return NULL;
}

/* As many rows as one launch can take: with vectors whole blocks only, as long as there are any,
 * and never more than 2^31 - 1 blocks. */
static uint64_t rows_of_launch(const struct rows *a, uint64_t block_rows)
{
    const uint64_t most = block_rows * 0x7fffffffu;

    if (a->count > most)
        return most;
    return a->vectors ? a->count / block_rows * block_rows : a->count;
}

static cudaError_t launch(const struct cw_rows_kernel *k, struct rows a, cudaStream_t stream)
{
    const uint64_t block_rows = (uint64_t)k->threads * ROWS_K / k->places;

    while (a.count) {
        struct rows part = a;
        uint32_t one = 1;
        void *args[] = {&part, &one};
        cudaError_t status;

        part.vectors = a.vectors && a.count >= block_rows;
        part.count = rows_of_launch(&part, block_rows);
        status = cudaLaunchKernel(k->entry,
                                  dim3((unsigned)((part.count + block_rows - 1u) / block_rows)),
                                  dim3(k->threads), args, k->shared_bytes, stream);
        if (status != cudaSuccess)
            return status;
        a.in += part.count * a.length;
        a.out += part.count * a.length;
        a.count -= part.count;
    }
    return cudaSuccess;
}

static int sort_rows(const key *in, key *out, uint64_t rows, uint32_t length, void *stream)
{
    const struct cw_rows_kernel *const k = kernel_of(length);
    struct rows a;
    cudaError_t status;

    if (!k)
        return (int)cudaErrorInvalidValue;
    a.in = in;
    a.out = out;
    a.count = rows;
    a.length = length;
    a.vectors = length == k->places && (uintptr_t)in % 16u == 0 && (uintptr_t)out % 16u == 0;
    status = cudaFuncSetAttribute(k->entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)k->shared_bytes);
    if (status == cudaSuccess)
        status = launch(k, a, (cudaStream_t)stream);
    return (int)status;
}
