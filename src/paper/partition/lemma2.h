/* lemma2.h - lemma 2: partition of a tall matrix in O(m log_m^3 w) steps.
 *
 * h is a power of two, m any width, h > m.  Let P and Q be the powers of two next to m,
 * P <= m <= Q.  R = ceil(log_P h) rounds of balancing bring the zero counts of the rows
 * within R of each other:
 *
 *   balance   rounds cur = 1, P, P^2, ..: of every group of g*cur rows (g = P, less in
 *             the last round) the g rows j, j + cur, .. are sorted in column-major order
 *   divide    at most R dirty columns, so R*h consecutive items in column-major order; c2r
 *             lays them into at most lemma2_dirty rows; cut into children of H rows, H the
 *             next power of two: at most two of them hold dirty rows
 *   conquer   children in the same way, down to m rows, which are sorted, siblings in
 *             opposite directions
 *
 * After k levels at most 2^(k-1) dirty rows are left (the last level's siblings face
 * each other, so of two dirty rows one goes when columns are sorted).  Columns are sorted
 * by recursion: c2r lays each into h/Q rows of Q words; where m < Q the rows that would
 * hold columns m .. Q - 1 rest.  Dirty rows are now contiguous, and blocks of B rows
 * followed by blocks shifted by B/2 sort them if 2^(k-1) - 1 <= B/2; a single dirty row,
 * k = 1, is sorted alone.  The paper has B = m; the least B that suffices takes fewer steps,
 * and B up to 8m (then sorted by theorem 2) extends the range of w.
 *
 * Departures from the paper: it has children of w/(md) rows, which loses a factor (they
 * must have wd/m); d = R, not 2 log_m w, suffices; and its m > 2 sqrt(log w) must read
 * m >= 2^(1 + sqrt(2 lg w)), or the exact condition that lemma2_holds tests.  It has log_m w
 * whole; unequal heights break balancing, so here heights are powers of two and widths are
 * free; lemma2_any.h brings any w to that.
 *
 * No bank is asked twice: all is built from sort_wide on disjoint rows and conversions.
 * Time: lemma2_steps.   Space: two buffers, as wide as the squares need.
 */
#ifndef CW_PAPER_PARTITION_LEMMA2_H
#define CW_PAPER_PARTITION_LEMMA2_H

#include "paper/sort/sort_tall.h"

#ifndef LEMMA2_SKIP_ROUND
#define LEMMA2_SKIP_ROUND -1 /* a test leaves this round of balancing out */
#endif

DEV int power_of_two(int x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* The powers of two next to m: rows that balancing takes at a time, and words of a row that
 * a part of a column is laid into. */
DEV int lemma2_low(int m)
{
    int P = 1;

    while (P <= m / 2)
        P *= 2;
    return P;
}

DEV int lemma2_high(int m)
{
    return lemma2_low(m) < m ? 2 * lemma2_low(m) : m;
}

/* Rounds of balancing. */
DEV int lemma2_rounds(int h, int m)
{
    return passes_of(h, lemma2_low(m));
}

/* Rows that R dirty columns of h items can touch once they are laid into rows: they begin
 * at a row's first word only if rows divide columns. */
DEV long long lemma2_dirty(int h, int m)
{
    const long long items = (long long)lemma2_rounds(h, m) * h;

    return h % m ? (items - 1 + m - 1) / m + 1 : items / m;
}

/* Height of the children that h rows are divided into. */
DEV int lemma2_child(int h, int m)
{
    const long long dirty = lemma2_dirty(h, m);
    long long H = 1;

    while (H < dirty)
        H *= 2;
    return (int)(H < h ? H : h);
}

/* Levels of divide and conquer until children have at most m rows; -1: they never do. */
DEV int lemma2_levels(int h, int m)
{
    int k = 0;

    for (; h > m; k++) {
        const int H = lemma2_child(h, m);

        if (H >= h)
            return -1;
        h = H;
    }
    return k;
}

/* Height of the final blocks: the dirty rows that one block's edge can cut off must fit
 * into half of one.  0: no height that is worth it does.  1: one row is dirty. */
DEV int lemma2_block(int h, int m)
{
    const int k = lemma2_levels(h, m), P = lemma2_low(m);
    int B = 1;

    if (k < 0 || k > 24)
        return 0;
    while ((1LL << (k - 1)) - 1 > B / 2)
        B *= 2;
    return B <= P || (B <= 8 * P && 2 * B <= h) ? B : 0;
}

/* Does the argument hold, here and for the columns' recursion? */
DEV int lemma2_holds(int h, int m)
{
    if (!power_of_two(h) || m < 2)
        return 0;
    for (; h > m; h /= lemma2_high(m), m = lemma2_high(m))
        if (!lemma2_block(h, m))
            return 0;
    return 1;
}

/* Sort every g-th .. row set in column-major order, round by round. */
DEV view lemma2_balance(mem s, view v)
{
    const int r = view_row(s, v), P = lemma2_low(v.m);

    for (int cur = 1, round = 0; cur < v.h; round++) {
        const int g = P < v.h / cur ? P : v.h / cur;
        const int group = r / (g * cur) * (g * cur);
        view rows = v;

        if (round != LEMMA2_SKIP_ROUND) {
            rows.first = v.first + (group + r % cur) * v.stride;
            rows.stride = v.stride * cur;
            rows.h = g;
            sort_wide(s, rows, 0);
            r2c(s, rows);
            view_sync(s, v);
            v = view_flip(v);
        }
        cur *= g;
    }
    view_phase(s, v, "lemma 2: balanced");
    return v;
}

/* Balance, convert and divide, down to m rows; v.h is a power of two, > m. */
DEV view lemma2_divide(mem s, view v)
{
    view part = v;
    int i = 0;

    while (part.h > part.m) {
        const int H = lemma2_child(part.h, part.m);

        part = c2r(s, lemma2_balance(s, part));
        i = view_row(s, part) / H;
        part = view_rows(part, i * H, (i + 1) * H);
    }
    sort_wide(s, part, i & 1);
    part.first = v.first;
    part.h = v.h;
    view_phase(s, part, "lemma 2: divided");
    return part;
}

/* Blocks of B rows, then, if they have edges that cut, blocks shifted by half of one. */
DEV void lemma2_blocks(mem s, view v)
{
    const int B = lemma2_block(v.h, v.m), half = B / 2;
    const int r = view_row(s, v);
    const int i = r / B, k = (r - half) / B;

    sort_any(s, view_rows(v, i * B, (i + 1) * B), 0);
    view_sync(s, v);
    if (B > 1 && r >= half && half + (k + 1) * B <= v.h)
        sort_any(s, view_rows(v, half + k * B, half + (k + 1) * B), 0);
    view_sync(s, v);
}

/* Does lemma2_sort move a matrix from one buffer to the other?  Every round of balancing and
 * every division exchanges them; conversions of columns come in pairs. */
DEV int lemma2_moves(int h, int m)
{
    int moves = 0;

    for (; h > m; h /= lemma2_high(m), m = lemma2_high(m))
        for (int part = h; part > m; part = lemma2_child(part, m))
            moves += lemma2_rounds(part, m) + 1;
    return moves & 1;
}

/* Columns into rows of Q words; the calling processor's column as a view of its own.  Sets
 * *rest where it has none. */
DEV view lemma2_columns(mem s, view v, int *rest)
{
    const int Q = lemma2_high(v.m), low = v.h / Q;
    const view rows = c2r_part(s, view_wide(v, Q), v.m);
    const int i = view_row(s, rows) / low;

    *rest = i >= v.m;
    return view_rows(rows, i * low, (i + 1) * low);
}

/* Sort v; returns the view of where it is now (either buffer).  Needs lemma2_holds.
 * The recursion on columns is a loop inwards and a loop outwards: one block at each
 * depth is the calling processor's. */
DEV view lemma2_sort(mem s, view v)
{
    const int Q = lemma2_high(v.m);
    view part = v;
    int depth = 0, rest = 0;

    for (; part.h > part.m && !rest; depth++)
        part = lemma2_columns(s, lemma2_divide(s, part), &rest);
    if (!rest)
        sort_wide(s, part, 0);
    else if (lemma2_moves(part.h, Q))
        part = view_flip(part);
    for (; depth > 0; depth--) {
        int h = v.h;

        for (int d = 1; d < depth; d++)
            h /= Q;
        part.first = v.first + (lane_id(s) - v.first) / (h * v.stride) * (h * v.stride);
        part.h = h;
        part = view_wide(r2c_part(s, part, depth > 1 ? Q : v.m, 0), depth > 1 ? Q : v.m);
        view_phase(s, part, "lemma 2: dirty rows contiguous");
        lemma2_blocks(s, part);
    }
    view_phase(s, part, "lemma 2: sorted");
    return part;
}

/* Steps of lemma2_blocks. */
DEV long long lemma2_block_steps(int h, int m, sorter by)
{
    const int B = lemma2_block(h, m);

    return (B > 1 ? 2 : 1) * any_steps(B, m, by);
}

DEV long long lemma2_divide_steps(int h, int m, sorter by)
{
    long long steps = 0;

    for (; h > m; h = lemma2_child(h, m)) {
        for (int cur = 1; cur < h;) {
            const int g = lemma2_low(m) < h / cur ? lemma2_low(m) : h / cur;

            steps += wide_steps(g, m, by) + 2LL * m;
            cur *= g;
        }
        steps += 2LL * m;
    }
    return steps + wide_steps(h, m, by);
}

/* Steps of lemma2_sort. */
DEV long long lemma2_steps(int h, int m, sorter by)
{
    long long steps = 0;

    for (; h > m; h /= lemma2_high(m), m = lemma2_high(m))
        steps +=
            lemma2_divide_steps(h, m, by) + 4LL * lemma2_high(m) + lemma2_block_steps(h, m, by);
    return steps + wide_steps(h, m, by);
}

/* Columns of each buffer: enough for every height that may be sorted. */
DEV int lemma2_width(int h, int m, sorter by)
{
    int width = lemma2_high(m);

    for (int deep = 0; deep < 2; deep++) {
        const int wide = deep ? lemma2_high(m) : m;

        for (int part = 1; part <= wide; part *= 2) {
            const int one = wide_width(part, wide, by);

            width = one > width ? one : width;
        }
    }
    for (; h > m; h /= lemma2_high(m), m = lemma2_high(m)) {
        const int one = any_width(lemma2_block(h, m), m, by);

        width = one > width ? one : width;
    }
    return width;
}

#endif
