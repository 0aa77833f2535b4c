/* split.h - rows too long for a leaf, split by their leading digits until the buckets are leaves.
 *
 * The words of a bucket agree above some bit.  Some bits from the highest one in which they differ
 * are the digit: one read to find it, one to count, one to move each word behind those of smaller
 * digits, in their order.  Buckets that no bit of the key is left for are sorted: their words are in
 * the order of their places, since every move is stable.
 *
 * Words move between two buffers, `loaded` and `sorted`; leaves are sorted to `sorted` from either.
 *
 * A split that leaves more than a tenth of a bucket together is in vain, as where keys were made
 * for that.  A bucket that it would happen to twice is sorted by comparing, and so is one that was split
 * twice and is no leaf: by quicksort where that goes by vectors (sort/vectors/quick.h), else by splitters
 * (sort/leaf/divide.h).  A short bucket is not even split in vain once.
 *
 * After the MSD radix sorts of McIlroy, Bostic and McIlroy (1993).  It departs in the digit, which
 * begins at the highest bit that differs, and in its bound: vain splits end in comparisons.
 *
 * Time: on random keys a word moves once.  On others, twice by splits (and once more for every 2^16
 *       leaves), and then by comparing: log2(n / leaf) times by quicksort (that is the mean), once or twice
 *       by splitters.  tests/cpu/test_cpu_rows_work.c counts it.  A radix sort from the last digit on moves it
 *       keybits/8 times, always, and was slower at every length measured.
 */
#ifndef CW_CPU_PARTITION_SPLIT_H
#define CW_CPU_PARTITION_SPLIT_H

#include "base/arith.h"
#include "cpu/entropy.h"
#include "cpu/sort/leaf/divide.h"
#include "cpu/sort/vectors/vectors.h"

#define DIGIT 10u  /* bits of a digit, at most */
#define LEAST 4u   /* at least, while the key has them */
#define LONG  512u /* words that are worth a probe */
#define PROBE 32u
#define SHORT 2048u /* words, of which a split in vain is not made */
#define CROWD \
    10u /* a part of a bucket that is much; of random words most digits have a 16th at most */
#define BAD 8u /* pivots of a quicksort, one below the other, before words are merged */

/* The bits of keys in which the words differ. */
static bits difference(const struct form *f, const word *x, uint32_t n)
{
    const uint32_t shift = f->shift;
    const bits first = word_above(x[0], shift);
    bits differ = 0;

    CW_SIMD_OR(differ)
    for (uint32_t k = 1; k < n; k++)
        differ |= word_above(x[k], shift) ^ first;
    return differ;
}

/* How many words have each digit from bit `low` of the keys on: the most that have one. */
static uint32_t count(const struct form *f, const word *x, uint32_t n, uint32_t low,
                      uint32_t digits, uint32_t *counts)
{
    const uint32_t shift = f->shift + low;
    uint32_t most = 0;

    memset(counts, 0, digits * sizeof *counts);
    for (uint32_t k = 0; k < n; k++)
        counts[word_above(x[k], shift) & (digits - 1)]++;
    for (uint32_t d = 0; d < digits; d++)
        most = counts[d] > most ? counts[d] : most;
    return most;
}

/* Move x to y by these digits; counts become where digit d ends. */
static void move(const struct form *f, const word *x, word *y, uint32_t n, uint32_t low,
                 uint32_t digits, uint32_t *end)
{
    const uint32_t shift = f->shift + low;
    uint32_t sum = 0;

    for (uint32_t d = 0; d < digits; d++) {
        const uint32_t count = end[d];

        end[d] = sum;
        sum += count;
    }
    for (uint32_t k = 0; k < n; k++)
        y[end[word_above(x[k], shift) & (digits - 1)]++] = x[k];
}

/* So many bits that buckets of random words are a quarter to half as long as a leaf may be; not
 * fewer than LEAST, or keys that are close to each other would take many splits. */
static uint32_t digit_of(uint32_t n, uint32_t limit, uint32_t top)
{
    uint32_t digit = cw_width(n / limit) + 1;

    digit = digit < LEAST ? LEAST : digit < DIGIT ? digit : DIGIT;
    return digit < top ? digit : top;
}

/* Of the words at `step`, PROBE of them, whose keys agree with `same` above bit `high`: do most
 * have one digit from bit `low` on, and which?  (Boyer and Moore's vote, then a count.) */
static int most_agree(const struct form *f, const word *x, size_t step, bits *same, uint32_t high,
                      uint32_t low)
{
    uint32_t votes = 0, count = 0, agree = 0;
    bits digit = 0;

    for (size_t k = 0; k < PROBE; k++) {
        const bits key = word_above(x[k * step], f->shift);

        if (high < 8 * sizeof key && key >> high != *same)
            continue;
        count++;
        if (!votes)
            digit = key >> low;
        votes = key >> low == digit ? votes + 1 : votes - 1;
    }
    for (size_t k = 0; k < PROBE; k++)
        agree += word_above(x[k * step], f->shift) >> low == digit;
    *same = digit;
    return 2 * agree > count && count > PROBE / 4;
}

/* Would this split leave most of a long bucket together, and the next one of these again?  By some
 * words only, which saves both where it is so. */
static int hopeless(const struct form *f, const word *x, uint32_t n, uint32_t top, uint32_t digit)
{
    const size_t step = n / PROBE;
    bits same = 0, first, one = 0, differ = 0;
    uint32_t next;
    int any = 0;

    if (n < LONG || digit == top)
        return 0;
    if (!most_agree(f, x, step, &same, 8 * sizeof same, top - digit))
        return 0;
    first = same;
    for (size_t k = 0; k < PROBE; k++) {
        const bits key = word_above(x[k * step], f->shift);

        if (key >> (top - digit) != first)
            continue;
        one = any ? one : key;
        any = 1;
        differ |= key ^ one; /* 0 if they are one key: the split has it alone */
    }
    next = cw_width(differ);
    return next > digit && most_agree(f, x, step, &same, top - digit, next - digit);
}

/* A bucket that digits do not split: x to `out`, which may be x, or y, its room. */
static void compare(struct cw_worker *t, const struct form *f, word *x, word *y, word *out,
                    uint32_t n)
{
    if (!t->random)
        t->random = cw_entropy();
    if (t->work->vectors) {
        struct cw_pivots p = {t->random, t->alert, BAD, 0};
        const struct cw_stretch all = {x, out, out == x ? y : x, n};

        t->work->vectors->sort(&p, &all);
        t->random = p.random;
        t->alert = p.alert;
        return;
    }
    divide(t, f, x, y, out, n, TRIES);
}

/* A bucket in x, with room for it in y, to `out`, which may be one of the two.  `vain`: the split of
 * what it belongs to was; `splits` may follow. */
static void split_bucket(struct cw_worker *t, const struct form *f, word *x, word *y, word *out,
                         uint32_t n, int vain, uint32_t splits)
{
    const uint32_t crowd = n / CROWD;
    uint32_t end[1u << DIGIT];
    uint32_t top, digit, from = 0;

    if (n <= longest_leaf(t->work->columns, t->together)) {
        add_leaf(t, x, out, n);
        return;
    }
    top = cw_width(difference(f, x, n));
    digit = digit_of(n, t->work->columns->limit[WORD_KIND], top);
    if ((!splits && digit < top) || hopeless(f, x, n, top, digit) ||
        (digit && count(f, x, n, top - digit, 1u << digit, end) > crowd && vain && digit < top)) {
        compare(t, f, x, y, out, n);
        return;
    }
    if (digit) {
        move(f, x, y, n, top - digit, 1u << digit, end);
        t->moved += n;
    }
    if (digit == top) { /* nothing of the key is left */
        if ((digit ? y : x) != out)
            memcpy(out, digit ? y : x, n * sizeof *out);
        return;
    }
    for (uint32_t d = 0; d < 1u << digit; d++) {
        const uint32_t size = end[d] - from;

        split_bucket(t, f, y + from, x + from, out + from, size, vain || size > crowd,
                     splits - (splits > 0));
        from = end[d];
    }
}

static void split(struct cw_worker *t, const struct form *f, word *x, word *y, word *out,
                  uint32_t n)
{
    const uint32_t limit = t->work->columns->limit[WORD_KIND];

    if (n <= limit)
        add_leaf(t, x, out, n);
    else
        split_bucket(t, f, x, y, out, n, n <= SHORT, 2 + cw_width(n / limit) / 16);
}

#endif
