/* odd_even.h - Batcher's odd-even merge sort on a linear array: it conflicts.
 *
 * The same array, the same threads and the same way of leaving out comparators as
 * in bitonic.h; n a power of two is not needed for the same reason.  Merging two
 * runs of `half` items takes the comparators (x, x + half) and then, for stride =
 * half/2, .., 1, the comparators that join the last `stride` items of each block of
 * 2 * stride with the first ones of the next block, inside the merged run.  Thread
 * t still stands at 2t - t % stride and idles if there is no block before its own:
 * fewer comparators than bitonic sort, yet as many rounds, with the same conflicts
 * where a warp is full.
 *
 * Time: without conflicts  m lg n (lg n + 1)  steps at most.   Space: as bitonic.h.
 */
#ifndef CW_PAPER_SORT_ODD_EVEN_H
#define CW_PAPER_SORT_ODD_EVEN_H

#include "paper/sort/bitonic.h"

/* The stages of a merge of runs of `half` items after the first. */
DEV void odd_even_stage(mem s, linear a, int n, int half, int stride)
{
    group_sync(s, 0, 1, a.w);
    for (int t = 0; 2 * t - (t & (stride - 1)) < n; t += a.w) {
        const int me = t + lane_id(s);
        const int hi = 2 * me - (me & (stride - 1));

        if ((me & (half - 1)) >= stride)
            exchange_items(s, a, hi - stride, hi, n);
        group_sync(s, 0, 1, a.w);
    }
}

DEV void odd_even_sort(mem s, linear a, int n)
{
    for (int half = 1; half < n; half *= 2) {
        bitonic_stage(s, a, n, half, 0);
        for (int stride = half / 2; stride > 0; stride /= 2)
            odd_even_stage(s, a, n, half, stride);
        phase_mark(s, 0, 1, a.w, a.first, n / a.w, "runs merged");
    }
}

#endif
