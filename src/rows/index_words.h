/* index_words.h - a row with an index as words: loaded, and sorted by a network.
 *
 * rows/index_payload.h says what a word and a half word hold. */
#ifndef CW_ROWS_INDEX_WORDS_H
#define CW_ROWS_INDEX_WORDS_H

#include "dev/kernel.h"
#include "prim/block_sort3.h"
#include "rows/index_values.h"
#include "rows/io.h"
#include "tuning/rows.h"

DEV uint32_t indexed_key(const struct cw_rows_arg *a, uint64_t item)
{
    const uint32_t x = gm_ld4((const uint32_t *)a->keys_in + item);

    return a->map.plain ? x : (uint32_t)key_to_rank(&a->map, x);
}

/* Where word `at` of the row stands. */
DEV uint32_t indexed_at(const struct indexed_row *s, uint32_t at)
{
    return s->three ? 4u * (three_run(at / THREE_K, THREE_K) + at % THREE_K)
                    : byte_of(at, INDEXED_LOG_K);
}

DEV uint32_t indexed_word(const struct indexed_row *s, uint32_t at)
{
    return sh_ld4(indexed_at(s, at));
}

/* Sort the words, and put them where indexed_at says. */
DEV void indexed_sort(key *x, const struct indexed_row *s, struct row_unit u)
{
    struct three_unit three;

    three.k = THREE_K;
    three.g = THREE_G;
    three.log_t = u.log_n - INDEXED_LOG_K;
    three.how = u.how;
    three.t = u.t;
    three.base = u.base;
    if (s->three) {
        three_sort(x, three);
        three_write(x, three);
    } else {
        row_sort(x, u);
        layout_write(x, u.base, u.t, layout_of(INDEXED_LOG_K, INDEXED_LOG_K, 0));
    }
}

/* Where the half word of a place stands.  Places r and r + 1 of a thread, r even, share a word. */
DEV uint32_t indexed_half_at(const struct indexed_row *s, uint32_t place)
{
    const uint32_t t = place & (s->threads - 1u);

    return s->lows + 4u * ((place / s->threads >> 1) * s->threads + t);
}

DEV uint32_t indexed_half(const struct indexed_row *s, uint32_t place)
{
    const uint32_t x = sh_ld4(indexed_half_at(s, place));

    return place / s->threads & 1u ? x >> 16 : x & 0xffffu;
}

/* Does any thread of the row say so?  The masks are free for this. */
DEV int indexed_any(const struct indexed_row *s, int p)
{
    uint32_t sum = 0;

    p = any_of(p);
    if (s->threads == 32u)
        return p;
    block_sync();
    if (LANE_ID == 0)
        sh_st4(s->masks + 4u * WARP_ID, (uint32_t)p);
    block_sync();
    ROLL for (uint32_t w = 0; w < s->threads / 32u; w++) sum |= sh_ld4(s->masks + 4u * w);
    return sum != 0;
}

/* Find the least and the greatest key of the row from each thread's. */
DEV void indexed_range(struct indexed_row *s, uint32_t least, uint32_t most, int changed)
{
    const uint32_t more = s->masks + s->threads / 4u; /* behind least and greatest */
    uint32_t bits = 0;

    s->restore = any_of(changed);
    UNROLL for (uint32_t d = 16; d; d /= 2)
    {
        const uint32_t x = shfl_xor4(least, d);
        const uint32_t y = shfl_xor4(most, d);

        least = x < least ? x : least;
        most = y > most ? y : most;
    }
    if (s->threads > 32u) {
        if (LANE_ID == 0) {
            sh_st4(s->masks + 8u * WARP_ID, least);
            sh_st4(s->masks + 8u * WARP_ID + 4u, most);
            sh_st4(more + 4u * WARP_ID, (uint32_t)s->restore);
        }
        block_sync();
        ROLL for (uint32_t w = 0; w < s->threads / 32u; w++)
        {
            const uint32_t x = sh_ld4(s->masks + 8u * w);
            const uint32_t y = sh_ld4(s->masks + 8u * w + 4u);

            least = x < least ? x : least;
            most = y > most ? y : most;
            s->restore |= (int)sh_ld4(more + 4u * w);
        }
    }
    UNROLL for (uint32_t half = 16; half; half /= 2)
    {
        if ((most - least) >> bits >> half)
            bits += half;
    }
    bits += (most - least) >> bits ? 1u : 0u;
    s->least = least;
    s->shift = bits > 32u - (uint32_t)s->log_n ? bits - (32u - (uint32_t)s->log_n) : 0u;
}

/* Load the row's values to shared memory. */
DEV void indexed_early(const struct cw_rows_arg *a, const struct indexed_row *s)
{
    const uint32_t *const p = (const uint32_t *)a->values_in + s->start;

    ROLL for (uint32_t r = 0; r < s->k; r += INDEXED_BATCH)
    {
        uint32_t v[INDEXED_BATCH];

        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            const uint32_t at = (r + i) * s->threads + THREAD_ID;

            v[i] = at < s->length ? gm_ld4(p + at) : 0u;
        }
        UNROLL for (uint32_t i = 0; i < INDEXED_BATCH; i++)
        {
            sh_st4(s->values + 4u * ((r + i) * s->threads + THREAD_ID), v[i]);
        }
    }
}

/* Load the row: its words into registers, its lower bits into shared memory. */
DEV void indexed_in(key *x, const struct cw_rows_arg *a, struct indexed_row *s)
{
    const uint32_t first = indexed_key(a, s->start);
    uint32_t least = first;
    uint32_t most = first;
    int changed = 0;

    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t at = r * s->threads + THREAD_ID;

        x[r] = at < s->length ? gm_ld4((const uint32_t *)a->keys_in + s->start + at) : 0u;
    }
    if (a->early)
        indexed_early(a, s);
    else
        indexed_values_soon(a, s);
    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t y = a->map.plain ? x[r] : (uint32_t)key_to_word(&a->map, x[r]);

        x[r] = r * s->threads + THREAD_ID < s->length ? y : first;
        if (a->map.tied) {
            const uint32_t rank = (uint32_t)CW_WORD_TO_RANK(&a->map, x[r]);

            changed |= rank != x[r];
            x[r] = rank;
        }
        least = x[r] < least ? x[r] : least;
        most = x[r] > most ? x[r] : most;
    }
    indexed_range(s, least, most, changed);
    if (s->shift) {
        const uint32_t low = (1u << s->shift) - 1u;

        UNROLL for (uint32_t r = 0; r < s->k; r += 2)
        {
            const uint32_t both = ((x[r] - s->least) & low) | ((x[r + 1] - s->least) & low) << 16;

            sh_st4(s->lows + 4u * (r / 2 * s->threads + THREAD_ID), both);
        }
    }
    UNROLL for (uint32_t r = 0; r < s->k; r++)
    {
        const uint32_t at = r * s->threads + THREAD_ID;

        x[r] = at < s->length ? ((x[r] - s->least) >> s->shift) << s->log_n | at : KEY_MAX;
    }
}

#endif
