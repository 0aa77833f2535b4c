/* permute.c - cw_permute: what may be asked, and who does it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/checks.h"
#include "api/context.h"
#include "api/needs.h"
#include "cpu/permute/permute.h"
#include "permute/plan.h"
#include "base/status.h"

#define ALL_FLAGS (CW_GATHER | CW_CHECK)
#define ARRAYS    5

static cw_status check_sizes(const cw_permute_job *job)
{
    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    if (job->flags & ~(unsigned)ALL_FLAGS)
        return cw_fail(CW_ERR_ARGUMENT, "flags 0x%x: unknown bits", job->flags);
    if (!job->bytes || job->bytes > CW_ELEMENT_MAX)
        return cw_fail(CW_ERR_ARGUMENT, "elements of %zu bytes: 1 to %u", job->bytes,
                       CW_ELEMENT_MAX);
    if (job->index_bytes != 4 && job->index_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "an index of %zu bytes: 4 or 8", job->index_bytes);
    if (job->index_bytes == 4 && (uint64_t)job->n > (uint64_t)1 << 32)
        return cw_fail(CW_ERR_ARGUMENT, "%zu elements: an index of 4 bytes cannot name them",
                       job->n);
    if (job->index_bytes == 4 && job->index_signed && (uint64_t)job->n > (uint64_t)1 << 31)
        return cw_fail(CW_ERR_ARGUMENT, "%zu elements: a signed index of 4 bytes cannot name them",
                       job->n);
    if (job->n > SIZE_MAX / 8u / job->bytes)
        return cw_fail(CW_ERR_ARGUMENT, "%zu elements: more than memory can hold", job->n);
    return cw_check_count(job->count, job->count_bytes);
}

static void list_arrays(const cw_permute_job *job, const void *workspace, size_t bytes,
                        struct cw_given *all)
{
    const struct cw_given list[ARRAYS] = {
        {"index", job->index, job->n * job->index_bytes, job->index_bytes, 0},
        {"in", job->in, job->n * job->bytes, cw_element_align(job->bytes), 0},
        {"out", job->out, job->n * job->bytes, cw_element_align(job->bytes), 1},
        {"count", job->count, job->count_bytes, job->count_bytes ? job->count_bytes : 1, 0},
        {"workspace", workspace, bytes, 256, 1},
    };

    memcpy(all, list, sizeof list);
}

/* For any number of elements up to this, so that it never falls. */
static size_t kernels_need(const void *of, enum cw_shapes shapes)
{
    const int cuda = shapes != CW_SHAPES_TINY;
    cw_permute_job job = *(const cw_permute_job *)of;
    const uint64_t most = cw_permute_most(&job, cuda);

    job.n = job.n < most ? job.n : (size_t)most;
    return (size_t)cw_permute_bytes(&job, CW_PERMUTE_AUTO, cuda);
}

/* What the context needs; NULL: any of them. */
size_t cw_permute_need(const cw_context *context, const cw_permute_job *job)
{
    uint64_t need = cw_context_need(context, job, kernels_need);

    if (!context || context->backend == CW_CPU) {
        const uint64_t cpu = cw_cpu_permute_workspace(job);

        need = cpu > need ? cpu : need;
    }
    if (job->flags & CW_CHECK && need < cw_permute_check_bytes(job))
        need = cw_permute_check_bytes(job);
    return (size_t)need;
}

cw_status cw_permute_workspace(const cw_permute_job *job, size_t *bytes)
{
    cw_status status = cw_check_bytes(bytes);

    if (!status)
        status = check_sizes(job);
    if (!status && job->n)
        *bytes = cw_permute_need(NULL, job);
    return status;
}

/* ---- CW_CHECK ------------------------------------------------------------------------------- */

/* Items first .. first + count - 1 of the index, to host memory. */
static cw_status fetch(const cw_context *context, const cw_permute_job *job, size_t first,
                       size_t count, uint64_t *to, cw_stream stream)
{
    const uint8_t *const from = (const uint8_t *)job->index + first * job->index_bytes;
    const uint32_t *const narrow = (const uint32_t *)(const void *)to;
    const cw_status status = context->on->read_on(stream, to, from, count * job->index_bytes);

    if (!status && job->index_bytes == 4)
        for (size_t i = count; i-- > 0;)
            to[i] = narrow[i];
    return status;
}

/* How many entries the index has. */
static cw_status entries_of(const cw_context *context, const cw_permute_job *job, size_t *items,
                            cw_stream stream)
{
    uint64_t said = 0;
    cw_status status = CW_OK;

    if (job->count) /* the low bytes come first */
        status = context->on->read_on(stream, &said, job->count, job->count_bytes);
    *items = job->count && said < job->n ? (size_t)said : job->n;
    return status;
}

/* The first index that is out of range, or was there before; CW_OK: none is. */
static cw_status first_offender(const cw_context *context, const cw_permute_job *job, uint8_t *seen,
                                uint64_t *some, size_t most, cw_stream stream)
{
    size_t items = 0;
    cw_status status = entries_of(context, job, &items, stream);

    for (size_t first = 0; first < items && !status; first += most) {
        const size_t count = items - first < most ? items - first : most;

        status = fetch(context, job, first, count, some, stream);

        if (status)
            return status;
        for (size_t i = 0; i < count; i++) {
            const uint64_t p = some[i];

            if (p >= job->n)
                return cw_permute_out_of_range(job, first + i, p);
            if (seen[p / 8u] >> p % 8u & 1u)
                return cw_fail(CW_ERR_LABEL, "index %zu is %llu: there was one before", first + i,
                               (unsigned long long)p);
            seen[p / 8u] = (uint8_t)(seen[p / 8u] | 1u << p % 8u);
        }
    }
    return status;
}

static cw_status name_offender(const cw_context *context, const cw_permute_job *job,
                               cw_stream stream)
{
    const size_t most = (size_t)1 << 16;
    uint64_t *const some = (uint64_t *)malloc(most * sizeof *some);
    uint8_t *const seen = (uint8_t *)calloc(job->n / 8u + 1u, 1);
    cw_status status = CW_ERR_MEMORY;

    if (some && seen)
        status = first_offender(context, job, seen, some, most, stream);
    else
        (void)cw_fail(CW_ERR_MEMORY, "%zu bytes to check an index", job->n / 8u + 1u);
    free(some);
    free(seen);
    return status;
}

/* Kernels have looked whether there is any; the host then finds the first. */
static cw_status check_index(const cw_context *context, const cw_permute_job *job,
                             const void *workspace, cw_stream stream)
{
    uint32_t bad = 1;
    cw_status status = context->on->read_on(stream, &bad, workspace, sizeof bad);

    if (status || !bad)
        return status;
    status = name_offender(context, job, stream);
    return status ? status : cw_fail(CW_ERR_INTERNAL, "the index changed while it was checked");
}

/* ---- the call ------------------------------------------------------------------------------- */

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    const struct cw_call *const c = (const struct cw_call *)of;

    return cw_permute_enqueue(q, (const cw_permute_job *)c->job, CW_PERMUTE_AUTO,
                              q->shapes != CW_SHAPES_TINY, c->workspace);
}

static cw_status enqueue_check(struct cw_queue *q, const void *of)
{
    const struct cw_call *const c = (const struct cw_call *)of;

    return cw_permute_enqueue_check(q, (const cw_permute_job *)c->job, c->workspace);
}

/* Threads of the emulator's GPU raced.  If two indices are equal they had to, and that is no error:
 * one of the two elements arrives.  If not, a kernel is wrong. */
static cw_status after_race(const cw_context *context, const cw_permute_job *job, cw_stream stream)
{
    char text[256];
    cw_status status;

    snprintf(text, sizeof text, "%s", cw_last_error());
    status = name_offender(context, job, stream);
    if (status == CW_OK)
        return cw_fail(CW_ERR_RACE, "%s", text);
    if (status != CW_ERR_LABEL)
        return status;
    status = CW_OK;
    for (size_t i = 0; i < job->n && !status; i++) {
        uint64_t to = job->n;

        status = fetch(context, job, i, 1, &to, stream);
        if (to < job->n)
            memcpy((char *)job->out + to * job->bytes, (const char *)job->in + i * job->bytes,
                   job->bytes);
    }
    return status;
}

static cw_status run(cw_context *context, const cw_permute_job *job, const struct cw_given *all,
                     void *workspace, cw_stream stream)
{
    const struct cw_call call = {job, workspace};
    cw_status status = CW_OK;

    if (context->backend == CW_CPU) /* looks at the index itself */
        return cw_cpu_permute(job, workspace, &context->team);
    if (job->flags & CW_CHECK) {
        status = cw_context_enqueue(context, stream, all, ARRAYS, enqueue_check, &call);
        if (!status)
            status = check_index(context, job, workspace, stream);
    }
    if (!status)
        status = cw_context_enqueue(context, stream, all, ARRAYS, enqueue, &call);
    if (status == CW_ERR_RACE && context->backend == CW_EMULATOR && !(job->flags & CW_GATHER))
        return after_race(context, job, stream);
    return status;
}

cw_status cw_permute(cw_context *context, const cw_permute_job *job, void *workspace,
                     size_t workspace_bytes, cw_stream stream)
{
    struct cw_given all[ARRAYS];
    size_t need;
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = check_sizes(job);
    if (status || !job->n)
        return status;
    if (!job->in || !job->out || !job->index)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL",
                       !job->in    ? "in"
                       : !job->out ? "out"
                                   : "index");
    need = cw_permute_need(context, job);
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (status)
        return status;
    list_arrays(job, need ? workspace : NULL, need, all);
    status = cw_check_given(context, all, ARRAYS);
    return status ? status : run(context, job, all, workspace, stream);
}
