/* space.c - the workspace of a comparison sort.
 *
 * Items go from `in` to `mid` or the second buffer, then back and forth between these, and from the
 * second buffer to `out`.  The buffer that they are not in is idle.  It holds what only one cut
 * needs: samples, what sorts them, and counts.  In short arrays it may be too small, so up to
 * SCRATCH of this is in the workspace.
 */
#include "sort/sample_sort/space.h"

#include <string.h>

#include "base/arena.h"
#include "base/arith.h"

#define SCRATCH (8u << 20)

enum sample_sort_engine cw_sample_sort_keys_alone(const struct sample_sort_table *t)
{
    return t->part_bytes == 8 ? SAMPLE_U64 : SAMPLE_U32;
}

/* Bytes that sort the samples of pass l.  Those of the array are an array, whose own launches have
 * what they need; asked for workspace, not less than shorter ones would have. */
static uint64_t sorting_bytes(const struct sample_sort_run *r, int l)
{
    const uint64_t samples = cw_sample_sort_samples(&r->cuts, l, r->task->n);
    struct sample_sort_task task;
    struct sample_sort_run inner;

    if (l) {
        const cw_rows rows = cw_sample_sort_rows_of(r, l);

        return cw_rows_workspace(&rows);
    }
    if (!r->q)
        return cw_sample_sort_bytes(r->task->tables, cw_sample_sort_keys_alone(r->t), samples,
                                    r->t->part_bytes);
    memset(&task, 0, sizeof task);
    task.tables = r->task->tables;
    task.engine = cw_sample_sort_keys_alone(r->t);
    task.n = samples;
    task.key_bytes = r->t->part_bytes;
    cw_sample_sort_begin(&inner, &task);
    inner.q = r->q;
    return cw_sample_sort_space(&inner, NULL);
}

cw_rows cw_sample_sort_rows_of(const struct sample_sort_run *r, int l)
{
    const uint64_t count = r->cuts.pass[l].longest / r->cuts.pass[l].every, row = r->t->row;
    cw_rows rows;

    memset(&rows, 0, sizeof rows);
    rows.type = r->t->part_bytes == 8 ? CW_U64 : CW_U32;
    rows.rows = 2u * (size_t)r->cuts.pass[l].room;
    rows.length = (size_t)(count <= row ? count : cw_most(row, count - row));
    rows.offsets = r->pass[l].rows;
    rows.items = (size_t)cw_sample_sort_samples(&r->cuts, l, r->task->n);
    rows.keys_in = r->job.drawn;
    rows.keys_out = r->job.samples;
    if (!rows.offsets)
        rows.offsets = (const uint64_t *)r; /* any address: only its size is asked for */
    return rows;
}

uint64_t cw_sample_sort_scratch(struct sample_sort_run *r, int l, uint8_t *base, void **rest)
{
    const uint64_t n = r->task->n, samples = cw_sample_sort_samples(&r->cuts, l, n);
    uint64_t at = 0;

    r->job.drawn = take(base, &at, samples * r->t->part_bytes);
    r->job.samples = take(base, &at, samples * r->t->part_bytes);
    r->job.raw = (uint32_t *)take(base, &at, 4u * cw_sample_sort_cells(&r->cuts, l, n));
    *rest = take(base, &at, 0);
    return at;
}

static void pass_layout(struct sample_sort_run *r, int number, uint8_t *base, uint64_t *at)
{
    const struct sample_sort_bounds *const b = &r->cuts.pass[number];
    struct sample_sort_pass *const l = &r->pass[number];
    const uint64_t entries = (uint64_t)b->room + 1u;

    memset(l, 0, sizeof *l);
    l->row = number ? r->t->row : UINT32_MAX; /* the array's samples are an array */
    l->room = b->room;
    l->target = b->target;
    l->every = b->every;
    l->span = cw_sample_sort_span(&r->cuts, number);
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

uint64_t cw_sample_sort_space(struct sample_sort_run *r, uint8_t *base)
{
    const uint64_t n = r->task->n;
    uint64_t at = 0, cells = 0, windows = 0, buckets = 0, scratch = 0, bytes;
    void *rest;

    if (!r->cuts.count && !r->cuts.merges)
        return 0;
    r->other = (uint8_t *)take(base, &at, n * r->task->key_bytes);
    r->other_rest = (uint32_t *)take(base, &at, r->t->rest ? 4u * n : 0u);
    if (r->cuts.merges)
        return at;
    for (int l = 0; l <= r->cuts.count; l++)
        pass_layout(r, l, base, &at);
    for (int l = 0; l < r->cuts.count; l++) {
        cells = cw_most(cells, cw_sample_sort_cells(&r->cuts, l, n));
        windows = cw_most(windows, cw_sample_sort_windows(&r->cuts, l));
        buckets = cw_most(buckets, r->cuts.pass[l + 1].room);
        bytes = cw_sample_sort_scratch(r, l, NULL, &rest) + sorting_bytes(r, l);
        r->idle[l] = bytes > SCRATCH && bytes + SAMPLE_ALIGN <= n * r->task->key_bytes;
        scratch = cw_most(scratch, r->idle[l] ? SCRATCH : bytes);
    }
    r->job.cuts = (uint16_t *)take(base, &at, 2u * cells);
    r->job.sums = (uint32_t *)take(base, &at, 4u * windows);
    r->job.guides = (uint8_t *)take(base, &at, (uint64_t)SAMPLE_GUIDE * buckets);
    r->job.list = (uint32_t *)take(base, &at, 4u * (n >> r->t->log_b) + 4u);
    r->job.list_count = (uint32_t *)take(base, &at, 4u);
    r->scratch = (uint8_t *)take(base, &at, scratch);
    return at;
}

void cw_sample_sort_begin(struct sample_sort_run *r, const struct sample_sort_task *task)
{
    memset(r, 0, sizeof *r);
    r->task = task;
    r->t = &task->tables[task->engine];
    cw_sample_sort_cuts(r->t, task->n, &r->cuts);
}

/* Are two arrays cut alike? */
static int alike(const struct sample_sort_cuts *a, const struct sample_sort_cuts *b)
{
    int same = a->count == b->count && a->brief == b->brief && !a->merges == !b->merges;

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
        struct sample_sort_run r;
        uint64_t low = 0, high = n; /* of low it is another way, of high the same */

        memset(&task, 0, sizeof task);
        task.tables = tables;
        task.engine = engine;
        task.n = n;
        task.key_bytes = key_bytes;
        cw_sample_sort_begin(&r, &task);
        if (!r.cuts.count && !r.cuts.merges)
            break;
        bytes = cw_most(bytes, cw_sample_sort_space(&r, NULL));
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
