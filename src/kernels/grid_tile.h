/* grid_tile.h - move a range of items to their bins, by one block, keeping their order in a bin.
 *
 * Items are taken a tile at a time.  A warp has consecutive items of the tile, 32 a round; the
 * lanes whose items go to one bin find each other by votes, so a bin's counter is asked for once
 * a warp and round, whatever the keys are; every warp has counters of its own.  Prefix sums over
 * warps and bins turn counts into places, the tile is put into order in shared memory and
 * written from there: a bin's items go to consecutive addresses.
 *
 * This is the pass for sorts that keep the order of equals, and for skewed keys in all sorts:
 * its time depends on the keys only through the writes into shared memory.
 */
#ifndef CW_GRID_TILE_H
#define CW_GRID_TILE_H

#include "kernels/grid_count.h"

#ifndef TILE_PER /* items of a thread */
#define TILE_PER (KEY_BYTES + GRID_VALUES == 4 ? 16 : 8)
#endif
#define TILE_WARPS  (GRID_THREADS / 32u)
#define TILE_ITEMS  (GRID_THREADS * TILE_PER)
#define TILE_COUNTS SH_ITEMS /* u32 a warp and bin */
#define TILE_AT     (SH_ITEMS + 4u * TILE_WARPS * GRID_BINS)
#define TILE_BYTES  (TILE_AT + TILE_ITEMS * ITEM_BYTES)

/* Lanes whose b, below 1024, is the same. */
DEV uint32_t tile_peers(uint32_t b, uint32_t bits)
{
    uint32_t peers = 0xffffffffu;

    if (all_of(b == shfl4(b, 0)))
        return peers;
#if TILE_MATCH
    (void)bits;
    peers = match_any4(b);
#else
    UNROLL for (uint32_t i = 0; i < 10u; i++)
    {
        if (i < bits) {
            const uint32_t one = ballot(b >> i & 1u);
            const uint32_t mine = 0u - (b >> i & 1u);

            peers &= ~(one ^ mine);
        }
    }
#endif
    return peers;
}

/* Exclusive prefix sums over SH_BINS[0 .. bins - 1], which at most a thread each. */
DEV void scan_bins(uint32_t bins)
{
    const uint32_t mine = THREAD_ID < bins ? sh_ld4(SH_BINS + 4u * THREAD_ID) : 0u;
    uint32_t sum = mine;
    uint32_t before = 0;

    UNROLL for (uint32_t d = 1; d < 32u; d *= 2)
    {
        const uint32_t below = shfl_up4(sum, d);

        sum += LANE_ID >= d ? below : 0u;
    }
    if (LANE_ID == 31u)
        sh_st4(SH_MISC + MISC_WARP + 4u * WARP_ID, sum);
    block_sync();
    ROLL for (uint32_t w = 0; w < WARP_ID; w++) before += sh_ld4(SH_MISC + MISC_WARP + 4u * w);
    if (THREAD_ID < bins)
        sh_st4(SH_BINS + 4u * THREAD_ID, before + sum - mine);
    block_sync();
}

/* This thread's items of the tile at `from`, of at most `left` items. */
DEV void tile_load(item *x, const struct grid_job *j, uint32_t at, uint64_t from, uint64_t left)
{
    const key *const keys = keys_at(j, at);
    const uint32_t *const values = values_at(j, at);
    const uint32_t first = WARP_ID * 32u * TILE_PER + LANE_ID;

    UNROLL for (uint32_t i = 0; i < TILE_PER; i++) x[i] =
        first + 32u * i < left ? load_item(keys, values, from + first + 32u * i) : 0u;
}

/* Places of the items of this warp among those of their bins in the warp. */
DEV void tile_rank(const item *x, uint32_t *place, uint32_t count, struct digit d, uint32_t bins)
{
    const uint32_t first = WARP_ID * 32u * TILE_PER + LANE_ID;
    const uint32_t counts = TILE_COUNTS + 4u * GRID_BINS * WARP_ID;
    uint32_t bits = 1;

    ROLL while ((bins - 1u) >> bits) bits++;
    ROLL for (uint32_t b = LANE_ID; b < bins; b += 32u) sh_st4(counts + 4u * b, 0u);
    warp_sync();
    UNROLL for (uint32_t i = 0; i < TILE_PER; i++)
    {
        const int there = first + 32u * i < count;
        const uint32_t b = there ? item_digit(x[i], d) : 0u;
        const uint32_t peers =
            tile_peers(there ? b : (1u << bits), count == TILE_ITEMS ? bits : bits + 1u);
        const uint32_t below = bit_count(peers & ((1u << LANE_ID) - 1u));
        const uint32_t old = sh_ld4(counts + 4u * b);

        warp_sync();
        if (there && below == 0)
            sh_st4(counts + 4u * b, old + bit_count(peers));
        warp_sync();
        place[i] = b << 16 | (old + below);
    }
}

/* Sums over warps of this thread's bin: where the bin's items of each warp begin; the total. */
DEV uint32_t tile_columns(uint32_t bins)
{
    uint32_t total = 0;

    if (THREAD_ID < bins) {
        UNROLL4 for (uint32_t w = 0; w < TILE_WARPS; w++)
        {
            const uint32_t to = TILE_COUNTS + 4u * (GRID_BINS * w + THREAD_ID);
            const uint32_t mine = sh_ld4(to);

            sh_st4(to, total);
            total += mine;
        }
        sh_st4(SH_BINS + 4u * THREAD_ID, total);
    }
    block_sync();
    scan_bins(bins);
    return total;
}

/* Write the tile, which stands in order. */
DEV void tile_write(const struct grid_job *j, uint32_t at, uint32_t count, struct digit d)
{
    key *const keys = (key *)keys_at(j, moved_to(at));
    uint32_t *const values = (uint32_t *)values_at(j, moved_to(at));

    UNROLL4 for (uint32_t i = THREAD_ID; i < count; i += GRID_THREADS)
    {
        const item y = sh_ld_item(TILE_AT + i * ITEM_BYTES);
        const uint32_t b = item_digit(y, d);
        const uint64_t base = sh_ld8(SH_BASE + 8u * b);
        const uint32_t before = sh_ld4(SH_BINS + 4u * b);

        store_item(keys, values, base + i - before, y);
    }
}

/* Move items from .. to - 1.  SH_BASE says where the bins' next items go.  The next tile is asked
 * for before this one is written. */
DEV void tile_range(const struct grid_job *j, uint32_t at, uint64_t from, uint64_t to,
                    struct digit d, uint32_t bins)
{
    const uint32_t counts = TILE_COUNTS + 4u * GRID_BINS * WARP_ID;
    const uint32_t first = WARP_ID * 32u * TILE_PER + LANE_ID;
    item x[TILE_PER];

    tile_load(x, j, at, from, to - from);
    ROLL for (; from < to; from += TILE_ITEMS)
    {
        const uint32_t count = to - from < TILE_ITEMS ? (uint32_t)(to - from) : TILE_ITEMS;
        uint32_t place[TILE_PER];
        uint32_t total;

        tile_rank(x, place, count, d, bins);
        block_sync();
        total = tile_columns(bins);
        UNROLL for (uint32_t i = 0; i < TILE_PER; i++)
        {
            if (first + 32u * i < count) {
                const uint32_t b = place[i] >> 16;
                const uint32_t of_warp = sh_ld4(counts + 4u * b);
                const uint32_t of_bin = sh_ld4(SH_BINS + 4u * b);

                sh_st_item(TILE_AT + (of_warp + of_bin + (place[i] & 0xffffu)) * ITEM_BYTES, x[i]);
            }
        }
        block_sync();
        if (count == TILE_ITEMS)
            tile_load(x, j, at, from + TILE_ITEMS, to - from - TILE_ITEMS);
        tile_write(j, at, count, d);
        block_sync();
        if (THREAD_ID < bins) {
            const uint64_t base = sh_ld8(SH_BASE + 8u * THREAD_ID);

            sh_st8(SH_BASE + 8u * THREAD_ID, base + total);
        }
        block_sync();
    }
}

/* Bring items to another buffer, as they are. */
DEV void copy_range(const struct grid_job *j, uint32_t at, uint32_t other, uint64_t from,
                    uint64_t to)
{
    const key *const keys = keys_at(j, at);
    const uint32_t *const values = values_at(j, at);
    key *const keys_to = (key *)keys_at(j, other);
    uint32_t *const values_to = (uint32_t *)values_at(j, other);

    ROLL for (from += THREAD_ID; from < to; from += 4u * GRID_THREADS)
    {
        item x[4];

        UNROLL for (uint32_t i = 0; i < 4u; i++) x[i] =
            from + i * GRID_THREADS < to ? load_item(keys, values, from + i * GRID_THREADS) : 0u;
        UNROLL for (uint32_t i = 0; i < 4u; i++)
        {
            if (from + i * GRID_THREADS < to)
                store_item(keys_to, values_to, from + i * GRID_THREADS, x[i]);
        }
    }
}

#endif
