/* plan.c - the hybrid sort as launches.
 *
 *      gather      a sample of the keys, to a buffer that is still free
 *      sample      a bucket map, or the array is left to the LSD sort
 *      histogram   digits of the numbers of buckets
 *      routes      where buckets begin
 *      pass        one over 256 buckets, or two over 65536, each stable (lsd/pass.h)
 *      groups      two passes: whole buckets, as many as a block sorts
 *      local       a block sorts each group in shared memory
 *
 * For keys of 8 bytes with a payload; keys alone go to radix/ and small/.  So items are read and
 * written two or three times, not eight.
 *
 * After Stehle and Jacobsen (SIGMOD 2017).  Departures: a bucket map instead of bits, so that
 * uneven keys fit too; both passes are those of an LSD sort over the number of the bucket, so that
 * no bucket need be known between them; stable.
 *
 * If a bucket is too long for a block, the array is left to the LSD sort, whose launches stand
 * behind these.  One pass finds that out before it moves anything.  Two passes may have moved the
 * input, if it is the output too: then items of equal keys still stand in their order, and the LSD
 * sort begins with what is there.  An index would be lost, so that in place two passes make none.
 */
#include "sort/hybrid/plan.h"

#include <string.h>

#include "base/arena.h"
#include "sort/hybrid/job.h"
#include "sort/hybrid/one_block.h"
#include "sort/hybrid/table.h"
#include "sort/lsd/portions.h"

#define SPAN_LEAST 512u /* of a group, without its last bucket */

struct run {
    const struct lsd_task *task;
    struct cw_queue *q;
    struct hybrid_shape shape;
    struct lsd_shape pass;
    struct hybrid_job job;
    struct lsd_job lsd;
    struct lsd_portions portions;
};

static void shapes_of(struct run *r, enum cw_shapes shapes)
{
    typedef void (*fill_pass)(struct lsd_shape *);
    typedef void (*fill)(struct hybrid_shape *);
#define TINY_PASS(type)  cw_sort_hybrid_pass_##type##_tiny,
#define LARGE_PASS(type) cw_sort_hybrid_pass_##type##_large,
#define TINY(type)       cw_sort_hybrid_local_##type##_tiny,
#define LARGE(type)      cw_sort_hybrid_local_##type##_large,
    static const fill_pass tiny_pass[] = {CW_HYBRID_TYPES(TINY_PASS)},
                           large_pass[] = {CW_HYBRID_TYPES(LARGE_PASS)};
    static const fill tiny[] = {CW_HYBRID_TYPES(TINY)}, large[] = {CW_HYBRID_TYPES(LARGE)};
    const uint32_t type = cw_payload_class(cw_local_moved(r->task)) - 1u;
    const int is_tiny = shapes == CW_SHAPES_TINY;

    (is_tiny ? cw_sort_hybrid_table_tiny : cw_sort_hybrid_table_large)(&r->shape);
    (is_tiny ? tiny_pass : large_pass)[type](&r->pass);
    if (r->task->n <= r->shape.few_most)
        cw_block_shape(&r->shape, r->task, shapes);
    else
        (is_tiny ? tiny : large)[type](&r->shape);
}

/* Items of a thread in a pass: fewer in a short array, so that all multiprocessors have a tile. */
static uint32_t pass_rounds(const struct run *r, uint32_t most)
{
    const uint64_t tile = (uint64_t)r->shape.tiles * r->pass.threads;
    const uint64_t rounds = (r->task->n + tile - 1u) / tile;

    return rounds < 2u ? 2u : rounds < most ? (uint32_t)rounds : most;
}

/* Samples of a thread: more for long arrays, where they cost little, and where buckets nearly fill
 * a group. */
static uint32_t sample_rounds(const struct run *r)
{
    const uint64_t n = r->task->n, most = r->shape.one_most;
    const uint32_t all = r->shape.sample_rounds;

    return n < most / 4u   ? (all + 7u) / 8u
           : n < most / 2u ? (all + 3u) / 4u
           : n < 4u * most ? (all + 1u) / 2u
                           : all;
}

/* Room for a group's last bucket: twice the mean one, at least a third of all. */
static uint64_t room_of(const struct run *r)
{
    const uint64_t mean = r->task->n / HYBRID_TWO, third = r->shape.capacity / 3u;

    return (2u * mean > third ? 2u * mean : third) / 32u * 32u;
}

static int in_place(const struct lsd_task *t)
{
    return t->keys_in == t->keys_out ||
           (!t->indexed && t->payload_in && t->payload_in == t->payload_out);
}

int cw_hybrid_suits(const struct lsd_task *task, enum cw_shapes shapes)
{
    const uint32_t payload = cw_local_moved(task);
    struct run r;

    memset(&r, 0, sizeof r);
    r.task = task;
    if (shapes == CW_SHAPES_SMALL || task->key_bytes != 8u || !payload || task->count_bytes ||
        task->bits < 64u || task->n > (uint64_t)1 << 28)
        return 0;
    shapes_of(&r, shapes);
    return task->n >= (payload <= 4u ? r.shape.least_v4 : r.shape.least) &&
           room_of(&r) + SPAN_LEAST <= r.shape.capacity;
}

int cw_hybrid_takes(const struct lsd_task *task, enum cw_shapes shapes)
{
    struct run r;

    if (!cw_hybrid_suits(task, shapes))
        return 0;
    memset(&r, 0, sizeof r);
    r.task = task;
    shapes_of(&r, shapes);
    return task->n <= r.shape.one_most || !task->indexed || !in_place(task);
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const struct lsd_task *const t = r->task;
    struct lsd_job *const l = &r->lsd;
    const uint64_t keys = t->n * 8u, payload = t->n * cw_local_moved(t);
    const uint64_t least = LSD_BUCKETS * 2u * (uint64_t)r->shape.tiles;
    uint64_t at = 0, words;

    l->keys[SORT_TMP] = take(base, &at, keys);
    l->keys[SORT_OUT] = t->keys_out;
    if (t->indexed && !t->keys_out) /* else they are wanted, and only not known yet */
        l->keys[SORT_OUT] = take(base, &at, keys);
    l->values[SORT_TMP] = take(base, &at, payload);
    r->job.leave = (uint32_t *)take(base, &at, 256u);
    r->job.buckets = (struct bucket_map *)take(base, &at, sizeof *r->job.buckets);
    r->job.histogram = (uint64_t *)take(base, &at, 2u * 8u * LSD_BUCKETS);
    r->job.base = (uint64_t *)take(base, &at, 2u * 16u * LSD_BUCKETS);
    r->job.routes = (struct lsd_route *)take(base, &at, 3u * sizeof *r->job.routes);
    r->job.starts = (uint32_t *)take(base, &at, 4u * (LSD_BUCKETS + 2u + t->n / SPAN_LEAST));
    words = lsd_state_words(&r->portions);
    if (words <
        least) /* short arrays have smaller tiles, so that more of them are not fewer rows */
        words = least;
    r->portions.state = (uint32_t *)take(base, &at, 4u * words);
    return at;
}

/* Where items go.  The local sort reads another array than it writes, but for two passes in
 * place. */
static void ways(struct run *r)
{
    uint32_t *const way = r->job.way;
    const int place = in_place(r->task);

    way[0] = SORT_IN;
    way[1] = r->job.passes == 1u || place ? SORT_TMP : SORT_OUT;
    way[2] = place ? SORT_OUT : SORT_TMP;
}

static void begin(struct run *r, const struct lsd_task *task, enum cw_shapes shapes)
{
    struct hybrid_job *const j = &r->job;
    struct lsd_job *const l = &r->lsd;

    memset(r, 0, sizeof *r);
    r->task = task;
    shapes_of(r, shapes);
    l->rounds = pass_rounds(r, r->pass.items / r->pass.threads);
    r->pass.items = l->rounds * r->pass.threads;
    lsd_portions_of(&r->portions, &r->pass, task->n);
    l->n = j->n = task->n;
    l->map = j->map = task->map;
    l->bits = j->bits = task->bits;
    l->passes = j->passes = task->n <= r->shape.one_most ? 1u : 2u;
    l->keys[SORT_IN] = j->keys_in = task->keys_in;
    l->values[SORT_IN] = task->indexed ? NULL : task->payload_in;
    l->values[SORT_OUT] = task->payload_out;
    l->indexed = task->indexed;
    l->key_bytes = 8u;
    l->value_bytes = j->value_bytes = task->payload_bytes ? cw_local_moved(task) : 0u;
    l->last_bytes = j->last_bytes = task->payload_bytes;
    j->key_bytes = 8u;
    j->sample_rounds = sample_rounds(r);
    j->capacity = r->shape.capacity;
    j->span = j->capacity - (uint32_t)room_of(r);
    j->groups = j->passes == 1u ? LSD_BUCKETS : (uint32_t)((task->n + j->span - 1u) / j->span);
    ways(r);
}

uint64_t cw_hybrid_bytes(const struct lsd_task *task, enum cw_shapes shapes)
{
    struct run r;

    begin(&r, task, shapes);
    return layout(&r, NULL);
}

/* Pointers that the layout has given. */
static void connect(struct run *r)
{
    struct hybrid_job *const j = &r->job;
    struct lsd_job *const l = &r->lsd;
    const uint32_t at = j->way[j->passes];

    l->buckets = j->buckets;
    l->base = j->base;
    l->routes = j->routes;
    l->histogram = j->histogram;
    j->sample = (uint64_t *)l->keys[SORT_TMP];
    j->state = r->portions.state;
    j->state_words = (uint32_t)lsd_state_words(&r->portions);
    j->keys = l->keys[at];
    j->values = l->values[at];
    j->keys_out = r->task->keys_out;
    j->values_out = r->task->payload_out;
}

static cw_status launch(struct run *r, enum cw_kernel kernel, uint64_t blocks, uint32_t threads,
                        uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, &r->job};

    return r->q->launch(r->q, &l);
}

static cw_status count(struct run *r)
{
    const uint64_t tiles = (r->task->n + r->shape.count_tile - 1u) / r->shape.count_tile;
    const uint64_t most = 3u * (uint64_t)r->q->processors;
    cw_status status =
        launch(r, CW_KERNEL_cw_sort_hybrid_gather, r->q->processors, r->shape.gather_threads, 0);

    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_hybrid_sample, 1, r->shape.sample_threads,
                        r->shape.sample_shared);
    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_hybrid_histogram, tiles < most ? tiles : most,
                        r->shape.count_threads, r->shape.count_shared);
    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_hybrid_routes, 1, LSD_BUCKETS,
                        sizeof(struct lsd_routes_shared));
    return status;
}

static cw_status passes(struct run *r)
{
    const struct cw_launch l = {r->pass.kernel, 0, r->pass.threads, r->pass.shared, &r->lsd};
    cw_status status = CW_OK;

    for (uint32_t p = 0; p < r->job.passes && !status; p++) {
        for (uint64_t k = 0; k < r->portions.portions && !status; k++) {
            struct cw_launch one = l;

            lsd_portion_job(&r->lsd, &r->portions, &r->pass, p, k);
            one.blocks = r->lsd.tiles;
            status = r->q->launch(r->q, &one);
        }
    }
    return status;
}

cw_status cw_hybrid_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                            uint32_t *gate, void *workspace)
{
    cw_status status;
    struct run r;

    begin(&r, task, shapes);
    r.q = q;
    r.job.gate = gate;
    r.job.seed = q->seed;
    (void)layout(&r, (uint8_t *)workspace);
    connect(&r);
    status = count(&r);
    if (!status)
        status = passes(&r);
    if (!status && r.job.passes == 2u)
        status = launch(&r, CW_KERNEL_cw_sort_hybrid_groups,
                        (r.job.groups + 1u + r.shape.groups_threads / 32u - 1u) /
                            (r.shape.groups_threads / 32u),
                        r.shape.groups_threads, r.shape.groups_shared);
    return status ? status
                  : launch(&r, r.shape.local, r.job.groups, r.shape.local_threads,
                           r.shape.local_shared);
}
