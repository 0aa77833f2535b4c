/* gather.h - values by an index: out[i] = in[index[i]], for items of any width.
 *
 * A thread an item; nothing in shared memory.
 */
#ifndef CW_SORT_INDEX_GATHER_H
#define CW_SORT_INDEX_GATHER_H

#include "dev/kernel.h"
#include "prim/count.h"
#include "sort/index/job.h"

KERNEL(cw_sort_index_gather, struct index_job, INDEX_THREADS, 4)
{
    const uint64_t n = items_counted(arg->n, arg->count, arg->count_bytes);
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < n; i += step)
    {
        const uint64_t at = !arg->places ? i
                            : arg->wide  ? gm_ld8((const uint64_t *)arg->places + i)
                                         : gm_ld4((const uint32_t *)arg->places + i);

        switch (arg->bytes) {
        case 0:
            gm_st8((uint64_t *)arg->out + i, at);
            break;
        case 1:
            gm_st1((uint8_t *)arg->out + i, gm_ld1((const uint8_t *)arg->in + at));
            break;
        case 2:
            gm_st2((uint16_t *)arg->out + i, gm_ld2((const uint16_t *)arg->in + at));
            break;
        case 4:
            gm_st4((uint32_t *)arg->out + i, gm_ld4((const uint32_t *)arg->in + at));
            break;
        case 8:
            gm_st8((uint64_t *)arg->out + i, gm_ld8((const uint64_t *)arg->in + at));
            break;
        default:
            gm_st16((vec16 *)arg->out + i, gm_ld16((const vec16 *)arg->in + at));
        }
    }
}

#endif
