/* block_sort.h - sort rows of 2^log_n keys in registers, 2^log_k keys a thread.
 *
 * Every thread sorts its k = 2^log_k keys (prim/thread_sort.h).  If rows are shorter, these are
 * several rows.  Then merges c = 1 .. log_n - log_k follow, each of pairs of sorted runs of
 * 2^(log_k + c - 1) keys.  A merge has c steps whose partners are in other threads, then log_k
 * steps inside each thread.  The first c steps are done
 *
 *      by shuffles                                      for c <= shuffles (warp_merge.h);
 *      in a layout that has the c bits in registers     for c <= log_k (prim/register_layout.h);
 *      in two or three layouts that share them          above.
 *
 * The first layout of a merge sorts its columns by an odd-even merge, which is one step cheaper
 * than a bitonic one (prim/register_layout.h says why that is enough).
 *
 * The network is the same for every input, and so are the addresses and the time.  No bank is asked
 * twice (prim/register_layout.h).
 *
 * For rows of a warp and more, the last log_k steps of all merges are one piece of code in a loop.
 * A sort that is unrolled through all of them waits for its instructions.  (One piece of code for
 * the steps in all layouts costs more in moves between registers than it saves.)
 *
 * Time for 1024 keys in a warp, shuffles = 2: 49 minima or maxima a key and 3 for the choices, 3
 * shuffles, 12 accesses of shared memory.  Space: k + 4 words of shared memory a thread.
 *
 * Batcher's networks (1968), in registers and by shuffles as in the warp sorts of CUB and
 * moderngpu.  It departs in the register layouts between which shared memory exchanges keys without
 * a conflict.
 */
#ifndef CW_PRIM_BLOCK_SORT_H
#define CW_PRIM_BLOCK_SORT_H

#include "prim/thread_sort.h"
#include "prim/warp_merge.h"
#include "prim/register_layout.h"

struct row_unit {
    int log_k;
    int log_n;
    int shuffles; /* merges between threads that go by shuffles, 1 or more */
    struct comparator how;
    uint32_t t;    /* this thread in the unit: in its warp, or in its block for longer rows */
    uint32_t base; /* the unit's shared memory */
};

/* A unit of a whole block, with 2^bits words a thread.  A macro: what it sets must stay
 * constants. */
#define ROW_UNIT(u, a, bits, n, merges, multiply, at) \
    do {                                              \
        (u).log_k = (bits);                           \
        (u).log_n = (n);                              \
        (u).shuffles = (merges);                      \
        (u).how.mads = (multiply);                    \
        (u).how.one = (a)->one;                       \
        (u).how.halves = 0;                           \
        (u).t = THREAD_ID;                            \
        (u).base = (at);                              \
    } while (0)

/* The barrier after an exchange through a layout whose highest bit is `top`.  A layout below the
 * bits that number warps keeps a warp's elements in the warp, and so does the low one: then it is a
 * warp's barrier. */
DEV void row_sync(struct row_unit u, int top)
{
    if (top >= u.log_k + 5)
        block_sync();
    else
        warp_sync();
}

/* How merge c shares its c bits among layouts.  The lowest layout has `last` of them, one above it
 * has `middle`, and the highest, which comes first, has the rest.  A layout that is not the lowest
 * needs 3 bits or more (prim/register_layout.h).  The lowest layout is the same for as many c as
 * can be, since its code is shared. */
DEV int last_bits(int c, int log_k)
{
    const int rest = c - log_k > 3 ? c - log_k : 3;

    if (c <= log_k)
        return 0;
    if (c > 2 * log_k)
        return 3;
    return rest < c - 3 ? rest : c - 3;
}

DEV int middle_bits(int c, int log_k)
{
    return c > 2 * log_k ? 3 : 0;
}

/* Do the steps of a layout in which the sequence is bitonic. */
DEV void row_next(key *x, struct row_unit u, int h, int g)
{
    const struct layout v = layout_of(u.log_k, h, g);

    layout_read(x, u.base, u.t, v, 0);
    lane_merge(x, u.log_k, g, u.how);
    layout_write(x, u.base, u.t, v);
    row_sync(u, h + g - 1);
}

/* Do the steps of merge c in its highest layout, and in the middle one; then keys are back in the
 * low layout.  `runs`: two ascending runs are merged.  Otherwise they are bitonic already. */
DEV void row_first(key *x, struct row_unit u, int c, int runs)
{
    const int below = last_bits(c, u.log_k) + middle_bits(c, u.log_k);
    const struct layout v = layout_of(u.log_k, u.log_k + below, c - below);
    const int top = u.log_k + c - 1;

    row_sync(u, top);
    layout_read(x, u.base, u.t, v, runs);
    if (runs) {
        row_sync(u, top); /* the mirror read what others will write */
        lane_join(x, u.log_k, v.g, u.how);
    } else {
        lane_merge(x, u.log_k, v.g, u.how);
    }
    layout_write(x, u.base, u.t, v);
    row_sync(u, top);
    if (middle_bits(c, u.log_k))
        row_next(x, u, u.log_k + last_bits(c, u.log_k), middle_bits(c, u.log_k));
}

/* Do the steps of merge c that concern other threads.  Its runs are 2^(c-1) threads long.  The
 * compiler need not know c, but it must know that c is above `least` and at most `most`.  Without
 * `runs` the words are in shared memory already, in the low layout's places, and not in x. */
DEV void row_merge(key *x, struct row_unit u, int c, int least, int most, int runs)
{
    const struct layout low = layout_of(u.log_k, u.log_k, 0);

    if (runs)
        layout_write(x, u.base, u.t, low);
    if (c == 2 && least < 2 && most >= 2) /* no loop: compilers unroll only so much */
        row_first(x, u, 2, runs);
    if (c == 3 && least < 3 && most >= 3)
        row_first(x, u, 3, runs);
    if (c == 4 && least < 4 && most >= 4)
        row_first(x, u, 4, runs);
    if (c == 5 && least < 5 && most >= 5)
        row_first(x, u, 5, runs);
    if (c == 6 && least < 6 && most >= 6)
        row_first(x, u, 6, runs);
    if (c == 7 && least < 7 && most >= 7)
        row_first(x, u, 7, runs);
    if (c == 8 && least < 8 && most >= 8)
        row_first(x, u, 8, runs);
    if (c == 9 && least < 9 && most >= 9)
        row_first(x, u, 9, runs);
    if (c == 10 && most >= 10)
        row_first(x, u, 10, runs);
    UNROLL for (int g = 2; g <= 5; g++)
    {
        unsigned some = 0;

        UNROLL for (int d = 1; d <= 10; d++)
        {
            if (d > least && d <= most && last_bits(d, u.log_k) == g)
                some |= 1u << d;
        }
        if (some >> c & 1u)
            row_next(x, u, u.log_k, g);
    }
    layout_read(x, u.base, u.t, low, 0);
}

DEV void row_round(key *x, struct row_unit u, int c)
{
    if (c <= u.shuffles)
        warp_merge(x, 1 << u.log_k, c, u.how);
    else
        row_merge(x, u, c, u.shuffles, u.log_n - u.log_k, 1);
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

/* Sort a bitonic sequence of 2^log_n keys into x.  It stands in shared memory, in the low layout's
 * places. */
DEV void row_bitonic(key *x, struct row_unit u)
{
    const int c = u.log_n - u.log_k;

    row_merge(x, u, c, c - 1, c, 0);
    lane_merge(x, u.log_k, u.log_k, u.how);
}

#endif
