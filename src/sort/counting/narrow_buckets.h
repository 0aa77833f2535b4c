/* narrow_buckets.h - buckets of keys alone that take few values: counted, and written instead of
 * sorted.
 *
 * A key alone has nothing but its value.  Where the keys of a bucket take few values, it is enough
 * to know how often each one occurs.  Such buckets come from
 *
 *      counting/counted_buckets.h    bins of the first pass's tree: counted there, and never moved
 *      radix/classify.h              long buckets of a narrow range: counted here (write_out_count,
 *                                    in the kernel `medium`)
 *      radix/pass.h                  long buckets whose keys agree in their lowest bits, and take
 *                                    few values above these; buckets of one key, whose length is
 *                                    the count
 *
 * and stand on a list.  The last kernel, write_out, writes them.  When it runs, nothing is left to
 * be read from the input, which may be the output, nor from where these buckets stood.
 *
 * Counters of all values of the list stand in global memory, u32 each.  A bucket is worked on in
 * chunks, of at least twice as many keys as it has values.  A block counts a chunk in shared memory
 * and adds that to the counters.  counting/write_out.h writes chunks.
 *
 * Counting sort is Seward's (1954).
 */
#ifndef CW_SORT_COUNTING_NARROW_BUCKETS_H
#define CW_SORT_COUNTING_NARROW_BUCKETS_H

#include "sort/radix/histogram.h"

#if RADIX_COUNTS

struct write_out_shared {
    struct radix_shared all;
    uint32_t counts[RADIX_NARROW_VALUES]; /* of each value */
};

#define WRITE_OUT_COUNTS SHARED_AT(write_out_shared, counts)
#define WRITE_OUT_KEYS   8u /* of a thread in a round of counting */
#define NO_COUNTER       0xffffffffu

/* Put bucket q on the list.  Its values are 2^shift apart, its counters begin at `counter`.
 * Returns 0 if the list is full.  It has room for two entries for each bin of the first pass, so
 * all of counting/counted_buckets.h's fit. */
DEV int write_out_add(const struct radix_job *j, const struct radix_bucket *q, uint32_t shift,
                      uint32_t counter, int counted)
{
    const uint64_t quarter = j->chunk / 4u;
    const uint64_t values = (q->last >> shift) + 1u;
    const uint64_t piece = quarter > 2u * values ? quarter : 2u * values;
    const uint32_t i = gm_add4(&j->state->write_outs, 1u);
    struct radix_write_out f;

    if (i >= RADIX_WRITE_OUTS)
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
    f.first = gm_add4(&j->state->write_out_chunks, f.chunks);
    j->write_outs[i] = f;
    return 1;
}

/* Find the entry that has chunk c, by the whole block.  There is a barrier before and after. */
DEV uint32_t write_out_of(const struct radix_job *j, uint32_t c)
{
    const uint32_t write_outs = least4(gm_ld4(&j->state->write_outs), RADIX_WRITE_OUTS);
    uint32_t i;

    ROLL for (i = THREAD_ID; i < write_outs; i += BLOCK_DIM)
    {
        const uint32_t first = gm_ld4(&j->write_outs[i].first);
        const uint32_t chunks = gm_ld4(&j->write_outs[i].chunks);

        if (c - first < chunks)
            sh_st4(SH_MISC + MISC_FLAG, i);
    }
    block_sync();
    i = sh_ld4(SH_MISC + MISC_FLAG);
    block_sync();
    return i;
}

/* Is a bucket of values 2^shift apart long enough, and has it few values? */
DEV int write_out_suits(const struct radix_job *j, const struct radix_bucket *q, uint32_t shift)
{
    const uint64_t last = q->last >> shift;

    return j->write_outs && q->len > j->huge && last < RADIX_NARROW_VALUES &&
           4u * (last + 1u) <= q->len;
}

/* Put such a bucket on the list.  Returns whether it was put. */
DEV int write_out_bucket(const struct radix_job *j, const struct radix_bucket *q, uint32_t shift)
{
    const uint64_t values = (q->last >> shift) + 1u;
    uint32_t counter;

    if (!write_out_suits(j, q, shift))
        return 0;
    counter = RADIX_COUNTED_MOST + gm_add4(&j->state->write_out_counters, (uint32_t)values);
    if (counter + values > RADIX_COUNTERS)
        return 0;
    if (values == 1u)
        gm_st4(&j->counters[counter], (uint32_t)q->len);
    return write_out_add(j, q, shift, counter, values == 1u);
}

/* The same, by the whole block, for a bucket whose keys were counted.  They are least .. most, and
 * agree in all bits below the lowest one of MISC_DIFFER.  Whole numbers that are kept as floats
 * do. */
DEV int write_out_sparse(const struct radix_job *j, const struct radix_bucket *p, uint64_t least,
                         uint64_t most)
{
    const uint64_t differ = sh_ld8(SH_MISC + MISC_DIFFER);
    struct radix_bucket q = *p;
    uint32_t shift = 0;

    ROLL while ((differ >> shift & 1u) == 0) shift++; /* least and most differ */
    q.lo = least;
    q.last = most - least;
    if (p->tree || !write_out_suits(j, &q, shift))
        return 0;
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_FLAG, (uint32_t)write_out_bucket(j, &q, shift));
    block_sync();
    return (int)sh_ld4(SH_MISC + MISC_FLAG);
}

/* All keys of p are `word`: they are written, not copied.  Returns 0 if there is no room. */
DEV int write_out_equal(const struct radix_job *j, const struct radix_bucket *p, uint64_t word)
{
    struct radix_bucket q = *p;

    q.lo = word;
    q.last = 0;
    return write_out_bucket(j, &q, 0);
}

DEV uint64_t write_out_start(const struct radix_write_out *f, uint32_t c)
{
    return f->len / f->chunks * c + f->len % f->chunks * c / f->chunks;
}

DEV void write_out_count_key(key raw, key lo, uint32_t shift, struct digit d)
{
    sh_inc4(WRITE_OUT_COUNTS + 4u * (uint32_t)((word_of(raw, d) - lo) >> shift));
}

/* Add to the bucket's counters how often each value occurs in its keys from .. to - 1. */
DEV void write_out_count_range(const struct radix_job *j, const struct radix_write_out *f,
                               uint64_t from, uint64_t to, struct digit d)
{
    const key *const keys = keys_at(j, f->at) + f->start;
    const key lo = (key)f->lo;

    ROLL for (uint32_t v = THREAD_ID; v < f->values; v += BLOCK_DIM)
        sh_st4(WRITE_OUT_COUNTS + 4u * v, 0u);
    block_sync();
    ROLL for (; from + RADIX_THREADS * WRITE_OUT_KEYS <= to; from += RADIX_THREADS * WRITE_OUT_KEYS)
    {
        key x[WRITE_OUT_KEYS];

        UNROLL for (uint32_t i = 0; i < WRITE_OUT_KEYS; i++) x[i] =
            gm_ld_key(keys + from + i * RADIX_THREADS + THREAD_ID);
        UNROLL for (uint32_t i = 0; i < WRITE_OUT_KEYS; i++)
            write_out_count_key(x[i], lo, f->shift, d);
    }
    ROLL for (from += THREAD_ID; from < to; from += RADIX_THREADS)
        write_out_count_key(gm_ld_key(keys + from), lo, f->shift, d);
    block_sync();
    ROLL for (uint32_t v = THREAD_ID; v < f->values; v += BLOCK_DIM)
    {
        const uint32_t count = sh_ld4(WRITE_OUT_COUNTS + 4u * v);

        if (count)
            gm_add4(&j->counters[f->counter + v], count);
    }
    block_sync();
}

/* Count those buckets of the list that are not counted yet. */
DEV void write_out_count(const struct radix_job *j)
{
    struct digit d;

    digit_map(&d, j);
    ROLL for (;;)
    {
        const uint32_t chunks = gm_ld4(&j->state->write_out_chunks);
        const uint32_t c = chunks ? take_number(&j->state->write_out_counted) : 0u;
        struct radix_write_out f;

        if (c >= chunks)
            break;
        f = j->write_outs[write_out_of(j, c)];
        if (!f.counted)
            write_out_count_range(j, &f, write_out_start(&f, c - f.first),
                                  write_out_start(&f, c - f.first + 1u), d);
    }
}

#endif
#endif
