/* partition.c - an array partitioned by threads of the host: count, add up, move.
 *
 * The array is cut into as many stretches as there are threads.  Each thread counts the items of
 * its stretch for each bucket; a sum over buckets, and in each over threads, says where its items
 * go; then it sends them there, with all that moves along (move.c).  Items are read twice and
 * written once, and keep their order inside a bucket.
 *
 * Counts a thread, sums, and buffers of a line a bucket: Satish and others (2010), Polychroniou and
 * Ross (2014).  Here buckets come from any rule, and rows of any width move along.
 */
#include "cpu/partition/partition.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/partition/move.h"
#include "base/threads.h"
#include "base/status.h"

#define A_THREAD  16384u       /* items for each, at least */
#define ALIGNMENT CW_SORT_LINE /* of a thread's memory */

size_t cw_cpu_partition_workspace(const cw_partition_job *job)
{
    return (job->buckets + (job->flags & CW_DROP ? 1u : 0u)) * sizeof(size_t);
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void list_arrays(struct cw_partition_work *j)
{
    const cw_partition_job *g = j->given;
    const size_t choices = g->choices > 1 ? g->choices : 1;

    if (g->keys_out) {
        const struct cw_partition_moved keys = {(const char *)g->keys_in, (char *)g->keys_out,
                                                j->labels.bytes, 1};

        j->moved[j->arrays++] = keys;
    }
    for (size_t x = 0; x < g->payload_count; x++) {
        const struct cw_partition_moved rows = {(const char *)g->payloads[x].in,
                                                (char *)g->payloads[x].out, g->payloads[x].bytes,
                                                choices};

        j->moved[j->arrays++] = rows;
    }
    if (g->index_out) {
        const struct cw_partition_moved index = {NULL, (char *)g->index_out, g->index_bytes,
                                                 choices};

        j->moved[j->arrays++] = index;
    }
}

/* All that is needed, in one piece. */
static char *allocate(struct cw_partition_work *j)
{
    const size_t most = j->given->payload_count + 2, buckets = j->buckets;
    const size_t list = aligned(most * sizeof *j->moved),
                 hands = aligned(j->threads * sizeof *j->hand);
    const size_t places = aligned(buckets * sizeof(size_t));
    const size_t lines = buckets <= CW_PARTITION_LINED ? buckets * CW_SORT_LINE : 0;
    const size_t each = 2 * places + most * lines;
    char *const memory = (char *)cw_team_buffers(j->team, list + hands + j->threads * each);
    char *at = memory;

    if (!memory) {
        cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, j->threads);
        return NULL;
    }
    j->moved = (struct cw_partition_moved *)at;
    j->hand = (struct cw_partition_hand *)(at + list);
    at += list + hands;
    for (unsigned t = 0; t < j->threads; t++, at += each) {
        const struct cw_partition_hand h = {(size_t *)at, (size_t *)(at + places), at + 2 * places,
                                            j->given->n};

        j->hand[t] = h;
    }
    list_arrays(j);
    return memory;
}

/* ---- count ---------------------------------------------------------------------------------- */

static void count(const struct cw_partition_work *j, unsigned t)
{
    struct cw_partition_hand *h = &j->hand[t];
    const size_t end = cw_partition_stretch(j, t + 1);
    uint16_t bucket[CW_LABELS_BLOCK];

    memset(h->at, 0, j->buckets * sizeof *h->at);
    for (size_t x = cw_partition_stretch(j, t); x < end; x += CW_LABELS_BLOCK) {
        const uint32_t n = end - x < CW_LABELS_BLOCK ? (uint32_t)(end - x) : CW_LABELS_BLOCK;
        const uint32_t good = cw_labels_find(&j->labels, x, n, bucket);

        if (good < n) {
            h->bad = x + good;
            return;
        }
        for (uint32_t k = 0; k < n; k++)
            h->at[bucket[k]]++;
    }
}

static cw_status check(const struct cw_partition_work *j)
{
    for (unsigned t = 0; t < j->threads; t++) {
        const size_t x = j->hand[t].bad, bytes = j->labels.bytes;
        const char *keys = (const char *)j->given->keys_in;
        uint64_t label = 0;

        if (x == j->given->n)
            continue;
        memcpy(&label, keys + x * bytes, bytes); /* the low bytes come first */
        if (j->labels.map.toggle && label > j->labels.map.mask / 2)
            return cw_fail(CW_ERR_LABEL, "label %zu is -%llu: no number below %u", x,
                           (unsigned long long)(j->labels.map.mask - label + 1), j->given->buckets);
        return cw_fail(CW_ERR_LABEL, "label %zu is %llu: no number below %u", x,
                       (unsigned long long)label, j->given->buckets);
    }
    return CW_OK;
}

/* Which bucket the blocks of pad_to places are of, from `block` on: as many as are left, or
 * `count`. */
static size_t fill_blocks(const cw_partition_job *g, size_t block, uint64_t count, uint32_t bucket)
{
    for (; count && block < g->block_count; count--)
        g->block_buckets[block++] = bucket;
    return block;
}

/* Counts become places. */
static void add_up(const struct cw_partition_work *j)
{
    const cw_partition_job *g = j->given;
    uint64_t all = 0, padded = 0;
    size_t block = 0;

    for (uint32_t b = 0; b < j->buckets; b++) {
        const uint64_t from = all;

        for (unsigned t = 0; t < j->threads; t++) {
            const size_t n = j->hand[t].at[b];

            j->hand[t].at[b] = j->hand[t].begin[b] = (size_t)all;
            all += n;
        }
        if (g->offsets && b <= g->buckets)
            g->offsets[b] = from;
        if (b < g->buckets && (g->padded || g->block_buckets)) {
            const uint64_t pads = (all - from + g->pad_to - 1) / g->pad_to;

            if (g->padded)
                g->padded[b] = padded;
            block = fill_blocks(g, block, pads, b);
            padded += pads * g->pad_to;
        }
    }
    if (g->offsets && j->buckets == g->buckets)
        g->offsets[g->buckets] = all;
    if (g->padded)
        g->padded[g->buckets] = padded;
    (void)fill_blocks(g, block, UINT64_MAX, UINT32_MAX);
}

/* ---- the call ------------------------------------------------------------------------------- */

static void count_share(void *user, size_t t, size_t end, unsigned thread)
{
    (void)end;
    (void)thread;
    count((const struct cw_partition_work *)user, (unsigned)t);
}

static void move_share(void *user, size_t t, size_t end, unsigned thread)
{
    const struct cw_partition_work *j = (const struct cw_partition_work *)user;

    (void)end;
    (void)thread;
    cw_partition_move(j, (unsigned)t);
}

static cw_status partition(struct cw_partition_work *j)
{
    cw_status status;

    cw_team_run(j->team, j->threads, j->threads, 1, count_share, j);
    status = check(j);
    if (status)
        return status;
    add_up(j);
    if (!j->arrays && !j->given->inverse_out)
        return CW_OK;
    cw_team_run(j->team, j->threads, j->threads, 1, move_share, j);
    return CW_OK;
}

/* How many items there are. */
static size_t count_of(const cw_partition_job *job)
{
    uint64_t count = 0;

    if (!job->count || !job->n)
        return job->n;
    memcpy(&count, job->count, job->count_bytes); /* the low bytes come first */
    return count < job->n ? (size_t)count : job->n;
}

cw_status cw_cpu_partition(const cw_partition_job *asked, void *workspace, struct cw_team *team)
{
    cw_partition_job job = *asked;
    struct cw_partition_work j = {&job, asked->buckets,        {0}, NULL, 0,
                                  team, cw_team_threads(team), NULL};
    cw_status status = cw_labels_open(&job, &j.labels);
    char *memory;

    if (status)
        return status;
    job.n = count_of(asked);
    j.buckets += job.flags & CW_DROP ? 1u : 0u;
    if (job.n / A_THREAD < j.threads)
        j.threads = (unsigned)(job.n / A_THREAD) + 1;
    memory = allocate(&j);
    if (memory && job.n)
        j.hand[0].at = (size_t *)workspace;
    status = memory ? partition(&j) : CW_ERR_MEMORY;
    cw_team_buffers_done(team, memory);
    cw_labels_close(&j.labels);
    return status;
}
