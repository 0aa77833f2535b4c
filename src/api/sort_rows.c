/* sort_rows.c - cw_sort_rows: what may be asked, and who does it. */
#include <stdlib.h>
#include <string.h>

#include "api/checks.h"
#include "api/context.h"
#include "cpu/rows/bounds.h"
#include "cpu/rows/rows.h"
#include "rows/plan.h"
#include "base/status.h"

#define ALL_FLAGS (CW_DESCENDING | CW_STABLE | CW_CONFLICT_FREE | CW_CHECK | CW_ORDERS)

/* ---- sizes ---------------------------------------------------------------------------------- */

static size_t items_of(const cw_rows *job)
{
    return job->offsets ? job->items : job->rows * job->length;
}

static size_t count_bytes_of(const cw_rows *job)
{
    return job->count_bytes == 4 ? 4 : 8;
}

static cw_status check_sizes(const cw_rows *job)
{
    cw_status status;

    if (CW_CHECK_JOB(job))
        return CW_ERR_ARGUMENT;
    status = cw_check_type(job->type, job->flags, ALL_FLAGS);
    if (status)
        return status;
    if (cw_check_order(job->flags))
        return CW_ERR_ARGUMENT;
    if (job->length > CW_ROWS_MAX)
        return cw_fail(CW_ERR_LENGTH, "rows of %zu keys: at most %u", job->length, CW_ROWS_MAX);
    if (job->value_bytes && job->value_bytes != 1 && job->value_bytes != 2 &&
        job->value_bytes != 4 && job->value_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "values of %zu bytes: only 1, 2, 4 or 8", job->value_bytes);
    if (job->index_bytes && job->index_bytes != 4 && job->index_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "index of %zu bytes: only 4 or 8", job->index_bytes);
    if (job->offset_bytes && job->offset_bytes != 4 && job->offset_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "offsets of %zu bytes: only 4 or 8", job->offset_bytes);
    if (job->count_bytes && job->count_bytes != 4 && job->count_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "count of %zu bytes: only 4 or 8", job->count_bytes);
    if (job->ends && !job->offsets)
        return cw_fail(CW_ERR_ARGUMENT, "ends are given, but offsets is NULL");
    if (!job->offsets && job->length && job->rows > SIZE_MAX / 16u / job->length)
        return cw_fail(CW_ERR_ARGUMENT, "%zu rows of %zu: more than memory can hold", job->rows,
                       job->length);
    if (!job->offsets && job->items && job->items != items_of(job))
        return cw_fail(CW_ERR_ARGUMENT, "items is %zu, but %zu rows of %zu are %zu", job->items,
                       job->rows, job->length, items_of(job));
    if (job->offsets && (job->rows > UINT32_MAX || job->items > SIZE_MAX / 16u))
        return cw_fail(CW_ERR_ARGUMENT, "%zu rows, %zu items: too many", job->rows, job->items);
    return CW_OK;
}

/* ---- arrays --------------------------------------------------------------------------------- */

#define ARRAYS 9

/* Pairs that may be one buffer first. */
static void list_arrays(const cw_rows *job, void *workspace, size_t bytes, struct cw_given *all)
{
    const size_t n = items_of(job), key = cw_type_bytes(job->type);
    const size_t value = job->value_bytes ? job->value_bytes : 1;
    const size_t index = job->index_bytes ? job->index_bytes : 4, offset = cw_offset_bytes(job);
    const struct cw_given list[ARRAYS] = {
        {"keys_in", job->keys_in, n * key, key, 0},
        {"keys_out", job->keys_out, n * key, key, 1},
        {"values_in", job->values_in, n * job->value_bytes, value, 0},
        {"values_out", job->values_out, n * job->value_bytes, value, 1},
        {"index_out", job->index_out, n * index, index, 1},
        {"offsets", job->offsets, (job->rows + !job->ends) * offset, offset, 0},
        {"ends", job->ends, job->rows * offset, offset, 0},
        {"count", job->count, count_bytes_of(job), count_bytes_of(job), 0},
        {"workspace", workspace, bytes, 256, 1},
    };

    memcpy(all, list, sizeof list);
}

/* ---- offsets -------------------------------------------------------------------------------- */

/* Of offsets and ends that the host can read. */
static cw_status check_offsets(const cw_rows *job)
{
    for (size_t r = 0; r < job->rows; r++) {
        const uint64_t start = cw_row_start(job, r), end = cw_row_end(job, r);

        if (start > end || end > job->items)
            return cw_fail(CW_ERR_ARGUMENT,
                           "offsets of row %zu: %llu .. %llu fall, or leave the %zu items", r,
                           (unsigned long long)start, (unsigned long long)end, job->items);
        if (end - start > job->length)
            return cw_fail(CW_ERR_LENGTH, "row %zu has %llu keys: length says at most %zu", r,
                           (unsigned long long)(end - start), job->length);
    }
    return CW_OK;
}

/* The same of those on a GPU, which are fetched first. */
static cw_status check_offsets_there(const cw_context *context, const cw_rows *job,
                                     cw_stream stream)
{
    const size_t bytes = cw_offset_bytes(job), first = (job->rows + !job->ends) * bytes;
    const size_t second = job->ends ? job->rows * bytes : 0;
    char *const copy = (char *)malloc(first + second);
    cw_rows here = *job;
    cw_status status;

    if (!copy)
        return cw_fail(CW_ERR_MEMORY, "%zu bytes to check offsets", first + second);
    here.offsets = copy;
    here.ends = job->ends ? copy + first : NULL;
    status = context->on->read_on(stream, copy, job->offsets, first);
    if (!status && second)
        status = context->on->read_on(stream, copy + first, job->ends, second);
    if (!status)
        status = check_offsets(&here);
    free(copy);
    return status;
}

/* The job with the rows that there are, if the host may know: it waits for a GPU only to check. */
static cw_status known_rows(const cw_context *context, const cw_rows *job, cw_stream stream,
                            cw_rows *known)
{
    uint64_t count = 0;
    uint32_t narrow = 0;
    void *const to = count_bytes_of(job) == 4 ? (void *)&narrow : (void *)&count;
    cw_status status = CW_OK;

    *known = *job;
    if (!job->count || (context->backend == CW_CUDA && !(job->flags & CW_CHECK)))
        return CW_OK;
    if (context->backend == CW_CUDA)
        status = context->on->read_on(stream, to, job->count, count_bytes_of(job));
    else
        memcpy(to, job->count, count_bytes_of(job));
    count += narrow;
    if (count < job->rows)
        known->rows = (size_t)count;
    return status;
}

/* Those on a GPU are looked at if that was asked for. */
static cw_status offsets_hold(const cw_context *context, const cw_rows *job, cw_stream stream)
{
    if (!job->offsets || !job->rows)
        return CW_OK;
    if (context->backend != CW_CUDA)
        return check_offsets(job);
    return job->flags & CW_CHECK ? check_offsets_there(context, job, stream) : CW_OK;
}

/* ---- the calls ------------------------------------------------------------------------------ */

cw_status cw_sort_rows_workspace(const cw_rows *job, size_t *bytes)
{
    cw_status status = cw_check_bytes(bytes);

    if (!status)
        status = check_sizes(job);
    if (status)
        return status;
    *bytes = cw_rows_workspace(job);
    if (*bytes == SIZE_MAX)
        return cw_fail(CW_ERR_ARGUMENT, "%zu rows of %zu: more than memory can hold", job->rows,
                       job->length);
    return CW_OK;
}

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    const struct cw_call *const c = (const struct cw_call *)of;

    return cw_rows_enqueue(q, (const cw_rows *)c->job, c->workspace);
}

cw_status cw_sort_rows(cw_context *context, const cw_rows *job, void *workspace,
                       size_t workspace_bytes, cw_stream stream)
{
    struct cw_given all[ARRAYS];
    struct cw_call call;
    cw_rows known;
    size_t need = 0;
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = cw_sort_rows_workspace(job, &need);
    if (status || !job->rows || !items_of(job))
        return status;
    if (context->backend == CW_CPU)
        need = 0;
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (!status)
        status = cw_check_sorted(job->keys_in, job->keys_out, job->index_out, job->values_in,
                                 job->values_out, job->value_bytes);
    if (status)
        return status;
    list_arrays(job, need ? workspace : NULL, need, all);
    status = cw_check_given(context, all, ARRAYS);
    if (!status)
        status = known_rows(context, job, stream, &known);
    if (!status)
        status = offsets_hold(context, &known, stream);
    if (status)
        return status;
    if (context->backend == CW_CPU)
        return cw_cpu_sort_rows(&known, &context->team);
    call.job = job;
    call.workspace = need ? workspace : NULL;
    return cw_context_enqueue(context, stream, all, ARRAYS, enqueue, &call);
}
