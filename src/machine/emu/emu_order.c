#include "machine/emu/emu_order.h"

#include <stdlib.h>

#include "machine/wavefronts.h"

#define FILES 8u   /* of a lane, at a time */
#define DEPTH 4u   /* of loops in loops; deeper ones are not told apart */
#define LOOPS 256u /* in all; more are not told apart */
#define ENDS  6u   /* of a loop */

struct loop {
    uint32_t file, first, last;
    uint32_t ends[ENDS], end_count; /* places from which a lane was seen to jump back */
};

struct round {
    uint32_t loop, number;
};

/* Where a lane is in a file. */
struct track {
    uint32_t file, since;  /* since: the meeting after which it was begun; 0: never */
    uint32_t line, before; /* where it stands, and stood before */
    uint32_t depth;
    struct round rounds[DEPTH]; /* the outermost loop first */
};

struct lane {
    uint32_t file, meeting; /* meeting: the last one, by number */
    struct track tracks[FILES];
};

struct warp {
    int together; /* all lanes since they last met: `all` tells of each */
    struct lane all;
    struct lane lanes[CW_WARP];
};

struct cw_emu_order {
    struct loop loops[LOOPS];
    uint32_t count;
    uint32_t meetings; /* of any lanes, so far */
    uint32_t warp_count;
    struct warp warps[];
};

struct cw_emu_order *cw_emu_order_create(uint32_t threads)
{
    const uint32_t warps = (threads + CW_WARP - 1) / CW_WARP;
    struct cw_emu_order *o =
        (struct cw_emu_order *)calloc(1, sizeof *o + warps * sizeof(struct warp));

    if (o)
        o->warp_count = warps;
    return o;
}

void cw_emu_order_destroy(struct cw_emu_order *o)
{
    free(o);
}

void cw_emu_order_reset(struct cw_emu_order *o)
{
    o->count = 0;
}

/* ---- meetings --------------------------------------------------------------- */

/* From now on the lanes are told of one by one. */
static void part(struct warp *w)
{
    for (uint32_t i = 0; i < CW_WARP && w->together; i++) {
        struct lane *const x = &w->lanes[i];

        x->file = w->all.file;
        x->meeting = w->all.meeting;
        for (uint32_t f = 0; f < FILES; f++)
            if (w->all.tracks[f].since == x->meeting)
                x->tracks[f] = w->all.tracks[f];
    }
    w->together = 0;
}

void cw_emu_order_warp(struct cw_emu_order *o, uint32_t warp)
{
    o->warps[warp].together = 1;
    o->warps[warp].all.meeting = ++o->meetings;
}

void cw_emu_order_block(struct cw_emu_order *o)
{
    for (uint32_t x = 0; x < o->warp_count; x++)
        cw_emu_order_warp(o, x);
}

void cw_emu_order_lanes(struct cw_emu_order *o, uint32_t warp, uint32_t mask)
{
    struct warp *const w = &o->warps[warp];

    part(w);
    o->meetings++;
    for (uint32_t i = 0; mask; i++, mask >>= 1)
        if (mask & 1)
            w->lanes[i].meeting = o->meetings;
}

/* ---- loops ------------------------------------------------------------------- */

/* The loop that begins there. */
static uint32_t find_loop(struct cw_emu_order *o, struct cw_emu_spot first)
{
    uint32_t x = 0;

    while (x < o->count && (o->loops[x].file != first.file || o->loops[x].first != first.line))
        x++;
    if (x == LOOPS)
        return LOOPS - 1;
    if (x == o->count)
        o->loops[o->count++] = (struct loop){first.file, first.line, first.line, {0}, 0};
    return x;
}

static int is_end(const struct loop *l, uint32_t line)
{
    uint32_t x = 0;

    while (x < l->end_count && l->ends[x] != line)
        x++;
    return x < l->end_count;
}

static struct loop *innermost(struct cw_emu_order *o, const struct track *t)
{
    return &o->loops[t->rounds[t->depth - 1].loop];
}

static void jump_back(struct cw_emu_order *o, struct track *t, struct cw_emu_spot to)
{
    struct loop *l;

    while (t->depth && innermost(o, t)->first > to.line)
        t->depth--;
    if ((!t->depth || innermost(o, t)->first != to.line) && t->depth < DEPTH)
        t->rounds[t->depth++] = (struct round){find_loop(o, to), 0};
    l = innermost(o, t);
    l->last = t->line > l->last ? t->line : l->last;
    if (!is_end(l, t->line) && l->end_count < ENDS)
        l->ends[l->end_count++] = t->line;
    t->rounds[t->depth - 1].number++;
}

/* Out of the loops that may be left here; the others reach that far. */
static void go_down(struct cw_emu_order *o, struct track *t, uint32_t to)
{
    while (t->depth && innermost(o, t)->last < to && is_end(innermost(o, t), t->line))
        t->depth--;
    for (uint32_t x = 0; x < t->depth; x++) {
        struct loop *const l = &o->loops[t->rounds[x].loop];

        l->last = to > l->last ? to : l->last;
    }
}

static void move(struct cw_emu_order *o, struct lane *x, struct cw_emu_spot to)
{
    struct track *const t = &x->tracks[to.file % FILES];

    x->file = to.file;
    if (t->since != x->meeting || t->file != to.file) {
        t->file = to.file;
        t->since = x->meeting;
        t->line = t->depth = 0;
    } else if (to.line <= t->line) {
        jump_back(o, t, to);
    } else if (t->depth) {
        go_down(o, t, to.line);
    }
    t->before = t->line;
    t->line = to.line;
}

void cw_emu_order_move(struct cw_emu_order *o, uint32_t thread, struct cw_emu_spot to)
{
    struct warp *const w = &o->warps[thread / CW_WARP];

    part(w);
    move(o, &w->lanes[thread % CW_WARP], to);
}

void cw_emu_order_move_warp(struct cw_emu_order *o, uint32_t warp, struct cw_emu_spot to)
{
    struct warp *const w = &o->warps[warp];

    if (w->together) {
        move(o, &w->all, to);
        return;
    }
    for (uint32_t i = 0; i < CW_WARP; i++)
        move(o, &w->lanes[i], to);
}

/* ---- who goes first ------------------------------------------------------------ */

static int is_inside(const struct track *t, const struct loop *l)
{
    return l->first <= t->line &&
           (t->line <= l->last ||
            (l->first <= t->before && t->before <= l->last && !is_end(l, t->before)));
}

/* Of the loops that t and u are in at this depth: 1 if t is in a later round, -1 if u is, 0 if both
 * are in the same one, APART if it is not one loop.  Who is in a loop and has not jumped back in it
 * is in round 0. */
enum { APART = 2 };

static int compare(const struct cw_emu_order *o, const struct track *t, const struct track *u,
                   uint32_t depth)
{
    const struct round *const x = depth < t->depth ? &t->rounds[depth] : NULL;
    const struct round *const y = depth < u->depth ? &u->rounds[depth] : NULL;
    const struct loop *const a = x ? &o->loops[x->loop] : NULL;
    const struct loop *const b = y ? &o->loops[y->loop] : NULL;

    if (a && a == b)
        return (x->number > y->number) - (x->number < y->number);
    if (a && (!b || a->first < b->first))
        return is_inside(u, a) ? 1 : APART;
    if (b)
        return is_inside(t, b) ? -1 : APART;
    return APART;
}

int cw_emu_order_before(const struct cw_emu_order *o, uint32_t a, uint32_t b)
{
    const struct lane *const x = &o->warps[a / CW_WARP].lanes[a % CW_WARP];
    const struct lane *const y = &o->warps[b / CW_WARP].lanes[b % CW_WARP];
    const struct track *const t = &x->tracks[x->file % FILES];
    const struct track *const u = &y->tracks[y->file % FILES];

    if (x->file != y->file)
        return 0;
    for (uint32_t depth = 0; depth < DEPTH; depth++) {
        const int c = compare(o, t, u, depth);

        if (c == APART)
            break;
        if (c)
            return c < 0;
    }
    return t->line < u->line;
}
