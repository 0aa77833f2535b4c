/* split_turns.h - which tiles a block takes, one after another; kernels that move tiles.
 *
 * A turn is some consecutive tiles, for which counting said where the items of each digit go.  Turns
 * are taken in the order of the array.  A tile writes pieces of lines: where what it writes to a
 * bin begins and ends, the neighbours write the rest of the line.  If tiles that are neighbours are
 * moved at the same time, these pieces meet in the cache; if a block had a long range for itself, a
 * line would wait there for the block's next tile, together with one for each bin and block.  So
 * with many bins a turn is one tile (of huge arrays some, lest the counts take much room).
 *
 * The next tile's keys, where they go, and which tile comes after it are asked for before a tile
 * is written, and looked at when it is.
 */
#ifndef CW_SPLIT_TURNS_H
#define CW_SPLIT_TURNS_H

#include "kernels/split_digit.h"
#include "kernels/split_piece.h"
#include "kernels/split_tile.h"

/* What a block does next is written down for it, in two places by turns: u64 from where; u32 items
 * that are left of the turn, its number, piece and part, whether the turn begins. */
#define TURN_AT    (TILE_MISC + 256u)
#define TURN_OTHER 64u

/* By thread 0: find a turn, of those from `ticket` on, and write it down at `at`; 0 items if there is
 * none. */
DEV void turn_find(const struct split_job *a, uint32_t ticket, uint32_t at)
{
    uint32_t *const taken = &a->state->taken[a->level][1];
    uint32_t items = 0;

    ROLL for (;; ticket = gm_add4(taken, 1u))
    {
        const uint32_t piece = ticket / a->turns;
        struct split_piece p;

        if (piece >= a->pieces)
            break;
        if (!a->tiled && !gm_ld4(a->way + piece))
            continue;
        piece_of(&p, a, piece);
        p.from += (uint64_t)(ticket - piece * a->turns) * a->turn;
        if (p.from < p.to) {
            items = (uint32_t)(p.to - p.from < a->turn ? p.to - p.from : a->turn);
            sh_st8(at, p.from);
            sh_st4(at + 12u, ticket);
            sh_st4(at + 16u, piece);
            sh_st4(at + 20u, p.part);
            break;
        }
    }
    sh_st4(at + 8u, items);
    sh_st4(at + 24u, 1u);
}

/* Where the next item of digit THREAD_ID goes, in the turn at `at`. */
DEV uint64_t turn_base(const struct split_job *a, uint32_t at)
{
    const uint64_t ticket = sh_ld4(at + 12u);
    const uint64_t piece = sh_ld4(at + 16u);
    const uint64_t part = sh_ld4(at + 20u);
    const uint64_t base = gm_ld8(a->next + (part << a->width) + THREAD_ID) +
                          gm_ld8(a->counts + (piece << a->width) + THREAD_ID);

    return a->before ? base + gm_ld4(a->before + (ticket << a->width) + THREAD_ID) : base;
}

/* What a block asks for before it writes a tile, and looks at when it did. */
struct asked {
    uint64_t base;
    uint32_t ticket;
};

/* For the tile at `at`: its keys if it is full (else zeros, lest a compiler keep what was there), where
 * they go, and which turn comes when this ends. */
DEV void turn_ask(const struct split_job *a, struct tile *t, uint32_t at, struct asked *q)
{
    const uint32_t *const values = (const uint32_t *)a->j.in_values;
    const uint32_t left = sh_ld4(at + 8u);

    q->base = 0;
    q->ticket = 0;
    if (left >= SPLIT_TILE) {
        const uint64_t from = sh_ld8(at);

        tile_keys(t, (const uint32_t *)a->j.in + from, SPLIT_TILE, 1);
        tile_values_soon(values ? values + from : values);
    } else {
        UNROLL for (uint32_t i = 0; i < SPLIT_PER; i++) t->x[i] = 0;
    }
    if (left && THREAD_ID < 1u << a->width && sh_ld4(at + 24u))
        q->base = turn_base(a, at);
    if (left && THREAD_ID == 0 && left <= SPLIT_TILE)
        q->ticket = gm_add4(&a->state->taken[a->level][1], 1u);
}

DEV void turn_answer(const struct split_job *a, uint32_t at, const struct asked *q)
{
    const uint32_t left = sh_ld4(at + 8u);
    const uint32_t next = at ^ TURN_OTHER;

    if (THREAD_ID < SPLIT_BINS && sh_ld4(at + 24u))
        sh_st8(TILE_BASE + 8u * THREAD_ID, q->base);
    if (THREAD_ID == 0 && left > SPLIT_TILE) {
        sh_st8(next, sh_ld8(at) + SPLIT_TILE);
        sh_st4(next + 8u, left - SPLIT_TILE);
        sh_st4(next + 24u, 0u);
    } else if (THREAD_ID == 0 && left) {
        turn_find(a, q->ticket, next);
    }
}

/* Take turns until there are none; bits 0: many bins. */
DEV void take_turns(const struct split_job *a, int plain, uint32_t bits)
{
    uint32_t at = TURN_AT;
    struct asked q;
    struct digit d;
    struct tile t;

    if (gm_ld4(&a->state->bad))
        return;
    digit_begin(&d, a, plain, TILE_CUTS);
    if (THREAD_ID == 0)
        turn_find(a, gm_add4(&a->state->taken[a->level][1], 1u), at);
    block_sync();
    turn_ask(a, &t, at, &q);
    turn_answer(a, at, &q);
    ROLL while (sh_ld4(at + 8u))
    {
        if (sh_ld4(at + 8u) >= SPLIT_TILE) {
            tile_order(a, &t, 0, at, SPLIT_TILE, d, bits, 1, 0);
            at ^= TURN_OTHER;
            turn_ask(a, &t, at, &q);
            tile_write((uint32_t *)a->j.tmp, (uint32_t *)a->j.tmp_values, SPLIT_TILE, d,
                       bits ? FEW_ITEMS : MANY_ITEMS);
        } else {
            tile_rest(a, sh_ld8(at), sh_ld4(at + 8u), d, bits, 0);
            at ^= TURN_OTHER;
            turn_ask(a, &t, at, &q);
        }
        turn_answer(a, at, &q);
    }
}

/* Two buckets in any order: nothing is counted before. */
DEV void tile_once(const struct split_job *a)
{
    const uint64_t tiles = a->n / SPLIT_TILE;
    const uint32_t *const keys = (const uint32_t *)a->j.in;
    uint64_t i = BLOCK_ID;
    struct digit d;
    struct tile t;

    digit_begin(&d, a, 1, TILE_CUTS);
    if (i < tiles)
        tile_keys(&t, keys + i * SPLIT_TILE, SPLIT_TILE, 1);
    ROLL while (i < tiles)
    {
        tile_order(a, &t, i * SPLIT_TILE, 0, SPLIT_TILE, d, 1u, 1, 1);
        i += GRID_DIM;
        if (i < tiles)
            tile_keys(&t, keys + i * SPLIT_TILE, SPLIT_TILE, 1);
        tile_write((uint32_t *)a->j.tmp, (uint32_t *)a->j.tmp_values, SPLIT_TILE, d, FEW_ITEMS);
    }
    if (i == tiles && a->n % SPLIT_TILE)
        tile_rest(a, i * SPLIT_TILE, (uint32_t)(a->n % SPLIT_TILE), d, 1u, 1);
}

KERNEL(SPLIT_NAME(once), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    tile_once(arg);
}

KERNEL(SPLIT_NAME(tile1), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 1, 1u);
}

KERNEL(SPLIT_NAME(tile5), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 1, 5u);
}

KERNEL(SPLIT_NAME(tile5_any), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 0, 5u);
}

KERNEL(SPLIT_NAME(tile8), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 1, 0);
}

KERNEL(SPLIT_NAME(tile8_any), struct split_job, SPLIT_THREADS, SPLIT_BLOCKS)
{
    take_turns(arg, 0, 0);
}

#endif
