/* emu_warp.c - where the lanes of a warp meet: shuffles, votes, match and warp_sync. */
#include "machine/emu_state.h"

#include <string.h>

#include "machine/status.h"
#include "machine/wavefronts.h"

static const char *const names[] = {"warp_sync", "shfl",   "shfl_xor", "shfl_up",
                                    "ballot",    "all_of", "any_of",   "match_any"};

/* ---- who has not come ----------------------------------------------------- */

static int is_elsewhere(const struct cw_emu_thread *t, const struct cw_emu_thread *here)
{
    return t->state != WAITS_WARP || t->what != here->what ||
           (t->site != here->site && strcmp(t->site, here->site) != 0);
}

static cw_status apart(const struct cw_emu *e, uint32_t a, uint32_t b)
{
    const struct cw_emu_thread *const x = &e->threads[a], *const y = &e->threads[b];
    const char *const what = names[x->what];

    if (y->state == ENDED)
        return cw_fail(CW_ERR_BARRIER,
                       "thread %u waits for its warp in %s at %s, thread %u of that warp has ended "
                       "(last seen at %s)",
                       a, what, x->site, b, y->site ? y->site : "its beginning");
    return cw_fail(CW_ERR_BARRIER,
                   "thread %u waits for its warp in %s at %s, thread %u of that warp waits in %s "
                   "at %s",
                   a, what, x->site, b, y->state == WAITS_BLOCK ? "block_sync" : names[y->what],
                   y->site);
}

/* ---- what they do --------------------------------------------------------- */

static uint32_t votes(const struct cw_emu_thread *t, uint32_t n)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < n; i++)
        mask |= (uint32_t)(t[i].x != 0) << i;
    return mask;
}

static uint32_t equals(const uint64_t *x, uint32_t n, uint32_t i)
{
    uint32_t mask = 0;

    for (uint32_t j = 0; j < n; j++)
        mask |= (uint32_t)(x[j] == x[i]) << j;
    return mask;
}

/* The lane that lane i takes a value from; as on a GPU, 5 bits of the argument count. */
static uint32_t source(const struct cw_emu_thread *t, uint32_t i)
{
    const uint32_t arg = t->arg % CW_WARP;

    if (t->what == CW_EMU_SHFL)
        return arg;
    if (t->what == CW_EMU_SHFL_XOR)
        return i ^ arg;
    return i < arg ? i : i - arg;
}

static cw_status shuffle(struct cw_emu_thread *t, uint32_t n, uint32_t first)
{
    uint64_t x[CW_WARP];

    for (uint32_t i = 0; i < n; i++)
        x[i] = t[i].x;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = source(&t[i], i);

        if (from >= n)
            return cw_fail(
                CW_ERR_BOUNDS,
                "thread %u takes the value of lane %u of a warp that has %u, in %s at %s",
                first + i, from, n, names[t->what], t->site);
        t[i].x = x[from];
    }
    return CW_OK;
}

static cw_status meet(struct cw_emu_thread *t, uint32_t n, uint32_t first)
{
    const uint32_t mask = votes(t, n);
    const uint32_t all = n == CW_WARP ? UINT32_MAX : (1u << n) - 1;
    uint64_t x[CW_WARP];

    switch (t->what) {
    case CW_EMU_SYNC:
        return CW_OK;
    case CW_EMU_SHFL:
    case CW_EMU_SHFL_XOR:
    case CW_EMU_SHFL_UP:
        return shuffle(t, n, first);
    case CW_EMU_BALLOT:
    case CW_EMU_ALL:
    case CW_EMU_ANY:
        for (uint32_t i = 0; i < n; i++)
            t[i].x = t->what == CW_EMU_BALLOT ? mask
                     : t->what == CW_EMU_ALL  ? mask == all
                                              : mask != 0;
        return CW_OK;
    case CW_EMU_MATCH:
        for (uint32_t i = 0; i < n; i++)
            x[i] = t[i].x;
        for (uint32_t i = 0; i < n; i++)
            t[i].x = equals(x, n, i);
    }
    return CW_OK;
}

void cw_emu_gather(struct cw_emu *e, struct cw_emu_warp warp)
{
    struct cw_emu_thread *const t = e->threads;
    uint32_t a = warp.first;

    while (t[a].state != WAITS_WARP)
        a++;
    for (uint32_t i = warp.first; i < warp.end; i++) {
        if (is_elsewhere(&t[i], &t[a])) {
            e->status = apart(e, a, i);
            return;
        }
    }
    e->status = meet(&t[warp.first], warp.end - warp.first, warp.first);
    cw_emu_races_warp(e->races, warp.first / CW_WARP);
    for (uint32_t i = warp.first; i < warp.end; i++)
        t[i].state = RUNS;
}
