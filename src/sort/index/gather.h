/* gather.h - what surrounds a sort of (word, place) pairs.
 *
 *      words     word i = some bits of the key at place i of a list (none: at i); list i = i
 *      gather    out i = in (place i), for keys, values, and places as u64
 *
 * A thread a word; nothing in shared memory.
 */
#ifndef CW_SORT_INDEX_GATHER_H
#define CW_SORT_INDEX_GATHER_H

#include "dev/kernel.h"
#include "sort/index/job.h"
#include "prim/load_bits.h"

KERNEL(cw_sort_index_words, struct index_job, 256, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
    {
        const uint64_t at = arg->again ? gm_ld4(arg->places + i) : i;

        if (arg->words) {
            const uint64_t x = load_bits(arg->in, at, arg->bytes);
            const uint64_t w = CW_KEY_TO_WORD(&arg->map, x);

            gm_st4(arg->words + i, (uint32_t)(w >> arg->shift & arg->mask));
        }
        if (!arg->again)
            gm_st4(arg->places + i, (uint32_t)i);
    }
}

KERNEL(cw_sort_index_gather, struct index_job, 256, 4)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    UNROLL4 for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
    {
        const uint64_t at = gm_ld4(arg->places + i);

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
