/* parts.c - parts into buckets, buckets into leaves, by all threads.
 *
 * All threads deal a large part into buckets.  Then each thread takes a bucket, the largest first,
 * and sorts it alone; buckets so large that the others would wait are dealt by all again.
 *
 * Buckets larger than the sample said show that it misled; then the next one is taken more
 * carefully (sort/sample.h).  So a part shrinks to three quarters in every pass but two.
 */
#include "cpu/sort/parts.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cpu/sort/leaf.h"
#include "cpu/sort/part.h"
#include "cpu/sort/pass.h"
#include "cpu/sort/sample.h"
#include "base/threads.h"

/* ---- one thread ----------------------------------------------------------------------------- */

static enum cw_side other(enum cw_side side)
{
    return side == CW_SIDE_WORK ? CW_SIDE_OUT : CW_SIDE_WORK;
}

/* A part, of which samples misled so often. */
struct piece {
    struct cw_part part;
    uint32_t misled;
};

/* How a piece was cut: which of its buckets are too large, and does that show that the sample
 * misled? */
struct outcome {
    size_t limit;
    int misled;
};

static struct outcome outcome_of(const struct cw_sorter *s, const struct piece *x, uint32_t asked,
                                 const struct cw_cuts *cuts, const size_t *end)
{
    struct outcome o = {cw_bucket_limit(s, x->part.n, asked), 0};
    size_t from = x->part.from, large = 0;

    for (uint32_t b = 0; b < cuts->buckets; b++) {
        const size_t n = end[b] - from;
        const int one_key = cuts->levels && b % 2; /* the splitter's own */

        if (n > o.limit && !one_key) {
            large += n;
            o.misled |= n > x->part.n - x->part.n / 4;
        }
        from = end[b];
    }
    o.misled |= (double)large > (double)x->part.n * (cuts->large * 1.25 + 0.0625);
    return o;
}

static struct piece bucket_of(const struct piece *x, const struct outcome *o, size_t from,
                              size_t end)
{
    const uint32_t more = o->misled && end - from > o->limit && x->misled < 2;
    const struct piece one = {{other(x->part.side), from, end - from}, x->misled + more};

    return one;
}

static void sort_alone(const struct cw_sorter *s, struct cw_sort_thread *t, const struct piece *x,
                       uint32_t level)
{
    const struct cw_part *p = &x->part;
    const struct cw_sort_team me = {NULL, 1, t};
    size_t *const end = t->ends + (size_t)level * CW_SORT_BUCKETS, from = p->from;
    struct outcome o;
    uint32_t asked, buckets;

    if (cw_part_in_order(s, p)) {
        cw_part_finish(s, p);
        return;
    }
    if (p->n <= s->leaf) {
        cw_sort_leaf(s, t, p);
        return;
    }
    assert(level < s->levels);
    asked = cw_sort_make_cuts(s, &me, p, x->misled, t->cuts);
    cw_sort_pass(s, &me, p, other(p->side), t->cuts, end);
    buckets = t->cuts->buckets;
    o = outcome_of(s, x, asked, t->cuts, end);
    for (uint32_t b = 0; b < buckets; b++) {
        const struct piece one = bucket_of(x, &o, from, end[b]);

        sort_alone(s, t, &one, level + 1);
        from = end[b];
    }
}

/* ---- all threads ---------------------------------------------------------------------------- */

#define STRETCH ((size_t)1 << 18) /* items */

/* A stretch of a part, with the first item of the next if `more`. */
static struct cw_part stretch_of(const struct cw_part *p, size_t x, int more)
{
    const size_t left = p->n - x;
    const struct cw_part some = {p->side, p->from + x,
                                 left > STRETCH ? STRETCH + (more != 0) : left};

    return some;
}

/* What threads do at a time with a part. */
struct stretches {
    const struct cw_sorter *s;
    const struct cw_part *part;
    _Atomic int falls;
};

static void look_at_stretch(void *user, size_t x, size_t end, unsigned thread)
{
    struct stretches *all = (struct stretches *)user;
    const struct cw_part some = stretch_of(all->part, x, 1);

    (void)end;
    (void)thread;
    if (!atomic_load(&all->falls) && !cw_part_in_order(all->s, &some))
        atomic_store(&all->falls, 1);
}

static void finish_stretch(void *user, size_t x, size_t end, unsigned thread)
{
    const struct stretches *all = (const struct stretches *)user;
    const struct cw_part some = stretch_of(all->part, x, 0);

    (void)end;
    (void)thread;
    cw_part_finish(all->s, &some);
}

/* If the part is in order, bring it where it belongs. */
static int finished(const struct cw_sorter *s, const struct cw_part *p)
{
    struct stretches all = {s, p, 0};
    const struct cw_part begin = {p->side, p->from, p->n < CW_SORT_BLOCK ? p->n : CW_SORT_BLOCK};

    if (!cw_part_in_order(s, &begin)) /* as nearly always */
        return 0;
    cw_team_run(s->team, s->threads, p->n, STRETCH, look_at_stretch, &all);
    if (all.falls)
        return 0;
    cw_team_run(s->team, s->threads, p->n, STRETCH, finish_stretch, &all);
    return 1;
}

/* Pieces that wait, so large that threads would wait for the one that sorts it alone, so they are
 * no more than 4 a thread; and the buckets of the piece that all threads are at. */
struct cw_sort_lists {
    struct piece bucket[CW_SORT_BUCKETS];
    size_t end[CW_SORT_BUCKETS];
    struct piece large[];
};

size_t cw_sort_lists_bytes(const struct cw_sorter *s)
{
    if (s->threads == 1 || s->job->n <= s->leaf)
        return 0;
    return sizeof(struct cw_sort_lists) + (4 * (size_t)s->threads + 1) * sizeof(struct piece);
}

static int larger_first(const void *x, const void *y)
{
    const size_t a = ((const struct piece *)x)->part.n, b = ((const struct piece *)y)->part.n;

    return (a < b) - (a > b);
}

static void sort_bucket(void *user, size_t b, size_t end, unsigned thread)
{
    const struct cw_sorter *s = (const struct cw_sorter *)user;

    (void)end;
    sort_alone(s, &s->thread[thread], &s->lists->bucket[b], 0);
}

/* Deal a piece, sort its buckets, the largest first; those too large are put aside: how many? */
static size_t sort_together(struct cw_sorter *s, const struct piece *x, struct piece *aside)
{
    const size_t share = s->job->n / (4 * (size_t)s->threads);
    const size_t most = share > s->leaf ? share : s->leaf;
    const struct cw_sort_team all = {s->team, s->threads, s->thread};
    struct cw_cuts *cuts = s->thread[0].cuts;
    struct cw_sort_lists *l = s->lists;
    size_t from = x->part.from, large = 0;
    struct outcome o;
    uint32_t asked, buckets = 0;

    if (finished(s, &x->part))
        return 0;
    asked = cw_sort_make_cuts(s, &all, &x->part, x->misled, cuts);
    cw_sort_pass(s, &all, &x->part, other(x->part.side), cuts, l->end);
    o = outcome_of(s, x, asked, cuts, l->end);
    for (uint32_t b = 0; b < cuts->buckets; b++) {
        const struct piece one = bucket_of(x, &o, from, l->end[b]);

        if (one.part.n > most)
            aside[large++] = one;
        else if (one.part.n)
            l->bucket[buckets++] = one;
        from = l->end[b];
    }
    qsort(l->bucket, buckets, sizeof *l->bucket, larger_first);
    cw_team_run(s->team, s->threads, buckets, 1, sort_bucket, s);
    return large;
}

void cw_sort_part(struct cw_sorter *s, const struct cw_part *p)
{
    const struct piece all = {*p, 0};
    struct piece *large;
    size_t waiting = 1;

    if (s->threads == 1 || p->n <= s->leaf) {
        sort_alone(s, &s->thread[0], &all, 0);
        return;
    }
    large = s->lists->large;
    large[0] = all;
    while (waiting) {
        const struct piece x = large[--waiting];

        waiting += sort_together(s, &x, large + waiting);
    }
}
