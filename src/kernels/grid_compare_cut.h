/* grid_compare_cut.h - where a level's tiles are cut into buckets.
 *
 *      sample    of every tile, the last of every `every` items, q, a power of two; of the array's, which
 *                are many, one more of these q, elsewhere in every tile
 *      cut       for every bucket's splitter and every tile: how many items are less, how many equal
 *
 * Between them samples of each segment are sorted.  In a segment of L items, P tiles and K buckets,
 * bucket b should begin at rank b L / K.  If a tile has its samples at place p of each line of q items, and
 * j of them are below a key, then j q + p - (q - 1) .. j q + p of its items are.  So sample number
 * c (from 0) has a rank of c q + (the sum of all p), or up to R = (P - 1)(q - 1) less.  The splitter is
 * the sample for which the rank that is wanted is a certain way between the two: a bucket is at most R
 * and q longer than L / K, whatever the keys are, and q more where a segment's last tile has items
 * past its last line.
 *
 * In arrays of random keys ranks are in the middle of that, in sorted ones where p says: at the lower
 * end, if samples are the last of their lines.  For the last buckets, which have little room, 3/8 suits
 * both.  Where p differs from tile to tile (picked_place), it is the middle for both; and tiles that are
 * alike, or whose buckets have few lines of each, have samples of different ranks all the same.
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
    const uint32_t q = a->at.every;

    if (BLOCK_ID < gm_ld4(a->at.tiles + segments)) {
        const uint32_t s = find_last(a->at.tiles, segments, BLOCK_ID);
        const uint32_t tile = BLOCK_ID - gm_ld4(a->at.tiles + s);
        const uint64_t start = gm_ld8(a->at.start + s);
        const uint32_t length = tile_length(gm_ld8(a->at.start + s + 1) - start, tile, a->log_tile);
        const uint64_t from = start + ((uint64_t)tile << a->log_tile);
        const uint64_t to = gm_ld8(a->at.samples + s) + (uint64_t)tile * ((1u << a->log_tile) / q);

        UNROLL4 for (uint32_t i = THREAD_ID; i < length / q; i += BLOCK_DIM)
        {
            const uint64_t line = from + (uint64_t)i * q;

            put_part(a->drawn, to + i, load_part(a, line + q - 1u, IS_NARROW(a)));
            if (a->spread)
                put_part(a->picked, to + i,
                         load_part(a, line + picked_place(tile, q), IS_NARROW(a)));
        }
    }
}

/* Whether i + 1 of the first row are less than those of the second that are before sample c then. */
DEV int before_second(const struct compare_job *a, uint64_t first, uint32_t m, uint32_t c,
                      uint32_t i)
{
    return get_part(a->samples, first + i) < get_part(a->samples, first + m + (c - 1u - i));
}

/* Sample c of a segment, whose samples are two sorted rows, of m and k: as many of the first are before it as
 * are less than those of the second that then are.  The second is empty, nearly always. */
DEV part sample_of(const struct compare_job *a, uint64_t first, uint32_t m, uint32_t k, uint32_t c)
{
    uint32_t low = c > k ? c - k : 0u;
    uint32_t high = c < m ? c : m;
    part x, y;

    ROLL while (low < high) /* three places at a time, which takes no longer than one */
    {
        const uint32_t i = (low + high) / 2u, left = (low + i) / 2u, right = (i + high) / 2u;
        const int at_left = before_second(a, first, m, c, left);
        const int at_i = before_second(a, first, m, c, i);
        const int at_right = before_second(a, first, m, c, right);

        low = at_right ? right + 1u : at_i ? i + 1u : at_left ? left + 1u : low;
        high = at_right ? high : at_i ? right : at_left ? i : left;
    }
    x = low < m ? get_part(a->samples, first + low) : 0u;
    y = c - low < k ? get_part(a->samples, first + m + (c - low)) : x;
    return low < m && x < y ? x : y;
}

/* The splitter before bucket b. */
DEV part splitter(const struct compare_job *a, uint32_t s, uint32_t b, uint32_t buckets,
                  uint32_t tiles)
{
    const uint64_t items = gm_ld8(a->at.start + s + 1) - gm_ld8(a->at.start + s);
    const uint64_t first = gm_ld8(a->at.samples + s);
    const uint64_t count = gm_ld8(a->at.samples + s + 1) - first;
    const uint32_t q = a->at.every, row = count < a->at.row ? (uint32_t)count : a->at.row;
    const uint64_t low = q - 1u + (uint64_t)(tiles - 1u) * (q - 1u) * a->eighths / 8u;
    uint64_t c = items * b / buckets;

    if (!a->spread)
        c = c + q / 2u > low ? c + q / 2u - low : 0u;
    c /= q;
    return sample_of(a, first, row, (uint32_t)count - row, (uint32_t)(c < count ? c : count - 1u));
}

/* The tiles that a warp looks at, of a segment: its first, and those that are a block's warps farther each.
 * Places fit in 32 bits, as there are at most 2^30 items. */
struct cut_tiles {
    uint32_t start; /* item of the first tile */
    uint32_t first; /* sample */
    uint32_t left;  /* items up to the segment's end */
    uint32_t tiles; /* from the block's first one on */
};

DEV uint32_t cut_step(const struct compare_job *a, uint32_t j)
{
    return (CUT_THREADS / 32u * j) << a->log_tile;
}

DEV uint32_t cut_length(const struct compare_job *a, struct cut_tiles t, uint32_t j)
{
    const uint32_t left = t.left > cut_step(a, j) ? t.left - cut_step(a, j) : 0u;

    return left < 1u << a->log_tile ? left : 1u << a->log_tile;
}

/* Sample i of tile j. */
DEV part cut_sample(const struct compare_job *a, struct cut_tiles t, uint32_t j, uint32_t i)
{
    return get_part(a->drawn, t.first + (cut_step(a, j) >> low_bit(a->at.every)) + i);
}

DEV part cut_item(const struct compare_job *a, struct cut_tiles t, uint32_t j, uint32_t i)
{
    return load_part(a, t.start + cut_step(a, j) + i, IS_NARROW(a));
}

/* How many samples of each tile are less than v. */
DEV void count_drawn(uint32_t *count, const struct compare_job *a, struct cut_tiles t, part v)
{
    const uint32_t log_q = low_bit(a->at.every);

    UNROLL for (uint32_t j = 0; j < CUT_TILES; j++) count[j] = 0;
    ROLL for (uint32_t step = 1u << (a->log_tile - log_q); step; step /= 2u)
    {
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            if (count[j] + step <= cut_length(a, t, j) >> log_q)
                count[j] += cut_sample(a, t, j, count[j] + step - 1u) < v ? step : 0u;
        }
    }
}

/* Of the 32 / q lines of items that rounds `from` to from + CUT_BATCH - 1 look at, those that are less
 * than their splitters, and those that are equal, as votes to the lanes of the splitters. */
DEV void vote_lines(uint32_t *less, uint32_t *equal, const struct compare_job *a,
                    struct cut_tiles t, uint32_t j, uint32_t low, part v, uint32_t from)
{
    const uint32_t length = cut_length(a, t, j);
    const uint32_t log_q = low_bit(a->at.every), each = 5u - log_q; /* log of splitters a round */
    const uint32_t inside = LANE_ID & (a->at.every - 1u);
    const uint32_t ones = 0xffffffffu >> (32u - a->at.every);
    part x[CUT_BATCH];

    UNROLL for (uint32_t i = 0; i < CUT_BATCH; i++)
    {
        const uint32_t lane = ((from + i) << each) + (LANE_ID >> log_q);
        const uint32_t at = (shfl4(low, lane & 31u) << log_q) + inside;

        x[i] = at < length && lane < 32u ? cut_item(a, t, j, at) : 0u;
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

/* Count of one tile: from that of its samples to that of items below, and 65536 times those of the
 * same line that are equal. */
DEV uint32_t count_line(const struct compare_job *a, struct cut_tiles t, uint32_t j, uint32_t low,
                        part v)
{
    /* None, if no warp has the tile.  (That a compiler can see that all lanes agree keeps registers free.) */
    const uint32_t rounds = CUT_THREADS / 32u * j < t.tiles ? a->at.every : 0u;
    uint32_t less = 0, equal = 0;

    ROLL for (uint32_t from = 0; from < rounds; from += CUT_BATCH)
        vote_lines(&less, &equal, a, t, j, low, v, from);
    return (low * a->at.every + bit_count(less)) | bit_count(equal) << 16;
}

/* The same where q is more than 32: each lane for itself. */
DEV uint32_t count_far(const struct compare_job *a, struct cut_tiles t, uint32_t j, uint32_t low,
                       part v)
{
    const uint32_t q = a->at.every, length = cut_length(a, t, j);
    const uint32_t end = (low + 1u) * q < length ? (low + 1u) * q : length;
    uint32_t count = low * q, upto;

    ROLL for (uint32_t step = q / 2u; step; step /= 2u)
    {
        if (count + step <= length)
            count += cut_item(a, t, j, count + step - 1u) < v ? step : 0u;
    }
    upto = count;
    ROLL for (uint32_t step = q; step; step /= 2u)
    {
        if (upto + step <= end)
            upto += cut_item(a, t, j, upto + step - 1u) == v ? step : 0u;
    }
    return count | (upto - count) << 16;
}

/* Add the equal ones of more lines, if the next has any: by samples, of which there may be few more,
 * then in the line where they end. */
DEV uint32_t count_more(const struct compare_job *a, struct cut_tiles t, uint32_t j, uint32_t count,
                        part v)
{
    const uint32_t q = a->at.every, length = cut_length(a, t, j);
    uint32_t upto = (count & 0xffffu) + (count >> 16);
    uint32_t step = q;

    if (!(count >> 16) || upto % q || upto == length || cut_item(a, t, j, upto) != v)
        return count;
    ROLL while (upto + step <= length &&
                cut_sample(a, t, j, ((upto + step) >> low_bit(q)) - 1u) == v)
    {
        upto += step;
        step *= 2u;
    }
    ROLL for (step /= 2u; step >= q; step /= 2u)
    {
        if (upto + step <= length && cut_sample(a, t, j, ((upto + step) >> low_bit(q)) - 1u) == v)
            upto += step;
    }
    ROLL for (; step; step /= 2u)
    {
        if (upto + step <= length && cut_item(a, t, j, upto + step - 1u) == v)
            upto += step;
    }
    return (count & 0xffffu) | (upto - (count & 0xffffu)) << 16;
}

/* Where the lane has its count of tile j. */
DEV uint32_t cell_of(uint32_t j)
{
    return 4u * (33u * LANE_ID + WARP_ID + CUT_THREADS / 32u * j);
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
        const uint32_t segment = (uint32_t)gm_ld8(a->at.start + s);
        const uint32_t items = (uint32_t)gm_ld8(a->at.start + s + 1) - segment;
        const uint32_t samples = (uint32_t)gm_ld8(a->at.samples + s);
        const uint32_t b = bucket + LANE_ID;
        const int there = b > 0u && b < buckets;
        const part v = there ? splitter(a, s, b, buckets, tiles) : 0u;
        uint32_t *const out = a->raw + gm_ld4(a->at.cells + s);
        uint32_t count[CUT_TILES];
        struct cut_tiles t;

        t.start = segment + ((tile + WARP_ID) << a->log_tile);
        t.first = samples + ((tile + WARP_ID) << (a->log_tile - low_bit(a->at.every)));
        t.tiles = tiles - tile;
        t.left = tile + WARP_ID < tiles ? items - ((tile + WARP_ID) << a->log_tile) : 0u;
        count_drawn(count, a, t, v);
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            if (a->at.every > 32u)
                count[j] = count_far(a, t, j, count[j], v);
            else
                count[j] = count_line(a, t, j, count[j], v);
        }
        if (there) {
            UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
            {
                count[j] = count_more(a, t, j, count[j], v);
            }
        }
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            sh_st4(cell_of(j), there ? count[j] : 0u);
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
