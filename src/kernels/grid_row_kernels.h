/* grid_row_kernels.h - the kernels of grid_rows.h for rows of 2^10 .. 2^13 items.
 *
 * The network is that of 4-byte words for all items, so u64 keys need a source of their own for
 * this (KEY_LOG 2, ROW_WIDE 1), apart from the passes (KEY_LOG 3).
 */
#include "dev/kernel.h"
#include "kernels/grid_table.h"
#include "kernels/grid_rows.h"

/* Warps that a multiprocessor should hold; the kernels for long arrays, whose rows are mostly narrow. */
#if ROW_WIDE
#define ROWS_KERNEL rows_of_items
#define ROWS_WARPS  16u
#elif GRID_VALUES
#define ROWS_KERNEL         rows_of_items
#define ROWS_WARPS          16u
#define NARROW_KERNEL       rows_of_pairs
#define NARROW_WARPS(log_n) 20u
#define NARROW_SHARED       PAIRS_SHARED
#else
#define ROWS_KERNEL         rows_of_keys
#define ROWS_WARPS          28u
#define NARROW_KERNEL       twos_of_keys
#define NARROW_WARPS(log_n) ((log_n) == 10 ? 28u : 32u)
#define NARROW_SHARED       TWOS_SHARED
#endif

#define ROWS_BLOCKS(warps, log_n) (((warps) + (1u << ((log_n)-10)) / 2u) >> ((log_n)-10))

KERNEL(GRID_NAME(rows_10), struct grid_job, 32, ROWS_BLOCKS(ROWS_WARPS, 10))
{
    ROWS_KERNEL(arg, 10, 2, 5);
}

KERNEL(GRID_NAME(rows_11), struct grid_job, 64, ROWS_BLOCKS(ROWS_WARPS, 11))
{
    ROWS_KERNEL(arg, 11, 1, 4);
}

KERNEL(GRID_NAME(rows_12), struct grid_job, 128, ROWS_BLOCKS(ROWS_WARPS, 12))
{
    ROWS_KERNEL(arg, 12, 1, 3);
}

KERNEL(GRID_NAME(rows_13), struct grid_job, 256, ROWS_BLOCKS(ROWS_WARPS, 13))
{
    ROWS_KERNEL(arg, 13, 1, 3);
}

#define ROWS(log_n)                                                                \
    {                                                                              \
        GRID_ENUM(rows_##log_n), ROW_SHARED(log_n), ROWS_BLOCKS(ROWS_WARPS, log_n) \
    }

#if ROW_WIDE
#define NARROW(log_n) ROWS(log_n)
#else
KERNEL(GRID_NAME(narrow_10), struct grid_job, 32, ROWS_BLOCKS(NARROW_WARPS(10), 10))
{
    NARROW_KERNEL(arg, 10, 2, 5);
}

KERNEL(GRID_NAME(narrow_11), struct grid_job, 64, ROWS_BLOCKS(NARROW_WARPS(11), 11))
{
    NARROW_KERNEL(arg, 11, 1, 4);
}

KERNEL(GRID_NAME(narrow_12), struct grid_job, 128, ROWS_BLOCKS(NARROW_WARPS(12), 12))
{
    NARROW_KERNEL(arg, 12, 1, 3);
}

KERNEL(GRID_NAME(narrow_13), struct grid_job, 256, ROWS_BLOCKS(NARROW_WARPS(13), 13))
{
    NARROW_KERNEL(arg, 13, 1, 3);
}

#define NARROW(log_n)                                                                            \
    {                                                                                            \
        GRID_ENUM(narrow_##log_n), NARROW_SHARED(log_n), ROWS_BLOCKS(NARROW_WARPS(log_n), log_n) \
    }
#endif

/* Their part of the table. */
#if defined(__CUDACC__)
extern "C" void GRID_NAME(rows_cuda)(struct grid_table *t)
#else
void GRID_NAME(rows_small)(struct grid_table *t)
#endif
{
    static const struct grid_row_kernel row[2][GRID_ROW_LOGS] = {
        {ROWS(10), ROWS(11), ROWS(12), ROWS(13)}, {NARROW(10), NARROW(11), NARROW(12), NARROW(13)}};

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < GRID_ROW_LOGS; k++)
            t->row[i][k] = row[i][k];
    }
}
