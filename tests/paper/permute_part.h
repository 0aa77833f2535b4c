/* permute_part.h - one part of theorem 4's permutation by itself, on a machine that has the areas of the
 * whole: for test_permute_parts.c, which says what a mutant is before it includes this. */
#ifndef CW_TEST_PERMUTE_PART_H
#define CW_TEST_PERMUTE_PART_H

#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/paper.h"
#include "paper/permute/permute.h"

extern const struct cw_algorithm cw_alg_permute;

/* What the bodies below are given, and what they give back. */
struct part {
    struct cw_job job;
    struct cw_model *model;
    uint32_t spare; /* 128 more columns */
    hash_shape shape;
    const int *count; /* labels in each row */
    int left, most;
    word *result; /* [w] */
    word drawn;   /* random words, by row 0 */
};

/* A machine with the areas of the whole algorithm, finishing included. */
static void part_open(struct part *x, uint32_t w, uint32_t m)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};
    struct cw_options opt = {0};

    opt.finish = 1;
    memset(x, 0, sizeof *x);
    if (cw_job_make(&cw_alg_permute, &config, &opt, &x->job, &x->model) ||
        cw_model_aux(x->model, "spare", 128, &x->spare))
        fail_msg("%u x %u: %s", w, m, cw_last_error());
    x->result = (word *)calloc(w, sizeof *x->result);
    assert_non_null(x->result);
}

static void part_close(struct part *x)
{
    cw_model_destroy(x->model);
    free(x->result);
}

static uint64_t part_run(struct part *x, void (*body)(struct cw_model *, const void *))
{
    struct cw_counters counters;

    if (cw_model_run(x->model, body, x))
        fail_msg("%u x %u: %s", x->job.w, x->job.m, cw_last_error());
    cw_model_counters(x->model, &counters);
    return counters.steps;
}

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)below(random_word(77, (*state)++), (int)limit);
}

#endif
