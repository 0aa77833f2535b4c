/* test_rows_lists.c - rows by offsets go to the list of their length, in whichever context CW_TEST_BACKEND names
 * (emulator, unless told). */
#include <stdio.h>

#include "rows_case.h"

static cw_context *context;

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

/* 256 rows that are alike take their places in the list by one atomic, which other warps take at the same time. */
static void rows_of_one_length_are_all_listed(void **state)
{
    static const size_t lengths[] = {3, 8, 20};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        const struct rows_case c = {.type = x % 2 ? CW_U64 : CW_U32,
                                    .rows = 1100,
                                    .length = lengths[x],
                                    .keys = 1,
                                    .mixed = 3,
                                    .narrow = x % 2,
                                    .seed = cw_test_seed() + x};

        failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_one_length_are_all_listed),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
