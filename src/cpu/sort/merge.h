/* merge.h - words sorted by comparisons: leaves by networks (columns.h), then merges.
 *
 * Runs of equal length are merged from both ends at once, with no branch that depends on keys: so
 * many steps from the front and from the back as a run is long, and neither can leave its runs.
 *
 * Time: n * log2(n / leaf) steps, the same for all keys.
 */
#ifndef CW_CPU_SORT_MERGE_H
#define CW_CPU_SORT_MERGE_H

#include "cpu/partition/split.h"

static inline int before(word x, word y)
{
#if WORD_LOG < 4
    return x < y;
#else
    return (x.key < y.key) | ((x.key == y.key) & (x.place < y.place));
#endif
}

/* x[0 .. n-1] and x[n .. 2n-1] to y. */
static void merge_equal(const word *x, uint32_t n, word *y)
{
    const word *a = x, *b = x + n, *c = x + n - 1, *d = x + 2 * n - 1;
    word *up = y, *down = y + 2 * n - 1;

    for (uint32_t k = 0; k < n; k++) {
        const int second = before(*b, *a), first = before(*d, *c);

        *up++ = *(second ? b : a);
        *down-- = *(first ? c : d);
        b += second;
        a += !second;
        c -= first;
        d -= !first;
    }
}

/* x[0 .. n-1] and x[n .. end-1], which may be none, to y. */
static void merge_last(const word *x, uint32_t n, uint32_t end, word *y)
{
    uint32_t a = 0, b = n;

    for (uint32_t k = 0; k < end; k++) {
        const int second = a == n || (b < end && before(x[b], x[a]));

        y[k] = x[second ? b : a];
        b += (uint32_t)second;
        a += (uint32_t)!second;
    }
}

static void merge_runs(const word *x, word *y, uint32_t n, uint32_t run)
{
    uint32_t from = 0;

    for (; n - from >= 2 * run; from += 2 * run)
        merge_equal(x + from, run, y + from);
    merge_last(x + from, n - from < run ? n - from : run, n - from, y + from);
}

/* Sort n words of x to `out`, which is neither x nor y. */
static void merge_sort(struct cw_worker *t, word *x, word *y, word *out, uint32_t n)
{
    const uint32_t leaf = t->work->columns->limit[WORD_KIND];
    word *to = y;

    for (uint32_t k = 0; k < n; k += leaf)
        add_leaf(t, x + k, n <= leaf ? out : x + k, n - k < leaf ? n - k : leaf);
    sort_leaves(t);
    for (uint32_t run = leaf; run < n; run *= 2) {
        word *const from = to == y ? x : y;

        merge_runs(from, run * 2 < n ? to : out, n, run);
        to = from;
    }
}

#endif
