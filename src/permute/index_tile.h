/* index_tile.h - what all kernels of cw_permute that work on tiles do alike.
 *
 *      tile_keys      targets of a tile from an index of 4 or 8 bytes, or as an earlier pass left
 *                     them; PERMUTE_NONE for what is not there or out of range
 *      tile_sums      prefix sums of a number a thread
 */
#ifndef CW_PERMUTE_INDEX_TILE_H
#define CW_PERMUTE_INDEX_TILE_H

#include "dev/kernel.h"
#include "permute/job.h"
#include "prim/least.h"
#include "prim/warp_scan.h"

#if SHAPES != SHAPES_TINY
#define TILE_CUDA 1
#else
#define TILE_CUDA 0
#endif

#define TILE_THREADS PERMUTE_THREADS(TILE_CUDA)
#define TILE_BINS    (1u << PERMUTE_BIN_LOG(TILE_CUDA))

/* Shared memory of a tile begins with this. */
struct index_tile_shared {
    uint32_t count[TILE_BINS]; /* of a bin: its items in the tile */
    uint32_t start[TILE_BINS]; /* its first place in the tile */
    uint32_t base[TILE_BINS];  /* from where on it goes in global memory */
    uint32_t warps[32];        /* a sum of each warp */
    uint32_t all;              /* the sum of all threads */
    uint32_t changes, fresh;   /* permute/look.h */
    uint32_t unused[29];
};

#define TILE_COUNT SHARED_AT(index_tile_shared, count)
#define TILE_START SHARED_AT(index_tile_shared, start)
#define TILE_BASE  SHARED_AT(index_tile_shared, base)
#define TILE_WARPS SHARED_AT(index_tile_shared, warps)
#define TILE_ALL   SHARED_AT(index_tile_shared, all)
#define TILE_MORE  ((uint32_t)sizeof(struct index_tile_shared)) /* what a kernel has besides */

STATIC_ASSERT(TILE_MORE == PERMUTE_HEAD_BYTES(TILE_CUDA), "the host counts other bytes");

/* Item i of an index, or PERMUTE_NONE. */
DEV uint32_t index_at(const void *index, uint64_t i, uint32_t wide, uint64_t n)
{
    const uint64_t p =
        wide ? gm_ld8((const uint64_t *)index + i) : gm_ld4((const uint32_t *)index + i);

    return p < n ? (uint32_t)p : PERMUTE_NONE;
}

/* Items start + thread, + threads, .. of an index. */
#define tile_keys(key, items, index, start, count, wide, n)                             \
    do {                                                                                \
        if ((count) == (items)*TILE_THREADS && !(wide)) {                               \
            UNROLL for (uint32_t i_ = 0; i_ < (items); i_++) key[i_] =                  \
                index_at(index, (start) + i_ * TILE_THREADS + THREAD_ID, 0, n);         \
        } else if ((count) == (items)*TILE_THREADS) {                                   \
            UNROLL for (uint32_t i_ = 0; i_ < (items); i_++) key[i_] =                  \
                index_at(index, (start) + i_ * TILE_THREADS + THREAD_ID, 1, n);         \
        } else {                                                                        \
            UNROLL for (uint32_t i_ = 0; i_ < (items); i_++) key[i_] =                  \
                i_ * TILE_THREADS + THREAD_ID < (count)                                 \
                    ? index_at(index, (start) + i_ * TILE_THREADS + THREAD_ID, wide, n) \
                    : PERMUTE_NONE;                                                     \
        }                                                                               \
    } while (0)

/* What the threads before this one brought; the sum of all is left at TILE_ALL.  Two
 * barriers. */
DEV uint32_t tile_sums(uint32_t x)
{
    const uint32_t sum = warp_scan(x);
    uint32_t before = 0;

    if (LANE_ID == 31u)
        sh_st4(TILE_WARPS + 4u * WARP_ID, sum);
    block_sync();
    ROLL for (uint32_t w = 0; w < TILE_THREADS / 32u; w++)
    {
        const uint32_t other = sh_ld4(TILE_WARPS + 4u * w);

        before += w < WARP_ID ? other : 0u;
    }
    if (THREAD_ID == TILE_THREADS - 1u)
        sh_st4(TILE_ALL, before + sum);
    return before + sum - x;
}

#endif
