/* paper_kernel.h - one warp a matrix: the bodies of the model, compiled for a GPU.
 *
 * Included once for each size of a word (CW_WORD_BYTES, PAPER_LAUNCH).  Shared memory holds the
 * matrix and its auxiliary areas as dev_warp.h lays them out.  A block is one warp, so that
 * a matrix may have all of an SM's shared memory; blocks run beside each other as far as
 * it reaches.  Loading and storing go by own rows, so that every request of shared memory
 * is free of conflicts, as the algorithm's are.
 *
 * With words of 4 bytes an item keeps 32 bits: its low half, or, if it has a label, 16 bits
 * of the label and 16 of the payload.
 */
#include "cuda/paper_launch.h"
#include "paper/bodies.h"

#define W 32

static __device__ __forceinline__ size_t place(enum cw_order order, uint32_t m, uint32_t row,
                                               uint32_t col)
{
    return order == CW_ROW_MAJOR ? (size_t)row * m + col : (size_t)col * W + row;
}

/* An item of 64 bits as a word, and back. */
static __device__ __forceinline__ word narrow(uint64_t x, int labels)
{
#if WORD_BITS >= 64
    (void)labels;
    return x;
#else
    return labels ? (word)(x >> 32 << 16 | (x & 0xffff)) : (word)x;
#endif
}

static __device__ __forceinline__ uint64_t widen(word x, int labels)
{
#if WORD_BITS >= 64
    (void)labels;
    return x;
#else
    return labels ? (uint64_t)(x >> 16) << 32 | (x & 0xffff) : x;
#endif
}

static __global__ void __launch_bounds__(W) paper_kernel(const struct paper_launch a)
{
    const uint32_t m = a.job.m, row = LANE_ID;
    const size_t base = (size_t)BLOCK_ID * W * m;
    const mem s = 0;

    for (uint32_t c = 0; c < m; c++) {
        const uint64_t x = gm_ld8(a.in + base + place(a.order_in, m, row, c));

        bank_write(s, row, c, narrow(x, a.labels));
    }
    __syncwarp();
    switch (a.body) {
#define BODY_CASE(id, name, function) \
    case id:                          \
        function(s, &a.job);          \
        break;
        PAPER_BODIES(BODY_CASE)
#if WORD_BITS >= 64
        PAPER_BODIES_64(BODY_CASE)
#endif
#undef BODY_CASE
    default:
        break;
    }
    __syncwarp();
    for (uint32_t c = 0; c < m; c++) {
        const word x = bank_read(s, row, a.result + c);

        gm_st8(a.out + base + place(a.order_out, m, row, c), widen(x, a.labels));
    }
}

extern "C" cudaError_t PAPER_LAUNCH(const struct paper_launch *a, uint32_t matrices, size_t bytes)
{
    const cudaError_t error =
        cudaFuncSetAttribute(paper_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);

    if (error != cudaSuccess)
        return error;
    paper_kernel<<<matrices, W, bytes>>>(*a);
    return cudaGetLastError();
}
