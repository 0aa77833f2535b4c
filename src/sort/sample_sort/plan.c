/* plan.c - the launches of a comparison sort, by host arithmetic alone.
 *
 *      first               sort tiles of the array, draw samples
 *      layout .. settle    a cut, and where its buckets begin; the array itself needs no layout
 *      coarse              sort tiles of buckets; cut and coarse come twice, once or not at all
 *      fine, long          sort buckets; those that are too long for the first kernel go to the
 *                          second
 *
 * The short tiles of short arrays may be merged instead, up to three times.
 *
 * Nothing depends on the keys, so a sort can be captured in a graph.
 *
 * After Leischner, Osipov and Sanders (GPU sample sort, 2010); README.md says where it departs.
 */
#include "sort/sample_sort/plan.h"

#include <string.h>

#include "sort/sample_sort/space.h"

static cw_status enqueue(struct cw_queue *q, const struct sample_sort_task *task,
                         uint8_t *workspace);

static cw_status launch(struct sample_sort_run *r, enum cw_kernel kernel, uint64_t blocks,
                        uint32_t threads, uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, &r->job};

    return r->q->launch(r->q, &l);
}

/* Sort the tiles of the array, as words, to where the first cut finds them. */
static cw_status sort_first(struct sample_sort_run *r)
{
    const struct sample_sort_task *const task = r->task;
    struct sample_sort_job *const j = &r->job;
    const uint64_t tile = (uint64_t)1 << r->cuts.log_tile, tiles = (task->n + tile - 1u) / tile;

    j->in = task->in;
    j->in_rest = task->in_rest;
    j->places = !task->in_rest;
    j->to_words = !task->map.plain || task->shift || task->mask != task->map.mask;
    if (r->cuts.brief)
        return launch(r, r->t->short_first, tiles, r->t->threads_b, r->t->shared_b);
    return launch(r, r->t->first, tiles, r->t->threads_a, r->t->shared_a);
}

static void points_to(struct sample_sort_run *r, int other)
{
    r->job.out = other ? r->other : (uint8_t *)r->task->mid;
    r->job.out_rest = other ? r->other_rest : r->task->mid_rest;
}

/* What is written next is what was asked for. */
static void write_out(struct sample_sort_run *r)
{
    r->job.out = r->task->out;
    r->job.out_rest = r->task->out_rest;
    r->job.from_words = !r->task->map.plain;
    r->job.original = r->task->map.tied ? r->task->in : NULL;
}

/* What was the output is the input now. */
static void turn(struct sample_sort_run *r)
{
    r->job.in = r->job.out;
    r->job.in_rest = r->job.out_rest;
    r->job.to_words = 0;
}

/* Merge runs of 2^(m - 1) short tiles. */
static cw_status merge_tiles(struct sample_sort_run *r, int m, int other)
{
    const uint64_t tile = (uint64_t)1 << r->cuts.log_tile, tiles = (r->task->n + tile - 1u) / tile;

    turn(r);
    points_to(r, other);
    if (m == r->cuts.merges)
        write_out(r);
    r->job.level = (uint32_t)m;
    return launch(r, r->t->short_merge, tiles, r->t->threads_b, r->t->shared_b);
}

static cw_status sort_samples(struct sample_sort_run *r, int l, void *rest)
{
    struct sample_sort_task task;

    if (l) {
        const cw_rows rows = cw_sample_sort_rows_of(r, l);

        return cw_rows_enqueue(r->q, &rows, rest);
    }
    memset(&task, 0, sizeof task);
    task.tables = r->task->tables;
    task.engine = cw_sample_sort_keys_alone(r->t);
    task.n = cw_sample_sort_samples(&r->cuts, 0, r->task->n);
    task.in = r->job.drawn;
    task.mid = task.out = r->job.samples;
    task.map = cw_key_map_of(r->t->part_bytes == 8 ? CW_U64 : CW_U32, 0, 0);
    task.mask = task.map.mask;
    task.key_bytes = r->t->part_bytes;
    return enqueue(r->q, &task, (uint8_t *)rest);
}

/* Count what the array has, one segment; a kernel writes it down. */
static void count_array(struct sample_sort_run *r)
{
    const struct sample_sort_bounds *const b = &r->cuts.pass[0];
    const uint64_t tile = (uint64_t)1 << r->cuts.log_tile, n = r->task->n;
    struct sample_sort_sums *const s = &r->job.whole;

    r->job.at = r->pass[0];
    r->job.next = r->pass[1];
    s->tiles = (uint32_t)((n + tile - 1u) / tile);
    s->samples = (uint32_t)cw_sample_sort_samples(&r->cuts, 0, n);
    s->buckets = (uint32_t)((n + b->target - 1u) / b->target);
    s->units = (uint32_t)cw_sample_sort_units(&r->cuts, 0);
    s->cells = s->tiles * s->buckets;
    s->windows = (s->tiles + 31u) / 32u * s->buckets;
}

/* Count what pass l has; its segments are known. */
static cw_status count_pass(struct sample_sort_run *r, int l)
{
    r->job.at = r->pass[l];
    r->job.next = r->pass[l + 1];
    return launch(r, CW_KERNEL_cw_sample_sort_layout, 1, r->t->layout_threads, r->t->layout_shared);
}

/* Threads of settle: one for every tile of a segment of the expected length, as far as a block has
 * them. */
static uint32_t settle_threads(const struct sample_sort_run *r, int l)
{
    const uint64_t items = l ? r->cuts.pass[l - 1].target : r->task->n;
    const uint64_t tiles = (items >> r->cuts.log_tile) + 1u;

    return (uint32_t)(tiles < 1024u ? (tiles + 31u) / 32u * 32u : 1024u);
}

/* Make room for what cutting pass l needs.  `idle` is the buffer that its items are not in.
 * Returns where the sort of the samples may work. */
static void *make_room(struct sample_sort_run *r, int l, void *idle)
{
    const uint64_t aligned = ((uintptr_t)idle + SAMPLE_ALIGN - 1u) / SAMPLE_ALIGN * SAMPLE_ALIGN;
    uint8_t *const base = r->idle[l] ? (uint8_t *)(uintptr_t)aligned : r->scratch;
    void *rest;

    (void)cw_sample_sort_scratch(r, l, base, &rest);
    return rest;
}

/* Does the kernel that sorts the array's tiles draw their samples, too?  It has them at hand.  But
 * `mid` may be where the array is, so they cannot go there yet. */
static int draws(const struct sample_sort_run *r, int l)
{
    if (l || !r->cuts.count || (r->cuts.count % 2 && r->idle[0]))
        return 0;
    return r->cuts.pass[0].every >= 1u << r->t->log_k;
}

/* Cut pass l, whose items are at job.in. */
static cw_status cut(struct sample_sort_run *r, int l, void *idle)
{
    const struct sample_sort_table *const t = r->t;
    void *const rest = make_room(r, l, idle);
    cw_status status = CW_OK;

    r->job.at = r->pass[l];
    r->job.next = r->pass[l + 1];
    if (!draws(r, l))
        status =
            launch(r, t->sample, cw_sample_sort_tiles(&r->cuts, l, r->task->n), t->cut_threads, 0);
    if (!status)
        status = sort_samples(r, l, rest);
    if (!status)
        status =
            launch(r, t->cut, cw_sample_sort_units(&r->cuts, l), t->cut_threads, t->cut_shared);
    if (!status)
        status = launch(r, CW_KERNEL_cw_sample_sort_bucket_scan, r->pass[l + 1].room,
                        settle_threads(r, l), t->settle_shared);
    return status;
}

/* Sort the tiles of the next pass. */
static cw_status sort_coarse(struct sample_sort_run *r, int l)
{
    const struct sample_sort_table *const t = r->t;
    const cw_status status = count_pass(r, l + 1);

    if (status)
        return status;
    r->job.at = r->pass[l];
    r->job.next = r->pass[l + 1];
    return launch(r, t->coarse_kernel, cw_sample_sort_tiles(&r->cuts, l + 1, r->task->n),
                  t->threads_a, t->shared_a);
}

/* Sort the last buckets. */
static cw_status sort_fine(struct sample_sort_run *r)
{
    const struct sample_sort_table *const t = r->t;
    const uint64_t longer = (r->task->n >> t->log_b) + 1u;
    const uint64_t all = (uint64_t)r->q->processors * t->blocks_a;
    cw_status status;

    write_out(r);
    status = launch(r, t->fine, r->job.next.room, t->threads_b, t->shared_b);
    if (!status && r->cuts.pass[r->cuts.count].longest > (uint64_t)1 << t->log_b)
        status = launch(r, t->longer, longer < all ? longer : all, t->threads_a, t->shared_a);
    return status;
}

static cw_status enqueue(struct cw_queue *q, const struct sample_sort_task *task,
                         uint8_t *workspace)
{
    struct sample_sort_run r;
    int other; /* whether items are in the second buffer */
    cw_status status;

    if (!task->n)
        return CW_OK;
    cw_sample_sort_begin(&r, task);
    r.q = q;
    (void)cw_sample_sort_space(&r, workspace);
    r.job.n = task->n;
    r.job.map = task->map;
    r.job.key_bytes = task->key_bytes;
    r.job.shift = task->shift;
    r.job.mask = task->mask;
    r.job.log_tile = r.cuts.log_tile;
    r.job.one = 1;
    other = (r.cuts.count + r.cuts.merges) % 2; /* they are, before the last cut or merge */
    points_to(&r, other);
    if (!r.cuts.count && !r.cuts.merges)
        write_out(&r);
    r.job.draw = (uint32_t)draws(&r, 0);
    if (r.job.draw)
        (void)make_room(&r, 0, other ? task->mid : (void *)r.other);
    if (r.cuts.count)
        count_array(&r);
    status = sort_first(&r);
    if (!status && r.cuts.count && !r.cuts.brief)
        status =
            launch(&r, CW_KERNEL_cw_sample_sort_layout, 1, r.t->layout_threads, r.t->layout_shared);
    r.job.whole.tiles = 0;
    for (int m = 1; m <= r.cuts.merges && !status; m++) {
        other = !other;
        status = merge_tiles(&r, m, other);
    }
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
