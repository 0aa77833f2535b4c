/* test_bounds.c - what the registry says of its algorithms, against closed forms: every bound, as the
 * paper or its authors state it; and what a processor keeps to itself, which must not grow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/paper.h"
#include "paper/permute/plan.h"
#include "paper/report.h"
#include "test.h"
#include "trial.h"

static double sort_form(double w, double m)
{
    return m * log2(w * m);
}

static double network_form(double w, double m)
{
    return m * pow(log2(w), 2);
}

static double batcher_form(double w, double m)
{
    return m * pow(log2(w * m), 2);
}

static double blocked_form(double w, double m)
{
    return m * log2(m) + m * pow(log2(w), 2);
}

static double shear_form(double w, double m)
{
    return m * log2(m) * log2(w);
}

static double linear_form(double w, double m)
{
    (void)w;
    return m;
}

static double row_form(double w, double m)
{
    (void)w;
    return m * log2(m);
}

static double cube_form(double w, double m)
{
    const double logs = log(w) / log(m);

    return m * (logs > 1 ? logs * logs * logs : 1);
}

static double recursive_form(double w, double m)
{
    return m * log2(m) * pow(2, fmax(1, log(w) / log(m)));
}

static double permute_form(double w, double m)
{
    const double logs = log2(log(w) / log(m)); /* loglog_m w */

    return m * (logs > 1 ? fmax(1, log2(logs)) : 1);
}

static const struct {
    const char *name, *text;
    double (*form)(double w, double m);
} forms[] = {
    {"transpose", "m", linear_form},
    {"transpose-in-place", "m", linear_form},
    {"transpose-square", "m", linear_form},
    {"row-sort", "m log2 m", row_form},
    {"sort", "m log2 n", sort_form},
    {"sort-short", "m log2 n", sort_form},
    {"sort-square", "m log2 n", sort_form},
    {"sort-wide", "m log2 n", sort_form},
    {"sort-tall", "m log2(w)^2", network_form},
    {"sort-tall-cole", "m log2 n", sort_form},
    {"shearsort", "m log2 m log2 w", shear_form},
    {"bitonic", "m log2(n)^2", batcher_form},
    {"odd-even", "m log2(n)^2", batcher_form},
    {"padded-bitonic", "m log2(n)^2", batcher_form},
    {"padded-odd-even", "m log2(n)^2", batcher_form},
    {"blocked-bitonic", "m log2 m + m log2(w)^2", blocked_form},
    {"merge", "m log2 n", sort_form},
    {"partition", "m max(1, log_m w)^3", cube_form},
    {"partition-tall", "m max(1, log_m w)^3", cube_form},
    {"sort-integers", "m max(1, log_m w)^3", cube_form},
    {"sort-tall-recursive", "2^(log_m w) m log2 m", recursive_form},
    {"permute", "m max(1, logloglog_m w)", permute_form},
    {"permute-offline", "m", linear_form},
};

static void every_bound_is_its_closed_form(void **state)
{
    (void)state;
    assert_int_equal(COUNT(forms), cw_algorithm_count);
    for (size_t k = 0; k < COUNT(forms); k++) {
        const struct cw_algorithm *const alg = cw_algorithm_find(forms[k].name);

        assert_non_null(alg);
        assert_string_equal(alg->bound_text, forms[k].text);
        for (uint32_t w = 4; w <= 1 << 20; w = w * 3 / 2 + 1) {
            for (uint32_t m = 4; m <= 4096; m = m * 7 / 3 + 1) {
                const double got = alg->bound(w, m), want = forms[k].form(w, m);

                if (fabs(got - want) > 1e-9 * want)
                    fail_msg("%s, %u x %u: the bound is %g, its closed form %g", alg->name, w, m,
                             got, want);
            }
        }
    }
}

/* Whatever --prefer asks for: the bound that is told is that of the algorithm that runs. */
static void sort_tells_the_bound_of_what_it_took(void **state)
{
    const struct cw_algorithm *const sort = cw_algorithm_find("sort");

    (void)state;
    for (uint32_t w = 4; w <= 4096; w *= 4) {
        for (uint32_t m = 4; m <= 1024; m *= 4) {
            for (int prefer = CW_PREFER_STEPS; prefer <= CW_PREFER_BOUND; prefer++) {
                struct cw_options opt = {.prefer = (enum cw_prefer)prefer};
                const struct cw_algorithm *took;
                const char *text;
                double bound;

                cw_options_fill(&opt);
                took = sort->choose(w, m, &opt);
                bound = cw_algorithm_bound(sort, w, m, &opt, &text);
                if (prefer == CW_PREFER_BOUND) {
                    assert_true(fabs(bound - sort_form(w, m)) < 1e-9 * bound);
                    assert_int_equal(w > m, !strcmp(took->name, "sort-tall-cole"));
                } else if (!strcmp(took->name, "blocked-bitonic")) {
                    assert_true(fabs(bound - blocked_form(w, m)) < 1e-9 * bound);
                    assert_string_equal(text, "m log2 m + m log2(w)^2");
                }
            }
        }
    }
}

/* Erratum 7: rows sorted by counting take a pass for every log2 m bits, merged ones log2 m; the
 * bound that is told of lemma 2 has that factor. */
static void partition_tells_what_its_rows_take(void **state)
{
    static const uint32_t shapes[][2] = {{961, 31}, {1000, 10}, {4096, 16}, {64, 64}, {16, 300}};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        const uint32_t w = shapes[k][0], m = shapes[k][1];
        const double bits = ceil(log2(w)), lg = log2(m);

        for (int rows = CW_ROWS_BEST; rows <= CW_ROWS_RADIX; rows++) {
            struct cw_options opt = {.rows = (enum cw_row_sort)rows, .prefer = CW_PREFER_BOUND};
            const double factor = rows == CW_ROWS_MERGE                ? lg
                                  : rows == CW_ROWS_RADIX && bits > lg ? bits / lg
                                                                       : 1;
            const char *text;
            double got;

            cw_options_fill(&opt);
            got = cw_algorithm_bound(cw_algorithm_find("partition"), w, m, &opt, &text);
            if (fabs(got - cube_form(w, m) * factor) > 1e-9 * got)
                fail_msg("%u x %u, rows %d: %g, %s", w, m, rows, got, text);
            assert_string_equal(text, factor == 1 ? "m max(1, log_m w)^3"
                                      : rows == CW_ROWS_MERGE
                                          ? "m log2 m max(1, log_m w)^3"
                                          : "m max(1, log_m w)^3 bits / log2 m");
        }
    }
}

/* ---- private memory ------------------------------------------------------------------- */

/* The most bytes of stack that a processor used in one run. */
static size_t kept(const struct cw_algorithm *alg, uint32_t w, uint32_t m, enum cw_hash hash)
{
    const struct cw_model_config config = {w, m, !alg->conflict_free, 0, 0};
    const struct cw_options opt = {.hash = hash, .finish = hash == CW_HASH_TABLE};
    struct cw_paper_plan plan = {0, 0, NULL};
    struct cw_report report = {0};
    struct cw_model *s;
    struct cw_job job;
    size_t bytes = 0;

    if (cw_job_make(alg, &config, &opt, &job, &s))
        return 0;
    job.output = &report;
    for (uint64_t x = 0; x < (uint64_t)w * m; x++) {
        const uint64_t label = x * 5 % ((uint64_t)w * m); /* w m is a power of two */

        *cw_job_item(s, &job, CW_ROW_MAJOR, x) = alg->problem == CW_PARTITION
                                                     ? CW_ITEM(label / m, x)
                                                 : alg->problem == CW_PERMUTE ? CW_ITEM(label, x)
                                                                              : label;
    }
    if (!strcmp(alg->name, "permute-offline")) {
        uint64_t *const labels = (uint64_t *)malloc((size_t)w * m * sizeof *labels);

        assert_non_null(labels);
        for (uint64_t x = 0; x < (uint64_t)w * m; x++)
            labels[x] = x * 5 % ((uint64_t)w * m);
        assert_int_equal(cw_paper_plan_make(&plan, w, m, labels, 1), CW_OK);
        free(labels);
        job.input = &plan;
    }
    assert_int_equal(cw_model_run(s, job.algorithm->body, &job), CW_OK);
    bytes = cw_model_private(s);
    cw_model_destroy(s);
    cw_paper_plan_free(&plan);
    return bytes;
}

/* "Computation on a constant number of items": what a processor keeps outside the banks is the
 * same for m and for 16 m. */
static void a_processor_keeps_no_more_for_a_longer_row(void **state)
{
    (void)state;
    if (CW_SANITIZED)
        skip(); /* a frame is as large as the sanitizer likes */
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        for (int hash = 0; hash < (cw_algorithms[a]->problem == CW_PERMUTE ? 4 : 1); hash++) {
            static const uint32_t shapes[][2] = {{4, 64}, {32, 64}, {128, 16}};

            for (size_t k = 0; k < COUNT(shapes); k++) {
                const uint32_t w = shapes[k][0], m = shapes[k][1], more = k == 2 ? 128 : 16 * m;
                const size_t few = kept(cw_algorithms[a], w, m, (enum cw_hash)hash);
                const size_t many = kept(cw_algorithms[a], w, more, (enum cw_hash)hash);

                if (!few || !many)
                    continue;
                if (!cw_algorithms[a]->choose && !cw_algorithms[a]->settle &&
                    many >
                        few + 512) /* other branches, other frames; a row of 16 m is 8 KiB more */
                    fail_msg("%s, w = %u: %zu bytes at m = %u, %zu at m = %u",
                             cw_algorithms[a]->name, w, few, m, many, more);
                assert_true(many < 6144);
            }
        }
    }
}

/* The theorem's bound is that of its finish; the loop to the end has another. */
static void permutations_tell_the_bound_of_how_they_end(void **state)
{
    const struct cw_algorithm *const permute = cw_algorithm_find("permute");

    (void)state;
    for (uint32_t w = 4; w <= 1 << 20; w *= 4) {
        for (uint32_t m = 4; m <= 4096; m *= 4) {
            const double loglog = log2(log2((double)w) + log2((double)m));
            struct cw_options opt = {.finish = 1};
            const char *text;

            assert_true(cw_algorithm_bound(permute, w, m, &opt, &text) == permute->bound(w, m));
            assert_string_equal(text, "m max(1, logloglog_m w)");
            opt.finish = 0;
            assert_true(fabs(cw_algorithm_bound(permute, w, m, &opt, &text) - m * loglog) <
                        1e-9 * m);
            assert_string_equal(text, "m max(1, log2 log2 n)");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bound_is_its_closed_form),
        cmocka_unit_test(sort_tells_the_bound_of_what_it_took),
        cmocka_unit_test(partition_tells_what_its_rows_take),
        cmocka_unit_test(permutations_tell_the_bound_of_how_they_end),
        cmocka_unit_test(a_processor_keeps_no_more_for_a_longer_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
