/* together.h - whole rows of 2^log_n keys that lie one after another: 16 bytes at a time. */
#ifndef CW_ROWS_TOGETHER_H
#define CW_ROWS_TOGETHER_H

#include "rows/short.h"

/* Load the places of this warp, in an order that keeps each thread to its row. */
DEV void load_vectors(key *x, const key *in, struct row_shape s)
{
    const int log_t = s.log_n - s.log_k;
    const int log_l = log_t < 0 ? 0 : log_t < 5 ? log_t : 5; /* lanes that share places */
    const uint32_t lane = LANE_ID & ((1u << log_l) - 1u);
    const key *const p = in + (LANE_ID >> log_l << (s.log_k + log_l)) + QUAD * lane;
    const int k = 1 << s.log_k;

    UNROLL for (int r = 0; r < k; r += QUAD) quad_to(x + r, gm_ld16(p + (r << log_l)), 0);
}

/* Store the first `length` places of the warp's shared memory, which starts at `base`. */
DEV void store_vectors(key *out, const struct cw_rows_arg *a, uint32_t base, int log_k,
                       uint32_t length)
{
    const int k = 1 << log_k;

    UNROLL for (int r = 0; r < k; r += QUAD)
    {
        const uint32_t e = 32u * (uint32_t)r + QUAD * LANE_ID;
        vec16 q = sh_ld16(base + byte_of(e, log_k));

        if (rarely(!a->map.plain)) {
            key x[QUAD];

            quad_to(x, q, 0);
            UNROLL for (int i = 0; i < QUAD; i++) x[i] = word_to_key(&a->map, (bits)x[i]);
            q = quad_of(x);
        }
        if (e < length)
            gm_st16(out + e, q);
    }
}

/* Are the rows of this warp, from row `first` of a list on, whole, and do they lie one after
 * another, from 16 bytes on?  *at becomes their first item.  At most 32 rows have a lane each. */
DEV int are_together(const struct cw_rows_arg *a, struct row_shape s, uint64_t first, int list,
                     uint64_t count, uint64_t *at)
{
    struct row mine;
    uint64_t start;

    if (s.three || s.log_n < 5 || !a->vectors || !a->offsets)
        return 0;
    mine = row_find_of(a, list, first + (LANE_ID & (short_rows_of_warp(s) - 1u)), count);
    start = shfl8(mine.start, 0);
    *at = start;
    return start * KEY_BYTES % 16u == 0 &&
           all_of(LANE_ID >> (s.log_k + 5 - s.log_n) ||
                  (mine.length == 1u << s.log_n && mine.start == start + (LANE_ID << s.log_n)));
}

/* Load whole rows that lie together.  Rows of one or two threads would be read 16 bytes here and
 * there, so they come in order through shared memory. */
DEV void load_together(key *x, const struct cw_rows_arg *a, struct row_shape s, uint64_t at,
                       struct row_unit u, uint32_t base)
{
    const key *const in = (const key *)a->keys_in + at;

    if (s.log_n >= s.log_k + 2) {
        load_vectors(x, in, s);
    } else {
        vec16 q[ROWS_K / QUAD];

        UNROLL for (uint32_t r = 0; r < ROWS_K / QUAD; r++)
        {
            q[r] = gm_ld16(in + QUAD * (32u * r + LANE_ID));
        }
        UNROLL for (uint32_t r = 0; r < ROWS_K / QUAD; r++)
        {
            sh_st16(base + byte_of(QUAD * (32u * r + LANE_ID), s.log_k), q[r]);
        }
        warp_sync();
        layout_read(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0), 0);
    }
    if (rarely(!a->map.plain)) {
        UNROLL for (int r = 0; r < ROWS_K; r++) x[r] = key_to_word(&a->map, (bits)x[r]);
    }
}

/* Sort them. */
DEV void sort_together(const struct cw_rows_arg *a, struct row_shape s, uint64_t at)
{
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    struct row_unit u;
    key x[ROWS_K];

    UNIT(u, a, s);
    load_together(x, a, s, at, u, mine);
    row_sort(x, u);
    layout_write(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0));
    warp_sync();
    store_vectors((key *)a->keys_out + at, a, mine, s.log_k, 32u << s.log_k);
}

#endif
