/* test_permute_offline.c - Nakano's permutation: m read steps, m write steps, no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/paper.h"
#include "paper/permute/plan.h"
#include "paper/report.h"

extern const struct cw_algorithm cw_alg_permute_offline;

#define COUNT(a) (sizeof(a) / sizeof *(a))

static int long_run(void)
{
    const char *s = getenv("CW_LONG");

    return s && *s && strcmp(s, "0");
}

struct bench {
    struct cw_job job;
    struct cw_model *model;
    struct cw_paper_plan plan;
    struct cw_counters counters;
    struct cw_report report;
    uint64_t n;
    cw_word *labels;
};

/* A machine, labels and the plan for them. */
static void bench_open(struct bench *b, uint32_t w, uint32_t m, const char *input, uint64_t seed)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};

    memset(b, 0, sizeof *b);
    if (cw_job_make(&cw_alg_permute_offline, &config, NULL, &b->job, &b->model))
        fail_msg("%u x %u: %s", w, m, cw_last_error());
    b->n = (uint64_t)w * m;
    b->labels = (cw_word *)malloc(b->n * sizeof *b->labels);
    assert_non_null(b->labels);
    if (cw_input_make(input, CW_PERMUTE, w, m, 0, seed, b->labels) ||
        cw_paper_plan_make(&b->plan, w, m, b->labels, seed))
        fail_msg("%u x %u, %s, seed %llu: %s", w, m, input, (unsigned long long)seed,
                 cw_last_error());
    b->job.input = &b->plan;
    b->job.output = &b->report;
}

static void bench_close(struct bench *b)
{
    cw_paper_plan_free(&b->plan);
    cw_model_destroy(b->model);
    free(b->labels);
}

static cw_status bench_run(struct bench *b)
{
    cw_status status;

    for (uint64_t i = 0; i < b->n; i++)
        *cw_job_item(b->model, &b->job, CW_ROW_MAJOR, i) = CW_ITEM(b->labels[i], i);
    memset(&b->report, 0, sizeof b->report);
    status = cw_model_run(b->model, b->job.algorithm->body, &b->job);
    cw_model_counters(b->model, &b->counters);
    return status;
}

/* The item of label L stands at place L of the result. */
static int bench_exact(const struct bench *b)
{
    for (uint64_t i = 0; i < b->n; i++) {
        const uint32_t row = (uint32_t)(b->labels[i] / b->job.m);
        const uint32_t col = (uint32_t)(b->labels[i] % b->job.m) + b->job.aux[0];

        if (*cw_model_at(b->model, row, col) != CW_ITEM(b->labels[i], i))
            return 0;
    }
    return 1;
}

static void must_permute(uint32_t w, uint32_t m, const char *input, uint64_t seed)
{
    struct bench b;

    bench_open(&b, w, m, input, seed);
    if (bench_run(&b))
        fail_msg("%u x %u, %s, seed %llu: %s", w, m, input, (unsigned long long)seed,
                 cw_last_error());
    if (!bench_exact(&b))
        fail_msg("%u x %u, %s, seed %llu: an item is not in its place", w, m, input,
                 (unsigned long long)seed);
    assert_int_equal(b.counters.conflicts, 0);
    assert_int_equal(b.counters.steps, 2 * (uint64_t)m);
    assert_int_equal(b.counters.steps, cw_alg_permute_offline.steps(w, m, &b.job.opt));
    assert_int_equal(b.counters.reads, b.n);
    assert_int_equal(b.counters.accesses, 2 * b.n); /* no bank is idle in any step */
    assert_int_equal(b.report.plan_steps, m);
    bench_close(&b);
}

static void every_permutation_takes_m_reads_and_m_writes(void **state)
{
    static const uint32_t shapes[][2] = {{33, 8},    {100, 7},   {1, 16},  {5, 1},    {48, 2},
                                         {37, 50},   {32, 32},   {64, 48}, {300, 12}, {8, 129},
                                         {32, 1000}, {1024, 15}, {4096, 3}};
    const uint32_t most = long_run() ? 40 : 18; /* 324 shapes */
    const char *const *input = cw_input_names(CW_PERMUTE);
    uint64_t seed = 1;

    (void)state;
    for (int k = 0; input[k]; k++) {
        for (uint32_t w = 1; w <= most; w++)
            for (uint32_t m = 1; m <= most; m++)
                must_permute(w, m, input[k], seed++);
        for (size_t x = 0; x < COUNT(shapes); x++)
            must_permute(shapes[x][0], shapes[x][1], input[k], seed++);
    }
}

static void a_plan_serves_many_runs(void **state)
{
    struct bench b;

    (void)state;
    bench_open(&b, 32, 20, "random", 7);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(bench_run(&b), CW_OK);
        assert_true(bench_exact(&b));
    }
    bench_close(&b);
}

/* Two items of one row change rounds: both rounds then write to a row twice, unless
 * the items go to the same row. */
static void a_plan_with_rounds_exchanged_is_caught(void **state)
{
    struct bench b;
    uint64_t *first, *second, t;

    (void)state;
    bench_open(&b, 32, 8, "random", 3);
    first = &b.plan.entry[0 * 32 + 5];
    second = &b.plan.entry[1 * 32 + 5];
    assert_true(cw_paper_plan_row(*first) != cw_paper_plan_row(*second));
    t = *first;
    *first = *second;
    *second = t;
    assert_int_equal(bench_run(&b), CW_ERR_CONFLICT);
    assert_non_null(strstr(cw_last_error(), "permute_offline.h"));
    bench_close(&b);
}

static void a_plan_for_other_labels_is_seen_in_the_output(void **state)
{
    struct bench b;
    uint64_t t;

    (void)state;
    bench_open(&b, 16, 8, "random", 3);
    t = b.labels[0];
    b.labels[0] = b.labels[1];
    b.labels[1] = t;
    assert_int_equal(bench_run(&b), CW_OK);
    assert_false(bench_exact(&b));
    bench_close(&b);
}

static void more_than_a_plan_can_say_is_refused(void **state)
{
    const struct cw_options opt = {0};

    (void)state;
    assert_int_equal(cw_alg_permute_offline.check(1, CW_PLAN_SLOT_MAX, &opt), CW_OK);
    assert_int_equal(cw_alg_permute_offline.check(1, CW_PLAN_SLOT_MAX + 1, &opt), CW_ERR_SHAPE);
    assert_int_equal(cw_alg_permute_offline.check(CW_PLAN_ROW_MAX + 1, 1, &opt), CW_ERR_SHAPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_permutation_takes_m_reads_and_m_writes),
        cmocka_unit_test(a_plan_serves_many_runs),
        cmocka_unit_test(a_plan_with_rounds_exchanged_is_caught),
        cmocka_unit_test(a_plan_for_other_labels_is_seen_in_the_output),
        cmocka_unit_test(more_than_a_plan_can_say_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
