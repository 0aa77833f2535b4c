/* test_permute.c - theorem 4: it permutes, collides never, and leaves what theory says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int mutant; /* which rule the copies of the algorithm in this file break */
#define PERMUTE_MUTANT mutant

#include "paper/inputs.h"
#include "paper/paper.h"
#include "paper/permute/permute.h"
#include "test.h"

extern const struct cw_algorithm cw_alg_permute;

/* ---- a bench: one machine, run many times --------------------------------- */

struct bench {
    struct cw_job job;
    struct cw_model *model;
    struct cw_report report;
    struct cw_counters counters;
    uint64_t n;
    cw_word *in;
};

static void bench_open(struct bench *b, const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                       struct cw_options opt)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};

    memset(b, 0, sizeof *b);
    if (cw_job_make(alg, &config, &opt, &b->job, &b->model))
        fail_msg("%u x %u: %s", w, m, cw_last_error());
    b->n = (uint64_t)w * m;
    b->in = (cw_word *)malloc(b->n * sizeof *b->in);
    assert_non_null(b->in);
}

static void bench_close(struct bench *b)
{
    cw_model_destroy(b->model);
    free(b->in);
}

/* Run on the named labels; CW_ERR_INTERNAL if an item is not in its place. */
static cw_status bench_run(struct bench *b, const char *input, uint64_t seed)
{
    struct cw_job *const job = &b->job;
    cw_status status = cw_input_make(input, CW_PERMUTE, job->w, job->m, 0, seed, b->in);

    assert_int_equal(status, CW_OK);
    cw_input_items(b->n, b->in);
    for (uint64_t i = 0; i < b->n; i++)
        *cw_job_item(b->model, job, CW_ROW_MAJOR, i) = b->in[i];
    memset(&b->report, 0, sizeof b->report);
    job->output = &b->report;
    job->opt.seed = seed;
    status = cw_model_run(b->model, job->algorithm->body, job);
    cw_model_counters(b->model, &b->counters);
    for (uint64_t i = 0; !status && i < b->n; i++)
        if (*cw_job_item(b->model, job, CW_ROW_MAJOR, CW_ITEM_LABEL(b->in[i])) != b->in[i])
            status = CW_ERR_INTERNAL;
    return status;
}

/* In strict mode, so a conflict is an error. */
static void bench_must(struct bench *b, const char *input, uint64_t seed)
{
    const struct cw_options *o = &b->job.opt;

    if (bench_run(b, input, seed))
        fail_msg("%u x %u, %s, seed %llu, hash %d, alpha %u, finish %d: %s", b->job.w, b->job.m,
                 input, (unsigned long long)seed, (int)o->hash, o->alpha, o->finish,
                 cw_last_error());
    assert_int_equal(b->counters.conflicts, 0);
    assert_int_equal(b->report.leftover_count, b->report.iterations);
    if (!o->finish)
        assert_int_equal(b->report.leftovers[b->report.iterations - 1], 0);
}

static struct cw_options options(enum cw_hash hash, uint32_t alpha, int finish)
{
    struct cw_options opt = {0};

    opt.hash = hash;
    opt.alpha = alpha;
    opt.finish = finish;
    return opt;
}

/* ---- exact, and without a conflict ---------------------------------------- */

static const uint32_t shapes[][2] = {{33, 8},  {100, 7}, {1, 16},  {5, 1},    {48, 2},
                                     {37, 50}, {32, 32}, {64, 48}, {300, 12}, {8, 129}};

static void every_input_hash_and_mode_is_permuted_exactly(void **state)
{
    const char *const *input = cw_input_names(CW_PERMUTE);
    uint64_t seed = 1;

    (void)state;
    for (size_t x = 0; x < COUNT(shapes); x++) {
        for (int mode = 0; mode < 32; mode++) { /* hash, finish, alpha */
            const uint32_t alpha = 1 + (uint32_t)(mode / 8 + mode) % 4;
            struct bench b;

            bench_open(&b, &cw_alg_permute, shapes[x][0], shapes[x][1],
                       options((enum cw_hash)(mode % 4), alpha, mode / 4 % 2));
            for (int k = 0; input[k]; k++)
                if (cw_long_run() || (k + mode + (int)x) % (CW_SANITIZED ? 6 : 4) == 1)
                    bench_must(&b, input[k], seed++);
            bench_close(&b);
        }
    }
}

static void every_small_shape_is_permuted_exactly(void **state)
{
    const char *const *input = cw_input_names(CW_PERMUTE);
    const uint32_t most = cw_long_run() ? 40 : 18; /* 324 shapes */
    uint64_t seed = 1000;

    (void)state;
    for (uint32_t w = 1; w <= most; w++) {
        for (uint32_t m = 1; m <= most; m++) {
            for (int k = 0; input[k]; k++) {
                const int mode = (int)(seed % 32);
                struct bench b;

                bench_open(&b, &cw_alg_permute, w, m,
                           options((enum cw_hash)(mode % 4), 1 + (uint32_t)mode / 8, mode / 4 % 2));
                bench_must(&b, input[k], seed++);
                bench_close(&b);
            }
        }
    }
}

static void many_rows_are_permuted_exactly(void **state)
{
    const uint32_t w = CW_SANITIZED ? 4096 : cw_long_run() ? 65536 : 16384;
    struct bench b;

    (void)state;
    bench_open(&b, &cw_alg_permute, w, 16, options(CW_HASH_MIXER, 3, 0));
    bench_must(&b, "random", 5);
    assert_in_range(b.report.iterations, 1, 3);
    bench_close(&b);
}

static void a_bad_option_is_refused(void **state)
{
    const struct cw_model_config config = {4, 4, 0, 0, 0};
    struct cw_options opt = options((enum cw_hash)99, 3, 0);
    struct cw_model *model;
    struct cw_job job;

    (void)state;
    assert_int_equal(cw_job_make(&cw_alg_permute, &config, &opt, &job, &model), CW_ERR_ARGUMENT);
    opt = options(CW_HASH_MIXER, UINT32_MAX, 0);
    assert_int_equal(cw_job_make(&cw_alg_permute, &config, &opt, &job, &model), CW_ERR_ARGUMENT);
    assert_int_equal(cw_alg_permute.check(1, 1u << 25, &opt), CW_ERR_SHAPE);
}

/* ---- what it costs -------------------------------------------------------- */

/* Strict steps over m that the prototype of this algorithm took: alpha = 1 .. 4. */
static const struct {
    uint32_t w, m;
    double steps[4];
} known[] = {{32, 8, {49, 43, 50, 40}},
             {32, 32, {42, 36, 43, 52}},
             {32, 1024, {38, 43, 40, 50}},
             {1024, 8, {83, 62, 63, 72}},
             {1024, 128, {42, 45, 42, 52}}};

static void steps_stay_below_those_of_the_prototype(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(known); x++) {
        const int runs = known[x].w * known[x].m > 10000 ? 1 : 10;

        if (CW_SANITIZED && runs == 1)
            continue;

        for (uint32_t alpha = 1; alpha <= 4; alpha++) {
            double steps = 0, iterations = 0;
            struct bench b;

            bench_open(&b, &cw_alg_permute, known[x].w, known[x].m,
                       options(CW_HASH_MIXER, alpha, 0));
            for (int r = 0; r < runs; r++) {
                bench_must(&b, "random", (uint64_t)r);
                steps += (double)b.counters.steps / known[x].m / runs;
                iterations += (double)b.report.iterations / runs;
            }
            print_message("%4u x %4u  alpha %u  steps/m %5.1f (prototype %2.0f)  iterations %.1f\n",
                          known[x].w, known[x].m, alpha, steps, known[x].steps[alpha - 1],
                          iterations);
            assert_true(steps < known[x].steps[alpha - 1]);
            bench_close(&b);
        }
    }
}

static void the_bound_is_that_of_theorem_4(void **state)
{
    (void)state;
    assert_true(cw_alg_permute.bound(32, 32) == 32); /* w <= m: no iteration is needed */
    assert_true(cw_alg_permute.bound(1024, 8) == 8); /* logloglog below 1 */
    assert_true(fabs(cw_alg_permute.bound(1u << 16, 2) - 2 * 2) < 1e-9);
    assert_true(fabs(cw_alg_permute.bound(1u << 16, 1) - 2) < 1e-9);
}

/* w for the shuffle, and for each hash what its parts say: O(m), but for the table. */
static void random_words_are_counted_and_few(void **state)
{
    static const enum cw_hash hashes[] = {CW_HASH_MIXER, CW_HASH_TABLE, CW_HASH_PAGH,
                                          CW_HASH_TABULATION};
    /* 100 x 8: pagh a polynomial of degree 7; tabulation 16 characters, 2 a key with a word
     * and a value for each, 4 tables of values */
    static const uint64_t each[] = {2, 100, 8, 2 * 16 * 2 + 4 * 16};

    (void)state;
    for (size_t x = 0; x < COUNT(hashes); x++) {
        struct bench b;

        bench_open(&b, &cw_alg_permute, 100, 8, options(hashes[x], 2, 0));
        bench_must(&b, "random", 3);
        assert_int_equal(b.report.random_words, 100 + each[x] * b.report.iterations);
        bench_close(&b);
    }
}

/* ---- what is left after one iteration ------------------------------------- */

/* The mean of (X - alpha)+ where X of m items drawn from n have one of w colours'
 * labels (hypergeometric); n = 0: drawn with replacement (binomial, chance 1/m). */
static double mean_left(double n, double w, double m, int alpha)
{
    double sum = 0;

    for (int x = alpha + 1; x <= m && x < 60 && (n == 0 || x <= w); x++) {
        double log_p = lgamma(m + 1) - lgamma(x + 1) - lgamma(m - x + 1);

        if (n == 0)
            log_p += -x * log(m) + (m - x) * log1p(-1 / m);
        else
            log_p += lgamma(w + 1) - lgamma(w - x + 1) + lgamma(n - w + 1) -
                     lgamma(n - w - m + x + 1) - lgamma(n + 1) + lgamma(n - m + 1);
        sum += (x - alpha) * exp(log_p);
    }
    return sum;
}

/* Compare the mean leftover fraction of many runs with what is expected: Student's t
 * with at least 59 degrees of freedom.  |t| > 7 has chance below 3e-9; the mean of so
 * many runs is not exactly normal, which at that distance costs less than a factor of
 * ten; so all eight comparisons below together raise a false alarm with chance below
 * 1e-6. */
static void compare_left(const char *input, uint32_t w, uint32_t m, enum cw_hash hash,
                         uint32_t alpha, double expected)
{
    const int runs = CW_SANITIZED ? 60 : 250;
    double sum = 0, squares = 0, mean, error;
    struct bench b;

    bench_open(&b, &cw_alg_permute, w, m, options(hash, alpha, 0));
    for (int r = 0; r < runs; r++) {
        double left;

        bench_must(&b, input, (uint64_t)r * 8 + alpha);
        left = (double)b.report.leftovers[0] / (double)b.n;
        sum += left;
        squares += left * left;
    }
    bench_close(&b);
    mean = sum / runs;
    error = sqrt((squares / runs - mean * mean) / (runs - 1));
    print_message("%s, hash %d, alpha %u: left %.5f, expected %.5f, t = %+.1f\n", input, (int)hash,
                  alpha, mean, expected, (mean - expected) / error);
    assert_true(fabs(mean - expected) <= 7 * error);
}

/* On random labels every colour has w of the n labels, whatever the hash, and a row's m
 * labels are drawn from these: the expectation is exact.  As w and m grow it becomes
 * the mean of (Poisson(1) - alpha)+. */
static void leftovers_of_random_labels_are_as_expected(void **state)
{
    static const double limit[] = {0.367879, 0.103638, 0.023337, 0.004340};

    const uint32_t side = cw_long_run() ? 256 : 64;

    (void)state;
    for (int alpha = 1; alpha <= 4; alpha++) {
        assert_true(fabs(mean_left(1e10, 1e5, 1e5, alpha) - limit[alpha - 1]) < 1e-5);
        compare_left("random", side, side, CW_HASH_MIXER, (uint32_t)alpha,
                     mean_left(side * side, side, side, alpha));
    }
}

/* With `blocks`, a row's labels come from m rows, each for one other row: their colours
 * are m independent values of the hash.  Proved for the table, observed for the others. */
static void every_hash_leaves_what_a_random_function_leaves(void **state)
{
    static const enum cw_hash hashes[] = {CW_HASH_MIXER, CW_HASH_TABLE, CW_HASH_PAGH,
                                          CW_HASH_TABULATION};

    (void)state;
    for (size_t x = 0; x < COUNT(hashes); x++)
        compare_left("blocks", 96, 24, hashes[x], 2, mean_left(0, 0, 24, 2));
}

/* ---- the checks bite ------------------------------------------------------ */

static void mutant_body(struct cw_model *s, const void *job)
{
    permute(s, (const struct cw_job *)job);
}

/* The same case passes with all rules kept, and ends in a conflict with one broken. */
static void must_be_caught(int which, uint32_t w, uint32_t m, enum cw_hash hash)
{
    struct cw_algorithm copy = cw_alg_permute;
    struct bench b;

    copy.body = mutant_body;
    bench_open(&b, &copy, w, m, options(hash, 2, 0));
    for (uint64_t seed = 1; seed <= 5; seed++) {
        mutant = MUTANT_NONE;
        bench_must(&b, "random", seed);
        mutant = which;
        assert_int_equal(bench_run(&b, "random", seed), CW_ERR_CONFLICT);
        assert_non_null(strstr(cw_last_error(), "permute.h"));
        mutant = MUTANT_NONE;
    }
    bench_close(&b);
}

static void colours_from_the_source_row_are_caught(void **state)
{
    (void)state;
    must_be_caught(MUTANT_COLOUR, 33, 8, CW_HASH_MIXER);
    must_be_caught(MUTANT_COLOUR, 64, 32, CW_HASH_TABLE);
}

static void a_ring_of_too_few_steps_is_caught(void **state)
{
    (void)state;
    must_be_caught(MUTANT_RING, 33, 8, CW_HASH_MIXER);
    must_be_caught(MUTANT_RING, 100, 7, CW_HASH_PAGH);
    must_be_caught(MUTANT_RING, 300, 12, CW_HASH_TABULATION);
}

/* Labels of heavy colours, for independent colours of k = m labels: a label's colour is heavy if alpha or
 * more of the others have it.  That tends to 1 - 1/e and 1 - 2/e of m, above lemma 3's m / 2^alpha. */
static void lemma_3_is_no_bound_for_alpha_1_and_2(void **state)
{
    enum { M = 256, DRAWS = 400 };
    const double none = pow(1 - 1.0 / M, M - 1), one = pow(1 - 1.0 / M, M - 2) * (M - 1) / M;
    const double want[] = {1 - none, 1 - none - one};
    struct cw_random random = cw_random_from(3);
    double share[2] = {0, 0};

    (void)state;
    for (int r = 0; r < DRAWS; r++) {
        int load[M] = {0};

        for (int q = 0; q < M; q++)
            load[cw_random_below(&random, M)]++;
        for (int alpha = 1; alpha <= 2; alpha++)
            for (int c = 0; c < M; c++)
                share[alpha - 1] += load[c] > alpha ? load[c] / (double)(M * DRAWS) : 0;
    }
    for (int alpha = 1; alpha <= 2; alpha++) {
        assert_true(fabs(want[alpha - 1] - (alpha == 1 ? 0.632 : 0.264)) < 0.002);
        assert_true(fabs(share[alpha - 1] - want[alpha - 1]) < 0.01);
        assert_true(share[alpha - 1] > pow(0.5, alpha));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_hash_and_mode_is_permuted_exactly),
        cmocka_unit_test(every_small_shape_is_permuted_exactly),
        cmocka_unit_test(many_rows_are_permuted_exactly),
        cmocka_unit_test(a_bad_option_is_refused),
        cmocka_unit_test(steps_stay_below_those_of_the_prototype),
        cmocka_unit_test(the_bound_is_that_of_theorem_4),
        cmocka_unit_test(random_words_are_counted_and_few),
        cmocka_unit_test(leftovers_of_random_labels_are_as_expected),
        cmocka_unit_test(lemma_3_is_no_bound_for_alpha_1_and_2),
        cmocka_unit_test(every_hash_leaves_what_a_random_function_leaves),
        cmocka_unit_test(colours_from_the_source_row_are_caught),
        cmocka_unit_test(a_ring_of_too_few_steps_is_caught),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
