/* test_permute_check.c - what cw_permute makes of bad indices and of misuse, with CW_CHECK and without, and
 * the workspace that it asks for; in whichever context CW_TEST_BACKEND names (emulator, unless told). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "permute_case.h"

/* An index that is there twice has two items written to one place, either of which may stay.  The emulator
 * calls that a race, and so does racecheck, for which check-gpu sets CW_RACECHECK. */
static void bad_indices_do_no_harm(void **state)
{
    const int told = permute_emulated() || getenv("CW_RACECHECK");
    int failed = 0;

    (void)state;
    for (int way = CW_PERMUTE_AUTO; way <= CW_PERMUTE_ROUTE; way++) {
        for (size_t n = 300; n < 4000; n += 1234) {
            struct permute_case t = permute_case_of(permute_items(n), 4, 500 + n);

            t.way = (enum cw_permute_way)way;
            t.flags = way == CW_PERMUTE_ROUTE ? CW_GATHER : 0;
            t.out_of_range = 50;
            failed += permute_run(t);
            t.twice = told && (way == CW_PERMUTE_PLACE || way == CW_PERMUTE_AUTO) ? 0 : 100;
            failed += permute_run(t);
            t.out_of_range = 0;
            failed += permute_run(t);
        }
    }
    assert_int_equal(failed, 0);
}

/* All indices equal: a bin gets all items. */
static void a_gather_may_ask_for_one_element_often(void **state)
{
    struct permute_case t = permute_case_of(permute_items(3000), 4, 600);

    (void)state;
    t.pattern = IDENTITY;
    t.flags = CW_GATHER;
    t.twice = (int)t.n;
    t.way = CW_PERMUTE_ROUTE;
    assert_int_equal(permute_run(t), 0);
}

static void a_check_refuses_bad_indices_and_names_the_first(void **state)
{
    const size_t n = permute_emulated() || cw_quick_run() ? 3000 : 300000;
    const uint64_t bad[] = {n, 5};
    char text[100];

    (void)state;
    for (size_t x = 0; x < COUNT(bad); x++) {
        struct permute_case t = permute_case_of(n, 4, 700 + x);
        struct permute_arrays a = {0};
        size_t first = n;

        t.flags = CW_CHECK | (x ? CW_GATHER : 0);
        permute_make(&t, &a);
        a.p[n / 2] = bad[x];
        a.p[n - 1] = bad[x];
        for (size_t i = 0; i < n; i++) { /* with 5 there are three: the second is meant */
            size_t before = 0;

            for (size_t j = 0; j < i && a.p[i] == 5; j++)
                before += a.p[j] == 5;
            if (first == n && (a.p[i] >= n || before))
                first = i;
        }
        permute_set_index(&t, &a);
        permute_good(
            cw_memory_write(permute_context, (uint8_t *)a.dev_index, a.index, n * t.index_bytes));
        assert_int_equal(permute_by_call(&t, &a), CW_ERR_LABEL);
        (void)snprintf(text, sizeof text, "index %zu is %llu:", first, (unsigned long long)bad[x]);
        if (strncmp(cw_last_error(), text, strlen(text)) != 0)
            fail_msg("%s, not %s", cw_last_error(), text);
        permute_good(cw_memory_read(permute_context, a.out, a.dev_out, n * t.bytes));
        assert_true(permute_untouched(&t, &a));
        permute_drop(&a);
    }
}

static void a_check_names_a_negative_index(void **state)
{
    (void)state;
    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        struct permute_case t = permute_case_of(400, 4, 750 + bytes);
        struct permute_arrays a = {0};
        cw_permute_job job = {.flags = CW_CHECK, .n = t.n, .bytes = 4, .index_bytes = bytes};

        t.index_bytes = bytes;
        permute_make(&t, &a);
        a.p[77] = (uint64_t)0 - 3;
        permute_set_index(&t, &a);
        permute_good(cw_memory_write(permute_context, a.dev_index, a.index, t.n * bytes));
        job.index_signed = 1;
        job.in = a.dev_in, job.out = a.dev_out, job.index = a.dev_index;
        permute_good(cw_permute_workspace(&job, &a.work_bytes));
        permute_good(cw_memory_alloc(permute_context, a.work_bytes, &a.work));
        assert_int_equal(cw_permute(permute_context, &job, a.work, a.work_bytes, NULL),
                         CW_ERR_LABEL);
        assert_string_equal(cw_last_error(), "index 77 is -3: negative");
        cw_memory_free(permute_context, a.work);
        a.work = NULL;
        permute_drop(&a);
    }
}

static void a_check_lets_permutations_pass(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t n = 1; n < 5000; n = 3 * n + 1) {
        struct permute_case t = permute_case_of(n, 8, 800 + n);

        t.flags = CW_CHECK;
        failed += permute_both(t);
    }
    assert_int_equal(failed, 0);
}

static cw_status refused(cw_permute_job job)
{
    size_t need = 0;
    char workspace[512];

    return cw_permute_workspace(&job, &need)
               ? cw_permute_workspace(&job, &need)
               : cw_permute(permute_context, &job, workspace, 0, NULL);
}

static void misuse_is_refused(void **state)
{
    uint32_t a[64], b[64], p[64];
    const cw_permute_job right = {
        .n = 64, .bytes = 4, .in = a, .out = b, .index = p, .index_bytes = 4};
    cw_permute_job job = right;

    (void)state;
    job.bytes = 0;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job.bytes = CW_ELEMENT_MAX + 1u;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.index_bytes = 2;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.flags = CW_DESCENDING;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.index = NULL;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.out = a + 1;
    job.n = 63;
    assert_int_equal(refused(job), CW_ERR_OVERLAP);
    job = right;
    job.in = (const uint8_t *)a + 1;
    job.n = 60;
    assert_int_equal(refused(job), CW_ERR_ARGUMENT);
    job = right;
    job.flags = CW_CHECK;
    assert_int_equal(refused(job), CW_ERR_WORKSPACE);
    assert_int_equal(cw_permute(permute_context, NULL, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_permute(NULL, &right, NULL, 0, NULL), CW_ERR_ARGUMENT);
}

static void the_workspace_grows_with_n(void **state)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16, 24};

    (void)state;
    for (size_t b = 0; b < COUNT(sizes); b++) {
        for (unsigned flags = 0; flags <= CW_GATHER; flags += CW_GATHER) {
            size_t last = 0;

            for (size_t n = 1; n < (size_t)1 << 31; n += n / 7 + 1) {
                const cw_permute_job job = {
                    .flags = flags, .n = n, .bytes = sizes[b], .index_bytes = 8};
                size_t need = 0;

                assert_int_equal(cw_permute_workspace(&job, &need), CW_OK);
                assert_true(need >= last);
                assert_true(need <= n * (7 + 2 * sizes[b]) + (1u << 20));
                last = need;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_indices_do_no_harm),
        cmocka_unit_test(a_gather_may_ask_for_one_element_often),
        cmocka_unit_test(a_check_refuses_bad_indices_and_names_the_first),
        cmocka_unit_test(a_check_names_a_negative_index),
        cmocka_unit_test(a_check_lets_permutations_pass),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(the_workspace_grows_with_n),
    };

    return cmocka_run_group_tests(tests, permute_open, permute_close);
}
