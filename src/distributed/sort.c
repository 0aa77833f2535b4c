/* sort.c - cw_group_sort: sort here, find the splitters, exchange once, merge what arrived.
 *
 *      keys_in --cw_sort--> keys_out --exchange--> workspace --merge--> keys_out
 *                (workspace)
 *
 * and so for values and indices.  What arrives is a sorted run of each rank, in the order of ranks,
 * so a stable merge of it keeps the order of equal keys.  On the host keys alone, of up to 16 ranks
 * with one thread each, are merged (merge.h); on GPUs keys of 4 or 8 bytes, alone or with one
 * payload, of up to 32 ranks (runs.h); all else is copied to keys_out and sorted again.  Each item
 * travels once, those that stay not at all.  One rank has nothing to do after its sort.
 *
 * Space besides the arrays: the workspace, as large as a share, which is that of cw_sort and the
 * room for what arrives in turn; and on the host 260 bytes a rank and 320 KiB (splitters.h). */
#include <string.h>

#include "api/context.h"
#include "api/needs.h"
#include "base/arena.h"
#include "base/status.h"
#include "distributed/hello.h"
#include "distributed/local.h"
#include "distributed/merge.h"
#include "distributed/move.h"
#include "distributed/runs.h"

enum { KEYS, VALUES, INDEX, ARRAYS };

struct call {
    struct cw_peers peers;
    cw_context *context;
    cw_stream stream;
    cw_array job;
    struct cw_everyone all;
    uint64_t n_out;
    size_t bytes[ARRAYS];
    void *out[ARRAYS];     /* the caller's; of keys that he does not want, in the workspace */
    void *arrived[ARRAYS]; /* in the workspace */
    void *kept;            /* indices that wait until the keys are sorted */
    void *cuts;            /* in the workspace, behind what arrived: where runs are cut (runs.h) */
    void *workspace;
    size_t workspace_bytes;
    struct cw_moves moves;
    int in_place; /* no item of any rank goes to another one */
};

/* ---- workspace
 * -------------------------------------------------------------------------------- */

static void set_bytes(const cw_array *job, size_t bytes[ARRAYS])
{
    bytes[KEYS] = cw_type_bytes(job->type);
    bytes[VALUES] = job->value_bytes;
    bytes[INDEX] = job->index_bytes;
}

/* The sort of what arrived: one payload moves with the keys; with two, the values do and the index
 * says where each key came from. */
static cw_array second_job(const struct call *c)
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

static cw_array first_job(const struct call *c)
{
    cw_array j = c->job;

    j.keys_out = c->out[KEYS];
    return j;
}

static cw_permute_job gather_job(const struct call *c, void *to)
{
    cw_permute_job j = {.flags = CW_GATHER, .n = c->n_out, .bytes = c->bytes[INDEX]};

    j.in = c->kept;
    j.out = to;
    j.index = c->out[INDEX];
    j.index_bytes = c->bytes[INDEX];
    return j;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 255u) / 256u * 256u;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Do kernels merge what arrives?  Without a context: may they? */
static int merges_there(const struct call *c, uint32_t ranks)
{
    return (!c->context || c->context->backend != CW_CPU) && cw_runs_fit(&c->job, ranks);
}

/* What is needed once the job was checked.  Keys that the caller does not want lie at its end,
 * before them the indices that wait. */
static size_t need_of(const struct call *c, uint64_t most, uint32_t ranks)
{
    const int both = c->bytes[VALUES] && c->bytes[INDEX];
    cw_array first = first_job(c), second;
    struct call there = *c;
    size_t need = 0, gather = 0;

    there.out[KEYS] = &need; /* any pointer: what counts is that there is one */
    second = second_job(&there);
    first.keys_out = &need;
    second.n = most;
    for (int x = 0; x < ARRAYS; x++)
        need += rounded(most * c->bytes[x]);
    if (merges_there(c, ranks))
        need = larger(need + rounded(cw_runs_cuts_bytes(most, ranks)),
                      cw_runs_rows_bytes(&c->job, most));
    need = larger(need, cw_sort_need(c->context, &first));
    need = larger(need, cw_sort_need(c->context, &second));
    if (both) {
        cw_permute_job j = gather_job(c, NULL);

        j.n = most;
        (void)cw_permute_workspace(&j, &gather);
        gather = c->context && c->context->backend == CW_CPU ? 0 : gather;
        need = larger(need, rounded(most * c->bytes[INDEX]) + gather);
        need += rounded(most * c->bytes[INDEX]);
    }
    if (!c->context || c->context->backend != CW_CPU)
        need = larger(need, CW_LOCAL_SCRATCH);
    return rounded(need) + (c->job.keys_out ? 0 : rounded(larger(most, c->job.n) * c->bytes[KEYS]));
}

static void begin(struct call *c, cw_context *context, const cw_array *job)
{
    memset(c, 0, sizeof *c);
    c->context = context;
    c->job = *job;
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

static cw_status check_sizes(const cw_array *job, uint64_t total)
{
    size_t bytes;
    const cw_status status = cw_sort_workspace(job, &bytes);

    if (status)
        return status;
    if (job->count)
        return cw_fail(CW_ERR_ARGUMENT, "a count in the context's memory: not in a group");
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
    struct call c;
    cw_status status;

    if (!bytes || !job || !ranks)
        return cw_fail(CW_ERR_ARGUMENT, "bytes or job is NULL, or there are no ranks");
    *bytes = 0;
    status = check_sizes(job, total);
    if (status)
        return status;
    begin(&c, (cw_context *)(uintptr_t)context, job);
    *bytes = total ? need_of(&c, most_of(job, total, ranks), ranks) : 0;
    return CW_OK;
}

/* ---- checks
 * ----------------------------------------------------------------------------------- */

static cw_status check_pointers(const cw_array *job)
{
    if (job->n && (!job->keys_in || (job->value_bytes && !job->values_in)))
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", job->keys_in ? "values_in" : "keys_in");
    if (!job->keys_out && !job->index_out)
        return cw_fail(CW_ERR_ARGUMENT, "keys_out and index_out are NULL: nothing to write");
    if (job->value_bytes && !job->values_out)
        return cw_fail(CW_ERR_ARGUMENT, "values of %zu bytes, but values_out is NULL",
                       job->value_bytes);
    if (!job->value_bytes && (job->values_in || job->values_out))
        return cw_fail(CW_ERR_ARGUMENT, "values are given, but value_bytes is 0");
    if (!job->index_bytes != !job->index_out)
        return cw_fail(CW_ERR_ARGUMENT, "index_bytes is %zu, but index_out is %s", job->index_bytes,
                       job->index_out ? "given" : "NULL");
    return CW_OK;
}

static cw_status check(const cw_context *context, const cw_array *job)
{
    cw_status status;

    if (!context || !job)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", context ? "job" : "context");
    status = check_sizes(job, job->n);
    return status ? status : check_pointers(job);
}

static struct cw_hello hello_of(cw_context *context, const cw_array *job)
{
    struct cw_hello h = {0};

    h.status = check(context, job);
    if (h.status)
        return h;
    h.n = job->n;
    h.draw = cw_context_draw(context);
    h.facts[0] = job->type;
    h.facts[1] = job->flags;
    h.facts[2] = job->value_bytes;
    h.facts[3] = job->index_bytes;
    h.facts[4] = job->first_bit;
    h.facts[5] = job->bits;
    h.facts[6] = job->keys_out != NULL;
    h.facts[7] = 1; /* a sort */
    return h;
}

/* What can be said only when the others' items are known. */
static cw_status check_room(const struct call *c)
{
    const uint64_t most = most_of(&c->job, c->all.total, c->peers.ranks);
    const cw_status status = check_sizes(&c->job, c->all.total);
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

/* ---- steps
 * ------------------------------------------------------------------------------------ */

static void lay_out(struct call *c)
{
    const uint64_t most = most_of(&c->job, c->all.total, c->peers.ranks);
    char *const base = (char *)c->workspace;
    size_t end = need_of(c, most, c->peers.ranks);
    uint64_t at = 0;

    c->out[KEYS] = c->job.keys_out;
    c->out[VALUES] = c->job.values_out;
    c->out[INDEX] = c->job.index_out;
    if (!c->out[KEYS]) {
        end -= rounded(most * c->bytes[KEYS]);
        c->out[KEYS] = base + end;
    }
    if (c->bytes[VALUES] && c->bytes[INDEX]) {
        end -= rounded(most * c->bytes[INDEX]);
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

static cw_status sort_here(struct call *c)
{
    const cw_array job = first_job(c);
    cw_status status = cw_sort(c->context, &job, c->workspace, c->workspace_bytes, c->stream);

    if (!status && c->bytes[INDEX])
        status = cw_local_add(c->context, c->stream, c->out[INDEX], c->job.n, c->bytes[INDEX],
                              c->all.first);
    return status ? status : cw_wait(c->context, c->stream);
}

static struct cw_local_keys local_keys(const struct call *c, const void *keys, uint64_t n,
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

static cw_status find(struct call *c, uint64_t *cuts)
{
    struct cw_local_keys keys =
        local_keys(c, c->out[KEYS], c->job.n, c->workspace); /* is free now */
    const struct cw_sorted sorted = cw_local_sorted(&keys);

    return cw_splitters_find(&c->peers, &sorted, c->all.total, c->all.seed, cuts);
}

static cw_status exchange(struct call *c, const uint64_t *cuts)
{
    cw_status status = cw_moves_begin(&c->moves, &c->peers, cuts);
    uint64_t leaves = 1;

    if (!status) /* the arrays have no room for more */
        status = cw_peers_agree(&c->peers, c->moves.received == c->n_out ? CW_OK : CW_ERR_INTERNAL);
    if (!status) {
        const uint64_t stay = c->moves.send[c->peers.rank];

        leaves = stay != c->job.n || stay != c->n_out;
        status = cw_peers_max(&c->peers, &leaves, 1);
    }
    c->in_place = !leaves; /* keys that were sorted, or all equal */
    for (int x = 0; x < ARRAYS && !status && leaves; x++) {
        if (c->bytes[x])
            status = cw_moves_run(&c->moves, &c->peers, c->context, c->stream, c->out[x],
                                  c->arrived[x], c->bytes[x]);
    }
    return status;
}

/* Indices of what arrived, by where the sort says that it came from. */
static cw_status gather_index(struct call *c)
{
    const cw_permute_job job = gather_job(c, c->workspace);
    const size_t used = rounded(c->n_out * c->bytes[INDEX]);
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
static int merges(const struct call *c)
{
    return c->context->backend == CW_CPU && !c->bytes[VALUES] && !c->bytes[INDEX] &&
           c->bytes[KEYS] >= 4 && c->peers.ranks <= CW_MERGE_RUNS &&
           cw_team_threads(&c->context->team) == 1;
}

static void merge(struct call *c)
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

static cw_status merge_there(struct call *c)
{
    const int payload = c->bytes[VALUES] ? VALUES : INDEX;
    struct cw_runs r = {.runs = c->peers.ranks, .lengths = c->moves.recv, .type = c->job.type};
    cw_status status;

    r.keys = local_keys(c, c->arrived[KEYS], c->n_out, c->cuts);
    r.keys_out = c->out[KEYS];
    r.flags = c->job.flags;
    r.value_bytes = c->bytes[payload];
    r.values = c->arrived[payload];
    r.values_out = c->out[payload];
    status = cw_runs_merge(&r, c->workspace, c->workspace_bytes);
    return status ? status : cw_wait(c->context, c->stream);
}

static cw_status sort_arrived(struct call *c)
{
    const cw_array job = second_job(c);
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

/* ---- the call
 * --------------------------------------------------------------------------------- */

static cw_status run(struct call *c)
{
    const size_t bytes = ((size_t)c->peers.ranks + 1) * sizeof(uint64_t);
    uint64_t *const cuts = (uint64_t *)cw_peers_alloc(&c->peers, bytes);
    cw_group_report *const r = c->peers.report;
    double t = cw_peers_clock(), now;
    cw_status status = cw_peers_agree(&c->peers, cuts ? sort_here(c) : CW_ERR_MEMORY);

    now = cw_peers_clock();
    r->local_seconds = now - t;
    r->items_out = c->n_out;
    if (c->peers.ranks == 1) {
        cw_peers_free(&c->peers, cuts, bytes);
        return status;
    }
    t = now;
    if (!status)
        status = find(c, cuts);
    r->search_seconds = cw_peers_clock() - t;
    if (!status)
        status = exchange(c, cuts);
    cw_peers_free(&c->peers, cuts, bytes);
    t = cw_peers_clock();
    if (!status && !c->in_place)
        status = cw_peers_agree(&c->peers, sort_arrived(c));
    r->local_seconds += cw_peers_clock() - t;
    cw_moves_end(&c->moves, &c->peers);
    return status;
}

cw_status cw_group_sort(const cw_group *group, cw_context *context, const cw_array *job,
                        void *workspace, size_t workspace_bytes, cw_stream stream,
                        cw_group_report *report)
{
    cw_group_report unread;
    struct cw_peers peers;
    struct cw_hello hello;
    struct cw_everyone all;
    struct call c;
    uint64_t first;
    cw_status status = cw_peers_begin(&peers, group, report ? report : &unread);

    if (status)
        return status;
    hello = hello_of(context, job);
    status = cw_hello(&peers, &hello, &all);
    if (status)
        return status;
    begin(&c, context, job);
    c.peers = peers;
    c.all = all;
    c.stream = stream;
    c.workspace = workspace;
    c.workspace_bytes = workspace_bytes;
    cw_group_share(all.total, peers.ranks, peers.rank, &first, &c.n_out);
    if (!all.total)
        return CW_OK;
    status = cw_peers_agree(&c.peers, check_room(&c));
    if (status)
        return status;
    lay_out(&c);
    return run(&c);
}
