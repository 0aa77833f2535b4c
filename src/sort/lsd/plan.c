/* plan.c - the LSD radix sort as launches.
 *
 *      clear       histogram, state of the first launch
 *      histogram   digits of all passes, in one reading
 *      routes      where buckets begin; which passes run, from where to where
 *      pass        a launch for each pass and portion of the array
 *      copy        if the result is not in the output yet
 *
 * All launches are known beforehand; a pass that has nothing to do ends at once.  Where the number
 * of items is in global memory they are for the most that there may be: blocks of tiles that are
 * not there end at once.  A pass reads and writes every item once, so n items take (1 + 2 passes)
 * readings or writings of keys and 2 passes of payloads, whatever the keys are.
 *
 * Workspace, each part on 256 bytes:
 *
 *      keys, payload    a second array of each; of keys that are not wanted two, if there are three
 *                       passes
 *      histogram        2 KiB a pass          base    4 KiB a pass
 *      state            1 KiB a tile, of as many as a launch has, twice
 */
#include "sort/lsd/plan.h"

#include <string.h>

#include "base/arena.h"
#include "base/arith.h"
#include "sort/lsd/portions.h"

#define HISTOGRAM_TILE (HISTOGRAM_THREADS * HISTOGRAM_ITEMS)

struct run {
    const struct lsd_task *task;
    struct cw_queue *q;
    struct lsd_shape shape;
    struct lsd_job job;
    struct lsd_portions portions;
    uint64_t cleared; /* bytes, from the histogram on */
};

/* ---- what is to be done --------------------------------------------------------------------- */

/* Bytes of a payload while it moves: an index has 4 while these are enough. */
static uint32_t moved_bytes(const struct lsd_task *task)
{
    return task->indexed && task->n <= (uint64_t)1 << 32 ? 4u : task->payload_bytes;
}

/* Small shapes take the large kernels, which fit. */
static void shape_of(struct lsd_shape *s, uint32_t type, enum cw_shapes shapes)
{
    typedef void (*fill)(struct lsd_shape *);
#define TINY(type)  cw_sort_lsd_##type##_tiny,
#define LARGE(type) cw_sort_lsd_##type##_large,
    static const fill tiny[] = {CW_LSD_TYPES(TINY)}, large[] = {CW_LSD_TYPES(LARGE)};

    (shapes == CW_SHAPES_TINY ? tiny : large)[type](s);
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const struct lsd_task *const t = r->task;
    struct lsd_job *const j = &r->job;
    uint64_t at = 0, first;

    LSD_ARRAYS_OF(j, t, moved_bytes(t), base, &at);
    j->base = (uint64_t *)take(base, &at, 16u * LSD_BUCKETS * j->passes);
    j->routes = (struct lsd_route *)take(base, &at, (LSD_PASSES + 1u) * sizeof *j->routes);
    first = at;
    j->histogram = (uint64_t *)take(base, &at, 8u * LSD_BUCKETS * j->passes);
    r->portions.state = (uint32_t *)take(base, &at, 4u * lsd_state_words(&r->portions));
    r->cleared = at - first;
    return at;
}

static void begin(struct run *r, const struct lsd_task *task, enum cw_shapes shapes)
{
    struct lsd_job *const j = &r->job;

    memset(r, 0, sizeof *r);
    r->task = task;
    shape_of(&r->shape, lsd_type(task, moved_bytes(task)), shapes);
    lsd_portions_of(&r->portions, &r->shape, task->n);
    j->n = task->n;
    LSD_JOB_OF(j, task, moved_bytes(task));
}

uint64_t cw_lsd_bytes(const struct lsd_task *task, enum cw_shapes shapes)
{
    struct run r;

    begin(&r, task, shapes);
    return layout(&r, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct run *r, enum cw_kernel kernel, uint64_t blocks, uint32_t threads,
                        uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, &r->job};

    return r->q->launch(r->q, &l);
}

/* Blocks for n items, `tile` each; no more than `most` a multiprocessor. */
static uint64_t blocks_for(const struct run *r, uint64_t tile, uint64_t most)
{
    const uint64_t blocks = (r->task->n + tile - 1u) / tile;

    most *= r->q->processors;
    return blocks < most ? blocks : most;
}

static cw_status count(struct run *r)
{
    const enum cw_kernel kernel = r->task->key_bytes == 8 ? CW_KERNEL_cw_sort_lsd_k8_histogram
                                                          : CW_KERNEL_cw_sort_lsd_k4_histogram;
    const uint64_t blocks =
        cw_most(blocks_for(r, HISTOGRAM_TILE, 4), r->task->n >> HISTOGRAM_SHARE);
    cw_status status = r->q->clear(r->q, r->job.histogram, (size_t)r->cleared);

    if (!status)
        status = launch(r, kernel, blocks, HISTOGRAM_THREADS, sizeof(struct lsd_histogram_shared));
    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_lsd_routes, 1, LSD_BUCKETS,
                        sizeof(struct lsd_routes_shared));
    return status;
}

static cw_status pass(struct run *r, uint32_t p, uint64_t portion)
{
    lsd_portion_job(&r->job, &r->portions, &r->shape, p, portion);
    return launch(r, r->shape.kernel, r->job.tiles, r->shape.threads, r->shape.shared);
}

cw_status cw_lsd_enqueue(struct cw_queue *q, const struct lsd_task *task, enum cw_shapes shapes,
                         void *workspace)
{
    cw_status status;
    struct run r;

    begin(&r, task, shapes);
    r.q = q;
    (void)layout(&r, (uint8_t *)workspace);
    status = count(&r);
    for (uint32_t p = 0; p < r.job.passes && !status; p++) {
        for (uint64_t portion = 0; portion < r.portions.portions && !status; portion++)
            status = pass(&r, p, portion);
    }
    if (!status)
        status = launch(&r, CW_KERNEL_cw_sort_lsd_copy, blocks_for(&r, 8u * LSD_COPY_THREADS, 8),
                        LSD_COPY_THREADS, 0);
    return status;
}
