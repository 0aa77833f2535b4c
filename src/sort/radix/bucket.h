/* bucket.h - what the kernels of the MSD radix sort share: buckets, chunks, lists, arguments.
 *
 * A bucket is a range of the array whose keys lie in lo .. lo + last.  All smaller keys stand
 * before it, all larger ones behind it.  A pass splits a bucket: its items move to the other
 * buffer, into the order of a digit
 *
 *      digit(x) = (top 32 bits of ((x - lo) << lead)) * mult / 2^32,     0 .. bins - 1
 *
 * The digit grows with x.  It takes any number of values, not only powers of two, so that buckets
 * come out just as large as the local sort likes them.  A bucket is done when its keys are equal
 * (last = 0) and it stands in the output.
 *
 * After Stehle and Jacobsen (SIGMOD 2017): most significant digit first, on all buckets of a pass
 * at once, with a local sort at the end.  It departs in its digits, which are linear in the key's
 * range and not bits of the key; in write-combining queues instead of sorted tiles
 * (prim/scatter_combining.h); and in splitters where a linear digit does not suit the keys
 * (splitters/).
 *
 * Keys move as they are.  Where they are looked at they become words of the same order
 * (prim/key_map.h): lo, last and digits are those of words.  Stable sorts of floats compare ranks
 * instead, so that -0 and +0 go the same way.  Only the local sort makes keys of words, and must
 * keep them apart (radix/local_sort_pairs.h).
 *
 * Many blocks work on a large bucket.  Each takes a chunk of it at a time.  No block waits for
 * another: what one kernel finds out, the next one reads.
 */
#ifndef CW_SORT_RADIX_BUCKET_H
#define CW_SORT_RADIX_BUCKET_H

#include "prim/key.h"
#include "sort/radix/job.h"

#ifndef RADIX_THREADS
#define RADIX_THREADS 512u
#endif
#ifndef RADIX_BINS /* the most that any bucket is split into; at most 32 a warp, a multiple of 4 */
#define RADIX_BINS 352u
#endif
#ifndef RADIX_SPLIT_BINS /* the same, but for the first pass by a tree */
#define RADIX_SPLIT_BINS 264u
#endif
#ifndef RADIX_FEW_BINS /* the same for buckets of few values */
#define RADIX_FEW_BINS RADIX_SPLIT_BINS
#endif
#ifndef RADIX_ONE_BINS /* the same for later passes, and where there is but one */
#define RADIX_ONE_BINS RADIX_SPLIT_BINS
#endif
#ifndef RADIX_TREE_ROOT /* bits of the root of splitters/tree_build.h */
#define RADIX_TREE_ROOT 10u
#endif
#ifndef RADIX_TREE_STEPS /* nodes on the way from the root, at most */
#define RADIX_TREE_STEPS 3u
#endif
#define TREE_SHARED (4u * RADIX_TREE_ROOM) /* bytes of its table */
#ifndef PAYLOAD_BYTES
#define PAYLOAD_BYTES 0 /* bytes of a value: 0 or 4 */
#endif

/* Keys alone that take few values may be counted instead of moved (counting/narrow_buckets.h). */
#if PAYLOAD_BYTES || !defined(RADIX_NARROW_VALUES)
#define RADIX_COUNTS 0
#else
#define RADIX_COUNTS 1
#endif

#ifndef RADIX_ITEMS /* of a thread in a round */
#define RADIX_ITEMS (KEY_BYTES + PAYLOAD_BYTES == 4 ? 16 : 8)
#endif
#ifndef RADIX_QUEUES /* bytes of the bins' queues */
#define RADIX_QUEUES 104448u
#endif
#ifndef RADIX_BLOCKS /* that a multiprocessor should hold */
#define RADIX_BLOCKS 2
#endif

#if PAYLOAD_BYTES
typedef uint64_t item; /* the key, and the value above */
#define ITEM_BYTES        8u
#define sh_ld_item(at)    sh_ld8(at)
#define sh_st_item(at, x) sh_st8(at, x)
#else
typedef key item;
#define ITEM_BYTES        ((uint32_t)KEY_BYTES)
#define sh_ld_item(at)    sh_ld_key(at)
#define sh_st_item(at, x) sh_st_key(at, x)
#endif

/* An entry of a list of rows: 46 bits of start, 16 of length - 1, 2 of the buffer. */
DEV uint64_t row_entry(uint64_t start, uint64_t len, uint32_t at)
{
    return start | (len - 1u) << 46 | (uint64_t)at << 62;
}

DEV const key *keys_at(const struct radix_job *j, uint32_t at)
{
    return (const key *)(at == AT_IN ? j->in : at == AT_TMP ? j->tmp : j->out);
}

DEV const uint32_t *values_at(const struct radix_job *j, uint32_t at)
{
    return (const uint32_t *)(at == AT_IN    ? j->in_values
                              : at == AT_TMP ? j->tmp_values
                                             : j->out_values);
}

#define load_value(values, at) gm_ld4((values) + (at))

DEV item load_item(const key *keys, const uint32_t *values, uint64_t at)
{
#if PAYLOAD_BYTES
    return gm_ld_key(keys + at) | (uint64_t)load_value(values, at) << 32;
#else
    (void)values;
    return gm_ld_key(keys + at);
#endif
}

DEV void store_item(key *keys, uint32_t *values, uint64_t at, item x)
{
    gm_st_key(keys + at, (key)x);
#if PAYLOAD_BYTES
    gm_st4(values + at, (uint32_t)(x >> 32));
#else
    (void)values;
#endif
}

/* The bins of bucket i of this pass. */
DEV uint64_t *bucket_starts(const struct radix_job *j, uint32_t i)
{
    return j->starts + ((j->pass & 1u) * j->most_buckets + i) * j->few_bins;
}

/* Where a bucket's items go to. */
DEV uint32_t moved_to(uint32_t at)
{
    return at == AT_TMP ? AT_OUT : AT_TMP;
}

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
    uint32_t
        tree; /* 0: none; else where its table stands in shared memory (splitters/tree_build.h) */
    int deep; /* whether some ways of the tree have RADIX_TREE_STEPS nodes */
    uint32_t
        share; /* the lane, if lanes share a frequent key's bins (splitters/heavy_keys.h); else 0 */
    int noted; /* digits were written down when items were counted: a constant, too */
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
    d->share = 0;
    d->noted = 0;
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

/* An entry of the table of splitters/tree_build.h:
 *
 *      leaf    bits 0 .. 8     a bin
 *              bits 9 .. 13    a shift
 *              bits 14 .. 24   a limit: if the 10 bits of t from the shift on are not below it, the key goes to the next bin
 *              bits 25 ..      of both bins, what counting/counted_buckets.h or splitters/heavy_keys.h has to say
 *      node    bits 0 .. 4     32 less the bits that its pieces are told apart by
 *              bits 5 ..       these bits
 *              bits 16 ..      where its pieces begin, in bytes; bit 31 is TREE_NODE
 */
#define TREE_NODE 0x80000000u

/* One step of a walk down the tree.  `rest` is what is left of t, from its highest bit on.  A leaf
 * asks for nothing, and there is no branch: lanes that leave a loop at different times do not come
 * together again before the next key, and after some keys each of them goes alone. */
#define TREE_STEP(e, rest, tree)                                                   \
    do {                                                                           \
        const uint32_t at_ =                                                       \
            (tree) - (TREE_NODE >> 16) + ((e) >> 16) + 4u * ((rest) >> ((e)&31u)); \
        const uint32_t bits_ = (e) >> 5;                                           \
                                                                                   \
        (e) = sh_ld4_if((e)&TREE_NODE, at_, (e));                                  \
        (rest) <<= bits_ & 31u;                                                    \
    } while (0)

/* Whether t goes to the bin after the leaf's. */
#define TREE_UP(e, t) (((t) >> ((e) >> 9 & 31u) & 1023u) >= ((e) >> 14 & 2047u))

#define COUNTED_LEAF 25u  /* bits of a leaf: its bin is counted, the bin above is */
#define BIN_COUNTED  512u /* added to a bin's number */

#define SHARE_LEAF \
    25u /* three bits of a leaf: 2^.. bins for the key of its bin; three for the bin above */
#if RADIX_COUNTS
#define TREE_SHARE(e, up, lane) 0u
#else
#define TREE_SHARE(e, up, lane) ((lane) & ((1u << ((e) >> (SHARE_LEAF + 3u * (up)) & 7u)) - 1u))
#endif

/* The bin of t, or one of those that it shares. */
DEV uint32_t tree_bin_of(uint32_t t, uint32_t tree, uint32_t lane)
{
    uint32_t e = sh_ld4(tree + 4u * (t >> (32u - RADIX_TREE_ROOT)));
    uint32_t rest = t << RADIX_TREE_ROOT;

    uint32_t up;

    UNROLL for (uint32_t k = 0; k < RADIX_TREE_STEPS; k++) TREE_STEP(e, rest, tree);
    up = TREE_UP(e, t);
    (void)lane;
    return (e & 511u) + up + TREE_SHARE(e, up, lane);
}

DEV uint32_t tree_bin(uint32_t t, uint32_t tree)
{
    return tree_bin_of(t, tree, 0);
}

/* The offset of a word in the digit's range.  A word beyond the range counts as its end. */
DEV key offset_within(key word, struct digit d)
{
    const key offset = word < d.lo ? 0u : word - d.lo;

    return offset < d.last ? offset : d.last;
}

/* Bins of four words.  BIN_COUNTED is added where keys are counted (counting/counted_buckets.h).
 * Four walks go side by side, so that several loads are under way at a time. */
DEV void tree_four(const key *word, uint32_t *bin, struct digit d)
{
    uint32_t t[4], e[4], rest[4];

    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        t[i] = top_bits(offset_within(word[i], d), d.lead);
        e[i] = sh_ld4(d.tree + 4u * (t[i] >> (32u - RADIX_TREE_ROOT)));
        rest[i] = t[i] << RADIX_TREE_ROOT;
    }
    UNROLL for (uint32_t k = 0; k < RADIX_TREE_STEPS; k++)
    {
        if (k + 1u < RADIX_TREE_STEPS || d.deep) {
            UNROLL for (uint32_t i = 0; i < 4u; i++) TREE_STEP(e[i], rest[i], d.tree);
        }
    }
    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        const uint32_t up = TREE_UP(e[i], t[i]);

        bin[i] = (e[i] & 511u) + up + TREE_SHARE(e[i], up, d.share);
#if RADIX_COUNTS
        bin[i] += (e[i] >> (COUNTED_LEAF + up) & 1u) * BIN_COUNTED;
#endif
    }
}

DEV uint32_t digit_of(key word, struct digit d)
{
    if (d.tree)
        return tree_bin_of(top_bits(offset_within(word, d), d.lead), d.tree, d.share);
    if (d.open && word < d.lo)
        return 0;
    if (d.open && word - d.lo > d.last)
        return d.open;
    return high4(top_bits(word - d.lo, d.lead), d.mult) + (d.open != 0);
}

/* Is a digit made of few instructions? */
DEV int digit_short(struct digit d)
{
    return !d.tree;
}

/* Of four keys. */
DEV void digits_four(const key *x, uint32_t *b, struct digit d)
{
    key word[4];

    UNROLL for (uint32_t i = 0; i < 4u; i++) word[i] = word_of(x[i], d);
    if (d.tree) {
        tree_four(word, b, d);
    } else {
        UNROLL for (uint32_t i = 0; i < 4u; i++) b[i] = digit_of(word[i], d);
    }
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

/* Choose a digit for a bucket whose start, len, lo and last are known.  It has as many bins as
 * leave `row_items` in each.  If these are too many for one pass, it has their square root.  A
 * bucket of few values, each a good piece of a row, gets `few` bins: bins of one value are done,
 * and the others need no long rows. */
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
    if (p->last < 2u * few && p->len > (p->last + 1u) * (row_items / 8u))
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
