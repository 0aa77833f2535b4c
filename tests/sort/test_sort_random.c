/* test_sort_random.c - random cases of cw_sort (length, type, input, values, index, flags, bits) against
 * an obvious reference, in whichever context CW_TEST_BACKEND names (emulator, unless told).
 *
 * CW_CASES says how many; scripts/check-gpu asks for 10000.
 */
#include <stdio.h>
#include <stdlib.h>

#include "array_case.h"
#include "rows_case.h"

static unsigned cases(void)
{
    return cw_test_cases(cw_long_run() ? 3000 : CW_FEW ? 10 : 100);
}

static struct array_case random_case(struct cw_random *r, size_t most)
{
    static const size_t values[] = {0, 0, 1, 2, 4, 4, 8, 16}, indices[] = {0, 0, 4, 8};
    static const unsigned orders[] = {0, 0, CW_TOTAL_ORDER, CW_NAN_FIRST, CW_NAN_GREATEST};
    struct array_case c = {.keys = 1};

    c.type = (cw_type)cw_random_below(r, CW_TYPE_COUNT);
    c.seed = cw_random_next(r);
    c.n = (size_t)cw_random_below(r, 2 + (most >> cw_random_below(r, 12)));
    c.flags = (unsigned)cw_random_below(r, 4) | orders[cw_random_below(r, 5)];
    c.value_bytes = values[cw_random_below(r, 8)];
    c.index_bytes = indices[cw_random_below(r, 4)];
    c.keys = !c.index_bytes || cw_random_below(r, 2);
    c.in_place = c.keys && cw_random_below(r, 2);
    c.shift = (size_t)cw_random_below(r, 3);
    c.pattern = (enum array_pattern)cw_random_below(r, ARRAY_PATTERNS);
    if (c.type <= CW_I64 && cw_random_below(r, 4) == 0) {
        const unsigned bits = 8u * (unsigned)cw_type_bytes(c.type);

        c.first_bit = (unsigned)cw_random_below(r, bits);
        c.bits = (unsigned)cw_random_below(r, bits - c.first_bit + 1);
    }
    return c;
}

static void random_cases_are_sorted(void **state)
{
    const unsigned count = cases();
    const int emulated = rows_test_backend() == CW_EMULATOR;
    const size_t most = !emulated ? 200000 : CW_FULL_SHAPES ? 100000 : 14000;
    struct cw_random r = cw_random_from(cw_test_seed());
    cw_context *context;
    int failed = 0;

    (void)state;
    if (cw_context_create(rows_test_backend(), &context))
        fail_msg("%s", cw_last_error());
    for (unsigned x = 0; x < count; x++) {
        const struct array_case c = random_case(&r, most);

        failed += array_case_run(context, &c);
    }
    cw_context_destroy(context);
    printf("%u cases, seed %llu: %d failed\n", count, (unsigned long long)cw_test_seed(), failed);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cases_are_sorted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
