/* parts.c - parts into buckets, buckets into leaves, by all threads.
 *
 * All threads deal a large part into buckets.  Then each thread takes a bucket, the largest first,
 * and sorts it alone; buckets so large that the others would wait are dealt by all again.
 *
 * Every pass parts at least two keys of the sample (or the keys equal to one from all others), so
 * this ends; on a sample like the part, a bucket holds a small share of it or equal keys.
 */
#include "cpu/sort/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/sort/cuts.h"
#include "cpu/sort/leaf.h"
#include "cpu/sort/part.h"
#include "cpu/sort/pass.h"
#include "base/threads.h"

/* ---- cuts ----------------------------------------------------------------------------------- */

/* Steele, Lea and Flood's splitmix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t word_at(const struct cw_sorter *s, const struct cw_part *p, size_t x)
{
    uint64_t key, room;
    const void *mapped = cw_side_keys(s, p->side, p->from + x, 1, &key);

    return s->keys->difference(s->keys->words(s, mapped, 1, &room), 1, 0);
}

/* One key of each of n stretches of the part; where in it, hangs on some keys, too, so that no
 * input is bad for all samples. */
static void take_sample(const struct cw_sorter *s, const struct cw_part *p, uint32_t n,
                        uint64_t *to)
{
    const size_t step = p->n / n;
    uint64_t random = p->n;

    for (uint32_t x = 0; x < 8; x++)
        random = next_random(&random) ^ word_at(s, p, p->n / 8 * x);
    for (uint32_t x = 0; x < n; x++)
        to[x] = word_at(s, p, x * step + (size_t)(next_random(&random) % step));
}

/* Cuts of a part into buckets about a half of a leaf, at most. */
static void make_cuts(const struct cw_sorter *s, struct cw_sort_thread *t, const struct cw_part *p,
                      struct cw_cuts *cuts)
{
    const uint32_t n = cw_sort_sample(p->n);
    uint64_t *sample = (uint64_t *)t->worker.loaded, *room = (uint64_t *)t->worker.sorted;
    uint64_t *sorted = (uint64_t *)t->ended;
    uint32_t buckets = 8;

    while (buckets < CW_SORT_BUCKETS && p->n / buckets > s->leaf / 2)
        buckets *= 2;
    take_sample(s, p, n, sample);
    cw_sort_words8(s, t, sample, room, sorted, n);
    cw_cuts_make(s, sorted, n, buckets, cuts);
}

/* ---- one thread ----------------------------------------------------------------------------- */

static enum cw_side other(enum cw_side side)
{
    return side == CW_SIDE_WORK ? CW_SIDE_OUT : CW_SIDE_WORK;
}

static void sort_alone(const struct cw_sorter *s, struct cw_sort_thread *t, const struct cw_part *p)
{
    size_t end[CW_SORT_BUCKETS];
    struct cw_part bucket = {other(p->side), p->from, 0};
    uint32_t buckets;

    if (cw_part_in_order(s, p)) {
        cw_part_finish(s, p);
        return;
    }
    if (p->n <= s->leaf) {
        cw_sort_leaf(s, t, p);
        return;
    }
    make_cuts(s, t, p, t->cuts);
    cw_sort_pass(s, t, 1, p, bucket.side, t->cuts, end);
    buckets = t->cuts->buckets;
    for (uint32_t b = 0; b < buckets; b++) {
        bucket.n = end[b] - bucket.from;
        sort_alone(s, t, &bucket);
        bucket.from = end[b];
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

static int in_order(const struct cw_sorter *s, const struct cw_part *p)
{
    int order = 1;
    const struct cw_part begin = {p->side, p->from, p->n < CW_SORT_BLOCK ? p->n : CW_SORT_BLOCK};

    if (!cw_part_in_order(s, &begin)) /* as nearly always */
        return 0;
    CW_OMP(omp parallel for num_threads((int)s->threads) reduction(& : order))
    for (size_t x = 0; x < p->n; x += STRETCH) {
        const struct cw_part some = stretch_of(p, x, 1);

        order &= cw_part_in_order(s, &some);
    }
    return order;
}

static void finish(const struct cw_sorter *s, const struct cw_part *p)
{
    CW_OMP(omp parallel for num_threads((int)s->threads))
    for (size_t x = 0; x < p->n; x += STRETCH) {
        const struct cw_part some = stretch_of(p, x, 0);

        cw_part_finish(s, &some);
    }
}

static int larger_first(const void *x, const void *y)
{
    const size_t a = ((const struct cw_part *)x)->n, b = ((const struct cw_part *)y)->n;

    return (a < b) - (a > b);
}

static void sort_together(const struct cw_sorter *s, const struct cw_part *p);

/* Buckets, the largest first.  Some are so large that threads would wait for the one that sorts it
 * alone. */
static void sort_buckets(const struct cw_sorter *s, const struct cw_part *bucket, uint32_t buckets)
{
    const size_t share = s->job->n / (4 * (size_t)s->threads);
    const size_t most = share > s->leaf ? share : s->leaf;
    uint32_t large = 0;

    while (large < buckets && bucket[large].n > most)
        sort_together(s, &bucket[large++]);
    CW_OMP(omp parallel for schedule(dynamic, 1) num_threads((int)s->threads))
    for (uint32_t b = large; b < buckets; b++)
        sort_alone(s, &s->thread[cw_thread()], &bucket[b]);
}

static void sort_together(const struct cw_sorter *s, const struct cw_part *p)
{
    struct cw_cuts *cuts = s->thread[0].cuts;
    struct cw_part bucket[CW_SORT_BUCKETS];
    size_t end[CW_SORT_BUCKETS], from = p->from;
    uint32_t buckets = 0;

    if (in_order(s, p)) {
        finish(s, p);
        return;
    }
    make_cuts(s, &s->thread[0], p, cuts);
    cw_sort_pass(s, s->thread, s->threads, p, other(p->side), cuts, end);
    for (uint32_t b = 0; b < cuts->buckets; b++) {
        const struct cw_part one = {other(p->side), from, end[b] - from};

        if (one.n)
            bucket[buckets++] = one;
        from = end[b];
    }
    qsort(bucket, buckets, sizeof *bucket, larger_first);
    sort_buckets(s, bucket, buckets);
}

void cw_sort_part(const struct cw_sorter *s, const struct cw_part *p)
{
    if (s->threads > 1 && p->n > s->leaf)
        sort_together(s, p);
    else
        sort_alone(s, &s->thread[0], p);
}
