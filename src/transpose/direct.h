/* direct.h - transpose with a thread an element of the output: shapes and elements for
 * which tiles do not pay, or that are no power of two bytes.  Nothing in shared memory. */
#ifndef CW_TRANSPOSE_DIRECT_H
#define CW_TRANSPOSE_DIRECT_H

#include "dev/kernel.h"
#include "transpose/job.h"

DEV void direct_move(const uint8_t *in, uint8_t *out, uint32_t unit)
{
    switch (unit) {
    case 1:
        gm_st1(out, gm_ld1(in));
        break;
    case 2:
        gm_st2(out, gm_ld2(in));
        break;
    case 4:
        gm_st4(out, gm_ld4(in));
        break;
    case 8:
        gm_st8(out, gm_ld8(in));
        break;
    default:
        gm_st16(out, gm_ld16(in));
    }
}

KERNEL(cw_transpose_direct, struct transpose_arg, TRANSPOSE_THREADS, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    const uint64_t each = arg->rows * arg->columns;
    const uint64_t bytes = (uint64_t)arg->unit * arg->units;

    ROLL for (uint64_t t = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; t < each * arg->batch;
              t += step)
    {
        const uint64_t which = arg->batch == 1u ? 0u : t / each;
        const uint64_t e = t - which * each;
        const uint64_t j = e >> 32 ? e / arg->rows : (uint32_t)e / (uint32_t)arg->rows;
        const uint64_t i = e - j * arg->rows;
        const uint8_t *const in =
            (const uint8_t *)arg->in + (which * each + i * arg->columns + j) * bytes;
        uint8_t *const out = (uint8_t *)arg->out + t * bytes;

        ROLL for (uint32_t k = 0; k < arg->units; k++)
            direct_move(in + k * arg->unit, out + k * arg->unit, arg->unit);
    }
}

#endif
