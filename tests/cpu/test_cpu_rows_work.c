/* test_cpu_rows_work.c - how much work the words of a long row are, whatever their keys: counted, not timed.
 *
 * What is counted: words that splits, divisions and merges move, and comparators of networks, those of empty lanes
 * too.  For every processor's lengths of leaves, without a partition by vectors.  Words of 16 bytes here, which are
 * keys of 8 bytes and their places; test_cpu_rows_work4.c is the same for words of 4.
 *
 * Before buckets were divided (sort/leaf/divide.h), those that digits do not split were merged, or were leaves of a
 * thousand words in lanes of which most were empty: up to 11 moves a word, and 20 times as many comparators as
 * random keys need.
 */
#if !defined(WORD_LOG)
#define WORD_LOG 4
#endif

#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/partition/split.h"
#include "inputs/random.h"

#define TASK 16384u /* words that are sorted together, at least */
#define BITS (8u * (uint32_t)sizeof(bits))

/* Of a word: it is moved twice by digits, once by splitters, and the sample of a quarter of all
 * words is merged. */
#define MOVES 4.0
#define MORE  2.5 /* comparators of random keys */

#if WORD_LOG == 4
cw_columns_sort cw_columns_plain_4;
#define SORT cw_columns_plain_4
#else
cw_columns_sort cw_columns_plain_2;
#define SORT cw_columns_plain_2
#endif

static double comparators;

static void count_and_sort(const struct cw_leaf *leaf, uint32_t count, void *columns)
{
    uint32_t lines = 8, levels;

    for (uint32_t l = 0; l < count; l++)
        lines = leaf[l].n > lines ? (leaf[l].n + 7) / 8 * 8 : lines;
    levels = cw_width(lines - 1);
    comparators += LANES * (lines / 2.0) * levels * (levels + 1) / 2.0;
    SORT(leaf, count, columns);
}

/* ---- keys ----------------------------------------------------------------------------------- */

typedef bits maker(uint64_t r, uint64_t s, uint32_t x, uint32_t n);

static bits key_random(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)r, (void)x, (void)n;
    return (bits)s;
}

/* Every length in bits is equally frequent; .. in each of so many ranges. */
static bits key_steep(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)x, (void)n;
    return (bits)s >> r % BITS;
}

static bits in_ranges(uint64_t r, uint64_t s, uint32_t ranges, uint32_t width)
{
    const bits below = ((bits)s & (((bits)-1) >> width)) >> (r >> 16) % (BITS - width);

    return (bits)(r % ranges) << (BITS - width) | below;
}

static bits key_steep_3(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)x, (void)n;
    return in_ranges(r, s, 3, 2);
}

static bits key_steep_256(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)x, (void)n;
    return in_ranges(r, s, 256, 8);
}

/* Groups of `width` bits are all ones or all zeros. */
static bits groups(uint64_t s, uint32_t width)
{
    bits key = 0;

    for (uint32_t x = 0; x < BITS; x += width, s >>= 1)
        key |= (s & 1 ? ((bits)1 << width) - 1 : 0) << x;
    return key;
}

static bits key_cantor_4(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)r, (void)x, (void)n;
    return groups(s, 4);
}

static bits key_cantor_8(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)r, (void)x, (void)n;
    return groups(s, 8);
}

/* Five digits of every split's 2^9, 2^6 and 2^4: none leaves more than a fifth together. */
static bits key_quinary(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    static const uint32_t digits[] = {9, 6, 4, 4, 4};
    uint32_t at = BITS;
    bits key = 0;

    (void)r, (void)x, (void)n;
    for (uint32_t k = 0; k < COUNT(digits); k++, s /= 5)
        key |= (bits)(s % 5) << (at -= digits[k]);
    return key;
}

static bits key_half_equal(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)x, (void)n;
    return r % 2 ? (bits)-1 / 3 : (bits)s;
}

static bits key_few(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)s, (void)x, (void)n;
    return (bits)(r % 7 * UINT64_C(0x9e3779b97f4a7c15));
}

static bits key_clusters(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)x, (void)n;
    return (bits)(r & 15) << (BITS - 4) | (bits)(s & 0xffff);
}

static bits key_sorted(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)r, (void)s;
    return (bits)-1 / n * x;
}

static bits key_organ_pipe(uint64_t r, uint64_t s, uint32_t x, uint32_t n)
{
    (void)r, (void)s;
    return (bits)-1 / n * (x < n / 2 ? x : n - x);
}

static const struct {
    const char *name;
    maker *key;
} inputs[] = {
    {"random", key_random},          {"steep", key_steep},           {"steep in 3", key_steep_3},
    {"steep in 256", key_steep_256}, {"cantor 4", key_cantor_4},     {"cantor 8", key_cantor_8},
    {"quinary", key_quinary},        {"half equal", key_half_equal}, {"few values", key_few},
    {"clusters", key_clusters},      {"sorted", key_sorted},         {"organ pipe", key_organ_pipe},
};

/* ---- a task --------------------------------------------------------------------------------- */

static void *memory(size_t bytes)
{
    void *p = aligned_alloc(64, bytes / 64 * 64 + 64);

    assert_non_null(p);
    return p;
}

static void make_rows(const struct form *f, maker *key, uint32_t n, uint32_t rows, word *to)
{
    struct cw_random random = cw_random_from(cw_test_seed() + n);

    for (uint32_t x = 0; x < n * rows; x++) {
        const uint64_t r = cw_random_next(&random), s = cw_random_next(&random);

        to[x] = word_of(f, key(r, s, x % n, n), x % n);
    }
}

static int in_order(const word *x, uint32_t n)
{
    for (uint32_t k = 1; k < n; k++)
        if (before(x[k], x[k - 1]))
            return 0;
    return 1;
}

/* Sort rows of one input; how often was a word moved, and how many comparators had it? */
static void sort_rows(const struct cw_columns *columns, maker *key, uint32_t n, double *moves,
                      double *compared)
{
    const struct cw_work work = {.columns = columns};
    const uint32_t rows = n < TASK ? TASK / n : 1, all = rows * n;
    const struct form f = {0};
    struct cw_worker t = {.work = &work, .random = cw_test_seed() | 1, .together = all};
    word *loaded = (word *)memory(all * sizeof(word)), *sorted = (word *)memory(all * sizeof(word));

    t.parts = memory(n * sizeof(uint16_t));
    t.columns = memory((columns->wide[WORD_KIND] + 1) * LANES * sizeof(word));
    t.leaves = (struct cw_leaf *)memory(2 * CW_LEAVES * sizeof(struct cw_leaf));
    make_rows(&f, key, n, rows, loaded);
    comparators = 0;
    for (uint32_t x = 0; x < all; x += n)
        split(&t, &f, loaded + x, sorted + x, sorted + x, n);
    sort_leaves(&t);
    for (uint32_t x = 0; x < all; x += n)
        assert_true(in_order(sorted + x, n));
    *moves = (double)t.moved / all;
    *compared = comparators / all;
    free(loaded);
    free(sorted);
    free(t.parts);
    free(t.columns);
    free(t.leaves);
}

static void no_keys_are_more_work_than_this(void **state)
{
    static const uint32_t lengths[] = {512, 1000, 5000, 32768, 100000};

    (void)state;
    for (uint32_t way = 0; way < cw_columns_count; way++) {
        struct cw_columns columns = cw_columns_list[way];
        double random = 0;

        columns.sort[WORD_KIND] = count_and_sort;
        for (uint32_t l = 0; l < COUNT(lengths) - CW_SANITIZED; l++)
            for (uint32_t k = 0; k < COUNT(inputs); k++) {
                double moves, compared;

                sort_rows(&columns, inputs[k].key, lengths[l], &moves, &compared);
                random = k ? random : compared;
                if (moves > MOVES || compared > MORE * random)
                    fail_msg("%s, %s, rows of %u: %.1f moves, %.0f comparators; random keys %.0f; "
                             "seed %llu",
                             columns.name, inputs[k].name, lengths[l], moves, compared, random,
                             (unsigned long long)cw_test_seed());
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_keys_are_more_work_than_this),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
