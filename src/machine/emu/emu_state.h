/* emu_state.h - the emulator from inside: its threads and the parts that serve them. */
#ifndef CW_MACHINE_EMU_EMU_STATE_H
#define CW_MACHINE_EMU_EMU_STATE_H

#include "machine/emu/emu.h"
#include "machine/emu/emu_order.h"
#include "machine/emu/emu_places.h"
#include "machine/emu/emu_races.h"
#include "machine/lanes.h"

enum cw_emu_state { RUNS, ASKS, PASSES, WAITS_WARP, WAITS_BLOCK, ENDED, SPENT, FAILED };

struct cw_emu_thread {
    enum cw_emu_state state;
    const char *site; /* where it stopped last */
    uint32_t steps;   /* requests that it made or let pass, or waited for */
    int counts;       /* it has let one pass since it last met others */
    uint32_t at;      /* asks: for which byte, at which place */
    uint32_t place;
    uint32_t value[4]; /* to write, or as read */
    enum cw_emu_meet what;
    uint32_t arg;
    uint64_t x; /* what it brings to its warp, or takes away */
};

struct cw_emu {
    struct cw_emu_config config;
    struct cw_lanes *lanes;
    struct cw_emu_thread *threads;
    uint32_t cur;   /* the thread that runs */
    uint32_t block; /* and its block */
    unsigned char *shared;
    struct cw_emu_places *places;
    struct cw_emu_races *races;
    struct cw_emu_order *order;
    struct cw_emu_launch launch;
    uint64_t trace;
    cw_status status;
};

/* Threads [first, end) of one warp. */
struct cw_emu_warp {
    uint32_t first, end;
};

/* All lanes of a warp, a bit each. */
static inline uint32_t cw_emu_lanes(struct cw_emu_warp w)
{
    return UINT32_MAX >> (32 - (w.end - w.first));
}

extern const char *const cw_emu_kind_names[];

/* Run a warp until all its lanes have ended or wait for the block. */
void cw_emu_run_warp(struct cw_emu *e, struct cw_emu_warp w);

/* Stop the running thread in this state; returns when it is let go on. */
void cw_emu_stop(struct cw_emu *e, enum cw_emu_state state, const char *site);

/* Serve those of the lanes that ask at this place. */
void cw_emu_serve(struct cw_emu *e, struct cw_emu_warp warp, uint32_t lanes, uint32_t place);

/* All lanes of the warp have stopped, none asks, one waits for the others: let them meet, or say
 * why they cannot. */
void cw_emu_gather(struct cw_emu *e, struct cw_emu_warp warp);

/* Of the lanes in `waits`, all in warp_sync_mask, let those go on whose mask is complete.  Returns
 * whether any did, or none can. */
int cw_emu_gather_masks(struct cw_emu *e, struct cw_emu_warp warp, uint32_t waits);

static inline uint64_t cw_emu_mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
