/* test_fault_parts.c - parts of the library while memory fails, once at each place where they ask for it: those that
 * test_faults.c does not reach, or not at each place.  They say so or do without, and lose no block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clearway.h"
#include "failing_calls.h"
#include "inputs/adversary.h"
#include "offline/plan.h"
#include "test.h"

#define N 1000u

static uint32_t in[N], out[N];

static cw_status adversary_merge(void)
{
    const struct cw_adversary a = {.items = 5};

    return cw_adversary_merge(&a, 4, N, 1, out, 4);
}

static cw_status plan_of_three_passes(void)
{
    const struct cw_plan_wish wish = {.table = 1, .gather = -1, .tile = 64, .partitions = 3};
    cw_plan *plan;
    const cw_status status = cw_plan_make(in, 4, N, 4, 0, 1, &wish, &plan);

    assert_true(!status == (plan != NULL));
    cw_plan_destroy(plan);
    return status;
}

/* A context's first launch makes its blocks. */
static cw_status first_launch(void)
{
    const cw_transpose_job job = {.rows = 10, .columns = 10, .bytes = 4, .in = in, .out = out};
    cw_context *context;
    cw_status status = cw_context_create(CW_EMULATOR, &context);

    if (!status)
        status = cw_transpose(context, &job, NULL, 0, NULL);
    cw_context_destroy(context);
    return status;
}

/* Until a call makes no more than k requests. */
static void survives(const char *what, cw_status (*call)(void))
{
    enum failing_kind kind = FAILING_MEMORY;
    long k = 0;

    assert_int_equal(call(), CW_OK);
    for (; kind != FAILING_NONE; k++) {
        const long before = failing_calls_live();
        const char *name;
        cw_status status;

        failing_calls_begin(k);
        status = call();
        kind = failing_calls_end(&name);
        if (status != CW_OK && (status != CW_ERR_MEMORY || kind != FAILING_MEMORY))
            fail_msg("%s, request %ld (%s) fails: %s", what, k, name, cw_last_error());
        if (failing_calls_live() != before)
            fail_msg("%s, request %ld (%s) fails: %ld blocks are lost", what, k, name,
                     failing_calls_live() - before);
    }
    print_message("%s: %ld requests failed\n", what, k - 1);
    assert_int_equal(call(), CW_OK);
}

static void worst_inputs_survive_every_fault(void **state)
{
    (void)state;
    survives("the worst input of a merge", adversary_merge);
}

static void plans_of_three_passes_survive_every_fault(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        in[i] = i * 601u % N;
    survives("a plan of three passes", plan_of_three_passes);
}

static void first_launches_survive_every_fault(void **state)
{
    (void)state;
    survives("the first launch of a context", first_launch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worst_inputs_survive_every_fault),
        cmocka_unit_test(plans_of_three_passes_survive_every_fault),
        cmocka_unit_test(first_launches_survive_every_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
