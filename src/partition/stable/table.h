/* table.h - the stable partition's kernels for one width of key and payload, as launches want them. */
#ifndef CW_PARTITION_STABLE_TABLE_H
#define CW_PARTITION_STABLE_TABLE_H

#include "backend/kernel_list.h"

struct stable_shape {
    enum cw_kernel kernel;
    uint32_t threads;
    uint32_t items; /* of a tile; in one launch: of a thread, at most */
    uint32_t shared;
    uint32_t rows;  /* tiles of a launch, at most; in one launch, or short: blocks, at most */
    uint32_t few;   /* in one launch: blocks, if they hold the array */
    uint32_t self;  /* .. items of an array of which each block counts all */
    uint32_t alone; /* .. items that one block moves */
    uint32_t most;  /* .. of an array; short: the same */
};

/* Keys of up to 4 bytes, and of 8; payloads of none, up to 4, 8 and 16 bytes. */
#define CW_STABLE_TYPES(T) T(k4) T(k4_v4) T(k4_v8) T(k4_v16) T(k8) T(k8_v4) T(k8_v8) T(k8_v16)

/* In one launch, for up to 256 and up to 1024 buckets. */
#define CW_STABLE_ONE_TYPES(T) T(k4_256) T(k4_1024) T(k8_256) T(k8_1024)

#define STABLE_DECLARE(type)                                            \
    void cw_partition_pass_table_##type##_tiny(struct stable_shape *s); \
    void cw_partition_pass_table_##type##_large(struct stable_shape *s);
CW_STABLE_TYPES(STABLE_DECLARE)
#undef STABLE_DECLARE

#define STABLE_DECLARE(type)                                           \
    void cw_partition_one_table_##type##_tiny(struct stable_shape *s); \
    void cw_partition_one_table_##type##_large(struct stable_shape *s);
CW_STABLE_ONE_TYPES(STABLE_DECLARE)
#undef STABLE_DECLARE

/* Short arrays, keys of any width. */
void cw_partition_short_table_tiny(struct stable_shape *s);
void cw_partition_short_table_large(struct stable_shape *s);

#endif
