/* groups.h - rows of 32 places and more: a warp moves 32 consecutive places of one row at a time.
 *
 * A row of 2^log_k keys a thread has them in runs of prim/register_layout.h.  A row of three
 * quarters has them in runs of prim/block_sort3.h.  Group r of a row is its places 32 r .. 32 r +
 * 31.  So all lanes have one row, and a lane's addresses in shared and in global memory are the sum
 * of its own number and a constant.
 *
 * No bank is asked twice.  Words that are served together (32, 16 or 8 of 4, 8 or 16 bytes) lie
 * together.  In runs of three quarters, 4 runs of 4 or 8 bytes, or 2 of 16, lie together: three
 * times as many words as are served at once.  In runs of five eighths 8 runs lie together, five
 * times as many.
 */
#ifndef CW_ROWS_GROUPS_H
#define CW_ROWS_GROUPS_H

#include "prim/block_sort3.h"
#include "rows/direct.h"

#define SERVED_LOG (7 - KEY_LOG) /* 2^SERVED_LOG lanes are served by one wavefront */

/* Runs of five eighths; there are none of wider words. */
DEV int is_five(struct row_shape s)
{
    return KEY_LOG == 2 && s.three == 5;
}

DEV uint32_t run_keys(struct row_shape s)
{
    return is_five(s) ? FIVE_K : s.three ? THREE_K : 1u << s.log_k;
}

DEV int run_log_t(struct row_shape s)
{
    return s.log_n - s.log_k;
}

DEV uint32_t run_at(struct row_shape s, uint32_t run)
{
    return s.three ? three_run(run, (int)run_keys(s)) << KEY_LOG : byte_of(run << s.log_k, s.log_k);
}

/* Does a row have several warps, a block? */
DEV int is_long(struct row_shape s)
{
    return run_log_t(s) > 5;
}

/* Are rows whole groups, more than one? */
DEV int has_groups(struct row_shape s)
{
    return s.log_n >= (is_five(s) ? 8 : s.three ? 7 : 6);
}

/* Where this lane's place of group r of a row stands, counted from the row's first run of the
 * warp. */
DEV uint32_t group_at(struct row_shape s, uint32_t r)
{
    const uint32_t together = 3u << SERVED_LOG;
    const uint32_t runs = together / THREE_K;
    const uint32_t first = r << (5 - SERVED_LOG); /* what is served together, counted */
    const uint32_t part = first % 3u + (LANE_ID >> SERVED_LOG);
    const uint32_t lane = LANE_ID & ((1u << SERVED_LOG) - 1u);

    if (!s.three)
        return (r << (5 + KEY_LOG)) + (r << 5 >> s.log_k << 4) + byte_of(LANE_ID, s.log_k);
    if (is_five(s)) /* 8 runs lie together, 5 groups */
        return run_at(s, r / 5u * 8u) + ((r % 5u * 32u + LANE_ID) << KEY_LOG);
    if (part >= 3u)
        return run_at(s, (first / 3u + 1u) * runs) +
               ((((part - 3u) << SERVED_LOG) + lane) << KEY_LOG);
    return run_at(s, first / 3u * runs) + (((part << SERVED_LOG) + lane) << KEY_LOG);
}

/* Store `groups` groups of a row from shared memory at `at` to simple arrays.  `column` is the
 * first of this warp's places. */
DEV void groups_row(const struct cw_rows_arg *a, struct row_shape s, struct row row,
                    uint32_t column, uint32_t at, uint32_t groups)
{
    const uint64_t item = row.start + column + LANE_ID;
    const uint32_t rest = row.length > column + LANE_ID ? row.length - column - LANE_ID : 0u;

    UNROLL for (uint32_t g = 0; g < groups; g += STORES)
    {
        const uint32_t n = groups - g < STORES ? groups - g : STORES;
        key x[STORES] = {0};

        UNROLL for (uint32_t i = 0; i < n; i++)
        {
            x[i] = sh_ld_key_all(at + group_at(s, g + i));
        }
        store_words(x, a, item, rest, 32u, g, n);
        warp_sync(); /* no lane runs ahead into other requests */
    }
}

/* Store rows of five eighths that are no whole groups.  Two rows of four runs are five groups. */
DEV void groups_five(const struct cw_rows_arg *a, struct row_shape s, struct row mine,
                     uint32_t base)
{
    const uint32_t n = run_keys(s) << run_log_t(s);

    ROLL for (uint32_t run = 0; run < 32u; run += 8u)
    {
        UNROLL for (uint32_t r = 0; r < 5u; r++)
        {
            const uint32_t e = 32u * r + LANE_ID;
            const uint32_t from = run + (e / n << run_log_t(s)); /* the row's first run */
            const uint64_t start = shfl8(mine.start, from);
            const uint32_t length = shfl4(mine.length, from);
            const key x = sh_ld_key_all(base + run_at(s, run) + (e << KEY_LOG));
            const key y = a->map.plain ? x : (key)word_to_key(&a->map, (bits)x);

            if (e % n < length)
                gm_st_key((key *)a->keys_out + start + e % n, y);
        }
        warp_sync(); /* no lane runs ahead into other requests */
    }
}

/* Store all rows of this warp, whose shared memory starts at `base`.  `mine` is the row of run
 * LANE_ID. */
DEV void groups_out(const struct cw_rows_arg *a, struct row_shape s, struct row mine, uint32_t base)
{
    const int log_t = run_log_t(s);

    if (is_five(s) && log_t < 3) {
        groups_five(a, s, mine, base);
        return;
    }
    if (log_t >= 5) {
        groups_row(a, s, mine, is_long(s) ? WARP_ID * 32u * run_keys(s) : 0u, base, run_keys(s));
        return;
    }
    ROLL for (uint32_t run = 0; run < 32u; run += 1u << log_t)
    {
        struct row row;

        row.start = shfl8(mine.start, run);
        row.length = shfl4(mine.length, run);
        groups_row(a, s, row, 0, base + run_at(s, run), (run_keys(s) << log_t) / 32u);
    }
}

#endif
