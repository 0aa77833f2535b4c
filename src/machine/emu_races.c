#include "machine/emu_races.h"

#include <stdlib.h>

#include "machine/wavefronts.h"

#define WARPS (CW_EMU_THREADS / CW_WARP)

/* Reads or atomics of one warp: up to two of its lanes in its last turn. */
struct seen {
    uint32_t epoch, turn;
    uint16_t thread[2]; /* the last one first; equal if there is one only */
    uint32_t place[2];
};

struct word {
    uint32_t begun; /* the block that wrote it */
    uint32_t epoch, turn, place;
    uint16_t thread;
    struct seen read[2]; /* of two warps, the last one first */
    struct seen add[2];
};

struct cw_emu_races {
    struct word *words;
    uint32_t begun; /* blocks so far */
    int written;
    uint32_t epoch;
    uint32_t turns[WARPS];
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
    free(r);
}

void cw_emu_races_begin(struct cw_emu_races *r, int written)
{
    r->begun++;
    r->epoch++; /* nothing of another block is of this epoch */
    r->written = written;
}

void cw_emu_races_block(struct cw_emu_races *r)
{
    r->epoch++;
}

void cw_emu_races_warp(struct cw_emu_races *r, uint32_t warp)
{
    r->turns[warp]++;
}

/* One of those seen that is not ordered before thread t: its index, or -1. */
static int unordered(const struct cw_emu_races *r, const struct seen *s, uint32_t t)
{
    if (s->epoch != r->epoch)
        return -1;
    if (s->thread[0] / CW_WARP != t / CW_WARP)
        return 0;
    if (s->turn != r->turns[t / CW_WARP])
        return -1;
    return s->thread[0] != t ? 0 : s->thread[1] != t ? 1 : -1;
}

static int find_seen(const struct cw_emu_races *r, const struct seen *two, enum cw_emu_kind kind,
                     uint32_t t, struct cw_emu_access *other)
{
    for (int x = 0; x < 2; x++) {
        const int i = unordered(r, &two[x], t);

        if (i >= 0) {
            *other = (struct cw_emu_access){two[x].thread[i], two[x].place[i], kind};
            return 1;
        }
    }
    return 0;
}

static int find_write(const struct cw_emu_races *r, const struct word *w, uint32_t t,
                      struct cw_emu_access *other)
{
    if (w->epoch != r->epoch || w->thread == t)
        return 0;
    if (w->thread / CW_WARP == t / CW_WARP && w->turn != r->turns[t / CW_WARP])
        return 0;
    *other = (struct cw_emu_access){w->thread, w->place, CW_EMU_WRITE};
    return 1;
}

static void remember(const struct cw_emu_races *r, struct seen *two, const struct cw_emu_access *a)
{
    const uint32_t warp = a->thread / CW_WARP;
    const struct seen now = {
        r->epoch, r->turns[warp], {(uint16_t)a->thread, (uint16_t)a->thread}, {a->place, a->place}};
    struct seen *const s = &two[0];

    if (s->epoch != r->epoch || s->thread[0] / CW_WARP != warp) {
        if (s->epoch == r->epoch)
            two[1] = *s;
        *s = now;
    } else if (s->turn != now.turn) {
        *s = now;
    } else {
        if (s->thread[0] != a->thread) {
            s->thread[1] = s->thread[0];
            s->place[1] = s->place[0];
        }
        s->thread[0] = (uint16_t)a->thread;
        s->place[0] = a->place;
    }
}

enum cw_emu_verdict cw_emu_races_note(struct cw_emu_races *r, uint32_t word,
                                      const struct cw_emu_access *a, struct cw_emu_access *other)
{
    struct word *const w = &r->words[word];
    const uint32_t t = a->thread;

    if (a->kind != CW_EMU_WRITE && w->begun != r->begun && !r->written)
        return CW_EMU_UNWRITTEN;
    if (find_write(r, w, t, other) ||
        (a->kind != CW_EMU_READ && find_seen(r, w->read, CW_EMU_READ, t, other)) ||
        (a->kind != CW_EMU_ADD && find_seen(r, w->add, CW_EMU_ADD, t, other)))
        return CW_EMU_RACE;
    if (a->kind != CW_EMU_WRITE) {
        remember(r, a->kind == CW_EMU_READ ? w->read : w->add, a);
        return CW_EMU_FINE;
    }
    w->begun = r->begun;
    w->epoch = r->epoch;
    w->turn = r->turns[t / CW_WARP];
    w->place = a->place;
    w->thread = (uint16_t)t;
    return CW_EMU_FINE;
}
