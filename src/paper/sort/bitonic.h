/* bitonic.h - Batcher's bitonic sort on a linear array: it conflicts.
 *
 * What a GPU programmer writes first.  n = w*m items are one array, item x at
 * address x, so in bank x % w, column x / w (the matrix in column-major order).
 * A stage has n/2 comparators, dealt to the threads in turn: t, t + w, t + 2w, ..,
 * each two reads and two writes.  Take w a power of two.  With stride >= w a warp
 * asks for w neighbours; with a smaller one its w comparators stretch over 2w
 * addresses, and it asks for two words of each of half the banks: two steps for one.
 *
 * Dotsenko's padding puts item x at address x + x / w, leaving one word free in
 * w + 1.  Then the w items x, x + w, x + 2w, .. stand in different banks, which
 * is what threads with w items each want.  To a network it brings little: it ends
 * the conflicts of stride 1 (banks 0, 2, .. and then 1, 3, ..); of a larger stride
 * st < w one word in st gets out of the way, and the stage still takes two steps
 * for one.  The items are moved apart and together again in place, w at a time.
 *
 * Any n.  The first stage of each merge compares i with size-1-i of its block, so
 * that every comparator leaves the smaller item at the smaller index: then indices
 * n and up hold the greatest item for ever, and comparators with them are left out.
 *
 * Time: without conflicts  m lg n (lg n + 1)  steps for n a power of two; padding
 * adds 4(m - 1).   Space: none; padded (m - 2) / w + 1 words a row.
 */
#ifndef CW_PAPER_SORT_BITONIC_H
#define CW_PAPER_SORT_BITONIC_H

#include "paper/view.h"

/* A linear array over all w banks. */
typedef struct linear {
    int w;
    int first; /* column of item 0 */
    int pad;   /* one free word after every w items? */
} linear;

#define linear_place(a, x)   ((unsigned)(x) + ((a).pad ? (unsigned)(x) / (unsigned)(a).w : 0))
#define linear_bank(a, x)    (linear_place(a, x) % (unsigned)(a).w)
#define linear_col(a, x)     ((unsigned)(a).first + linear_place(a, x) / (unsigned)(a).w)
#define item_get(s, a, x)    bank_read((s), linear_bank(a, x), linear_col(a, x))
#define item_put(s, a, x, y) bank_write((s), linear_bank(a, x), linear_col(a, x), (y))

DEV linear linear_make(int w, int first, int pad)
{
    linear a;

    a.w = w;
    a.first = first;
    a.pad = pad;
    return a;
}

/* From the layout of `from` to that of `to`, which begin at the same column, w
 * neighbours at a time: to the padded one from the back, to the plain one from the
 * front, so that what is overwritten has been moved.  w neighbours stand in w banks
 * in both layouts, so no bank is asked twice. */
DEV void linear_move(mem s, linear from, linear to, int m)
{
    const int i = lane_id(s);

    for (int k = 1; k < m; k++) {
        const int x = (to.pad ? m - k : k) * to.w + i;
        word y;

        group_sync(s, 0, 1, to.w);
        y = item_get(s, from, x);
        group_sync(s, 0, 1, to.w); /* all are held before one of them is overwritten */
        item_put(s, to, x, y);
    }
    group_sync(s, 0, 1, to.w);
}

/* Put the smaller of two items at lo; nothing to do if hi is behind the array. */
DEV void exchange_items(mem s, linear a, int lo, int hi, int n)
{
    word x, y;

    if (hi >= n)
        return;
    x = item_get(s, a, lo);
    y = item_get(s, a, hi);
    item_put(s, a, lo, x < y ? x : y);
    item_put(s, a, hi, x < y ? y : x);
}

/* One stage: comparator t has its lower item at 2t - t % stride; the upper one is
 * `stride` above it, or at the mirrored place of the block of 2 * stride.  All w
 * threads begin a round of comparators together, as a warp does. */
DEV void bitonic_stage(mem s, linear a, int n, int stride, int mirror)
{
    group_sync(s, 0, 1, a.w);
    for (int t = 0; 2 * t - (t & (stride - 1)) < n; t += a.w) {
        const int me = t + lane_id(s);
        const int off = me & (stride - 1);
        const int lo = 2 * me - off;

        exchange_items(s, a, lo, lo + (mirror ? 2 * (stride - off) - 1 : stride), n);
        group_sync(s, 0, 1, a.w);
    }
}

DEV void bitonic_sort(mem s, linear a, int n)
{
    for (int half = 1; half < n; half *= 2) {
        bitonic_stage(s, a, n, half, 1);
        for (int stride = half / 2; stride > 0; stride /= 2)
            bitonic_stage(s, a, n, stride, 0);
        phase_mark(s, 0, 1, a.w, a.first, n / a.w, "runs merged");
    }
}

#endif
