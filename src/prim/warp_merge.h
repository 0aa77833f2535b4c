/* warp_merge.h - steps of a bitonic merge between the lanes of a warp, by shuffles.
 *
 * Key j of lane i is element i*k + j.  To merge the sorted halves of 2^c lanes, element e of the
 * group is compared with the one that mirrors it, so that every comparator puts the smaller first
 * and no direction is needed; then lanes 2^(c-2), .., 1 apart, key by key.  Each lane keeps the
 * smaller or the larger of its own key and its partner's.
 *
 * No shared memory.  Time: c shuffles and 2c minima or maxima a key (the choice between the two
 * costs the second), against 4 accesses of shared memory and c of them through
 * prim/register_layout.h: this wins for c = 1 and draws for c = 2.
 *
 * Bitonic merge: Batcher (1968).
 */
#ifndef CW_PRIM_WARP_MERGE_H
#define CW_PRIM_WARP_MERGE_H

#include "prim/thread_sort.h"

DEV key keep(int larger, key x, key y, struct comparator how)
{
    if (KEY_LOG > 2)
        return (x < y) != larger ? x : y;
    return larger ? greater(x, y, how.halves) : lesser(x, y, how.halves);
}

DEV void warp_merge(key *x, int k, int c, struct comparator how)
{
    const int mirror = (1 << c) - 1;
    const int larger = LANE_ID >> (c - 1) & 1;

    UNROLL for (int j = 0; j < k / 2; j++)
    {
        const key y = shfl_xor_key(x[k - 1 - j], mirror);
        const key z = shfl_xor_key(x[j], mirror);

        x[j] = keep(larger, x[j], y, how);
        x[k - 1 - j] = keep(larger, x[k - 1 - j], z, how);
    }
    ROLL for (int b = c - 2; b >= 0; b--)
    {
        const int upper = LANE_ID >> b & 1;

        UNROLL for (int j = 0; j < k; j++)
        {
            const key y = shfl_xor_key(x[j], 1 << b);

            x[j] = keep(upper, x[j], y, how);
        }
    }
}

#endif
