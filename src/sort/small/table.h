/* table.h - the sort in one launch for one width of key and payload, as launches want it. */
#ifndef CW_SORT_SMALL_TABLE_H
#define CW_SORT_SMALL_TABLE_H

#include "backend/kernel_list.h"
#include "dev/shapes.h"

struct small_shape {
    enum cw_kernel kernel;
    uint32_t threads;
    uint32_t items; /* of a thread, at most */
    uint32_t shared;
    uint32_t blocks; /* at most */
    uint32_t most;   /* items of an array that is sorted so */
};

/* Keys of up to 4 bytes, and of 8; payloads of none, up to 4, 8 and 16 bytes.  The kernel with long
 * slices, and the one with short slices: with payloads of 8 bytes and more there are no others. */
#define CW_SMALL_TYPES(T) \
    T(k4, k4_few)         \
    T(k4_v4, k4_v4_few)   \
    T(k4_v8, k4_v8)       \
    T(k4_v16, k4_v16) T(k8, k8_few) T(k8_v4, k8_v4_few) T(k8_v8, k8_v8) T(k8_v16, k8_v16)

#define SMALL_DECLARE(many, few)                                    \
    void cw_sort_small_table_##many##_tiny(struct small_shape *s);  \
    void cw_sort_small_table_##few##_tiny(struct small_shape *s);   \
    void cw_sort_small_table_##many##_large(struct small_shape *s); \
    void cw_sort_small_table_##few##_large(struct small_shape *s);
CW_SMALL_TYPES(SMALL_DECLARE)
#undef SMALL_DECLARE

/* cw_sort_small_k4 and the like, from SMALL_TYPE. */
#define SMALL_NAME NAME_OF2(cw_sort_small_, SMALL_TYPE)

#endif
