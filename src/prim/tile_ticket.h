/* tile_ticket.h - how a block takes the tiles that it moves, and when.
 *
 * A ticket is one tile, or several that follow each other.  The histogram said where the items of
 * each digit go.  Tickets are taken in the order of the array.  A tile writes pieces of lines:
 * where its items of a bin begin and end, its neighbours write the rest of the line.  If neighbours
 * are moved at the same time, these pieces meet in the cache.  If a block had a long range for
 * itself, a line of each bin would wait there for the block's next tile.  So with many bins a
 * ticket is one tile (several in huge arrays, so that counts do not take much room).
 *
 * A ticket is taken as late as possible, when the tile before it is written, and nothing of it is
 * loaded before.  The longer a block holds a ticket, the more other data pass through the cache
 * while pieces of lines wait there.
 *
 * What a block does is written down in struct tile_ticket for all of its threads.  The includer has
 * prim/tile_scatter.h, and defines
 *
 *      TICKET_JOB                    a type
 *      ticket_find(job, ticket)      thread 0 finds a ticket, from number `ticket` on, and writes
 *                                    it down; 0 items if there is none
 *      ticket_base(job, base)        where the next item of digit THREAD_ID goes
 *      ticket_bins(job)              how many digits there are
 *      ticket_taken(job)             the counter that tickets come from
 *
 * Numbers of tiles from a counter, in the order of the array: Merrill and Garland (decoupled
 * look-back, 2016).  Here no block waits for another: counts are known before.
 */
#ifndef CW_PRIM_TILE_TICKET_H
#define CW_PRIM_TILE_TICKET_H

/* Is there another tile?  What is written down of it holds until the tile is in order. */
DEV int ticket_begin(const TICKET_JOB *job, int first)
{
    if (THREAD_ID == 0) {
        const uint32_t left = first ? 0u : sh_ld4(TICKET_LEFT);

        if (left > SCATTER_TILE) {
            sh_st8(TICKET_FROM, sh_ld8(TICKET_FROM) + SCATTER_TILE);
            sh_st4(TICKET_LEFT, left - SCATTER_TILE);
            sh_st4(TICKET_BEGINS, 0u);
        } else {
            ticket_find(job, gm_add4(ticket_taken(job), 1u));
        }
    }
    block_sync();
    return sh_ld4(TICKET_LEFT) != 0;
}

/* Load where items of the tile go, if its ticket begins.  This comes before its keys are loaded. */
DEV void ticket_where(const TICKET_JOB *job, struct base *b)
{
    b->start = 0;
    b->chunk = 0;
    b->ticket = 0;
    if (sh_ld4(TICKET_BEGINS) && THREAD_ID < ticket_bins(job))
        ticket_base(job, b);
}

/* Write down what ticket_where loaded. */
DEV void ticket_bases(const struct base *b)
{
    if (sh_ld4(TICKET_BEGINS) && THREAD_ID < SCATTER_BINS)
        sh_st8(TILE_BASE + 8u * THREAD_ID, b->start + b->chunk + b->ticket);
}

#endif
