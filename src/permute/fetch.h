/* fetch.h - values are fetched window by window, and come back to the tiles that asked.
 *
 *      fetch     values[j] = in[keys[j]], where neighbours ask for the same window: it stays in the
 *                L2, as blocks are started in order
 *      back      a tile's values, run by run, to shared memory; then each i takes the one at its
 *                place
 *
 * See permute/route.h.
 */
#ifndef CW_PERMUTE_FETCH_H
#define CW_PERMUTE_FETCH_H

#include "permute/slots.h"
#include "prim/element.h"

#define FETCH_TILE (PERMUTE_STREAM_ITEMS * PERMUTE_STREAM_THREADS(TILE_CUDA))

DEV void fetch_tile(const struct permute_route *a, uint64_t start, uint32_t count)
{
    const uint32_t threads = PERMUTE_STREAM_THREADS(TILE_CUDA);
    const value zero = VALUE_ZERO;
    uint32_t key[PERMUTE_STREAM_ITEMS];
    value v[PERMUTE_STREAM_ITEMS];

    UNROLL for (uint32_t i = 0; i < PERMUTE_STREAM_ITEMS; i++)
    {
        const uint32_t j = i * threads + THREAD_ID;

        key[i] = j < count ? gm_ld4(a->keys + start + j) : 0u;
    }
    UNROLL for (uint32_t i = 0; i < PERMUTE_STREAM_ITEMS; i++)
    {
        v[i] = zero;
        if (i * threads + THREAD_ID < count)
            v[i] = gm_ld_value(value_at(a->in, key[i]));
    }
    UNROLL for (uint32_t i = 0; i < PERMUTE_STREAM_ITEMS; i++)
    {
        const uint32_t j = i * threads + THREAD_ID;

        if (j < count)
            gm_st_value(value_to(a->values, start + j), v[i]);
    }
}

/* A block a tile: blocks that take several drift apart, and ask for more windows than the L2
 * has. */
KERNEL(PERMUTE_NAME(fetch), struct permute_route, PERMUTE_STREAM_THREADS(TILE_CUDA), 4)
{
    const uint64_t start = (uint64_t)BLOCK_ID * FETCH_TILE;
    const uint64_t bin = start >> arg->shift;
    uint64_t end;

    if (gm_ld4(arg->any) == 0)
        return;
    end = least8((bin << arg->shift) + gm_ld4(arg->taken + bin), arg->n);
    if (start < end)
        fetch_tile(arg, start, least_of(end - start, FETCH_TILE));
}

#define BACK_AHEAD 4u /* slots of a warp that are under way */

/* All slots to shared memory. */
DEV void back_slots(const struct permute_route *a, uint32_t slots)
{
    const value zero = VALUE_ZERO;

    ROLL for (uint32_t s = WARP_ID; s < slots; s += BACK_AHEAD * (TILE_THREADS / 32u))
    {
        value v[BACK_AHEAD];

        UNROLL for (uint32_t i = 0; i < BACK_AHEAD; i++)
        {
            const uint32_t slot = s + i * (TILE_THREADS / 32u);
            uint64_t from = UINT64_MAX;

            if (slot < slots)
                from = slot_item(slot, a->shift);
            v[i] = zero;
            if (from < a->n)
                v[i] = gm_ld_value(value_at(a->values, from));
        }
        UNROLL for (uint32_t i = 0; i < BACK_AHEAD; i++)
        {
            const uint32_t slot = s + i * (TILE_THREADS / 32u);

            if (slot < slots)
                sh_st_value(ROUTE_PLACES + VALUE_WORD * (32u * slot + LANE_ID), v[i]);
        }
    }
}

DEV void back_tile(const struct permute_route *arg, uint64_t tile)
{
    const uint64_t start = tile * ROUTE_TILE;
    const uint32_t count = least_of(arg->n - start, ROUTE_TILE);
    uint32_t place[ROUTE_ITEMS];
    uint64_t mine = 0;
    uint32_t slots;

    if (THREAD_ID < arg->bins)
        mine = gm_ld8(arg->table + tile * arg->stride + THREAD_ID);
    UNROLL for (uint32_t i = 0; i < ROUTE_ITEMS; i++)
    {
        const uint32_t j = i * TILE_THREADS + THREAD_ID;

        place[i] = j < count ? gm_ld2(arg->places + start + j) : PERMUTE_LEAVE;
    }
    slots = slots_make((uint32_t)(mine >> 32), (uint32_t)mine, arg->bins);
    back_slots(arg, slots);
    block_sync();
    UNROLL for (uint32_t i = 0; i < ROUTE_ITEMS; i++)
    {
        const uint64_t at = start + i * TILE_THREADS + THREAD_ID;

        if (place[i] < PERMUTE_LEAVE) {
            const value v = sh_ld_value(ROUTE_PLACES + VALUE_WORD * place[i]);

            gm_st_value(value_to(arg->out, at), v);
        } else if (rarely(place[i] == PERMUTE_DIRECT)) {
            const uint32_t from = index_at(arg->index, at, arg->wide, arg->n);

            gm_st_value(value_to(arg->out, at), gm_ld_value(value_at(arg->in, from)));
        }
    }
}

/* As many blocks as run at a time: if no tile sent anything they are soon gone. */
KERNEL(PERMUTE_NAME(back), struct permute_route, TILE_THREADS, 2)
{
    if (gm_ld4(arg->any) == 0)
        return;
    ROLL for (uint64_t tile = BLOCK_ID; tile * ROUTE_TILE < arg->n; tile += GRID_DIM)
    {
        if (gm_ld4(arg->sent + tile))
            back_tile(arg, tile);
        block_sync();
    }
}

#endif
