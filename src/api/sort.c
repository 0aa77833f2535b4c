/* sort.c - cw_sort: what may be asked, and who does it. */
#include <string.h>

#include "api/checks.h"
#include "api/context.h"
#include "api/needs.h"
#include "cpu/sort/sort.h"
#include "sort/sample_sort/request.h"
#include "sort/sort.h"
#include "base/status.h"

#define ALL_FLAGS (CW_DESCENDING | CW_STABLE | CW_CONFLICT_FREE | CW_ORDERS)
#define ARRAYS    7

/* ---- sizes ---------------------------------------------------------------------------------- */

static cw_status check_sizes(const cw_array *job)
{
    const size_t v = job->value_bytes, i = job->index_bytes;
    const cw_status status = cw_check_type(job->type, job->flags, ALL_FLAGS);

    if (status)
        return status;
    if (v && v != 1 && v != 2 && v != 4 && v != 8 && v != 16)
        return cw_fail(CW_ERR_ARGUMENT, "values of %zu bytes: only 1, 2, 4, 8 or 16", v);
    if (i && i != 4 && i != 8)
        return cw_fail(CW_ERR_ARGUMENT, "an index of %zu bytes: only 4 or 8", i);
    if (job->count_bytes && job->count_bytes != 4 && job->count_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "a count of %zu bytes: only 4 or 8", job->count_bytes);
    if (job->n > SIZE_MAX / 64u)
        return cw_fail(CW_ERR_ARGUMENT, "%zu keys: more than memory can hold", job->n);
    if (i == 4 && (uint64_t)job->n > (uint64_t)1 << 32)
        return cw_fail(CW_ERR_ARGUMENT, "%zu keys: an index of 4 bytes has 2^32 places", job->n);
    return cw_check_order(job->flags);
}

static cw_status check_bits(const cw_array *job)
{
    const unsigned all = 8u * (unsigned)cw_type_bytes(job->type);

    if (job->first_bit >= all || job->bits > all - job->first_bit)
        return cw_fail(CW_ERR_ARGUMENT, "%u bits from bit %u on: keys have %u", job->bits,
                       job->first_bit, all);
    return CW_OK;
}

/* A copy that says how many bits count. */
static cw_status normal(const cw_array *job, cw_array *out)
{
    cw_status status;

    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    status = check_sizes(job);
    if (!status)
        status = check_bits(job);
    if (status)
        return status;
    *out = *job;
    if (!out->bits)
        out->bits = 8u * (unsigned)cw_type_bytes(job->type) - job->first_bit;
    if (!out->value_bytes)
        out->values_in = out->values_out = NULL;
    return CW_OK;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static cw_status check_pointers(const cw_array *job)
{
    cw_status status = cw_check_sorted(job->keys_in, job->keys_out, job->index_out, job->values_in,
                                       job->values_out, job->value_bytes);

    if (status)
        return status;
    if (!job->count_bytes != !job->count)
        return cw_fail(CW_ERR_ARGUMENT, "count_bytes is %zu, but count is %s", job->count_bytes,
                       job->count ? "given" : "NULL");
    if (!job->index_bytes != !job->index_out)
        return cw_fail(CW_ERR_ARGUMENT, "index_bytes is %zu, but index_out is %s", job->index_bytes,
                       job->index_out ? "given" : "NULL");
    return CW_OK;
}

/* Pairs that may be one buffer first. */
static void list_arrays(const cw_array *job, void *workspace, size_t bytes, struct cw_given *all)
{
    const size_t n = job->n, key = cw_type_bytes(job->type);
    const size_t value = job->value_bytes ? job->value_bytes : 1;
    const size_t index = job->index_bytes ? job->index_bytes : 1;
    const struct cw_given list[ARRAYS] = {
        {"keys_in", job->keys_in, n * key, key, 0},
        {"keys_out", job->keys_out, n * key, key, 1},
        {"values_in", job->values_in, n * job->value_bytes, value, 0},
        {"values_out", job->values_out, n * job->value_bytes, value, 1},
        {"index_out", job->index_out, n * job->index_bytes, index, 1},
        {"count", job->count, job->count_bytes, job->count_bytes ? job->count_bytes : 1, 0},
        {"workspace", workspace, bytes, 256, 1},
    };

    memcpy(all, list, sizeof list);
}

/* ---- the calls ------------------------------------------------------------------------------ */

/* Of the two engines, the one that the flags ask for. */
static const char *refuses(const cw_array *job, enum cw_shapes shapes)
{
    if (job->flags & CW_CONFLICT_FREE && job->count_bytes)
        return "a count in the context's memory, with CW_CONFLICT_FREE";
    return job->flags & CW_CONFLICT_FREE ? cw_sample_sort_refuses(job, shapes)
                                         : cw_sort_refuses(job);
}

/* For as many keys as they take, if there are more, so that it never falls. */
static size_t kernels_need(const void *of, enum cw_shapes shapes)
{
    cw_array job = *(const cw_array *)of;
    const int compares = (job.flags & CW_CONFLICT_FREE) != 0;
    const uint64_t most = compares ? cw_sample_sort_most(&job, shapes) : cw_sort_most();

    if (job.n > most)
        job.n = (size_t)most;
    if (refuses(&job, shapes))
        return 0;
    return compares ? cw_sample_sort_workspace(&job, shapes) : cw_sort_bytes(&job, shapes);
}

size_t cw_sort_need(const cw_context *context, const cw_array *job)
{
    const size_t kernels = job->n ? cw_context_need(context, job, kernels_need) : 0;
    size_t host = 0;

    if (job->n && (!context || context->backend == CW_CPU))
        host = cw_cpu_sort_workspace(job);
    return host > kernels ? host : kernels;
}

cw_status cw_sort_workspace(const cw_array *job, size_t *bytes)
{
    cw_array j;
    const cw_status status = cw_check_bytes(bytes) ? CW_ERR_ARGUMENT : normal(job, &j);

    if (!status)
        *bytes = cw_sort_need(NULL, &j);
    return status;
}

/* On the host the count is there when the call is made. */
static size_t counted(const cw_array *job)
{
    uint32_t count4;
    uint64_t count;

    if (job->count_bytes == 4)
        memcpy(&count4, job->count, 4), count = count4;
    else
        memcpy(&count, job->count, 8);
    return count < job->n ? (size_t)count : job->n;
}

struct call {
    const cw_array *job;
    void *workspace;
    uint64_t seed;
};

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    const struct call *const c = (const struct call *)of;

    q->seed = c->seed;
    return c->job->flags & CW_CONFLICT_FREE
               ? cw_sample_sort_enqueue_job(q, c->job, q->shapes, c->workspace)
               : cw_sort_enqueue(q, c->job, q->shapes, c->workspace);
}

cw_status cw_sort(cw_context *context, const cw_array *job, void *workspace, size_t workspace_bytes,
                  cw_stream stream)
{
    struct cw_given all[ARRAYS];
    struct call call;
    cw_array j;
    size_t need;
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = normal(job, &j);
    if (status || !j.n)
        return status;
    if (context->backend != CW_CPU && refuses(&j, context->shapes))
        return cw_fail(CW_ERR_ARGUMENT, "%zu keys: %s", j.n, refuses(&j, context->shapes));
    status = check_pointers(job);
    if (status)
        return status;
    need = cw_sort_need(context, &j);
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (status)
        return status;
    list_arrays(&j, need ? workspace : NULL, need, all);
    status = cw_check_given(context, all, ARRAYS);
    if (status)
        return status;
    if (context->backend == CW_CPU && j.count)
        j.n = counted(&j);
    if (context->backend == CW_CPU)
        return cw_cpu_sort(&j, workspace, &context->team, cw_context_draw(context));
    call.job = &j;
    call.workspace = need ? workspace : NULL;
    call.seed = cw_context_draw(context);
    return cw_context_enqueue(context, stream, all, ARRAYS, enqueue, &call);
}
