/* test_bounds.c - what the registry says of its algorithms, against closed forms: every bound, as the
 * paper or its authors state it; and what a processor keeps to itself, which must not grow. */
#include <math.h>
#include <stdio.h>
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

/* Whatever is told of a shape: where steps are known beforehand, they are within a constant of it, from one
 * row or column to as many as the model takes. */
static void steps_are_within_a_constant_of_what_is_told(void **state)
{
    const uint32_t half = cw_long_run()    ? 1
                          : cw_quick_run() ? 6
                                           : 2; /* sides grow by so many halves */

    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        const struct cw_algorithm *const alg = cw_algorithms[a];
        const double most =
            alg->problem == CW_PARTITION ? 240 : 32; /* of powers of two up to 25.3 */

        for (int prefer = CW_PREFER_STEPS; prefer <= CW_PREFER_BOUND; prefer++) {
            struct cw_options opt = {.prefer = (enum cw_prefer)prefer};

            cw_options_fill(&opt);
            for (uint32_t m = 1; m <= 1 << 16; m += m < 8 ? 1 : m / 2 * half) {
                for (uint32_t w = 1; w <= 1 << 20 && w <= (1u << 30) / m;
                     w += w < 8 ? 1 : w / 2 * half) {
                    const struct cw_algorithm *runs;
                    const char *text;
                    double bound;

                    if (cw_algorithm_check(alg, w, m, &opt))
                        continue;
                    runs = alg->choose ? alg->choose(w, m, &opt) : alg;
                    bound = cw_algorithm_bound(alg, w, m, &opt, &text);
                    if (runs->steps && (double)runs->steps(w, m, &opt) > most * bound)
                        fail_msg("%s, %u x %u: %llu steps, %s = %g", runs->name, w, m,
                                 (unsigned long long)runs->steps(w, m, &opt), text, bound);
                }
            }
        }
    }
}

/* docs/paper.md: the best bound of a tall matrix is theorem 2's with Cole's columns. */
static void tall_matrices_are_sorted_by_cole_for_the_bound(void **state)
{
    const uint32_t third = cw_long_run() ? 1 : 6;
    struct cw_options opt = {.prefer = CW_PREFER_BOUND};

    (void)state;
    cw_options_fill(&opt);
    for (uint32_t m = 1; m <= 4096; m += 1 + m / 3 * third)
        for (uint32_t w = m < 4 ? 4 : m + 1; w <= 1 << 20; w += 1 + w / 3 * third)
            assert_string_equal(cw_algorithm_find("sort")->choose(w, m, &opt)->name,
                                "sort-tall-cole");
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

/* The same of integers: of a known number of bits, or merged where it is not known. */
static void sorts_of_integers_tell_what_their_rows_take(void **state)
{
    static const uint32_t shapes[][2] = {{961, 31}, {1000, 10}, {4096, 16}, {64, 64}, {16, 300}};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes) * 6; k++) {
        const uint32_t w = shapes[k / 6][0], m = shapes[k / 6][1];
        const uint32_t bits = k / 3 % 2 ? 24 : 0;
        const int rows = (int)(k % 3);
        struct cw_options opt = {
            .rows = (enum cw_row_sort)rows, .prefer = CW_PREFER_BOUND, .key_bits = bits};
        const int merged = rows == CW_ROWS_MERGE || !bits;
        const double factor = merged                                    ? log2(m)
                              : rows == CW_ROWS_RADIX && bits > log2(m) ? bits / log2(m)
                                                                        : 1;
        const char *text;
        double got;

        if (rows == CW_ROWS_RADIX && !bits)
            continue; /* refused */
        cw_options_fill(&opt);
        got = cw_algorithm_bound(cw_algorithm_find("sort-integers"), w, m, &opt, &text);
        if (fabs(got - cube_form(w, m) * factor) > 1e-9 * got)
            fail_msg("%u x %u, rows %d, %u bits: %g, %s", w, m, rows, bits, got, text);
        assert_string_equal(text, factor == 1 ? "m max(1, log_m w)^3"
                                  : merged    ? "m log2 m max(1, log_m w)^3"
                                              : "m max(1, log_m w)^3 bits / log2 m");
    }
}

/* Theorem 1's partition in O(m), rows sorted by counting: what docs/paper.md says of steps over m. */
static void counted_squares_take_the_same_steps_over_m(void **state)
{
    const struct cw_algorithm *const partition = cw_algorithm_find("partition");
    struct cw_options opt = {.rows = CW_ROWS_RADIX};

    (void)state;
    cw_options_fill(&opt);
    for (uint32_t m = 8; m <= 2048; m++) {
        const double over = (double)partition->steps(m, m, &opt) / m;

        if (over < 94 || over > (m & (m - 1) ? 126 : 103))
            fail_msg("m = %u: %g m steps", m, over);
    }
}

/* Where lemma 2 or the recursion is not what runs but the general sort, whose columns go through
 * Batcher's network, the bound is m log2(w)^2. */
static void the_general_sort_is_told_where_it_ran(void **state)
{
    static const struct {
        const char *name;
        uint32_t w, m;
        int network;
    } cases[] = {
        {"partition", 256, 16, 1},           {"partition", 961, 31, 1},
        {"partition", 4096, 4, 1},           {"partition", 64, 64, 0},
        {"sort-integers", 256, 16, 1},       {"sort-integers", 1000, 10, 1},
        {"partition-tall", 1 << 20, 2, 1},   {"partition-tall", 256, 16, 0},
        {"sort-tall-recursive", 256, 16, 0}, {"sort-tall-recursive", 33, 32, 1},
        {"sort-tall-recursive", 1000, 7, 1}, {"sort-tall-recursive", 4096, 64, 0},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        const struct cw_algorithm *const alg = cw_algorithm_find(cases[k].name);
        const uint32_t w = cases[k].w, m = cases[k].m;
        struct cw_options opt = {.key_bits = alg->problem == CW_SORT ? 20 : 0};
        const char *text;
        double got;

        cw_options_fill(&opt);
        got = cw_algorithm_bound(alg, w, m, &opt, &text);
        if (cases[k].network) {
            assert_string_equal(text, "m log2(w)^2");
            assert_true(fabs(got - network_form(w, m)) < 1e-9 * got);
        } else {
            assert_string_equal(text, alg->bound_text);
            assert_true(fabs(got - alg->bound(w, m)) < 1e-9 * got);
        }
        if (cases[k].network && (double)alg->steps(w, m, &opt) > 11 * got)
            fail_msg("%s, %u x %u: %llu steps, %s = %g", alg->name, w, m,
                     (unsigned long long)alg->steps(w, m, &opt), text, got);
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

/* ---- permutations ----------------------------------------------------------------------- */

/* Words of a hash, from what permute_hash.h says of it. */
static double words_form(int hash, double w, double m)
{
    const double per = floor(64 / fmax(1, ceil(log2(m))));
    const double chars = ceil(log2(2 * m)), many = ceil(ceil(log2(w)) / chars); /* of a key */
    const double rows = many > 1 ? exp2(chars) : w, a_word = floor(64 / chars);

    if (hash == CW_HASH_TABLE)
        return ceil(w / per);
    if (hash == CW_HASH_TABULATION)
        return many * rows * ceil(4 / a_word) + ceil(many * rows / per) +
               ceil(4 * exp2(chars) / per);
    return 2; /* mixer; pagh has 3 m at most, as test_permute_random shows */
}

/* What an iteration takes, and how it is written. */
static double once_form(int hash, double w, double m, const char **name)
{
    const double words = words_form(hash, w, m), least = fmax(m, log2(w));

    *name = words > 3 * least ? "S" : m < log2(w) ? "log2 w" : "m";
    return words > 3 * least ? words : least;
}

/* The loop to the end: O(loglog n) iterations. */
static void the_loop_to_the_end_tells_its_bound(void **state)
{
    const struct cw_algorithm *const permute = cw_algorithm_find("permute");
    uint32_t written[3] = {0};

    (void)state;
    for (uint32_t w = 4; w <= 1 << 20; w *= 4) {
        for (uint32_t m = 4; m <= 4096; m *= 4) {
            for (int hash = CW_HASH_MIXER; hash <= CW_HASH_TABULATION; hash++) {
                const double loglog = log2(log2((double)w) + log2((double)m));
                const struct cw_options opt = {.hash = (enum cw_hash)hash, .ways = 4, .alpha = 3};
                const char *text, *name;
                const double want = once_form(hash, w, m, &name) * loglog;
                const double got = cw_algorithm_bound(permute, w, m, &opt, &text);
                char all[80];

                snprintf(all, sizeof all, "%s max(1, log2 log2 n)%s", name,
                         *name == 'S' ? ", S words of a hash" : "");
                assert_string_equal(text, all);
                if (fabs(got - want) > 1e-9 * want)
                    fail_msg("%u x %u, hash %d: %g, not %g", w, m, hash, got, want);
                written[*name == 'S' ? 2 : *name == 'l']++;
            }
        }
    }
    assert_true(written[0] && written[1] && written[2]);
}

/* One run of the permutation; the bound that is told of it, and its steps over that. */
static double over_bound(uint32_t w, uint32_t m, const struct cw_options *given,
                         struct cw_report *report, double *bound, const char **text)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};
    const uint64_t n = (uint64_t)w * m;
    cw_word *const items = (cw_word *)malloc(n * sizeof *items);
    struct cw_counters counters;
    struct cw_model *s;
    struct cw_job job;

    memset(report, 0, sizeof *report);
    assert_int_equal(cw_job_make(cw_algorithm_find("permute"), &config, given, &job, &s), CW_OK);
    assert_non_null(items);
    assert_int_equal(cw_input_make("random", CW_PERMUTE, w, m, 0, given->seed, items), CW_OK);
    cw_input_items(n, items);
    for (uint64_t x = 0; x < n; x++)
        *cw_job_item(s, &job, CW_ROW_MAJOR, x) = items[x];
    free(items);
    job.output = report;
    assert_int_equal(cw_model_run(s, job.algorithm->body, &job), CW_OK);
    cw_model_counters(s, &counters);
    *bound = cw_job_bound(&job, text);
    cw_model_destroy(s);
    return (double)counters.steps / *bound;
}

/* The theorem's bound, and what it takes to sort W columns. */
static double finish_form(double w, double m, double W, int lemma2, const char **text)
{
    const double deep = fmax(1, log(w) / log(W));

    *text = lemma2 ? "m max(1, logloglog_m w) + W log2 W log_W^3 w, W columns packed"
                   : "m max(1, logloglog_m w) + W log2(w)^2, W columns packed";
    return permute_form(w, m) + (lemma2 ? W * log2(W) * deep * deep * deep : W * pow(log2(w), 2));
}

/* What ran: the theorem's bound where nothing is left to sort; with what the sort of the rest takes where
 * there is, by lemma 2 or the general sort; the general sort's for w <= m, where it is all. */
static void the_finish_tells_the_bound_of_the_sort_that_ran(void **state)
{
    static const struct {
        uint32_t w, m;
        enum cw_hash hash;
        uint32_t W; /* the most columns that packing may leave for such a sort (permute_finish.h) */
        const char *path;
    } cases[] = {
        {16, 64, CW_HASH_MIXER, 64, "general sort, three groups"},
        {64, 64, CW_HASH_MIXER, 64, "general sort, three groups"},
        {512, 32, CW_HASH_MIXER, 4, "loop, pack, general sort, three groups"},
        {1024, 32, CW_HASH_MIXER, 16, "loop, pack, lemma 2, three groups"},
        {128, 16, CW_HASH_PAGH, 4, "loop, pack, general sort, three groups"},
    };
    const struct cw_options loop = {.hash = CW_HASH_TABLE, .seed = 1};
    struct cw_report report;
    const char *text, *want;
    double bound;

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        const uint32_t w = cases[k].w, m = cases[k].m;
        const struct cw_options opt = {.hash = cases[k].hash, .finish = 1, .seed = 1};
        const double over = over_bound(w, m, &opt, &report, &bound, &text);
        const double form =
            w <= m ? sort_form(w, m)
                   : finish_form(w, m, cases[k].W, strstr(cases[k].path, "lemma") != NULL, &want);

        if (w <= m)
            want = "m log2 n";
        assert_string_equal(report.path, cases[k].path);
        assert_string_equal(text, want);
        if (fabs(bound - form) > 1e-9 * form)
            fail_msg("%u x %u: the bound is %g, its closed form %g", w, m, bound, form);
        print_message("    %u x %u: %.1f times %s\n", w, m, over, text);
        assert_true(over < 20);
    }
    assert_true(over_bound(4096, 8, &loop, &report, &bound, &text) <
                20); /* a table: by its words */
    assert_string_equal(text, "S max(1, log2 log2 n), S words of a hash");
    assert_true(over_bound(4096, 2, &(struct cw_options){.finish = 1, .seed = 1}, &report, &bound,
                           &text) < 40);
    if (strstr(report.path, "nothing"))
        assert_string_equal(text, "log2 w max(1, logloglog_m w)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bound_is_its_closed_form),
        cmocka_unit_test(sort_tells_the_bound_of_what_it_took),
        cmocka_unit_test(steps_are_within_a_constant_of_what_is_told),
        cmocka_unit_test(tall_matrices_are_sorted_by_cole_for_the_bound),
        cmocka_unit_test(partition_tells_what_its_rows_take),
        cmocka_unit_test(sorts_of_integers_tell_what_their_rows_take),
        cmocka_unit_test(counted_squares_take_the_same_steps_over_m),
        cmocka_unit_test(the_general_sort_is_told_where_it_ran),
        cmocka_unit_test(the_loop_to_the_end_tells_its_bound),
        cmocka_unit_test(the_finish_tells_the_bound_of_the_sort_that_ran),
        cmocka_unit_test(a_processor_keeps_no_more_for_a_longer_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
