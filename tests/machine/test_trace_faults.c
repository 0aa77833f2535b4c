/* test_trace_faults.c - a trace is read while memory and files fail, once at each request: it says so with the right
 * status, and loses nothing. */
#define _POSIX_C_SOURCE 200809L
#include "failing_calls.h"
#include "test.h"
#include "trace_support.h"

static cw_status read_all(void)
{
    struct cw_trace_reader *r;
    struct cw_trace_event e;
    cw_status status = cw_trace_read_open(file, &r);

    assert_true(!status == (r != NULL));
    while (!status) {
        status = cw_trace_read_next(r, &e);
        if (!status && e.type == CW_TRACE_END)
            break;
    }
    cw_trace_read_close(r);
    return status;
}

static void a_trace_is_read_while_all_fails(void **state)
{
    struct cw_model *s = machine(W, M, 1, 4);
    const unsigned seed = 4;
    enum failing_kind kind = FAILING_MEMORY;
    long k = 0;

    (void)state;
    assert_int_equal(record(s, wander, &seed), CW_OK);
    cw_model_destroy(s);
    for (; kind != FAILING_NONE; k++) {
        const long before = failing_calls_live();
        const char *name;
        cw_status status;

        failing_calls_begin(k);
        status = read_all();
        kind = failing_calls_end(&name);
        if (kind == FAILING_MEMORY ? status != CW_ERR_MEMORY
            : kind == FAILING_FILE ? status != CW_ERR_IO && status != CW_ERR_FORMAT
                                   : status != CW_OK)
            fail_msg("request %ld (%s) fails: %s (%s)", k, name, cw_status_name(status),
                     cw_last_error());
        assert_int_equal(failing_calls_live(), before);
    }
    assert_true(k > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_is_read_while_all_fails),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
