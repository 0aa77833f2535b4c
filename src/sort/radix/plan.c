/* plan.c - the launches of the MSD radix sort, by arithmetic of the host alone.
 *
 * Launches do not depend on keys, so a sort can be captured in a graph.
 */
#include "sort/radix/space.h"

#include <string.h>

#include "base/arith.h"

static uint32_t threads(const struct radix_run *r, enum radix_kernel k)
{
    const struct radix_table *const t = r->t;

    if (k == RADIX_STABLE || k == RADIX_STABLE_PLAIN)
        return t->ticket_threads;
    if (k == RADIX_CLASSIFY ||
        (k == RADIX_SCAN && r->job.pass)) /* one a bin: several blocks at a time */
        return (t->most_bins + 31u) / 32u * 32u;
    return k == RADIX_SCATTER_TILES || k == RADIX_SCATTER_TILES_TREE ? t->tile_threads : t->threads;
}

static cw_status launch(struct radix_run *r, enum radix_kernel k, uint64_t blocks)
{
    const struct cw_launch l = {r->t->kernel[k], (uint32_t)cw_most(blocks, 1), threads(r, k),
                                r->t->shared[k], &r->job};

    return r->q->launch(r->q, &l);
}

static cw_status launch_rows(struct radix_run *r, uint32_t which)
{
    const uint32_t log = r->log + (which ? 1u : 0u);
    const struct radix_row_kernel *const k =
        &r->t->row[r->job.n >= r->t->narrow_least][log - RADIX_ROW_FIRST];
    const uint64_t rows = r->job.alone          ? 1
                          : which == RADIX_ROWS ? (uint64_t)r->job.row_room[0] + r->job.row_room[1]
                                                : r->job.row_room[which];
    const uint64_t all = (uint64_t)r->q->processors * k->blocks;
    const struct cw_launch l = {k->kernel, (uint32_t)cw_most(cw_least(rows, all), 1),
                                1u << (log - 5u), k->shared, &r->job};

    r->job.which = which;
    return r->q->launch(r->q, &l);
}

static cw_status pass(struct radix_run *r, uint32_t l)
{
    const uint64_t chunks = r->job.n / r->job.chunk + 1u, processors = r->q->processors;
    const uint64_t some = cw_least(chunks, processors * r->t->move_blocks);
    const uint64_t tiles = cw_least(chunks, processors * r->t->tile_blocks);
    const uint64_t tickets = cw_least(cw_radix_ticket_room(r), processors * r->t->ticket_blocks);
    const uint64_t buckets = l ? 3u * processors : 1u;
    const int plain = (int)r->job.map.plain;
    const int tree = l == 0 && r->job.tree;
    const int linear = l || !r->job.both;
    cw_status status = CW_OK;

    r->job.pass = l;
    if (linear)
        status = launch(r, plain ? RADIX_HISTOGRAM_PLAIN : RADIX_HISTOGRAM,
                        cw_least(chunks, 4u * processors));
    if (!status && tree)
        status = launch(r, RADIX_HISTOGRAM_TREE, cw_least(chunks, 3u * processors));
    if (!status && r->job.stable)
        status = launch(r, RADIX_SCAN, l ? buckets : (r->t->most_bins + 31u) / 32u);
    if (!status)
        status = launch(r, RADIX_CLASSIFY, buckets);
    if (!status && linear && !r->job.stable)
        status = launch(r, plain ? RADIX_SCATTER_PLAIN : RADIX_SCATTER, some);
    if (!status && tree && !r->job.stable)
        status = launch(r, RADIX_SCATTER_TREE, some);
    if (!status && r->job.stable)
        status = launch(r, plain ? RADIX_STABLE_PLAIN : RADIX_STABLE, tickets);
    if (!status && linear)
        status = launch(r, RADIX_SCATTER_TILES, tiles);
    if (!status && tree)
        status = launch(r, RADIX_SCATTER_TILES_TREE, tiles);
    return status;
}

static cw_status medium_and_local(struct radix_run *r, int medium)
{
    const uint64_t blocks = r->job.passes ? 2u * (uint64_t)r->q->processors : 1u;
    cw_status status = CW_OK;

    if (medium)
        status =
            launch(r, RADIX_MEDIUM, r->job.drains ? cw_least(blocks, RADIX_MEDIUM_BLOCKS) : blocks);
    if (!status && r->job.passes <= 1u &&
        r->log == 10) /* short arrays: one launch for both lists */
        return launch_rows(r, RADIX_ROWS);
    for (uint32_t i = 0; i < RADIX_ROWS && !status; i++)
        status = launch_rows(r, i);
    r->job.half ^= r->job.drains;
    return status;
}

/* All that the pass put on lists. */
static cw_status drain(struct radix_run *r)
{
    const uint64_t last = cw_radix_rounds(r);
    cw_status status = medium_and_local(r, 0);

    for (uint64_t i = 1; i <= last && !status; i++) {
        r->job.forced = i == last;
        status = medium_and_local(r, 1);
    }
    r->job.forced = 0;
    return status;
}

cw_status cw_radix_enqueue(struct cw_queue *q, const struct radix_table *t,
                           const struct radix_task *task, void *workspace)
{
    struct radix_run r;
    cw_status status;

    memset(&r, 0, sizeof r);
    r.q = q;
    r.t = t;
    cw_radix_sizes(&r, task->n);
    r.job.in = task->in;
    r.job.out = task->out;
    r.job.in_values = task->in_values;
    r.job.out_values = task->out_values;
    r.job.map = task->map;
    r.job.seed = q->seed;
    r.job.gate = task->gate;
    r.job.leaves = task->leaves;
    r.job.leaves_runs = task->leaves_runs;
    r.job.stable = task->stable && t->value_bytes;
    r.job.one = 1;
    r.job.alone = task->n <= t->alone;
    if (r.job.alone)
        return task->n ? launch_rows(&r, task->n > 1u << r.log) : CW_OK;
    (void)cw_radix_layout(&r, (uint8_t *)workspace);
    r.job.both = r.job.tree && task->n < t->apart_least;
    status = launch(&r, RADIX_BEGIN, r.job.passes ? q->processors : 1u);
    if (!status && (r.job.tree || r.job.gate))
        status = launch(&r, RADIX_SAMPLE_KEYS, 1);
    for (uint32_t l = 0; l < r.job.passes && !status; l++) {
        status = pass(&r, l);
        if (!status && r.job.drains)
            status = drain(&r);
    }
    if (!status && !r.job.drains)
        status = medium_and_local(&r, 1);
    if (!status && r.job.write_outs)
        status = launch(&r, RADIX_WRITE_OUT, 2u * (uint64_t)q->processors);
    return status;
}
