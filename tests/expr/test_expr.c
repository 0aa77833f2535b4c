/* test_expr.c - expressions mean what they mean in C, and any bytes may be handed in. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "expr_cases.h"
#include "test.h"

static const struct cw_expr_name names[] = {{"t", CW_EXPR_LONG},
                                            {"lane", CW_EXPR_LONG},
                                            {"warp", CW_EXPR_LONG},
                                            {"i", CW_EXPR_LONG},
                                            {NULL, CW_EXPR_INT}};

/* From a copy that ends where the text does, so that a sanitizer sees a step too far. */
static cw_status parse(const char *text, size_t length, struct cw_expr **out,
                       struct cw_expr_error *error)
{
    char *const copy = (char *)malloc(length ? length : 1);
    cw_status status;

    assert_non_null(copy);
    if (length)
        memcpy(copy, text, length);
    error->at = SIZE_MAX;
    error->text[0] = 0;
    status = cw_expr_parse(copy, length, names, out, error);
    free(copy);
    if (status) {
        assert_null(*out);
        assert_true(error->at <= length);
        assert_true(error->text[0] != 0);
    }
    return status;
}

/* ---- what C makes of it --------------------------------------------------- */

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#else
#pragma GCC diagnostic ignored "-Wbool-compare"
#endif
#endif

#define TEXT(e)  #e,
#define VALUE(e) (e),

static const char *const texts[] = {EXPRESSIONS(TEXT)};

static void by_c(const int64_t *v, int64_t *out)
{
    const int64_t t = v[0], lane = v[1], warp = v[2], i = v[3];
    const int64_t values[] = {EXPRESSIONS(VALUE)};

    memcpy(out, values, sizeof values);
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static void expressions_mean_what_they_mean_in_c(void **state)
{
    static const int64_t values[][4] = {{0, 0, 0, 0},     {1, 1, 1, 1},     {37, 5, 1, 2},
                                        {255, 31, 7, 0},  {0, 3, 0, 4},     {5, 0, 9, 1},
                                        {6, 4, -3, -100}, {1023, 31, 31, 9}};
    int64_t want[COUNT(texts)];

    (void)state;
    for (size_t k = 0; k < COUNT(values); k++) {
        by_c(values[k], want);
        for (size_t x = 0; x < COUNT(texts); x++) {
            struct cw_expr_error error;
            struct cw_expr *e;
            int64_t got = -1;

            if (parse(texts[x], strlen(texts[x]), &e, &error))
                fail_msg("%s: %s", texts[x], error.text);
            if (cw_expr_eval(e, values[k], &got, &error))
                fail_msg("%s with t = %" PRId64 ": %s", texts[x], values[k][0], error.text);
            if (got != want[x])
                fail_msg("%s with t = %" PRId64 ": %" PRId64 ", C says %" PRId64, texts[x],
                         values[k][0], got, want[x]);
            cw_expr_free(e);
        }
    }
}

/* ---- what is refused ------------------------------------------------------ */

static void what_is_no_expression_is_told_with_its_column(void **state)
{
    static const struct {
        const char *text;
        size_t column; /* from 1 */
        const char *says;
    } wrong[] = {
        {"", 1, "empty"},
        {" \t\n", 4, "empty"},
        {"t +", 4, "an operand is missing at the end"},
        {"t + * 3", 5, "'*' where an operand"},
        {"t 3", 3, "'3' where an operator"},
        {"t lane", 3, "'l' where an operator"},
        {"(t", 3, "no ')' for the '(' in column 1"},
        {"1 + (t * (2 + 3)", 17, "no ')' for the '(' in column 5"},
        {"(t 3)", 4, "'3' where an operator or ')'"},
        {"t)", 2, "')' without '('"},
        {"()", 2, "')' where an operand"},
        {"t ? 1", 6, "an operator or ':' is missing"},
        {"t ? 1 , 2", 7, "',' where an operator or ':'"},
        {"t ? : 2", 5, "':' where an operand"},
        {"t : 2", 3, "':' where an operator"},
        {"t * tx", 5, "unknown name 'tx': the names are t, lane, warp, i"},
        {"threadIdx.x", 1, "unknown name 'threadIdx.x'"},
        {"la ne", 1, "unknown name 'la'"},
        {"T", 1, "unknown name 'T'"},
        {"a_name_that_is_much_too_long_to_print", 1, "unknown name 'a_name_that_is_much_'"},
        {"t + 010", 5, "octal"},
        {"t + 32f", 7, "'f' in a number"},
        {"t + 32uu", 8, "'u' in a number"},
        {"t + 32lul", 9, "'l' in a number"},
        {"(int t", 2, "unknown name 'int'"},
        {"(unsigned) ", 12, "an operand is missing"},
        {"int t", 1, "unknown name 'int'"},
        {"t + 1.5", 6, "'.' in a number"},
        {"t + 0b1", 6, "'b' in a number"},
        {"t + 0x", 7, "no digits after 0x"},
        {"t + 0xg", 7, "no digits after 0x"},
        {"1 + 9223372036854775808", 5, "does not fit"},
        {"0x10000000000000000", 1, "does not fit"},
        {"99999999999999999999999999999999999999", 1, "does not fit"},
        {"t = 3", 3, "== compares"},
        {"t += 3", 3, "assigned"},
        {"t <<= 3", 3, "assigned"},
        {"t ^= 3", 3, "assigned"},
        {"t++", 2, "assigned"},
        {"t--1", 2, "assigned"},
        {"t - --i", 5, "-- counts in C"},
        {"++t", 1, "++ counts in C"},
        {"t === 1", 5, "'=' where an operand"},
        {"t &&& i", 5, "'&' where an operand"},
        {"t, i", 2, "',' where an operator"},
        {"t[3]", 2, "'[' where an operator"},
        {"t ! i", 3, "'!' where an operator"},
        {"t # i", 3, "'#' where an operator"},
        {"t \x01 i", 3, "byte 0x01 where an operator"},
        {"t + \xc3\xa9", 5, "byte 0xc3 where an operand"},
    };
    struct cw_expr_error error;
    struct cw_expr *e;

    (void)state;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        if (parse(wrong[k].text, strlen(wrong[k].text), &e, &error) != CW_ERR_ARGUMENT)
            fail_msg("'%s' is taken", wrong[k].text);
        if (error.at + 1 != wrong[k].column || !strstr(error.text, wrong[k].says))
            fail_msg("'%s': column %zu: %s", wrong[k].text, error.at + 1, error.text);
    }
    assert_int_equal(parse("t\0", 2, &e, &error), CW_ERR_ARGUMENT); /* no end at a zero byte */
    assert_int_equal(error.at, 1);
}

static void what_c_leaves_undefined_is_an_error_at_its_operator(void **state)
{
    static const struct {
        const char *text;
        size_t column; /* 0: it is fine, and is `value` */
        const char *says;
        int64_t value;
    } cases[] = {
        {"7 / i", 3, "division by zero", 0},
        {"7 % (i * t)", 3, "division by zero", 0},
        {"1 + 9223372036854775807", 3, "overflow", 0},
        {"-9223372036854775807 - 2", 22, "overflow", 0},
        {"(-9223372036854775807 - 1) / -1", 28, "overflow", 0},
        {"(-9223372036854775807 - 1) % -1", 28, "overflow", 0},
        {"-(-9223372036854775807 - 1)", 1, "overflow", 0},
        {"3037000500 * 3037000500", 12, "overflow", 0},
        {"1L << 63", 4, "overflow", 0},
        {"2L << 62", 4, "overflow", 0},
        {"-2L << 63", 5, "overflow", 0},
        {"1L << 64", 4, "shift", 0},
        {"1 << -1", 3, "shift", 0},
        {"1L >> 64", 4, "shift", 0},
        {"1 >> -1", 3, "shift", 0},
        {"1L << 62", 0, "", INT64_C(1) << 62},
        {"0L << 63", 0, "", 0},
        {"-1L << 63", 0, "", INT64_MIN},
        {"-2L << 62", 0, "", INT64_MIN},
        {"~0 << 3", 0, "", -8},
        {"-1ll >> 63", 0, "", -1},
        {"~9223372036854775807", 0, "", INT64_MIN},
        {"3037000499 * 3037000499", 0, "", INT64_C(9223372030926249001)},
        {"1 << 31", 3, "overflow", 0},
        {"1 << 32", 3, "shift", 0},
        {"2147483647 + 1", 12, "32 bits", 0},
        {"-2147483647 - 2", 13, "32 bits", 0},
        {"(-2147483647 - 1) / -1", 19, "32 bits", 0},
        {"(-2147483647 - 1) % -1", 19, "32 bits", 0},
        {"0xffffffffffffffff", 1, "2^63 or more", 0},
        {"(size_t)-1", 10, "2^63 or more", 0},
        {"7 / 0u", 3, "division by zero", 0},
        {"2147483647 + 1L", 0, "", INT64_C(2147483648)},
        {"2147483647 + 1u", 0, "", INT64_C(2147483648)},
        {"4294967295u + 1u", 0, "", 0},
        {"3u - 5 > 0", 0, "", 1},
        {"3u - 5L > 0", 0, "", 0},
        {"-1 < 0u", 0, "", 0},
        {"-1L < 0u", 0, "", 1},
        {"(unsigned)-1 / 2", 0, "", 2147483647},
        {"(int)3000000000", 0, "", -1294967296},
        {"(unsigned char)300 + (signed char)200", 0, "", 44 - 56},
        {"unsigned(-1) >> 28", 0, "", 15},
        {"(uint16_t)-1 * 65537u", 0, "", 4294967295},
        {"(bool)256 + (long)1", 0, "", 2},
        {"(1 ? -1 : 0u) > 0", 0, "", 1},
        {"0xffffffffffffffff / 3 == 0x5555555555555555", 0, "", 1},
        {"0xffffffffffffffff % 10 + (0xffffffffffffffff > 1)", 0, "", 6},
        {"i && 7 / i", 0, "", 0},
        {"!i || 7 / i", 0, "", 1},
        {"i ? 7 / i : 5", 0, "", 5},
        {"!i ? 5 : 1 << 99", 0, "", 5},
        {"1 || 7 / i && 7 / i", 0, "", 1},
    };
    static const int64_t values[] = {3, 0, 0, 0};

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct cw_expr_error error = {0, ""};
        struct cw_expr *e;
        int64_t got = 0;
        cw_status status;

        assert_int_equal(parse(cases[k].text, strlen(cases[k].text), &e, &error), CW_OK);
        status = cw_expr_eval(e, values, &got, &error);
        cw_expr_free(e);
        if (cases[k].column == 0 && (status || got != cases[k].value))
            fail_msg("%s: %" PRId64 " %s", cases[k].text, got, error.text);
        if (cases[k].column && (status != CW_ERR_ARGUMENT || error.at + 1 != cases[k].column ||
                                !strstr(error.text, cases[k].says)))
            fail_msg("%s: column %zu: %s", cases[k].text, error.at + 1, error.text);
    }
}

static void depth_and_length_are_bounded(void **state)
{
    enum { LONG = 1 << 20 };
    char *const text = (char *)malloc(LONG);
    struct cw_expr_error error;
    struct cw_expr *e;
    static const char *const openings[] = {"(", "-(", "~", "!", "t?", "t?1:", "1+(", "- "};

    (void)state;
    assert_non_null(text);
    for (size_t k = 0; k < COUNT(openings); k++) {
        const size_t length = strlen(openings[k]);

        for (size_t x = 0; x < LONG; x++)
            text[x] = openings[k][x % length];
        assert_int_equal(parse(text, LONG, &e, &error), CW_ERR_ARGUMENT);
        assert_int_equal(parse(text, CW_EXPR_LENGTH, &e, &error), CW_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "too deep"));
    }
    for (uint32_t depth = CW_EXPR_NEST - 1; depth <= CW_EXPR_NEST + 1; depth++) {
        memset(text, '(', depth);
        text[depth] = 't';
        memset(text + depth + 1, ')', depth);
        assert_int_equal(parse(text, 2 * depth + 1, &e, &error) == CW_OK, depth <= CW_EXPR_NEST);
        cw_expr_free(e);
    }
    /* The operators of all levels, again and again inside each other: many numbers at once. */
    for (uint32_t depth = 1; depth < CW_EXPR_NEST; depth++) {
        const size_t length = 19 * depth;
        int64_t x = 0;

        for (size_t k = 0; k < length; k++)
            text[k] = "1|1^1&1==1<1<<1+1*("[k % 19];
        text[length] = '1';
        memset(text + length + 1, ')', depth);
        if (parse(text, length + 1 + depth, &e, &error)) {
            assert_non_null(strstr(error.text, "numbers at once"));
            assert_true(depth > 25);
        } else {
            assert_true(depth < 35);
            assert_int_equal(cw_expr_eval(e, NULL, &x, &error), CW_OK);
            cw_expr_free(e);
        }
    }
    /* As long as it may be, and one longer. */
    for (size_t x = 0; x < CW_EXPR_LENGTH; x++)
        text[x] = x % 2 ? '+' : '1';
    text[CW_EXPR_LENGTH - 1] = ' ';
    assert_int_equal(parse(text, CW_EXPR_LENGTH, &e, &error), CW_OK);
    cw_expr_free(e);
    text[CW_EXPR_LENGTH] = ' ';
    assert_int_equal(parse(text, CW_EXPR_LENGTH + 1, &e, &error), CW_ERR_ARGUMENT);
    free(text);
}

static void the_outermost_operator_is_known(void **state)
{
    static const struct {
        const char *text;
        enum cw_expr_level level;
    } cases[] = {
        {"t", CW_EXPR_PRIMARY},        {" (t + 1) ", CW_EXPR_PRIMARY},
        {"-t", CW_EXPR_UNARY},         {"(t) + (i)", CW_EXPR_SUM},
        {"t * 3 + 1", CW_EXPR_SUM},    {"t * (3 + 1) / 2", CW_EXPR_PRODUCT},
        {"t + 1 << 2", CW_EXPR_SHIFT}, {"t ^ i & 3", CW_EXPR_BIT_XOR},
        {"t || i", CW_EXPR_OR},        {"t ? i : 1 + 2", CW_EXPR_CONDITIONAL},
    };
    struct cw_expr_error error;
    struct cw_expr *e;
    size_t at;

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        assert_int_equal(parse(cases[k].text, strlen(cases[k].text), &e, &error), CW_OK);
        assert_int_equal(cw_expr_level(e), cases[k].level);
        cw_expr_free(e);
    }
    assert_int_equal(parse("t + 2 * i - i", 13, &e, &error), CW_OK);
    assert_true(cw_expr_uses(e, 3, &at) && at == 8);
    assert_false(cw_expr_uses(e, 1, &at));
    cw_expr_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_mean_what_they_mean_in_c),
        cmocka_unit_test(what_is_no_expression_is_told_with_its_column),
        cmocka_unit_test(what_c_leaves_undefined_is_an_error_at_its_operator),
        cmocka_unit_test(depth_and_length_are_bounded),
        cmocka_unit_test(the_outermost_operator_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
