#include "machine/emu/emu_judge.h"

#include <stdlib.h>
#include <string.h>

#include "machine/emu/emu_state.h"
#include "base/status.h"
#include "machine/wavefronts.h"

#define PAGE_LOG 10u
#define PAGE     ((uintptr_t)1 << PAGE_LOG)

/* The last write and a read; of both another one. */
struct cell {
    struct cw_emu_deed wrote, read;
};

struct page {
    uint32_t log; /* of the bytes of a cell */
    struct cell *cells;
    struct cell *others; /* NULL: none needed yet */
};

/* ---- pages ------------------------------------------------------------------ */

static void free_page(struct page *p)
{
    if (!p)
        return;
    free(p->cells);
    free(p->others);
    free(p);
}

void cw_emu_judge_reset(struct cw_emu_judge *j)
{
    struct cw_emu_map_row *row;
    uint32_t x = 0;

    while ((row = cw_emu_map_next(&j->pages, &x)) != NULL)
        free_page((struct page *)row->value);
    cw_emu_map_free(&j->pages);
}

static struct cell *cells_for(uint32_t log)
{
    return (struct cell *)calloc(PAGE >> log, sizeof(struct cell));
}

static struct page *make_page(uint32_t log)
{
    struct page *p = (struct page *)calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->log = log;
    p->cells = cells_for(log);
    if (p->cells)
        return p;
    free_page(p);
    return NULL;
}

/* What was known of a cell holds of its parts. */
static struct cell *split_cells(const struct cell *old, uint32_t from, uint32_t to)
{
    struct cell *const all = old ? cells_for(to) : NULL;

    for (size_t x = 0; all && x < PAGE >> to; x++)
        all[x] = old[x >> (from - to)];
    return all;
}

static int split(struct page *p, uint32_t log)
{
    struct cell *const cells = split_cells(p->cells, p->log, log);
    struct cell *const others = split_cells(p->others, p->log, log);

    if (!cells || (p->others && !others)) {
        free(cells);
        free(others);
        return 0;
    }
    free(p->cells);
    free(p->others);
    p->cells = cells;
    p->others = others;
    p->log = log;
    return 1;
}

/* The page of an access, with cells that are small enough; NULL: out of memory. */
static struct page *page_of(struct cw_emu_judge *j, uintptr_t at, uint32_t log)
{
    const uint64_t key = at >> PAGE_LOG;
    struct page *p = (struct page *)cw_emu_map_get(&j->pages, key);

    if (!p) {
        void **const place = cw_emu_map_at(&j->pages, key);

        if (place)
            *place = p = make_page(log);
    }
    return p && log < p->log && !split(p, log) ? NULL : p;
}

/* ---- order -------------------------------------------------------------------- */

int cw_emu_is_after(const struct cw_emu *e, const struct cw_emu_deed *d)
{
    const uint32_t block = d->who >> 11, thread = d->who >> 1 & 1023u;

    if (block == e->block &&
        (thread == e->cur || d->clock < e->slot->met ||
         (thread / CW_WARP == e->cur / CW_WARP && d->clock < e->slot->met_warp[e->cur / CW_WARP])))
        return 1;
    return cw_emu_knows(e->threads[e->cur].know, block, thread, d->clock);
}

/* Do both race?  They do if nothing orders them and one is plain. */
static int races(const struct cw_emu *e, const struct cw_emu_deed *before, uint32_t who)
{
    return before->clock && !(before->who & who & 1u) && !cw_emu_is_after(e, before);
}

/* ---- cells -------------------------------------------------------------------- */

static struct cell *other_of(struct page *p, size_t x)
{
    if (!p->others)
        p->others = cells_for(p->log);
    return p->others ? &p->others[x] : NULL;
}

/* Keep an access beside another one: the new one and, of what was there, what nothing orders before
 * it, of another block if that can be. */
static void keep(const struct cw_emu *e, struct cw_emu_deed *last, struct cw_emu_deed *other,
                 const struct cw_emu_deed *now)
{
    if (last->who >> 11 != now->who >> 11) {
        *other = *last;
        *last = *now;
    } else if (!other->clock || other->who >> 11 == now->who >> 11 || cw_emu_is_after(e, other)) {
        *other = *now;
    } else {
        *last = *now;
    }
}

/* May this one take the place of the last?  Who comes after it comes after both. */
static int replaces(const struct cw_emu *e, const struct cw_emu_deed *last,
                    const struct cw_emu_deed *now)
{
    return !last->clock || (cw_emu_is_after(e, last) && (last->who & 1u) >= (now->who & 1u));
}

/* 0: out of memory. */
static int note_read(const struct cw_emu *e, struct page *p, size_t x,
                     const struct cw_emu_deed *now)
{
    struct cw_emu_deed *const last = &p->cells[x].read;
    struct cell *other;

    if (replaces(e, last, now)) {
        *last = *now;
        return 1;
    }
    other = other_of(p, x);
    if (other)
        keep(e, last, &other->read, now);
    return other != NULL;
}

static int note_write(const struct cw_emu *e, struct page *p, size_t x,
                      const struct cw_emu_deed *now)
{
    struct cell *const c = &p->cells[x];
    struct cell *other;

    if (!(now->who & 1u)) { /* all that was before is ordered before it */
        memset(&c->read, 0, sizeof c->read);
        if (p->others)
            memset(&p->others[x], 0, sizeof p->others[x]);
        c->wrote = *now;
        return 1;
    }
    if (replaces(e, &c->wrote, now)) {
        c->wrote = *now;
        return 1;
    }
    other = other_of(p, x);
    if (other)
        keep(e, &c->wrote, &other->wrote, now);
    return other != NULL;
}

/* The access before that this one races with, and whether that one wrote; or NULL. */
static const struct cw_emu_deed *find_race(const struct cw_emu *e, const struct page *p, size_t x,
                                           uint32_t who, int writes, int *wrote)
{
    const struct cell *const c = &p->cells[x], *const o = p->others ? &p->others[x] : NULL;

    *wrote = 1;
    if (races(e, &c->wrote, who))
        return &c->wrote;
    if (o && races(e, &o->wrote, who))
        return &o->wrote;
    *wrote = 0;
    if (writes && races(e, &c->read, who))
        return &c->read;
    return writes && o && races(e, &o->read, who) ? &o->read : NULL;
}

/* ---- accesses ------------------------------------------------------------------- */

static const char *missing(const struct cw_emu *e, const struct cw_emu_deed *before)
{
    const uint32_t thread = before->who >> 1 & 1023u;

    if (before->who >> 11 != e->block)
        return "no release and acquire order them";
    return thread / CW_WARP == e->cur / CW_WARP ? "without a warp_sync between them"
                                                : "without a block_sync between them";
}

static const char *name_of(int strong, int wrote)
{
    if (wrote)
        return strong ? "atomic write" : "write";
    return strong ? "atomic read" : "read";
}

static cw_status race(const struct cw_emu *e, const struct cw_emu_reach *r,
                      const struct cw_emu_deed *before, int wrote)
{
    const struct cw_emu_buffer *const b = r->buffer;

    return cw_fail(CW_ERR_RACE,
                   "data race on byte %zu of buffer %u: %s by thread %u of block %u at %s, then %s "
                   "by thread %u of block %u at %s, %s",
                   (size_t)(r->at - (uintptr_t)b->data), (unsigned)(b - e->launch.buffers),
                   name_of(before->who & 1u, wrote), before->who >> 1 & 1023u, before->who >> 11,
                   before->site, name_of(r->strong, r->kind != CW_EMU_READ), e->cur, e->block,
                   r->site, missing(e, before));
}

void cw_emu_judge_note(struct cw_emu *e, const struct cw_emu_reach *r)
{
    const struct cw_emu_deed now = {r->site, cw_emu_who(e->block, e->cur, r->strong),
                                    e->slot->clock};
    const uint32_t log = (uint32_t)__builtin_ctz(r->bytes);
    const int writes = r->kind != CW_EMU_READ;
    struct page *const p = page_of(&e->judge, r->at, log);
    size_t x, end;

    if (!p) {
        e->status = cw_fail(CW_ERR_MEMORY, "out of memory to check for races, at %s", r->site);
        return;
    }
    x = (r->at & (PAGE - 1)) >> p->log;
    for (end = x + (r->bytes >> p->log) + (log < p->log); x < end; x++) {
        int wrote;
        const struct cw_emu_deed *const before = find_race(e, p, x, now.who, writes, &wrote);

        if (before)
            e->status = race(e, r, before, wrote);
        else if (!(writes ? note_write(e, p, x, &now) : note_read(e, p, x, &now)))
            e->status = cw_fail(CW_ERR_MEMORY, "out of memory to check for races, at %s", r->site);
        if (e->status)
            return;
    }
}
