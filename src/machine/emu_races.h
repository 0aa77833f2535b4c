/* emu_races.h - which accesses to shared memory nothing orders, and which read what nobody wrote.
 *
 * Two accesses to one word by two threads, at least one a write, must have a barrier between
 * them: one of the block, or, for lanes of one warp, one of the warp.  Atomics do not race with
 * each other, but with reads and writes.
 *
 * So an access is known by its thread and two numbers: how many barriers of the block came
 * before it (epoch), how many meetings of its warp (turn).  Accesses of two warps are unordered
 * if their epochs are equal; accesses of two lanes of a warp if their turns are too.
 *
 * What a word must remember, for no race to be missed: its last write; and of its reads, and of
 * its atomics, the last of each of the two warps that came last, with two of their lanes in the
 * last turn.  More would not tell more:
 *
 *   - a write that is not the last is ordered before the last one, or is the same thread's;
 *   - if a third warp read in this epoch, a writer finds one that is not its own among two;
 *   - if a third lane read in this turn, a writer finds one that is not itself among two.
 *
 * Time: constant a word.  Space: 100 bytes a word.
 */
#ifndef CW_MACHINE_EMU_RACES_H
#define CW_MACHINE_EMU_RACES_H

#include "machine/emu.h"

struct cw_emu_races;

/* One thread at one place of emu_places.h. */
struct cw_emu_access {
    uint32_t thread, place;
    enum cw_emu_kind kind;
};

enum cw_emu_verdict { CW_EMU_FINE, CW_EMU_UNWRITTEN, CW_EMU_RACE };

struct cw_emu_races *cw_emu_races_create(uint32_t words); /* NULL: out of memory */
void cw_emu_races_destroy(struct cw_emu_races *r);

/* A block begins, on shared memory that nobody wrote, or that the host did. */
void cw_emu_races_begin(struct cw_emu_races *r, int written);

/* All threads of the block have met; all lanes of this warp have. */
void cw_emu_races_block(struct cw_emu_races *r);
void cw_emu_races_warp(struct cw_emu_races *r, uint32_t warp);

/* An access to this word; if it races, `other` is the one before. */
enum cw_emu_verdict cw_emu_races_note(struct cw_emu_races *r, uint32_t word,
                                      const struct cw_emu_access *a, struct cw_emu_access *other);

#endif
