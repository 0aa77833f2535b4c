/* partition.c - an array partitioned by the host: count, add up, move, in two readings.
 *
 * The workspace holds where the next item of each bucket goes.
 */
#include "cpu/partition.h"

#include <string.h>

#include "kernels/key_map.h"
#include "machine/status.h"

struct rule {
    const cw_partition_job *job;
    struct cw_key_map map;
    size_t bytes;
    uint64_t multiplier;
};

size_t cw_cpu_partition_workspace(const cw_partition_job *job)
{
    return 8u * (size_t)job->buckets;
}

static uint64_t load(const void *from, size_t i, size_t bytes)
{
    switch (bytes) {
    case 1:
        return ((const uint8_t *)from)[i];
    case 2:
        return ((const uint16_t *)from)[i];
    case 4:
        return ((const uint32_t *)from)[i];
    default:
        return ((const uint64_t *)from)[i];
    }
}

/* How many splitters are not above w. */
static uint64_t search(const struct rule *r, uint64_t w)
{
    size_t low = 0, high = r->job->buckets - 1u;

    while (low < high) {
        const size_t mid = (low + high) / 2u;
        const uint64_t x = load(r->job->splitters, mid, r->bytes);

        if (CW_KEY_TO_WORD(&r->map, x) <= w)
            low = mid + 1u;
        else
            high = mid;
    }
    return low;
}

static uint64_t bucket(const struct rule *r, size_t i)
{
    const uint64_t x = load(r->job->keys_in, i, r->bytes);
    const uint64_t w = CW_KEY_TO_WORD(&r->map, x);

    switch (r->job->rule) {
    case CW_BY_LABEL:
        return x;
    case CW_BY_BITS:
        return w >> r->job->first_bit & (r->job->buckets - 1u);
    case CW_BY_SPLITTER:
        return search(r, w);
    default:
        return ((x * r->multiplier) >> 32) * r->job->buckets >> 32;
    }
}

static cw_status count(const struct rule *r, uint64_t *next)
{
    const cw_partition_job *const job = r->job;

    memset(next, 0, 8u * (size_t)job->buckets);
    for (size_t i = 0; i < job->n; i++) {
        const uint64_t b = bucket(r, i);

        if (b >= job->buckets)
            return cw_fail(CW_ERR_LABEL, "label %zu is %llu: no number below %u", i,
                           (unsigned long long)b, job->buckets);
        next[b]++;
    }
    return CW_OK;
}

/* From counts to places. */
static void add_up(const cw_partition_job *job, uint64_t *next)
{
    uint64_t at = 0, padded = 0;

    for (uint32_t b = 0; b < job->buckets; b++) {
        const uint64_t items = job->n ? next[b] : 0;

        if (job->offsets)
            job->offsets[b] = at;
        if (job->padded)
            job->padded[b] = padded;
        if (job->padded)
            padded += (items + job->pad_to - 1u) / job->pad_to * job->pad_to;
        if (job->n)
            next[b] = at;
        at += items;
    }
    if (job->offsets)
        job->offsets[job->buckets] = at;
    if (job->padded)
        job->padded[job->buckets] = padded;
}

static void write_index(void *out, size_t at, size_t x, size_t bytes)
{
    if (out && bytes == 4)
        ((uint32_t *)out)[at] = (uint32_t)x;
    else if (out)
        ((uint64_t *)out)[at] = x;
}

static void move(const struct rule *r, uint64_t *next)
{
    const cw_partition_job *const job = r->job;

    for (size_t i = 0; i < job->n; i++) {
        const size_t at = (size_t)next[bucket(r, i)]++;

        if (job->keys_out)
            memcpy((char *)job->keys_out + at * r->bytes, (const char *)job->keys_in + i * r->bytes,
                   r->bytes);
        for (size_t x = 0; x < job->payload_count; x++) {
            const cw_payload *const p = &job->payloads[x];

            memcpy((char *)p->out + at * p->bytes, (const char *)p->in + i * p->bytes, p->bytes);
        }
        write_index(job->index_out, at, i, job->index_bytes);
        write_index(job->inverse_out, i, at, job->index_bytes);
    }
}

cw_status cw_cpu_partition(const cw_partition_job *job, void *workspace, unsigned threads)
{
    uint64_t *const next = (uint64_t *)workspace;
    struct rule r;
    cw_status status = CW_OK;

    (void)threads;
    memset(&r, 0, sizeof r);
    r.job = job;
    r.map = cw_key_map_of(job->type, 0);
    r.bytes = cw_type_bytes(job->type);
    r.multiplier = job->multiplier ? job->multiplier : 0x9e3779b97f4a7c15u;
    if (job->n)
        status = count(&r, next);
    if (status)
        return status;
    add_up(job, next);
    move(&r, next);
    return CW_OK;
}
