/* emu_words.c - what threads of a kernel call: each word stops its thread, or asks global memory
 * at once. */
#include "machine/emu_state.h"

#include <string.h>

#include "machine/status.h"

uint32_t cw_emu_thread(const struct cw_emu *e)
{
    return e->cur;
}

uint32_t cw_emu_threads(const struct cw_emu *e)
{
    return e->config.threads;
}

uint32_t cw_emu_block(const struct cw_emu *e)
{
    return e->block;
}

uint32_t cw_emu_blocks(const struct cw_emu *e)
{
    return e->launch.blocks;
}

void cw_emu_stop(struct cw_emu *e, enum cw_emu_state state, const char *site)
{
    const size_t room = cw_lanes_room(e->lanes, e->cur, __builtin_frame_address(0));

    e->threads[e->cur].state = room < CW_LANES_SPARE ? SPENT : state;
    e->threads[e->cur].site = site;
    cw_lanes_switch(e->lanes, e->cur, CW_LANE_HOST);
}

/* ---- shared memory -------------------------------------------------------- */

/* Ask, wait until the request is served, and find the value in the thread. */
static struct cw_emu_thread *ask(struct cw_emu *e, enum cw_emu_kind kind, uint32_t bytes,
                                 uint32_t at, const void *value, const char *site)
{
    struct cw_emu_thread *const t = &e->threads[e->cur];

    t->at = at;
    t->place = cw_emu_places_find(e->places, site, kind, bytes);
    if (value)
        memcpy(t->value, value, bytes);
    cw_emu_stop(e, ASKS, site);
    return t;
}

uint32_t cw_emu_read4(struct cw_emu *e, uint32_t at, const char *site)
{
    return ask(e, CW_EMU_READ, 4, at, NULL, site)->value[0];
}

uint64_t cw_emu_read8(struct cw_emu *e, uint32_t at, const char *site)
{
    uint64_t x;

    memcpy(&x, ask(e, CW_EMU_READ, 8, at, NULL, site)->value, sizeof x);
    return x;
}

struct cw_quad cw_emu_read16(struct cw_emu *e, uint32_t at, const char *site)
{
    struct cw_quad x;

    memcpy(&x, ask(e, CW_EMU_READ, 16, at, NULL, site)->value, sizeof x);
    return x;
}

void cw_emu_write4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site)
{
    ask(e, CW_EMU_WRITE, 4, at, &x, site);
}

void cw_emu_write8(struct cw_emu *e, uint32_t at, uint64_t x, const char *site)
{
    ask(e, CW_EMU_WRITE, 8, at, &x, site);
}

void cw_emu_write16(struct cw_emu *e, uint32_t at, struct cw_quad x, const char *site)
{
    ask(e, CW_EMU_WRITE, 16, at, &x, site);
}

uint32_t cw_emu_add4(struct cw_emu *e, uint32_t at, uint32_t x, const char *site)
{
    return ask(e, CW_EMU_ADD, 4, at, &x, site)->value[0];
}

/* ---- meetings ------------------------------------------------------------- */

uint64_t cw_emu_meet(struct cw_emu *e, enum cw_emu_meet what, uint64_t x, uint32_t arg,
                     const char *site)
{
    struct cw_emu_thread *const t = &e->threads[e->cur];

    t->what = what;
    t->x = x;
    t->arg = arg;
    cw_emu_stop(e, WAITS_WARP, site);
    return t->x;
}

void cw_emu_warp_sync(struct cw_emu *e, const char *site)
{
    (void)cw_emu_meet(e, CW_EMU_SYNC, 0, 0, site);
}

void cw_emu_block_sync(struct cw_emu *e, const char *site)
{
    cw_emu_stop(e, WAITS_BLOCK, site);
}

/* ---- global memory -------------------------------------------------------- */

struct global {
    enum cw_emu_kind kind;
    uint32_t bytes;
    uintptr_t at;
    const char *site;
};

/* The buffer that begins closest before an address, or NULL. */
static const struct cw_emu_buffer *buffer_below(const struct cw_emu *e, uintptr_t at)
{
    const struct cw_emu_buffer *best = NULL;

    for (uint32_t x = 0; x < e->launch.buffer_count; x++) {
        const struct cw_emu_buffer *const b = &e->launch.buffers[x];

        if ((uintptr_t)b->data <= at && (!best || (uintptr_t)best->data < (uintptr_t)b->data))
            best = b;
    }
    return best;
}

static cw_status refuse(const struct cw_emu *e, const struct global *g,
                        const struct cw_emu_buffer *b, const char *why)
{
    char where[96] = "before all buffers";

    if (b)
        snprintf(where, sizeof where, "byte %zu of buffer %u, which has %zu",
                 (size_t)(g->at - (uintptr_t)b->data), (unsigned)(b - e->launch.buffers), b->bytes);
    return cw_fail(CW_ERR_BOUNDS, "thread %u: %s of %u bytes of global memory %s (%s), at %s",
                   e->cur, cw_emu_kind_names[g->kind], g->bytes, why, where, g->site);
}

static const char *wrong(const struct global *g, const struct cw_emu_buffer *b)
{
    const size_t from = b ? (size_t)(g->at - (uintptr_t)b->data) : 0;

    if (!b || g->at < (uintptr_t)b->data || from >= b->bytes || b->bytes - from < g->bytes)
        return "outside the buffers of the kernel";
    if (g->at % g->bytes)
        return "at an address that is not a multiple of its size";
    if (g->kind != CW_EMU_READ && !b->writable)
        return "in a buffer that is not writable";
    return NULL;
}

/* A buffer that allows the access, or NULL: then the thread has stopped for good.  Buffers may
 * overlap, as those of a kernel that works in place do. */
static const struct cw_emu_buffer *find(struct cw_emu *e, const struct global *g)
{
    const struct cw_emu_buffer *const b = buffer_below(e, g->at);

    for (uint32_t x = 0; x < e->launch.buffer_count; x++)
        if (!wrong(g, &e->launch.buffers[x]))
            return &e->launch.buffers[x];
    e->status = refuse(e, g, b, wrong(g, b));
    cw_emu_stop(e, FAILED, g->site);
    return NULL;
}

static void *reach(struct cw_emu *e, enum cw_emu_kind kind, uint32_t bytes, const void *p,
                   const char *site)
{
    const struct global g = {kind, bytes, (uintptr_t)p, site};
    const struct cw_emu_buffer *const b = find(e, &g);
    const uint64_t at = (uint64_t)(g.at - (uintptr_t)b->data);

    e->trace = cw_emu_mix(e->trace, (uint64_t)e->cur << 32 | (uint64_t)bytes << 8 | kind);
    e->trace = cw_emu_mix(e->trace, (uint64_t)(b - e->launch.buffers) << 56 | at);
    return (void *)g.at;
}

uint32_t cw_emu_load4(struct cw_emu *e, const void *p, const char *site)
{
    uint32_t x;

    memcpy(&x, reach(e, CW_EMU_READ, 4, p, site), sizeof x);
    return x;
}

uint64_t cw_emu_load8(struct cw_emu *e, const void *p, const char *site)
{
    uint64_t x;

    memcpy(&x, reach(e, CW_EMU_READ, 8, p, site), sizeof x);
    return x;
}

struct cw_quad cw_emu_load16(struct cw_emu *e, const void *p, const char *site)
{
    struct cw_quad x;

    memcpy(&x, reach(e, CW_EMU_READ, 16, p, site), sizeof x);
    return x;
}

void cw_emu_store4(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    memcpy(reach(e, CW_EMU_WRITE, 4, p, site), &x, sizeof x);
}

void cw_emu_store8(struct cw_emu *e, void *p, uint64_t x, const char *site)
{
    memcpy(reach(e, CW_EMU_WRITE, 8, p, site), &x, sizeof x);
}

void cw_emu_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site)
{
    memcpy(reach(e, CW_EMU_WRITE, 16, p, site), &x, sizeof x);
}

uint32_t cw_emu_fetch_add4(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    void *const at = reach(e, CW_EMU_ADD, 4, p, site);
    uint32_t old, sum;

    memcpy(&old, at, sizeof old);
    sum = old + x;
    memcpy(at, &sum, sizeof sum);
    return old;
}

uint64_t cw_emu_fetch_add8(struct cw_emu *e, void *p, uint64_t x, const char *site)
{
    void *const at = reach(e, CW_EMU_ADD, 8, p, site);
    uint64_t old, sum;

    memcpy(&old, at, sizeof old);
    sum = old + x;
    memcpy(at, &sum, sizeof sum);
    return old;
}
