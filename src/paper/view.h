/* view.h - a rectangle of the matrix that a group of processors works on.
 *
 * Rows first, first + stride, ... (h of them), m columns.  The data stands in
 * columns a .. a + m - 1; columns b .. are as wide and free to use.  Routines
 * that move everything from a to b say so by returning the view with a and b
 * exchanged.  The calling processor owns one of the rows.  All indices in an algorithm are local to its view.
 */
#ifndef CW_PAPER_VIEW_H
#define CW_PAPER_VIEW_H

#include "paper/costs.h"

typedef struct view {
    int first, stride, h; /* rows */
    int m;                /* columns */
    int a, b;             /* first column of the data, and of the free buffer */
    sorter by;            /* how a processor sorts its row */
    int worst;            /* loops run to the length that all rows know */
} view;

/* The local row that the calling processor owns. */
#define view_row(s, v)     ((lane_id(s) - (v).first) / (v).stride)
#define bank_of(v, r)      ((v).first + (r) * (v).stride)
#define get(s, v, r, c)    bank_read((s), bank_of(v, r), (v).a + (c))
#define put(s, v, r, c, x) bank_write((s), bank_of(v, r), (v).a + (c), (x))

#define view_sync(s, v)        group_sync((s), (v).first, (v).stride, (v).h)
#define view_phase(s, v, name) phase_mark((s), (v).first, (v).stride, (v).h, (v).a, (v).m, (name))

DEV view view_make(int first, int h, int m, int a, int b, int ways)
{
    view v;

    v.first = first;
    v.stride = 1;
    v.h = h;
    v.m = m;
    v.a = a;
    v.b = b;
    v.by = sorter_merge(ways);
    v.worst = 0;
    return v;
}

/* The same rows, data in the other buffer. */
DEV view view_flip(view v)
{
    const int a = v.a;

    v.a = v.b;
    v.b = a;
    return v;
}

/* Rows from .. to - 1 of v. */
DEV view view_rows(view v, int from, int to)
{
    v.first += from * v.stride;
    v.h = to - from;
    return v;
}

/* The same rows at another width: neighbours in memory must leave room for it. */
DEV view view_wide(view v, int m)
{
    v.m = m;
    return v;
}

#endif
