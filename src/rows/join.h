/* join.h - rows in parts: sorted runs are joined two by two, a launch a level.
 *
 * Parts are sorted (rows/parts.h).  Level m = 1, 2, .. joins the lower 2^(m-1) parts of a group of 2^m,
 * run A, with the rest of the group, run B.  Keys go from one array of words to another.  A block makes
 * 2^T words of the outcome, a tile.  It finds how many of them come from A: the number of keys of A
 * among the first d of both, for its first and its last place d.  Half a warp searches for each, 16 places
 * at a time.  The keys of A, ascending, and then those of B, descending, are a bitonic sequence.
 * row_bitonic (prim/block_sort.h) sorts it.  A row that ends in the group leaves in its last level.
 *
 * No bank is asked twice, as in prim/block_sort.h: what comes from where depends on the keys, but
 * not the place in shared memory where it goes to.  With CW_CONFLICT_FREE, which also stands for the same
 * addresses of global memory on any input, rows are merged by a network instead (rows/parts.h).
 *
 * Time: a pass over the words a level, where the network has ceil(m / 3) + 1.  Space: two words a key.
 *
 * Splitting a merge by diagonals: Odeh, Green, Mwassi, Shmueli and Birk (merge path, 2012).  It departs
 * in the network that merges a tile.
 */
#ifndef CW_ROWS_JOIN_H
#define CW_ROWS_JOIN_H

#include "dev/kernel.h"

#define ROWS_K (1 << ROWS_LOG_K)
#include "tuning/rows.h"
#include "rows/parts.h"

/* A tile: `a` keys of A from a0 on, `b` of B from b0 on. */
struct join {
    const key *runs; /* A, and then B */
    uint64_t length; /* of A */
    uint64_t a0, b0;
    uint32_t a, b;
};

/* Keys of a part's row. */
DEV uint64_t join_row_length(const struct cw_rows_arg *a, const struct part *p)
{
    uint64_t x;

    if (!a->offsets)
        return a->length;
    x = gm_ld8(a->lists + a->list_at[CW_ROWS_PARTS] + p->number - p->place + p->count - 1u);
    return ((uint64_t)(p->count - 1u) << a->last) + (x & 0xffffu);
}

/* How many of the first d keys of both runs are A's, if of equal keys A's come first.  All lanes
 * of a half warp have the same d. */
DEV uint64_t join_split(const key *runs, uint64_t length_a, uint64_t length_b, uint64_t d)
{
    const uint32_t lane = LANE_ID & 15u;
    uint64_t from = d > length_b ? d - length_b : 0u;
    uint64_t to = d < length_a ? d : length_a;

    ROLL while (any_of(from < to))
    {
        const uint64_t step = (to - from + 15u) / 16u;
        const uint64_t at = from + (lane + 1u) * step - 1u;
        int more = 0; /* is the key at this place of A one of them? */
        uint32_t k;

        if (from < to && at < to) {
            const key x = gm_ld_key(runs + at);
            const key y = gm_ld_key(runs + length_a + (d - 1u - at));

            more = x <= y;
        }
        k = bit_count(ballot(more) >> (LANE_ID & 16u) & 0xffffu);
        if (from < to) {
            const uint64_t next = from + k * step;

            to = next + step - 1u < to ? next + step - 1u : to;
            from = next < to ? next : to;
        }
    }
    return from;
}

/* Find what the tile of a part that begins at p->from is made of.  Returns whether there is anything. */
DEV int join_find(const struct cw_rows_arg *a, const struct part *p, uint32_t tile, struct join *j)
{
    const uint32_t m = a->level;
    const uint64_t row = join_row_length(a, p);
    const uint64_t half = (uint64_t)1 << (m - 1u) << a->last;
    const uint32_t group = p->place >> m << m;
    const uint64_t rest = row - ((uint64_t)group << a->last);
    const uint64_t length_b = rest > half ? (rest < 2u * half ? rest - half : half) : 0u;
    const uint64_t first = ((uint64_t)(p->place - group) << a->last) + p->from;
    uint64_t d, split, a1;

    j->length = rest < half ? rest : half;
    if (p->count <= 1u << (m - 1u) || first >= j->length + length_b)
        return 0;
    j->runs = (const key *)a->words + ((p->number - p->place + group) << a->last);
    d = first + tile < j->length + length_b ? first + tile : j->length + length_b;
    split = join_split(j->runs, j->length, length_b, LANE_ID & 16u ? d : first);
    j->a0 = shfl8(split, 0);
    j->b0 = first - j->a0;
    a1 = shfl8(split, 16);
    j->a = (uint32_t)(a1 - j->a0);
    j->b = (uint32_t)(d - a1 - j->b0);
    return 1;
}

/* Bring the tile to shared memory as a bitonic sequence.  If it is not full, the largest words stand in
 * the middle. */
DEV void join_in(const struct join *j, struct row_shape s, uint32_t base)
{
    const uint32_t first = (WARP_ID << (s.log_k + 5)) + LANE_ID;
    const uint32_t end = (1u << s.log_n) - j->b;
    const key *const low = j->runs + j->a0;
    const key *const high = j->runs + j->length + j->b0 + ((1u << s.log_n) - 1u);
    key x[ROWS_K];

    UNROLL for (uint32_t r = 0; r < 1u << s.log_k; r++)
    {
        const uint32_t e = first + 32u * r;

        x[r] = KEY_MAX;
        if (e < j->a || e >= end)
            x[r] = gm_ld_key(e < j->a ? low + e : high - e);
    }
    UNROLL for (uint32_t r = 0; r < 1u << s.log_k; r++)
    {
        sh_st_key(base + byte_of(32u * r + LANE_ID, s.log_k), x[r]);
    }
}

/* Join all runs of a level. */
DEV void rows_join(const struct cw_rows_arg *a, struct row_shape s)
{
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    const uint32_t log_tiles = a->last - (uint32_t)s.log_n; /* of a part */
    const uint64_t work = part_count(a) << log_tiles;
    struct row_unit u;

    UNIT(u, a, s);
    ROLL for (uint64_t w = BLOCK_ID; w < work; w += GRID_DIM)
    {
        struct part p = part_find(a, (int)a->last, w >> log_tiles);
        struct join j;
        key x[ROWS_K];

        p.from = (uint32_t)(w & ((1u << log_tiles) - 1u)) << s.log_n;
        if (!join_find(a, &p, 1u << s.log_n, &j))
            continue;
        join_in(&j, s, mine);
        row_bitonic(x, u);
        layout_write(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0));
        warp_sync();
        if (p.count > 1u << a->level)
            part_to_words((key *)a->joined + (p.number << a->last) + p.from +
                              (WARP_ID << (s.log_k + 5)),
                          s, mine);
        else if (is_simple(a) && !is_tied(a))
            groups_row(a, s, p.keys, p.from + (WARP_ID << (s.log_k + 5)), mine, ROWS_K);
        else
            part_out(a, &p, s, mine);
        warp_sync(); /* before the next tile comes to the same places */
    }
}

KERNEL(ROWS_NAME(join), struct cw_rows_arg, 1 << (ROWS_JOIN_LOG - ROWS_LOG_K), ROWS_JOIN_BLOCKS)
{
    const struct row_shape s = {ROWS_LOG_K, ROWS_JOIN_LOG, 1, ROWS_JOIN_MADS, 0};

    rows_join(arg, s);
}

#endif
