/* leaves.h - stretches of words that wait to be sorted whole (columns.h).
 *
 * Leaves wait until there are many, then go by length, so that those side by side are about equally
 * long: all lanes together then waste less than `lanes` leaves of the greatest length.
 */
#ifndef CW_CPU_SORT_LEAVES_H
#define CW_CPU_SORT_LEAVES_H

#include "cpu/words.h"

/* Leaves by length, counted in eighths: the order is that of lengths rounded up to 8. */
static void order_leaves(const struct cw_leaf *leaf, uint32_t count, struct cw_leaf *to)
{
    uint32_t at[CW_LEAF_LIMIT / 8 + 2] = {0};

    for (uint32_t x = 0; x < count; x++)
        at[(leaf[x].n + 7) / 8 + 1]++;
    for (uint32_t k = 1; k <= CW_LEAF_LIMIT / 8; k++)
        at[k] += at[k - 1];
    for (uint32_t x = 0; x < count; x++)
        to[at[(leaf[x].n + 7) / 8]++] = leaf[x];
}

/* Sort all leaves that wait. */
static void sort_leaves(struct cw_worker *t)
{
    const struct cw_columns *columns = t->work->columns;
    struct cw_leaf *leaf = t->leaves;
    uint32_t least = UINT32_MAX, most = 0;

    for (uint32_t x = 0; x < t->leaf_count; x++) {
        least = leaf[x].n < least ? leaf[x].n : least;
        most = leaf[x].n > most ? leaf[x].n : most;
    }
    if (least != most && t->leaf_count > LANES) {
        order_leaves(leaf, t->leaf_count, leaf + CW_LEAVES);
        leaf += CW_LEAVES;
    }
    for (uint32_t x = 0; x < t->leaf_count; x += LANES) {
        const uint32_t left = t->leaf_count - x;

        columns->sort[WORD_KIND](leaf + x, left < LANES ? left : LANES, t->columns);
    }
    t->leaf_count = 0;
}

static void add_leaf(struct cw_worker *t, const word *in, word *out, uint32_t n)
{
    const struct cw_leaf leaf = {in, out, n};

    if (n < 2) {
        if (n && in != out)
            *out = *in;
        return;
    }
    if (t->leaf_count == CW_LEAVES)
        sort_leaves(t);
    t->leaves[t->leaf_count++] = leaf;
}

#endif
