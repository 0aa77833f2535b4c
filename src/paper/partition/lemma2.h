/* lemma2.h - lemma 2: partition of a tall matrix in O(m log_m^3 w) steps.
 *
 * h and m are powers of two, h > m.  R = ceil(log_m h) rounds of balancing bring the
 * zero counts of the rows within R of each other:
 *
 *   balance   rounds cur = 1, m, m^2, ..: of every group of g*cur rows (g = m, less in
 *             the last round) the g rows j, j + cur, .. are sorted in column-major order
 *   divide    at most R dirty columns; c2r lays them into R*h/m consecutive rows; cut
 *             into children of H = 2^ceil(lg(R*h/m)) rows: at most two hold dirty rows
 *   conquer   children in the same way, down to m rows, which are sorted, siblings in
 *             opposite directions
 *
 * After k levels at most 2^(k-1) dirty rows are left (the last level's siblings face
 * each other, so of two dirty rows one goes when columns are sorted).  Columns are sorted
 * by recursion: c2r lays each into h/m rows.  Dirty rows are now contiguous, and blocks of
 * B rows followed by blocks shifted by B/2 sort them if 2^(k-1) - 1 <= B/2.  The paper
 * has B = m; B up to 8m (then sorted by theorem 2) extends the range of w.
 *
 * Departures from the paper: it has children of w/(md) rows, which loses a factor (they
 * must have wd/m); d = R, not 2 log_m w, suffices; and its m > 2 sqrt(log w) must read
 * m >= 2^(1 + sqrt(2 lg w)), or the exact condition that lemma2_holds tests.
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

/* Height of the children that h rows are divided into. */
DEV int lemma2_child(int h, int m)
{
    const long long dirty = (long long)passes_of(h, m) * h;
    long long H = 1;

    while (H * m < dirty)
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
 * into half of one.  0: no height that is worth it does. */
DEV int lemma2_block(int h, int m)
{
    const int k = lemma2_levels(h, m);
    int B = m;

    if (k < 0 || k > 24)
        return 0;
    while ((1LL << (k - 1)) - 1 > B / 2)
        B *= 2;
    return B == m || (B <= 8 * m && 2 * B <= h) ? B : 0;
}

/* Does the argument hold, here and for the columns' recursion? */
DEV int lemma2_holds(int h, int m)
{
    if (!power_of_two(h) || !power_of_two(m) || m < 2)
        return 0;
    for (; h > m; h /= m)
        if (!lemma2_block(h, m))
            return 0;
    return 1;
}

/* Sort every g-th .. row set in column-major order, round by round. */
DEV view lemma2_balance(mem s, view v)
{
    const int r = view_row(s, v);

    for (int cur = 1, round = 0; cur < v.h; round++) {
        const int g = v.m < v.h / cur ? v.m : v.h / cur;
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

/* Blocks of B rows, then blocks shifted by half of one. */
DEV void lemma2_blocks(mem s, view v)
{
    const int B = lemma2_block(v.h, v.m), half = B / 2;
    const int r = view_row(s, v);
    const int i = r / B, k = (r - half) / B;

    sort_any(s, view_rows(v, i * B, (i + 1) * B), 0);
    view_sync(s, v);
    if (r >= half && half + (k + 1) * B <= v.h)
        sort_any(s, view_rows(v, half + k * B, half + (k + 1) * B), 0);
    view_sync(s, v);
}

/* Sort v; returns the view of where it is now (either buffer).  Needs lemma2_holds.
 * The recursion on columns is a loop inwards and a loop outwards: one block at each
 * depth is the calling processor's. */
DEV view lemma2_sort(mem s, view v)
{
    view part = v;
    int depth = 0;

    for (; part.h > part.m; depth++) {
        const int low = part.h / part.m;

        part = lemma2_divide(s, part);
        part = c2r(s, part); /* a column into `low` rows */
        part = view_rows(part, view_row(s, part) / low * low, (view_row(s, part) / low + 1) * low);
    }
    sort_wide(s, part, 0);
    for (; depth > 0; depth--) {
        int h = v.h;

        for (int d = 1; d < depth; d++)
            h /= v.m;
        part.first = v.first + (lane_id(s) - v.first) / (h * v.stride) * (h * v.stride);
        part.h = h;
        part = r2c(s, part);
        view_phase(s, part, "lemma 2: dirty rows contiguous");
        lemma2_blocks(s, part);
    }
    view_phase(s, part, "lemma 2: sorted");
    return part;
}

/* 1 if lemma2_sort ends in the other buffer: every round of balancing, every division
 * and every conversion of columns exchanges them. */
DEV int lemma2_moves(int h, int m)
{
    int moves = 0;

    for (; h > m; h /= m)
        for (int part = h; part > m; part = lemma2_child(part, m))
            moves += passes_of(part, m) + 1;
    return moves & 1;
}

DEV long long lemma2_divide_steps(int h, int m, sorter by)
{
    long long steps = 0;

    for (; h > m; h = lemma2_child(h, m)) {
        for (int cur = 1; cur < h;) {
            const int g = m < h / cur ? m : h / cur;

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

    for (; h > m; h /= m)
        steps += lemma2_divide_steps(h, m, by) + 4LL * m + 2 * any_steps(lemma2_block(h, m), m, by);
    return steps + wide_steps(h, m, by);
}

/* Columns of each buffer: enough for every height that may be sorted. */
DEV int lemma2_width(int h, int m, sorter by)
{
    int width = m;

    for (int part = 1; part <= m; part *= 2) {
        const int one = wide_width(part, m, by);

        width = one > width ? one : width;
    }
    for (; h > m; h /= m) {
        const int one = any_width(lemma2_block(h, m), m, by);

        width = one > width ? one : width;
    }
    return width;
}

#endif
