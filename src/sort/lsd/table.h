/* table.h - the LSD radix sort's kernels for one width of key and payload, as launches want
 * them. */
#ifndef CW_SORT_LSD_TABLE_H
#define CW_SORT_LSD_TABLE_H

#include "backend/kernel_list.h"

struct lsd_shape {
    enum cw_kernel kernel; /* of a pass */
    uint32_t threads;
    uint32_t items; /* of a tile */
    uint32_t shared;
    uint32_t rows; /* tiles of a launch, at most */
};

/* Keys of up to 4 bytes, and of 8; payloads of none, up to 4, 8 and 16 bytes. */
#define CW_LSD_TYPES(T) T(k4) T(k4_v4) T(k4_v8) T(k4_v16) T(k8) T(k8_v4) T(k8_v8) T(k8_v16)

#define LSD_DECLARE(type)                                \
    void cw_sort_lsd_##type##_tiny(struct lsd_shape *s); \
    void cw_sort_lsd_##type##_large(struct lsd_shape *s);
CW_LSD_TYPES(LSD_DECLARE)
#undef LSD_DECLARE

/* cw_sort_lsd_k4_pass and the like, from LSD_TYPE. */
#define LSD_NAME(x) NAME_OF3(cw_sort_lsd_, LSD_TYPE, _##x)
#define LSD_ENUM(x) KERNEL_ID(LSD_NAME(x))

#endif
