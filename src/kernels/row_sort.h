/* row_sort.h - sort rows of 2^log_n keys in registers, 2^log_k keys a thread.
 *
 * Every thread sorts its k = 2^log_k keys (lane_sort.h), which are several rows if rows are
 * shorter.  Then merges c = 1 .. log_n - log_k follow, each of pairs of sorted runs of
 * 2^(log_k + c - 1) keys: first the c steps whose partners are in other threads, then log_k steps
 * inside each thread.  The first c steps are done
 *
 *      by shuffles                                    for c <= shuffles (warp_merge.h);
 *      in a view that has the c bits in registers     for c <= log_k (row_view.h);
 *      in two or three that share them                above.
 *
 * The network is the same for every input: so are the addresses, and the time.  No bank is asked
 * twice (row_view.h).
 *
 * For rows of a warp and more the last log_k steps of all merges are one piece of code in a loop:
 * a sort unrolled through all of them waits for its instructions.  (Going further, one piece for
 * the steps in all views, costs more in moves between registers than it saves.)
 *
 * Time for 1024 keys in a warp, shuffles = 2: 52 minima or maxima a key and 3 for the choices, 3
 * shuffles, 12 accesses of shared memory.  Space: k + 4 words of shared memory a thread.
 */
#ifndef CW_ROW_SORT_H
#define CW_ROW_SORT_H

#include "kernels/lane_sort.h"
#include "kernels/warp_merge.h"
#include "kernels/row_view.h"

struct row_unit {
    int log_k;
    int log_n;
    int shuffles; /* merges between threads that go by shuffles, 1 or more */
    struct comparator how;
    uint32_t t;    /* this thread in the unit: in its warp, or in its block for longer rows */
    uint32_t base; /* the unit's shared memory */
};

/* The barrier after an exchange through a view whose highest bit is `top`.  A view below the bits
 * that number warps, and the low one, keep a warp's elements in the warp. */
DEV void row_sync(struct row_unit u, int top)
{
    if (top >= u.log_k + 5)
        block_sync();
    else
        warp_sync();
}

/* The c steps of merge c between threads, in as few views as have room for c bits, which share
 * them evenly, the upper ones first. */
DEV void row_merge(key *x, struct row_unit u, int c)
{
    const struct view low = view_of(u.log_k, u.log_k, 0);
    const int views = (c + u.log_k - 1) / u.log_k;
    int h = u.log_k + c;

    view_write(x, u.base, u.t, low);
    row_sync(u, h - 1);
    UNROLL for (int i = 0; i < views; i++)
    {
        const int top = h - 1;
        const int g = (c + views - 1 - i) / views;
        const struct view v = view_of(u.log_k, h - g, g);

        view_read(x, u.base, u.t, v, i == 0);
        if (i == 0)
            row_sync(u, top); /* the mirror read what others will write */
        lane_merge(x, u.log_k, g, u.how);
        view_write(x, u.base, u.t, v);
        row_sync(u, top);
        h -= g;
    }
    view_read(x, u.base, u.t, low, 0);
}

/* Merge c, of runs that are 2^(c-1) threads long. */
DEV void row_round(key *x, struct row_unit u, int c)
{
    if (c <= u.shuffles)
        warp_merge(x, 1 << u.log_k, c);
    UNROLL for (int d = u.shuffles + 1; d <= u.log_n - u.log_k; d++)
    {
        if (c == d)
            row_merge(x, u, d);
    }
    lane_merge(x, u.log_k, u.log_k, u.how);
}

DEV void row_sort(key *x, struct row_unit u)
{
    const int log_t = u.log_n - u.log_k;

    lane_sort(x, u.log_k, log_t < 0 ? u.log_n : u.log_k, u.how);
    if (log_t < 5) {
        UNROLL for (int c = 1; c <= log_t; c++) row_round(x, u, c);
    } else {
        ROLL for (int c = 1; c <= log_t; c++) row_round(x, u, c);
    }
}

#endif
