/* test_expr_random.c - random expressions are read as they were built, random bytes do no harm. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"
#include "test.h"

static const char *const names[] = {"t", "lane", "warp", "i", NULL};

/* From a copy that ends where the text does, so that a sanitizer sees a step too far. */
static cw_status parse_copy(const char *text, size_t length, struct cw_expr **out,
                            struct cw_expr_error *error)
{
    char *const copy = (char *)malloc(length ? length : 1);
    cw_status status;

    assert_non_null(copy);
    memcpy(copy, text, length);
    error->at = SIZE_MAX;
    status = cw_expr_parse(copy, length, names, out, error);
    free(copy);
    if (status)
        assert_true(!*out && error->at <= length && error->text[0]);
    return status;
}

/* ---- random trees, printed and parsed, against an evaluator of their own --- */

struct node {
    int op; /* place in `operators`; -1 constant, -2 name, -3 - ~ !, -4 ?: */
    int64_t value;
    int kid[3];
};

static const struct {
    const char *text;
    int level;
} operators[] = {{"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7},
                 {"!=", 7}, {"<", 8},  {"<=", 8}, {">", 8},  {">=", 8}, {"<<", 9},
                 {">>", 9}, {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};

struct tree {
    struct node node[64];
    int count;
    struct cw_random random;
    char text[4096];
    size_t length;
};

static int grow(struct tree *t, int depth)
{
    const int me = t->count++;
    struct node *const n = &t->node[me];
    const uint64_t kind = depth ? cw_random_below(&t->random, 10) : cw_random_below(&t->random, 3);

    n->value = 0;
    if (kind < 1) {
        n->op = -1;
        n->value = (int64_t)(cw_random_next(&t->random) >> 1 >> cw_random_below(&t->random, 63));
    } else if (kind < 3) {
        n->op = -2;
        n->value = (int64_t)cw_random_below(&t->random, 4);
    } else if (kind < 4) {
        n->op = -3;
        n->value = (int64_t)cw_random_below(&t->random, 3);
        n->kid[0] = grow(t, depth - 1);
    } else if (kind < 5) {
        n->op = -4;
        for (int k = 0; k < 3; k++)
            n->kid[k] = grow(t, depth - 1);
    } else {
        n->op = (int)cw_random_below(&t->random, COUNT(operators));
        n->kid[0] = grow(t, depth - 1);
        n->kid[1] = grow(t, depth - 1);
    }
    return me;
}

static void put(struct tree *t, const char *text)
{
    static const char *const gaps[] = {" ", " ", "", "\t", "\n ", "  "};
    const char *gap = gaps[cw_random_below(&t->random, COUNT(gaps))];

    if (!*gap && t->length && (strchr("+-", *text) || strchr("=<>&|!", *text)))
        gap = " "; /* two signs, or two operators that would be one */
    t->length +=
        (size_t)snprintf(t->text + t->length, sizeof t->text - t->length, "%s%s", gap, text);
}

/* Parentheses where C needs them, and now and then where it does not. */
static void print(struct tree *t, int me, int least)
{
    const struct node *const n = &t->node[me];
    const int level = n->op >= 0 ? operators[n->op].level : n->op == -4 ? 1 : n->op == -3 ? 12 : 13;
    const int wrap = level < least || cw_random_below(&t->random, 8) == 0;
    char constant[32];

    if (wrap)
        put(t, "(");
    if (n->op == -1) {
        snprintf(constant, sizeof constant, n->value % 3 ? "%" PRId64 : "0x%" PRIx64, n->value);
        put(t, constant);
    } else if (n->op == -2) {
        put(t, names[n->value]);
    } else if (n->op == -3) {
        put(t, n->value == 0 ? "-" : n->value == 1 ? "~" : "!");
        print(t, n->kid[0], 12);
    } else if (n->op == -4) {
        print(t, n->kid[0], 2);
        put(t, "?");
        print(t, n->kid[1], 1);
        put(t, ":");
        print(t, n->kid[2], 1);
    } else {
        print(t, n->kid[0], level);
        put(t, operators[n->op].text);
        print(t, n->kid[1], level + 1);
    }
    if (wrap)
        put(t, ")");
}

__extension__ typedef __int128 wide;

static int fits(wide x, int64_t *out)
{
    *out = (int64_t)x;
    return x >= INT64_MIN && x <= INT64_MAX;
}

/* 1 and *out, or 0 where C says nothing; of operands that are known. */
static int plain(const char *op, int64_t a, int64_t b, int64_t *out)
{
    const char o = op[0], second = op[1];
    wide x = a;

    if (o == '<' && second == '<') {
        for (int64_t k = 0; k < b && b < 64; k++)
            x *= 2;
        return b >= 0 && b < 64 && fits(x, out);
    }
    if (o == '>' && second == '>') {
        for (int64_t k = 0; k < b && b < 64; k++)
            x = (x - (x % 2 != 0 && x < 0)) / 2;
        return b >= 0 && b < 64 && fits(x, out);
    }
    if (o == '/' || o == '%')
        return b != 0 && fits(x / b, out) && fits(o == '/' ? x / b : x % b, out);
    if (o == '+' || o == '-' || o == '*')
        return fits(o == '+' ? x + b : o == '-' ? x - b : x * b, out);
    *out = second == '=' ? (o == '='   ? a == b
                            : o == '!' ? a != b
                            : o == '<' ? a <= b
                                       : a >= b)
                         : (o == '<'   ? a < b
                            : o == '>' ? a > b
                            : o == '&' ? (a & b)
                            : o == '|' ? (a | b)
                                       : a ^ b);
    return 1;
}

static int reckon(const struct tree *t, int me, const int64_t *values, int64_t *out)
{
    const struct node *const n = &t->node[me];
    int64_t a, b;

    if (n->op == -1 || n->op == -2) {
        *out = n->op == -1 ? n->value : values[n->value];
        return 1;
    }
    if (!reckon(t, n->kid[0], values, &a))
        return 0;
    if (n->op == -3) {
        *out = n->value == 1 ? ~a : !a;
        return n->value ? 1 : fits(-(wide)a, out);
    }
    if (n->op == -4)
        return reckon(t, n->kid[a ? 1 : 2], values, out);
    if (operators[n->op].level <= 3) { /* || && */
        *out = operators[n->op].level == 2;
        if (!!a == *out)
            return 1;
        if (!reckon(t, n->kid[1], values, &b))
            return 0;
        *out = !!b;
        return 1;
    }
    return reckon(t, n->kid[1], values, &b) && plain(operators[n->op].text, a, b, out);
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
        int64_t values[4], want = 0, got = 0;
        int known;

        t.random = cw_random_from(seed);
        t.count = 0;
        t.length = 0;
        grow(&t, 3);
        print(&t, 0, 1);
        for (int k = 0; k < 4; k++)
            values[k] = (int64_t)cw_random_below(&t.random, 2000) - (k == 3 ? 1000 : 0);
        if (parse_copy(t.text, t.length, &e, &error))
            fail_msg("seed %" PRIu64 ": %s\ncolumn %zu: %s", seed, t.text, error.at + 1,
                     error.text);
        known = reckon(&t, 0, values, &want);
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
    static const char alphabet[] = "t(i)?:+-*/%<>=&|^~!09x lanewrp\n\xff,.";
    const uint64_t first = cw_test_seed();
    uint64_t taken = 0;

    (void)state;
    for (uint64_t seed = first; seed < first + 100000; seed++) {
        struct cw_random random = cw_random_from(seed);
        const size_t length = cw_random_below(&random, 24);
        static const int64_t values[] = {37, 5, 1, -2};
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
