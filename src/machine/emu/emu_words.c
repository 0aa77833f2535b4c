/* emu_words.c - what threads of a kernel call, shared memory and meetings: each word stops its
 * thread. */
#include "machine/emu/emu_state.h"

#include <string.h>

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
    e->stops++;
    e->quiet++;
    cw_lanes_switch(e->lanes, e->cur, CW_LANE_HOST);
}

/* ---- shared memory -------------------------------------------------------- */

/* Ask, wait until the request is served, and find the value in the thread. */
static inline struct cw_emu_thread *ask(struct cw_emu *e, enum cw_emu_kind kind, uint32_t bytes,
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

void cw_emu_count4(struct cw_emu *e, uint32_t at, const char *site)
{
    const uint32_t one = 1;

    ask(e, CW_EMU_COUNT, 4, at, &one, site);
}

uint64_t cw_emu_read_pair(struct cw_emu *e, uint32_t at, uint32_t apart, const char *low,
                          const char *high)
{
    const uint32_t x = cw_emu_read4(e, at, low);

    return (uint64_t)cw_emu_read4(e, at + apart, high) << 32 | x;
}

void cw_emu_write_pair(struct cw_emu *e, uint32_t at, uint32_t apart, uint64_t x, const char *low,
                       const char *high)
{
    cw_emu_write4(e, at, (uint32_t)x, low);
    cw_emu_write4(e, at + apart, (uint32_t)(x >> 32), high);
}

void cw_emu_skip(struct cw_emu *e, const char *site)
{
    e->threads[e->cur].counts = 1;
    cw_emu_stop(e, PASSES, site);
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
    if (!cw_emu_is_faulty(e, CW_EMU_FAULT_WARP_SYNC, site))
        (void)cw_emu_meet(e, CW_EMU_SYNC, 0, 0, site);
}

/* A mask of all lanes is no mask. */
void cw_emu_warp_sync_mask(struct cw_emu *e, uint32_t mask, const char *site)
{
    (void)cw_emu_meet(e, mask == UINT32_MAX ? CW_EMU_SYNC : CW_EMU_SYNC_MASK, 0, mask, site);
}

void cw_emu_block_sync(struct cw_emu *e, const char *site)
{
    if (!cw_emu_is_faulty(e, CW_EMU_FAULT_BLOCK_SYNC, site))
        cw_emu_stop(e, WAITS_BLOCK, site);
}

/* ---- waiting for other blocks ---------------------------------------------- */

void cw_emu_spin(struct cw_emu *e, const char *site)
{
    e->threads[e->cur].spun++;
    cw_emu_stop(e, SPINS, site);
}

void cw_emu_spun(struct cw_emu *e)
{
    if (e->threads[e->cur].spun)
        e->changes++;
    e->threads[e->cur].spun = 0;
}
