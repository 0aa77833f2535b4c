/* begin.h - the first kernel of the MSD radix sort.
 *
 * It clears all counters, gathers the sample, and puts one bucket, the whole array, on the list of
 * the first pass. */
#ifndef CW_SORT_RADIX_BEGIN_H
#define CW_SORT_RADIX_BEGIN_H

#include "sort/splitters/sample.h"
#include "sort/radix/classify.h"

KERNEL(RADIX_NAME(begin), struct radix_job, RADIX_THREADS, 1)
{
    const uint32_t words = (uint32_t)sizeof *arg->state / 4u;
    const uint64_t bins = least4(arg->passes, 2u) * (uint64_t)arg->start_room;
    const uint64_t step = (uint64_t)GRID_DIM * BLOCK_DIM;
    uint32_t *const state = (uint32_t *)arg->state;

    if (is_sampled(arg))
        sample_gather(arg);
    ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < bins; i += step)
        count_store(arg->starts, i, arg->wide, 0);
#if RADIX_COUNTS
    if (arg->write_outs) {
        ROLL for (uint64_t i = (uint64_t)BLOCK_ID * BLOCK_DIM + THREAD_ID; i < RADIX_COUNTERS;
                  i += step) gm_st4(arg->counters + i, 0u);
    }
#endif
    if (BLOCK_ID)
        return;
    ROLL for (uint32_t i = THREAD_ID; i < words; i += BLOCK_DIM) gm_st4(state + i, 0u);
    block_sync();
    if (THREAD_ID == 0) {
        struct radix_bucket p;

        p.start = 0;
        p.len = arg->n;
        p.lo = 0;
        p.last = KEY_MAX;
        p.at = AT_IN;
        p.action = BUCKET_SPLIT;
        p.first = 0;
        p.bin = 0;
        p.count = 0;
        p.tree = 0;
        p.open = 0;
        p.chunks = (uint32_t)((arg->n + arg->chunk / 2u) / arg->chunk);
        sample_digit(&p, arg);
        if (arg->passes) {
            arg->state->pass[0].buckets = 1;
            arg->state->pass[0].chunks = p.chunks;
            arg->buckets[0][0] = p;
        } else {
            arg->state->medium = 1;
            medium_store(arg, 0, &p);
        }
    }
    ROLL for (uint64_t c = THREAD_ID; c < arg->n / arg->chunk + 2u; c += BLOCK_DIM)
        gm_st4(&arg->chunk_bucket[0][c], 0u);
}

#endif
