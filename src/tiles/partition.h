/* partition.h - stable partition of a tile by labels 0 .. 31, a bit of the label at a time.
 *
 * Part of a tile: a warp has 512 items, lane i number 32 r + i in round r = 0 .. 15, each in a
 * word of 8 bytes with its label.  A split by one bit goes through shared memory:
 *
 *      write   round by round, items with bit 0 to the next places from the low end, upwards,
 *              items with bit 1 to the next places from the high end, downwards
 *      read    in the order of before: what stands below the meeting point upwards, then what
 *              stands above it from the high end downwards
 *
 * A lane finds its place by a ballot: how many lanes before it have a 1.  Nothing has to be
 * counted first, as both ends meet where they meet.  Splits by all bits from the lowest on sort by
 * label and keep the order of equals.
 *
 * No bank is asked twice.  Let low and high be the next places, counted so that the ones go to
 * high - 1, high - 2, ..; places are modulo B = 16, a bank of 8 bytes each, and half a warp asks
 * at once.
 *   - Writing: low = high modulo B at first, as all runs are multiples of 32.  If z of the B lanes
 *     have a 0, they take low .. low+z-1 and the others high-1 down to high-(B-z) = low+z modulo B:
 *     all B banks.  Afterwards low+z and high-(B-z) are equal modulo B again.
 *   - Reading B places from a multiple of B on: if the first z are below the meeting point they are
 *     in banks 0 .. z-1, and the others, from the high end down, in banks B-1, B-2, .., z.
 * So every request is ideal, on any labels, and their number is the same on all.  Addresses are
 * not: tiles/permute.h has a partition whose addresses are (order).
 *
 * A warp does this in its own shared memory, with no barrier for all.  If a tile has several
 * warps, these then add up how often each of them has each label (lane i counts label i by 5
 * ballots a round; a line of 32 words a warp), and each writes its runs of equal labels to global
 * memory.  Runs are 16 items on average with 32 labels, against 1 if items went to global memory
 * as they come.
 *
 * Why so: a scatter to shared memory collides; a sorting network over (label, place, item) takes
 * 3.5 times as many wavefronts for 4096 items and 32 labels (76 for 32 items against 22), and more
 * instructions; a network over (label, place) alone leaves a gather of single words from global
 * memory.  With fewer labels there are fewer splits, but not fewer steps of a network.
 *
 * Time, b bits: b writes and b reads of 8 bytes an item, about 16 instructions a bit, and 12 for
 * the counts; block: also w reads of a line by each of w warps.  Space: 8 bytes an item; block:
 * 128 a warp more.
 */
#ifndef CW_TILES_PARTITION_H
#define CW_TILES_PARTITION_H

#include "dev/kernel.h"
#include "tiles/tiles.h"
#include "prim/warp_scan.h"

#define PART_K   (1 << CW_TILES_LOG_K) /* items of a lane */
#define PART_LOG (CW_TILES_LOG_K + 5)  /* items of a warp, a part */

/* ---- words ---------------------------------------------------------------------------------- */

/* Ones that hold 0 .. ways - 1, but not more than `most`. */
DEV uint32_t label_mask(uint32_t ways, uint32_t most)
{
    uint32_t mask = 0;

    while (mask + 1u < ways && mask < most)
        mask = 2u * mask + 1u;
    return mask;
}

/* This lane's first item of a part, counted over all tiles.  It has every 32nd from there. */
DEV uint64_t part_item(uint64_t part)
{
    return (part << PART_LOG) + LANE_ID;
}

/* How many rounds of a part have items: all, except where small tiles end. */
DEV uint32_t part_rounds(const struct cw_tiles_items *a, uint64_t part, int wide)
{
    const uint64_t left = (a->count << a->log_n) - (part << PART_LOG);

    if (wide)
        return (uint32_t)PART_K;
    return left >> PART_LOG ? (uint32_t)PART_K : (uint32_t)left / 32u;
}

/* Load the lane's words: the item, and above it what it goes by.  Zeros where there are no
 * items. */
DEV void part_load(uint64_t *w, const struct cw_tiles_items *a, uint64_t part, uint32_t mask,
                   int wide)
{
    const uint32_t *const in = a->in + part_item(part);
    const uint32_t *const by = a->by + part_item(part);
    const uint32_t rounds = part_rounds(a, part, wide);

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint32_t x = (uint32_t)r < rounds ? gm_ld4(by + 32 * r) : 0u;
        const uint32_t y = (uint32_t)r < rounds ? gm_ld4(in + 32 * r) : 0u;

        w[r] = (uint64_t)(x & mask) << 32 | y;
    }
}

/* Store the lane's words, round r to where round r was loaded from. */
DEV void part_store(const uint64_t *w, const struct cw_tiles_items *a, uint64_t part, int wide)
{
    uint32_t *const out = a->out + part_item(part);
    const uint32_t rounds = part_rounds(a, part, wide);

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        if ((uint32_t)r < rounds)
            gm_st4(out + 32 * r, (uint32_t)w[r]);
    }
}

/* ---- a split -------------------------------------------------------------------------------- */

/* Where this lane's item goes, as a byte, if its bit is 0 and if it is 1, and the bits of all lanes
 * before it are 0. */
struct split {
    uint32_t zero, one;
};

/* Begin to split a run from byte `begin` to byte `end` of shared memory.  Of the `items` items that
 * go before, `ones` have a 1. */
DEV void split_begin(struct split *s, uint32_t begin, uint32_t end, uint32_t items, uint32_t ones)
{
    s->zero = begin + 8u * (items - ones + LANE_ID);
    s->one = end - 8u * (ones + 1u);
}

/* Find the lane's byte, if the lanes of `mask` have a 1.  Then go on to the next 32 items. */
DEV uint32_t split_byte(struct split *s, uint32_t mask)
{
    const uint32_t before = bit_count(mask & ((1u << LANE_ID) - 1u));
    const uint32_t ones = bit_count(mask);
    const uint32_t at = (mask >> LANE_ID & 1u ? s->one : s->zero) - 8u * before;

    s->zero += 8u * (32u - ones);
    s->one -= 8u * ones;
    return at;
}

/* Write every `rounds` rounds of the part, split by bit b, to shared memory from `base` on.  meet[r]
 * is the byte up to which there are zeros after round r. */
DEV void split_rounds(const uint64_t *w, int b, uint32_t rounds, uint32_t base, uint32_t *meet)
{
    struct split s = {0, 0};

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint32_t mask = ballot(w[r] >> (32 + b) & 1u);
        const uint32_t begin = base + 256u * (uint32_t)r;

        if (((uint32_t)r & (rounds - 1u)) == 0)
            split_begin(&s, begin, begin + 256u * rounds, 0, 0);
        sh_st8(split_byte(&s, mask), w[r]);
        meet[r] = s.zero - 8u * LANE_ID;
    }
    warp_sync();
}

/* Split every `rounds` rounds of the part by bit b, in shared memory from `base` on. */
DEV void split_part(uint64_t *w, int b, uint32_t rounds, uint32_t base)
{
    uint32_t meet[PART_K];
    uint32_t middle = 0;

    split_rounds(w, b, rounds, base, meet);
    UNROLL for (int r = PART_K - 1; r >= 0; r--)
    {
        const uint32_t last = (uint32_t)r | (rounds - 1u); /* round of the run */
        const uint32_t up = base + 256u * (uint32_t)r + 8u * LANE_ID;
        const uint32_t m = meet[r];
        uint32_t at;

        middle = (uint32_t)r == last ? m : middle;
        at = up < middle ? up : base + 256u * last + 248u + middle - up;
        w[r] = sh_ld8(at);
    }
    warp_sync(); /* before these places are written again */
}

/* ---- counts --------------------------------------------------------------------------------- */

/* How many of the warp's labels are this lane's number. */
DEV uint32_t label_count(uint32_t label)
{
    uint32_t same = 0xffffffffu;

    UNROLL for (int b = 0; b < 5; b++)
    {
        const uint32_t ones = ballot(label >> b & 1u);

        same &= LANE_ID >> b & 1u ? ones : ~ones;
    }
    return bit_count(same);
}

/* Lane i has the number of items with label i: write where each label begins. */
DEV void offsets_store(uint32_t *offsets, uint64_t tile, uint32_t count)
{
    const uint32_t upto = warp_scan(count);

    gm_st4(offsets + tile * CW_TILES_OFFSETS + LANE_ID, upto - count);
    if (LANE_ID == 31)
        gm_st4(offsets + tile * CW_TILES_OFFSETS + 32, upto);
}

/* Write the offsets of all tiles of a part, of `rounds` rounds each.  Labels are in bits `shift`
 * up. */
DEV void part_offsets(const uint64_t *w, const struct cw_tiles_items *a, uint64_t part,
                      uint32_t rounds, int shift)
{
    uint32_t count = 0;

    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint64_t tile = ((part << PART_LOG) + 32u * (uint32_t)r) >> a->log_n;

        count += label_count((uint32_t)(w[r] >> shift));
        if (((uint32_t)r & (rounds - 1u)) == rounds - 1u) {
            if (tile < a->count)
                offsets_store(a->offsets, tile, count);
            count = 0;
        }
    }
}

/* How many items have a label: in all warps of the block, in those before this one, in this one. */
struct label_counts {
    uint32_t all, before, own;
};

/* Lane i writes the number of label i to the line of its warp.  After a barrier it gets all
 * three. */
DEV void block_counts_put(uint32_t count, uint32_t base)
{
    sh_st4(base + CW_TILES_LINE * WARP_ID + 4u * LANE_ID, count);
}

DEV void block_counts_get(struct label_counts *c, uint32_t base)
{
    c->all = 0;
    UNROLL4 for (uint32_t warp = 0; warp < BLOCK_DIM / 32u; warp++)
    {
        const uint32_t x = sh_ld4(base + CW_TILES_LINE * warp + 4u * LANE_ID);

        if (warp == WARP_ID) {
            c->before = c->all;
            c->own = x;
        }
        c->all += x;
    }
}

/* ---- tiles ---------------------------------------------------------------------------------- */

/* Partition a part of several tiles, or of one. */
DEV void warp_partition(const struct cw_tiles_items *a, uint64_t part)
{
    const uint32_t mask = label_mask(a->ways, 31);
    uint32_t rounds = 1u << (a->log_n - 5u);
    uint64_t w[PART_K];

    part_load(w, a, part, mask, 0);
    part_offsets(w, a, part, rounds, 32);
    ROLL for (int b = 0; mask >> b; b++)
    {
        rounds = shfl4(rounds, 0); /* as it was; or 32 comparisons with it are kept in registers */
        split_part(w, b, rounds, WARP_ID * (8u << PART_LOG));
    }
    part_store(w, a, part, 0);
}

/* Partition a tile of as many parts as the block has warps. */
DEV void block_partition(const struct cw_tiles_items *a, uint64_t tile)
{
    const uint32_t warps = BLOCK_DIM / 32u;
    const uint32_t counts = warps * (8u << PART_LOG);
    const uint32_t mine = WARP_ID * (8u << PART_LOG);
    const uint32_t mask = label_mask(a->ways, 31);
    uint32_t *const out = a->out + (tile << a->log_n);
    struct label_counts c = {0, 0, 0};
    uint32_t to;
    uint64_t w[PART_K];

    part_load(w, a, tile * warps + WARP_ID, mask, 1);
    UNROLL for (int r = 0; r < PART_K; r++) c.own += label_count((uint32_t)(w[r] >> 32));
    block_counts_put(c.own, counts);
    ROLL for (int b = 0; mask >> b; b++) split_part(w, b, PART_K, mine);
    block_sync();
    block_counts_get(&c, counts);
    if (WARP_ID == 0)
        offsets_store(a->offsets, tile, c.all);
    /* Where label LANE_ID goes, less the place that it has in this part: a table in its own
     * memory. Lanes with one label share a word, others ask other banks.  (By shuffles it would
     * cost as much, and registers.) */
    to = warp_scan(c.all - c.own) - (c.all - c.own) + c.before;
    sh_st4(mine + 4u * LANE_ID, to);
    warp_sync();
    UNROLL for (int r = 0; r < PART_K; r++)
    {
        const uint32_t e = sh_ld4(mine + 4u * (uint32_t)(w[r] >> 32));

        gm_st4(out + (e + 32u * (uint32_t)r + LANE_ID), (uint32_t)w[r]);
    }
}

/* How many parts there are.  Warps of all blocks take one after another. */
DEV uint64_t part_count(const struct cw_tiles_items *a)
{
    return ((a->count << a->log_n) + (1u << PART_LOG) - 1u) >> PART_LOG;
}

#ifdef TILES_PARTITION

KERNEL(cw_tiles_partition_warp, struct cw_tiles_items, 128, 8)
{
    const uint64_t warps = BLOCK_DIM / 32u;

    ROLL for (uint64_t part = BLOCK_ID * warps + WARP_ID; part < part_count(arg);
              part += GRID_DIM * warps)
    {
        warp_partition(arg, part);
    }
}

KERNEL(cw_tiles_partition_block, struct cw_tiles_items, 512, 2)
{
    ROLL for (uint64_t tile = BLOCK_ID; tile < arg->count; tile += GRID_DIM)
    {
        block_partition(arg, tile);
        block_sync(); /* all have read the counts */
    }
}

#endif

#endif
