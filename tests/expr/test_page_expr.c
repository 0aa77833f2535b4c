/* test_page_expr.c - the page's evaluator against the library's: random expressions and random bytes,
 * parsed and evaluated here, go through a file to page_expr.js, which node runs.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expr_tree.h"

static void write_line(FILE *to, uint64_t seed, const char *text, size_t length,
                       const int64_t *values)
{
    struct cw_expr_error error = {0, ""};
    struct cw_expr *e;
    int64_t x = 0;
    const cw_status parsed = cw_expr_parse(text, length, tree_names, &e, &error);

    fprintf(to, "%" PRIu64 "\t", seed);
    for (size_t k = 0; k < length; k++)
        fprintf(to, "%02x", (unsigned char)text[k]);
    if (parsed || cw_expr_eval(e, values, &x, &error))
        fprintf(to, "\terror %zu %s", error.at, error.text);
    else
        fprintf(to, "\tvalue %" PRId64, x);
    for (int k = 0; k < TREE_NAMES; k++)
        fprintf(to, "\t%" PRId64, values[k]);
    fputc('\n', to);
    cw_expr_free(e);
}

/* A tree, or now and then a tree with a byte changed, so that errors are compared too. */
static void write_expression(FILE *to, uint64_t seed)
{
    static const char bytes[] = "+-*/%<>=&|^~!?:()0129x.uLt, #\t";
    static struct tree t;
    int64_t values[TREE_NAMES];

    tree_make(&t, seed, values);
    if (seed % 3 == 0)
        t.text[cw_random_below(&t.random, t.length)] =
            bytes[cw_random_below(&t.random, sizeof bytes - 1)];
    write_line(to, seed, t.text, t.length, values);
}

static void the_page_reads_and_reckons_as_the_library_does(void **state)
{
    const uint64_t first = cw_test_seed(), trials = cw_long_run() ? 500000 : 20000;
    char path[] = "/tmp/clearway-page-XXXXXX", command[1024];
    const int fd = mkstemp(path);
    FILE *const to = fd < 0 ? NULL : fdopen(fd, "w");

    (void)state;
    assert_non_null(to);
    for (uint64_t seed = first; seed < first + trials; seed++)
        write_expression(to, seed);
    assert_int_equal(fclose(to), 0);
    snprintf(command, sizeof command, "node '%s/tests/expr/page_expr.js' %s '%s'", CW_SOURCE_DIR,
             path, CW_SOURCE_DIR);
    fflush(stdout);
    if (system(command))
        fail_msg("the page and the library differ, from seed %" PRIu64 " on", first);
    (void)remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_reads_and_reckons_as_the_library_does),
    };

    if (system("node --version >/dev/null 2>&1")) {
        printf("skipped: node is missing, which runs the page's scripts\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
