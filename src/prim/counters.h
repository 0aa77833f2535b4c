/* counters.h - a block's histogram in shared memory, and how it is added to that of all blocks; a sum that stops at
 * its greatest. */
#ifndef CW_PRIM_COUNTERS_H
#define CW_PRIM_COUNTERS_H

#include "dev/kernel.h"

/* Set the counters from `at` on to 0. */
DEV void counters_clear(uint32_t at, uint32_t counters, uint32_t threads)
{
    ROLL for (uint32_t i = THREAD_ID; i < counters; i += threads) sh_st4(at + 4u * i, 0u);
}

/* Add x, above 0, to a number of all blocks that ends at the greatest of 32 bits: it does not come back to 0.  Whose sum
 * wraps sets it there, also if others have added since. */
DEV void counter_add_most(uint32_t *all, uint32_t x)
{
    if (gm_add4(all, x) + x < x)
        (void)gm_or4(all, 0xffffffffu);
}

/* Add them to those of all blocks. */
DEV void counters_add(uint64_t *all, uint32_t at, uint32_t counters, uint32_t threads)
{
    ROLL for (uint32_t i = THREAD_ID; i < counters; i += threads)
    {
        const uint32_t x = sh_ld4(at + 4u * i);

        if (x)
            (void)gm_add8(all + i, (uint64_t)x);
    }
}

#endif
