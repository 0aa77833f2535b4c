/* tree_kernel.h - the kernel that samples keys alone: linear digits, a tree, or another method?
 *
 * The array is left to the LSD sort, if linear digits do not suit it and splitters would not win.
 * Skewed keys that stay get a tree (splitters/tree_build.h, which says whose idea that is), unless
 * they are a few that occur again and again, and linear digits put each of these into a bin of its
 * own.  If there are others among them, these share the bins, and it takes a pass for each 8 bits to
 * part them (three heavy values, u64, 2^26, H200: 4.73 ms; left: 3.74).  Such arrays are left, too.
 */
#ifndef CW_SORT_SPLITTERS_TREE_KERNEL_H
#define CW_SORT_SPLITTERS_TREE_KERNEL_H

#include "sort/splitters/tree_build.h"

/* Bins of words 4 i .. 4 i + 3 of the sample, by the tree that was just made. */
DEV void sample_four(uint32_t i, uint32_t *b, struct digit d)
{
    key x[4];

    d.lo = 0;
    d.last = KEY_MAX;
    d.lead = 0;
    d.tree = SAMPLE_TREE;
    d.deep = 1;
    UNROLL for (uint32_t k = 0; k < 4u; k++) x[k] = (key)sh_ld4(SAMPLE_TOP(4u * i + k))
                                                    << (8u * KEY_BYTES - 32u);
    tree_four(x, b, d);
}

/* MISC_ENTRIES becomes 0, for a count by all threads. */
DEV void entries_clear(void)
{
    if (THREAD_ID == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, 0u);
    block_sync();
}

/* How many words of the sample have a counted bin. */
DEV uint32_t sample_counted(struct digit d)
{
    uint32_t sum = 0;

    entries_clear();
    ROLL for (uint32_t i = THREAD_ID; i < RADIX_SAMPLE / 4u; i += BLOCK_DIM)
    {
        uint32_t b[4];

        sample_four(i, b, d);
        UNROLL for (uint32_t k = 0; k < 4u; k++) sum += b[k] / BIN_COUNTED;
    }
    sh_add4(SH_MISC + MISC_ENTRIES, sum);
    block_sync();
    sum = sh_ld4(SH_MISC + MISC_ENTRIES);
    block_sync();
    return sum;
}

/* Would a linear digit put two of the frequent keys, which are splitters, into one bin? */
DEV uint32_t sample_collides(const struct radix_job *j, const struct radix_bucket *p,
                             struct digit d)
{
    const struct digit linear = digit_of_bucket(j, p, 0);
    const uint32_t k = THREAD_ID;
    uint32_t count;

    if (k == 0)
        sh_st4(SH_MISC + MISC_ENTRIES, 0u);
    block_sync();
    if (k && k < TREE_EVEN) {
        const uint32_t t = sample_first(k), before = sample_first(k - 1u);

        if (t != before && digit_of((key)(d.lo + first_offset(t, d.lead)), linear) ==
                               digit_of((key)(d.lo + first_offset(before, d.lead)), linear))
            sh_add4(SH_MISC + MISC_ENTRIES, 1u);
    }
    block_sync();
    count = sh_ld4(SH_MISC + MISC_ENTRIES);
    block_sync();
    return count;
}

/* Splitters that are not around a frequent key, of what sample_split returned: there are two around
 * each. */
DEV uint32_t sample_others(uint32_t split)
{
    const uint32_t differ = split & 0xffffu, around = 2u * (split >> 16);

    return differ > around ? differ - around : 0u;
}

/* One block, after `begin`, chooses a tree for the first pass, or none.  There is none for a few
 * keys that occur again and again, with three exceptions: they may be just counted; a linear digit
 * would put two of them into one bin; or the array may be short.  A short array has few passes, and
 * a tree's bins of one key each save one. */
KERNEL(RADIX_NAME(sample), struct radix_job, RADIX_THREADS, 1)
{
    struct radix_bucket p = arg->buckets[0][0];
    struct digit d;
    key x[SAMPLE_EACH];
    uint32_t steps, split;
    int few, skewed;

    digit_map(&d, arg);
    if (THREAD_ID == 0)
        gm_st4(&arg->tree->used, 0u);
    skewed = sample_skewed(arg, &p, d);
    if (arg->gate) {
        const int runs = arg->leaves_runs && sample_local(arg, &arg->buckets[0][0], d);
        const int leave = skewed ? arg->leaves != 0 : runs; /* else splitters see to skewed keys */

        sample_gate(arg, leave);
        if (leave)
            return;
    }
    if (!skewed)
        return;
    sample_take(arg, &d, x);
    sample_sort(x);
    if (arg->gate && sample_bunched(d.lead)) {
        sample_gate(arg, 1);
        return;
    }
    split = sample_split();
    few = (split & 0xffffu) < RADIX_BINS / 8u;
    if (few && !arg->write_outs &&
        !(arg->both && (arg->passes < 2u || sample_collides(arg, &arg->buckets[0][0], d))))
        return;
    steps = tree_build();
    ROLL for (uint32_t b = THREAD_ID; b < RADIX_BINS; b += BLOCK_DIM)
    {
        const uint64_t end = tree_end(b, d);

        gm_st8(&arg->tree_ends[b], end);
        sh_st8(SAMPLE_END(b), end);
    }
    block_sync();
    counted_choose(arg, SAMPLE_TREE, SAMPLE_ROOM);
    if (few && arg->write_outs && sample_counted(d) < RADIX_SAMPLE / 8u * 7u) {
        const int others = sample_others(split) >= RADIX_BINS / 64u;

        if (arg->gate && others)
            sample_gate(arg, 1);
        if (others || !sample_collides(arg, &arg->buckets[0][0], d))
            return;
    }
    ROLL for (uint32_t i = THREAD_ID; i < RADIX_TREE_ROOM; i += BLOCK_DIM)
        gm_st4(&arg->tree_table[i], sh_ld4(SAMPLE_TREE + 4u * i));
    if (THREAD_ID == 0) {
        gm_st8(&arg->tree->lo, (uint64_t)d.lo);
        gm_st8(&arg->tree->last, (uint64_t)d.last);
        gm_st4(&arg->tree->lead, d.lead);
        gm_st4(&arg->tree->steps, steps);
        gm_st4(&arg->tree->used, 1u);
        gm_st4(&arg->buckets[0][0].bins, RADIX_BINS);
        gm_st4(&arg->buckets[0][0].tree, 1u);
    }
}

#endif
