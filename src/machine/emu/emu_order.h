/* emu_order.h - which of the lanes of a warp goes first, where they stand at different places.
 *
 * A GPU brings the lanes of a warp together again behind a branch and behind a loop: those that are
 * there wait for the others.  Here only the places are known, in the order in which a lane comes to
 * them, but that tells of loops: a lane that comes to a place further up than the one before, or to
 * the same one, has begun another round.  So of each lane and file it is known in which loops the
 * lane is, and in which round of each.
 *
 * Of two lanes in one file that one goes first which stands in an earlier round of the outermost
 * loop that they share; in the same round, of the next loop; and in the same round of all, that
 * which stands further up.  Of lanes in two files there is no telling.
 *
 * A loop is known by its first place, to which lanes jump back; it reaches as far down as places
 * were seen that belong to it.  Places further down than that belong to it, too, if a lane comes to
 * them from a place inside from which no lane has jumped back: a loop is left where it is also
 * begun again.  (Who leaves by a break makes the loop look longer than it is, and then goes before
 * those that stay: another order, and more requests.)  Where lanes meet, all rounds begin anew.
 *
 * Time: constant a lane that stops, or a warp, as long as its lanes are together.
 */
#ifndef CW_MACHINE_EMU_EMU_ORDER_H
#define CW_MACHINE_EMU_EMU_ORDER_H

#include <stdint.h>

#include "clearway.h"

/* A place in a file; `line` also tells two words of one line apart. */
struct cw_emu_spot {
    uint32_t file, line;
};

struct cw_emu_order;

struct cw_emu_order *cw_emu_order_create(uint32_t threads); /* NULL: out of memory */
void cw_emu_order_destroy(struct cw_emu_order *o);

/* A launch begins: no loop is known. */
void cw_emu_order_reset(struct cw_emu_order *o);

/* All threads of the block have met, or begun; all lanes of this warp have met; those of a mask. */
void cw_emu_order_block(struct cw_emu_order *o);
void cw_emu_order_warp(struct cw_emu_order *o, uint32_t warp);
void cw_emu_order_lanes(struct cw_emu_order *o, uint32_t warp, uint32_t mask);

/* A thread stops there; all of a warp do. */
void cw_emu_order_move(struct cw_emu_order *o, uint32_t thread, struct cw_emu_spot to);
void cw_emu_order_move_warp(struct cw_emu_order *o, uint32_t warp, struct cw_emu_spot to);

/* Does thread a go before thread b, of the same warp?  They were not moved together last. */
int cw_emu_order_before(const struct cw_emu_order *o, uint32_t a, uint32_t b);

#endif
