/* direct.c - keys alone, sorted by vectors from the input to the output.
 *
 * A quicksort by vectors (vectors/quick.h) reads a key once a level and needs no buffers but the workspace.  Levels take
 * less than a pass by buckets does.  So this is the way for one thread, and for a few.
 *
 * All threads part stretches of the array until there are PIECES for each of them, or they fit into a cache; the first one is
 * parted by one thread.  Then each takes a stretch, the largest first, and sorts it.  Keys that are mapped become keys again
 * a piece at a time, while they are in cache.
 *
 * Time: n log n / lanes for all threads, and 2 n / lanes that one does alone.   Space: the workspace.
 */
#include "cpu/sort/direct.h"

#include <stdlib.h>

#include "base/threads.h"
#include "cpu/sort/bucket.h"
#include "cpu/sort/leaf/leaf.h"
#include "cpu/sort/sample.h"
#include "cpu/sort/vectors/vectors.h"

#define THREADS 8u                /* more go by buckets */
#define PIECES  8u                /* stretches a thread */
#define CACHED  32768u            /* words of a stretch that becomes keys again */
#define LOOK    512u              /* keys, at least, that may be nearly sorted */
#define COUNTED ((size_t)1 << 20) /* keys of 2 bytes that are rather counted */

static const struct cw_vectors *vectors_of(const struct cw_sorter *s)
{
    return s->bytes[0] == 2 ? s->vectors[2] : s->vectors[s->bytes[0] == 8];
}

int cw_sort_takes_vectors(const struct cw_sorter *s)
{
    const int two = s->bytes[0] == 2 && !s->bytes[1] && !s->bytes[2] && !s->map.tied &&
                    s->range == s->map.mask && s->job->n < COUNTED;

    return (two || !s->placed) && !s->compare && s->threads <= THREADS &&
           s->job->n <= CW_VECTORS_MOST && vectors_of(s) != NULL;
}

int cw_sort_looks_sorted(const struct cw_sorter *s)
{
    uint64_t room[CW_NEARLY_LOOK], words[CW_NEARLY_LOOK];
    const void *some;

    if (s->job->n < LOOK)
        return 0;
    some = cw_side_keys(s, CW_SIDE_IN, 0, CW_NEARLY_LOOK, room);
    return s->keys->falls(s->keys->words(s, some, CW_NEARLY_LOOK, words), CW_NEARLY_LOOK) <=
           CW_NEARLY_FALLS;
}

/* Words in place are keys again. */
static void finish(const struct cw_sorter *s, char *at, size_t n)
{
    for (size_t x = 0; x < n && !s->map.plain; x += CW_SORT_BLOCK) {
        const size_t left = n - x;

        s->keys->unmap(s, at + x * s->bytes[0],
                       left < CW_SORT_BLOCK ? (uint32_t)left : CW_SORT_BLOCK, at + x * s->bytes[0]);
    }
}

/* Part a stretch; what is in place between the sides is finished. */
static void part(const struct cw_sorter *s, struct cw_pivots *p, const struct cw_stretch *x,
                 struct cw_stretch *less, struct cw_stretch *more)
{
    const size_t bytes = s->bytes[0];

    vectors_of(s)->part(p, x, less, more);
    finish(s, (char *)x->out + less->n * bytes, x->n - less->n - more->n);
}

static void sort_stretch(const struct cw_sorter *s, struct cw_pivots *p,
                         const struct cw_stretch *whole)
{
    struct cw_stretch x = *whole, less, more;
    const uint32_t left = p->left;

    while (x.n > CACHED && p->left && !s->map.plain) {
        part(s, p, &x, &less, &more);
        x = less.n > more.n ? less : more;
        sort_stretch(s, p, less.n > more.n ? &more : &less);
    }
    vectors_of(s)->sort(p, &x);
    finish(s, (char *)x.out, x.n);
    p->left = left;
}

static struct cw_pivots pivots_of(const struct cw_sorter *s, const struct cw_stretch *x)
{
    const size_t from = (size_t)((const char *)x->out - s->side[CW_SIDE_OUT].keys);
    const struct cw_pivots p = {cw_sample_seed(s->seed, from, x->n), 0, s->pivots,
                                (uint32_t)s->foreseen};

    return p;
}

/* ---- threads -------------------------------------------------------------------------------- */

#define MOST (2u * PIECES * THREADS)

/* Stretches that are still too long, and their sides. */
struct pieces {
    const struct cw_sorter *s;
    struct cw_stretch of[2 * MOST];
    uint32_t count;
};

static void part_share(void *user, size_t k, size_t end, unsigned thread)
{
    struct pieces *all = (struct pieces *)user;
    const struct cw_stretch x = all->of[k];
    struct cw_pivots p = pivots_of(all->s, &x);

    (void)end;
    (void)thread;
    part(all->s, &p, &x, &all->of[k], &all->of[all->count + k]);
}

static void sort_share(void *user, size_t k, size_t end, unsigned thread)
{
    const struct pieces *all = (const struct pieces *)user;
    struct cw_pivots p = pivots_of(all->s, &all->of[k]);

    (void)end;
    (void)thread;
    sort_stretch(all->s, &p, &all->of[k]);
}

static int longer_first(const void *x, const void *y)
{
    const uint32_t a = ((const struct cw_stretch *)x)->n, b = ((const struct cw_stretch *)y)->n;

    return (a < b) - (a > b);
}

static void sort_together(const struct cw_sorter *s, const struct cw_stretch *whole)
{
    const uint32_t share = whole->n / (PIECES * s->threads);
    const uint32_t enough = share > CACHED ? share : CACHED;
    struct pieces all = {s, {*whole}, 1};
    uint32_t longer = 1;

    while (longer && all.count + longer <= MOST) {
        cw_team_run(s->team, s->threads, longer, 1, part_share, &all);
        all.count += longer; /* the other sides are behind all that there were */
        qsort(all.of, all.count, sizeof *all.of, longer_first);
        for (longer = 0; longer < all.count && all.of[longer].n > enough;)
            longer++;
    }
    cw_team_run(s->team, s->threads, all.count, 1, sort_share, &all);
}

/* ---- the call ------------------------------------------------------------------------------- */

void cw_sort_keys_by_vectors(const struct cw_sorter *s, enum cw_side side)
{
    char *const work = s->side[CW_SIDE_WORK].keys;
    const char *from = s->side[side].keys;
    const size_t n = s->job->n, bytes = s->bytes[0];
    struct cw_stretch whole = {from, s->side[CW_SIDE_OUT].keys, work, (uint32_t)n};
    struct cw_pivots p;

    for (size_t x = 0; x < n && side == CW_SIDE_IN && !s->map.plain; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? (uint32_t)(n - x) : CW_SORT_BLOCK;

        s->keys->map(s, from + x * bytes, some, work + x * bytes);
        whole.from = work;
    }
    p = pivots_of(s, &whole);
    if (s->threads > 1)
        sort_together(s, &whole);
    else
        sort_stretch(s, &p, &whole);
}
