/* quick.h - words sorted in cache: quicksort, where a processor can partition by vectors.
 *
 * A bucket of n words has n words of room elsewhere.  A partition leaves the greater words where
 * they are, at the front, and moves the others to the room; so the rest of the room belongs to the
 * greater ones, and the place that they left to the others.  It goes down to the leaves of
 * columns.h, into the shorter side first: so no more than log2(n) calls wait for each other.
 *
 * The pivot is a median of 9 words, or of 81, each from a random place of a ninth.  Where nothing
 * is less than it, all words equal to it are parted from the rest, and are sorted.  A pivot is bad
 * if it leaves more than 7/8 together.  After the first one, places come from a seed made then; a
 * bucket that got too many is merged (sort/leaf/merge.h).  Only where processors have such a partition, and
 * for words of 4 and 8 bytes.
 *
 * Quicksort by vectors, down to networks: Bramas (2017); Blacher, Giesen, Sanders and Wassenberg (2022).
 * Medians of medians of three: Tukey, in Bentley and McIlroy (1993).  Giving up after bad pivots:
 * Musser (1997).  Here it ends in a merge, and new places are drawn only after a bad pivot.
 *
 * Time: n log(n / leaf) / lanes on any words.   Space: n words of room, and n for what is sorted.
 */
#ifndef CW_CPU_SORT_QUICK_H
#define CW_CPU_SORT_QUICK_H

#include "cpu/entropy.h"
#include "cpu/sort/leaf/divide.h"

#if WORD_LOG < 4

struct quick {
    struct cw_worker *t;
    cw_words_partition *partition;
    int foreseen; /* for tests: no seed is made */
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

static word pivot_of(struct cw_worker *t, const word *x, uint32_t n)
{
    word nine[9];

    if (n < 4096)
        return median_of_9(x + place_below(t, n / 9), n / 9);
    for (uint32_t k = 0; k < 9; k++)
        nine[k] = median_of_9(x + n / 9 * k + place_below(t, n / 81), n / 81);
    return median_of_9(nine, 1);
}

/* A pivot was bad: from now on nobody foresees them.  How many more may be? */
static uint32_t bad_pivot(const struct quick *q, uint32_t tries)
{
    if (!q->t->alert && !q->foreseen)
        q->t->random ^= cw_entropy();
    q->t->alert = 1;
    return tries - 1;
}

/* Words of x, which has `room`, to `out`, which is neither; after `tries` bad pivots by merges. */
static void quick_sort(const struct quick *q, word *x, word *room, word *out, uint32_t n,
                       uint32_t tries)
{
    while (n > q->t->work->columns->limit[WORD_KIND] && tries) {
        const word pivot = pivot_of(q->t, x, n);
        uint32_t low = pivot ? q->partition(x, n, room, pivot - 1) : 0, high = n - low;
        word *const other = x + high; /* where the lesser words have their room */

        if (low > n - n / 8 || (low && high > n - n / 8))
            tries = bad_pivot(q, tries);
        if (!low) { /* nothing is less: the pivots are done with */
            low = q->partition(x, n, room, pivot);
            if (low < n / 8)
                tries = bad_pivot(q, tries);
            for (uint32_t k = 0; k < low; k++)
                out[k] = pivot;
        } else if (low <= high) {
            quick_sort(q, room, other, out, low, tries);
        } else {
            quick_sort(q, x, room + low, out + low, high, tries);
            x = room;
            room = other;
            n = low;
            continue;
        }
        room += low;
        out += low;
        n -= low;
    }
    if (n > q->t->work->columns->limit[WORD_KIND])
        merge_sort(q->t, x, room, out, n);
    else
        add_leaf(q->t, x, out, n);
}

#endif

#endif
