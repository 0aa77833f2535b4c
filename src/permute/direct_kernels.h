/* direct_kernels.h - permute with a thread an element: what is fastest while the array that is
 * asked at random fits in the L2.
 *
 *      scatter     out[p[i]] = in[i]
 *      gather      out[i] = in[p[i]]
 *      rows        either, for rows of several such elements: 3 to 2^20 bytes
 *
 * A row's elements are neighbours, and so are the lanes that move them: rows of some hundred bytes
 * and more are moved at the speed of a copy, whatever the index.
 */
#ifndef CW_PERMUTE_DIRECT_KERNELS_H
#define CW_PERMUTE_DIRECT_KERNELS_H

#include "prim/element.h"

DEV uint64_t plain_index(const struct permute_naive *a, uint64_t i)
{
    return a->wide ? gm_ld8((const uint64_t *)a->index + i)
                   : gm_ld4((const uint32_t *)a->index + i);
}

/* Index and element are asked for at the same time, so all lanes take part. */
KERNEL(PERMUTE_NAME(scatter), struct permute_naive, PERMUTE_PLAIN, 8)
{
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;
    const uint64_t at = i < arg->n ? i : arg->n - 1u;
    const value there = gm_ld_value(value_at(arg->in, at));
    const uint64_t p = plain_index(arg, at);
    value v;

    same_value(v, there);
    if (i < arg->n && p < arg->n)
        GM_ANY(gm_st_value(value_to(arg->out, p), v)); /* p may not be a permutation */
}

KERNEL(PERMUTE_NAME(gather), struct permute_naive, PERMUTE_PLAIN, 8)
{
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;

    if (i < arg->n) {
        const uint64_t p = plain_index(arg, i);

        if (p < arg->n) {
            const value v = gm_ld_value(value_at(arg->in, p));

            gm_st_value(value_to(arg->out, i), v);
        }
    }
}

#define ROWS_SPAN (PERMUTE_ROWS_EACH * BLOCK_DIM) /* elements of a block at a time */

/* Elements start .. start + ROWS_SPAN - 1 of all rows, one after another. */
DEV void rows_span(const struct permute_naive *a, uint64_t start, uint32_t count)
{
    const value zero = VALUE_ZERO;
    const uint64_t row = start / a->units;
    const uint32_t rest = (uint32_t)(start - row * a->units) + THREAD_ID;
    uint64_t here[PERMUTE_ROWS_EACH], there[PERMUTE_ROWS_EACH];
    value v[PERMUTE_ROWS_EACH];

    UNROLL for (uint32_t k = 0; k < PERMUTE_ROWS_EACH; k++)
    {
        const uint32_t down = (rest + k * BLOCK_DIM) / a->units;

        here[k] = start + k * BLOCK_DIM + THREAD_ID;
        there[k] = UINT64_MAX;
        if (k * BLOCK_DIM + THREAD_ID < count) {
            const uint64_t p = plain_index(a, row + down);

            if (p < a->n)
                there[k] = p * a->units + (rest + k * BLOCK_DIM - down * a->units);
        }
    }
    UNROLL for (uint32_t k = 0; k < PERMUTE_ROWS_EACH; k++)
    {
        v[k] = zero;
        if (there[k] != UINT64_MAX)
            v[k] = gm_ld_value(value_at(a->in, a->gather ? there[k] : here[k]));
    }
    UNROLL for (uint32_t k = 0; k < PERMUTE_ROWS_EACH; k++)
    {
        if (there[k] != UINT64_MAX)
            gm_st_value(value_to(a->out, a->gather ? here[k] : there[k]), v[k]);
    }
}

KERNEL(PERMUTE_NAME(rows), struct permute_naive, PERMUTE_PLAIN, 4)
{
    const uint64_t total = arg->n * arg->units;

    ROLL for (uint64_t start = (uint64_t)BLOCK_ID * ROWS_SPAN; start < total;
              start += (uint64_t)GRID_DIM * ROWS_SPAN)
    {
        const uint64_t left = total - start;

        rows_span(arg, start, left < ROWS_SPAN ? (uint32_t)left : ROWS_SPAN);
    }
}

#endif
