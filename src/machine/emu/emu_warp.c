/* emu_warp.c - where the lanes of a warp meet: shuffles, votes, match, warp_sync and
 * warp_sync_mask.
 *
 * All of them wait for each other, but only the last two order memory.  CUDA says of shuffles, votes
 * and match that they imply no memory barrier, so a compiler may move a store past them. */
#include "machine/emu/emu_state.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/wavefronts.h"

static const char *const names[] = {"warp_sync", "shfl",   "shfl_xor",  "shfl_up",       "ballot",
                                    "all_of",    "any_of", "match_any", "warp_sync_mask"};

/* ---- who has not come ----------------------------------------------------- */

static int is_elsewhere(const struct cw_emu_thread *t, const struct cw_emu_thread *here)
{
    return t->state != WAITS_WARP || t->what != here->what ||
           (t->what == CW_EMU_SYNC_MASK && t->arg != here->arg) ||
           t->site != here->site; /* two words of one line have two */
}

static const char *same_line(const struct cw_emu_thread *a, const struct cw_emu_thread *b)
{
    return a->site != b->site && strcmp(a->site, b->site) == 0 ? " (another one on that line)" : "";
}

/* For whom a thread waits, as text. */
static void for_whom(const struct cw_emu_thread *t, char *text, size_t size)
{
    if (t->what == CW_EMU_SYNC_MASK)
        snprintf(text, size, "lanes %08x of its warp", t->arg);
    else
        snprintf(text, size, "its warp");
}

static cw_status apart(const struct cw_emu *e, uint32_t a, uint32_t b)
{
    const struct cw_emu_thread *const x = &e->threads[a], *const y = &e->threads[b];
    const char *const what = names[x->what];
    char whom[48], other[64] = "";

    for_whom(x, whom, sizeof whom);
    if (y->state == ENDED)
        return cw_fail(CW_ERR_BARRIER,
                       "thread %u waits for %s in %s at %s, thread %u of that warp has ended "
                       "(last seen at %s)",
                       a, whom, what, x->site, b, y->site ? y->site : "its beginning");
    if (y->state == WAITS_WARP && y->what == CW_EMU_SYNC_MASK)
        snprintf(other, sizeof other, " for lanes %08x", y->arg);
    return cw_fail(CW_ERR_BARRIER,
                   "thread %u waits for %s in %s at %s, thread %u of that warp waits%s in %s at "
                   "%s%s",
                   a, whom, what, x->site, b, other,
                   y->state == WAITS_BLOCK ? "block_sync" : names[y->what], y->site,
                   same_line(x, y));
}

/* A mask must name the lane that waits, and lanes that the warp has. */
static cw_status wrong_mask(const struct cw_emu *e, uint32_t a, uint32_t lanes)
{
    const struct cw_emu_thread *const x = &e->threads[a];

    if (!(x->arg >> a % CW_WARP & 1))
        return cw_fail(CW_ERR_BARRIER,
                       "thread %u waits for lanes %08x of its warp, of which it is none, in %s "
                       "at %s",
                       a, x->arg, names[x->what], x->site);
    return cw_fail(CW_ERR_BARRIER,
                   "thread %u waits for lanes %08x of its warp, which has %u, in %s at %s", a,
                   x->arg, lanes, names[x->what], x->site);
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
    case CW_EMU_SYNC_MASK:
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

/* ---- who goes on ----------------------------------------------------------- */

/* Who waits lets requests pass. */
static void release(struct cw_emu *e, struct cw_emu_warp warp, uint32_t lanes)
{
    struct cw_emu_thread *const t = &e->threads[warp.first];
    uint32_t most = 0;

    for (uint32_t i = 0, rest = lanes; rest; i++, rest >>= 1)
        if (rest & 1 && t[i].steps > most)
            most = t[i].steps;
    for (uint32_t i = 0; lanes; i++, lanes >>= 1) {
        if (lanes & 1) {
            t[i].steps = most;
            t[i].counts = 0;
            t[i].state = RUNS;
        }
    }
}

/* The first lane of those for which lane a waits that is not there, or the end of the warp. */
static uint32_t missing(const struct cw_emu *e, struct cw_emu_warp warp, uint32_t a)
{
    const struct cw_emu_thread *const t = &e->threads[a];
    const uint32_t mask = t->what == CW_EMU_SYNC_MASK ? t->arg : UINT32_MAX;
    uint32_t i = warp.first;

    while (i < warp.end && (!(mask >> (i - warp.first) & 1) || !is_elsewhere(&e->threads[i], t)))
        i++;
    return i;
}

int cw_emu_gather_masks(struct cw_emu *e, struct cw_emu_warp warp, uint32_t waits)
{
    int any = 0;

    while (waits && !e->status) {
        const uint32_t a = warp.first + (uint32_t)__builtin_ctz(waits);
        const uint32_t mask = e->threads[a].arg;

        waits &= waits - 1;
        if (!(mask >> a % CW_WARP & 1) || mask & ~cw_emu_lanes(warp)) {
            e->status = wrong_mask(e, a, warp.end - warp.first);
        } else if (missing(e, warp, a) == warp.end) {
            cw_emu_sync_warp(e, warp);
            cw_emu_races_lanes(e->races, warp.first / CW_WARP, mask);
            cw_emu_order_lanes(e->order, warp.first / CW_WARP, mask);
            release(e, warp, mask);
            waits &= ~mask;
            any = 1;
        }
    }
    return any || e->status;
}

void cw_emu_gather(struct cw_emu *e, struct cw_emu_warp warp)
{
    uint32_t a = warp.first, b;

    while (e->threads[a].state != WAITS_WARP)
        a++;
    b = missing(e, warp, a);
    if (b < warp.end) {
        e->status = apart(e, a, b);
        return;
    }
    e->status = meet(&e->threads[warp.first], warp.end - warp.first, warp.first);
    if (e->threads[a].what == CW_EMU_SYNC) {
        cw_emu_sync_warp(e, warp);
        cw_emu_races_warp(e->races, warp.first / CW_WARP);
    }
    cw_emu_order_warp(e->order, warp.first / CW_WARP);
    release(e, warp, cw_emu_lanes(warp));
}
