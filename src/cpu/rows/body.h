/* body.h - sort some rows with words of WORD_LOG: the body of rows4.c, rows8.c, rows16.c.
 *
 * Keys alone that stand side by side become words all at once.  Rows that fill a few vectors are sorted one by one where
 * a processor can (sort/vectors/quick.h); shorter ones in lanes, and so are all where it cannot.
 *
 * All rows are loaded before any is stored, so arrays may be sorted in place.  Words that are what
 * the arrays hold (`direct`) are sorted from there and to there, if they make a leaf.
 */
#include "cpu/rows/row_words.h"
#include "cpu/partition/split.h"
#include "cpu/sort/work.h"

/* How long a row may be to make a leaf: longer, if there are enough of the same power of two that
 * lanes are filled. */
static uint32_t limit_of(const struct cw_columns *columns, const uint32_t *alike, uint32_t n)
{
    return alike[cw_width(n)] >= LANES / 2 ? columns->wide[WORD_KIND] : columns->limit[WORD_KIND];
}

#if WORD_LOG < 4

/* Keys to words and back, by the vectors that the processor has (sort/keys.h). */
static void load_keys(const struct cw_sorter *s, const char *keys, uint32_t n, word *to)
{
    uint64_t room[CW_SORT_BLOCK];

    for (uint32_t x = 0; x < n; x += CW_SORT_BLOCK) {
        const uint32_t some = n - x < CW_SORT_BLOCK ? n - x : CW_SORT_BLOCK;
        const int narrow = s->bytes[0] < sizeof *to;

        s->keys->map(s, keys + x * s->bytes[0], some, narrow ? (void *)room : (void *)(to + x));
        if (narrow)
            (void)s->keys->words(s, room, some, to + x);
    }
}

static void unload_keys(const struct cw_sorter *s, const word *sorted, uint32_t n, char *keys)
{
    if (s->bytes[0] == sizeof *sorted) {
        s->keys->unmap(s, sorted, n, keys);
        return;
    }
    if (s->bytes[0] == 1) {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            item_put(keys, x, 1, sorted[x]);
    } else {
        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            item_put(keys, x, 2, sorted[x]);
    }
    s->keys->unmap(s, keys, n, keys);
}

/* n words, not 0, to `out`; `work` may be where they are. */
static void by_vectors(struct cw_worker *t, const word *from, word *out, word *work, uint32_t n)
{
    const struct cw_stretch all = {from, out, work, n};
    struct cw_pivots p = {t->random, t->alert, BAD, 0};

    if (!t->random)
        p.random = cw_entropy();
    t->work->vectors->sort(&p, &all);
    t->random = p.random;
    t->alert = p.alert;
}

#else

static void load_keys(const struct cw_sorter *s, const char *keys, uint32_t n, word *to)
{
    (void)s, (void)keys, (void)n, (void)to; /* words of 16 bytes have places */
}

static void unload_keys(const struct cw_sorter *s, const word *sorted, uint32_t n, char *keys)
{
    (void)s, (void)sorted, (void)n, (void)keys;
}

static void by_vectors(struct cw_worker *t, const word *from, word *out, word *work, uint32_t n)
{
    (void)t, (void)from, (void)out, (void)work, (void)n;
}

#endif

/* Words of a row that are loaded, or are what the arrays hold. */
static void sort_row(struct cw_worker *t, const struct form *f, size_t from, uint32_t n,
                     uint32_t limit, word *loaded, word *sorted)
{
    const struct cw_work *w = t->work;
    const word *in = loaded;

    if (w->direct) {
        in = (const word *)w->job->keys_in + from;
        sorted = (word *)w->job->keys_out + from;
    }
    if (w->alone && n) {
        by_vectors(t, in, sorted, loaded, n);
        return;
    }
    if (n <= limit) {
        add_leaf(t, in, sorted, n);
        return;
    }
    if (in != loaded)
        memcpy(loaded, in, n * sizeof *in);
    split(t, f, loaded, sorted, sorted, n);
}

cw_rows_sort ROWS_SORT;

void ROWS_SORT(struct cw_worker *t, size_t first, size_t last)
{
    const struct cw_work *w = t->work;
    const struct form f = form_of(w);
    const size_t begin = (size_t)cw_row_start(w->job, first), bytes = f.bits / 8;
    const int whole = !w->placed && !w->direct && !w->job->offsets; /* keys alone, side by side */
    uint32_t alike[34] = {0}; /* rows by the width of their length */
    size_t at = 0;            /* words of the rows before */

    t->together = 0;
    for (size_t r = first; r < last; r++) {
        alike[cw_width(cw_row_keys(w->job, r))]++;
        t->together += cw_row_keys(w->job, r);
    }
    if (whole)
        load_keys(w->mapper, (const char *)w->job->keys_in + begin * bytes, (uint32_t)t->together,
                  (word *)t->loaded);
    for (size_t r = first; r < last; r++) {
        const uint32_t n = (uint32_t)cw_row_keys(w->job, r);
        const size_t from = (size_t)cw_row_start(w->job, r);

        if (!whole && !w->direct)
            load_row(w, from, n, (word *)t->loaded + at);
        sort_row(t, &f, from, n, limit_of(w->columns, alike, n), (word *)t->loaded + at,
                 (word *)t->sorted + at);
        at += n;
    }
    sort_leaves(t);
    if (whole)
        unload_keys(w->mapper, (word *)t->sorted, (uint32_t)t->together,
                    (char *)w->job->keys_out + begin * bytes);
    at = 0;
    for (size_t r = first; r < last && !w->direct && !whole; r++) {
        const uint32_t n = (uint32_t)cw_row_keys(w->job, r);

        store_row(w, (size_t)cw_row_start(w->job, r), n, (word *)t->sorted + at, t->values);
        at += n;
    }
}
