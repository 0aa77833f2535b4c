/* msd.c - a partition by passes, most significant digit first: for which jobs, and where they keep
 * what.  partition/plan.c makes the passes. */
#include "partition/msd.h"

#include <string.h>

#include "base/arena.h"
#include "partition/plan.h"

/* Items for which passes, most significant digit first, are worth their launches. */
#if !defined(SHAPES_EARLY)
#define MSD_LEAST  (1u << 21)
#define KEYS_LEAST (1u << 24) /* words alone, in order, to many buckets */
#else                         /* for a test */
#define MSD_LEAST  6000u
#define KEYS_LEAST 9000u
#endif
#define MSD_LEAST_SMALL 4096u /* these have no partition in one launch */
#define MSD_LEAST_TINY  700u
#define KEYS_LEAST_TINY 9000u
#define STABLE_FEW      32u   /* buckets for which these are the faster way, in order too */
#define ONE_PASS        256u  /* buckets that one stable pass has, at most; */
#define NARROW_PASSES   4096u /* that two passes of 6 bits have */

struct msd {
    const cw_partition_job *job;
    struct partition_rule rule;
    struct partition_table table;
    uint32_t finer; /* bits more than asked for */
    struct partition_state *state;
    uint32_t *moved;
    void *rest;
};

/* ---- which jobs ----------------------------------------------------------------------------- */

int cw_partition_one_word(const cw_partition_job *job)
{
    return job->payload_count == 1 && job->payloads[0].bytes == 4;
}

/* Pairs that two passes of up to 6 bits split, most significant first: faster than two stable
 * passes, by a tenth for 1024 buckets. */
static int two_narrow(const cw_partition_job *job)
{
    return job->payload_count == 1 && job->buckets > ONE_PASS && job->buckets <= NARROW_PASSES;
}

/* Words alone that one pass splits: counting first and moving by tickets costs less than look-back,
 * by a tenth where neighbours go to one bucket (H200, 2^24 and 2^28). */
static int many_words(const cw_partition_job *job, enum cw_shapes shapes)
{
    return job->payload_count == 0 && job->buckets <= ONE_PASS &&
           job->n >= (shapes == CW_SHAPES_TINY ? KEYS_LEAST_TINY : KEYS_LEAST);
}

/* Words or pairs of words that are longer than one launch partitions, and ask for nothing that only
 * stable passes know. */
int cw_partition_msd_takes(const cw_partition_job *job, enum cw_shapes shapes)
{
    const uint64_t least = shapes == CW_SHAPES_TINY    ? MSD_LEAST_TINY
                           : shapes == CW_SHAPES_SMALL ? MSD_LEAST_SMALL
                                                       : MSD_LEAST;

    return cw_type_bytes(job->type) == 4 && job->n >= least && !job->index_out &&
           !job->inverse_out && !job->block_buckets && !job->count && !(job->flags & CW_DROP) &&
           job->choices <= 1 && (job->payload_count == 0 || cw_partition_one_word(job)) &&
           !(job->rule == CW_BY_SPLITTER && job->buckets > PARTITION_CUTS + 1u) &&
           (job->buckets <= STABLE_FEW || job->flags & CW_UNSTABLE || two_narrow(job) ||
            many_words(job, shapes));
}

/* ---- workspace ------------------------------------------------------------------------------ */

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

/* Queues are fastest with 64 bins: where the order in a bucket is free, 16 or 32 buckets, and 2^9
 * to 2^11, are made from finer ones.  Only where the bits that tell these apart are the key's
 * own. */
static uint32_t finer_by(const struct msd *p)
{
    const uint32_t buckets = p->job->buckets;

    if (!(p->job->flags & CW_UNSTABLE) || !p->rule.plain || p->job->rule != CW_BY_BITS)
        return 0;
    for (uint32_t more = 1; more <= 3; more++)
        if ((buckets >= 16 && buckets << more == 64) || (buckets >= 512 && buckets << more == 4096))
            return more;
    return 0;
}

/* Split by more bits than asked for, from below those that were (or from the highest). */
static void refine(struct partition_task *task, uint32_t more)
{
    task->rule.buckets <<= more;
    task->rule.mask = task->rule.buckets - 1u;
    task->rule.first = (task->rule.first + 32u - more) % 32u;
}

static struct partition_task msd_task(const struct msd *p)
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

/* From `base` on; NULL: to learn its size, which is returned. */
static uint64_t layout(struct msd *p, uint8_t *base)
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

static void begin(struct msd *p, const cw_partition_job *job, const struct partition_rule *rule,
                  enum cw_shapes shapes)
{
    memset(p, 0, sizeof *p);
    p->job = job;
    p->rule = *rule;
    p->finer = finer_by(p);
    table_of(&p->table, job->payload_count == 1, shapes);
}

uint64_t cw_partition_msd_bytes(const cw_partition_job *job, const struct partition_rule *rule,
                                enum cw_shapes shapes)
{
    struct msd p;

    begin(&p, job, rule, shapes);
    return layout(&p, NULL);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* A thread for every 4 of n, or as many as may be. */
cw_status cw_partition_after(struct cw_queue *q, enum cw_kernel kernel, uint64_t n,
                             const struct partition_after *arg)
{
    const uint64_t blocks = n / (4u * PARTITION_PLAIN) + 1u, most = 16u * (uint64_t)q->processors;
    const struct cw_launch l = {kernel, (uint32_t)(blocks < most ? blocks : most), PARTITION_PLAIN,
                                0, arg};

    return q->launch(q, &l);
}

static cw_status finish(struct msd *p, struct cw_queue *q, const uint64_t *starts, int mark)
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
        status = cw_partition_after(q, CW_KERNEL_cw_partition_offsets, a.rule.buckets, &a);
    if (!status && a.padded)
        status = q->launch(q, &padded);
    return status;
}

cw_status cw_partition_msd_enqueue(struct cw_queue *q, const cw_partition_job *job,
                                   const struct partition_rule *rule, enum cw_shapes shapes,
                                   void *workspace, int mark)
{
    const uint64_t *starts = NULL;
    struct partition_task task;
    struct msd p;
    cw_status status;

    begin(&p, job, rule, shapes);
    (void)layout(&p, (uint8_t *)workspace);
    task = msd_task(&p);
    status = q->clear(q, p.state, sizeof *p.state);
    if (!status)
        status = cw_partition_enqueue(q, &p.table, &task, p.state, p.rest, &starts);
    return status ? status : finish(&p, q, starts, mark);
}
