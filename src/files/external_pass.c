/* external_pass.c - split the array into chains of blocks.
 *
 * Thread t takes the t-th part of the array from its first key to its last, so the chains of a
 * bucket, thread by thread, hold its items in the array's order: what comes after is stable if
 * the sort of a bucket is.  A block holds its keys, then their indices.
 */
#include <stdlib.h>
#include <string.h>

#include "files/array_file.h"
#include "files/external_state.h"
#include "base/status.h"

#define CHUNK 65536u /* keys that are read at a time */

struct splitter {
    struct cw_external_state *s;
    struct cw_chain *chains;
    unsigned char *blocks; /* one for each bucket */
    uint32_t *fill;
    unsigned char *counted; /* of bucket b: its items are not needed, only how many */
    unsigned char *keys;    /* of a chunk, and: */
    unsigned char *index;
    uint16_t *bucket;
};

/* Write a block, or the begun last one of a chain. */
static cw_status flush(struct splitter *p, uint32_t b)
{
    struct cw_external_state *const s = p->s;
    struct cw_chain *const c = &p->chains[b];
    const uint64_t bytes = s->capacity * s->item, at = atomic_fetch_add(&s->next_at, bytes);
    const unsigned char *const block = p->blocks + b * bytes;
    cw_status status;

    if (c->count == c->room) {
        const uint32_t room = c->room ? 2 * c->room : 8;
        uint64_t *const more = (uint64_t *)realloc(c->at, room * sizeof *more);

        if (!more)
            return cw_fail(CW_ERR_MEMORY, "out of memory for the places of blocks");
        c->at = more;
        c->room = room;
    }
    c->at[c->count++] = at;
    status = cw_write_at(s->scratch, s->x->folder, block, p->fill[b] * s->key, at);
    if (!status && s->index)
        status = cw_write_at(s->scratch, s->x->folder, block + s->capacity * s->key,
                             p->fill[b] * s->index, at + s->capacity * s->key);
    p->fill[b] = 0;
    return status;
}

static void put(const struct splitter *p, uint32_t b, const unsigned char *key,
                const unsigned char *index)
{
    const struct cw_external_state *const s = p->s;
    unsigned char *const block = p->blocks + b * s->capacity * s->item;
    unsigned char *const to = block + p->fill[b] * s->key;

    switch (s->key) { /* lengths that the compiler knows */
    case 1:
        *to = *key;
        break;
    case 2:
        memcpy(to, key, 2);
        break;
    case 4:
        memcpy(to, key, 4);
        break;
    default:
        memcpy(to, key, 8);
    }
    if (s->index)
        memcpy(block + s->capacity * s->key + p->fill[b] * s->index, index, s->index);
}

static cw_status split_chunk(struct splitter *p, uint32_t count)
{
    struct cw_external_state *const s = p->s;
    cw_status status = CW_OK;

    cw_splitters_classify(&s->splitters, &s->map, p->keys, s->key, count, p->bucket);
    for (uint32_t i = 0; !status && i < count; i++) {
        const uint32_t b = p->bucket[i];

        p->chains[b].items++;
        if (p->counted[b])
            continue;
        put(p, b, p->keys + i * s->key, p->index + i * s->index);
        if (++p->fill[b] == s->capacity)
            status = flush(p, b);
    }
    return status;
}

static cw_status split_part(struct splitter *p, uint64_t from, uint64_t to)
{
    struct cw_external_state *const s = p->s;
    cw_status status = CW_OK;

    while (!status && from < to && !atomic_load(&s->failed)) {
        const uint32_t count = to - from < CHUNK ? (uint32_t)(to - from) : CHUNK;

        status = cw_external_read(s, from, count, p->keys, p->index);
        if (!status)
            status = split_chunk(p, count);
        from += count;
        cw_external_progress(s, count);
    }
    for (uint32_t b = 0; !status && b < s->buckets; b++) {
        if (p->fill[b])
            status = flush(p, b);
    }
    return status;
}

static void split_thread(struct cw_external_state *s, unsigned t, unsigned threads)
{
    struct splitter p = {.s = s, .chains = s->chains + (size_t)t * s->buckets};
    const uint64_t n = s->x->n, from = n / threads * t;
    cw_status status;

    p.blocks = (unsigned char *)malloc(s->buckets * s->capacity * s->item);
    p.fill = (uint32_t *)calloc(s->buckets, sizeof *p.fill);
    p.counted = (unsigned char *)calloc(s->buckets, 1);
    p.keys = (unsigned char *)malloc((size_t)CHUNK * s->key);
    p.index = (unsigned char *)malloc((size_t)CHUNK * s->index + 1);
    p.bucket = (uint16_t *)malloc(CHUNK * sizeof *p.bucket);
    if (p.blocks && p.fill && p.counted && p.keys && p.index && p.bucket) {
        for (uint32_t b = 0; b < s->buckets; b++)
            p.counted[b] = (unsigned char)cw_bucket_counted(s, b);
        status = split_part(&p, from, t + 1 < threads ? n / threads * (t + 1) : n);
    } else {
        status = cw_fail(CW_ERR_MEMORY, "out of memory for the blocks of %u buckets", s->buckets);
    }
    cw_external_fail(s, status);
    free(p.blocks);
    free(p.fill);
    free(p.counted);
    free(p.keys);
    free(p.index);
    free(p.bucket);
}

static void split_share(void *user, size_t t, size_t end, unsigned thread)
{
    struct cw_external_state *const s = (struct cw_external_state *)user;

    (void)end;
    (void)thread;
    split_thread(s, (unsigned)t, s->threads);
}

cw_status cw_external_pass(struct cw_external_state *s)
{
    cw_team_run(s->team, s->threads, s->threads, 1, split_share, s);
    return s->failed ? cw_fail(s->status, "%s", s->text) : CW_OK;
}
