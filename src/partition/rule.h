/* rule.h - the bucket of a key, and the digit of it that a pass splits by.
 *
 * Kernels for keys that are unsigned and split by their bits (labels too) have `plain` as a
 * constant: a shift and a mask.  Splitters stand in shared memory, as ranks (key_map.h).
 */
#ifndef CW_PARTITION_RULE_H
#define CW_PARTITION_RULE_H

#include "partition/job.h"

/* How keys of 4 bytes become digits. */
struct digit {
    int plain;
    uint32_t shift, mask; /* of the bucket's number; plain: of the key */
    uint32_t by, first, bits;
    uint32_t flip, toggle, bias;
    uint32_t tied, minus, plus, low, high;
    uint32_t buckets, cuts; /* cuts: where splitters are */
    uint64_t multiplier;
};

DEV uint32_t hash_bucket(uint64_t x, uint64_t multiplier, uint32_t buckets)
{
    return (uint32_t)(((x * multiplier) >> 32) * buckets >> 32);
}

/* How many of the splitters are not above w: steps of halving sizes, from 128 on. */
DEV uint32_t cuts_below(uint32_t w, uint32_t count, uint32_t cuts)
{
    uint32_t b = 0;

    UNROLL for (uint32_t step = (PARTITION_CUTS + 1u) / 2u; step; step /= 2)
    {
        const uint32_t try_at = b + step <= count ? b + step : count;
        const uint32_t cut = sh_ld4(cuts + 4u * (try_at ? try_at - 1u : 0u));

        b = b + step <= count && cut <= w ? b + step : b;
    }
    return b;
}

/* The rank of a key (key_map.h): equal floats go to one bucket. */
DEV uint32_t rank_by(uint32_t x, struct digit d)
{
    const uint32_t w = (x ^ (x >> 31 ? d.flip : 0u) ^ d.toggle) - d.bias;

    if (!d.tied)
        return w;
    return w == d.minus ? d.plus : w < d.low ? d.low : w > d.high ? d.high : w;
}

DEV uint32_t bucket_of(uint32_t x, struct digit d)
{
    const uint32_t w = rank_by(x, d);

    if (d.by == PARTITION_BY_HASH)
        return hash_bucket(x, d.multiplier, d.buckets);
    if (d.by == PARTITION_BY_CUTS)
        return cuts_below(w, d.buckets - 1u, d.cuts);
    return w >> d.first & d.bits;
}

/* The two words of prim/scatter_combining.h. */
DEV uint32_t word_of(uint32_t x, struct digit d)
{
    (void)d;
    return x;
}

DEV uint32_t digit_of(uint32_t x, struct digit d)
{
    return d.plain ? rotate4(x, d.shift) & d.mask : bucket_of(x, d) >> d.shift & d.mask;
}

/* Is a digit made of few instructions? */
DEV int digit_short(struct digit d)
{
    return d.plain;
}

DEV void digits_four(const uint32_t *x, uint32_t *b, struct digit d)
{
    UNROLL for (uint32_t i = 0; i < 4u; i++) b[i] = digit_of(x[i], d);
}

/* `cuts`: where shared memory has room for PARTITION_CUTS words.  Not plain: ends with a
 * barrier. */
DEV void digit_begin(struct digit *d, const struct partition_job *a, int plain, uint32_t cuts)
{
    d->plain = plain;
    d->shift = plain ? (a->shift + a->rule.first) % 32u : a->shift;
    d->mask = ((1u << a->width) - 1u) & (plain ? a->rule.mask >> a->shift : 0xffffffffu);
    d->by = a->rule.by;
    d->first = a->rule.first;
    d->bits = a->rule.mask;
    d->flip = (uint32_t)a->rule.map.flip;
    d->toggle = (uint32_t)a->rule.map.toggle;
    d->bias = (uint32_t)a->rule.map.bias;
    d->tied = a->rule.map.tied;
    d->minus = (uint32_t)a->rule.map.minus;
    d->plus = (uint32_t)a->rule.map.plus;
    d->low = (uint32_t)a->rule.map.low;
    d->high = (uint32_t)a->rule.map.high;
    d->buckets = a->rule.buckets;
    d->cuts = cuts;
    d->multiplier = a->rule.multiplier;
    if (plain)
        return;
    if (d->by == PARTITION_BY_CUTS) {
        ROLL for (uint32_t i = THREAD_ID; i < PARTITION_CUTS; i += BLOCK_DIM)
        {
            const uint32_t x =
                i + 1u < d->buckets ? gm_ld4((const uint32_t *)a->rule.cuts + i) : 0u;

            sh_st4(cuts + 4u * i, rank_by(x, *d));
        }
    }
    block_sync();
}

#endif
