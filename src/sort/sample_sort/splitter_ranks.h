/* splitter_ranks.h - where a pass's tiles are cut into buckets.
 *
 *      sample    of every tile, one of every `every` items, q, a power of two
 *      cut       for every bucket's splitter and every tile: how many items are less, how many
 *                equal
 *
 * Between them samples of each segment are sorted.  In a segment of L items, P tiles and K buckets,
 * bucket b should begin at rank b L / K.  If a tile has its samples at place p of each line of q
 * items, and j of them are below a key, then j q + p - (q - 1) .. j q + p of its items are.  So
 * sample number c (from 0) has a rank of c q + (the sum of all p), or up to R = (P - 1)(q - 1)
 * less.  The splitter is the sample for which the rank that is wanted is a certain way between the
 * two: a bucket is at most R and q longer than L / K, whatever the keys are, and q more where a
 * segment's last tile has items past its last line.
 *
 * In arrays of random keys ranks are in the middle of that, in sorted ones where p says.  p differs
 * from tile to tile (drawn_place), so that this is the middle, too; and tiles that are alike, or
 * whose buckets have few lines of each, have samples of different ranks all the same.
 *
 * Items that are equal to a splitter may go to either side; how many do is decided where all counts
 * are known (sample_sort/bucket_scan.h).
 *
 * A warp looks for 32 splitters in a tile: first each lane for one, in the tile's samples, and in
 * the items up to the next one until 128 bytes of these are left; then all lanes together in these,
 * by votes.  Counts leave through shared memory, since tables have tiles next to each other: rows
 * of 33 words, so that rows and columns are in 32 banks.
 *
 * Samples at even distances of sorted runs, and the bound that they give: Shi and Schaeffer (1992).
 */
#ifndef CW_SORT_SAMPLE_SORT_SPLITTER_RANKS_H
#define CW_SORT_SAMPLE_SORT_SPLITTER_RANKS_H

#include "sort/sample_sort/find.h"
#include "sort/sample_sort/key.h"

#define CUT_THREADS 256u
#define CUT_SHARED  ((uint32_t)sizeof(struct cut_shared))
#define CUT_TILES   4                  /* that a warp searches at once */
#define CUT_WIDTH   (128u >> PART_LOG) /* items that it looks at together: a line of memory */
#define CUT_BATCH   8                  /* of these lines that it reads at once */

/* Shared memory: counts of 32 splitters in 32 tiles, in rows of 33 words. */
struct cut_shared {
    uint32_t row[32][33];
};
FITS(sizeof(struct cut_shared));

DEV uint32_t tile_length(uint64_t items, uint32_t tile, uint32_t log_tile)
{
    const uint64_t left = items - ((uint64_t)tile << log_tile);

    return left < 1u << log_tile ? (uint32_t)left : 1u << log_tile;
}

/* A block a tile. */
DEV void sample_sort_sample(const struct sample_sort_job *a)
{
    const uint32_t segments = gm_ld4(a->at.count);
    const uint32_t q = a->at.every;

    if (BLOCK_ID < gm_ld4(a->at.tiles + segments)) {
        const uint32_t s = find_last(a->at.tiles, segments, BLOCK_ID);
        const uint32_t tile = BLOCK_ID - gm_ld4(a->at.tiles + s);
        const uint64_t start = gm_ld8(a->at.start + s);
        const uint32_t length = tile_length(gm_ld8(a->at.start + s + 1) - start, tile, a->log_tile);
        const uint32_t place = drawn_place(tile, q, length >> a->log_tile);
        const uint64_t from = start + ((uint64_t)tile << a->log_tile) + place;
        const uint64_t to = gm_ld8(a->at.samples + s) + (uint64_t)tile * ((1u << a->log_tile) / q);

        UNROLL4 for (uint32_t i = THREAD_ID; i < length / q; i += BLOCK_DIM)
        {
            put_part(a->drawn, to + i, load_part(a, from + (uint64_t)i * q, IS_NARROW(a)));
        }
    }
}

/* Whether i + 1 of the first row are less than those of the second that are before sample c
 * then. */
DEV int before_second(const struct sample_sort_job *a, uint64_t first, uint32_t m, uint32_t c,
                      uint32_t i)
{
    return get_part(a->samples, first + i) < get_part(a->samples, first + m + (c - 1u - i));
}

/* Sample c of a segment, whose samples are two sorted rows, of m and k: as many of the first are
 * before it as are less than those of the second that then are.  The second is empty, nearly
 * always. */
DEV part sample_of(const struct sample_sort_job *a, uint64_t first, uint32_t m, uint32_t k,
                   uint32_t c)
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
DEV part splitter(const struct sample_sort_job *a, uint32_t s, uint32_t b, uint32_t buckets)
{
    const uint64_t items = gm_ld8(a->at.start + s + 1) - gm_ld8(a->at.start + s);
    const uint64_t first = gm_ld8(a->at.samples + s);
    const uint64_t count = gm_ld8(a->at.samples + s + 1) - first;
    const uint32_t q = a->at.every, row = count < a->at.row ? (uint32_t)count : a->at.row;
    const uint64_t c = items * b / buckets / q;

    return sample_of(a, first, row, (uint32_t)count - row, (uint32_t)(c < count ? c : count - 1u));
}

/* The tiles that a warp looks at, of a segment: its first, and those that are a block's warps
 * farther each.  Places fit in 32 bits, as there are at most 2^30 items. */
struct cut_tiles {
    uint32_t start; /* item of the first tile */
    uint32_t first; /* sample */
    uint32_t left;  /* items up to the segment's end */
    uint32_t tiles; /* from the block's first one on */
    uint32_t tile;  /* of the segment: the first */
};

DEV uint32_t cut_step(const struct sample_sort_job *a, uint32_t j)
{
    return (CUT_THREADS / 32u * j) << a->log_tile;
}

DEV uint32_t cut_length(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j)
{
    const uint32_t left = t.left > cut_step(a, j) ? t.left - cut_step(a, j) : 0u;

    return left < 1u << a->log_tile ? left : 1u << a->log_tile;
}

/* How far tile j's lines, each of which a sample ends, begin before the tile. */
DEV uint32_t cut_before(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j)
{
    const uint32_t q = a->at.every;
    const int full = cut_length(a, t, j) >> a->log_tile;

    return q - 1u - drawn_place(t.tile + CUT_THREADS / 32u * j, q, full);
}

/* Sample i of tile j. */
DEV part cut_sample(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j, uint32_t i)
{
    return get_part(a->drawn, t.first + (cut_step(a, j) >> low_bit(a->at.every)) + i);
}

DEV part cut_item(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j, uint32_t i)
{
    return load_part(a, t.start + cut_step(a, j) + i, IS_NARROW(a));
}

/* Items of the line that a warp looks at together. */
DEV uint32_t cut_width(const struct sample_sort_job *a)
{
    return a->at.every < CUT_WIDTH ? a->at.every : CUT_WIDTH;
}

/* Where cut_width items of each tile begin that v is among, below 0 if the first of them are none:
 * by the tile's samples, and then by items, as far as a line is longer than that. */
DEV void find_line(uint32_t *at, const struct sample_sort_job *a, struct cut_tiles t, part v)
{
    const uint32_t q = a->at.every, log_q = low_bit(q);

    UNROLL for (uint32_t j = 0; j < CUT_TILES; j++) at[j] = 0;
    ROLL for (uint32_t step = 1u << (a->log_tile - log_q); step; step /= 2u)
    {
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            if (at[j] + step <= cut_length(a, t, j) >> log_q)
                at[j] += cut_sample(a, t, j, at[j] + step - 1u) < v ? step : 0u;
        }
    }
    UNROLL for (uint32_t j = 0; j < CUT_TILES; j++) at[j] = at[j] * q - cut_before(a, t, j);
    ROLL for (uint32_t step = q / 2u; step >= cut_width(a); step /= 2u)
    {
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
            const uint32_t i = at[j] + step - 1u;

            if ((int32_t)i < 0 || (i < cut_length(a, t, j) && cut_item(a, t, j, i) < v))
                at[j] += step;
        }
    }
}

/* Of the items that rounds `from` to from + CUT_BATCH - 1 look at, those that are less than their
 * splitters, and those that are equal, as votes to the lanes of the splitters. */
DEV void vote_lines(uint32_t *less, uint32_t *equal, const struct sample_sort_job *a,
                    struct cut_tiles t, uint32_t j, uint32_t start, part v, uint32_t from)
{
    const uint32_t length = cut_length(a, t, j), width = cut_width(a);
    const uint32_t log_w = low_bit(width), each = 5u - log_w; /* log of splitters a round */
    const uint32_t ones = 0xffffffffu >> (32u - width);
    part x[CUT_BATCH];

    UNROLL for (uint32_t i = 0; i < CUT_BATCH; i++)
    {
        const uint32_t lane = ((from + i) << each) + (LANE_ID >> log_w);
        const uint32_t at = shfl4(start, lane & 31u) + (LANE_ID & (width - 1u));

        x[i] = at < length && lane < 32u ? cut_item(a, t, j, at) : 0u;
    }
    UNROLL for (uint32_t i = 0; i < CUT_BATCH; i++)
    {
        const uint32_t lane = ((from + i) << each) + (LANE_ID >> log_w);
        const uint32_t at = shfl4(start, lane & 31u) + (LANE_ID & (width - 1u));
        const part w = shfl_part(v, lane & 31u);
        const uint32_t below = ballot(at < length && x[i] < w);
        const uint32_t same = ballot(at < length && x[i] == w);
        const uint32_t mine = LANE_ID - ((from + i) << each);

        if (mine < 1u << each) {
            *less = below >> (mine << log_w) & ones;
            *equal = same >> (mine << log_w) & ones;
        }
    }
}

/* Items of one tile that are less, and 65536 times those that are equal, of the ones looked at. */
DEV uint32_t count_line(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j,
                        uint32_t start, part v)
{
    /* None, if no warp has the tile.  (That a compiler can see that all lanes agree keeps registers
     * free.) */
    const uint32_t rounds = CUT_THREADS / 32u * j < t.tiles ? cut_width(a) : 0u;
    uint32_t less = 0, equal = 0;

    ROLL for (uint32_t from = 0; from < rounds; from += CUT_BATCH)
        vote_lines(&less, &equal, a, t, j, start, v, from);
    return (((int32_t)start < 0 ? 0u : start) + bit_count(less)) | bit_count(equal) << 16;
}

/* Add the equal ones beyond, if the next is: by samples, of which there may be few more, then in
 * the line where they end. */
DEV uint32_t count_more(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j,
                        uint32_t count, part v)
{
    const uint32_t q = a->at.every, length = cut_length(a, t, j), before = cut_before(a, t, j);
    const uint32_t samples = length >> low_bit(q);
    uint32_t upto = (count & 0xffffu) + (count >> 16);
    uint32_t line = (upto + before) >> low_bit(q), step = 1;

    if (!(count >> 16) || (upto + before) % cut_width(a) || upto == length ||
        cut_item(a, t, j, upto) != v)
        return count;
    ROLL while (line + step <= samples && cut_sample(a, t, j, line + step - 1u) == v)
    {
        line += step;
        step *= 2u;
    }
    ROLL for (step /= 2u; step; step /= 2u)
    {
        if (line + step <= samples && cut_sample(a, t, j, line + step - 1u) == v)
            line += step;
    }
    upto = line * q > upto + before ? line * q - before : upto;
    ROLL for (step = q / 2u; step; step /= 2u)
    {
        if (upto + step <= length && cut_item(a, t, j, upto + step - 1u) == v)
            upto += step;
    }
    return (count & 0xffffu) | (upto - (count & 0xffffu)) << 16;
}

/* Where the lane has its count of tile j. */
DEV uint32_t cell_of(uint32_t j)
{
    return SHARED_AT(cut_shared, row[1]) * LANE_ID + 4u * (WARP_ID + CUT_THREADS / 32u * j);
}

/* A block a unit: 32 tiles and 32 splitters of a segment. */
DEV void sample_sort_cut(const struct sample_sort_job *a)
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
        const part v = there ? splitter(a, s, b, buckets) : 0u;
        uint32_t *const out = a->raw + gm_ld4(a->at.cells + s);
        uint32_t count[CUT_TILES];
        struct cut_tiles t;

        t.start = segment + ((tile + WARP_ID) << a->log_tile);
        t.first = samples + ((tile + WARP_ID) << (a->log_tile - low_bit(a->at.every)));
        t.tiles = tiles - tile;
        t.tile = tile + WARP_ID;
        t.left = tile + WARP_ID < tiles ? items - ((tile + WARP_ID) << a->log_tile) : 0u;
        find_line(count, a, t, v);
        UNROLL for (uint32_t j = 0; j < CUT_TILES; j++)
        {
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
            const uint32_t x = sh_ld4(SHARED_AT(cut_shared, row[1]) * row + 4u * LANE_ID);

            if (bucket + row < buckets && tile + LANE_ID < tiles)
                gm_st4(out + (uint64_t)(bucket + row) * tiles + tile + LANE_ID, x);
        }
    }
}

#endif
