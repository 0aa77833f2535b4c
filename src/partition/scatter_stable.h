/* scatter_stable.h - the kernels of a partition that move tiles in order.  Blocks take tiles by
 * tickets (prim/tile_ticket.h).
 *
 * A piece that was not counted ticket by ticket is one ticket as a whole. */
#ifndef CW_PARTITION_SCATTER_STABLE_H
#define CW_PARTITION_SCATTER_STABLE_H

#include "partition/rule.h"
#include "partition/piece.h"
#include "partition/tile_order.h"

/* Of a ticket: its number, piece and range. */
#define TICKET_JOB struct partition_job

/* Thread 0 finds a ticket, from number `ticket` on, and writes it down; 0 items if there is
 * none. */
DEV void ticket_find(const struct partition_job *a, uint32_t ticket)
{
    uint32_t *const taken = &a->state->taken[a->pass][1];
    uint32_t items = 0;

    ROLL for (;; ticket = gm_add4(taken, 1u))
    {
        const uint32_t piece = ticket / a->tickets;
        struct partition_piece p;

        if (piece >= a->pieces)
            break;
        if (!a->tiled && !gm_ld4(a->way + piece))
            continue;
        piece_of(&p, a, piece);
        p.from += (uint64_t)(ticket - piece * a->tickets) * a->ticket_items;
        if (p.from < p.to) {
            items = (uint32_t)(p.to - p.from < a->ticket_items ? p.to - p.from : a->ticket_items);
            sh_st8(TICKET_FROM, p.from);
            sh_st4(TICKET_ID(0), ticket);
            sh_st4(TICKET_ID(1), piece);
            sh_st4(TICKET_ID(2), p.range);
            break;
        }
    }
    sh_st4(TICKET_LEFT, items);
    sh_st4(TICKET_BEGINS, 1u);
}

/* Where the next item of digit THREAD_ID goes, in the ticket that is written down. */
DEV void ticket_base(const struct partition_job *a, struct base *b)
{
    const uint64_t ticket = sh_ld4(TICKET_ID(0));
    const uint64_t piece = sh_ld4(TICKET_ID(1));
    const uint64_t range = sh_ld4(TICKET_ID(2));

    b->start = gm_ld8(a->next + (range << a->width) + THREAD_ID);
    b->chunk = gm_ld8(a->counts + (piece << a->width) + THREAD_ID);
    if (a->before)
        b->ticket = gm_ld4(a->before + (ticket << a->width) + THREAD_ID);
}

DEV uint32_t ticket_bins(const struct partition_job *a)
{
    return 1u << a->width;
}

DEV uint32_t *ticket_taken(const struct partition_job *a)
{
    return &a->state->taken[a->pass][1];
}

#include "prim/tile_ticket.h"

/* Take tickets until there are none; bits 0: many bins. */
DEV void take_tickets(const struct partition_job *a, int plain, uint32_t bits)
{
    const uint64_t apart = tile_apart(a->move.out, a->move.out_values);
    const uint32_t items = bits ? FEW_ITEMS : MANY_ITEMS;
    struct digit d;

    if (gm_ld4(&a->state->bad))
        return;
    digit_begin(&d, a, plain, TILE_CUTS);
    ROLL for (int first = 1; ticket_begin(a, first); first = 0)
    {
        const uint64_t from = sh_ld8(TICKET_FROM);
        struct base base;

        ticket_where(a, &base);
        if (sh_ld4(TICKET_LEFT) >= SCATTER_TILE) {
            struct tile t;

            tile_keys(&t, (const uint32_t *)a->move.in + from, SCATTER_TILE, 1);
            ticket_bases(&base);
            tile_order(a, &t, 0, TICKET_AT, SCATTER_TILE, d, bits, 1, 0);
            tile_write(apart, SCATTER_TILE, d, items, !bits && digits_kept(d, 1), 1);
        } else {
            ticket_bases(&base);
            tile_rest(a, from, sh_ld4(TICKET_LEFT), d, bits, 0);
        }
    }
}

/* Two buckets, in order.  A ticket is a whole piece, and few lines are shared with neighbours.  So
 * the next tile is loaded before this one is written. */
DEV void take_pieces(const struct partition_job *a)
{
    const uint32_t *const keys = (const uint32_t *)a->move.in;
    struct digit d;

    if (gm_ld4(&a->state->bad))
        return;
    digit_begin(&d, a, 1, TILE_CUTS);
    ROLL while (ticket_begin(a, 1))
    {
        uint64_t from = sh_ld8(TICKET_FROM);
        uint32_t left = sh_ld4(TICKET_LEFT);
        struct base base;
        struct tile t;

        ticket_where(a, &base);
        if (left >= SCATTER_TILE)
            tile_keys(&t, keys + from, SCATTER_TILE, 1);
        ticket_bases(&base);
        ROLL while (left >= SCATTER_TILE)
        {
            tile_order(a, &t, from, 0, SCATTER_TILE, d, 1u, 1, 0);
            from += SCATTER_TILE;
            left -= SCATTER_TILE;
            if (left >= SCATTER_TILE)
                tile_keys(&t, keys + from, SCATTER_TILE, 1);
            tile_write(tile_apart(a->move.out, a->move.out_values), SCATTER_TILE, d, FEW_ITEMS, 0,
                       1);
        }
        if (left)
            tile_rest(a, from, left, d, 1u, 0);
    }
}

/* Two buckets in any order: nothing is counted before. */
DEV void tile_once(const struct partition_job *a)
{
    const uint64_t tiles = a->n / SCATTER_TILE;
    const uint32_t *const keys = (const uint32_t *)a->move.in;
    uint64_t i = BLOCK_ID;
    struct digit d;
    struct tile t;

    if (gm_ld4(&a->state->bad)) /* found when labels were made of those of the caller */
        return;
    digit_begin(&d, a, 1, TILE_CUTS);
    if (i < tiles)
        tile_keys(&t, keys + i * SCATTER_TILE, SCATTER_TILE, 1);
    ROLL while (i < tiles)
    {
        tile_order(a, &t, i * SCATTER_TILE, 0, SCATTER_TILE, d, 1u, 1, 1);
        i += GRID_DIM;
        if (i < tiles)
            tile_keys(&t, keys + i * SCATTER_TILE, SCATTER_TILE, 1);
        tile_write(tile_apart(a->move.out, a->move.out_values), SCATTER_TILE, d, FEW_ITEMS, 0, 1);
    }
    if (i == tiles && a->n % SCATTER_TILE)
        tile_rest(a, i * SCATTER_TILE, (uint32_t)(a->n % SCATTER_TILE), d, 1u, 1);
}

#endif
