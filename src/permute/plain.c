/* plain.c - permutations with a thread an element, or a part of one: launches of what needs no
 * passes. */
#include "permute/plain.h"

#include "base/status.h"
#include "permute/job.h"
#include "permute/plan.h"

/* Blocks a multiprocessor, at most: more would have to be launched for nothing. */
#define COUNTED_WAVES 64u
#define MOST_BLOCKS   (1u << 30)
#define FOUR_EACH     (4u * PERMUTE_PLAIN) /* items of a block whose threads have four */

#define BY_SIZE(what)                                                       \
    {                                                                       \
        CW_KERNEL_cw_permute_b1_##what, CW_KERNEL_cw_permute_b2_##what,     \
            CW_KERNEL_cw_permute_b4_##what, CW_KERNEL_cw_permute_b8_##what, \
            CW_KERNEL_cw_permute_b16_##what                                 \
    }

static const enum cw_kernel scatter_kernel[] = BY_SIZE(scatter), gather_kernel[] = BY_SIZE(gather),
                            rows_kernel[] = BY_SIZE(rows), draw_kernel[] = BY_SIZE(draw);

unsigned cw_permute_log(size_t bytes)
{
    unsigned log = 0;

    while (log < 5u && bytes > (size_t)1 << log)
        log++;
    return bytes == (size_t)1 << log ? log : 5u;
}

static cw_status launch(struct cw_queue *q, enum cw_kernel kernel, uint64_t blocks,
                        uint32_t threads, uint32_t shared, const void *arg)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, threads, shared, arg, 0};

    return q->launch(q, &l);
}

/* Bytes that may be moved at once, so that every element is some of them. */
static uint32_t unit_of(const cw_permute_job *job)
{
    const uintptr_t all = (uintptr_t)job->in | (uintptr_t)job->out | job->bytes | 16u;

    return (uint32_t)(all & (0u - all));
}

static cw_status odd_rows(struct cw_queue *q, const cw_permute_job *job)
{
    const struct permute_odd arg = {.n = job->n,
                                    .index = job->index,
                                    .in = job->in,
                                    .out = job->out,
                                    .wide = job->index_bytes == 8,
                                    .gather = (job->flags & CW_GATHER) != 0,
                                    .bytes = (uint32_t)job->bytes};
    const uint64_t blocks =
        (job->n * PERMUTE_ODD_WORDS(job->bytes) + PERMUTE_PLAIN - 1u) / PERMUTE_PLAIN;

    return launch(q, CW_KERNEL_cw_permute_odd_rows, blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS,
                  PERMUTE_PLAIN, 0, &arg);
}

/* As many as the job's count says. */
static cw_status counted(struct cw_queue *q, const cw_permute_job *job)
{
    const uint32_t unit = unit_of(job);
    const struct permute_counted arg = {.n = job->n,
                                        .count = job->count,
                                        .count_bytes = (uint32_t)job->count_bytes,
                                        .index = job->index,
                                        .index_bytes = (uint32_t)job->index_bytes,
                                        .in = job->in,
                                        .out = job->out,
                                        .gather = (job->flags & CW_GATHER) != 0,
                                        .unit = unit,
                                        .units = (uint32_t)(job->bytes / unit)};
    const uint64_t blocks = (job->n * arg.units + FOUR_EACH - 1u) / FOUR_EACH;
    const uint64_t most = COUNTED_WAVES * (uint64_t)q->processors;

    return launch(q, CW_KERNEL_cw_permute_counted, blocks < most ? blocks : most, PERMUTE_PLAIN, 0,
                  &arg);
}

cw_status cw_permute_plain(struct cw_queue *q, const cw_permute_job *job)
{
    const uint32_t unit = unit_of(job);
    const struct permute_naive arg = {.n = job->n,
                                      .index = job->index,
                                      .in = job->in,
                                      .out = job->out,
                                      .wide = job->index_bytes == 8,
                                      .gather = (job->flags & CW_GATHER) != 0,
                                      .units = (uint32_t)(job->bytes / unit)};
    const uint64_t each = arg.units == 1 ? 1u : PERMUTE_ROWS_EACH;
    const uint64_t blocks =
        (job->n * arg.units + each * PERMUTE_PLAIN - 1u) / (each * PERMUTE_PLAIN);
    const unsigned log = cw_permute_log(unit);

    if (job->count)
        return counted(q, job);
    if (unit < 4u && job->bytes >= PERMUTE_ODD_ROW)
        return odd_rows(q, job);
    if (arg.units == 1 && blocks <= INT32_MAX)
        return launch(q, arg.gather ? gather_kernel[log] : scatter_kernel[log], blocks,
                      PERMUTE_PLAIN, 0, &arg);
    return launch(q, rows_kernel[log], blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, PERMUTE_PLAIN,
                  0, &arg);
}

cw_status cw_permute_draw(struct cw_queue *q, const cw_permute_job *job, const struct bijection *by,
                          int back)
{
    const uint32_t unit = unit_of(job);
    const struct permute_draw arg = {.n = job->n,
                                     .in = job->in,
                                     .out = job->out,
                                     .units = (uint32_t)(job->bytes / unit),
                                     .back = (uint32_t)back,
                                     .by = *by};
    const uint64_t blocks = (job->n * arg.units + PERMUTE_DRAW_SPAN - 1u) / PERMUTE_DRAW_SPAN;

    if (blocks > INT32_MAX)
        return cw_fail(CW_ERR_LENGTH, "%zu rows of %zu bytes: more than a launch has", job->n,
                       job->bytes);
    return launch(q, draw_kernel[cw_permute_log(unit)], blocks, PERMUTE_DRAW_THREADS,
                  8u * PERMUTE_DRAW_SPAN, &arg);
}

/* ---- the check ------------------------------------------------------------------------------ */

uint64_t cw_permute_check_bytes(const cw_permute_job *job)
{
    return job->n ? 256u + ((uint64_t)job->n + 31u) / 32u * 4u : 0;
}

cw_status cw_permute_enqueue_check(struct cw_queue *q, const cw_permute_job *job, void *workspace)
{
    const struct permute_naive arg = {.n = job->n,
                                      .index = job->index,
                                      .wide = job->index_bytes == 8,
                                      .count = job->count,
                                      .count_bytes = (uint32_t)job->count_bytes,
                                      .seen = (uint32_t *)workspace + 64,
                                      .bad = (uint32_t *)workspace};
    const uint64_t blocks = (job->n + FOUR_EACH - 1u) / FOUR_EACH,
                   most = 32u * (uint64_t)q->processors;
    const cw_status status = q->clear(q, workspace, (size_t)cw_permute_check_bytes(job));

    if (status)
        return status;
    return launch(q, CW_KERNEL_cw_permute_check, blocks < most ? blocks : most, PERMUTE_PLAIN, 0,
                  &arg);
}
