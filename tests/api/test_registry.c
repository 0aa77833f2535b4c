/* test_registry.c - the list of algorithms, and what is said to those who ask wrongly. */
#include "trial.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"

/* ---- the list ---------------------------------------------------------------- */

static void algorithms_are_found_by_name_and_no_name_is_used_twice(void **state)
{
    (void)state;
    assert_true(cw_algorithm_count > 10);
    for (uint32_t a = 0; a < cw_algorithm_count; a++)
        assert_ptr_equal(cw_algorithm_find(cw_algorithms[a]->name), cw_algorithms[a]);
    assert_null(cw_algorithm_find("quicksort"));
    assert_null(cw_algorithm_find("sort-"));
    assert_null(cw_algorithm_find(""));
}

static void the_names_that_the_command_takes_are_there(void **state)
{
    static const char *const names[] = {
        "transpose",       "row-sort", "sort-short", "sort-square", "sort-tall", "sort-tall-cole",
        "sort-wide",       "sort",     "shearsort",  "bitonic",     "odd-even",  "padded-bitonic",
        "blocked-bitonic", "merge",
    };

    (void)state;
    for (size_t x = 0; x < COUNT(names); x++)
        if (!cw_algorithm_find(names[x]))
            fail_msg("there is no '%s'", names[x]);
}

/* One line of text, with no blank at either end. */
static void assert_line(const char *text)
{
    assert_non_null(text);
    assert_true(*text && *text != ' ' && text[strlen(text) - 1] != ' ');
    assert_null(strchr(text, '\n'));
}

static void every_row_is_complete(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        const struct cw_algorithm *alg = cw_algorithms[a];

        assert_line(alg->name);
        assert_line(alg->summary);
        assert_line(alg->bound_text);
        assert_int_equal(strspn(alg->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(alg->name));
        assert_in_range(alg->problem, CW_SORT, CW_PERMUTE);
        assert_true(alg->order == CW_ROW_MAJOR || alg->order == CW_COLUMN_MAJOR);
        assert_non_null(alg->bound);
        assert_non_null(alg->body);
    }
}

/* What a row tells of a shape that it takes makes sense. */
static void assert_tells(const struct cw_algorithm *alg, uint32_t w, uint32_t m)
{
    struct cw_area areas[CW_AREAS];
    struct cw_options opt = {.ways = 0};
    uint32_t count;

    assert_true(alg->bound(w, m) > 0);
    cw_options_fill(&opt);
    if (cw_algorithm_check(alg, w, m, &opt)) {
        assert_line(cw_last_error());
        return;
    }
    count = alg->areas ? alg->areas(w, m, &opt, areas) : 0;
    assert_true(count <= CW_AREAS);
    for (uint32_t k = 0; k < count; k++)
        assert_line(areas[k].name);
    if (alg->steps && alg->problem == CW_SORT && (uint64_t)w * m > 1)
        assert_true(alg->steps(w, m, &opt) >= m);
    if (alg->choose)
        assert_null(alg->choose(w, m, &opt)->choose);
}

static void rows_tell_bounds_areas_and_steps_of_every_shape(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        for (uint32_t w = 1; w <= 33; w++)
            for (uint32_t m = 1; m <= 33; m++)
                assert_tells(cw_algorithms[a], w, m);
        assert_tells(cw_algorithms[a], 4096, 64);
        assert_tells(cw_algorithms[a], 64, 4096);
    }
}

/* Areas lie behind the matrix, one after the other, as wide as they were asked for. */
static void a_job_has_the_areas_that_its_algorithm_asks_for(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        for (uint32_t w = 1; w <= 12; w++) {
            const struct cw_model_config config = {w, 9, !cw_algorithms[a]->conflict_free, 0, 0};
            struct cw_area areas[CW_AREAS];
            struct cw_model *s;
            struct cw_job job;
            uint32_t at = 9, count;

            if (cw_job_make(cw_algorithms[a], &config, NULL, &job, &s))
                continue;
            count = job.algorithm->areas ? job.algorithm->areas(w, 9, &job.opt, areas) : 0;
            for (uint32_t k = 0; k < count; k++) {
                assert_int_equal(job.aux[k], at);
                at += areas[k].columns;
            }
            assert_int_equal(cw_model_columns(s), at);
            assert_int_equal(cw_model_extra(s), at - 9);
            cw_model_destroy(s);
        }
    }
}

/* ---- defaults ------------------------------------------------------------------ */

static void options_left_at_zero_get_their_defaults(void **state)
{
    const struct cw_model_config config = {4, 4, 0, 0, 0};
    struct cw_options opt = {.ways = 0}, other = {.ways = 7, .alpha = 2};
    struct cw_model *s;
    struct cw_job job;

    (void)state;
    cw_options_fill(&opt);
    assert_int_equal(opt.ways, 4);
    assert_int_equal(opt.alpha, 3);
    cw_options_fill(&other);
    assert_int_equal(other.ways, 7);
    assert_int_equal(other.alpha, 2);
    assert_int_equal(cw_job_make(cw_algorithm_find("sort-wide"), &config, NULL, &job, &s), CW_OK);
    assert_int_equal(job.opt.ways, 4);
    assert_int_equal(job.w, 4);
    assert_int_equal(job.m, 4);
    cw_model_destroy(s);
}

/* ---- refusals -------------------------------------------------------------------- */

/* No machine is made; the status is right, and the message says why. */
static void refuses(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                    const struct cw_options *opt, cw_status status, const char *why)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};
    struct cw_model *s = (struct cw_model *)&config; /* must be set to NULL */
    struct cw_job job;

    assert_non_null(alg);
    assert_int_equal(cw_job_make(alg, &config, opt, &job, &s), status);
    assert_null(s);
    if (!strstr(cw_last_error(), why))
        fail_msg("'%s' does not say '%s'", cw_last_error(), why);
}

static void ways_must_be_2_to_16(void **state)
{
    static const uint32_t bad[] = {1, 17, 18, 1000, UINT32_MAX};
    const struct cw_algorithm *alg = cw_algorithm_find("sort");

    (void)state;
    for (size_t x = 0; x < COUNT(bad); x++) {
        const struct cw_options opt = {.ways = bad[x]};

        refuses(alg, 8, 8, &opt, CW_ERR_ARGUMENT, "2 .. 16");
        refuses(cw_algorithm_find("blocked-bitonic"), 8, 8, &opt, CW_ERR_ARGUMENT, "2 .. 16");
    }
    for (uint32_t ways = 2; ways <= 16; ways++) {
        const struct cw_options opt = {.ways = ways};

        assert_int_equal(cw_algorithm_check(alg, 8, 8, &opt), CW_OK);
    }
}

static void no_rows_or_no_columns_are_refused(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        refuses(cw_algorithms[a], 0, 5, NULL, CW_ERR_ARGUMENT, "0 x 5");
        refuses(cw_algorithms[a], 5, 0, NULL, CW_ERR_ARGUMENT, "5 x 0");
        refuses(cw_algorithms[a], 0, 0, NULL, CW_ERR_ARGUMENT, "0 x 0");
    }
}

static void shapes_that_are_not_taken_are_refused_with_the_reason(void **state)
{
    const struct cw_options literal = {.literal = 1}, printed = {.literal = 2};

    (void)state;
    refuses(cw_algorithm_find("sort-short"), 8, 8, NULL, CW_ERR_SHAPE, "8 x 8");
    refuses(cw_algorithm_find("sort-wide"), 9, 8, NULL, CW_ERR_SHAPE, "9 x 8");
    refuses(cw_algorithm_find("sort-square"), 9, 8, NULL, CW_ERR_SHAPE, "9 x 8");
    refuses(cw_algorithm_find("sort-tall"), 8, 8, NULL, CW_ERR_SHAPE, "8 x 8");
    refuses(cw_algorithm_find("sort-tall-cole"), 7, 8, NULL, CW_ERR_SHAPE, "7 x 8");
    refuses(cw_algorithm_find("transpose-square"), 7, 8, NULL, CW_ERR_SHAPE, "7 x 8");
    refuses(cw_algorithm_find("sort-short"), 2, 5, &literal, CW_ERR_SHAPE, "divide");
    refuses(cw_algorithm_find("sort-square"), 5, 5, &literal, CW_ERR_SHAPE, "m = 5");
    refuses(cw_algorithm_find("sort-tall"), 5, 2, &literal, CW_ERR_SHAPE, "divide");
    refuses(cw_algorithm_find("sort"), 8, 8, &literal, CW_ERR_ARGUMENT, "sort-short");
    refuses(cw_algorithm_find("partition-tall"), 8, 8, &printed, CW_ERR_SHAPE, "not 8 x 8");
    refuses(cw_algorithm_find("partition-tall"), 8, 1, &printed, CW_ERR_SHAPE, "not 8 x 1");
    assert_int_equal(cw_algorithm_check(cw_algorithm_find("partition-tall"), 8, 4, &printed),
                     CW_OK);
}

static void rows_are_counted_only_if_the_bits_of_a_key_are_known(void **state)
{
    const struct cw_options none = {.rows = CW_ROWS_RADIX};
    const struct cw_options many = {.rows = CW_ROWS_RADIX, .key_bits = 65};

    (void)state;
    refuses(cw_algorithm_find("row-sort"), 4, 4, &none, CW_ERR_ARGUMENT, "bits");
    refuses(cw_algorithm_find("row-sort"), 4, 4, &many, CW_ERR_ARGUMENT, "65");
}

static void machines_that_are_too_large_are_refused(void **state)
{
    (void)state;
    refuses(cw_algorithm_find("transpose"), 1u << 21, 1, NULL, CW_ERR_ARGUMENT, "too large");
    refuses(cw_algorithm_find("transpose"), 1u << 20, 1u << 12, NULL, CW_ERR_ARGUMENT, "too large");
}

static uint32_t greedy_areas(uint32_t w, uint32_t m, const struct cw_options *opt,
                             struct cw_area *out)
{
    (void)w;
    (void)m;
    (void)opt;
    out[0].name = "modest";
    out[0].columns = 1;
    out[1].name = "greedy";
    out[1].columns = UINT32_MAX - 2;
    return 2;
}

static void more_auxiliary_columns_than_there_is_room_for_are_refused(void **state)
{
    struct cw_algorithm greedy = *cw_algorithm_find("sort-wide");

    (void)state;
    greedy.areas = greedy_areas;
    refuses(&greedy, 8, 8, NULL, CW_ERR_MEMORY, "'greedy'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algorithms_are_found_by_name_and_no_name_is_used_twice),
        cmocka_unit_test(the_names_that_the_command_takes_are_there),
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(rows_tell_bounds_areas_and_steps_of_every_shape),
        cmocka_unit_test(a_job_has_the_areas_that_its_algorithm_asks_for),
        cmocka_unit_test(options_left_at_zero_get_their_defaults),
        cmocka_unit_test(ways_must_be_2_to_16),
        cmocka_unit_test(no_rows_or_no_columns_are_refused),
        cmocka_unit_test(shapes_that_are_not_taken_are_refused_with_the_reason),
        cmocka_unit_test(rows_are_counted_only_if_the_bits_of_a_key_are_known),
        cmocka_unit_test(machines_that_are_too_large_are_refused),
        cmocka_unit_test(more_auxiliary_columns_than_there_is_room_for_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
