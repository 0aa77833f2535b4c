/* plan.c - the launches of a partition, most significant digit first, by arithmetic of the host
 * alone.
 *
 * Launches do not depend on keys, so a partition can be captured in a graph.  The workspace does
 * not depend on the device: pieces are made for as many multiprocessors as the table says.  Each is
 * a whole number of tiles, or of rounds of queues, so that all multiprocessors end together.
 *
 * Up to 256 buckets take one pass, more take two.  The digits of both are about equally wide, since
 * narrow ones are cheaper.  Passes hand items back and forth between the output and a second
 * buffer. The last one ends in the output.
 *
 * Workspace, besides the second buffer of several passes: 24 bytes a bucket, and 8 a digit and
 * piece.  There are some pieces for each multiprocessor: 3 MiB for 256 buckets, whatever n is.  In
 * order there are 4 bytes a digit and ticket (partition/scatter_stable.h), of at most some 65536
 * tickets: up to 70 MiB.
 */
#include "partition/plan.h"
#include "base/arena.h"
#include "base/arith.h"

#include <string.h>

#define TURNS           3u  /* pieces of a multiprocessor's block; where ranges cut them, .. */
#define TURNS_CUT       8u  /* .. so that their ragged ends matter less */
#define COMBINING_LEAST 16u /* bins for which queues are worth it */
#define TICKET_LEAST    16u /* bins for which tiles should be moved beside their neighbours */

struct run {
    struct cw_queue *q;
    const struct partition_table *t;
    const struct partition_task *task;
    uint32_t passes, width[PARTITION_LEVELS], shift[PARTITION_LEVELS], ranges[PARTITION_LEVELS];
    struct partition_job job;
    uint64_t *starts[2];
    void *tmp, *tmp_values;
    uint32_t *before;
};

/* ---- sizes ---------------------------------------------------------------------------------- */

static uint32_t bits_of(uint32_t buckets)
{
    uint32_t bits = 1;

    while (bits < 16u && buckets > (uint32_t)1 << bits)
        bits++;
    return bits;
}

static void begin(struct run *r, const struct partition_table *t, const struct partition_task *task)
{
    uint32_t left = bits_of(task->rule.buckets);

    memset(r, 0, sizeof *r);
    r->t = t;
    r->task = task;
    r->passes = (left + t->width - 1u) / t->width;
    for (uint32_t l = 0; l < r->passes; l++) {
        r->ranges[l] =
            (uint32_t)(((uint64_t)task->rule.buckets + ((uint64_t)1 << left) - 1u) >> left);
        r->width[l] = (left + r->passes - l - 1u) / (r->passes - l);
        left -= r->width[l];
        r->shift[l] = left;
    }
}

static int tiled(const struct run *r, uint32_t l)
{
    return r->task->stable || (uint32_t)1 << r->width[l] < COMBINING_LEAST;
}

static uint64_t slots(const struct run *r, uint32_t l, uint32_t processors)
{
    const struct partition_table *const t = r->t;

    return (uint64_t)processors * (tiled(r, l) ? r->t->tile.blocks : t->queue_blocks);
}

/* Whether the tiles of a piece are moved by many blocks, each of which knows where they go. */
static int tickets_taken(const struct run *r, uint32_t l)
{
    return r->task->stable && tiled(r, l) && (uint32_t)1 << r->width[l] >= TICKET_LEAST;
}

static uint64_t chunk_of(const struct run *r, uint32_t l)
{
    const uint64_t unit = tiled(r, l) ? r->t->tile.items : r->t->queue_items;
    const uint64_t units = (r->task->n + unit - 1u) / unit;
    const uint64_t counted = (l ? TURNS_CUT : 2u) * (uint64_t)r->t->processors * r->t->count_blocks;
    const uint64_t moved = (l ? TURNS_CUT : TURNS) * slots(r, l, r->t->processors);
    const uint64_t blocks = tickets_taken(r, l) ? counted : moved;

    return (units + blocks - 1u) / blocks * unit;
}

/* Items of a ticket: a tile, if that does not make too many tickets. */
static uint64_t ticket_of(const struct run *r, uint32_t l)
{
    const uint64_t tiles = (r->task->n + r->t->tile.items - 1u) / r->t->tile.items;
    const uint64_t ticket_items = (tiles / r->t->tickets + 1u) * r->t->tile.items;

    return tickets_taken(r, l) ? cw_least(ticket_items, chunk_of(r, l)) : chunk_of(r, l);
}

static uint64_t turns_of(const struct run *r, uint32_t l)
{
    const uint64_t ticket_items = ticket_of(r, l);

    return (chunk_of(r, l) + ticket_items - 1u) / ticket_items;
}

static uint64_t chunks_of(const struct run *r, uint32_t l)
{
    const uint64_t chunk = chunk_of(r, l);

    return (r->task->n + chunk - 1u) / chunk;
}

static uint64_t pieces_of(const struct run *r, uint32_t l)
{
    return chunks_of(r, l) + (r->ranges[l] > 1 ? r->ranges[l] : 0u);
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const uint64_t n = r->task->n;
    uint64_t pieces = 0, counts = 0, starts = 0, tickets = 0, at = 0;

    for (uint32_t l = 0; l < r->passes; l++) {
        const uint64_t p = pieces_of(r, l);

        pieces = cw_most(pieces, p);
        counts = cw_most(counts, p << r->width[l]);
        if (turns_of(r, l) > 1)
            tickets = cw_most(tickets, p * turns_of(r, l) << r->width[l]);
        starts = (uint64_t)r->ranges[l] << r->width[l];
    }
    r->tmp = take(base, &at, r->passes > 1 ? 4u * n : 0);
    r->tmp_values = take(base, &at, r->passes > 1 && r->task->pairs ? 4u * n : 0);
    r->starts[0] = (uint64_t *)take(base, &at, 8u * starts);
    r->starts[1] = (uint64_t *)take(base, &at, 8u * starts);
    r->job.totals = (uint64_t *)take(base, &at, 8u * starts);
    r->job.bounds = (uint64_t *)take(base, &at, 8u * (pieces + 1u));
    r->job.range = (uint32_t *)take(base, &at, 4u * pieces);
    r->job.way = (uint32_t *)take(base, &at, 4u * pieces);
    r->job.counts = (uint64_t *)take(base, &at, 8u * counts);
    r->before = (uint32_t *)take(base, &at, 4u * tickets);
    return at;
}

uint64_t cw_partition_plan_bytes(const struct partition_table *t, const struct partition_task *task)
{
    struct run r;

    begin(&r, t, task);
    return layout(&r, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct run *r, enum cw_kernel kernel, uint64_t blocks, uint32_t threads,
                        uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)(blocks ? blocks : 1), threads, shared, &r->job};

    return r->q->launch(r->q, &l);
}

/* Where items stand before and after pass l. */
static void route(struct run *r, uint32_t l)
{
    const int to_out = (r->passes - l) % 2u == 1;
    struct partition_move *const m = &r->job.move;

    m->in = l == 0 ? r->task->keys : to_out ? r->tmp : r->task->keys_out;
    m->in_values = l == 0 ? r->task->values : to_out ? r->tmp_values : r->task->values_out;
    m->out = to_out ? r->task->keys_out : r->tmp;
    m->out_values = to_out ? r->task->values_out : r->tmp_values;
}

static void set_pass(struct run *r, uint32_t l)
{
    struct partition_job *const a = &r->job;

    a->pass = l;
    a->chunk = chunk_of(r, l);
    a->chunks = (uint32_t)chunks_of(r, l);
    a->ranges = r->ranges[l];
    a->pieces = (uint32_t)pieces_of(r, l);
    a->shift = r->shift[l];
    a->width = r->width[l];
    a->ticket_items = ticket_of(r, l);
    a->tickets = (uint32_t)turns_of(r, l);
    a->before = a->tickets > 1 ? r->before : NULL;
    a->tiled = (uint32_t)tiled(r, l);
    a->round = r->t->queue_items;
    a->cap = (uint32_t)cw_least(r->t->queue_room >> a->width & ~31u, 32768u);
    a->starts = r->starts[l & 1u];
    a->next = r->starts[~l & 1u];
    route(r, l);
}

static cw_status move(struct run *r)
{
    const struct partition_table *const t = r->t;
    const struct partition_job *const a = &r->job;
    const int plain = (int)a->rule.plain;
    const enum partition_kernel combining = plain ? PARTITION_COMBINING : PARTITION_COMBINING_ANY;
    enum partition_kernel tile = plain ? PARTITION_TILE8 : PARTITION_TILE8_ANY;
    cw_status status = CW_OK;

    if (a->width <= 5)
        tile = !plain ? PARTITION_TILE5_ANY : a->width == 1 ? PARTITION_TILE1 : PARTITION_TILE5;
    if (!a->tiled)
        status = launch(r, t->kernel[combining],
                        cw_least(a->pieces, slots(r, a->pass, r->q->processors)), t->queue_threads,
                        t->shared[combining]);
    if (!status)
        status = launch(r, t->kernel[tile],
                        cw_least((uint64_t)a->pieces * a->tickets,
                                 (uint64_t)r->q->processors * r->t->tile.blocks),
                        r->t->tile.threads, t->shared[tile]);
    return status;
}

static cw_status pass(struct run *r, uint32_t l)
{
    const struct partition_table *const t = r->t;
    const struct partition_job *const a = &r->job;
    const uint64_t processors = r->q->processors;
    const uint32_t scan = l && t->scan_threads > 256u ? 256u : t->scan_threads;
    cw_status status = CW_OK;
    uint64_t groups;

    set_pass(r, l);
    groups = (uint64_t)a->ranges * (((1u << a->width) + 31u) / 32u);
    if (a->ranges > 1)
        status = launch(r, CW_KERNEL_cw_partition_pieces, a->pieces / PARTITION_PLAIN + 1u,
                        PARTITION_PLAIN, 0);
    if (!status)
        status = launch(r,
                        a->rule.plain ? CW_KERNEL_cw_partition_histogram_plain
                                      : CW_KERNEL_cw_partition_histogram,
                        cw_least(a->pieces, t->count_blocks * processors), t->count_threads,
                        t->count_shared);
    if (!status)
        status = launch(r, CW_KERNEL_cw_partition_scan, cw_least(groups, 8u * processors), scan,
                        8u * scan);
    if (!status)
        status = launch(r, CW_KERNEL_cw_partition_starts, cw_least(a->ranges, 8u * processors),
                        1u << t->width, t->scan_shared);
    return status ? status : move(r);
}

/* Two buckets, in any order, of keys that need no check: one reading. */
static cw_status once(struct run *r)
{
    const struct partition_table *const t = r->t;

    set_pass(r, 0);
    return launch(
        r, t->kernel[PARTITION_ONCE],
        cw_least(r->task->n / t->tile.items + 1u, (uint64_t)r->q->processors * t->tile.blocks),
        t->tile.threads, t->shared[PARTITION_ONCE]);
}

cw_status cw_partition_enqueue(struct cw_queue *q, const struct partition_table *t,
                               const struct partition_task *task, struct partition_state *state,
                               void *workspace, const uint64_t **starts)
{
    cw_status status = CW_OK;
    struct run r;

    begin(&r, t, task);
    r.q = q;
    (void)layout(&r, (uint8_t *)workspace);
    r.job.rule = task->rule;
    r.job.n = task->n;
    r.job.state = state;
    if (task->rule.buckets == 2 && !task->stable && task->rule.plain &&
        task->rule.most == UINT64_MAX) {
        *starts = state->ends;
        return once(&r);
    }
    for (uint32_t l = 0; l < r.passes && !status; l++)
        status = pass(&r, l);
    *starts = r.starts[r.passes & 1u];
    return status;
}
