/* sorted_sample.h - the sample of a skewed array, sorted for splitters/choose.h.
 *
 * What is sorted are offsets in the sampled range, shifted up so that the range begins at the
 * highest bit.  Splitters are made of the 32 highest bits, the t's.
 */
#ifndef CW_SORT_SPLITTERS_SORTED_SAMPLE_H
#define CW_SORT_SPLITTERS_SORTED_SAMPLE_H

#include "sort/splitters/sample.h"

#define TREE_EVEN   (RADIX_BINS - RADIX_TREE_EDGES) /* bins, before some are cut */
#define SAMPLE_EACH (RADIX_SAMPLE / RADIX_THREADS)  /* words of a thread */

#if KEY_LOG == 3
#define SAMPLE_SORTED(i) SAMPLE_KEY(i)
#else
#define SAMPLE_SORTED(i) SAMPLE_TOP(i) /* a word is its t */
#endif

/* Load RADIX_SAMPLE words.  Their range goes to d, SAMPLE_EACH of their offsets to x.  The range is
 * made larger at both ends, so that the least and the greatest word can have bins of their own,
 * apart from keys beyond. */
DEV void sample_take(const struct radix_job *j, struct digit *d, key *x)
{
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
    UNROLL for (uint32_t i = 0; i < SAMPLE_EACH; i++) x[i] = (x[i] - (key)d->lo) << d->lead;
}

/* Compare words that stand d apart in this thread's x.  Runs of k words rise and fall by turns.  If
 * a run is longer than a thread's words, they rise if `up`. */
DEV void sample_near(key *x, uint32_t d, uint32_t k, int up)
{
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        if ((r & d) == 0) {
            const key a = x[r];
            const key b = x[r | d];
            const int swap = (a > b) == (k < SAMPLE_EACH ? (r & k) == 0 : up);

            x[r] = swap ? b : a;
            x[r | d] = swap ? a : b;
        }
    }
}

/* Compare with the lane that is d away. */
DEV void sample_lanes(key *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const key y = shfl_xor_key(x[r], d);

        x[r] = (y < x[r]) == less ? y : x[r];
    }
}

/* Compare with a thread of another warp, through shared memory. */
DEV void sample_warps(key *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
        sh_st_key(SAMPLE_SORTED(r * BLOCK_DIM + THREAD_ID), x[r]);
    block_sync();
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const key y = sh_ld_key(SAMPLE_SORTED(r * BLOCK_DIM + (THREAD_ID ^ d)));

        x[r] = (y < x[r]) == less ? y : x[r];
    }
    block_sync();
}

/* Sort the words, SAMPLE_EACH of a thread, by a bitonic network (Batcher 1968), to shared memory.  A
 * thread's words are neighbours, so only 10 of 91 steps (8192 words, 512 threads) go through shared
 * memory. */
DEV void sample_sort(key *x)
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
    {
        sh_st_key(SAMPLE_SORTED(THREAD_ID * SAMPLE_EACH + r), x[r]);
#if KEY_LOG == 3
        sh_st4(SAMPLE_TOP(THREAD_ID * SAMPLE_EACH + r), (uint32_t)(x[r] >> 32));
#endif
    }
    block_sync();
}

/* The first t of the sample's even bin k; beyond the last bin, the last word. */
DEV uint32_t sample_first(uint32_t k)
{
    return sh_ld4(SAMPLE_TOP(least4(k * RADIX_SAMPLE / TREE_EVEN, RADIX_SAMPLE - 1u)));
}

/* ---- keys that the next digits crowd ----------------------------------------------------------- */

#define BUNCH_NEAR \
    6u /* a bunch lies within 2^-6 of its bin's range, about a bin of the next pass, */
#define BUNCH_PART  4u  /* has a fourth of the bin's words, */
#define BUNCH_WORDS 5u  /* and at least so many */
#define BUNCH_MANY  64u /* a 64th of the sample in bunches is too much */

/* How many words are in the longest bunch of even bin k, or 0.  Words that are splitters do not
 * count, since they get bins of their own, and neither do bins of so few values that their keys are
 * counted. */
DEV uint32_t sample_bunch(uint32_t k, uint32_t lead)
{
    const uint32_t from = k * RADIX_SAMPLE / TREE_EVEN;
    const uint32_t to = (k + 1u) * RADIX_SAMPLE / TREE_EVEN;
    const key begin = sh_ld_key(SAMPLE_SORTED(from));
    const key end = sh_ld_key(SAMPLE_SORTED(least4(to, RADIX_SAMPLE - 1u)));
    const key near = (end - begin) >> BUNCH_NEAR;
    uint32_t first = from;
    uint32_t most = 0;

    if ((end - begin) >> lead < RADIX_NARROW_VALUES)
        return 0;
    ROLL for (uint32_t i = from; i < to; i++)
    {
        const key x = sh_ld_key(SAMPLE_SORTED(i));

        if (x == begin || x == end) {
            first = i + 1u;
            continue;
        }
        ROLL while (x - sh_ld_key(SAMPLE_SORTED(first)) > near) first++;
        most = i + 1u - first > most ? i + 1u - first : most;
    }
    return most >= BUNCH_WORDS && most * BUNCH_PART >= to - from ? most : 0u;
}

#if KEY_LOG == 3
#define LUMP_MOST 256u /* a power of two, above half of TREE_EVEN */

/* How many words have the t that even bins k and k + 1 begin with, if k is the first of these, and
 * the next digits crowd them; else 0.  Splitters tell only t's apart, so such words get one bin,
 * however many they are.  They are crowded if an eighth of them, in their order, is near each other. */
DEV uint32_t sample_lump(uint32_t k, uint32_t lead)
{
    const uint32_t from = k * RADIX_SAMPLE / TREE_EVEN;
    const uint32_t t = sample_first(k);
    uint32_t last = k + 1u; /* .. even bin that begins with t */
    uint32_t each, crowded = 0;
    key near;

    if (k >= TREE_EVEN || sample_first(last) != t || (k && sample_first(k - 1u) == t))
        return 0;
    ROLL for (uint32_t by = LUMP_MOST; by; by /= 2u)
    {
        if (last + by <= TREE_EVEN && sample_first(last + by) == t)
            last += by;
    }
    each = (least4(last * RADIX_SAMPLE / TREE_EVEN, RADIX_SAMPLE - 1u) - from) / 8u;
    near = sh_ld_key(SAMPLE_SORTED(from + 8u * each)) - sh_ld_key(SAMPLE_SORTED(from));
    if (near >> lead < RADIX_NARROW_VALUES)
        return 0;
    near >>= BUNCH_NEAR;
    ROLL for (uint32_t i = from; i < from + 8u * each; i += each)
    {
        crowded |= sh_ld_key(SAMPLE_SORTED(i + each)) - sh_ld_key(SAMPLE_SORTED(i)) <= near;
    }
    return crowded ? 8u * each : 0u;
}
#endif

/* Will the next digits crowd bins, though splitters make even buckets?  Digits are linear within a
 * bucket.  Where much of the sample lies in bunches, the second pass would find it out (radix/leave.h),
 * after the first one has moved all keys. */
DEV int sample_bunched(uint32_t lead)
{
    uint32_t sum;

    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, 0u);
    block_sync();
    ROLL for (uint32_t k = THREAD_ID; k < TREE_EVEN; k += BLOCK_DIM)
    {
        sum = sample_bunch(k, lead);
#if KEY_LOG == 3
        sum += sample_lump(k, lead);
#endif
        (void)sh_add4(SH_MISC + MISC_ENTRIES, sum);
    }
    block_sync();
    sum = sh_ld4(SH_MISC + MISC_ENTRIES);
    block_sync();
    return sum > RADIX_SAMPLE / BUNCH_MANY;
}

#endif
