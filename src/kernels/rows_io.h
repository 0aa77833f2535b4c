/* rows_io.h - rows from global memory to registers and back.
 *
 * A warp holds 32 k consecutive places of rows that are laid out k * 2^log_t places apart.  When
 * the rows are that long, lie one after another and on 16 bytes, keys are moved 16 bytes at a
 * time; otherwise one by one, and places past the row's end are filled and not stored.
 *
 * KEY_IN and KEY_OUT map keys of other types to unsigned words of the same order and back.
 */
#ifndef CW_ROWS_IO_H
#define CW_ROWS_IO_H

#include "kernels/row_sort.h"

#ifndef KEY_IN
#define KEY_IN(x)  (x)
#define KEY_OUT(x) (x)
#endif

struct rows {
    const uint32_t *in;
    uint32_t *out;
    uint64_t count; /* rows */
    uint32_t length;
    uint32_t vectors; /* whether 16-byte accesses are right */
};

/* The row that this warp's place 0 belongs to. */
DEV uint64_t first_row(int log_t)
{
    const uint64_t warp = (uint64_t)BLOCK_ID * (BLOCK_DIM / 32u) + WARP_ID;

    return log_t < 5 ? warp << (5 - log_t) : warp >> (log_t - 5);
}

DEV void load_vectors(uint32_t *x, const uint32_t *in, int log_k, int log_t)
{
    const int log_l = log_t < 5 ? log_t : 5; /* lanes that share a row's part */
    const uint32_t row = LANE_ID >> log_l;
    const uint32_t lane = LANE_ID & ((1u << log_l) - 1u);
    const uint32_t *const p = in + (row << (log_k + log_l)) + 4u * lane;
    const int k = 1 << log_k;

    UNROLL for (int r = 0; r < k; r += 4)
    {
        const vec16 q = gm_ld16(p + (r << log_l));

        x[r] = KEY_IN(q.x);
        x[r + 1] = KEY_IN(q.y);
        x[r + 2] = KEY_IN(q.z);
        x[r + 3] = KEY_IN(q.w);
    }
}

DEV void load_keys(uint32_t *x, struct rows a, int log_k, int log_t)
{
    const uint32_t thread = THREAD_ID & ((1u << log_t) - 1u);
    const uint64_t row = first_row(log_t) + (log_t < 5 ? LANE_ID >> log_t : 0u);
    const uint32_t length = row < a.count ? a.length : 0u;
    const uint32_t *const p = a.in + row * a.length;
    const int k = 1 << log_k;

    UNROLL for (int r = 0; r < k; r++)
    {
        const uint32_t e = ((uint32_t)r << log_t) + thread;

        x[r] = 0xffffffffu;
        if (e < length)
            x[r] = KEY_IN(gm_ld4(p + e));
    }
}

/* From the warp's part of shared memory, which starts at `base`. */
DEV void store_vectors(uint32_t *out, uint32_t base, int log_k)
{
    const int k = 1 << log_k;

    UNROLL for (int r = 0; r < k; r += 4)
    {
        const uint32_t e = 32u * (uint32_t)r + 4u * LANE_ID;
        vec16 q = sh_ld16(base + word_of(e, log_k));

        q.x = KEY_OUT(q.x);
        q.y = KEY_OUT(q.y);
        q.z = KEY_OUT(q.z);
        q.w = KEY_OUT(q.w);
        gm_st16(out + e, q);
    }
}

DEV void store_keys(struct rows a, uint32_t base, int log_k, int log_t)
{
    const uint64_t row = first_row(log_t);
    const uint32_t part = log_t > 5 ? WARP_ID & ((1u << (log_t - 5)) - 1u) : 0u;
    const int k = 1 << log_k;

    UNROLL for (int r = 0; r < k; r++)
    {
        const uint32_t e = 32u * (uint32_t)r + LANE_ID;
        const uint32_t place = e + (part << (log_k + 5));
        const uint64_t to = row + (place >> (log_k + log_t));
        const uint32_t column = place & ((1u << (log_k + log_t)) - 1u);
        const uint32_t x = sh_ld4(base + word_of(e, log_k));

        if (to < a.count && column < a.length)
            gm_st4(a.out + to * a.length + column, KEY_OUT(x));
    }
}

/* A kernel: 2^log_k keys a thread and 2^log_t threads a row.  A block holds whole rows, and one
 * only if a row has more than a warp. */
DEV void rows_kernel(struct rows a, uint32_t one, int log_k, int log_t)
{
    const uint32_t warp_bytes = 4u * ((32u << log_k) + 4u * 32u);
    const uint64_t row = first_row(log_t);
    const uint64_t here = log_t < 5 ? 32u >> log_t : 1u;
    const int vectors = a.vectors && row + here <= a.count;
    const uint64_t place = ((uint64_t)BLOCK_ID * (BLOCK_DIM / 32u) + WARP_ID) << (log_k + 5);
    const uint32_t mine = WARP_ID * warp_bytes;
    struct row_unit u;
    uint32_t x[1 << ROWS_MAX_LOG_K];

    u.log_k = log_k;
    u.log_t = log_t;
    u.t = log_t > 5 ? THREAD_ID : LANE_ID;
    u.base = log_t > 5 ? 0u : mine;
    u.one = one;
    if (vectors)
        load_vectors(x, a.in + place, log_k, log_t);
    else
        load_keys(x, a, log_k, log_t);
    row_sort(x, u);
    view_write(x, u.base, u.t, view_of(log_k, log_k, 0));
    warp_sync();
    if (vectors)
        store_vectors(a.out + place, mine, log_k);
    else
        store_keys(a, mine, log_k, log_t);
}

#endif
