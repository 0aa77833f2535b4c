/* direct.h - loads of rows that need no shared memory, and the unit of threads that sorts. */
#ifndef CW_ROWS_DIRECT_H
#define CW_ROWS_DIRECT_H

#include "rows/io.h"

#define STORES 8 /* of a thread at once, at most */

/* Are words the keys, or keys of 4 bytes with a value of 4 or an index? */
DEV int is_simple(const struct cw_rows_arg *a)
{
    if (KEY_LOG == 4)
        return 0;
    if (KEY_LOG == 2 || a->form == CW_ROWS_KEYS)
        return a->form == CW_ROWS_KEYS && a->map.bits == 8 * KEY_BYTES;
    return a->map.bits == 32 && a->value_bytes == (a->form == CW_ROWS_PAIRS ? 4u : 0u);
}

/* Do rows have a warp or more, and arrays that need no way through rows/io.h? */
DEV int is_direct(const struct cw_rows_arg *a, struct row_shape s)
{
    return s.log_n >= s.log_k + 5 && is_simple(a);
}

/* Make words of keys: those below `rest` of every step-th place from 0 on. */
DEV void map_keys(key *x, const struct cw_rows_arg *a, uint32_t rest, uint32_t step, uint32_t k)
{
    UNROLL for (uint32_t r = 0; r < k; r++)
    {
        if (step * r < rest)
            x[r] = key_to_rank(&a->map, (bits)x[r]);
    }
}

/* Load k keys of an array, with what travels with them: `item`, and every step-th after it, as long
 * as these are below `rest`.  `column` is the first key's place in its row.  Loads of one kind
 * follow each other, so that all are in flight. */
DEV void load_words(key *x, const struct cw_rows_arg *a, uint64_t item, uint32_t rest,
                    uint32_t column, uint32_t step, uint32_t k)
{
    if (KEY_LOG == 2 || a->form == CW_ROWS_KEYS) {
        const key *const p = (const key *)a->keys_in + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            x[r] = step * r < rest ? gm_ld_key(p + step * r) : KEY_MAX;
        }
        if (rarely(!a->map.plain))
            map_keys(x, a, rest, step, k);
        return;
    }
    {
        const uint32_t *const p = (const uint32_t *)a->keys_in + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            x[r] = step * r < rest ? gm_ld4(p + step * r) : 0u;
        }
    }
    if (a->form == CW_ROWS_PAIRS) {
        const uint32_t *const v = (const uint32_t *)a->values_in + item;
        uint32_t y[ROWS_K];

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            y[r] = step * r < rest ? gm_ld4(v + step * r) : 0u;
        }
        if (rarely(!a->map.plain))
            map_keys(x, a, rest, step, k);
        UNROLL for (uint32_t r = 0; r < k; r++) x[r] = x[r] << PAY | y[r];
    } else {
        if (rarely(!a->map.plain))
            map_keys(x, a, rest, step, k);
        UNROLL for (uint32_t r = 0; r < k; r++) x[r] = x[r] << PAY | (column + step * r);
    }
    UNROLL for (uint32_t r = 0; r < k; r++) x[r] = step * r < rest ? x[r] : KEY_MAX;
}

/* Load k keys of a row whose arrays are simple: `column`, and every step-th after it. */
DEV void load_simple(key *x, const struct cw_rows_arg *a, struct row row, uint32_t column,
                     uint32_t step, uint32_t k)
{
    load_words(x, a, row.start + column, row.length > column ? row.length - column : 0u, column,
               step, k);
}

/* Store words to places `from` to from + k - 1 of simple arrays.  Place r is item + step * r, if
 * that is below `rest`. */
DEV void store_words(const key *x, const struct cw_rows_arg *a, uint64_t item, uint32_t rest,
                     uint32_t step, uint32_t from, uint32_t k)
{
    key y[STORES] = {0};

    UNROLL for (uint32_t r = 0; r < k; r++)
    {
        y[r] = KEY_LOG == 2 || a->form == CW_ROWS_KEYS ? x[r] : x[r] >> PAY;
    }
    if (rarely(!a->map.plain)) {
        UNROLL for (uint32_t r = 0; r < k; r++) y[r] = word_to_key(&a->map, (bits)y[r]);
    }
    if (KEY_LOG == 2 || a->form == CW_ROWS_KEYS) {
        key *const p = (key *)a->keys_out + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            if (step * (from + r) < rest)
                gm_st_key(p + step * (from + r), y[r]);
        }
        return;
    }
    if (a->keys_out) {
        uint32_t *const p = (uint32_t *)a->keys_out + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            if (step * (from + r) < rest)
                gm_st4(p + step * (from + r), (uint32_t)y[r]);
        }
    }
    if (a->form == CW_ROWS_INDEX && !a->index_out)
        return;
    if (a->form == CW_ROWS_PAIRS || a->index_bytes == 4) {
        uint32_t *const p =
            (uint32_t *)(a->form == CW_ROWS_PAIRS ? a->values_out : a->index_out) + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            if (step * (from + r) < rest)
                gm_st4(p + step * (from + r), (uint32_t)x[r]);
        }
    } else {
        uint64_t *const p = (uint64_t *)a->index_out + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            if (step * (from + r) < rest)
                gm_st8(p + step * (from + r), (uint64_t)(uint32_t)x[r]);
        }
    }
}

/* A unit is built by a macro: one that a function returned would not be known to the compiler
 * before it unrolls loops.  The threads of a long row are a unit; those of shorter rows, a warp. */
#define UNIT(u, a, s)                                                                    \
    do {                                                                                 \
        const int log_t = (s).log_n > (s).log_k + 5 ? (s).log_n - (s).log_k : 5;         \
                                                                                         \
        (u).log_k = (s).log_k;                                                           \
        (u).log_n = (s).log_n;                                                           \
        (u).shuffles = (s).shuffles;                                                     \
        (u).how.mads = (s).mads;                                                         \
        (u).how.one = (a)->one;                                                          \
        (u).how.halves = 0;                                                              \
        (u).t = THREAD_ID & ((1u << log_t) - 1u);                                        \
        (u).base = (THREAD_ID >> log_t) * byte_of(1u << ((s).log_k + log_t), (s).log_k); \
    } while (0)

#endif
