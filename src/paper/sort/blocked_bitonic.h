/* blocked_bitonic.h - bitonic sort with a row as a block: no conflicts, any w and m.
 *
 * The strongest of the old methods: Batcher's bitonic sort of the row-major
 * sequence.  Rows are sorted first; phase k = 1, 2, .. then makes sorted blocks of
 * 2^k rows out of sorted blocks of 2^(k-1) rows:
 *
 *      mirror   row r against row (size-1-r) of its block of size = 2^k rows, and
 *               column c against column m-1-c: the first half with the second reversed
 *      cross    rows r and r ^ st, st = size/4, .., 1, column against same column
 *      rows     bitonic_row: each row is cyclically bitonic by now, sort it
 *
 * Why it sorts.  Two rising sequences, the second reversed, are one bitonic
 * sequence; a half-cleaner makes of a cyclically bitonic sequence of length 2B two
 * of length B, none of the first greater than any of the second, for every B.
 * (That the mirror leaves the second half reversed does not matter: a reversed
 * cyclically bitonic sequence is one.)  The lengths are size/2 * m, size/4 * m, .., m.
 *
 * Any w.  Every comparator leaves the smaller item in the row of the smaller
 * number.  So think of rows w, w+1, .. up to a power of two, full of an item above
 * all others: a comparator with one of them changes nothing and is left out.
 *
 * Why no bank is asked twice.  A stage pairs the rows; of a pair each processor
 * takes half of the columns, and both go  own, partner's, own, partner's.  In every
 * step each processor of a pair is at the other of the pair's two banks.  If m is
 * odd, both do the middle column: read own, read partner's, write own.
 *
 * Time: sort_row + K(K+1)/2 * (2m + (m odd)) + K * (3m - 1), K = ceil(lg w).
 * Space: m words a row besides the row itself.
 */
#ifndef CW_PAPER_SORT_BLOCKED_BITONIC_H
#define CW_PAPER_SORT_BLOCKED_BITONIC_H

#include "paper/sort/rows.h"

/* Compare and exchange row r with row p, the smaller items to the upper row. */
DEV void cross_rows(mem s, view v, int r, int p, int mirror)
{
    const int upper = r < p;
    const int from = upper ? 0 : v.m - v.m / 2;

    for (int c = from; c < from + v.m / 2; c++) {
        const int d = mirror ? v.m - 1 - c : c; /* c: in the upper row, d: in the lower */
        const int mine = upper ? c : d;
        const int other = upper ? d : c;
        const word x = get(s, v, r, mine);
        const word y = get(s, v, p, other);
        const int keep = upper ? x <= y : x >= y;

        put(s, v, r, mine, keep ? x : y);
        put(s, v, p, other, keep ? y : x);
    }
    if (v.m % 2) {
        const word x = get(s, v, r, v.m / 2);
        const word y = get(s, v, p, v.m / 2);

        /* both have read both before one writes */
        group_sync(s, bank_of(v, upper ? r : p), (upper ? p - r : r - p) * v.stride, 2);
        put(s, v, r, v.m / 2, (upper ? x <= y : x >= y) ? x : y);
    }
}

/* Merge blocks of size/2 sorted rows to blocks of size; the rows end in v.b. */
DEV view merge_blocks(mem s, view v, int size)
{
    const int r = view_row(s, v);
    const int mirrored = r ^ (size - 1);

    view_sync(s, v);
    if (mirrored < v.h)
        cross_rows(s, v, r, mirrored, 1);
    for (int st = size / 4; st > 0; st /= 2) {
        view_sync(s, v); /* the next partner must have finished with the last one */
        if ((r ^ st) < v.h)
            cross_rows(s, v, r, r ^ st, 0);
    }
    view_sync(s, v);
    if (v.m > 1) {
        bitonic_row(s, bank_of(v, r), v.a, v.b, v.m, 0);
        v = view_flip(v);
    }
    view_phase(s, v, "blocks merged");
    return v;
}

/* Sort v in row-major order; the data stands in v.a again in the end. */
DEV void blocked_bitonic(mem s, view v)
{
    const int moves = v.m > 1 ? passes_of(v.h, 2) : 0; /* from buffer to buffer, later */
    const int start = moves % 2 ? v.b : v.a;

    sort_row(s, lane_id(s), v.a, v.b, start, v.m, 0, v.by.ways);
    if (start != v.a)
        v = view_flip(v);
    view_phase(s, v, "rows sorted");
    for (int size = 2; size / 2 < v.h; size *= 2)
        v = merge_blocks(s, v, size);
}

#endif
