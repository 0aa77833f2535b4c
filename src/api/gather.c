/* gather.c - cw_gather_sum: what may be asked, and who does it. */
#include <string.h>

#include "api/checks.h"
#include "api/context.h"
#include "cpu/permute/gather_sum.h"
#include "permute/sum_plan.h"
#include "base/status.h"

#define ARRAYS    5
#define MOST      ((size_t)1 << 20) /* bytes of a row */
#define MOST_PER  65536u
#define WORKSPACE 256u

static cw_status check_sizes(const cw_gather_job *job)
{
    size_t bytes;

    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    if (job->flags & ~(unsigned)CW_CHECK)
        return cw_fail(CW_ERR_ARGUMENT, "flags 0x%x: only CW_CHECK", job->flags);
    if (job->type != CW_F16 && job->type != CW_BF16 && job->type != CW_F32)
        return cw_fail(CW_ERR_TYPE, "rows of %s: only f16, bf16 and f32", cw_type_name(job->type));
    bytes = cw_type_bytes(job->type);
    if (!job->columns || job->columns > MOST / bytes)
        return cw_fail(CW_ERR_ARGUMENT, "rows of %zu elements: 1 to %zu", job->columns,
                       MOST / bytes);
    if (!job->per || job->per > MOST_PER)
        return cw_fail(CW_ERR_ARGUMENT, "%zu rows are added: 1 to %u", job->per, MOST_PER);
    if (job->index_bytes != 4 && job->index_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "an index of %zu bytes: 4 or 8", job->index_bytes);
    if (job->weights && job->weight_type != CW_F32 && job->weight_type != job->type)
        return cw_fail(CW_ERR_TYPE, "weights of %s: f32, or %s as the rows",
                       cw_type_name(job->weight_type), cw_type_name(job->type));
    if (job->n > SIZE_MAX / 16u / MOST_PER || job->n > SIZE_MAX / 8u / (job->columns * bytes) ||
        job->rows > SIZE_MAX / 8u / (job->columns * bytes))
        return cw_fail(CW_ERR_ARGUMENT, "%zu rows: more than memory can hold",
                       job->n > job->rows ? job->n : job->rows);
    if (job->n * job->columns / 256u >= INT32_MAX)
        return cw_fail(CW_ERR_LENGTH, "%zu rows of %zu: more than 2^39 elements", job->n,
                       job->columns);
    return CW_OK;
}

cw_status cw_gather_sum_workspace(const cw_gather_job *job, size_t *bytes)
{
    cw_status status = cw_check_bytes(bytes);

    if (!status)
        status = check_sizes(job);
    if (!status && job->flags & CW_CHECK)
        *bytes = WORKSPACE;
    return status;
}

static void list_arrays(const cw_gather_job *job, const void *workspace, size_t need,
                        struct cw_given *all)
{
    const size_t size = cw_type_bytes(job->type), row = job->columns * size;
    const size_t weight = job->weights ? cw_type_bytes(job->weight_type) : 1;
    const struct cw_given list[ARRAYS] = {
        {"in", job->in, job->rows * row, size, 0},
        {"out", job->out, job->n * row, size, 1},
        {"index", job->index, job->n * job->per * job->index_bytes, job->index_bytes, 0},
        {"weights", job->weights, job->weights ? job->n * job->per * weight : 0, weight, 0},
        {"workspace", need ? workspace : NULL, need, 256, 1},
    };

    memcpy(all, list, sizeof list);
}

/* The job with those rows that its index can name: negative numbers of 4 bytes are not read as rows from
 * 2^31 on. */
static cw_gather_job nameable(const cw_gather_job *job)
{
    const size_t most = (size_t)1 << 31;
    cw_gather_job j = *job;

    if (j.index_signed && j.index_bytes == 4 && j.rows > most)
        j.rows = most;
    return j;
}

/* Kernels were asked whether there is a bad one; it is not looked for on the host. */
static cw_status check_index(const cw_context *context, const cw_gather_job *job,
                             const void *workspace, cw_stream stream)
{
    uint32_t bad = 0;
    const cw_status status = context->on->read_on(stream, &bad, workspace, sizeof bad);

    if (status || !bad)
        return status;
    return cw_fail(CW_ERR_LABEL, "an index is %sout of range, there are %zu rows",
                   job->index_signed ? "negative or " : "", job->rows);
}

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    return cw_gather_sum_enqueue(q, (const cw_gather_job *)((const struct cw_call *)of)->job);
}

static cw_status enqueue_check(struct cw_queue *q, const void *of)
{
    const struct cw_call *const c = (const struct cw_call *)of;

    return cw_gather_sum_enqueue_check(q, (const cw_gather_job *)c->job, c->workspace);
}

cw_status cw_gather_sum(cw_context *context, const cw_gather_job *job, void *workspace,
                        size_t workspace_bytes, cw_stream stream)
{
    cw_gather_job here;
    const struct cw_call call = {&here, workspace};
    struct cw_given all[ARRAYS];
    size_t need = 0;
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = cw_gather_sum_workspace(job, &need);
    if (status || !job->n)
        return status;
    if ((!job->in && job->rows) || !job->out || !job->index)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL",
                       !job->out     ? "out"
                       : !job->index ? "index"
                                     : "in");
    if (job->in == job->out)
        return cw_fail(CW_ERR_OVERLAP, "in and out are the same");
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (status)
        return status;
    list_arrays(job, workspace, need, all);
    status = cw_check_given(context, all, ARRAYS);
    if (status)
        return status;
    here = nameable(job);
    if (context->backend == CW_CPU)
        return cw_cpu_gather_sum(&here, &context->team);
    if (job->flags & CW_CHECK) {
        status = cw_context_enqueue(context, stream, all, ARRAYS, enqueue_check, &call);
        if (!status)
            status = check_index(context, job, workspace, stream);
    }
    return status ? status : cw_context_enqueue(context, stream, all, ARRAYS, enqueue, &call);
}
