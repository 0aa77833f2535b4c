/* sort_short.h - lemma 1: a short and wide matrix, in row-major order.
 *
 * As the paper states it (w | m, w <= sqrt(m)), twice:
 *
 *   1. sort rows in alternating directions      3. sort rows
 *   2. row-major to column-major                4. column-major to row-major
 *
 * and sort the rows once more.  short_literal is that.
 *
 * The general form needs one round, and no divisibility.  After step 1 the
 * row-major sequence of 0-1 marks has at most h transitions, so at most
 * C = ceil(h/2) maximal runs of zeros, or of ones.  Step 2 deals the sequence to
 * the rows; a run of length l gives floor(l/h) or ceil(l/h) to each row, so the
 * rows' zero counts differ by at most C.  Step 3 leaves at most C dirty columns
 * and step 4 puts these into h*C consecutive places, which touch two rows if
 * h*C <= m + 1.  Then the last K = h*C - 1 items of each row are merged with the
 * first K of the next (window_merge), which sorts whichever two rows are dirty.
 *
 * Steps 3 and 5 sort rows that consist of h sorted runs (the rows dealt out, or
 * the columns of h sorted rows), so they can be merges: 2m steps a pass, and
 * passes_of(h, ways) passes rather than row_passes(m, ways).  For the partition
 * problem, rows sorted by counting make all of it O(m): the paper's corollary.
 *
 * Time: short_steps.   Space: one more buffer, m words a row.
 */
#ifndef CW_PAPER_SORT_SORT_SHORT_H
#define CW_PAPER_SORT_SORT_SHORT_H

#include "paper/convert/convert.h"
#include "paper/sort/rows.h"

/* Sort every row of v; `alt` turns odd rows round.  The result stands at column `to`. */
DEV void sort_rows(mem s, view v, int desc, int alt, int to)
{
    const int r = view_row(s, v);

    order_row(s, lane_id(s), v.a, v.b, to, v.m, desc ^ (alt & r & 1), v.by);
    view_sync(s, v);
}

/* Does the general form take this shape? */
DEV int short_fits(int h, int m)
{
    return (long long)h * ((h + 1) / 2) <= (long long)m + 1;
}

/* Items on each side of a seam that may be out of place. */
DEV int short_window(int h)
{
    return h * ((h + 1) / 2) - 1;
}

/* How a row that consists of `count` sorted runs is sorted: by merging them, or as if
 * nothing were known of it.  Either may leave it in the other buffer. */
enum { TIDY_NONE, TIDY_MERGE, TIDY_SORT };

DEV int tidy_kind(int m, int count, sorter by)
{
    const int move = by.bits && (radix_passes(by) & 1);

    if (count < 2)
        return TIDY_NONE;
    if (by.rows == ROWS_RADIX && by.bits)
        return TIDY_SORT;
    return 2LL * m * passes_of(count, by.ways) < order_steps(m, by, move) ? TIDY_MERGE : TIDY_SORT;
}

/* 1 if the row ends in the other buffer. */
DEV int tidy_moves(int m, int count, sorter by)
{
    const int kind = tidy_kind(m, count, by);

    if (kind == TIDY_MERGE)
        return passes_of(count, by.ways) & 1;
    return kind == TIDY_SORT && by.bits && (radix_passes(by) & 1);
}

DEV long long tidy_steps(int m, int count, sorter by)
{
    const int kind = tidy_kind(m, count, by);

    if (kind == TIDY_MERGE)
        return 2LL * m * passes_of(count, by.ways);
    return kind == TIDY_SORT ? order_steps(m, by, tidy_moves(m, count, by)) : 0;
}

/* Sort m items of the calling processor's row, at column `from`, of which the runs are
 * known; they end at `other` if tidy_moves. */
DEV void tidy(mem s, int from, int other, runs u, int desc, sorter by)
{
    const int kind = tidy_kind(u.m, u.count, by);

    if (kind == TIDY_MERGE)
        merge_row(s, lane_id(s), from, other, u, 1, desc, by.ways);
    else if (kind == TIDY_SORT)
        order_row(s, lane_id(s), from, other, tidy_moves(u.m, u.count, by) ? other : from, u.m,
                  desc, by);
}

/* The same for the calling processor's row of v; returns the view of where it is now. */
DEV view tidy_row(mem s, view v, runs u, int desc)
{
    tidy(s, v.a, v.b, u, desc, v.by);
    view_sync(s, v);
    return tidy_moves(v.m, u.count, v.by) ? view_flip(v) : v;
}

/* Merge the last K items of row r with the first K of row r + 1, for all r of one
 * parity (or all: -1).  Processor r copies the K of row r + 1, then takes the 2K
 * from the far end: the first K go to row r + 1, the others to row r, over items
 * already taken.  All processors read their own bank in one step and write to the
 * next bank, or to their own, in the other: no bank is asked twice.
 * Time: 6K + 1 steps. */
DEV void window_merge(mem s, view v, int K, int parity, int desc)
{
    const int r = view_row(s, v);
    int left = K, copied = K; /* items not yet taken: of the row's end, of the copy */
    word x, y;

    view_sync(s, v);
    if (r + 1 < v.h && (parity < 0 || (r & 1) == parity)) {
        ROLL for (int j = 0; j < K; j++) /* K is not the same in blocks of two heights */
        {
            const word z = get(s, v, r + 1, j);

            bank_write(s, lane_id(s), v.b + j, z);
        }
        x = get(s, v, r, v.m - 1);
        y = bank_read(s, lane_id(s), v.b + K - 1);
        lane_pass(s); /* lanes of a warp go step by step: some take of one row, some of the other */
        for (int o = 0; o < 2 * K; o++) {
            const int own = !copied || (left && before(y, x, desc));

            if (o < K)
                put(s, v, r + 1, K - 1 - o, own ? x : y);
            else
                put(s, v, r, v.m - 1 - (o - K), own ? x : y);
            if (o == 2 * K - 1)
                break;
            if (own && --left)
                x = get(s, v, r, v.m - 1 - (K - left));
            else if (!own && --copied)
                y = bank_read(s, lane_id(s), v.b + copied - 1);
            else
                lane_skip(s);
        }
    }
    view_sync(s, v);
}

DEV long long seam_steps(int h, int m)
{
    const long long K = short_window(h);

    return h < 2 || K < 1 ? 0 : (2 * K <= m || h == 2 ? 1 : 2) * (6 * K + 1);
}

/* Steps 2 to 5 and the seams, on rows that are sorted: odd ones turned round, or, with
 * `flip`, all one way (then odd rows are read backwards).  `turned`: even rows, as
 * read, run against desc, and odd ones with it; it makes no difference which do.
 * The data ends in the buffer it came in: two conversions and twice the same merges. */
DEV void short_rest(mem s, view v, int desc, int flip, int turned)
{
    const int r = view_row(s, v);
    const int K = short_window(v.h);

    if (v.h < 2)
        return;
    v = r2c_part(s, v, v.m, flip);
    v = tidy_row(s, v, runs_make(RUNS_DEALT, v.h, v.m, r, v.m, 1 + turned), desc);
    view_phase(s, v, "short: rows dealt and sorted");
    v = c2r(s, v);
    v = tidy_row(s, v, runs_make(RUNS_STRIDED, v.h, v.m, 0, 0, 0), desc);
    view_phase(s, v, "short: two dirty rows");
    window_merge(s, v, K, 2 * K <= v.m ? -1 : 0, desc);
    if (2 * K > v.m)
        window_merge(s, v, K, 1, desc);
    view_phase(s, v, "short: sorted");
}

DEV long long short_rest_steps(int h, int m, sorter by)
{
    return h < 2 ? 0 : 4LL * m + 2 * tidy_steps(m, h, by) + seam_steps(h, m);
}

/* The general form; needs short_fits(v.h, v.m). */
DEV void sort_short(mem s, view v, int desc)
{
    sort_rows(s, v, desc, 1, v.a);
    view_phase(s, v, "short: rows alternate");
    short_rest(s, v, desc, 0, 0);
}

DEV long long short_steps(int h, int m, sorter by)
{
    return order_steps(m, by, 0) + short_rest_steps(h, m, by);
}

/* The paper's algorithm, word for word. */
DEV void short_literal(mem s, view v, int desc)
{
    for (int round = 0; round < 2; round++) {
        sort_rows(s, v, desc, 1, v.a);
        v = r2c(s, v);
        view_phase(s, v, "lemma 1: steps 1 and 2");
        sort_rows(s, v, desc, 0, v.a);
        v = c2r(s, v);
        view_phase(s, v, "lemma 1: steps 3 and 4");
    }
    sort_rows(s, v, desc, 0, v.a);
    view_phase(s, v, "lemma 1: sorted");
}

DEV long long short_literal_steps(int m, sorter by)
{
    return 5 * order_steps(m, by, 0) + 8LL * m;
}

#endif
