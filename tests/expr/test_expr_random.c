/* test_expr_random.c - random expressions are read as they were built, random bytes do no harm. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_tree.h"

/* From a copy that ends where the text does, so that a sanitizer sees a step too far. */
static cw_status parse_copy(const char *text, size_t length, struct cw_expr **out,
                            struct cw_expr_error *error)
{
    char *const copy = (char *)malloc(length ? length : 1);
    cw_status status;

    assert_non_null(copy);
    memcpy(copy, text, length);
    error->at = SIZE_MAX;
    status = cw_expr_parse(copy, length, tree_names, out, error);
    free(copy);
    if (status)
        assert_true(!*out && error->at <= length && error->text[0]);
    return status;
}

static void random_expressions_are_read_as_they_were_built(void **state)
{
    const uint64_t first = cw_test_seed();
    const uint64_t trials = cw_long_run() ? 2000000 : 50000;
    uint64_t undefined = 0;
    static struct tree t;

    (void)state;
    for (uint64_t seed = first; seed < first + trials; seed++) {
        struct cw_expr_error error = {0, ""};
        struct cw_expr *e;
        int64_t values[TREE_NAMES], want = 0, got = 0;
        int known;

        tree_make(&t, seed, values);
        if (parse_copy(t.text, t.length, &e, &error))
            fail_msg("seed %" PRIu64 ": %s\ncolumn %zu: %s", seed, t.text, error.at + 1,
                     error.text);
        known = tree_value(&t, values, &want);
        undefined += !known;
        if ((cw_expr_eval(e, values, &got, &error) == CW_OK) != known || (known && got != want))
            fail_msg("seed %" PRIu64 ": %s\n%" PRId64 " (%s), not %" PRId64 " (%s)", seed, t.text,
                     got, error.text, want, known ? "known" : "undefined");
        if (!known)
            assert_true(error.at < t.length);
        cw_expr_free(e);
    }
    assert_true(undefined > trials / 50 && undefined < trials / 2);
}

/* ---- any bytes ------------------------------------------------------------ */

static void any_bytes_are_taken_or_refused(void **state)
{
    static const char alphabet[] = "t(i)?:+-*/%<>=&|^~!09x lanewrpu.L\n\xff,";
    const uint64_t first = cw_test_seed();
    uint64_t taken = 0;

    (void)state;
    for (uint64_t seed = first; seed < first + 100000; seed++) {
        struct cw_random random = cw_random_from(seed);
        const size_t length = cw_random_below(&random, 24);
        static const int64_t values[] = {37, 5, 1, -2, 9};
        struct cw_expr_error error;
        struct cw_expr *e;
        char text[24];
        int64_t x;

        for (size_t k = 0; k < length; k++)
            text[k] = seed % 4 ? alphabet[cw_random_below(&random, 1 + seed % sizeof alphabet)]
                               : (char)cw_random_next(&random);
        if (parse_copy(text, length, &e, &error))
            continue;
        taken++;
        if (cw_expr_eval(e, values, &x, &error))
            assert_true(error.at < length);
        cw_expr_free(e);
    }
    assert_true(taken > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions_are_read_as_they_were_built),
        cmocka_unit_test(any_bytes_are_taken_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
