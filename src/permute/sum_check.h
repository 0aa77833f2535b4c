/* sum_check.h - does every index of cw_gather_sum name a row? */
#ifndef CW_PERMUTE_SUM_CHECK_H
#define CW_PERMUTE_SUM_CHECK_H

#include "dev/kernel.h"
#include "permute/sum_job.h"

KERNEL(cw_gather_sum_check, struct gather_range, SUM_THREADS, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    uint32_t bad = 0;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->count; i += step)
    {
        const uint64_t p = arg->wide_index ? gm_ld8((const uint64_t *)arg->index + i)
                                           : gm_ld4((const uint32_t *)arg->index + i);

        bad |= p >= arg->rows;
    }
    if (bad)
        gm_add4(arg->bad, 1u);
}

#endif
