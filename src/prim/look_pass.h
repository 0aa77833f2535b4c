/* look_pass.h - what a block of a pass with look-back writes down, besides its items.
 *
 * A launch moves a portion of the array, a tile a block.  Its last tile says where the next
 * portion's items go.
 *
 * The includer has prim/radix_tile.h, and defines
 *
 *      LOOK_JOB         a type whose fields are: pass, portion; base, where the next item of each
 *                       bucket goes (a row for even and for odd portions of each pass)
 *      LOOK_STATE(a)    a row of counts a tile (prim/look_back.h)
 *      LOOK_BUCKETS     words of such a row
 *
 * After Adinets and Merrill (Onesweep, 2022).
 */
#ifndef CW_PRIM_LOOK_PASS_H
#define CW_PRIM_LOOK_PASS_H

#include "prim/look_back.h"

/* For thread b < LOOK_BUCKETS: where bucket b of the tile goes, less where it is in the tile.
 * `own` items of the tile belong to it, and stand from `start` on.  `all`: see look_back. */
DEV void look_delta(const LOOK_JOB *a, uint32_t tile, int last, uint32_t own, uint32_t start,
                    uint32_t all)
{
    uint64_t *const base = a->base + 2u * LOOK_BUCKETS * a->pass + THREAD_ID;
    const uint64_t first = gm_ld8(base + LOOK_BUCKETS * (a->portion % 2u));
    const uint32_t before = look_back(LOOK_STATE(a), LOOK_BUCKETS, tile, all);

    if (tile)
        gm_st4_relaxed(LOOK_STATE(a) + (uint64_t)tile * LOOK_BUCKETS + THREAD_ID,
                       all | (before + own));
    if (last)
        gm_st8(base + LOOK_BUCKETS * ((a->portion + 1u) % 2u), first + before + own);
    sh_st8(TILE_DELTA + 8u * THREAD_ID, first + before - start);
}

#endif
