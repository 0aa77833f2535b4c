/* sort.c - which method sorts an array, and in which part of the workspace (docs/sort.md has the
 * lengths).
 *
 *      one block              a few thousand keys by a network (radix/), or items by digits
 *                             (hybrid/local.h)
 *      one launch             short and middle arrays (small/)
 *      counted                long arrays of keys of 1 or 2 bytes (counting/)
 *      most significant       long arrays of keys of 4 or 8 bytes, and of pairs of 4 + 4 (radix/),
 *                             which leaves
 *        digit first          what does not suit it to
 *      hybrid                 keys of 8 bytes with a payload, from 2^19 or 2^22 items on (hybrid/),
 *                             which leaves what does not suit it to
 *      least significant      all else (lsd/), the values or the index being the payload
 *        digit first
 *
 * Where both values and an index are wanted the index is the payload, and values are gathered by
 * it.  An index says of equal keys which was first, so it makes a sort stable.
 *
 * Where only the device knows how many items there are (count) the array goes by least significant
 * digits, whose launches do not depend on the number: methods and launches are for n, the most.
 */
#include "sort/sort.h"

#include <string.h>

#include "base/arena.h"
#include "base/arith.h"
#include "sort/hybrid/one_block.h"
#include "sort/hybrid/plan.h"
#include "sort/index/job.h"
#include "sort/lsd/plan.h"
#include "sort/radix/plan.h"
#include "sort/small/plan.h"

enum way { WAY_RADIX_KEYS, WAY_SMALL_KEYS, WAY_RADIX_PAIRS, WAY_LSD };

struct sort {
    const cw_array *job;
    struct cw_queue *q;
    enum cw_shapes shapes;
    enum way way;
    struct cw_key_map map;
    uint32_t key_bytes;
    struct radix_table table;
    struct lsd_task lsd;
    int hybrid; /* .. may be tried first */

    uint64_t *counts, *starts;
    uint32_t *gate;
    void *rest; /* for the method, or both */
    void *all;  /* the workspace: free when the keys are sorted */
};

/* ---- what is to be done --------------------------------------------------------------------- */

/* Fill the table of an engine.  Small shapes have no such sort; the large table says how much
 * workspace it may take. */
static void table_of(struct radix_table *t, int engine, enum cw_shapes shapes)
{
    typedef void (*fill)(struct radix_table *);
#define TINY(type)  {cw_sort_radix_##type##_passes_tiny, cw_sort_radix_##type##_rows_tiny},
#define LARGE(type) {cw_sort_radix_##type##_passes_large, cw_sort_radix_##type##_rows_large},
    static const fill tiny[][2] = {CW_RADIX_ENGINES(TINY)}, large[][2] = {CW_RADIX_ENGINES(LARGE)};
    const int is_tiny = shapes == CW_SHAPES_TINY;
    const fill *const f = (is_tiny ? tiny : large)[engine];

    memset(t, 0, sizeof *t);
    f[0](t);
    f[1](t);
    if (t->ticket_threads)
        (is_tiny ? cw_sort_radix_p32_stable_kernels_tiny
                 : cw_sort_radix_p32_stable_kernels_large)(t);
}

static int all_bits(const cw_array *job)
{
    return job->bits == 8u * cw_type_bytes(job->type);
}

/* From how many keys on counting wins, for keys of 1 and of 2 bytes. */
static uint64_t counted_least(const cw_array *job, enum cw_shapes shapes)
{
    return shapes == CW_SHAPES_TINY ? 0u : cw_type_bytes(job->type) == 1 ? 1u << 21 : 1u << 25;
}

/* Does the MSD sort take the array?  Up to alone_most keys one block sorts them by a network.  From
 * `least` items on linear digits, most significant first, win by a third and more where they suit
 * the keys (H200, bench_grid). */
static int is_radix(const struct sort *s)
{
    return s->job->n <= s->table.alone_most || s->job->n >= s->table.least;
}

static enum way way_of(const struct sort *s)
{
    const cw_array *const job = s->job;
    const uint32_t bytes = s->key_bytes;

    if (s->shapes == CW_SHAPES_SMALL || !all_bits(job) || job->index_bytes || job->count_bytes)
        return WAY_LSD;
    if (s->map.tied && !job->value_bytes)
        return WAY_LSD; /* the others make keys of words, which equal floats would not get back */
    if (bytes <= 2 && !job->value_bytes)
        return job->n >= counted_least(job, s->shapes) ? WAY_SMALL_KEYS : WAY_LSD;
    if (bytes >= 4 && !job->value_bytes && is_radix(s))
        return WAY_RADIX_KEYS;
    if (bytes == 4 && job->value_bytes == 4 && is_radix(s))
        return WAY_RADIX_PAIRS;
    return WAY_LSD;
}

/* May the MSD sort leave the array to the LSD sort?  A sample decides, or its second pass
 * (radix/leave.h). */
static int is_gated(const struct sort *s)
{
    return s->job->n >= s->table.gated && s->job->n < s->table.open &&
           cw_radix_samples(&s->table, s->job->n);
}

int cw_sort_engine(const cw_array *job)
{
    return job->value_bytes ? 2 : cw_type_bytes(job->type) == 8;
}

uint64_t cw_sort_most(void)
{
    return RADIX_MOST;
}

const char *cw_sort_refuses(const cw_array *job)
{
    return (uint64_t)job->n > RADIX_MOST ? "more than 2^40 keys" : NULL;
}

static void lsd_begin(struct sort *s)
{
    const cw_array *const job = s->job;
    struct lsd_task *const t = &s->lsd;

    t->n = job->n;
    t->key_bytes = s->key_bytes;
    t->map = s->map;
    t->first_bit = job->first_bit;
    t->bits = job->bits;
    t->keys_in = job->keys_in;
    t->keys_out = job->keys_out;
    t->payload_bytes = (uint32_t)(job->index_bytes ? job->index_bytes : job->value_bytes);
    t->payload_in = job->index_bytes ? NULL : job->values_in;
    t->payload_out = job->index_bytes ? job->index_out : job->values_out;
    t->indexed = job->index_bytes != 0;
    t->count = job->count;
    t->count_bytes = (uint32_t)job->count_bytes;
}

static void begin(struct sort *s, const cw_array *job, enum cw_shapes shapes,
                  const struct radix_table *table)
{
    memset(s, 0, sizeof *s);
    s->job = job;
    s->shapes = shapes;
    s->key_bytes = (uint32_t)cw_type_bytes(job->type);
    if (table)
        s->table = *table;
    else
        table_of(&s->table, cw_sort_engine(job), shapes);
    s->map = cw_key_map_of_array(job);
    s->way = way_of(s);
    lsd_begin(s);
    s->hybrid = s->way == WAY_LSD && cw_hybrid_suits(&s->lsd, s->shapes);
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Bytes for n items by least significant digits.  Not less than shorter arrays need, which may be
 * sorted in one launch. */
static uint64_t lsd_bytes(const struct sort *s, uint64_t n)
{
    struct lsd_task task = s->lsd;
    uint64_t lsd, small, most = cw_small_most(&task, s->shapes);

    task.n = n;
    lsd = cw_lsd_bytes(&task, s->shapes);
    task.n = n < most ? n : most;
    small = task.n ? cw_small_bytes(&task, s->shapes) : 0;
    return lsd < small ? small : lsd;
}

/* Lay out the hybrid sort, and the LSD sort that takes its place where it gives up, in the same
 * workspace. */
static uint64_t hybrid_layout(struct sort *s, uint8_t *base)
{
    const uint64_t lsd = lsd_bytes(s, s->job->n);
    uint64_t at = 0, hybrid;

    s->gate = (uint32_t *)take(base, &at, 256u);
    s->rest = base ? base + at : NULL;
    hybrid = cw_hybrid_bytes(&s->lsd, s->shapes);
    return at + (lsd < hybrid ? hybrid : lsd);
}

/* Lay out the MSD sort, and the LSD sort that may follow it, in the same workspace: the second
 * begins when the first has ended. */
static uint64_t radix_layout(struct sort *s, uint8_t *base)
{
    const uint64_t n = s->job->n, radix = cw_radix_bytes(&s->table, n);
    uint64_t at = 0, lsd;

    if (n <= s->table.alone_most)
        return radix;
    s->gate = (uint32_t *)take(base, &at, 256u);
    s->rest = base ? base + at : NULL;
    lsd = lsd_bytes(s, n);
    if (!is_gated(s))
        s->gate = NULL;
    s->lsd.gate = s->gate;
    return at + (lsd < radix ? radix : lsd);
}

static uint64_t counting_layout(struct sort *s, uint8_t *base)
{
    const uint64_t least = counted_least(s->job, s->shapes);
    uint64_t at = 0, before = least ? lsd_bytes(s, least - 1u) : 0;

    s->counts = (uint64_t *)take(base, &at, 8u << (8u * s->key_bytes));
    s->starts = (uint64_t *)take(base, &at, (8u << (8u * s->key_bytes)) + 8u);
    return at < before ? before : at;
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct sort *s, uint8_t *base)
{
    uint64_t at = 0;

    s->rest = s->all = base;
    switch (s->way) {
    case WAY_SMALL_KEYS:
        return counting_layout(s, base);
    case WAY_LSD:
        at = s->hybrid ? hybrid_layout(s, base) : lsd_bytes(s, s->job->n);
        if (s->job->index_bytes && at < s->job->n * s->job->value_bytes)
            at = s->job->n * s->job->value_bytes; /* values that are gathered in place */
        return at;
    default:
        return radix_layout(s, base);
    }
}

size_t cw_sort_bytes_of(const cw_array *job, const struct radix_table *table)
{
    struct sort s;

    begin(&s, job, CW_SHAPES_LARGE, table);
    return (size_t)layout(&s, NULL);
}

size_t cw_sort_bytes(const cw_array *job, enum cw_shapes shapes)
{
    struct sort s;

    begin(&s, job, shapes, NULL);
    return (size_t)layout(&s, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct sort *s, enum cw_kernel kernel, uint64_t blocks, uint32_t threads,
                        uint32_t shared, const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)(blocks ? blocks : 1), threads, shared, arg};

    return s->q->launch(s->q, &l);
}

/* A thread for every 4 of n, or as many as may be. */
static uint64_t blocks_for(const struct sort *s, uint64_t n)
{
    const uint64_t blocks = n / (4u * INDEX_THREADS) + 1u, most = 16u * (uint64_t)s->q->processors;

    return blocks < most ? blocks : most;
}

static cw_status count_small_keys(struct sort *s)
{
    const uint32_t all = 1u << (8u * s->key_bytes);
    const uint32_t mine = all < SMALL_KEYS_MOST ? all : SMALL_KEYS_MOST;
    const uint64_t blocks = blocks_for(s, s->job->n / 4u);
    const uint64_t some = cw_most(blocks < s->q->processors ? blocks : s->q->processors,
                                  s->job->n >> SMALL_KEYS_SHARE);
    const struct small_keys_job arg = {.n = s->job->n,
                                       .in = s->job->keys_in,
                                       .out = s->job->keys_out,
                                       .bytes = s->key_bytes,
                                       .map = s->map,
                                       .counts = s->counts,
                                       .starts = s->starts};
    const struct cw_launch count = {CW_KERNEL_cw_sort_counting_histogram,
                                    (uint32_t)some * s->key_bytes, SMALL_KEYS_COUNT, 4u * mine,
                                    &arg};
    cw_status status = s->q->clear(s->q, s->counts, 8u * (size_t)all);

    if (!status)
        status = s->q->launch(s->q, &count);
    if (!status)
        status = launch(s, CW_KERNEL_cw_sort_counting_scan, 1, SMALL_KEYS_THREADS,
                        8u * SMALL_KEYS_THREADS, &arg);
    if (!status)
        status = launch(s, CW_KERNEL_cw_sort_counting_write, blocks, SMALL_KEYS_THREADS, 0, &arg);
    return status;
}

static cw_status sort_radix(struct sort *s)
{
    const struct radix_task task = {.n = s->job->n,
                                    .stable = (s->job->flags & CW_STABLE) != 0,
                                    .map = s->map,
                                    .in = s->job->keys_in,
                                    .in_values = s->job->values_in,
                                    .out = s->job->keys_out,
                                    .out_values = s->job->values_out,
                                    .gate = s->gate,
                                    .leaves = s->job->n < s->table.trees,
                                    .leaves_runs = s->job->n <= s->table.runs};
    const cw_status status = cw_radix_enqueue(s->q, &s->table, &task, s->rest);

    return status || !s->gate ? status : cw_lsd_enqueue(s->q, &s->lsd, s->shapes, s->rest);
}

/* Gather values by the index. */
static cw_status gather_values(struct sort *s)
{
    const cw_array *const job = s->job;
    const int in_place = job->values_in == job->values_out;
    uint64_t at = 0;
    void *const room =
        in_place ? take((uint8_t *)s->all, &at, job->n * job->value_bytes) : job->values_out;
    const struct index_job arg = {.n = job->n,
                                  .in = job->values_in,
                                  .out = room,
                                  .places = (uint32_t *)job->index_out,
                                  .wide = job->index_bytes == 8,
                                  .bytes = (uint32_t)job->value_bytes,
                                  .count = job->count,
                                  .count_bytes = (uint32_t)job->count_bytes};
    struct index_job back = arg;
    const cw_status status =
        launch(s, CW_KERNEL_cw_sort_index_gather, blocks_for(s, job->n), INDEX_THREADS, 0, &arg);

    if (status || !in_place)
        return status;
    if (!job->count)
        return s->q->copy(s->q, job->values_out, room, job->n * job->value_bytes);
    back.in = room;
    back.out = job->values_out;
    back.places = NULL;
    return launch(s, CW_KERNEL_cw_sort_index_gather, blocks_for(s, job->n), INDEX_THREADS, 0,
                  &back);
}

static cw_status sort_lsd(struct sort *s)
{
    const int block = cw_block_fits(&s->lsd, s->shapes);
    const int small = !block && cw_small_fits(s->q, &s->lsd, s->shapes);
    cw_status status = CW_OK;

    if (block)
        status = cw_block_enqueue(s->q, &s->lsd, s->shapes);
    else if (s->hybrid && cw_hybrid_takes(&s->lsd, s->shapes)) {
        status = cw_hybrid_enqueue(s->q, &s->lsd, s->shapes, s->gate, s->rest);
        s->lsd.gate = s->gate;
    }
    if (!status && !block)
        status = (small ? cw_small_enqueue : cw_lsd_enqueue)(s->q, &s->lsd, s->shapes, s->rest);

    return status || !s->job->index_bytes || !s->job->value_bytes ? status : gather_values(s);
}

cw_status cw_sort_enqueue(struct cw_queue *q, const cw_array *job, enum cw_shapes shapes,
                          void *workspace)
{
    struct sort s;

    if (!job->n)
        return CW_OK;
    begin(&s, job, shapes, NULL);
    s.q = q;
    (void)layout(&s, (uint8_t *)workspace);
    switch (s.way) {
    case WAY_SMALL_KEYS:
        return count_small_keys(&s);
    case WAY_LSD:
        return sort_lsd(&s);
    default:
        return sort_radix(&s);
    }
}
