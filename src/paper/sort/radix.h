/* radix.h - a row sorted by its own processor, by counting: O(m) a pass.
 *
 * Least significant digit first, stable.  A pass over a digit of B values: clear B
 * counters, count (read an item, add one to a counter: 3 accesses), turn counts
 * into places (2B), and move (read, read and write a counter, write): 7m + 3B steps,
 * whatever the data, in the own bank throughout.
 *
 * Time: 7m + 3B a digit.   Space: m words for the other buffer, B counters.
 */
#ifndef CW_PAPER_SORT_RADIX_H
#define CW_PAPER_SORT_RADIX_H

#include "paper/costs.h"
#include "paper/view.h"

DEV int radix_digit(sorter x, word y, int pass, int desc)
{
    const int low = pass * x.digit;
    const int bits = x.bits - low < x.digit ? x.bits - low : x.digit;
    const int d = (int)(y >> (x.shift + low) & (((word)1 << bits) - 1));

    return desc ? (1 << bits) - 1 - d : d;
}

/* Counting, and moving from src to dst.  `copy`: the count writes the items to dst as
 * well, and they are moved back from there, so that they end at src. */
DEV void radix_pass(mem s, int i, int src, int dst, int m, sorter x, int pass, int desc, int copy)
{
    const int B = 1 << x.digit;
    const int from = copy ? dst : src, to = copy ? src : dst;
    word sum = 0;

    for (int d = 0; d < B; d++)
        bank_write(s, i, x.counters + d, 0);
    for (int j = 0; j < m; j++) {
        const word y = bank_read(s, i, src + j);
        const int d = radix_digit(x, y, pass, desc);
        const word k = bank_read(s, i, x.counters + d);

        bank_write(s, i, x.counters + d, k + 1);
        if (copy)
            bank_write(s, i, dst + j, y);
    }
    for (int d = 0; d < B; d++) {
        const word k = bank_read(s, i, x.counters + d);

        bank_write(s, i, x.counters + d, sum);
        sum += k;
    }
    for (int j = 0; j < m; j++) {
        const word y = bank_read(s, i, from + j);
        const int d = radix_digit(x, y, pass, desc);
        const word k = bank_read(s, i, x.counters + d);

        bank_write(s, i, x.counters + d, k + 1);
        bank_write(s, i, to + (int)k, y);
    }
}

/* Sort the m items of bank i at column `from`; `scratch` is as wide, and the result stands
 * at `to`, which is one of them. */
DEV void radix_row(mem s, int i, int from, int scratch, int to, int m, sorter x, int desc)
{
    const int passes = radix_passes(x);
    int src = from, dst = scratch;

    for (int pass = 0; pass < passes && m > 1; pass++) {
        const int copy = pass == 0 && (passes & 1) != (to != from);

        radix_pass(s, i, src, dst, m, x, pass, desc, copy);
        if (!copy) {
            const int other = src;

            src = dst;
            dst = other;
        }
    }
}

#endif
