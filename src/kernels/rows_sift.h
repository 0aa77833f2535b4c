/* rows_sift.h - rows of mixed lengths, listed by class.
 *
 * A thread a row.  The lanes of a warp whose rows go to one list get places in it by one atomic.  A row that is empty, too long, or given by offsets that fall or point past the items is in
 * no list; nor is one for which the list, whose size follows from the number of items, has no room.
 * No shared memory.
 */
#ifndef CW_ROWS_SIFT_H
#define CW_ROWS_SIFT_H

#include "dev/kernel.h"
#include "kernels/rows.h"

/* The list that a row belongs to; 0 for none. */
DEV uint32_t sift_list(const struct cw_rows_arg *a, uint64_t start, uint64_t end)
{
    uint32_t c = 1;

    if (start >= end || end > a->items || end - start > a->length)
        return 0;
    while ((uint64_t)1 << c < end - start)
        c++;
    if (c >= a->full && c <= a->last && (uint64_t)1 << c == end - start &&
        start * (a->map.bits / 8u) % 16u == 0)
        c += CW_ROWS_FULL;
    return c;
}

KERNEL(cw_rows_sift, struct cw_rows_arg, 256, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    const uint64_t whole = (arg->rows + 31u) / 32u * 32u; /* so that warps stay together */

    for (uint64_t row = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; row < whole; row += step) {
        const uint64_t start = row < arg->rows ? gm_ld8(arg->offsets + row) : 0u;
        const uint64_t end = row < arg->rows ? gm_ld8(arg->offsets + row + 1) : 0u;
        const uint32_t c = sift_list(arg, start, end);
        const uint32_t peers = match_any4(c);
        const uint32_t leader = (uint32_t)low_bit(peers);
        uint32_t first = 0;

        if (c && leader == LANE_ID)
            first = gm_add4(arg->counts + c, bit_count(peers));
        first = shfl4(first, leader);
        if (c) {
            const uint64_t at = first + bit_count(peers & ((1u << LANE_ID) - 1u));

            if (at < arg->list_at[c + 1] - arg->list_at[c])
                gm_st8(arg->lists + arg->list_at[c] + at, start << 16 | (end - start));
        }
    }
}

#endif
