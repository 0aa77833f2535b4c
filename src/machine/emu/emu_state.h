/* emu_state.h - the emulator from inside: its threads and the parts that serve them. */
#ifndef CW_MACHINE_EMU_EMU_STATE_H
#define CW_MACHINE_EMU_EMU_STATE_H

#include "machine/emu/emu.h"
#include "machine/emu/emu_judge.h"
#include "machine/emu/emu_know.h"
#include "machine/emu/emu_map.h"
#include "machine/emu/emu_order.h"
#include "machine/emu/emu_places.h"
#include "machine/emu/emu_races.h"
#include "machine/lanes.h"

enum cw_emu_state {
    RUNS,
    ASKS,
    PASSES,
    WAITS_WARP,
    WAITS_BLOCK,
    SPINS,  /* waits for another block, or a warp of its own */
    PAUSES, /* lets others go first */
    ENDED,
    SPENT,
    FAILED
};

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
    uint64_t x;    /* what it brings to its warp, or takes away */
    uint32_t spun; /* times that it has waited at one place */

    /* Accesses that are ordered before what it does now; would be after a fence; were before its
     * last fence. */
    struct cw_emu_know *know, *pending, *fenced;
};

#define CW_EMU_WARPS (CW_EMU_THREADS / 32u)

/* A block that has begun and not ended, with all that is its own. */
struct cw_emu_slot {
    struct cw_lanes *lanes;
    struct cw_emu_thread *threads;
    unsigned char *shared;
    struct cw_emu_races *races;
    struct cw_emu_order *order;
    uint32_t block;
    int alive;
    uint64_t seen; /* cw_emu.changes when it could not go on */
    uint32_t clock, met,
        met_warp[CW_EMU_WARPS]; /* now; at its last barrier; at that of each warp */
    int learned;                /* a thread has, since that barrier */
    uint32_t learned_warps;     /* of these warps, since they last met */
    /* lanes that have come to where they ask, and the order was not told */
    uint32_t ran[CW_EMU_WARPS];
};

struct cw_emu {
    struct cw_emu_config config;

    /* The slot that runs, and what it holds. */
    struct cw_emu_slot *slot;
    struct cw_lanes *lanes;
    struct cw_emu_thread *threads;
    unsigned char *shared;
    struct cw_emu_races *races;
    struct cw_emu_order *order;
    uint32_t block; /* its block */
    uint32_t cur;   /* and the thread */

    struct cw_emu_slot **slots; /* [slot_room]: where blocks run; the first is always there */
    uint32_t slot_room, slot_count;
    uint32_t *sequence; /* the order in which blocks begin, if it is random */
    uint32_t begun, alive;
    uint64_t random;  /* what chance is made from */
    uint64_t changes; /* whatever may let a thread that waits go on */
    uint64_t turn;    /* rounds of a warp that the slot may go on for */

    uint64_t stops, quiet; /* of threads: all, and since the last write */
    uint64_t reached;      /* accesses to global memory since the thread last stopped */

    struct cw_emu_judge judge;
    struct cw_emu_map left;   /* by address: what is known to who acquires the word there */
    struct cw_emu_map before; /* by address: what a word was, where stores are seen late */
    uint64_t ticks;           /* strong accesses so far */
    unsigned char *judged;    /* of each buffer: may anybody write there? */
    int any;                  /* stores may meet: cw_emu_any */
    int disjoint;             /* no two buffers overlap */
    uint32_t last_buffer;     /* that was asked for */

    struct cw_emu_places *places;
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

/* Run a warp until all its lanes have ended, wait for the block or for another one, or the slot's
 * turn is over. */
void cw_emu_run_warp(struct cw_emu *e, struct cw_emu_warp w);

/* Room for this many blocks at a time; the blocks of a launch, with fresh shared memory or not. */
cw_status cw_emu_slots(struct cw_emu *e, uint32_t count);
void cw_emu_slots_free(struct cw_emu *e);
void cw_emu_enter_slot(struct cw_emu *e, struct cw_emu_slot *slot);
void cw_emu_run_blocks(struct cw_emu *e, int fresh);

/* Run the block of the slot that was entered as far as it comes; whether it has ended. */
int cw_emu_run_block(struct cw_emu *e);

/* Threads stop too often: say where. */
cw_status cw_emu_watch(const struct cw_emu *e, struct cw_emu_warp w);

/* A number below n, by chance; whether blocks change places by chance. */
uint64_t cw_emu_chance(struct cw_emu *e, uint64_t n);
static inline int cw_emu_is_random(const struct cw_emu *e)
{
    return e->launch.order >= CW_EMU_RANDOM;
}

/* Stop the running thread in this state; returns when it is let go on. */
void cw_emu_stop(struct cw_emu *e, enum cw_emu_state state, const char *site);

/* An access of the running thread to global memory.  It is checked and written down; if it is not
 * allowed, the thread does not come back. */
struct cw_emu_reach {
    enum cw_emu_kind kind;
    uint32_t bytes;
    int strong; /* a word that blocks speak by */
    uintptr_t at;
    const char *site;
    const struct cw_emu_buffer *buffer; /* found there */
};

void *cw_emu_reach(struct cw_emu *e, struct cw_emu_reach r);
cw_status cw_emu_reach_begin(struct cw_emu *e);

/* Order from block to block (emu_sync.c): words, fences, meetings; a block begins, threads end. */
void cw_emu_sync_read(struct cw_emu *e, struct cw_emu_know *left, enum cw_emu_sense s);
void cw_emu_sync_write(struct cw_emu *e, uintptr_t at, enum cw_emu_sense s, int atomic);
void cw_emu_sync_plain(struct cw_emu *e, uintptr_t at);
void cw_emu_sync_fence(struct cw_emu *e);
void cw_emu_sync_warp(struct cw_emu *e, struct cw_emu_warp w);
void cw_emu_sync_block(struct cw_emu *e);
void cw_emu_sync_begin(struct cw_emu *e);
void cw_emu_sync_forget(struct cw_emu_thread *all, uint32_t count);
void cw_emu_sync_reset(struct cw_emu *e);

/* Stores that others see late (emu_weak.c): before one is made; what a read of 4 or 8 bytes finds, and
 * what was left with it. */
void cw_emu_weak_store(struct cw_emu *e, uintptr_t at, uint32_t bytes, const char *site);
struct cw_emu_know *cw_emu_weak_load(struct cw_emu *e, uintptr_t at, uint32_t bytes, uint64_t *out);
void cw_emu_weak_reset(struct cw_emu *e);

/* Serve those of the lanes that ask at this place. */
void cw_emu_serve(struct cw_emu *e, struct cw_emu_warp warp, uint32_t lanes, uint32_t place);

/* All lanes of the warp have stopped, none asks, one waits for the others: let them meet, or say
 * why they cannot. */
void cw_emu_gather(struct cw_emu *e, struct cw_emu_warp warp);

/* Of the lanes in `waits`, all in warp_sync_mask, let those go on whose mask is complete.  Returns
 * whether any did, or none can. */
int cw_emu_gather_masks(struct cw_emu *e, struct cw_emu_warp warp, uint32_t waits);

static inline int cw_emu_is_faulty(const struct cw_emu *e, enum cw_emu_fault_kind kind,
                                   const char *site)
{
    const struct cw_emu_fault *const f = e->launch.fault;

    return f && f->applies(f->user, kind, site);
}

static inline uint64_t cw_emu_mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
