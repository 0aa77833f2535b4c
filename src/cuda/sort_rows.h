/* sort_rows.h - rows sorted on the GPU by conflict-free networks. */
#ifndef CW_CUDA_SORT_ROWS_H
#define CW_CUDA_SORT_ROWS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CW_ROWS_MAX_U32 32768u
#define CW_ROWS_MAX_U64 16384u

/* Sort each of `rows` rows of `length` unsigned keys, 2 to CW_ROWS_MAX, that lie one after another.
 * `in` may be `out`; no other overlap.  Queued on the stream (a cudaStream_t).  Returns the
 * cudaError_t of the launch as a number: 0 is success, 1 (invalid value) also a length that is
 * out of range.  Needs no workspace. */
int cw_cuda_sort_rows_u32(const uint32_t *in, uint32_t *out, uint64_t rows, uint32_t length,
                          void *stream);
int cw_cuda_sort_rows_u64(const uint64_t *in, uint64_t *out, uint64_t rows, uint32_t length,
                          void *stream);

struct cw_rows_kernel {
    const char *name;
    const void *entry;
    uint32_t places; /* of a row: its length, filled up */
    uint32_t threads;
    uint32_t shared_bytes;
};

/* The kernel that rows of this length take; NULL when out of range. */
const struct cw_rows_kernel *cw_cuda_rows_kernel_u32(uint32_t length);
const struct cw_rows_kernel *cw_cuda_rows_kernel_u64(uint32_t length);

#ifdef __cplusplus
}
#endif

#endif
