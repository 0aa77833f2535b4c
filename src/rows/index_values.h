/* index_values.h - what a row by places is (rows/index_payload.h), and how its values move.
 *
 * Values come to shared memory, in order, and every thread fetches those of its keys by place: all
 * are read before any is written.  Not conflict-free.  They come
 *
 *      early    with the keys, beside the words, if they have 4 bytes and there is room: nobody
 *               waits for them
 *      late     when keys and index have been written out and nobody needs the words any more, to
 *               where these were; values of 8 bytes in two halves
 */
#ifndef CW_ROWS_INDEX_VALUES_H
#define CW_ROWS_INDEX_VALUES_H

#include "dev/kernel.h"
#include "rows/job.h"

#define PLACES_LOG_K 5
#define PLACES_K     (1 << PLACES_LOG_K)
#define PLACES_RUN   24u /* keys that one thread puts into order, at most */
#define PLACES_BATCH 8

struct places {
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

DEV uint32_t places_mask(const struct places *s)
{
    return (1u << s->log_n) - 1u;
}

/* Word `half` of value `item`; of values below 4 bytes there is one. */
DEV uint32_t places_value(const struct cw_rows_arg *a, uint64_t item, uint32_t half)
{
    const uint8_t *const values = (const uint8_t *)a->values_in;

    if (rarely(a->value_bytes < 4u))
        return a->value_bytes == 1 ? gm_ld1(values + item) : gm_ld2(values + 2u * item);
    return gm_ld4(values + a->value_bytes * item + 4u * half);
}

DEV void places_put_value(const struct cw_rows_arg *a, uint64_t item, uint32_t half, uint32_t x)
{
    uint8_t *const values = (uint8_t *)a->values_out;

    if (rarely(a->value_bytes == 1))
        gm_st1(values + item, x);
    else if (rarely(a->value_bytes == 2))
        gm_st2(values + 2u * item, x);
    else
        gm_st4(values + a->value_bytes * item + 4u * half, x);
}

/* They will be wanted. */
DEV void places_values_soon(const struct cw_rows_arg *a, const struct places *s)
{
    const uint8_t *const values = (const uint8_t *)a->values_in + s->start * a->value_bytes;

    for (uint32_t at = 128u * THREAD_ID; at < s->length * a->value_bytes; at += 128u * s->threads)
        gm_soon(values + at);
}

/* Late values. */
DEV void places_values(const struct cw_rows_arg *a, const struct places *s, const uint32_t *from)
{
    const uint32_t halves = a->value_bytes > 4u ? 2u : 1u;

    ROLL for (uint32_t half = 0; half < halves; half++)
    {
        block_sync();
        ROLL for (uint32_t r = 0; r < s->k; r += PLACES_BATCH)
        {
            uint32_t v[PLACES_BATCH];

            UNROLL for (uint32_t i = 0; i < PLACES_BATCH; i++)
            {
                const uint32_t at = (r + i) * s->threads + THREAD_ID;

                v[i] = at < s->length ? places_value(a, s->start + at, half) : 0u;
            }
            UNROLL for (uint32_t i = 0; i < PLACES_BATCH; i++)
            {
                sh_st4(4u * ((r + i) * s->threads + THREAD_ID), v[i]);
            }
        }
        block_sync();
        UNROLL for (uint32_t r = 0; r < s->k; r += PLACES_BATCH)
        {
            uint32_t v[PLACES_BATCH];

            UNROLL for (uint32_t i = 0; i < PLACES_BATCH; i++)
            {
                const uint32_t both = from[(r + i) / 2u];

                v[i] = sh_ld4(4u * ((i & 1u ? both >> 16 : both) & places_mask(s)));
            }
            UNROLL for (uint32_t i = 0; i < PLACES_BATCH; i++)
            {
                const uint32_t at = (r + i) * s->threads + THREAD_ID;

                if (at < s->length)
                    places_put_value(a, s->start + at, half, v[i]);
            }
            warp_sync();
        }
    }
}

#endif
