/* counted.h - permute as many elements as a word in memory says: out[p[i]] = in[i], or the other
 * way round, for i below that count.
 *
 * A thread moves a unit of 1 to 16 bytes, of which an element or row has some.  Launches are for as
 * many elements as there may be; blocks beyond the count end at once.  Nothing in shared memory.
 */
#ifndef CW_PERMUTE_COUNTED_H
#define CW_PERMUTE_COUNTED_H

#include "dev/kernel.h"
#include "permute/job.h"
#include "prim/load_bits.h"

DEV void counted_unit(const struct permute_counted *a, uint64_t from, uint64_t to)
{
    const uint8_t *const in = (const uint8_t *)a->in + from;
    uint8_t *const out = (uint8_t *)a->out + to;

    switch (a->unit) { /* equal indices may meet: any of them may win */
    case 1:
        GM_ANY(gm_st1(out, gm_ld1(in)));
        break;
    case 2:
        GM_ANY(gm_st2(out, gm_ld2(in)));
        break;
    case 4:
        GM_ANY(gm_st4(out, gm_ld4(in)));
        break;
    case 8:
        GM_ANY(gm_st8(out, gm_ld8(in)));
        break;
    default:
        GM_ANY(gm_st16(out, gm_ld16(in)));
    }
}

KERNEL(cw_permute_counted, struct permute_counted, PERMUTE_PLAIN, 8)
{
    const uint64_t said = load_bits(arg->count, 0, arg->count_bytes);
    const uint64_t items = said < arg->n ? said : arg->n, total = items * arg->units;
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    UNROLL4 for (uint64_t k = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; k < total; k += step)
    {
        const uint64_t i = arg->units == 1u ? k : k / arg->units;
        const uint64_t at = (k - i * arg->units) * arg->unit,
                       row = (uint64_t)arg->units * arg->unit;
        const uint64_t p = load_bits(arg->index, i, arg->index_bytes);

        if (p < arg->n)
            counted_unit(arg, (arg->gather ? p : i) * row + at, (arg->gather ? i : p) * row + at);
    }
}

#endif
