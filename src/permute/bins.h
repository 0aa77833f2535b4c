/* bins.h - bring items to bins by bits of their targets; then each to its place.
 *
 * For a permutation the bins' sizes are known, so there is no histogram: bin b of part p is so many
 * targets, and has so many items, in the same places.  A block takes a tile of items, counts them
 * by bin in shared memory (the old count is the item's rank), takes as many places from each bin's
 * cursor with one atomic addition, orders the tile by bin in shared memory, and writes it out.
 * Blocks run at about the same time, so the runs that they write to a bin are neighbours, and lines
 * are put together in the L2.
 *
 *      pass      items to bins.  Tiles of later passes lie in one part, a bin of the pass before
 *      place     a bin that fits in shared memory: each item to its place there, then out
 *
 * If the index is no permutation, a bin may get more items than it has places: those beyond are
 * left out, as are those out of range.  Nothing is read that was not written: `taken` says how many
 * were meant to come.  Places that nobody names get 0 from `place`, and stay as they are otherwise.
 *
 * Shared memory is asked at random (ranks, and places): 32 lanes meet in 3.5 wavefronts or so.
 * Each of these kernels moves 12 to 16 bytes an item of 4, and waits for those.
 */
#ifndef CW_PERMUTE_BINS_H
#define CW_PERMUTE_BINS_H

#include "permute/index_tile.h"
#include "prim/element.h"

#define PASS_ITEMS  PERMUTE_ITEMS(TILE_CUDA, VALUE_LOG)
#define PASS_TILE   (PASS_ITEMS * TILE_THREADS)
#define PASS_KEYS   TILE_MORE
#define PASS_VALUES (PASS_KEYS + 4u * PASS_TILE)

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

KERNEL(PERMUTE_NAME(pass), struct permute_pass, TILE_THREADS, 2)
{
    const uint64_t start = (uint64_t)BLOCK_ID * PASS_TILE;
    const uint64_t first = arg->first ? 0 : start >> arg->part << arg->part;
    const uint32_t count = pass_count(arg, start);
    const value zero = VALUE_ZERO;
    uint32_t key[PASS_ITEMS], rank[PASS_ITEMS];
    value v[PASS_ITEMS];

    if (!count)
        return;
    tile_keys(key, PASS_ITEMS, arg->index, start, count, arg->wide, arg->n);
    if (THREAD_ID < arg->bins)
        sh_st4(TILE_COUNT + 4u * THREAD_ID, 0u);
    block_sync();
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        rank[i] = 0;
        if (key[i] != PERMUTE_NONE)
            rank[i] = sh_add4(TILE_COUNT + 4u * (key[i] >> arg->shift & (arg->bins - 1u)), 1u);
    }
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        v[i] = zero;
        if (key[i] != PERMUTE_NONE)
            v[i] = gm_ld_value(value_at(arg->in, start + i * TILE_THREADS + THREAD_ID));
    }
    block_sync();
    pass_reserve(arg, first >> arg->shift);
    block_sync();
    UNROLL for (uint32_t i = 0; i < PASS_ITEMS; i++)
    {
        if (key[i] != PERMUTE_NONE) {
            const uint32_t bin = key[i] >> arg->shift & (arg->bins - 1u);
            const uint32_t at = sh_ld4(TILE_START + 4u * bin) + rank[i];

            sh_st4(PASS_KEYS + 4u * at, key[i]);
            sh_st_value(PASS_VALUES + VALUE_WORD * at, v[i]);
        }
    }
    block_sync();
    pass_write(arg, first, sh_ld4(TILE_WARPS + 128u));
}

#define PLACE_LOG PERMUTE_PLACE(TILE_CUDA, VALUE_LOG)

KERNEL(PERMUTE_NAME(place), struct permute_place, TILE_THREADS, 3)
{
    const value zero = VALUE_ZERO;
    const uint64_t start = (uint64_t)BLOCK_ID << PLACE_LOG;
    const uint32_t room = least_of(arg->n - start, 1u << PLACE_LOG);
    const uint32_t here = least_of(gm_ld4(arg->taken + BLOCK_ID), room);

    UNROLL4 for (uint32_t j = THREAD_ID; j < room; j += TILE_THREADS)
        sh_st_value(VALUE_WORD * j, zero);
    block_sync();
    ROLL for (uint32_t j = THREAD_ID; j < here; j += 8u * TILE_THREADS)
    {
        uint32_t low[8];
        value v[8];

        UNROLL for (uint32_t i = 0; i < 8u; i++)
        {
            low[i] = 0;
            v[i] = zero;
            if (j + i * TILE_THREADS < here) {
                low[i] = gm_ld2(arg->lows + start + j + i * TILE_THREADS);
                v[i] = gm_ld_value(value_at(arg->values, start + j + i * TILE_THREADS));
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

        gm_st_value(value_to(arg->out, start + j), v);
    }
}

#endif
