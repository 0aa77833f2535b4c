/* dev_warp.h - the vocabulary of dev.h on one warp of a GPU: w = 32, row r is bank r.
 *
 * The matrix lies in shared memory from byte offset s on.  A word is 64 bits, as on the
 * model, kept as two planes of 32: word (r, c) is the 4-byte words 64c + r and 64c + 32 + r,
 * both in bank r.  So an access is two requests, each of which is free of conflicts just
 * where the model's step is.  With CW_WORD_BYTES 4, a word is 32 bits and one request.
 *
 * Lanes that let a step pass do nothing here: the warp is not in lock-step by counting,
 * it is kept together by group_sync alone.
 */
#ifndef CW_DEV_WARP_H
#define CW_DEV_WARP_H

#include "dev/dev_cuda.h"

#ifndef CW_WORD_BYTES
#define CW_WORD_BYTES 8
#endif

/* The paper's routines call each other from many places: left to the compiler, each would
 * be inlined at every one. */
#undef DEV
#define DEV static __device__ __noinline__

typedef uint32_t mem;

#if CW_WORD_BYTES == 8
typedef uint64_t word;
#define WORD_BITS              64
#define WORD_MAX               UINT64_MAX
#define bank_read(s, row, col) bank_load((s) + 256u * (uint32_t)(col) + 4u * (uint32_t)(row))
#define bank_write(s, row, col, x) \
    bank_store((s) + 256u * (uint32_t)(col) + 4u * (uint32_t)(row), (x))

static __device__ __forceinline__ word bank_load(uint32_t at)
{
    const uint32_t low = sh_ld4(at);
    const uint32_t high = sh_ld4(at + 128);

    return (word)high << 32 | low;
}

static __device__ __forceinline__ void bank_store(uint32_t at, word x)
{
    sh_st4(at, (uint32_t)x);
    sh_st4(at + 128, (uint32_t)(x >> 32));
}
#else
typedef uint32_t word;
#define WORD_BITS                  32
#define WORD_MAX                   UINT32_MAX
#define bank_read(s, row, col)     sh_ld4((s) + 128u * (uint32_t)(col) + 4u * (uint32_t)(row))
#define bank_write(s, row, col, x) sh_st4((s) + 128u * (uint32_t)(col) + 4u * (uint32_t)(row), (x))
#endif

#define lane_id(s)   ((int)LANE_ID)
#define lane_skip(s) ((void)0)

/* The lanes first, first + stride, .. (rows of them) as a mask. */
DEV uint32_t group_mask(int first, int stride, int rows)
{
    uint32_t mask = 0;

    if (rows == 32)
        return 0xffffffffu;
    for (int i = 0; i < rows; i++)
        mask |= 1u << (first + i * stride);
    return mask;
}

#define group_sync(s, first, stride, rows) __syncwarp(group_mask((first), (stride), (rows)))
#define phase_mark(s, first, stride, rows, column, cols, name) \
    group_sync((s), (first), (stride), (rows))

#endif
