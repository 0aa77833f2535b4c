/* draw.h - shuffle rows of any width: a block computes where its rows come from, then moves them.
 *
 * A row is asked for by as many lanes as it has elements, so where it comes from is computed once
 * and kept in shared memory, 8 bytes a row.  Lanes ask there for the same row or for neighbours: no
 * bank is asked twice.
 */
#ifndef CW_PERMUTE_DRAW_H
#define CW_PERMUTE_DRAW_H

#include "prim/element.h"

#define DRAW_SPAN PERMUTE_DRAW_SPAN /* elements of a block; rows too, if each has one */

DEV void draw_rows(const struct permute_draw *a, uint64_t row, uint32_t rows)
{
    ROLL for (uint32_t r = THREAD_ID; r < rows; r += BLOCK_DIM)
    {
        const uint64_t from =
            a->back ? bijection_back(&a->by, row + r) : bijection_at(&a->by, row + r);

        sh_st8(8u * r, from * a->units);
    }
    block_sync();
}

KERNEL(PERMUTE_NAME(draw), struct permute_draw, PERMUTE_DRAW_THREADS, 4)
{
    const value zero = VALUE_ZERO;
    const uint64_t start = (uint64_t)BLOCK_ID * DRAW_SPAN, left = arg->n * arg->units - start;
    const uint32_t count = left < DRAW_SPAN ? (uint32_t)left : DRAW_SPAN;
    const uint64_t row = start / arg->units;
    const uint32_t rest = (uint32_t)(start - row * arg->units);
    value v[PERMUTE_ROWS_EACH];

    draw_rows(arg, row, (rest + count - 1u) / arg->units + 1u);
    UNROLL for (uint32_t k = 0; k < PERMUTE_ROWS_EACH; k++)
    {
        const uint32_t j = k * PERMUTE_DRAW_THREADS + THREAD_ID;

        v[k] = zero;
        if (j < count) {
            const uint32_t down = (rest + j) / arg->units;
            const uint64_t from = sh_ld8(8u * down) + (rest + j - down * arg->units);

            v[k] = gm_ld_value(value_at(arg->in, from));
        }
    }
    UNROLL for (uint32_t k = 0; k < PERMUTE_ROWS_EACH; k++)
    {
        const uint32_t j = k * PERMUTE_DRAW_THREADS + THREAD_ID;

        if (j < count)
            gm_st_value(value_to(arg->out, start + j), v[k]);
    }
}

#endif
