/* request.c - which kernels partition, and where they keep what.
 *
 *      keys of 4 bytes, alone or with one payload of 4, to few buckets      most significant digit
 *                                                                           first (plan.c)
 *        or in any order
 *      all else                                                             stable passes
 *                                                                           (stable/plan.c)
 *
 * Stable passes move keys, the index, and the first payload if it has 1, 2, 4, 8 or 16 bytes and
 * stands on a multiple of them.  Other payloads are gathered by the index.
 *
 * Workspace: most significant digit first, the state, then what plan.c needs; else what
 * stable/plan.c needs.
 */
#include "partition/request.h"

#include <string.h>

#include "partition/plan.h"
#include "partition/stable/plan.h"
#include "base/arena.h"

/* Items for which passes, most significant digit first, are worth their launches. */
#if !defined(SHAPES_EARLY)
#define MSD_LEAST (1u << 21)
#else /* for a test */
#define MSD_LEAST 6000u
#endif
#define MSD_LEAST_SMALL 4096u /* these have no partition in one launch */
#define MSD_LEAST_TINY  700u
#define STABLE_FEW      32u /* buckets for which these are the faster way, in order too */

struct partition {
    const cw_partition_job *job;
    struct cw_queue *q;
    enum cw_shapes shapes;
    struct partition_rule rule; /* of keys */
    int msd;                    /* most significant digit first */

    /* Passes, most significant digit first. */
    struct partition_table table;
    uint32_t finer;
    struct partition_state *state;
    uint32_t *moved;
    void *rest;

    struct stable_task task; /* else */
};

/* ---- what is to be done --------------------------------------------------------------------- */

static void table_of(struct partition_table *t, int pairs, enum cw_shapes shapes)
{
    const int tiny = shapes == CW_SHAPES_TINY;

    memset(t, 0, sizeof *t);
    if (!pairs) { /* which fit small GPUs, too */
        (tiny ? cw_partition_k32_table_tiny : cw_partition_k32_table_large)(t);
    } else if (shapes == CW_SHAPES_SMALL) {
        cw_partition_p32_table_small(t);
    } else {
        (tiny ? cw_partition_p32_table_tiny : cw_partition_p32_table_large)(t);
    }
}

static int one_word(const cw_partition_job *job)
{
    return job->payload_count == 1 && job->payloads[0].bytes == 4;
}

/* Pairs that two passes of up to 6 bits split, most significant first: faster than two stable
 * passes, by a tenth for 1024 buckets. */
static int two_narrow(const cw_partition_job *job)
{
    return job->payload_count == 1 && job->buckets > 256u && job->buckets <= 4096u;
}

/* Words or pairs of words that are longer than one launch partitions, and ask for nothing that only
 * stable passes know. */
static int by_msd_passes(const cw_partition_job *job, enum cw_shapes shapes)
{
    const uint64_t least = shapes == CW_SHAPES_TINY    ? MSD_LEAST_TINY
                           : shapes == CW_SHAPES_SMALL ? MSD_LEAST_SMALL
                                                       : MSD_LEAST;

    return cw_type_bytes(job->type) == 4 && job->n >= least && !job->index_out &&
           !job->inverse_out && !job->block_buckets && !job->count && !(job->flags & CW_DROP) &&
           job->choices <= 1 && (job->payload_count == 0 || one_word(job)) &&
           !(job->rule == CW_BY_SPLITTER && job->buckets > PARTITION_CUTS + 1u) &&
           (job->buckets <= STABLE_FEW || job->flags & CW_UNSTABLE || two_narrow(job));
}

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

/* Queues are fastest with 64 bins: where the order in a bucket is free, 16 or 32 buckets, and 2^9
 * to 2^11, are made from finer ones.  Only where the bits that tell these apart are the key's
 * own. */
static uint32_t finer_by(const struct partition *p)
{
    const uint32_t buckets = p->job->buckets;

    if (!(p->job->flags & CW_UNSTABLE) || !p->rule.plain || p->job->rule != CW_BY_BITS)
        return 0;
    for (uint32_t more = 1; more <= 3; more++)
        if ((buckets >= 16 && buckets << more == 64) || (buckets >= 512 && buckets << more == 4096))
            return more;
    return 0;
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
    if (one_word(job) && moved_along(job, 0))
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
    p->shapes = shapes;
    p->msd = by_msd_passes(job, shapes);
    rule_of(&p->rule, job);
    if (p->msd) {
        p->finer = finer_by(p);
        table_of(&p->table, job->payload_count == 1, shapes);
    } else {
        task_of(p, given);
    }
}

const char *cw_partition_request_refuses(const cw_partition_job *job)
{
    const int gathers = job->payload_count > 1 || (job->payload_count && !one_word(job));

    if ((gathers || job->index_out || job->inverse_out) && (uint64_t)job->n > (uint64_t)1 << 32)
        return "more than 2^32 items with an index, or payloads other than one of 4 bytes";
    return (uint64_t)job->n > (uint64_t)1 << 40 ? "more than 2^40 items" : NULL;
}

/* ---- workspace ------------------------------------------------------------------------------ */

/* Split by more bits than asked for, from below those that were (or from the highest). */
static void refine(struct partition_task *task, uint32_t more)
{
    task->rule.buckets <<= more;
    task->rule.mask = task->rule.buckets - 1u;
    task->rule.first = (task->rule.first + 32u - more) % 32u;
}

static struct partition_task msd_task(const struct partition *p)
{
    struct partition_task task;

    memset(&task, 0, sizeof task);
    task.n = p->job->n;
    task.rule = p->rule;
    task.stable = !(p->job->flags & CW_UNSTABLE);
    task.pairs = p->job->payload_count == 1;
    task.keys = p->job->keys_in;
    task.keys_out = p->moved;
    if (task.pairs) {
        task.values = p->job->payloads[0].in;
        task.values_out = p->job->payloads[0].out;
    }
    if (p->finer)
        refine(&task, p->finer);
    return task;
}

/* Of passes, most significant digit first.  From `base` on; NULL: to learn its size, which is
 * returned. */
static uint64_t layout(struct partition *p, uint8_t *base)
{
    const cw_partition_job *const job = p->job;
    struct partition_task task;
    uint64_t at = 0;

    p->state = (struct partition_state *)take(base, &at, sizeof *p->state);
    p->moved = (uint32_t *)job->keys_out;
    if (!job->keys_out)
        p->moved = (uint32_t *)take(base, &at, 4u * (uint64_t)job->n);
    p->rest = base ? base + at : NULL;
    task = msd_task(p);
    return at + cw_partition_plan_bytes(&p->table, &task);
}

size_t cw_partition_request_bytes(const cw_partition_job *job, enum cw_shapes shapes)
{
    struct partition p;

    begin(&p, job, shapes, 0);
    return (size_t)(p.msd ? layout(&p, NULL) : cw_stable_bytes(&p.task, shapes));
}

/* ---- launches ------------------------------------------------------------------------------- */

/* A thread for every 4 of n, or as many as may be. */
static cw_status launch(struct partition *p, enum cw_kernel kernel, uint64_t n,
                        const struct partition_after *arg)
{
    const uint64_t blocks = n / 1024u + 1u, most = 16u * (uint64_t)p->q->processors;
    const struct cw_launch l = {kernel, (uint32_t)(blocks < most ? blocks : most), 256, 0, arg};

    return p->q->launch(p->q, &l);
}

/* The most bytes that divide a row and where both arrays begin. */
static uint32_t unit_of(const void *in, const void *out, uint64_t row)
{
    uint32_t unit = 16;

    while (((uintptr_t)in | (uintptr_t)out | row) % unit)
        unit /= 2u;
    return unit;
}

static cw_status finish(struct partition *p, const uint64_t *starts, int mark)
{
    const struct partition_table *const t = &p->table;
    struct partition_after a;
    const struct cw_launch padded = {
        CW_KERNEL_cw_partition_padded, 1, t->scan_threads, t->scan_shared, &a, 0};
    cw_status status = CW_OK;

    memset(&a, 0, sizeof a);
    a.n = p->job->n;
    a.rule = p->rule;
    a.state = p->state;
    a.starts = starts;
    a.finer = p->finer;
    a.offsets = p->job->offsets;
    a.padded = p->job->padded;
    a.pad_to = p->job->pad_to;
    a.mark = (uint32_t)mark;
    if (a.offsets)
        status = launch(p, CW_KERNEL_cw_partition_offsets, a.rule.buckets, &a);
    if (!status && a.padded)
        status = p->q->launch(p->q, &padded);
    return status;
}

static cw_status in_msd_passes(struct partition *p, void *workspace, int mark)
{
    const uint64_t *starts = NULL;
    struct partition_task task;
    cw_status status;

    (void)layout(p, (uint8_t *)workspace);
    task = msd_task(p);
    status = p->q->clear(p->q, p->state, sizeof *p->state);
    if (!status)
        status = cw_partition_enqueue(p->q, &p->table, &task, p->state, p->rest, &starts);
    return status ? status : finish(p, starts, mark);
}

/* No block is of a bucket. */
static cw_status no_blocks(struct cw_queue *q, const cw_partition_job *job)
{
    const struct cw_launch l = {
        CW_KERNEL_cw_partition_blocks,
        (uint32_t)(job->block_count / 256u % 4096u + 1u),
        256,
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
    p.q = q;
    p.task.mark = (uint32_t)mark;
    if (p.msd)
        return in_msd_passes(&p, workspace, mark);
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
    p.q = q;
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
    return launch(&p, CW_KERNEL_cw_partition_gather, a.n * (a.row / a.unit), &a);
}
