/* leaf_body.h - words and places sorted in cache: the body of sort/leaf4.c and 8.
 *
 * A word with a place is the key's bits in which the bucket differs above 16 bits of place; so no
 * two are equal, and any sort of them is stable.
 */
#include "cpu/sort/leaf.h"
#include "cpu/partition/split.h"
#include "cpu/sort/quick.h"
#include "cpu/sort/work.h"

#define PLACE_BITS 16u

/* Words of x to `out`, with y as room. */
static void sort_words(const struct cw_sorter *s, struct cw_worker *t, const struct form *f,
                       word *x, word *y, word *out, uint32_t n)
{
    const struct quick q = {t, s->partition[WORD_KIND], s->foreseen};

    if (q.partition)
        quick_sort(&q, x, y, out, n, s->pivots);
    else if (s->compare)
        merge_sort(t, x, y, out, n);
    else
        split(t, f, x, y, out, n);
    sort_leaves(t);
}

cw_sort_words SORT_WORDS;

void SORT_WORDS(const struct cw_sorter *s, struct cw_sort_thread *t, void *x, void *y, void *out,
                uint32_t n)
{
    const struct form f = {0};

    sort_words(s, &t->worker, &f, (word *)x, (word *)y, (word *)out, n);
}

/* Some words, the first of which is at place x. */
static void load_places(const struct cw_sorter *s, const struct form *f, const void *words,
                        uint32_t x, uint32_t n, uint32_t width, uint32_t drop, word *to)
{
    const uint64_t mask = UINT64_MAX >> (64u - width);
    const uint32_t *of4 = (const uint32_t *)words;
    const uint64_t *of8 = (const uint64_t *)words;

    if (s->bytes[0] < 8) {
        CW_SIMD
        for (uint32_t k = 0; k < n; k++)
            to[k] = word_of(f, (bits)(of4[k] & (uint32_t)mask), x + k);
    } else {
        CW_SIMD
        for (uint32_t k = 0; k < n; k++)
            to[k] = word_of(f, (bits)((of8[k] & mask) >> drop), x + k);
    }
}

cw_sort_places SORT_PLACES;

int SORT_PLACES(const struct cw_sorter *s, struct cw_sort_thread *t, const void *mapped, uint32_t n,
                uint32_t width, uint32_t drop, uint16_t *place)
{
    struct form f = {0};
    word *loaded = (word *)t->worker.loaded, *sorted = (word *)t->ended;
    uint64_t room[CW_SORT_BLOCK];
    int agree = 0;

    f.shift = PLACE_BITS;
    f.place = ((bits)1 << PLACE_BITS) - 1u;
    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;
        const char *keys = (const char *)mapped + x * s->bytes[0];

        load_places(s, &f, s->keys->words(s, keys, some, room), x, some, width, drop, loaded + x);
    }
    sort_words(s, &t->worker, &f, loaded, (word *)t->worker.sorted, sorted, n);
    CW_SIMD
    for (uint32_t x = 0; x < n; x++)
        place[x] = (uint16_t)word_place(&f, sorted[x]);
    CW_SIMD_OR(agree)
    for (uint32_t x = 1; x < n; x++)
        agree |= word_above(sorted[x], f.shift) == word_above(sorted[x - 1], f.shift);
    return agree;
}
