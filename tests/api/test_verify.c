/* test_verify.c - a right output passes, and every small damage to it is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/verify.h"

#define W 6
#define M 5
#define N (W * M)

/* Insertion: slow, obvious, and nothing that verify.c uses. */
static void insertion_sort(cw_word *x, int n)
{
    for (int i = 1; i < n; i++) {
        for (int j = i; j > 0 && x[j - 1] > x[j]; j--) {
            const cw_word t = x[j];

            x[j] = x[j - 1];
            x[j - 1] = t;
        }
    }
}

/* An input of the problem and the right answer to it. */
static void make_case(enum cw_problem problem, uint64_t seed, cw_word *in, cw_word *out)
{
    int filled[W] = {0};

    if (cw_input_make(cw_input_names(problem)[0], problem, W, M, 0, seed, in))
        fail_msg("%s", cw_last_error());
    if (cw_problem_has_labels(problem))
        cw_input_items(N, in);
    memcpy(out, in, N * sizeof *out);
    if (problem == CW_SORT)
        insertion_sort(out, N);
    for (int r = 0; problem == CW_SORT_ROWS && r < W; r++)
        insertion_sort(out + r * M, M);
    for (int i = 0; i < N; i++) {
        const uint32_t label = CW_ITEM_LABEL(in[i]);

        if (problem == CW_PARTITION)
            out[label * M + (uint32_t)filled[label]++] = in[i];
        if (problem == CW_PERMUTE)
            out[label] = in[i];
    }
}

static const enum cw_problem problems[] = {CW_SORT, CW_SORT_ROWS, CW_TRANSPOSE, CW_PARTITION,
                                           CW_PERMUTE};

#define EACH_PROBLEM(p)                     \
    size_t p = 0;                           \
    p < sizeof problems / sizeof *problems; \
    p++
#define SEEDS 20

static void check(enum cw_problem problem, uint64_t seed, const cw_word *in, const cw_word *out,
                  cw_status expected)
{
    const cw_status status = cw_verify(problem, W, M, in, out);

    if (status != expected)
        fail_msg("problem %d, seed %llu: %s", (int)problem, (unsigned long long)seed,
                 status ? cw_last_error() : "passed");
    if (status)
        assert_non_null(strstr(cw_last_error(), "the output is wrong"));
}

static void the_right_answer_passes(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    for (EACH_PROBLEM(p)) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            make_case(problems[p], seed, in, out);
            check(problems[p], seed, in, out, CW_OK);
        }
    }
}

static void a_lost_key_is_seen(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    for (EACH_PROBLEM(p)) {
        for (int at = 0; at < N; at++) {
            make_case(problems[p], 1, in, out);
            out[at]++; /* the sequence may well still rise */
            check(problems[p], 1, in, out, CW_ERR_INTERNAL);
            out[at] = 0;
            check(problems[p], 1, in, out, CW_ERR_INTERNAL);
        }
    }
}

static void a_duplicated_key_is_seen(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    for (EACH_PROBLEM(p)) {
        for (int at = 1; at < N; at++) {
            make_case(problems[p], 2, in, out);
            out[at] = out[at - 1]; /* sorted as before, one key twice, another gone */
            check(problems[p], 2, in, out, CW_ERR_INTERNAL);
        }
    }
}

static void a_swapped_pair_is_seen(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    for (EACH_PROBLEM(p)) {
        for (int a = 0; a < N; a++) {
            for (int b = a + 1; b < N; b++) {
                /* within a row of a partition any order is right */
                const int fine = problems[p] == CW_PARTITION && a / M == b / M;
                cw_word t;

                make_case(problems[p], 3, in, out);
                t = out[a];
                out[a] = out[b];
                out[b] = t;
                check(problems[p], 3, in, out, fine ? CW_OK : CW_ERR_INTERNAL);
            }
        }
    }
}

static void a_wrong_payload_is_seen(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    for (int at = 0; at < N; at++) {
        make_case(CW_PARTITION, 4, in, out);
        out[at] ^= 1;
        check(CW_PARTITION, 4, in, out, CW_ERR_INTERNAL);
        make_case(CW_PERMUTE, 4, in, out);
        out[at] ^= 1;
        check(CW_PERMUTE, 4, in, out, CW_ERR_INTERNAL);
    }
}

/* Every row sorted is not the matrix sorted, and sorting across rows is not sorting rows. */
static void rows_and_matrix_are_not_confused(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    make_case(CW_SORT_ROWS, 5, in, out);
    check(CW_SORT, 5, in, out, CW_ERR_INTERNAL);
    make_case(CW_SORT, 5, in, out);
    check(CW_SORT_ROWS, 5, in, out, CW_ERR_INTERNAL);
}

static void sorting_with_equal_keys_passes(void **state)
{
    cw_word in[N], out[N];

    (void)state;
    for (const char *const *name = cw_input_names(CW_SORT); *name; name++) {
        assert_int_equal(cw_input_make(*name, CW_SORT, W, M, 0, 6, in), CW_OK);
        memcpy(out, in, sizeof out);
        insertion_sort(out, N);
        check(CW_SORT, 6, in, out, CW_OK);
    }
}

static void the_first_wrong_place_is_named(void **state)
{
    static const cw_word in[] = {3, 1, 2, 0};
    static const cw_word out[] = {0, 1, 3, 2};

    (void)state;
    assert_int_equal(cw_verify(CW_SORT, 2, 2, in, out), CW_ERR_INTERNAL);
    assert_string_equal(cw_last_error(), "the output is wrong: place 2 holds 3, not 2");
}

static void labels_out_of_range_are_refused(void **state)
{
    static const cw_word in[] = {CW_ITEM(0, 0), CW_ITEM(2, 1)};

    (void)state;
    assert_int_equal(cw_verify(CW_PERMUTE, 1, 2, in, in), CW_ERR_LABEL);
    assert_int_equal(cw_verify(CW_PARTITION, 2, 1, in, in), CW_ERR_INTERNAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_answer_passes),
        cmocka_unit_test(a_lost_key_is_seen),
        cmocka_unit_test(a_duplicated_key_is_seen),
        cmocka_unit_test(a_swapped_pair_is_seen),
        cmocka_unit_test(a_wrong_payload_is_seen),
        cmocka_unit_test(rows_and_matrix_are_not_confused),
        cmocka_unit_test(sorting_with_equal_keys_passes),
        cmocka_unit_test(the_first_wrong_place_is_named),
        cmocka_unit_test(labels_out_of_range_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
