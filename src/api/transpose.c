/* transpose.c - cw_transpose: what may be asked, and who does it. */
#include "api/checks.h"
#include "api/context.h"
#include "cpu/transpose/transpose.h"
#include "transpose/plan.h"
#include "base/status.h"

#define ARRAYS  3
#define ELEMENT 64u /* bytes, at most */

/* The job with its batch, if it may be asked. */
static cw_status normal(const cw_transpose_job *job, cw_transpose_job *out)
{
    const size_t most = SIZE_MAX / 64u;

    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    if (!job->bytes || job->bytes > ELEMENT)
        return cw_fail(CW_ERR_ARGUMENT, "elements of %zu bytes: 1 to %u", job->bytes, ELEMENT);
    *out = *job;
    out->batch = job->batch ? job->batch : 1;
    if (job->columns && (job->rows > most / job->columns ||
                         job->rows * job->columns > most / (out->batch ? out->batch : 1)))
        return cw_fail(CW_ERR_ARGUMENT, "%zu matrices of %zu x %zu: more than memory can hold",
                       out->batch, job->rows, job->columns);
    return CW_OK;
}

static size_t kernels_need(const void *of, enum cw_shapes shapes)
{
    const cw_transpose_job *const job = (const cw_transpose_job *)of;

    return (size_t)cw_transpose_bytes(job, job->in == job->out, shapes != CW_SHAPES_TINY);
}

/* What the context needs; NULL: any of them. */
static size_t need_of(const cw_context *context, const cw_transpose_job *job)
{
    const int some = job->rows && job->columns, here = !context || context->backend == CW_CPU;
    const size_t host = some && here ? (size_t)cw_cpu_transpose_workspace(job) : 0;
    const size_t kernels = some ? cw_context_need(context, job, kernels_need) : 0;

    return host > kernels ? host : kernels;
}

cw_status cw_transpose_workspace(const cw_transpose_job *job, size_t *bytes)
{
    cw_transpose_job j;
    const cw_status status = cw_check_bytes(bytes) ? CW_ERR_ARGUMENT : normal(job, &j);

    if (!status)
        *bytes = need_of(NULL, &j);
    return status;
}

struct call {
    const cw_transpose_job *job;
    void *workspace;
    size_t bytes;
};

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    const struct call *const c = (const struct call *)of;

    return cw_transpose_enqueue(q, c->job, q->shapes != CW_SHAPES_TINY, c->workspace, c->bytes);
}

cw_status cw_transpose(cw_context *context, const cw_transpose_job *job, void *workspace,
                       size_t workspace_bytes, cw_stream stream)
{
    cw_transpose_job j;
    size_t need, bytes, first;
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = normal(job, &j);
    if (status || !j.rows || !j.columns)
        return status;
    if (!j.in || !j.out)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", j.in ? "out" : "in");
    need = need_of(context, &j);
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (status)
        return status;
    bytes = j.rows * j.columns * j.batch * j.bytes;
    {
        const struct call call = {&j, need ? workspace : NULL, need ? workspace_bytes : 0};
        const struct cw_given all[ARRAYS] = {
            {"in", j.in, bytes, cw_element_align(j.bytes), 0},
            {"out", j.out, bytes, cw_element_align(j.bytes), 1},
            {"workspace", need ? workspace : NULL, need ? workspace_bytes : 0, 256, 1},
        };

        status = cw_check_given(context, all, ARRAYS);
        if (status)
            return status;
        if (context->backend == CW_CPU)
            return cw_cpu_transpose(&j, workspace, &context->team);
        first = j.in == j.out ? 1 : 0;
        return cw_context_enqueue(context, stream, all + first, ARRAYS - first, enqueue, &call);
    }
}
