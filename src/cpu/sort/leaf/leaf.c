/* leaf.c - sort a bucket that fits into a thread's cache.
 *
 * Keys alone are words, and are sorted between the side where they are and the other one.
 *
 * Else the places of the keys are sorted, and keys, values and index are fetched in their order.
 * Keys that differ in up to 16 bits, or 48, make words of 4 bytes, or 8, with their places.  Of
 * others the highest 48 bits alone nearly always tell.  Those that agree in them stand side by side
 * then, and differ in 16 bits at most: each such run is sorted again, by these.
 */
#include "cpu/sort/leaf/leaf.h"

#include <string.h>

#include "cpu/inline.h"
#include "cpu/sort/leaf/digits.h"
#include "cpu/sort/lines.h"
#include "cpu/sort/bucket.h"
#include "cpu/sort/sample.h"

#define PAST   ((size_t)8 << 20) /* bytes of an array that is written past the caches, at least */
#define NARROW 16u               /* bits of a key above its place in 4 bytes */
#define WIDE   48u               /* in 8 */
#define FEW    8u                /* places that are sorted by insertion */

/* ---- keys alone ----------------------------------------------------------------------------- */

static void sort_alone(const struct cw_sorter *s, struct cw_sort_thread *t,
                       const struct cw_bucket *p)
{
    cw_sort_words *const sort = s->bytes[0] == 4 ? cw_sort_words4 : cw_sort_words8;
    const size_t at = p->from * s->bytes[0];
    const uint32_t n = (uint32_t)p->n;
    char *from = s->side[p->side].keys + at, *out = s->side[CW_SIDE_OUT].keys + at;

    if (p->side != CW_SIDE_WORK) { /* not from the caller's input, nor from where it ends */
        const void *keys = cw_side_keys(s, p->side, p->from, n, t->worker.loaded);

        if (keys != t->worker.loaded)
            memcpy(t->worker.loaded, keys, n * s->bytes[0]);
        from = (char *)t->worker.loaded;
    }
    if (s->job->n * s->bytes[0] < PAST) {
        sort(s, t, from, t->worker.sorted, out, n);
        if (!s->map.plain)
            s->keys->unmap(s, out, n, out);
        return;
    }
    sort(s, t, from, t->worker.sorted, t->ended, n);
    if (!s->map.plain)
        s->keys->unmap(s, t->ended, n, t->ended);
    cw_copy_past(out, (const char *)t->ended, n * s->bytes[0]);
}

/* ---- places --------------------------------------------------------------------------------- */

/* The word of one mapped key. */
static uint64_t word_at(const struct cw_sorter *s, const void *mapped, uint32_t x)
{
    uint64_t room;
    const char *key = (const char *)mapped + x * s->bytes[0];

    return s->keys->difference(s->keys->words(s, key, 1, &room), 1, 0);
}

static uint32_t width_of(const struct cw_sorter *s, const void *mapped, uint32_t n)
{
    const uint64_t first = word_at(s, mapped, 0);
    uint64_t room[CW_SORT_BLOCK], differ = 0;

    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;
        const char *keys = (const char *)mapped + x * s->bytes[0];

        differ |= s->keys->difference(s->keys->words(s, keys, some, room), some, first);
    }
    return cw_width(differ);
}

/* Words of the lowest `bits`, up to 16, of the keys of a run of places, above the places.  Do any
 * differ?  If not, they are in order. */
static int run_words(const struct cw_sorter *s, const void *mapped, const uint16_t *place,
                     uint32_t n, uint32_t bits, uint32_t *to)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint32_t differ = 0;

    for (uint32_t x = 0; x < n; x++) {
        uint64_t key; /* others than of 8 bytes have fewer bits */

        memcpy(&key, (const char *)mapped + place[x] * sizeof key, sizeof key);
        key = CW_WORD_TO_RANK(&s->map, key);
        to[x] = (uint32_t)(key >> s->first & mask) << 16 | place[x];
        differ |= to[x] ^ to[0];
    }
    return differ >> 16 != 0;
}

static void insertion_sort(uint32_t *x, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k && x[k] < x[k - 1]; k--) {
            const uint32_t less = x[k];

            x[k] = x[k - 1];
            x[k - 1] = less;
        }
}

/* Words of 8 bytes were sorted to t->ended without the lowest `drop` bits: sort what agrees.  Runs
 * wait until all their places are known: most are leaves, which are sorted side by side. */
static void sort_runs(const struct cw_sorter *s, struct cw_sort_thread *t, const void *mapped,
                      uint32_t n, uint32_t drop, uint16_t *place)
{
    const uint64_t *sorted = (const uint64_t *)t->ended;
    uint32_t *const words = (uint32_t *)t->worker.sorted;
    uint32_t *const room = (uint32_t *)t->worker.loaded + n; /* behind the places */

    for (uint32_t x = 0, end; x < n; x = end) {
        for (end = x + 1; end < n && sorted[end] >> 16 == sorted[x] >> 16;)
            end++;
        words[x] = place[x];
        if (end - x == 1 || !run_words(s, mapped, place + x, end - x, drop, words + x))
            continue;
        if (end - x > FEW)
            cw_sort_run4(s, t, words + x, room + x, room + n, end - x, n);
        else
            insertion_sort(words + x, end - x);
    }
    cw_sort_runs_end4(t);
    for (uint32_t x = 0; x < n; x++)
        place[x] = (uint16_t)words[x];
}

static void sort_places(const struct cw_sorter *s, struct cw_sort_thread *t, const void *mapped,
                        uint32_t n, uint16_t *place)
{
    const uint32_t width = width_of(s, mapped, n), drop = width > WIDE ? width - WIDE : 0;

    if (width <= NARROW && n >= CW_DIGITS_LESS && !s->compare)
        cw_sort_places_by_digits(s, t, mapped, n, width, place);
    else if (width <= NARROW)
        cw_sort_places4(s, t, mapped, n, width, 0, place);
    else if (cw_sort_places8(s, t, mapped, n, width, drop, place) && drop)
        sort_runs(s, t, mapped, n, drop, place);
}

/* ---- items ---------------------------------------------------------------------------------- */

/* `bytes` is a constant wherever this is called. */
CW_INLINE void take_of(const char *from, const uint16_t *place, uint32_t n, char *to, size_t bytes)
{
    for (uint32_t x = 0; x < n; x++)
        memcpy(to + x * bytes, from + place[x] * bytes, bytes);
}

static void take(const void *items, const uint16_t *place, uint32_t n, size_t bytes, char *to)
{
    const char *from = (const char *)items;

#define TAKE(width) take_of(from, place, n, to, width)
    CW_BY_WIDTH(bytes, TAKE, 16)
#undef TAKE
}

/* Indices of items that are where the caller has them: their places. */
static void take_places(const uint16_t *place, uint32_t n, size_t from, size_t bytes, char *to)
{
    uint32_t *to4 = (uint32_t *)to;
    uint64_t *to8 = (uint64_t *)to;

    if (bytes == 4) {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            to4[x] = (uint32_t)from + place[x];
    } else {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            to8[x] = from + place[x];
    }
}

/* What is read where it will be written is first copied. */
static const void *apart(const void *items, const void *out, size_t bytes, void *room)
{
    return items == out ? memcpy(room, items, bytes) : items;
}

static void sort_items(const struct cw_sorter *s, struct cw_sort_thread *t,
                       const struct cw_bucket *p)
{
    const struct cw_side_arrays *in = &s->side[p->side], *out = &s->side[CW_SIDE_OUT];
    const uint32_t n = (uint32_t)p->n;
    const size_t *bytes = s->bytes, from = p->from;
    uint16_t *place = (uint16_t *)t->worker.loaded;
    const void *keys = cw_side_keys(s, p->side, from, n, t->keys);

    sort_places(s, t, keys, n, place);
    if (out->keys) {
        char *to = out->keys + from * bytes[0];

        take(apart(keys, to, n * bytes[0], t->keys), place, n, bytes[0], to);
        if (!s->map.plain)
            s->keys->unmap(s, to, n, to);
    }
    if (bytes[1]) {
        char *to = out->values + from * bytes[1];

        take(apart(in->values + from * bytes[1], to, n * bytes[1], t->values), place, n, bytes[1],
             to);
    }
    if (bytes[2]) {
        char *to = out->index + from * bytes[2];

        if (p->side == CW_SIDE_IN)
            take_places(place, n, from, bytes[2], to);
        else
            take(apart(in->index + from * bytes[2], to, n * bytes[2], t->index), place, n, bytes[2],
                 to);
    }
}

void cw_sort_leaf(const struct cw_sorter *s, struct cw_sort_thread *t, const struct cw_bucket *p)
{
    t->worker.random = cw_sample_seed(s->seed, p->from, p->n);
    t->worker.alert = 0;
    if (s->placed)
        sort_items(s, t, p);
    else
        sort_alone(s, t, p);
}
