/* permute.c - cw_group_permute: rows to their ranks, then to their places.
 *
 *      index, rows --cw_partition--> by rank --exchange--> workspace --cw_permute--> out
 *
 * The bucket of an item is the rank whose share has its place: places are split at the first of
 * each share.  Each rank checks what it got, so a place that is missing somewhere is found where it
 * is there twice, or out of range.  Space besides the arrays: both shares of index and rows, and
 * the larger workspace of the two calls. */
#include <string.h>

#include "api/context.h"
#include "api/needs.h"
#include "base/arena.h"
#include "base/status.h"
#include "distributed/local.h"
#include "distributed/move.h"
#include "distributed/ranks/hello.h"

struct call {
    struct cw_peers peers;
    cw_context *context;
    cw_stream stream;
    cw_permute_job job;
    uint64_t total, first, n_out;
    /* in the workspace */
    void *index, *rows, *came_index, *came_rows, *splitters, *offsets, *rest;
    size_t rest_bytes;
};

static cw_type index_type(const cw_permute_job *job)
{
    if (job->index_bytes == 4)
        return job->index_signed ? CW_I32 : CW_U32;
    return job->index_signed ? CW_I64 : CW_U64;
}

static cw_partition_job send_job(const struct call *c, cw_payload *payload)
{
    cw_partition_job j = {.type = index_type(&c->job), .rule = CW_BY_SPLITTER, .n = c->job.n};

    payload->in = c->job.in;
    payload->out = c->rows;
    payload->bytes = c->job.bytes;
    j.buckets = c->peers.ranks;
    j.splitters = c->splitters;
    j.keys_in = c->job.index;
    j.keys_out = c->index;
    j.payloads = payload;
    j.payload_count = 1;
    j.offsets = (uint64_t *)c->offsets;
    return j;
}

static cw_permute_job place_job(const struct call *c)
{
    cw_permute_job j = c->job;

    j.flags = CW_CHECK;
    j.n = c->n_out;
    j.in = c->came_rows;
    j.index = c->came_index;
    return j;
}

/* Hand out the workspace; base NULL: only say how much there must be. */
static size_t lay_out(struct call *c, uint8_t *base)
{
    const size_t i = c->job.index_bytes, b = c->job.bytes;
    cw_payload payload;
    cw_partition_job send;
    cw_permute_job place;
    uint64_t at = 0;
    size_t need;

    c->index = take(base, &at, c->job.n * i);
    c->rows = take(base, &at, c->job.n * b);
    c->came_index = take(base, &at, c->n_out * i);
    c->came_rows = take(base, &at, c->n_out * b);
    c->splitters = take(base, &at, c->peers.ranks * i);
    c->offsets = take(base, &at, (c->peers.ranks + (uint64_t)1) * sizeof(uint64_t));
    send = send_job(c, &payload);
    send.offsets = (uint64_t *)&at; /* any pointer: what counts is that there is one */
    send.keys_out = &at;
    place = place_job(c);
    c->rest_bytes = cw_partition_need(c->context, &send);
    need = c->n_out ? cw_permute_need(c->context, &place) : 0;
    c->rest_bytes = need > c->rest_bytes ? need : c->rest_bytes;
    c->rest = take(base, &at, c->rest_bytes);
    return at;
}

static cw_status check_sizes(const cw_permute_job *job, uint64_t total, uint32_t ranks)
{
    cw_permute_job all;
    size_t bytes;

    if (!job)
        return cw_fail(CW_ERR_ARGUMENT, "job is NULL");
    if (job->flags & CW_GATHER)
        return cw_fail(CW_ERR_ARGUMENT,
                       "CW_GATHER: items of ranks go to places, not the other way");
    if (!ranks || ranks > CW_BUCKETS_MAX)
        return cw_fail(CW_ERR_ARGUMENT, "%u ranks: 1 to %u", ranks, CW_BUCKETS_MAX);
    all = *job;
    all.n = total;
    return cw_permute_workspace(&all, &bytes);
}

static void begin(struct call *c, const cw_context *context, const cw_permute_job *job,
                  uint64_t total, uint32_t ranks, uint32_t rank)
{
    memset(c, 0, sizeof *c);
    c->context = (cw_context *)(uintptr_t)context;
    c->job = *job;
    c->job.count = NULL; /* was read, or is n at most */
    c->job.count_bytes = 0;
    c->total = total;
    c->peers.ranks = ranks;
    cw_group_share(total, ranks, rank, &c->first, &c->n_out);
}

cw_status cw_group_permute_workspace(const cw_context *context, const cw_permute_job *job,
                                     uint64_t total, uint32_t ranks, size_t *bytes)
{
    struct call c;
    cw_status status;

    if (!bytes)
        return cw_fail(CW_ERR_ARGUMENT, "bytes is NULL");
    *bytes = 0;
    status = check_sizes(job, total, ranks);
    if (status)
        return status;
    begin(&c, context, job, total, ranks, 0); /* rank 0 has one more, if any has */
    *bytes = total ? lay_out(&c, NULL) : 0;
    return CW_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The first place of each share but that of rank 0, in numbers as wide as the index. */
static cw_status write_splitters(struct call *c)
{
    const uint32_t ranks = c->peers.ranks;
    const size_t bytes = ranks * c->job.index_bytes;
    char *const host = (char *)cw_peers_alloc(&c->peers, bytes);
    cw_status status = host ? CW_OK : CW_ERR_MEMORY;

    for (uint32_t r = 1; r < ranks && host; r++) {
        uint64_t first, count;
        uint32_t narrow;

        cw_group_share(c->total, ranks, r, &first, &count);
        narrow = (uint32_t)first;
        if (c->job.index_bytes == 4)
            memcpy(host + (r - 1) * sizeof narrow, &narrow, sizeof narrow);
        else
            memcpy(host + (r - 1) * sizeof first, &first, sizeof first);
    }
    if (!status && ranks > 1)
        status = cw_memory_write(c->context, c->splitters, host, (ranks - 1) * c->job.index_bytes);
    cw_peers_free(&c->peers, host, bytes);
    return status;
}

static cw_status by_rank(struct call *c, uint64_t *cuts)
{
    cw_payload payload;
    const cw_partition_job job = send_job(c, &payload);
    cw_status status = write_splitters(c);

    memset(cuts, 0, (c->peers.ranks + (size_t)1) * sizeof *cuts);
    if (!status && c->job.n)
        status = cw_partition(c->context, &job, c->rest, c->rest_bytes, c->stream);
    if (!status)
        status = cw_wait(c->context, c->stream);
    if (!status && c->job.n)
        status = cw_memory_read(c->context, cuts, c->offsets,
                                (c->peers.ranks + (size_t)1) * sizeof *cuts);
    return status;
}

static cw_status as_many(const struct call *c, uint64_t received)
{
    if (received == c->n_out)
        return CW_OK;
    return cw_fail(CW_ERR_LABEL, "%llu places of rank %u are named, which has %llu",
                   (unsigned long long)received, c->peers.rank, (unsigned long long)c->n_out);
}

static cw_status exchange(struct call *c, const uint64_t *cuts)
{
    struct cw_moves m;
    cw_status status = cw_moves_begin(&m, &c->peers, cuts);

    if (!status)
        status = cw_peers_agree(&c->peers, as_many(c, m.received));
    if (!status)
        status = cw_moves_run(&m, &c->peers, c->context, c->stream, c->index, c->came_index,
                              c->job.index_bytes);
    if (!status)
        status =
            cw_moves_run(&m, &c->peers, c->context, c->stream, c->rows, c->came_rows, c->job.bytes);
    cw_moves_end(&m, &c->peers);
    return status;
}

static cw_status to_places(struct call *c)
{
    const cw_permute_job job = place_job(c);
    cw_status status = cw_local_add(c->context, c->stream, c->came_index, c->n_out,
                                    c->job.index_bytes, (uint64_t)0 - c->first);

    if (!status && c->n_out)
        status = cw_permute(c->context, &job, c->rest, c->rest_bytes, c->stream);
    return status ? status : cw_wait(c->context, c->stream);
}

static cw_status run(struct call *c)
{
    const size_t bytes = ((size_t)c->peers.ranks + 1) * sizeof(uint64_t);
    uint64_t *const cuts = (uint64_t *)cw_peers_alloc(&c->peers, bytes);
    double t = cw_peers_clock();
    cw_status status = cw_peers_agree(&c->peers, cuts ? by_rank(c, cuts) : CW_ERR_MEMORY);

    c->peers.report->local_seconds = cw_peers_clock() - t;
    if (!status)
        status = exchange(c, cuts);
    cw_peers_free(&c->peers, cuts, bytes);
    t = cw_peers_clock();
    if (!status)
        status = cw_peers_agree(&c->peers, to_places(c));
    c->peers.report->local_seconds += cw_peers_clock() - t;
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

/* *out: the job with as many items as its count says. */
static cw_status check(cw_context *context, const cw_permute_job *job, uint32_t ranks,
                       cw_stream stream, cw_permute_job *out)
{
    cw_status status;

    if (!context)
        return cw_fail(CW_ERR_ARGUMENT, "context is NULL");
    status = check_sizes(job, job ? job->n : 0, ranks);
    if (status)
        return status;
    *out = *job;
    status = cw_local_count(context, stream, &out->count, &out->count_bytes, &out->n);
    if (!status && out->n && (!job->in || !job->index))
        status = cw_fail(CW_ERR_ARGUMENT, "%s is NULL", job->in ? "index" : "in");
    return status;
}

static struct cw_hello hello_of(const cw_permute_job *job, cw_status status)
{
    struct cw_hello h = {.status = status};

    if (h.status)
        return h;
    h.n = job->n;
    h.facts[0] = job->flags;
    h.facts[1] = job->bytes;
    h.facts[2] = job->index_bytes;
    h.facts[3] = job->index_signed != 0;
    h.facts[7] = 2; /* a permutation */
    return h;
}

static cw_status check_room(struct call *c, void *workspace, size_t bytes)
{
    const cw_status status = check_sizes(&c->job, c->total, c->peers.ranks);
    const size_t need = status ? 0 : lay_out(c, NULL);

    if (status)
        return status;
    if (c->n_out && !c->job.out)
        return cw_fail(CW_ERR_ARGUMENT, "out is NULL");
    return cw_check_workspace(workspace, bytes, need);
}

cw_status cw_group_permute(const cw_group *group, cw_context *context, const cw_permute_job *job,
                           void *workspace, size_t workspace_bytes, cw_stream stream,
                           cw_group_report *report)
{
    struct cw_entry e;
    struct call c;
    cw_permute_job here;
    cw_status status = cw_peers_begin(&e.peers, group, report);

    if (status)
        return status;
    status = check(context, job, e.peers.ranks, stream, &here);
    e.hello = hello_of(&here, status);
    status = cw_hello(&e.peers, &e.hello, &e.all);
    if (status || !e.all.total)
        return status;
    begin(&c, context, &here, e.all.total, e.peers.ranks, e.peers.rank);
    c.peers = e.peers;
    c.stream = stream;
    status = cw_peers_agree(&c.peers, check_room(&c, workspace, workspace_bytes));
    if (status)
        return status;
    (void)lay_out(&c, (uint8_t *)workspace);
    return run(&c);
}
