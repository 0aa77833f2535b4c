/* rule.h - the bucket of a key of any width, and whether its label is one.
 *
 * Up to 255 splitters stand in shared memory, as ranks (key_map.h); more are searched where they
 * are.
 */
#ifndef CW_PARTITION_STABLE_RULE_H
#define CW_PARTITION_STABLE_RULE_H

#include "partition/stable/job.h"
#include "prim/load_bits.h"
#include "prim/radix_tile.h"

/* Items that there are. */
DEV uint64_t stable_count(const struct stable_job *a)
{
    const uint64_t x = a->count ? load_bits(a->count, 0, a->count_bytes) : a->n;

    return x < a->n ? x : a->n;
}

/* How many of the splitters in shared memory are not above w. */
DEV uint32_t stable_cuts(key w, uint32_t count, uint32_t cuts)
{
    uint32_t b = 0;

    UNROLL for (uint32_t step = (PARTITION_CUTS + 1u) / 2u; step; step /= 2)
    {
        const uint32_t try_at = b + step <= count ? b + step : count;
        const key cut = sh_ld_key(cuts + KEY_BYTES * (try_at ? try_at - 1u : 0u));

        b = b + step <= count && cut <= w ? b + step : b;
    }
    return b;
}

/* The same, of any number of them. */
DEV uint32_t stable_search(const struct partition_rule *r, key w)
{
    uint32_t low = 0;
    uint32_t high = r->buckets - 1u;

    ROLL while (low < high)
    {
        const uint32_t mid = (low + high) / 2u;
        const key x = (key)load_bits(r->cuts, mid, r->bytes);

        if (tile_ranked(x, &r->map) <= w)
            low = mid + 1u;
        else
            high = mid;
    }
    return low;
}

/* `cuts`: where shared memory has splitters. */
DEV uint32_t stable_bucket(const struct partition_rule *r, key x, uint32_t cuts)
{
    if (r->by == PARTITION_BY_HASH)
        return (uint32_t)(((x * r->multiplier) >> 32) * r->buckets >> 32);
    if (r->by == PARTITION_BY_CUTS) {
        const key w = tile_ranked(x, &r->map);

        return r->buckets - 1u <= PARTITION_CUTS ? stable_cuts(w, r->buckets - 1u, cuts)
                                                 : stable_search(r, w);
    }
    return (uint32_t)(tile_ranked(x, &r->map) >> r->first) & r->mask;
}

/* Splitters to shared memory.  Ends with a barrier, if there are some. */
DEV void stable_load_cuts(const struct partition_rule *r, uint32_t cuts)
{
    if (r->by != PARTITION_BY_CUTS || r->buckets - 1u > PARTITION_CUTS)
        return;
    ROLL for (uint32_t i = THREAD_ID; i < PARTITION_CUTS; i += BLOCK_DIM)
    {
        const key x = i + 1u < r->buckets ? (key)load_bits(r->cuts, i, r->bytes) : 0u;

        sh_st_key(cuts + KEY_BYTES * i, tile_ranked(x, &r->map));
    }
    block_sync();
}

#endif
