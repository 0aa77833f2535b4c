/* grid_compare_cut.h - where a level's tiles are cut into buckets.
 *
 *      sample    of every tile, the last of every `every` items, q
 *      cut       for every bucket's splitter and every tile: how many items are less, how many equal
 *
 * Between them the samples of each segment are sorted.  In a segment of L items, P tiles and K
 * buckets, bucket b should begin at rank b L / K.  Sample number c (from 0) has a rank of at least
 * (c + 1) q - 1 and at most c q + P (q - 1): a tile with j samples below it has j q .. j q + q - 1 items
 * below it.  The one for which the rank is in the middle between the two is the splitter: it is
 * off by (P - 1)(q - 1) / 2 + q / 2 at most, and a bucket is longer than L / K by twice that at most,
 * whatever the keys are.  (All tiles but the last of a segment are a multiple of q long, so there
 * is such a sample.)
 *
 * Items that are equal to a splitter may go to either side; how many do is decided where all counts
 * are known (grid_compare_settle.h).
 *
 * A warp looks for 32 splitters in a tile: these are next to each other there, so that most steps of
 * the search ask for one word or few.  Positions leave through shared memory, since tables have
 * tiles next to each other: rows of 33 words, so that rows and columns are in 32 banks.
 */
#ifndef CW_GRID_COMPARE_CUT_H
#define CW_GRID_COMPARE_CUT_H

#include "kernels/grid_compare_find.h"
#include "kernels/grid_compare_key.h"

#define CUT_THREADS 256u
#define CUT_SHARED  (4u * 32u * 33u)
#define CUT_TILES   4 /* that a warp searches at once */

DEV uint32_t tile_length(uint64_t items, uint32_t tile, uint32_t log_tile)
{
    const uint64_t left = items - ((uint64_t)tile << log_tile);

    return left < 1u << log_tile ? (uint32_t)left : 1u << log_tile;
}

DEV void put_sample(const struct compare_job *a, uint64_t i, part x)
{
    part *const to = (part *)a->samples + i;

#if PART_LOG == 2
    gm_st4(to, x);
#else
    gm_st8(to, x);
#endif
}

/* A block a tile. */
DEV void compare_sample(const struct compare_job *a)
{
    const uint32_t segments = gm_ld4(a->at.count);
    const uint32_t per = (1u << a->log_tile) / a->at.every;

    if (BLOCK_ID < gm_ld4(a->at.tiles + segments)) {
        const uint32_t s = find_last(a->at.tiles, segments, BLOCK_ID);
        const uint32_t tile = BLOCK_ID - gm_ld4(a->at.tiles + s);
        const uint64_t start = gm_ld8(a->at.start + s);
        const uint32_t length = tile_length(gm_ld8(a->at.start + s + 1) - start, tile, a->log_tile);
        const uint64_t from = start + ((uint64_t)tile << a->log_tile) + a->at.every - 1u;
        const uint64_t to = gm_ld8(a->at.samples + s) + (uint64_t)tile * per;

        UNROLL4 for (uint32_t i = THREAD_ID; i < length / a->at.every; i += BLOCK_DIM)
            put_sample(a, to + i, load_part(a, from + (uint64_t)i * a->at.every, IS_NARROW(a)));
    }
}

/* The splitter before bucket b. */
DEV part splitter(const struct compare_job *a, uint32_t s, uint32_t b, uint32_t buckets,
                  uint32_t tiles)
{
    const uint64_t items = gm_ld8(a->at.start + s + 1) - gm_ld8(a->at.start + s);
    const uint64_t first = gm_ld8(a->at.samples + s);
    const uint64_t count = gm_ld8(a->at.samples + s + 1) - first;
    const uint64_t rank = items * b / buckets;
    const uint64_t middle = (uint64_t)(tiles + 1u) * (a->at.every - 1u) / 2u;
    uint64_t c = rank + a->at.every / 2u;

    c = c > middle ? (c - middle) / a->at.every : 0u;
    c = first + (c < count ? c : count - 1u);
#if PART_LOG == 2
    return gm_ld4((const uint32_t *)a->samples + c);
#else
    return gm_ld8((const uint64_t *)a->samples + c);
#endif
}

/* How many of `length` items from `start` on are less than v, or not above it. */
DEV uint32_t count_below(const struct compare_job *a, uint64_t start, uint32_t length, part v,
                         uint32_t known, int equal)
{
    uint32_t low = known;

    ROLL for (uint32_t step = 1u << a->log_tile; step; step /= 2u)
    {
        if (low + step <= length) {
            const part x = load_part(a, start + low + step - 1u, IS_NARROW(a));

            low += x < v || (equal && x == v) ? step : 0u;
        }
    }
    return low;
}

/* Counts for one splitter in CUT_TILES tiles, 8 apart. */
DEV void count_tiles(uint32_t *count, const struct compare_job *a, const uint64_t *start,
                     const uint32_t *length, part v)
{
    const int narrow = IS_NARROW(a);

    UNROLL for (int j = 0; j < CUT_TILES; j++) count[j] = 0;
    ROLL for (uint32_t step = 1u << a->log_tile; step; step /= 2u)
    {
        UNROLL for (int j = 0; j < CUT_TILES; j++)
        {
            if (count[j] + step <= length[j])
                count[j] += load_part(a, start[j] + count[j] + step - 1u, narrow) < v ? step : 0u;
        }
    }
    UNROLL for (int j = 0; j < CUT_TILES; j++)
    {
        const uint32_t low = count[j];

        if (low < length[j] && load_part(a, start[j] + low, narrow) == v)
            count[j] |= (count_below(a, start[j], length[j], v, low, 1) - low) << 16;
    }
}

/* A block a unit: 32 tiles and 32 splitters of a segment. */
DEV void compare_cut(const struct compare_job *a)
{
    const uint32_t segments = gm_ld4(a->at.count);

    if (BLOCK_ID < gm_ld4(a->at.units + segments)) {
        const uint32_t s = find_last(a->at.units, segments, BLOCK_ID);
        const uint32_t unit = BLOCK_ID - gm_ld4(a->at.units + s);
        const uint32_t tiles = gm_ld4(a->at.tiles + s + 1) - gm_ld4(a->at.tiles + s);
        const uint32_t buckets = gm_ld4(a->at.buckets + s + 1) - gm_ld4(a->at.buckets + s);
        const uint32_t wide = (tiles + 31u) / 32u;
        const uint32_t tile = unit % wide * 32u, bucket = unit / wide * 32u;
        const uint64_t segment = gm_ld8(a->at.start + s);
        const uint64_t items = gm_ld8(a->at.start + s + 1) - segment;
        const uint32_t b = bucket + LANE_ID;
        const int there = b > 0u && b < buckets;
        const part v = there ? splitter(a, s, b, buckets, tiles) : 0u;
        uint32_t *const out = a->raw + gm_ld4(a->at.cells + s);
        uint64_t start[CUT_TILES];
        uint32_t length[CUT_TILES];
        uint32_t count[CUT_TILES];

        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            const uint32_t t = tile + WARP_ID + CUT_THREADS / 32u * j;

            start[j] = segment + ((uint64_t)t << a->log_tile);
            length[j] = there && t < tiles ? tile_length(items, t, a->log_tile) : 0u;
        }
        count_tiles(count, a, start, length, v);
        warp_sync();
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            sh_st4(4u * (33u * LANE_ID + WARP_ID + CUT_THREADS / 32u * j), count[j]);
        }
        block_sync();
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            const uint32_t row = WARP_ID + CUT_THREADS / 32u * j;
            const uint32_t x = sh_ld4(4u * (33u * row + LANE_ID));

            if (bucket + row < buckets && tile + LANE_ID < tiles)
                gm_st4(out + (uint64_t)(bucket + row) * tiles + tile + LANE_ID, x);
        }
    }
}

#endif
