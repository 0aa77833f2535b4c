/* emu_judge.h - which accesses to global memory nothing orders.
 *
 * Two accesses to one byte by two threads of a launch, at least one a write, must be ordered: by
 * program order, by a barrier of the block or the warp, or from block to block by a release
 * and an acquire that read what was released (emu_sync.c).  Otherwise they race, whatever order they
 * came in here.  Strong accesses (atomics, relaxed, acquire and release words) do not race with each
 * other, but with plain ones.
 *
 * A page of memory has cells, each for as many bytes as the smallest access to the page so far.  A
 * cell keeps the last write and one read; where two were made that nothing orders, one of each more:
 * of another block if there is one.  So no race is invented.  One can be missed only where more than
 * two threads read a word, or changed it by atomics, and only those two that are kept are ordered before
 * the access that is not ordered after all.
 *
 * Time: constant an access, as long as threads know of no other block.  Space: 8 bytes a byte of
 * memory in accesses of 4 bytes.
 */
#ifndef CW_MACHINE_EMU_EMU_JUDGE_H
#define CW_MACHINE_EMU_EMU_JUDGE_H

#include <stdint.h>

#include "machine/emu/emu_map.h"

/* One access: who made it, when, where in the source. */
struct cw_emu_deed {
    const char *site;
    uint32_t who;   /* cw_emu_who */
    uint32_t clock; /* of its block; 0: there is none */
};

#define CW_EMU_WHO_BLOCKS (1u << 21) /* blocks that have numbers there */

static inline uint32_t cw_emu_who(uint32_t block, uint32_t thread, int strong)
{
    return block << 11 | thread << 1 | (strong ? 1u : 0u);
}

struct cw_emu_judge {
    struct cw_emu_map pages; /* by address */
};

struct cw_emu;
struct cw_emu_reach;

void cw_emu_judge_reset(struct cw_emu_judge *j);

/* An access of the running thread.  If it races, or memory is short, e->status says so. */
void cw_emu_judge_note(struct cw_emu *e, const struct cw_emu_reach *r);

/* Is that access ordered before what the running thread does now? */
int cw_emu_is_after(const struct cw_emu *e, const struct cw_emu_deed *d);

#endif
