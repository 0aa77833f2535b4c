/* block_scan.h - prefix sums in a block of any number of whole warps, up to 32.
 *
 * Each warp scans its own items (warp_scan.h), the warps' parts following each other.  Then lane 0
 * of every warp writes the warp's sum to shared memory, the word of its number; after the barrier
 * every warp reads all of these sums, lane i that of warp i, and scans them for itself: so one
 * barrier is enough, and nothing is written back.
 *
 * No bank is asked twice: one lane writes; lanes read one word of one line of 32 each.  Addresses
 * are the same for every input.
 *
 * Time: 6 shuffles a piece and 7 more, 1 write and 1 read of shared memory a warp, 1 barrier.
 * Space: 128 bytes of shared memory, whatever k is.
 *
 * A tile of global memory that starts on 16 bytes (`in` and `out`) is moved 16 bytes a lane, other
 * tiles and the last items word by word.
 */
#ifndef CW_PRIM_BLOCK_SCAN_H
#define CW_PRIM_BLOCK_SCAN_H

#include "dev/kernel.h"
#include "tiles/tiles.h"
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

/* From these, the sum of the warps before warp w, which is one for all lanes. */
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

/* ---- a tile of global memory ---------------------------------------------------------------- */

/* The items of this lane, from item `part` of the tile on; those past its end are 0. */
DEV void scan_load(uint32_t *x, const uint32_t *in, uint32_t length, uint32_t part, int k)
{
    const int q = k < 4 ? k : 4;

    UNROLL for (int r = 0; r < k; r += q)
    {
        const uint32_t e = part + 32u * (uint32_t)r + (uint32_t)q * LANE_ID;

        if (q == 4 && (uintptr_t)in % 16u == 0 && e + 4u <= length) {
            const vec16 v = gm_ld16(in + e);

            x[r] = v.x;
            x[r + 1] = v.y;
            x[r + 2] = v.z;
            x[r + 3] = v.w;
        } else {
            UNROLL for (int i = 0; i < q; i++) x[r + i] =
                e + (uint32_t)i < length ? gm_ld4(in + e + i) : 0u;
        }
    }
}

DEV void scan_store(const uint32_t *x, uint32_t *out, uint32_t length, uint32_t part, int k)
{
    const int q = k < 4 ? k : 4;

    UNROLL for (int r = 0; r < k; r += q)
    {
        const uint32_t e = part + 32u * (uint32_t)r + (uint32_t)q * LANE_ID;

        if (q == 4 && (uintptr_t)out % 16u == 0 && e + 4u <= length) {
            const vec16 v = {x[r], x[r + 1], x[r + 2], x[r + 3]};

            gm_st16(out + e, v);
        } else {
            UNROLL for (int i = 0; i < q; i++)
            {
                if (e + (uint32_t)i < length)
                    gm_st4(out + e + i, x[r + i]);
            }
        }
    }
}

/* ---- batches -------------------------------------------------------------------------------- */

#define SCAN_MOST 16

DEV void scan_tiles(const struct cw_tiles_scan *a, int k, int wide)
{
    const uint64_t warps = BLOCK_DIM / 32u;
    const uint64_t first = wide ? BLOCK_ID : BLOCK_ID * warps + WARP_ID;
    const uint64_t step = wide ? GRID_DIM : GRID_DIM * warps;
    const uint32_t part = wide ? WARP_ID * 32u * (uint32_t)k : 0u;

    ROLL for (uint64_t tile = first; tile < a->count; tile += step)
    {
        uint32_t x[SCAN_MOST];
        uint32_t sum;

        if (wide && tile != first)
            block_sync(); /* the sums of the last tile have been read */
        scan_load(x, a->in + tile * a->length, a->length, part, k);
        if (wide)
            sum = block_scan_items(x, k, (int)a->inclusive, 0);
        else
            sum = warp_scan_items(x, k, (int)a->inclusive);
        scan_store(x, a->out + tile * a->length, a->length, part, k);
        if (a->totals && (wide ? THREAD_ID : LANE_ID) == 0)
            gm_st4(a->totals + tile, sum);
    }
}

#ifdef TILES_SCAN

#define SCAN_KERNELS(k)                                            \
    KERNEL(cw_tiles_scan_warp_##k, struct cw_tiles_scan, 1024, 1)  \
    {                                                              \
        scan_tiles(arg, k, 0);                                     \
    }                                                              \
    KERNEL(cw_tiles_scan_block_##k, struct cw_tiles_scan, 1024, 1) \
    {                                                              \
        scan_tiles(arg, k, 1);                                     \
    }
SCAN_KERNELS(1)
SCAN_KERNELS(4)
SCAN_KERNELS(16)

#endif

#endif
