/* paper_plan.h - permutations and a plan for tests of the paper's offline permutation. */
#ifndef PAPER_PLAN_H
#define PAPER_PLAN_H

#include <stdlib.h>

#include "paper/inputs.h"
#include "paper/permute/plan.h"
#include "test.h"

static inline uint64_t *make_labels(uint32_t w, uint32_t m, const char *input, uint64_t seed)
{
    uint64_t *label = malloc((size_t)w * m * sizeof *label);

    assert_non_null(label);
    assert_int_equal(cw_input_make(input, CW_PERMUTE, w, m, 0, seed, label), CW_OK);
    return label;
}

/* A 4 x 3 plan by rotation: round k sends slot k of row i to column k of row i+k. */
static inline struct cw_paper_plan rotation_plan(void)
{
    struct cw_paper_plan plan = {4, 3, malloc(12 * sizeof *plan.entry)};

    assert_non_null(plan.entry);
    for (uint32_t e = 0; e < 12; e++) {
        plan.entry[e] = cw_paper_plan_entry((e % 4 + e / 4) % 4, e / 4, e / 4);
    }
    return plan;
}

#endif
