/* leaf_body.h - words and places sorted in cache: the body of sort/leaf/leaf4.c and 8.
 *
 * A word with a place is the key's bits in which the bucket differs above 16 bits of place; so no
 * two are equal, and any sort of them is stable.
 */
#include "cpu/sort/leaf/leaf.h"
#include "cpu/partition/split.h"
#include "cpu/sort/leaf/nearly.h"
#include "cpu/sort/vectors/vectors.h"
#include "cpu/sort/work.h"

/* Words of x to `out`; one of `work`, room for as many, and `out` may be x. */
static void by_vectors(const struct cw_sorter *s, struct cw_worker *t, const word *x, word *out,
                       word *work, uint32_t n)
{
    struct cw_pivots p = {t->random, t->alert, s->pivots, (uint32_t)s->foreseen};
    const struct cw_stretch all = {x, out, work, n};

    s->vectors[WORD_KIND]->sort(&p, &all);
    t->random = p.random;
    t->alert = p.alert;
}

/* Words of x to `out`, with y as room; x is lost. */
static void sort_any(const struct cw_sorter *s, struct cw_worker *t, const struct form *f, word *x,
                     word *y, word *out, uint32_t n)
{
    if (s->vectors[WORD_KIND]) {
        by_vectors(s, t, x, out, x, n);
        return;
    }
    t->together = n;
    if (s->compare)
        merge_sort(t, x, y, out, n);
    else
        split(t, f, x, y, out, n);
    sort_leaves(t);
}

/* Words that are in order but for a few, up to `most`, to `out`; `room` is for three times as many.
 * 0: they are not, `out` is lost and the words are there.  What is taken out is not in the order of its
 * places, so all bits of a word are its key. */
static int sort_nearly(const struct cw_sorter *s, struct cw_worker *t, const word *x, word *out,
                       uint32_t n, word *room, uint32_t most)
{
    const struct form whole = {0};
    struct kept k = kept_in(out, s, n, most);

    if (!part(&k, x))
        return 0;
    memcpy(room, out + k.kept, k.out * sizeof *room);
    sort_any(s, t, &whole, room, room + k.out, room + 2 * k.out, k.out);
    merge_few(room + 2 * k.out, k.out, out, k.kept);
    return 1;
}

/* Words of x to `out`, with y as room; x is lost. */
static void sort_words(const struct cw_sorter *s, struct cw_worker *t, const struct form *f,
                       word *x, word *y, word *out, uint32_t n)
{
    const struct cw_sort_keys *by = cw_sort_keys_of(s->work.columns, sizeof *x);

    if (n < NEARLY || by->falls(x, CW_NEARLY_LOOK) > CW_NEARLY_FALLS ||
        !sort_nearly(s, t, x, out, n, y, n / 3))
        sort_any(s, t, f, x, y, out, n);
}

cw_sort_words SORT_WORDS;

void SORT_WORDS(const struct cw_sorter *s, struct cw_sort_thread *t, void *x, void *y, void *out,
                uint32_t n)
{
    const struct form f = {0};

    sort_words(s, &t->worker, &f, (word *)x, (word *)y, (word *)out, n);
}

#if WORD_LOG == 2

void cw_sort_run4(const struct cw_sorter *s, struct cw_sort_thread *t, void *words, void *room,
                  void *others, uint32_t n, uint32_t together)
{
    word *const x = (word *)words, *const y = (word *)others;

    if (s->vectors[WORD_KIND]) {
        by_vectors(s, &t->worker, x, x, y, n);
        return;
    }
    if (n <= longest_leaf(s->work.columns, together)) {
        add_leaf(&t->worker, x, x, n);
        return;
    }
    if (!s->compare) {
        struct form f = {0};

        f.shift = CW_PLACE_BITS;
        f.place = ((bits)1 << CW_PLACE_BITS) - 1u;
        t->worker.together = together;
        split_bucket(&t->worker, &f, x, (word *)room, x, n, n <= SHORT, 2);
        return;
    }
    SORT_WORDS(s, t, x, y, y + n, n);
    memcpy(x, y + n, n * sizeof *x);
}

void cw_sort_runs_end4(struct cw_sort_thread *t)
{
    sort_leaves(&t->worker);
}

#endif

cw_sort_nearly SORT_NEARLY;

int SORT_NEARLY(const struct cw_sorter *s, struct cw_sort_thread *t, const void *words, void *out,
                uint32_t n)
{
    const word *x = (const word *)words;
    const uint32_t most = (uint32_t)(s->room * sizeof(uint64_t) / sizeof *x / 3);

    return sort_nearly(s, &t->worker, x, (word *)out, n, (word *)t->worker.loaded, most);
}

cw_sort_places SORT_PLACES;

int SORT_PLACES(const struct cw_sorter *s, struct cw_sort_thread *t, const void *mapped, uint32_t n,
                uint32_t width, uint32_t drop, uint16_t *place)
{
    const struct cw_sort_keys *by = cw_sort_keys_of(s->work.columns, sizeof(word));
    struct form f = {0};
    word *loaded = (word *)t->worker.loaded, *sorted = (word *)t->ended;
    uint64_t room[CW_SORT_BLOCK];

    f.shift = CW_PLACE_BITS;
    f.place = ((bits)1 << CW_PLACE_BITS) - 1u;
    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;
        const void *words = s->keys->words(s, (const char *)mapped + x * s->bytes[0], some, room);

        by->put_places(words, s->bytes[0] < 8 ? 4 : 8, some, width, drop, x, loaded + x);
    }
    sort_words(s, &t->worker, &f, loaded, (word *)t->worker.sorted, sorted, n);
    return by->get_places(sorted, n, place);
}
