/* shearsort.h - Sitchinava and Weichert's conflict-free sort of a matrix.
 *
 * ceil(lg w) times: sort the rows, odd rows falling, and then the columns.  Then
 * sort the rows once more, all rising: row-major order.
 *
 * Why it sorts.  Take a 0-1 matrix whose columns are sorted, with D dirty rows
 * between those of zeros and those of ones.  Of two neighbouring dirty rows, one
 * rising and one falling, the columns hold either no (1,1) or no (0,0), so the
 * column sort makes at least one of the two rows clean: ceil(D/2) stay dirty.
 * After k rounds there are at most ceil(w / 2^k).
 *
 * Columns are sorted as rows of another matrix.  Column j goes to row j / q, there
 * to the segment j % q of w words, q = ceil(m/w): c2r at width q*w, in which columns
 * m, m+1, .. do not exist.  No bank is asked twice: convert.h, and own banks.
 * Where m < w this keeps only m processors busy; if it is then cheaper, all sort
 * column after column in place, by network.h, which asks no bank twice either.
 *
 * Time: ceil(lg w) * (sort_row(m) + 4qw + q*sort_row(w)) + sort_row(m); by network
 * m * network_column(w) instead of the middle terms.
 * Space: q*w words a row besides the row, and w - m more if m < w; by network m.
 * Departs from the original: it is for w x w only and ends in column-major order.
 */
#ifndef CW_PAPER_SORT_SHEARSORT_H
#define CW_PAPER_SORT_SHEARSORT_H

#include "paper/convert/convert.h"
#include "paper/sort/network.h"

/* How the columns of a w x m matrix are sorted. */
typedef struct shear_plan {
    int q;              /* segments a row, if by conversion */
    int network;        /* 0: by conversion, 1: by network */
    long long steps;    /* of one column sort */
    int margin, buffer; /* extra words a row: beside the matrix, and as second buffer */
} shear_plan;

DEV shear_plan shear_plan_make(int w, int m, int ways)
{
    const long long network = m * network_column_steps(w);
    shear_plan plan;

    plan.q = (m - 1) / w + 1;
    plan.steps = 4LL * plan.q * w + plan.q * row_sort_steps(w, ways);
    plan.network = w > m && network < plan.steps;
    if (plan.network)
        plan.steps = network;
    plan.margin = w > m && !plan.network ? w - m : 0;
    plan.buffer = plan.network ? m : plan.q * w;
    return plan;
}

/* Sort every column; the data stands in v.a again in the end. */
DEV void shear_columns(mem s, view v, shear_plan plan)
{
    const int i = view_row(s, v);

    if (plan.network) {
        for (int c = 0; c < v.m; c++)
            network_column(s, v, c, 0);
    } else {
        const view t = c2r_part(s, view_wide(v, plan.q * v.h), v.m);

        for (int g = 0; g < plan.q && i * plan.q + g < v.m; g++)
            sort_row(s, lane_id(s), t.a + g * v.h, t.b, t.a + g * v.h, v.h, 0, v.by.ways);
        r2c_part(s, t, v.m, 0);
    }
    view_phase(s, v, "columns sorted");
}

/* Sort v in row-major order.  v.a has room for max(m, h) columns, v.b for
 * plan.buffer; the data stands in v.a again in the end. */
DEV void shearsort(mem s, view v, shear_plan plan)
{
    const int i = view_row(s, v);

    for (int reach = 1; reach < v.h; reach *= 2) {
        sort_row(s, lane_id(s), v.a, v.b, v.a, v.m, i & 1, v.by.ways);
        view_phase(s, v, "rows sorted");
        shear_columns(s, v, plan);
    }
    sort_row(s, lane_id(s), v.a, v.b, v.a, v.m, 0, v.by.ways);
    view_phase(s, v, "rows sorted");
}

#endif
