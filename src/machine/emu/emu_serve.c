/* emu_serve.c - a request to shared memory: checked, carried out and priced. */
#include "machine/emu/emu_state.h"

#include <string.h>

#include "base/status.h"
#include "machine/wavefronts.h"

const char *const cw_emu_kind_names[] = {"read", "atomic add", "write", "count"};

/* ---- what is refused ------------------------------------------------------ */

/* Shared memory is a multiple of every size, so an aligned access is inside as a whole. */
static int is_inside(const struct cw_emu *e, uint32_t at, uint32_t bytes)
{
    return at % bytes == 0 && at < e->config.shared;
}

static cw_status outside(const struct cw_emu *e, uint32_t thread, const struct cw_emu_place *p)
{
    const uint32_t at = e->threads[thread].at;

    if (at % p->bytes)
        return cw_fail(CW_ERR_BOUNDS,
                       "thread %u: %s of %u bytes at byte %u of shared memory, which is not a "
                       "multiple of its size, at %s",
                       thread, cw_emu_kind_names[p->kind], p->bytes, at, p->site);
    return cw_fail(CW_ERR_BOUNDS,
                   "thread %u: %s of %u bytes at byte %u, outside the %u bytes of shared memory, "
                   "at %s",
                   thread, cw_emu_kind_names[p->kind], p->bytes, at, e->config.shared, p->site);
}

static cw_status unwritten(uint32_t word, uint32_t thread, const struct cw_emu_place *p)
{
    return cw_fail(CW_ERR_UNWRITTEN,
                   "thread %u: %s of byte %u of shared memory, which nobody wrote, at %s", thread,
                   cw_emu_kind_names[p->kind], 4 * word, p->site);
}

static cw_status race(const struct cw_emu *e, uint32_t word, const struct cw_emu_access *a,
                      const struct cw_emu_access *b)
{
    uint32_t count;
    const struct cw_emu_place *const all = cw_emu_places_all(e->places, &count);
    const int one_warp = a->thread / CW_WARP == b->thread / CW_WARP;

    return cw_fail(CW_ERR_RACE,
                   "data race on byte %u of shared memory: %s by thread %u at %s, then %s by "
                   "thread %u at %s, without a %s between them",
                   4 * word, cw_emu_kind_names[b->kind], b->thread, all[b->place].site,
                   cw_emu_kind_names[a->kind], a->thread, all[a->place].site,
                   one_warp ? "warp_sync" : "block_sync");
}

static cw_status check(struct cw_emu *e, uint32_t thread, const struct cw_emu_place *p)
{
    const uint32_t first = e->threads[thread].at / 4;
    const struct cw_emu_access a = {thread, e->threads[thread].place,
                                    p->kind == CW_EMU_COUNT ? CW_EMU_ADD : p->kind};
    struct cw_emu_access other;

    if (!is_inside(e, e->threads[thread].at, p->bytes))
        return outside(e, thread, p);
    for (uint32_t word = first; word < first + p->bytes / 4; word++) {
        switch (cw_emu_races_note(e->races, word, &a, &other)) {
        case CW_EMU_FINE:
            break;
        case CW_EMU_UNWRITTEN:
            return unwritten(word, thread, p);
        case CW_EMU_RACE:
            return race(e, word, &a, &other);
        case CW_EMU_NO_ROOM:
            return cw_fail(CW_ERR_MEMORY, "out of memory to check for races, at %s", p->site);
        }
    }
    return CW_OK;
}

/* ---- what is served ------------------------------------------------------- */

static void carry_out(struct cw_emu *e, struct cw_emu_thread *t, const struct cw_emu_place *p)
{
    unsigned char *const at = e->shared + t->at;
    uint32_t old, sum;

    switch (p->kind) {
    case CW_EMU_READ:
        memcpy(t->value, at, p->bytes);
        return;
    case CW_EMU_WRITE:
        memcpy(at, t->value, p->bytes);
        return;
    case CW_EMU_ADD:
    case CW_EMU_COUNT:
        memcpy(&old, at, sizeof old);
        sum = old + t->value[0];
        memcpy(at, &sum, sizeof sum);
        t->value[0] = old;
    }
}

static void price(struct cw_emu_place *p, const struct cw_request *r)
{
    uint32_t ideal;
    const uint32_t wavefronts = cw_wavefronts(r, &ideal);

    p->requests++;
    p->wavefronts += wavefronts;
    p->ideal += ideal;
    if (wavefronts > p->worst)
        p->worst = wavefronts;
}

void cw_emu_serve(struct cw_emu *e, struct cw_emu_warp warp, uint32_t lanes, uint32_t place)
{
    uint32_t count;
    struct cw_emu_place *const p = cw_emu_places_all(e->places, &count) + place;
    struct cw_request r = {
        .bytes = p->bytes, .atomic = p->kind == CW_EMU_ADD, .write = p->kind == CW_EMU_WRITE};

    for (uint32_t i = warp.first; lanes; i++, lanes >>= 1) {
        struct cw_emu_thread *const t = &e->threads[i];

        if (!(lanes & 1) || t->place != place)
            continue;
        e->status = check(e, i, p);
        if (e->status)
            return;
        r.lanes |= 1u << (i - warp.first);
        r.at[i - warp.first] = t->at;
        e->trace = cw_emu_mix(e->trace, (uint64_t)i << 32 | t->at);
        carry_out(e, t, p);
        e->quiet = p->kind == CW_EMU_READ ? e->quiet : 0;
        t->steps++;
        t->state = RUNS;
    }
    e->trace = cw_emu_mix(e->trace, (uint64_t)r.lanes << 32 | place);
    price(p, &r);
}
