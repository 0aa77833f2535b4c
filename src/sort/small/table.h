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

/* Keys of up to 4 bytes, and of 8; payloads of none, up to 4, 8 and 16 bytes. */
#define CW_SMALL_TYPES(T) T(k4) T(k4_v4) T(k4_v8) T(k4_v16) T(k8) T(k8_v4) T(k8_v8) T(k8_v16)

#define SMALL_DECLARE(type)                                            \
    void cw_sort_small_table_##type##_tiny(struct small_shape *s);     \
    void cw_sort_small_table_##type##_few_tiny(struct small_shape *s); \
    void cw_sort_small_table_##type##_large(struct small_shape *s);    \
    void cw_sort_small_table_##type##_few_large(struct small_shape *s);
CW_SMALL_TYPES(SMALL_DECLARE)
#undef SMALL_DECLARE

/* cw_sort_small_k4 and the like, from SMALL_TYPE. */
#define SMALL_PASTE2(a, b) a##b
#define SMALL_PASTE(a, b)  SMALL_PASTE2(a, b)
#define SMALL_NAME         SMALL_PASTE(cw_sort_small_, SMALL_TYPE)

#endif
