/* network.h - the columns of a tall matrix by Batcher's merge exchange.
 *
 * A column holds one word of every bank, so any comparator network is free of
 * conflicts: in a stage each processor reads its partner's word (partners form
 * a matching, so every bank is read once) and writes its own.  Batcher's merge
 * exchange (Knuth, vol. 3, 5.2.2 M) takes any h.
 *
 * Time: 1 + 2 t(t+1)/2 steps a column, t = ceil(lg h).   Space: none.
 * See:  cole.h for O(log h) steps a column, with a constant 40 times as large.
 */
#ifndef CW_PAPER_SORT_NETWORK_H
#define CW_PAPER_SORT_NETWORK_H

#include "paper/sort/rows.h"

/* One stage: rows r and r + d with (r & p) == bit are compared.  x is the caller's word. */
DEV word network_stage(mem s, view v, int c, int desc, word x, int p, int d, int bit)
{
    const int r = view_row(s, v);
    int with = -1;

    if ((r & p) == bit && r + d < v.h)
        with = r + d;
    else if (r >= d && ((r - d) & p) == bit)
        with = r - d;
    if (with >= 0) {
        const word y = get(s, v, with, c);

        if (with > r ? before(y, x, desc) : before(x, y, desc))
            x = y;
    }
    view_sync(s, v); /* partners have read each other before either writes */
    if (with >= 0)
        put(s, v, r, c, x);
    view_sync(s, v);
    return x;
}

/* Sort column c of v. */
DEV void network_column(mem s, view v, int c, int desc)
{
    int top = 1;
    word x;

    if (v.h < 2)
        return;
    while (2 * top < v.h)
        top *= 2;
    view_sync(s, v);
    x = get(s, v, view_row(s, v), c);
    for (int p = top; p > 0; p /= 2) {
        int q = top, bit = 0, d = p;

        for (;;) {
            x = network_stage(s, v, c, desc, x, p, d, bit);
            if (q == p)
                break;
            d = q - p;
            q /= 2;
            bit = p;
        }
    }
}

DEV long long network_column_steps(int h)
{
    const long long t = passes_of(h, 2);

    return h < 2 ? 0 : 1 + t * (t + 1);
}

#endif
