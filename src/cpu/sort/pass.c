/* pass.c - deal the items of a bucket into buckets on another side.
 *
 * The bucket is cut into as many stretches as there are threads.  Each thread counts how many keys
 * of its stretch belong to each bucket; a sum over buckets, and in each over threads, says where
 * its items of a bucket go; then it sends them there (sort/lines.h).  So an item is read twice and
 * written once, and items of a bucket keep their order.
 *
 * Time: n/threads keys a thread, and threads * buckets for the sum.
 *
 * Counts a thread, sums, and buffers of a line a bucket: Satish and others (2010).
 */
#include "cpu/sort/pass.h"

#include <string.h>

#include "cpu/sort/lines.h"
#include "cpu/sort/bucket.h"
#include "cpu/sort/sample.h"
#include "base/threads.h"

#define PAST (8u << 20) /* bytes of an array that are written past the caches, at least */

struct pass {
    const struct cw_sorter *s;
    const struct cw_bucket *bucket;
    const struct cw_cuts *cuts;
    enum cw_side to;
    const struct cw_sort_team *by;
};

/* A block of items. */
struct block {
    uint64_t keys[CW_SORT_BLOCK], words[CW_SORT_BLOCK]; /* or index, once words are used */
    const void *mapped;
    uint16_t bucket[CW_SORT_BLOCK];
    size_t to[CW_SORT_BLOCK];
};

/* Where stretch k of `count` begins, and stretch k - 1 ends. */
static size_t stretch(const struct cw_bucket *p, unsigned k, unsigned count)
{
    const size_t more = p->n % count;

    return p->from + p->n / count * k + (k < more ? k : more);
}

static void find_buckets(const struct pass *p, size_t x, uint32_t n, struct block *b)
{
    const struct cw_sort_keys *keys = p->s->keys;

    b->mapped = cw_side_keys(p->s, p->bucket->side, x, n, b->keys);
    keys->bucket(p->cuts, keys->words(p->s, b->mapped, n, b->words), n, b->bucket);
}

static void count(const struct pass *p, size_t from, size_t end, size_t *at)
{
    struct block b;

    memset(at, 0, p->cuts->buckets * sizeof *at);
    for (size_t x = from; x < end; x += CW_SORT_BLOCK) {
        const uint32_t n = end - x < CW_SORT_BLOCK ? (uint32_t)(end - x) : CW_SORT_BLOCK;

        uint32_t k = 0;

        find_buckets(p, x, n, &b);
        for (; k + 4 <= n; k += 4) {
            at[b.bucket[k]]++;
            at[b.bucket[k + 1]]++;
            at[b.bucket[k + 2]]++;
            at[b.bucket[k + 3]]++;
        }
        for (; k < n; k++)
            at[b.bucket[k]]++;
    }
}

/* Counts become places. */
static void sum(const struct cw_bucket *p, struct cw_sort_thread *team, unsigned threads,
                uint32_t buckets, size_t *end)
{
    size_t all = p->from;

    for (uint32_t b = 0; b < buckets; b++) {
        for (unsigned t = 0; t < threads; t++) {
            const size_t n = team[t].at[b];

            team[t].at[b] = team[t].begin[b] = all;
            all += n;
        }
        end[b] = all;
    }
}

/* The arrays that the items have on the side where they go. */
static uint32_t open_streams(const struct pass *p, struct cw_sort_thread *t,
                             struct cw_stream *stream)
{
    const struct cw_side_arrays *to = &p->s->side[p->to];
    char *const out[] = {to->keys, to->values, to->index};
    uint32_t open = 0;

    for (uint32_t a = 0; a < CW_SORT_ARRAYS; a++) {
        const size_t bytes = p->s->bytes[a];

        if (bytes && out[a]) {
            stream[a] =
                cw_stream_to(out[a], bytes, t->lines[a], t->begin, p->bucket->n * bytes >= PAST);
            open |= 1u << a;
        }
    }
    return open;
}

static void send(const struct pass *p, size_t from, size_t end, struct cw_sort_thread *t)
{
    const struct cw_sorter *s = p->s;
    const enum cw_side side = p->bucket->side;
    struct cw_stream stream[CW_SORT_ARRAYS];
    const uint32_t open = open_streams(p, t, stream);
    struct block b;

    for (size_t x = from; x < end; x += CW_SORT_BLOCK) {
        const uint32_t n = end - x < CW_SORT_BLOCK ? (uint32_t)(end - x) : CW_SORT_BLOCK;

        find_buckets(p, x, n, &b);
        if (open == 1u) {
            cw_stream_deal(&stream[0], (const char *)b.mapped, b.bucket, t->at, n);
            continue;
        }
        for (uint32_t k = 0; k < n; k++)
            b.to[k] = t->at[b.bucket[k]]++;
        if (open & 1u)
            cw_stream_send(&stream[0], (const char *)b.mapped, b.bucket, b.to, n);
        if (open & 2u)
            cw_stream_send(&stream[1], s->side[side].values + x * s->bytes[1], b.bucket, b.to, n);
        if (open & 4u)
            cw_stream_send(&stream[2], (const char *)cw_side_index(s, side, x, n, b.words),
                           b.bucket, b.to, n);
    }
    for (uint32_t a = 0; a < CW_SORT_ARRAYS; a++)
        if (open >> a & 1u)
            cw_stream_end(&stream[a], p->cuts->buckets, t->at);
}

static void count_share(void *user, size_t t, size_t end, unsigned thread)
{
    const struct pass *p = (const struct pass *)user;
    const unsigned k = (unsigned)t, all = p->by->threads;

    (void)end;
    (void)thread;
    count(p, stretch(p->bucket, k, all), stretch(p->bucket, k + 1, all), p->by->buffers[k].at);
}

static void send_share(void *user, size_t t, size_t end, unsigned thread)
{
    const struct pass *p = (const struct pass *)user;
    const unsigned k = (unsigned)t, all = p->by->threads;

    (void)end;
    (void)thread;
    send(p, stretch(p->bucket, k, all), stretch(p->bucket, k + 1, all), &p->by->buffers[k]);
}

void cw_sort_pass(const struct cw_sorter *s, const struct cw_sort_team *by,
                  const struct cw_bucket *bucket, enum cw_side to, const struct cw_cuts *cuts,
                  size_t *end)
{
    struct pass p = {s, bucket, cuts, to, by};

    cw_team_run(by->team, by->threads, by->threads, 1, count_share, &p);
    sum(bucket, by->buffers, by->threads, cuts->buckets, end);
    cw_team_run(by->team, by->threads, by->threads, 1, send_share, &p);
}
