/* local_sort_keys.h - the local sort of keys of 4 bytes, alone: rows through the network of
 * prim/block_sort.h.
 *
 * The network is bound by its minima and maxima.  There are instructions for these on two numbers
 * of 16 bits, and rows of long arrays mostly have fewer than 2^16 values.  Such a row waits, as
 * differences from its least key, until the block has another.  Both are then sorted at once, as
 * the lower and the upper halves of words: half the work a key.
 *
 * Nothing else depends on keys.  The network has no bank conflicts, with halves or without.
 */
#ifndef CW_SORT_RADIX_LOCAL_SORT_KEYS_H
#define CW_SORT_RADIX_LOCAL_SORT_KEYS_H

#include "sort/radix/local_sort_range.h"

/* Shared memory, of a row of 2^log_n keys: what the network exchanges (prim/block_sort.h: a word a
 * key, and 16 bytes a thread); the ranges of two rows in turn; the row that waits, two keys a word.
 */
#define ROW_RANGES(log_n) \
    ((uint32_t)(((uint32_t)sizeof(key) << (log_n)) + (16u << ((log_n)-ROW_LOG_K))))
#define ROW_SHARED(log_n)  (ROW_RANGES(log_n) + 2u * ROW_RANGE_BYTES)
#define TWOS_SHARED(log_n) (ROW_SHARED(log_n) + ((uint32_t)sizeof(uint16_t) << (log_n)))
#ifndef TWOS_MADS
#define TWOS_MADS 4
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900 /* where halves take several instructions */
#define ROW_HALVES 0
#else
#define ROW_HALVES 1
#endif

/* Store a key of the row at its place. */
DEV void key_row_put(const struct radix_job *j, const struct key_row *row, uint32_t at, key word)
{
    if (at < row->len)
        gm_st_key((key *)j->out + row->start + at, word);
}

/* Store a word of the row at its place, as a key. */
DEV void key_row_put_word(const struct radix_job *j, const struct key_row *row, uint32_t at,
                          key word)
{
    key_row_put(j, row, at, (key)row_key(j, word));
}

/* Store a row of equal keys.  In place, all of it must have been read: in a block of several warps
 * key_row_range has a barrier; shuffles, which one warp has, order no memory. */
DEV void key_row_copy(const struct radix_job *j, const struct key_row *row, uint32_t threads)
{
    const key x = j->map.plain ? row->least : (key)row_key(j, row->least);

    if (row->at == AT_OUT)
        return;
    if (threads == 32u)
        warp_sync();
    UNROLL4 for (uint32_t at = THREAD_ID; at < row->len; at += threads) key_row_put(j, row, at, x);
}

/* Sort a row by whole words. */
DEV void key_row_wide(const struct radix_job *j, const struct key_row *row, key *x,
                      struct row_unit u, uint32_t threads)
{
    UNROLL for (uint32_t r = 0; r < ROW_K; r++) x[r] =
        r * threads + THREAD_ID < row->len ? x[r] : KEY_MAX;
    row_sort(x, u);
    layout_write(x, u.base, THREAD_ID, layout_of(ROW_LOG_K, ROW_LOG_K, 0));
    block_sync();
    if (j->map.plain) {
        UNROLL4 for (uint32_t at = THREAD_ID; at < row->len; at += threads)
            key_row_put(j, row, at, sh_ld_key(byte_of(at, ROW_LOG_K)));
    } else {
        UNROLL4 for (uint32_t at = THREAD_ID; at < row->len; at += threads)
            key_row_put_word(j, row, at, sh_ld_key(byte_of(at, ROW_LOG_K)));
    }
    block_sync();
}

/* Make differences of words; beyond the end of the row they are the greatest. */
DEV void key_row_offsets(const struct key_row *row, key *x, uint32_t threads)
{
    UNROLL for (uint32_t r = 0; r < ROW_K; r++) x[r] =
        r * threads + THREAD_ID < row->len ? x[r] - row->least : 0xffffu;
}

/* Keep differences in shared memory.  Each thread finds its own again. */
DEV void key_row_hold(const key *x, uint32_t held, uint32_t threads)
{
    UNROLL for (uint32_t r = 0; r < ROW_K / 2u; r++)
        sh_st4(held + 4u * (r * threads + THREAD_ID), bytes4(x[r], x[r + ROW_K / 2u], 0x5410u));
}

/* Put the row that waits into the lower halves, and the differences of the other row into the upper
 * ones. */
DEV void key_row_join(key *x, uint32_t held, uint32_t threads)
{
    UNROLL for (uint32_t r = 0; r < ROW_K / 2u; r++)
    {
        const uint32_t y = sh_ld4(held + 4u * (r * threads + THREAD_ID));

        x[r] = bytes4(y, x[r], 0x5410u);
        x[r + ROW_K / 2u] = bytes4(y, x[r + ROW_K / 2u], 0x5432u);
    }
}

/* Sort and store two rows that stand in halves of x. */
DEV void key_rows_both(const struct radix_job *j, const struct key_row *low,
                       const struct key_row *high, key *x, struct row_unit u, uint32_t threads)
{
    const uint32_t len = low->len > high->len ? low->len : high->len;

    u.how.halves = 1;
    u.how.mads = TWOS_MADS;
    row_sort(x, u);
    layout_write(x, u.base, THREAD_ID, layout_of(ROW_LOG_K, ROW_LOG_K, 0));
    block_sync();
    if (j->map.plain) {
        UNROLL4 for (uint32_t at = THREAD_ID; at < len; at += threads)
        {
            const uint32_t y = sh_ld4(byte_of(at, ROW_LOG_K));

            key_row_put(j, low, at, low->least + (y & 0xffffu));
            key_row_put(j, high, at, high->least + (y >> 16));
        }
    } else {
        UNROLL4 for (uint32_t at = THREAD_ID; at < len; at += threads)
        {
            const uint32_t y = sh_ld4(byte_of(at, ROW_LOG_K));

            key_row_put_word(j, low, at, low->least + (y & 0xffffu));
            key_row_put_word(j, high, at, high->least + (y >> 16));
        }
    }
    block_sync();
}

DEV void rows_of_keys(const struct radix_job *a, int log_n, int shuffles, int mads)
{
    const uint32_t threads = 1u << (log_n - ROW_LOG_K);
    struct row_walk w;
    struct row_unit u;
    uint32_t range = ROW_RANGES(log_n);

    ROW_UNIT(u, a, ROW_LOG_K, log_n, shuffles, mads, 0u);
    lists_begin(a);
    walk_begin(&w, a);
    ROLL while (w.i < w.rows)
    {
        struct key_row row;
        key x[ROW_K];

        key_row_take(a, &w, &row, x, log_n, range);
        range = 2u * ROW_RANGES(log_n) + ROW_RANGE_BYTES - range;
        if (row.least == row.most) /* frequent in some arrays */
            key_row_copy(a, &row, threads);
        else
            key_row_wide(a, &row, x, u, threads);
    }
}

/* Sort rows, two at a time where they are narrow. */
DEV void twos_of_keys(const struct radix_job *a, int log_n, int shuffles, int mads)
{
    const uint32_t threads = 1u << (log_n - ROW_LOG_K);
    const uint32_t held_at = ROW_SHARED(log_n);
    struct row_walk w;
    struct row_unit u;
    struct key_row held;
    uint32_t range = ROW_RANGES(log_n);

    ROW_UNIT(u, a, ROW_LOG_K, log_n, shuffles, mads, 0u);
    held.len = 0;
    held.start = 0;
    held.least = 0;
    lists_begin(a);
    walk_begin(&w, a);
    ROLL while (w.i < w.rows || held.len)
    {
        struct key_row row;
        key x[ROW_K];

        row.len = 0;
        row.start = 0;
        row.least = 0;
        row.most = 0;
        if (w.i < w.rows) {
            key_row_take(a, &w, &row, x, log_n, range);
            range = 2u * ROW_RANGES(log_n) + ROW_RANGE_BYTES - range;
            if (row.least == row.most) {
                key_row_copy(a, &row, threads);
                continue;
            }
        } else {
            UNROLL for (uint32_t r = 0; r < ROW_K; r++) x[r] = 0;
        }
        if (!ROW_HALVES || row.most - row.least > 0xffffu) {
            key_row_wide(a, &row, x, u, threads);
            continue;
        }
        key_row_offsets(&row, x, threads);
        if (held.len == 0) {
            key_row_hold(x, held_at, threads);
            held = row;
        } else {
            key_row_join(x, held_at, threads);
            key_rows_both(a, &held, &row, x, u, threads);
            held.len = 0;
        }
    }
}

#endif
