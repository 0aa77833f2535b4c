/* request.c - what is compared and moved when an array is sorted by comparing.
 *
 *      keys alone, all of their bits                      keys
 *      keys, all bits, values of 4 bytes in any order     keys, each with its value
 *      all else                                           keys, or those of their bits that count,
 *                                                         each with its index; then values, and
 *                                                         keys of which not all bits count, are
 *                                                         gathered
 *
 * An item and its index are sorted as one word, so equal keys keep their order.  Floats may be
 * equal and differ (-0 and +0, NaNs).  Their order is kept by sorting ranks (prim/key_map.h).
 * Where several keys share a rank, the key is fetched by its index.  So keys that are sorted in
 * place are gathered like those of which not all bits count.
 *
 * Workspace, besides what the sort needs (sample_sort/plan.c):
 *
 *      n words     if there is no keys_out, not all bits count, or words are ranks
 *      n indices   of 4 bytes, unless index_out has them
 *
 * Keys and values that are gathered into the array that they come from go through a room of their
 * own size, where the sort's was.
 */
#include "sort/sample_sort/request.h"

#include <string.h>

#include "sort/index/job.h"
#include "sort/sample_sort/plan.h"
#include "base/arena.h"

struct sort {
    const cw_array *job;
    struct sample_sort_table tables[SAMPLE_ENGINES];
    enum sample_sort_engine engine;
    uint32_t key_bytes;
    int by_place; /* the rest of an item is its place */
    int some;     /* not all bits of a key count */
    int tied;     /* its word is a rank */
    int gathers;  /* keys are gathered by place */
    void *words;
    uint32_t *places;
    void *rest;
};

static int all_bits(const cw_array *job)
{
    return job->bits == 8u * cw_type_bytes(job->type);
}

static void begin(struct sort *s, const cw_array *job, enum cw_shapes shapes)
{
    typedef void (*fill)(struct sample_sort_table *);
#define TINY(type)  cw_sample_sort_##type##_table_tiny,
#define LARGE(type) cw_sample_sort_##type##_table_large,
    static const fill tiny[] = {CW_SAMPLE_SORT_ENGINES(TINY)},
                      large[] = {CW_SAMPLE_SORT_ENGINES(LARGE)};
    const fill *const f = shapes == CW_SHAPES_TINY ? tiny : large;
    const int pairs = job->value_bytes == 4 && !(job->flags & CW_STABLE);

    memset(s, 0, sizeof *s);
    s->job = job;
    s->key_bytes = (uint32_t)cw_type_bytes(job->type);
    s->some = !all_bits(job);
    s->tied = (int)cw_key_map_of_array(job).tied;
    s->gathers = s->some || (s->tied && job->keys_in == job->keys_out);
    s->by_place = s->some || s->tied || job->index_bytes || (job->value_bytes && !pairs);
    s->engine = s->key_bytes == 8 ? SAMPLE_U64 : SAMPLE_U32;
    if (s->by_place || pairs)
        s->engine = s->key_bytes == 8 ? SAMPLE_P64 : SAMPLE_P32;
    for (int e = 0; e < SAMPLE_ENGINES; e++)
        f[e](&s->tables[e]);
    if (shapes == CW_SHAPES_SMALL) /* the others fit as they are */
        cw_sample_sort_p64_table_small(&s->tables[SAMPLE_P64]);
}

uint64_t cw_sample_sort_most(const cw_array *job, enum cw_shapes shapes)
{
    struct sort s;

    begin(&s, job, shapes);
    return s.tables[s.engine].most;
}

const char *cw_sample_sort_refuses(const cw_array *job, enum cw_shapes shapes)
{
    const uint64_t most = cw_sample_sort_most(job, shapes);

    if ((uint64_t)job->n <= most)
        return NULL;
    if (shapes == CW_SHAPES_TINY)
        return "more than the emulator sorts, with CW_CONFLICT_FREE";
    return most < (uint64_t)1 << 31 ? "more than 2^30, with CW_CONFLICT_FREE on such a GPU"
                                    : "more than 2^31, with CW_CONFLICT_FREE";
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Lay out the workspace from `base` on.  NULL: only to learn its size, which is returned.  It is
 * the same for jobs in place and others. */
static uint64_t layout(struct sort *s, uint8_t *base)
{
    const cw_array *const job = s->job;
    const uint64_t n = job->n, keys = n * s->key_bytes, values = n * job->value_bytes;
    uint64_t at = 0, start, all;

    s->words = job->keys_out;
    if (!job->keys_out || s->some || s->tied) {
        void *const room = take(base, &at, keys);

        s->words = job->keys_out && !s->gathers ? job->keys_out : room;
    }
    s->places = (uint32_t *)job->values_out;
    if (s->by_place && job->index_bytes == 4)
        s->places = (uint32_t *)job->index_out;
    else if (s->by_place)
        s->places = (uint32_t *)take(base, &at, 4u * n);
    start = at;
    s->rest = base ? base + at : NULL;
    all = start + cw_sample_sort_bytes(s->tables, s->engine, n, s->key_bytes);
    if (s->by_place && all < start + values)
        all = start + values;
    return (s->some || s->tied) && all < start + keys ? start + keys : all;
}

size_t cw_sample_sort_workspace(const cw_array *job, enum cw_shapes shapes)
{
    struct sort s;

    begin(&s, job, shapes);
    return (size_t)layout(&s, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* Gather values, or if bytes is 0 write the indices themselves, as 8 bytes. */
static cw_status gather(struct sort *s, struct cw_queue *q, const void *in, void *out, size_t bytes)
{
    const uint64_t n = s->job->n, blocks = n / (4u * INDEX_THREADS) + 1u,
                   most = 16u * (uint64_t)q->processors;
    uint64_t at = 0;
    void *const room = in == out ? take((uint8_t *)s->rest, &at, n * bytes) : out;
    const struct index_job arg = {
        .n = n, .in = in, .out = room, .places = s->places, .bytes = (uint32_t)bytes};
    const struct cw_launch l = {CW_KERNEL_cw_sort_index_gather,
                                (uint32_t)(blocks < most ? blocks : most), INDEX_THREADS, 0, &arg};
    const cw_status status = q->launch(q, &l);

    return status || in != out ? status : q->copy(q, out, room, (size_t)n * bytes);
}

static cw_status gather_all(struct sort *s, struct cw_queue *q)
{
    const cw_array *const job = s->job;
    cw_status status = CW_OK;

    if (s->gathers && job->keys_out)
        status = gather(s, q, job->keys_in, job->keys_out, s->key_bytes);
    if (!status && job->index_bytes == 8)
        status = gather(s, q, NULL, job->index_out, 0);
    if (!status && job->value_bytes)
        status = gather(s, q, job->values_in, job->values_out, job->value_bytes);
    return status;
}

cw_status cw_sample_sort_enqueue_job(struct cw_queue *q, const cw_array *job, enum cw_shapes shapes,
                                     void *workspace)
{
    struct sample_sort_task task;
    struct sort s;
    cw_status status;

    if (!job->n)
        return CW_OK;
    begin(&s, job, shapes);
    (void)layout(&s, (uint8_t *)workspace);
    memset(&task, 0, sizeof task);
    task.tables = s.tables;
    task.engine = s.engine;
    task.n = job->n;
    task.in = job->keys_in;
    task.in_rest = s.by_place ? NULL : (const uint32_t *)job->values_in;
    task.out = s.gathers ? NULL : job->keys_out;
    task.out_rest = task.mid_rest = s.places;
    task.mid = s.words;
    task.map = cw_key_map_of_array(job);
    task.key_bytes = s.key_bytes;
    task.shift = job->first_bit;
    task.mask = job->bits >= 64u ? ~(uint64_t)0 : ((uint64_t)1 << job->bits) - 1u;
    status = cw_sample_sort_enqueue(q, &task, s.rest);
    return status || !s.by_place ? status : gather_all(&s, q);
}
