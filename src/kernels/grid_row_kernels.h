/* grid_row_kernels.h - the kernels of grid_rows.h for rows of 2^10 .. 2^13 items.
 *
 * The network is that of 4-byte words for all items, so u64 keys need a source of their own for
 * this (KEY_LOG 2, ROW_WIDE 1), apart from the passes (KEY_LOG 3).
 */
#include "dev/kernel.h"
#include "kernels/grid_table.h"
#include "kernels/grid_rows.h"

#if GRID_VALUES || ROW_WIDE
#define ROWS_KERNEL rows_of_items
#define ROWS_BLOCKS 16 /* warps that a multiprocessor should hold */
#else
#define ROWS_KERNEL rows_of_keys
#define ROWS_BLOCKS 28
#endif

KERNEL(GRID_NAME(rows_10), struct grid_job, 32, ROWS_BLOCKS)
{
    ROWS_KERNEL(arg, 10, 2, 5);
}

KERNEL(GRID_NAME(rows_11), struct grid_job, 64, ROWS_BLOCKS / 2)
{
    ROWS_KERNEL(arg, 11, 1, 4);
}

KERNEL(GRID_NAME(rows_12), struct grid_job, 128, ROWS_BLOCKS / 4)
{
    ROWS_KERNEL(arg, 12, 1, 3);
}

KERNEL(GRID_NAME(rows_13), struct grid_job, 256, (ROWS_BLOCKS + 4) / 8)
{
    ROWS_KERNEL(arg, 13, 1, 3);
}

/* Their part of the table. */
#if defined(__CUDACC__)
extern "C" void GRID_NAME(rows_cuda)(struct grid_table *t)
#else
void GRID_NAME(rows_small)(struct grid_table *t)
#endif
{
    t->row[0] = GRID_ENUM(rows_10);
    t->row[1] = GRID_ENUM(rows_11);
    t->row[2] = GRID_ENUM(rows_12);
    t->row[3] = GRID_ENUM(rows_13);
    t->row_shared[0] = ROW_SHARED(10);
    t->row_shared[1] = ROW_SHARED(11);
    t->row_shared[2] = ROW_SHARED(12);
    t->row_shared[3] = ROW_SHARED(13);
    t->row_threads = 32u * ROWS_BLOCKS;
}
