/* plan.c - a sort by digits of 8 bits, from the lowest up: a pass of lsd/pass.h each.
 *
 * Passes hand items back and forth between the output and the workspace, so that the last one ends
 * in the output.  Where that would make the first one write to the array that it reads, the array
 * is copied to the workspace before.
 *
 * Keys that are not wanted have only one array, in the workspace.  A pass that reads it cannot write
 * it: keys are left behind, and gathered by the index before the next pass.
 */
#include "sort/lsd/plan.h"

#include <string.h>

#include "sort/index/job.h"
#include "base/arena.h"

#define CHUNK_LEAST 1024u
#define CHUNK_UNIT  LSD_TILE
#define CHUNKS_MOST 1056u /* 8 for each of 132 multiprocessors */

enum { KEYS, VALUES, INDEX };

struct run {
    const cw_array *job;
    struct cw_queue *q;
    void *work[RADIX_MOVED];
    const void *at[RADIX_MOVED]; /* where items stand; NULL: keys were left behind */
    struct lsd_job arg;
};

/* ---- workspace ------------------------------------------------------------------------------ */

static uint64_t chunk_room(uint64_t n)
{
    const uint64_t chunks = n / CHUNK_LEAST + 1u;

    return chunks < CHUNKS_MOST ? chunks : CHUNKS_MOST;
}

/* As many chunks as there is room for, or fewer, of whole tiles. */
static uint64_t chunk_of(uint64_t n)
{
    const uint64_t chunk = (n + chunk_room(n) - 1u) / chunk_room(n);

    return chunk < CHUNK_UNIT ? chunk : (chunk + CHUNK_UNIT - 1u) / CHUNK_UNIT * CHUNK_UNIT;
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct run *r, uint8_t *base)
{
    const cw_array *const job = r->job;
    struct lsd_job *const a = &r->arg;
    uint64_t at = 0;

    a->moved[KEYS].bytes = (uint32_t)cw_type_bytes(job->type);
    a->moved[VALUES].bytes = (uint32_t)job->value_bytes;
    a->moved[INDEX].bytes = (uint32_t)job->index_bytes;
    for (int m = 0; m < RADIX_MOVED; m++)
        r->work[m] = take(base, &at, (uint64_t)job->n * a->moved[m].bytes);
    a->totals = (uint64_t *)take(base, &at, 8u * LSD_THREADS);
    a->counts = (uint64_t *)take(base, &at, 8u * LSD_THREADS * chunk_room(job->n));
    return at;
}

uint64_t cw_lsd_bytes(const cw_array *job)
{
    struct run r;

    memset(&r, 0, sizeof r);
    r.job = job;
    return layout(&r, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static cw_status launch(struct run *r, enum cw_kernel kernel, uint64_t blocks, uint32_t shared)
{
    const struct cw_launch l = {kernel, (uint32_t)blocks, LSD_THREADS, shared, &r->arg};

    return r->q->launch(r->q, &l);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Keys by the index, if they were left behind. */
static cw_status fetch_keys(struct run *r)
{
    if (r->at[KEYS])
        return CW_OK;
    r->arg.moved[KEYS].in = r->job->keys_in;
    r->arg.moved[KEYS].out = r->work[KEYS];
    r->arg.index = r->at[INDEX];
    r->arg.index_bytes = (uint32_t)r->job->index_bytes;
    r->at[KEYS] = r->work[KEYS];
    return launch(r, CW_KERNEL_cw_sort_lsd_gather_keys,
                  least(r->job->n / 1024u + 1u, 16u * (uint64_t)r->q->processors), 0);
}

/* To the output, or to the workspace. */
static cw_status pass(struct run *r, int to_out)
{
    void *const out[RADIX_MOVED] = {r->job->keys_out, r->job->values_out, r->job->index_out};
    const uint64_t blocks = least(r->arg.chunks, 8u * (uint64_t)r->q->processors);
    cw_status status = fetch_keys(r);

    r->arg.keys = r->at[KEYS];
    for (int m = 0; m < RADIX_MOVED; m++) {
        struct lsd_array *const to = &r->arg.moved[m];

        to->in = r->at[m];
        to->out = !to->bytes ? NULL : to_out ? out[m] : r->work[m];
        if (to->out == to->in)
            to->out = NULL;
        r->at[m] = to->out;
    }
    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_lsd_histogram, blocks, 1024);
    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_lsd_scan, least(32u, r->q->processors), 0);
    if (!status)
        status = launch(r, CW_KERNEL_cw_sort_lsd_scatter, blocks, LSD_SHARED);
    return status;
}

/* If the first pass writes to the output: what it reads there goes to the workspace. */
static cw_status make_way(struct run *r)
{
    const void *const out[RADIX_MOVED] = {r->job->keys_out, r->job->values_out, NULL};
    cw_status status = CW_OK;

    for (int m = 0; m < RADIX_MOVED && !status; m++) {
        if (r->at[m] && r->at[m] == out[m]) {
            status =
                r->q->copy(r->q, r->work[m], r->at[m], r->job->n * (size_t)r->arg.moved[m].bytes);
            r->at[m] = r->work[m];
        }
    }
    return status;
}

cw_status cw_lsd_enqueue(struct cw_queue *q, const cw_array *job, void *workspace)
{
    const uint32_t passes = (job->bits + 7u) / 8u;
    cw_status status = CW_OK;
    struct run r;

    memset(&r, 0, sizeof r);
    r.job = job;
    r.q = q;
    (void)layout(&r, (uint8_t *)workspace);
    r.at[KEYS] = job->keys_in;
    r.at[VALUES] = job->values_in;
    r.arg.n = job->n;
    r.arg.chunk = chunk_of(job->n);
    r.arg.chunks = (uint32_t)((job->n + r.arg.chunk - 1u) / r.arg.chunk);
    r.arg.key_bytes = r.arg.moved[KEYS].bytes;
    r.arg.map = cw_key_map_of(job->type, (job->flags & CW_DESCENDING) != 0);
    if (passes % 2u)
        status = make_way(&r);
    for (uint32_t p = 0; p < passes && !status; p++) {
        const uint32_t left = job->bits - 8u * p;

        r.arg.shift = job->first_bit + 8u * p;
        r.arg.mask = left >= 8u ? 255u : (1u << left) - 1u;
        status = pass(&r, (passes - 1u - p) % 2u == 0);
    }
    return status;
}
