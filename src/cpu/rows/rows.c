/* rows.c - cw_sort_rows on threads of the host.
 *
 * The rows are cut into tasks, runs of rows of about TASK keys; threads take one after another.
 * In a task a thread sorts as many rows at a time as its buffers hold (rows/body.h).  One row is
 * never shared among threads.
 *
 * Space: for each thread two words a key of a task or of the longest row, whichever is more, the columns
 *        of one group of leaves and the values of one row.
 */
#include "cpu/rows/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "cpu/sort/ties.h"
#include "cpu/sort/vectors/vectors.h"
#include "cpu/sort/work.h"
#include "cpu/work.h"
#include "base/status.h"

#define TASK       16384u /* keys */
#define ALONE      2u     /* vectors of a mean row, at least, that is sorted alone */
#define ALIGNMENT  64u    /* of every buffer */
#define WORD(kind) ((size_t)4 << (kind))

/* What the lengths of rows are. */
struct extent {
    size_t longest, total;
};

/* ---- arguments ------------------------------------------------------------------------------ */

static cw_status look_at_offsets(const cw_rows *job, struct extent *out)
{
    *out = (struct extent){0, 0};
    for (size_t r = 0; r < job->rows; r++) {
        const uint64_t start = cw_row_start(job, r), end = cw_row_end(job, r);

        if (end < start)
            return cw_fail(CW_ERR_ARGUMENT, "row %zu: offsets fall from %" PRIu64 " to %" PRIu64, r,
                           start, end);
        if (end > job->items)
            return cw_fail(CW_ERR_ARGUMENT, "row %zu ends at %" PRIu64 ", past all %zu items", r,
                           end, job->items);
        if (end - start > job->length)
            return cw_fail(CW_ERR_LENGTH, "row %zu has %" PRIu64 " keys, more than %zu", r,
                           end - start, job->length);
        if (end - start > out->longest)
            out->longest = (size_t)(end - start);
        out->total += (size_t)(end - start);
    }
    return CW_OK;
}

static cw_status look_at_rows(const cw_rows *job, struct extent *out)
{
    if (job->length > CW_ROWS_MAX)
        return cw_fail(CW_ERR_LENGTH, "rows of %zu keys, more than %u", job->length, CW_ROWS_MAX);
    if (job->offsets && job->rows)
        return look_at_offsets(job, out);
    out->longest = job->length;
    out->total = job->rows * job->length;
    return CW_OK;
}

/* ---- plan ----------------------------------------------------------------------------------- */

/* `tied`: equal keys may have other bits, if the map says so. */
static struct cw_work work_of(const cw_rows *job, const struct cw_columns *columns, int tied)
{
    const size_t bytes = cw_type_bytes(job->type);
    struct cw_work w;

    w.job = job;
    w.map = cw_key_map_of_rows(job);
    w.map.tied = w.map.tied && tied;
    w.columns = columns;
    w.placed = job->value_bytes || job->index_out || w.map.tied;
    w.kind = bytes <= 4 && !w.placed                           ? 0
             : bytes <= 2 && w.placed && job->length <= 65536u ? 0
             : bytes <= 4 || !w.placed                         ? 1
                                                               : 2;
    w.direct = w.map.plain && !w.placed && bytes == WORD(w.kind) &&
               (uintptr_t)job->keys_in % bytes == 0 && (uintptr_t)job->keys_out % bytes == 0;
    w.vectors = cw_vectors_of(columns, w.kind);
    w.alone = 0;
    w.mapper = NULL;
    return w;
}

/* How many rows a task has: about TASK keys, and lanes filled where rows are leaves; but long rows
 * are rather dealt to all threads than sorted side by side by some. */
static size_t rows_of_task(const struct cw_work *w, const struct extent *e, unsigned threads)
{
    const size_t rows = w->job->rows, mean = e->total / rows, lanes = cw_lanes(w->kind);
    const size_t some = TASK / (mean ? mean : 1);

    if (some > lanes)
        return some - some % lanes;
    if (mean <= w->columns->limit[w->kind])
        return lanes;
    if (mean > w->columns->wide[w->kind])
        return some ? some : 1;
    return rows / threads >= lanes ? lanes : rows > threads ? rows / threads : 1;
}

/* The longest row, all that there is to do, a task, lanes full of leaves: the most that it takes
 * for one of the last three. */
static size_t capacity_of(const struct cw_work *w, const struct extent *e)
{
    const size_t leaves = cw_lanes(w->kind) * (size_t)w->columns->wide[w->kind];
    const size_t task = leaves > TASK ? leaves : TASK;
    const size_t some = e->total < task ? e->total : task;

    return e->longest > some ? e->longest : some;
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* Where in a thread's memory its buffers begin; `loaded` is at 0. */
struct layout {
    size_t sorted, parts, columns, values, leaves, end;
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static struct layout layout_of(const struct cw_work *w, size_t longest)
{
    const size_t words = aligned(w->capacity * WORD(w->kind));
    const size_t wide = w->columns->wide[w->kind];
    const size_t lines = (longest < wide ? longest + 7 : wide) + 1;
    struct layout at;

    at.sorted = words;
    at.parts = at.sorted + words;
    at.columns = at.parts + aligned(longest * sizeof(uint16_t));
    at.values = at.columns + aligned(lines * cw_lanes(w->kind) * WORD(w->kind));
    at.leaves = at.values + aligned(longest * w->job->value_bytes);
    at.end = at.leaves + aligned(2 * CW_LEAVES * sizeof(struct cw_leaf));
    return at;
}

static struct cw_worker worker_of(const struct cw_work *w, const struct layout *at, char *memory)
{
    struct cw_worker t;

    t.work = w;
    t.loaded = memory;
    t.sorted = memory + at->sorted;
    t.parts = memory + at->parts;
    t.columns = memory + at->columns;
    t.values = memory + at->values;
    t.leaves = (struct cw_leaf *)(memory + at->leaves);
    t.leaf_count = 0;
    t.random = 0;
    t.alert = 0;
    t.moved = 0;
    t.together = 0;
    return t;
}

/* ---- work ----------------------------------------------------------------------------------- */

/* Rows first .. last - 1, as many at a time as the buffers hold. */
static void do_task(struct cw_worker *t, size_t first, size_t last)
{
    static cw_rows_sort *const sort[] = {cw_cpu_rows4, cw_cpu_rows8, cw_cpu_rows16};
    const cw_rows *job = t->work->job;

    while (first < last) {
        size_t words = cw_row_keys(job, first), r = first + 1;

        while (r < last && words + cw_row_keys(job, r) <= t->work->capacity)
            words += cw_row_keys(job, r++);
        sort[t->work->kind](t, first, r);
        first = r;
    }
}

/* What all threads share. */
struct tasks {
    const struct cw_work *work;
    const struct layout *layout;
    char *memory;
};

static void do_rows(void *user, size_t first, size_t last, unsigned thread)
{
    const struct tasks *all = (const struct tasks *)user;
    struct cw_worker t = worker_of(all->work, all->layout, all->memory + thread * all->layout->end);

    do_task(&t, first, last);
}

/* What the ways to treat keys look at. */
static struct cw_sorter mapper_of(const struct cw_work *w)
{
    struct cw_sorter s = {0};

    s.map = w->map;
    s.bytes[0] = cw_type_bytes(w->job->type);
    s.keys = cw_sort_keys_of(w->columns, s.bytes[0]);
    s.range = s.map.mask;
    return s;
}

/* Floats alone, whose bits a stable sort keeps: are there any that are equal with other bits (sort/ties.h)? */
static int tied(const cw_rows *job, const struct cw_columns *columns, struct cw_team *team,
                unsigned threads)
{
    const struct cw_key_map map = cw_key_map_of_rows(job);

    if (!map.tied || job->value_bytes || job->index_out || job->offsets || !job->rows)
        return 1;
    return cw_keys_tied(cw_sort_keys_of(columns, cw_type_bytes(job->type)), &map, job->keys_in,
                        job->rows * job->length, team, threads);
}

cw_status cw_cpu_sort_rows_by(const cw_rows *job, struct cw_team *team,
                              const struct cw_columns *columns)
{
    unsigned threads = cw_team_threads(team);
    struct cw_work w = work_of(job, columns, tied(job, columns, team, threads));
    struct extent e = {0, 0};
    struct cw_sorter mapper;
    struct layout at;
    size_t step, tasks;
    char *memory;
    cw_status status = look_at_rows(job, &e);

    if (status != CW_OK || e.total == 0)
        return status;
    w.alone = w.vectors && e.total / job->rows >= ALONE * cw_lanes(w.kind);
    mapper = mapper_of(&w);
    w.mapper = &mapper;
    w.capacity = capacity_of(&w, &e);
    at = layout_of(&w, e.longest);
    step = rows_of_task(&w, &e, threads);
    tasks = (job->rows + step - 1) / step;
    threads = tasks < threads ? (unsigned)tasks : threads;
    memory = (char *)cw_team_buffers(team, threads * at.end);
    if (!memory)
        return cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", at.end, threads);
    cw_team_run(team, threads, job->rows, step, do_rows, &(struct tasks){&w, &at, memory});
    cw_team_buffers_done(team, memory);
    return CW_OK;
}

cw_status cw_cpu_sort_rows(const cw_rows *job, struct cw_team *team)
{
    uint32_t k = cw_columns_count - 1;

    while (!cw_columns_list[k].here())
        k--;
    return cw_cpu_sort_rows_by(job, team, &cw_columns_list[k]);
}
