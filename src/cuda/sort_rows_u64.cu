/* sort_rows_u64.cu - rows of u64 keys: 16 keys a thread, a kernel for each power of two from 2 to
 * 16384.  Up to 512 keys a row has a warp or less; above, a block.
 */
#define KEY_LOG    3
#define ROWS_LOG_K 4
#define ROWS_TYPE  u64

/* clang-format off */
#define ROWS(ROW)               \
    ROW( 1, 2, 0,  128, 8)      \
    ROW( 2, 2, 0,  128, 8)      \
    ROW( 3, 2, 0,  128, 8)      \
    ROW( 4, 2, 0,  128, 8)      \
    ROW( 5, 2, 0,  128, 8)      \
    ROW( 6, 2, 0,  128, 8)      \
    ROW( 7, 2, 0,  128, 8)      \
    ROW( 8, 1, 0,  128, 8)      \
    ROW( 9, 1, 0,  128, 8)      \
    ROW(10, 1, 0,   64, 14)     \
    ROW(11, 1, 0,  128, 7)      \
    ROW(12, 1, 0,  256, 4)      \
    ROW(13, 1, 0,  512, 2)      \
    ROW(14, 1, 0, 1024, 1)
/* clang-format on */

#include "cuda/rows_launch.h"

const struct cw_rows_kernel *cw_cuda_rows_kernel_u64(uint32_t length)
{
    return kernel_of(length);
}

int cw_cuda_sort_rows_u64(const uint64_t *in, uint64_t *out, uint64_t rows, uint32_t length,
                          void *stream)
{
    return sort_rows(in, out, rows, length, stream);
}
