/* short.h - tiles of rows of a warp or less, and of longer rows of three quarters or five eighths
 * of the places.
 *
 * A warp has 32 runs of 2^log_k keys (prim/block_sort.h), or of three quarters of that
 * (prim/block_sort3.h).  Each lane has one run.  A row has 2^log_t runs, or a run has several rows.
 *
 * Keys are moved in pieces: a group of 2^G lanes asks for 2^G consecutive keys of a run (G = 3; 2
 * for words above 4 bytes).  So a group needs the bounds of one row at a time.  The lane that has
 * the run tells it.  Rows of five eighths always have simple arrays.  Rows of 4 lanes and more
 * whose arrays are simple are loaded without shared memory: a row's keys may arrive in any order.
 *
 * No bank is asked twice.  Group g of lanes begins at run
 *
 *      three quarters, 4 bytes    8g, which is 8g words (mod 32) from run 0, and asks for 8 words
 *      three quarters, 8, 16      (g & 3) + 16 (g >> 2): 12, 8, 4 words (mod 16); 4 words (mod 8)
 *      2^log_k, 4 bytes           8g, 0 words (mod 32), at piece i + g: 8 words
 *      2^log_k, 8 bytes           4g, 8g words (mod 16), at piece i + g: 12g words
 *      2^log_k, 16 bytes          4g, 4g words (mod 8)
 *
 * Each step adds the same number to all of them.  A row of three quarters that has the whole warp,
 * or several warps, goes by consecutive words: 4 runs (2 of 16 bytes) lie together, three times
 * what is served at once.
 */
#ifndef CW_ROWS_SHORT_H
#define CW_ROWS_SHORT_H

#include "rows/groups.h"

#define PIECE (1u << THREE_G)

DEV uint32_t short_rows_of_warp(struct row_shape s)
{
    return run_log_t(s) >= 5 ? 1u : run_log_t(s) >= 0 ? 32u >> run_log_t(s) : 32u << -run_log_t(s);
}

/* The first row of this warp. */
DEV uint64_t short_first(struct row_shape s, uint32_t tile)
{
    if (is_long(s))
        return tile;
    return ((uint64_t)tile * (BLOCK_DIM / 32u) + WARP_ID) * short_rows_of_warp(s);
}

/* This lane's place in a step: where it stands in shared memory, and what is there. */
struct short_place {
    uint32_t at;
    struct spot spot;
};

struct short_rows {
    uint64_t first, count; /* the warp's first row, and how many there are in all */
    struct row mine;       /* of run LANE_ID */
    int list;
    /* Where a run has several rows: the rows of run LANE_ID, in the order in which its group comes
     * to them.  Each is start - base << 6 | length.  They are here only if they all fit. */
    uint64_t base;
    uint32_t packed[4];
    int fit;
};

/* Which piece of a run this lane's group moves in step i. */
DEV uint32_t short_turn(struct row_shape s, uint32_t i)
{
    return s.three || KEY_LOG == 4 ? i : (i + (LANE_ID >> THREE_G)) & 3u;
}

/* Pack the rows of this lane's run.  They begin near each other, unless the caller has them in
 * another order. */
DEV void short_pack(struct short_rows *rows, const struct cw_rows_arg *a, struct row_shape s)
{
    const int log_each = -run_log_t(s); /* rows of a run */
    const uint64_t first = rows->first + (LANE_ID << log_each);
    struct row row[4];
    uint32_t there;
    int fit = 1;

    UNROLL for (uint32_t k = 0; k < 1u << log_each; k++)
    {
        row[k] = row_find_of(a, rows->list, first + k, rows->count);
    }
    there = ballot(row[0].length != 0);
    rows->base = shfl8(row[0].start, there ? low_bit(there) : 0u) - (1u << 20);
    UNROLL for (uint32_t i = 0; i < 4u; i++)
    {
        const uint32_t k = short_turn(s, i) * PIECE >> s.log_n;
        struct row mine = row[0];

        UNROLL for (uint32_t j = 1; j < 1u << log_each; j++)
        {
            if (j == k)
                mine = row[j];
        }
        fit = fit && (!mine.length || mine.start - rows->base < 1u << 26);
        rows->packed[i] = mine.length ? (uint32_t)(mine.start - rows->base) << 6 | mine.length : 0u;
    }
    rows->fit = all_of(fit);
}

/* The run of this lane's group in step q. */
DEV uint32_t short_run(struct row_shape s, uint32_t q)
{
    const uint32_t g = LANE_ID >> THREE_G;

    if (s.three && KEY_LOG > 2)
        return (g & 3u) | q << 2 | g >> 2 << 4;
    return g << THREE_G | q;
}

/* Find the row of run `run`, and its key j.  If a run has several rows, those are asked for of the
 * lane itself. */
DEV struct row short_row_of(const struct short_rows *rows, struct row_shape s, uint32_t run)
{
    struct row row = rows->mine;

    if (run_log_t(s) >= 5)
        return row;
    if (run_log_t(s) >= 0) {
        row.start = shfl8(rows->mine.start, run);
        row.length = shfl4(rows->mine.length, run);
    }
    return row;
}

DEV struct short_place short_place_of(const struct cw_rows_arg *a, const struct short_rows *rows,
                                      struct row_shape s, uint32_t q, uint32_t i, struct row row)
{
    const uint32_t l = LANE_ID & (PIECE - 1u);
    const uint32_t run = short_run(s, q);
    const uint32_t j = short_turn(s, i) * PIECE + l;
    struct short_place p;

    if (s.three && run_log_t(s) >= 5) { /* 32 consecutive keys, step 3 q + i */
        const uint32_t e = 32u * (3u * q + i) + LANE_ID;
        const uint32_t h = e >> SERVED_LOG;
        const uint32_t runs = (3u << SERVED_LOG) / THREE_K;

        p.at = run_at(s, h / 3u * runs) +
               (((h % 3u << SERVED_LOG) + (e & ((1u << SERVED_LOG) - 1u))) << KEY_LOG);
        p.spot.column = e + (is_long(s) ? WARP_ID * 32u * THREE_K : 0u);
    } else {
        p.at = run_at(s, run) + (j << KEY_LOG);
        if (run_log_t(s) >= 0) {
            p.spot.column = (run & ((1u << run_log_t(s)) - 1u)) * run_keys(s) + j;
        } else {
            const uint32_t n = 1u << s.log_n;

            if (rows->fit) {
                const uint32_t x = shfl4(rows->packed[i], run);

                row.start = rows->base + (x >> 6);
                row.length = x & 63u;
            } else {
                row =
                    row_find_of(a, rows->list,
                                rows->first + (run << -run_log_t(s)) + (j >> s.log_n), rows->count);
            }
            p.spot.column = j & (n - 1u);
        }
    }
    p.spot.item = row.start + p.spot.column;
    p.spot.there = p.spot.column < row.length;
    return p;
}

/* Load MOST / 4 runs of a group at a time, so that enough loads are in flight. */
DEV void short_in(const struct cw_rows_arg *a, const struct short_rows *rows, struct row_shape s,
                  uint32_t base)
{
    const int pieces = s.three ? 3 : 4;
    const int runs = MOST / 4;

    ROLL for (uint32_t q = 0; q < PIECE; q += (uint32_t)runs)
    {
        uint32_t at[MOST];
        struct spot spots[MOST];
        key x[MOST];

        UNROLL for (int k = 0; k < runs; k++)
        {
            const struct row row = short_row_of(rows, s, short_run(s, q + (uint32_t)k));

            UNROLL for (int i = 0; i < pieces; i++)
            {
                const struct short_place p =
                    short_place_of(a, rows, s, q + (uint32_t)k, (uint32_t)i, row);

                spots[pieces * k + i] = p.spot;
                at[pieces * k + i] = base + p.at;
            }
        }
        words_in(x, a, spots, runs * pieces);
        UNROLL for (int i = 0; i < runs * pieces; i++)
        {
            sh_st_key(at[i], x[i]);
        }
    }
}

DEV void short_out(const struct cw_rows_arg *a, const struct short_rows *rows, struct row_shape s,
                   uint32_t base)
{
    const int pieces = s.three ? 3 : 4;
    const int late = a->form == CW_ROWS_INDEX && a->value_bytes;

    ROLL for (uint32_t q = 0; q < PIECE; q++)
    {
        const struct row row = short_row_of(rows, s, short_run(s, q));
        struct short_place p[4];
        struct spot spots[4];
        uint32_t at[4];
        key x[4];

        UNROLL for (int i = 0; i < pieces; i++)
        {
            p[i] = short_place_of(a, rows, s, q, (uint32_t)i, row);
            spots[i] = p[i].spot;
            at[i] = base + p[i].at;
            x[i] = sh_ld_key_all(at[i]);
        }
        words_out(a, spots, x, pieces);
        if (late)
            gather(a, spots, x, at, pieces);
        warp_sync(); /* no lane runs ahead into another step's requests */
    }
    if (!late)
        return;
    row_sync_all(s); /* the row's values are read before any is written */
    ROLL for (uint32_t q = 0; q < PIECE; q++)
    {
        const struct row row = short_row_of(rows, s, short_run(s, q));

        UNROLL for (int i = 0; i < pieces; i++)
        {
            const struct short_place p = short_place_of(a, rows, s, q, (uint32_t)i, row);
            const key x = sh_ld_key_all(base + p.at);

            if (p.spot.there)
                put(a->values_out, a->value_bytes, p.spot.item, (bits)x);
        }
        warp_sync();
    }
}

/* Gather the values of n keys by their places in rows that only this lane reads and writes. */
DEV void lanes_values(const struct cw_rows_arg *a, const struct spot *p, const key *x, int n)
{
    struct spot q[MOST] = {{0, 0, 0}};
    bits v[MOST] = {0};

    UNROLL for (int i = 0; i < n; i++)
    {
        q[i] = p[i];
        q[i].item += (x[i] & (((key)1 << PAY) - 1u)) - p[i].column;
    }
    fetch(v, a->values_in, a->value_bytes, q, n);
    put_all(a->values_out, a->value_bytes, p, v, n);
}

/* Sort rows shorter than a piece.  A lane has a row at a time.  It needs neither other lanes nor
 * shared memory. */
DEV void short_lanes(const struct cw_rows_arg *a, struct row_shape s, uint64_t first, int list,
                     uint64_t count)
{
    const uint32_t n = 1u << s.log_n;
    struct comparator how;

    how.mads = 0;
    how.one = a->one;
    how.halves = 0;
    ROLL for (uint32_t k = 0; k < short_rows_of_warp(s); k += 64u)
    {
        struct row row[2];
        struct spot p[MOST];
        key x[MOST];

        UNROLL for (uint32_t j = 0; j < 2u; j++)
        {
            row[j] = row_find_of(a, list, first + k + 32u * j + LANE_ID, count);
        }
        UNROLL for (uint32_t i = 0; i < 2u * n; i++)
        {
            p[i].column = i % n;
            p[i].item = row[i / n].start + i % n;
            p[i].there = i % n < row[i / n].length;
        }
        words_in(x, a, p, (int)(2u * n));
        lane_sort(x, s.log_n + 1, s.log_n, how);
        if (rarely(any_tied(a, x, 2u * n))) {
            UNROLL for (uint32_t i = 0; i < 2u * n; i++) x[i] =
                word_restored(a, a->keys_in, row[i / n].start, x[i]);
        }
        UNROLL for (uint32_t j = 0; j < 2u; j++) words_out(a, p + n * j, x + n * j, (int)n);
        if (a->form == CW_ROWS_INDEX && a->value_bytes)
            lanes_values(a, p, x, 2 * (int)n);
    }
}

/* Restore the warp's words in shared memory, in the order in which short_out takes them. */
DEV void short_restore(const struct cw_rows_arg *a, const struct short_rows *rows,
                       struct row_shape s, uint32_t base)
{
    const uint32_t pieces = s.three ? 3u : 4u;

    ROLL for (uint32_t q = 0; q < PIECE; q++)
    {
        const struct row row = short_row_of(rows, s, short_run(s, q));

        ROLL for (uint32_t i = 0; i < pieces; i++)
        {
            const struct short_place p = short_place_of(a, rows, s, q, i, row);
            const key x = word_restored(a, a->keys_in, p.spot.item - p.spot.column,
                                        sh_ld_key_all(base + p.at));

            sh_st_key(base + p.at, x);
            warp_sync(); /* no lane runs ahead into another step's requests */
        }
    }
}

/* Sort the rows of this warp, or of the block, from row `first` of the list on.  Warps have shared
 * memory `apart` bytes apart, of all classes the same where a kernel has several. */
DEV void short_tile(const struct cw_rows_arg *a, struct row_shape s, uint64_t first, int list,
                    uint64_t count, uint32_t apart)
{
    const int log_t = run_log_t(s);
    const uint32_t threads = log_t < 0 ? 1u : 1u << log_t;
    const uint32_t thread = (is_long(s) ? THREAD_ID : LANE_ID) & (threads - 1u);
    const uint32_t base = WARP_ID * (is_long(s) ? run_at(s, 32u) : apart);
    struct short_rows rows;
    struct row_unit u;
    struct three_unit three;
    key x[ROWS_K];
    int tied;

    rows.list = list;
    rows.count = count;
    rows.first = first;
    rows.mine.start = 0;
    rows.mine.length = 0;
    if (log_t >= 0)
        rows.mine = row_find_of(a, list, first + (is_long(s) ? 0u : LANE_ID >> log_t), count);
    else
        short_pack(&rows, a, s);
    UNIT(u, a, s);
    if (apart != byte_of(32u << s.log_k, s.log_k)) /* rows/lanes.h */
        u.base = base;
    three.k = (int)run_keys(s);
    three.g = is_five(s) ? FIVE_G : THREE_G;
    three.log_t = log_t;
    three.how = u.how;
    three.t = is_long(s) ? THREAD_ID : LANE_ID;
    three.base = is_long(s) ? 0u : base;
    if (is_five(s) || (log_t >= 2 && is_simple(a))) {
        load_simple(x, a, rows.mine, thread, threads, run_keys(s));
    } else {
        short_in(a, &rows, s, base);
        warp_sync();
        if (s.three)
            three_read(x, three);
        else
            layout_read(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0), 0);
    }
    if (s.three)
        three_sort(x, three);
    else
        row_sort(x, u);
    tied = any_tied(a, x, run_keys(s));
    if (s.three)
        three_write(x, three);
    else
        layout_write(x, u.base, u.t, layout_of(s.log_k, s.log_k, 0));
    warp_sync();
    if (rarely(tied))
        short_restore(a, &rows, s, base);
    restored(a, s);
    if (is_five(s) || (has_groups(s) && is_simple(a)))
        groups_out(a, s, rows.mine, base);
    else
        short_out(a, &rows, s, base);
}

#endif
