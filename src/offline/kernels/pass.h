/* pass.h - the passes of an offline permutation: a block moves a tile of items.
 *
 *      partition  item i of the tile goes to place P[i] of shared memory, by a table of 16-bit
 *               places; the places of a tile are in runs, one a bucket of destinations, and each
 *               run goes to its place in its bucket
 *      place    the same, and the tile is written where it was: the last pass
 *
 * Input and output of a tile are read and written in the order of addresses.  Runs of neighbouring
 * tiles lie side by side in a bucket, and those tiles are under way at one time, so that sectors
 * that two runs share meet in the L2.
 *
 * What a run is costs nothing but a look: a line of 32 places has the number of its first run and a
 * mask of the lanes that begin another, so a lane's run is that number and the ones up to it.
 *
 * Stores to shared memory go where the table says: 3.5 wavefronts a store on a random permutation,
 * which the memory of the device hides.  kernels/words.h includes this for each kind of item.
 */
#include "offline/kernels/job.h"

#ifndef CW_OFFLINE_KERNELS_PASS_H
#define CW_OFFLINE_KERNELS_PASS_H

#define PLAN_PASS_BLOCKS 1
#define PLAN_ROUND       7u /* loads of 16 bytes that a thread has under way */
#define PLAN_LINES       8u /* lines that a warp has under way */

#endif

#define VEC (16u / WORD_BYTES) /* items in 16 bytes */

/* VEC items to their places. */
#if WORD_BYTES == 4
#define PLACES    uint64_t
#define gm_ldp(p) gm_ld8(p)
#elif WORD_BYTES == 8
#define PLACES    uint32_t
#define gm_ldp(p) gm_ld4(p)
#else
#define PLACES    uint32_t
#define gm_ldp(p) gm_ld2(p)
#endif

DEV void PLAN(plan_put)(vec16 v, PLACES to)
{
#if WORD_BYTES == 4
    sh_st4((uint32_t)(to & 0xffffu) * 4u, v.x);
    sh_st4((uint32_t)(to >> 16 & 0xffffu) * 4u, v.y);
    sh_st4((uint32_t)(to >> 32 & 0xffffu) * 4u, v.z);
    sh_st4((uint32_t)(to >> 48) * 4u, v.w);
#elif WORD_BYTES == 8
    sh_st8((to & 0xffffu) * 8u, (uint64_t)v.y << 32 | v.x);
    sh_st8((to >> 16) * 8u, (uint64_t)v.w << 32 | v.z);
#else
    sh_st16(to * 16u, v);
#endif
}

/* A whole tile to its places, by 16 bytes. */
DEV void PLAN(plan_read_wide)(const struct plan_pass *arg, uint64_t begin)
{
    const vec16 *const in = (const vec16 *)((const word *)arg->in + begin);
    const uint16_t *const places = arg->places + begin;
    const uint32_t chunks = arg->tile / VEC;

    ROLL for (uint32_t first = THREAD_ID; first < chunks; first += PLAN_ROUND * BLOCK_DIM)
    {
        vec16 x[PLAN_ROUND];
        PLACES p[PLAN_ROUND];

        UNROLL for (uint32_t r = 0; r < PLAN_ROUND; r++)
        {
            const uint32_t k = first + r * BLOCK_DIM;

            if (k < chunks) {
                x[r] = gm_ld16(in + k);
                p[r] = gm_ldp(places + VEC * k);
            }
        }
        UNROLL for (uint32_t r = 0; r < PLAN_ROUND; r++)
        {
            if (first + r * BLOCK_DIM < chunks)
                PLAN(plan_put)(x[r], p[r]);
        }
    }
}

DEV void PLAN(plan_read_tile)(const struct plan_pass *arg, uint64_t begin, uint32_t count)
{
    if (ITEM_WIDE(arg->wide_in) && count == arg->tile) {
        PLAN(plan_read_wide)(arg, begin);
        return;
    }
    UNROLL4 for (uint32_t i = THREAD_ID; i < count; i += BLOCK_DIM)
    {
        const uint32_t to = gm_ld2(arg->places + begin + i);
        const word x = PLAN(plan_load)(arg->in, begin + i, ITEM_BYTES, ITEM_UNIT);

        sh_stw(to * WORD_BYTES, x);
    }
}

DEV uint32_t PLAN(plan_tile_count)(const struct plan_pass *arg, uint64_t begin)
{
    const uint64_t left = arg->n - begin;

    return left < arg->tile ? (uint32_t)left : arg->tile;
}

/* Lane's copy of the bases of lines q .. q + PLAN_LINES - 1 of the warp; entries are held by lanes,
 * 32 lines in the first, the others in the second. */
DEV void PLAN(plan_bases)(const struct plan_pass *arg, uint32_t count, const uint64_t *entry,
                          uint32_t q, uint32_t *base)
{
    const uint32_t warps = BLOCK_DIM / 32u, lanes = (2u << LANE_ID) - 1u;

    UNROLL for (uint32_t r = 0; r < PLAN_LINES; r++)
    {
        const uint64_t line = shfl8(q < 32u ? entry[0] : entry[1], (q + r) % 32u);

        if (32u * (WARP_ID + (q + r) * warps) < count)
            base[r] =
                gm_ld4(arg->bases + (uint32_t)line + bit_count((uint32_t)(line >> 32) & lanes));
    }
}

/* Line q of a warp is line WARP_ID + q * warps of the tile; there are at most 64. */
KERNEL(PLAN(cw_plan_partition), struct plan_pass, PLAN_PASS_THREADS, PLAN_PASS_BLOCKS)
{
    const uint64_t begin = (uint64_t)BLOCK_ID * arg->tile;
    const uint32_t count = PLAN(plan_tile_count)(arg, begin);
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint64_t *const lines = arg->lines + begin / 32u;
    uint32_t base[PLAN_LINES], next[PLAN_LINES];
    uint64_t entry[2] = {0, 0};

    UNROLL for (uint32_t k = 0; k < 2; k++)
    {
        const uint32_t line = WARP_ID + (LANE_ID + 32u * k) * warps;

        if (32u * line < count)
            entry[k] = gm_ld8(lines + line);
    }
    PLAN(plan_read_tile)(arg, begin, count);
    PLAN(plan_bases)(arg, count, entry, 0, next);
    block_sync();
    ROLL for (uint32_t q = 0; 32u * (WARP_ID + q * warps) < count; q += PLAN_LINES)
    {
        UNROLL for (uint32_t r = 0; r < PLAN_LINES; r++) base[r] = next[r];
        PLAN(plan_bases)(arg, count, entry, q + PLAN_LINES, next);
        UNROLL for (uint32_t r = 0; r < PLAN_LINES; r++)
        {
            const uint32_t j = 32u * (WARP_ID + (q + r) * warps) + LANE_ID;

            if (j < count) {
                const word x = sh_ldw(j * WORD_BYTES);

                PLAN(plan_store)(arg->out, base[r] + j, x, ITEM_BYTES, ITEM_UNIT);
            }
        }
    }
}

KERNEL(PLAN(cw_plan_place), struct plan_pass, PLAN_PASS_THREADS, PLAN_PASS_BLOCKS)
{
    const uint64_t begin = (uint64_t)BLOCK_ID * arg->tile;
    const uint32_t count = PLAN(plan_tile_count)(arg, begin);

    PLAN(plan_read_tile)(arg, begin, count);
    block_sync();
    if (ITEM_WIDE(arg->wide_out) && count == arg->tile) {
        UNROLL4 for (uint32_t k = THREAD_ID; k < count / VEC; k += BLOCK_DIM)
        {
            const vec16 x = sh_ld16(16u * k);

            gm_st16((vec16 *)((word *)arg->out + begin) + k, x);
        }
        return;
    }
    UNROLL4 for (uint32_t j = THREAD_ID; j < count; j += BLOCK_DIM)
    {
        const word x = sh_ldw(j * WORD_BYTES);

        PLAN(plan_store)(arg->out, begin + j, x, ITEM_BYTES, ITEM_UNIT);
    }
}

#undef VEC
#undef PLACES
#undef gm_ldp
