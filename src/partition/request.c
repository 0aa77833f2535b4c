/* request.c - which kernels partition, and where they keep what.
 *
 *      keys of 4 bytes alone                              moved
 *      keys of 4 bytes and one payload of 4, no index     moved as pairs
 *      all else: pairs of a word and its place are moved, the rest is gathered by place
 *
 * The word is the key, if it has 4 bytes, else the number of its bucket; that too where there are
 * more splitters than a block keeps.
 *
 * Workspace, each part on 256 bytes, for n items, besides what partition/plan.c needs:
 *
 *      state
 *      words       4n      if they are not the keys
 *      moved       4n      words, if they are not wanted as keys_out
 *      places      4n      unless index_out has them, of 4 bytes
 */
#include "partition/request.h"

#include <string.h>

#include "partition/plan.h"
#include "base/arena.h"

struct partition {
    const cw_partition_job *job;
    struct cw_queue *q;
    struct partition_table table;
    struct partition_rule rule; /* of keys */
    uint32_t key_bytes;
    int raw;    /* words are keys */
    int pairs;  /* of a word and a value */
    int places; /* which is its place */
    uint32_t finer;

    struct partition_state *state;
    uint32_t *words, *moved, *places_out;
    void *rest;
};

/* ---- what is to be done --------------------------------------------------------------------- */

static void table_of(struct partition_table *t, int pairs, enum cw_shapes shapes)
{
    const int tiny = shapes == CW_SHAPES_TINY;

    memset(t, 0, sizeof *t);
    if (!pairs) { /* which fit small GPUs, too */
        (tiny ? cw_partition_k32_table_tiny : cw_partition_k32_table_large)(t);
    } else if (shapes == CW_SHAPES_SMALL) { /* no wide tiles */
        cw_partition_p32_table_small(t);
    } else {
        (tiny ? cw_partition_p32_table_tiny : cw_partition_p32_table_large)(t);
        (tiny ? cw_partition_p32_wide_tiny : cw_partition_p32_wide_large)(t);
    }
}

static int words_are_keys(const cw_partition_job *job)
{
    return cw_type_bytes(job->type) == 4 &&
           !(job->rule == CW_BY_SPLITTER && job->buckets > PARTITION_CUTS + 1u);
}

static int one_word(const cw_partition_job *job)
{
    return job->payload_count == 1 && job->payloads[0].bytes == 4;
}

int cw_partition_request_gathers(const cw_partition_job *job)
{
    return job->payload_count &&
           !(words_are_keys(job) && one_word(job) && !job->index_out && !job->inverse_out);
}

static int needs_places(const cw_partition_job *job)
{
    return cw_partition_request_gathers(job) || job->index_out || job->inverse_out ||
           (!words_are_keys(job) && job->keys_out);
}

static uint32_t mask_of(uint32_t buckets)
{
    uint32_t mask = 0;

    while (mask < buckets - 1u)
        mask = 2u * mask + 1u;
    return mask;
}

static void rule_of(struct partition_rule *r, const cw_partition_job *job)
{
    memset(r, 0, sizeof *r);
    r->bytes = (uint32_t)cw_type_bytes(job->type);
    r->buckets = job->buckets;
    r->mask = mask_of(job->buckets);
    r->map = cw_key_map_of(job->type, 0);
    r->most = UINT64_MAX;
    switch (job->rule) {
    case CW_BY_LABEL:
        r->most = job->buckets - 1u;
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
    r->plain = r->by == PARTITION_BY_BITS && r->map.plain;
}

/* Queues are fastest with 64 bins: where the order in a bucket is free, 16 or 32 buckets, and 2^9 to
 * 2^11, are made from finer ones.  Only where the bits that tell these apart are the key's own. */
static uint32_t finer_by(const struct partition *p)
{
    const uint32_t buckets = p->job->buckets;

    if (!(p->job->flags & CW_UNSTABLE) || !p->raw || !p->rule.plain || p->job->rule != CW_BY_BITS)
        return 0;
    for (uint32_t more = 1; more <= 3; more++)
        if ((buckets >= 16 && buckets << more == 64) || (buckets >= 512 && buckets << more == 4096))
            return more;
    return 0;
}

static void begin(struct partition *p, const cw_partition_job *job, enum cw_shapes shapes)
{
    memset(p, 0, sizeof *p);
    p->job = job;
    p->key_bytes = (uint32_t)cw_type_bytes(job->type);
    p->raw = words_are_keys(job);
    p->places = needs_places(job);
    p->pairs = p->places || job->payload_count == 1;
    rule_of(&p->rule, job);
    p->finer = finer_by(p);
    table_of(&p->table, p->pairs, shapes);
}

const char *cw_partition_request_refuses(const cw_partition_job *job)
{
    if (needs_places(job) && (uint64_t)job->n > (uint64_t)1 << 32)
        return "more than 2^32 items, other than keys of 4 bytes with one payload of 4 at most";
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

static struct partition_task task_of(const struct partition *p)
{
    struct partition_task task;

    memset(&task, 0, sizeof task);
    task.n = p->job->n;
    task.rule = p->rule;
    task.stable = !(p->job->flags & CW_UNSTABLE);
    task.pairs = p->pairs;
    task.keys = p->raw ? p->job->keys_in : p->words;
    task.keys_out = p->moved;
    if (p->places) {
        task.values_out = p->places_out;
    } else if (p->pairs) {
        task.values = p->job->payloads[0].in;
        task.values_out = p->job->payloads[0].out;
    }
    if (p->finer)
        refine(&task, p->finer);
    if (!p->raw) { /* words are labels, which were looked at */
        memset(&task.rule, 0, sizeof task.rule);
        task.rule.buckets = p->job->buckets;
        task.rule.mask = p->rule.mask;
        task.rule.most = UINT64_MAX;
        task.rule.plain = 1;
    }
    return task;
}

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct partition *p, uint8_t *base)
{
    const cw_partition_job *const job = p->job;
    const uint64_t words = 4u * (uint64_t)job->n;
    struct partition_task task;
    uint64_t at = 0;

    p->state = (struct partition_state *)take(base, &at, sizeof *p->state);
    if (!p->raw)
        p->words = (uint32_t *)take(base, &at, words);
    p->moved = (uint32_t *)job->keys_out;
    if (!p->raw || !job->keys_out)
        p->moved = (uint32_t *)take(base, &at, words);
    p->places_out = (uint32_t *)job->index_out;
    if (p->places && (!job->index_out || job->index_bytes != 4))
        p->places_out = (uint32_t *)take(base, &at, words);
    p->rest = base ? base + at : NULL;
    task = task_of(p);
    return at + cw_partition_plan_bytes(&p->table, &task);
}

size_t cw_partition_request_bytes(const cw_partition_job *job, enum cw_shapes shapes)
{
    struct partition p;

    begin(&p, job, shapes);
    return (size_t)layout(&p, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

static struct partition_around around(const struct partition *p)
{
    struct partition_around a;

    memset(&a, 0, sizeof a);
    a.n = p->job->n;
    a.rule = p->rule;
    a.state = p->state;
    a.places = p->places_out;
    return a;
}

/* A thread for every 4 of n, or as many as may be. */
static cw_status launch(struct partition *p, enum cw_kernel kernel, uint64_t n,
                        const struct partition_around *arg)
{
    const uint64_t blocks = n / 1024u + 1u, most = 16u * (uint64_t)p->q->processors;
    const struct cw_launch l = {kernel, (uint32_t)(blocks < most ? blocks : most), 256, 0, arg};

    return p->q->launch(p->q, &l);
}

static cw_status labels(struct partition *p)
{
    struct partition_around a = around(p);

    a.in = p->job->keys_in;
    a.out = p->words;
    return launch(p, CW_KERNEL_cw_partition_labels, a.n, &a);
}

/* The most bytes that divide a row and where both arrays begin. */
static uint32_t unit_of(const void *in, const void *out, uint64_t row)
{
    uint32_t unit = 16;

    while (((uintptr_t)in | (uintptr_t)out | row) % unit)
        unit /= 2u;
    return unit;
}

static cw_status gather(struct partition *p, const void *in, void *out, uint64_t row)
{
    struct partition_around a = around(p);

    a.in = in;
    a.out = out;
    a.row = row;
    a.unit = unit_of(in, out, row);
    return launch(p, CW_KERNEL_cw_partition_gather, a.n * (row / a.unit), &a);
}

static cw_status index_entries(struct partition *p, enum cw_kernel kernel, void *out)
{
    struct partition_around a = around(p);

    a.out = out;
    a.row = p->job->index_bytes;
    return launch(p, kernel, a.n, &a);
}

static cw_status finish(struct partition *p, const uint64_t *starts, int mark)
{
    const struct partition_table *const t = &p->table;
    struct partition_around a = around(p);
    const struct cw_launch padded = {CW_KERNEL_cw_partition_padded, 1, t->scan_threads,
                                     t->scan_shared, &a};
    cw_status status = CW_OK;

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

/* Nothing to move: all buckets are empty. */
static cw_status nothing(struct cw_queue *q, const cw_partition_job *job)
{
    const size_t bytes = 8u * ((size_t)job->buckets + 1u);
    cw_status status = CW_OK;

    if (job->offsets)
        status = q->clear(q, job->offsets, bytes);
    if (!status && job->padded)
        status = q->clear(q, job->padded, bytes);
    return status;
}

cw_status cw_partition_request(struct cw_queue *q, const cw_partition_job *job,
                               enum cw_shapes shapes, void *workspace, int mark)
{
    const uint64_t *starts = NULL;
    struct partition_task task;
    struct partition p;
    cw_status status;

    if (!job->n)
        return nothing(q, job);
    begin(&p, job, shapes);
    p.q = q;
    (void)layout(&p, (uint8_t *)workspace);
    task = task_of(&p);
    status = q->clear(q, p.state, sizeof *p.state);
    if (!status && !p.raw)
        status = labels(&p);
    if (!status)
        status = cw_partition_enqueue(q, &p.table, &task, p.state, p.rest, &starts);
    if (!status)
        status = finish(&p, starts, mark);
    if (!status && !p.raw && job->keys_out)
        status = gather(&p, job->keys_in, job->keys_out, p.key_bytes);
    if (!status && job->index_out && job->index_bytes == 8)
        status = index_entries(&p, CW_KERNEL_cw_partition_widen, job->index_out);
    if (!status && job->inverse_out)
        status = index_entries(&p, CW_KERNEL_cw_partition_invert, job->inverse_out);
    return status;
}

cw_status cw_partition_request_payload(struct cw_queue *q, const cw_partition_job *job,
                                       enum cw_shapes shapes, void *workspace,
                                       const cw_payload *payload)
{
    struct partition p;

    begin(&p, job, shapes);
    p.q = q;
    (void)layout(&p, (uint8_t *)workspace);
    return gather(&p, payload->in, payload->out, payload->bytes);
}
