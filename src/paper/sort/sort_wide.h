/* sort_wide.h - theorem 1, for every h <= m.
 *
 * The paper's square sort, with super-rows of any height:
 *
 *   twice { sort each super-row (lemma 1) ; sort the columns } ; sort the rows
 *
 * Let g super-rows of height at least s = floor(h/g) be sorted: each has at most
 * one dirty row.  Sorting the columns brings these together: at most g dirty rows
 * if all super-rows stand in one direction, ceil(g/2) if directions alternate,
 * since neighbours' dirty rows then cover each other.  Dirty rows that fit into
 * s + 1 consecutive rows touch two super-rows; these, sorted in opposite
 * directions, leave one dirty row after the second column sort.
 *
 * What is done better than in the paper (and does not change what is sorted):
 *  - After the second column sort every threshold splits a row into two cyclic
 *    intervals, so the last row sort is bitonic_row: 3m steps.
 *  - Columns consist of g sorted runs (one a super-row): they are merged.
 *  - With super-rows all in one direction (where g <= s + 1 allows it) the first
 *    column sort leaves the rows sorted, since columns sorted one by one keep
 *    sorted rows sorted; the second round then needs no row sort at all.
 *
 * wide_plan takes the cheapest of lemma 1's general form and all g, by exact step
 * counts.  Time: O(m log m), wide_steps.  Space: two buffers of wide_width words.
 */
#ifndef CW_PAPER_SORT_SORT_WIDE_H
#define CW_PAPER_SORT_SORT_WIDE_H

#include "paper/sort/sort_short.h"

/* Sort the columns of v, each being `g` runs (SHARES of the rows), odd ones turned
 * round if alt.  c2r lays whole columns into rows, as segments of length h. */
DEV view sort_columns(mem s, view v, int g, int alt, int desc)
{
    const int r = view_row(s, v);
    const int q = (v.m + v.h - 1) / v.h;
    view wide = c2r_part(s, view_wide(v, q * v.h), v.m);

    for (int k = 0; k < q && r * q + k < v.m; k++) {
        tidy(s, wide.a + k * v.h, wide.b + k * v.h, runs_make(RUNS_SHARES, g, v.h, 0, 0, alt), desc,
             v.by);
    }
    if (tidy_moves(v.h, g, v.by))
        wide = view_flip(wide);
    wide = r2c_part(s, wide, v.m, 0);
    return view_wide(wide, v.m);
}

DEV long long columns_steps(int h, int m, int g, sorter by)
{
    const long long q = (m + h - 1) / h;

    return q * (4 * h + tidy_steps(h, g, by));
}

/* How a wide matrix is to be sorted. */
typedef struct wide_plan_t {
    int g;   /* super-rows; 1: lemma 1's general form does it alone */
    int alt; /* the first round's super-rows alternate, too */
    long long steps;
} wide_plan_t;

DEV wide_plan_t wide_plan(int h, int m, sorter by)
{
    wide_plan_t best;

    best.g = best.alt = 0;
    best.steps = -1;
    if (h == 1 || short_fits(h, m)) {
        best.g = 1;
        best.steps = short_steps(h, m, by);
    }
    for (int g = 2; g <= h; g++) {
        const int tall = (h + g - 1) / g, low = h / g;

        for (int alt = 0; alt < 2 && short_fits(tall, m); alt++) {
            const long long steps = order_steps(m, by, 1) + (alt ? order_steps(m, by, 0) : 0) +
                                    2 * short_rest_steps(tall, m, by) +
                                    2 * columns_steps(h, m, g, by) + bitonic_row_steps(m);

            if ((alt ? (g + 1) / 2 : g) > low + 1)
                continue;
            if (best.steps < 0 || steps < best.steps) {
                best.g = g;
                best.alt = alt;
                best.steps = steps;
            }
        }
    }
    return best;
}

DEV long long wide_steps(int h, int m, sorter by)
{
    return wide_plan(h, m, by).steps;
}

/* Columns of each buffer: the column sort pads m to a multiple of h. */
DEV int wide_width(int h, int m, sorter by)
{
    return wide_plan(h, m, by).g > 1 ? (m + h - 1) / h * h : m;
}

/* The super-row of the calling processor among g, and its number. */
DEV view super_row(mem s, view v, int g, int *number)
{
    const int r = view_row(s, v);
    int i = (int)((long long)r * g / v.h);

    while ((long long)v.h * (i + 1) / g <= r)
        i++;
    *number = i;
    return view_rows(v, (int)((long long)v.h * i / g), (int)((long long)v.h * (i + 1) / g));
}

/* Sort v, h <= m, in row-major order; the result stands where the input stood.  Buffers
 * must be wide_width wide. */
DEV void sort_wide(mem s, view v, int desc)
{
    const wide_plan_t plan = wide_plan(v.h, v.m, v.by);
    int i;
    view part;

    if (plan.g == 1) {
        sort_short(s, v, desc);
        return;
    }
    /* Everything between the first row sort and the last keeps the buffer or
     * exchanges it twice; the last one must change buffers, so the first does. */
    super_row(s, v, plan.g, &i);
    order_row(s, lane_id(s), v.a, v.b, v.b, v.m, desc ^ (plan.alt & i), v.by);
    view_sync(s, v);
    v = view_flip(v);
    part = super_row(s, v, plan.g, &i);
    short_rest(s, part, desc ^ (plan.alt & i), 1, 0);
    view_phase(s, v, "wide: super-rows sorted");
    v = sort_columns(s, v, plan.g, plan.alt, desc);
    view_phase(s, v, "wide: columns sorted");
    part = super_row(s, v, plan.g, &i);
    if (plan.alt)
        sort_rows(s, part, desc ^ (i & 1), 0, part.a);
    short_rest(s, part, desc ^ (i & 1), 1, plan.alt ? 0 : i & 1);
    view_phase(s, v, "wide: super-rows alternate");
    v = sort_columns(s, v, plan.g, 1, desc);
    view_phase(s, v, "wide: one dirty row");
    bitonic_row(s, lane_id(s), v.a, v.b, v.m, desc);
    v = view_flip(v);
    view_phase(s, v, "wide: sorted");
}

#endif
