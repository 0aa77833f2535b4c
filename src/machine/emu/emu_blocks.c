/* emu_blocks.c - the blocks of a launch: which have begun, and which of them goes on.
 *
 * A block runs in a slot, which has its threads and its shared memory.  A cooperative launch has a
 * slot a block; others have few, as a multiprocessor has, and a block that ends makes room for the
 * next.  A block goes on until it ends, until a thread of it waits for another block
 * (cw_emu_spin), or until its turn is over, which it is only where there are several.
 *
 * A block that waits is not looked at again before anything has changed.  If that holds for all
 * that have begun, they wait for ever: those that have not begun need a slot.  So a kernel that
 * waits for a block that may not have begun is found out, in one of the orders at least.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/emu/emu_state.h"
#include "base/status.h"

#define LONG_TURN ((uint64_t)1 << 16) /* rounds of a warp, in an order that is not random */
#define FEW_SLOTS 4u                  /* blocks at a time, in one that is */

uint64_t cw_emu_chance(struct cw_emu *e, uint64_t n)
{
    uint64_t x = e->random += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % n;
}

/* ---- slots ----------------------------------------------------------------- */

static void free_slot(struct cw_emu_slot *s, uint32_t threads)
{
    if (!s)
        return;
    cw_emu_sync_forget(s->threads, s->threads ? threads : 0);
    cw_lanes_destroy(s->lanes);
    cw_emu_races_destroy(s->races);
    cw_emu_order_destroy(s->order);
    free(s->threads);
    free(s->shared);
    free(s);
}

static cw_status make_slot(const struct cw_emu_config *config, int first, struct cw_emu_slot **out)
{
    struct cw_emu_slot *s = (struct cw_emu_slot *)calloc(1, sizeof *s);
    cw_status status = CW_OK;

    *out = NULL;
    if (s) {
        s->threads = (struct cw_emu_thread *)calloc(config->threads, sizeof *s->threads);
        s->shared = (unsigned char *)malloc(config->shared + 16);
        s->races = cw_emu_races_create(config->shared / 4);
        s->order = cw_emu_order_create(config->threads);
        status = first ? cw_lanes_create(config->threads, &s->lanes)
                       : cw_lanes_create_lean(config->threads, &s->lanes);
    }
    if (!status && !(s && s->threads && s->shared && s->races && s->order))
        status = cw_fail(CW_ERR_MEMORY, "out of memory for a block of %u threads", config->threads);
    if (status)
        free_slot(s, config->threads);
    else
        *out = s;
    return status;
}

cw_status cw_emu_slots(struct cw_emu *e, uint32_t count)
{
    struct cw_emu_slot **slots;

    if (count <= e->slot_room)
        return CW_OK;
    slots = (struct cw_emu_slot **)realloc(e->slots, count * sizeof *slots);
    if (!slots)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u blocks at a time", count);
    e->slots = slots;
    while (e->slot_room < count) {
        const cw_status status = make_slot(&e->config, e->slot_room == 0, &e->slots[e->slot_room]);

        if (status)
            return status;
        e->slot_room++;
    }
    return CW_OK;
}

void cw_emu_slots_free(struct cw_emu *e)
{
    for (uint32_t x = 0; x < e->slot_room; x++)
        free_slot(e->slots[x], e->config.threads);
    free(e->slots);
}

void cw_emu_enter_slot(struct cw_emu *e, struct cw_emu_slot *slot)
{
    e->slot = slot;
    e->lanes = slot->lanes;
    e->threads = slot->threads;
    e->shared = slot->shared;
    e->races = slot->races;
    e->order = slot->order;
    e->block = slot->block;
}

/* ---- blocks that begin ------------------------------------------------------ */

static void body(uint32_t lane, void *arg)
{
    struct cw_emu *e = (struct cw_emu *)arg;

    (void)lane;
    e->launch.kernel(e, e->launch.arg);
}

static uint32_t done(uint32_t lane, void *arg)
{
    struct cw_emu *const e = (struct cw_emu *)arg;

    e->threads[lane].state = ENDED;
    e->changes++;
    return CW_LANE_HOST;
}

static void begin_block(struct cw_emu *e, struct cw_emu_slot *slot, int fresh)
{
    const struct cw_lane_entry entry = {body, done, e};
    const uint32_t x = e->begun++, last = e->launch.blocks - 1;

    slot->block = e->sequence ? e->sequence[x] : e->launch.order == CW_EMU_REVERSED ? last - x : x;
    slot->alive = 1;
    slot->seen = UINT64_MAX;
    memset(slot->ran, 0, sizeof slot->ran);
    cw_emu_enter_slot(e, slot);
    if (fresh)
        memset(e->shared, CW_EMU_JUNK, e->config.shared);
    cw_emu_sync_forget(e->threads, e->config.threads);
    memset(e->threads, 0, e->config.threads * sizeof *e->threads);
    cw_emu_sync_begin(e);
    cw_emu_races_begin(e->races, !fresh);
    cw_emu_order_block(e->order);
    cw_lanes_start(e->lanes, &entry);
    e->trace = cw_emu_mix(e->trace, e->block);
    e->alive++;
    e->changes++;
}

/* A random order of blocks. */
static cw_status shuffle(struct cw_emu *e)
{
    const uint32_t n = e->launch.blocks;

    free(e->sequence);
    e->sequence = NULL;
    if (!cw_emu_is_random(e) || n < 2)
        return CW_OK;
    e->sequence = (uint32_t *)malloc(n * sizeof *e->sequence);
    if (!e->sequence)
        return cw_fail(CW_ERR_MEMORY, "out of memory for an order of %u blocks", n);
    for (uint32_t x = 0; x < n; x++) {
        const uint32_t y = (uint32_t)cw_emu_chance(e, x + 1);

        e->sequence[x] = e->sequence[y];
        e->sequence[y] = x;
    }
    return CW_OK;
}

/* ---- blocks that go on ------------------------------------------------------- */

static int can_go_on(const struct cw_emu *e, const struct cw_emu_slot *s)
{
    return s->alive && s->seen != e->changes;
}

/* The next after slot x that can, or a random one; slot_count: none. */
static uint32_t choose(struct cw_emu *e, uint32_t x)
{
    const uint32_t n = e->slot_count;

    x = cw_emu_is_random(e) ? (uint32_t)cw_emu_chance(e, n) : x;
    for (uint32_t k = 0; k < n; k++)
        if (can_go_on(e, e->slots[(x + k) % n]))
            return (x + k) % n;
    return n;
}

/* Nobody can go on: name one of those that wait. */
static cw_status stuck(struct cw_emu *e)
{
    uint32_t x = 0, i = 0;

    while (!e->slots[x]->alive)
        x++;
    cw_emu_enter_slot(e, e->slots[x]);
    while (e->threads[i].state != SPINS && i + 1 < e->config.threads)
        i++;
    return cw_fail(CW_ERR_STUCK,
                   "thread %u waits at %s for what no block writes: %u blocks wait, %u have ended, "
                   "%u cannot begin before one ends",
                   i, e->threads[i].site, e->alive, e->begun - e->alive,
                   e->launch.blocks - e->begun);
}

static uint64_t turn_of(struct cw_emu *e)
{
    if (e->slot_count == 1)
        return UINT64_MAX;
    switch (e->launch.order) {
    case CW_EMU_RANDOM:
        return 1 + cw_emu_chance(e, 1024);
    case CW_EMU_ADVERSARIAL:
        return 1 + cw_emu_chance(e, cw_emu_chance(e, 8) ? 16 : 4096);
    default:
        return LONG_TURN;
    }
}

/* Run the block of this slot for a turn; when it ends, another one takes its place. */
static void run_slot(struct cw_emu *e, struct cw_emu_slot *slot, int fresh)
{
    const uint64_t before = e->changes;
    uint32_t overrun;

    cw_emu_enter_slot(e, slot);
    e->turn = turn_of(e);
    if (!cw_emu_run_block(e) && !e->status) {
        slot->seen = e->turn ? before : UINT64_MAX;
        return;
    }
    overrun = cw_lanes_overrun(e->lanes);
    if (overrun != CW_LANE_HOST)
        e->status = cw_fail(CW_ERR_INTERNAL, "thread %u overran its stack", overrun);
    slot->alive = 0;
    e->alive--;
    e->changes++;
    if (!e->status && e->begun < e->launch.blocks)
        begin_block(e, slot, fresh);
}

/* In a grid of several blocks, an error says in which. */
static cw_status name_block(cw_status status, uint32_t block)
{
    char text[512];

    snprintf(text, sizeof text, "%s", cw_last_error());
    return cw_fail(status, "block %u: %s", block, text);
}

static uint32_t slots_of(const struct cw_emu *e)
{
    const uint32_t few = e->launch.resident    ? e->launch.resident
                         : cw_emu_is_random(e) ? FEW_SLOTS
                                               : 1;

    return e->launch.cooperative || few > e->launch.blocks ? e->launch.blocks : few;
}

void cw_emu_run_blocks(struct cw_emu *e, int fresh)
{
    uint32_t x = 0;

    e->random = e->launch.seed;
    e->begun = e->alive = 0;
    e->slot_count = slots_of(e);
    e->status = cw_emu_slots(e, e->slot_count);
    if (!e->status)
        e->status = shuffle(e);
    if (e->status)
        return;
    for (uint32_t y = 0; y < e->slot_count; y++) {
        cw_emu_order_reset(e->slots[y]->order);
        begin_block(e, e->slots[y], fresh);
    }
    while (e->alive && !e->status) {
        x = choose(e, x);
        if (x < e->slot_count)
            run_slot(e, e->slots[x++], fresh);
        else
            e->status = stuck(e);
    }
    if (e->status && e->launch.blocks > 1)
        e->status = name_block(e->status, e->block);
    cw_emu_enter_slot(e, e->slots[0]);
}
