/* sort_recursive.h - theorem 2 without a column network: columns by recursion.
 *
 *   sort m blocks of h/m rows by recursion, in alternating directions: at most
 *   ceil(m/2) dirty rows once the columns are sorted;
 *   c2r lays each column into h/m rows; sort these by recursion; r2c;
 *   the dirty rows are contiguous: squares, then squares shifted by half of one.
 *
 * T(h) = 2 T(h/m) + 2 squares: O(2^(log_m h) m log m), and cheaper than both lemma 2 and
 * the network at every size measured.  Needs m | h on the way down (h, h/m, .. until
 * at most m rows are left).
 *
 * Time: recursive_steps.   Space: two buffers.
 */
#ifndef CW_PAPER_SORT_SORT_RECURSIVE_H
#define CW_PAPER_SORT_SORT_RECURSIVE_H

#include "paper/sort/sort_wide.h"

DEV int recursive_holds(int h, int m)
{
    for (; h > m; h /= m)
        if (m < 2 || h % m)
            return 0;
    return 1;
}

/* Squares of m rows and the low rest, then the same shifted by half a square. */
DEV void recursive_squares(mem s, view v, int desc)
{
    const int r = view_row(s, v), half = v.m / 2;
    const int i = r / v.m, k = (r - half) / v.m;
    const int to = half + (k + 1) * v.m;

    sort_wide(s, view_rows(v, i * v.m, (i + 1) * v.m), desc);
    view_sync(s, v);
    if (r >= half)
        sort_wide(s, view_rows(v, half + k * v.m, to < v.h ? to : v.h), desc);
    view_sync(s, v);
}

/* Sort v where it stands. */
DEV void sort_recursive(mem s, view v, int desc)
{
    const int low = v.h / v.m;
    view part = v;
    int i;

    if (v.h <= v.m) {
        sort_wide(s, v, desc);
        return;
    }
    i = view_row(s, v) / low;
    sort_recursive(s, view_rows(v, i * low, (i + 1) * low), desc ^ (i & 1));
    view_phase(s, v, "recursive: blocks alternate");
    part = c2r(s, v);
    sort_recursive(s, view_rows(part, i * low, (i + 1) * low), desc);
    part = r2c(s, part);
    view_phase(s, part, "recursive: dirty rows contiguous");
    recursive_squares(s, v, desc);
    view_phase(s, v, "recursive: sorted");
}

/* Steps of sort_recursive; the shifted squares end with one of half the height. */
DEV long long recursive_steps(int h, int m, sorter by)
{
    long long factor = 1, steps = 0;

    for (; h > m; h /= m, factor *= 2) {
        const long long square = wide_steps(m, m, by);
        const long long last = wide_steps((m + 1) / 2, m, by);

        steps += factor * (4LL * m + square + (last > square ? last : square));
    }
    return steps + factor * wide_steps(h, m, by);
}

/* Columns of each buffer. */
DEV int recursive_width(int h, int m, sorter by)
{
    const int square = wide_width(m, m, by), last = wide_width((m + 1) / 2, m, by);
    int width = square > last ? square : last;

    while (h > m)
        h /= m;
    return wide_width(h, m, by) > width ? wide_width(h, m, by) : width;
}

#endif
