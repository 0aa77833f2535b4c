/* direct_kernels.h - permute with a thread an element: what is fastest while the array that is asked
 * at random fits in the L2.
 *
 *      scatter     out[p[i]] = in[i]
 *      gather      out[i] = in[p[i]]
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
KERNEL(PERMUTE_NAME(scatter), struct permute_naive, 256, 8)
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

KERNEL(PERMUTE_NAME(gather), struct permute_naive, 256, 8)
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

#endif
