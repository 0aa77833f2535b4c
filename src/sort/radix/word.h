/* word.h - from keys to words, whose digits are asked for (prim/key_map.h). */
#ifndef CW_SORT_RADIX_WORD_H
#define CW_SORT_RADIX_WORD_H

#include "sort/radix/bucket.h"

/* How keys become words, and words digits. */
struct digit {
    key flip, toggle, bias;
    int mapped; /* 0: words are keys.  Kernels for these alone have it as a constant. */
#if PAYLOAD_BYTES
    uint32_t tied; /* words are ranks (key_map.h): stable sorts of floats */
    key minus, plus, low, high;
#endif
    key lo, last;
    uint32_t open; /* 0, a constant where it can be; or the bin of keys above lo + last */
    uint32_t lead, mult;
    /* 0: none; else where its table stands in shared memory (splitters/tree_build.h) */
    uint32_t tree;
    int deep; /* whether some ways of the tree have RADIX_TREE_STEPS nodes */
};

DEV void digit_map(struct digit *d, const struct radix_job *j)
{
    d->flip = (key)j->map.flip;
    d->toggle = (key)j->map.toggle;
    d->bias = (key)j->map.bias;
    d->mapped = 1;
#if PAYLOAD_BYTES
    d->tied = j->map.tied;
    d->minus = (key)j->map.minus;
    d->plus = (key)j->map.plus;
    d->low = (key)j->map.low;
    d->high = (key)j->map.high;
#endif
    d->last = 0;
    d->open = 0;
    d->tree = 0;
    d->deep = 1;
}

/* The bin of keys above an open bucket's range; 0: it has none. */
DEV uint32_t bin_beyond(const struct radix_bucket *p)
{
    return p->open ? p->bins - 1u : 0u;
}

/* `open`, a constant: whether the bucket may be. */
DEV struct digit digit_of_bucket(const struct radix_job *j, const struct radix_bucket *p, int open)
{
    struct digit d;

    digit_map(&d, j);
    d.lo = (key)p->lo;
    d.last = (key)p->last;
    d.open = open ? bin_beyond(p) : 0u;
    d.lead = p->lead;
    d.mult = p->mult;
    return d;
}

DEV key word_of(key x, struct digit d)
{
    if (!d.mapped)
        return x;
    x = (x ^ (x >> (8u * KEY_BYTES - 1u) ? d.flip : 0u) ^ d.toggle) - d.bias;
#if PAYLOAD_BYTES
    if (d.tied)
        x = x == d.minus ? d.plus : x < d.low ? d.low : x > d.high ? d.high : x;
#endif
    return x;
}

DEV uint32_t top_bits(key offset, uint32_t lead)
{
#if KEY_LOG == 2
    return offset << lead;
#else
    return (uint32_t)((offset << lead) >> 32);
#endif
}

/* The offset of a word in the digit's range.  A word beyond the range counts as its end. */
DEV key offset_within(key word, struct digit d)
{
    const key offset = word < d.lo ? 0u : word - d.lo;

    return offset < d.last ? offset : d.last;
}

#endif
