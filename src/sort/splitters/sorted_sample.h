/* sorted_sample.h - the sample of a skewed array, sorted for splitters/choose.h. */
#ifndef CW_SORT_SPLITTERS_SORTED_SAMPLE_H
#define CW_SORT_SPLITTERS_SORTED_SAMPLE_H

#include "sort/splitters/sample.h"

#define SAMPLE_EACH (RADIX_SAMPLE / RADIX_THREADS) /* words of a thread */

/* Load RADIX_SAMPLE words.  Their range goes to d, SAMPLE_EACH of their t's to t.  The range is
 * made larger at both ends, so that the least and the greatest word can have bins of their own,
 * apart from keys beyond. */
DEV void sample_take(const struct radix_job *j, struct digit *d, uint32_t *t)
{
    key x[SAMPLE_EACH];
    struct key_range r;
    key more;

    range_begin(&r);
    UNROLL for (uint32_t i = 0; i < SAMPLE_EACH; i++) x[i] =
        sample_word(j, i * RADIX_THREADS + THREAD_ID, RADIX_SAMPLE, *d);
    UNROLL for (uint32_t i = 0; i < SAMPLE_EACH; i++)
    {
        r.least = x[i] < r.least ? x[i] : r.least;
        r.most = x[i] > r.most ? x[i] : r.most;
    }
    range_of_block(r, SAMPLE_RANGE);
    r.least = (key)sh_ld8(SH_MISC + MISC_LESS);
    r.most = (key)sh_ld8(SH_MISC + MISC_GREATEST);
    more = (r.most - r.least) / 64u + 1u;
    d->lo = r.least > more ? r.least - more : 0u;
    d->last = (r.most < KEY_MAX - more ? r.most + more : KEY_MAX) - d->lo;
    d->lead = d->last ? leading_zeros(d->last) : 0u;
    UNROLL for (uint32_t i = 0; i < SAMPLE_EACH; i++) t[i] = top_bits(x[i] - d->lo, d->lead);
}

/* Compare words that stand d apart in this thread's x.  Runs of k words rise and fall by turns.  If
 * a run is longer than a thread's words, they rise if `up`. */
DEV void sample_near(uint32_t *x, uint32_t d, uint32_t k, int up)
{
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        if ((r & d) == 0) {
            const uint32_t a = x[r];
            const uint32_t b = x[r | d];
            const int swap = (a > b) == (k < SAMPLE_EACH ? (r & k) == 0 : up);

            x[r] = swap ? b : a;
            x[r | d] = swap ? a : b;
        }
    }
}

/* Compare with the lane that is d away. */
DEV void sample_lanes(uint32_t *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const uint32_t y = shfl_xor4(x[r], d);

        x[r] = (y < x[r]) == less ? y : x[r];
    }
}

/* Compare with a thread of another warp, through shared memory. */
DEV void sample_warps(uint32_t *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
        sh_st4(SAMPLE_TOP(r * BLOCK_DIM + THREAD_ID), x[r]);
    block_sync();
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const uint32_t y = sh_ld4(SAMPLE_TOP(r * BLOCK_DIM + (THREAD_ID ^ d)));

        x[r] = (y < x[r]) == less ? y : x[r];
    }
    block_sync();
}

/* Sort the t's, SAMPLE_EACH of a thread, by a bitonic network (Batcher 1968), to shared memory.  A
 * thread's words are neighbours, so only 10 of 91 steps (8192 words, 512 threads) go through shared
 * memory. */
DEV void sample_sort(uint32_t *x)
{
    UNROLL for (uint32_t k = 2; k <= SAMPLE_EACH; k *= 2)
    {
        UNROLL for (uint32_t d = k / 2u; d; d /= 2) sample_near(x, d, k, (THREAD_ID & 1u) == 0);
    }
    ROLL for (uint32_t k = 2; k <= BLOCK_DIM; k *= 2) /* runs of k threads */
    {
        const int up = (THREAD_ID & k) == 0;

        ROLL for (uint32_t d = k / 2u; d >= 32u; d /= 2) sample_warps(x, d, up);
        ROLL for (uint32_t d = least4(k / 2u, 16u); d; d /= 2) sample_lanes(x, d, up);
        UNROLL for (uint32_t d = SAMPLE_EACH / 2u; d; d /= 2) sample_near(x, d, SAMPLE_EACH, up);
    }
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
        sh_st4(SAMPLE_TOP(THREAD_ID * SAMPLE_EACH + r), x[r]);
    block_sync();
}

#endif
