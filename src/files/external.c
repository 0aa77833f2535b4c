/* external.c - the plan of an external sort, and who takes which bucket in its second pass. */
#include "files/external.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"
#include "files/array_file.h"
#include "files/external_state.h"
#include "base/status.h"

#define MIB          (UINT64_C(1) << 20)
#define THREAD_LEAST (12 * MIB)
#define SORT_EXTRA   (5 * MIB)           /* what cw_cpu_sort and a worker take besides arrays */
#define PLEASANT     (UINT64_C(8) * MIB) /* a bucket that caches like */
#define DEPTH_MOST   16

/* ---- what the parts share ---------------------------------------------------------------------- */

void cw_external_fail(struct cw_external_state *s, cw_status status)
{
    if (!status)
        return;
    CW_OMP(omp critical(cw_external_failed))
    if (!s->failed) {
        s->status = status;
        strncpy(s->text, cw_last_error(), sizeof s->text - 1);
        atomic_store(&s->failed, 1);
    }
}

void cw_external_progress(struct cw_external_state *s, uint64_t items)
{
    const uint64_t done = atomic_fetch_add(&s->done, items) + items;

    if (!s->x->progress)
        return;
    CW_OMP(omp critical(cw_external_tells))
    s->x->progress(s->x->user, s->begun + s->share * (double)done / (2.0 * (double)s->x->n));
}

cw_status cw_external_read(const struct cw_external_state *s, uint64_t first, uint64_t count,
                           void *keys, void *index)
{
    const struct cw_external *const x = s->x;
    cw_status status = cw_read_at(x->fd, x->path, keys, count * s->key, x->at + first * s->key);

    if (!status && x->swapped && s->index_fd < 0)
        cw_swap_bytes(keys, count, s->key);
    if (!s->index || !index || status)
        return status;
    if (s->index_fd >= 0)
        return cw_read_at(s->index_fd, x->path, index, count * s->index,
                          s->index_at + first * s->index);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = first + i;
        const uint32_t small = (uint32_t)place;

        memcpy((unsigned char *)index + i * s->index,
               s->index == 4 ? (const void *)&small : (const void *)&place, s->index);
    }
    return CW_OK;
}

/* ---- buckets that are too large ----------------------------------------------------------------- */

static cw_status sort_at(const struct cw_external *x, struct cw_external_state *s);

struct copying {
    int fd;
    uint64_t index_at;
};

static cw_status copy_block(struct cw_external_state *s, struct cw_bench *bench, uint64_t first,
                            uint64_t count, void *user)
{
    const struct copying *const c = (const struct copying *)user;
    cw_status status =
        cw_write_at(c->fd, s->x->folder, bench->keys, count * s->key, first * s->key);

    if (!status && s->index)
        status = cw_write_at(c->fd, s->x->folder, bench->index, count * s->index,
                             c->index_at + first * s->index);
    return status;
}

/* As an array in a scratch file of its own, sorted like the whole. */
static cw_status sort_again(struct cw_external_state *s, uint32_t b, uint64_t items, uint64_t place)
{
    struct cw_external x = *s->x;
    struct cw_external_state inner = {.depth = s->depth + 1, .index = s->index};
    struct copying c = {-1, items * s->key};
    struct cw_bench bench;
    cw_status status;

    if (s->depth == DEPTH_MOST)
        return cw_fail(CW_ERR_INTERNAL, "a bucket of %llu keys cannot be split",
                       (unsigned long long)items);
    status = cw_scratch_open(x.folder, &c.fd);
    if (status)
        return status;
    status = cw_bench_make(s, s->capacity, &bench);
    if (!status)
        status = cw_bucket_walk(s, b, &bench, 0, copy_block, &c);
    cw_bench_free(&bench);
    x.n = items;
    x.fd = c.fd;
    x.path = x.folder;
    x.at = 0;
    x.out_at += place * (s->index ? 8 : s->key);
    inner.index_fd = c.fd;
    inner.index_at = c.index_at;
    inner.begun = s->begun + s->share * (double)atomic_load(&s->done) / (2.0 * (double)s->x->n);
    inner.share = s->share * (double)items / (2.0 * (double)s->x->n);
    if (!status)
        status = sort_at(&x, &inner);
    atomic_fetch_add(&s->done, items);
    (void)close(c.fd);
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
        status = cw_bucket_emit(s, &bench, b, place, s->threads);
    cw_bench_free(&bench);
    return status;
}

/* ---- the second pass ---------------------------------------------------------------------------- */

/* One worker: buckets of up to `most` items, as they come. */
static void work(struct cw_external_state *s, const uint64_t *place, uint64_t most,
                 _Atomic uint32_t *next)
{
    struct cw_bench bench;
    cw_status status = cw_bench_make(s, most, &bench);

    while (!status && !atomic_load(&s->failed)) {
        const uint32_t b = atomic_fetch_add(next, 1);

        if (b >= s->buckets)
            break;
        if (cw_bucket_items(s, b) <= most || cw_splitters_single(&s->splitters, b))
            status = cw_bucket_emit(s, &bench, b, place[b], 1);
    }
    cw_bench_free(&bench);
    cw_external_fail(s, status);
}

static cw_status second_pass(struct cw_external_state *s, uint64_t most, uint64_t whole)
{
    uint64_t *const place = (uint64_t *)malloc(((size_t)s->buckets + 1) * sizeof *place);
    const unsigned threads = s->threads;
    _Atomic uint32_t next = 0;
    cw_status status = CW_OK;

    if (!place)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u places", s->buckets);
    place[0] = 0;
    for (uint32_t b = 0; b < s->buckets; b++)
        place[b + 1] = place[b] + cw_bucket_items(s, b);
    if (most < s->capacity)
        most = s->capacity;
    CW_OMP(omp parallel for num_threads(threads) schedule(static, 1))
    for (unsigned t = 0; t < threads; t++)
        work(s, place, most, &next);
    if (s->failed)
        status = cw_fail(s->status, "%s", s->text);
    for (uint32_t b = 0; !status && b < s->buckets; b++) {
        if (cw_bucket_items(s, b) > most && !cw_splitters_single(&s->splitters, b))
            status = do_large(s, b, place[b], whole);
    }
    free(place);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static cw_status sort_at(const struct cw_external *x, struct cw_external_state *s)
{
    const uint64_t memory = most_of(x->memory, CW_EXTERNAL_MEMORY);
    uint64_t most, whole, wanted, room;
    cw_status status;

    s->x = x;
    s->key = cw_type_bytes(x->type);
    s->item = s->key + s->index;
    s->map = cw_key_map_of(x->type, x->descending);
    s->threads = cw_threads(x->threads);
    s->threads = (unsigned)least_of(s->threads, most_of(1, memory / THREAD_LEAST));
    most = (memory / s->threads - SORT_EXTRA) / (2 * s->item);
    whole = (memory - SORT_EXTRA) / (2 * s->item);
    wanted = most_of(2 * x->n / most + 1, least_of(x->n * s->item / PLEASANT, 256));
    room = memory / 2 / s->threads;
    wanted = least_of(least_of(wanted, CW_EXTERNAL_BUCKETS), room / 8192);
    if (x->bucket_items)
        most = whole = x->bucket_items;
    status = cw_splitters_choose(s, x->buckets ? x->buckets : (uint32_t)most_of(wanted, 4));
    if (status)
        goto done;
    s->capacity = most_of(least_of(room / s->buckets, 512 * 1024) / s->item, 64);
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
    return status;
}

cw_status cw_external_sort(const struct cw_external *x)
{
    struct cw_external_state s = {.index_fd = -1, .share = 1};

    s.index = !x->places ? 0 : x->n >> 32 ? 8 : 4;
    return x->n ? sort_at(x, &s) : CW_OK;
}
