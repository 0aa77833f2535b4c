/* sort_quick_body.h - quicksort of words in cache, down to the leaves of columns.h.
 *
 * A part of n words has n words of room elsewhere.  A partition leaves the greater words where
 * they are, at the front, and moves the others to the room; so the rest of the room belongs to the
 * greater ones, and the place that they left to the others.
 *
 * The pivot is a median of 9 words, or of 81.  Where nothing is less than it, all words equal to
 * it are parted from the rest, and are sorted.  Where pivots are bad too often, the part is split
 * by its digits (split.h), which cannot fail.
 *
 * Time: n log(n / leaf) / lanes.   Space: n words of room, and n for what is sorted.
 */
#ifndef CW_CPU_SORT_QUICK_BODY_H
#define CW_CPU_SORT_QUICK_BODY_H

#include "cpu/sort_quick.h"
#include "cpu/split.h"

#if WORD_LOG < 4

#define PARTITION (WORD_LOG == 2 ? cw_partition4 : cw_partition8)

static inline word middle(word a, word b, word c)
{
    const word less = a < b ? a : b, more = a < b ? b : a;

    return c < less ? less : c > more ? more : c;
}

/* The median of three medians of three words, `step` apart. */
static word median_of_9(const word *x, size_t step)
{
    return middle(middle(x[0], x[step], x[2 * step]), middle(x[3 * step], x[4 * step], x[5 * step]),
                  middle(x[6 * step], x[7 * step], x[8 * step]));
}

static word pivot_of(const word *x, uint32_t n)
{
    word nine[9];

    if (n < 4096)
        return median_of_9(x, n / 9);
    for (uint32_t k = 0; k < 9; k++)
        nine[k] = median_of_9(x + n / 9 * k, n / 81);
    return median_of_9(nine, 1);
}

/* Words of x, which has `room`, to `out`, which is neither. */
static void quick_sort(struct cw_worker *t, const struct form *f, word *x, word *room, word *out,
                       uint32_t n, uint32_t tries)
{
    while (n > t->work->columns->limit[WORD_KIND]) {
        const word pivot = pivot_of(x, n);
        uint32_t low = pivot ? PARTITION(x, n, room, pivot - 1) : 0;

        if (!tries--) {
            memcpy(x + (n - low), room, low * sizeof *x);
            split(t, f, x, room, out, n);
            return;
        }
        if (low) {
            quick_sort(t, f, room, x + (n - low), out, low, tries);
        } else {
            low = PARTITION(x, n, room, pivot);
            for (uint32_t k = 0; k < low; k++)
                out[k] = pivot;
        }
        room += low;
        out += low;
        n -= low;
    }
    add_leaf(t, x, out, n);
}

#endif
#endif
