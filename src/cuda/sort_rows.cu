/* sort_rows.cu - rows of u32 keys: 32 keys a thread, a kernel for each power of two to 32768.
 *
 * Chosen by measurement on an H200.  Up to 1024 keys a row has a warp or less; above, a block.
 */
#define KEY_LOG    2
#define ROWS_LOG_K 5
#define ROWS_TYPE  u32

/* clang-format off */
#define ROWS(ROW)               \
    ROW( 1, 2, 0,  128, 8)      \
    ROW( 2, 2, 0,  128, 8)      \
    ROW( 3, 2, 0,  128, 8)      \
    ROW( 4, 2, 0,  128, 8)      \
    ROW( 5, 2, 0,  128, 8)      \
    ROW( 6, 2, 4,  128, 8)      \
    ROW( 7, 2, 6,  128, 8)      \
    ROW( 8, 2, 6,  128, 8)      \
    ROW( 9, 1, 4,  128, 8)      \
    ROW(10, 2, 5,  128, 8)      \
    ROW(11, 1, 4,   64, 14)     \
    ROW(12, 1, 3,  128, 7)      \
    ROW(13, 1, 3,  256, 4)      \
    ROW(14, 1, 3,  512, 2)      \
    ROW(15, 1, 3, 1024, 1)
/* clang-format on */

#include "cuda/rows_launch.h"

const struct cw_rows_kernel *cw_cuda_rows_kernel_u32(uint32_t length)
{
    return kernel_of(length);
}

int cw_cuda_sort_rows_u32(const uint32_t *in, uint32_t *out, uint64_t rows, uint32_t length,
                          void *stream)
{
    return sort_rows(in, out, rows, length, stream);
}
