/* sort.c - cw_group_sort: sort here, find the splitters, exchange once, merge what arrived.
 *
 *      keys_in --cw_sort--> keys_out --exchange--> workspace --merge--> keys_out
 *                (workspace)
 *
 * and so for values and indices.  What arrives is a sorted run of each rank, in the order of ranks,
 * so a stable merge of it keeps the order of equal keys, if the sorts do (arrived.c).  Each item travels once,
 * those that stay not at all.  One rank has nothing to do after its sort.
 *
 * Space besides the arrays: the workspace, as large as a share, which is that of cw_sort and the
 * room for what arrives in turn, and 32 bytes a rank.  On the host what finds the splitters lies in the
 * workspace, too, between the two: 230 bytes a rank, 60 for each boundary, and 8 for each sample that
 * it sends (splitters.h), so 1.4 MB of 4096 ranks.  What does not fit is allocated.  Where the workspace
 * is a GPU's it is allocated, and 40 bytes a rank more.  cw_sort's threads have buffers of their own
 * (docs/cpu.md): of 5 % of the items at most from 2^21 on. */
#include <string.h>

#include "base/status.h"
#include "distributed/sort/call.h"

/* ---- checks --------------------------------------------------------------------------------- */

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

/* *out: the job with as many items as its count says. */
static cw_status check(cw_context *context, const cw_array *job, cw_stream stream, cw_array *out)
{
    cw_status status;

    if (!context || !job)
        return cw_fail(CW_ERR_ARGUMENT, "%s is NULL", context ? "job" : "context");
    *out = *job;
    status = cw_sort_call_check(job, job->n);
    if (!status)
        status = cw_local_count(context, stream, &out->count, &out->count_bytes, &out->n);
    return status ? status : check_pointers(out);
}

static struct cw_hello hello_of(cw_context *context, const cw_array *job, cw_status status)
{
    struct cw_hello h = {.status = status};

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

/* ---- steps ----------------------------------------------------------------------------------- */

static cw_status sort_here(struct cw_sort_call *c)
{
    const cw_array job = cw_sort_call_first(c);
    cw_status status = cw_sort(c->context, &job, c->workspace, c->workspace_bytes, c->stream);

    if (!status && c->bytes[INDEX])
        status = cw_local_add(c->context, c->stream, c->out[INDEX], c->job.n, c->bytes[INDEX],
                              c->all.first);
    return status ? status : cw_wait(c->context, c->stream);
}

static cw_status find(struct cw_sort_call *c, uint64_t *cuts)
{
    struct cw_local_keys keys =
        cw_sort_call_keys(c, c->out[KEYS], c->job.n, c->workspace); /* is free now */
    const struct cw_sorted sorted = cw_local_sorted(&keys);

    return cw_splitters_find(&c->peers, &sorted, c->all.total, c->all.seed, cuts);
}

/* What every rank gets.  The workspace is free, and on the host it is the room for all that is needed
 * to find this out. */
static cw_status plan_moves(struct cw_sort_call *c)
{
    const size_t bytes = ((size_t)c->peers.ranks + 1) * sizeof(uint64_t);
    const double t = cw_peers_clock();
    uint64_t *cuts;
    cw_status status;

    if (c->context->backend == CW_CPU)
        cw_peers_lend(&c->peers, c->workspace, c->workspace_bytes);
    cuts = (uint64_t *)cw_peers_scratch(&c->peers, bytes);
    status = find(c, cuts);
    c->peers.report->search_seconds = cw_peers_clock() - t;
    if (!status)
        status = cw_moves_begin(&c->moves, &c->peers, cuts);
    cw_peers_scratch_free(&c->peers, cuts, bytes);
    cw_peers_lend(&c->peers, NULL, 0);
    return status;
}

static cw_status exchange(struct cw_sort_call *c)
{
    cw_status status = plan_moves(c);
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

/* ---- the call -------------------------------------------------------------------------------- */

static cw_status run(struct cw_sort_call *c)
{
    cw_group_report *const r = c->peers.report;
    double t = cw_peers_clock();
    cw_status status = cw_peers_agree(&c->peers, sort_here(c));

    r->local_seconds = cw_peers_clock() - t;
    r->items_out = c->n_out;
    if (c->peers.ranks == 1)
        return status;
    if (!status)
        status = exchange(c);
    t = cw_peers_clock();
    if (!status && !c->in_place)
        status = cw_peers_agree(&c->peers, cw_sort_arrived(c));
    r->local_seconds += cw_peers_clock() - t;
    cw_moves_end(&c->moves, &c->peers);
    return status;
}

cw_status cw_group_sort(const cw_group *group, cw_context *context, const cw_array *job,
                        void *workspace, size_t workspace_bytes, cw_stream stream,
                        cw_group_report *report)
{
    struct cw_entry e;
    struct cw_sort_call c;
    cw_array here;
    uint64_t first;
    cw_status status = cw_peers_begin(&e.peers, group, report);

    if (status)
        return status;
    status = check(context, job, stream, &here);
    e.hello = hello_of(context, &here, status);
    status = cw_hello(&e.peers, &e.hello, &e.all);
    if (status)
        return status;
    cw_sort_call_begin(&c, context, &here);
    c.peers = e.peers;
    c.all = e.all;
    c.stream = stream;
    c.workspace = workspace;
    c.workspace_bytes = workspace_bytes;
    cw_group_share(e.all.total, e.peers.ranks, e.peers.rank, &first, &c.n_out);
    if (!e.all.total)
        return CW_OK;
    status = cw_peers_agree(&c.peers, cw_sort_call_check_room(&c));
    if (status)
        return status;
    cw_sort_call_lay_out(&c);
    return run(&c);
}
