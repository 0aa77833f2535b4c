/* splitter_ranks.h - where a pass cuts its tiles into buckets.
 *
 *      sample    one item of every q of a tile is a sample; q is a power of two (`every`)
 *      cut       for every splitter and every tile: how many items are less, how many are equal
 *
 * Between these two kernels the samples of each segment are sorted.
 *
 * The bound.  A segment has L items, P tiles and K buckets.  Bucket b should begin at rank b L / K.
 * A tile has its samples at place p of each line of q items.  If j of its samples are below a key,
 * then j q + p - (q - 1) .. j q + p of its items are.  Summed over the tiles, sample number c (from
 * 0) has at most the rank c q + (the sum of all p), and at least R = (P - 1)(q - 1) less.  The
 * splitter is the sample whose wanted rank lies at a fixed point between these two.  So a bucket is
 * at most R + q longer than L / K, whatever the keys are.  It is q longer still if the segment's
 * last tile has items behind its last line.
 *
 * In arrays of random keys the rank lies in the middle of these bounds.  In sorted arrays it lies
 * where p says.  p differs from tile to tile (drawn_place), so that this is the middle, too.  Tiles
 * that are alike, or have few lines of each bucket, have samples of different ranks for the same
 * reason.
 *
 * Items that equal a splitter may go to either side.  How many go to which side is decided later,
 * when all counts are known (sample_sort/bucket_scan.h).
 *
 * The search.  A warp looks for 32 splitters in a tile.  First each lane looks for one of them: in
 * the tile's samples, then in the items up to the next sample, until 128 bytes of items are left.
 * Then all lanes look at these together, by votes.  Counts leave through shared memory, as tables
 * have tiles next to each other.  Rows there have 33 words, so that rows and columns are in 32
 * banks.
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

/* Write down the samples of a tile.  A block has one tile. */
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

/* Do at least i + 1 samples of the first row come before sample c?  They do if sample i of the
 * first row is less than sample c - 1 - i of the second. */
DEV int before_second(const struct sample_sort_job *a, uint64_t first, uint32_t m, uint32_t c,
                      uint32_t i)
{
    return get_part(a->samples, first + i) < get_part(a->samples, first + m + (c - 1u - i));
}

/* Find sample c of a segment whose samples are two sorted rows, of m and of k.  A search finds how
 * many of the first row come before it (merge path).  The second row is nearly always empty. */
DEV part sample_of(const struct sample_sort_job *a, uint64_t first, uint32_t m, uint32_t k,
                   uint32_t c)
{
    uint32_t low = c > k ? c - k : 0u;
    uint32_t high = c < m ? c : m;
    part x, y;

    ROLL while (low < high) /* three places at a time: that takes no longer than one */
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

/* The tiles of a segment that a warp looks at.  One of every CUT_THREADS / 32 is this warp's.
 * Places fit in 32 bits, as there are at most 2^31 items. */
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

/* How far before tile j its first line begins.  A sample ends each line. */
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

/* How many items of a line a warp looks at together. */
DEV uint32_t cut_width(const struct sample_sort_job *a)
{
    return a->at.every < CUT_WIDTH ? a->at.every : CUT_WIDTH;
}

/* Find the cut_width items of each tile that v belongs among.  at[] becomes where they begin, below
 * 0 if some of them are before the tile.  The tile's samples are searched first, then items, as
 * long as a line is longer than that. */
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

/* Rounds `from` to from + CUT_BATCH - 1 look at some items each.  Lanes vote which of them are less
 * than their splitter, and which are equal.  The votes go to the lanes of the splitters. */
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

/* Count the items of one tile that are less than the splitter, and 65536 times those that are
 * equal, among the ones looked at. */
DEV uint32_t count_line(const struct sample_sort_job *a, struct cut_tiles t, uint32_t j,
                        uint32_t start, part v)
{
    /* No rounds if no warp has the tile.  The compiler can see that all lanes agree, which keeps
     * registers free. */
    const uint32_t rounds = CUT_THREADS / 32u * j < t.tiles ? cut_width(a) : 0u;
    uint32_t less = 0, equal = 0;

    ROLL for (uint32_t from = 0; from < rounds; from += CUT_BATCH)
        vote_lines(&less, &equal, a, t, j, start, v, from);
    return (((int32_t)start < 0 ? 0u : start) + bit_count(less)) | bit_count(equal) << 16;
}

/* Add the equal items behind those that were looked at, if there are any.  The samples say in which
 * line they end; then that line is searched. */
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

/* Where the lane keeps its count of tile j. */
DEV uint32_t cell_of(uint32_t j)
{
    return SHARED_AT(cut_shared, row[1]) * LANE_ID + 4u * (WARP_ID + CUT_THREADS / 32u * j);
}

/* Count 32 splitters in 32 or 8 tiles of a segment: a unit.  A block has one unit. */
DEV void sample_sort_cut(const struct sample_sort_job *a)
{
    const uint32_t segments = gm_ld4(a->at.count);

    if (BLOCK_ID < gm_ld4(a->at.units + segments)) {
        const uint32_t s = find_last(a->at.units, segments, BLOCK_ID);
        const uint32_t unit = BLOCK_ID - gm_ld4(a->at.units + s);
        const uint32_t tiles = gm_ld4(a->at.tiles + s + 1) - gm_ld4(a->at.tiles + s);
        const uint32_t buckets = gm_ld4(a->at.buckets + s + 1) - gm_ld4(a->at.buckets + s);
        const uint32_t span = a->at.span, wide = (tiles + span - 1u) / span;
        const uint32_t tile = unit % wide * span, bucket = unit / wide * 32u;
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
        t.tiles = tiles - tile < span ? tiles - tile : span;
        t.tile = tile + WARP_ID;
        t.left = tile + WARP_ID < tiles ? items - ((tile + WARP_ID) << a->log_tile) : 0u;
        t.left = t.left < span << a->log_tile ? t.left : (span - WARP_ID) << a->log_tile;
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

            if (bucket + row < buckets && LANE_ID < t.tiles)
                gm_st4(out + (uint64_t)(bucket + row) * tiles + tile + LANE_ID, x);
        }
    }
}

#endif
