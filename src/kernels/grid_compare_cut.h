/* grid_compare_cut.h - where a level's tiles are cut into buckets.
 *
 *      sample    of every tile, the last of every `every` items, q, a power of two
 *      cut       for every bucket's splitter and every tile: how many items are less, how many equal
 *
 * Between them the samples of each segment are sorted.  In a segment of L items, P tiles and K
 * buckets, bucket b should begin at rank b L / K.  Sample number c (from 0) has a rank of at least
 * (c + 1) q - 1, and at most R = (P - 1)(q - 1) more: a tile with j samples below it has j q .. j q + q - 1
 * items below it.  The splitter is the sample for which the rank is a certain way between the two, x:
 * it is at most x R + q / 2 too small and (1 - x) R + q / 2 too large, and a bucket is at most R + q
 * longer than L / K, whatever the keys are.  (All tiles but the last of a segment are a multiple
 * of q long, so there is such a sample.  In arrays of random keys ranks are in the middle, in
 * sorted ones at the lower end: for the last buckets, which have little room, x = 3/8 suits both.)
 *
 * Items that are equal to a splitter may go to either side; how many do is decided where all counts
 * are known (grid_compare_settle.h).
 *
 * A warp looks for 32 splitters in a tile: first each lane for one, in the tile's samples, then all
 * lanes together in the q items up to the next sample, by votes; these are one line or less of
 * memory.  Counts leave through shared memory, since tables have tiles next to each other: rows
 * of 33 words, so that rows and columns are in 32 banks.
 */
#ifndef CW_GRID_COMPARE_CUT_H
#define CW_GRID_COMPARE_CUT_H

#include "kernels/grid_compare_find.h"
#include "kernels/grid_compare_key.h"

#define CUT_THREADS 256u
#define CUT_SHARED  (4u * 32u * 33u)
#define CUT_TILES   4 /* that a warp searches at once */
#define CUT_BATCH   8 /* lines of a tile that it reads at once */

DEV uint32_t tile_length(uint64_t items, uint32_t tile, uint32_t log_tile)
{
    const uint64_t left = items - ((uint64_t)tile << log_tile);

    return left < 1u << log_tile ? (uint32_t)left : 1u << log_tile;
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

        UNROLL4 for (uint32_t i = THREAD_ID; i < length / a->at.every; i += BLOCK_DIM) put_part(
            a->drawn, to + i, load_part(a, from + (uint64_t)i * a->at.every, IS_NARROW(a)));
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
    const uint64_t low =
        a->at.every - 1u + (uint64_t)(tiles - 1u) * (a->at.every - 1u) * a->eighths / 8u;
    uint64_t c = rank + a->at.every / 2u;

    c = c > low ? (c - low) / a->at.every : 0u;
    return get_part(a->samples, first + (c < count ? c : count - 1u));
}

/* How many are not above v, if those before `upto`, the begin of a line, are not, and those after it
 * not below: by samples, of which there may be few more, then in the line. */
DEV uint32_t count_equal(const struct compare_job *a, uint64_t start, uint64_t first,
                         uint32_t length, part v, uint32_t upto)
{
    const uint32_t log_q = low_bit(a->at.every);
    uint32_t line = upto >> log_q;
    uint32_t step = 1;

    ROLL while (line + step <= length >> log_q && get_part(a->drawn, first + line + step - 1u) == v)
    {
        line += step;
        step *= 2u;
    }
    ROLL for (step /= 2u; step; step /= 2u)
    {
        if (line + step <= length >> log_q && get_part(a->drawn, first + line + step - 1u) == v)
            line += step;
    }
    upto = line << log_q;
    ROLL for (step = a->at.every / 2u; step; step /= 2u)
    {
        if (upto + step <= length && load_part(a, start + upto + step - 1u, IS_NARROW(a)) == v)
            upto += step;
    }
    return upto;
}

/* How many samples of each of CUT_TILES tiles are less than v. */
DEV void count_drawn(uint32_t *count, const struct compare_job *a, const uint64_t *first,
                     const uint32_t *length, part v)
{
    const uint32_t log_q = low_bit(a->at.every);

    UNROLL for (int j = 0; j < CUT_TILES; j++) count[j] = 0;
    ROLL for (uint32_t step = 1u << (a->log_tile - log_q); step; step /= 2u)
    {
        UNROLL for (int j = 0; j < CUT_TILES; j++)
        {
            if (count[j] + step <= length[j] >> log_q)
                count[j] += get_part(a->drawn, first[j] + count[j] + step - 1u) < v ? step : 0u;
        }
    }
}

/* Of the 32 / q lines of items that rounds `from` to from + CUT_BATCH - 1 look at, those that are less
 * than their splitters, and those that are equal, as votes to the lanes of the splitters. */
DEV void vote_lines(uint32_t *less, uint32_t *equal, const struct compare_job *a, uint64_t start,
                    uint32_t length, uint32_t low, part v, uint32_t from)
{
    const uint32_t log_q = low_bit(a->at.every), each = 5u - log_q; /* log of splitters a round */
    const uint32_t inside = LANE_ID & (a->at.every - 1u);
    const uint32_t ones = 0xffffffffu >> (32u - a->at.every);
    part x[CUT_BATCH];

    UNROLL for (uint32_t i = 0; i < CUT_BATCH; i++)
    {
        const uint32_t lane = ((from + i) << each) + (LANE_ID >> log_q);
        const uint32_t at = (shfl4(low, lane & 31u) << log_q) + inside;

        x[i] = at < length && lane < 32u ? load_part(a, start + at, IS_NARROW(a)) : 0u;
    }
    UNROLL for (uint32_t i = 0; i < CUT_BATCH; i++)
    {
        const uint32_t lane = ((from + i) << each) + (LANE_ID >> log_q);
        const uint32_t at = (shfl4(low, lane & 31u) << log_q) + inside;
        const part w = shfl_part(v, lane & 31u);
        const uint32_t below = ballot(at < length && x[i] < w);
        const uint32_t same = ballot(at < length && x[i] == w);
        const uint32_t mine = LANE_ID - ((from + i) << each);

        if (mine < 1u << each) {
            *less = below >> (mine << log_q) & ones;
            *equal = same >> (mine << log_q) & ones;
        }
    }
}

/* Count of one tile: from that of its samples to that of items below, and 65536 times those that are
 * equal. */
DEV uint32_t count_line(const struct compare_job *a, uint64_t start, uint64_t first,
                        uint32_t length, uint32_t low, part v)
{
    const uint32_t rounds = a->at.every;
    uint32_t less = 0, equal = 0, count, upto;

    ROLL for (uint32_t from = 0; from < rounds; from += CUT_BATCH)
        vote_lines(&less, &equal, a, start, length, low, v, from);
    count = low * a->at.every + bit_count(less);
    upto = count + bit_count(equal);
    if (equal && upto % a->at.every == 0 && upto < length &&
        load_part(a, start + upto, IS_NARROW(a)) == v) /* the next line has more */
        upto = count_equal(a, start, first, length, v, upto);
    return count | (upto - count) << 16;
}

/* The same where q is more than 32: each lane for itself. */
DEV uint32_t count_far(const struct compare_job *a, uint64_t start, uint64_t first, uint32_t length,
                       uint32_t low, part v)
{
    const uint32_t q = a->at.every;
    uint32_t count = low * q, upto;

    ROLL for (uint32_t step = q / 2u; step; step /= 2u)
    {
        if (count + step <= length)
            count += load_part(a, start + count + step - 1u, IS_NARROW(a)) < v ? step : 0u;
    }
    upto = count;
    ROLL while (upto < length && upto % q && load_part(a, start + upto, IS_NARROW(a)) == v) upto++;
    if (upto < length && upto % q == 0)
        upto = count_equal(a, start, first, length, v, upto);
    return count | (upto - count) << 16;
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
        const uint64_t samples = gm_ld8(a->at.samples + s);
        const uint32_t b = bucket + LANE_ID;
        const int there = b > 0u && b < buckets;
        const part v = there ? splitter(a, s, b, buckets, tiles) : 0u;
        uint32_t *const out = a->raw + gm_ld4(a->at.cells + s);
        uint64_t start[CUT_TILES];
        uint64_t first[CUT_TILES];
        uint32_t length[CUT_TILES];
        uint32_t count[CUT_TILES];

        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            const uint32_t t = tile + WARP_ID + CUT_THREADS / 32u * j;

            start[j] = segment + ((uint64_t)t << a->log_tile);
            first[j] = samples + ((uint64_t)t << (a->log_tile - low_bit(a->at.every)));
            length[j] = t < tiles ? tile_length(items, t, a->log_tile) : 0u;
        }
        count_drawn(count, a, first, length, v);
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            if (a->at.every <= 32u)
                count[j] = count_line(a, start[j], first[j], length[j], count[j], v);
            else
                count[j] = count_far(a, start[j], first[j], length[j], count[j], v);
            count[j] = there ? count[j] : 0u;
        }
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
