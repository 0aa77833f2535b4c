/* digit.h - the digit of a key: its word, and the word's bin.
 *
 *      linear    digit(x) = (top 32 bits of ((x - lo) << lead)) * mult / 2^32,     0 .. bins - 1
 *      open      the same, with a bin before for words below lo and one behind for words above lo +
 *                last
 *      tree      keys alone: the bin that a splitter tree finds (splitters/tree_digit.h)
 */
#ifndef CW_SORT_RADIX_DIGIT_H
#define CW_SORT_RADIX_DIGIT_H

#include "sort/splitters/tree_digit.h"

DEV uint32_t digit_of(key word, struct digit d)
{
#if RADIX_COUNTS
    if (d.tree)
        return tree_bin(top_bits(offset_within(word, d), d.lead), d.tree);
#endif
    if (d.open && word < d.lo)
        return 0;
    if (d.open && word - d.lo > d.last)
        return d.open;
    return high4(top_bits(word - d.lo, d.lead), d.mult) + (d.open != 0);
}

/* For prim/tile_scatter.h: a digit is made of few instructions. */
DEV int digit_short(struct digit d)
{
    (void)d;
    return 1;
}

/* Of four keys. */
DEV void digits_four(const key *x, uint32_t *b, struct digit d)
{
    UNROLL for (uint32_t i = 0; i < 4u; i++) b[i] = digit_of(word_of(x[i], d), d);
}

DEV uint32_t item_digit(item x, struct digit d)
{
    return digit_of(word_of((key)x, d), d);
}

/* The least offset whose top bits are t or more. */
DEV uint64_t first_offset(uint64_t t, uint32_t lead)
{
#if KEY_LOG == 2
    return (t + ((1ull << lead) - 1u)) >> lead;
#else
    if (lead == 0 || t == 0)
        return t << 32;
    return (((t << 32) - 1u) >> lead) + 1u;
#endif
}

/* The least offset from lo whose digit is b or more. */
DEV uint64_t bin_offset(uint32_t b, uint32_t lead, uint32_t mult)
{
    return first_offset((((uint64_t)b << 32) + mult - 1u) / mult, lead);
}

DEV uint32_t leading_zeros(uint64_t x) /* of a key; x is not 0 */
{
    uint32_t n = 0;

    ROLL for (uint32_t half = KEY_LOG == 2 ? 16u : 32u; half; half /= 2)
    {
        if (x >> (8u * KEY_BYTES - n - half) == 0)
            n += half;
    }
    return n;
}

/* Is this a bucket of few values, each a good piece of a row?  `few`: bins that it would get. */
DEV int takes_few(const struct radix_bucket *p, uint32_t row_items, uint32_t few)
{
    return p->last < 2u * few && p->len > (p->last + 1u) * (row_items / 8u);
}

/* Choose a digit for a bucket whose start, len, lo and last are known.  It has as many bins as
 * leave `row_items` in each.  If these are too many for one pass, it has their square root.  A
 * bucket of few values gets `few` bins (0: like others): bins of one value are done, and the others
 * need no long rows. */
DEV void choose_digit(struct radix_bucket *p, uint32_t row_items, uint32_t most, uint32_t few)
{
    uint64_t want = p->len / row_items + 1u;
    uint32_t top;

    if (want > most && want <= 2u * most - most / 8u)
        want = most; /* longer rows, rather than another pass */
    if (want > most) {
        uint64_t root = 0;

        ROLL for (uint32_t bit = 1u << 15; bit; bit /= 2)
        {
            if ((root + bit) * (root + bit) < want)
                root += bit;
        }
        want = root + 1u < most ? root + 1u : most;
    }
    if (takes_few(p, row_items, few))
        want = few;
    if (want < 2)
        want = 2;
    p->lead = p->last ? leading_zeros(p->last) : 8u * KEY_BYTES - 1u;
    top = top_bits((key)p->last, p->lead);
    if (p->last < want) { /* a bin for each key */
        p->mult = p->lead ? 1u << (8u * KEY_BYTES - p->lead) : 0u;
        if (p->lead == 8u * KEY_BYTES - 1u)
            p->mult = 2u;
    } else {
        p->mult = (uint32_t)((want << 32) / ((uint64_t)top + 1u));
    }
    p->bins = (uint32_t)(((uint64_t)top * p->mult) >> 32) + 1u;
}

/* The largest offset in bin b, of those within the range. */
DEV uint64_t bin_last(const struct radix_bucket *p, uint32_t b)
{
    const uint32_t bins = p->bins - 2u * p->open;

    return b + 1u >= bins ? p->last : bin_offset(b + 1u, p->lead, p->mult) - 1u;
}

DEV uint64_t bin_first(const struct radix_bucket *p, uint32_t b)
{
    return b == 0 ? 0 : bin_offset(b, p->lead, p->mult);
}

#endif
