/* spot.h - where the places of a tile are: of which row, and which item of the arrays.
 *
 * A tile is what a block sorts at once (rows/io.h).  Rows of one length follow each other in the
 * arrays; others are found in the list of their size class (rows/size_classes.h), or by their
 * offsets.
 */
#ifndef CW_ROWS_SPOT_H
#define CW_ROWS_SPOT_H

#include "dev/kernel.h"
#include "rows/bounds.h"
#include "rows/job.h"

struct row_shape {
    int log_k;
    int log_n;
    int shuffles;
    int mads;
    int three; /* 3: runs are three quarters of 2^log_k keys, rows of 2^log_n; 5: five eighths (rows/short.h) */
};

/* Where a place of the tile is. */
struct spot {
    uint64_t item; /* of the arrays */
    uint32_t column;
    int there;
};

struct row {
    uint64_t start;
    uint32_t length;
};

/* Rows of a class.  A list is never longer than its room, whatever the offsets say. */
DEV uint64_t row_count(const struct cw_rows_arg *a, int c)
{
    const uint64_t room = a->list_at[c + 1] - a->list_at[c];
    const uint64_t count = a->offsets ? gm_ld4(a->counts + c) : rows_there(a);

    return a->offsets && count > room ? room : count;
}

/* Find row `slot` of the class.  A row that does not exist has length 0. */
DEV struct row row_find(const struct cw_rows_arg *a, int c, uint64_t slot)
{
    struct row r;

    r.start = slot * a->length;
    r.length = slot < rows_there(a) ? (uint32_t)a->length : 0u;
    if (a->offsets) {
        const int fits = slot < a->list_at[c + 1] - a->list_at[c];
        const uint64_t x = fits ? gm_ld8(a->lists + a->list_at[c] + slot) : 0u;

        r.start = x >> 16;
        r.length = slot < row_count(a, c) ? (uint32_t)x & 0xffffu : 0u;
    }
    return r;
}

/* Find row `slot` of a list that has `count` rows.  Without lists: row `slot` of all, if its bounds
 * hold. */
DEV struct row row_find_of(const struct cw_rows_arg *a, int list, uint64_t slot, uint64_t count)
{
    struct row r;

    r.start = 0;
    r.length = 0;
    if (slot >= count)
        return r;
    if (!a->offsets) {
        r.start = slot * a->length;
        r.length = (uint32_t)a->length;
    } else if (a->unlisted) {
        const struct row_bounds b = row_bounds_of(a, slot);

        if (bounds_hold(a, b)) {
            r.start = b.start;
            r.length = (uint32_t)(b.end - b.start);
        }
    } else {
        const uint64_t x = gm_ld8(a->lists + a->list_at[list] + slot);

        r.start = x >> 16;
        r.length = (uint32_t)x & 0xffffu;
    }
    return r;
}

/* The first place of this warp, counted over all tiles. */
DEV uint64_t warp_place(struct row_shape s, uint32_t tile)
{
    return (uint64_t)tile * (BLOCK_DIM << s.log_k) + (WARP_ID << (s.log_k + 5));
}

/* The rows of this warp's places.  If one row is as long as the warp, all lanes have it.  If 32
 * rows or fewer fit, lane i has the i-th.  Otherwise rows are looked up as they come. */
DEV struct row rows_of_warp(const struct cw_rows_arg *a, struct row_shape s, uint64_t place)
{
    const int c = s.log_n;
    const uint32_t lane = s.log_n < s.log_k + 5 ? LANE_ID : 0u;

    return row_find(a, c, (place >> c) + lane);
}

/* Place 32 r + lane of this warp, which begins at `place`. */
DEV struct spot spot_of(const struct cw_rows_arg *a, struct row_shape s, uint64_t place,
                        struct row mine, uint32_t r)
{
    const int c = s.log_n;
    const uint32_t e = 32u * r + LANE_ID;
    struct row row = mine;
    struct spot p;

    if (s.log_n < 5) {
        row = row_find(a, c, (place + e) >> c);
    } else if (s.log_n < s.log_k + 5) {
        row.start = shfl8(mine.start, r >> (s.log_n - 5));
        row.length = shfl4(mine.length, r >> (s.log_n - 5));
    }
    p.column = ((uint32_t)place + e) & ((1u << c) - 1u);
    p.item = row.start + p.column;
    p.there = p.column < row.length;
    return p;
}

#endif
