/* emu_strong.c - the words that blocks speak to each other by: atomics, relaxed, acquire and release
 * accesses, fences. */
#include <string.h>

#include "machine/emu/emu_state.h"

#define PATIENCE \
    1024u /* accesses after which a thread that does not say that it waits is made to */

/* Others may go first: before an access, by chance; and where a thread seems to wait. */
static void let_others(struct cw_emu *e, const char *site)
{
    if (e->slot_count < 2)
        return;
    if (e->reached > PATIENCE || (e->launch.order == CW_EMU_ADVERSARIAL && !cw_emu_chance(e, 4)))
        cw_emu_stop(e, PAUSES, site);
}

/* Memory is short: the thread ends here. */
static void go_on(struct cw_emu *e, const char *site)
{
    if (e->status)
        cw_emu_stop(e, FAILED, site);
}

/* It may have been made relaxed on purpose. */
static enum cw_emu_sense sense(const struct cw_emu *e, enum cw_emu_sense s, const char *site)
{
    return s != CW_EMU_RELAXED && cw_emu_is_faulty(e, CW_EMU_FAULT_ORDER, site) ? CW_EMU_RELAXED
                                                                                : s;
}

/* ---- loads and stores ---------------------------------------------------------- */

static uint64_t load(struct cw_emu *e, uint32_t bytes, const void *p, enum cw_emu_sense s,
                     const char *site)
{
    const uintptr_t at = (uintptr_t)p;
    uint64_t x;

    (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_READ, bytes, 1, at, site, NULL});
    cw_emu_sync_read(e, cw_emu_weak_load(e, at, bytes, &x), sense(e, s, site));
    go_on(e, site);
    return x;
}

static void store(struct cw_emu *e, uint32_t bytes, void *p, uint64_t x, enum cw_emu_sense s,
                  const char *site)
{
    const uintptr_t at = (uintptr_t)p;

    (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_WRITE, bytes, 1, at, site, NULL});
    cw_emu_weak_store(e, at, bytes, site);
    cw_emu_sync_write(e, at, sense(e, s, site), 0);
    go_on(e, site);
    memcpy(p, &x, bytes);
}

uint32_t cw_emu_strong_load4(struct cw_emu *e, const void *p, enum cw_emu_sense s, const char *site)
{
    let_others(e, site);
    return (uint32_t)load(e, 4, p, s, site);
}

uint64_t cw_emu_strong_load8(struct cw_emu *e, const void *p, enum cw_emu_sense s, const char *site)
{
    let_others(e, site);
    return load(e, 8, p, s, site);
}

/* Each 4 bytes are a word. */
struct cw_quad cw_emu_strong_load16(struct cw_emu *e, const void *p, const char *site)
{
    const char *const at = (const char *)p;
    struct cw_quad x;

    let_others(e, site);
    (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_READ, 16, 1, (uintptr_t)p, site, NULL});
    x.x = (uint32_t)load(e, 4, at, CW_EMU_RELAXED, site);
    x.y = (uint32_t)load(e, 4, at + 4, CW_EMU_RELAXED, site);
    x.z = (uint32_t)load(e, 4, at + 8, CW_EMU_RELAXED, site);
    x.w = (uint32_t)load(e, 4, at + 12, CW_EMU_RELAXED, site);
    return x;
}

void cw_emu_strong_store4(struct cw_emu *e, void *p, uint32_t x, enum cw_emu_sense s,
                          const char *site)
{
    let_others(e, site);
    store(e, 4, p, x, s, site);
}

void cw_emu_strong_store8(struct cw_emu *e, void *p, uint64_t x, enum cw_emu_sense s,
                          const char *site)
{
    let_others(e, site);
    store(e, 8, p, x, s, site);
}

void cw_emu_strong_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site)
{
    char *const at = (char *)p;

    let_others(e, site);
    (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_WRITE, 16, 1, (uintptr_t)p, site, NULL});
    store(e, 4, at, x.x, CW_EMU_RELAXED, site);
    store(e, 4, at + 4, x.y, CW_EMU_RELAXED, site);
    store(e, 4, at + 8, x.z, CW_EMU_RELAXED, site);
    store(e, 4, at + 12, x.w, CW_EMU_RELAXED, site);
}

/* ---- atomics --------------------------------------------------------------------- */

static void begin_update(struct cw_emu *e, uint32_t bytes, void *p, enum cw_emu_sense s,
                         const char *site)
{
    const uintptr_t at = (uintptr_t)p;

    if (cw_emu_is_faulty(e, CW_EMU_FAULT_ATOMIC, site)) {
        (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_READ, bytes, 0, at, site, NULL});
        (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_WRITE, bytes, 0, at, site, NULL});
        return;
    }
    let_others(e, site);
    (void)cw_emu_reach(e, (struct cw_emu_reach){CW_EMU_ADD, bytes, 1, at, site, NULL});
    cw_emu_weak_store(e, at, bytes, site);
    cw_emu_sync_read(e, (struct cw_emu_know *)cw_emu_map_get(&e->left, at), CW_EMU_RELAXED);
    cw_emu_sync_write(e, at, sense(e, s, site), 1);
    go_on(e, site);
}

static uint32_t updated(uint32_t old, uint32_t x, enum cw_emu_update how)
{
    switch (how) {
    case CW_EMU_PLUS:
        return old + x;
    case CW_EMU_OR:
        return old | x;
    case CW_EMU_MAX:
        return old > x ? old : x;
    case CW_EMU_MIN:
        return old < x ? old : x;
    }
    return old;
}

uint32_t cw_emu_update4(struct cw_emu *e, void *p, uint32_t x, enum cw_emu_update how,
                        enum cw_emu_sense s, const char *site)
{
    uint32_t old, now;

    begin_update(e, 4, p, s, site);
    memcpy(&old, p, sizeof old);
    now = updated(old, x, how);
    memcpy(p, &now, sizeof now);
    return old;
}

uint32_t cw_emu_fetch_add4(struct cw_emu *e, void *p, uint32_t x, const char *site)
{
    return cw_emu_update4(e, p, x, CW_EMU_PLUS, CW_EMU_RELAXED, site);
}

uint64_t cw_emu_fetch_add8(struct cw_emu *e, void *p, uint64_t x, const char *site)
{
    uint64_t old, now;

    begin_update(e, 8, p, CW_EMU_RELAXED, site);
    memcpy(&old, p, sizeof old);
    now = old + x;
    memcpy(p, &now, sizeof now);
    return old;
}

void cw_emu_fence(struct cw_emu *e, const char *site)
{
    if (!cw_emu_is_faulty(e, CW_EMU_FAULT_FENCE, site))
        cw_emu_sync_fence(e);
    go_on(e, site);
}
