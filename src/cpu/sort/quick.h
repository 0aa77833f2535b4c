/* quick.h - words sorted in cache: quicksort, where a processor can partition by vectors.
 *
 * A part of n words has n words of room elsewhere.  A partition leaves the greater words where
 * they are, at the front, and moves the others to the room; so the rest of the room belongs to the
 * greater ones, and the place that they left to the others.  It goes down to the leaves of
 * columns.h.
 *
 * The pivot is a median of 9 words, or of 81.  Where nothing is less than it, all words equal to
 * it are parted from the rest, and are sorted.  Where pivots are bad too often, and on processors
 * that have no such partition, the part is split by its digits (split.h), or merged
 * (sort/merge.h) if keys may only be compared.
 *
 * Time: n log(n / leaf) / lanes.   Space: n words of room, and n for what is sorted.
 */
#ifndef CW_CPU_SORT_QUICK_H
#define CW_CPU_SORT_QUICK_H

#include "cpu/sort/merge.h"
#include "cpu/sort/work.h"

/* Words of x to `out`, with y as room. */
static void slow_sort(const struct cw_sorter *s, struct cw_worker *t, const struct form *f, word *x,
                      word *y, word *out, uint32_t n)
{
    if (s->compare)
        merge_sort(t, x, y, out, n);
    else
        split(t, f, x, y, out, n);
}

#if WORD_LOG < 4

struct quick {
    const struct cw_sorter *s;
    struct cw_worker *t;
    cw_words_part *partition;
};

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
static void quick_sort(const struct quick *q, word *x, word *room, word *out, uint32_t n,
                       uint32_t tries)
{
    while (n > q->t->work->columns->limit[WORD_KIND]) {
        const word pivot = pivot_of(x, n);
        uint32_t low = pivot ? q->partition(x, n, room, pivot - 1) : 0;

        if (!tries--) { /* places are in no order any more: they count like keys */
            const struct form whole = {0};

            memcpy(x + (n - low), room, low * sizeof *x);
            slow_sort(q->s, q->t, &whole, x, room, out, n);
            return;
        }
        if (low) {
            quick_sort(q, room, x + (n - low), out, low, tries);
        } else {
            low = q->partition(x, n, room, pivot);
            for (uint32_t k = 0; k < low; k++)
                out[k] = pivot;
        }
        room += low;
        out += low;
        n -= low;
    }
    add_leaf(q->t, x, out, n);
}

#endif
#endif
