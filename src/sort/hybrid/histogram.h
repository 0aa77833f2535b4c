/* histogram.h - hybrid sort: digits of the numbers of buckets are counted in one reading of the
 * keys.
 *
 * What the next launch needs cleared is cleared here, too.
 */
#ifndef CW_SORT_HYBRID_HISTOGRAM_H
#define CW_SORT_HYBRID_HISTOGRAM_H

#include "prim/counters.h"
#include "sort/hybrid/job.h"

#define COUNT_THREADS 512u
#define COUNT_ITEMS   8u
#define COUNT_TILE    (COUNT_THREADS * COUNT_ITEMS)

/* Shared memory. */
struct hybrid_count_shared {
    uint32_t counts[2][LSD_BUCKETS]; /* of both digits */
    uint32_t cells[BUCKET_CELLS_COUNT];
};

#define COUNT_AT(pass, digit) \
    (SHARED_AT(hybrid_count_shared, counts) + 4u * (LSD_BUCKETS * (pass) + (digit)))
#define COUNT_CELLS  SHARED_AT(hybrid_count_shared, cells)
#define COUNT_SHARED ((uint32_t)sizeof(struct hybrid_count_shared))

DEV void count_key(key x, struct radix_digit d, uint32_t passes)
{
    const uint32_t b = bucket_number(x, d, COUNT_CELLS);

    sh_inc4(COUNT_AT(0u, b & 255u));
    if (passes > 1u)
        sh_inc4(COUNT_AT(1u, b >> 8));
}

DEV void count_keys(const struct hybrid_job *a, struct radix_digit d)
{
    const uint64_t *const keys = (const uint64_t *)a->keys_in;

    ROLL for (uint64_t from = (uint64_t)BLOCK_ID * COUNT_TILE; from < a->n;
              from += (uint64_t)GRID_DIM * COUNT_TILE)
    {
        if (a->n - from >= COUNT_TILE) {
            key x[COUNT_ITEMS];

            UNROLL for (uint32_t i = 0; i < COUNT_ITEMS; i++) x[i] =
                gm_ld8(keys + from + i * COUNT_THREADS + THREAD_ID);
            UNROLL for (uint32_t i = 0; i < COUNT_ITEMS; i++) count_key(x[i], d, a->passes);
        } else {
            ROLL for (uint64_t i = from + THREAD_ID; i < a->n; i += COUNT_THREADS)
                count_key(gm_ld8(keys + i), d, a->passes);
        }
    }
}

DEV void hybrid_histogram(const struct hybrid_job *a)
{
    const struct radix_digit d = bucket_digit(a->buckets, &a->map, a->bits, 0);

    if (gm_ld4(a->leave))
        return;
    ROLL for (uint32_t i = BLOCK_ID * COUNT_THREADS + THREAD_ID; i < a->state_words;
              i += GRID_DIM * COUNT_THREADS) gm_st4(a->state + i, 0u);
    counters_clear(COUNT_AT(0u, 0u), 2u * LSD_BUCKETS, COUNT_THREADS);
    bucket_cells_load_to(a->buckets, COUNT_CELLS, COUNT_THREADS);
    block_sync();
    count_keys(a, d);
    block_sync();
    counters_add(a->histogram, COUNT_AT(0u, 0u), LSD_BUCKETS * a->passes, COUNT_THREADS);
}

#endif
