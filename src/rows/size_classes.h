/* size_classes.h - rows of mixed lengths are listed by class.
 *
 * A thread has one row.  Lanes of a warp whose rows go to one list get places in it by one atomic.
 * If there are many rows, a warp takes 256 at a time, which need one atomic if they all go to one
 * list.  Otherwise rows of one length would wait for one counter.
 *
 * A row is in no list if it is empty, too long, or given by offsets that fall or point past the
 * items.  Neither is a row for which its list has no room.  The size of a list follows from the
 * number of items.  No shared memory.
 *
 * Classes by length: Hou, Liu, Wang and Feng (segmented sort, ICS 2017).
 */
#ifndef CW_ROWS_SIZE_CLASSES_H
#define CW_ROWS_SIZE_CLASSES_H

#include "dev/kernel.h"
#include "rows/bounds.h"

#define CLASS_EACH 8u /* rows of a lane, where there are many */
#if SHAPES != SHAPES_TINY
#define CLASS_MANY (1u << 18)
#else
#define CLASS_MANY 512u
#endif

/* The list that a row belongs to; 0 for none. */
DEV uint32_t class_of(const struct cw_rows_arg *a, struct row_bounds b)
{
    const uint64_t start = b.start, end = b.end;
    uint32_t c = 1;

    if (!bounds_hold(a, b))
        return 0;
    while ((uint64_t)1 << c < end - start)
        c++;
    if (c > a->top)
        return CW_ROWS_LONG;
    if (a->threes >> c & 1u && end - start <= (uint64_t)3 << c >> 2)
        return c + CW_ROWS_THREE;
    if (c >= a->full && c <= a->last && (uint64_t)1 << c == end - start &&
        start * (a->map.bits / 8u) % 16u == 0)
        c += CW_ROWS_FULL;
    return c;
}

/* Put a row that is sorted in parts on its list, as entry `at`.  Parts for which there is no room
 * are in no list, and neither is the row. */
DEV void class_put_long(const struct cw_rows_arg *a, uint32_t at, struct row_bounds b)
{
    const uint64_t length = b.end - b.start;
    const uint64_t parts = (length + ((uint64_t)1 << a->last) - 1u) >> a->last;
    uint64_t *const entry = a->lists + a->list_at[CW_ROWS_LONG] + 2u * (uint64_t)at;
    uint32_t first;

    if (2u * (uint64_t)at + 1u >= a->list_at[CW_ROWS_LONG + 1] - a->list_at[CW_ROWS_LONG])
        return;
    first = gm_add4(a->counts + CW_ROWS_PARTS, (uint32_t)parts);
    gm_st8(entry, b.start);
    gm_st8(entry + 1, length << 32 | first);
}

/* Put the row on list c, as entry `at`. */
DEV void class_put(const struct cw_rows_arg *a, uint32_t c, uint32_t at, struct row_bounds b)
{
    if (c == CW_ROWS_LONG)
        class_put_long(a, at, b);
    else if (c && at < a->list_at[c + 1] - a->list_at[c])
        gm_st8(a->lists + a->list_at[c] + at, b.start << 16 | (b.end - b.start));
}

DEV struct row_bounds class_bounds(const struct cw_rows_arg *a, uint64_t row, uint64_t rows)
{
    const struct row_bounds none = {0, 0};

    return row < rows ? row_bounds_of(a, row) : none;
}

/* List 32 rows, one a lane. */
DEV void class_warp(const struct cw_rows_arg *a, uint32_t c, struct row_bounds b)
{
    const uint32_t peers = match_any4(c);
    const uint32_t leader = (uint32_t)low_bit(peers);
    uint32_t first = 0;

    if (c && leader == LANE_ID)
        first = gm_add4(a->counts + c, bit_count(peers));
    first = shfl4(first, leader);
    class_put(a, c, first + bit_count(peers & ((1u << LANE_ID) - 1u)), b);
}

/* List 32 CLASS_EACH rows, from `row` on. */
DEV void class_many(const struct cw_rows_arg *a, uint64_t row)
{
    struct row_bounds b[CLASS_EACH];
    uint32_t c[CLASS_EACH], first = 0;
    int same = 1;

    if (a->offset_bytes == 8) { /* one test, so that all loads are in flight */
        const uint64_t *const start = (const uint64_t *)a->offsets + row + LANE_ID;
        const uint64_t *const end = (const uint64_t *)a->ends + row + LANE_ID;

        UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) b[k].start = gm_ld8(start + 32u * k);
        UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) b[k].end = gm_ld8(end + 32u * k);
    } else {
        const uint32_t *const start = (const uint32_t *)a->offsets + row + LANE_ID;
        const uint32_t *const end = (const uint32_t *)a->ends + row + LANE_ID;

        UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) b[k].start = gm_ld4(start + 32u * k);
        UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) b[k].end = gm_ld4(end + 32u * k);
    }
    UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) c[k] = class_of(a, b[k]);
    first = shfl4(c[0], 0);
    UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) same = same && c[k] == first;
    if (!all_of(same)) {
        UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++) class_warp(a, c[k], b[k]);
        return;
    }
    if (c[0] && LANE_ID == 0)
        first = gm_add4(a->counts + c[0], 32u * CLASS_EACH);
    first = shfl4(first, 0);
    UNROLL for (uint32_t k = 0; k < CLASS_EACH; k++)
    {
        class_put(a, c[k], first + 32u * k + LANE_ID, b[k]);
    }
}

KERNEL(cw_rows_classes, struct cw_rows_arg, CW_ROWS_CLASS_THREADS, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    const uint64_t rows = rows_there(arg);
    const uint64_t many = rows >= CLASS_MANY ? rows / (32u * CLASS_EACH) : 0u;
    const uint64_t whole = (rows + 31u) / 32u * 32u; /* so that warps stay together */

    for (uint64_t k = (uint64_t)BLOCK_ID * (BLOCK_DIM / 32u) + WARP_ID; k < many; k += step / 32u)
        class_many(arg, k * 32u * CLASS_EACH);
    for (uint64_t row = many * 32u * CLASS_EACH + (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;
         row < whole; row += step) {
        const struct row_bounds b = class_bounds(arg, row, rows);

        class_warp(arg, class_of(arg, b), b);
    }
}

/* List the parts of every row that is sorted in parts.  A block has one row. */
KERNEL(cw_rows_list_parts, struct cw_rows_arg, CW_ROWS_CLASS_THREADS, 4)
{
    const uint64_t room = (arg->list_at[CW_ROWS_LONG + 1] - arg->list_at[CW_ROWS_LONG]) / 2u;
    const uint64_t most = arg->list_at[CW_ROWS_PARTS + 1] - arg->list_at[CW_ROWS_PARTS];
    const uint64_t count = gm_ld4(arg->counts + CW_ROWS_LONG);
    const uint32_t part = 1u << arg->last;

    for (uint64_t k = BLOCK_ID; k < (count < room ? count : room); k += GRID_DIM) {
        const uint64_t *const entry = arg->lists + arg->list_at[CW_ROWS_LONG] + 2u * k;
        const uint64_t start = gm_ld8(entry);
        const uint64_t x = gm_ld8(entry + 1);
        const uint64_t length = x >> 32, first = x & 0xffffffffu;
        const uint64_t parts = (length + part - 1u) / part;

        const int fits = first + parts <= most; /* else rows overlap, and this one is left out */

        for (uint64_t p = THREAD_ID; p < parts && first + p < most; p += BLOCK_DIM) {
            const uint64_t rest = fits ? length - p * part : 0u;

            gm_st8(arg->lists + arg->list_at[CW_ROWS_PARTS] + first + p,
                   (start + p * part) << 16 | (rest < part ? rest : part));
            gm_st8(arg->part_rows + first + p, fits ? first << 32 | parts : (first + p) << 32 | 1u);
        }
    }
}

#endif
