/* merge.h - words sorted by comparisons: leaves by networks (columns.h), then merges (runs.h).
 *
 * Time: n * log2(n / leaf) steps, the same for all keys.
 */
#ifndef CW_CPU_SORT_MERGE_H
#define CW_CPU_SORT_MERGE_H

#include "cpu/sort/leaf/leaves.h"
#include "cpu/sort/leaf/runs.h"

/* How long leaves are that runs begin with: lanes are full, and a network is still quick. */
static uint32_t run_of(const struct cw_columns *columns, uint32_t n)
{
    const uint32_t least = columns->limit[WORD_KIND], most = columns->wide[WORD_KIND];
    const uint32_t run = n / LANES / 8 * 8;

    return run < least ? least : run < most ? run : most;
}

/* Sort n words of x to `out`, with y as room; `out` may be one of the two.  Runs go to and fro
 * between x and y, from the one that leads to `out`.  Lengths have 64 bits, as the last may be 2^32. */
static void merge_sort(struct cw_worker *t, word *x, word *y, word *out, uint32_t n)
{
    const uint32_t leaf = run_of(t->work->columns, n);
    word *at = x;

    if (out == x || out == y) {
        at = out;
        for (uint64_t run = leaf; run < n; run *= 2)
            at = at == x ? y : x;
    }
    for (uint64_t k = 0; k < n; k += leaf)
        add_leaf(t, x + k, n <= leaf ? out + k : at + k, n - k < leaf ? (uint32_t)(n - k) : leaf);
    sort_leaves(t);
    for (uint64_t run = leaf; run < n; run *= 2) {
        word *const to = run * 2 >= n ? out : at == x ? y : x;

        merge_runs(at, to, n, (uint32_t)run);
        t->moved += n;
        at = to;
    }
}

#endif
