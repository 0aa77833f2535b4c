/* local_sort_kernels.h - the kernels of radix/local_sort.h for rows of 2^10 .. 2^13 items.
 *
 * The network is that of 4-byte words for all items, so u64 keys need a source of their own for
 * this (KEY_LOG 2, ROW_WIDE 1), apart from the passes (KEY_LOG 3).
 */
#include "dev/kernel.h"
#include "sort/radix/table.h"
#include "sort/radix/local_sort.h"

/* Kernels, and warps that a multiprocessor should hold.  Keys of 4 bytes have other kernels for
 * long arrays, whose rows mostly are narrow.  All rows of pairs go by kernels of that name. */
#if ROW_WIDE
#define ROWS_KERNEL rows_of_wide_keys
#define ROWS_WARPS  16u
#elif PAYLOAD_BYTES
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

#ifdef ROWS_KERNEL
KERNEL(RADIX_NAME(local_10), struct radix_job, 32, ROWS_BLOCKS(ROWS_WARPS, 10))
{
    ROWS_KERNEL(arg, 10, 2, 5);
}

KERNEL(RADIX_NAME(local_11), struct radix_job, 64, ROWS_BLOCKS(ROWS_WARPS, 11))
{
    ROWS_KERNEL(arg, 11, 1, 4);
}

KERNEL(RADIX_NAME(local_12), struct radix_job, 128, ROWS_BLOCKS(ROWS_WARPS, 12))
{
    ROWS_KERNEL(arg, 12, 1, 3);
}

KERNEL(RADIX_NAME(local_13), struct radix_job, 256, ROWS_BLOCKS(ROWS_WARPS, 13))
{
    ROWS_KERNEL(arg, 13, 1, 3);
}

#define ROWS(log_n)                                                                  \
    {                                                                                \
        RADIX_ENUM(local_##log_n), ROW_SHARED(log_n), ROWS_BLOCKS(ROWS_WARPS, log_n) \
    }

FITS(ROW_SHARED(13));
#endif

#ifdef NARROW_KERNEL
KERNEL(RADIX_NAME(local_narrow_10), struct radix_job, 32, ROWS_BLOCKS(NARROW_WARPS(10), 10))
{
    NARROW_KERNEL(arg, 10, 2, 5);
}

KERNEL(RADIX_NAME(local_narrow_11), struct radix_job, 64, ROWS_BLOCKS(NARROW_WARPS(11), 11))
{
    NARROW_KERNEL(arg, 11, 1, 4);
}

KERNEL(RADIX_NAME(local_narrow_12), struct radix_job, 128, ROWS_BLOCKS(NARROW_WARPS(12), 12))
{
    NARROW_KERNEL(arg, 12, 1, 3);
}

KERNEL(RADIX_NAME(local_narrow_13), struct radix_job, 256, ROWS_BLOCKS(NARROW_WARPS(13), 13))
{
    NARROW_KERNEL(arg, 13, 1, 3);
}

#define NARROW(log_n)                                           \
    {                                                           \
        RADIX_ENUM(local_narrow_##log_n), NARROW_SHARED(log_n), \
            ROWS_BLOCKS(NARROW_WARPS(log_n), log_n)             \
    }

FITS(NARROW_SHARED(13));
#endif

#ifndef ROWS_KERNEL
#define ROWS(log_n) NARROW(log_n)
#endif
#ifndef NARROW_KERNEL
#define NARROW(log_n) ROWS(log_n)
#endif

/* Their lines of the table. */
#if !defined(__CUDACC__) /* the emulator's wrappers know the sizes of all */
void SHAPES_TABLE(RADIX_NAME(rows))(struct radix_table *t)
{
    static const struct radix_row_kernel row[2][RADIX_ROW_LOGS] = {
        {ROWS(10), ROWS(11), ROWS(12), ROWS(13)}, {NARROW(10), NARROW(11), NARROW(12), NARROW(13)}};

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < RADIX_ROW_LOGS; k++)
            t->row[i][k] = row[i][k];
    }
}
#endif
