/* sample.h - the sample that a bucket is cut by.
 *
 * A sample misled if more came out in buckets larger than they should be than it said.  How often
 * that happened to what a bucket belongs to says how it is sampled:
 *
 *      0     one key of each of many stretches, at places drawn from the call's seed
 *      1     the same, from a seed made now: who knew the first one does not know this
 *      2     no chance at all: the bucket is sorted in chunks, where it is not changed, and every
 *            chunk gives keys at equal distances.  Between two neighbours of them a chunk of c keys
 *            that gives q has c/q; so between two splitters with g keys of the sample there are
 *            (g + chunks) * c/q at most, n/32 + n/8 with 31 splitters or more and q of 8 or more.
 *
 * So a pass leaves at most three quarters of a bucket together, but for two of them; after these, a
 * quarter, whatever the keys.  Time is O(n log n), and the passes that stand inside each other have
 * no more buckets than cw_sort_ends says.
 */
#ifndef CW_CPU_SORT_SAMPLE_H
#define CW_CPU_SORT_SAMPLE_H

#include "cpu/sort/cuts.h"
#include "inputs/random.h"

/* Keys of a chunk, at least, that gives CW_SORT_LEAST keys to a sample that is no longer itself. */
#define CW_SORT_LEAST 8u

/* Who makes cuts: some threads, and their buffers. */
struct cw_sort_team {
    struct cw_team *team; /* NULL: one thread */
    unsigned threads;
    struct cw_sort_thread *buffers;
};

/* Where random places of a bucket begin: the same for a bucket of an array, whoever sorts it. */
static inline uint64_t cw_sample_seed(uint64_t seed, size_t from, size_t n)
{
    return cw_mixed(seed ^ cw_mixed((uint64_t)from * 2 + 1) ^ (uint64_t)n);
}

/* The x-th of `count` places among n. */
static inline size_t cw_sample_place(uint64_t *random, size_t n, uint32_t count, uint32_t x)
{
    const size_t step = n / count;

    return x * step + (size_t)cw_drawn_below(random, step);
}

/* The most keys that a bucket should have, if n keys are cut into so many. */
static inline size_t cw_bucket_limit(const struct cw_sorter *s, size_t n, uint32_t buckets)
{
    const size_t limit = buckets < 32 ? n / 4 : n / buckets * 8;

    return limit > s->leaf ? limit : s->leaf;
}

/* How many buckets a pass over n keys may have, at most; and all passes that a key may go through,
 * one inside another, together. */
uint32_t cw_sort_most_buckets(const struct cw_sorter *s, size_t n);
uint32_t cw_sort_ends(const struct cw_sorter *s, size_t n);

/* Cut a bucket whose samples misled so often; returns how many buckets were asked for. */
uint32_t cw_sort_make_cuts(const struct cw_sorter *s, const struct cw_sort_team *by,
                           const struct cw_bucket *p, uint32_t misled, struct cw_cuts *out);

#endif
