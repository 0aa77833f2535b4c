/* emu_strong.c - the words that blocks speak to each other by: relaxed, acquire and release accesses,
 * atomics other than a plain add, fences. */
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

static const void *strong_read(struct cw_emu *e, uint32_t bytes, const void *p, const char *site)
{
    let_others(e, site);
    return cw_emu_reach(e, CW_EMU_READ, bytes, p, site);
}

static void *strong_write(struct cw_emu *e, enum cw_emu_kind kind, uint32_t bytes, void *p,
                          const char *site)
{
    let_others(e, site);
    return cw_emu_reach(e, kind, bytes, p, site);
}

uint32_t cw_emu_strong_load4(struct cw_emu *e, const void *p, enum cw_emu_sense s, const char *site)
{
    uint32_t x;

    (void)s;
    memcpy(&x, strong_read(e, 4, p, site), sizeof x);
    return x;
}

uint64_t cw_emu_strong_load8(struct cw_emu *e, const void *p, enum cw_emu_sense s, const char *site)
{
    uint64_t x;

    (void)s;
    memcpy(&x, strong_read(e, 8, p, site), sizeof x);
    return x;
}

struct cw_quad cw_emu_strong_load16(struct cw_emu *e, const void *p, const char *site)
{
    struct cw_quad x;

    memcpy(&x, strong_read(e, 16, p, site), sizeof x);
    return x;
}

void cw_emu_strong_store4(struct cw_emu *e, void *p, uint32_t x, enum cw_emu_sense s,
                          const char *site)
{
    (void)s;
    memcpy(strong_write(e, CW_EMU_WRITE, 4, p, site), &x, sizeof x);
}

void cw_emu_strong_store8(struct cw_emu *e, void *p, uint64_t x, enum cw_emu_sense s,
                          const char *site)
{
    (void)s;
    memcpy(strong_write(e, CW_EMU_WRITE, 8, p, site), &x, sizeof x);
}

void cw_emu_strong_store16(struct cw_emu *e, void *p, struct cw_quad x, const char *site)
{
    memcpy(strong_write(e, CW_EMU_WRITE, 16, p, site), &x, sizeof x);
}

uint32_t cw_emu_update4(struct cw_emu *e, void *p, uint32_t x, enum cw_emu_update how,
                        enum cw_emu_sense s, const char *site)
{
    void *const at = strong_write(e, CW_EMU_ADD, 4, p, site);
    uint32_t old, now;

    (void)s;
    memcpy(&old, at, sizeof old);
    switch (how) {
    case CW_EMU_PLUS:
        now = old + x;
        break;
    case CW_EMU_OR:
        now = old | x;
        break;
    case CW_EMU_MAX:
        now = old > x ? old : x;
        break;
    default:
        now = old < x ? old : x;
    }
    memcpy(at, &now, sizeof now);
    return old;
}

void cw_emu_fence(struct cw_emu *e, const char *site)
{
    (void)e;
    (void)site;
}
