/* row_sort.h - sort rows of up to 2^(log_k + log_t) keys, 2^log_t threads a row.
 *
 * Every thread sorts its k = 2^log_k keys (lane_sort.h); then c = 1 .. log_t merges follow, each
 * of pairs of sorted runs of 2^(log_k + c - 1) keys: first the c steps whose partners are in other
 * threads, then log_k steps inside each thread.  The first c steps are done
 *
 *      by shuffles                                   for c <= ROWS_SHUFFLES (warp_merge.h);
 *      in one view that has the c bits in registers  for c <= log_k (row_view.h);
 *      in two such views                             above.
 *
 * The network is the same for every input: so are the addresses, and the time.  No bank is asked
 * twice (row_view.h).
 *
 * Keys arrive in any order, so they are loaded in the order that memory likes; sorted keys go
 * through shared memory once, so that a warp stores 512 bytes in a row.
 *
 * Rows shorter than the network are filled with the largest key, which sorts to the end.
 * Threads of rows that do not exist take part in every barrier and store nothing.
 *
 * Time for 1024 keys in a warp: 52 minima or maxima a key and 3 for the choices, 3 shuffles, 14
 * accesses of shared memory.  Space: k + 4 words of shared memory a thread.
 */
#ifndef CW_ROW_SORT_H
#define CW_ROW_SORT_H

#include "kernels/lane_sort.h"
#include "kernels/warp_merge.h"
#include "kernels/row_view.h"

#ifndef ROWS_SHUFFLES
#define ROWS_SHUFFLES 2
#endif

struct row_unit {
    int log_k;
    int log_t;
    uint32_t t;    /* this thread in the unit: in its warp, or in its block for longer rows */
    uint32_t base; /* the unit's shared memory */
    uint32_t one;
};

/* The barrier around an exchange that reaches up to bit `top` of the element. */
DEV void row_sync(struct row_unit u, int top)
{
    if (top >= u.log_k + 5)
        block_sync();
    else
        warp_sync();
}

/* Merge c goes through 1, 2 or 3 rounds.  Bring the keys into the view of its round `part`;
 * returns how many steps are to be done there. */
DEV int row_exchange(uint32_t *x, struct row_unit u, int c, int part)
{
    const int top = u.log_k + c - 1;
    const int split = c > u.log_k;
    const int g0 = split ? c / 2 : c;  /* bits of the lower view */
    const int g1 = split ? c - g0 : c; /* bits of the upper one, or the only one */
    const struct view low = view_of(u.log_k, u.log_k, 0);
    const struct view first = view_of(u.log_k, top + 1 - g1, g1);
    const struct view second = view_of(u.log_k, u.log_k, g0);

    if (part == 0) {
        view_write(x, u.base, u.t, low);
        row_sync(u, top);
        view_read(x, u.base, u.t, first, 1);
        row_sync(u, top); /* the mirror read what others will write */
        return g1;
    }
    if (part == 1) {
        view_write(x, u.base, u.t, first);
        row_sync(u, top);
        view_read(x, u.base, u.t, split ? second : low, 0);
        return split ? g0 : u.log_k;
    }
    view_write(x, u.base, u.t, second);
    warp_sync();
    view_read(x, u.base, u.t, low, 0);
    return u.log_k;
}

DEV int rounds_of(int c, int log_k)
{
    if (c <= ROWS_SHUFFLES)
        return 1;
    return c > log_k ? 3 : 2;
}

DEV void row_sort(uint32_t *x, struct row_unit u)
{
    int c = 1;
    int part = 0;

    lane_sort(x, u.log_k, u.one);
    ROLL while (c <= u.log_t)
    {
        int g = u.log_k;

        if (c <= ROWS_SHUFFLES)
            warp_merge(x, 1 << u.log_k, c);
        UNROLL for (int d = ROWS_SHUFFLES + 1; d <= u.log_t; d++)
        {
            UNROLL for (int p = 0; p < 3; p++)
            {
                if (c == d && part == p && p < rounds_of(d, u.log_k))
                    g = row_exchange(x, u, d, p);
            }
        }
        lane_merge(x, u.log_k, g, u.one);
        if (++part == rounds_of(c, u.log_k)) {
            part = 0;
            c++;
        }
    }
}

#endif
