/* buckets.c - buckets into smaller ones, and these into leaves, by all threads.
 *
 * All threads deal a large bucket into buckets.  Then each thread takes a bucket, the largest first,
 * and sorts it alone; buckets so large that the others would wait are dealt by all again.
 *
 * Buckets larger than the sample said show that it misled; then the next one is taken more
 * carefully (sort/sample.h).  So a bucket shrinks to three quarters in every pass but two.
 */
#include "cpu/sort/buckets.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "cpu/sort/leaf/leaf.h"
#include "cpu/sort/bucket.h"
#include "cpu/sort/pass.h"
#include "cpu/sort/sample.h"
#include "base/threads.h"

/* ---- one thread ----------------------------------------------------------------------------- */

static enum cw_side other(enum cw_side side)
{
    return side == CW_SIDE_WORK ? CW_SIDE_OUT : CW_SIDE_WORK;
}

/* A bucket, of which samples misled so often. */
struct piece {
    struct cw_bucket bucket;
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
    struct outcome o = {cw_bucket_limit(s, x->bucket.n, asked), 0};
    size_t from = x->bucket.from, large = 0;

    for (uint32_t b = 0; b < cuts->buckets; b++) {
        const size_t n = end[b] - from;
        const int one_key = cuts->levels && b % 2; /* the splitter's own */

        if (n > o.limit && !one_key) {
            large += n;
            o.misled |= n > x->bucket.n - x->bucket.n / 4;
        }
        from = end[b];
    }
    o.misled |= (double)large > (double)x->bucket.n * (cuts->large * 1.25 + 0.0625);
    return o;
}

static struct piece bucket_of(const struct piece *x, const struct outcome *o, size_t from,
                              size_t end)
{
    const uint32_t more = o->misled && end - from > o->limit && x->misled < 2;
    const struct piece one = {{other(x->bucket.side), from, end - from}, x->misled + more};

    return one;
}

/* Where a pass takes the items of a bucket: where they end, if each bucket is of one word and no
 * item is overwritten that was not read. */
static enum cw_side side_after(const struct cw_sorter *s, const struct cw_bucket *p,
                               const struct cw_cuts *cuts)
{
    const struct cw_side_arrays *in = &s->side[CW_SIDE_IN], *out = &s->side[CW_SIDE_OUT];

    if (cuts->single && p->side == CW_SIDE_IN && in->keys != out->keys &&
        (!s->bytes[1] || in->values != out->values))
        return CW_SIDE_OUT;
    return other(p->side);
}

/* `end`: free from there on, of t->ends. */
static void sort_alone(const struct cw_sorter *s, struct cw_sort_thread *t, const struct piece *x,
                       size_t *end)
{
    const struct cw_bucket *p = &x->bucket;
    const struct cw_sort_team me = {NULL, 1, t};
    size_t from = p->from;
    struct cw_bucket moved = *p;
    struct outcome o;
    uint32_t asked, buckets;

    if (cw_bucket_in_order(s, p)) {
        cw_bucket_finish(s, p);
        return;
    }
    if (cw_bucket_reversed(s, p)) {
        cw_bucket_turn(s, p, 0, (p->n + 1) / 2);
        return;
    }
    if (p->n <= s->leaf) {
        cw_sort_leaf(s, t, p);
        return;
    }
    assert(end + cw_sort_most_buckets(s, p->n) <= t->ends + s->ends);
    asked = cw_sort_make_cuts(s, &me, p, x->misled, t->cuts);
    moved.side = side_after(s, p, t->cuts);
    cw_sort_pass(s, &me, p, moved.side, t->cuts, end);
    if (t->cuts->single) {
        cw_bucket_finish(s, &moved);
        return;
    }
    buckets = t->cuts->buckets;
    o = outcome_of(s, x, asked, t->cuts, end);
    for (uint32_t b = 0; b < buckets; b++) {
        const struct piece one = bucket_of(x, &o, from, end[b]);

        sort_alone(s, t, &one, end + buckets);
        from = end[b];
    }
}

/* ---- all threads ---------------------------------------------------------------------------- */

#define STRETCH ((size_t)1 << 18) /* items */

/* A stretch of a bucket, with the first item of the next if `more`. */
static struct cw_bucket stretch_of(const struct cw_bucket *p, size_t x, int more)
{
    const size_t left = p->n - x;
    const struct cw_bucket some = {p->side, p->from + x,
                                   left > STRETCH ? STRETCH + (more != 0) : left};

    return some;
}

/* What threads do at a time with a bucket. */
struct stretches {
    const struct cw_sorter *s;
    const struct cw_bucket *bucket;
    int (*all)(const struct cw_sorter *s, const struct cw_bucket *p); /* in order, or reversed? */
    _Atomic int not_all;
};

static void look_at_stretch(void *user, size_t x, size_t end, unsigned thread)
{
    struct stretches *all = (struct stretches *)user;
    const struct cw_bucket some = stretch_of(all->bucket, x, 1);

    (void)end;
    (void)thread;
    if (!atomic_load(&all->not_all) && !all->all(all->s, &some))
        atomic_store(&all->not_all, 1);
}

static int all_of(const struct cw_sorter *s, const struct cw_bucket *p,
                  int (*all)(const struct cw_sorter *s, const struct cw_bucket *p))
{
    struct stretches look = {s, p, all, 0};
    const struct cw_bucket begin = {p->side, p->from, p->n < CW_SORT_BLOCK ? p->n : CW_SORT_BLOCK};

    if (!all(s, &begin)) /* as nearly always */
        return 0;
    cw_team_run(s->team, s->threads, p->n, STRETCH, look_at_stretch, &look);
    return !look.not_all;
}

static void finish_stretch(void *user, size_t x, size_t end, unsigned thread)
{
    const struct stretches *all = (const struct stretches *)user;
    const struct cw_bucket some = stretch_of(all->bucket, x, 0);

    (void)end;
    (void)thread;
    cw_bucket_finish(all->s, &some);
}

static void turn_stretch(void *user, size_t x, size_t end, unsigned thread)
{
    const struct stretches *all = (const struct stretches *)user;

    (void)thread;
    cw_bucket_turn(all->s, all->bucket, x, end);
}

int cw_bucket_finished(const struct cw_sorter *s, const struct cw_bucket *p, int turned)
{
    struct stretches all = {s, p, NULL, 0};

    if (all_of(s, p, cw_bucket_in_order)) {
        cw_team_run(s->team, s->threads, p->n, STRETCH, finish_stretch, &all);
        return 1;
    }
    if (!turned)
        return 0;
    if (all_of(s, p, cw_bucket_reversed)) {
        cw_team_run(s->team, s->threads, (p->n + 1) / 2, STRETCH, turn_stretch, &all);
        return 1;
    }
    if (s->placed && p->side == CW_SIDE_IN && all_of(s, p, cw_bucket_falls)) {
        cw_team_run(s->team, s->threads, (p->n + 1) / 2, STRETCH, turn_stretch, &all);
        cw_bucket_turn_runs(s, p);
        return 1;
    }
    return 0;
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
    const size_t a = ((const struct piece *)x)->bucket.n, b = ((const struct piece *)y)->bucket.n;

    return (a < b) - (a > b);
}

static void sort_bucket(void *user, size_t b, size_t end, unsigned thread)
{
    const struct cw_sorter *s = (const struct cw_sorter *)user;

    (void)end;
    sort_alone(s, &s->thread[thread], &s->lists->bucket[b], s->thread[thread].ends);
}

/* Deal a piece, sort its buckets, the largest first; those too large are put aside: how many? */
static size_t sort_together(struct cw_sorter *s, const struct piece *x, struct piece *aside)
{
    const size_t share = s->job->n / (4 * (size_t)s->threads);
    const size_t most = share > s->leaf ? share : s->leaf;
    const struct cw_sort_team all = {s->team, s->threads, s->thread};
    struct cw_cuts *cuts = s->thread[0].cuts;
    struct cw_sort_lists *l = s->lists;
    struct cw_bucket moved = x->bucket;
    struct stretches finish = {s, &moved, NULL, 0};
    size_t from = x->bucket.from, large = 0;
    struct outcome o;
    uint32_t asked, buckets = 0;

    if (cw_bucket_finished(s, &x->bucket, 1))
        return 0;
    asked = cw_sort_make_cuts(s, &all, &x->bucket, x->misled, cuts);
    moved.side = side_after(s, &x->bucket, cuts);
    cw_sort_pass(s, &all, &x->bucket, moved.side, cuts, l->end);
    if (cuts->single) {
        cw_team_run(s->team, s->threads, moved.n, STRETCH, finish_stretch, &finish);
        return 0;
    }
    o = outcome_of(s, x, asked, cuts, l->end);
    for (uint32_t b = 0; b < cuts->buckets; b++) {
        const struct piece one = bucket_of(x, &o, from, l->end[b]);

        if (one.bucket.n > most)
            aside[large++] = one;
        else if (one.bucket.n)
            l->bucket[buckets++] = one;
        from = l->end[b];
    }
    qsort(l->bucket, buckets, sizeof *l->bucket, larger_first);
    cw_team_run(s->team, s->threads, buckets, 1, sort_bucket, s);
    return large;
}

void cw_sort_bucket(struct cw_sorter *s, const struct cw_bucket *p)
{
    const struct piece all = {*p, 0};
    struct piece *large;
    size_t waiting = 1;

    if (s->threads == 1 || p->n <= s->leaf) {
        sort_alone(s, &s->thread[0], &all, s->thread[0].ends);
        return;
    }
    large = s->lists->large;
    large[0] = all;
    while (waiting) {
        const struct piece x = large[--waiting];

        waiting += sort_together(s, &x, large + waiting);
    }
}
