/* emu_weak.c - stores that other blocks see late, and in another order.
 *
 * In an adversarial order, a strong read may find what its word was before the last store, if that was
 * another block's and nothing orders it before the read.  How long, in strong accesses, follows from
 * the store and from the block that reads: so of two stores the later may be seen first, but a block
 * that has seen a store goes on seeing it, and in the end all see it.  Atomics find what is there.
 *
 * Plain stores need no such treatment: a read that nothing orders after one is refused (emu_judge.h).
 */
#include <stdlib.h>
#include <string.h>

#include "machine/emu/emu_state.h"
#include "base/status.h"

#define LATEST 64u /* strong accesses after which all see a store */

/* What a word was, and who has changed it when. */
struct before {
    uint64_t value, time;
    uint32_t bytes;
    struct cw_emu_deed store;
    struct cw_emu_know *left; /* what the store before it left there */
};

static int is_weak(const struct cw_emu *e)
{
    return e->launch.order == CW_EMU_ADVERSARIAL && e->slot_count > 1;
}

void cw_emu_weak_store(struct cw_emu *e, uintptr_t at, uint32_t bytes, const char *site)
{
    void **place;
    struct before *b;

    if (!is_weak(e))
        return;
    place = cw_emu_map_at(&e->before, at);
    b = place && *place ? (struct before *)*place : (struct before *)calloc(1, sizeof *b);
    if (!place || !b) {
        free(b);
        e->status = cw_fail(CW_ERR_MEMORY, "out of memory for a store, at %s", site);
        return;
    }
    cw_emu_know_set(&b->left, (struct cw_emu_know *)cw_emu_map_get(&e->left, at));
    b->value = 0;
    memcpy(&b->value, (const void *)at, bytes);
    b->bytes = bytes;
    b->time = ++e->ticks;
    b->store = (struct cw_emu_deed){site, cw_emu_who(e->block, e->cur, 1), e->slot->clock};
    *place = b;
}

/* For how long a block does not see a store: mostly not at all. */
static uint64_t delay(const struct cw_emu *e, const struct before *b)
{
    const uint64_t x = cw_emu_mix(cw_emu_mix(e->launch.seed, b->time), e->block);

    return x & 1 ? 0 : (x >> 8) % LATEST;
}

struct cw_emu_know *cw_emu_weak_load(struct cw_emu *e, uintptr_t at, uint32_t bytes, uint64_t *out)
{
    const struct before *const b =
        is_weak(e) ? (const struct before *)cw_emu_map_get(&e->before, at) : NULL;

    e->ticks++;
    if (b && b->bytes == bytes && b->store.who >> 11 != e->block &&
        e->ticks < b->time + delay(e, b) && !cw_emu_is_after(e, &b->store)) {
        e->changes++; /* who waits for the store must look again */
        *out = b->value;
        return b->left;
    }
    *out = 0;
    memcpy(out, (const void *)at, bytes);
    return (struct cw_emu_know *)cw_emu_map_get(&e->left, at);
}

void cw_emu_weak_reset(struct cw_emu *e)
{
    struct cw_emu_map_row *row;
    uint32_t x = 0;

    while ((row = cw_emu_map_next(&e->before, &x)) != NULL) {
        if (row->value)
            cw_emu_know_set(&((struct before *)row->value)->left, NULL);
        free(row->value);
    }
    cw_emu_map_free(&e->before);
    e->ticks = 0;
}
