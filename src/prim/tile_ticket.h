/* tile_ticket.h - what a block that moves tiles asks for, and when.
 *
 * A ticket is some consecutive tiles, for which counting said where the items of each digit go.  Tickets
 * are taken in the order of the array.  A tile writes pieces of lines: where what it writes to a
 * bin begins and ends, the neighbours write the rest of the line.  If tiles that are neighbours are
 * moved at the same time, these pieces meet in the cache; if a block had a long range for itself, a
 * line would wait there for the block's next tile, together with one for each bin and block.  So
 * with many bins a ticket is one tile (of huge arrays some, lest the counts take much room).
 *
 * A ticket is taken as late as can be, when the tile before it is written, and nothing of it is asked for
 * before: the longer a block holds a ticket, the farther apart in time are it and its neighbours, and the
 * more passes through the cache while pieces of lines wait there.
 *
 * What a block does is written down for it in struct tile_ticket.  Who includes this has
 * prim/tile_scatter.h, and says what a job is:
 *
 *      TICKET_JOB                        its type
 *      ticket_find(job, ticket)          by thread 0: find a ticket, of those from `ticket` on, and write
 *                                      it down; 0 items if there is none
 *      ticket_base(job, base)            where the next item of digit THREAD_ID goes
 *      ticket_bins(job)                  of its digit
 *      ticket_taken(job)                 the counter that tickets come from
 */
#ifndef CW_PRIM_TILE_TICKET_H
#define CW_PRIM_TILE_TICKET_H

/* Is there another tile?  What is written down of it holds until the tile stands in order. */
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

/* Where items of the tile go, if its ticket begins: asked for before its keys are, */
DEV void ticket_where(const TICKET_JOB *job, struct base *b)
{
    b->start = 0;
    b->chunk = 0;
    b->ticket = 0;
    if (sh_ld4(TICKET_BEGINS) && THREAD_ID < ticket_bins(job))
        ticket_base(job, b);
}

/* and written down afterwards. */
DEV void ticket_bases(const struct base *b)
{
    if (sh_ld4(TICKET_BEGINS) && THREAD_ID < SCATTER_BINS)
        sh_st8(TILE_BASE + 8u * THREAD_ID, b->start + b->chunk + b->ticket);
}

#endif
