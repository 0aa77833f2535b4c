/* tile_ticket.h - what a block that moves tiles asks for, and when.
 *
 * A turn is some consecutive tiles, for which counting said where the items of each digit go.  Turns
 * are taken in the order of the array.  A tile writes pieces of lines: where what it writes to a
 * bin begins and ends, the neighbours write the rest of the line.  If tiles that are neighbours are
 * moved at the same time, these pieces meet in the cache; if a block had a long range for itself, a
 * line would wait there for the block's next tile, together with one for each bin and block.  So
 * with many bins a turn is one tile (of huge arrays some, lest the counts take much room).
 *
 * A turn is taken as late as can be, when the tile before it is written, and nothing of it is asked for
 * before: the longer a block holds a turn, the farther apart in time are it and its neighbours, and the
 * more passes through the cache while pieces of lines wait there.
 *
 * What a block does is written down for it in struct tile_turn.  Who includes this has
 * prim/tile_scatter.h, and says what a job is:
 *
 *      TURN_JOB                        its type
 *      turn_find(job, ticket)          by thread 0: find a turn, of those from `ticket` on, and write
 *                                      it down; 0 items if there is none
 *      turn_base(job, base)            where the next item of digit THREAD_ID goes
 *      turn_bins(job)                  of its digit
 *      turn_taken(job)                 the counter that tickets come from
 */
#ifndef CW_PRIM_TILE_TICKET_H
#define CW_PRIM_TILE_TICKET_H

/* Is there another tile?  What is written down of it holds until the tile stands in order. */
DEV int turn_begin(const TURN_JOB *job, int first)
{
    if (THREAD_ID == 0) {
        const uint32_t left = first ? 0u : sh_ld4(TURN_LEFT);

        if (left > SCATTER_TILE) {
            sh_st8(TURN_FROM, sh_ld8(TURN_FROM) + SCATTER_TILE);
            sh_st4(TURN_LEFT, left - SCATTER_TILE);
            sh_st4(TURN_BEGINS, 0u);
        } else {
            turn_find(job, gm_add4(turn_taken(job), 1u));
        }
    }
    block_sync();
    return sh_ld4(TURN_LEFT) != 0;
}

/* Where items of the tile go, if its turn begins: asked for before its keys are, */
DEV void turn_where(const TURN_JOB *job, struct base *b)
{
    b->start = 0;
    b->chunk = 0;
    b->turn = 0;
    if (sh_ld4(TURN_BEGINS) && THREAD_ID < turn_bins(job))
        turn_base(job, b);
}

/* and written down afterwards. */
DEV void turn_bases(const struct base *b)
{
    if (sh_ld4(TURN_BEGINS) && THREAD_ID < SCATTER_BINS)
        sh_st8(TILE_BASE + 8u * THREAD_ID, b->start + b->chunk + b->turn);
}

#endif
