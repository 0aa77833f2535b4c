/* shuffle.c - cw_shuffle: what may be asked, and who does it. */
#include "api/checks.h"
#include "api/context.h"
#include "cpu/permute/shuffle.h"
#include "permute/plan.h"
#include "prim/bijection.h"
#include "base/status.h"

#define ARRAYS 3

uint64_t cw_shuffle_at(uint64_t n, uint64_t seed, uint64_t i)
{
    const struct bijection b = bijection_of(n, seed);

    return i < n ? bijection_at(&b, i) : i;
}

uint64_t cw_shuffle_back(uint64_t n, uint64_t seed, uint64_t i)
{
    const struct bijection b = bijection_of(n, seed);

    return i < n ? bijection_back(&b, i) : i;
}

static cw_status check_sizes(const cw_shuffle_job *job)
{
    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    if (!job->bytes || job->bytes > CW_ELEMENT_MAX)
        return cw_fail(CW_ERR_ARGUMENT, "elements of %zu bytes: 1 to %u", job->bytes,
                       CW_ELEMENT_MAX);
    if (job->n > SIZE_MAX / 8u / job->bytes)
        return cw_fail(CW_ERR_ARGUMENT, "%zu elements: more than memory can hold", job->n);
    if (job->n / 1024u >= INT32_MAX / (job->bytes < 1024u ? job->bytes : 1024u))
        return cw_fail(CW_ERR_LENGTH, "%zu elements of %zu bytes: more than a launch has", job->n,
                       job->bytes);
    return CW_OK;
}

/* For any number of elements up to this, so that it never falls. */
static size_t kernels_need(const void *of, enum cw_shapes shapes)
{
    cw_shuffle_job job = *(const cw_shuffle_job *)of;
    const cw_permute_job moves = {.n = job.n, .bytes = job.bytes, .index_bytes = 4};
    const int cuda = shapes != CW_SHAPES_TINY;
    const uint64_t most = cw_permute_most(&moves, cuda);

    job.n = job.n < most ? job.n : (size_t)most;
    return job.n ? (size_t)cw_shuffle_bytes(&job, CW_PERMUTE_AUTO, cuda) : 0;
}

cw_status cw_shuffle_workspace(const cw_shuffle_job *job, size_t *bytes)
{
    const cw_status status = cw_check_bytes(bytes) ? CW_ERR_ARGUMENT : check_sizes(job);

    if (!status)
        *bytes = cw_context_need(NULL, job, kernels_need);
    return status;
}

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    const struct cw_call *const c = (const struct cw_call *)of;

    return cw_shuffle_enqueue(q, (const cw_shuffle_job *)c->job, CW_PERMUTE_AUTO,
                              q->shapes != CW_SHAPES_TINY, c->workspace);
}

cw_status cw_shuffle(cw_context *context, const cw_shuffle_job *job, void *workspace,
                     size_t workspace_bytes, cw_stream stream)
{
    const struct cw_call call = {job, workspace};
    struct cw_given all[ARRAYS];
    size_t need;
    cw_status status = context ? check_sizes(job) : cw_fail(CW_ERR_ARGUMENT, "context is NULL");

    if (status || !job->n)
        return status;
    if (!job->in || !job->out)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", !job->in ? "in" : "out");
    if (job->in == job->out)
        return cw_fail(CW_ERR_OVERLAP, "in and out are the same");
    need = cw_context_need(context, job, kernels_need);
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (status)
        return status;
    all[0] = (struct cw_given){"in", job->in, job->n * job->bytes, cw_element_align(job->bytes), 0};
    all[1] =
        (struct cw_given){"out", job->out, job->n * job->bytes, cw_element_align(job->bytes), 1};
    all[2] = (struct cw_given){"workspace", need ? workspace : NULL, need, 256, 1};
    status = cw_check_given(context, all, ARRAYS);
    if (status)
        return status;
    if (context->backend == CW_CPU) {
        cw_cpu_shuffle(job, &context->team);
        return CW_OK;
    }
    return cw_context_enqueue(context, stream, all, ARRAYS, enqueue, &call);
}
