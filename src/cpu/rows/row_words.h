/* row_words.h - the keys of a row as words, and sorted words back as keys, index and values.
 *
 * Where equal floats keep their order a word holds the key's rank (key_map.h), which may be that of
 * several keys.  Such keys are fetched by place before the row is stored. */
#ifndef CW_CPU_ROWS_ROW_WORDS_H
#define CW_CPU_ROWS_ROW_WORDS_H

#include "cpu/words.h"

static struct form form_of(const struct cw_work *w)
{
    struct form f = form_of_map(&w->map);

    if (WORD_LOG < 4 && w->placed) {
        f.shift = WORD_LOG == 2 ? 16 : 32;
        f.place = ((bits)1 << f.shift) - 1u;
    }
    return f;
}

/* `bytes` is a constant wherever these are called, so the loops become vectors. */
static inline void load_ranks(const struct form *form, const void *keys, uint32_t n, size_t bytes,
                              word *to)
{
    const struct form f = *form;

    CW_SIMD
    for (uint32_t x = 0; x < n; x++) {
        const bits key = (bits)item_get(keys, x, bytes), w = CW_KEY_TO_WORD(&f, key);

        to[x] = word_of(&f, CW_WORD_TO_RANK(&f, w), x);
    }
}

static inline void load_words(const struct form *form, const void *keys, uint32_t n, size_t bytes,
                              word *to)
{
    const struct form f = *form;

    CW_SIMD
    for (uint32_t x = 0; x < n; x++) {
        const bits key = (bits)item_get(keys, x, bytes);

        to[x] = word_of(&f, CW_KEY_TO_WORD(&f, key), x);
    }
}

static inline void load(const struct form *form, const void *keys, uint32_t n, size_t bytes,
                        int tied, word *to)
{
    if (tied)
        load_ranks(form, keys, n, bytes, to);
    else
        load_words(form, keys, n, bytes, to);
}

/* Ranks that several keys have become the words of their keys again. */
static void restore_row(const struct cw_work *w, size_t from, uint32_t n, word *sorted)
{
    const struct form f = form_of(w);
    const size_t bytes = f.bits / 8;
    const char *keys = (const char *)w->job->keys_in + from * bytes;

    for (uint32_t x = 0; x < n; x++) {
        const bits rank = word_above(sorted[x], f.shift);

        if (CW_RANK_SHARED(&f, rank)) {
            const uint32_t place = word_place(&f, sorted[x]);
            const bits key = (bits)item_get(keys, place, bytes);

            sorted[x] = word_of(&f, CW_KEY_TO_WORD(&f, key), place);
        }
    }
}

static inline void store(const struct form *form, const word *sorted, uint32_t n, size_t bytes,
                         void *keys)
{
    const struct form f = *form;

    CW_SIMD
    for (uint32_t x = 0; x < n; x++) {
        const bits key = word_above(sorted[x], f.shift), flipped = CW_WORD_FLIPPED(&f, key);

        item_put(keys, x, bytes, CW_FLIPPED_TO_KEY(&f, flipped));
    }
}

static inline void gather(const struct form *form, const word *sorted, uint32_t n, size_t bytes,
                          const void *from, void *to)
{
    const struct form f = *form;

    for (uint32_t x = 0; x < n; x++)
        item_put(to, x, bytes, item_get(from, word_place(&f, sorted[x]), bytes));
}

/* The n keys from item `from` on, as words. */
static void load_row(const struct cw_work *w, size_t from, uint32_t n, word *to)
{
    const struct form f = form_of(w);
    const size_t bytes = f.bits / 8;
    const char *keys = (const char *)w->job->keys_in + from * bytes;
    const int tied = (int)w->map.tied;

    if (WORD_LOG < 4 && bytes == 1)
        load(&f, keys, n, 1, 0, to);
    else if (WORD_LOG < 4 && bytes == 2)
        load(&f, keys, n, 2, tied, to);
    else if (WORD_LOG < 4 && bytes == 4)
        load(&f, keys, n, 4, tied, to);
    else
        load(&f, keys, n, 8, tied, to);
}

static void store_keys(const struct cw_work *w, size_t from, uint32_t n, const word *sorted)
{
    const struct form f = form_of(w);
    const size_t bytes = f.bits / 8;
    char *keys = (char *)w->job->keys_out + from * bytes;

    if (WORD_LOG < 4 && bytes == 1)
        store(&f, sorted, n, 1, keys);
    else if (WORD_LOG < 4 && bytes == 2)
        store(&f, sorted, n, 2, keys);
    else if (WORD_LOG < 4 && bytes == 4)
        store(&f, sorted, n, 4, keys);
    else
        store(&f, sorted, n, 8, keys);
}

/* Values that are sorted in place are first copied to `copy`. */
static void store_values(const struct cw_work *w, size_t from, uint32_t n, const word *sorted,
                         void *copy)
{
    const struct form f = form_of(w);
    const size_t bytes = w->job->value_bytes;
    const char *in = (const char *)w->job->values_in + from * bytes;
    char *out = (char *)w->job->values_out + from * bytes;

    if (in == out)
        in = (const char *)memcpy(copy, in, n * bytes);
    if (bytes == 1)
        gather(&f, sorted, n, 1, in, out);
    else if (bytes == 2)
        gather(&f, sorted, n, 2, in, out);
    else if (bytes == 4)
        gather(&f, sorted, n, 4, in, out);
    else
        gather(&f, sorted, n, 8, in, out);
}

static void store_index(const struct cw_work *w, size_t from, uint32_t n, const word *sorted)
{
    const struct form f = form_of(w);

    if (w->job->index_bytes == 8) {
        uint64_t *const index = (uint64_t *)w->job->index_out + from;

        for (uint32_t x = 0; x < n; x++)
            index[x] = word_place(&f, sorted[x]);
    } else {
        uint32_t *const index = (uint32_t *)w->job->index_out + from;

        CW_SIMD
        for (uint32_t x = 0; x < n; x++)
            index[x] = word_place(&f, sorted[x]);
    }
}

/* Sorted words of the row of n keys from item `from` on, to all that the job asks for. */
static void store_row(const struct cw_work *w, size_t from, uint32_t n, word *sorted, void *copy)
{
    if (w->job->keys_out && w->map.tied)
        restore_row(w, from, n, sorted);
    if (w->job->keys_out)
        store_keys(w, from, n, sorted);
    if (w->job->value_bytes)
        store_values(w, from, n, sorted, copy);
    if (w->job->index_out)
        store_index(w, from, n, sorted);
}

#endif
