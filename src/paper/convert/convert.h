/* convert.h - between row-major and column-major order, out of place.
 *
 * r2c: the item at row-major place L = r*m + c goes to column-major place L,
 * that is, to row L % h and column L / h.  c2r is the inverse.  Read as moves
 * of a matrix this is a transposition in Catanzaro, Keller and Garland's sense.
 *
 * In round t processor p reads its own row at column j = (t + p / a) mod m, where
 * a = h / gcd(h, m), and writes to row (p*m + j) mod h.  Without the rotation by
 * p / a, processors p and p + a would write to one bank: (p + a)*m = p*m (mod h).
 * With it, p = q*a + p' writes to  p'*m + t + q  (mod h)  while t + q < m.  The
 * p'*m are the multiples of g = gcd(h, m), each once; q runs over 0 .. g - 1; so
 * p'*m + q covers every bank once.  Where t + q wraps round at m, the wrap takes
 * away m, a multiple of g, from both: still every residue once.
 *
 * `real` columns of the column-major side exist; items that would come from or go
 * to a later one are skipped (their steps pass), for shapes padded to a multiple.
 *
 * Time: 2m steps.   Space: the other buffer, m words a row.
 * See:  convert_in_place.h for the same with one buffer of a row's length.
 */
#ifndef CW_PAPER_CONVERT_CONVERT_H
#define CW_PAPER_CONVERT_CONVERT_H

#include "paper/view.h"

DEV int gcd(int x, int y)
{
    while (y) {
        const int t = x % y;

        x = y;
        y = t;
    }
    return x;
}

/* Row-major to column-major; returns the view with its buffers exchanged.  With
 * `flip`, odd rows are read from their far end: a reversal that costs nothing. */
DEV view r2c_part(mem s, view v, int real, int flip)
{
    const int p = view_row(s, v);
    const int turn = p / (v.h / gcd(v.h, v.m)) % v.m;
    const view to = view_flip(v);

    view_sync(s, v);
    for (int t = 0; t < v.m; t++) {
        const int j = t + turn < v.m ? t + turn : t + turn - v.m;
        const unsigned place = (unsigned)p * (unsigned)v.m + (unsigned)j;

        if (place / (unsigned)v.h < (unsigned)real) {
            const word x = get(s, v, p, flip && (p & 1) ? v.m - 1 - j : j);

            put(s, to, place % (unsigned)v.h, place / (unsigned)v.h, x);
        } else {
            lane_skip(s);
            lane_skip(s);
        }
    }
    view_sync(s, v);
    return to;
}

/* Column-major to row-major: the same walk, reading where r2c writes. */
DEV view c2r_part(mem s, view v, int real)
{
    const int p = view_row(s, v);
    const int turn = p / (v.h / gcd(v.h, v.m)) % v.m;
    const view to = view_flip(v);

    view_sync(s, v);
    for (int t = 0; t < v.m; t++) {
        const int j = t + turn < v.m ? t + turn : t + turn - v.m;
        const unsigned place = (unsigned)p * (unsigned)v.m + (unsigned)j;

        if (place / (unsigned)v.h < (unsigned)real) {
            const word x = get(s, v, place % (unsigned)v.h, place / (unsigned)v.h);

            put(s, to, p, j, x);
        } else {
            lane_skip(s);
            lane_skip(s);
        }
    }
    view_sync(s, v);
    return to;
}

DEV view r2c(mem s, view v)
{
    return r2c_part(s, v, v.m, 0);
}

DEV view c2r(mem s, view v)
{
    return c2r_part(s, v, v.m);
}

#endif
