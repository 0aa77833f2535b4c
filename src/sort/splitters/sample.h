/* sample.h - a sample of the keys: are they skewed?  If so, the sample is sorted for
 * splitters/tree_build.h.
 *
 * Sampling keys to choose splitters is from sample sort (Frazer and McKellar 1970; on GPUs
 * Leischner, Osipov and Sanders 2010).  Here the sample first decides whether splitters are needed
 * at all.
 */
#ifndef CW_SORT_SPLITTERS_SAMPLE_H
#define CW_SORT_SPLITTERS_SAMPLE_H

#include "sort/counting/counted_buckets.h"

/* Shared memory of the kernel that samples: */
#define SAMPLE_KEYS  SH_ITEMS                          /* words: u64 each */
#define SAMPLE_TOPS  (SAMPLE_KEYS + 8u * RADIX_SAMPLE) /* their t's: u32 each */
#define SAMPLE_SPLIT (SAMPLE_TOPS + 4u * RADIX_SAMPLE) /* u32 a splitter */
#define SAMPLE_SUMS  SAMPLE_KEYS /* u32 a splitter, when the words are not needed any more */
#define SAMPLE_ENDS  SAMPLE_KEYS /* u64 a bin: its last word, when sums are not needed any more */
#define SAMPLE_SHARE (SAMPLE_KEYS + 8u * RADIX_BINS)  /* u32 a bin: splitters/heavy_keys.h */
#define SAMPLE_TREE  (SAMPLE_SPLIT + 4u * RADIX_BINS) /* the table */
#define SAMPLE_PIECE (SAMPLE_TREE + TREE_SHARED)      /* u64 an entry: t, bits below */
#define SAMPLE_BYTES (SAMPLE_PIECE + 8u * RADIX_TREE_ROOM)
#define MISC_ENTRIES 32u
#define SAMPLE_EACH  (RADIX_SAMPLE / RADIX_THREADS) /* words of a thread while they are sorted */

/* 32 bits for sample i.  They follow from a seed that the caller cannot foresee: whoever knew the
 * places could give them keys that look even, and all others one bin. */
DEV uint64_t sample_drawn(uint64_t seed, uint32_t i)
{
    uint64_t x = (seed + i) * 0xbf58476d1ce4e5b9ull;

    x = (x ^ x >> 29) * 0x94d049bb133111ebull;
    return x >> 32;
}

/* Where sample i of a piece of the array each is taken. */
DEV uint64_t sample_at(const struct radix_job *j, uint64_t piece, uint32_t i)
{
    return piece * i + (piece * sample_drawn(j->seed, i) >> 32);
}

/* All blocks of the kernel before gather RADIX_SAMPLE keys.  The array is cut into as many pieces,
 * and each gives one key.  They go to the second buffer, which is still free.  One multiprocessor
 * alone would take long to load so many lines. */
DEV void sample_gather(const struct radix_job *j)
{
    const uint64_t piece = j->n / RADIX_SAMPLE;

    ROLL for (uint32_t i = THREAD_ID * GRID_DIM + BLOCK_ID; i < RADIX_SAMPLE;
              i += BLOCK_DIM * GRID_DIM)
    {
        const uint64_t at = sample_at(j, piece, i);

        gm_st_key((key *)j->tmp + i, gm_ld_key((const key *)j->in + at));
    }
}

/* Word number i of `all` that are evenly chosen from these. */
DEV key sample_word(const struct radix_job *j, uint32_t i, uint32_t all, struct digit d)
{
    return word_of(gm_ld_key((const key *)j->tmp + RADIX_SAMPLE / all * i), d);
}

/* Choose the linear digit of the first pass.  If p->open, it has two bins for keys beyond its
 * range. */
DEV void sample_digit(struct radix_bucket *p, const struct radix_job *j)
{
    const uint32_t bins = (j->passes == 1u ? RADIX_ONE_BINS : RADIX_SPLIT_BINS) - 2u * p->open;

    choose_digit(p, j->row_items, bins, bins);
    p->bins += 2u * p->open;
}

/* How many bins p's digit would crowd.  It is tried on the first RADIX_SAMPLE_FEW words, which
 * stand at SAMPLE_KEYS.  A bin is crowded if it gets more than three even shares and 16; of arrays
 * of even keys fewer than one in 10^12 has such a bin. */
DEV uint32_t sample_crowd(const struct radix_job *j, const struct radix_bucket *p)
{
    const uint32_t most = 3u * RADIX_SAMPLE_FEW / p->bins + 16u;
    const struct digit d = digit_of_bucket(j, p, 1);

    ROLL for (uint32_t b = THREAD_ID; b < RADIX_BINS; b += BLOCK_DIM) sh_st4(SH_BINS + 4u * b, 0u);
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_MOST, 0u);
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i < RADIX_SAMPLE_FEW; i += BLOCK_DIM)
    {
        const uint32_t b = digit_of((key)sh_ld8(SAMPLE_KEYS + 8u * i), d);

        if (sh_add4(SH_BINS + 4u * b, 1u) == most)
            sh_add4(SH_MISC + MISC_MOST, 1u);
    }
    block_sync();
    return sh_ld4(SH_MISC + MISC_MOST);
}

/* A range a little larger than the sample's, so that fewer keys than a row lie beyond it. */
DEV void sample_range(struct radix_bucket *p, uint64_t least, uint64_t most, uint32_t passes)
{
    const uint64_t more = (most - least) / (passes < 2u ? 2048u : 512u);

    p->lo = least > more ? least - more : 0u;
    p->last = (most < KEY_MAX - more ? most + more : KEY_MAX) - p->lo;
}

/* Are the keys skewed?  They are if they differ, and linear digits of the whole range and of the
 * keys' range both crowd a bin.  If only the first of these does, the first pass takes the second. */
DEV int sample_skewed(const struct radix_job *j, struct radix_bucket *p, struct digit d)
{
    key x[RADIX_SAMPLE_FEW / RADIX_THREADS];
    struct key_range r;

    range_begin(&r);
    UNROLL for (uint32_t i = 0; i < RADIX_SAMPLE_FEW / RADIX_THREADS; i++) x[i] =
        sample_word(j, i * RADIX_THREADS + THREAD_ID, RADIX_SAMPLE_FEW, d);
    UNROLL for (uint32_t i = 0; i < RADIX_SAMPLE_FEW / RADIX_THREADS; i++)
    {
        r.least = x[i] < r.least ? x[i] : r.least;
        r.most = x[i] > r.most ? x[i] : r.most;
        sh_st8(SAMPLE_KEYS + 8u * (i * RADIX_THREADS + THREAD_ID), (uint64_t)x[i]);
    }
    block_sync();
    if (!sample_crowd(j, p))
        return 0;
    range_of_block(r, SAMPLE_TREE);
    sample_range(p, sh_ld8(SH_MISC + MISC_LESS), sh_ld8(SH_MISC + MISC_LESS + 8u), j->passes);
    p->open = !(RADIX_COUNTS && j->write_outs &&
                p->last < RADIX_NARROW_VALUES) && /* these are counted, not moved */
              (!j->stable || j->digits); /* tickets move by digits that were written down */
    sample_digit(p, j);
    block_sync();
    if (p->last == 0 || sample_crowd(j, p))
        return p->last != 0;
    p->open = p->open && (j->passes > 1u || p->last > p->bins); /* else bins of one key: a tree */
    if (p->open && THREAD_ID == 0)
        j->buckets[0][0] = *p;
    return !p->open && j->passes < 2u; /* it would take a pass to find the range */
}

/* Do neighbours in the array tell that linear digits would scatter badly?  They do if an eighth of
 * those that are looked at are equal (runs of equal keys), or if half of them have one digit though
 * the array is not in order (keys rise and fall). */
DEV int sample_local(const struct radix_job *j, const struct radix_bucket *p, struct digit map)
{
    const uint64_t piece = j->n / RADIX_SAMPLE_FEW;
    const struct digit d = digit_of_bucket(j, p, 1);
    const key *const in = (const key *)j->in;
    uint32_t equal = 0, rise = 0, near = 0;

    if (THREAD_ID < 3u)
        sh_st4(SH_MISC + MISC_ENTRIES + 4u * THREAD_ID, 0u);
    block_sync();
    UNROLL for (uint32_t k = 0; k < RADIX_SAMPLE_FEW / RADIX_THREADS; k++)
    {
        const uint32_t i = k * RADIX_THREADS + THREAD_ID;
        const uint64_t at = sample_at(j, piece, i);
        const key x = word_of(gm_ld_key(in + at), map);
        const key y = word_of(gm_ld_key(in + (at + 1u < j->n ? at + 1u : at - 1u)), map);

        equal += x == y ? 1u : 0u;
        rise += x < y ? 1u : 0u;
        near += digit_of(x, d) == digit_of(y, d) ? 1u : 0u;
    }
    (void)sh_add4(SH_MISC + MISC_ENTRIES, equal);
    (void)sh_add4(SH_MISC + MISC_ENTRIES + 4u, rise);
    (void)sh_add4(SH_MISC + MISC_ENTRIES + 8u, near);
    block_sync();
    equal = sh_ld4(SH_MISC + MISC_ENTRIES);
    rise = sh_ld4(SH_MISC + MISC_ENTRIES + 4u);
    near = sh_ld4(SH_MISC + MISC_ENTRIES + 8u);
    block_sync();
    return equal > RADIX_SAMPLE_FEW / 8u ||
           (near > RADIX_SAMPLE_FEW / 2u && rise > RADIX_SAMPLE_FEW / 16u &&
            rise < RADIX_SAMPLE_FEW / 16u * 15u);
}

/* Leave the array to another method, or not.  If it is left, there is no bucket to be split. */
DEV void sample_gate(const struct radix_job *j, int leave)
{
    if (THREAD_ID == 0) {
        gm_st4(j->gate, leave ? 1u : 0u);
        if (leave) {
            gm_st4(&j->state->pass[0].buckets, 0u);
            gm_st4(&j->state->pass[0].chunks, 0u);
        }
    }
}

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
    range_of_block(r, SAMPLE_TREE);
    r.least = (key)sh_ld8(SH_MISC + MISC_LESS);
    r.most = (key)sh_ld8(SH_MISC + MISC_LESS + 8u);
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

/* The same with the lane that is d away. */
DEV void sample_lanes(uint32_t *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const uint32_t y = shfl_xor4(x[r], d);

        x[r] = (y < x[r]) == less ? y : x[r];
    }
}

/* The same with a thread of another warp, through shared memory. */
DEV void sample_warps(uint32_t *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
        sh_st4(SAMPLE_TOPS + 4u * (r * BLOCK_DIM + THREAD_ID), x[r]);
    block_sync();
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const uint32_t y = sh_ld4(SAMPLE_TOPS + 4u * (r * BLOCK_DIM + (THREAD_ID ^ d)));

        x[r] = (y < x[r]) == less ? y : x[r];
    }
    block_sync();
}

/* Sort the t's, SAMPLE_EACH of a thread, by a bitonic network (Batcher 1968), to SAMPLE_TOPS.  A
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
        sh_st4(SAMPLE_TOPS + 4u * (THREAD_ID * SAMPLE_EACH + r), x[r]);
    block_sync();
}

#endif
