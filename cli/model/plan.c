/* plan.c - the plan of an offline permutation: made from the labels or taken from a file. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "input.h"
#include "paper/inputs.h"
#include "paper/permute/plan.h"
#include "run.h"

static int told(cw_status status)
{
    return status ? complain(exit_of(status), "%s", cw_last_error()) : DONE;
}

static int load(const struct request *r, const uint64_t *labels, struct cw_paper_plan *plan)
{
    if (told(cw_paper_plan_load(plan, r->plan)))
        return USAGE;
    if (plan->w != r->w || plan->m != r->m)
        return complain(
            USAGE, "%s is a plan for %" PRIu32 " x %" PRIu32 ", not for -w %" PRIu64 " -m %" PRIu64,
            r->plan, plan->w, plan->m, r->w, r->m);
    if (cw_paper_plan_serves(plan, labels))
        return complain(USAGE, "%s: %s", r->plan, cw_last_error());
    return DONE;
}

int input_plan(const struct request *r, struct input *in, struct cw_paper_plan *plan)
{
    const uint64_t n = r->w * r->m;
    uint64_t *const labels = (uint64_t *)malloc(n * sizeof *labels);
    int status;

    if (!labels)
        return complain(FAILED, "out of memory for %" PRIu64 " labels", n);
    for (uint64_t i = 0; i < n; i++)
        labels[i] = CW_ITEM_LABEL(in->items[i]);
    if (r->plan)
        status = load(r, labels, plan);
    else
        status = told(cw_paper_plan_make(plan, (uint32_t)r->w, (uint32_t)r->m, labels, r->seed));
    free(labels);
    if (!status && r->plan_to && cw_paper_plan_write(plan, r->plan_to))
        status = complain(FAILED, "%s", cw_last_error());
    in->plan = plan;
    return status;
}
