/* grid_plan.c - the launches of a whole-device sort, by host arithmetic alone.
 *
 * Nothing depends on the keys, so that a sort can be captured in a graph.  Nor does the workspace
 * depend on the device: arrays are divided for as many multiprocessors as the table says.
 *
 * Workspace besides the second buffer: counts of bins for each part of each level (at most 2000
 * parts of a level) and for each chunk, lists of rows and of parts (grid_split.h says how long).
 */
#include "kernels/grid_plan.h"

#include <string.h>

/* Below, what a launch costs is more than what it could save. */
#define HOT_LEAST (1u << 24)

struct run {
    struct cw_queue *q;
    const struct grid_table *t;
    struct grid_job job;
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

static uint64_t slots(const struct grid_table *t)
{
    return (uint64_t)t->processors * t->move_blocks;
}

/* Chunks of a long array: some for each slot, which takes one after another. */
static uint64_t many_chunks(const struct grid_table *t)
{
    return (slots(t) > 200u ? 2u : 4u) * slots(t);
}

static uint64_t most_parts(const struct grid_table *t, uint64_t n)
{
    return least(n / t->huge_least, GRID_HUGE - 24) + 1u; /* no more are longer than huge */
}

/* Chunks of a level: a part has up to four for every `chunk` of its items (grid_split.h), rounded, and
 * at least one. */
static uint64_t chunk_room(const struct grid_table *t, uint64_t n)
{
    return 4u * least(n / t->chunk_least, many_chunks(t)) + 8u + most_parts(t, n);
}

/* Rows as short as two splits can make them, or one if that is enough: short rows are sorted
 * faster, and a split into more bins costs little more. */
static uint32_t row_log(const struct grid_table *t, uint64_t n)
{
    const uint64_t one = n / t->bins;
    const uint64_t items = one <= 3980u ? one : one / t->bins;

    if (n <= t->alone)
        return n <= 1024u ? 10 : n <= 2048u ? 11 : 12;
    return items <= 970u ? 10 : items <= 1940u ? 11 : 12;
}

/* Not less than n over the items of a row, for this n and all smaller ones: rows are longer than
 * 2^10 only where that leaves 66055 of them, or n / 2^12. */
static uint64_t row_count(uint64_t n)
{
    return most(least(n >> 10, 66100u), n >> 12);
}

/* As many levels as it takes to tell any keys apart 264 at a time, for long parts; others go to
 * one block when no level is left. */
static uint32_t levels(const struct grid_table *t, uint64_t n)
{
    if (n <= t->huge_least)
        return 0;
    if (t->levels)
        return t->levels;
    if (n / t->bins <= 3980u)
        return 1;
    if (n <= (uint64_t)1 << 22)
        return 2;
    if (t->key_bytes == 4)
        return 5;
    return n >> 31 ? GRID_LEVELS : 6;
}

static void sizes(struct run *r, uint64_t n)
{
    struct grid_job *const j = &r->job;

    r->log = row_log(r->t, n);
    j->n = n;
    j->chunk = most(n / (n >> 25 ? many_chunks(r->t) : slots(r->t)) + 1u, r->t->chunk_least);
    j->huge = most(n / (GRID_HUGE - 24) + 1u, r->t->huge_least);
    j->most_parts = most_parts(r->t, n);
    j->levels = levels(r->t, n);
    j->row_items = r->log < 12 ? 915u << (r->log - 10) : 3840u;
    for (uint32_t i = 0; i < GRID_ROWS; i++)
        j->row_most[i] = 1u << (r->log + i);
    j->row_room[0] = (uint32_t)(6u * row_count(n) + 2u * j->most_parts * j->levels + 16u);
    j->row_room[1] = (uint32_t)(row_count(n) + 16u);
    j->mid_room = (uint32_t)(row_count(n) / 2u + 16u);
}

/* ---- workspace ------------------------------------------------------------------------------ */

static void *take(uint8_t *base, uint64_t *at, uint64_t bytes)
{
    void *const here = base ? base + *at : NULL;

    *at += (bytes + 255u) / 256u * 256u;
    return here;
}

/* What the kernels keep, from `base` on (NULL: to learn its size, which is returned). */
static uint64_t layout(struct run *r, uint8_t *base)
{
    struct grid_job *const j = &r->job;
    const struct grid_table *const t = r->t;
    const uint64_t chunks = chunk_room(t, j->n), bins = 8u * (uint64_t)t->bins;
    uint64_t at = 0;

    j->tmp = take(base, &at, j->n * t->key_bytes);
    j->tmp_values = take(base, &at, j->n * t->value_bytes);
    j->state = (struct grid_state *)take(base, &at, sizeof *j->state);
    for (int i = 0; i < 2; i++) {
        j->parts[i] = (struct grid_part *)take(base, &at, j->most_parts * sizeof(struct grid_part));
        j->chunk_part[i] = (uint32_t *)take(base, &at, 4u * chunks);
    }
    j->starts = (uint64_t *)take(base, &at, bins * j->most_parts * j->levels);
    if (j->n >= t->tree_least && j->levels) {
        j->tree = (struct grid_tree *)take(base, &at, sizeof *j->tree);
        j->tree_table = (uint32_t *)take(base, &at, 4u * t->tree_room);
        j->tree_ends = (uint64_t *)take(base, &at, 8u * (uint64_t)t->most_bins);
    }
    j->chunk_keys = (uint64_t *)take(base, &at, 16u * chunks);
    j->chunk_way = (uint32_t *)take(base, &at, 4u * chunks);
    j->crowded = (uint32_t *)take(base, &at, 4u * chunks);
    j->counts = (uint64_t *)take(base, &at, 8u * (uint64_t)t->most_bins * chunks);
    j->mid = (struct grid_part *)take(base, &at, j->mid_room * sizeof(struct grid_part));
    for (int i = 0; i < GRID_ROWS; i++)
        j->row_list[i] = (uint64_t *)take(base, &at, 8u * (uint64_t)j->row_room[i]);
    return at;
}

uint64_t cw_grid_bytes(const struct grid_table *t, uint64_t n)
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

static cw_status launch(struct run *r, enum grid_kernel k, uint64_t blocks)
{
    const struct cw_launch l = {r->t->kernel[k], (uint32_t)most(blocks, 1),
                                k == GRID_TILES || k == GRID_TILES_TREE ? r->t->tile_threads
                                                                        : r->t->threads,
                                r->t->shared[k], &r->job};

    return r->q->launch(r->q, &l);
}

static cw_status launch_rows(struct run *r, uint32_t which)
{
    const uint32_t log = r->log + which, threads = 1u << (log - 5u);
    const uint64_t rows = r->job.alone ? 1 : r->job.row_room[which];
    const uint64_t all = (uint64_t)r->q->processors * (r->t->row_threads / threads);
    const struct cw_launch l = {r->t->row[log - GRID_ROW_FIRST],
                                (uint32_t)most(least(rows, all), 1), threads,
                                r->t->row_shared[log - GRID_ROW_FIRST], &r->job};

    r->job.which = which;
    return r->q->launch(r->q, &l);
}

static cw_status level(struct run *r, uint32_t l)
{
    const uint64_t chunks = r->job.n / r->job.chunk + 1u, processors = r->q->processors;
    const uint64_t some = least(chunks, processors * r->t->move_blocks);
    const uint64_t tiles = least(chunks, processors * r->t->tile_blocks);
    const uint64_t parts = l ? 2u * processors : 1u;
    const int plain = (int)r->job.map.plain;
    const int tree = l == 0 && r->job.tree;
    cw_status status;

    r->job.level = l;
    status = launch(r, plain ? GRID_COUNT_PLAIN : GRID_COUNT, least(chunks, 4u * processors));
    if (!status && tree)
        status = launch(r, GRID_COUNT_TREE, least(chunks, 3u * processors));
    if (!status && r->job.stable)
        status = launch(r, GRID_ORDER, parts);
    if (!status)
        status = launch(r, GRID_SPLIT, parts);
    if (!status && !r->job.stable)
        status = launch(r, plain ? GRID_MOVE_PLAIN : GRID_MOVE, some);
    if (!status && tree && !r->job.stable)
        status = launch(r, GRID_MOVE_TREE, some);
    if (!status && r->job.hot)
        status = launch(r, GRID_HOT, some);
    if (!status)
        status = launch(r, GRID_TILES, tiles);
    if (!status && tree)
        status = launch(r, GRID_TILES_TREE, tiles);
    return status;
}

cw_status cw_grid_enqueue(struct cw_queue *q, const struct grid_table *t,
                          const struct grid_task *task, void *workspace)
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
    r.job.stable = task->stable && t->value_bytes;
    r.job.hot = !r.job.stable && (task->n > HOT_LEAST || t->levels);
    if (r.job.stable && task->n >> 25 == 0) /* short ones: a chunk for each block of tiles */
        r.job.chunk = most(task->n / (t->processors * t->tile_blocks) + 1u, t->chunk_least);
    r.job.one = 1;
    r.job.alone = task->n <= t->alone;
    if (r.job.alone)
        return task->n ? launch_rows(&r, task->n > 4096u) : CW_OK;
    (void)layout(&r, (uint8_t *)workspace);
    status = launch(&r, GRID_BEGIN, r.job.levels ? q->processors : 1u);
    if (!status && r.job.tree)
        status = launch(&r, GRID_SAMPLE_KEYS, 1);
    for (uint32_t l = 0; l < r.job.levels && !status; l++)
        status = level(&r, l);
    if (!status)
        status = launch(&r, GRID_MIDS, r.job.levels ? 2u * (uint64_t)q->processors : 1u);
    for (uint32_t i = 0; i < GRID_ROWS && !status; i++)
        status = launch_rows(&r, i);
    return status;
}
