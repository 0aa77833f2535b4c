/* tile_turns.h - what a block that moves tiles asks for, and when.
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
 *
 * Who includes this has split_tile.h, and says what a job is:
 *
 *      TURN_JOB, TURN_BYTES            its type; bytes of what is written down of a turn
 *      turn_find(job, ticket, at)      by thread 0: find a turn, of those from `ticket` on, and write
 *                                      it down at `at`; 0 items if there is none
 *      turn_base(job, at)              where the next item of digit THREAD_ID goes
 *      turn_bins(job, at)              of its digit
 *      turn_taken(job)                 the counter that tickets come from
 *      turn_keys, turn_values(job, at) where the array begins; there may be no values
 */
#ifndef CW_TILE_TURNS_H
#define CW_TILE_TURNS_H

/* What a block does next is written down for it, in two places by turns: u64 from where; u32 items
 * that are left of the turn; 12 bytes to tell it by; u32 whether the turn begins; from byte
 * TURN_MORE on, what holds for all of its tiles. */
#define TURN_AT    (TILE_MISC + 256u)
#define TURN_OTHER 64u
#define TURN_MORE  28u

/* What a block asks for before it writes a tile, and looks at when it did. */
struct asked {
    uint64_t base;
    uint32_t ticket;
};

/* For the tile at `at`: its keys if it is full (else zeros, lest a compiler keep what was there), where
 * they go, and which turn comes when this ends. */
DEV void turn_ask(const TURN_JOB *job, struct tile *t, uint32_t at, struct asked *q)
{
    const uint32_t left = sh_ld4(at + 8u);

    q->base = 0;
    q->ticket = 0;
    if (left >= SPLIT_TILE) {
        const uint32_t *const values = turn_values(job, at);
        const uint64_t from = sh_ld8(at);

        tile_keys(t, turn_keys(job, at) + from, SPLIT_TILE, 1);
        tile_values_soon(values ? values + from : values);
    } else {
        UNROLL for (uint32_t i = 0; i < SPLIT_PER; i++) t->x[i] = 0;
    }
    if (left && sh_ld4(at + 24u) && THREAD_ID < turn_bins(job, at))
        q->base = turn_base(job, at);
    if (left && left <= SPLIT_TILE && THREAD_ID == 0)
        q->ticket = gm_add4(turn_taken(job), 1u);
}

DEV void turn_answer(const TURN_JOB *job, uint32_t at, const struct asked *q)
{
    const uint32_t left = sh_ld4(at + 8u);
    const uint32_t next = at ^ TURN_OTHER;

    if (THREAD_ID < SPLIT_BINS && sh_ld4(at + 24u))
        sh_st8(TILE_BASE + 8u * THREAD_ID, q->base);
    if (THREAD_ID == 0 && left > SPLIT_TILE) {
        sh_st8(next, sh_ld8(at) + SPLIT_TILE);
        sh_st4(next + 8u, left - SPLIT_TILE);
        sh_st4(next + 24u, 0u);
        UNROLL for (uint32_t k = TURN_MORE; k < TURN_BYTES; k += 4u)
            sh_st4(next + k, sh_ld4(at + k));
    } else if (THREAD_ID == 0 && left) {
        turn_find(job, q->ticket, next);
    }
}

/* The first turn, at TURN_AT. */
DEV void turns_begin(const TURN_JOB *job, struct tile *t)
{
    struct asked q;

    if (THREAD_ID == 0)
        turn_find(job, gm_add4(turn_taken(job), 1u), TURN_AT);
    block_sync();
    turn_ask(job, t, TURN_AT, &q);
    turn_answer(job, TURN_AT, &q);
}

#endif
