/* narrow_buckets.h - pieces of the output that are not sorted but written: keys without values that are
 * counted one by one.
 *
 * A key has no more than its value, so where the keys of a part take few values it is enough to know
 * how often each of them occurs.  Such parts come from
 *
 *      counting/counted_buckets.h    bins of the first level's tree, counted there and never moved
 *      radix/classify.h    long parts whose range is narrow: counted here (fill_count, in `mids`)
 *      radix/pass.h     long parts whose keys have all bits in common below some, and few values above
 *                      parts of one key, whose length is the count
 *
 * and stand on a list.  `fill`, the last kernel, writes them: when it runs, nothing is left to be
 * read from the input, which may be the output, nor from where these parts stood.
 *
 * Counters of all values of the list stand in global memory, u32 each.  Parts are worked on in
 * chunks, of at least twice as many keys as the part has values: a block counts a chunk in
 * shared memory and adds that to the counters.  counting/write_out.h writes chunks.
 */
#ifndef CW_SORT_COUNTING_NARROW_BUCKETS_H
#define CW_SORT_COUNTING_NARROW_BUCKETS_H

#include "sort/radix/histogram.h"

#if RADIX_COUNTS

struct fill_shared {
    struct radix_shared all;
    uint32_t counts[RADIX_TALLY]; /* of each value */
};

#define FILL_AT    SHARED_AT(fill_shared, counts)
#define FILL_KEYS  8u /* of a thread in a round of counting */
#define NO_COUNTER 0xffffffffu

/* Put q on the list, whose values are 2^shift apart.  Its counters begin at `counter`; 0: there is no room.  The list has room for
 * two entries for each bin of the first level, which has all of counting/counted_buckets.h's. */
DEV int fill_add(const struct radix_job *j, const struct radix_part *q, uint32_t shift,
                 uint32_t counter, int counted)
{
    const uint64_t quarter = j->chunk / 4u;
    const uint64_t values = (q->last >> shift) + 1u;
    const uint64_t piece = quarter > 2u * values ? quarter : 2u * values;
    const uint32_t i = gm_add4(&j->state->fills, 1u);
    struct radix_fill f;

    if (i >= RADIX_FILLS)
        return 0;
    f.start = q->start;
    f.len = q->len;
    f.lo = q->lo;
    f.values = (uint32_t)values;
    f.shift = shift;
    f.counter = counter;
    f.at = q->at;
    f.counted = (uint32_t)counted;
    f.chunks = (uint32_t)((q->len + piece / 2u) / piece);
    f.chunks = f.chunks ? f.chunks : 1u;
    f.first = gm_add4(&j->state->fill_chunks, f.chunks);
    j->fills[i] = f;
    return 1;
}

/* The entry that has chunk c, looked for by the whole block; barriers around. */
DEV uint32_t fill_of(const struct radix_job *j, uint32_t c)
{
    const uint32_t fills = least4(gm_ld4(&j->state->fills), RADIX_FILLS);
    uint32_t i;

    ROLL for (i = THREAD_ID; i < fills; i += BLOCK_DIM)
    {
        const uint32_t first = gm_ld4(&j->fills[i].first);
        const uint32_t chunks = gm_ld4(&j->fills[i].chunks);

        if (c - first < chunks)
            sh_st4(SH_MISC + MISC_FLAG, i);
    }
    block_sync();
    i = sh_ld4(SH_MISC + MISC_FLAG);
    block_sync();
    return i;
}

/* Whether a part of values 2^shift apart is long enough, and has few. */
DEV int fill_suits(const struct radix_job *j, const struct radix_part *q, uint32_t shift)
{
    const uint64_t last = q->last >> shift;

    return j->fills && q->len > j->huge && last < RADIX_TALLY && 4u * (last + 1u) <= q->len;
}

/* Put such a part on the list; whether it was. */
DEV int fill_part(const struct radix_job *j, const struct radix_part *q, uint32_t shift)
{
    const uint64_t values = (q->last >> shift) + 1u;
    uint32_t counter;

    if (!fill_suits(j, q, shift))
        return 0;
    counter = RADIX_EXACT + gm_add4(&j->state->fill_counters, (uint32_t)values);
    if (counter + values > RADIX_COUNTERS)
        return 0;
    if (values == 1u)
        gm_st4(&j->counters[counter], (uint32_t)q->len);
    return fill_add(j, q, shift, counter, values == 1u);
}

/* The same, by the whole block, for a part that was counted: its keys are least .. most and agree in all bits
 * below the lowest of MISC_DIFFER, as whole numbers do that are kept as floats. */
DEV int fill_sparse(const struct radix_job *j, const struct radix_part *p, uint64_t least,
                    uint64_t most)
{
    const uint64_t differ = sh_ld8(SH_MISC + MISC_DIFFER);
    struct radix_part q = *p;
    uint32_t shift = 0;

    ROLL while ((differ >> shift & 1u) == 0) shift++; /* least and most differ */
    q.lo = least;
    q.last = most - least;
    if (p->tree || !fill_suits(j, &q, shift))
        return 0;
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_FLAG, (uint32_t)fill_part(j, &q, shift));
    block_sync();
    return (int)sh_ld4(SH_MISC + MISC_FLAG);
}

/* The keys of p, which are all `word`, need not be copied: they are written.  0: no room. */
DEV int fill_equal(const struct radix_job *j, const struct radix_part *p, uint64_t word)
{
    struct radix_part q = *p;

    q.lo = word;
    q.last = 0;
    return fill_part(j, &q, 0);
}

DEV uint64_t fill_start(const struct radix_fill *f, uint32_t c)
{
    return f->len / f->chunks * c + f->len % f->chunks * c / f->chunks;
}

DEV void fill_count_key(key raw, key lo, uint32_t shift, struct digit d)
{
    sh_inc4(FILL_AT + 4u * (uint32_t)((word_of(raw, d) - lo) >> shift));
}

/* How often each value occurs in keys from .. to - 1 of a part: added to its counters. */
DEV void fill_count_range(const struct radix_job *j, const struct radix_fill *f, uint64_t from,
                          uint64_t to, struct digit d)
{
    const key *const keys = keys_at(j, f->at) + f->start;
    const key lo = (key)f->lo;

    ROLL for (uint32_t v = THREAD_ID; v < f->values; v += BLOCK_DIM) sh_st4(FILL_AT + 4u * v, 0u);
    block_sync();
    ROLL for (; from + RADIX_THREADS * FILL_KEYS <= to; from += RADIX_THREADS * FILL_KEYS)
    {
        key x[FILL_KEYS];

        UNROLL for (uint32_t i = 0; i < FILL_KEYS; i++) x[i] =
            gm_ld_key(keys + from + i * RADIX_THREADS + THREAD_ID);
        UNROLL for (uint32_t i = 0; i < FILL_KEYS; i++) fill_count_key(x[i], lo, f->shift, d);
    }
    ROLL for (from += THREAD_ID; from < to; from += RADIX_THREADS)
        fill_count_key(gm_ld_key(keys + from), lo, f->shift, d);
    block_sync();
    ROLL for (uint32_t v = THREAD_ID; v < f->values; v += BLOCK_DIM)
    {
        const uint32_t count = sh_ld4(FILL_AT + 4u * v);

        if (count)
            gm_add4(&j->counters[f->counter + v], count);
    }
    block_sync();
}

/* Count the parts of the list that were not. */
DEV void fill_count(const struct radix_job *j)
{
    struct digit d;

    digit_map(&d, j);
    ROLL for (;;)
    {
        const uint32_t chunks = gm_ld4(&j->state->fill_chunks);
        const uint32_t c = chunks ? take_number(&j->state->fill_counted) : 0u;
        struct radix_fill f;

        if (c >= chunks)
            break;
        f = j->fills[fill_of(j, c)];
        if (!f.counted)
            fill_count_range(j, &f, fill_start(&f, c - f.first), fill_start(&f, c - f.first + 1u),
                             d);
    }
}

#endif
#endif
