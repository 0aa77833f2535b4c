/* scan.h - prefix sums of many tiles: a warp a tile (prim/warp_scan.h), or a block
 * (prim/block_scan.h).
 *
 * A tile of global memory that starts on 16 bytes (`in` and `out`) is moved 16 bytes a lane, other
 * tiles and the last items word by word.
 */
#ifndef CW_TILES_SCAN_H
#define CW_TILES_SCAN_H

#include "prim/block_scan.h"
#include "tiles/tiles.h"

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
