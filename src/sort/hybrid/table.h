/* table.h - the hybrid sort's kernels, as launches want them. */
#ifndef CW_SORT_HYBRID_TABLE_H
#define CW_SORT_HYBRID_TABLE_H

#include "backend/kernel_list.h"
#include "sort/lsd/table.h"

struct hybrid_shape {
    uint32_t sample_threads, gather_threads, sample_rounds, sample_shared;
    uint32_t count_threads, count_tile, count_shared;
    uint32_t groups_threads, groups_shared;
    uint32_t tiles;    /* of a pass that a short array is cut in */
    uint32_t least;    /* items of an array that is sorted so */
    uint32_t least_v4; /* .. with a payload of up to 4 bytes */
    uint32_t one_most; /* .. with one pass, at most */
    uint32_t few_most; /* .. and short groups */

    enum cw_kernel local;
    uint32_t local_threads, local_shared;
    uint32_t capacity; /* of a group */
};

/* Keys of 8 bytes, payloads of up to 4, 8 and 16; for one block, keys of up to 4 bytes and of 8,
 * also alone. */
#define CW_HYBRID_TYPES(T) T(k8_v4) T(k8_v8) T(k8_v16)
#define CW_BLOCK_TYPES(T)  T(k4) T(k4_v4) T(k4_v8) T(k4_v16) T(k8) CW_HYBRID_TYPES(T)

#define LOCAL_DECLARE(type)                                          \
    void cw_sort_hybrid_local_##type##_tiny(struct hybrid_shape *s); \
    void cw_sort_hybrid_local_##type##_large(struct hybrid_shape *s);
CW_HYBRID_TYPES(LOCAL_DECLARE)
#undef LOCAL_DECLARE

#define BLOCK_DECLARE(type)                                         \
    void cw_sort_block_table_##type##_tiny(struct hybrid_shape *s); \
    void cw_sort_block_table_##type##_large(struct hybrid_shape *s);
CW_BLOCK_TYPES(BLOCK_DECLARE)
#undef BLOCK_DECLARE

#define PASS_DECLARE(type)                                       \
    void cw_sort_hybrid_pass_##type##_tiny(struct lsd_shape *s); \
    void cw_sort_hybrid_pass_##type##_large(struct lsd_shape *s);
CW_HYBRID_TYPES(PASS_DECLARE)
#undef PASS_DECLARE

void cw_sort_hybrid_table_tiny(struct hybrid_shape *s);
void cw_sort_hybrid_table_large(struct hybrid_shape *s);

/* cw_sort_hybrid_k8_v4_pass and the like, from HYBRID_TYPE. */
#define HYBRID_NAME(x) NAME_OF3(cw_sort_hybrid_, HYBRID_TYPE, _##x)

#endif
