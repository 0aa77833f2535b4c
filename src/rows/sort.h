/* sort.h - the row kernels of one word size: they sort tiles of rows.
 *
 * A tile goes to registers, is sorted there (prim/block_sort.h) and goes back.  There are two ways,
 * each in a kernel of its own, as what a kernel does not need costs it registers:
 *
 *      full    rows of 2^log_n plain words that start on 16 bytes.  They are loaded 16 bytes at a
 *              time in the order that memory likes: a row's keys may arrive in any order.  They are
 *              stored through shared memory, 512 bytes of a warp at a time
 *      any     stored through shared memory, an item a lane.  They are loaded so, too (rows/io.h),
 *              unless rows are long and their arrays simple
 *
 * A block reads all of its tile before it writes any, so `in` may be `out`.  In the kernels for any
 * rows a block takes tile after tile.  Until the tile's first barrier for all, a warp writes its
 * own piece of shared memory only.
 *
 * Batcher's networks (1968); rows in registers by classes of length as in Hou, Liu, Wang and Feng
 * (segmented sort, ICS 2017).  It departs in the register layouts (prim/register_layout.h), which
 * leave no bank conflict.
 */
#ifndef CW_ROWS_SORT_H
#define CW_ROWS_SORT_H

#include "rows/direct.h"
#include "rows/short.h"
#include "rows/together.h"

/* Can keys of such a row be moved 16 bytes at a time?  Not in the kernel of many classes, which has
 * no registers for it. */
DEV int by_quads(const struct cw_rows_arg *a, struct row_shape s, struct row row)
{
    return s.log_n > s.log_k + 5 && a->vectors && ((row.start | row.length) & (QUAD - 1u)) == 0;
}

/* Load this warp's places of such rows.  Lanes ask for consecutive items: a row's keys may arrive
 * in any order. */
DEV void load_direct(key *x, const struct cw_rows_arg *a, struct row_shape s, uint32_t tile)
{
    const uint64_t place = warp_place(s, tile);
    const struct row row = rows_of_warp(a, s, place);
    const uint32_t column = ((uint32_t)place & ((1u << s.log_n) - 1u)) + LANE_ID;

    if (a->form == CW_ROWS_KEYS && by_quads(a, s, row)) {
        const uint32_t from = column + (QUAD - 1u) * LANE_ID;
        const key *const p = (const key *)a->keys_in + row.start + from;

        UNROLL for (uint32_t r = 0; r < ROWS_K; r++) x[r] = KEY_MAX;
        UNROLL for (uint32_t r = 0; r < ROWS_K; r += QUAD)
        {
            if (from + 32u * r < row.length)
                quad_to(x + r, gm_ld16(p + 32u * r), 0);
        }
        if (rarely(!a->map.plain)) {
            UNROLL for (uint32_t r = 0; r < ROWS_K; r++)
            {
                if (from + 32u * (r & ~(QUAD - 1u)) < row.length)
                    x[r] = key_to_word(&a->map, (bits)x[r]);
            }
        }
        return;
    }
    load_simple(x, a, row, column, 32u, ROWS_K);
}

/* Store from the warp's shared memory, which starts at `base`. */
DEV void store_direct(const struct cw_rows_arg *a, struct row_shape s, uint32_t tile, uint32_t base)
{
    const uint64_t place = warp_place(s, tile);
    const struct row row = rows_of_warp(a, s, place);
    const uint32_t column = (uint32_t)place & ((1u << s.log_n) - 1u);

    if (a->form == CW_ROWS_KEYS && by_quads(a, s, row))
        store_vectors((key *)a->keys_out + row.start + column, a, base, s.log_k,
                      row.length > column ? row.length - column : 0u);
    else
        groups_row(a, s, row, column, base, ROWS_K);
}

/* How many tiles of this block's size so many rows of a class make. */
DEV uint32_t tiles_of(struct row_shape s, int c, uint64_t rows)
{
    const uint64_t tile = (uint64_t)BLOCK_DIM << s.log_k;

    return (uint32_t)(((rows << c) + tile - 1u) / tile);
}

/* Sort a tile of full rows: rows of one length that lie one after another, or rows of the list. */
DEV void rows_full(const struct cw_rows_arg *a, struct row_shape s, uint32_t tile)
{
    const struct layout low = layout_of(s.log_k, s.log_k, 0);
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    uint64_t at = warp_place(s, tile);
    int there = 1;
    struct row_unit u;
    key x[ROWS_K];

    if (s.log_n >= s.log_k + 5 && a->offsets) {
        const struct row r = row_find(a, CW_ROWS_FULL + s.log_n, at >> s.log_n);

        at = r.start + (at & ((1u << s.log_n) - 1u));
        if (s.log_n == s.log_k + 5)
            there = r.length != 0; /* the last tile may have rows that are not */
    }
    UNIT(u, a, s);
    if (s.log_n == s.log_k + 5) {
        UNROLL for (int r = 0; r < ROWS_K; r++) x[r] = 0;
    }
    if (there)
        load_vectors(x, (const key *)a->keys_in + at, s);
    if (rarely(!a->map.plain)) {
        UNROLL for (int r = 0; r < ROWS_K; r++) x[r] = key_to_word(&a->map, (bits)x[r]);
    }
    row_sort(x, u);
    layout_write(x, u.base, u.t, low);
    warp_sync();
    if (there)
        store_vectors((key *)a->keys_out + at, a, mine, s.log_k, 32u << s.log_k);
}

/* Sort a tile of any rows. */
DEV void rows_tile(const struct cw_rows_arg *a, struct row_shape s, uint32_t tile)
{
    const struct layout low = layout_of(s.log_k, s.log_k, 0);
    const uint32_t mine = WARP_ID * byte_of(32u << s.log_k, s.log_k);
    struct row_unit u;
    key x[ROWS_K];
    int tied;

    UNIT(u, a, s);
    if (is_direct(a, s)) {
        load_direct(x, a, s, tile);
    } else {
        stage_in(a, s, tile, mine);
        warp_sync();
        layout_read(x, u.base, u.t, low, 0);
    }
    row_sort(x, u);
    tied = any_tied(a, x, ROWS_K);
    layout_write(x, u.base, u.t, low);
    warp_sync();
    if (rarely(tied))
        stage_restore(a, s, tile, mine);
    restored(a, s);
    if (is_direct(a, s))
        store_direct(a, s, tile, mine);
    else
        stage_out(a, s, tile, mine);
    warp_sync(); /* before the next tile comes to the same places */
}

/* Sort the tiles of a class.  This block has tile `turn` and every GRID_DIM-th after it.  Returns
 * its first tile of the next class. */
DEV uint32_t rows_tiles(const struct cw_rows_arg *a, struct row_shape s, uint32_t turn)
{
    const uint32_t tiles = tiles_of(s, s.log_n, row_count(a, s.log_n));
    uint32_t tile = turn;

    ROLL for (; tile < tiles; tile += GRID_DIM) rows_tile(a, s, tile);
    return tile - tiles;
}

/* Sort tiles of a list: rows of less than a warp, or of three quarters. */
DEV uint32_t short_tiles(const struct cw_rows_arg *a, struct row_shape s, uint32_t turn)
{
    const int list = s.log_n + (s.three ? CW_ROWS_THREE : 0);
    const uint64_t count = a->unlisted ? rows_there(a) : row_count(a, list);
    const uint64_t rows = is_long(s) ? 1u : short_rows_of_warp(s) * (BLOCK_DIM / 32u);
    const uint32_t tiles = (uint32_t)((count + rows - 1u) / rows);
    uint32_t tile = turn;

    ROLL for (; tile < tiles; tile += GRID_DIM)
    {
        const uint64_t first = short_first(s, tile);
        uint64_t at;

        if (1u << s.log_n < PIECE)
            short_lanes(a, s, first, list, count);
        else if (are_together(a, s, first, list, count, &at))
            sort_together(a, s, at);
        else
            short_tile(a, s, first, list, count, byte_of(32u << s.log_k, s.log_k));
        warp_sync(); /* before the next tile comes to the same places */
    }
    return tile - tiles;
}

#endif
