/* table.h - the partition's kernels for one type of item, as launches want them.
 *
 * An instance (src/instances.def) defines PARTITION_TYPE (k32: keys of 4 bytes; p32: with values of
 * 4), PAYLOAD_BYTES and SHAPES, and includes partition/kernels.h, which fills such a table.
 */
#ifndef CW_PARTITION_TABLE_H
#define CW_PARTITION_TABLE_H

#include "backend/kernel_list.h"

enum partition_kernel {
    PARTITION_ONCE,  /* one bit, plain keys, any order: no counting */
    PARTITION_TILE1, /* one bit, plain keys */
    PARTITION_TILE5, /* up to 5 bits */
    PARTITION_TILE5_ANY,
    PARTITION_TILE8,
    PARTITION_TILE8_ANY,
    PARTITION_COMBINING,
    PARTITION_COMBINING_ANY,
    PARTITION_KERNELS
};

struct partition_shape {
    uint32_t threads, items, blocks; /* blocks that a multiprocessor holds */
};

struct partition_table {
    enum cw_kernel kernel[PARTITION_KERNELS];
    uint32_t shared[PARTITION_KERNELS];
    uint32_t width; /* bits of a digit, at most */
    uint32_t count_threads, count_blocks, count_shared, scan_threads, scan_shared;
    uint32_t tickets; /* that are counted one by one, about, at most */
    struct partition_shape tile;
    uint32_t queue_threads, queue_items, queue_blocks, queue_room;
    uint32_t processors; /* that pieces are made for */
};

#ifdef __cplusplus
extern "C" {
#endif
void cw_partition_k32_table_tiny(struct partition_table *t);
void cw_partition_k32_table_large(struct partition_table *t);
void cw_partition_p32_table_tiny(struct partition_table *t);
void cw_partition_p32_table_small(struct partition_table *t);
void cw_partition_p32_table_large(struct partition_table *t);
#ifdef __cplusplus
}
#endif

#define PARTITION_NAME(x) NAME_OF3(cw_partition_, PARTITION_TYPE, _##x)
#define PARTITION_ENUM(x) KERNEL_ID(PARTITION_NAME(x))

#endif
