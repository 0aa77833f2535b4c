/* room.c - what a call of cw_group_sort needs, and where in the workspace it lies. */
#include "distributed/sort/call.h"

#include <string.h>

#include "api/needs.h"
#include "base/arena.h"
#include "base/status.h"
#include "distributed/sort/runs.h"

static void set_bytes(const cw_array *job, size_t bytes[ARRAYS])
{
    bytes[KEYS] = cw_type_bytes(job->type);
    bytes[VALUES] = job->value_bytes;
    bytes[INDEX] = job->index_bytes;
}

/* The sort of what arrived: one payload moves with the keys; with two, the values do and the index
 * says where each key came from. */
cw_array cw_sort_call_second(const struct cw_sort_call *c)
{
    const int both = c->bytes[VALUES] && c->bytes[INDEX];
    const int payload = c->bytes[VALUES] ? VALUES : INDEX;
    cw_array j = c->job;

    j.n = c->n_out;
    j.keys_in = j.keys_out = c->out[KEYS];
    j.value_bytes = c->bytes[payload];
    j.values_in = j.values_out = c->out[payload];
    j.index_bytes = both ? c->bytes[INDEX] : 0;
    j.index_out = both ? c->out[INDEX] : NULL;
    return j;
}

cw_array cw_sort_call_first(const struct cw_sort_call *c)
{
    cw_array j = c->job;

    j.keys_out = c->out[KEYS];
    return j;
}

cw_permute_job cw_sort_call_gather(const struct cw_sort_call *c, void *to)
{
    cw_permute_job j = {.flags = CW_GATHER, .n = c->n_out, .bytes = c->bytes[INDEX]};

    j.in = c->kept;
    j.out = to;
    j.index = c->out[INDEX];
    j.index_bytes = c->bytes[INDEX];
    return j;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Do kernels merge what arrives?  Without a context: may they? */
static int merges_there(const struct cw_sort_call *c, uint32_t ranks)
{
    return (!c->context || c->context->backend != CW_CPU) && cw_runs_fit(&c->job, ranks);
}

/* What is needed once the job was checked.  Keys that the caller does not want lie at its end,
 * before them the indices that wait. */
static size_t need_of(const struct cw_sort_call *c, uint64_t most, uint32_t ranks)
{
    const int both = c->bytes[VALUES] && c->bytes[INDEX];
    cw_array first = cw_sort_call_first(c), second;
    struct cw_sort_call there = *c;
    size_t need = 0, gather = 0;

    there.out[KEYS] = &need; /* any pointer: what counts is that there is one */
    second = cw_sort_call_second(&there);
    first.keys_out = &need;
    second.n = most;
    for (int x = 0; x < ARRAYS; x++)
        need += cw_sort_call_rounded(most * c->bytes[x]);
    if (merges_there(c, ranks))
        need = larger(need + cw_sort_call_rounded(cw_runs_cuts_bytes(most, ranks)),
                      cw_runs_rows_bytes(&c->job, most));
    need = larger(need, cw_sort_need(c->context, &first));
    need = larger(need, cw_sort_need(c->context, &second));
    if (both) {
        cw_permute_job j = cw_sort_call_gather(c, NULL);

        j.n = most;
        (void)cw_permute_workspace(&j, &gather);
        gather = c->context && c->context->backend == CW_CPU ? 0 : gather;
        need = larger(need, cw_sort_call_rounded(most * c->bytes[INDEX]) + gather);
        need += cw_sort_call_rounded(most * c->bytes[INDEX]);
    }
    if (!c->context || c->context->backend != CW_CPU)
        need = larger(need, CW_LOCAL_SCRATCH);
    return cw_sort_call_rounded(need) +
           (c->job.keys_out ? 0 : cw_sort_call_rounded(larger(most, c->job.n) * c->bytes[KEYS]));
}

void cw_sort_call_begin(struct cw_sort_call *c, cw_context *context, const cw_array *job)
{
    memset(c, 0, sizeof *c);
    c->context = context;
    c->job = *job;
    c->job.count = NULL; /* was read, or is n at most */
    c->job.count_bytes = 0;
    if (job->index_bytes)
        c->job.flags |= CW_STABLE;
    if (!job->bits)
        c->job.bits = 8u * (unsigned)cw_type_bytes(job->type) - job->first_bit;
    set_bytes(job, c->bytes);
}

/* The most items that any rank can have before or after. */
static uint64_t most_of(const cw_array *job, uint64_t total, uint32_t ranks)
{
    const uint64_t share = total / ranks + (total % ranks != 0);

    return job->n > share ? job->n : share;
}

cw_status cw_sort_call_check(const cw_array *job, uint64_t total)
{
    size_t bytes;
    const cw_status status = cw_sort_workspace(job, &bytes);

    if (status)
        return status;
    if (job->index_bytes == 4 && total > (uint64_t)1 << 32)
        return cw_fail(CW_ERR_ARGUMENT, "%llu keys: an index of 4 bytes has 2^32 places",
                       (unsigned long long)total);
    if (total > SIZE_MAX / 64u)
        return cw_fail(CW_ERR_ARGUMENT, "%llu keys: too many", (unsigned long long)total);
    return CW_OK;
}

cw_status cw_group_sort_workspace(const cw_context *context, const cw_array *job, uint64_t total,
                                  uint32_t ranks, size_t *bytes)
{
    struct cw_sort_call c;
    cw_status status;

    if (!bytes || !job || !ranks)
        return cw_fail(CW_ERR_ARGUMENT, "bytes or job is NULL, or there are no ranks");
    *bytes = 0;
    status = cw_sort_call_check(job, total);
    if (status)
        return status;
    cw_sort_call_begin(&c, (cw_context *)(uintptr_t)context, job);
    *bytes = total ? need_of(&c, most_of(job, total, ranks), ranks) : 0;
    return CW_OK;
}

/* What can be said only when the others' items are known. */
cw_status cw_sort_call_check_room(const struct cw_sort_call *c)
{
    const uint64_t most = most_of(&c->job, c->all.total, c->peers.ranks);
    const cw_status status = cw_sort_call_check(&c->job, c->all.total);
    const size_t need = status ? 0 : need_of(c, most, c->peers.ranks);
    const char *const from = (const char *)c->workspace, *const end = from + need;

    if (status)
        return status;
    if (!from || (uintptr_t)from % 256u || c->workspace_bytes < need)
        return cw_fail(CW_ERR_WORKSPACE, "a workspace of %zu bytes on 256: %zu are needed",
                       c->workspace_bytes, need);
    for (int x = 0; x < ARRAYS; x++) {
        const char *const out = (const char *)(x == KEYS     ? c->job.keys_out
                                               : x == VALUES ? c->job.values_out
                                                             : c->job.index_out);

        if (out && out < end && from < out + most * c->bytes[x])
            return cw_fail(CW_ERR_OVERLAP, "the workspace overlaps an output");
    }
    return CW_OK;
}

void cw_sort_call_lay_out(struct cw_sort_call *c)
{
    const uint64_t most = most_of(&c->job, c->all.total, c->peers.ranks);
    char *const base = (char *)c->workspace;
    size_t end = need_of(c, most, c->peers.ranks);
    uint64_t at = 0;

    c->out[KEYS] = c->job.keys_out;
    c->out[VALUES] = c->job.values_out;
    c->out[INDEX] = c->job.index_out;
    if (!c->out[KEYS]) {
        end -= cw_sort_call_rounded(most * c->bytes[KEYS]);
        c->out[KEYS] = base + end;
    }
    if (c->bytes[VALUES] && c->bytes[INDEX]) {
        end -= cw_sort_call_rounded(most * c->bytes[INDEX]);
        c->kept = base + end;
    }
    c->workspace_bytes = end;
    for (int x = 0; x < ARRAYS; x++)
        c->arrived[x] = take((uint8_t *)base, &at, most * c->bytes[x]);
    if (c->kept)
        c->arrived[INDEX] = c->kept;
    if (merges_there(c, c->peers.ranks))
        c->cuts = take((uint8_t *)base, &at, cw_runs_cuts_bytes(most, c->peers.ranks));
}

struct cw_local_keys cw_sort_call_keys(const struct cw_sort_call *c, const void *keys, uint64_t n,
                                       void *scratch)
{
    struct cw_local_keys k = {c->context, c->stream, keys, c->bytes[KEYS]};

    k.n = n;
    k.scratch = scratch;
    k.map = cw_key_map_of_array(&c->job);
    k.first = c->job.first_bit;
    k.range = UINT64_MAX >> (64u - c->job.bits);
    return k;
}
