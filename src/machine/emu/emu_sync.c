/* emu_sync.c - how order comes from block to block: what a word that one block writes and another reads
 * takes with it.
 *
 * A release, or a fence before a strong write, leaves with the word what the thread knows: its own
 * accesses, those of its warp before they last met, those of its block before their last barrier, and
 * all that it has learned.  An acquire of the word, or a strong read and a fence after it, learns that.
 * An atomic leaves to the next reader what was there, too.  Barriers and meetings hand on what one of
 * their threads has learned.  This is the memory model of PTX, where fence and access are the same
 * thread's.
 */
#include "machine/emu/emu_state.h"
#include "base/status.h"
#include "machine/wavefronts.h"

static void no_room(struct cw_emu *e)
{
    e->status = cw_fail(CW_ERR_MEMORY, "out of memory for what threads know of each other");
}

static void join(struct cw_emu *e, struct cw_emu_know **into, struct cw_emu_know *other)
{
    if (!cw_emu_know_join(into, other))
        no_room(e);
}

/* All that is ordered before now, for the running thread; what it does later has a later clock. */
static void all_until_now(struct cw_emu *e, struct cw_emu_know **into)
{
    struct cw_emu_slot *const s = e->slot;
    const uint32_t warp = e->cur / CW_WARP, now = ++s->clock;
    const struct cw_emu_known own[] = {
        {cw_emu_key(e->block, CW_EMU_OF_BLOCK), s->met},
        {cw_emu_key(e->block, CW_EMU_OF_WARP + warp), s->met_warp[warp]},
        {cw_emu_key(e->block, CW_EMU_OF_THREAD + e->cur), now},
    };

    join(e, into, e->threads[e->cur].know);
    if (!cw_emu_know_add(into, own, 3))
        no_room(e);
}

/* ---- words -------------------------------------------------------------------- */

static void learn(struct cw_emu *e, struct cw_emu_know *what)
{
    if (!what)
        return;
    join(e, &e->threads[e->cur].know, what);
    e->slot->learned = 1;
    e->slot->learned_warps |= 1u << e->cur / CW_WARP;
}

void cw_emu_sync_read(struct cw_emu *e, struct cw_emu_know *left, enum cw_emu_sense s)
{
    if (s == CW_EMU_ACQUIRE)
        learn(e, left);
    else
        join(e, &e->threads[e->cur].pending, left);
}

/* What the running thread leaves with a word that it writes: to what an atomic finds there it adds. */
void cw_emu_sync_write(struct cw_emu *e, uintptr_t at, enum cw_emu_sense s, int atomic)
{
    struct cw_emu_know *const fenced = e->threads[e->cur].fenced;
    struct cw_emu_know *what;
    void **place;

    if (s != CW_EMU_RELEASE && !fenced && !cw_emu_map_get(&e->left, at))
        return;
    place = cw_emu_map_at(&e->left, at);
    if (!place) {
        no_room(e);
        return;
    }
    what = (struct cw_emu_know *)*place;
    if (!atomic)
        cw_emu_know_set(&what, NULL);
    if (s == CW_EMU_RELEASE)
        all_until_now(e, &what);
    else
        join(e, &what, fenced);
    *place = what;
}

void cw_emu_sync_plain(struct cw_emu *e, uintptr_t at)
{
    struct cw_emu_know *what = (struct cw_emu_know *)cw_emu_map_get(&e->left, at);

    if (what) {
        cw_emu_know_set(&what, NULL);
        *cw_emu_map_at(&e->left, at) = NULL;
    }
}

void cw_emu_sync_fence(struct cw_emu *e)
{
    struct cw_emu_thread *const t = &e->threads[e->cur];

    learn(e, t->pending);
    cw_emu_know_set(&t->pending, NULL);
    cw_emu_know_set(&t->fenced, NULL);
    all_until_now(e, &t->fenced);
}

/* ---- meetings -------------------------------------------------------------------- */

/* Threads [first, end) of the block share what they know. */
static void share(struct cw_emu *e, uint32_t first, uint32_t end)
{
    struct cw_emu_know *sum = NULL;

    for (uint32_t i = first; i < end; i++)
        join(e, &sum, e->threads[i].know);
    for (uint32_t i = first; i < end; i++)
        cw_emu_know_set(&e->threads[i].know, sum);
    cw_emu_know_set(&sum, NULL);
}

void cw_emu_sync_warp(struct cw_emu *e, struct cw_emu_warp w)
{
    struct cw_emu_slot *const s = e->slot;
    const uint32_t warp = w.first / CW_WARP;

    s->met_warp[warp] = ++s->clock;
    if (s->learned_warps >> warp & 1u) {
        share(e, w.first, w.end);
        s->learned_warps &= ~(1u << warp);
    }
}

void cw_emu_sync_block(struct cw_emu *e)
{
    struct cw_emu_slot *const s = e->slot;

    s->met = ++s->clock;
    if (s->learned)
        share(e, 0, e->config.threads);
    s->learned = 0;
    s->learned_warps = 0;
}

/* ---- blocks and launches ------------------------------------------------------------ */

void cw_emu_sync_begin(struct cw_emu *e)
{
    struct cw_emu_slot *const s = e->slot;

    s->clock = s->met = 1;
    s->learned = 0;
    s->learned_warps = 0;
    for (uint32_t x = 0; x < CW_EMU_WARPS; x++)
        s->met_warp[x] = 1;
}

void cw_emu_sync_forget(struct cw_emu_thread *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cw_emu_know_set(&all[i].know, NULL);
        cw_emu_know_set(&all[i].pending, NULL);
        cw_emu_know_set(&all[i].fenced, NULL);
    }
}

void cw_emu_sync_reset(struct cw_emu *e)
{
    struct cw_emu_map_row *row;
    uint32_t x = 0;

    while ((row = cw_emu_map_next(&e->left, &x)) != NULL) {
        struct cw_emu_know *what = (struct cw_emu_know *)row->value;

        cw_emu_know_set(&what, NULL);
    }
    cw_emu_map_free(&e->left);
}
