/* parts_kernels.h - the kernels for rows in parts, of one word size.  A source defines KEY_LOG,
 * ROWS_LOG_K, ROWS_WORD (u32), ROWS_LAST (the longest class that a block sorts) and its
 * ROWS_LAST_MADS, and includes this once.  In small shapes parts are half as long: their words fit
 * the 99 KB of shared memory that a block has there. */
#include "dev/kernel.h"

#define ROWS_K (1 << ROWS_LOG_K)
#include "tuning/rows.h"
#include "rows/parts.h"

#if SHAPES == SHAPES_SMALL
#define PARTS_LOG (ROWS_LAST - 1)
#else
#define PARTS_LOG ROWS_LAST
#endif
#define PARTS_THREADS (1 << (PARTS_LOG - ROWS_LOG_K))

FITS(CW_ROWS_SHARED(PARTS_THREADS, 1 << KEY_LOG, ROWS_LOG_K));

KERNEL(ROWS_NAME(parts), struct cw_rows_arg, PARTS_THREADS, 1)
{
    const struct row_shape s = {ROWS_LOG_K, PARTS_LOG, 1, ROWS_LAST_MADS, 0};

    rows_parts_sort(arg, s);
}

KERNEL(ROWS_NAME(step), struct cw_rows_arg, CW_ROWS_STEP_THREADS, 2)
{
    rows_step(arg, PARTS_LOG);
}

KERNEL(ROWS_NAME(merge), struct cw_rows_arg, PARTS_THREADS, 1)
{
    const struct row_shape s = {ROWS_LOG_K, PARTS_LOG, 1, ROWS_LAST_MADS, 0};

    rows_parts_merge(arg, s);
}
