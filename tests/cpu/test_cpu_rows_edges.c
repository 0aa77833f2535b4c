/* test_cpu_rows_edges.c - rows on the host: NaNs, lengths of leaves, and what is refused. */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1 /* fork, setrlimit */
#endif

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu/rows/rows.h"
#include "cpu/work.h"
#include "base/threads.h"
#include "values.h"

/* Networks work on lines of leaves eight at a time: the longest leaf is a multiple of 8. */
static void the_longest_leaves_are_whole_lines(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < cw_columns_count; x++) {
        for (uint32_t kind = 0; kind < 3; kind++) {
            const uint32_t limit = cw_columns_list[x].limit[kind],
                           wide = cw_columns_list[x].wide[kind];

            if (!limit || limit % 8 || wide % 8 || wide < limit)
                fail_msg("%s, words of %u bytes: %u and %u", cw_columns_list[x].name, 4u << kind,
                         limit, wide);
        }
    }
}

/* NaNs of other bits: nothing is said of their order, but they are last and none is lost. */
static void nans_of_any_bits_come_last_and_stay_as_they_are(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed());
    float in[500], out[500];
    uint32_t index[500], taken[500] = {0};
    cw_rows job = {.type = CW_F32, .rows = 1, .length = 500};
    size_t numbers = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(in); x++) {
        const uint32_t bits = (uint32_t)cw_random_next(&random) | (x % 3 ? 0 : 0x7f800000);

        memcpy(in + x, &bits, sizeof bits);
        numbers += !isnan(in[x]);
    }
    job.keys_in = in;
    job.keys_out = out;
    job.index_out = index;
    for (job.flags = 0; job.flags <= CW_DESCENDING; job.flags++) {
        assert_int_equal(cw_cpu_sort_rows(&job, NULL), CW_OK);
        for (size_t x = 0; x < COUNT(in); x++) {
            assert_int_equal(!isnan(out[x]), x < numbers);
            assert_memory_equal(out + x, in + index[x], sizeof *in);
            assert_int_equal(taken[index[x]]++, job.flags);
        }
    }
}

/* ---- refusals ------------------------------------------------------------------------------- */

/* The job is refused with `status`, the detail says `text`, and no output is touched. */
static void refused(cw_rows job, cw_status status, const char *text)
{
    struct cw_team team = {.wanted = 2};
    uint16_t keys[20], out[20];
    uint32_t index[20];

    memset(out, 0xa5, sizeof out);
    memset(index, 0xa5, sizeof index);
    for (unsigned x = 0; x < 20; x++)
        keys[x] = (uint16_t)(20 - x);
    job.type = CW_U16;
    job.keys_in = keys;
    job.keys_out = out;
    job.index_out = index;
    assert_int_equal(cw_cpu_sort_rows(&job, &team), status);
    cw_team_end(&team);
    if (!strstr(cw_last_error(), text))
        fail_msg("\"%s\" does not say \"%s\"", cw_last_error(), text);
    for (unsigned x = 0; x < 20; x++) {
        assert_int_equal(out[x], 0xa5a5);
        assert_int_equal(index[x], 0xa5a5a5a5);
    }
}

static void bad_offsets_are_refused_before_anything_is_written(void **state)
{
    static const uint64_t falling[] = {0, 4, 8, 7, 12}, past[] = {0, 10, 21}, far[] = {21, 21},
                          wide[] = {0, 2, 13}, wrapped[] = {5, UINT64_MAX, 8};

    (void)state;
    refused((cw_rows){.rows = 4, .length = 10, .items = 20, .offsets = falling}, CW_ERR_ARGUMENT,
            "row 2");
    refused((cw_rows){.rows = 2, .length = 12, .items = 20, .offsets = past}, CW_ERR_ARGUMENT,
            "row 1");
    refused((cw_rows){.rows = 1, .length = 12, .items = 20, .offsets = far}, CW_ERR_ARGUMENT,
            "row 0");
    refused((cw_rows){.rows = 2, .length = 10, .items = 20, .offsets = wide}, CW_ERR_LENGTH,
            "row 1");
    refused((cw_rows){.rows = 2, .length = 10, .items = 20, .offsets = wrapped}, CW_ERR_ARGUMENT,
            "row 0");
    refused((cw_rows){.rows = 1, .length = (size_t)CW_ROWS_MAX + 1}, CW_ERR_LENGTH, "4294967296");
}

/* In a process of its own, which may not have more memory than it has. */
static int sort_with_no_memory(void)
{
    enum { ROWS = 64, LENGTH = 32768 };
    const size_t n = (size_t)ROWS * LENGTH;
    uint64_t *keys = (uint64_t *)malloc(n * sizeof *keys);
    uint64_t *out = (uint64_t *)malloc(n * sizeof *out);
    const struct rlimit none = {0, 0};
    struct cw_team team = {.wanted = ROWS};
    cw_rows job = {.type = CW_U64, .rows = ROWS, .length = LENGTH};
    int fine;

    if (!keys || !out)
        return 2;
    for (size_t x = 0; x < n; x++) {
        keys[x] = n - x;
        out[x] = 7;
    }
    job.keys_in = keys;
    job.keys_out = out;
    if (setrlimit(RLIMIT_AS, &none))
        return 2;
    fine = cw_cpu_sort_rows(&job, &team) == CW_ERR_MEMORY && strstr(cw_last_error(), "threads");
    for (size_t x = 0; x < n; x++)
        fine &= out[x] == 7;
    free(keys);
    free(out);
    return !fine;
}

static void no_memory_is_a_status_and_nothing_is_written(void **state)
{
    pid_t child;
    int status;

    (void)state;
    if (CW_SANITIZED)
        skip(); /* the sanitizer itself could not go on */
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(sort_with_no_memory());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* What is forked must come before any thread is started. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_is_a_status_and_nothing_is_written),
        cmocka_unit_test(bad_offsets_are_refused_before_anything_is_written),
        cmocka_unit_test(the_longest_leaves_are_whole_lines),
        cmocka_unit_test(nans_of_any_bits_come_last_and_stay_as_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
