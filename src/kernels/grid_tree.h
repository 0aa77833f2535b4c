/* grid_tree.h - digits of a skewed array: bins of about as many items each, found by a sample.
 *
 * A digit that is linear in the key puts most items of a skewed array into one bin, and again in the
 * next level.  Here one block looks at some of the keys before the first level.  If a linear digit
 * would do, nothing follows.  Otherwise it sorts more of them and takes GRID_BINS - 1 of these, at
 * even distances, as splitters; a key's bin is how many splitters are not above it.  A key that is
 * several splitters has a bin of its own.
 *
 * Bins are found by a trie.  t, the 32 bits that a key's offset in the sampled range has from its
 * highest bit on, has a piece of the range by its first TREE_ROOT bits:
 *
 *      leaf    no splitter, or one, within the piece:  bin + (10 bits of t are not below .. ? 1 : 0)
 *      node    more:                                   its own pieces, by the next 2 .. 8 bits
 *
 *      |......|...|..|  |     |     pieces, and splitters in them
 *       node  leaf ..           a heavy piece is a node, whose pieces are looked at likewise
 *
 * so that most keys are found by one or two words of shared memory.  Where there is no room for a
 * node it becomes a leaf with one of its splitters, and bins stay empty: any table that grows with t
 * gives a correct sort.
 *
 * Keys outside the range of the sample count as its ends.
 */
#ifndef CW_GRID_TREE_H
#define CW_GRID_TREE_H

#include "kernels/grid_count.h"

#define TREE_NODE      0x80000000u
#define TREE_MOST_BITS 8u /* of a node */
#define TREE_SHARED    (4u * GRID_TREE_ROOM)

/* Shared memory of the kernel that samples: */
#define SAMPLE_KEYS  SH_ITEMS                         /* words: u64 each */
#define SAMPLE_TOPS  (SAMPLE_KEYS + 8u * GRID_SAMPLE) /* their t's: u32 each */
#define SAMPLE_SPLIT (SAMPLE_TOPS + 4u * GRID_SAMPLE) /* u32 a splitter */
#define SAMPLE_TREE  (SAMPLE_SPLIT + 4u * GRID_BINS)  /* the table */
#define SAMPLE_PIECE (SAMPLE_TREE + TREE_SHARED)      /* u64 an entry: t, bits below */
#define SAMPLE_BYTES (SAMPLE_PIECE + 8u * GRID_TREE_ROOM)
#define MISC_ENTRIES 32u
#define SAMPLE_EACH  (GRID_SAMPLE / GRID_THREADS) /* words of a thread while they are sorted */

DEV int tree_used(const struct grid_job *j)
{
    return j->tree && j->level == 0 && gm_ld4(&j->tree->used);
}

/* The digit by the tree, whose table comes to shared memory at `at`. */
DEV struct digit tree_digit(const struct grid_job *j, uint32_t at)
{
    struct digit d;

    digit_map(&d, j);
    d.tree = at;
    d.lo = (key)gm_ld8(&j->tree->lo);
    d.last = (key)gm_ld8(&j->tree->last);
    d.lead = gm_ld4(&j->tree->lead);
    d.mult = 0;
    ROLL for (uint32_t i = THREAD_ID; i < GRID_TREE_ROOM; i += BLOCK_DIM)
        sh_st4(at + 4u * i, gm_ld4(&j->tree_table[i]));
    block_sync();
    return d;
}

/* ---- the sample ------------------------------------------------------------------------------- */

DEV uint64_t sample_mix(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 29) * 0x94d049bb133111ebull;
    return x >> 32;
}

/* Word number i of `all`, from anywhere in the i-th of as many pieces of the array. */
DEV key sample_word(const struct grid_job *j, uint32_t i, uint32_t all, struct digit d)
{
    const uint64_t piece = j->n / all;

    return word_of(gm_ld_key((const key *)j->in + piece * i + (piece * sample_mix(i) >> 32)), d);
}

/* How many bins would be crowded by the first GRID_SAMPLE_FEW words, which stand at SAMPLE_KEYS, if
 * p's digit were taken.  Crowded: more than three even shares and 16, which fewer than one array
 * of even keys in 10^12 has. */
DEV uint32_t sample_crowd(const struct grid_part *p, struct digit d)
{
    const uint32_t most = 3u * GRID_SAMPLE_FEW / p->bins + 16u;

    d.lo = (key)p->lo;
    d.lead = p->lead;
    d.mult = p->mult;
    ROLL for (uint32_t b = THREAD_ID; b < GRID_BINS; b += BLOCK_DIM) sh_st4(SH_BINS + 4u * b, 0u);
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_MOST, 0u);
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i < GRID_SAMPLE_FEW; i += BLOCK_DIM)
    {
        const uint32_t b = digit_of((key)sh_ld8(SAMPLE_KEYS + 8u * i), d);

        if (sh_add4(SH_BINS + 4u * b, 1u) == most)
            sh_add4(SH_MISC + MISC_MOST, 1u);
    }
    block_sync();
    return sh_ld4(SH_MISC + MISC_MOST);
}

/* Whether a linear digit, of the whole range or of that of the keys, would put too many into one
 * bin, and keys differ. */
DEV int sample_skewed(const struct grid_job *j, struct grid_part *p, struct digit d)
{
    struct key_range r;

    r.least = KEY_MAX;
    r.most = 0;
    ROLL for (uint32_t i = THREAD_ID; i < GRID_SAMPLE_FEW; i += BLOCK_DIM)
    {
        const key x = sample_word(j, i, GRID_SAMPLE_FEW, d);

        r.least = x < r.least ? x : r.least;
        r.most = x > r.most ? x : r.most;
        sh_st8(SAMPLE_KEYS + 8u * i, (uint64_t)x);
    }
    block_sync();
    if (!sample_crowd(p, d))
        return 0;
    range_of_block(r, SAMPLE_TREE);
    p->lo = sh_ld8(SH_MISC + MISC_LESS);
    p->last = sh_ld8(SH_MISC + MISC_LESS + 8u) - p->lo;
    choose_digit(p, j->row_items, GRID_SPLIT_BINS);
    block_sync();
    return p->last && sample_crowd(p, d);
}

/* GRID_SAMPLE words, their range to d, and their t's.  The range is larger by one at both ends, so that
 * the least and the greatest can have bins of their own, apart from keys beyond. */
DEV void sample_take(const struct grid_job *j, struct digit *d)
{
    struct key_range r;

    r.least = KEY_MAX;
    r.most = 0;
    UNROLL4 for (uint32_t i = THREAD_ID; i < GRID_SAMPLE; i += BLOCK_DIM)
    {
        const key x = sample_word(j, i, GRID_SAMPLE, *d);

        r.least = x < r.least ? x : r.least;
        r.most = x > r.most ? x : r.most;
        sh_st8(SAMPLE_KEYS + 8u * i, (uint64_t)x);
    }
    range_of_block(r, SAMPLE_TREE);
    r.least = (key)sh_ld8(SH_MISC + MISC_LESS);
    r.most = (key)sh_ld8(SH_MISC + MISC_LESS + 8u);
    d->lo = r.least - (r.least != 0);
    d->last = r.most + (r.most != KEY_MAX) - d->lo;
    d->lead = d->last ? leading_zeros(d->last) : 0u;
    ROLL for (uint32_t i = THREAD_ID; i < GRID_SAMPLE; i += BLOCK_DIM)
    {
        const key x = (key)sh_ld8(SAMPLE_KEYS + 8u * i);

        sh_st4(SAMPLE_TOPS + 4u * i, top_bits(x - d->lo, d->lead));
    }
}

/* Exchange words that stand d apart in this thread's x: in runs of k, every other one falling; or,
 * if a run is more than a thread has, the less of two to the lower place if `up`. */
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

/* The same with the thread that is d away: through shared memory if it is in another warp. */
DEV void sample_far(uint32_t *x, uint32_t d, int up)
{
    const int less = ((THREAD_ID & d) == 0) == up;

    if (d >= 32u) {
        UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
            sh_st4(SAMPLE_TOPS + 4u * (r * BLOCK_DIM + THREAD_ID), x[r]);
        block_sync();
    }
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
    {
        const uint32_t y = d < 32u ? shfl_xor4(x[r], d)
                                   : sh_ld4(SAMPLE_TOPS + 4u * (r * BLOCK_DIM + (THREAD_ID ^ d)));

        x[r] = (y < x[r]) == less ? y : x[r];
    }
    if (d >= 32u)
        block_sync();
}

/* Sort the t's by a bitonic network; a thread has SAMPLE_EACH neighbours in registers, so that 10 of
 * 91 steps (8192 words, 512 threads) go through shared memory. */
DEV void sample_sort(void)
{
    uint32_t x[SAMPLE_EACH];

    block_sync();
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++) x[r] =
        sh_ld4(SAMPLE_TOPS + 4u * (r * BLOCK_DIM + THREAD_ID));
    block_sync();
    UNROLL for (uint32_t k = 2; k <= SAMPLE_EACH; k *= 2)
    {
        UNROLL for (uint32_t d = k / 2u; d; d /= 2) sample_near(x, d, k, (THREAD_ID & 1u) == 0);
    }
    ROLL for (uint32_t k = 2; k <= BLOCK_DIM; k *= 2) /* runs of k threads */
    {
        const int up = (THREAD_ID & k) == 0;

        ROLL for (uint32_t d = k / 2u; d; d /= 2) sample_far(x, d, up);
        UNROLL for (uint32_t d = SAMPLE_EACH / 2u; d; d /= 2) sample_near(x, d, SAMPLE_EACH, up);
    }
    UNROLL for (uint32_t r = 0; r < SAMPLE_EACH; r++)
        sh_st4(SAMPLE_TOPS + 4u * (THREAD_ID * SAMPLE_EACH + r), x[r]);
    block_sync();
}

/* ---- the tree --------------------------------------------------------------------------------- */

/* Splitter k of 1 .. GRID_BINS - 1; one that is the one before becomes the next value. */
DEV uint32_t sample_splitter(uint32_t k)
{
    const uint32_t t = sh_ld4(SAMPLE_TOPS + 4u * (k * GRID_SAMPLE / GRID_BINS));
    const uint32_t before = sh_ld4(SAMPLE_TOPS + 4u * ((k - 1u) * GRID_SAMPLE / GRID_BINS));

    return t + (k > 1u && t == before && t != 0xffffffffu);
}

/* All splitters; how many of them differ from the one before. */
DEV uint32_t sample_split(void)
{
    uint32_t differ;

    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, 0u);
    block_sync();
    ROLL for (uint32_t k = 1u + THREAD_ID; k < GRID_BINS; k += BLOCK_DIM)
    {
        const uint32_t t = sample_splitter(k);

        sh_st4(SAMPLE_SPLIT + 4u * k, t);
        if (k == 1u || t != sample_splitter(k - 1u))
            sh_add4(SH_MISC + MISC_ENTRIES, 1u);
    }
    block_sync();
    differ = sh_ld4(SH_MISC + MISC_ENTRIES);
    block_sync();
    return differ;
}

/* Splitters that are not above t. */
DEV uint32_t splitters_to(uint32_t t)
{
    uint32_t n = 0;

    ROLL for (uint32_t step = 256; step; step /= 2)
    {
        if (n + step < GRID_BINS && sh_ld4(SAMPLE_SPLIT + 4u * (n + step)) <= t)
            n += step;
    }
    return n;
}

/* An entry with the one splitter `at` within a piece that begins at t and has 2^low values. */
DEV uint32_t tree_leaf(uint32_t bin, uint32_t at, uint32_t t, uint32_t low)
{
    const uint32_t shift = low > 10u ? low - 10u : 0u;
    const uint32_t from = (at - t + ((1u << shift) - 1u)) >> shift;

    if (low < 10u) /* the 10 bits have more than the place in the piece */
        return bin | (at & 1023u) << 14;
    return bin | shift << 9 | from << 14;
}

#define TREE_PLAIN(bin) ((bin) | 1024u << 14) /* 10 bits are below that */

/* Settle entry i: a leaf, or (unless that is too many steps from the root) a node whose pieces get
 * entries of their own. */
DEV void tree_settle(uint32_t i, uint32_t step)
{
    const uint32_t t = sh_ld4(SAMPLE_PIECE + 8u * i);
    const uint32_t low = sh_ld4(SAMPLE_PIECE + 8u * i + 4u);
    const uint32_t end = low == 32u ? 0xffffffffu : t + ((1u << low) - 1u);
    const uint32_t bin = splitters_to(t);
    const uint32_t count = splitters_to(end) - bin;
    uint32_t bits = 2;
    uint32_t e = TREE_PLAIN(bin);
    uint32_t first;

    if (count)
        e = tree_leaf(bin, sh_ld4(SAMPLE_SPLIT + 4u * (bin + 1u + count / 2u)), t, low);
    ROLL while (bits < TREE_MOST_BITS && 1u << bits < 4u * count) bits++;
    bits = least4(bits, low);
    if (count > 1u && step < GRID_TREE_STEPS) {
        first = sh_add4(SH_MISC + MISC_ENTRIES, 1u << bits);
        if (first + (1u << bits) <= GRID_TREE_ROOM) {
            e = TREE_NODE | first << 9 | bits << 5 | (low - bits);
            ROLL for (uint32_t k = 0; k < 1u << bits; k++)
            {
                sh_st4(SAMPLE_PIECE + 8u * (first + k), t + (k << (low - bits)));
                sh_st4(SAMPLE_PIECE + 8u * (first + k) + 4u, low - bits);
            }
        }
    }
    sh_st4(SAMPLE_TREE + 4u * i, e);
}

DEV void tree_build(void)
{
    uint32_t from = 0;
    uint32_t to = 1u << GRID_TREE_ROOT;
    uint32_t step = 0;

    ROLL for (uint32_t i = THREAD_ID; i < GRID_TREE_ROOM; i += BLOCK_DIM)
    {
        sh_st4(SAMPLE_PIECE + 8u * i, i < to ? i << (32u - GRID_TREE_ROOT) : 0u);
        sh_st4(SAMPLE_PIECE + 8u * i + 4u, i < to ? 32u - GRID_TREE_ROOT : 33u);
        sh_st4(SAMPLE_TREE + 4u * i, 0u);
    }
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, to);
    block_sync();
    ROLL while (from < to)
    {
        ROLL for (uint32_t i = from + THREAD_ID; i < to; i += BLOCK_DIM)
        {
            if (sh_ld4(SAMPLE_PIECE + 8u * i + 4u) <= 32u) /* not the rest of a full table */
                tree_settle(i, step);
        }
        block_sync();
        step++;
        from = to;
        to = least4(sh_ld4(SH_MISC + MISC_ENTRIES), GRID_TREE_ROOM);
        block_sync();
    }
}

/* The last word of bin b: before the first t of a bin above (modulo 2^64: an empty bin may end before
 * 0). */
DEV uint64_t tree_end(uint32_t b, struct digit d)
{
    uint32_t t = 0;

    ROLL for (uint32_t bit = 1u << 31; bit; bit /= 2)
    {
        if (tree_bin(t + (bit - 1u), SAMPLE_TREE) <= b)
            t += bit;
    }
    if (tree_bin(t, SAMPLE_TREE) <= b || first_offset(t, d.lead) > d.last)
        return KEY_MAX;
    if (t == 0) /* which all keys below the range have */
        return ~(uint64_t)0;
    return (uint64_t)d.lo + first_offset(t, d.lead) - 1u;
}

/* By one block, after `begin`: choose a tree for the first level, or none.  None, too, for a few
 * keys that occur again and again. */
KERNEL(GRID_NAME(sample), struct grid_job, GRID_THREADS, 1)
{
    struct grid_part p = arg->parts[0][0];
    struct digit d;

    digit_map(&d, arg);
    if (THREAD_ID == 0)
        gm_st4(&arg->tree->used, 0u);
    if (!sample_skewed(arg, &p, d))
        return;
    sample_take(arg, &d);
    sample_sort();
    if (sample_split() < GRID_BINS / 8u)
        return;
    tree_build();
    ROLL for (uint32_t i = THREAD_ID; i < GRID_TREE_ROOM; i += BLOCK_DIM)
        gm_st4(&arg->tree_table[i], sh_ld4(SAMPLE_TREE + 4u * i));
    ROLL for (uint32_t b = THREAD_ID; b < GRID_BINS; b += BLOCK_DIM)
        gm_st8(&arg->tree_ends[b], tree_end(b, d));
    if (THREAD_ID == 0) {
        gm_st8(&arg->tree->lo, (uint64_t)d.lo);
        gm_st8(&arg->tree->last, (uint64_t)d.last);
        gm_st4(&arg->tree->lead, d.lead);
        gm_st4(&arg->tree->used, 1u);
        gm_st4(&arg->parts[0][0].bins, GRID_BINS);
        gm_st4(&arg->parts[0][0].tree, 1u);
    }
}

#endif
