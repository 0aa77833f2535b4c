/* plan.c - how matrices are transposed.
 *
 *      out of place    by tiles (transpose/tile.h); few rows or columns as transpose/thin.h has it;
 *                      other thin matrices, small ones and elements of other sizes by rectangles
 *                      (transpose/rect.h)
 *      in place        square: tiles change places.  Others, if they are large and rows fit in
 *                      shared memory: by steps (transpose/in_place.h).  Small ones, and those that
 *                      the steps do not take: some matrices at a time are copied to the workspace,
 *                      and from there transposed
 *
 * Workspace in place is at most 96 MiB, unless a matrix must be copied that is larger; one that is
 * given room for it is copied, too, as that is twice as fast.
 */
#include "transpose/plan.h"

#include "transpose/job.h"
#include "transpose/pages_plan.h"
#include "transpose/rect_plan.h"
#include "transpose/thin_plan.h"
#include "transpose/words_plan.h"
#include "base/arena.h"
#include "base/status.h"
#include "base/arith.h"

#define MOST_COPIED(cuda) ((uint64_t)((cuda) ? 96u << 20 : 1u << 14)) /* bytes */
#define MOST_GROUP(cuda)  ((uint64_t)((cuda) ? 48u << 20 : 1u << 17))
#define MOST_SHARED       (200u * 1024u)
#define MOST_BLOCKS       (uint64_t) INT32_MAX
#define NARROW            16u
#define SMALL             1024u /* elements of a matrix of which a block takes several */

static unsigned log_of(size_t bytes)
{
    unsigned log = 0;

    while (log < 5u && bytes > (size_t)1 << log)
        log++;
    return bytes == (size_t)1 << log ? log : 5u;
}

static uint64_t matrix_bytes(const cw_transpose_job *job)
{
    return (uint64_t)job->rows * job->columns * job->bytes;
}

/* A matrix of one row or column is its own transpose. */
static int trivial(const cw_transpose_job *job)
{
    return job->rows <= 1 || job->columns <= 1;
}

/* ---- in place ------------------------------------------------------------------------------- */

static uint64_t slice_bytes(const cw_transpose_job *job)
{
    return (uint64_t)job->rows * TRANSPOSE_SLICE * job->bytes;
}

static int by_steps(const cw_transpose_job *job, int cuda)
{
    const unsigned log = log_of(job->bytes);

    return log <= 4u && job->rows >= 256u && job->rows < (size_t)1 << 30 &&
           job->columns < (size_t)1 << 30 && job->columns > TRANSPOSE_SLICE &&
           (job->columns + 31u) * TRANSPOSE_WORD(log) <= MOST_SHARED &&
           matrix_bytes(job) > MOST_COPIED(cuda) && slice_bytes(job) <= MOST_GROUP(1);
}

/* By pages; of CW_TRANSPOSE_SPREAD those alone that steps can do, too. */
static int by_pages(const cw_transpose_job *job, int cuda)
{
    const int steps = by_steps(job, cuda), how = cw_transpose_by_pages(job, cuda, steps);

    if (matrix_bytes(job) <= MOST_COPIED(cuda))
        return CW_TRANSPOSE_NOT_BY_PAGES;
    return how != CW_TRANSPOSE_SPREAD || steps ? how : CW_TRANSPOSE_NOT_BY_PAGES;
}

/* Slices of a group. */
static uint64_t group_of(const cw_transpose_job *job, int cuda)
{
    const uint64_t most = MOST_GROUP(cuda) / slice_bytes(job);
    const uint64_t all = (job->columns + TRANSPOSE_SLICE - 1u) / TRANSPOSE_SLICE;

    return !most ? 1u : most < all ? most : all;
}

/* Room for two groups, from `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(const cw_transpose_job *job, int cuda, uint8_t *base, void **group)
{
    const uint64_t bytes = group_of(job, cuda) * slice_bytes(job);
    uint64_t at = 0;

    group[0] = take(base, &at, bytes);
    group[1] = take(base, &at, bytes);
    return at;
}

/* Matrices that are copied at a time. */
static uint64_t chunk_of(const cw_transpose_job *job, int cuda)
{
    const uint64_t some = MOST_COPIED(cuda) / matrix_bytes(job);

    return !some ? 1u : some < job->batch ? some : job->batch;
}

uint64_t cw_transpose_bytes(const cw_transpose_job *job, int in_place, int cuda)
{
    uint64_t bytes = 0, pages;
    void *group[2];
    int how;

    if (!in_place || trivial(job) || !job->batch)
        return 0;
    if (job->rows == job->columns && log_of(job->bytes) <= 4u)
        return 0;
    how = by_pages(job, cuda);
    if (how != CW_TRANSPOSE_TURNED && by_steps(job, cuda))
        bytes = layout(job, cuda, NULL, group);
    else if (how == CW_TRANSPOSE_NOT_BY_PAGES)
        bytes = chunk_of(job, cuda) * matrix_bytes(job);
    pages = how == CW_TRANSPOSE_NOT_BY_PAGES
                ? 0u
                : cw_transpose_pages_bytes(job, cuda, by_steps(job, cuda));
    bytes = bytes < pages ? pages : bytes;
    return (bytes + 255u) / 256u * 256u;
}

/* ---- launches ------------------------------------------------------------------------------- */

#define BY_SIZE(what)                                                           \
    {                                                                           \
        CW_KERNEL_cw_transpose_b1_##what, CW_KERNEL_cw_transpose_b2_##what,     \
            CW_KERNEL_cw_transpose_b4_##what, CW_KERNEL_cw_transpose_b8_##what, \
            CW_KERNEL_cw_transpose_b16_##what                                   \
    }

static const enum cw_kernel tile_kernel[] = BY_SIZE(tile), ragged_kernel[] = BY_SIZE(ragged),
                            swap_kernel[] = BY_SIZE(swap), columns_kernel[] = BY_SIZE(columns),
                            rows_kernel[] = BY_SIZE(rows);

static cw_status launch(struct cw_queue *q, enum cw_kernel kernel, uint64_t blocks,
                        uint32_t threads, uint32_t shared, const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, arg};

    return q->launch(q, &l);
}

static uint32_t tile_bytes(unsigned log)
{
    return TRANSPOSE_SIDE(log) * (TRANSPOSE_SIDE(log) + 1u) * TRANSPOSE_WORD(log);
}

/* Can elements of 2 bytes be moved two at a time, and are there tiles to fill? */
static int even(const cw_transpose_job *job, const void *in, const void *out)
{
    return job->rows >= 64u && job->columns >= 64u && !((job->rows | job->columns) & 1u) &&
           !(((uintptr_t)in | (uintptr_t)out) & 3u);
}

/* `batch` matrices from `in` to `out`, which is another. */
static cw_status apart(struct cw_queue *q, const cw_transpose_job *job, const void *in, void *out,
                       uint64_t batch, int cuda)
{
    const unsigned log = log_of(job->bytes);
    struct transpose_arg arg = {
        .rows = job->rows, .columns = job->columns, .batch = batch, .in = in, .out = out};
    uint64_t down, across;
    const size_t least = cuda ? 512u : 0u; /* below, halves of sectors cost less than rows */
    cw_status status = CW_OK;
    uint32_t side;
    int ragged;

    if (log == 1u && even(job, in, out)) {
        down = (job->rows + TRANSPOSE_PAIRS - 1u) / TRANSPOSE_PAIRS;
        across = (job->columns + TRANSPOSE_PAIRS - 1u) / TRANSPOSE_PAIRS;
        arg.down = (uint32_t)down;
        arg.across = (uint32_t)across;
        if (down <= MOST_BLOCKS / across && down * across <= MOST_BLOCKS / batch)
            return launch(q, CW_KERNEL_cw_transpose_b2_pairs, down * across * batch,
                          TRANSPOSE_THREADS, TRANSPOSE_PAIRS * (TRANSPOSE_PAIRS / 2u + 1u) * 4u,
                          &arg);
    }
    if (cw_transpose_words(q, job, in, out, batch, &status))
        return status;
    if (cw_transpose_thin(q, job, in, out, batch, &status))
        return status;
    if (log > 4u || job->rows < NARROW || job->columns < NARROW ||
        (batch > 1 && job->rows * job->columns <= SMALL))
        return cw_transpose_rect(q, job, in, out, batch);
    side = TRANSPOSE_SIDE(log);
    ragged = (job->rows * job->bytes % 32u || (uintptr_t)out % 32u) && job->rows >= least;
    down = (job->rows + side - 1u) / side;
    if (ragged)
        down = (job->rows + TRANSPOSE_SECTOR(log) - 1u + side - 1u) / side;
    across = (job->columns + side - 1u) / side;
    if (down > MOST_BLOCKS / across || down * across > MOST_BLOCKS / batch)
        return cw_transpose_rect(q, job, in, out, batch);
    arg.down = (uint32_t)down;
    arg.across = (uint32_t)across;
    if (ragged)
        return launch(q, ragged_kernel[log], down * across * batch, TRANSPOSE_THREADS,
                      TRANSPOSE_TALL(log) * (side + 1u) * TRANSPOSE_WORD(log), &arg);
    return launch(q, tile_kernel[log], down * across * batch, TRANSPOSE_THREADS, tile_bytes(log),
                  &arg);
}

/* Square matrices in place. */
static cw_status swap(struct cw_queue *q, const cw_transpose_job *job)
{
    const unsigned log = log_of(job->bytes);
    const uint64_t side = (job->rows + TRANSPOSE_SIDE(log) - 1u) / TRANSPOSE_SIDE(log);
    const struct transpose_arg arg = {.rows = job->rows,
                                      .columns = job->columns,
                                      .batch = job->batch,
                                      .out = job->out,
                                      .down = (uint32_t)side};

    if (side > 65535u || side * (side + 1u) / 2u > MOST_BLOCKS / job->batch)
        return cw_fail(CW_ERR_SHAPE, "%zu matrices of %zu x %zu: too large to be done in place",
                       job->batch, job->rows, job->columns);
    return launch(q, swap_kernel[log], side * (side + 1u) / 2u * job->batch, TRANSPOSE_THREADS,
                  2u * tile_bytes(log), &arg);
}

/* Copy, and transpose back. */
static cw_status copied(struct cw_queue *q, const cw_transpose_job *job, int cuda, void *workspace)
{
    const uint64_t chunk = chunk_of(job, cuda);
    cw_status status = CW_OK;

    for (uint64_t k = 0; k < job->batch && !status; k += chunk) {
        const uint64_t count = job->batch - k < chunk ? job->batch - k : chunk;
        uint8_t *const at = (uint8_t *)job->out + k * matrix_bytes(job);

        status = q->copy(q, workspace, at, (size_t)(count * matrix_bytes(job)));
        if (!status)
            status = apart(q, job, workspace, at, count, cuda);
    }
    return status;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* All columns of a matrix, group by group: one is written back while the next is read. */
static cw_status columns_step(struct cw_queue *q, const cw_transpose_job *job,
                              struct transpose_step *step, int cuda, void *workspace)
{
    const unsigned log = log_of(job->bytes);
    const uint32_t all = (uint32_t)((job->columns + TRANSPOSE_SLICE - 1u) / TRANSPOSE_SLICE);
    const uint32_t group = (uint32_t)group_of(job, cuda);
    const uint32_t rows = TRANSPOSE_ROWS(log) - TRANSPOSE_SLICE;
    const uint64_t per = (job->rows + rows - 1u) / rows;
    const uint32_t shared = TRANSPOSE_ROWS(log) * TRANSPOSE_SLICE * TRANSPOSE_WORD(log);
    cw_status status = CW_OK;
    void *room[2];

    (void)layout(job, cuda, (uint8_t *)workspace, room);
    step->enter.slices = 0;
    step->pitch = group * TRANSPOSE_SLICE;
    for (uint32_t first = 0; (first < all || step->enter.slices) && !status; first += group) {
        step->leave = step->enter;
        step->enter.first = first;
        step->enter.slices = first >= all ? 0u : all - first < group ? all - first : group;
        step->enter.work = room[first / group % 2u];
        status = launch(q, columns_kernel[log],
                        per * (step->leave.slices + !!step->leave.slices + step->enter.slices),
                        TRANSPOSE_THREADS, shared, step);
    }
    return status;
}

static cw_status steps(struct cw_queue *q, const cw_transpose_job *job, uint8_t *data, int cuda,
                       void *workspace)
{
    const unsigned log = log_of(job->bytes);
    const uint64_t c = cw_gcd(job->rows, job->columns);
    const uint32_t shared = (uint32_t)((job->columns + 31u) / 32u * 32u * TRANSPOSE_WORD(log));
    struct transpose_step step = {.m = (uint32_t)job->rows,
                                  .n = (uint32_t)job->columns,
                                  .a = (uint32_t)(job->rows / c),
                                  .b = (uint32_t)(job->columns / c),
                                  .data = data};
    cw_status status = CW_OK;

    if (q->shared && shared > q->shared)
        return cw_fail(
            CW_ERR_DEVICE,
            "rows of %zu bytes, and a block of this GPU has %u of shared memory: in place "
            "it takes a workspace of a whole matrix, %llu bytes",
            job->columns * job->bytes, q->shared, (unsigned long long)matrix_bytes(job));
    if (c > 1u)
        status = columns_step(q, job, &step, cuda, workspace);
    if (!status)
        status = launch(q, rows_kernel[log], job->rows, TRANSPOSE_ROW_THREADS, shared, &step);
    step.shuffle = 1;
    return status ? status : columns_step(q, job, &step, cuda, workspace);
}

cw_status cw_transpose_enqueue(struct cw_queue *q, const cw_transpose_job *job, int cuda,
                               void *workspace, size_t workspace_bytes)
{
    const size_t all = (size_t)matrix_bytes(job) * job->batch;
    cw_status status = CW_OK;
    int how;

    if (!all)
        return CW_OK;
    if (trivial(job))
        return job->in == job->out ? CW_OK : q->copy(q, job->out, job->in, all);
    if (job->in != job->out)
        return apart(q, job, job->in, job->out, job->batch, cuda);
    if (job->rows == job->columns && log_of(job->bytes) <= 4u)
        return swap(q, job);
    how = by_pages(job, cuda);
    if ((how == CW_TRANSPOSE_NOT_BY_PAGES && !by_steps(job, cuda)) ||
        (cuda && workspace_bytes >= matrix_bytes(job)))
        return copied(q, job, cuda, workspace);
    for (uint64_t k = 0; k < job->batch && !status; k++) {
        uint8_t *const data = (uint8_t *)job->out + k * matrix_bytes(job);
        int done = 0;

        if (how != CW_TRANSPOSE_NOT_BY_PAGES)
            status = cw_transpose_pages(q, job, data, cuda, by_steps(job, cuda), workspace, &done);
        if (!status && !done)
            status = steps(q, job, data, cuda, workspace);
    }
    return status;
}
