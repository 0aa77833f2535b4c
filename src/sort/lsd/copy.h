/* copy.h - LSD radix sort: the result to the output, if it is not there.
 *
 * It is in the input, if no pass ran, and in the workspace, if an odd number of them sorted in
 * place.  An index that no pass has made is made here.
 */
#ifndef CW_SORT_LSD_COPY_H
#define CW_SORT_LSD_COPY_H

#include "dev/kernel.h"
#include "prim/count.h"
#include "prim/load_bits.h"
#include "sort/lsd/job.h"

DEV void copy_item(const void *in, void *out, uint64_t i, uint32_t bytes)
{
    if (bytes == 1u)
        gm_st1((uint8_t *)out + i, gm_ld1((const uint8_t *)in + i));
    else if (bytes == 2u)
        gm_st2((uint16_t *)out + i, gm_ld2((const uint16_t *)in + i));
    else if (bytes == 4u)
        gm_st4((uint32_t *)out + i, gm_ld4((const uint32_t *)in + i));
    else if (bytes == 8u)
        gm_st8((uint64_t *)out + i, gm_ld8((const uint64_t *)in + i));
    else
        gm_st16((vec16 *)out + i, gm_ld16((const vec16 *)in + i));
}

DEV void copy_index(void *out, uint64_t i, uint64_t x, uint32_t bytes)
{
    if (bytes == 4u)
        gm_st4((uint32_t *)out + i, (uint32_t)x);
    else
        gm_st8((uint64_t *)out + i, x);
}

DEV void lsd_copy(const struct lsd_job *a)
{
    const uint32_t at = gm_ld4(&a->routes[a->passes].from);
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    const uint64_t n = items_counted(a->n, a->count, a->count_bytes);
    void *const keys = (void *)a->keys[SORT_OUT], *const values = (void *)a->values[SORT_OUT];

    if (at == SORT_OUT)
        return;
    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < n; i += step)
    {
        if (!a->drop_keys && keys != a->keys[at])
            copy_item(a->keys[at], keys, i, a->key_bytes);
        if (values && a->indexed && at == SORT_IN)
            copy_index(values, i, i, a->last_bytes);
        else if (values && a->indexed)
            copy_index(values, i, load_bits(a->values[at], i, a->value_bytes), a->last_bytes);
        else if (values && values != a->values[at])
            copy_item(a->values[at], values, i, a->value_bytes);
    }
}

#endif
