/* find.h - a warp finds a number among sums in ascending order.
 *
 * 32 lanes look at 32 places at once, so 2^15 sums take three rounds.  No shared memory.
 */
#ifndef CW_SORT_SAMPLE_SORT_FIND_H
#define CW_SORT_SAMPLE_SORT_FIND_H

#include "dev/kernel.h"

/* Find the last of sums[0 .. count - 1] that is at most x.  sums[0] is. */
DEV uint32_t find_last(const uint32_t *sums, uint32_t count, uint32_t x)
{
    uint32_t low = 0;
    uint32_t high = count;

    ROLL while (high - low > 1u)
    {
        const uint32_t step = (high - low + 31u) / 32u;
        const uint32_t at = low + step * LANE_ID;
        const int fits = at < high && gm_ld4(sums + at) <= x;

        low += step * (bit_count(ballot(fits)) - 1u);
        high = high < low + step ? high : low + step;
    }
    return low;
}

#endif
