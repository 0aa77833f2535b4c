/* bounds.h - where a row begins and ends, as the caller's offsets say. */
#ifndef CW_ROWS_BOUNDS_H
#define CW_ROWS_BOUNDS_H

#include "rows/job.h"

/* Rows that there are. */
DEV uint64_t rows_there(const struct cw_rows_arg *a)
{
    uint64_t count;

    if (!a->count)
        return a->rows;
    count = a->count_bytes == 8 ? gm_ld8(a->count) : gm_ld4(a->count);
    return count < a->rows ? count : a->rows;
}

struct row_bounds {
    uint64_t start, end;
};

/* Offset `at` of an array.  One below 0 becomes a large one. */
DEV uint64_t offset_of(const struct cw_rows_arg *a, const void *offsets, uint64_t at)
{
    if (a->offset_bytes == 8)
        return gm_ld8((const uint64_t *)offsets + at);
    return gm_ld4((const uint32_t *)offsets + at);
}

DEV struct row_bounds row_bounds_of(const struct cw_rows_arg *a, uint64_t row)
{
    struct row_bounds b;

    b.start = offset_of(a, a->offsets, row);
    b.end = offset_of(a, a->ends, row);
    return b;
}

/* Is there such a row, does it lie within the items, and is it no longer than was said? */
DEV int bounds_hold(const struct cw_rows_arg *a, struct row_bounds b)
{
    return b.start < b.end && b.end <= a->items && b.end - b.start <= a->length;
}

#endif
