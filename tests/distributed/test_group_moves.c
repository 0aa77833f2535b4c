/* test_group_moves.c - cw_group_permute and cw_group_partition on threads of this process, against a serial
 * oracle. */
#include <stdio.h>

#include "group_case.h"
#include "group_threads.h"
#include "test.h"

struct plan {
    int (*run)(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most);
    uint64_t seed, most;
    unsigned cases;
};

static int cases(const cw_group *group, cw_context *context, void *user)
{
    const struct plan *const p = (const struct plan *)user;
    int wrong = 0;

    for (unsigned x = 0; x < p->cases; x++)
        wrong += p->run(group, context, p->seed + x, p->most);
    return wrong;
}

static void on_all_ranks(struct plan plan)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7, 9};

    plan.cases = CW_SANITIZED ? 10 : cw_long_run() ? 1000 : 60;
    for (size_t x = 0; x < COUNT(ranks); x++) {
        plan.seed = cw_test_seed() * 1013 + x * 10000;
        assert_int_equal(group_threads_run(ranks[x], CW_CPU, 200, cases, &plan), 0);
    }
    plan.cases = CW_SANITIZED ? 3 : 12;
    assert_int_equal(group_threads_run(2, CW_EMULATOR, 200, cases, &plan), 0);
    print_message("CW_SEED=%llu\n", (unsigned long long)cw_test_seed());
}

static void rows_go_to_their_global_places(void **state)
{
    const struct plan plan = {group_permute_case, 0, 2000, 0};

    (void)state;
    on_all_ranks(plan);
}

static void buckets_go_to_their_ranks(void **state)
{
    const struct plan plan = {group_partition_case, 0, 1000, 0};

    (void)state;
    on_all_ranks(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_to_their_global_places),
        cmocka_unit_test(buckets_go_to_their_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
