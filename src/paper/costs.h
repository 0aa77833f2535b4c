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

/* How a processor sorts its row.  Merging compares whole words; counting looks only at
 * a key of `bits` bits from bit `shift` on, `digit` bits a pass, with its 2^digit
 * counters at column `counters`.  bits = 0: the key is not known, merge. */
enum { ROWS_BEST, ROWS_MERGE, ROWS_RADIX };

typedef struct sorter {
    int ways;
    int rows; /* ROWS_BEST: whichever takes fewer steps */
    int shift, bits, digit, counters;
} sorter;

DEV sorter sorter_merge(int ways)
{
    sorter by;

    by.ways = ways;
    by.rows = ROWS_MERGE;
    by.shift = by.bits = by.digit = by.counters = 0;
    return by;
}

DEV int radix_passes(sorter by)
{
    return (by.bits + by.digit - 1) / by.digit;
}

/* Steps of radix_row: 7m + 3B a pass; m more to end in the other buffer of the two
 * than the one that the number of passes leads to. */
DEV long long radix_row_steps(int m, sorter by, int misfit)
{
    return m <= 1 ? 0 : radix_passes(by) * (7LL * m + 3 * (1LL << by.digit)) + (misfit ? m : 0);
}

/* Is a row of m items better sorted by counting?  `move`: it is to end in the other buffer. */
DEV int by_radix(int m, sorter by, int move)
{
    return by.bits && m > 1 &&
           (by.rows == ROWS_RADIX ||
            (by.rows == ROWS_BEST &&
             radix_row_steps(m, by, (radix_passes(by) & 1) != move) < row_sort_steps(m, by.ways)));
}

/* Steps of order_row. */
DEV long long order_steps(int m, sorter by, int move)
{
    if (m <= 1)
        return move ? 2LL * m : 0;
    return by_radix(m, by, move) ? radix_row_steps(m, by, (radix_passes(by) & 1) != move)
                                 : row_sort_steps(m, by.ways);
}

#endif
