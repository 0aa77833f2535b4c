/* look.h - does a plain kernel move this tile as fast?  Asked of every tile, with its whole index.
 *
 * A plain kernel is slow where each element costs a line of memory of its own.  So lines of 64
 * bytes are counted that the targets of a tile lie in:
 *
 *      changes      rows of 32 targets, as a warp asks for them: how often the line is another one
 *                   than that of the lane before.  Few: runs, strides, blocks, either direction
 *      fresh        if those are many: how many lines the tile has in all, by a table in shared
 *                   memory with a word a target, at a hash of the line.  Few: targets that are
 *                   shuffled inside a neighbourhood, which the L2 puts together
 *
 * Nothing is sampled, so nobody can hide anything from it.  A line is never counted as two; two
 * that meet in the table count as one, so whoever knows the hash gets the plain kernel, no worse.
 *
 * Of random targets 0.63 of the table's words are hit; if each line is hit twice 0.39, four times
 * 0.22.  How many is few was measured (H200, bench_permute -p): a scatter by passes wins from
 * blocks of two on, a gather only if nearly every target has a line of its own.
 *
 * Shared memory: two words behind the warps' sums; the table, where the tile's targets go later.
 */
#ifndef CW_PERMUTE_LOOK_H
#define CW_PERMUTE_LOOK_H

#include "permute/index_tile.h"
#include "prim/element.h"

#define LOOK_CHANGES SHARED_AT(index_tile_shared, changes)
#define LOOK_FRESH   SHARED_AT(index_tile_shared, fresh)
#define LOOK_LINE    PERMUTE_LINE(TILE_CUDA, VALUE_LOG)

/* Before look_local, by all threads, and then a barrier. */
DEV void look_begin(void)
{
    if (THREAD_ID < 2u)
        sh_st4(LOOK_CHANGES + 4u * THREAD_ID, 0u);
}

DEV uint32_t look_changes(const uint32_t *key, uint32_t items)
{
    uint32_t sum = 0;

    UNROLL for (uint32_t i = 0; i < items; i++)
    {
        const uint32_t line = key[i] >> LOOK_LINE;

        sum += bit_count(ballot(line != shfl_up4(line, 1u)));
    }
    return sum;
}

/* Lines that no thread met before this one; `table` has items * TILE_THREADS words of 0. */
DEV uint32_t look_fresh(const uint32_t *key, uint32_t items, uint32_t table)
{
    uint32_t sum = 0;

    UNROLL for (uint32_t i = 0; i < items; i++)
    {
        uint32_t old = 1;

        if (key[i] != PERMUTE_NONE) {
            const uint32_t hash = (key[i] >> LOOK_LINE) * 0x9e3779b1u;

            old = sh_add4(table + 4u * high4(hash, items * TILE_THREADS), 1u);
        }
        sum += bit_count(ballot(old == 0u));
    }
    return sum;
}

/* The same for all threads: `few` changes of a row or less, or `lines` fresh ones of 256 targets or
 * less. `table`: where that may be.  Ends so that all may be written again. */
DEV uint32_t look_local(const uint32_t *key, uint32_t items, uint32_t table, uint32_t count,
                        uint32_t few, uint32_t lines)
{
    const uint32_t changes = look_changes(key, items);
    uint32_t fresh;

    if (LANE_ID == 0)
        sh_add4(LOOK_CHANGES, changes);
    block_sync();
    if (sh_ld4(LOOK_CHANGES) <= few * (count / 32u))
        return 1;
    UNROLL for (uint32_t i = 0; i < items; i++)
    {
        sh_st4(table + 4u * (i * TILE_THREADS + THREAD_ID), 0u);
    }
    block_sync();
    fresh = look_fresh(key, items, table);
    if (LANE_ID == 0)
        sh_add4(LOOK_FRESH, fresh);
    block_sync();
    return sh_ld4(LOOK_FRESH) <= count / 256u * lines;
}

#endif
