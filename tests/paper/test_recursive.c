/* test_recursive.c - theorem 2 with its columns sorted by recursion.
 *
 * All 0-1 inputs of small shapes are test_zero_one's, which takes every sort of the
 * registry.  Here: larger shapes, odd m among them, what each phase leaves (for every
 * threshold at once, dirt.h), and what happens where m does not divide.
 */
#include "dirt.h"
#include "patterns.h"

#include <stdio.h>
#include <string.h>

#include "paper/report.h"
#include "paper/sort/sort_recursive.h"

static const struct cw_algorithm *recursive(void)
{
    const struct cw_algorithm *const alg = cw_algorithm_find("sort-tall-recursive");

    assert_non_null(alg);
    return alg;
}

/* ---- what each phase leaves ------------------------------------------------ */

struct watch {
    struct cw_model *s;
    uint32_t phases, dirty; /* told of; the most contiguous dirty rows */
    uint32_t broken;        /* claims that did not hold */
    char first[120];
};

static void claim(struct watch *x, int holds, const char *what, const struct cw_phase *p,
                  uint32_t got)
{
    if (holds)
        return;
    if (!x->broken++)
        snprintf(x->first, sizeof x->first, "%s, at %u rows of %u: %u", what, p->group.rows,
                 p->cols, got);
}

/* Block i of m: sorted in row-major order, all odd ones against all even ones. */
static int blocks_alternate(struct cw_model *s, const struct cw_phase *p)
{
    const uint32_t h = p->group.rows, m = p->cols, low = h / m;
    int odd_falls = 1, even_falls = 1; /* directions that no item contradicts */

    for (uint32_t x = 1; x < h * m; x++) {
        const cw_word was = phase_item(s, p, (x - 1) / m, (x - 1) % m);
        const cw_word is = phase_item(s, p, x / m, x % m);
        const uint32_t i = x / m / low;

        if (x % (low * m) == 0)
            continue;
        if (was < is)
            *(i % 2 ? &odd_falls : &even_falls) = 0;
        if (was > is && (i % 2 ? !odd_falls : !even_falls))
            return 0;
    }
    return odd_falls || even_falls;
}

static void look(void *arg, const struct cw_phase *p)
{
    struct watch *const x = (struct watch *)arg;
    const uint32_t m = p->cols;

    if (!strcmp(p->name, "recursive: blocks alternate")) {
        x->phases++;
        claim(x, blocks_alternate(x->s, p), "blocks do not alternate", p, 0);
        claim(x, dirty_rows(x->s, p) <= m, "dirty rows of sorted blocks", p, dirty_rows(x->s, p));
    } else if (!strcmp(p->name, "recursive: dirty rows contiguous")) {
        const uint32_t got = dirty_rows(x->s, p);

        x->phases++;
        x->dirty = got > x->dirty ? got : x->dirty;
        claim(x, columns_rise(x->s, p, 0) || columns_rise(x->s, p, 1), "columns not sorted", p, 0);
        claim(x, got <= (m + 1) / 2, "dirty rows", p, got);
    }
}

static void shape_holds(uint32_t w, uint32_t m, uint32_t ways)
{
    const struct cw_options opt = {.ways = ways};
    const uint32_t some = (uint64_t)w * m > 400 && !cw_long_run() ? 4 : 1;
    const uint32_t step = CW_SANITIZED ? 3 * some : some;
    struct cw_report report = {0};
    struct cw_trial t;
    struct watch x = {0};

    assert_true(recursive_holds((int)w, (int)m));
    assert_true(cw_trial_open(&t, recursive(), w, m, &opt));
    t.job.output = &report;
    x.s = t.model;
    cw_model_hook(t.model, look, &x);
    for (uint32_t k = 0; k < cw_pattern_count + 5; k += step) {
        const uint64_t seed = cw_test_seed() + k;
        const char *what = "random order";

        if (k < cw_pattern_count) {
            what = cw_pattern_name(k);
            cw_pattern_fill(k, w, m, seed, t.in);
        } else {
            cw_random_order(t.n, seed, t.in);
        }
        cw_trial_check(&t, what, seed);
        if (x.broken)
            fail_msg("%u x %u, %s, seed %llu: %u claims broken, first: %s", w, m, what,
                     (unsigned long long)seed, x.broken, x.first);
    }
    assert_string_equal(report.path, "recursive theorem 2");
    assert_true(x.phases > 0);
    print_message("    %4u x %-2u %2u dirty rows at most, bound %u; %llu steps\n", w, m, x.dirty,
                  (m + 1) / 2, (unsigned long long)t.counters.steps);
    cw_trial_close(&t);
}

static void dirty_rows_are_contiguous_and_half_of_m(void **state)
{
    static const uint32_t shapes[][2] = {
        {4, 2},    {8, 2},   {32, 2},  {9, 3},    {27, 3},  {81, 3},   {6, 3},    {16, 4},
        {64, 4},   {12, 4},  {25, 5},  {50, 5},   {125, 5}, {250, 5},  {36, 6},   {49, 7},
        {98, 7},   {64, 8},  {128, 8}, {512, 8},  {40, 8},  {81, 9},   {162, 9},  {100, 10},
        {121, 11}, {48, 16}, {64, 16}, {256, 16}, {64, 32}, {225, 15}, {289, 17}, {128, 64},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++)
        shape_holds(shapes[k][0], shapes[k][1], 4);
}

static void any_number_of_ways_will_do(void **state)
{
    (void)state;
    for (uint32_t ways = 2; ways <= 16; ways += ways < 4 ? 1 : 12) {
        shape_holds(27, 3, ways);
        shape_holds(128, 8, ways);
        shape_holds(81, 9, ways);
    }
}

/* ---- where it cannot ------------------------------------------------------- */

static void elsewhere_the_general_sort_runs(void **state)
{
    static const uint32_t shapes[][2] = {{33, 8}, {100, 7}, {5, 1},   {33, 32}, {84, 8},
                                         {65, 5}, {40, 4},  {127, 2}, {60, 6},  {7, 2}};
    const struct cw_options opt = {0};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        const uint32_t w = shapes[k][0], m = shapes[k][1];
        const struct cw_algorithm *const general = cw_algorithm_find("sort-tall");
        struct cw_report report = {0};
        struct cw_trial t;

        assert_false(recursive_holds((int)w, (int)m));
        assert_true(cw_trial_open(&t, recursive(), w, m, &opt));
        t.job.output = &report;
        for (uint32_t p = 0; p < cw_pattern_count; p++) {
            cw_pattern_fill(p, w, m, cw_test_seed() + p, t.in);
            cw_trial_check(&t, cw_pattern_name(p), cw_test_seed() + p);
        }
        assert_string_equal(report.path, "general sort");
        assert_int_equal(t.counters.steps, general->steps(w, m, &t.job.opt));
        cw_trial_close(&t);
    }
}

static void wide_matrices_are_refused(void **state)
{
    const struct cw_options opt = {0};
    struct cw_trial t;

    (void)state;
    assert_false(cw_trial_open(&t, recursive(), 8, 8, &opt));
    assert_non_null(strstr(cw_last_error(), "8 x 8"));
    assert_false(cw_trial_open(&t, recursive(), 1, 16, &opt));
}

/* ---- the steps ------------------------------------------------------------- */

/* No more than what the first implementation took, and the recursion T(w) = 2 T(w/m) + O(m
 * log m): at fixed m the steps double, and a little more, when w grows m times. */
static void steps_are_within_five_percent_of_what_is_known(void **state)
{
    static const uint32_t known[][3] = {{1 << 10, 8, 8544},
                                        {1 << 10, 32, 11744},
                                        {1 << 14, 16, 23344},
                                        {1 << 14, 32, 29120},
                                        {1 << 14, 64, 61144}};
    struct cw_options opt = {0};

    (void)state;
    cw_options_fill(&opt);
    for (size_t k = 0; k < COUNT(known); k++) {
        const uint64_t steps = recursive()->steps(known[k][0], known[k][1], &opt);

        print_message("    %5u x %-2u %llu (known: %u)\n", known[k][0], known[k][1],
                      (unsigned long long)steps, known[k][2]);
        assert_true(100 * steps <= 105 * (uint64_t)known[k][2]);
    }
    for (uint32_t m = 4; m <= 32; m *= 2) {
        for (uint32_t w = m * m; w <= 1 << 20; w *= m) {
            const uint64_t low = recursive()->steps(w, m, &opt);
            const uint64_t high = recursive()->steps(w * m, m, &opt);
            const uint64_t squares =
                (uint64_t)(4 * m + 2 * wide_steps((int)m, (int)m, sorter_merge(4)));

            assert_true(high >= 2 * low && high <= 2 * low + squares);
        }
    }
}

static void tall_shapes_of_the_table_are_sorted_in_these_steps(void **state)
{
    (void)state;
    for (uint32_t m = 8; m <= 32; m *= 4) {
        const struct cw_options opt = {0};
        struct cw_trial t;

        assert_true(cw_trial_open(&t, recursive(), 1024, m, &opt));
        cw_random_order(t.n, cw_test_seed(), t.in);
        cw_trial_check(&t, "random order", cw_test_seed());
        cw_trial_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dirty_rows_are_contiguous_and_half_of_m),
        cmocka_unit_test(any_number_of_ways_will_do),
        cmocka_unit_test(elsewhere_the_general_sort_runs),
        cmocka_unit_test(wide_matrices_are_refused),
        cmocka_unit_test(steps_are_within_five_percent_of_what_is_known),
        cmocka_unit_test(tall_shapes_of_the_table_are_sorted_in_these_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
