/* route.h - requests for elements go to the windows of the input that hold them.
 *
 * out[i] = in[p[i]] where the input is larger than the L2.  A tile of requests is ordered by window
 * (permute/slots.h) and appended to the windows' lists: `keys` has p[i], in the place that the
 * value will come back to.  Beside each i its place in the tile is kept, 16 bits, and for each tile
 * where its requests went; so a request needs no return address, and values come back by runs.
 *
 * A tile that a plain kernel would gather as fast (permute/look.h) is gathered here, and sends
 * nothing.
 *
 * A list has as many places as its window has elements, all that a permutation needs.  If an index
 * names elements of a window more often, those beyond are fetched by `back` where they are.
 *
 * Requests are brought into the order of memory, as a permutation in external memory is done by
 * sorting (Aggarwal and Vitter 1988).  It departs in that only requests move there, and values come
 * back by runs.
 */
#ifndef CW_PERMUTE_ROUTE_H
#define CW_PERMUTE_ROUTE_H

#include "permute/look.h"
#include "permute/slots.h"

/* Put requests in the order of slots, and note where they stand. */
DEV void route_tile(const struct permute_route *a, const uint32_t *key, const uint32_t *rank,
                    uint64_t start, uint32_t count)
{
    UNROLL for (uint32_t i = 0; i < ROUTE_ITEMS; i++)
    {
        const uint32_t j = i * TILE_THREADS + THREAD_ID;
        uint32_t place = PERMUTE_LEAVE;

        if (key[i] != PERMUTE_NONE) {
            const uint32_t bin = key[i] >> a->shift;
            const uint32_t at = sh_ld4(TILE_START + 4u * bin) + rank[i];
            const uint32_t to = sh_ld4(TILE_BASE + 4u * bin) + rank[i];

            sh_st4(ROUTE_PLACES + 4u * at, key[i]);
            place = to >> a->shift == 0 && ((uint64_t)bin << a->shift) + to < a->n ? at
                                                                                   : PERMUTE_DIRECT;
        }
        if (j < count)
            gm_st2(a->places + start + j, place);
    }
}

#define ROUTE_DIRECT (ROUTE_ITEMS < 8u ? ROUTE_ITEMS : 8u) /* of a thread, under way at a time */

/* A tile whose elements are near each other: from where they are. */
DEV void route_direct(const struct permute_route *a, const uint32_t *key, uint64_t start)
{
    UNROLL for (uint32_t first = 0; first < ROUTE_ITEMS; first += ROUTE_DIRECT)
    {
        value v[ROUTE_DIRECT];

        UNROLL for (uint32_t i = 0; i < ROUTE_DIRECT; i++)
        {
            const value zero = VALUE_ZERO;

            v[i] = zero;
            if (key[first + i] != PERMUTE_NONE)
                v[i] = gm_ld_value(value_at(a->in, key[first + i]));
        }
        UNROLL for (uint32_t i = 0; i < ROUTE_DIRECT; i++)
        {
            if (key[first + i] != PERMUTE_NONE)
                gm_st_value(value_to(a->out, start + (first + i) * TILE_THREADS + THREAD_ID), v[i]);
        }
    }
}

/* Whether the survey found that lines come back while the L2 has them, where this tile is. */
DEV uint32_t route_reuses(const struct permute_route *a, uint64_t start)
{
    const uint64_t region = start / a->region;
    const uint32_t at = 2u * (region < PERMUTE_REGIONS ? (uint32_t)region : PERMUTE_REGIONS - 1u);

    return 2u * gm_ld4(a->survey + at + 1u) < gm_ld4(a->survey + at);
}

/* Whether this tile's requests are to be sent. */
DEV uint32_t route_look(const struct permute_route *a, const uint32_t *key, uint64_t start,
                        uint32_t count)
{
    const uint32_t send =
        !a->look || !(route_reuses(a, start) ||
                      look_local(key, ROUTE_ITEMS, ROUTE_PLACES, count,
                                 PERMUTE_GATHER_CHANGES(TILE_CUDA), PERMUTE_GATHER_LINES));

    if (THREAD_ID == 0) {
        gm_st4(a->sent + BLOCK_ID, send);
        if (send)
            gm_add4(a->any, 1u);
    }
    if (!send)
        route_direct(a, key, start);
    return send;
}

KERNEL(PERMUTE_NAME(route), struct permute_route, TILE_THREADS, 2)
{
    const uint64_t start = (uint64_t)BLOCK_ID * ROUTE_TILE;
    const uint32_t count = least_of(arg->n - start, ROUTE_TILE);
    uint32_t key[ROUTE_ITEMS], rank[ROUTE_ITEMS];
    uint32_t mine = 0, base = 0, slots;

    tile_keys(key, ROUTE_ITEMS, arg->index, start, count, arg->wide, arg->n);
    if (THREAD_ID < arg->bins)
        sh_st4(TILE_COUNT + 4u * THREAD_ID, 0u);
    look_begin();
    block_sync();
    if (!route_look(arg, key, start, count))
        return;
    UNROLL for (uint32_t i = 0; i < ROUTE_ITEMS; i++)
    {
        rank[i] = 0;
        if (key[i] != PERMUTE_NONE)
            rank[i] = sh_add4(TILE_COUNT + 4u * (key[i] >> arg->shift), 1u);
    }
    block_sync();
    if (THREAD_ID < arg->bins) {
        mine = sh_ld4(TILE_COUNT + 4u * THREAD_ID);
        if (mine)
            base = gm_add4(arg->taken + THREAD_ID, mine);
        gm_st8(arg->table + (uint64_t)BLOCK_ID * arg->stride + THREAD_ID,
               (uint64_t)mine << 32 | base);
    }
    slots = slots_make(mine, base, arg->bins);
    route_tile(arg, key, rank, start, count);
    block_sync();
    UNROLL4 for (uint32_t s = WARP_ID; s < slots; s += TILE_THREADS / 32u)
    {
        const uint64_t to = slot_item(s, arg->shift);

        if (to < arg->n) {
            const uint32_t k = sh_ld4(ROUTE_PLACES + 4u * (32u * s + LANE_ID));

            gm_st4(arg->keys + to, k);
        }
    }
}

#endif
