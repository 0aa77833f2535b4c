/* direct.h - check an index.
 *
 *      check     a bit for every target: set twice, or out of range, counts as bad
 *
 * `check` adds where it should set a bit, as the vocabulary has no other atomic.  Until a bit is
 * found set, which is counted, both are the same.
 */
#ifndef CW_PERMUTE_DIRECT_H
#define CW_PERMUTE_DIRECT_H

#include "dev/kernel.h"
#include "permute/job.h"
#include "prim/load_bits.h"

DEV uint64_t naive_index(const struct permute_naive *a, uint64_t i)
{
    return a->wide ? gm_ld8((const uint64_t *)a->index + i)
                   : gm_ld4((const uint32_t *)a->index + i);
}

KERNEL(cw_permute_check, struct permute_naive, PERMUTE_PLAIN, 8)
{
    const uint64_t said = arg->count ? load_bits(arg->count, 0, arg->count_bytes) : arg->n;
    const uint64_t items = said < arg->n ? said : arg->n;
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    uint32_t bad = 0;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < items; i += step)
    {
        const uint64_t p = naive_index(arg, i);
        const uint32_t bit = 1u << (p & 31u);

        if (p >= arg->n)
            bad = 1;
        else if (gm_add4(arg->seen + p / 32u, bit) & bit)
            bad = 1;
    }
    if (bad)
        gm_add4(arg->bad, 1u);
}

#endif
