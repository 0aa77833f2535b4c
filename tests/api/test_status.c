/* test_status.c - every status has a name and a text, every failure a line of its own. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    for (int x = 0; x < CW_STATUS_COUNT; x++) {
        const char *name = cw_status_name((cw_status)x);

        assert_int_equal(strncmp(name, x ? "CW_ERR_" : "CW_OK", x ? 7 : 6), 0);
        assert_true(strlen(cw_status_text((cw_status)x)) > 3);
        for (int y = 0; y < x; y++)
            assert_string_not_equal(name, cw_status_name((cw_status)y));
    }
    assert_string_equal(cw_status_name(CW_ERR_CONFLICT), "CW_ERR_CONFLICT");
    assert_string_equal(cw_status_text(CW_ERR_CONFLICT), "bank conflict");
}

static void an_unknown_status_has_them_too(void **state)
{
    static const int unknown[] = {-1, CW_STATUS_COUNT, 1000};

    (void)state;
    for (size_t x = 0; x < sizeof unknown / sizeof *unknown; x++) {
        assert_string_equal(cw_status_name((cw_status)unknown[x]), "CW_ERR_UNKNOWN");
        assert_string_equal(cw_status_text((cw_status)unknown[x]), "unknown status");
    }
}

static void a_failure_returns_its_status_and_keeps_its_detail(void **state)
{
    char longer[1000];

    (void)state;
    assert_int_equal(cw_fail(CW_ERR_IO, "%s, line %d", "input.txt", 7), CW_ERR_IO);
    assert_string_equal(cw_last_error(), "input.txt, line 7");
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(cw_fail(CW_ERR_FORMAT, "%s", longer), CW_ERR_FORMAT);
    assert_int_equal(strlen(cw_last_error()), 511);
}

static void *fail_elsewhere(void *arg)
{
    const char *before = cw_last_error();

    *(int *)arg = before[0] == 0 && cw_fail(CW_ERR_MEMORY, "elsewhere") == CW_ERR_MEMORY &&
                  strcmp(cw_last_error(), "elsewhere") == 0;
    return NULL;
}

static void the_detail_belongs_to_the_thread(void **state)
{
    pthread_t thread;
    int fine = 0;

    (void)state;
    (void)cw_fail(CW_ERR_IO, "here");
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &fine), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(fine);
    assert_string_equal(cw_last_error(), "here");
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_string_equal(cw_version(), CW_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(an_unknown_status_has_them_too),
        cmocka_unit_test(a_failure_returns_its_status_and_keeps_its_detail),
        cmocka_unit_test(the_detail_belongs_to_the_thread),
        cmocka_unit_test(the_version_is_that_of_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
