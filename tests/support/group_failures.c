#include "group_failures.h"

#include <stdio.h>
#include <string.h>

#include "distributed/ranks/group.h"

#define N 3000u

/* What rank `bad` does. */
enum fault {
    NULL_KEYS,
    NULL_CONTEXT,
    BAD_TYPE,
    OTHER_TYPE,
    OTHER_FLAGS,
    SMALL_WORKSPACE,
    ODD_WORKSPACE,
    OVERLAP,
    FAULTS
};

static const cw_status expected[FAULTS] = {
    CW_ERR_ARGUMENT, CW_ERR_ARGUMENT,  CW_ERR_TYPE,      CW_ERR_ARGUMENT,
    CW_ERR_ARGUMENT, CW_ERR_WORKSPACE, CW_ERR_WORKSPACE, CW_ERR_OVERLAP,
};

struct room {
    uint32_t keys[N], out[N];
    char *workspace;
    size_t need;
};

static cw_status sort(const cw_group *group, cw_context *context, struct room *r, cw_array *job)
{
    return cw_group_sort(group, context, job, r->workspace, r->need, NULL, NULL);
}

static cw_array job_of(struct room *r)
{
    const cw_array job = {.type = CW_U32, .n = N, .keys_in = r->keys, .keys_out = r->out};

    for (uint32_t i = 0; i < N; i++)
        r->keys[i] = i * 2654435761u;
    return job;
}

static cw_status with_fault(const cw_group *group, cw_context *context, struct room *r,
                            enum fault fault, int here)
{
    cw_array job = job_of(r);
    struct room other = *r;

    if (here) {
        job.keys_in = fault == NULL_KEYS ? NULL : job.keys_in;
        job.type = fault == BAD_TYPE ? (cw_type)99 : fault == OTHER_TYPE ? CW_I32 : CW_U32;
        job.flags = fault == OTHER_FLAGS ? CW_DESCENDING : 0;
        job.keys_out = fault == OVERLAP ? r->workspace : job.keys_out;
        other.need -= fault == SMALL_WORKSPACE ? 1 : 0;
        other.workspace += fault == ODD_WORKSPACE ? 4 : 0;
        context = fault == NULL_CONTEXT ? NULL : context;
    }
    return sort(group, context, &other, &job);
}

/* Every allocation of the bad rank in turn: all ranks are out of memory, or all have sorted. */
static int no_memory(const cw_group *group, cw_context *context, struct room *r, uint32_t bad)
{
    int wrong = 0, failed = 0;

    for (uint64_t x = 1; x < 40; x++) {
        cw_array job = job_of(r);
        cw_status status;
        uint64_t both[2];

        cw_peers_fail_in = group->rank == bad ? x : 0;
        status = sort(group, context, r, &job);
        cw_peers_fail_in = 0;
        both[0] = (uint64_t)status;
        both[1] = CW_STATUS_COUNT - (uint64_t)status;
        if (group->allreduce(group->self, both, 2, CW_MAX))
            return printf("allreduce failed\n");
        if (both[0] != CW_STATUS_COUNT - both[1] || (status && status != CW_ERR_MEMORY))
            wrong += printf("rank %u: %s, others have something else\n", group->rank,
                            cw_status_name(status));
        failed += status != CW_OK;
    }
    if (failed < (group->ranks > 1 ? 4 : 1))
        wrong += printf("only %d allocations failed\n", failed);
    return wrong;
}

int group_failures(const cw_group *group, cw_context *context, uint32_t bad)
{
    struct room r;
    cw_array job = job_of(&r);
    void *workspace;
    int wrong = 0;

    if (cw_group_sort_workspace(context, &job, (uint64_t)N * group->ranks, group->ranks, &r.need) ||
        cw_memory_alloc(context, r.need + 4, &workspace))
        return 1;
    r.workspace = (char *)workspace;
    for (int fault = 0; fault < FAULTS; fault++) {
        const cw_status status =
            with_fault(group, context, &r, (enum fault)fault, group->rank == bad);

        if (group->ranks == 1 && (fault == OTHER_TYPE || fault == OTHER_FLAGS))
            continue; /* nobody to differ from */
        if (status != expected[fault])
            wrong += printf("rank %u of %u, fault %d of rank %u: %s (%s)\n", group->rank,
                            group->ranks, fault, bad, cw_status_name(status), cw_last_error());
        if (status && !*cw_last_error())
            wrong += printf("fault %d has no text\n", fault);
    }
    wrong += no_memory(group, context, &r, bad);
    cw_memory_free(context, workspace);
    return wrong;
}
