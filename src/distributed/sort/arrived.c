/* arrived.c - the runs that arrived at a rank become one.
 *
 * On the host keys alone, of up to 16 ranks with one thread each, are merged (merge.h).  On GPUs
 * keys of 4 or 8 bytes are, alone or with one payload, of up to 32 ranks (runs.h).  All else is
 * copied to the outputs and sorted again. */
#include "base/status.h"
#include "distributed/sort/call.h"
#include "distributed/sort/merge.h"
#include "distributed/sort/runs.h"

/* Indices of what arrived, by where the sort says that it came from. */
static cw_status gather_index(struct cw_sort_call *c)
{
    const cw_permute_job job = cw_sort_call_gather(c, c->workspace);
    const size_t used = cw_sort_call_rounded(c->n_out * c->bytes[INDEX]);
    cw_status status = CW_OK;

    if (c->context->backend == CW_CPU) {
        for (uint64_t i = 0; i < c->n_out && c->bytes[INDEX] == 4; i++)
            ((uint32_t *)c->out[INDEX])[i] =
                ((const uint32_t *)c->kept)[((const uint32_t *)c->out[INDEX])[i]];
        for (uint64_t i = 0; i < c->n_out && c->bytes[INDEX] == 8; i++)
            ((uint64_t *)c->out[INDEX])[i] =
                ((const uint64_t *)c->kept)[((const uint64_t *)c->out[INDEX])[i]];
        return CW_OK;
    }
    if (c->n_out)
        status = cw_permute(c->context, &job, (char *)c->workspace + used,
                            c->workspace_bytes - used, c->stream);
    if (!status)
        status = cw_local_copy(c->context, c->stream, c->out[INDEX], c->workspace,
                               c->n_out * c->bytes[INDEX]);
    return status;
}

/* Is it faster to merge what arrived?  Keys alone, of few ranks, by one thread of the host. */
static int merges(const struct cw_sort_call *c)
{
    return c->context->backend == CW_CPU && !c->bytes[VALUES] && !c->bytes[INDEX] &&
           c->bytes[KEYS] >= 4 && c->peers.ranks <= CW_MERGE_RUNS &&
           cw_team_threads(&c->context->team) == 1;
}

static void merge(struct cw_sort_call *c)
{
    struct cw_merge m = {.first = c->job.first_bit, .runs = c->peers.ranks};

    m.map = cw_key_map_of_array(&c->job);
    m.range = UINT64_MAX >> (64u - c->job.bits);
    m.lengths = c->moves.recv;
    if (c->bytes[KEYS] == 8)
        cw_merge8(&m, (uint64_t *)c->arrived[KEYS], (uint64_t *)c->out[KEYS]);
    else
        cw_merge4(&m, (uint32_t *)c->arrived[KEYS], (uint32_t *)c->out[KEYS]);
}

static cw_status merge_there(struct cw_sort_call *c)
{
    const int payload = c->bytes[VALUES] ? VALUES : INDEX;
    struct cw_runs r = {.runs = c->peers.ranks, .lengths = c->moves.recv, .type = c->job.type};
    cw_status status;

    r.keys = cw_sort_call_keys(c, c->arrived[KEYS], c->n_out, c->cuts);
    r.keys_out = c->out[KEYS];
    r.flags = c->job.flags;
    r.value_bytes = c->bytes[payload];
    r.values = c->arrived[payload];
    r.values_out = c->out[payload];
    status = cw_runs_merge(&r, c->workspace, c->workspace_bytes);
    return status ? status : cw_wait(c->context, c->stream);
}

cw_status cw_sort_arrived(struct cw_sort_call *c)
{
    const cw_array job = cw_sort_call_second(c);
    cw_status status = CW_OK;

    if (merges(c)) {
        merge(c);
        return CW_OK;
    }
    if (c->cuts)
        return merge_there(c);
    for (int x = 0; x < ARRAYS && !status; x++) {
        if (c->bytes[x] && c->arrived[x] != c->kept)
            status = cw_local_copy(c->context, c->stream, c->out[x], c->arrived[x],
                                   c->n_out * c->bytes[x]);
    }
    if (!status)
        status = cw_sort(c->context, &job, c->workspace, c->workspace_bytes, c->stream);
    if (!status && c->kept)
        status = gather_index(c);
    return status ? status : cw_wait(c->context, c->stream);
}
