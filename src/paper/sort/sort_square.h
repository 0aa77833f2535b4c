/* sort_square.h - theorem 1 as the paper states it: an m x m matrix.
 *
 *   sort super-rows of s rows by lemma 1; sort the columns (transpose, sort rows,
 *   transpose); sort the super-rows in alternating directions; sort the columns;
 *   sort the rows.
 *
 * The paper takes s = sqrt(m).  It works for any s | m with ceil(s/2) <= m/s + 1
 * (lemma 1 on s x m) and m/s <= s + 1 (the dirty rows of m/s super-rows fit into
 * two of them); for m = 2^e, s = 2^ceil(e/2) will do.  For m = 5, say, these
 * conditions allow none: sort_wide.h is the form for every shape.
 *
 * Time: 13 row sorts and 24m steps.   Space: one more buffer.
 */
#ifndef CW_PAPER_SORT_SORT_SQUARE_H
#define CW_PAPER_SORT_SORT_SQUARE_H

#include "paper/sort/sort_short.h"

DEV int square_group_works(int m, int g)
{
    return g >= 1 && m % g == 0 && (g + 1) / 2 <= m / g + 1 && m / g <= g + 1;
}

/* sqrt(m), or the height nearest to it that works; 0 if none does. */
DEV int square_group(int m)
{
    int best = 0;

    for (int g = 1; g <= m; g++) {
        const long long far = (long long)g * g - m, old = (long long)best * best - m;

        if (square_group_works(m, g) && (!best || (far < 0 ? -far : far) < (old < 0 ? -old : old)))
            best = g;
    }
    return best;
}

/* Sort the columns of a square. */
DEV view square_columns(mem s, view v, int desc)
{
    v = c2r(s, v); /* of a square: its transposition */
    sort_rows(s, v, desc, 0, v.a);
    return r2c(s, v);
}

/* Super-rows are g rows high (the last one may be lower where g does not divide m:
 * then the outcome is not guaranteed, as tests show). */
DEV void square_literal(mem s, view v, int g, int desc)
{
    const int i = view_row(s, v) / g;
    const int to = (i + 1) * g < v.h ? (i + 1) * g : v.h;

    short_literal(s, view_rows(v, i * g, to), desc);
    view_phase(s, v, "theorem 1: super-rows sorted");
    v = square_columns(s, v, desc);
    view_phase(s, v, "theorem 1: columns sorted");
    short_literal(s, view_rows(v, i * g, to), desc ^ (i & 1));
    view_phase(s, v, "theorem 1: super-rows alternate");
    v = square_columns(s, v, desc);
    view_phase(s, v, "theorem 1: one dirty row");
    sort_rows(s, v, desc, 0, v.a);
    view_phase(s, v, "theorem 1: sorted");
}

DEV long long square_literal_steps(int m, sorter by)
{
    return 2 * short_literal_steps(m, by) + 3 * order_steps(m, by, 0) + 8LL * m;
}

#endif
