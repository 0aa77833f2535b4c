/* tile_merge.h - sorted tiles are merged, two runs of 1, 2 or 4 tiles at a time, by a bitonic
 * network.
 *
 * The items of 2^level tiles are in two ascending runs.  The steps of the merge whose partners are
 * in other tiles come first: the mirror, then strides of 2 and 1 tiles.  They join items at one
 * place of every tile, or at the mirrored one.  So a block needs no other to do them for its own
 * tile: it reads 2^level items for each of its own, and keeps the one that the steps leave there.
 * The rest of the steps is the block's.  Tiles that the array does not have are full of largest
 * keys, which stay last.
 *
 * The network is the same for every input.  No bank is asked twice: lanes write items that follow
 * each other (prim/register_layout.h has the rest).
 *
 * For so few tiles that a cut would take longer than three launches.  Batcher (1968).
 */
#ifndef CW_SORT_SAMPLE_SORT_TILE_MERGE_H
#define CW_SORT_SAMPLE_SORT_TILE_MERGE_H

#include "sort/sample_sort/tile_sort.h"

#define MERGE_READS 32u /* items that a lane asks for at once */

/* Item i, or the largest key behind the array's end.  There is no branch, so that loads go together. */
DEV key item_word(const struct sample_sort_job *a, uint32_t i, int narrow)
{
    const uint32_t last = (uint32_t)a->n - 1u, at = i < last ? i : last;
    const key x = word_with(load_part(a, at, narrow), SAMPLE_REST ? gm_ld4(a->in_rest + at) : 0u);

    return i > last ? KEY_MAX : x;
}

DEV key either(key x, key y, uint32_t larger)
{
    return (x < y) != (larger != 0) ? x : y;
}

/* The item that the steps between tiles leave at place e of this block's tile.  Runs of `half`
 * tiles, a constant. */
DEV key merged_word(const struct sample_sort_job *a, uint32_t e, int log_n, const uint32_t half,
                    int narrow)
{
    const uint32_t own = BLOCK_ID & (2u * half - 1u), first = BLOCK_ID - own;
    const uint32_t back = (1u << log_n) - 1u - e;
    key x[4], y[4];

    UNROLL for (uint32_t i = 0; i < half; i++)
    {
        const uint32_t j = (own & half) + i;

        x[i] = item_word(a, ((first + j) << log_n) + e, narrow);
        y[i] = item_word(a, ((first + 2u * half - 1u - j) << log_n) + back, narrow);
    }
    UNROLL for (uint32_t i = 0; i < half; i++) x[i] = either(x[i], y[i], own & half);
    UNROLL for (uint32_t step = half / 2u; step; step /= 2u)
    {
        UNROLL for (uint32_t i = 0; i < step; i++) x[i] = either(x[i], x[i + step], own & step);
    }
    return x[0];
}

/* Put the items of this warp's slots into its shared memory. */
DEV void merge_words(key *x, const struct sample_sort_job *a, int log_n, uint32_t mine,
                     const uint32_t half, int narrow)
{
    const uint32_t batch =
        MERGE_READS / 2u / half < SAMPLE_K / 2 ? MERGE_READS / 2u / half : SAMPLE_K / 2;

    ROLL for (uint32_t r = 0; r < SAMPLE_K; r += batch)
    {
        UNROLL for (uint32_t i = 0; i < batch; i++)
        {
            const uint32_t e = WARP_ID * SAMPLE_WARP + 32u * (r + i) + LANE_ID;

            x[i] = merged_word(a, e, log_n, half, narrow);
        }
        UNROLL for (uint32_t i = 0; i < batch; i++)
        {
            sh_st_key(mine + byte_of(32u * (r + i) + LANE_ID, SAMPLE_LOG_K), x[i]);
        }
        warp_sync();
    }
}

DEV void merge_level(key *x, const struct sample_sort_job *a, int log_n, uint32_t mine, int narrow)
{
    if (a->level == 1u)
        merge_words(x, a, log_n, mine, 1u, narrow);
    else if (a->level == 2u)
        merge_words(x, a, log_n, mine, 2u, narrow);
    else
        merge_words(x, a, log_n, mine, 4u, narrow);
}

/* Merge tile BLOCK_ID with the others of its runs. */
DEV void sample_sort_merge(const struct sample_sort_job *a, int log_n, int shuffles, int mads)
{
    const uint32_t mine = WARP_ID * byte_of(SAMPLE_WARP, SAMPLE_LOG_K);
    const uint64_t start = (uint64_t)BLOCK_ID << log_n, left = a->n - start;
    struct row_unit u;
    key x[SAMPLE_K];

    SAMPLE_UNIT(u, a, log_n, shuffles, mads);
    if (rarely(IS_NARROW(a)))
        merge_level(x, a, log_n, mine, 1);
    else
        merge_level(x, a, log_n, mine, 0);
    row_bitonic(x, u);
    put_tile(x, a, start, left < 1u << log_n ? (uint32_t)left : 1u << log_n, mine, 0);
}

#endif
