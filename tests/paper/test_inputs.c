/* test_inputs.c - inputs are what their names say, and the same for the same seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"

static const struct {
    uint32_t w, m;
} shapes[] = {{1, 1}, {1, 16}, {5, 1}, {2, 2}, {4, 8}, {8, 4}, {7, 9}, {33, 8}, {100, 7}, {32, 32}};

#define SHAPES (sizeof shapes / sizeof *shapes)
#define SEEDS  4

static cw_word *make(const char *name, enum cw_problem problem, uint32_t w, uint32_t m,
                     uint32_t bits, uint64_t seed)
{
    cw_word *x = (cw_word *)malloc((size_t)w * m * sizeof *x);

    assert_non_null(x);
    if (cw_input_make(name, problem, w, m, bits, seed, x))
        fail_msg("%s: %s", name, cw_last_error());
    return x;
}

static cw_word *keys(const char *name, uint64_t n, uint32_t bits, uint64_t seed)
{
    return make(name, CW_SORT, 1, (uint32_t)n, bits, seed);
}

static int by_word(const void *a, const void *b)
{
    const cw_word x = *(const cw_word *)a;
    const cw_word y = *(const cw_word *)b;

    return (x > y) - (x < y);
}

/* How many different words; sorts them. */
static uint64_t distinct(cw_word *x, uint64_t n)
{
    uint64_t count = n > 0;

    qsort(x, n, sizeof *x, by_word);
    for (uint64_t i = 1; i < n; i++)
        count += x[i] != x[i - 1];
    return count;
}

/* ---- keys ---------------------------------------------------------------- */

static void sorted_rises_and_reverse_falls(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; n++) {
        cw_word *up = keys("sorted", n, 0, 1);
        cw_word *down = keys("reverse", n, 0, 1);

        for (uint64_t i = 0; i < n; i++) {
            assert_int_equal(up[i], i);
            assert_int_equal(down[i], n - 1 - i);
        }
        free(up);
        free(down);
    }
}

static void equal_is_one_key_and_zeroone_two(void **state)
{
    cw_word *x = keys("equal", 1000, 0, 7);

    (void)state;
    assert_int_equal(distinct(x, 1000), 1);
    free(x);
    x = keys("zeroone", 1000, 0, 7);
    assert_int_equal(distinct(x, 1000), 2);
    assert_int_equal(x[0], 0);
    assert_int_equal(x[999], 1);
    free(x);
}

static void few_has_at_most_16_keys_and_uniform_many(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        cw_word *x = keys("few", 4096, 0, seed);
        uint64_t count = distinct(x, 4096);

        if (count > 16 || count < 8)
            fail_msg("few: %llu keys, seed %llu", (unsigned long long)count,
                     (unsigned long long)seed);
        free(x);
        x = keys("uniform", 4096, 0, seed);
        count = distinct(x, 4096);
        if (count != 4096 || x[0] >> 60 != 0 || x[4095] >> 60 != 15)
            fail_msg("uniform: %llu keys, seed %llu", (unsigned long long)count,
                     (unsigned long long)seed);
        free(x);
    }
}

static void organ_rises_then_falls_back(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 100; n++) {
        cw_word *x = keys("organ", n, 0, 1);

        for (uint64_t i = 0; i < n; i++) {
            assert_int_equal(x[i], x[n - 1 - i]);
            if (i > 0 && i < (n + 1) / 2)
                assert_int_equal(x[i], x[i - 1] + 1);
        }
        assert_int_equal(x[0], 0);
        free(x);
    }
}

static void keys_stay_below_two_to_key_bits(void **state)
{
    (void)state;
    for (uint32_t bits = 1; bits <= 64; bits++) {
        for (const char *const *name = cw_input_names(CW_SORT); *name; name++) {
            cw_word *x = keys(*name, 500, bits, bits);

            if (cw_input_check(CW_SORT, 5, 100, bits, x))
                fail_msg("%s, %u bits: %s", *name, bits, cw_last_error());
            for (uint64_t i = 1; !strcmp(*name, "sorted") && i < 500; i++)
                assert_true(x[i - 1] <= x[i]);
            free(x);
        }
    }
}

static void a_key_of_too_many_bits_is_named(void **state)
{
    const cw_word x[] = {1, 7, 8, 9};

    (void)state;
    assert_int_equal(cw_input_check(CW_SORT, 2, 2, 0, x), CW_OK);
    assert_int_equal(cw_input_check(CW_SORT, 2, 2, 4, x), CW_OK);
    assert_int_equal(cw_input_check(CW_SORT, 2, 2, 3, x), CW_ERR_LABEL);
    assert_string_equal(cw_last_error(), "item 2: key 8 is not below 2^3");
}

/* ---- labels -------------------------------------------------------------- */

static void labels_are_what_the_problem_demands(void **state)
{
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        const uint32_t w = shapes[s].w, m = shapes[s].m;

        for (const char *const *name = cw_input_names(CW_PERMUTE); *name; name++) {
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                cw_word *to = make(*name, CW_PERMUTE, w, m, 0, seed);
                cw_word *row = make(*name, CW_PARTITION, w, m, 0, seed);
                uint32_t *used = (uint32_t *)calloc((size_t)w * m, sizeof *used);

                assert_non_null(used);
                for (uint64_t i = 0; i < (uint64_t)w * m; i++) {
                    if (to[i] >= (uint64_t)w * m || used[to[i]]++ || row[i] != to[i] / m)
                        fail_msg("%s %u x %u, seed %llu: item %llu", *name, w, m,
                                 (unsigned long long)seed, (unsigned long long)i);
                }
                assert_int_equal(cw_input_check(CW_PERMUTE, w, m, 0, to), CW_OK);
                assert_int_equal(cw_input_check(CW_PARTITION, w, m, 0, row), CW_OK);
                free(used);
                free(row);
                free(to);
            }
        }
    }
}

/* Where the item at (i, j) goes, for the kinds that are a formula. */
static uint64_t formula(const char *name, uint32_t w, uint32_t m, uint32_t i, uint32_t j)
{
    const uint64_t n = (uint64_t)w * m;
    const uint64_t place = (uint64_t)i * m + j;

    if (!strcmp(name, "identity"))
        return place;
    if (!strcmp(name, "reverse"))
        return n - 1 - place;
    if (!strcmp(name, "transpose"))
        return (uint64_t)j * w + i;
    return (place + m + 1) % n; /* rotate */
}

static void formulas_are_as_documented(void **state)
{
    static const char *const names[] = {"identity", "reverse", "transpose", "rotate"};

    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        for (size_t k = 0; k < 4; k++) {
            const uint32_t w = shapes[s].w, m = shapes[s].m;
            cw_word *x = make(names[k], CW_PERMUTE, w, m, 0, 1);

            for (uint32_t i = 0; i < w; i++) {
                for (uint32_t j = 0; j < m; j++)
                    assert_int_equal(x[i * m + j], formula(names[k], w, m, i, j));
            }
            free(x);
        }
    }
}

static void bit_reversal_reverses_bits(void **state)
{
    static const cw_word of_8[] = {0, 4, 2, 6, 1, 5, 3, 7};
    static const cw_word of_6[] = {0, 4, 2, 1, 5, 3}; /* the same without 6 and 7 */
    cw_word *x = make("bit-reversal", CW_PERMUTE, 2, 4, 0, 1);

    (void)state;
    assert_memory_equal(x, of_8, sizeof of_8);
    free(x);
    x = make("bit-reversal", CW_PERMUTE, 2, 3, 0, 1);
    assert_memory_equal(x, of_6, sizeof of_6);
    free(x);
}

static void blocks_send_a_row_to_one_row(void **state)
{
    int moved = 0;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cw_word *x = make("blocks", CW_PARTITION, 33, 8, 0, seed);

        for (uint32_t i = 0; i < 33 * 8; i++) {
            assert_int_equal(x[i], x[i / 8 * 8]);
            moved += x[i] != i / 8;
        }
        free(x);
    }
    assert_true(moved > 0);
}

static void random_labels_move_items_to_all_rows(void **state)
{
    cw_word *x = make("random", CW_PARTITION, 8, 128, 0, 1);
    int seen[8][8] = {{0}};

    (void)state;
    for (uint32_t i = 0; i < 8 * 128; i++)
        seen[i / 128][x[i]]++;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            assert_in_range(seen[i][j], 1, 64);
    }
    free(x);
}

static void bad_labels_are_named(void **state)
{
    static const cw_word too_large[] = {0, 1, 2, 0};
    static const cw_word too_many[] = {0, 1, 1, 1};
    static const cw_word outside[] = {0, 1, 4, 2};
    static const cw_word twice[] = {3, 1, 0, 1};

    (void)state;
    assert_int_equal(cw_input_check(CW_PARTITION, 2, 2, 0, too_large), CW_ERR_LABEL);
    assert_string_equal(cw_last_error(), "item 2: label 2 is no row, there are 2");
    assert_int_equal(cw_input_check(CW_PARTITION, 2, 2, 0, too_many), CW_ERR_LABEL);
    assert_string_equal(cw_last_error(), "item 3: label 1 once too often, a row takes 2 items");
    assert_int_equal(cw_input_check(CW_PERMUTE, 2, 2, 0, outside), CW_ERR_LABEL);
    assert_string_equal(cw_last_error(), "item 2: label 4 is no place, there are 4");
    assert_int_equal(cw_input_check(CW_PERMUTE, 2, 2, 0, twice), CW_ERR_LABEL);
    assert_string_equal(cw_last_error(),
                        "item 3: label 1, row 0 and column 1, is item 1's already");
}

static void items_carry_label_and_place(void **state)
{
    cw_word x[] = {5, 0, 4294967295};

    (void)state;
    cw_input_items(3, x);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(CW_ITEM_PAYLOAD(x[i]), i);
    assert_int_equal(CW_ITEM_LABEL(x[0]), 5);
    assert_int_equal(CW_ITEM_LABEL(x[2]), 4294967295);
}

/* ---- both ---------------------------------------------------------------- */

static void a_seed_gives_one_input_and_another_another(void **state)
{
    static const char *const random_keys[] = {"uniform", "zeroone", "few", "equal"};
    static const char *const random_labels[] = {"random", "blocks"};

    (void)state;
    for (int k = 0; k < 6; k++) {
        const enum cw_problem problem = k < 4 ? CW_SORT : CW_PERMUTE;
        const char *name = k < 4 ? random_keys[k] : random_labels[k - 4];
        cw_word *a = make(name, problem, 16, 16, 0, 9);
        cw_word *b = make(name, problem, 16, 16, 0, 9);
        cw_word *c = make(name, problem, 16, 16, 0, 10);

        assert_memory_equal(a, b, 256 * sizeof *a);
        assert_memory_not_equal(a, c, 256 * sizeof *a);
        free(a);
        free(b);
        free(c);
    }
}

static void an_unknown_name_is_refused(void **state)
{
    cw_word x[4];

    (void)state;
    assert_int_equal(cw_input_make("random", CW_SORT, 2, 2, 0, 1, x), CW_ERR_ARGUMENT);
    assert_int_equal(cw_input_make("uniform", CW_PERMUTE, 2, 2, 0, 1, x), CW_ERR_ARGUMENT);
    assert_int_equal(cw_input_make("", CW_SORT, 2, 2, 0, 1, x), CW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_rises_and_reverse_falls),
        cmocka_unit_test(equal_is_one_key_and_zeroone_two),
        cmocka_unit_test(few_has_at_most_16_keys_and_uniform_many),
        cmocka_unit_test(organ_rises_then_falls_back),
        cmocka_unit_test(keys_stay_below_two_to_key_bits),
        cmocka_unit_test(a_key_of_too_many_bits_is_named),
        cmocka_unit_test(labels_are_what_the_problem_demands),
        cmocka_unit_test(formulas_are_as_documented),
        cmocka_unit_test(bit_reversal_reverses_bits),
        cmocka_unit_test(blocks_send_a_row_to_one_row),
        cmocka_unit_test(random_labels_move_items_to_all_rows),
        cmocka_unit_test(bad_labels_are_named),
        cmocka_unit_test(items_carry_label_and_place),
        cmocka_unit_test(a_seed_gives_one_input_and_another_another),
        cmocka_unit_test(an_unknown_name_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
