/* plan.c - the launches of a comparison sort, by host arithmetic alone.
 *
 *      first               sort tiles of the array
 *      layout .. settle    a cut, and where its buckets begin
 *      coarse              sort tiles of buckets; cut and coarse come twice, once or not at all
 *      fine, long          sort buckets; those that are too long for the first kernel go to the
 *                          second
 *
 * Items go from `in` to `mid` or the second buffer, then back and forth between these, and from the
 * second buffer to `out`.  The buffer that they are not in is idle.  It holds what only one cut
 * needs: samples, what sorts them, and counts.  In short arrays it may be too small, so up to
 * SCRATCH of this is in the workspace.
 *
 * Nothing depends on the keys, so a sort can be captured in a graph.
 *
 * After Leischner, Osipov and Sanders (GPU sample sort, 2010); README.md says where it departs.
 */
#include "sort/sample_sort/plan.h"

#include <string.h>

#include "sort/sample_sort/passes.h"
#include "backend/rows.h"
#include "base/arena.h"

#define ALIGN   256u
#define SCRATCH (8u << 20)

struct run {
    struct cw_queue *q;
    const struct sample_sort_task *task;
    const struct sample_sort_table *t;
    struct sample_sort_cuts cuts;
    struct sample_sort_job job;
    struct sample_sort_pass pass[SAMPLE_CUTS + 1];
    uint8_t *other; /* the second buffer */
    uint32_t *other_rest;
    uint8_t *scratch;
};

static cw_status enqueue(struct cw_queue *q, const struct sample_sort_task *task,
                         uint8_t *workspace);

/* ---- workspace ------------------------------------------------------------------------------ */

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static enum sample_sort_engine keys_alone(const struct sample_sort_table *t)
{
    return t->part_bytes == 8 ? SAMPLE_U64 : SAMPLE_U32;
}

static cw_rows rows_of(const struct run *r, int l)
{
    const uint64_t count = r->cuts.pass[l].longest / r->cuts.pass[l].every, row = r->t->row;
    cw_rows rows;

    memset(&rows, 0, sizeof rows);
    rows.type = r->t->part_bytes == 8 ? CW_U64 : CW_U32;
    rows.rows = 2u * (size_t)r->cuts.pass[l].room;
    rows.length = (size_t)(count <= row ? count : most(row, count - row));
    rows.offsets = r->pass[l].rows;
    rows.items = (size_t)cw_sample_sort_samples(r->t, &r->cuts, l, r->task->n);
    rows.keys_in = r->job.drawn;
    rows.keys_out = r->job.samples;
    if (!rows.offsets)
        rows.offsets = (const uint64_t *)rows_of; /* any address: only its size is asked for */
    return rows;
}

/* Lay out what a cut needs for itself.  Returns its size. */
static uint64_t scratch_layout(struct run *r, int l, uint8_t *base, void **rest)
{
    const uint64_t n = r->task->n, samples = cw_sample_sort_samples(r->t, &r->cuts, l, n);
    uint64_t at = 0, sorting;

    r->job.drawn = take(base, &at, samples * r->t->part_bytes);
    r->job.samples = take(base, &at, samples * r->t->part_bytes);
    r->job.raw = (uint32_t *)take(base, &at, 4u * cw_sample_sort_cells(r->t, &r->cuts, l, n));
    if (l) {
        const cw_rows rows = rows_of(r, l);

        sorting = cw_rows_workspace(&rows);
    } else {
        sorting =
            cw_sample_sort_bytes(r->task->tables, keys_alone(r->t), samples, r->t->part_bytes);
    }
    *rest = take(base, &at, sorting);
    return at;
}

/* Is that kept in the idle buffer?  Not if it is small. */
static int in_idle(const struct run *r, int l)
{
    struct run size = *r;
    void *rest;
    const uint64_t bytes = scratch_layout(&size, l, NULL, &rest);

    return bytes > SCRATCH && bytes + ALIGN <= r->task->n * r->task->key_bytes;
}

static void pass_layout(struct run *r, int number, uint8_t *base, uint64_t *at)
{
    const struct sample_sort_bounds *const b = &r->cuts.pass[number];
    struct sample_sort_pass *const l = &r->pass[number];
    const uint64_t entries = (uint64_t)b->room + 1u;

    memset(l, 0, sizeof *l);
    l->row = number ? r->t->row : UINT32_MAX; /* the array's samples are an array */
    l->room = b->room;
    l->target = b->target;
    l->every = b->every;
    l->start = (uint64_t *)take(base, at, 8u * entries);
    l->samples = (uint64_t *)take(base, at, 8u * entries);
    l->rows = (uint64_t *)take(base, at, 16u * entries);
    l->tiles = (uint32_t *)take(base, at, 4u * entries);
    l->buckets = (uint32_t *)take(base, at, 4u * entries);
    l->units = (uint32_t *)take(base, at, 4u * entries);
    l->cells = (uint32_t *)take(base, at, 4u * entries);
    l->windows = (uint32_t *)take(base, at, 4u * entries);
    l->count = (uint32_t *)take(base, at, 4u);
}

/* Lay out the workspace from `base` on.  NULL: only to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const uint64_t n = r->task->n;
    uint64_t at = 0, cells = 0, windows = 0, buckets = 0, scratch = 0, bytes;
    void *rest;

    if (!r->cuts.count)
        return 0;
    r->other = (uint8_t *)take(base, &at, n * r->task->key_bytes);
    r->other_rest = (uint32_t *)take(base, &at, r->t->rest ? 4u * n : 0u);
    for (int l = 0; l <= r->cuts.count; l++)
        pass_layout(r, l, base, &at);
    for (int l = 0; l < r->cuts.count; l++) {
        cells = most(cells, cw_sample_sort_cells(r->t, &r->cuts, l, n));
        windows = most(windows, cw_sample_sort_windows(r->t, &r->cuts, l));
        buckets = most(buckets, r->cuts.pass[l + 1].room);
        bytes = scratch_layout(r, l, NULL, &rest);
        scratch = most(scratch, in_idle(r, l) ? SCRATCH : bytes);
    }
    r->job.cuts = (uint16_t *)take(base, &at, 2u * cells);
    r->job.sums = (uint32_t *)take(base, &at, 4u * windows);
    r->job.guides = (uint8_t *)take(base, &at, (uint64_t)SAMPLE_GUIDE * buckets);
    r->job.list = (uint32_t *)take(base, &at, 4u * (n >> r->t->log_b) + 4u);
    r->job.list_count = (uint32_t *)take(base, &at, 4u);
    r->scratch = (uint8_t *)take(base, &at, scratch);
    return at;
}

static void begin(struct run *r, const struct sample_sort_task *task)
{
    memset(r, 0, sizeof *r);
    r->task = task;
    r->t = &task->tables[task->engine];
    cw_sample_sort_cuts(r->t, task->n, &r->cuts);
}

/* Are two arrays cut alike? */
static int alike(const struct sample_sort_cuts *a, const struct sample_sort_cuts *b)
{
    int same = a->count == b->count;

    for (int l = 0; l < a->count && same; l++)
        same = a->pass[l].every == b->pass[l].every;
    return same;
}

/* The bytes for n items, and not less than shorter arrays need.  Bytes grow with n only among
 * arrays that are cut alike, so the longest array that is cut in another way is asked for, and so
 * on.  Beyond `most` there may be as many samples as items. */
uint64_t cw_sample_sort_bytes(const struct sample_sort_table *tables,
                              enum sample_sort_engine engine, uint64_t n, uint32_t key_bytes)
{
    uint64_t bytes = 0;

    if (n > tables[engine].most)
        n = tables[engine].most;
    while (n) {
        struct sample_sort_task task;
        struct run r;
        uint64_t low = 0, high = n; /* of low it is another way, of high the same */

        memset(&task, 0, sizeof task);
        task.tables = tables;
        task.engine = engine;
        task.n = n;
        task.key_bytes = key_bytes;
        begin(&r, &task);
        if (!r.cuts.count)
            break;
        bytes = most(bytes, layout(&r, NULL));
        while (high - low > 1u) {
            const uint64_t middle = low + (high - low) / 2u;
            struct sample_sort_cuts c;

            cw_sample_sort_cuts(r.t, middle, &c);
            *(alike(&c, &r.cuts) ? &high : &low) = middle;
        }
        n = low;
    }
    return bytes;
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct run *r, enum cw_kernel kernel, uint64_t blocks, uint32_t threads,
                        uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, &r->job};

    return r->q->launch(r->q, &l);
}

/* Sort the tiles of the array, as words, to where the first cut finds them. */
static cw_status sort_first(struct run *r)
{
    const struct sample_sort_task *const task = r->task;
    struct sample_sort_job *const j = &r->job;
    const uint64_t tiles = (task->n + ((uint64_t)1 << r->t->log_a) - 1u) >> r->t->log_a;

    j->in = task->in;
    j->in_rest = task->in_rest;
    j->places = !task->in_rest;
    j->to_words = !task->map.plain || task->shift || task->mask != task->map.mask;
    j->from_words = !r->cuts.count && !task->map.plain;
    j->original = !r->cuts.count && task->map.tied ? task->in : NULL;
    return launch(r, r->t->first, tiles, r->t->threads_a, r->t->shared_a);
}

static void points_to(struct run *r, int other)
{
    r->job.out = other ? r->other : (uint8_t *)r->task->mid;
    r->job.out_rest = other ? r->other_rest : r->task->mid_rest;
}

/* What was the output is the input now. */
static void turn(struct run *r)
{
    r->job.in = r->job.out;
    r->job.in_rest = r->job.out_rest;
    r->job.to_words = 0;
}

static cw_status sort_samples(struct run *r, int l, void *rest)
{
    struct sample_sort_task task;

    if (l) {
        const cw_rows rows = rows_of(r, l);

        return cw_rows_enqueue(r->q, &rows, rest);
    }
    memset(&task, 0, sizeof task);
    task.tables = r->task->tables;
    task.engine = keys_alone(r->t);
    task.n = cw_sample_sort_samples(r->t, &r->cuts, 0, r->task->n);
    task.in = r->job.drawn;
    task.mid = task.out = r->job.samples;
    task.map = cw_key_map_of(r->t->part_bytes == 8 ? CW_U64 : CW_U32, 0, 0);
    task.mask = task.map.mask;
    task.key_bytes = r->t->part_bytes;
    return enqueue(r->q, &task, (uint8_t *)rest);
}

/* Count what pass l has; its segments are known. */
static cw_status count_pass(struct run *r, int l)
{
    r->job.at = r->pass[l];
    r->job.next = r->pass[l + 1];
    r->job.whole = l == 0;
    return launch(r, CW_KERNEL_cw_sample_sort_layout, 1, r->t->layout_threads, r->t->layout_shared);
}

/* Threads of settle: one for every tile of a segment of the expected length, as far as a block has
 * them. */
static uint32_t settle_threads(const struct run *r, int l)
{
    const uint64_t items = l ? r->cuts.pass[l - 1].target : r->task->n;
    const uint64_t tiles = (items >> r->t->log_a) + 1u;

    return (uint32_t)(tiles < 1024u ? (tiles + 31u) / 32u * 32u : 1024u);
}

/* Make room for what cutting pass l needs.  `idle` is the buffer that its items are not in.
 * Returns where the sort of the samples may work. */
static void *make_room(struct run *r, int l, void *idle)
{
    const uint64_t aligned = ((uintptr_t)idle + ALIGN - 1u) / ALIGN * ALIGN;
    uint8_t *const base = in_idle(r, l) ? (uint8_t *)(uintptr_t)aligned : r->scratch;
    void *rest;

    (void)scratch_layout(r, l, base, &rest);
    return rest;
}

/* Does the kernel that sorts the array's tiles draw their samples, too?  It has them at hand.  But
 * `mid` may be where the array is, so they cannot go there yet. */
static int draws(const struct run *r, int l)
{
    if (l || !r->cuts.count || (r->cuts.count % 2 && in_idle(r, 0)))
        return 0;
    return r->cuts.pass[0].every >= 1u << r->t->log_k;
}

/* Cut pass l, whose items are at job.in. */
static cw_status cut(struct run *r, int l, void *idle)
{
    const struct sample_sort_table *const t = r->t;
    void *const rest = make_room(r, l, idle);
    cw_status status = CW_OK;

    r->job.at = r->pass[l];
    r->job.next = r->pass[l + 1];
    if (!draws(r, l))
        status = launch(r, t->sample, cw_sample_sort_tiles(t, &r->cuts, l, r->task->n),
                        t->cut_threads, 0);
    if (!status)
        status = sort_samples(r, l, rest);
    if (!status)
        status =
            launch(r, t->cut, cw_sample_sort_units(t, &r->cuts, l), t->cut_threads, t->cut_shared);
    if (!status)
        status = launch(r, CW_KERNEL_cw_sample_sort_bucket_scan, r->pass[l + 1].room,
                        settle_threads(r, l), t->settle_shared);
    return status;
}

/* Sort the tiles of the next pass. */
static cw_status sort_coarse(struct run *r, int l)
{
    const struct sample_sort_table *const t = r->t;
    const cw_status status = count_pass(r, l + 1);

    if (status)
        return status;
    r->job.at = r->pass[l];
    r->job.next = r->pass[l + 1];
    return launch(r, t->coarse_kernel, cw_sample_sort_tiles(t, &r->cuts, l + 1, r->task->n),
                  t->threads_a, t->shared_a);
}

/* Sort the last buckets. */
static cw_status sort_fine(struct run *r)
{
    const struct sample_sort_table *const t = r->t;
    const uint64_t longer = (r->task->n >> t->log_b) + 1u;
    const uint64_t all = (uint64_t)r->q->processors * t->blocks_a;
    cw_status status = r->q->clear(r->q, r->job.list_count, 4u);

    r->job.out = r->task->out;
    r->job.out_rest = r->task->out_rest;
    r->job.from_words = !r->task->map.plain;
    r->job.original = r->task->map.tied ? r->task->in : NULL;
    if (!status)
        status = launch(r, t->fine, r->job.next.room, t->threads_b, t->shared_b);
    if (!status)
        status = launch(r, t->longer, longer < all ? longer : all, t->threads_a, t->shared_a);
    return status;
}

static cw_status enqueue(struct cw_queue *q, const struct sample_sort_task *task,
                         uint8_t *workspace)
{
    struct run r;
    int other; /* whether items are in the second buffer */
    cw_status status;

    if (!task->n)
        return CW_OK;
    begin(&r, task);
    r.q = q;
    (void)layout(&r, workspace);
    r.job.n = task->n;
    r.job.map = task->map;
    r.job.key_bytes = task->key_bytes;
    r.job.shift = task->shift;
    r.job.mask = task->mask;
    r.job.log_tile = r.t->log_a;
    r.job.one = 1;
    other = r.cuts.count % 2; /* they are, before the last cut */
    points_to(&r, other);
    if (!r.cuts.count) {
        r.job.out = task->out;
        r.job.out_rest = task->out_rest;
    }
    r.job.draw = (uint32_t)draws(&r, 0);
    if (r.job.draw) {
        (void)make_room(&r, 0, other ? task->mid : (void *)r.other);
        r.job.at = r.pass[0];
    }
    status = sort_first(&r);
    if (!status && r.cuts.count)
        status = count_pass(&r, 0);
    for (int l = 0; l < r.cuts.count && !status; l++) {
        turn(&r);
        status = cut(&r, l, other ? task->mid : (void *)r.other);
        other = !other;
        points_to(&r, other);
        if (!status)
            status = l + 1 < r.cuts.count ? sort_coarse(&r, l) : sort_fine(&r);
    }
    return status;
}

cw_status cw_sample_sort_enqueue(struct cw_queue *q, const struct sample_sort_task *task,
                                 void *workspace)
{
    return enqueue(q, task, (uint8_t *)workspace);
}
