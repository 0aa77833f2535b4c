/* lemma2_run.h - partition-tall run on lemma 2's path, and its steps over powers of log_m w. */
#ifndef CW_TEST_LEMMA2_RUN_H
#define CW_TEST_LEMMA2_RUN_H

#include <math.h>

#include "paper/report.h"
#include "patterns.h"
#include "trial.h"

static uint64_t measured_on(uint32_t w, uint32_t m, const struct cw_options *opt, uint64_t seed)
{
    struct cw_report report = {0};
    uint64_t steps;
    struct cw_trial t;

    assert_true(cw_trial_open(&t, cw_algorithm_find("partition-tall"), w, m, opt));
    cw_random_order(t.n, seed, t.in);
    for (uint64_t x = 0; x < t.n; x++)
        t.in[x] = t.in[x] / m << 32 | x;
    t.job.output = &report;
    assert_int_equal(cw_trial_run(&t), CW_OK);
    assert_string_equal(report.path, "lemma 2");
    for (uint64_t x = 0; x < t.n; x++)
        assert_int_equal(t.out[x] >> 32, x / m);
    steps = t.counters.steps;
    cw_trial_close(&t);
    return steps;
}

static double steps_over(uint32_t w, uint32_t m, enum cw_row_sort rows, int power)
{
    struct cw_options opt = {.rows = rows};

    cw_options_fill(&opt);
    return (double)cw_algorithm_find("partition-tall")->steps(w, m, &opt) /
           (m * pow(log2(w) / log2(m), power));
}

#endif
