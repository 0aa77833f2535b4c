/* row_sort.h - sort rows of 2^log_n keys in registers, 2^log_k keys a thread.
 *
 * Every thread sorts its k = 2^log_k keys (lane_sort.h), which are several rows if rows are
 * shorter.  Then merges c = 1 .. log_n - log_k follow, each of pairs of sorted runs of
 * 2^(log_k + c - 1) keys: first the c steps whose partners are in other threads, then log_k steps
 * inside each thread.  The first c steps are done
 *
 *      by shuffles                                   for c <= shuffles (warp_merge.h);
 *      in one view that has the c bits in registers  for c <= log_k (row_view.h);
 *      in two such views                             above.
 *
 * The network is the same for every input: so are the addresses, and the time.  No bank is asked
 * twice (row_view.h).
 *
 * For rows of more than a warp the last log_k steps of all merges are one piece of code in a loop:
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

/* The barrier around an exchange that reaches up to bit `top` of the element. */
DEV void row_sync(struct row_unit u, int top)
{
    if (top >= u.log_k + 5)
        block_sync();
    else
        warp_sync();
}

/* The c steps of merge c between threads. */
DEV void row_merge(key *x, struct row_unit u, int c)
{
    const int top = u.log_k + c - 1;
    const int split = c > u.log_k;
    const int g0 = split ? c / 2 : 0; /* bits of the lower view, if there are two */
    const int g1 = c - g0;
    const struct view low = view_of(u.log_k, u.log_k, 0);
    const struct view upper = view_of(u.log_k, top + 1 - g1, g1);
    const struct view lower = view_of(u.log_k, u.log_k, g0);

    view_write(x, u.base, u.t, low);
    row_sync(u, top);
    view_read(x, u.base, u.t, upper, 1);
    row_sync(u, top); /* the mirror read what others will write */
    lane_merge(x, u.log_k, g1, u.how);
    view_write(x, u.base, u.t, upper);
    row_sync(u, top);
    if (split) {
        view_read(x, u.base, u.t, lower, 0);
        lane_merge(x, u.log_k, g0, u.how);
        view_write(x, u.base, u.t, lower);
        warp_sync(); /* the lower view and the low one share a warp's keys */
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
    if (log_t <= 5) {
        UNROLL for (int c = 1; c <= log_t; c++) row_round(x, u, c);
        return;
    }
    ROLL for (int c = 1; c <= log_t; c++)
    {
        /* 0, but not to the compiler, which would hold the addresses of all views in registers */
        u.t ^= mad4((uint32_t)c, u.how.one, 0u - (uint32_t)c);
        row_round(x, u, c);
    }
}

#endif
