/* emu_block.c - one block: its warps in turn, from barrier to barrier. */
#include <string.h>

#include "machine/emu/emu_state.h"
#include "base/status.h"
#include "machine/wavefronts.h"

static uint32_t count_state(const struct cw_emu *e, struct cw_emu_warp w, enum cw_emu_state state)
{
    uint32_t n = 0;

    for (uint32_t i = w.first; i < w.end; i++)
        n += e->threads[i].state == state;
    return n;
}

static uint32_t first_in(const struct cw_emu *e, struct cw_emu_warp w, enum cw_emu_state state)
{
    while (w.first < w.end && e->threads[w.first].state != state)
        w.first++;
    return w.first;
}

/* All threads have ended or wait for the block: let them go on, or say why not. */
static void pass_barrier(struct cw_emu *e)
{
    const struct cw_emu_warp all = {0, e->config.threads};
    const uint32_t a = first_in(e, all, WAITS_BLOCK);
    const uint32_t gone = first_in(e, all, ENDED);
    const char *const site = e->threads[a].site;

    if (gone < all.end) {
        e->status = cw_fail(CW_ERR_BARRIER,
                            "barrier at %s: %u of %u threads came (the first is %u), thread %u has "
                            "ended (last seen at %s)",
                            site, count_state(e, all, WAITS_BLOCK), all.end, a, gone,
                            e->threads[gone].site ? e->threads[gone].site : "its beginning");
        return;
    }
    for (uint32_t i = 0; i < all.end; i++) {
        const char *const other = e->threads[i].site;

        if (other != site) {
            e->status =
                cw_fail(CW_ERR_BARRIER, "thread %u waits for the block at %s, thread %u at %s%s", a,
                        site, i, other, strcmp(site, other) ? "" : " (another one on that line)");
            return;
        }
    }
    for (uint32_t i = 0; i < all.end; i++) {
        e->threads[i].steps = 0;
        e->threads[i].counts = 0;
        e->threads[i].state = RUNS;
    }
    e->changes++;
    cw_emu_sync_block(e);
    cw_emu_races_block(e->races);
    cw_emu_order_block(e->order);
}

/* What waited for another block, or let others go first, tries again. */
static void wake(struct cw_emu *e)
{
    for (uint32_t i = 0; i < e->config.threads; i++)
        if (e->threads[i].state == SPINS || e->threads[i].state == PAUSES)
            e->threads[i].state = RUNS;
}

/* All warps once, from a random one on where chance is asked for. */
static void run_warps(struct cw_emu *e)
{
    const uint32_t all = e->config.threads, warps = (all + CW_WARP - 1) / CW_WARP;
    const uint32_t from = cw_emu_is_random(e) ? (uint32_t)cw_emu_chance(e, warps) : 0;

    for (uint32_t x = 0; x < warps && !e->status && e->turn; x++) {
        const uint32_t first = (from + x) % warps * CW_WARP;
        const uint32_t end = all - first < CW_WARP ? all : first + CW_WARP;

        cw_emu_run_warp(e, (struct cw_emu_warp){first, end});
    }
}

int cw_emu_run_block(struct cw_emu *e)
{
    const struct cw_emu_warp all = {0, e->config.threads};

    wake(e);
    while (!e->status && count_state(e, all, ENDED) < all.end) {
        run_warps(e);
        if (e->status || !e->turn || count_state(e, all, SPINS) || count_state(e, all, PAUSES))
            return 0;
        if (count_state(e, all, WAITS_BLOCK))
            pass_barrier(e);
    }
    return 1;
}
