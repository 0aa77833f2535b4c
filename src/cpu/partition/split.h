/* split.h - rows too long for a leaf, split by their leading digits until the parts are leaves.
 *
 * The words of a part agree above some bit.  Some bits from the highest one in which they differ
 * are the digit: one read to find it, one to count, one to move each word behind those of smaller
 * digits, in their order.  Parts that no bit of the key is left for are sorted: their words are in
 * the order of their places, since every move is stable.
 *
 * Words move between two buffers, `loaded` and `sorted`; leaves are sorted to `sorted` from either.
 *
 * Leaves wait until there are many, then go by length, so that those side by side are about equally
 * long: all lanes together then waste less than `lanes` leaves of the greatest length.
 *
 * Time: a split takes 4 to 10 bits off the key, so a word moves keybits/4 times at most; on random
 *       keys once.  A radix sort from the last digit on moves it keybits/8 times, always, and was
 *       slower at every length measured.
 */
#ifndef CW_CPU_PARTITION_SPLIT_H
#define CW_CPU_PARTITION_SPLIT_H

#include "cpu/words.h"

#define DIGIT 10u /* bits of a digit, at most */
#define LEAST 4u  /* at least, while the key has them */

/* How many bits hold x. */
static uint32_t width(uint64_t x)
{
#if defined(__GNUC__)
    return x ? 64u - (uint32_t)__builtin_clzll(x) : 0;
#else
    uint32_t n = 0;

    for (; x; x >>= 1)
        n++;
    return n;
#endif
}

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

/* The bits of keys in which the words differ. */
static bits difference(const struct form *f, const word *x, uint32_t n)
{
    const uint32_t shift = f->shift;
    const bits first = word_above(x[0], shift);
    bits differ = 0;

    CW_OMP(omp simd reduction(| : differ))
    for (uint32_t k = 1; k < n; k++)
        differ |= word_above(x[k], shift) ^ first;
    return differ;
}

/* Move x to y by the digits from bit `low` of the keys on; end[d] is where digit d ends. */
static void move(const struct form *f, const word *x, word *y, uint32_t n, uint32_t low,
                 uint32_t digits, uint32_t *end)
{
    const uint32_t shift = f->shift + low;
    uint32_t sum = 0;

    memset(end, 0, digits * sizeof *end);
    for (uint32_t k = 0; k < n; k++)
        end[word_above(x[k], shift) & (digits - 1)]++;
    for (uint32_t d = 0; d < digits; d++) {
        const uint32_t count = end[d];

        end[d] = sum;
        sum += count;
    }
    for (uint32_t k = 0; k < n; k++)
        y[end[word_above(x[k], shift) & (digits - 1)]++] = x[k];
}

/* So many bits that parts of random words are a quarter to half as long as a leaf may be; not
 * fewer than LEAST, or keys that are close to each other would take many splits. */
static uint32_t digit_of(uint32_t n, uint32_t limit, uint32_t top)
{
    uint32_t digit = width(n / limit) + 1;

    digit = digit < LEAST ? LEAST : digit < DIGIT ? digit : DIGIT;
    return digit < top ? digit : top;
}

/* A part in x, with room for it in y; one of the two is where it has to end: `out`. */
static void split(struct cw_worker *t, const struct form *f, word *x, word *y, word *out,
                  uint32_t n)
{
    const uint32_t limit = t->work->columns->limit[WORD_KIND];
    uint32_t end[1u << DIGIT];
    uint32_t top, digit, from = 0;

    if (n <= limit) {
        add_leaf(t, x, out, n);
        return;
    }
    top = width(difference(f, x, n));
    digit = digit_of(n, limit, top);
    if (digit)
        move(f, x, y, n, top - digit, 1u << digit, end);
    if (digit == top) { /* nothing of the key is left */
        if ((digit ? y : x) != out)
            memcpy(out, digit ? y : x, n * sizeof *out);
        return;
    }
    for (uint32_t d = 0; d < 1u << digit; d++) {
        split(t, f, y + from, x + from, out + from, end[d] - from);
        from = end[d];
    }
}

#endif
