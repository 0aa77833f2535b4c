/* rows.h - a row sorted or merged by its own processor.
 *
 * A processor asks only its own bank, so nothing here can conflict; what counts
 * is the number of accesses, and that it is the same for all data, so that rows
 * worked on side by side end together.
 *
 * sort_row: runs of base_run(ways) items are sorted in registers, then merged
 * `ways` at a time with one head of each run in a register.  A pass reads and
 * writes each item once: 2m steps, row_passes(m, ways) passes.  The base pass goes
 * to whichever buffer makes the last pass end where the caller wants it.
 * With ways = 2 these are 2m(ceil(lg m) - 1) steps; with ways = 4, the default,
 * half as many merge passes and no more registers than the base needs.
 *
 * merge_row: the row is known to consist of sorted runs (struct runs): only the
 * merge passes, passes_of(count, ways) of them.
 *
 * bitonic_row: the row is sorted up to a rotation and one turn: find the least
 * item, then take from both sides of it: 3m steps.
 *
 * Space: m words a row besides the row itself.
 */
#ifndef CW_PAPER_SORT_ROWS_H
#define CW_PAPER_SORT_ROWS_H

#include "paper/sort/radix.h"

/* Does x stand before y in the wanted direction? */
#define before(x, y, desc) ((desc) ? (x) > (y) : (x) < (y))

/* How a row of m items divides into sorted runs.  Run q ends before place
 * runs_prefix(q + 1) once the runs are laid end to end; where its items stand
 * before that is told by runs_first and runs_step. */
enum { RUNS_EQUAL, RUNS_SHARES, RUNS_DEALT, RUNS_STRIDED };

typedef struct runs {
    int kind;
    int count; /* runs */
    int m;     /* items in all */
    int x, y;  /* EQUAL: x items each.  SHARES: run q is [m*q/count, m*(q+1)/count).
                  DEALT: row x of an r2c of rows of y items.  STRIDED: every count-th item. */
    int alt;   /* 1: odd runs stand in the opposite direction, 2: even ones do */
} runs;

DEV runs runs_make(int kind, int count, int m, int x, int y, int alt)
{
    runs u;

    u.kind = kind;
    u.count = count;
    u.m = m;
    u.x = x;
    u.y = y;
    u.alt = alt;
    return u;
}

/* Items in runs 0 .. q - 1. */
DEV int runs_prefix(runs u, int q)
{
    long long p = 0;

    if (q >= u.count)
        return u.m;
    if (u.kind == RUNS_EQUAL)
        p = (long long)q * u.x;
    else if (u.kind == RUNS_SHARES)
        p = (long long)u.m * q / u.count;
    else if (u.kind == RUNS_DEALT) /* columns c with c*count + x < q*y */
        p = q ? ((long long)q * u.y - u.x + u.count - 1) / u.count : 0;
    else
        p = (long long)q * (u.m / u.count) + (q < u.m % u.count ? q : u.m % u.count);
    return p < 0 ? 0 : p > u.m ? u.m : (int)p;
}

/* The most items that runs from .. to - 1 have in any row; this row has `mine`. */
DEV int runs_most(runs u, int from, int to, int mine)
{
    const long long spans = (to < u.count ? to : u.count) - from;

    return u.kind == RUNS_DEALT ? (int)((spans * u.y + u.count - 1) / u.count) : mine;
}

/* Merge runs from .. to - 1 of u, standing at column src, to column dst of bank i.
 * `fresh`: they stand as u describes, not yet end to end. */
DEV void merge_group(mem s, int i, int src, int dst, runs u, int from, int to, int fresh, int desc,
                     int stretch)
{
    word head[WAYS_MAX];
    int at[WAYS_MAX], left[WAYS_MAX], step[WAYS_MAX];
    const int begin = runs_prefix(u, from * stretch), end = runs_prefix(u, to * stretch);
    const int most = runs_most(u, from * stretch, to * stretch, end - begin);
    const int n = to - from;

    for (int q = 0; q < n; q++) {
        const int lo = runs_prefix(u, (from + q) * stretch);
        const int hi = runs_prefix(u, (from + q + 1) * stretch);
        const int back = fresh && u.alt && ((from + q) & 1) == (u.alt & 1);

        left[q] = hi - lo;
        step[q] = !fresh || u.kind != RUNS_STRIDED ? 1 : u.count;
        at[q] = !fresh || u.kind != RUNS_STRIDED ? lo : from + q;
        if (back) {
            at[q] += (left[q] - 1) * step[q];
            step[q] = -step[q];
        }
        if (left[q])
            head[q] = bank_read(s, i, src + at[q]);
        else
            lane_pass(s);
    }
    for (int o = begin; o < begin + most; o++) {
        int best = -1;

        if (o >= end) { /* another row has one item more */
            lane_pass(s);
            lane_pass(s);
            continue;
        }

        for (int q = 0; q < n; q++)
            if (left[q] && (best < 0 || before(head[q], head[best], desc)))
                best = q;
        bank_write(s, i, dst + o, head[best]);
        at[best] += step[best];
        if (--left[best])
            head[best] = bank_read(s, i, src + at[best]);
        else
            lane_pass(s);
    }
}

/* Merge the runs of u in bank i; they stand at `src`, `dst` is free.  After
 * passes_of(count, ways) passes the row stands at dst if that is odd, else at src. */
DEV void merge_row(mem s, int i, int src, int dst, runs u, int fresh, int desc, int ways)
{
    int stretch = 1;

    for (int count = u.count; count > 1; count = (count + ways - 1) / ways) {
        const int other = src;

        for (int from = 0; from < count; from += ways)
            merge_group(s, i, src, dst, u, from, from + ways < count ? from + ways : count, fresh,
                        desc, stretch);
        src = dst;
        dst = other;
        fresh = 0;
        stretch *= ways;
    }
}

/* Sort groups of base_run items in registers, from src to dst. */
DEV void sort_base(mem s, int i, int src, int dst, int m, int desc, int base)
{
    word x[WAYS_MAX];

    for (int o = 0; o < m; o += base) {
        const int n = m - o < base ? m - o : base;

        for (int k = 0; k < n; k++) {
            const word y = bank_read(s, i, src + o + k);
            int j = k;

            for (; j > 0 && before(y, x[j - 1], desc); j--)
                x[j] = x[j - 1];
            x[j] = y;
        }
        for (int k = 0; k < n; k++)
            bank_write(s, i, dst + o + k, x[k]);
    }
}

/* Sort the m items of bank i that stand at column `from`; the buffers are `from` and
 * `scratch`, the result stands at `to`, which is one of them. */
DEV void sort_row(mem s, int i, int from, int scratch, int to, int m, int desc, int ways)
{
    const int base = base_run(ways);
    const int merges = row_passes(m, ways) - 1;
    const int other = to == from ? scratch : from;
    const int start = merges % 2 ? other : to;

    if (m <= 1) {
        if (m == 1 && to != from)
            bank_write(s, i, to, bank_read(s, i, from));
        return;
    }
    sort_base(s, i, from, start, m, desc, base);
    merge_row(s, i, start, start == from ? scratch : from,
              runs_make(RUNS_EQUAL, (m + base - 1) / base, m, base, 0, 0), 0, desc, ways);
}

/* Sort by merging or by counting, as `by` says: order_steps steps. */
DEV void order_row(mem s, int i, int from, int scratch, int to, int m, int desc, sorter by)
{
    if (by_radix(m, by, to != from))
        radix_row(s, i, from, scratch, to, m, by, desc);
    else
        sort_row(s, i, from, scratch, to, m, desc, by.ways);
}

/* A cyclically bitonic row from column src to column dst of bank i: every
 * threshold splits it into at most one cyclic interval of items below and one of
 * items above, so the next item in order always stands beside those taken. */
DEV void bitonic_row(mem s, int i, int src, int dst, int m, int desc)
{
    int lo = 0, hi;
    word least = 0, x, y;

    for (int j = 0; j < m; j++) {
        const word z = bank_read(s, i, src + j);

        if (j == 0 || before(z, least, desc)) {
            least = z;
            lo = j;
        }
    }
    bank_write(s, i, dst, least);
    if (m == 1)
        return;
    hi = lo + 1 < m ? lo + 1 : 0;
    lo = lo > 0 ? lo - 1 : m - 1;
    x = bank_read(s, i, src + lo);
    y = m > 2 ? bank_read(s, i, src + hi) : x;
    lane_pass(s); /* lanes of a warp go step by step: some read on this side, some on that */
    for (int o = 1; o < m; o++) {
        const int down = !before(y, x, desc);

        bank_write(s, i, dst + o, down ? x : y);
        if (o >= m - 2) { /* one item left, or none: it is held already */
            if (down)
                x = y;
            else
                y = x;
        } else if (down) {
            lo = lo > 0 ? lo - 1 : m - 1;
            x = bank_read(s, i, src + lo);
        } else {
            hi = hi + 1 < m ? hi + 1 : 0;
            y = bank_read(s, i, src + hi);
        }
    }
}

/* Steps of bitonic_row: m reads to find the least, the others read again, m writes. */
DEV long long bitonic_row_steps(int m)
{
    return 3LL * m - 1;
}

#endif
