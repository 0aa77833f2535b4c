/* warp_scan.h - prefix sums in a warp, by shuffles alone.
 *
 *      warp_scan          1 2 3 4 ..   ->   1 3 6 10 ..     one number a lane
 *      warp_scan_items    the same for k items a lane, with the item itself or without
 *
 * k is 1, 2, 3 or a multiple of 4.  A lane has its items in pieces of q = min(k, 4) that stand
 * beside each other in memory: number i of piece r of lane l is item q (32 r + l) + i of the warp.
 * So a warp moves 512 bytes at once, 16 a lane, with nothing to rearrange: with runs of k items a
 * lane, one scan would do for all pieces, but each item would go through shared memory twice,
 * 4 wavefronts a piece where a scan is 5 shuffles, and as many again on the way back.
 *
 * No shared memory, and the same words of the warp for every input.  Sums are modulo 2^32.
 * Time: 6 shuffles a piece.
 *
 * Sums of lanes 1, 2, 4 .. apart: Hillis and Steele (1986).
 */
#ifndef CW_PRIM_WARP_SCAN_H
#define CW_PRIM_WARP_SCAN_H

#include "dev/kernel.h"

/* The sum of all lanes up to this one. */
DEV uint32_t warp_scan(uint32_t x)
{
    UNROLL for (uint32_t by = 1; by < 32; by *= 2)
    {
        const uint32_t y = shfl_up4(x, by);

        x += LANE_ID >= by ? y : 0u;
    }
    return x;
}

/* The same for numbers of 8 bytes. */
DEV uint64_t warp_scan8(uint64_t x)
{
    UNROLL for (uint32_t by = 1; by < 32; by *= 2)
    {
        const uint64_t y = shfl_up8(x, by);

        x += LANE_ID >= by ? y : 0u;
    }
    return x;
}

/* Each item becomes the sum of those before it, with its own if `inclusive`.  Returns the sum of
 * all. */
DEV uint32_t warp_scan_items(uint32_t *x, int k, int inclusive)
{
    const int q = k < 4 ? k : 4;
    uint32_t sum = 0;

    UNROLL for (int r = 0; r < k; r += q)
    {
        uint32_t piece = 0;
        uint32_t upto, before;

        UNROLL for (int i = r; i < r + q; i++) piece += x[i];
        upto = warp_scan(piece);
        before = sum + upto - piece;
        UNROLL for (int i = r; i < r + q; i++)
        {
            const uint32_t own = x[i];

            x[i] = before + (inclusive ? own : 0u);
            before += own;
        }
        sum += shfl4(upto, 31);
    }
    return sum;
}

#endif
