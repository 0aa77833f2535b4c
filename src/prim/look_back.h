/* look_back.h - how many items of a bucket stand in the tiles before a block's own, while their
 * blocks are still at work.
 *
 * After Merrill and Garland (decoupled look-back, 2016) and Adinets and Merrill (Onesweep, 2022).
 * `state` has a word for each tile and bucket: 0 (nothing yet), the tile's own count (LOOK_OWN),
 * or the count of all tiles up to it (LOOK_ALL).  Such a word says all that it stands for, so
 * nothing else need be ordered.
 *
 * When a launch has ended, words of its tiles all are LOOK_ALL.  So the next launch can use them as they
 * are, if it has another flag for this (LOOK_ALL_TOO), to which the words of the launch before say
 * nothing yet.
 *  Tiles are numbered by tickets.  So a block waits only for tiles
 * whose blocks have begun, and cannot wait for ever.
 *
 * Counts have 30 bits: all tiles of a launch together have fewer items than that.
 */
#ifndef CW_PRIM_LOOK_BACK_H
#define CW_PRIM_LOOK_BACK_H

#include "dev/kernel.h"

#define LOOK_OWN   (1u << 30)
#define LOOK_ALL   (2u << 30)
#define LOOK_COUNT (LOOK_OWN - 1u)
#define LOOK_BACK  8u /* tiles that are asked for at once */

#define LOOK_ALL_TOO (LOOK_ALL | LOOK_OWN) /* LOOK_ALL in every second launch */

/* Has the word's tile said something?  `all`: LOOK_ALL or LOOK_ALL_TOO, that of this launch. */
DEV int look_says(uint32_t word, uint32_t all)
{
    return (word >> 30) == LOOK_OWN >> 30 || (word >> 30) == all >> 30;
}

/* Items of bucket THREAD_ID in the tiles before `tile`; a row of state has `buckets` words. */
DEV uint32_t look_back(const uint32_t *state, uint32_t buckets, uint32_t tile, uint32_t all)
{
    uint32_t before = 0;
    uint32_t done = 0;

    ROLL while (tile && !done)
    {
        const uint32_t *const row = state + (uint64_t)(tile - 1u) * buckets + THREAD_ID;
        uint32_t x[LOOK_BACK];

        UNROLL for (uint32_t k = 0; k < LOOK_BACK; k++) x[k] =
            k < tile ? gm_ld4_relaxed(row - (uint64_t)k * buckets) : all;
        UNROLL for (uint32_t k = 0; k < LOOK_BACK; k++)
        {
            if (!done) {
                if (!look_says(x[k], all))
                    SPIN_UNTIL(look_says(x[k] = gm_ld4_relaxed(row - (uint64_t)k * buckets), all));
                before += x[k] & LOOK_COUNT;
                done = x[k] >> 31;
            }
        }
        tile -= tile < LOOK_BACK ? tile : LOOK_BACK;
    }
    return before;
}

#endif
