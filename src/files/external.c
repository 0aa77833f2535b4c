/* external.c - the plan of an external sort, and who takes which bucket in its second pass. */
#include "files/external.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/entropy.h"
#include "files/array_file.h"
#include "files/external_sample.h"
#include "files/external_state.h"
#include "base/arith.h"
#include "base/status.h"

#define MIB          (UINT64_C(1) << 20)
#define THREAD_LEAST (12 * MIB)
#define SORT_EXTRA   (5 * MIB)           /* what cw_cpu_sort and a worker take besides arrays */
#define PLEASANT     (UINT64_C(8) * MIB) /* a bucket that caches like */

/* ---- what the parts share -------------------------------------------------------------------- */

void cw_external_fail(struct cw_external_state *s, cw_status status)
{
    if (!status)
        return;
    pthread_mutex_lock(&s->lock);
    if (!s->failed) {
        s->status = status;
        strncpy(s->text, cw_last_error(), sizeof s->text - 1);
        atomic_store(&s->failed, 1);
    }
    pthread_mutex_unlock(&s->lock);
}

void cw_external_progress(struct cw_external_state *s, uint64_t items)
{
    uint64_t done;

    pthread_mutex_lock(&s->lock);
    done = atomic_fetch_add(&s->done, items) + items;
    if (s->x->progress)
        s->x->progress(s->x->user, s->begun + s->share * (double)done / (2.0 * (double)s->x->n));
    pthread_mutex_unlock(&s->lock);
}

cw_status cw_external_read(const struct cw_external_state *s, uint64_t first, uint64_t count,
                           void *keys, void *index)
{
    const struct cw_external *const x = s->x;
    cw_status status;

    if (s->parent)
        return cw_bucket_read(s->parent, s->bucket, first, count, (unsigned char *)keys,
                              s->index ? (unsigned char *)index : NULL);
    status = cw_read_at(x->fd, x->path, keys, count * s->key, x->at + first * s->key);
    if (!status && x->swapped)
        cw_swap_bytes(keys, count, s->key);
    if (!status && x->times && !(x->flags & CW_DESCENDING))
        cw_npy_shift(keys, count, 0);
    if (!s->index || !index || status)
        return status;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = first + i;
        const uint32_t small = (uint32_t)place;

        memcpy((unsigned char *)index + i * s->index,
               s->index == 4 ? (const void *)&small : (const void *)&place, s->index);
    }
    return CW_OK;
}

/* ---- buckets that are too large -------------------------------------------------------------- */

static cw_status sort_at(const struct cw_external *x, struct cw_external_state *s);

/* Another seed, which nobody foresees. */
static uint64_t next_seed(const struct cw_external_state *s)
{
    return s->x->foreseen ? cw_external_next_seed(s->seed) : cw_entropy();
}

/* Like the whole, from where its blocks lie. */
static cw_status sort_again(struct cw_external_state *s, uint32_t b, uint64_t items, uint64_t place)
{
    struct cw_external x = *s->x;
    struct cw_external_state inner = {.parent = s,
                                      .bucket = b,
                                      .seed = next_seed(s),
                                      .misled = s->misled + (items > s->x->n / 4),
                                      .team = s->team,
                                      .index = s->index};
    const double parts = 2.0 * (double)s->x->n;
    cw_status status;

    cw_bucket_range(s, b, &inner.low, &inner.high);
    x.n = items;
    x.out_at += place * (s->index ? 8 : s->key);
    inner.begun = s->begun + s->share * (double)atomic_load(&s->done) / parts;
    inner.share = s->share * (double)items / parts;
    status = sort_at(&x, &inner);
    atomic_fetch_add(&s->done, items);
    return status;
}

static cw_status do_large(struct cw_external_state *s, uint32_t b, uint64_t place, uint64_t whole)
{
    const uint64_t items = cw_bucket_items(s, b);
    struct cw_bench bench;
    cw_status status;

    if (items > whole)
        return sort_again(s, b, items, place);
    status = cw_bench_make(s, items, &bench);
    if (!status)
        status = cw_bucket_emit(s, &bench, b, place, s->team);
    cw_bench_free(&bench);
    return status;
}

/* ---- the second pass ------------------------------------------------------------------------- */

/* One worker: buckets of up to `most` items, as they come. */
struct second {
    struct cw_external_state *s;
    uint64_t *place;
    uint64_t most;
    _Atomic uint32_t next;
};

static void work(void *user, size_t worker, size_t end, unsigned thread)
{
    struct second *const w = (struct second *)user;
    struct cw_external_state *const s = w->s;
    struct cw_bench bench;
    cw_status status;

    (void)worker;
    (void)end;
    (void)thread;
    if (atomic_load(&w->next) >= s->buckets) /* others have done it all */
        return;
    status = cw_bench_make(s, w->most, &bench);
    while (!status && !atomic_load(&s->failed)) {
        const uint32_t b = atomic_fetch_add(&w->next, 1);

        if (b >= s->buckets)
            break;
        if (cw_bucket_items(s, b) <= w->most || cw_bucket_single(s, b))
            status = cw_bucket_emit(s, &bench, b, w->place[b], NULL);
    }
    cw_bench_free(&bench);
    cw_external_fail(s, status);
}

static cw_status second_pass(struct cw_external_state *s, uint64_t most, uint64_t whole)
{
    uint64_t *const place = (uint64_t *)malloc(((size_t)s->buckets + 1) * sizeof *place);
    struct second w = {s, place, cw_most(most, s->capacity), 0};
    cw_status status = CW_OK;

    if (!place)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u places", s->buckets);
    place[0] = 0;
    for (uint32_t b = 0; b < s->buckets; b++)
        place[b + 1] = place[b] + cw_bucket_items(s, b);
    cw_team_run(s->team, s->threads, s->threads, 1, work, &w);
    if (s->failed)
        status = cw_fail(s->status, "%s", s->text);
    for (uint32_t b = 0; !status && b < s->buckets; b++) {
        if (cw_bucket_items(s, b) > w.most && !cw_bucket_single(s, b))
            status = do_large(s, b, place[b], whole);
    }
    free(place);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Places and stable sorts show in which order equal floats are. */
static struct cw_key_map map_of(const struct cw_external *x)
{
    return cw_key_map_of(x->type, x->flags, x->places || x->flags & CW_STABLE);
}

static cw_status sort_at(const struct cw_external *x, struct cw_external_state *s)
{
    const uint64_t memory = cw_most(x->memory, CW_EXTERNAL_MEMORY);
    uint64_t most, whole, wanted, room;
    cw_status status;

    if (pthread_mutex_init(&s->lock, NULL))
        return cw_fail(CW_ERR_MEMORY, "out of memory for a lock");
    s->x = x;
    s->key = cw_type_bytes(x->type);
    s->item = s->key + s->index;
    s->map = map_of(x);
    s->threads = (unsigned)cw_least(cw_team_threads(s->team), cw_most(1, memory / THREAD_LEAST));
    most = (memory / s->threads - SORT_EXTRA) / (2 * s->item);
    whole = (memory - SORT_EXTRA) / (2 * s->item);
    wanted = cw_most(2 * x->n / most + 1, cw_least(x->n * s->item / PLEASANT, 256));
    room = memory / 2 / s->threads;
    wanted = cw_least(cw_least(wanted, CW_EXTERNAL_BUCKETS), room / 8192);
    if (x->bucket_items)
        most = whole = x->bucket_items;
    status = cw_splitters_choose(s, x->buckets ? x->buckets : (uint32_t)cw_most(wanted, 4));
    if (status)
        goto done;
    s->capacity = cw_most(cw_least(room / s->buckets, 512 * 1024) / s->item, 64);
    s->chains = (struct cw_chain *)calloc((size_t)s->threads * s->buckets, sizeof *s->chains);
    if (!s->chains) {
        status = cw_fail(CW_ERR_MEMORY, "out of memory for %u buckets", s->buckets);
        goto done;
    }
    status = cw_scratch_open(x->folder, &s->scratch);
    if (status)
        goto done;
    status = cw_external_pass(s);
    if (!status)
        status = second_pass(s, most, whole);
    (void)close(s->scratch);
done:
    for (size_t k = 0; s->chains && k < (size_t)s->threads * s->buckets; k++)
        free(s->chains[k].at);
    free(s->chains);
    free(s->splitters.words);
    pthread_mutex_destroy(&s->lock);
    return status;
}

cw_status cw_external_sort(const struct cw_external *x)
{
    struct cw_team team = {.wanted = x->threads};
    struct cw_external_state s = {.share = 1, .team = &team};
    cw_status status;

    if (!x->n)
        return CW_OK;
    s.index = !x->places ? 0 : x->n >> 32 ? 8 : 4;
    s.seed = x->seed ? x->seed : cw_entropy();
    s.high = map_of(x).mask;
    status = sort_at(x, &s);
    cw_team_end(&team);
    return status;
}
