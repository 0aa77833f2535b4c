/* test_zero_one.c - all 0-1 inputs of all small shapes, on the strict machine.
 *
 * The algorithms compare and do nothing else with a key, so by the 0-1 principle
 * what sorts all of these sorts everything of that shape.  The list of algorithms is
 * the registry's: every sort that promises to be free of conflicts.
 */
#include "trial.h"

/* Every input of w x m; returns how many, 0 where the shape is not taken. */
static uint64_t sorts_all(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                          const struct cw_options *opt)
{
    struct cw_trial t;
    uint64_t runs;

    if (!cw_trial_open(&t, alg, w, m, opt))
        return 0;
    for (uint64_t bits = 0; bits >> t.n == 0; bits++) {
        for (uint64_t x = 0; x < t.n; x++)
            t.in[x] = bits >> x & 1;
        cw_trial_check(&t, "zeros and ones", bits);
    }
    runs = t.runs;
    cw_trial_close(&t);
    return runs;
}

/* All shapes of at most `limit` items. */
static void sorts_everything(const struct cw_algorithm *alg, uint32_t limit, uint32_t ways)
{
    const struct cw_options opt = {.ways = ways};
    uint64_t runs = 0;

    for (uint32_t w = 1; w <= limit; w++)
        for (uint32_t m = 1; w * m <= limit; m++)
            runs += sorts_all(alg, w, m, &opt);
    print_message("    %-20s ways %u, w*m <= %u: %llu inputs\n", alg->name, ways, limit,
                  (unsigned long long)runs);
    assert_true(runs > 0);
}

static void all_zero_one_inputs_are_sorted_without_conflicts(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++)
        if (cw_trial_takes(cw_algorithms[a]))
            sorts_everything(cw_algorithms[a], cw_long_run() ? 17 : CW_SANITIZED ? 11 : 13, 4);
}

/* Fewer registers mean more merges, and other plans. */
static void so_they_are_with_two_and_three_ways(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        for (uint32_t ways = 2; ways <= 3 && cw_trial_takes(cw_algorithms[a]); ways++)
            sorts_everything(cw_algorithms[a], cw_long_run() ? 15 : CW_SANITIZED ? 8 : 10, ways);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_zero_one_inputs_are_sorted_without_conflicts),
        cmocka_unit_test(so_they_are_with_two_and_three_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
