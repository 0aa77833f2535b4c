/* table.h - the kernels of the comparison sort for one kind of item, as launches want them.
 *
 * Instances (src/instances.def) fill such a table (sample_sort/kernels.h).
 */
#ifndef CW_SORT_SAMPLE_SORT_TABLE_H
#define CW_SORT_SAMPLE_SORT_TABLE_H

#include "backend/kernel_list.h"

/* What sorts: keys of up to 4 bytes, of 8; both with a rest of 4 bytes. */
#define CW_SAMPLE_SORT_ENGINES(E) E(u32) E(u64) E(p32) E(p64)

enum sample_sort_engine { SAMPLE_U32, SAMPLE_U64, SAMPLE_P32, SAMPLE_P64, SAMPLE_ENGINES };

struct sample_sort_table {
    uint32_t part_bytes, rest;
    uint32_t log_k; /* items of a thread */
    uint32_t log_a, log_b;
    uint32_t threads_a, threads_b;
    uint32_t shared_a, shared_b;
    uint32_t blocks_a; /* that a multiprocessor holds */
    uint32_t target, coarse, wide, fan;
    uint32_t every; /* items that have one sample, in the last pass: these or half as many */
    uint32_t row;   /* samples of a segment that are sorted together; those beyond it are, too */
    uint32_t tiles; /* short ones: arrays with no more have them; .. */
    uint32_t parts; /* .. so many, up to 8, are merged, not cut */
    uint64_t cells;
    uint64_t most; /* items: as far as the bounds of sample_sort/passes.h hold, at least */
    enum cw_kernel first, short_first, short_merge, coarse_kernel, fine, longer;
    enum cw_kernel sample, cut;
    uint32_t cut_threads, cut_shared, layout_threads, layout_shared, settle_shared;
};

#ifdef __cplusplus
extern "C" {
#endif
#define SAMPLE_DECLARE(type)                                              \
    void cw_sample_sort_##type##_table_tiny(struct sample_sort_table *t); \
    void cw_sample_sort_##type##_table_large(struct sample_sort_table *t);
CW_SAMPLE_SORT_ENGINES(SAMPLE_DECLARE)
#undef SAMPLE_DECLARE
void cw_sample_sort_p64_table_small(struct sample_sort_table *t); /* the only one that needs it */
#ifdef __cplusplus
}
#endif

#define SAMPLE_NAME(x) NAME_OF3(cw_sample_sort_, SAMPLE_TYPE, _##x)
#define SAMPLE_ENUM(x) KERNEL_ID(SAMPLE_NAME(x))
#define SAMPLE_KEYS(x) NAME_OF3(CW_KERNEL_cw_sample_sort_, SAMPLE_KEY_TYPE, _##x)

#endif
