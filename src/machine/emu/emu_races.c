#include "machine/emu/emu_races.h"

#include <stdlib.h>
#include <string.h>

#include "machine/wavefronts.h"

#define WARPS (CW_EMU_THREADS / CW_WARP)

/* Lanes of a warp that asked in one turn at one place. */
struct entry {
    uint32_t turn, place;
    uint32_t lanes;
    uint32_t more; /* 1 + the next entry in the pool; 0: none */
};

/* Reads, or atomics: of the warp that came last, and one of another. */
struct seen {
    uint32_t epoch;
    uint32_t warp;
    struct entry last;
    uint32_t other_epoch, other_place;
    uint32_t other_thread;
};

struct word {
    uint32_t begun; /* the block that wrote it */
    uint32_t epoch, turn, place;
    uint32_t thread;
    struct seen read, add;
};

struct cw_emu_races {
    struct word *words;
    uint32_t begun; /* blocks so far */
    int written;
    uint32_t epoch;
    uint32_t turns[WARPS];
    uint32_t all[WARPS]; /* the turn that all lanes of the warp began together */
    uint32_t known[CW_EMU_THREADS][CW_WARP]; /* see the head of emu_races.h */
    struct entry *pool;                      /* entries beyond a word's own, of this epoch */
    uint32_t used, room, unused;             /* unused: 1 + the first of those given back */
};

struct cw_emu_races *cw_emu_races_create(uint32_t words)
{
    struct cw_emu_races *r = (struct cw_emu_races *)calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->words = (struct word *)calloc((size_t)words + 1, sizeof *r->words);
    if (r->words)
        return r;
    free(r);
    return NULL;
}

void cw_emu_races_destroy(struct cw_emu_races *r)
{
    if (!r)
        return;
    free(r->words);
    free(r->pool);
    free(r);
}

/* ---- meetings ------------------------------------------------------------- */

void cw_emu_races_begin(struct cw_emu_races *r, int written)
{
    r->begun++;
    r->written = written;
    cw_emu_races_block(r); /* nothing of another block is of this epoch */
}

void cw_emu_races_block(struct cw_emu_races *r)
{
    r->epoch++;
    r->used = r->unused = 0;
}

void cw_emu_races_warp(struct cw_emu_races *r, uint32_t warp)
{
    r->all[warp] = ++r->turns[warp];
}

void cw_emu_races_lanes(struct cw_emu_races *r, uint32_t warp, uint32_t mask)
{
    uint32_t(*const known)[CW_WARP] = &r->known[warp * CW_WARP];
    const uint32_t now = ++r->turns[warp];
    uint32_t sum[CW_WARP] = {0};

    for (uint32_t i = 0; i < CW_WARP; i++)
        for (uint32_t j = 0; j < CW_WARP && mask >> i & 1; j++)
            sum[j] = known[i][j] > sum[j] ? known[i][j] : sum[j];
    for (uint32_t j = 0; j < CW_WARP; j++)
        if (mask >> j & 1)
            sum[j] = now;
    for (uint32_t i = 0; i < CW_WARP; i++)
        if (mask >> i & 1)
            memcpy(known[i], sum, sizeof sum);
}

/* Are accesses of lane `lane` in that turn ordered before what thread t of its warp does now? */
static int is_ordered(const struct cw_emu_races *r, uint32_t turn, uint32_t lane, uint32_t t)
{
    return lane == t % CW_WARP || turn < r->all[t / CW_WARP] || turn < r->known[t][lane];
}

/* Those of an entry that are not. */
static uint32_t unordered(const struct cw_emu_races *r, const struct entry *x, uint32_t t)
{
    uint32_t lanes = x->lanes & ~(1u << t % CW_WARP), found = 0;

    if (x->turn < r->all[t / CW_WARP])
        return 0;
    for (uint32_t j = 0; lanes; j++, lanes >>= 1)
        if (lanes & 1 && !is_ordered(r, x->turn, j, t))
            found |= 1u << j;
    return found;
}

/* ---- entries --------------------------------------------------------------- */

/* The number of a free entry, or 0. */
static uint32_t take(struct cw_emu_races *r)
{
    const uint32_t x = r->unused;

    if (x) {
        r->unused = r->pool[x - 1].more;
        return x;
    }
    if (r->used == r->room) {
        const uint32_t room = r->room ? 2 * r->room : 256;
        struct entry *pool = (struct entry *)realloc(r->pool, room * sizeof *pool);

        if (!pool)
            return 0;
        r->pool = pool;
        r->room = room;
    }
    return ++r->used;
}

static void give_back(struct cw_emu_races *r, uint32_t x)
{
    r->pool[x - 1].more = r->unused;
    r->unused = x;
}

static void forget(struct cw_emu_races *r, struct seen *s)
{
    if (s->epoch != r->epoch)
        return;
    while (s->last.more) {
        const uint32_t x = s->last.more;

        s->last.more = r->pool[x - 1].more;
        give_back(r, x);
    }
    s->epoch = s->other_epoch = 0; /* a block begins with epoch 1 at least */
}

/* Leave out what is ordered before thread t.  Only the word's own entry may end without lanes,
 * and then there is no other. */
static void prune(struct cw_emu_races *r, struct seen *s, uint32_t t)
{
    uint32_t *link = &s->last.more;

    s->last.lanes = unordered(r, &s->last, t);
    while (*link) {
        const uint32_t x = *link;
        struct entry *const e = &r->pool[x - 1];

        e->lanes = unordered(r, e, t);
        if (e->lanes) {
            link = &e->more;
        } else {
            *link = e->more;
            give_back(r, x);
        }
    }
    if (!s->last.lanes && s->last.more) {
        const uint32_t x = s->last.more;

        s->last = r->pool[x - 1];
        give_back(r, x);
    }
}

/* The entry of this turn and place, a new one if there is none; NULL: out of memory. */
static struct entry *entry_of(struct cw_emu_races *r, struct seen *s, uint32_t turn, uint32_t place)
{
    uint32_t x;

    for (struct entry *e = &s->last;; e = &r->pool[e->more - 1]) {
        if (e->lanes && e->turn == turn && e->place == place)
            return e;
        if (!e->more)
            break;
    }
    if (s->last.lanes) {
        x = take(r);
        if (!x)
            return NULL;
        r->pool[x - 1] = s->last;
        s->last.more = x;
    }
    s->last.turn = turn;
    s->last.place = place;
    s->last.lanes = 0;
    return &s->last;
}

/* The first of this warp; what was seen of another one, if anything was, is kept as one access. */
static void begin(struct cw_emu_races *r, struct seen *s, uint32_t warp, struct entry first)
{
    struct seen now = {r->epoch, warp, first, 0, 0, 0};

    if (s->epoch == r->epoch) {
        now.other_epoch = r->epoch;
        now.other_place = s->last.place;
        now.other_thread = s->warp * CW_WARP + (uint32_t)__builtin_ctz(s->last.lanes);
        forget(r, s);
    }
    *s = now;
}

/* 0: out of memory. */
static int remember(struct cw_emu_races *r, struct seen *s, const struct cw_emu_access *a)
{
    const uint32_t warp = a->thread / CW_WARP, lane = 1u << a->thread % CW_WARP;
    const uint32_t turn = r->turns[warp];
    struct entry *e;

    if (s->epoch != r->epoch || s->warp != warp) {
        begin(r, s, warp, (struct entry){turn, a->place, lane, 0});
        return 1;
    }
    if (s->last.turn == turn && s->last.place == a->place && !s->last.more) {
        s->last.lanes |= lane;
        return 1;
    }
    prune(r, s, a->thread);
    e = entry_of(r, s, turn, a->place);
    if (e)
        e->lanes |= lane;
    return e != NULL;
}

/* ---- accesses -------------------------------------------------------------- */

static int find_unordered(const struct cw_emu_races *r, const struct seen *s, enum cw_emu_kind kind,
                          uint32_t t, struct cw_emu_access *other)
{
    const struct entry *e = &s->last;

    if (s->warp != t / CW_WARP) {
        *other = (struct cw_emu_access){s->warp * CW_WARP + (uint32_t)__builtin_ctz(e->lanes),
                                        e->place, kind};
        return 1;
    }
    for (;; e = &r->pool[e->more - 1]) {
        const uint32_t lanes = unordered(r, e, t);

        if (lanes) {
            *other = (struct cw_emu_access){s->warp * CW_WARP + (uint32_t)__builtin_ctz(lanes),
                                            e->place, kind};
            return 1;
        }
        if (!e->more)
            break;
    }
    if (s->other_epoch != r->epoch)
        return 0;
    *other = (struct cw_emu_access){s->other_thread, s->other_place, kind};
    return 1;
}

static inline int find_seen(const struct cw_emu_races *r, const struct seen *s,
                            enum cw_emu_kind kind, uint32_t t, struct cw_emu_access *other)
{
    return s->epoch == r->epoch && find_unordered(r, s, kind, t, other);
}

static int find_write(const struct cw_emu_races *r, const struct word *w, uint32_t t,
                      struct cw_emu_access *other)
{
    if (w->epoch != r->epoch || w->thread == t)
        return 0;
    if (w->thread / CW_WARP == t / CW_WARP && is_ordered(r, w->turn, w->thread % CW_WARP, t))
        return 0;
    *other = (struct cw_emu_access){w->thread, w->place, CW_EMU_WRITE};
    return 1;
}

enum cw_emu_verdict cw_emu_races_note(struct cw_emu_races *r, uint32_t word,
                                      const struct cw_emu_access *a, struct cw_emu_access *other)
{
    struct word *const w = &r->words[word];
    const uint32_t t = a->thread;

    if (a->kind != CW_EMU_WRITE && w->begun != r->begun && !r->written)
        return CW_EMU_UNWRITTEN;
    if (find_write(r, w, t, other) ||
        (a->kind != CW_EMU_READ && find_seen(r, &w->read, CW_EMU_READ, t, other)) ||
        (a->kind != CW_EMU_ADD && find_seen(r, &w->add, CW_EMU_ADD, t, other)))
        return CW_EMU_RACE;
    if (a->kind != CW_EMU_WRITE)
        return remember(r, a->kind == CW_EMU_READ ? &w->read : &w->add, a) ? CW_EMU_FINE
                                                                           : CW_EMU_NO_ROOM;
    forget(r, &w->read);
    forget(r, &w->add);
    w->begun = r->begun;
    w->epoch = r->epoch;
    w->turn = r->turns[t / CW_WARP];
    w->place = a->place;
    w->thread = t;
    return CW_EMU_FINE;
}
