/* emu_turns.c - the lanes of a warp, stop by stop: which of them are served next. */
#include "machine/emu/emu_state.h"

#include "base/status.h"
#include "machine/wavefronts.h"

/* How the lanes of a warp have stopped, a bit a lane. */
struct stops {
    uint32_t asks, passes;
    uint32_t masks; /* in warp_sync_mask */
    uint32_t waits; /* there, or for the whole warp */
    uint32_t spins; /* for another block */
    int pauses;     /* one lets others go first */
    uint32_t place; /* of one of those that ask */
    int apart;      /* they stand at several */
    int counts;     /* one of those that ask or let pass counts its steps */
};

/* A lane has stopped, and does not ask. */
static cw_status note(struct stops *s, const struct cw_emu_thread *t, uint32_t thread)
{
    const uint32_t lane = 1u << thread % CW_WARP;

    if (t->state == PASSES) {
        s->passes |= lane;
        s->counts = 1;
    } else if (t->state == WAITS_WARP) {
        s->waits |= lane;
        s->masks |= t->what == CW_EMU_SYNC_MASK ? lane : 0;
    } else if (t->state == SPINS) {
        s->spins |= lane;
    } else if (t->state == PAUSES) {
        s->pauses = 1;
    } else if (t->state == SPENT) {
        return cw_fail(CW_ERR_INTERNAL, "thread %u has used up its stack at %s", thread, t->site);
    }
    return CW_OK;
}

static cw_status note_place(struct stops *s, const struct cw_emu_thread *t, uint32_t thread)
{
    if (t->place == CW_EMU_NO_PLACE)
        return cw_fail(CW_ERR_MEMORY, "no room for another source place, %s", t->site);
    s->apart |= s->asks && t->place != s->place;
    s->place = t->place;
    s->asks |= 1u << thread % CW_WARP;
    s->counts |= t->counts;
    return CW_OK;
}

/* Run the lanes that can, each to its next stop; returns which they were. */
static uint32_t run_lanes(struct cw_emu *e, struct cw_emu_warp w, struct stops *s)
{
    uint32_t ran = 0;

    for (uint32_t i = w.first; i < w.end && !e->status; i++) {
        const struct cw_emu_thread *const t = &e->threads[i];

        if (t->state == RUNS) {
            ran |= 1u << i % CW_WARP;
            e->cur = i;
            e->reached = 0;
            cw_lanes_enter(e->lanes, i);
            if (e->status) /* outside global memory */
                break;
        }
        e->status = t->state == ASKS ? note_place(s, t, i) : note(s, t, i);
    }
    return ran;
}

/* Tell the order where these lanes have come to. */
static void move(struct cw_emu *e, struct cw_emu_warp w, uint32_t lanes, int apart)
{
    if (lanes == cw_emu_lanes(w) && !apart) {
        const uint32_t place = e->threads[w.first].place;

        cw_emu_order_move_warp(e->order, w.first / CW_WARP, cw_emu_places_spot(e->places, place));
        return;
    }
    for (uint32_t i = w.first; lanes; i++, lanes >>= 1)
        if (lanes & 1)
            cw_emu_order_move(e->order, i, cw_emu_places_spot(e->places, e->threads[i].place));
}

/* Of these lanes, those that have made the fewest steps. */
static uint32_t behind(const struct cw_emu *e, struct cw_emu_warp w, uint32_t lanes)
{
    const struct cw_emu_thread *const t = &e->threads[w.first];
    uint32_t least = UINT32_MAX, found = 0;

    for (uint32_t i = 0, rest = lanes; rest; i++, rest >>= 1)
        if (rest & 1 && t[i].steps < least)
            least = t[i].steps;
    for (uint32_t i = 0; lanes; i++, lanes >>= 1)
        if (lanes & 1 && t[i].steps == least)
            found |= 1u << i;
    return found;
}

/* The place to serve, of those at which these lanes ask. */
static uint32_t choose(const struct cw_emu *e, struct cw_emu_warp w, uint32_t lanes)
{
    const struct cw_emu_thread *const t = e->threads;
    uint32_t best = w.first + (uint32_t)__builtin_ctz(lanes);

    for (uint32_t i = w.first; lanes; i++, lanes >>= 1)
        if (lanes & 1 && t[i].place != t[best].place && cw_emu_order_before(e->order, i, best))
            best = i;
    return t[best].place;
}

static void pass(struct cw_emu *e, struct cw_emu_warp w, uint32_t lanes)
{
    for (uint32_t i = w.first; lanes; i++, lanes >>= 1) {
        if (lanes & 1) {
            e->threads[i].steps++;
            e->threads[i].state = RUNS;
        }
    }
}

/* Serve a request, or let one pass. */
static void serve(struct cw_emu *e, struct cw_emu_warp w, const struct stops *s)
{
    uint32_t lanes = s->asks | s->passes;

    if (s->counts)
        lanes = behind(e, w, lanes);
    if (lanes & s->passes)
        pass(e, w, lanes & s->passes);
    else
        cw_emu_serve(e, w, lanes, s->apart ? choose(e, w, lanes) : s->place);
}

cw_status cw_emu_watch(const struct cw_emu *e, struct cw_emu_warp w)
{
    const char *const site = e->threads[w.first].site;
    const uint64_t most = e->launch.steps ? e->launch.steps : CW_EMU_STEPS;

    if (e->quiet > CW_EMU_QUIET)
        return cw_fail(
            CW_ERR_STUCK,
            "thread %u goes on for ever: %llu stops of threads in a row, the last at %s, "
            "and no word was written meanwhile",
            w.first, (unsigned long long)e->quiet, site);
    if (e->stops > most)
        return cw_fail(CW_ERR_STUCK,
                       "the launch has not ended after %llu stops of its threads, the last of "
                       "thread %u at %s",
                       (unsigned long long)most, w.first, site);
    return CW_OK;
}

/* Let lanes go on that can; 0: none of this warp can now. */
static int go_on(struct cw_emu *e, struct cw_emu_warp w, const struct stops *s)
{
    if (s->masks && cw_emu_gather_masks(e, w, s->masks))
        return 1;
    if (s->asks | s->passes) {
        serve(e, w, s);
        return 1;
    }
    if (s->spins || !s->waits)
        return 0;
    cw_emu_gather(e, w);
    return 1;
}

void cw_emu_run_warp(struct cw_emu *e, struct cw_emu_warp w)
{
    uint32_t *const ran = &e->slot->ran[w.first / CW_WARP];

    while (e->turn) {
        struct stops s = {0};

        *ran |= run_lanes(e, w, &s);
        if (!e->status)
            e->status = cw_emu_watch(e, w);
        if (e->status || s.pauses) {
            e->turn = 0;
            return;
        }
        move(e, w, *ran & s.asks, s.apart);
        *ran = 0;
        if (!go_on(e, w, &s))
            return;
        e->changes++;
        e->turn--;
    }
}
