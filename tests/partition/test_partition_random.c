/* test_partition_random.c - cw_partition on random cases, in whichever context CW_TEST_BACKEND names
 * (emulator, unless told; the host's threads besides).
 *
 * CW_CASES says how many; scripts/check-gpu asks for 10000.  Each case's seed is printed if it fails.
 */
#include <stdio.h>

#include "partition_case.h"
#include "rows_case.h"

static uint64_t cases(int emulated)
{
    if (emulated)
        return cw_test_cases(CW_SANITIZED ? 30 : cw_long_run() ? 2000 : 90);
    return cw_test_cases(cw_quick_run() ? 15 : cw_long_run() ? 10000 : 500);
}

static void random_cases_are_partitioned(void **state)
{
    const int emulated = rows_test_backend() == CW_EMULATOR;
    const size_t most = emulated && !CW_FULL_SHAPES ? 3000 : 20000;
    cw_context *context, *host;
    uint64_t done = 0;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    assert_int_equal(cw_context_create(CW_CPU, &host), CW_OK);
    for (uint64_t x = 0; x < cases(emulated) && failed < 10; x++) {
        const struct partition_case c = partition_case_random(
            cw_test_seed() * 1000003u + x, cw_long_run() && x % 200 == 7 ? 25 * most : most);

        failed += partition_case_run(x % 4 == 3 && emulated ? host : context, &c);
        done++;
    }
    print_message("%llu cases, %d wrong, CW_SEED=%llu\n", (unsigned long long)done, failed,
                  (unsigned long long)cw_test_seed());
    cw_context_destroy(context);
    cw_context_destroy(host);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cases_are_partitioned)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
