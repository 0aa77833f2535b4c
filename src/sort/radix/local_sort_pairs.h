/* local_sort_pairs.h - the local sort of pairs of 4 + 4 bytes in long arrays, where most rows are
 * narrow.
 *
 * A row of 2^log_n pairs is narrow if its keys differ in 32 - log_n bits at most.  Then a word
 * holds the whole difference from the least key, and below it the pair's place, which makes the
 * sort stable.  Keys are made from sorted words.  Only values wait in shared memory: half of what
 * whole pairs take (radix/local_sort_wide.h), which leaves room for more warps.
 *
 * Other rows are few in a long array: at most 2^log_n, since the ranges of rows do not overlap.
 * They are sorted 32 - log_n bits at a time, lowest first.  Their keys are read again from where
 * the row stands.
 *
 * Stable sorts of floats compare ranks (prim/key_map.h).  Two ranks belong to several keys: that of
 * zeros and that of NaNs.  Since ranges do not overlap, at most two rows have such a rank beside
 * others.  They are sorted as wide rows are, with keys moved as they are.  That costs the array
 * nothing.
 */
#ifndef CW_SORT_RADIX_LOCAL_SORT_PAIRS_H
#define CW_SORT_RADIX_LOCAL_SORT_PAIRS_H

#include "sort/radix/local_sort_range.h"

/* Shared memory: values, or the places of a wide row's pairs; what the network exchanges; the row's
 * range. */
#define PAIRS_NET(log_n) ((uint32_t)sizeof(uint32_t) << (log_n))
#define PAIRS_RANGES(log_n)                                             \
    ((uint32_t)(PAIRS_NET(log_n) + ((uint32_t)sizeof(key) << (log_n)) + \
                (16u << ((log_n)-ROW_LOG_K))))
#define PAIRS_SHARED(log_n) (PAIRS_RANGES(log_n) + ROW_RANGE_BYTES)

DEV key pair_key(const struct radix_job *j, const struct key_row *row, key offset)
{
    return j->map.plain ? row->least + offset : (key)row_key(j, row->least + offset);
}

/* Pairs of equal keys, which are in order. */
DEV void pair_row_copy(const struct radix_job *j, const struct key_row *row, uint32_t threads)
{
    const key *const in = keys_at(j, row->at) + row->start;
    const key x = pair_key(j, row, 0);

    if (row->at == AT_OUT)
        return;
    UNROLL4 for (uint32_t at = THREAD_ID; at < row->len; at += threads)
    {
        gm_st_key((key *)j->out + row->start + at, j->map.tied ? gm_ld_key(in + at) : x);
        gm_st4((uint32_t *)j->out_values + row->start + at, sh_ld4(4u * at));
    }
}

/* A narrow row, whose words are x and whose values wait. */
DEV void pair_row_narrow(const struct radix_job *j, const struct key_row *row, key *x,
                         struct row_unit u, uint32_t threads)
{
    const uint32_t mask = (1u << u.log_n) - 1u;

    UNROLL for (uint32_t r = 0; r < ROW_K; r++)
    {
        const uint32_t at = r * threads + THREAD_ID;

        x[r] = at < row->len ? (x[r] - row->least) << u.log_n | at : KEY_MAX;
    }
    row_sort(x, u);
    layout_write(x, u.base, THREAD_ID, layout_of(ROW_LOG_K, ROW_LOG_K, 0));
    block_sync();
    if (j->map.plain) {
        UNROLL4 for (uint32_t at = THREAD_ID; at < row->len; at += threads)
        {
            const uint32_t w = sh_ld4(u.base + byte_of(at, ROW_LOG_K));
            const uint32_t v = sh_ld4(4u * (w & mask));

            gm_st_key((key *)j->out + row->start + at, row->least + (w >> u.log_n));
            gm_st4((uint32_t *)j->out_values + row->start + at, v);
        }
    } else {
        UNROLL4 for (uint32_t at = THREAD_ID; at < row->len; at += threads)
        {
            const uint32_t w = sh_ld4(u.base + byte_of(at, ROW_LOG_K));
            const uint32_t v = sh_ld4(4u * (w & mask));

            gm_st_key((key *)j->out + row->start + at,
                      (key)row_key(j, row->least + (w >> u.log_n)));
            gm_st4((uint32_t *)j->out_values + row->start + at, v);
        }
    }
}

/* One pass over 32 - log_n bits, from `shift` on.  Pair number e of the order so far is number
 * PLACE[e] of the row.  Places stand where values would. */
DEV void pair_row_pass(const struct radix_job *j, const struct key_row *row, key *x,
                       struct row_unit u, uint32_t threads, uint32_t shift)
{
    const key *const in = keys_at(j, row->at) + row->start;
    const uint32_t mask = (1u << (32u - (uint32_t)u.log_n)) - 1u;

    UNROLL for (uint32_t r = 0; r < ROW_K; r++)
    {
        const uint32_t e = r * threads + THREAD_ID;

        x[r] = e < row->len ? gm_ld_key(in + sh_ld4(4u * e)) : 0u;
    }
    UNROLL for (uint32_t r = 0; r < ROW_K; r++)
    {
        const uint32_t e = r * threads + THREAD_ID;
        const key word = j->map.plain ? x[r] : row_rank(j, (key)row_word(j, x[r]));

        x[r] = e < row->len ? ((word - row->least) >> shift & mask) << u.log_n | e : KEY_MAX;
    }
    row_sort(x, u);
    layout_write(x, u.base, THREAD_ID, layout_of(ROW_LOG_K, ROW_LOG_K, 0));
    block_sync();
    UNROLL for (uint32_t r = 0; r < ROW_K; r++)
    {
        const uint32_t e = r * threads + THREAD_ID;
        const uint32_t w = sh_ld4(u.base + byte_of(e, ROW_LOG_K));

        x[r] = sh_ld4(4u * (w & ((1u << u.log_n) - 1u)));
    }
    block_sync();
    UNROLL for (uint32_t r = 0; r < ROW_K; r++) sh_st4(4u * (r * threads + THREAD_ID), x[r]);
    block_sync();
}

/* Sort a row of any range to the other buffer.  If that is not the output, copy it there. */
DEV void pair_row_wide(const struct radix_job *j, const struct key_row *row, struct row_unit u,
                       uint32_t threads)
{
    const uint64_t start = row->start;
    const uint32_t to = moved_to(row->at);
    key *const keys = (key *)keys_at(j, to) + start;
    uint32_t *const values = (uint32_t *)values_at(j, to) + start;
    key x[ROW_K];

    UNROLL for (uint32_t r = 0; r < ROW_K; r++)
        sh_st4(4u * (r * threads + THREAD_ID), r * threads + THREAD_ID);
    block_sync();
    ROLL for (uint32_t shift = 0; shift < 32u && (row->most - row->least) >> shift;
              shift += 32u - (uint32_t)u.log_n) pair_row_pass(j, row, x, u, threads, shift);
    ROLL for (uint32_t at = THREAD_ID; at < row->len; at += threads)
    {
        const uint32_t from = sh_ld4(4u * at);

        gm_st_key(keys + at, gm_ld_key(keys_at(j, row->at) + start + from));
        gm_st4(values + at, gm_ld4(values_at(j, row->at) + start + from));
    }
    if (to == AT_OUT)
        return;
    block_sync();
    ROLL for (uint32_t at = THREAD_ID; at < row->len; at += threads)
    {
        gm_st_key((key *)j->out + start + at, gm_ld_key(keys + at));
        gm_st4((uint32_t *)j->out_values + start + at, gm_ld4(values + at));
    }
}

/* Whether a rank that belongs to several keys is in the row's range. */
DEV int pair_row_tied(const struct radix_job *j, const struct key_row *row)
{
    return j->map.tied && ((row->least <= (key)j->map.plus && row->most >= (key)j->map.plus) ||
                           (row->least <= (key)j->map.nan && row->most >= (key)j->map.nan));
}

DEV void rows_of_pairs(const struct radix_job *a, int log_n, int shuffles, int mads)
{
    const uint32_t threads = 1u << (log_n - ROW_LOG_K);
    struct row_walk w;
    struct row_unit u;

    ROW_UNIT(u, a, ROW_LOG_K, log_n, shuffles, mads, PAIRS_NET(log_n));
    lists_begin(a);
    walk_begin(&w, a);
    ROLL while (w.i < w.rows)
    {
        struct key_row row;
        key x[ROW_K];

        key_row_take(a, &w, &row, x, log_n, PAIRS_RANGES(log_n));
        if (row.least == row.most)
            pair_row_copy(a, &row, threads);
        else if ((row.most - row.least) >> (32 - log_n) == 0 && !pair_row_tied(a, &row))
            pair_row_narrow(a, &row, x, u, threads);
        else
            pair_row_wide(a, &row, u, threads);
        block_sync();
    }
}

#endif
