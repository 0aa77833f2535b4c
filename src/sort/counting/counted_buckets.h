/* counted_buckets.h - bins of the first pass's tree (splitters/tree_build.h) whose keys are
 * counted, not moved.
 *
 * Keys alone in a narrow range need not be sorted: it is enough to count how often each value
 * occurs (counting/narrow_buckets.h).  The first pass counts each value of such bins, and leaves
 * their keys out when it moves the others.  The narrowest bins are chosen, as many as a block's
 * RADIX_COUNTED_MOST counters are enough for.  Bins have about as many items each, so these save
 * most.  A frequent key has a bin of its own, which is always chosen: keys that are moved have no
 * frequent one among them.
 *
 * A leaf of the tree says of each of its two bins whether it is counted, so the scatter needs no
 * other table.  The histogram has, for every bin, the difference between a value and the number of
 * its counter.  Blocks keep their counters until they have counted all chunks.
 *
 * Counting sort is Seward's (1954), as in counting/narrow_buckets.h.
 */
#ifndef CW_SORT_COUNTING_COUNTED_BUCKETS_H
#define CW_SORT_COUNTING_COUNTED_BUCKETS_H

#include "sort/counting/narrow_buckets.h"
#include "sort/radix/counts.h"

#if RADIX_COUNTS

/* Shared memory of the kernel that counts: what radix/chunks.h has, then .. */
struct counted_shared {
    struct count_tree_shared all;
    uint32_t table[RADIX_BINS];            /* from a value of the bin to its counter */
    uint32_t counters[RADIX_COUNTED_MOST]; /* of this block */
};

#define COUNTED_TABLE SHARED_AT(counted_shared, table)
#define COUNTED_AT    SHARED_AT(counted_shared, counters)

/* ---- keys ------------------------------------------------------------------------------------ */

/* Count a word, in its bin or by its value. */
DEV void counted_add(key word, uint32_t bin)
{
    uint32_t at = SH_BINS + 4u * bin;

    if (bin & BIN_COUNTED) {
        const uint32_t to = sh_ld4(COUNTED_TABLE + 4u * (bin - BIN_COUNTED));

        at = COUNTED_AT + 4u * ((uint32_t)word + to);
    }
    sh_inc4(at);
}

/* In sorted arrays a warp has keys of one bin, round after round.  After such a round the same bin
 * is expected.  The next keys are compared with the bin's range instead of being looked up in the
 * tree.  What is expected stands in shared memory, as registers are few. */
struct expected_bin {
    uint64_t lo, last; /* the least word, the greatest less that */
    uint32_t bin;
    uint32_t unused;
};

#define COUNTED_RUN(field) \
    (SH_ITEMS + (uint32_t)sizeof(struct expected_bin) * WARP_ID + SHARED_AT(expected_bin, field))

STATIC_ASSERT(RADIX_THREADS / 32u * sizeof(struct expected_bin) <=
                  sizeof(struct classify_shared) - sizeof(struct radix_shared),
              "no room for what warps expect");

DEV void run_of_bin(const struct radix_job *j, uint32_t b)
{
    const uint64_t lo = b ? gm_ld8(&j->tree_ends[b - 1u]) + 1u : 0u;

    warp_sync();
    if (LANE_ID == 0) {
        sh_st8(COUNTED_RUN(lo), lo);
        sh_st8(COUNTED_RUN(last), gm_ld8(&j->tree_ends[b]) - lo);
        sh_st4(COUNTED_RUN(bin), b);
    }
    warp_sync();
}

/* Count a round of words of the bin that is expected.  Returns 0 if there are others. */
DEV int run_round(const key *x)
{
    const key lo = (key)sh_ld8(COUNTED_RUN(lo));
    const key last = (key)sh_ld8(COUNTED_RUN(last));
    uint32_t others = 0;

    UNROLL for (uint32_t i = 0; i < 8u; i++) others |= x[i] - lo > last;
    if (!all_of(others == 0))
        return 0;
    if (LANE_ID == 0)
        sh_add4(SH_BINS + 4u * sh_ld4(COUNTED_RUN(bin)), 8u * 32u);
    return 1;
}

/* Count those of four words that a mask names.  b becomes their bins. */
DEV void counted_four(const key *x, uint32_t mask, uint32_t *b, struct digit d)
{
    tree_four(x, b, d);
    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        if (mask >> i & 1u)
            counted_add(x[i], b[i]);
    }
}

/* Count a round of 8 words a thread.  Returns 1 if the first word has the same bin as a
 * neighbour's.  *run becomes 1 if all the warp's last words have one bin. */
DEV uint32_t counted_round(const key *x, struct digit d, const struct radix_job *j, int *run)
{
    uint32_t near = 0;
    uint32_t b[4];
    uint32_t one;

    UNROLL for (uint32_t k = 0; k < 8u; k += 4u)
    {
        counted_four(x + k, 15u, b, d);
        if (k == 0)
            near = b[0] == shfl_xor4(b[0], 1) && b[0] < BIN_COUNTED;
    }
    one = shfl4(b[3], 0);
    *run = all_of(b[3] == one) && one < BIN_COUNTED;
    if (*run)
        run_of_bin(j, one);
    return near;
}

/* Count items from .. to - 1 as count_range does, with two differences.  SH_BINS of counted bins
 * stay 0, and the range of keys is not looked for.  MISC_FLAG becomes 0 if all items are of counted
 * bins. */
DEV void counted_range(const struct radix_job *j, const key *keys, uint64_t from, uint64_t to,
                       struct digit d, uint32_t bins)
{
    uint32_t near = 0;
    int run = 0;
    key x[8];

    ROLL for (uint32_t b = THREAD_ID; b < bins; b += BLOCK_DIM) sh_st4(SH_BINS + 4u * b, 0u);
    if (THREAD_ID == 0) {
        sh_st4(SH_MISC + MISC_FLAG, 0u);
        sh_st4(SH_MISC + MISC_NEAR, 0u);
        sh_st8(SH_MISC + MISC_LESS, (uint64_t)0);
        sh_st8(SH_MISC + MISC_GREATEST, (uint64_t)KEY_MAX);
        sh_st8(SH_MISC + MISC_DIFFER, (uint64_t)KEY_MAX);
    }
    block_sync();
    ROLL for (; from + RADIX_THREADS * 8u <= to; from += RADIX_THREADS * 8u)
    {
        UNROLL for (uint32_t i = 0; i < 8u; i++) x[i] =
            gm_ld_key(keys + from + i * RADIX_THREADS + THREAD_ID);
        UNROLL for (uint32_t i = 0; i < 8u; i++) x[i] = word_of(x[i], d);
        if (run && run_round(x))
            near++;
        else
            near += counted_round(x, d, j, &run);
    }
    if (from < to) {
        uint32_t mask = 0;
        uint32_t b[4];

        UNROLL for (uint32_t i = 0; i < 8u; i++)
        {
            const uint64_t at = from + i * RADIX_THREADS + THREAD_ID;

            x[i] = at < to ? word_of(gm_ld_key(keys + at), d) : 0u;
            mask |= at < to ? 1u << i : 0u;
        }
        counted_four(x, mask, b, d);
        counted_four(x + 4, mask >> 4, b, d);
    }
    sh_add4(SH_MISC + MISC_NEAR, near);
    block_sync();
    ROLL for (uint32_t b = THREAD_ID; b < bins; b += BLOCK_DIM)
    {
        const uint32_t count = sh_ld4(SH_BINS + 4u * b);

        if (count)
            sh_add4(SH_MISC + MISC_FLAG, 1u);
    }
    block_sync();
}

/* How often counted_range compared a lane with its neighbour. */
DEV uint64_t counted_asked(uint64_t items)
{
    return items / (RADIX_THREADS * 8u) * RADIX_THREADS;
}

/* ---- a block of the kernel that counts ------------------------------------------------------- */

/* Before its first chunk a block loads the table, and clears its counters. */
DEV void counted_begin(const struct radix_job *j)
{
    ROLL for (uint32_t b = THREAD_ID; b < RADIX_BINS; b += BLOCK_DIM)
    {
        const uint32_t counter = gm_ld4(&j->tree_counted[b]);
        const uint32_t lo = b ? (uint32_t)gm_ld8(&j->tree_ends[b - 1u]) + 1u : 0u;

        sh_st4(COUNTED_TABLE + 4u * b, counter == NO_COUNTER ? NO_COUNTER : counter - lo);
    }
    ROLL for (uint32_t v = THREAD_ID; v < RADIX_COUNTED_MOST; v += BLOCK_DIM)
        sh_st4(COUNTED_AT + 4u * v, 0u);
    block_sync();
}

/* After its last chunk the block adds its counters, and their sums a bin, to those of all blocks. A
 * warp has a bin at a time.  It has at most 32 bins; each lane loads beforehand what must be known
 * of one. */
DEV void counted_end(const struct radix_job *j)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t mine = WARP_ID + warps * LANE_ID;
    uint32_t firsts = NO_COUNTER;
    uint32_t lengths = 0;

    if (mine < RADIX_BINS) {
        const uint32_t before = mine ? (uint32_t)gm_ld8(&j->tree_ends[mine - 1u]) : 0xffffffffu;

        firsts = gm_ld4(&j->tree_counted[mine]);
        lengths = firsts == NO_COUNTER ? 0u : (uint32_t)gm_ld8(&j->tree_ends[mine]) - before;
    }
    ROLL for (uint32_t k = 0; WARP_ID + warps * k < RADIX_BINS; k++)
    {
        const uint32_t first = shfl4(firsts, k);
        const uint32_t values = shfl4(lengths, k);
        uint32_t sum = 0;

        ROLL for (uint32_t v = LANE_ID; v < values; v += 32u)
        {
            const uint32_t count = sh_ld4(COUNTED_AT + 4u * (first + v));

            if (count)
                gm_add4(&j->counters[first + v], count);
            sum += count;
        }
        UNROLL for (uint32_t d = 16; d; d /= 2) sum += shfl_xor4(sum, d);
        if (LANE_ID == 0 && sum)
            (void)count_add(j->starts, WARP_ID + warps * k, j->wide, sum);
    }
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* How many values bin b has.  0: none, or more than a block has counters for. */
DEV uint32_t counted_values(const struct radix_job *j, uint32_t b)
{
    const uint64_t first = b ? gm_ld8(&j->tree_ends[b - 1u]) + 1u : 0u;
    const uint64_t last = gm_ld8(&j->tree_ends[b]);

    return j->write_outs && first <= last && last - first < RADIX_COUNTED_MOST
               ? (uint32_t)(last - first) + 1u
               : 0u;
}

/* The largest v, a power of two, such that every bin of at most v values can be counted.  64 words
 * of shared memory at `room`. */
DEV uint32_t counted_width(uint32_t values, uint32_t room)
{
    uint32_t width = 1;

    if (THREAD_ID < 32u)
        sh_st4(room + 4u * THREAD_ID, 0u);
    block_sync();
    ROLL for (uint32_t k = 0; k < 32u && 1u << k <= RADIX_COUNTED_MOST; k++)
    {
        if (values && values <= 1u << k)
            sh_add4(room + 4u * k, values);
    }
    block_sync();
    ROLL for (uint32_t k = 1; 1u << k <= RADIX_COUNTED_MOST; k++)
    {
        if (sh_ld4(room + 4u * k) <= RADIX_COUNTED_MOST)
            width = 1u << k;
    }
    block_sync();
    return width;
}

/* Choose the bins of the tree at `tree` that are counted, and write that into its leaves.
 * tree_ends are known.  A word for each bin, and 64 more, at `room`. */
DEV void counted_choose(const struct radix_job *j, uint32_t tree, uint32_t room)
{
    const uint32_t b = THREAD_ID;
    const uint32_t values = b < RADIX_BINS ? counted_values(j, b) : 0u;
    const uint32_t width = counted_width(values, room);
    uint32_t first = NO_COUNTER;

    if (b == 0)
        sh_st4(room, 0u);
    block_sync();
    if (values && values <= width)
        first = sh_add4(room, values);
    block_sync();
    if (values > width && values <= 2u * width) { /* what is left goes to the next ones */
        first = sh_add4(room, values);
        first = first + values <= RADIX_COUNTED_MOST ? first : NO_COUNTER;
    }
    if (b < RADIX_BINS) {
        sh_st4(room + 256u + 4u * b, first != NO_COUNTER ? 1u : 0u);
        gm_st4(&j->tree_counted[b], first);
    }
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i < RADIX_TREE_ROOM; i += BLOCK_DIM)
    {
        const uint32_t e = sh_ld4(tree + 4u * i);
        const uint32_t bin = e & 511u;

        if ((e & TREE_NODE) == 0) {
            const uint32_t low = sh_ld4(room + 256u + 4u * bin);
            const uint32_t high = bin + 1u < RADIX_BINS ? sh_ld4(room + 260u + 4u * bin) : 0u;

            sh_st4(tree + 4u * i, e | low << COUNTED_LEAF | high << (COUNTED_LEAF + 1u));
        }
    }
    block_sync();
}

#endif
#endif
