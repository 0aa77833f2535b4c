/* radix.h - a row sorted by its own processor, by counting: O(m) a pass.
 *
 * Least significant digit first, stable.  A pass over a digit of B values: clear B
 * counters, count (read an item, add one to a counter: 3 accesses), turn counts
 * into places (2B), and move (read, read and write a counter, write): 7m + 3B steps,
 * whatever the data, in the own bank throughout.
 *
 * Time: 7m + 3B a digit.   Space: m words for the other buffer, B counters.
 */
#ifndef CW_PAPER_RADIX_H
#define CW_PAPER_RADIX_H

#include "paper/costs.h"
#include "paper/view.h"

typedef struct radix {
    int shift;    /* lowest bit of the key in a word */
    int bits;     /* bits of the key */
    int digit;    /* bits a pass */
    int counters; /* first column of 2^digit counters */
} radix;

DEV int radix_passes(radix x)
{
    return (x.bits + x.digit - 1) / x.digit;
}

DEV long long radix_row_steps(int m, radix x)
{
    return m <= 1 ? 0 : radix_passes(x) * (7LL * m + 3 * (1LL << x.digit));
}

DEV int radix_digit(radix x, word y, int pass, int desc)
{
    const int low = pass * x.digit;
    const int bits = x.bits - low < x.digit ? x.bits - low : x.digit;
    const int d = (int)(y >> (x.shift + low) & (((word)1 << bits) - 1));

    return desc ? (1 << bits) - 1 - d : d;
}

DEV void radix_pass(mem s, int i, int src, int dst, int m, radix x, int pass, int desc)
{
    const int B = 1 << x.digit;
    word sum = 0;

    for (int d = 0; d < B; d++)
        bank_write(s, i, x.counters + d, 0);
    for (int j = 0; j < m; j++) {
        const int d = radix_digit(x, bank_read(s, i, src + j), pass, desc);
        const word k = bank_read(s, i, x.counters + d);

        bank_write(s, i, x.counters + d, k + 1);
    }
    for (int d = 0; d < B; d++) {
        const word k = bank_read(s, i, x.counters + d);

        bank_write(s, i, x.counters + d, sum);
        sum += k;
    }
    for (int j = 0; j < m; j++) {
        const word y = bank_read(s, i, src + j);
        const int d = radix_digit(x, y, pass, desc);
        const word k = bank_read(s, i, x.counters + d);

        bank_write(s, i, x.counters + d, k + 1);
        bank_write(s, i, dst + (int)k, y);
    }
}

/* Sort the m items of bank i at column src; after an odd number of passes the result
 * stands at dst, else at src. */
DEV void radix_row(mem s, int i, int src, int dst, int m, radix x, int desc)
{
    if (m <= 1)
        return;
    for (int pass = 0; pass < radix_passes(x); pass++) {
        const int other = src;

        radix_pass(s, i, src, dst, m, x, pass, desc);
        src = dst;
        dst = other;
    }
}

#endif
