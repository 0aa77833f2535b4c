/* partition.c - an array partitioned by threads of the host: count, add up, move.
 *
 * The array is cut into as many stretches as there are threads.  Each thread counts the items of
 * its stretch for each bucket; a sum over buckets, and in each over threads, says where its items
 * go; then it sends them there, with all that moves along.  Items are read twice and written once,
 * and keep their order inside a bucket.
 *
 * Up to LINED buckets, rows of 1, 2, 4, 8 or 16 bytes are gathered into lines of memory on their
 * way (sort/lines.h); others are copied one by one.
 *
 * Counts a thread, sums, and buffers of a line a bucket: Satish and others (2010), Polychroniou and
 * Ross (2014).  Here buckets come from any rule, and rows of any width move along.
 */
#include "cpu/partition/partition.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/partition/labels.h"
#include "cpu/sort/lines.h"
#include "base/threads.h"
#include "base/status.h"

#define BLOCK     CW_LABELS_BLOCK
#define LINED     4096u        /* buckets */
#define PAST      (8u << 20)   /* bytes of an array that is written past the caches, at least */
#define A_THREAD  16384u       /* items for each, at least */
#define ALIGNMENT CW_SORT_LINE /* of a thread's memory */

/* One of the arrays that move. */
struct moved {
    const char *in; /* NULL: the index, which is made */
    char *out;
    size_t bytes;
    size_t choices; /* item i has row (or number) i / choices */
};

/* One thread's memory. */
struct hand {
    size_t *at, *begin; /* of each bucket: where its next item goes, its first went */
    char *lines;        /* of all arrays, buckets * CW_SORT_LINE each */
    size_t bad;         /* the first item with a bad label, or n */
};

struct job {
    const cw_partition_job *given;
    uint32_t buckets; /* one more than given, if labels are dropped: for these */
    struct cw_labels labels;
    struct moved *moved;
    size_t arrays;
    struct cw_team *team;
    unsigned threads;
    struct hand *hand;
};

size_t cw_cpu_partition_workspace(const cw_partition_job *job)
{
    return (job->buckets + (job->flags & CW_DROP ? 1u : 0u)) * sizeof(size_t);
}

/* ---- memory --------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int has_lines(const struct job *j, const struct moved *m)
{
    return j->buckets <= LINED && (m->choices == 1 || !m->in) && (m->bytes & (m->bytes - 1)) == 0 &&
           m->bytes <= 16;
}

static void list_arrays(struct job *j)
{
    const cw_partition_job *g = j->given;
    const size_t choices = g->choices > 1 ? g->choices : 1;

    if (g->keys_out) {
        const struct moved keys = {(const char *)g->keys_in, (char *)g->keys_out, j->labels.bytes,
                                   1};

        j->moved[j->arrays++] = keys;
    }
    for (size_t x = 0; x < g->payload_count; x++) {
        const struct moved rows = {(const char *)g->payloads[x].in, (char *)g->payloads[x].out,
                                   g->payloads[x].bytes, choices};

        j->moved[j->arrays++] = rows;
    }
    if (g->index_out) {
        const struct moved index = {NULL, (char *)g->index_out, g->index_bytes, choices};

        j->moved[j->arrays++] = index;
    }
}

/* All that is needed, in one piece that free frees. */
static char *allocate(struct job *j)
{
    const size_t most = j->given->payload_count + 2, buckets = j->buckets;
    const size_t list = aligned(most * sizeof *j->moved),
                 hands = aligned(j->threads * sizeof *j->hand);
    const size_t places = aligned(buckets * sizeof(size_t));
    const size_t lines = buckets <= LINED ? buckets * CW_SORT_LINE : 0;
    const size_t each = 2 * places + most * lines;
    char *const memory = (char *)aligned_alloc(ALIGNMENT, list + hands + j->threads * each);
    char *at = memory;

    if (!memory) {
        cw_fail(CW_ERR_MEMORY, "no %zu bytes for each of %u threads", each, j->threads);
        return NULL;
    }
    j->moved = (struct moved *)at;
    j->hand = (struct hand *)(at + list);
    at += list + hands;
    for (unsigned t = 0; t < j->threads; t++, at += each) {
        const struct hand h = {(size_t *)at, (size_t *)(at + places), at + 2 * places, j->given->n};

        j->hand[t] = h;
    }
    list_arrays(j);
    return memory;
}

/* ---- count ---------------------------------------------------------------------------------- */

/* Where stretch t begins, and stretch t - 1 ends. */
static size_t stretch(const struct job *j, unsigned t)
{
    const size_t n = j->given->n, more = n % j->threads;

    return n / j->threads * t + (t < more ? t : more);
}

static void count(const struct job *j, unsigned t)
{
    struct hand *h = &j->hand[t];
    const size_t end = stretch(j, t + 1);
    uint16_t bucket[BLOCK];

    memset(h->at, 0, j->buckets * sizeof *h->at);
    for (size_t x = stretch(j, t); x < end; x += BLOCK) {
        const uint32_t n = end - x < BLOCK ? (uint32_t)(end - x) : BLOCK;
        const uint32_t good = cw_labels_find(&j->labels, x, n, bucket);

        if (good < n) {
            h->bad = x + good;
            return;
        }
        for (uint32_t k = 0; k < n; k++)
            h->at[bucket[k]]++;
    }
}

static cw_status check(const struct job *j)
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
static void add_up(const struct job *j)
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

/* ---- move ----------------------------------------------------------------------------------- */

/* A block of items on their way. */
struct block {
    size_t from;
    uint32_t n;
    uint16_t bucket[BLOCK];
    size_t to[BLOCK];
    uint64_t index[BLOCK];
};

static void count_up(size_t from, uint32_t n, const struct moved *m, void *to)
{
    uint32_t *to4 = (uint32_t *)to;
    uint64_t *to8 = (uint64_t *)to;

    for (uint32_t x = 0; x < n && m->bytes == 4; x++)
        to4[x] = (uint32_t)((from + x) / m->choices);
    for (uint32_t x = 0; x < n && m->bytes == 8; x++)
        to8[x] = (from + x) / m->choices;
}

static void move_rows(const struct moved *m, const char *in, const struct block *b)
{
    for (uint32_t k = 0; k < b->n; k++)
        memcpy(m->out + b->to[k] * m->bytes, in + k * m->bytes, m->bytes);
}

/* Rows of tokens, each for as many items as it has choices. */
static void move_tokens(const struct moved *m, const struct block *b)
{
    for (uint32_t k = 0; k < b->n; k++)
        memcpy(m->out + b->to[k] * m->bytes, m->in + (b->from + k) / m->choices * m->bytes,
               m->bytes);
}

static void move_array(const struct job *j, const struct hand *h, size_t a, struct block *b)
{
    const struct moved *m = &j->moved[a];
    const char *in = m->in && m->choices == 1 ? m->in + b->from * m->bytes : (const char *)b->index;

    if (!m->in)
        count_up(b->from, b->n, m, b->index);
    if (m->in && m->choices > 1) {
        move_tokens(m, b);
    } else if (has_lines(j, m)) {
        const struct cw_stream s =
            cw_stream_to(m->out, m->bytes, h->lines + a * j->buckets * CW_SORT_LINE, h->begin,
                         j->given->n * m->bytes >= PAST);

        cw_stream_send(&s, in, b->bucket, b->to, b->n);
    } else {
        move_rows(m, in, b);
    }
}

static void write_places(const struct job *j, const struct block *b)
{
    const size_t bytes = j->given->index_bytes;
    char *out = (char *)j->given->inverse_out + b->from * bytes;

    for (uint32_t k = 0; k < b->n; k++) {
        const uint64_t to = b->bucket[k] < j->given->buckets || j->buckets == j->given->buckets
                                ? b->to[k]
                                : UINT64_MAX;

        memcpy(out + k * bytes, &to, bytes); /* the low bytes come first */
    }
}

static void end_lines(const struct job *j, const struct hand *h)
{
    const uint32_t buckets = j->buckets;

    for (size_t a = 0; a < j->arrays; a++) {
        const struct moved *m = &j->moved[a];
        const struct cw_stream s =
            cw_stream_to(m->out, m->bytes, h->lines + a * buckets * CW_SORT_LINE, h->begin,
                         j->given->n * m->bytes >= PAST);

        if (has_lines(j, m))
            cw_stream_end(&s, buckets, h->at);
    }
}

/* Items that are a single array. */
static void move_one(const struct job *j, unsigned t)
{
    const struct hand *h = &j->hand[t];
    const struct moved *m = &j->moved[0];
    const size_t end = stretch(j, t + 1);
    const struct cw_stream s =
        cw_stream_to(m->out, m->bytes, h->lines, h->begin, j->given->n * m->bytes >= PAST);
    uint16_t bucket[BLOCK];

    for (size_t x = stretch(j, t); x < end; x += BLOCK) {
        const uint32_t n = end - x < BLOCK ? (uint32_t)(end - x) : BLOCK;

        cw_labels_find(&j->labels, x, n, bucket);
        cw_stream_deal(&s, m->in + x * m->bytes, bucket, h->at, n);
    }
    cw_stream_end(&s, j->buckets, h->at);
}

static void move(const struct job *j, unsigned t)
{
    const struct hand *h = &j->hand[t];
    const size_t end = stretch(j, t + 1);
    struct block b;

    for (b.from = stretch(j, t); b.from < end; b.from += BLOCK) {
        b.n = end - b.from < BLOCK ? (uint32_t)(end - b.from) : BLOCK;
        cw_labels_find(&j->labels, b.from, b.n, b.bucket);
        for (uint32_t k = 0; k < b.n; k++)
            b.to[k] = h->at[b.bucket[k]]++;
        for (size_t a = 0; a < j->arrays; a++)
            move_array(j, h, a, &b);
        if (j->given->inverse_out)
            write_places(j, &b);
    }
    end_lines(j, h);
}

/* ---- the call ------------------------------------------------------------------------------- */

static void count_share(void *user, size_t t, size_t end, unsigned thread)
{
    (void)end;
    (void)thread;
    count((const struct job *)user, (unsigned)t);
}

static void move_share(void *user, size_t t, size_t end, unsigned thread)
{
    const struct job *j = (const struct job *)user;

    (void)end;
    (void)thread;
    if (j->arrays == 1 && j->moved->in && has_lines(j, j->moved) && !j->given->inverse_out)
        move_one(j, (unsigned)t);
    else
        move(j, (unsigned)t);
}

static cw_status partition(struct job *j)
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
    struct job j = {&job, asked->buckets, {0}, NULL, 0, team, cw_team_threads(team), NULL};
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
    free(memory);
    cw_labels_close(&j.labels);
    return status;
}
