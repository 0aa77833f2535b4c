/* direct.h - loads of rows that need no shared memory, and the unit of threads that sorts. */
#ifndef CW_ROWS_DIRECT_H
#define CW_ROWS_DIRECT_H

#include "rows/io.h"

/* Words that are the keys, or keys of 4 bytes with a value of 4 or an index. */
DEV int is_simple(const struct cw_rows_arg *a)
{
    if (a->form == CW_ROWS_KEYS)
        return a->map.bits == 8 * KEY_BYTES;
    return KEY_LOG == 3 && a->map.bits == 32 &&
           a->value_bytes == (a->form == CW_ROWS_PAIRS ? 4u : 0u);
}

/* Rows of a warp or more whose arrays need no way through rows/io.h. */
DEV int is_direct(const struct cw_rows_arg *a, struct row_shape s)
{
    return s.log_n >= s.log_k + 5 && is_simple(a);
}

/* k keys of a row whose arrays are simple: `column`, and every step-th after it. */
DEV void load_simple(key *x, const struct cw_rows_arg *a, struct row row, uint32_t column,
                     uint32_t step, uint32_t k)
{
    const uint64_t item = row.start + column;

    if (a->form == CW_ROWS_KEYS) {
        const key *const p = (const key *)a->keys_in + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            x[r] = column + step * r < row.length ? gm_ld_key(p + step * r) : KEY_MAX;
        }
        if (rarely(!a->map.plain)) {
            UNROLL for (uint32_t r = 0; r < k; r++)
            {
                if (column + step * r < row.length)
                    x[r] = key_to_word(&a->map, (bits)x[r]);
            }
        }
    } else {
        const uint32_t *const p = (const uint32_t *)a->keys_in + item;
        const uint32_t *const v = (const uint32_t *)a->values_in + item;

        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            x[r] = column + step * r < row.length ? gm_ld4(p + step * r) : KEY_MAX;
        }
        UNROLL for (uint32_t r = 0; r < k; r++)
        {
            const uint32_t c = column + step * r;
            const bits high = a->map.plain ? (bits)x[r] : key_to_word(&a->map, (bits)x[r]);

            if (c < row.length)
                x[r] = (key)high << PAY | (a->form == CW_ROWS_PAIRS ? gm_ld4(v + step * r) : c);
        }
    }
}

/* A unit is built by a macro: one that a function returned would not be known to the compiler before
 * it unrolls loops.  The threads of a long row are a unit; those of shorter rows, a warp. */
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
