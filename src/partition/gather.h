/* gather.h - rows that a pass does not move: row i of the output = row (place i) of the input,
 * `unit` bytes a thread. */
#ifndef CW_PARTITION_GATHER_H
#define CW_PARTITION_GATHER_H

#include "dev/kernel.h"
#include "partition/job.h"

DEV void move_unit(const struct partition_after *a, uint64_t to, uint64_t from)
{
    const uint8_t *const in = (const uint8_t *)a->in + from;
    uint8_t *const out = (uint8_t *)a->out + to;

    switch (a->unit) {
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

/* Which row of the input is row i of the output. */
DEV uint64_t row_of(const struct partition_after *a, uint64_t i)
{
    const uint32_t at = gm_ld4(a->places + i);

    return a->choices > 1u ? at / (uint32_t)a->choices : at;
}

/* Rows of up to 32 units: a block has `some` of them at a time, a thread a unit.  Longer ones: a
 * warp a row. */
KERNEL(cw_partition_gather, struct partition_after, PARTITION_PLAIN, 4)
{
    const uint64_t units = arg->row / arg->unit;
    const uint64_t n = arg->total ? gm_ld8(arg->total) : arg->n;

    if (gm_ld4(&arg->state->bad))
        return;
    if (units <= 32u) {
        const uint32_t per = (uint32_t)units;
        const uint32_t some = 1024u / per;

        ROLL for (uint64_t r = (uint64_t)BLOCK_ID * some; r < n; r += (uint64_t)GRID_DIM * some)
        {
            const uint32_t rows = n - r < some ? (uint32_t)(n - r) : some;

            UNROLL4 for (uint32_t k = THREAD_ID; k < rows * per; k += BLOCK_DIM)
            {
                const uint64_t row = r + k / per;
                const uint64_t at = (uint64_t)(k % per) * arg->unit;

                move_unit(arg, row * arg->row + at, row_of(arg, row) * arg->row + at);
            }
        }
    } else {
        const uint64_t step = (uint64_t)GRID_DIM * (BLOCK_DIM / 32u);

        ROLL for (uint64_t r = (uint64_t)BLOCK_ID * (BLOCK_DIM / 32u) + WARP_ID; r < n; r += step)
        {
            const uint64_t from = row_of(arg, r) * arg->row;

            UNROLL4 for (uint64_t k = LANE_ID; k < units; k += 32u)
                move_unit(arg, r * arg->row + k * arg->unit, from + k * arg->unit);
        }
    }
}

#endif
