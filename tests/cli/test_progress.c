/* test_progress.c - the bar fits the terminal, however narrow, and tells the time that is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cli/common/progress.c"

double seconds_now(void)
{
    return 0;
}

static const char *line(const char *what, double done, double passed, int wide)
{
    static char text[200];

    progress_line(what, done, passed, wide, text, sizeof text);
    return text;
}

static void the_bar_is_never_wider_than_the_terminal(void **state)
{
    (void)state;
    for (int wide = 1; wide < 200; wide++) {
        for (int percent = 0; percent <= 100; percent++) {
            assert_true(strlen(line("sort", percent / 100.0, 5000, wide)) < (size_t)wide);
            assert_true(strlen(line("a long name of a command", percent / 100.0, 1e9, wide)) <
                        (size_t)wide);
        }
    }
}

static void it_shows_how_far_it_is_and_what_is_left(void **state)
{
    (void)state;
    assert_non_null(strstr(line("sort", 0.5, 10, 80), " 50 %, 10 s left"));
    assert_non_null(strstr(line("sort", 0.5, 185, 80), ", 3:05 left"));
    assert_non_null(strstr(line("sort", 0.25, 1200, 80), ", 1:00:00 left"));
    assert_null(strstr(line("sort", 0.01, 10, 80), "left")); /* too early to say */
    assert_non_null(strstr(line("sort", 1, 10, 80), "100 %"));
    assert_null(strchr(line("sort", 0.5, 10, 30), '[')); /* no room for a bar */
    assert_non_null(strstr(line("sort", 0.5, 10, 30), "50 %, 10 s left"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bar_is_never_wider_than_the_terminal),
        cmocka_unit_test(it_shows_how_far_it_is_and_what_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
