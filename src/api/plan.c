/* plan.c - cw_plan_..: what may be asked of offline plans, and who executes them. */
#include "offline/plan.h"

#include "api/checks.h"
#include "api/context.h"
#include "base/status.h"
#include "cpu/transpose/transpose.h"
#include "permute/plan.h"
#include "transpose/plan.h"

#define ARRAYS 4

cw_status cw_plan_create(const void *index, size_t index_bytes, size_t n, size_t bytes,
                         unsigned flags, unsigned threads, cw_plan **out)
{
    if (!out)
        return cw_fail(CW_ERR_ARGUMENT, "out is NULL");
    *out = NULL;
    if (index_bytes != 4 && index_bytes != 8)
        return cw_fail(CW_ERR_ARGUMENT, "an index of %zu bytes: only 4 or 8", index_bytes);
    if (!bytes || bytes > CW_PLAN_ITEM)
        return cw_fail(CW_ERR_ARGUMENT, "items of %zu bytes: only 1 .. %zu", bytes, CW_PLAN_ITEM);
    if (flags & ~(unsigned)(CW_GATHER | CW_ANY_GPU))
        return cw_fail(CW_ERR_ARGUMENT, "flags 0x%x: only CW_GATHER and CW_ANY_GPU", flags);
    if (n > CW_PLAN_MOST)
        return cw_fail(CW_ERR_LENGTH, "%zu items: plans have at most 2^31", n);
    if (n && !index)
        return cw_fail(CW_ERR_ARGUMENT, "index is NULL");
    if ((uintptr_t)index % index_bytes)
        return cw_fail(CW_ERR_ARGUMENT, "index is not at a multiple of %zu bytes", index_bytes);
    return cw_plan_make(index, index_bytes, n, bytes, flags, threads, NULL, out);
}

cw_status cw_plan_write_table(cw_context *context, const cw_plan *plan, void *table)
{
    struct cw_plan_table t;
    cw_status status = CW_OK;

    if (!context || !plan)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", context ? "plan" : "context");
    cw_plan_pieces(plan, &t);
    if (t.all && (!table || (uintptr_t)table % 256u))
        return cw_fail(CW_ERR_ARGUMENT, "table %s",
                       table ? "does not start on 256 bytes" : "is NULL");
    for (int k = 0; k < CW_PIECES && !status; k++)
        status = cw_memory_write(context, (unsigned char *)table + t.at[k], t.data[k], t.bytes[k]);
    return status;
}

static size_t need_of(const cw_plan *plan)
{
    return plan->way == CW_PLAN_PASSES && plan->partitions ? plan->n * plan->bytes : 0;
}

cw_status cw_plan_workspace(const cw_plan *plan, size_t *bytes)
{
    if (!plan || !bytes)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", plan ? "bytes" : "plan");
    *bytes = need_of(plan);
    return CW_OK;
}

struct call {
    const cw_plan *plan;
    const void *table, *in;
    void *out, *workspace;
};

static cw_status enqueue(struct cw_queue *q, const void *of)
{
    const struct call *const c = (const struct call *)of;
    const int cuda = q->shapes != CW_SHAPES_TINY;
    cw_transpose_job job;
    cw_permute_job rows;

    if (cw_plan_transposes(c->plan, c->in, c->out, &job))
        return cw_transpose_enqueue(q, &job, cuda, NULL, 0);
    if (cw_plan_moves_rows(c->plan, c->table, c->in, c->out, &rows))
        return cw_permute_enqueue(q, &rows, CW_PERMUTE_NAIVE, cuda, NULL);
    return cw_plan_queue(c->plan, (const unsigned char *)c->table, c->in, c->out, c->workspace, q);
}

/* The same on the host's threads. */
static cw_status execute(const struct call *c, struct cw_team *team)
{
    cw_transpose_job job;

    if (cw_plan_transposes(c->plan, c->in, c->out, &job))
        return cw_cpu_transpose(&job, NULL, team);
    return cw_plan_host(c->plan, (const unsigned char *)c->table, c->in, c->out, c->workspace,
                        team);
}

cw_status cw_plan_execute(cw_context *context, const cw_plan *plan, const void *table,
                          const void *in, void *out, void *workspace, size_t workspace_bytes,
                          cw_stream stream)
{
    const struct call call = {plan, table, in, out, workspace};
    struct cw_given all[ARRAYS];
    size_t need, table_bytes;
    cw_status status;

    if (!context || !plan)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", context ? "plan" : "context");
    if (!plan->n)
        return CW_OK;
    need = need_of(plan);
    table_bytes = cw_plan_table_bytes(plan);
    if (!in || !out || (table_bytes && !table))
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", !in ? "in" : !out ? "out" : "table");
    status = cw_check_workspace(workspace, workspace_bytes, need);
    if (status)
        return status;
    all[0] =
        (struct cw_given){"out", out, plan->n * plan->bytes, cw_plan_unit(plan->bytes | 16u), 1};
    all[1] = (struct cw_given){"workspace", need ? workspace : NULL, need, 256, 1};
    all[2] = (struct cw_given){"in", in, plan->n * plan->bytes, cw_plan_unit(plan->bytes | 16u), 0};
    all[3] = (struct cw_given){"table", table_bytes ? table : NULL, table_bytes, 256, 0};
    status = cw_check_given(context, all, ARRAYS);
    if (status)
        return status;
    if (context->backend == CW_CPU)
        return execute(&call, &context->team);
    return cw_context_enqueue(context, stream, all, ARRAYS, enqueue, &call);
}
