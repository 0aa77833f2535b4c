/* fuzz_expr.c - a libFuzzer target: any bytes as an expression and as lines, parsed and evaluated.
 *
 *      clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *          -Iinclude -Isrc tests/expr/fuzz_expr.c src/expr/[a-z]*.c -o fuzz_expr
 *      ./fuzz_expr -max_len=256 -max_total_time=120
 *
 * The first byte chooses the values of the names.  What is refused is refused at a byte of the
 * text; what is taken is taken in parentheses too, with the same value, unless it is as deep or as
 * long as may be.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/kernel.h"

static const struct cw_expr_name names[] = {{"t", CW_EXPR_INT},
                                            {"lane", CW_EXPR_UNSIGNED},
                                            {"warp", CW_EXPR_LONG},
                                            {"i", CW_EXPR_UNSIGNED_LONG},
                                            {NULL, CW_EXPR_INT}};

static void must(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz_expr: %s\n", what);
        abort();
    }
}

/* Again, as "(text)". */
static void wrapped(const char *text, size_t length, const int64_t *values, cw_status status,
                    int64_t value)
{
    char *const copy = (char *)malloc(length + 2);
    struct cw_expr_error error;
    struct cw_expr *e;
    int64_t x = 0;

    if (!copy)
        return;
    copy[0] = '(';
    memcpy(copy + 1, text, length);
    copy[length + 1] = ')';
    if (cw_expr_parse(copy, length + 2, names, &e, &error)) {
        must(strstr(error.text, "too deep") || length + 2 > CW_EXPR_LENGTH, "refused when wrapped");
    } else {
        must(cw_expr_level(e) == CW_EXPR_PRIMARY, "parentheses are not primary");
        must(cw_expr_eval(e, values, &x, &error) == status, "another status when wrapped");
        must(status || x == value, "another value when wrapped");
        cw_expr_free(e);
    }
    free(copy);
}

/* The same bytes as lines of a kernel. */
static void lines(const char *text, size_t length, const int64_t *values)
{
    struct cw_expr_error error = {SIZE_MAX, ""};
    struct cw_program p;
    int64_t x;
    int asks;

    cw_program_begin(&p, names);
    if (cw_program_read(&p, text, length, &error))
        must(error.at <= length && error.text[0], "lines refused nowhere");
    else
        for (uint32_t k = 0; k < p.accesses; k++)
            if (cw_program_eval(&p, values, k, &asks, &x, &error))
                must(error.at < length, "lines undefined nowhere");
    cw_program_free(&p);
}

static cw_status asked(void *to, const struct cw_asked *what)
{
    uint32_t *const left = (uint32_t *)to;

    must(what->loops <= CW_PROGRAM_LOOPS, "more loops than there may be");
    return --*left ? CW_OK : CW_ERR_ARGUMENT;
}

/* And as a kernel, from a copy that ends where the text does. */
static void kernel(const char *text, size_t length, const int64_t *values)
{
    struct cw_expr_error error = {0, ""};
    char *const copy = (char *)malloc(length ? length : 1);
    struct cw_program p;
    uint32_t left = 1000;

    if (!copy)
        return;
    memcpy(copy, text, length);
    (void)cw_expr_is_kernel(copy, length);
    cw_program_begin(&p, names);
    if (cw_expr_kernel_read(&p, copy, length, 0, &error))
        must(error.at <= length && error.text[0], "a kernel refused nowhere");
    else if (cw_expr_kernel_run(&p, values, copy, asked, &left, &error))
        must(left == 0 || error.at <= length, "a kernel undefined nowhere");
    for (uint32_t k = 0; k < p.notes; k++)
        must(p.note[k].at <= length, "a note about nothing");
    cw_program_free(&p);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int64_t extremes[] = {0, 1, -1, INT64_MAX, INT64_MIN, 1023, 31, 64};
    const char *const text = (const char *)data + 1;
    struct cw_expr_error error = {SIZE_MAX, ""};
    struct cw_expr *e;
    int64_t values[4], x = 0;
    cw_status status;

    if (size == 0)
        return 0;
    for (unsigned k = 0; k < 4; k++)
        values[k] = extremes[(data[0] >> k) % 8];
    lines(text, size - 1, values);
    kernel(text, size - 1, values);
    if (cw_expr_parse(text, size - 1, names, &e, &error)) {
        must(!e && error.at <= size - 1 && error.text[0], "refused nowhere");
        return 0;
    }
    status = cw_expr_eval(e, values, &x, &error);
    must(!status || error.at < size - 1, "undefined nowhere");
    wrapped(text, size - 1, values, status, x);
    cw_expr_free(e);
    return 0;
}
