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

#include "kernels/grid_sample.h"
#include "kernels/grid_tree_digit.h"

#define TREE_MOST_BITS 8u /* of a node */
#define TREE_FREQUENT  5u /* at least, around a frequent key */

/* ---- the tree --------------------------------------------------------------------------------- */

/* Splitter k of 1 .. GRID_BINS - 1; one that is the one before becomes the next value. */
DEV uint32_t sample_splitter(uint32_t k)
{
    const uint32_t t = sh_ld4(SAMPLE_TOPS + 4u * (k * GRID_SAMPLE / GRID_BINS));
    const uint32_t before = sh_ld4(SAMPLE_TOPS + 4u * ((k - 1u) * GRID_SAMPLE / GRID_BINS));

    return t + (k > 1u && t == before && t != 0xffffffffu);
}

/* All splitters; how many of them differ from the one before.  SAMPLE_SUMS: of those up to k. */
DEV uint32_t sample_split(void)
{
    const uint32_t k = THREAD_ID;
    int differs = 0;
    uint32_t mask, sum;

    if (k && k < GRID_BINS) {
        const uint32_t t = sample_splitter(k);

        sh_st4(SAMPLE_SPLIT + 4u * k, t);
        differs = k == 1u || t != sample_splitter(k - 1u);
    }
    mask = ballot(differs);
    sum = bit_count(mask & (0xffffffffu >> (31u - LANE_ID)));
    if (LANE_ID == 31u)
        sh_st4(SH_MISC + MISC_WARP + 4u * WARP_ID, sum);
    block_sync();
    ROLL for (uint32_t w = 0; w < WARP_ID; w++) sum += sh_ld4(SH_MISC + MISC_WARP + 4u * w);
    if (k < GRID_BINS)
        sh_st4(SAMPLE_SUMS + 4u * k, sum);
    block_sync();
    return sh_ld4(SAMPLE_SUMS + 4u * (GRID_BINS - 1u));
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
        return bin | (at & 1023u) << 15;
    return bin | shift << 10 | from << 15;
}

#define TREE_PLAIN(bin) ((bin) | 1024u << 15) /* 10 bits are below that */

#if GRID_COUNTS
/* Whether a splitter among some follows another at once: around a frequent key. */
DEV int tree_frequent(uint32_t bin, uint32_t count)
{
    int found = 0;

    ROLL for (uint32_t k = bin + 1u; k < bin + count && !found; k++)
    {
        const uint32_t low = sh_ld4(SAMPLE_SPLIT + 4u * k);
        const uint32_t high = sh_ld4(SAMPLE_SPLIT + 4u * k + 4u);

        found = high - low <= 1u;
    }
    return found;
}
#endif

/* Settle entry i: a leaf, or (unless that is too many steps from the root) a node whose pieces get
 * entries of their own. */
DEV void tree_settle(uint32_t i, uint32_t step)
{
    const uint32_t t = sh_ld4(SAMPLE_PIECE + 8u * i);
    const uint32_t low = sh_ld4(SAMPLE_PIECE + 8u * i + 4u);
    const uint32_t end = low == 32u ? 0xffffffffu : t + ((1u << low) - 1u);
    const uint32_t bin = splitters_to(t);
    const uint32_t count = splitters_to(end) - bin;
    uint32_t want = count;
    uint32_t bits = 2;
    uint32_t e = TREE_PLAIN(bin);
    uint32_t first;

    if (count)
        e = tree_leaf(bin, sh_ld4(SAMPLE_SPLIT + 4u * (bin + 1u + count / 2u)), t, low);
#if GRID_COUNTS
    /* A frequent key makes several splitters, of two values.  Its bin should be narrow, lest it is not
     * exact (grid_exact.h): it gets many pieces, and the last of these is a bin. */
    want = sh_ld4(SAMPLE_SUMS + 4u * (bin + count)) - sh_ld4(SAMPLE_SUMS + 4u * bin);
    if (want > 1u && tree_frequent(bin, count)) {
        e = TREE_PLAIN(bin + 1u);
        bits = TREE_FREQUENT;
    }
#endif
    ROLL while (bits < TREE_MOST_BITS && 1u << bits < 4u * want) bits++;
    bits = least4(bits, low);
    if (want > 1u && step < GRID_TREE_STEPS) {
        first = sh_add4(SH_MISC + MISC_ENTRIES, 1u << bits);
        if (first + (1u << bits) <= GRID_TREE_ROOM) {
            e = TREE_NODE | first << 18 | bits << 5 | (32u - bits);
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

#if GRID_COUNTS
/* How many words of the sample have an exact bin. */
DEV uint32_t sample_exact(struct digit d)
{
    uint32_t sum = 0;

    d.lo = 0;
    d.last = KEY_MAX;
    d.lead = 0;
    d.tree = SAMPLE_TREE;
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, 0u);
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i < GRID_SAMPLE / 4u; i += BLOCK_DIM)
    {
        key x[4];
        uint32_t b[4];

        UNROLL for (uint32_t k = 0; k < 4u; k++) x[k] = (key)sh_ld4(SAMPLE_TOPS + 16u * i + 4u * k)
                                                        << (8u * KEY_BYTES - 32u);
        tree_four(x, b, d);
        UNROLL for (uint32_t k = 0; k < 4u; k++) sum += b[k] / BIN_EXACT;
    }
    sh_add4(SH_MISC + MISC_ENTRIES, sum);
    block_sync();
    return sh_ld4(SH_MISC + MISC_ENTRIES);
}
#endif

#if GRID_VALUES
/* Whether a key has more than one of GRID_QUEUE_SHARE items of the sample, which stands in order. */
DEV uint32_t sample_heavy(void)
{
    const uint32_t many = GRID_SAMPLE / GRID_QUEUE_SHARE;
    uint32_t heavy;

    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, 0u);
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i + many < GRID_SAMPLE; i += BLOCK_DIM)
    {
        const uint32_t a = sh_ld4(SAMPLE_TOPS + 4u * i);
        const uint32_t b = sh_ld4(SAMPLE_TOPS + 4u * (i + many));

        if (a == b)
            sh_inc4(SH_MISC + MISC_ENTRIES);
    }
    block_sync();
    heavy = sh_ld4(SH_MISC + MISC_ENTRIES);
    block_sync();
    return heavy != 0;
}
#endif

/* By one block, after `begin`: choose a tree for the first level, or none.  None, too, for a few
 * keys that occur again and again, unless these are just counted. */
KERNEL(GRID_NAME(sample), struct grid_job, GRID_THREADS, 1)
{
    struct grid_part p = arg->parts[0][0];
    struct digit d;
    uint32_t turns = 0;
    int few;

    digit_map(&d, arg);
    if (THREAD_ID == 0)
        gm_st4(&arg->tree->used, 0u);
    if (!sample_skewed(arg, &p, d))
        return;
    sample_take(arg, &d);
    sample_sort();
#if GRID_VALUES
    turns = sample_heavy();
#endif
    few = sample_split() < GRID_BINS / 8u;
    if (few && !(GRID_COUNTS && arg->fills))
        return;
    tree_build();
    ROLL for (uint32_t b = THREAD_ID; b < GRID_BINS; b += BLOCK_DIM)
        gm_st8(&arg->tree_ends[b], tree_end(b, d));
    block_sync();
#if GRID_COUNTS
    exact_choose(arg, SAMPLE_TREE, SAMPLE_KEYS);
    if (few && sample_exact(d) < GRID_SAMPLE / 8u * 7u)
        return;
#endif
    ROLL for (uint32_t i = THREAD_ID; i < GRID_TREE_ROOM; i += BLOCK_DIM)
        gm_st4(&arg->tree_table[i], sh_ld4(SAMPLE_TREE + 4u * i));
    if (THREAD_ID == 0) {
        gm_st8(&arg->tree->lo, (uint64_t)d.lo);
        gm_st8(&arg->tree->last, (uint64_t)d.last);
        gm_st4(&arg->tree->lead, d.lead);
        gm_st4(&arg->tree->turns, turns);
        gm_st4(&arg->tree->used, 1u);
        gm_st4(&arg->parts[0][0].bins, GRID_BINS);
        gm_st4(&arg->parts[0][0].tree, 1u);
    }
}

#endif
