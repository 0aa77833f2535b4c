/* pages.h - transpose in place: every element is moved twice.
 *
 * With tiles of T x T elements an m x n matrix is [p][r][q][c]: tile (p, q), row r and column c of it.
 * There are P x Q of them; what of the last columns is missing stands for nothing, and what of the
 * last rows does not fill tiles is in the workspace meanwhile.
 *
 *      turn      every tile is transposed where it stands: [p][c][q][r].  If sides are no multiples of
 *      spread    T, places for pages are those that rows of the output will have: (q T + c) m + p T.
 *                So tiles move on while they are transposed, the last row of tiles first; who
 *                writes waits until all has been read that stood there
 *      pages     runs of T elements, the pages, change places: [q][c][p][r]
 *      rest      the last rows of the input come from the workspace
 *
 * Page x = (p T + c) Q + q belongs to (q T + c) P + p.  That is a permutation of pages, which has
 * cycles.  Of every `group` pages one is a start, chosen by a hash: `turn` and `spread` put those into
 * the workspace.  A warp begins at the hole that a start has left, fills it with what belongs there,
 * and so on with the hole that this leaves, until a start belongs there: that is in the workspace.
 * So long cycles are moved in pieces, by many warps.  Cycles without a start are short: the warp that
 * has their lowest page moves them, and finds out by following them, which is arithmetic alone.
 * Who meets neither a start nor a lower page is the lowest.
 *      A lane moves its part of every page: nobody waits for anybody.  PAGES_AHEAD pages of a warp
 * are under way at a time.
 *
 * Shared memory: tiles as in transpose/tile.h, as free of conflicts; `pages` has none.
 * Time: two passes over the matrix.  After Gustavson, Karlsson and Kagstroem (2012), who follow
 * cycles of blocks; new here are the starts, and that tiles are spread.
 */
#ifndef CW_TRANSPOSE_PAGES_H
#define CW_TRANSPOSE_PAGES_H

#include "prim/element.h"
#include "prim/least.h"
#include "transpose/job.h"
#include "transpose/tile.h"

#define PAGES_AHEAD 4u

/* x / d, by the integer part of 2^32 / d; *rest is what is left. */
DEV uint32_t pages_divide(uint32_t x, uint32_t d, uint32_t by, uint32_t *rest)
{
    uint32_t q = high4(x, by), r = x - q * d;

    if (r >= d) {
        r -= d;
        q++;
    }
    *rest = r;
    return q;
}

/* The start of a group of pages, counted from its first. */
DEV uint32_t pages_start(const struct transpose_pages *a, uint32_t group)
{
    uint32_t h = group * 0x9e3779b1u;

    h = (h ^ h >> 15) * 0x85ebca77u;
    return high4(h ^ h >> 13, a->group);
}

/* Is page x a start?  *group: of which group. */
DEV int pages_is_start(const struct transpose_pages *a, uint32_t x, uint32_t *group)
{
    uint32_t rest;

    *group = pages_divide(x, a->group, a->by_group, &rest);
    return rest == pages_start(a, *group);
}

/* Page x, or its place: row and part of a row of the output. */
struct pages_place {
    uint32_t row, part;
};

DEV struct pages_place pages_place(const struct transpose_pages *a, uint32_t x)
{
    struct pages_place at;

    at.row = pages_divide(x, a->down, a->by_down, &at.part);
    return at;
}

DEV uint8_t *pages_at(const struct transpose_pages *a, struct pages_place at)
{
    if (at.row < a->columns)
        return value_to(a->data, at.row * a->rows + ((uint64_t)at.part << a->log));
    return value_to(a->more, ((at.row - a->columns) * a->down + at.part) << a->log);
}

/* The page that belongs there. */
DEV uint32_t pages_source(const struct transpose_pages *a, struct pages_place at)
{
    const uint32_t q = at.row >> a->log, c = at.row & ((1u << a->log) - 1u);

    return ((at.part << a->log) + c) * a->across + q;
}

DEV uint8_t *pages_kept(const struct transpose_pages *a, uint32_t group)
{
    return value_to(a->work, (uint64_t)group << a->log);
}

/* Where page x goes first: to its place, or to the workspace. */
DEV uint8_t *pages_first(const struct transpose_pages *a, uint32_t x)
{
    uint32_t group;

    return pages_is_start(a, x, &group) ? pages_kept(a, group) : pages_at(a, pages_place(a, x));
}

/* A warp writes pages of rows i + its first, and so on: each lane says where one of them goes. */
DEV uint64_t pages_mine(const struct transpose_pages *a, uint32_t i, uint32_t part)
{
    const uint32_t y = THREAD_ID / SIDE + LANE_ID % SIDE_TURNS * SIDE_LINES;

    return (uintptr_t)pages_first(a, (i + y) * a->across + part);
}

KERNEL(TRANSPOSE_NAME(turn), struct transpose_pages, TRANSPOSE_THREADS, VALUE_LOG <= 2 ? 6 : 4)
{
    const value zero = VALUE_ZERO;
    const uint32_t mask = (1u << arg->log) - 1u;
    const uint32_t wide = (uint32_t)((arg->columns + SIDE - 1u) / SIDE);
    const uint32_t down = BLOCK_ID / wide, across = BLOCK_ID - down * wide;
    const struct tile t = {(uint64_t)down * SIDE, (uint64_t)across * SIDE, arg->columns, arg->rows,
                           arg->columns};
    const uint32_t x = THREAD_ID % SIDE;
    const uint64_t j = t.j + x;
    value v[SIDE_TURNS];
    uint64_t mine;

    tile_load(v, arg->data, t);
    tile_keep(v, 0u);
    mine = pages_mine(arg, (uint32_t)t.i, (uint32_t)(j >> arg->log));
    block_sync();
    UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
    {
        const uint32_t y = THREAD_ID / SIDE + k * SIDE_LINES;
        const value w = sh_ld_value(((y & ~mask) + (x & mask)) * SIDE_PITCH +
                                    ((x & ~mask) + (y & mask)) * VALUE_WORD);
        uint8_t *const to = (uint8_t *)(uintptr_t)shfl8(mine, k);

        if (t.i + y < t.down && j < t.across)
            gm_st_value(value_to(to, x & mask), w);
    }
}

#define SPREAD_TICKET SIDE_BYTES /* behind the tile */

/* Until all has been read that stood where pages of this row of tiles go. */
DEV void spread_wait(const struct transpose_pages *a, uint32_t row)
{
    const struct pages_place end = pages_place(a, (row + 1u) * SIDE * a->across - 1u);
    const uint64_t last = end.row < a->columns ? end.row * a->rows + end.part * SIDE + SIDE - 1u
                                               : a->rows * a->columns - 1u;
    const uint32_t below = least_of(last / (SIDE * a->columns) + 1u, a->down);

    if (THREAD_ID == 0)
        gm_add4_release(a->count + 1u + row, 1u);
    ROLL for (uint32_t k = row + THREAD_ID; k < below; k += TRANSPOSE_THREADS)
        SPIN_UNTIL(gm_ld4_acquire(a->count + 1u + k) >= a->across);
    block_sync();
}

/* A cooperative launch, of as many blocks as a row has tiles or more: those of a row wait for each
 * other. */
KERNEL(TRANSPOSE_NAME(spread), struct transpose_pages, TRANSPOSE_THREADS, VALUE_LOG <= 2 ? 6 : 4)
{
    const value zero = VALUE_ZERO;
    const uint32_t x = THREAD_ID % SIDE, tiles = arg->down * arg->across;

    for (;;) {
        struct tile t = {0, 0, arg->columns, arg->rows, arg->columns};
        uint32_t ticket, row, across;
        uint64_t mine;
        value v[SIDE_TURNS];

        if (THREAD_ID == 0)
            sh_st4(SPREAD_TICKET, gm_add4(arg->count, 1u));
        block_sync();
        ticket = sh_ld4(SPREAD_TICKET);
        if (ticket >= tiles)
            return;
        row = ticket / arg->across;
        across = ticket - row * arg->across;
        row = arg->down - 1u - row;
        t.i = (uint64_t)row * SIDE;
        t.j = (uint64_t)across * SIDE;
        tile_load(v, arg->data, t);
        tile_keep(v, 0u);
        mine = pages_mine(arg, row * SIDE, across);
        block_sync();
        spread_wait(arg, row);
        UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
        {
            const uint32_t y = THREAD_ID / SIDE + k * SIDE_LINES;
            const value w = sh_ld_value(x * SIDE_PITCH + y * VALUE_WORD);

            gm_st_value(value_to((uint8_t *)(uintptr_t)shfl8(mine, k), x), w);
        }
        block_sync();
    }
}

KERNEL(TRANSPOSE_NAME(rest), struct transpose_pages, TRANSPOSE_THREADS, 4)
{
    const value zero = VALUE_ZERO;
    const uint64_t first = (uint64_t)arg->down << arg->log; /* row */
    const struct tile from = {0, (uint64_t)BLOCK_ID * SIDE, arg->columns, arg->rows - first,
                              arg->columns};
    const struct tile to = {from.j, first, arg->rows, arg->columns, arg->rows};
    value v[SIDE_TURNS];

    tile_load(v, arg->rest, from);
    tile_keep(v, 0u);
    block_sync();
    tile_write(arg->data, to, 0u);
}

/* Fill the hole at `first` and those that follow from it; `cycle`: until it comes back, and
 * what is there goes last. */
DEV void pages_follow(const struct transpose_pages *a, uint32_t first, uint32_t cycle)
{
    const value zero = VALUE_ZERO;
    const uint32_t two = a->log > 5u; /* elements of a lane */
    struct pages_place hole = pages_place(a, first);
    uint32_t done = 0;
    value last[2] = {zero, zero};

    if (cycle) {
        const uint8_t *const from = value_at(pages_at(a, hole), LANE_ID);

        last[0] = gm_ld_value(from);
        if (two)
            last[1] = gm_ld_value(from + 32u * VALUE_BYTES);
    }
    while (!done) {
        uint8_t *to[PAGES_AHEAD];
        uint32_t count = 0;
        value v[PAGES_AHEAD][2];

        UNROLL for (uint32_t k = 0; k < PAGES_AHEAD; k++)
        {
            v[k][0] = last[0];
            v[k][1] = last[1];
            to[k] = NULL;
            if (!done) {
                const uint32_t source = pages_source(a, hole);
                const uint8_t *from;
                uint32_t group = 0;

                to[k] = value_to(pages_at(a, hole), LANE_ID);
                hole = pages_place(a, source);
                done = cycle ? source == first : (uint32_t)pages_is_start(a, source, &group);
                from = value_at(done ? pages_kept(a, group) : pages_at(a, hole), LANE_ID);
                if (!done || !cycle) {
                    v[k][0] = gm_ld_value(from);
                    if (two)
                        v[k][1] = gm_ld_value(from + 32u * VALUE_BYTES);
                }
                count = k + 1u;
            }
        }
        UNROLL for (uint32_t k = 0; k < PAGES_AHEAD; k++)
        {
            if (k < count) {
                gm_st_value(to[k], v[k][0]);
                if (two)
                    gm_st_value(to[k] + 32u * VALUE_BYTES, v[k][1]);
            }
        }
    }
}

/* Is page x the lowest of a cycle of two and more that has no start? */
DEV uint32_t pages_leads(const struct transpose_pages *a, uint32_t x)
{
    uint32_t group, at = x;

    if (x >= a->pages || pages_is_start(a, x, &group) || pages_source(a, pages_place(a, x)) == x)
        return 0;
    for (;;) {
        at = pages_source(a, pages_place(a, at));
        if (at == x)
            return 1;
        if (at < x || pages_is_start(a, at, &group))
            return 0;
    }
}

/* Warps take a group each, then 32 pages each. */
KERNEL(TRANSPOSE_NAME(pages), struct transpose_pages, TRANSPOSE_THREADS, 6)
{
    const uint32_t warp = BLOCK_ID * (TRANSPOSE_THREADS / 32u) + WARP_ID;

    if (warp < arg->groups) {
        const uint32_t first = warp * arg->group + pages_start(arg, warp);

        if (first < arg->pages)
            pages_follow(arg, first, 0u);
    } else {
        const uint32_t from = 32u * (warp - arg->groups);
        uint32_t leads = ballot(pages_leads(arg, from + LANE_ID));

        while (leads) {
            pages_follow(arg, from + low_bit(leads), 1u);
            leads &= leads - 1u;
        }
    }
}

#endif
