/* rows_io.h - sort rows of global memory: to registers, row_sort.h, and back.
 *
 * A thread has k = 2^log_k places and a warp 32 k in a row; rows take 2^log_n places each, so
 * that a block holds whole rows, and one only if a row is longer than a warp's part.  When rows
 * fill all places and start on 16 bytes, keys are moved 16 bytes at a time; otherwise one by
 * one, and places past a row's end are filled with the largest key, which sorts to the end, and
 * not stored.  Threads of rows that do not exist take part in every barrier and store nothing.
 *
 * Keys may arrive in any order of their row, so they are loaded in the order that memory likes.
 * Sorted keys go through shared memory once, so that a warp stores 512 bytes in a row: lanes
 * read consecutive words there, so no bank is asked twice.
 *
 * A block reads all of its rows before it writes any, so `in` may be `out`.
 */
#ifndef CW_ROWS_IO_H
#define CW_ROWS_IO_H

#include "kernels/row_sort.h"

struct rows {
    const key *in;
    key *out;
    uint64_t count;
    uint32_t length;  /* keys of a row */
    uint32_t vectors; /* whether rows fill all places of all blocks, and start on 16 bytes */
};

/* What is known when a kernel is compiled. */
struct row_shape {
    int log_k;
    int log_n;
    int shuffles;
    int mads;
};

/* This warp's first place, counted over all blocks. */
DEV uint64_t warp_place(int log_k)
{
    return ((uint64_t)BLOCK_ID * (BLOCK_DIM / 32u) + WARP_ID) << (log_k + 5);
}

/* Places of this warp, in an order that keeps each thread to its row. */
DEV void load_vectors(key *x, const key *in, struct row_shape s)
{
    const int log_t = s.log_n - s.log_k;
    const int log_l = log_t < 0 ? 0 : log_t < 5 ? log_t : 5; /* lanes that share places */
    const uint32_t lane = LANE_ID & ((1u << log_l) - 1u);
    const key *const p = in + (LANE_ID >> log_l << (s.log_k + log_l)) + QUAD * lane;
    const int k = 1 << s.log_k;

    UNROLL for (int r = 0; r < k; r += QUAD) quad_to(x + r, gm_ld16(p + (r << log_l)), 0);
    UNROLL for (int r = 0; r < k; r++) x[r] = KEY_IN(x[r]);
}

/* Rows that there are from `row` on, as far as a thread can tell them apart. */
DEV uint32_t rows_left(uint64_t row, uint64_t count)
{
    return row >= count ? 0u : count - row > 65536u ? 65536u : (uint32_t)(count - row);
}

DEV void load_keys(key *x, struct rows a, struct row_shape s)
{
    const int log_t = s.log_n > s.log_k ? s.log_n - s.log_k : 0;
    const uint64_t row = (warp_place(s.log_k) + (LANE_ID << s.log_k)) >> s.log_n;
    const uint32_t left = rows_left(row, a.count);
    const key *const p = a.in + row * a.length;
    const int k = 1 << s.log_k;

    UNROLL for (int r = 0; r < k; r++)
    {
        const uint32_t next = (uint32_t)r >> s.log_n; /* the thread's rows, if they are short */
        const uint32_t e = ((uint32_t)r << log_t) + (THREAD_ID & ((1u << log_t) - 1u));
        const uint32_t column = e & ((1u << s.log_n) - 1u);

        x[r] = KEY_MAX;
        if (next < left && column < a.length)
            x[r] = KEY_IN(gm_ld_key(p + next * a.length + column));
    }
}

/* From the warp's part of shared memory, which starts at `base`. */
DEV void store_vectors(key *out, uint32_t base, int log_k)
{
    const int k = 1 << log_k;

    UNROLL for (int r = 0; r < k; r += QUAD)
    {
        const uint32_t e = 32u * (uint32_t)r + QUAD * LANE_ID;
        key x[QUAD];

        quad_to(x, sh_ld16(base + byte_of(e, log_k)), 0);
        UNROLL for (int i = 0; i < QUAD; i++) x[i] = KEY_OUT(x[i]);
        gm_st16(out + e, quad_of(x));
    }
}

DEV void store_keys(struct rows a, uint32_t base, struct row_shape s)
{
    const uint64_t place = warp_place(s.log_k);
    const int k = 1 << s.log_k;

    ROLL for (int r = 0; r < k; r++)
    {
        const uint32_t e = 32u * (uint32_t)r + LANE_ID;
        const uint64_t row = (place + e) >> s.log_n;
        const uint32_t column = (uint32_t)(place + e) & ((1u << s.log_n) - 1u);

        if (row < a.count && column < a.length) {
            const key x = sh_ld_key(base + byte_of(e, s.log_k));

            gm_st_key(a.out + row * a.length + column, KEY_OUT(x));
        }
        warp_sync(); /* no lane runs ahead into another round's request */
    }
}

/* The kernel, for blocks of as many threads as a row takes, or of any whole number of warps when
 * that is at most a warp, with 16 bytes of shared memory more a thread than its keys. */
DEV void rows_kernel(struct rows a, uint32_t one, struct row_shape s)
{
    const uint64_t place = warp_place(s.log_k);
    const int wide = s.log_n > s.log_k + 5;
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    struct row_unit u;
    key x[ROWS_K];

    u.log_k = s.log_k;
    u.log_n = s.log_n;
    u.shuffles = s.shuffles;
    u.how.mads = s.mads;
    u.how.one = one;
    u.t = wide ? THREAD_ID : LANE_ID;
    u.base = wide ? 0u : mine;
    if (a.vectors)
        load_vectors(x, a.in + place, s);
    else
        load_keys(x, a, s);
    row_sort(x, u);
    view_write(x, u.base, u.t, view_of(s.log_k, s.log_k, 0));
    warp_sync();
    if (a.vectors)
        store_vectors(a.out + place, mine, s.log_k);
    else
        store_keys(a, mine, s);
}

#endif
