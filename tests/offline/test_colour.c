/* test_colour.c - every m-regular bipartite multigraph is coloured with m colours, in
 * the space promised; and what colouring and planning do when there is no space.
 *
 * The cargo of an edge is its number, so the check sees an edge that was lost, doubled
 * or changed, and one that was put under another row.  It is blind to how the colours
 * were found: no test here knows of splits and matchings.
 */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* mkstemp, P_tmpdir */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "paper/permute/colour.h"
#include "paper/permute/plan.h"

/* Every allocation of the program passes here, to be counted and to fail on demand;
 * the sanitizers want it for themselves. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED)
#define COUNTED 1
#include <malloc.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t items, size_t bytes);
extern void __libc_free(void *block);

static long fail_at = -1; /* the allocation that fails, counted down; -1: none */
static size_t live, peak; /* bytes */

static int fails(void)
{
    return fail_at >= 0 && fail_at-- == 0;
}

static void *counted(void *block)
{
    live += malloc_usable_size(block);
    peak = live > peak ? live : peak;
    return block;
}

void *malloc(size_t bytes)
{
    return fails() ? (errno = ENOMEM, NULL) : counted(__libc_malloc(bytes));
}

void *calloc(size_t items, size_t bytes)
{
    return fails() ? (errno = ENOMEM, NULL) : counted(__libc_calloc(items, bytes));
}

void free(void *block)
{
    live -= malloc_usable_size(block);
    __libc_free(block);
}
#endif

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) * bound >> 32);
}

/* The seeds of a run count up from the time, or from CW_SEED to run a failure again. */
static uint64_t first_seed, last_seed;

static uint64_t fresh_seed(void)
{
    random_state = (++last_seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return last_seed;
}

static void shuffle(uint32_t *x, size_t count)
{
    for (size_t e = count; e > 1; e--) {
        const size_t f = random_below((uint32_t)e);
        const uint32_t t = x[e - 1];

        x[e - 1] = x[f];
        x[f] = t;
    }
}

/* Is edge[] a colouring of the graph in which edge e goes from e / m to row[e]? */
static int is_colouring(uint32_t w, uint32_t m, const uint32_t *row, const uint64_t *edge)
{
    const size_t n = (size_t)w * m;
    char *seen = calloc(n, 1);
    uint32_t *round = calloc(w, sizeof *round);
    int good = 1;

    for (size_t at = 0; at < n && good; at++) {
        const uint32_t v = (uint32_t)edge[at] & (CW_COLOUR_ROW_MAX - 1);
        const size_t e = (size_t)(edge[at] >> CW_COLOUR_ROW_BITS);

        good = e < n && !seen[e] && row[e] == v && e / m == at % w && round[v] == at / w;
        if (good) {
            seen[e] = 1;
            round[v]++; /* met once in each colour so far */
        }
    }
    free(seen);
    free(round);
    return good;
}

static uint64_t *make_edges(const uint32_t *row, size_t n)
{
    uint64_t *edge = malloc(n * sizeof *edge);

    for (size_t e = 0; e < n; e++) {
        edge[e] = (uint64_t)e << CW_COLOUR_ROW_BITS | row[e];
    }
    return edge;
}

static void expect_colouring(uint32_t w, uint32_t m, const uint32_t *row, uint64_t seed)
{
    uint64_t *edge = make_edges(row, (size_t)w * m);
    const cw_status status = cw_colour_edges(w, m, edge, seed);
    const int good = status == CW_OK && is_colouring(w, m, row, edge);

    free(edge);
    if (!good) {
        fail_msg("%u x %u, CW_SEED=%llu: %s", w, m, (unsigned long long)first_seed,
                 status == CW_OK ? "no colouring" : cw_last_error());
    }
}

/* The next arrangement of row[] in lexicographic order; 0 after the last. */
static int next_arrangement(uint32_t *row, size_t n)
{
    size_t a = n - 1;

    while (a > 0 && row[a - 1] >= row[a]) {
        a--;
    }
    if (a == 0) {
        return 0;
    }
    for (size_t b = n - 1;; b--) {
        if (row[b] > row[a - 1]) {
            const uint32_t t = row[b];

            row[b] = row[a - 1];
            row[a - 1] = t;
            break;
        }
    }
    for (size_t b = n - 1; a < b; a++, b--) {
        const uint32_t t = row[a];

        row[a] = row[b];
        row[b] = t;
    }
    return 1;
}

/* Are the colourings of one graph under two seeds the same? */
static int same_colouring(uint32_t w, uint32_t m, const uint32_t *row, uint64_t a, uint64_t b)
{
    const size_t n = (size_t)w * m;
    uint64_t *const one = make_edges(row, n), *const two = make_edges(row, n);
    int same;

    assert_int_equal(cw_colour_edges(w, m, one, a), CW_OK);
    assert_int_equal(cw_colour_edges(w, m, two, b), CW_OK);
    same = !memcmp(one, two, n * sizeof *one);
    free(one);
    free(two);
    return same;
}

/* The same of plans, for a fixed permutation. */
static int same_plan(uint32_t w, uint32_t m, uint64_t a, uint64_t b)
{
    const size_t n = (size_t)w * m;
    uint64_t *const label = malloc(n * sizeof *label);
    struct cw_paper_plan one, two;
    int same;

    for (size_t x = 0; x < n; x++)
        label[x] = (x * 5 + 3) % n;
    assert_int_equal(cw_paper_plan_make(&one, w, m, label, a), CW_OK);
    assert_int_equal(cw_paper_plan_make(&two, w, m, label, b), CW_OK);
    same = !memcmp(one.entry, two.entry, n * sizeof *one.entry);
    cw_paper_plan_free(&one);
    cw_paper_plan_free(&two);
    free(label);
    return same;
}

/* The matchings of an odd degree are found by random walks: the seed, all of it, says which. */
static void the_seed_and_nothing_else_chooses_the_colouring(void **state)
{
    enum { ROWS = 64, DEGREE = 7 };
    uint32_t row[ROWS * DEGREE];

    (void)state;
    for (uint32_t e = 0; e < ROWS * DEGREE; e++)
        row[e] = e % ROWS;
    shuffle(row, ROWS * DEGREE);
    for (uint64_t seed = 1; seed < 5; seed++) {
        assert_true(same_plan(ROWS, DEGREE, seed, seed));
        assert_false(same_plan(ROWS, DEGREE, seed, seed + 1));
        assert_true(same_colouring(ROWS, DEGREE, row, seed, seed));
        assert_false(same_colouring(ROWS, DEGREE, row, seed, seed + 1));
        assert_false(same_colouring(ROWS, DEGREE, row, seed, seed + (UINT64_C(1) << 40)));
    }
}

static void every_small_graph_is_coloured(void **state)
{
    static const uint32_t shape[][2] = {{1, 1}, {1, 9}, {2, 1}, {2, 2}, {2, 3}, {2, 4},
                                        {2, 5}, {2, 6}, {2, 7}, {3, 1}, {3, 2}, {3, 3},
                                        {3, 4}, {4, 1}, {4, 2}, {5, 1}, {5, 2}, {6, 1}};

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        const uint32_t w = shape[s][0];
        const uint32_t m = shape[s][1];
        uint32_t row[16];

        for (uint32_t e = 0; e < w * m; e++) {
            row[e] = e / m;
        }
        do {
            expect_colouring(w, m, row, s);
        } while (next_arrangement(row, w * m));
    }
}

static void random_graph(uint32_t w, uint32_t m)
{
    const uint64_t seed = fresh_seed();
    uint32_t *row = malloc((size_t)w * m * sizeof *row);

    for (size_t e = 0; e < (size_t)w * m; e++) {
        row[e] = (uint32_t)(e / m);
    }
    shuffle(row, (size_t)w * m);
    expect_colouring(w, m, row, seed);
    free(row);
}

static void every_shape_to_24_x_24_is_coloured(void **state)
{
    (void)state;
    for (uint32_t w = 1; w <= 24; w++) {
        for (uint32_t m = 1; m <= 24; m++) {
            random_graph(w, m);
            random_graph(w, m);
        }
    }
}

static void random_shapes_are_coloured(void **state)
{
    static const uint32_t shape[][2] = {{1, 16},    {5, 1},     {33, 8},   {100, 7},   {1, 65521},
                                        {65521, 1}, {4099, 3},  {2, 4095}, {997, 31},  {31, 997},
                                        {127, 127}, {255, 255}, {1024, 5}, {509, 128}, {1021, 127}};

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        random_graph(shape[s][0], shape[s][1]);
    }
    for (int trial = 0; trial < 150; trial++) {
        fresh_seed();
        random_graph(1 + random_below(200), 1 + random_below(200));
    }
}

/* Graphs on which a walk may get lost.  0: a row to one row only; 1: to the next m rows;
 * 2: to the next m of the own half, but for one edge each way; 3: to the own row but
 * for one edge. */
static uint32_t hard_row(int kind, uint32_t w, uint32_t i, uint32_t s)
{
    const uint32_t half = w / 2;

    switch (kind) {
    case 0:
        return w - 1 - i;
    case 1:
        return (i + s) % w;
    case 2:
        if (s == 0 && (i == 0 || i == half)) {
            return half - i;
        }
        return i < half ? (i + s) % half : half + (i - half + s) % (w - half);
    default:
        return s == 0 ? (i + 1) % w : i;
    }
}

static void hard_graphs_are_coloured(void **state)
{
    static const uint32_t shape[][2] = {{999, 7}, {64, 63}, {257, 3}, {1000, 15}, {32, 1023}};

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        const uint32_t w = shape[s][0];
        const uint32_t m = shape[s][1];
        uint32_t *row = malloc((size_t)w * m * sizeof *row);

        for (int kind = 0; kind < 4; kind++) {
            for (uint32_t e = 0; e < w * m; e++) {
                row[e] = hard_row(kind, w, e / m, e % m);
            }
            expect_colouring(w, m, row, fresh_seed());
        }
        free(row);
    }
}

static void the_seed_decides_the_colouring(void **state)
{
    enum { W = 60, M = 15, N = W * M };
    uint32_t row[N];
    uint64_t *one, *same, *other;
    const uint64_t seed = fresh_seed();

    (void)state;
    for (uint32_t e = 0; e < N; e++) {
        row[e] = e / M;
    }
    shuffle(row, N);
    one = make_edges(row, N);
    same = make_edges(row, N);
    other = make_edges(row, N);
    assert_int_equal(cw_colour_edges(W, M, one, seed), CW_OK);
    assert_int_equal(cw_colour_edges(W, M, same, seed), CW_OK);
    assert_int_equal(cw_colour_edges(W, M, other, seed + 1), CW_OK);
    assert_memory_equal(one, same, N * sizeof *one);
    assert_memory_not_equal(one, other, N * sizeof *one); /* equal by chance: below 2^-100 */
    free(one);
    free(same);
    free(other);
}

static void a_graph_that_is_not_regular_is_refused_untouched(void **state)
{
    static const uint32_t heavy[6] = {0, 1, 2, 1, 1, 0};
    static const uint32_t outside[6] = {0, 1, 2, 3, 2, 1};
    uint64_t *edge = make_edges(heavy, 6);
    uint64_t *copy = make_edges(heavy, 6);

    (void)state;
    assert_int_equal(cw_colour_edges(3, 2, edge, 1), CW_ERR_LABEL);
    assert_non_null(strstr(cw_last_error(), "edge 4"));
    assert_non_null(strstr(cw_last_error(), "row 1"));
    assert_memory_equal(edge, copy, 6 * sizeof *edge);
    free(edge);
    free(copy);

    edge = make_edges(outside, 6);
    assert_int_equal(cw_colour_edges(3, 2, edge, 1), CW_ERR_LABEL);
    assert_non_null(strstr(cw_last_error(), "edge 3"));
    assert_non_null(strstr(cw_last_error(), "row 3"));
    free(edge);
}

static void shapes_beyond_the_limits_are_refused(void **state)
{
    uint64_t edge = 0;

    (void)state;
    assert_int_equal(cw_colour_edges(0, 1, &edge, 1), CW_ERR_ARGUMENT);
    assert_int_equal(cw_colour_edges(1, 0, &edge, 1), CW_ERR_ARGUMENT);
    assert_int_equal(cw_colour_edges(1, 1, NULL, 1), CW_ERR_ARGUMENT);
    assert_int_equal(cw_colour_edges(CW_COLOUR_ROW_MAX + 1, 1, &edge, 1), CW_ERR_SHAPE);
    assert_int_equal(cw_colour_edges(65536, 65536, &edge, 1), CW_ERR_SHAPE);
    assert_int_equal(cw_colour_edges(1, UINT32_MAX, &edge, 1), CW_ERR_SHAPE);
}

static void the_most_rows_are_coloured(void **state)
{
    (void)state;
    random_graph(CW_COLOUR_ROW_MAX, 1);
    random_graph(65536, 5);
}

#ifdef COUNTED
enum { W = 64, M = 1023, N = W * M };

static uint64_t reversed[N];
static struct cw_paper_plan made;
static char path[256];

static void a_plan_is_made_within_28_bytes_a_word(void **state)
{
    const size_t before = live;
    struct cw_paper_plan plan;

    (void)state;
    for (uint64_t e = 0; e < N; e++) {
        reversed[e] = N - 1 - e;
    }
    peak = live;
    assert_int_equal(cw_paper_plan_make(&plan, W, M, reversed, 1), CW_OK);
    assert_in_range(peak - before, 20 * N, 20 * N + N / 2); /* and 8 for the labels */
    assert_in_range(peak - before, 8 * N + cw_colour_scratch(W, M),
                    8 * N + cw_colour_scratch(W, M) + N / 10);
    cw_paper_plan_free(&plan);
    assert_int_equal(live, before);
}

static cw_status try_make(void)
{
    struct cw_paper_plan plan;
    const cw_status status = cw_paper_plan_make(&plan, W, M, reversed, 1);

    cw_paper_plan_free(&plan);
    return status;
}

static cw_status try_save(void)
{
    return cw_paper_plan_save(&made, path);
}

static cw_status try_load(void)
{
    struct cw_paper_plan plan;
    const cw_status status = cw_paper_plan_load(&plan, path);

    cw_paper_plan_free(&plan);
    return status;
}

static void every_failed_allocation_is_a_status_and_leaks_nothing(void **state)
{
    cw_status (*const attempt[])(void) = {try_make, try_save, try_load};

    (void)state;
    snprintf(path, sizeof path, "%s/plan-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
    close(mkstemp(path));
    assert_int_equal(cw_paper_plan_make(&made, W, M, reversed, 1), CW_OK);
    for (size_t a = 0; a < sizeof attempt / sizeof *attempt; a++) {
        int at = 0, failures = 0;

        do { /* until there is no allocation left that could fail */
            const size_t before = live;

            fail_at = at++;
            failures += attempt[a]() != CW_OK;
            assert_int_equal(live, before);
        } while (fail_at < 0);
        fail_at = -1;
        assert_in_range(failures, 4, at - 1); /* at least; the C library can do without some */
        assert_int_equal(attempt[a](), CW_OK);
    }
    cw_paper_plan_free(&made);
    assert_int_equal(unlink(path), 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_graph_is_coloured),
        cmocka_unit_test(the_seed_and_nothing_else_chooses_the_colouring),
        cmocka_unit_test(every_shape_to_24_x_24_is_coloured),
        cmocka_unit_test(random_shapes_are_coloured),
        cmocka_unit_test(hard_graphs_are_coloured),
        cmocka_unit_test(the_seed_decides_the_colouring),
        cmocka_unit_test(a_graph_that_is_not_regular_is_refused_untouched),
        cmocka_unit_test(shapes_beyond_the_limits_are_refused),
        cmocka_unit_test(the_most_rows_are_coloured),
#ifdef COUNTED
        cmocka_unit_test(a_plan_is_made_within_28_bytes_a_word),
        cmocka_unit_test(every_failed_allocation_is_a_status_and_leaks_nothing),
#endif
    };

    first_seed = getenv("CW_SEED") ? strtoull(getenv("CW_SEED"), NULL, 0) : (uint64_t)time(NULL);
    last_seed = first_seed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
