/* sort_tall.h - theorem 2: a tall matrix, h > m.
 *
 * The paper: sort rows; sort columns; column-major to row-major, which leaves at
 * most m dirty rows; sort columns, which makes them contiguous; sort m x m blocks in
 * alternating directions, which leaves two dirty rows; sort columns; sort rows.
 * tall_literal is that.
 *
 * sort_tall takes any h > m, by whichever of these needs fewest steps:
 *
 *  THREE  columns in alternating directions, c2r, columns, blocks in alternating
 *         directions (of nearly equal height, at most m), columns, bitonic_row.
 *         The first row sort is not needed; alternating halves the dirty rows.
 *  ONE    blocks in alternating directions: at most ceil(q/2) dirty rows for q
 *         blocks once the columns are sorted; blocks; blocks shifted by half.
 *         Needs ceil(q/2) - 1 <= half a block: the dirty rows that a block's edge
 *         cuts off lie within half a block of that edge.
 *  PAD    fill up to a square with items above all others, sort that, and pack:
 *         two conversions.  Pays where h is not much above m.
 *
 * Columns: Batcher's network or Cole's mergesort (then always THREE).
 * Time: tall_steps.   Space: two buffers of tall_width words, and Cole's arrays.
 */
#ifndef CW_PAPER_SORT_SORT_TALL_H
#define CW_PAPER_SORT_SORT_TALL_H

#include "paper/sort/network.h"
#include "paper/sort/sort_square.h"
#include "paper/sort/sort_wide.h"

#if WORD_BITS >= 64
#include "paper/sort/cole.h"
#else /* three ranks of Cole's share a word of 64 bits: with narrower words, the network */
#define cole_sort_column(s, v, column, desc, aux) network_column((s), (v), (column), (desc))
#endif

enum { TALL_THREE, TALL_ONE, TALL_PAD };

/* How the columns are sorted: by Cole's mergesort with its arrays at column cole,
 * or by the network if cole < 0. */
DEV void tall_columns(mem s, view v, int cole, int alt, int desc)
{
    for (int c = 0; c < v.m; c++) {
        if (cole < 0)
            network_column(s, v, c, desc ^ (alt & c & 1));
        else
            cole_sort_column(s, v, c, desc ^ (alt & c & 1), cole);
    }
    view_sync(s, v);
}

DEV int tall_blocks(int h, int m)
{
    return (h + m - 1) / m;
}

/* Rows that hold items to fill up: their key must be above all others, so counting needs
 * one bit more, and merges where there is none. */
DEV sorter pad_sorter(sorter by)
{
    if (by.bits)
        by.bits = by.shift + by.bits < 64 ? by.bits + 1 : 0;
    return by;
}

DEV long long tall_pad_steps(int h, int m, sorter by)
{
    return wide_steps(h, h, pad_sorter(by)) + 3LL * h + m;
}

/* Which variant, judged by the highest block. */
DEV int tall_variant(int h, int m, sorter by)
{
    const int q = tall_blocks(h, m);
    const long long block = wide_steps((h + q - 1) / q, m, by);
    const long long columns = m * network_column_steps(h);
    long long best = 3 * columns + 2LL * m + block + bitonic_row_steps(m);
    int variant = TALL_THREE;

    if (m > 1 && (q + 1) / 2 - 1 <= h / q / 2 && columns + 3 * block < best) {
        best = columns + 3 * block;
        variant = TALL_ONE;
    }
    if (m > 1 && h <= 4 * m && tall_pad_steps(h, m, by) < best)
        variant = TALL_PAD;
    return variant;
}

/* The row where block i begins, and the row in its middle. */
DEV int block_start(int h, int q, int i)
{
    return (int)((long long)h * i / q);
}

DEV int block_middle(int h, int q, int i)
{
    const int from = block_start(h, q, i);

    return i >= q ? h : from + (block_start(h, q, i + 1) - from) / 2;
}

/* Sort the blocks of v; `alt` turns odd ones round. */
DEV void tall_block_sort(mem s, view v, int alt, int desc)
{
    int i;
    const view block = super_row(s, v, tall_blocks(v.h, v.m), &i);

    sort_wide(s, block, desc ^ (alt & i));
    view_sync(s, v);
}

/* Sort windows from the middle of one block to the middle of the next. */
DEV void tall_shifted_sort(mem s, view v, int desc)
{
    const int q = tall_blocks(v.h, v.m), r = view_row(s, v);
    int i, from, to;

    super_row(s, v, q, &i);
    if (r < block_middle(v.h, q, i))
        i--;
    from = i < 0 ? 0 : block_middle(v.h, q, i);
    to = i + 1 < q ? block_middle(v.h, q, i + 1) : v.h;
    sort_wide(s, view_rows(v, from, to), desc);
    view_sync(s, v);
}

DEV void tall_three(mem s, view v, int cole, int desc)
{
    tall_columns(s, v, cole, 1, desc);
    view_phase(s, v, "tall: columns alternate");
    v = c2r(s, v);
    view_phase(s, v, "tall: columns laid into rows");
    tall_columns(s, v, cole, 0, desc);
    view_phase(s, v, "tall: dirty rows contiguous");
    tall_block_sort(s, v, 1, desc);
    view_phase(s, v, "tall: blocks alternate");
    tall_columns(s, v, cole, 0, desc);
    view_phase(s, v, "tall: one dirty row");
    bitonic_row(s, lane_id(s), v.a, v.b, v.m, desc);
    view_phase(s, view_flip(v), "tall: sorted");
}

DEV void tall_one(mem s, view v, int desc)
{
    tall_block_sort(s, v, 1, desc);
    view_phase(s, v, "tall: blocks alternate");
    tall_columns(s, v, -1, 0, desc);
    view_phase(s, v, "tall: dirty rows contiguous");
    tall_block_sort(s, v, 0, desc);
    view_phase(s, v, "tall: blocks sorted");
    tall_shifted_sort(s, v, desc);
    view_phase(s, v, "tall: sorted");
}

/* The items that fill up are WORD_MAX (0 for a descending sort): above, or equal to,
 * all others, so whole words cannot tell them apart and none is lost. */
DEV void tall_pad(mem s, view v, int desc)
{
    const int m = v.m;
    view square = view_wide(v, v.h);

    square.by = pad_sorter(v.by);
    if (desc)
        square.by.bits = 0; /* nothing is below the key 0 */
    for (int c = m; c < v.h; c++)
        bank_write(s, lane_id(s), v.a + c, desc ? (word)0 : (word)WORD_MAX);
    view_sync(s, v);
    sort_wide(s, square, desc);
    square = r2c_part(s, square, m, 0);
    c2r(s, view_wide(square, m));
    view_phase(s, v, "tall: sorted");
}

/* Sort v, h > m, in row-major order, where it stands; cole < 0: columns by the network. */
DEV void sort_tall(mem s, view v, int cole, int desc)
{
    const int variant = cole < 0 ? tall_variant(v.h, v.m, v.by) : TALL_THREE;

    if (v.m == 1)
        tall_columns(s, v, cole, 0, desc);
    else if (variant == TALL_ONE)
        tall_one(s, v, desc);
    else if (variant == TALL_PAD)
        tall_pad(s, v, desc);
    else
        tall_three(s, v, cole, desc);
}

/* The paper's algorithm, word for word; m | h, and theorem 1 holds for m with groups of g. */
DEV void tall_literal(mem s, view v, int cole, int g, int desc)
{
    const int i = view_row(s, v) / v.m;
    const int to = (i + 1) * v.m < v.h ? (i + 1) * v.m : v.h;

    sort_rows(s, v, desc, 0, v.a);
    tall_columns(s, v, cole, 0, desc);
    view_phase(s, v, "theorem 2: columns sorted");
    v = c2r(s, v);
    view_phase(s, v, "theorem 2: columns laid into rows");
    tall_columns(s, v, cole, 0, desc);
    view_phase(s, v, "theorem 2: dirty rows contiguous");
    square_literal(s, view_rows(v, i * v.m, to), g, desc ^ (i & 1));
    view_phase(s, v, "theorem 2: squares alternate");
    tall_columns(s, v, cole, 0, desc);
    view_phase(s, v, "theorem 2: one dirty row");
    sort_rows(s, v, desc, 0, v.b);
    view_phase(s, view_flip(v), "theorem 2: sorted");
}

/* Any shape. */
DEV void sort_any(mem s, view v, int desc)
{
    if (v.h <= v.m)
        sort_wide(s, v, desc);
    else
        sort_tall(s, v, -1, desc);
}

/* ---- steps and space, known from the shape ------------------------------- */

/* Height of block i, or (shifted) of the window that begins in its middle; i = -1 is
 * the window above the first middle. */
DEV int tall_part(int h, int m, int i, int shifted)
{
    const int q = tall_blocks(h, m);

    if (!shifted)
        return i < 0 ? 0 : block_start(h, q, i + 1) - block_start(h, q, i);
    return block_middle(h, q, i + 1) - (i < 0 ? 0 : block_middle(h, q, i));
}

/* Steps of the slowest block or window. */
DEV long long tall_part_steps(int h, int m, sorter by, int shifted)
{
    const int q = tall_blocks(h, m);
    long long most = 0, steps = 0;

    for (int i = -1, before_it = 0; i < q; i++) {
        const int height = tall_part(h, m, i, shifted);

        if (height > 0 && height != before_it)
            steps = wide_steps(height, m, by);
        before_it = height;
        most = height > 0 && steps > most ? steps : most;
    }
    return most;
}

DEV long long tall_steps(int h, int m, sorter by)
{
    const long long columns = m * network_column_steps(h);

    if (m == 1)
        return columns;
    switch (tall_variant(h, m, by)) {
    case TALL_ONE:
        return columns + 2 * tall_part_steps(h, m, by, 0) + tall_part_steps(h, m, by, 1);
    case TALL_PAD:
        return tall_pad_steps(h, m, by);
    default:
        return 3 * columns + 2LL * m + tall_part_steps(h, m, by, 0) + bitonic_row_steps(m);
    }
}

DEV long long tall_literal_steps(int h, int m, sorter by)
{
    return order_steps(m, by, 0) + order_steps(m, by, 1) + 3 * m * network_column_steps(h) +
           2LL * m + square_literal_steps(m, by);
}

/* Columns of each buffer that a variant needs. */
DEV int tall_width(int h, int m, sorter by, int variant)
{
    const int q = tall_blocks(h, m);
    int width = m;

    if (variant == TALL_PAD)
        return wide_width(h, h, pad_sorter(by));
    for (int shifted = 0; shifted <= (variant == TALL_ONE); shifted++) {
        for (int i = -1, before_it = 0; i < q; i++) {
            const int height = tall_part(h, m, i, shifted);
            const int one = height > 0 && height != before_it ? wide_width(height, m, by) : 0;

            before_it = height;
            width = one > width ? one : width;
        }
    }
    return width;
}

DEV long long any_steps(int h, int m, sorter by)
{
    return h <= m ? wide_steps(h, m, by) : tall_steps(h, m, by);
}

DEV int any_width(int h, int m, sorter by)
{
    return h <= m   ? wide_width(h, m, by)
           : m == 1 ? 1
                    : tall_width(h, m, by, tall_variant(h, m, by));
}

#endif
