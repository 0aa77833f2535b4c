/* thread_sort.h - sorting networks in the registers of one lane.
 *
 * A lane holds k = 2^log_k keys in an array.  When loops are unrolled every index is known, so the
 * array lives in registers, and no memory is asked for anything.
 *
 *      lane_sort     Batcher's odd-even merge sort: 191 comparators for 32 keys (bitonic: 240)
 *      lane_merge    steps of a bitonic merge whose strides are below k
 *      lane_join     the same outcome for two ascending runs, by Batcher's odd-even merge: 65
 *                    comparators for 32 keys (bitonic: 80)
 *
 * A comparator is a minimum and a maximum.  Both run on one pipe of the GPU, at half the rate at
 * which instructions are issued, and bound the sort.  So `mads` of every 8 comparators get the
 * larger key as x - min(x, y) + y, by two multiply-adds of the other pipe.  The difference wraps,
 * and so does the sum, so the result is exact.  `one` is 1, but comes from outside: a compiler that
 * knew it would add on the first pipe again.
 *
 * A word may also be two keys of 16 bits, which are sorted side by side (`halves`).  Minima and
 * maxima are then those of each half.  No difference or sum above borrows or carries from one half
 * to the other.
 *
 * Keys of 8 or 16 bytes are compared and selected.  The larger key is x ^ y ^ the smaller one: two
 * instructions, where a second selection would be four.
 *
 * Networks: Batcher (1968).  Maxima by multiply-adds are this library's.
 */
#ifndef CW_PRIM_THREAD_SORT_H
#define CW_PRIM_THREAD_SORT_H

#include "prim/key.h"

struct comparator {
    int mads;
    uint32_t one;
    int halves; /* words are two keys each: a constant */
};

DEV key lesser(key x, key y, int halves)
{
#if KEY_LOG == 2
    if (halves)
        return min2x2(x, y);
#endif
    (void)halves;
    return x < y ? x : y;
}

DEV key greater(key x, key y, int halves)
{
#if KEY_LOG == 2
    if (halves)
        return max2x2(x, y);
#endif
    (void)halves;
    return x < y ? y : x;
}

/* The smaller key to a, the larger to b.  `nth` numbers the comparators of a step. */
DEV void order(key *a, key *b, int nth, struct comparator how)
{
    const key x = *a;
    const key y = *b;
    const key low = lesser(x, y, how.halves);

    *a = low;
    if (KEY_LOG > 2)
        *b = x ^ y ^ low;
    else if (nth * how.mads % 8 < how.mads)
        *b = mad4((uint32_t)(x - low), how.one, (uint32_t)y);
    else
        *b = greater(x, y, how.halves);
}

/* Does Batcher's step of stride d compare i with i + d, when runs of 2^a are merged? */
DEV int batcher(int i, int d, int a)
{
    if (d == 1 << a)
        return !(i & d);
    return (i & d) && (i >> (a + 1)) == ((i + d) >> (a + 1));
}

/* Sort every 2^log_run keys of x ascending.  The loops have constant bounds, or they would not be
 * unrolled. */
DEV void lane_sort(key *x, int log_k, int log_run, struct comparator how)
{
    const int k = 1 << log_k;

    UNROLL for (int a = 0; a < log_k; a++)
    {
        UNROLL for (int b = log_k - 1; b >= 0; b--)
        {
            const int d = 1 << b;
            int nth = 0;

            UNROLL for (int i = 0; i < k; i++)
            {
                if (a < log_run && b <= a && i + d < k && batcher(i, d, a))
                    order(&x[i], &x[i + d], nth++, how);
            }
        }
    }
}

/* One step of a bitonic merge for each of the upper g bits of the index, from the highest down. */
DEV void lane_merge(key *x, int log_k, int g, struct comparator how)
{
    const int k = 1 << log_k;

    UNROLL for (int bit = log_k - 1; bit >= 0; bit--)
    {
        int nth = 0;

        UNROLL for (int i = 0; i < k; i++)
        {
            if (log_k - bit <= g && !(i >> bit & 1))
                order(&x[i], &x[i + (1 << bit)], nth++, how);
        }
    }
}

/* Sort each column of registers whose numbers agree in the lower log_k - g bits.  A column is two
 * ascending runs of 2^(g-1) keys each. */
DEV void lane_join(key *x, int log_k, int g, struct comparator how)
{
    const int k = 1 << log_k;
    const int low = log_k - g;

    UNROLL for (int bit = log_k - 1; bit >= 0; bit--)
    {
        int nth = 0;

        UNROLL for (int i = 0; i < k; i++)
        {
            if (bit >= low && i + (1 << bit) < k && batcher(i >> low, 1 << bit >> low, g - 1))
                order(&x[i], &x[i + (1 << bit)], nth++, how);
        }
    }
}

#endif
