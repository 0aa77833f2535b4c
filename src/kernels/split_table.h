/* split_table.h - the partition's kernels for one type of item, as launches want them.
 *
 * A source in src/cuda or src/emulated defines SPLIT_TYPE (k32: keys of 4 bytes; p32: with values of
 * 4) and GRID_VALUES, and includes split_kernels.h, which fills such a table.
 */
#ifndef CW_SPLIT_TABLE_H
#define CW_SPLIT_TABLE_H

#include "kernels/list.h"

enum split_kernel {
    SPLIT_ONCE,  /* one bit, plain keys, any order: no counting */
    SPLIT_TILE1, /* one bit, plain keys */
    SPLIT_TILE5, /* up to 5 bits */
    SPLIT_TILE5_ANY,
    SPLIT_TILE8,
    SPLIT_TILE8_ANY,
    SPLIT_WIDE, /* pairs: longer tiles, for many bins in long arrays */
    SPLIT_WIDE_ANY,
    SPLIT_RING,
    SPLIT_RING_ANY,
    SPLIT_KERNELS
};

struct split_shape {
    uint32_t threads, items, blocks; /* blocks that a multiprocessor holds */
};

struct split_table {
    enum cw_kernel kernel[SPLIT_KERNELS];
    uint32_t shared[SPLIT_KERNELS];
    uint32_t width; /* bits of a digit, at most */
    uint32_t count_threads, count_blocks, count_shared, scan_threads, scan_shared;
    uint32_t turns; /* that are counted one by one, about, at most */
    struct split_shape tile, wide;
    uint64_t wide_least; /* items for which tiles are wide, if bins are many; 0: none are */
    uint32_t ring_threads, ring_items, ring_blocks, ring_room;
    uint32_t processors; /* that pieces are made for */
};

#ifdef __cplusplus
extern "C" {
#endif
void cw_split_k32_table_cuda(struct split_table *t);
void cw_split_p32_table_cuda(struct split_table *t);
void cw_split_p32_wide_cuda(struct split_table *t);
void cw_split_k32_table_small(struct split_table *t);
void cw_split_p32_table_small(struct split_table *t);
void cw_split_p32_wide_small(struct split_table *t);
#ifdef __cplusplus
}
#endif

#define SPLIT_PASTE3(a, b, c) a##b##c
#define SPLIT_PASTE(a, b, c)  SPLIT_PASTE3(a, b, c)
#define SPLIT_NAME(x)         SPLIT_PASTE(cw_split_, SPLIT_TYPE, _##x)
#define SPLIT_ENUM(x)         SPLIT_PASTE(CW_KERNEL_cw_split_, SPLIT_TYPE, _##x)

#endif
