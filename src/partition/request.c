/* request.c - which kernels partition, and where they keep what.
 *
 *      keys of 4 bytes, alone or with one payload of 4, to few buckets      most significant digit
 *                                                                           first (msd.c)
 *        or in any order
 *      all else                                                             stable passes
 *                                                                           (stable/plan.c)
 *
 * Stable passes move keys, the index, and the first payload if it has 1, 2, 4, 8 or 16 bytes and
 * stands on a multiple of them.  Other payloads are gathered by the index.
 *
 * Workspace: what msd.c or stable/space.c needs.
 */
#include "partition/request.h"

#include <string.h>

#include "partition/msd.h"
#include "partition/stable/plan.h"

struct partition {
    const cw_partition_job *job;
    struct partition_rule rule; /* of keys */
    int msd;                    /* most significant digit first */
    struct stable_task task;    /* else */
};

/* ---- what is to be done --------------------------------------------------------------------- */

static uint32_t mask_of(uint32_t buckets)
{
    uint32_t mask = 0;

    while (mask < buckets - 1u)
        mask = 2u * mask + 1u;
    return mask;
}

/* The largest label: of signed ones no negative, which are large as unsigned numbers. */
static uint64_t largest_label(const cw_partition_job *job)
{
    const struct cw_key_map map = cw_key_map_of(job->type, 0, 0);
    const uint64_t most = map.toggle ? map.mask / 2u : map.mask;

    return most < job->buckets - 1u ? most : job->buckets - 1u;
}

static void rule_of(struct partition_rule *r, const cw_partition_job *job)
{
    memset(r, 0, sizeof *r);
    r->bytes = (uint32_t)cw_type_bytes(job->type);
    r->buckets = job->buckets;
    r->mask = mask_of(job->buckets);
    r->map = cw_key_map_of(job->type, job->flags, 1);
    r->most = UINT64_MAX;
    switch (job->rule) {
    case CW_BY_LABEL:
        r->most = largest_label(job);
        r->map.flip = r->map.toggle = r->map.bias = 0;
        r->map.plain = 1;
        break;
    case CW_BY_BITS:
        r->first = job->first_bit;
        break;
    case CW_BY_SPLITTER:
        r->by = PARTITION_BY_CUTS;
        r->cuts = job->splitters;
        break;
    default:
        r->by = PARTITION_BY_HASH;
        r->multiplier = job->multiplier ? job->multiplier : 0x9e3779b97f4a7c15u;
    }
    r->plain = r->by == PARTITION_BY_BITS && r->map.plain && !(job->flags & CW_DROP);
}

/* Whether a pass may move the first payload; `given`: where it stands is known. */
static int moved_along(const cw_partition_job *job, int given)
{
    const cw_payload *const x = job->payloads;

    return job->payload_count &&
           (x->bytes <= 2 || x->bytes == 4 || x->bytes == 8 || x->bytes == 16) &&
           job->choices <= 1 && (!given || ((uintptr_t)x->in | (uintptr_t)x->out) % x->bytes == 0);
}

/* `given`: pointers are what they are; else only whether they are NULL. */
static void task_of(struct partition *p, int given)
{
    const cw_partition_job *const job = p->job;
    const uint32_t bytes = (uint32_t)cw_type_bytes(job->type);
    struct stable_task *const t = &p->task;
    const int along = moved_along(job, given);

    t->n = job->n;
    t->count = job->count;
    t->count_bytes = (uint32_t)job->count_bytes;
    t->rule = p->rule;
    t->drop = job->flags & CW_DROP ? 1u : 0u;
    t->key_bytes = bytes;
    t->value_bytes = along ? (uint32_t)job->payloads[0].bytes : 0u;
    t->keys = job->keys_in;
    t->keys_out = job->keys_out;
    if (along) {
        t->values = job->payloads[0].in;
        t->values_out = job->payloads[0].out;
    }
    t->index_out = job->index_out;
    t->inverse_out = job->inverse_out;
    t->index_bytes = (uint32_t)job->index_bytes;
    t->choices = job->choices;
    t->places = job->payload_count > (along ? 1u : 0u);
    t->places_room = job->payload_count ? job->n : 0u;
    if (cw_partition_one_word(job) && moved_along(job, 0))
        t->places_room = 0; /* rows of 4 bytes stand where they should */
    t->offsets = job->offsets;
    t->padded = job->padded;
    t->pad_to = job->pad_to;
    t->blocks = job->block_buckets;
    t->block_count = job->block_count;
}

static void begin(struct partition *p, const cw_partition_job *job, enum cw_shapes shapes,
                  int given)
{
    memset(p, 0, sizeof *p);
    p->job = job;
    p->msd = cw_partition_msd_takes(job, shapes);
    rule_of(&p->rule, job);
    if (!p->msd)
        task_of(p, given);
}

const char *cw_partition_request_refuses(const cw_partition_job *job)
{
    const int gathers =
        job->payload_count > 1 || (job->payload_count && !cw_partition_one_word(job));

    if ((gathers || job->index_out || job->inverse_out) && (uint64_t)job->n > (uint64_t)1 << 32)
        return "more than 2^32 items with an index, or payloads other than one of 4 bytes";
    return (uint64_t)job->n > (uint64_t)1 << 40 ? "more than 2^40 items" : NULL;
}

size_t cw_partition_request_bytes(const cw_partition_job *job, enum cw_shapes shapes)
{
    struct partition p;

    begin(&p, job, shapes, 0);
    return (size_t)(p.msd ? cw_partition_msd_bytes(job, &p.rule, shapes)
                          : cw_stable_bytes(&p.task, shapes));
}

/* ---- launches ------------------------------------------------------------------------------- */

/* The most bytes that divide a row and where both arrays begin. */
static uint32_t unit_of(const void *in, const void *out, uint64_t row)
{
    uint32_t unit = 16;

    while (((uintptr_t)in | (uintptr_t)out | row) % unit)
        unit /= 2u;
    return unit;
}

/* No block is of a bucket. */
static cw_status no_blocks(struct cw_queue *q, const cw_partition_job *job)
{
    const struct cw_launch l = {
        CW_KERNEL_cw_partition_blocks,
        (uint32_t)(job->block_count / PARTITION_PLAIN % 4096u + 1u),
        PARTITION_PLAIN,
        0,
        &(struct stable_job){.blocks = job->block_buckets, .block_count = job->block_count},
        0};

    return q->launch(q, &l);
}

/* Nothing to move: all buckets are empty. */
static cw_status nothing(struct cw_queue *q, const cw_partition_job *job)
{
    const size_t bytes = 8u * ((size_t)job->buckets + 1u);
    cw_status status = CW_OK;

    if (job->offsets)
        status = q->clear(q, job->offsets, bytes);
    if (!status && job->padded)
        status = q->clear(q, job->padded, bytes);
    if (!status && job->block_buckets)
        status = no_blocks(q, job);
    return status;
}

cw_status cw_partition_request(struct cw_queue *q, const cw_partition_job *job,
                               enum cw_shapes shapes, void *workspace, int mark)
{
    struct partition p;

    if (!job->n)
        return nothing(q, job);
    begin(&p, job, shapes, 1);
    p.task.mark = (uint32_t)mark;
    if (p.msd)
        return cw_partition_msd_enqueue(q, job, &p.rule, shapes, workspace, mark);
    return cw_stable_enqueue(q, &p.task, shapes, workspace);
}

size_t cw_partition_request_moves(const cw_partition_job *job, enum cw_shapes shapes)
{
    struct partition p;

    begin(&p, job, shapes, 1);
    return p.msd ? job->payload_count : p.task.value_bytes ? 1u : 0u;
}

cw_status cw_partition_request_payload(struct cw_queue *q, const cw_partition_job *job,
                                       enum cw_shapes shapes, void *workspace,
                                       const cw_payload *payload)
{
    struct partition_after a;
    struct stable_result r;
    struct partition p;

    begin(&p, job, shapes, 1);
    r = cw_stable_result(&p.task, shapes, workspace);
    memset(&a, 0, sizeof a);
    a.n = job->n;
    a.total = r.total;
    a.state = r.state;
    a.places = r.places;
    a.choices = job->choices;
    a.in = payload->in;
    a.out = payload->out;
    a.row = payload->bytes;
    a.unit = unit_of(a.in, a.out, a.row);
    return cw_partition_after(q, CW_KERNEL_cw_partition_gather, a.n * (a.row / a.unit), &a);
}
