/* sort_rows.cu - the row-sort kernels and their launch.
 *
 * One kernel for each power of two from 2 to 32768 (kernels/rows_io.h); a row takes the
 * smallest that holds it.  A line of ROWS names it: log_n, the merges done by shuffles, the
 * comparators of 8 that use multiply-adds, the threads of a block, the blocks that a
 * multiprocessor should hold (which bounds the registers).  Chosen by measurement on an H200.
 */
#include <cuda_runtime.h>
#include <stddef.h>

#include "dev/dev_cuda.h"

#define ROWS_LOG_K 5
#define ROWS_K     (1 << ROWS_LOG_K)
#include "kernels/rows_io.h"
#include "cuda/sort_rows.h"

/* clang-format off */
#define ROWS(ROW)               \
    ROW( 1, 2, 4,  128, 8)      \
    ROW( 2, 2, 4,  128, 8)      \
    ROW( 3, 2, 4,  128, 8)      \
    ROW( 4, 2, 4,  128, 8)      \
    ROW( 5, 2, 4,  128, 8)      \
    ROW( 6, 2, 4,  128, 8)      \
    ROW( 7, 2, 4,  128, 8)      \
    ROW( 8, 2, 4,  128, 8)      \
    ROW( 9, 2, 4,  128, 8)      \
    ROW(10, 2, 5,  128, 8)      \
    ROW(11, 1, 4,   64, 14)     \
    ROW(12, 1, 4,  128, 7)      \
    ROW(13, 1, 4,  256, 4)      \
    ROW(14, 1, 4,  512, 2)      \
    ROW(15, 1, 4, 1024, 1)
/* clang-format on */

#define ROWS_ENTRY(log_n, shuffles, mads, threads, blocks)                  \
    static __global__ void __launch_bounds__(threads, blocks)               \
        cw_sort_rows_u32_##log_n(struct rows a, uint32_t one)               \
    {                                                                       \
        const struct row_shape shape = {ROWS_LOG_K, log_n, shuffles, mads}; \
                                                                            \
        rows_kernel(a, one, shape);                                         \
    }
ROWS(ROWS_ENTRY)

#define ROWS_LINE(log_n, shuffles, mads, threads, blocks)                                   \
    {"sort_rows_u32_" #log_n, (const void *)cw_sort_rows_u32_##log_n, 1u << log_n, threads, \
     4u * threads * (ROWS_K + 4u)},
static const struct cw_rows_kernel kernels[] = {ROWS(ROWS_LINE)};

const struct cw_rows_kernel *cw_cuda_rows_kernel(uint32_t length)
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

int cw_cuda_sort_rows_u32(const uint32_t *in, uint32_t *out, uint64_t rows, uint32_t length,
                          void *stream)
{
    const struct cw_rows_kernel *const k = cw_cuda_rows_kernel(length);
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
