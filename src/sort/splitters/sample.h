/* sample.h - a sample of the keys: do linear digits suit them?
 *
 * Keys alone that are skewed get a splitter tree (splitters/tree_build.h), or are left to the LSD
 * sort.  Pairs have no tree, so those that linear digits do not suit are always left.
 *
 * Sampling keys to choose splitters is from sample sort (Frazer and McKellar 1970; on GPUs
 * Leischner, Osipov and Sanders 2010).  Here the sample first decides whether splitters are needed
 * at all.
 */
#ifndef CW_SORT_SPLITTERS_SAMPLE_H
#define CW_SORT_SPLITTERS_SAMPLE_H

#include "sort/counting/counted_buckets.h"
#include "sort/radix/histogram.h"

/* A piece of the sampled range, when the tree is built (splitters/tree_build.h). */
struct tree_piece {
    uint32_t t, low; /* its first t, bits below */
};

/* Shared memory of the kernel that samples.  Fields of a union are used one after another. */
struct sample_shared {
    struct radix_shared all;
    union {
        uint64_t keys[RADIX_SAMPLE]; /* the sample's words */
#if RADIX_COUNTS
        uint32_t sums[RADIX_BINS]; /* splitters/tree_build.h: of splitters; */
        uint64_t ends[RADIX_BINS]; /* the last word of each bin */
#endif
    } u;
#if RADIX_COUNTS
    uint32_t tops[RADIX_SAMPLE]; /* their t's */
    uint32_t splitters[RADIX_BINS];
    union {
        struct warp_range range[RADIX_THREADS / 32u]; /* range_of_block */
        uint32_t tree[RADIX_TREE_ROOM];               /* the table */
    } w;
    struct tree_piece pieces[RADIX_TREE_ROOM];
#endif
};

#define SAMPLE_KEY(i) (SHARED_AT(sample_shared, u.keys) + 8u * (i))
#if RADIX_COUNTS
#define SAMPLE_ROOM        SHARED_AT(sample_shared, u)
#define SAMPLE_SUM(i)      (SHARED_AT(sample_shared, u.sums) + 4u * (i))
#define SAMPLE_END(b)      (SHARED_AT(sample_shared, u.ends) + 8u * (b))
#define SAMPLE_TOP(i)      (SHARED_AT(sample_shared, tops) + 4u * (i))
#define SAMPLE_SPLITTER(i) (SHARED_AT(sample_shared, splitters) + 4u * (i))
#define SAMPLE_RANGE       SHARED_AT(sample_shared, w.range)
#define SAMPLE_TREE        SHARED_AT(sample_shared, w.tree)
#define SAMPLE_PIECE(i, field)                                                      \
    (SHARED_AT(sample_shared, pieces) + (uint32_t)sizeof(struct tree_piece) * (i) + \
     SHARED_AT(tree_piece, field))
#endif

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

/* Is there a sample?  Keys alone have one wherever they may have a tree, pairs where they may be
 * left to another method. */
DEV int is_sampled(const struct radix_job *j)
{
    return PAYLOAD_BYTES ? j->gate != NULL : j->tree != NULL;
}

/* Word number i of `all` that are evenly chosen from these. */
DEV key sample_word(const struct radix_job *j, uint32_t i, uint32_t all, struct digit d)
{
    return word_of(gm_ld_key((const key *)j->tmp + RADIX_SAMPLE / all * i), d);
}

/* Load RADIX_SAMPLE_FEW words to shared memory.  *r becomes the range of this thread's. */
DEV void sample_few(const struct radix_job *j, struct digit d, struct key_range *r)
{
    key x[RADIX_SAMPLE_FEW / RADIX_THREADS];

    range_begin(r);
    UNROLL for (uint32_t i = 0; i < RADIX_SAMPLE_FEW / RADIX_THREADS; i++) x[i] =
        sample_word(j, i * RADIX_THREADS + THREAD_ID, RADIX_SAMPLE_FEW, d);
    UNROLL for (uint32_t i = 0; i < RADIX_SAMPLE_FEW / RADIX_THREADS; i++)
    {
        r->least = x[i] < r->least ? x[i] : r->least;
        r->most = x[i] > r->most ? x[i] : r->most;
        sh_st8(SAMPLE_KEY(i * RADIX_THREADS + THREAD_ID), (uint64_t)x[i]);
    }
    block_sync();
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
 * sample_few loaded.  A bin is crowded if it gets more than three even shares and 16; of arrays
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
        const uint32_t b = digit_of((key)sh_ld8(SAMPLE_KEY(i)), d);

        if (sh_add4(SH_BINS + 4u * b, 1u) == most)
            sh_add4(SH_MISC + MISC_MOST, 1u);
    }
    block_sync();
    return sh_ld4(SH_MISC + MISC_MOST);
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
        sh_st4(SH_MISC + MISC_BESIDE(equal) + 4u * THREAD_ID, 0u);
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
    (void)sh_add4(SH_MISC + MISC_BESIDE(equal), equal);
    (void)sh_add4(SH_MISC + MISC_BESIDE(rise), rise);
    (void)sh_add4(SH_MISC + MISC_BESIDE(same), near);
    block_sync();
    equal = sh_ld4(SH_MISC + MISC_BESIDE(equal));
    rise = sh_ld4(SH_MISC + MISC_BESIDE(rise));
    near = sh_ld4(SH_MISC + MISC_BESIDE(same));
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

#if RADIX_COUNTS

/* A range a little larger than the sample's, so that fewer keys than a row lie beyond it. */
DEV void sample_range(struct radix_bucket *p, uint64_t least, uint64_t most, uint32_t passes)
{
    const uint64_t more = (most - least) / (passes < 2u ? 2048u : 512u);

    p->lo = least > more ? least - more : 0u;
    p->last = (most < KEY_MAX - more ? most + more : KEY_MAX) - p->lo;
}

/* Are the keys skewed?  They are if they differ, and linear digits of the whole range and of the
 * keys' range both crowd a bin.  If only the first of these does, the first pass takes the
 * second. */
DEV int sample_skewed(const struct radix_job *j, struct radix_bucket *p, struct digit d)
{
    struct key_range r;

    sample_few(j, d, &r);
    if (!sample_crowd(j, p))
        return 0;
    range_of_block(r, SAMPLE_RANGE);
    sample_range(p, sh_ld8(SH_MISC + MISC_LESS), sh_ld8(SH_MISC + MISC_GREATEST), j->passes);
    p->open = !(j->write_outs && p->last < RADIX_NARROW_VALUES); /* else counted, not moved */
    sample_digit(p, j);
    block_sync();
    if (p->last == 0 || sample_crowd(j, p))
        return p->last != 0;
    p->open = p->open && (j->passes > 1u || p->last > p->bins); /* else bins of one key: a tree */
    if (p->open && THREAD_ID == 0)
        j->buckets[0][0] = *p;
    return !p->open && j->passes < 2u; /* it would take a pass to find the range */
}

#else

/* One block, after `begin`, decides whether pairs are left to another method: they are if a linear
 * digit crowds a bin, or if neighbours say so. */
KERNEL(RADIX_NAME(sample), struct radix_job, RADIX_THREADS, 1)
{
    const struct radix_bucket p = arg->buckets[0][0];
    struct key_range r;
    struct digit d;
    int leave;

    digit_map(&d, arg);
    sample_few(arg, d, &r);
    leave = sample_crowd(arg, &p) || sample_local(arg, &p, d);
    sample_gate(arg, leave);
}

#endif
#endif
