/* histogram.h - LSD radix sort: digits of all passes, counted in one reading of the keys.
 *
 * A block counts in shared memory, 256 counters a pass, then adds them to those of all blocks.
 * Order of passes does not change what is counted, so no later pass need count.
 *
 * After Adinets and Merrill (Onesweep, 2022): one reading counts for all passes.
 */
#ifndef CW_SORT_LSD_HISTOGRAM_H
#define CW_SORT_LSD_HISTOGRAM_H

#include "prim/count.h"
#include "prim/counters.h"
#include "prim/radix_tile.h"
#include "sort/lsd/job.h"

#define HISTOGRAM_AT(pass, digit) \
    (SHARED_AT(lsd_histogram_shared, counts) + 4u * (LSD_BUCKETS * (pass) + (digit)))

DEV void histogram_count(const struct lsd_job *a, key x)
{
    const struct radix_digit d = tile_digit_by(&a->map, 0, 0, 1);
    const key word = tile_word(x, &a->map);
    const key w = (key)((a->map.tied ? tile_rank_of(word, d) : word) >> a->first_bit);

    UNROLL for (uint32_t p = 0; p < KEY_BYTES; p++)
    {
        if (p < a->passes)
            sh_inc4(HISTOGRAM_AT(p, (uint32_t)(w >> 8u * p) & lsd_mask(a->bits, p)));
    }
}

DEV key histogram_load(const struct lsd_job *a, uint64_t i, uint32_t bytes)
{
#if KEY_LOG == 3
    (void)bytes;
    return gm_ld8((const uint64_t *)a->keys[SORT_IN] + i);
#else
    return bytes == 4u   ? gm_ld4((const uint32_t *)a->keys[SORT_IN] + i)
           : bytes == 2u ? gm_ld2((const uint16_t *)a->keys[SORT_IN] + i)
                         : gm_ld1((const uint8_t *)a->keys[SORT_IN] + i);
#endif
}

DEV void histogram_range(const struct lsd_job *a, uint64_t n, uint32_t bytes)
{
    const uint64_t tile = HISTOGRAM_THREADS * HISTOGRAM_ITEMS;

    ROLL for (uint64_t from = BLOCK_ID * tile; from < n; from += GRID_DIM * tile)
    {
        if (n - from >= tile) {
            key x[HISTOGRAM_ITEMS];

            UNROLL for (uint32_t i = 0; i < HISTOGRAM_ITEMS; i++) x[i] =
                histogram_load(a, from + i * HISTOGRAM_THREADS + THREAD_ID, bytes);
            UNROLL for (uint32_t i = 0; i < HISTOGRAM_ITEMS; i++) histogram_count(a, x[i]);
        } else {
            ROLL for (uint64_t i = from + THREAD_ID; i < n; i += HISTOGRAM_THREADS)
                histogram_count(a, histogram_load(a, i, bytes));
        }
    }
}

DEV void lsd_histogram(const struct lsd_job *a)
{
    const uint64_t n = items_counted(a->n, a->count, a->count_bytes);

    if (BLOCK_ID * HISTOGRAM_THREADS * HISTOGRAM_ITEMS >= n)
        return;
    counters_clear(HISTOGRAM_AT(0u, 0u), LSD_BUCKETS * a->passes, HISTOGRAM_THREADS);
    block_sync();
#if KEY_LOG == 3
    histogram_range(a, n, 8u);
#else
    if (a->key_bytes == 4u)
        histogram_range(a, n, 4u);
    else if (a->key_bytes == 2u)
        histogram_range(a, n, 2u);
    else
        histogram_range(a, n, 1u);
#endif
    block_sync();
    counters_add(a->histogram, HISTOGRAM_AT(0u, 0u), LSD_BUCKETS * a->passes, HISTOGRAM_THREADS);
}

#endif
