/* counts.h - how many items a bin has, and where it starts, for each bucket and for each chunk.
 *
 * `starts` has a number for each bin of each bucket of a pass, `counts` for each bin of each chunk.
 * Rows of these lie close together: a bucket says where its first one begins (bin, count), and a
 * row is as long as the bucket has bins.
 *
 * A number is at most n.  It has 4 bytes where n is below 2^32, else 8 (`wide`, the same for all of
 * a sort).
 */
#ifndef CW_SORT_RADIX_COUNTS_H
#define CW_SORT_RADIX_COUNTS_H

#include "sort/radix/bucket.h"

/* Number i of `counts` or `starts`. */
DEV uint64_t count_load(const void *from, uint64_t i, uint32_t wide)
{
    return wide ? gm_ld8((const uint64_t *)from + i) : gm_ld4((const uint32_t *)from + i);
}

DEV void count_store(void *to, uint64_t i, uint32_t wide, uint64_t x)
{
    if (wide)
        gm_st8((uint64_t *)to + i, x);
    else
        gm_st4((uint32_t *)to + i, (uint32_t)x);
}

/* Returns what it was before. */
DEV uint64_t count_add(void *to, uint64_t i, uint32_t wide, uint64_t x)
{
    return wide ? gm_add8((uint64_t *)to + i, x) : gm_add4((uint32_t *)to + i, (uint32_t)x);
}

/* Where the starts of bucket p of this pass begin. */
DEV uint32_t starts_of(const struct radix_job *j, const struct radix_bucket *p)
{
    return (j->pass & 1u) * j->start_room + p->bin;
}

/* Where the counts of chunk c of the pass begin, one of p's. */
DEV uint32_t counts_of(const struct radix_bucket *p, uint32_t c)
{
    return p->count + (c - p->first) * p->bins;
}

#endif
