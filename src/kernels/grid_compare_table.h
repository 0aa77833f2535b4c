/* grid_compare_table.h - the kernels of the comparison sort for one kind of item, as launches want
 * them.  Sources in src/cuda and src/emulated fill such a table (grid_compare_kernels.h). */
#ifndef CW_GRID_COMPARE_TABLE_H
#define CW_GRID_COMPARE_TABLE_H

#include "kernels/list.h"

/* What sorts: keys of up to 4 bytes, of 8; both with a rest of 4 bytes. */
#define CW_COMPARE_ENGINES(E) E(u32) E(u64) E(p32) E(p64)

enum compare_engine { COMPARE_U32, COMPARE_U64, COMPARE_P32, COMPARE_P64, COMPARE_ENGINES };

struct compare_table {
    uint32_t part_bytes, rest;
    uint32_t log_k; /* items of a thread */
    uint32_t log_a, log_b;
    uint32_t threads_a, threads_b;
    uint32_t shared_a, shared_b;
    uint32_t blocks_a; /* that a multiprocessor holds */
    uint32_t target, coarse, wide, fan;
    uint32_t row; /* samples of a segment that are sorted together; those beyond it are, too */
    uint64_t cells;
    uint64_t most; /* items: as far as the bounds of grid_compare_levels.h hold, at least */
    enum cw_kernel first, coarse_kernel, fine, longer;
    enum cw_kernel sample, cut;
    uint32_t cut_threads, cut_shared, layout_threads, layout_shared, settle_shared;
};

#ifdef __cplusplus
extern "C" {
#endif
#define COMPARE_DECLARE(type)                               \
    void cw_compare_##type##_cuda(struct compare_table *t); \
    void cw_compare_##type##_small(struct compare_table *t);
CW_COMPARE_ENGINES(COMPARE_DECLARE)
#undef COMPARE_DECLARE
#ifdef __cplusplus
}
#endif

#define COMPARE_PASTE3(a, b, c) a##b##c
#define COMPARE_PASTE(a, b, c)  COMPARE_PASTE3(a, b, c)
#define COMPARE_NAME(x)         COMPARE_PASTE(cw_compare_, COMPARE_TYPE, _##x)
#define COMPARE_ENUM(x)         COMPARE_PASTE(CW_KERNEL_cw_compare_, COMPARE_TYPE, _##x)
#define COMPARE_KEYS(x)         COMPARE_PASTE(CW_KERNEL_cw_compare_, COMPARE_KEY_TYPE, _##x)

#endif
