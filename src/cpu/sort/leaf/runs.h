/* runs.h - runs of words in order, merged in pairs.
 *
 * Runs of equal length are merged from both ends at once, with no branch that depends on keys: so
 * many steps from the front and from the back as a run is long, and neither can leave its runs.
 *
 * Merging from both ends without branches is folklore (a bidirectional merge).
 */
#ifndef CW_CPU_SORT_RUNS_H
#define CW_CPU_SORT_RUNS_H

#include "cpu/inline.h"
#include "cpu/word.h"

static inline int before(word x, word y)
{
#if WORD_LOG < 4
    return x < y;
#else
    return (x.key < y.key) | ((x.key == y.key) & (x.place < y.place));
#endif
}

/* y if `second` is 1, x if it is 0; by masks, as compilers like to make branches of it. */
CW_INLINE word chosen(word x, word y, uintptr_t second)
{
#if WORD_LOG < 4
    return x ^ ((x ^ y) & (0 - (bits)second));
#else
    const bits mask = 0 - (bits)second;
    const word z = {x.key ^ ((x.key ^ y.key) & mask), x.place ^ ((x.place ^ y.place) & mask)};

    return z;
#endif
}

/* Two runs, of which words go to `up` and `down`. */
struct ends {
    const word *a, *b; /* the least that are left of the first and of the second, */
    const word *c, *d; /* .. and the greatest */
    word *up, *down;
};

CW_INLINE struct ends ends_of(const word *x, uint32_t n, word *y)
{
    const struct ends e = {x, x + n, x + n - 1, x + 2 * n - 1, y, y + 2 * n - 1};

    return e;
}

CW_INLINE void merge_step(struct ends *e)
{
    const word a = *e->a, b = *e->b, c = *e->c, d = *e->d;
    const uintptr_t second = (uintptr_t)before(b, a), first = (uintptr_t)before(d, c);

    *e->up++ = chosen(a, b, second);
    *e->down-- = chosen(d, c, first);
    e->b += second;
    e->a += 1 - second;
    e->c -= first;
    e->d -= 1 - first;
}

/* x[0 .. n-1] and x[n .. 2n-1] to y. */
static void merge_equal(const word *x, uint32_t n, word *y)
{
    struct ends e = ends_of(x, n, y);

    for (uint32_t k = 0; k < n; k++)
        merge_step(&e);
}

/* Two such pairs of runs, one behind the other, so that neither waits for its own comparisons. */
static void merge_equal_twice(const word *x, uint32_t n, word *y)
{
    struct ends e = ends_of(x, n, y), f = ends_of(x + 2 * n, n, y + 2 * n);

    for (uint32_t k = 0; k < n; k++) {
        merge_step(&e);
        merge_step(&f);
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

    for (; (n - from) / 4 >= run; from += 4 * run)
        merge_equal_twice(x + from, run, y + from);
    for (; (n - from) / 2 >= run; from += 2 * run)
        merge_equal(x + from, run, y + from);
    merge_last(x + from, n - from < run ? n - from : run, n - from, y + from);
}

#endif
