/* lookup_kernels.h - samples and binary searches in a rank's sorted keys, where they lie.
 *
 * A thread a sample, or a search: log2 n dependent reads.  No shared memory. */
#ifndef CW_DISTRIBUTED_LOOKUP_KERNELS_H
#define CW_DISTRIBUTED_LOOKUP_KERNELS_H

#include "dev/kernel.h"
#include "distributed/lookup_job.h"

DEV uint64_t lookup_word(const struct lookup_keys *k, uint64_t at)
{
    uint64_t key;

    if (k->bytes == 8)
        key = gm_ld8((const uint64_t *)k->keys + at);
    else if (k->bytes == 4)
        key = gm_ld4((const uint32_t *)k->keys + at);
    else if (k->bytes == 2)
        key = gm_ld2((const uint16_t *)k->keys + at);
    else
        key = gm_ld1((const uint8_t *)k->keys + at);
    key = CW_KEY_TO_WORD(&k->map, key);
    return CW_WORD_TO_RANK(&k->map, key) >> k->first & k->range;
}

KERNEL(cw_lookup_words, struct lookup_words, LOOKUP_THREADS, 8)
{
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;

    if (i < arg->count)
        gm_st8(arg->at + i, lookup_word(&arg->keys, gm_ld8(arg->at + i)));
}

KERNEL(cw_lookup_probes, struct lookup_probes, LOOKUP_THREADS, 8)
{
    const uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID;

    if (i < arg->count) {
        uint64_t *const probe = arg->probes + 4u * i;
        const uint64_t word = gm_ld8(probe), upper = gm_ld8(probe + 3);
        uint64_t lo = gm_ld8(probe + 1), hi = gm_ld8(probe + 2);

        ROLL while (lo < hi)
        {
            const uint64_t middle = lo + (hi - lo) / 2u;
            const uint64_t here = lookup_word(&arg->keys, middle);

            if (here < word || (upper && here == word))
                lo = middle + 1u;
            else
                hi = middle;
        }
        gm_st8(probe + 1, lo);
    }
}

KERNEL(cw_lookup_add, struct lookup_add, LOOKUP_THREADS, 8)
{
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;

    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < arg->count; i += step)
    {
        if (arg->bytes == 8) {
            uint64_t *const at = (uint64_t *)arg->numbers + i;

            gm_st8(at, gm_ld8(at) + arg->by);
        } else {
            uint32_t *const at = (uint32_t *)arg->numbers + i;

            gm_st4(at, gm_ld4(at) + (uint32_t)arg->by);
        }
    }
}

#endif
