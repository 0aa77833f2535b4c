/* emu_races.h - which accesses to shared memory nothing orders, and which read what nobody wrote.
 *
 * Two accesses to one word by two threads, at least one a write, must have a barrier between
 * them: one of the block, or, for lanes of one warp, one of the warp or of some of its lanes.
 * Shuffles, votes and match are none.  Atomics do not race with each other, but with reads and
 * writes.
 *
 * So an access is known by its thread and two numbers: how many barriers of the block came
 * before it (epoch), how many meetings in its warp, of all lanes or of some (turn).  Accesses of
 * two warps are unordered if their epochs are equal.  Those of two lanes of a warp, i now and j
 * before, are ordered if a meeting of both, or a chain of meetings from j to i, came between: each
 * lane i knows of each lane j the turn below which j's accesses are (known[i][j]).  Lanes that meet
 * share what they know, and then know all of each other.  A meeting of the whole warp orders
 * all that came before it.
 *
 * What a word must remember, for no race to be missed and none to be invented:
 *
 *   its last write      an earlier one is ordered before it, and so before all that is after it;
 *   its reads, and its atomics, since then:
 *     of the warp that came last, the last of each lane, less those that are ordered before
 *     another one: who comes after that one comes after both;
 *     of the other warps, one: it alone makes a write of the last warp a race, as one of the last
 *     warp does with a write of any other.
 *
 * Lanes that read in one turn at one place are one entry, which stands in the word itself; where
 * there are more, they are a list.
 *
 * Time: constant a word, as long as the lists are short; 32 a lane that meets with some of its
 * warp only.  Space: 92 bytes a word.
 */
#ifndef CW_MACHINE_EMU_EMU_RACES_H
#define CW_MACHINE_EMU_EMU_RACES_H

#include "machine/emu/emu.h"

struct cw_emu_races;

/* One thread at one place of emu_places.h. */
struct cw_emu_access {
    uint32_t thread, place;
    enum cw_emu_kind kind;
};

enum cw_emu_verdict { CW_EMU_FINE, CW_EMU_UNWRITTEN, CW_EMU_RACE, CW_EMU_NO_ROOM };

struct cw_emu_races *cw_emu_races_create(uint32_t words); /* NULL: out of memory */
void cw_emu_races_destroy(struct cw_emu_races *r);

/* A block begins, on shared memory that nobody wrote, or that the host did. */
void cw_emu_races_begin(struct cw_emu_races *r, int written);

/* All threads of the block have met; all lanes of this warp have; those of a mask have. */
void cw_emu_races_block(struct cw_emu_races *r);
void cw_emu_races_warp(struct cw_emu_races *r, uint32_t warp);
void cw_emu_races_lanes(struct cw_emu_races *r, uint32_t warp, uint32_t mask);

/* An access to this word; if it races, `other` is the one before. */
enum cw_emu_verdict cw_emu_races_note(struct cw_emu_races *r, uint32_t word,
                                      const struct cw_emu_access *a, struct cw_emu_access *other);

#endif
