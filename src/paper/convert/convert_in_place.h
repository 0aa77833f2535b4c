/* convert_in_place.h - the same conversions inside one buffer.
 *
 * Catanzaro, Keller and Garland (PPoPP 2014): with c = gcd(h, m), a = h/c, b = m/c,
 * column-major to row-major is a rotation of each column, a permutation of each
 * row, and a permutation of each column:
 *
 *   1. (i, j) <- (i + j/b, j)             2. row i: place (i + j/b) mod h + j*h <- j
 *   3. (i, j) <- (j + i*m - i/a, j)       rows mod h, columns mod m; 1 only if c > 1
 *
 * and row-major to column-major is 3, 2, 1 with reading and writing exchanged.
 * In 1 and 3 all processors work on one column and the source row is a bijection
 * of i: no bank is asked twice.  2 stays in the own bank.
 *
 * Time: 6m steps, 4m if h and m are coprime.   Space: a row's length for step 2.
 */
#ifndef CW_PAPER_CONVERT_CONVERT_IN_PLACE_H
#define CW_PAPER_CONVERT_CONVERT_IN_PLACE_H

#include "paper/convert/convert.h"

/* The row that step 3 takes (i, j) from, and the one that step 1 does. */
DEV int ckg_third(int h, int m, int i, int j)
{
    const int a = h / gcd(h, m);

    return (int)(((long long)j + (long long)i * m - i / a) % h);
}

DEV int ckg_first(int h, int m, int i, int j)
{
    const int b = m / gcd(h, m);

    return (i + j / b) % h;
}

/* Where step 2 puts the item at column j of row i. */
DEV int ckg_second(int h, int m, int i, int j)
{
    return (int)((ckg_first(h, m, i, j) + (long long)j * h) % m);
}

/* One column each round: read the given row of it, then write the own one (gather),
 * or read the own one and write the given row (scatter). */
DEV void ckg_columns(mem s, view from, view to, int third, int gather)
{
    const int i = view_row(s, from);

    for (int j = 0; j < from.m; j++) {
        const int row = third ? ckg_third(from.h, from.m, i, j) : ckg_first(from.h, from.m, i, j);
        word x;

        view_sync(s, from);
        x = get(s, from, gather ? row : i, j);
        view_sync(s, from); /* the whole column is held */
        put(s, to, gather ? i : row, j, x);
    }
    view_sync(s, from);
}

DEV void ckg_row(mem s, view from, view to, int gather)
{
    const int i = view_row(s, from);

    for (int j = 0; j < from.m; j++) {
        const int k = ckg_second(from.h, from.m, i, j);
        const word x = get(s, from, i, gather ? k : j);

        put(s, to, i, gather ? j : k, x);
    }
}

/* v.b is the scratch row; the data stays at v.a. */
DEV void c2r_in_place(mem s, view v)
{
    const view tmp = view_flip(v);

    if (gcd(v.h, v.m) > 1)
        ckg_columns(s, v, v, 0, 1);
    ckg_row(s, v, tmp, 0);
    ckg_columns(s, tmp, v, 1, 1);
}

DEV void r2c_in_place(mem s, view v)
{
    const view tmp = view_flip(v);

    ckg_columns(s, v, tmp, 1, 0);
    ckg_row(s, tmp, v, 1);
    if (gcd(v.h, v.m) > 1)
        ckg_columns(s, v, v, 0, 0);
}

#endif
