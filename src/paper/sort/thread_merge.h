/* thread_merge.h - merge sort as GPU libraries do it, a thread for every m items:
 * it conflicts.
 *
 * The array is linear (bitonic.h), thread t owns items t*m .. t*m + m - 1.  It sorts
 * them alone: fours in registers, then runs merged two at a time.  Then runs are
 * merged by all threads, ceil(lg w) rounds: each thread finds by binary search
 * where the items with its m places in the merged run come from ("merge path") and
 * merges these serially.
 *
 * What a thread reads next depends on the data, so nothing keeps two threads from
 * one bank; and where m and w have a common divisor g, g threads at the same place
 * of their own items always ask for one bank.  Libraries soften this with
 * an odd m and with items kept in registers; a fixed number of registers, which the
 * model demands, does not allow the second for all m.
 *
 * Any w: a run with no other beside it is merged with an empty one.
 *
 * Time: without conflicts about  2m lg m + (2m + 2 lg n) lg w  steps.
 * Space: m words a row besides the row itself.
 */
#ifndef CW_PAPER_SORT_THREAD_MERGE_H
#define CW_PAPER_SORT_THREAD_MERGE_H

#include "paper/sort/bitonic.h"
#include "paper/costs.h"

/* Merge `count` items of [x, x_end) and [y, y_end) to out, out + 1, ..  A thread that
 * has nothing to read lets the step pass, as it does in a warp. */
DEV void merge_items(mem s, linear from, linear to, int x, int x_end, int y, int y_end, int out,
                     int count)
{
    word p = 0, q = 0;

    if (x < x_end)
        p = item_get(s, from, x);
    else
        lane_skip(s);
    if (y < y_end)
        q = item_get(s, from, y);
    else
        lane_skip(s);
    for (int o = 0; o < count; o++) {
        const int first = y >= y_end || (x < x_end && p <= q);

        item_put(s, to, out + o, first ? p : q);
        x += first;
        y += !first;
        if (first && x < x_end && o + 1 < count)
            p = item_get(s, from, x);
        else if (!first && y < y_end && o + 1 < count)
            q = item_get(s, from, y);
        else
            lane_skip(s);
    }
}

/* Sort fours of the items first .. first + m - 1. */
DEV void sort_fours(mem s, linear from, linear to, int first, int m)
{
    word x[4];

    for (int o = 0; o < m; o += 4) {
        const int n = m - o < 4 ? m - o : 4;

        for (int k = 0; k < n; k++) {
            const word y = item_get(s, from, first + o + k);
            int j = k;

            for (; j > 0 && y < x[j - 1]; j--)
                x[j] = x[j - 1];
            x[j] = y;
        }
        for (int k = 0; k < n; k++)
            item_put(s, to, first + o + k, x[k]);
    }
}

/* How many of the first `diagonal` items of the merged run come from [x, x + nx);
 * the others come from [y, y + ny). */
DEV int merge_path(mem s, linear a, int x, int nx, int y, int ny, int diagonal)
{
    int lo = diagonal > ny ? diagonal - ny : 0;
    int hi = diagonal < nx ? diagonal : nx;

    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        const word p = item_get(s, a, x + mid);
        const word q = item_get(s, a, y + diagonal - 1 - mid);

        if (p <= q)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* One round of all threads: runs of `run` items to runs of 2 * run; m items a thread. */
DEV void merge_round(mem s, linear from, linear to, long long run, int m)
{
    const int n = from.w * m;
    const int mine = lane_id(s) * m;
    const int x = (int)(mine / (2 * run) * (2 * run));
    const int y = n - x > run ? (int)(x + run) : n;
    const int end = n - y > run ? (int)(y + run) : n;
    int part;

    group_sync(s, 0, 1, from.w);
    part = merge_path(s, from, x, y - x, y, end - y, mine - x);
    group_sync(s, 0, 1, from.w);
    merge_items(s, from, to, x + part, y, y + mine - x - part, end, mine, m);
    phase_mark(s, 0, 1, from.w, to.first, m, "runs merged");
}

/* Merge the runs of `run` items among the m items from `first` on, two at a time. */
DEV void merge_own(mem s, linear from, linear to, int first, int m, int run)
{
    for (int o = 0; o < m; o += 2 * run) {
        const int mid = m - o > run ? o + run : m;
        const int end = m - mid > run ? mid + run : m;

        merge_items(s, from, to, first + o, first + mid, first + mid, first + end, first + o,
                    end - o);
    }
}

/* Sort the w*m items of a; b is as large and free. */
DEV void thread_merge(mem s, linear a, linear b, int m)
{
    const int passes = passes_of((m + 3) / 4, 2) + passes_of(a.w, 2); /* after the fours */
    const int mine = lane_id(s) * m;
    linear from = passes % 2 ? b : a;
    linear to = passes % 2 ? a : b;

    sort_fours(s, a, from, mine, m);
    for (int run = 4; run < m; run *= 2) {
        const linear other = from;

        merge_own(s, from, to, mine, m, run);
        from = to;
        to = other;
    }
    phase_mark(s, 0, 1, a.w, from.first, m, "own items sorted");
    for (long long run = m; run < (long long)a.w * m; run *= 2) {
        const linear other = from;

        merge_round(s, from, to, run, m);
        from = to;
        to = other;
    }
}

#endif
