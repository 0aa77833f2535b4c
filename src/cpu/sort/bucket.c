/* bucket.c - keys and indices of buckets, a block at a time, and buckets that are in order. */
#include "cpu/sort/bucket.h"

#include <string.h>

#include "cpu/inline.h"
#define WORD_LOG 3 /* of item_put */
#include "cpu/words.h"

#define FIRST      64u /* keys that are looked at first */
#define MOST_BYTES 16u /* of an item */

/* ---- keys and indices ----------------------------------------------------------------------- */

/* Keys of CW_SIDE_IN that the index at `index` names; both widths are constants wherever this is
 * called. */
CW_INLINE void look_up_of(const char *in, const char *index, uint32_t n, char *to, size_t bytes,
                          size_t index_bytes)
{
    for (uint32_t x = 0; x < n; x++)
        memcpy(to + x * bytes, in + item_get(index, x, index_bytes) * bytes, bytes);
}

static void look_up(const struct cw_sorter *s, const char *index, uint32_t n, char *to)
{
    const char *in = s->side[CW_SIDE_IN].keys;

#define LOOK_UP4(width) look_up_of(in, index, n, to, width, 4)
#define LOOK_UP8(width) look_up_of(in, index, n, to, width, 8)
    if (s->bytes[2] == 4) {
        CW_BY_WIDTH(s->bytes[0], LOOK_UP4, s->bytes[0])
    } else {
        CW_BY_WIDTH(s->bytes[0], LOOK_UP8, s->bytes[0])
    }
#undef LOOK_UP4
#undef LOOK_UP8
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

enum way { UP, DOWN, STRICTLY_DOWN };

/* Whether all of a bucket goes this way; the first keys alone nearly always tell. */
static int goes(const struct cw_sorter *s, const struct cw_bucket *p, enum way way)
{
    uint64_t keys[CW_SORT_BLOCK], words[CW_SORT_BLOCK];
    uint32_t block = FIRST;

    for (size_t x = 0; x + 1 < p->n; x += block - 1, block = CW_SORT_BLOCK) { /* they share a key */
        const uint32_t n = p->n - x < block ? (uint32_t)(p->n - x) : block;
        const void *mapped = cw_side_keys(s, p->side, p->from + x, n, keys);
        const void *some = s->keys->words(s, mapped, n, words);

        if (way == UP ? s->keys->falls(some, n) != 0 : s->keys->rises(some, n, way == DOWN))
            return 0;
    }
    return 1;
}

int cw_bucket_in_order(const struct cw_sorter *s, const struct cw_bucket *p)
{
    return goes(s, p, UP);
}

int cw_bucket_falls(const struct cw_sorter *s, const struct cw_bucket *p)
{
    return goes(s, p, DOWN);
}

int cw_bucket_reversed(const struct cw_sorter *s, const struct cw_bucket *p)
{
    return goes(s, p, s->placed ? STRICTLY_DOWN : DOWN);
}

static void unmap_all(const struct cw_sorter *s, const char *mapped, size_t count, char *to)
{
    const size_t bytes = s->bytes[0];

    for (size_t x = 0; x < count; x += CW_SORT_BLOCK) {
        const uint32_t n = count - x < CW_SORT_BLOCK ? (uint32_t)(count - x) : CW_SORT_BLOCK;

        s->keys->unmap(s, mapped + x * bytes, n, to + x * bytes);
    }
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
    unmap_all(s, from, p->n, to);
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

/* ---- buckets that are reversed -------------------------------------------------------------- */

/* Mapped keys in the middle are their own counterpart. */
static void unmap_ends(const struct cw_sorter *s, char *keys, size_t n, size_t from, size_t end)
{
    const size_t bytes = s->bytes[0], last = n - end > end ? n - end : end;

    unmap_all(s, keys + from * bytes, end - from, keys + from * bytes);
    unmap_all(s, keys + last * bytes, n - from - last, keys + last * bytes);
}

/* Items from .. end - 1 of n and those as far from the end trade places, on the way from one array
 * to another or in place; `bytes` is a constant wherever this is called. */
CW_INLINE void turn_of(const char *in, char *out, size_t n, size_t from, size_t end, size_t bytes)
{
    for (size_t x = from, y = n - 1 - from; x < end; x++, y--) {
        char low[MOST_BYTES], high[MOST_BYTES];

        memcpy(low, in + x * bytes, bytes);
        memcpy(high, in + y * bytes, bytes);
        memcpy(out + x * bytes, high, bytes);
        memcpy(out + y * bytes, low, bytes);
    }
}

static void turn(const char *in, char *out, size_t n, size_t from, size_t end, size_t bytes)
{
#define TURN(width) turn_of(in, out, n, from, end, width)
    CW_BY_WIDTH(bytes, TURN, bytes)
#undef TURN
}

/* From the caller's side no array has the indices. */
static void turn_index(const struct cw_sorter *s, const struct cw_bucket *p, size_t from,
                       size_t end)
{
    const size_t bytes = s->bytes[2];
    char *out = s->side[CW_SIDE_OUT].index + p->from * bytes;

    if (p->side != CW_SIDE_IN) {
        turn(s->side[p->side].index + p->from * bytes, out, p->n, from, end, bytes);
        return;
    }
    for (size_t x = from, y = p->n - 1 - from; x < end; x++, y--) {
        item_put(out, x, bytes, p->from + y);
        item_put(out, y, bytes, p->from + x);
    }
}

void cw_bucket_turn(const struct cw_sorter *s, const struct cw_bucket *p, size_t from, size_t end)
{
    const struct cw_side_arrays *in = &s->side[p->side], *out = &s->side[CW_SIDE_OUT];
    const size_t *bytes = s->bytes;

    if (out->keys) {
        char *to = out->keys + p->from * bytes[0];

        turn(in->keys + p->from * bytes[0], to, p->n, from, end, bytes[0]);
        if (p->side != CW_SIDE_IN && !s->map.plain)
            unmap_ends(s, to, p->n, from, end);
    }
    if (bytes[1])
        turn(in->values + p->from * bytes[1], out->values + p->from * bytes[1], p->n, from, end,
             bytes[1]);
    if (bytes[2])
        turn_index(s, p, from, end);
}

/* Items x .. end - 1 of the output, in place. */
static void turn_run(const struct cw_sorter *s, size_t x, size_t end)
{
    const struct cw_side_arrays *out = &s->side[CW_SIDE_OUT];
    char *const array[] = {out->keys, out->values, out->index};

    for (uint32_t a = 0; a < CW_SORT_ARRAYS; a++) {
        char *const items = array[a] ? array[a] + x * s->bytes[a] : NULL;

        if (items && s->bytes[a])
            turn(items, items, end - x, 0, (end - x + 1) / 2, s->bytes[a]);
    }
}

/* Words of keys that are where they end, or that the index names. */
static const void *ended_words(const struct cw_sorter *s, size_t x, uint32_t n, uint64_t *keys,
                               uint64_t *words)
{
    const char *out = s->side[CW_SIDE_OUT].keys;
    const void *mapped = keys;

    if (out)
        s->keys->map(s, out + x * s->bytes[0], n, keys);
    else
        mapped = cw_side_keys(s, CW_SIDE_OUT, x, n, keys);
    return s->keys->words(s, mapped, n, words);
}

void cw_bucket_turn_runs(const struct cw_sorter *s, const struct cw_bucket *p)
{
    const size_t end = p->from + p->n;
    uint64_t keys[CW_SORT_BLOCK], words[CW_SORT_BLOCK], last = 0;
    size_t begin = p->from; /* of a run */

    for (size_t x = p->from; x < end; x += CW_SORT_BLOCK) {
        const uint32_t n = end - x < CW_SORT_BLOCK ? (uint32_t)(end - x) : CW_SORT_BLOCK;
        const void *some = ended_words(s, x, n, keys, words);

        for (uint32_t k = 0; k < n; k++) {
            const uint64_t word = item_get(some, k, s->bytes[0] == 8 ? 8 : 4);

            if (word != last || x + k == p->from) {
                if (x + k > begin + 1)
                    turn_run(s, begin, x + k);
                begin = x + k;
                last = word;
            }
        }
    }
    if (end > begin + 1)
        turn_run(s, begin, end);
}
