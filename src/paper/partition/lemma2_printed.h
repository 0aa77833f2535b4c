/* lemma2_printed.h - lemma 2 with the sizes that the paper prints: it does not sort.
 *
 * Children of w/(md) rows with d = 2 log_m w, as a power of two, and squares of m rows in the end:
 * the paper's text run as it stands, so that its errata can be seen (docs/paper.md, 4 and 6).
 * Dirty rows are wd/m, so children are too low by a factor of d^2: 256 x 8 is missorted.
 * h and m are powers of two, h > m.  Space: two buffers of 2m words.
 */
#ifndef CW_PAPER_PARTITION_LEMMA2_PRINTED_H
#define CW_PAPER_PARTITION_LEMMA2_PRINTED_H

#include "paper/partition/lemma2.h"

/* The largest power of two H with H m d <= h. */
DEV int printed_child(int h, int m)
{
    const long long lg_h = passes_of(h, 2), lg_m = passes_of(m, 2);
    long long H = 1;

    while (2 * H * m * 2 * lg_h <= h * lg_m)
        H *= 2;
    return (int)H;
}

/* Squares of m rows, then squares shifted by half of one. */
DEV void printed_squares(mem s, view v)
{
    const int r = view_row(s, v), half = v.m / 2;
    const int i = r / v.m * v.m, k = half + (r - half) / v.m * v.m;

    sort_wide(s, view_rows(v, i, i + v.m), 0);
    view_sync(s, v);
    if (r >= half && k + v.m <= v.h)
        sort_wide(s, view_rows(v, k, k + v.m), 0);
    view_sync(s, v);
}

/* `right`: children of the height that they must have; nothing else is changed. */
DEV view printed_sort(mem s, view v, int right)
{
    view part = v;
    int i = 0, depth = 0;

    for (; part.h > part.m; depth++) {
        const view whole = part;
        const int low = whole.h / whole.m;

        while (part.h > part.m) {
            const int H = right ? lemma2_child(part.h, part.m) : printed_child(part.h, part.m);

            part = c2r(s, lemma2_balance(s, part));
            i = view_row(s, part) / H;
            part = view_rows(part, i * H, (i + 1) * H);
        }
        sort_wide(s, part, 0);
        part.first = whole.first;
        part.h = whole.h;
        part = c2r(s, part);
        i = view_row(s, part) / low;
        part = view_rows(part, i * low, (i + 1) * low);
    }
    sort_wide(s, part, 0);
    for (; depth > 0; depth--) {
        part.h = v.h;
        for (int d = 1; d < depth; d++)
            part.h /= v.m;
        part.first = lane_id(s) / part.h * part.h;
        part = r2c(s, part);
        printed_squares(s, part);
    }
    return part;
}

#endif
