/* plan.c - the launches of the MSD radix sort, by arithmetic of the host alone.
 *
 * Launches do not depend on keys, so a sort can be captured in a graph.  The workspace does not
 * depend on the device: arrays are divided for as many multiprocessors as the table says.
 *
 * Workspace, besides the second buffer:
 *
 *      counts of bins    for each bucket (at most 2025 of a pass) of two passes, and for each chunk
 *      lists             of rows and of medium buckets; radix/classify.h says how long
 *
 * Lists grow with the array up to 2^31 items.  For longer arrays they are worked off after every
 * pass: rows are sorted, then medium buckets are split in as many rounds as their rows may need,
 * and the rows of each round are sorted.  So no array needs more than 62 MiB besides the buffer
 * (keys alone: 56).
 */
#include "sort/radix/plan.h"
#include "base/arena.h"

#include <string.h>

/* Below, what a launch costs is more than what it could save. */
#define HEAVY_LEAST (1u << 24)

struct run {
    struct cw_queue *q;
    const struct radix_table *t;
    struct radix_job job;
    uint32_t log; /* rows are of 2^log items, or twice that */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static uint64_t slots(const struct radix_table *t)
{
    return (uint64_t)t->processors * t->move_blocks;
}

/* Chunks of a long array: some for each slot, which takes one after another. */
static uint64_t many_chunks(const struct radix_table *t)
{
    return (slots(t) > 200u ? 2u : 4u) * slots(t);
}

static uint64_t most_buckets(const struct radix_table *t, uint64_t n)
{
    return least(n / t->huge_least, RADIX_HUGE - 24) + 1u; /* no more are longer than huge */
}

/* Chunks of a pass, at most.  A bucket has up to four for every `chunk` of its items
 * (radix/classify.h), rounded, and at least one.  If buckets are longer than half of such a chunk,
 * rounding adds no more than a half. */
static uint64_t chunk_room(const struct radix_table *t, uint64_t n)
{
    const uint64_t buckets = most_buckets(t, n);

    return 4u * least(n / t->chunk_least, many_chunks(t)) + 8u +
           (t->passes ? buckets : buckets / 2u + 1u);
}

/* The length of rows: as short as two passes can make them, or one if that is enough.  Short rows
 * are sorted faster, and more bins cost little. */
static uint32_t row_log(const struct radix_table *t, uint64_t n)
{
    const uint64_t one = n / t->bins;
    const uint64_t items = one <= 3980u ? one : one / t->bins;

    if (n <= t->alone)
        return n <= 1024u ? 10 : n <= 2048u ? 11 : 12;
    return items <= 970u ? 10 : items <= 1940u ? 11 : 12;
}

/* At least n over the items of a row, for this n and all smaller ones.  Rows are longer than 2^10
 * only where there are 66055 of them or more, or n / 2^12. */
static uint64_t row_count(uint64_t n)
{
    return most(least(n >> 10, 66100u), n >> 12);
}

/* As many passes as tell any keys of a long bucket apart, 264 at a time.  Buckets that are left
 * after the last pass go to one block each. */
static uint32_t passes(const struct radix_table *t, uint64_t n)
{
    if (n <= t->huge_least)
        return 0;
    if (t->passes)
        return t->passes;
    if (n / t->bins <= 3980u)
        return 1;
    if (n <=
        (uint64_t)1 << 25) /* launches count, and a tree makes buckets of skewed arrays short */
        return n <= (uint64_t)1 << 22 ? 2 : 3;
    if (t->key_bytes == 4)
        return n <= (uint64_t)1 << 26 ? 4 : 5;
    return n >> 31 ? RADIX_PASSES : 6;
}

/* Room in lists: radix/classify.h. */
static void list_sizes(struct run *r, uint64_t n)
{
    struct radix_job *const j = &r->job;
    const uint64_t listed = row_count(least(n, r->t->drain_least));
    const uint64_t bins = j->few_bins * j->most_buckets; /* of a pass */
    uint64_t rows = 11u * listed / 4u + 2u * j->most_buckets * j->passes + 16u;
    uint64_t wide = listed + 16u, medium = listed / 2u + 16u;

    j->drains = n > r->t->drain_least;
    j->done_most = j->row_most[0] / 2u;
    if (r->t->value_bytes && !j->drains && n >> 30 == 0) {
        j->done_most = j->row_most[0] / 4u;
        rows += 2u * listed;
    }
    if (j->drains) {
        rows = most(rows, least(bins, 2u * row_count(n) + 2u * j->most_buckets) + 16u);
        wide = most(wide, most(rows / 2u, least(bins, row_count(n)) + 16u));
        medium = most(medium, least(bins, row_count(n) / 2u) + 16u);
    }
    j->row_room[0] = (uint32_t)rows;
    j->row_room[1] = (uint32_t)wide;
    j->medium_room = (uint32_t)medium;
}

/* Rounds for the medium buckets of a pass, at most.  Every round but the last one uses up the room
 * for rows, less what one bucket claims (radix/medium_buckets.h). */
static uint64_t rounds(const struct run *r)
{
    const struct radix_job *const j = &r->job;
    const uint64_t room = j->row_room[0], m = j->row_most[0];
    const uint64_t one = least(j->huge / m * 5u / 2u + 4u, room / 2u);
    const uint64_t all = j->n / m * 5u / 2u + 4u * (uint64_t)j->medium_room;

    return all / (room - one) + 2u;
}

/* Items of a stable sort's ticket: a tile, or several, so that the counts of all tickets do not
 * take too much room. */
static uint64_t ticket_items(const struct radix_table *t, uint64_t n)
{
    const uint64_t all = (n >> 30 ? t->tickets / 2u : t->tickets) * (uint64_t)t->ticket_items;

    return most((n + all - 1u) / all, 1) * t->ticket_items;
}

static void sizes(struct run *r, uint64_t n)
{
    struct radix_job *const j = &r->job;

    r->log = row_log(r->t, n);
    j->n = n;
    j->chunk = most(n / (n >> 25 ? many_chunks(r->t) : slots(r->t)) + 1u, r->t->chunk_least);
    j->huge = most(n / (RADIX_HUGE - 24) + 1u, r->t->huge_least);
    j->most_buckets = most_buckets(r->t, n);
    j->passes = passes(r->t, n);
    j->few_bins = n >> 30 ? r->t->bins : r->t->few_bins; /* lest lists are too long */
    if (j->passes == 1u)
        j->few_bins = (uint32_t)most(j->few_bins, r->t->one_bins);
    j->row_items = r->log < 12 ? 880u << (r->log - 10) : 3776u; /* few are longer than 2^log */
    for (uint32_t i = 0; i < RADIX_ROWS; i++)
        j->row_most[i] = 1u << (r->log + i);
    j->ticket_items = ticket_items(r->t, n);
    list_sizes(r, n);
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Stable sorts: tickets of a pass, which cut chunks. */
static uint64_t ticket_room(const struct run *r)
{
    return r->job.n / r->job.ticket_items + chunk_room(r->t, r->job.n);
}

int cw_radix_samples(const struct radix_table *t, uint64_t n)
{
    return n > t->alone && n >= t->sample_least && passes(t, n);
}

/* What the kernels keep, from `base` on (NULL: to learn its size, which is returned). */
static uint64_t layout(struct run *r, uint8_t *base)
{
    struct radix_job *const j = &r->job;
    const struct radix_table *const t = r->t;
    const uint64_t chunks = chunk_room(t, j->n), bins = 8u * (uint64_t)j->few_bins;
    uint64_t at = 0;

    j->tmp = take(base, &at, j->n * t->key_bytes);
    j->tmp_values = take(base, &at, j->n * t->value_bytes);
    j->state = (struct radix_state *)take(base, &at, sizeof *j->state);
    for (int i = 0; i < 2; i++) {
        j->buckets[i] =
            (struct radix_bucket *)take(base, &at, j->most_buckets * sizeof(struct radix_bucket));
        j->chunk_bucket[i] = (uint32_t *)take(base, &at, 4u * chunks);
    }
    j->starts = (uint64_t *)take(base, &at, bins * j->most_buckets * least(j->passes, 2u));
    if (cw_radix_samples(t, j->n) && t->tree_room) {
        j->tree = (struct radix_tree *)take(base, &at, sizeof *j->tree);
        j->tree_table = (uint32_t *)take(base, &at, 4u * t->tree_room);
        j->tree_ends = (uint64_t *)take(base, &at, 8u * (uint64_t)t->most_bins);
        j->tree_counted = (uint32_t *)take(base, &at, 4u * (uint64_t)t->most_bins);
        if (j->n >= t->apart_least) { /* else it would not pay */
            j->write_outs =
                (struct radix_write_out *)take(base, &at, RADIX_WRITE_OUTS * sizeof *j->write_outs);
            j->counters = (uint32_t *)take(base, &at, 4u * (uint64_t)t->counters);
        }
        if (j->n >> 32) /* counters have 32 bits */
            j->write_outs = NULL;
    }
    j->chunk_keys = (uint64_t *)take(base, &at, 24u * chunks);
    j->chunk_way = (uint32_t *)take(base, &at, 4u * chunks);
    j->crowded = (uint32_t *)take(base, &at, 4u * chunks);
    j->counts = (uint64_t *)take(base, &at, 8u * (uint64_t)t->most_bins * chunks);
    if (t->ticket_threads) {
        j->ticket_list =
            (struct radix_ticket *)take(base, &at, ticket_room(r) * sizeof(struct radix_ticket));
        j->before = (uint32_t *)take(base, &at, 4u * (uint64_t)t->most_bins * ticket_room(r));
    }
    j->medium = (uint64_t *)take(base, &at, (16u + 2u * t->key_bytes) * (uint64_t)j->medium_room);
    for (int i = 0; i < RADIX_ROWS; i++)
        j->row_list[i] = (uint64_t *)take(base, &at, 8u * (uint64_t)j->row_room[i]);
    return at;
}

uint64_t cw_radix_bytes(const struct radix_table *t, uint64_t n)
{
    struct run r;

    if (n <= t->alone)
        return 0;
    memset(&r, 0, sizeof r);
    r.t = t;
    sizes(&r, n);
    return layout(&r, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static uint32_t threads(const struct run *r, enum radix_kernel k)
{
    const struct radix_table *const t = r->t;

    if (k == RADIX_STABLE || k == RADIX_STABLE_PLAIN)
        return t->ticket_threads;
    if (k == RADIX_CLASSIFY ||
        (k == RADIX_SCAN && r->job.pass)) /* one a bin: several blocks at a time */
        return (t->most_bins + 31u) / 32u * 32u;
    return k == RADIX_SCATTER_TILES || k == RADIX_SCATTER_TILES_TREE ? t->tile_threads : t->threads;
}

static cw_status launch(struct run *r, enum radix_kernel k, uint64_t blocks)
{
    const struct cw_launch l = {r->t->kernel[k], (uint32_t)most(blocks, 1), threads(r, k),
                                r->t->shared[k], &r->job};

    return r->q->launch(r->q, &l);
}

static cw_status launch_rows(struct run *r, uint32_t which)
{
    const uint32_t log = r->log + (which ? 1u : 0u);
    const struct radix_row_kernel *const k =
        &r->t->row[r->job.n >= r->t->narrow_least][log - RADIX_ROW_FIRST];
    const uint64_t rows = r->job.alone          ? 1
                          : which == RADIX_ROWS ? (uint64_t)r->job.row_room[0] + r->job.row_room[1]
                                                : r->job.row_room[which];
    const uint64_t all = (uint64_t)r->q->processors * k->blocks;
    const struct cw_launch l = {k->kernel, (uint32_t)most(least(rows, all), 1), 1u << (log - 5u),
                                k->shared, &r->job};

    r->job.which = which;
    return r->q->launch(r->q, &l);
}

static cw_status pass(struct run *r, uint32_t l)
{
    const uint64_t chunks = r->job.n / r->job.chunk + 1u, processors = r->q->processors;
    const uint64_t some = least(chunks, processors * r->t->move_blocks);
    const uint64_t tiles = least(chunks, processors * r->t->tile_blocks);
    const uint64_t tickets = least(ticket_room(r), processors * r->t->ticket_blocks);
    const uint64_t buckets = l ? 3u * processors : 1u;
    const int plain = (int)r->job.map.plain;
    const int tree = l == 0 && r->job.tree;
    const int linear = l || !r->job.both;
    cw_status status = CW_OK;

    r->job.pass = l;
    if (linear)
        status = launch(r, plain ? RADIX_HISTOGRAM_PLAIN : RADIX_HISTOGRAM,
                        least(chunks, 4u * processors));
    if (!status && tree)
        status = launch(r, RADIX_HISTOGRAM_TREE, least(chunks, 3u * processors));
    if (!status && r->job.stable)
        status = launch(r, RADIX_SCAN, l ? buckets : (r->t->most_bins + 31u) / 32u);
    if (!status)
        status = launch(r, RADIX_CLASSIFY, buckets);
    if (!status && linear && !r->job.stable)
        status = launch(r, plain ? RADIX_SCATTER_PLAIN : RADIX_SCATTER, some);
    if (!status && tree && !r->job.stable)
        status = launch(r, RADIX_SCATTER_TREE, some);
    if (!status && r->job.heavy)
        status = launch(r, RADIX_SCATTER_HEAVY, some);
    if (!status && r->job.stable)
        status = launch(r, plain ? RADIX_STABLE_PLAIN : RADIX_STABLE, tickets);
    if (!status && linear)
        status = launch(r, RADIX_SCATTER_TILES, tiles);
    if (!status && tree)
        status = launch(r, RADIX_SCATTER_TILES_TREE, tiles);
    return status;
}

static cw_status medium_and_local(struct run *r, int medium)
{
    const uint64_t blocks = r->job.passes ? 2u * (uint64_t)r->q->processors : 1u;
    cw_status status = CW_OK;

    if (medium)
        status =
            launch(r, RADIX_MEDIUM, r->job.drains ? least(blocks, RADIX_MEDIUM_BLOCKS) : blocks);
    if (!status && r->job.passes <= 1u &&
        r->log == 10) /* short arrays: one launch for both lists */
        return launch_rows(r, RADIX_ROWS);
    for (uint32_t i = 0; i < RADIX_ROWS && !status; i++)
        status = launch_rows(r, i);
    r->job.half ^= r->job.drains;
    return status;
}

/* All that the pass put on lists. */
static cw_status drain(struct run *r)
{
    const uint64_t last = rounds(r);
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
    struct run r;
    cw_status status;

    memset(&r, 0, sizeof r);
    r.q = q;
    r.t = t;
    sizes(&r, task->n);
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
    r.job.heavy = !r.job.stable && (task->n > HEAVY_LEAST || t->passes);
    if (r.job.stable && task->n >> 25 == 0) /* short ones: a chunk for each block of tiles */
        r.job.chunk = most(task->n / (t->processors * t->tile_blocks) + 1u, t->chunk_least);
    r.job.one = 1;
    r.job.alone = task->n <= t->alone;
    if (r.job.alone)
        return task->n ? launch_rows(&r, task->n > 4096u) : CW_OK;
    (void)layout(&r, (uint8_t *)workspace);
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
