/* pages.c - which matrices are transposed in place by pages (transpose/pages.h), and the launches. */
#include "transpose/pages_plan.h"

#include "transpose/job.h"

#define MOST_WORK(cuda) ((uint64_t)((cuda) ? 96u << 20 : 1u << 14)) /* bytes */
#define LEAST_GROUP     8u

#define BY_SIZE(what)                                                           \
    {                                                                           \
        CW_KERNEL_cw_transpose_b1_##what, CW_KERNEL_cw_transpose_b2_##what,     \
            CW_KERNEL_cw_transpose_b4_##what, CW_KERNEL_cw_transpose_b8_##what, \
            CW_KERNEL_cw_transpose_b16_##what                                   \
    }

static unsigned log_of(size_t x)
{
    unsigned log = 0;

    while (x >> log > 1u)
        log++;
    return log;
}

/* Of a tile's side: 64 or 32; 0: neither. */
static unsigned side_of(const cw_transpose_job *job)
{
    const size_t sides = job->rows | job->columns;

    return job->bytes <= 4u && sides % 64u == 0 ? 6u : sides % 32u == 0 ? 5u : 0u;
}

int cw_transpose_by_pages(const cw_transpose_job *job)
{
    return job->bytes <= 16u && !(job->bytes & (job->bytes - 1u)) && side_of(job) &&
           job->rows / 32u * job->columns < UINT32_MAX / 2u && job->rows < UINT32_MAX / 2u &&
           job->columns < UINT32_MAX / 2u;
}

/* Pages of a group: one of them is in the workspace. */
static uint32_t group_of(const cw_transpose_job *job, int cuda)
{
    const uint64_t bytes = (uint64_t)job->rows * job->columns * job->bytes;
    const uint64_t most = (bytes + MOST_WORK(cuda) - 1u) / MOST_WORK(cuda);

    return most < LEAST_GROUP ? LEAST_GROUP : (uint32_t)most;
}

static struct transpose_pages shape_of(const cw_transpose_job *job, int cuda)
{
    const unsigned log = side_of(job);
    struct transpose_pages a = {.rows = job->rows,
                                .columns = job->columns,
                                .log = log,
                                .down = (uint32_t)(job->rows >> log),
                                .across = (uint32_t)(job->columns >> log),
                                .pages = (uint32_t)((job->rows * job->columns) >> log),
                                .group = group_of(job, cuda)};

    a.groups = (a.pages + a.group - 1u) / a.group;
    a.by_down = (uint32_t)(((uint64_t)1 << 32) / a.down - (a.down == 1u));
    a.by_group = (uint32_t)(((uint64_t)1 << 32) / a.group);
    return a;
}

uint64_t cw_transpose_pages_bytes(const cw_transpose_job *job, int cuda)
{
    const struct transpose_pages a = shape_of(job, cuda);

    return ((uint64_t)a.groups << a.log) * job->bytes;
}

cw_status cw_transpose_pages(struct cw_queue *q, const cw_transpose_job *job, void *data, int cuda,
                             void *workspace)
{
    static const enum cw_kernel turn[] = BY_SIZE(turn), pages[] = BY_SIZE(pages);
    const unsigned log = log_of(job->bytes), warps = TRANSPOSE_THREADS / 32u;
    const uint64_t side = TRANSPOSE_SIDE(log);
    struct transpose_pages a = shape_of(job, cuda);
    struct cw_launch l = {turn[log], 0, TRANSPOSE_THREADS, 0, &a, 0};
    cw_status status;

    a.data = data;
    a.work = workspace;
    l.blocks = (uint32_t)((job->rows + side - 1u) / side * ((job->columns + side - 1u) / side));
    l.shared = (uint32_t)(side * (side + 1u) * TRANSPOSE_WORD(log));
    status = q->launch(q, &l);
    l.kernel = pages[log + a.log - 5u]; /* a lane has a 32nd of a page */
    l.blocks = (a.groups + a.pages / 32u + warps) / warps;
    l.shared = 0;
    return status ? status : q->launch(q, &l);
}
