/* heavy_keys.h - pairs of a frequent key share several bins of the first pass's tree
 * (splitters/tree_build.h).
 *
 * A frequent key is several splitters, which leaves bins behind its own empty.  In a sort that need
 * not be stable its items may go to all of these, so that no queue gets many more items than
 * another.  The key's bin and 2^s - 1 bins behind it are shared: lane l takes number l % 2^s.  The
 * tree's leaves hold s.  Items of a chunk stand in the same lanes when it is counted and when
 * queues move it.  Tiles put items of any lane anywhere, so they do not share bins.
 *
 * Keys alone that are frequent are counted, not moved (counting/counted_buckets.h).
 */
#ifndef CW_SORT_SPLITTERS_HEAVY_KEYS_H
#define CW_SORT_SPLITTERS_HEAVY_KEYS_H

#include "sort/radix/histogram.h"

#if PAYLOAD_BYTES

#define SHARE_MOST 5u /* 2^.. bins for a key, at most: a warp's lanes */

/* Find s for every bin that has one key, and write it into the leaves.  Ends of bins stand at
 * `ends`, the tree at `tree`.  A word for each bin at `room` gets s. */
DEV void share_choose(uint32_t tree, uint32_t ends, uint32_t room)
{
    const uint32_t b = THREAD_ID;
    uint32_t s = 0;

    if (b < RADIX_BINS) {
        const uint64_t end = sh_ld8(ends + 8u * b);
        const uint64_t before = b ? sh_ld8(ends + 8u * b - 8u) : ~(uint64_t)0;
        uint32_t n = 1;

        if (end == before + 1u) {
            ROLL while (b + n < RADIX_BINS && n < 1u << SHARE_MOST &&
                        sh_ld8(ends + 8u * (b + n)) == end) n++;
            ROLL while (2u << s <= n) s++;
        }
        sh_st4(room + 4u * b, s);
    }
    block_sync();
    ROLL for (uint32_t i = THREAD_ID; i < RADIX_TREE_ROOM; i += BLOCK_DIM)
    {
        const uint32_t e = sh_ld4(tree + 4u * i);
        const uint32_t bin = e & 511u;

        if ((e & TREE_NODE) == 0) {
            const uint32_t low = sh_ld4(room + 4u * bin);
            const uint32_t high = bin + 1u < RADIX_BINS ? sh_ld4(room + 4u * bin + 4u) : 0u;

            sh_st4(tree + 4u * i, e | low << SHARE_LEAF | high << (SHARE_LEAF + 3u));
        }
    }
    block_sync();
}

/* For a chunk that goes by tiles: counts of shared bins are added to the first of them. */
DEV void share_merge(const struct radix_job *j)
{
    const uint32_t b = THREAD_ID;
    uint32_t sum = 0;

    block_sync();
    if (b < RADIX_BINS) {
        const uint64_t end = gm_ld8(&j->tree_ends[b]);
        const uint64_t before = b ? gm_ld8(&j->tree_ends[b - 1u]) : ~(uint64_t)0;

        if (end != before) {
            sum = sh_ld4(SH_BINS + 4u * b);
            ROLL for (uint32_t k = b + 1u; k < RADIX_BINS && gm_ld8(&j->tree_ends[k]) == end; k++)
                sum += sh_ld4(SH_BINS + 4u * k);
        }
    }
    block_sync();
    if (b < RADIX_BINS)
        sh_st4(SH_BINS + 4u * b, sum);
    block_sync();
}

#endif
#endif
