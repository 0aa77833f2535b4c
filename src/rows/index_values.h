/* index_values.h - a row with an index (rows/index_payload.h), and how its values move.
 *
 * Values are loaded to shared memory in order.  Every thread then fetches those of its keys by
 * place: all are read before any is written.  This is not conflict-free.  Values are loaded
 *
 *      early    with the keys, beside the words, if they have 4 bytes and there is room: nobody
 *               waits for them
 *      late     when keys and index are written out, to where the words were, which nobody needs
 *               any more; values of 8 bytes in two halves
 */
#ifndef CW_ROWS_INDEX_VALUES_H
#define CW_ROWS_INDEX_VALUES_H

#include "dev/kernel.h"
#include "rows/job.h"

#define INDEXED_LOG_K 5
#define INDEXED_K     (1 << INDEXED_LOG_K)
#define INDEXED_RUN   24u /* keys that one thread puts into order, at most */
#define INDEXED_BATCH 8

struct indexed_row {
    int log_n;
    int three;  /* rows have three quarters of 2^log_n places (prim/block_sort3.h) */
    uint32_t k; /* keys of a thread: 32, or 24 */
    uint32_t threads;
    uint32_t lows, masks, values; /* where they begin */
    uint64_t start;               /* the row */
    uint32_t length;
    uint32_t least, shift; /* a word's upper part is (key - least) >> shift */
    int again;             /* words hold ranks by the lower bits in place of places */
    int restore;           /* keys are not what words say: equal floats that differ */
};

DEV uint32_t indexed_mask(const struct indexed_row *s)
{
    return (1u << s->log_n) - 1u;
}

/* Word `half` of value `item`; of values below 4 bytes there is one. */
DEV uint32_t indexed_value(const struct cw_rows_arg *a, uint64_t item, uint32_t half)
{
    const uint8_t *const values = (const uint8_t *)a->values_in;

    if (rarely(a->value_bytes < 4u))
        return a->value_bytes == 1 ? gm_ld1(values + item) : gm_ld2(values + 2u * item);
    return gm_ld4(values + a->value_bytes * item + 4u * half);
}

DEV void indexed_put_value(const struct cw_rows_arg *a, uint64_t item, uint32_t half, uint32_t x)
{
    uint8_t *const values = (uint8_t *)a->values_out;

    if (rarely(a->value_bytes == 1))
        gm_st1(values + item, x);
    else if (rarely(a->value_bytes == 2))
        gm_st2(values + 2u * item, x);
    else
        gm_st4(values + a->value_bytes * item + 4u * half, x);
}

/* Ask for values early: they will be wanted. */
DEV void indexed_values_soon(const struct cw_rows_arg *a, const struct indexed_row *s)
{
    const uint8_t *const values = (const uint8_t *)a->values_in + s->start * a->value_bytes;

    for (uint32_t at = 128u * THREAD_ID; at < s->length * a->value_bytes; at += 128u * s->threads)
        gm_soon(values + at);
}

/* Move late values. */
DEV void indexed_values(const struct cw_rows_arg *a, const struct indexed_row *s,
                        const uint32_t *from)
{
    const uint32_t halves = a->value_bytes > 4u ? 2u : 1u;

    ROLL for (uint32_t half = 0; half < halves; half++)
    {
        block_sync();
        ROLL for (uint32_t r = 0; r < s->k; r += INDEXED_BATCH)
        {
            uint32_t v[INDEXED_BATCH];

            UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
            {
                const uint32_t at = (r + i) * s->threads + THREAD_ID;

                v[i] = at < s->length ? indexed_value(a, s->start + at, half) : 0u;
            }
            UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
            {
                sh_st4(4u * ((r + i) * s->threads + THREAD_ID), v[i]);
            }
        }
        block_sync();
        UNROLL for (uint32_t r = 0; r < s->k; r += INDEXED_BATCH)
        {
            uint32_t v[INDEXED_BATCH];

            UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
            {
                const uint32_t both = from[(r + i) / 2u];

                v[i] = sh_ld4(4u * ((i & 1u ? both >> 16 : both) & indexed_mask(s)));
            }
            UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
            {
                const uint32_t at = (r + i) * s->threads + THREAD_ID;

                if (at < s->length)
                    indexed_put_value(a, s->start + at, half, v[i]);
            }
            warp_sync();
        }
    }
}

#endif
