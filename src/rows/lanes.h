/* lanes.h - short rows of one length that lie one after another: a lane has a row.
 *
 * A warp has 32 R rows of L words, L at most `places`.  Their keys are one piece of memory.  They are moved
 * 16 bytes a lane, to shared memory in the order in which they stand, and lane l takes rows l, 32 + l,
 * .. from there.  A row's keys may arrive in any order, so lane l asks for key c ^ g in step c, with
 *
 *      L = 2^v times an odd number,  g = the upper v bits of l.
 *
 * No bank is asked twice.  l L (mod 32) is 2^v times a number that differs between all lanes of one
 * g.  The lowest v bits of c ^ g differ between lanes of different g.  c ^ g is below L, since L is a
 * multiple of 2^v.  Sorted keys go back to the same places: in step c the lane stores key c ^ g, which v
 * exchanges of registers have brought to register c.
 *
 * A key with its value, or its place, is one word of 8 bytes in registers.  Keys and values are
 * moved one after the other, each as words of 4 bytes.
 *
 * By offsets a warp looks whether its rows are of one length and lie together.  If they do not, or
 * arrays do not start on 16 bytes, the rows are sorted as rows/short.h does.
 *
 * Time for 16 keys: 4 comparators a key; 2 accesses of shared memory for a word and 2 for four.
 * Batcher's networks (1968).  Exchanges that need no padding are this library's.
 */
#ifndef CW_ROWS_LANES_H
#define CW_ROWS_LANES_H

#include "rows/short.h"

#define LANE_QUADS 10 /* of a lane, at most: 16 bytes each */

struct lane_shape {
    uint32_t places; /* of a row: what its network sorts */
    uint32_t rows;   /* R, of a lane */
};

/* Rows of a warp that lie together. */
struct lane_rows {
    uint64_t item;   /* the first */
    uint32_t length; /* L */
    uint32_t g;
    int v;
};

/* Can rows be moved so? */
DEV int lanes_can(const struct cw_rows_arg *a)
{
    return a->lanes && is_simple(a) && (KEY_LOG == 2 || a->form != CW_ROWS_KEYS);
}

/* Are the warp's rows from `first` on of one length, and do they lie one after another, from 16 bytes
 * on? */
DEV int lanes_together(const struct cw_rows_arg *a, struct lane_shape s, uint64_t first,
                       uint64_t count, struct lane_rows *rows)
{
    int same = 1;

    if (!lanes_can(a) || first + 32u * s.rows > count)
        return 0;
    rows->item = first * a->length;
    rows->length = (uint32_t)a->length;
    if (a->offsets) {
        struct row_bounds b[4] = {{0, 0}};

        UNROLL for (uint32_t j = 0; j < s.rows; j++)
        {
            b[j] = row_bounds_of(a, first + 32u * j + LANE_ID);
        }
        rows->item = shfl8(b[0].start, 0);
        rows->length = (uint32_t)shfl8(b[0].end - b[0].start, 0);
        UNROLL for (uint32_t j = 0; j < s.rows; j++)
        {
            same = same && bounds_hold(a, b[j]) && b[j].end - b[j].start == rows->length &&
                   b[j].start == rows->item + (uint64_t)rows->length * (32u * j + LANE_ID);
        }
        if (!all_of(same && rows->item % 4u == 0))
            return 0;
    }
    rows->v = (int)low_bit(rows->length);
    rows->g = LANE_ID >> (5 - rows->v);
    return 1;
}

/* ---- words of 4 bytes, between global and shared memory -------------------------------------- */

/* Words of an array are on their way. */
DEV void lanes_load(vec16 *q, const uint32_t *in, struct lane_shape s, struct lane_rows rows)
{
    const uint32_t quads = 8u * s.rows * rows.length;

    UNROLL for (uint32_t i = 0; i < s.rows * s.places / 4u; i++)
    {
        const vec16 none = {0, 0, 0, 0};

        q[i] = none;
        if (32u * i + LANE_ID < quads)
            q[i] = gm_ld16(in + rows.item + 4u * (32u * i + LANE_ID));
    }
}

/* Put them in order to shared memory. */
DEV void lanes_stage(const vec16 *q, struct lane_shape s, struct lane_rows rows, uint32_t base)
{
    warp_sync();
    UNROLL for (uint32_t i = 0; i < s.rows * s.places / 4u; i++)
    {
        if (4u * i < s.rows * rows.length)
            sh_st16(base + 16u * (32u * i + LANE_ID), q[i]);
    }
    warp_sync();
}

/* Store what stands in shared memory to an array; to one of 8 bytes, words above which are 0. */
DEV void lanes_store(void *out, uint32_t bytes, struct lane_shape s, struct lane_rows rows,
                     uint32_t base)
{
    const uint32_t quads = 8u * s.rows * rows.length;

    warp_sync();
    if (bytes == 4) {
        uint32_t *const p = (uint32_t *)out + rows.item;

        UNROLL for (uint32_t i = 0; i < s.rows * s.places / 4u; i++)
        {
            if (4u * i < s.rows * rows.length) {
                const vec16 q = sh_ld16_all(base + 16u * (32u * i + LANE_ID));

                if (32u * i + LANE_ID < quads)
                    gm_st16(p + 4u * (32u * i + LANE_ID), q);
            }
        }
    } else {
        uint64_t *const p = (uint64_t *)out + rows.item;

        ROLL for (uint32_t i = 0; 2u * i < s.rows * rows.length; i++)
        {
            const uint64_t x = sh_ld8_all(base + 8u * (32u * i + LANE_ID));
            const vec16 q = {(uint32_t)x, 0, (uint32_t)(x >> 32), 0};

            if (32u * i + LANE_ID < 2u * quads)
                gm_st16(p + 2u * (32u * i + LANE_ID), q);
        }
    }
    warp_sync();
}

/* ---- words of 4 bytes, between shared memory and registers ----------------------------------- */

/* Where key c ^ g of row j of this lane stands, behind the lane's first key. */
DEV uint32_t lanes_at(struct lane_rows rows, uint32_t j, uint32_t c)
{
    return 128u * j * rows.length + ((4u * (c & 7u)) ^ (4u * rows.g & 31u)) +
           ((4u * (c & ~7u)) ^ (4u * rows.g & ~31u));
}

/* Take the words of this lane's rows.  They go above those that x has. */
DEV void lanes_take(key *x, struct lane_shape s, struct lane_rows rows, uint32_t base)
{
    const uint32_t mine = base + 4u * LANE_ID * rows.length;

    UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
    {
        const uint32_t j = i / s.places, c = i % s.places;

        if (c < rows.length) {
            const uint32_t word = sh_ld4(mine + lanes_at(rows, j, c));

            x[i] = KEY_LOG == 2 ? (key)word : x[i] << PAY | word;
        }
    }
}

/* Give the words of this lane's rows; of wider ones the lower halves. */
DEV void lanes_give(const key *x, struct lane_shape s, struct lane_rows rows, uint32_t base)
{
    const uint32_t mine = base + 4u * LANE_ID * rows.length;

    UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
    {
        const uint32_t j = i / s.places, c = i % s.places;

        if (c < rows.length)
            sh_st4(mine + lanes_at(rows, j, c), (uint32_t)x[i]);
    }
}

/* Bring key c ^ g of a row to register c. */
DEV void lanes_exchange(key *x, struct lane_shape s, struct lane_rows rows)
{
    UNROLL for (int b = 0; b < 5; b++)
    {
        if (b < rows.v) {
            const int swap = rows.g >> b & 1u;

            UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
            {
                const uint32_t c = i % s.places, d = 1u << b;

                if (!(c & d) && c + d < s.places) {
                    const key low = x[i], high = x[i + d];

                    x[i] = swap ? high : low;
                    x[i + d] = swap ? low : high;
                }
            }
        }
    }
}

/* ---- a tile ---------------------------------------------------------------------------------- */

/* Words of this lane's rows; places behind a row's end hold the largest. */
DEV void lanes_in(key *x, const struct cw_rows_arg *a, struct lane_shape s, struct lane_rows rows,
                  uint32_t base)
{
    const int pairs = KEY_LOG > 2 && a->form == CW_ROWS_PAIRS;
    vec16 q[LANE_QUADS], values[LANE_QUADS];

    lanes_load(q, (const uint32_t *)a->keys_in, s, rows);
    if (pairs)
        lanes_load(values, (const uint32_t *)a->values_in, s, rows);
    UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++) x[i] = 0;
    lanes_stage(q, s, rows, base);
    lanes_take(x, s, rows, base);
    if (rarely(!a->map.plain)) {
        UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
        {
            x[i] = key_to_rank(&a->map, (bits)x[i]);
        }
    }
    if (pairs) {
        lanes_stage(values, s, rows, base);
        lanes_take(x, s, rows, base);
    } else if (KEY_LOG > 2) {
        UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
        {
            x[i] = x[i] << PAY | (i % s.places ^ rows.g);
        }
    }
    UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
    {
        x[i] = i % s.places < rows.length ? x[i] : KEY_MAX;
    }
}

DEV void lanes_out(key *x, const struct cw_rows_arg *a, struct lane_shape s, struct lane_rows rows,
                   uint32_t base)
{
    lanes_exchange(x, s, rows);
    if (KEY_LOG > 2) {
        warp_sync();
        lanes_give(x, s, rows, base);
        if (a->form == CW_ROWS_PAIRS)
            lanes_store(a->values_out, 4, s, rows, base);
        else if (a->index_out)
            lanes_store(a->index_out, a->index_bytes, s, rows, base);
        UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++) x[i] = x[i] >> PAY;
        if (!a->keys_out)
            return;
    }
    if (rarely(!a->map.plain)) {
        UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
        {
            x[i] = word_to_key(&a->map, (bits)x[i]);
        }
    }
    warp_sync();
    lanes_give(x, s, rows, base);
    lanes_store(a->keys_out, 4, s, rows, base);
}

/* Sort a row's k keys, k at most 64: Batcher's network without the comparators of missing keys. */
DEV void lanes_network(key *x, int k, struct comparator how)
{
    const int levels = k > 32 ? 6 : k > 16 ? 5 : k > 8 ? 4 : 3;

    UNROLL for (int a = 0; a < levels; a++)
    {
        UNROLL for (int b = levels - 1; b >= 0; b--)
        {
            const int d = 1 << b;
            int nth = 0;

            UNROLL for (int i = 0; i < k; i++)
            {
                if (b <= a && i + d < k && batcher(i, d, a))
                    order(&x[i], &x[i + d], nth++, how);
            }
        }
    }
}

DEV void lanes_sort(const struct cw_rows_arg *a, struct lane_shape s, struct lane_rows rows,
                    uint32_t base)
{
    struct comparator how;
    key x[4 * LANE_QUADS];

    how.mads = 0;
    how.one = a->one;
    how.halves = 0;
    lanes_in(x, a, s, rows, base);
    UNROLL for (uint32_t i = 0; i < s.rows * s.places; i += s.places)
    {
        lanes_network(x + i, (int)s.places, how);
    }
    if (rarely(any_tied(a, x, s.rows * s.places))) {
        UNROLL for (uint32_t i = 0; i < s.rows * s.places; i++)
        {
            const uint32_t row = 32u * (i / s.places) + LANE_ID;

            if (i % s.places < rows.length)
                x[i] = word_restored(a, a->keys_in, rows.item + (uint64_t)row * rows.length, x[i]);
        }
    }
    lanes_out(x, a, s, rows, base);
}

/* Sort all tiles.  Rows that do not lie together are sorted as `other` says. */
DEV void lane_tiles(const struct cw_rows_arg *a, struct lane_shape s, struct row_shape other)
{
    const int list = other.log_n + (other.three ? CW_ROWS_THREE : 0);
    const uint32_t apart = CW_ROWS_LANE_SHARED(s.places * s.rows);
    const uint32_t base = WARP_ID * apart;
    const uint64_t count = rows_there(a);
    const uint64_t each = 32u * s.rows * (BLOCK_DIM / 32u);
    const uint32_t tiles = (uint32_t)((count + each - 1u) / each);

    ROLL for (uint32_t tile = BLOCK_ID; tile < tiles; tile += GRID_DIM)
    {
        const uint64_t first = tile * each + 32u * s.rows * WARP_ID;
        struct lane_rows rows;

        if (lanes_together(a, s, first, count, &rows)) {
            lanes_sort(a, s, rows, base);
        } else {
            ROLL for (uint32_t k = 0; k < 32u * s.rows; k += short_rows_of_warp(other))
            {
                short_tile(a, other, first + k, list, count, apart);
                warp_sync(); /* before the next rows come to the same places */
            }
        }
        warp_sync();
    }
}

#endif
