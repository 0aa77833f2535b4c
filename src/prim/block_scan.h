/* block_scan.h - prefix sums in a block of any number of whole warps, up to 32.
 *
 * Each warp scans its own items (prim/warp_scan.h).  The items of warps follow each other.  Lane 0
 * of every warp writes the warp's sum to shared memory, to the word of the warp's number.  After
 * the barrier every warp reads all sums, lane i that of warp i, and scans them for itself.  So one
 * barrier is enough, and nothing is written back.
 *
 * No bank is asked twice: one lane writes, and 32 lanes read the 32 words of one line.  Addresses
 * are the same for every input.
 *
 * Time: 6 shuffles a piece and 7 more, 1 write and 1 read of shared memory a warp, 1 barrier.
 * Space: 128 bytes of shared memory, whatever k is.
 *
 * Scans of warps, then of their sums: Sengupta, Harris and Garland (2008).  It departs in that every
 * warp scans the sums, which saves a barrier.
 */
#ifndef CW_PRIM_BLOCK_SCAN_H
#define CW_PRIM_BLOCK_SCAN_H

#include "dev/kernel.h"
#include "prim/warp_scan.h"

/* Lane i gets the sum of what warps 0 .. i have brought.  Every warp calls this.  The 128 bytes
 * from `base` may be used again after the next barrier. */
DEV uint32_t block_scan_warps(uint32_t mine, uint32_t base)
{
    uint32_t x = 0;

    if (LANE_ID == 0)
        sh_st4(base + 4u * WARP_ID, mine);
    block_sync();
    if (LANE_ID < BLOCK_DIM / 32u)
        x = sh_ld4(base + 4u * LANE_ID);
    return warp_scan(x);
}

/* The sum of the warps before warp w, from what block_scan_warps returned.  It is the same for all
 * lanes. */
DEV uint32_t block_scan_before(uint32_t sums, uint32_t w)
{
    const uint32_t x = shfl4(sums, w - 1u);

    return w ? x : 0u;
}

/* warp_scan_items for the block. */
DEV uint32_t block_scan_items(uint32_t *x, int k, int inclusive, uint32_t base)
{
    const uint32_t sums = block_scan_warps(warp_scan_items(x, k, inclusive), base);
    const uint32_t before = block_scan_before(sums, WARP_ID);

    UNROLL for (int i = 0; i < k; i++) x[i] += before;
    return shfl4(sums, 31);
}

/* The sum over the threads before this one, of numbers of 8 bytes.  *all becomes the sum over all
 * threads.  Takes 8 bytes a warp at `base`.  Two barriers. */
DEV uint64_t block_scan8(uint64_t x, uint64_t *all, uint32_t base)
{
    const uint64_t sum = warp_scan8(x);
    uint64_t before = 0;

    if (LANE_ID == 31u)
        sh_st8(base + 8u * WARP_ID, sum);
    block_sync();
    *all = 0;
    ROLL for (uint32_t w = 0; w < BLOCK_DIM / 32u; w++)
    {
        const uint64_t y = sh_ld8(base + 8u * w);

        before += w < WARP_ID ? y : 0u;
        *all += y;
    }
    block_sync();
    return before + sum - x;
}

#endif
