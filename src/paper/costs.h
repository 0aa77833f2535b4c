/* costs.h - how many steps the row routines take: known from the shape alone. */
#ifndef CW_PAPER_COSTS_H
#define CW_PAPER_COSTS_H

#include "dev/dev.h"

#define WAYS_MAX 16 /* runs that one merge can take; the heads are held in registers */

/* The least p with ways^p >= x. */
DEV int passes_of(int x, int ways)
{
    int p = 0;

    for (long long reach = 1; reach < x; reach *= ways)
        p++;
    return p;
}

/* Items that a processor sorts in registers before it merges. */
DEV int base_run(int ways)
{
    return ways > 4 ? ways : 4;
}

/* Passes over a row of m items to sort it. */
DEV int row_passes(int m, int ways)
{
    const int base = base_run(ways);

    return m <= 1 ? 0 : 1 + passes_of((m + base - 1) / base, ways);
}

/* Steps of sort_row. */
DEV long long row_sort_steps(int m, int ways)
{
    return 2LL * m * row_passes(m, ways);
}

#endif
