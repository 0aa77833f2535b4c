/* bucket.c - keys and indices of buckets, a block at a time, and buckets that are in order. */
#include "cpu/sort/bucket.h"

#include <string.h>

#include "cpu/inline.h"

/* ---- keys and indices ----------------------------------------------------------------------- */

static size_t index_at(const struct cw_sorter *s, const char *index, size_t x)
{
    uint32_t x4;
    uint64_t x8;

    if (s->bytes[2] == 4)
        return memcpy(&x4, index + 4 * x, 4), x4;
    return memcpy(&x8, index + 8 * x, 8), (size_t)x8;
}

/* Keys of CW_SIDE_IN that the index at `index` names. */
static void look_up(const struct cw_sorter *s, const char *index, uint32_t n, char *to)
{
    const char *in = s->side[CW_SIDE_IN].keys;
    const size_t bytes = s->bytes[0];

    for (uint32_t x = 0; x < n; x++)
        memcpy(to + x * bytes, in + index_at(s, index, x) * bytes, bytes);
}

const void *cw_side_keys(const struct cw_sorter *s, enum cw_side side, size_t x, uint32_t n,
                         void *room)
{
    const char *keys = s->side[side].keys;

    if (!keys) {
        look_up(s, s->side[side].index + x * s->bytes[2], n, (char *)room);
        if (!s->map.plain)
            s->keys->map(s, room, n, room);
        return room;
    }
    keys += x * s->bytes[0];
    if (side != CW_SIDE_IN || s->map.plain)
        return keys;
    s->keys->map(s, keys, n, room);
    return room;
}

static void count_up(size_t from, uint32_t n, size_t bytes, void *to)
{
    uint32_t *to4 = (uint32_t *)to;
    uint64_t *to8 = (uint64_t *)to;

    if (bytes == 4) {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            to4[x] = (uint32_t)from + x;
    } else {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            to8[x] = from + x;
    }
}

const void *cw_side_index(const struct cw_sorter *s, enum cw_side side, size_t x, uint32_t n,
                          void *room)
{
    if (side != CW_SIDE_IN)
        return s->side[side].index + x * s->bytes[2];
    count_up(x, n, s->bytes[2], room);
    return room;
}

/* ---- order ---------------------------------------------------------------------------------- */

int cw_bucket_in_order(const struct cw_sorter *s, const struct cw_bucket *p)
{
    uint64_t keys[CW_SORT_BLOCK], words[CW_SORT_BLOCK];

    /* Blocks share a key. */
    for (size_t x = 0; x + 1 < p->n; x += CW_SORT_BLOCK - 1) {
        const uint32_t n = p->n - x < CW_SORT_BLOCK ? (uint32_t)(p->n - x) : CW_SORT_BLOCK;
        const void *mapped = cw_side_keys(s, p->side, p->from + x, n, keys);

        if (s->keys->falls(s->keys->words(s, mapped, n, words), n))
            return 0;
    }
    return 1;
}

static void finish_keys(const struct cw_sorter *s, const struct cw_bucket *p)
{
    const size_t bytes = s->bytes[0];
    const char *from = s->side[p->side].keys + p->from * bytes;
    char *to = s->side[CW_SIDE_OUT].keys + p->from * bytes;

    if (p->side == CW_SIDE_IN || s->map.plain) {
        if (from != to)
            memcpy(to, from, p->n * bytes);
        return;
    }
    for (size_t x = 0; x < p->n; x += CW_SORT_BLOCK) {
        const uint32_t n = p->n - x < CW_SORT_BLOCK ? (uint32_t)(p->n - x) : CW_SORT_BLOCK;

        s->keys->unmap(s, from + x * bytes, n, to + x * bytes);
    }
}

static void finish_index(const struct cw_sorter *s, const struct cw_bucket *p)
{
    const size_t bytes = s->bytes[2];
    char *to = s->side[CW_SIDE_OUT].index + p->from * bytes;

    if (p->side == CW_SIDE_WORK)
        memcpy(to, s->side[p->side].index + p->from * bytes, p->n * bytes);
    for (size_t x = 0; x < p->n && p->side == CW_SIDE_IN; x += CW_SORT_BLOCK) {
        const uint32_t n = p->n - x < CW_SORT_BLOCK ? (uint32_t)(p->n - x) : CW_SORT_BLOCK;

        count_up(p->from + x, n, bytes, to + x * bytes);
    }
}

void cw_bucket_finish(const struct cw_sorter *s, const struct cw_bucket *p)
{
    const size_t bytes = s->bytes[1];

    if (s->side[CW_SIDE_OUT].keys)
        finish_keys(s, p);
    if (bytes && s->side[p->side].values != s->side[CW_SIDE_OUT].values)
        memcpy(s->side[CW_SIDE_OUT].values + p->from * bytes,
               s->side[p->side].values + p->from * bytes, p->n * bytes);
    if (s->bytes[2])
        finish_index(s, p);
}
