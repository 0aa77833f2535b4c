/* emu_know.h - what a thread knows of the threads of a launch: a clock that is a vector.
 *
 * A block counts: its clock goes on at each barrier, each meeting of a warp, each release and each
 * fence.  An access is known by its thread and by the clock of its block.  Of the accesses of a block
 * those are known, to a thread, that were made before its barrier (part CW_EMU_OF_BLOCK), a meeting of a
 * warp (CW_EMU_OF_WARP + warp) or a release of a thread (CW_EMU_OF_THREAD + thread): each part has the
 * clock below which they are.
 *
 * What is known of no block is not there, so what most threads know is nothing (NULL).  A vector is
 * shared and never changed.  Time and space of what is done with two of them: linear.
 */
#ifndef CW_MACHINE_EMU_EMU_KNOW_H
#define CW_MACHINE_EMU_EMU_KNOW_H

#include <stdint.h>

#define CW_EMU_OF_BLOCK  0u
#define CW_EMU_OF_WARP   1u
#define CW_EMU_OF_THREAD 64u

struct cw_emu_known {
    uint64_t key; /* cw_emu_key */
    uint32_t below;
};

struct cw_emu_know {
    uint32_t owners, count;
    struct cw_emu_known all[]; /* by key */
};

static inline uint64_t cw_emu_key(uint32_t block, uint32_t part)
{
    return (uint64_t)block << 11 | part;
}

/* Put all that the other says, or these words, into a vector.  0: out of memory. */
int cw_emu_know_join(struct cw_emu_know **into, struct cw_emu_know *other);
int cw_emu_know_add(struct cw_emu_know **into, const struct cw_emu_known *all, uint32_t count);

/* Let it be that one, or nothing. */
void cw_emu_know_set(struct cw_emu_know **what, struct cw_emu_know *to);

/* Is an access of this thread of a block at this clock known? */
int cw_emu_knows(const struct cw_emu_know *know, uint32_t block, uint32_t thread, uint32_t clock);

#endif
