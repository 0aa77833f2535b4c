/* direct.h - permute elements of any size, a thread a part of one; and check an index.
 *
 *      units     out[p[i]] = in[i], or out[i] = in[p[i]], for elements of several units
 *      check     a bit for every target: set twice, or out of range, counts as bad
 *
 * `check` adds where it should set a bit, as the vocabulary has no other atomic.  Until a bit is
 * found set, which is counted, both are the same.
 */
#ifndef CW_PERMUTE_DIRECT_H
#define CW_PERMUTE_DIRECT_H

#include "dev/kernel.h"
#include "permute/job.h"

DEV void naive_move(const struct permute_naive *a, uint64_t from, uint64_t to)
{
    const uint8_t *const in = (const uint8_t *)a->in + from * a->unit;
    uint8_t *const out = (uint8_t *)a->out + to * a->unit;

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

DEV uint64_t naive_index(const struct permute_naive *a, uint64_t i)
{
    return a->wide ? gm_ld8((const uint64_t *)a->index + i)
                   : gm_ld4((const uint32_t *)a->index + i);
}

KERNEL(cw_permute_units, struct permute_naive, 256, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    ROLL for (uint64_t t = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; t < arg->n * arg->units;
              t += step)
    {
        const uint64_t i = t / arg->units;
        const uint64_t k = t - i * arg->units;
        const uint64_t p = naive_index(arg, i);

        if (p < arg->n)
            naive_move(arg, (arg->gather ? p : i) * arg->units + k,
                       (arg->gather ? i : p) * arg->units + k);
    }
}

KERNEL(cw_permute_check, struct permute_naive, 256, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    uint32_t bad = 0;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->n; i += step)
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
