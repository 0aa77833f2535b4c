/* local_sort_range.h - a row of the local sort: its keys of 4 bytes in registers, and their
 * range. */
#ifndef CW_SORT_RADIX_LOCAL_SORT_RANGE_H
#define CW_SORT_RADIX_LOCAL_SORT_RANGE_H

#define ROW_K (1u << ROW_LOG_K)

struct key_row {
    uint64_t start;
    uint32_t len;
    uint32_t at; /* which buffer it stands in */
    key least, most;
};

/* Load this thread's keys of row i, as words.  Where the row has none, they are its first key. */
DEV void key_row_load(const struct radix_job *j, uint32_t i, struct key_row *row, key *x,
                      uint32_t threads)
{
    const uint64_t e = row_of_list(j, i);
    const key *in;
    key first;

    row->start = e & ((1ull << 46) - 1u);
    row->len = (uint32_t)(e >> 46 & 0xffffu) + 1u;
    row->at = (uint32_t)(e >> 62);
    in = keys_at(j, row->at) + row->start;
    first = gm_ld_key(in);
    UNROLL for (uint32_t r = 0; r < ROW_K; r++)
    {
        const uint32_t at = r * threads + THREAD_ID;

        x[r] = at < row->len ? gm_ld_key(in + at) : first;
    }
    if (!j->map.plain) {
        UNROLL for (uint32_t r = 0; r < ROW_K; r++) x[r] = (key)row_word(j, x[r]);
    }
#if PAYLOAD_BYTES
    if (j->map.tied) {
        UNROLL for (uint32_t r = 0; r < ROW_K; r++) x[r] = row_rank(j, x[r]);
    }
#endif
}

/* Where a block finds the range of a row. */
struct row_range_shared {
    uint64_t warp[8]; /* the greatest word above, the least below */
    uint32_t after;   /* walk_ask, for all threads */
    uint32_t unused;
};

#define ROW_RANGE_BYTES ((uint32_t)sizeof(struct row_range_shared))
#define ROW_RANGE_AFTER SHARED_AT(row_range_shared, after)

/* Find the least and the greatest word of the row.  Thread 0's `after` is returned to all threads.
 * Takes ROW_RANGE_BYTES at `at`.  The next row must take another place: some threads may still read
 * this one. */
DEV uint32_t key_row_range(struct key_row *row, const key *x, int log_n, uint32_t at,
                           uint32_t after)
{
    const uint32_t warps = 1u << (log_n - ROW_LOG_K - 5);
    key least = x[0];
    key most = x[0];

    UNROLL for (uint32_t r = 1; r < ROW_K; r++)
    {
        least = x[r] < least ? x[r] : least;
        most = x[r] > most ? x[r] : most;
    }
    least = warp_min4(least);
    most = warp_max4(most);
    if (warps > 1u) {
        if (LANE_ID == 0)
            sh_st8(at + 8u * WARP_ID, (uint64_t)most << 32 | least);
        if (THREAD_ID == 0)
            sh_st4(at + ROW_RANGE_AFTER, after);
        block_sync();
        after = sh_ld4(at + ROW_RANGE_AFTER);
        UNROLL for (uint32_t w = 0; w < warps; w++)
        {
            const uint64_t y = sh_ld8(at + 8u * w);

            least = (key)y < least ? (key)y : least;
            most = (key)(y >> 32) > most ? (key)(y >> 32) : most;
        }
    } else {
        after = shfl4(after, 0);
    }
    row->least = least;
    row->most = most;
    return after;
}

/* Ask early for the next row of this block: a line for each thread. */
DEV void key_row_soon(const struct radix_job *j, const struct row_walk *w)
{
    if (w->next < w->rows) {
        const uint64_t e = row_of_list(j, w->next);
        const key *const in = keys_at(j, (uint32_t)(e >> 62)) + (e & ((1ull << 46) - 1u));
        const uint32_t at = THREAD_ID * ROW_K;

        if (at < (uint32_t)(e >> 46 & 0xffffu) + 1u) {
            gm_soon(in + at);
#if PAYLOAD_BYTES
            gm_soon(values_at(j, (uint32_t)(e >> 62)) + (e & ((1ull << 46) - 1u)) + at);
#endif
        }
    }
}

#if PAYLOAD_BYTES
/* Load this thread's values of the row to shared memory, from 0 on. */
DEV void pair_values(const struct radix_job *j, const struct key_row *row, uint32_t threads)
{
    const uint32_t *const in = values_at(j, row->at) + row->start;

    ROLL for (uint32_t r = 0; r < ROW_K; r += 16u)
    {
        uint32_t v[16];

        UNROLL for (uint32_t k = 0; k < 16u; k++)
        {
            const uint32_t at = (r + k) * threads + THREAD_ID;

            v[k] = at < row->len ? gm_ld4(in + at) : 0u;
        }
        UNROLL for (uint32_t k = 0; k < 16u; k++)
            sh_st4(4u * ((r + k) * threads + THREAD_ID), v[k]);
    }
}
#endif

/* Load row w->i: keys, range and values, if there are any.  Then w goes on.  `at`: see
 * key_row_range. */
DEV void key_row_take(const struct radix_job *j, struct row_walk *w, struct key_row *row, key *x,
                      int log_n, uint32_t at)
{
    const uint32_t threads = 1u << (log_n - ROW_LOG_K);
    uint32_t after;

    key_row_load(j, w->i, row, x, threads);
    after = walk_ask(w, j);
#if PAYLOAD_BYTES
    pair_values(j, row, threads);
#endif
    key_row_soon(j, w);
    walk_on(w, key_row_range(row, x, log_n, at, after));
}

#endif
