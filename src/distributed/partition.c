/* partition.c - cw_group_partition: buckets to ranks, a shuffle.
 *
 *      keys, payloads --cw_partition--> by bucket --exchange--> workspace --cw_partition--> out
 *
 * What arrives is ordered by rank, then by bucket; the second partition, which is stable, makes it
 * bucket, then rank.  Space besides the arrays: both shares once, and the larger workspace of the
 * two calls. */
#include <string.h>

#include "api/context.h"
#include "api/needs.h"
#include "base/arena.h"
#include "base/status.h"
#include "distributed/local.h"
#include "distributed/move.h"
#include "distributed/ranks/hello.h"

#define PAYLOADS 64u /* of one call */

struct call {
    struct cw_peers peers;
    cw_context *context;
    cw_stream stream;
    cw_partition_job job;
    size_t room;
    cw_payload here[PAYLOADS], there[PAYLOADS]; /* into the workspace; and out of it */
    /* in the workspace */
    void *keys, *came_keys, *offsets, *rest;
    size_t rest_bytes;
};

uint32_t cw_group_bucket_rank(uint32_t bucket, uint32_t buckets, uint32_t ranks)
{
    return (uint32_t)((uint64_t)bucket * ranks / buckets);
}

/* The first bucket of a rank, or the number of buckets. */
static uint32_t first_bucket(uint32_t rank, uint32_t buckets, uint32_t ranks)
{
    return (uint32_t)(((uint64_t)rank * buckets + ranks - 1) / ranks);
}

static cw_partition_job first_job(const struct call *c)
{
    cw_partition_job j = c->job;

    j.flags |= CW_CHECK;
    j.keys_out = c->keys;
    j.payloads = c->here;
    j.offsets = (uint64_t *)c->offsets;
    j.padded = NULL;
    j.block_buckets = NULL;
    j.block_count = 0;
    j.pad_to = 0;
    return j;
}

static cw_partition_job second_job(const struct call *c, size_t n)
{
    cw_partition_job j = c->job;

    j.flags &= ~(unsigned)CW_CHECK; /* they were looked at */
    j.n = n;
    j.keys_in = c->came_keys;
    j.payloads = c->there;
    return j;
}

/* Hand out the workspace; base NULL: only say how much there must be. */
static size_t lay_out(struct call *c, uint8_t *base)
{
    const size_t k = cw_type_bytes(c->job.type);
    cw_partition_job first, second;
    uint64_t at = 0;
    size_t need;

    c->keys = take(base, &at, c->job.n * k);
    c->came_keys = take(base, &at, c->room * k);
    c->offsets = take(base, &at, (c->job.buckets + (uint64_t)1) * sizeof(uint64_t));
    for (size_t x = 0; x < c->job.payload_count; x++) {
        c->here[x] = c->there[x] = c->job.payloads[x];
        c->here[x].out = take(base, &at, c->job.n * c->here[x].bytes);
        c->there[x].in = take(base, &at, c->room * c->there[x].bytes);
    }
    first = first_job(c);
    second = second_job(c, c->room);
    first.offsets = (uint64_t *)&at; /* any pointer: what counts is that there is one */
    first.keys_out = &at;
    c->rest_bytes = cw_partition_need(c->context, &first);
    need = cw_partition_need(c->context, &second);
    c->rest_bytes = need > c->rest_bytes ? need : c->rest_bytes;
    c->rest = take(base, &at, c->rest_bytes);
    return at;
}

static cw_status check_sizes(const cw_partition_job *job, size_t room)
{
    cw_partition_job larger;
    size_t bytes;
    cw_status status;

    if (!job)
        return cw_fail(CW_ERR_ARGUMENT, "job is NULL");
    if (job->index_out || job->inverse_out || job->payload_count > PAYLOADS)
        return cw_fail(CW_ERR_ARGUMENT, "an index, or more than %u payloads", PAYLOADS);
    if (job->choices > 1)
        return cw_fail(CW_ERR_ARGUMENT, "choices: not in a group");
    status = cw_partition_workspace(job, &bytes);
    larger = *job;
    larger.n = room;
    return status ? status : cw_partition_workspace(&larger, &bytes);
}

cw_status cw_group_partition_workspace(const cw_context *context, const cw_partition_job *job,
                                       size_t room, size_t *bytes)
{
    struct call c;
    cw_status status;

    if (!bytes)
        return cw_fail(CW_ERR_ARGUMENT, "bytes is NULL");
    *bytes = 0;
    status = check_sizes(job, room);
    if (status)
        return status;
    memset(&c, 0, sizeof c);
    c.context = (cw_context *)(uintptr_t)context;
    c.job = *job;
    c.job.count = NULL; /* n items at most */
    c.job.count_bytes = 0;
    c.room = room;
    *bytes = lay_out(&c, NULL);
    return CW_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static cw_status by_bucket(struct call *c, uint64_t *offsets, uint64_t *cuts)
{
    const cw_partition_job job = first_job(c);
    const size_t bytes = (c->job.buckets + (size_t)1) * sizeof *offsets;
    cw_status status = CW_OK;

    memset(offsets, 0, bytes);
    if (c->job.n)
        status = cw_partition(c->context, &job, c->rest, c->rest_bytes, c->stream);
    if (!status)
        status = cw_wait(c->context, c->stream);
    if (!status && c->job.n)
        status = cw_memory_read(c->context, offsets, c->offsets, bytes);
    for (uint32_t r = 0; r <= c->peers.ranks; r++)
        cuts[r] = offsets[first_bucket(r, c->job.buckets, c->peers.ranks)];
    return status;
}

static cw_status exchange(struct call *c, struct cw_moves *m)
{
    cw_status status = cw_moves_run(m, &c->peers, c->context, c->stream, c->keys, c->came_keys,
                                    cw_type_bytes(c->job.type));

    for (size_t x = 0; x < c->job.payload_count && !status; x++)
        status = cw_moves_run(m, &c->peers, c->context, c->stream, c->here[x].out,
                              (void *)(uintptr_t)c->there[x].in, c->here[x].bytes);
    return status;
}

static cw_status arrange(struct call *c, size_t n)
{
    const cw_partition_job job = second_job(c, n);
    const cw_status status = cw_partition(c->context, &job, c->rest, c->rest_bytes, c->stream);

    return status ? status : cw_wait(c->context, c->stream);
}

static cw_status fits(const struct call *c, uint64_t received)
{
    if (received <= c->room)
        return CW_OK;
    return cw_fail(CW_ERR_LENGTH, "%llu items go to rank %u, which has room for %zu",
                   (unsigned long long)received, c->peers.rank, c->room);
}

static cw_status send_and_arrange(struct call *c, const uint64_t *cuts, size_t *got)
{
    struct cw_moves m;
    cw_status status = cw_moves_begin(&m, &c->peers, cuts);
    double t;

    *got = status ? 0 : m.received;
    if (!status)
        status = cw_peers_agree(&c->peers, fits(c, m.received));
    if (!status)
        status = exchange(c, &m);
    t = cw_peers_clock();
    if (!status)
        status = cw_peers_agree(&c->peers, arrange(c, m.received));
    c->peers.report->local_seconds += cw_peers_clock() - t;
    cw_moves_end(&m, &c->peers);
    return status;
}

static cw_status run(struct call *c, size_t *got)
{
    const size_t buckets = c->job.buckets + (size_t)1, ranks = c->peers.ranks + (size_t)1;
    const size_t bytes = (buckets + ranks) * sizeof(uint64_t);
    uint64_t *const memory = (uint64_t *)cw_peers_alloc(&c->peers, bytes);
    const double t = cw_peers_clock();
    cw_status status = memory ? by_bucket(c, memory, memory + buckets) : CW_ERR_MEMORY;

    c->peers.report->local_seconds = cw_peers_clock() - t;
    status = cw_peers_agree(&c->peers, status);
    if (!status)
        status = send_and_arrange(c, memory + buckets, got);
    cw_peers_free(&c->peers, memory, bytes);
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

static cw_status check(const cw_context *context, const cw_partition_job *job, size_t room,
                       const size_t *got)
{
    if (!context || !got)
        return cw_fail(CW_ERR_ARGUMENT, "context or got is NULL");
    if (job && !job->keys_out)
        return cw_fail(CW_ERR_ARGUMENT, "keys_out is NULL");
    return check_sizes(job, room);
}

static struct cw_hello hello_of(const cw_partition_job *job, cw_status status)
{
    struct cw_hello h = {.status = status};

    if (h.status)
        return h;
    h.n = job->n;
    h.facts[0] = job->type | (uint64_t)job->rule << 32;
    h.facts[1] = job->flags;
    h.facts[2] = job->buckets;
    h.facts[3] = job->first_bit;
    h.facts[4] = job->multiplier;
    h.facts[5] = job->payload_count;
    for (size_t x = 0; x < job->payload_count; x++)
        h.facts[6] = h.facts[6] * 1000003u + job->payloads[x].bytes;
    h.facts[7] = 3; /* a partition */
    return h;
}

cw_status cw_group_partition(const cw_group *group, cw_context *context,
                             const cw_partition_job *job, size_t room, size_t *got, void *workspace,
                             size_t workspace_bytes, cw_stream stream, cw_group_report *report)
{
    struct cw_entry e;
    struct call c;
    cw_partition_job here = {0};
    cw_status status = cw_peers_begin(&e.peers, group, report);

    if (status)
        return status;
    status = check(context, job, room, got);
    if (!status) {
        here = *job; /* with as many items as its count says */
        status = cw_local_count(context, stream, &here.count, &here.count_bytes, &here.n);
    }
    e.hello = hello_of(&here, status);
    status = cw_hello(&e.peers, &e.hello, &e.all);
    if (status)
        return status;
    memset(&c, 0, sizeof c);
    c.peers = e.peers;
    c.context = context;
    c.stream = stream;
    c.job = here;
    c.room = room;
    status = cw_check_workspace(workspace, workspace_bytes, lay_out(&c, NULL));
    status = cw_peers_agree(&c.peers, status);
    if (status)
        return status;
    (void)lay_out(&c, (uint8_t *)workspace);
    return run(&c, got);
}
