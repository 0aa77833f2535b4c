/* grid_row_kernels.h - the kernels of grid_rows.h for rows of 2^10 .. 2^13 items.
 *
 * The network is that of 4-byte words for all items, so u64 keys need a source of their own for
 * this (KEY_LOG 2, ROW_WIDE 1), apart from the passes (KEY_LOG 3).
 */
#include "kernels/grid_rows.h"
#include "kernels/grid_table.h"

#if GRID_VALUES || ROW_WIDE
#define ROWS_KERNEL rows_of_items
#define ROWS_BLOCKS 16 /* warps that a multiprocessor should hold */
#else
#define ROWS_KERNEL rows_of_keys
#define ROWS_BLOCKS 28
#endif

KERNEL(GRID_NAME(rows_10), struct grid_rows_job, 32, ROWS_BLOCKS)
{
    ROWS_KERNEL(arg, 10, 2, 5);
}

KERNEL(GRID_NAME(rows_11), struct grid_rows_job, 64, ROWS_BLOCKS / 2)
{
    ROWS_KERNEL(arg, 11, 1, 4);
}

KERNEL(GRID_NAME(rows_12), struct grid_rows_job, 128, ROWS_BLOCKS / 4)
{
    ROWS_KERNEL(arg, 12, 1, 3);
}

KERNEL(GRID_NAME(rows_13), struct grid_rows_job, 256, (ROWS_BLOCKS + 4) / 8)
{
    ROWS_KERNEL(arg, 13, 1, 3);
}

#define GRID_ENTRY2(name) name##_entry()
#define GRID_ENTRY(name)  GRID_ENTRY2(name)

/* Their part of the table. */
extern "C" void GRID_NAME(row_table)(struct grid_table *t)
{
    t->row[0] = GRID_ENTRY(GRID_NAME(rows_10));
    t->row[1] = GRID_ENTRY(GRID_NAME(rows_11));
    t->row[2] = GRID_ENTRY(GRID_NAME(rows_12));
    t->row[3] = GRID_ENTRY(GRID_NAME(rows_13));
    t->row_shared[0] = ROW_SHARED(10);
    t->row_shared[1] = ROW_SHARED(11);
    t->row_shared[2] = ROW_SHARED(12);
    t->row_shared[3] = ROW_SHARED(13);
    t->row_threads = 32u * ROWS_BLOCKS;
}
