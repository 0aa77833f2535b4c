/* tile_order.h - a tile of a partition: its items are ranked, put into order in shared memory, and
 * written.
 *
 * What prim/tile_scatter.h does for any digit is put together here for a pass's digit, with few
 * bins (up to 32) or many.
 */
#ifndef CW_PARTITION_TILE_ORDER_H
#define CW_PARTITION_TILE_ORDER_H

#include "partition/rule.h"
#include "prim/tile_scatter.h"

/* Where the items of bucket LANE_ID begin, of two buckets.  The first is filled from the front, the
 * second from the end. */
DEV uint64_t take_room(const struct partition_job *a, uint32_t items)
{
    if (LANE_ID == 0)
        return gm_add8(&a->state->ends[1], (uint64_t)items);
    if (LANE_ID == 1)
        return a->n - items - gm_add8(&a->state->back, (uint64_t)items);
    return 0;
}

/* Put the ranked tile into order; few bins.  `mine` is what rank_few found.  `once`, a constant:
 * where items go is asked for, and does not stand at TILE_BASE. */
DEV void place_few(const struct partition_job *a, const struct tile *t, uint32_t count,
                   struct digit d, uint32_t mine, int full, int once)
{
    const uint32_t first = WARP_ID * 32u * SCATTER_PER + LANE_ID;
    uint32_t total = 0;
    uint32_t place = 0;
    uint32_t before;

    sh_st4(TILE_COUNTS + 4u * THREAD_ID, mine);
    block_sync();
    UNROLL4 for (uint32_t w = 0; w < SCATTER_WARPS; w++)
    {
        const uint32_t x = sh_ld4(TILE_COUNTS + 4u * (32u * w + LANE_ID));

        place = w == WARP_ID ? total : place;
        total += x;
    }
    before = warp_scan(total) - total;
    place += before;
    if (WARP_ID == 0) {
        const uint64_t at = once ? take_room(a, total) : sh_ld8(TILE_BASE + 8u * LANE_ID);

        sh_st8(TILE_DELTA + 8u * LANE_ID, address_of(a->move.out) + 4u * (at - before));
        if (!once)
            sh_st8(TILE_BASE + 8u * LANE_ID, at + total);
    }
    UNROLL for (uint32_t i = 0; i < SCATTER_PER; i++)
    {
        const uint32_t at = shfl4(place, digit_of(word_of(t->x[i], d), d)) + rank_of(t, i);

        if (full || first + 32u * i < count)
            put_item(t, i, at, FEW_ITEMS);
    }
    block_sync();
}

/* Put the tile, whose keys are loaded, into order.  bits 0: many bins.  It begins at `from`; if
 * that is not 0, where shared memory at `at` says, which saves two registers. */
DEV void tile_order(const struct partition_job *a, struct tile *t, uint64_t from, uint32_t at,
                    uint32_t count, struct digit d, uint32_t bits, int full, int once)
{
    const uint32_t *const values = (const uint32_t *)a->move.in_values;

    if (bits) {
        const uint32_t mine = rank_few(t, count, d, bits, full);

        tile_forget(t);
        tile_values(t, values, at ? sh_ld8(at) : from, count, full);
        place_few(a, t, count, d, mine, full, once);
    } else {
        tile_digits(t, d, full);
        rank_many(t, count, d, full);
        tile_forget(t);
        columns_many(address_of(a->move.out), digits_kept(d, full));
        tile_values(t, values, at ? sh_ld8(at) : from, count, full);
        place_many(t, count, d, full);
    }
}

/* The last tile of a piece, which is not full; few as it is, it need not be fast. */
DEV_APART void tile_rest(const struct partition_job *a, uint64_t from, uint32_t count,
                         struct digit d, uint32_t bits, int once)
{
    struct tile t;

    tile_keys(&t, (const uint32_t *)a->move.in + from, count, 0);
    tile_order(a, &t, from, 0, count, d, bits, 0, once);
    tile_write(tile_apart(a->move.out, a->move.out_values), count, d, bits ? FEW_ITEMS : MANY_ITEMS,
               !bits, 0);
}

#endif
