/* choose.h - splitters for the tree of a skewed array (splitters/tree_build.h).
 *
 * Splitters stand at even distances in the sorted sample, so that bins get about as many items
 * each.  Where a dense range of keys begins or ends inside a bin, the bin is cut there.
 *
 * Splitters from a sorted sample: Leischner, Osipov and Sanders (GPU sample sort, 2010).  The cuts
 * are this library's.
 */
#ifndef CW_SORT_SPLITTERS_CHOOSE_H
#define CW_SORT_SPLITTERS_CHOOSE_H

#include "sort/splitters/sorted_sample.h"

/* The first splitter of bin k, of TREE_EVEN bins of as many items each.  A splitter that equals the
 * one before becomes the next value. */
DEV uint32_t sample_splitter(uint32_t k)
{
    const uint32_t t = sh_ld4(SAMPLE_TOP(k * RADIX_SAMPLE / TREE_EVEN));
    const uint32_t before = sh_ld4(SAMPLE_TOP((k - 1u) * RADIX_SAMPLE / TREE_EVEN));

    return t + (k > 1u && t == before && t != 0xffffffffu);
}

/* If a fifth of the words of bin k lie within `near` of each other, they are a cluster: from *low
 * to *high.  Returns how many words it has, or 0. */
DEV uint32_t sample_cluster(uint32_t k, uint32_t near, uint32_t *low, uint32_t *high)
{
    const uint32_t from = k * RADIX_SAMPLE / TREE_EVEN;
    const uint32_t to = (k + 1u) * RADIX_SAMPLE / TREE_EVEN;
    const uint32_t many = (to - from) / 5u > 4u ? (to - from) / 5u : 4u;
    uint32_t count = 1;

    *low = sh_ld4(SAMPLE_TOP(from));
    *high = *low;
    ROLL for (uint32_t i = from + 1u; i < to; i++)
    {
        const uint32_t t = sh_ld4(SAMPLE_TOP(i));

        if (t - *low <= near) {
            count++;
            *high = t;
        } else if (count < many) {
            *low = t;
            *high = t;
            count = 1;
        }
    }
    return count < many ? 0u : count;
}

/* Where bin k, which begins with splitter v, should be cut.  There are two cases.
 *
 *      its neighbour has less than a 256th of its range     a cut near that end, as far from it as
 *                                                           the neighbour is long
 *      a fifth of its words lie in a 256th of its range     cuts before and behind these words
 *
 * Otherwise one bin would get all dense keys when the bucket is split, and again in the next pass.
 * Returns the number of cuts, at most two; in the second case 2^16 times that. */
DEV uint32_t sample_edges(uint32_t k, uint32_t v, uint32_t *edge)
{
    const uint32_t begin = sample_first(k);
    const uint32_t end = sample_first(k + 1u);
    const uint32_t near = (end - begin) >> 8;
    const uint32_t before = k ? begin - sample_first(k - 1u) : 0xffffffffu;
    const uint32_t behind = k + 2u <= TREE_EVEN ? sample_first(k + 2u) - end : 0xffffffffu;
    uint32_t low = end;
    uint32_t high = begin;
    uint32_t n = 0;

    if (end - v <= 256u)
        return 0;
    if (before < near)
        high = begin + before + before / 4u;
    if (behind < near)
        low = end - behind - behind / 4u;
    if (high > low || (before >= near && behind >= near)) {
        const uint32_t count = sample_cluster(k, near, &low, &high);
        const uint32_t more = count ? (high - low) / count * 3u : 0u;

        if (count == 0)
            return 0;
        low = low > v && low - v > more ? low - more : v; /* no word may be at the very end */
        high = end - high > more ? high + more : end;
        if (low > v)
            edge[n++] = low;
        if (high + 1u > v && high + 1u < end)
            edge[n++] = high + 1u;
        return n << 16;
    }
    if (high + 1u > v && high > begin)
        edge[n++] = high + 1u;
    if (low > high + 1u && low > v && low < end)
        edge[n++] = low;
    return n;
}

#endif
