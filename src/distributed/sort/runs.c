/* runs.c - cuts, gather, rows. */
#include "distributed/sort/runs.h"

#include "api/context.h"
#include "distributed/sort/lookup_job.h"

#define TILE    4096u /* items that one block sorts */
#define SAMPLES 4u    /* a tile, whose places are found first */

size_t cw_runs_tile;

static uint64_t tile(void)
{
    return cw_runs_tile ? cw_runs_tile : TILE;
}

static uint64_t tiles_of(uint64_t n)
{
    return (n + tile() - 1) / tile();
}

int cw_runs_fit(const cw_array *job, uint32_t runs)
{
    const size_t key = cw_type_bytes(job->type);
    const size_t payload = job->value_bytes ? job->value_bytes : job->index_bytes;

    return runs > 1 && runs <= CW_RUNS && key >= 4 && !job->first_bit &&
           (!job->bits || job->bits == 8 * key) && payload <= 8 &&
           !(job->value_bytes && job->index_bytes);
}

static uint64_t step(void)
{
    return tile() > SAMPLES ? tile() / SAMPLES : 1;
}

static uint64_t samples_of(uint64_t n)
{
    return (n + step() - 1) / step();
}

size_t cw_runs_cuts_bytes(uint64_t n, uint32_t runs)
{
    return (tiles_of(n) * runs + samples_of(n)) * sizeof(uint64_t);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static cw_rows rows_of(cw_type type, unsigned flags, size_t value_bytes, size_t rows, size_t length)
{
    cw_rows j = {.type = type, .flags = flags, .rows = rows, .length = length};

    j.value_bytes = value_bytes;
    return j;
}

size_t cw_runs_rows_bytes(const cw_array *job, uint64_t n)
{
    static const int there;
    const size_t payload = job->value_bytes ? job->value_bytes : job->index_bytes;
    cw_rows j = rows_of(job->type, job->flags, payload, tiles_of(n), tile());
    size_t bytes = 0;

    j.keys_in = &there; /* any pointer: what counts is that there is one */
    j.keys_out = (void *)(uintptr_t)&there;
    j.values_in = payload ? &there : NULL;
    j.values_out = payload ? (void *)(uintptr_t)&there : NULL;
    return cw_sort_rows_workspace(&j, &bytes) ? 0 : bytes;
}

/* Items from `first` on, in place. */
static cw_status sort_rows(const struct cw_runs *r, uint64_t first, uint64_t rows, uint64_t length,
                           void *workspace, size_t workspace_bytes)
{
    cw_rows j = rows_of(r->type, r->flags, r->value_bytes, rows, length);

    if (!rows || !length)
        return CW_OK;
    j.keys_in = j.keys_out = (char *)r->keys_out + first * r->keys.bytes;
    if (r->value_bytes)
        j.values_in = j.values_out = (char *)r->values_out + first * r->value_bytes;
    return cw_sort_rows(r->keys.context, &j, workspace, workspace_bytes, r->keys.stream);
}

/* ---- cuts and gather ------------------------------------------------------------------------- */

static cw_status launch(const struct cw_runs *r, enum cw_kernel kernel, uint64_t blocks,
                        const void *arg, const void *in, void *out, size_t bytes)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, LOOKUP_THREADS, 0, arg, 0};
    const uint64_t n = r->keys.n;
    union cw_any_queue q;

    cw_context_queue(r->keys.context, r->keys.stream, &q);
    cw_queue_buffer(&q.queue, r->keys.keys, n * r->keys.bytes, 0);
    cw_queue_buffer(&q.queue, r->keys.scratch, cw_runs_cuts_bytes(n, r->runs), !out);
    if (out && in != r->keys.keys)
        cw_queue_buffer(&q.queue, in, n * bytes, 0);
    if (out)
        cw_queue_buffer(&q.queue, out, n * bytes, 1);
    return q.queue.launch(&q.queue, &l);
}

static uint64_t blocks_of(uint64_t threads)
{
    return (threads + LOOKUP_THREADS - 1) / LOOKUP_THREADS;
}

static cw_status cut(const struct cw_runs *r, const struct lookup_runs *runs)
{
    const struct cw_local_keys *const k = &r->keys;
    struct lookup_cuts arg = {.runs = *runs, .log_lanes = 0};
    cw_status status;

    arg.keys.keys = k->keys;
    arg.keys.bytes = (uint32_t)k->bytes;
    arg.keys.first = k->first;
    arg.keys.range = k->range;
    arg.keys.map = k->map;
    while (1u << arg.log_lanes < r->runs)
        arg.log_lanes++;
    status = launch(r, CW_KERNEL_cw_lookup_ranks, blocks_of(runs->samples << arg.log_lanes), &arg,
                    NULL, NULL, 0);
    if (status)
        return status;
    return launch(r, CW_KERNEL_cw_lookup_cuts, blocks_of(runs->tiles << arg.log_lanes), &arg, NULL,
                  NULL, 0);
}

static cw_status gather(const struct cw_runs *r, const struct lookup_runs *runs, const void *in,
                        void *out, size_t bytes)
{
    const struct lookup_gather arg = {*runs, in, out, (uint32_t)bytes};

    return launch(r, CW_KERNEL_cw_lookup_gather, runs->tiles, &arg, in, out, bytes);
}

cw_status cw_runs_merge(const struct cw_runs *r, void *workspace, size_t workspace_bytes)
{
    const uint64_t n = r->keys.n, whole = n / tile(), rest = n % tile();
    struct lookup_runs runs = {.cuts = (uint64_t *)r->keys.scratch, .runs = r->runs};
    cw_status status;

    if (!n)
        return CW_OK;
    runs.tile = tile();
    runs.tiles = tiles_of(n);
    runs.step = step();
    runs.samples = samples_of(n);
    runs.ranks = runs.cuts + runs.tiles * r->runs;
    for (uint32_t x = 0; x < r->runs; x++)
        runs.starts[x + 1] = runs.starts[x] + r->lengths[x];
    status = cut(r, &runs);
    if (!status)
        status = gather(r, &runs, r->keys.keys, r->keys_out, r->keys.bytes);
    if (!status && r->value_bytes)
        status = gather(r, &runs, r->values, r->values_out, r->value_bytes);
    if (!status)
        status = sort_rows(r, 0, whole, tile(), workspace, workspace_bytes);
    if (!status)
        status = sort_rows(r, whole * tile(), 1, rest, workspace, workspace_bytes);
    return status;
}
