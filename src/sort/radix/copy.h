/* copy.h - a block copies items of a bucket to another buffer. */
#ifndef CW_SORT_RADIX_COPY_H
#define CW_SORT_RADIX_COPY_H

#include "sort/radix/bucket.h"

/* Copy items from .. to - 1 to another buffer, one by one. */
DEV void copy_items(const struct radix_job *j, uint32_t at, uint32_t other, uint64_t from,
                    uint64_t to)
{
    const key *const keys = keys_at(j, at);
    const uint32_t *const values = values_at(j, at);
    key *const keys_to = (key *)keys_at(j, other);
    uint32_t *const values_to = (uint32_t *)values_at(j, other);

    ROLL for (; to - from >= 8u * BLOCK_DIM; from += 8u * BLOCK_DIM)
    {
        item x[8];

        UNROLL for (uint32_t i = 0; i < 8u; i++) x[i] =
            load_item(keys, values, from + i * BLOCK_DIM + THREAD_ID);
        UNROLL for (uint32_t i = 0; i < 8u; i++)
            store_item(keys_to, values_to, from + i * BLOCK_DIM + THREAD_ID, x[i]);
    }
    ROLL for (from += THREAD_ID; from < to; from += BLOCK_DIM)
    {
        const item x = load_item(keys, values, from);

        store_item(keys_to, values_to, from, x);
    }
}

#define COPY_QUADS 4u /* 16 bytes each, of a thread's keys, and as many of its values */

/* Copy items to another buffer, 16 bytes at a time if all arrays are aligned alike. */
DEV void copy_range(const struct radix_job *j, uint32_t at, uint32_t other, uint64_t from,
                    uint64_t to)
{
    const uint32_t round = COPY_QUADS * QUAD * BLOCK_DIM;
    const key *const keys = keys_at(j, at);
    key *const keys_to = (key *)keys_at(j, other);
    uintptr_t odd = (uintptr_t)keys ^ (uintptr_t)keys_to;
#if PAYLOAD_BYTES
    const uint32_t *const values = values_at(j, at);
    uint32_t *const values_to = (uint32_t *)values_at(j, other);

    odd |= ((uintptr_t)keys ^ (uintptr_t)values) | ((uintptr_t)keys ^ (uintptr_t)values_to);
#endif
    if ((odd & 15u) == 0 && to - from >= round + QUAD) {
        const uint64_t first = from + (16u - ((uintptr_t)(keys + from) & 15u)) % 16u / KEY_BYTES;

        copy_items(j, at, other, from, first);
        ROLL for (from = first; to - from >= round; from += round)
        {
            const uint64_t mine = from + QUAD * THREAD_ID;
            vec16 x[COPY_QUADS];
#if PAYLOAD_BYTES
            vec16 y[COPY_QUADS];
#endif

            UNROLL for (uint32_t i = 0; i < COPY_QUADS; i++)
            {
                x[i] = gm_ld16(keys + mine + i * QUAD * BLOCK_DIM);
#if PAYLOAD_BYTES
                y[i] = gm_ld16(values + mine + i * QUAD * BLOCK_DIM);
#endif
            }
            UNROLL for (uint32_t i = 0; i < COPY_QUADS; i++)
            {
                gm_st16(keys_to + mine + i * QUAD * BLOCK_DIM, x[i]);
#if PAYLOAD_BYTES
                gm_st16(values_to + mine + i * QUAD * BLOCK_DIM, y[i]);
#endif
            }
        }
    }
    copy_items(j, at, other, from, to);
}

#endif
