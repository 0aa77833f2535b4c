/* sample.c - the sample that a bucket is cut by, and the cuts. */
#include "cpu/sort/sample.h"

#include "cpu/entropy.h"
#include "cpu/sort/leaf/leaf.h"
#include "cpu/sort/bucket.h"
#include "base/threads.h"

#define MOST_OF_CHUNK 1024u /* keys that a chunk gives */
#define HARD_BUCKETS  64u   /* 31 splitters, at least, where chance is not trusted */

/* How many buckets of n keys are asked for, `least` or more. */
static uint32_t asked_for(const struct cw_sorter *s, size_t n, uint32_t least)
{
    uint32_t buckets = least;

    while (buckets < CW_SORT_BUCKETS && n / buckets > s->leaf / 2)
        buckets *= 2;
    return buckets;
}

uint32_t cw_sort_most_buckets(const struct cw_sorter *s, size_t n)
{
    return cw_cuts_single(s) ? (uint32_t)s->range + 1 : asked_for(s, n, HARD_BUCKETS);
}

uint32_t cw_sort_ends(const struct cw_sorter *s, size_t n)
{
    uint32_t all = 4 * cw_sort_most_buckets(s, n); /* two that misled, the last, and rounding */

    if (cw_cuts_single(s))
        return cw_sort_most_buckets(s, n);
    for (; n > s->leaf; n -= n / 4)
        all += cw_sort_most_buckets(s, n);
    return all;
}

static uint64_t word_at(const struct cw_sorter *s, const struct cw_bucket *p, size_t x)
{
    uint64_t key, room;
    const void *mapped = cw_side_keys(s, p->side, p->from + x, 1, &key);

    return s->keys->difference(s->keys->words(s, mapped, 1, &room), 1, 0);
}

/* ---- by chance ------------------------------------------------------------------------------ */

static void take_drawn(const struct cw_sorter *s, const struct cw_bucket *p, uint32_t misled,
                       uint32_t n, uint64_t *to)
{
    const uint64_t seed = misled && !s->foreseen ? cw_entropy() : s->seed + misled;
    uint64_t random = cw_sample_seed(seed, p->from, p->n);

    for (uint32_t x = 0; x < n; x++)
        to[x] = word_at(s, p, cw_sample_place(&random, p->n, n, x));
}

/* ---- without chance ------------------------------------------------------------------------- */

struct chunks {
    const struct cw_sorter *s;
    const struct cw_sort_team *by;
    const struct cw_bucket *bucket;
    size_t count;
    uint32_t each; /* keys that a chunk gives */
    uint64_t *sample;
};

/* Words of keys from .. from + n - 1, as 64-bit numbers. */
static void load_words(const struct cw_sorter *s, enum cw_side side, size_t from, size_t n,
                       uint64_t *to)
{
    uint64_t keys[CW_SORT_BLOCK], room[CW_SORT_BLOCK];

    for (size_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? (uint32_t)(n - x) : CW_SORT_BLOCK;
        const void *mapped = cw_side_keys(s, side, from + x, some, keys);
        const void *words = s->keys->words(s, mapped, some, room);

        for (uint32_t k = 0; k < some; k++)
            to[x + k] =
                s->bytes[0] == 8 ? ((const uint64_t *)words)[k] : ((const uint32_t *)words)[k];
    }
}

static void sample_chunk(void *user, size_t c, size_t end, unsigned thread)
{
    const struct chunks *all = (const struct chunks *)user;
    struct cw_sort_thread *t = &all->by->buffers[thread];
    const size_t n = all->bucket->n, rest = n % all->count;
    const size_t from = n / all->count * c + (c < rest ? c : rest);
    const size_t keys = n / all->count + (c < rest);
    uint64_t *const loaded = (uint64_t *)t->worker.loaded, *const sorted = (uint64_t *)t->ended;

    (void)end;
    load_words(all->s, all->bucket->side, all->bucket->from + from, keys, loaded);
    cw_sort_words8(all->s, t, loaded, t->worker.sorted, sorted, (uint32_t)keys);
    for (uint32_t k = 0; k < all->each; k++)
        all->sample[c * all->each + k] = sorted[keys * k / all->each];
}

static uint32_t take_regular(const struct cw_sorter *s, const struct cw_sort_team *by,
                             const struct cw_bucket *p)
{
    struct chunks all = {s, by, p, (p->n + s->room - 1) / s->room, 0, by->buffers->sample};
    const size_t each = s->room / 2 / all.count;
    uint64_t *const loaded = (uint64_t *)by->buffers->worker.loaded;
    uint32_t n;

    all.each = each < MOST_OF_CHUNK ? (uint32_t)each : MOST_OF_CHUNK;
    cw_team_run(by->team, by->threads, all.count, 1, sample_chunk, &all);
    n = (uint32_t)all.count * all.each;
    for (uint32_t x = 0; x < n; x++)
        loaded[x] = all.sample[x];
    return n;
}

/* ---- the cuts ------------------------------------------------------------------------------- */

uint32_t cw_sort_make_cuts(const struct cw_sorter *s, const struct cw_sort_team *by,
                           const struct cw_bucket *p, uint32_t misled, struct cw_cuts *out)
{
    struct cw_sort_thread *t = by->buffers;
    uint64_t *sample = (uint64_t *)t->worker.loaded, *sorted = (uint64_t *)t->ended;
    const uint32_t buckets = asked_for(s, p->n, misled < 2 ? 8 : HARD_BUCKETS);
    uint32_t n = cw_sort_sample(s->job->n, p->n);

    if (misled < 2)
        take_drawn(s, p, misled, n, sample);
    else
        n = take_regular(s, by, p);
    cw_sort_words8(s, t, sample, t->worker.sorted, sorted, n);
    cw_cuts_make(s, sorted, n, p->n, buckets, misled == 2, out);
    return buckets;
}
