/* pages.h - transpose in place where rows and columns are multiples of 32: every element is moved
 * twice.
 *
 * With tiles of T x T elements, T = 32 or 64, an m x n matrix is [p][r][q][c]: tile (p, q), row r
 * and column c of it.
 *
 *      turn      every tile is transposed where it stands: [p][c][q][r]
 *      pages     runs of T elements, the pages, change places: [q][c][p][r]
 *
 * Page x = (p T + c) Q + q belongs to (q T + c) P + p.  That is a permutation of pages, which has
 * cycles.  Of every `group` pages one is a start, chosen by a hash: `turn` puts those into the
 * workspace.  A warp begins at the hole that a start has left, fills it with what belongs there, and
 * so on with the hole that this leaves, until a start belongs there: that is in the workspace.  So
 * long cycles are moved in pieces, by many warps.  Cycles without a start are short: the warp that
 * has their lowest page moves them, and finds out by following them, which is arithmetic alone.
 * Who meets neither a start nor a lower page is the lowest.
 *      A lane moves its part of every page: nobody waits for anybody.  PAGES_AHEAD pages of a warp
 * are under way at a time.
 *
 * Shared memory: `turn` has tiles as in transpose/tile.h, and as free of conflicts; `pages` none.
 * Time: two passes over the matrix.  After Gustavson, Karlsson and Kagstroem (2012), who follow
 * cycles of blocks; new here are the starts.
 */
#ifndef CW_TRANSPOSE_PAGES_H
#define CW_TRANSPOSE_PAGES_H

#include "prim/element.h"
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

/* The page that belongs into place x. */
DEV uint32_t pages_source(const struct transpose_pages *a, uint32_t x)
{
    uint32_t p;
    const uint32_t row = pages_divide(x, a->down, a->by_down, &p);
    const uint32_t q = row >> a->log, c = row & ((1u << a->log) - 1u);

    return ((p << a->log) + c) * a->across + q;
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

    tile_load(v, arg->data, t);
    tile_keep(v, 0u);
    block_sync();
    UNROLL for (uint32_t k = 0; k < SIDE_TURNS; k++)
    {
        const uint32_t y = THREAD_ID / SIDE + k * SIDE_LINES;
        const uint64_t i = t.i + y;
        const uint32_t page = (uint32_t)i * arg->across + (uint32_t)(j >> arg->log);
        const value w = sh_ld_value(((y & ~mask) + (x & mask)) * SIDE_PITCH +
                                    ((x & ~mask) + (y & mask)) * VALUE_WORD);
        uint32_t group;

        if (i < t.down && j < t.across) {
            if (pages_is_start(arg, page, &group))
                gm_st_value(value_to(arg->work, ((uint64_t)group << arg->log) + (x & mask)), w);
            else
                gm_st_value(value_to(arg->data, i * arg->columns + j), w);
        }
    }
}

/* A lane's part of a page. */
#define pages_at(base, page) value_to(base, 32u * (uint64_t)(page) + LANE_ID)

/* Fill the hole at `first` and those that follow from it; `cycle`: until it comes back, and
 * what is there goes last. */
DEV void pages_follow(const struct transpose_pages *a, uint32_t first, uint32_t cycle)
{
    const value zero = VALUE_ZERO;
    uint32_t hole = first, done = 0;
    value last = zero;

    if (cycle)
        last = gm_ld_value(pages_at(a->data, first));
    while (!done) {
        uint32_t to[PAGES_AHEAD], count = 0;
        value v[PAGES_AHEAD];

        UNROLL for (uint32_t k = 0; k < PAGES_AHEAD; k++)
        {
            const uint32_t from = pages_source(a, hole);
            uint32_t group;
            const uint32_t ends = cycle ? from == first : (uint32_t)pages_is_start(a, from, &group);

            to[k] = hole;
            v[k] = last;
            if (!done) {
                count = k + 1u;
                hole = from;
                if (!ends)
                    v[k] = gm_ld_value(pages_at(a->data, from));
                else if (!cycle)
                    v[k] = gm_ld_value(pages_at(a->work, group));
                done = ends;
            }
        }
        UNROLL for (uint32_t k = 0; k < PAGES_AHEAD; k++)
        {
            if (k < count)
                gm_st_value(pages_at(a->data, to[k]), v[k]);
        }
    }
}

/* Is page x the lowest of a cycle of two and more that has no start? */
DEV uint32_t pages_leads(const struct transpose_pages *a, uint32_t x)
{
    uint32_t group, at = x;

    if (x >= a->pages || pages_is_start(a, x, &group) || pages_source(a, x) == x)
        return 0;
    for (;;) {
        at = pages_source(a, at);
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
