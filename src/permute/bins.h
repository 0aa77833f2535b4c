/* bins.h - bring items to bins by bits of their targets; then each to its place.
 *
 * For a permutation the bins' sizes are known, so there is no histogram: bin b of part p is so many
 * targets, and has so many items, in the same places.  A block takes a tile of items, counts them
 * by bin in shared memory (the old count is the item's rank), takes as many places from each bin's
 * cursor with one atomic addition, orders the tile by bin in shared memory, and writes it out.
 * Blocks run at about the same time, so the runs that they write to a bin are neighbours, and lines
 * are put together in the L2.
 *
 *      deal      the first pass of a shuffle: targets are computed (prim/bijection.h)
 *      pass      items to bins.  Tiles of later passes lie in one part, a bin of the pass before
 *      place     a bin that fits in shared memory: each item to its place there, then out
 *
 * A tile that a plain kernel would move as fast (permute/look.h) is written to the output by the
 * first pass.  A bin then has fewer items than places; `place` keeps what the others have.
 *
 * If the index is no permutation, a bin may get more items than it has places: those beyond are
 * left out, as are those out of range.  Nothing is read that was not written: `taken` says how many
 * were meant to come.  In a bin that is full although a place is not named, that place gets 0; all
 * others stay as they are.
 *
 * Shared memory is asked at random (ranks, and places): 32 lanes meet in 3.5 wavefronts or so.
 * Each of these kernels moves 12 to 16 bytes an item of 4, and waits for those.
 *
 * A pass is that of a radix sort by targets (Merrill and Grimshaw 2011) without its histogram.
 */
#ifndef CW_PERMUTE_BINS_H
#define CW_PERMUTE_BINS_H

#include "permute/look.h"
#include "prim/element.h"

#define PASS_ITEMS PERMUTE_ITEMS(TILE_CUDA, VALUE_LOG)
#define PASS_TILE  (PASS_ITEMS * TILE_THREADS)

/* Shared memory of a pass. */
struct pass_shared {
    struct index_tile_shared tile;
    uint32_t keys[PASS_TILE];
    uint8_t values[PASS_TILE][VALUE_WORD];
};

#define PASS_KEYS   SHARED_AT(pass_shared, keys)
#define PASS_VALUES SHARED_AT(pass_shared, values)

STATIC_ASSERT(sizeof(struct pass_shared) == PERMUTE_BINS_BYTES(TILE_CUDA, VALUE_LOG),
              "the host counts other bytes");
FITS(sizeof(struct pass_shared));

/* How many items this tile has. */
DEV uint32_t pass_count(const struct permute_pass *a, uint64_t start)
{
    const uint64_t part = a->first ? 0 : start >> a->part;
    uint64_t end = a->n;

    if (!a->first) {
        const uint64_t there = (part << a->part) + gm_ld4(a->given + part);

        end = there < end ? there : end;
        end = end < (part + 1u) << a->part ? end : (part + 1u) << a->part;
    }
    return start < end ? least_of(end - start, PASS_TILE) : 0u;
}

/* Take places for this thread's bin, and say where it starts in the tile. */
DEV void pass_reserve(const struct permute_pass *a, uint64_t bin)
{
    const uint32_t mine = THREAD_ID < a->bins;
    uint32_t count = 0, base = 0, start;

    if (mine) {
        count = sh_ld4(TILE_COUNT + 4u * THREAD_ID);
        if (count)
            base = gm_add4(a->taken + bin + THREAD_ID, count);
    }
    start = tile_sums(count);
    if (mine) {
        sh_st4(TILE_START + 4u * THREAD_ID, start);
        sh_st4(TILE_BASE + 4u * THREAD_ID, base - start);
    }
}

/* Write items out, in the order of bins. */
DEV void pass_write(const struct permute_pass *a, uint64_t first, uint32_t total)
{
    UNROLL4 for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        const uint32_t j = i * TILE_THREADS + THREAD_ID;

        if (j < total) {
            const uint32_t key = sh_ld4(PASS_KEYS + 4u * j);
            const value v = sh_ld_value(PASS_VALUES + VALUE_WORD * j);
            const uint32_t bin = key >> a->shift & (a->bins - 1u);
            const uint32_t at = sh_ld4(TILE_BASE + 4u * bin) + j;
            const uint64_t to = first + ((uint64_t)bin << a->shift) + at;

            if (at >> a->shift == 0 && to < a->n) {
                if (a->lows)
                    gm_st2(a->lows + to, key & ((1u << a->shift) - 1u));
                else
                    gm_st4(a->keys + to, key);
                gm_st_value(value_to(a->values, to), v);
            }
        }
    }
}

/* A tile whose targets are near each other: straight to where they belong. */
DEV void pass_direct(const struct permute_pass *a, const uint32_t *key, const value *v)
{
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        if (key[i] != PERMUTE_NONE)
            gm_st_value(value_to(a->out, key[i]), v[i]);
    }
}

/* Items to the tile in shared memory, by bin. */
DEV void pass_order(const struct permute_pass *a, const uint32_t *key, const uint32_t *rank,
                    const value *v)
{
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        if (key[i] != PERMUTE_NONE) {
            const uint32_t bin = key[i] >> a->shift & (a->bins - 1u);
            const uint32_t at = sh_ld4(TILE_START + 4u * bin) + rank[i];

            sh_st4(PASS_KEYS + 4u * at, key[i]);
            sh_st_value(PASS_VALUES + VALUE_WORD * at, v[i]);
        }
    }
}

/* Targets that are computed, for cw_shuffle. */
DEV void pass_draw(const struct permute_pass *a, uint32_t *key, uint64_t start, uint32_t count)
{
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        const uint64_t at = start + i * TILE_THREADS + THREAD_ID;

        key[i] = PERMUTE_NONE;
        if (i * TILE_THREADS + THREAD_ID < count)
            key[i] = (uint32_t)(a->back ? bijection_back(&a->by, at) : bijection_at(&a->by, at));
    }
}

/* `drawn`: a constant. */
DEV void pass_tile(const struct permute_pass *a, uint64_t start, uint32_t count, int drawn)
{
    const uint64_t first = a->first ? 0 : start >> a->part << a->part;
    const value zero = VALUE_ZERO;
    uint32_t key[PASS_ITEMS], rank[PASS_ITEMS];
    value v[PASS_ITEMS];

    if (drawn)
        pass_draw(a, key, start, count);
    else
        tile_keys(key, PASS_ITEMS, a->index, start, count, a->wide, a->n);
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        v[i] = zero;
        if (i * TILE_THREADS + THREAD_ID < count)
            v[i] = gm_ld_value(value_at(a->in, start + i * TILE_THREADS + THREAD_ID));
    }
    if (THREAD_ID < a->bins)
        sh_st4(TILE_COUNT + 4u * THREAD_ID, 0u);
    look_begin();
    block_sync();
    if (!drawn && a->look &&
        look_local(key, PASS_ITEMS, PASS_KEYS, count, PERMUTE_SCATTER_CHANGES(TILE_CUDA, VALUE_LOG),
                   PERMUTE_SCATTER_LINES)) {
        pass_direct(a, key, v);
        return;
    }
    if (a->first && THREAD_ID == 0)
        gm_add4(a->any, 1u);
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        rank[i] = 0;
        if (key[i] != PERMUTE_NONE)
            rank[i] = sh_add4(TILE_COUNT + 4u * (key[i] >> a->shift & (a->bins - 1u)), 1u);
    }
    block_sync();
    pass_reserve(a, first >> a->shift);
    block_sync();
    pass_order(a, key, rank, v);
    block_sync();
    pass_write(a, first, sh_ld4(TILE_ALL));
}

/* Later passes have as many blocks as run at a time: if there is nothing to do they are soon
 * gone. */
KERNEL(PERMUTE_NAME(pass), struct permute_pass, TILE_THREADS, 2)
{
    if (!arg->first && gm_ld4(arg->any) == 0)
        return;
    ROLL for (uint64_t start = (uint64_t)BLOCK_ID * PASS_TILE; start < arg->n;
              start += (uint64_t)GRID_DIM * PASS_TILE)
    {
        const uint32_t count = pass_count(arg, start);

        if (count)
            pass_tile(arg, start, count, 0);
        block_sync();
    }
}

#if VALUE_LOG <= PERMUTE_ROUTE_LOG
/* The first pass of a shuffle. */
KERNEL(PERMUTE_NAME(deal), struct permute_pass, TILE_THREADS, 2)
{
    const uint64_t start = (uint64_t)BLOCK_ID * PASS_TILE;

    pass_tile(arg, start, pass_count(arg, start), 1);
}
#endif

#define PLACE_LOG PERMUTE_PLACE(TILE_CUDA, VALUE_LOG)

/* What the places of a bin have before items come: what tiles that went straight there have put.
 * If all are named, it does not matter. */
DEV void place_begin(const struct permute_place *a, uint64_t start, uint32_t room, uint32_t here)
{
    const value zero = VALUE_ZERO;

    if (here == room) {
        UNROLL4 for (uint32_t j = THREAD_ID; j < room; j += TILE_THREADS)
            sh_st_value(VALUE_WORD * j, zero);
    } else {
        UNROLL4 for (uint32_t j = THREAD_ID; j < room; j += TILE_THREADS)
        {
            const value v = gm_ld_value(value_at(a->out, start + j));

            sh_st_value(VALUE_WORD * j, v);
        }
    }
    block_sync();
}

DEV void place_bin(const struct permute_place *a, uint64_t start, uint32_t room, uint32_t here)
{
    const value zero = VALUE_ZERO;

    place_begin(a, start, room, here);
    ROLL for (uint32_t j = THREAD_ID; j < here; j += 8u * TILE_THREADS)
    {
        uint32_t low[8];
        value v[8];

        UNROLL for (uint32_t i = 0; i < 8u; i++)
        {
            low[i] = 0;
            v[i] = zero;
            if (j + i * TILE_THREADS < here) {
                low[i] = gm_ld2(a->lows + start + j + i * TILE_THREADS);
                v[i] = gm_ld_value(value_at(a->values, start + j + i * TILE_THREADS));
            }
        }
        UNROLL for (uint32_t i = 0; i < 8u; i++)
        {
            if (j + i * TILE_THREADS < here)
                sh_st_value(VALUE_WORD * low[i], v[i]);
        }
    }
    block_sync();
    UNROLL4 for (uint32_t j = THREAD_ID; j < room; j += TILE_THREADS)
    {
        const value v = sh_ld_value(VALUE_WORD * j);

        gm_st_value(value_to(a->out, start + j), v);
    }
}

KERNEL(PERMUTE_NAME(place), struct permute_place, TILE_THREADS, 3)
{
    const uint64_t bins = ((arg->n - 1u) >> PLACE_LOG) + 1u;

    if (gm_ld4(arg->any) == 0)
        return;
    ROLL for (uint64_t bin = BLOCK_ID; bin < bins; bin += GRID_DIM)
    {
        const uint64_t start = bin << PLACE_LOG;
        const uint32_t room = least_of(arg->n - start, 1u << PLACE_LOG);
        const uint32_t here = least_of(gm_ld4(arg->taken + bin), room);

        if (here)
            place_bin(arg, start, room, here);
        block_sync();
    }
}

#endif
