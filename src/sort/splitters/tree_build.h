/* tree_build.h - digits for a skewed array: a sample finds bins of about as many items each.
 *
 * A digit that is linear in the key puts most items of a skewed array into one bin, and does so
 * again in the next pass.  Here one block looks at a sample before the first pass.  If a linear
 * digit will do, nothing follows.  Otherwise it sorts a larger sample and takes words at even
 * distances as splitters.  A key's bin is the number of splitters that are not above it.  A key
 * that is several splitters has a bin of its own.  Bins are cut where a dense range begins or ends,
 * and around keys that are rather frequent.
 *
 * Bins are found by a trie.  Let t be the 32 highest bits of a key's offset in the sampled range.
 * Its first RADIX_TREE_ROOT bits name a piece of the range:
 *
 *      leaf    no splitter or one in the piece     bin + (10 bits of t are not below a limit ? 1 : 0)
 *      node    more splitters                      pieces of its own, by the next 2 .. 8 bits
 *
 *      |......|...|..|  |     |     pieces, and splitters in them
 *       node  leaf ..               a piece with many splitters is a node, whose pieces are treated likewise
 *
 * So most keys are found by one or two words of shared memory.  Where there is no room for a node,
 * it becomes a leaf with one of its splitters, and some bins stay empty.  Any table that grows with
 * t gives a correct sort.
 *
 * Keys outside the sampled range count as its ends.
 *
 * Splitters from a sample: Leischner, Osipov and Sanders (GPU sample sort, 2010), who walk a binary
 * search tree without branches.  The trie is this library's: it needs fewer steps where keys are
 * not skewed much.
 */
#ifndef CW_SORT_SPLITTERS_TREE_BUILD_H
#define CW_SORT_SPLITTERS_TREE_BUILD_H

#include "sort/splitters/choose.h"
#include "sort/splitters/tree_walk.h"
#include "prim/warp_scan.h"

#define TREE_MOST_BITS 8u /* of a node */
#define TREE_FREQUENT  5u /* at least, around a frequent key, if there are many */

/* ---- the tree -------------------------------------------------------------------------------- */

/* A number for each thread: the sum of those before it. */
DEV uint32_t sample_before(uint32_t x)
{
    uint32_t sum = warp_scan(x);

    if (LANE_ID == 31u)
        sh_st4(SH_MISC + MISC_WARP + 4u * WARP_ID, sum);
    block_sync();
    UNROLL4 for (uint32_t w = 0; w < WARP_ID; w++) sum += sh_ld4(SH_MISC + MISC_WARP + 4u * w);
    block_sync();
    return sum - x;
}

/* Write all splitters: those of even bins, and up to RADIX_TREE_EDGES cuts, those near an end of a
 * bin first.  If there are fewer, the last splitter is repeated. */
DEV void sample_place(void)
{
    const uint32_t k = THREAD_ID;
    uint32_t v = 0;
    uint32_t n = 0;
    uint32_t edge[2];
    uint32_t at, before, room;

    edge[0] = 0;
    edge[1] = 0;
    if (k && k < TREE_EVEN)
        v = sample_splitter(k);
    if (k < TREE_EVEN)
        n = sample_edges(k, v, edge);
    before = sample_before(n);
    if (k == TREE_EVEN - 1u)
        sh_st4(SH_MISC + MISC_ENTRIES, before + n);
    block_sync();
    room = RADIX_TREE_EDGES - least4(sh_ld4(SH_MISC + MISC_ENTRIES) & 0xffffu, RADIX_TREE_EDGES);
    at = least4(before & 0xffffu, RADIX_TREE_EDGES);
    before = least4(before >> 16, room);
    n = n >> 16 ? least4(n >> 16, room - before) : least4(n, RADIX_TREE_EDGES - at);
    at += k + before;
    if (k < TREE_EVEN) {
        sh_st4(SAMPLE_SPLITTER(at), v);
        if (n > 0)
            sh_st4(SAMPLE_SPLITTER(at + 1u), edge[0]);
        if (n > 1u)
            sh_st4(SAMPLE_SPLITTER(at + 2u), edge[1]);
    }
    if (k == TREE_EVEN - 1u) {
        const uint32_t last = n ? edge[n - 1u] : v;

        ROLL for (uint32_t i = at + n + 1u; i < RADIX_BINS; i++) sh_st4(SAMPLE_SPLITTER(i), last);
    }
    block_sync();
}

/* Write all splitters.  SAMPLE_SUM(k) is how many of them up to splitter k differ from the one before,
 * and 2^16 times the number of those whose successor is one more: these stand around a frequent key.
 * Returns the last of these sums. */
DEV uint32_t sample_split(void)
{
    const uint32_t k = THREAD_ID;
    uint32_t x = 0;

    sample_place();
    if (k && k < RADIX_BINS) {
        const uint32_t t = sh_ld4(SAMPLE_SPLITTER(k));
        const uint32_t before = sh_ld4(SAMPLE_SPLITTER(k - 1u));
        const uint32_t next = sh_ld4(SAMPLE_SPLITTER(k + 1u < RADIX_BINS ? k + 1u : k));

        x = k == 1u || t != before;
        x += k + 1u < RADIX_BINS && next - t == 1u ? 1u << 16 : 0u;
    }
    x += sample_before(x);
    if (k < RADIX_BINS)
        sh_st4(SAMPLE_SUM(k), x);
    block_sync();
    return sh_ld4(SAMPLE_SUM(RADIX_BINS - 1u));
}

/* Splitters that are not above t. */
DEV uint32_t splitters_to(uint32_t t)
{
    uint32_t n = 0;

    ROLL for (uint32_t step = 256; step; step /= 2)
    {
        if (n + step < RADIX_BINS && sh_ld4(SAMPLE_SPLITTER(n + step)) <= t)
            n += step;
    }
    return n;
}

/* A leaf for a piece of 2^low values from t on, in which `at` is the only splitter. */
DEV uint32_t tree_leaf(uint32_t bin, uint32_t at, uint32_t t, uint32_t low)
{
    const uint32_t shift = low > 10u ? low - 10u : 0u;
    const uint32_t from = (at - t + ((1u << shift) - 1u)) >> shift;

    if (low < 10u) /* the 10 bits have more than the place in the piece */
        return bin | (at & 1023u) << 14;
    return bin | shift << 9 | from << 14;
}

#define TREE_PLAIN(bin) ((bin) | 1024u << 14) /* 10 bits are below that */

/* A node whose pieces are to be written down: 0 bits if there is none. */
struct tree_node {
    uint32_t first, bits;
    uint32_t t, low;
};

/* Settle entry i.  It becomes a leaf; or, if that does not make the way from the root too long, a
 * node whose pieces get entries of their own. */
DEV void tree_settle(uint32_t i, uint32_t step, struct tree_node *node)
{
    const uint32_t t = sh_ld4(SAMPLE_PIECE(i, t));
    const uint32_t low = sh_ld4(SAMPLE_PIECE(i, low));
    const uint32_t end = low == 32u ? 0xffffffffu : t + ((1u << low) - 1u);
    const uint32_t bin = splitters_to(t);
    const uint32_t count = splitters_to(end) - bin;
    const uint32_t left = step < RADIX_TREE_STEPS ? RADIX_TREE_STEPS - step : 1u; /* nodes */
    const int sure = sh_ld4(SAMPLE_SUM(RADIX_BINS - 1u)) >> 16 <= RADIX_TREE_SURE;
    uint32_t bits = 2;
    int frequent = 0;
    uint32_t want;
    uint32_t e = TREE_PLAIN(bin);
    uint32_t first;

    if (count)
        e = tree_leaf(bin, sh_ld4(SAMPLE_SPLITTER(bin + 1u + count / 2u)), t, low);
    /* A frequent key makes two splitters, itself and the next value.  Its bin should hold no other
     * keys: else it could not be counted (counting/counted_buckets.h), or would hold a frequent
     * neighbour as well (0 and -0).  So it gets many pieces, down to single values if there is
     * room. */
    want = (sh_ld4(SAMPLE_SUM(bin + count)) - sh_ld4(SAMPLE_SUM(bin))) & 0xffffu;
    if (want > 1u &&
        (sh_ld4(SAMPLE_SUM(bin + count - 1u)) >> 16) != (sh_ld4(SAMPLE_SUM(bin)) >> 16)) {
        e = TREE_PLAIN(bin + 1u);
        frequent = 1;
    }
    if (sure && count && sh_ld4(SAMPLE_SPLITTER(bin)) == t &&
        sh_ld4(SAMPLE_SPLITTER(bin + 1u)) == t + 1u) { /* it is the piece's first value */
        want += want == 1u;
        frequent = 1;
    }
    if (frequent)
        bits = sure ? least4((low + left - 1u) / left, TREE_MOST_BITS) : TREE_FREQUENT;
    ROLL while (bits < TREE_MOST_BITS && 1u << bits < 4u * want) bits++;
    bits = least4(bits, low);
    if (want > 1u && step < RADIX_TREE_STEPS) {
        first = sh_add4(SH_MISC + MISC_ENTRIES, 1u << bits);
        if (first + (1u << bits) <= RADIX_TREE_ROOM) {
            e = TREE_NODE | first << 18 | bits << 5 | (32u - bits);
            node->first = first;
            node->bits = bits;
            node->t = t;
            node->low = low - bits;
        }
    }
    sh_st4(SAMPLE_TREE + 4u * i, e);
}

/* Write down the pieces of the warp's nodes. */
DEV void tree_pieces(const struct tree_node *node)
{
    uint32_t mask = ballot(node->bits != 0);

    ROLL while (mask)
    {
        const uint32_t k = low_bit(mask);
        const uint32_t first = shfl4(node->first, k);
        const uint32_t pieces = 1u << shfl4(node->bits, k);
        const uint32_t t = shfl4(node->t, k);
        const uint32_t low = shfl4(node->low, k);

        ROLL for (uint32_t i = LANE_ID; i < pieces; i += 32u)
        {
            sh_st4(SAMPLE_PIECE(first + i, t), t + (i << low));
            sh_st4(SAMPLE_PIECE(first + i, low), low);
        }
        mask &= mask - 1u;
    }
}

/* The nodes on the longest way from the root to a leaf are returned. */
DEV uint32_t tree_build(void)
{
    uint32_t from = 0;
    uint32_t to = 1u << RADIX_TREE_ROOT;
    uint32_t step = 0;

    ROLL for (uint32_t i = THREAD_ID; i < RADIX_TREE_ROOM; i += BLOCK_DIM)
    {
        sh_st4(SAMPLE_PIECE(i, t), i < to ? i << (32u - RADIX_TREE_ROOT) : 0u);
        sh_st4(SAMPLE_PIECE(i, low), i < to ? 32u - RADIX_TREE_ROOT : 33u);
        sh_st4(SAMPLE_TREE + 4u * i, 0u);
    }
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, to);
    block_sync();
    ROLL while (from < to)
    {
        ROLL for (; from < to; from += BLOCK_DIM)
        {
            const uint32_t i = from + THREAD_ID;
            struct tree_node node;

            node.first = 0;
            node.bits = 0;
            node.t = 0;
            node.low = 0;
            if (i < to && sh_ld4(SAMPLE_PIECE(i, low)) <= 32u) /* not the rest of a full table */
                tree_settle(i, step, &node);
            tree_pieces(&node);
        }
        block_sync();
        step++;
        from = to;
        to = least4(sh_ld4(SH_MISC + MISC_ENTRIES), RADIX_TREE_ROOM);
        block_sync();
    }
    return step - 1u;
}

/* The last word of bin b: the one before the first t of a higher bin.  (Modulo 2^64: an empty bin
 * may end before 0.) */
DEV uint64_t tree_end(uint32_t b, struct digit d)
{
    uint32_t t = 0;

    ROLL for (uint32_t unit = 1u << 30; unit;
              unit /= 4) /* two bits at a time: walks side by side */
    {
        const uint32_t first = tree_bin(t + (unit - 1u), SAMPLE_TREE);
        const uint32_t second = tree_bin(t + (2u * unit - 1u), SAMPLE_TREE);
        const uint32_t third = tree_bin(t + (3u * unit - 1u), SAMPLE_TREE);

        t += unit * ((first <= b) + (second <= b) + (third <= b));
    }
    if (tree_bin(t, SAMPLE_TREE) <= b || first_offset(t, d.lead) > d.last)
        return KEY_MAX;
    if (t == 0) /* which all keys below the range have */
        return ~(uint64_t)0;
    return (uint64_t)d.lo + first_offset(t, d.lead) - 1u;
}

#endif
