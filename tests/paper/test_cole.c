/* Cole's mergesort of a column: it sorts, asks no bank twice, keeps to its bounds. */
#include <stdlib.h>
#include <string.h>

#include "paper/sort/cole.h"
#include "test.h"

/* ---- running it ------------------------------------------------------------ */

struct bench {
    struct cw_model *model;
    int w, m, h;       /* the machine; rows that a view has */
    int first, stride; /* lanes first .. first + stride - 1 each begin a view */
    int desc;
    uint32_t aux;
    cw_word *want;
    uint64_t steps, worst;
};

static void body(struct cw_model *s, const void *arg)
{
    const struct bench *b = (const struct bench *)arg;
    const int at = lane_id(s) - b->first;
    view v;

    memset(&v, 0, sizeof v);
    v.first = b->first + (at < 0 ? 0 : at % b->stride);
    v.stride = b->stride;
    v.h = b->h;
    v.m = b->m;
    v.b = b->m;
    for (int c = 0; c < b->m && at >= 0 && at < b->h * b->stride; c++)
        cole_sort_column(s, v, c, b->desc ^ (c & 1), (int)b->aux);
}

static void bench_open(struct bench *b, int h, int m, int first, int stride, int w)
{
    struct cw_model_config config;

    memset(b, 0, sizeof *b);
    memset(&config, 0, sizeof config);
    b->h = h;
    b->m = m;
    b->first = first;
    b->stride = stride;
    b->w = w;
    config.w = (uint32_t)w;
    config.m = (uint32_t)m;
    assert_int_equal(cw_model_create(&config, &b->model), CW_OK);
    assert_int_equal(cw_model_aux(b->model, "cole", COLE_WORDS, &b->aux), CW_OK);
    b->want = (cw_word *)malloc((size_t)w * (size_t)m * sizeof *b->want);
    assert_non_null(b->want);
}

static void bench_close(struct bench *b)
{
    cw_model_destroy(b->model);
    free(b->want);
}

static int by_word(const void *x, const void *y)
{
    const cw_word a = *(const cw_word *)x, b = *(const cw_word *)y;

    return a < b ? -1 : a > b;
}

/* One column of rows 0 .. h - 1: what is the right answer? */
static void bench_run(struct bench *b, const cw_word *in, const char *what, uint64_t seed)
{
    struct cw_counters n;

    memcpy(b->want, in, (size_t)b->h * sizeof *in);
    for (int i = 0; i < b->h; i++)
        *cw_model_at(b->model, (uint32_t)i, 0) = in[i];
    if (cw_model_run(b->model, body, b))
        fail_msg("h = %d, %s, seed %llu: %s", b->h, what, (unsigned long long)seed,
                 cw_last_error());
    qsort(b->want, (size_t)b->h, sizeof *b->want, by_word);
    for (int i = 0; i < b->h; i++)
        if (*cw_model_at(b->model, (uint32_t)i, 0) != b->want[b->desc ? b->h - 1 - i : i])
            fail_msg("h = %d, %s, seed %llu: row %d is wrong", b->h, what, (unsigned long long)seed,
                     i);
    cw_model_counters(b->model, &n);
    assert_int_equal(n.conflicts, 0);
    b->steps = n.steps;
    if (n.steps > b->worst)
        b->worst = n.steps;
}

static int log_up(int h)
{
    int l = 0;

    while (1 << l < h)
        l++;
    return l;
}

/* ---- inputs ---------------------------------------------------------------- */

static const char *const kinds[] = {"random", "sorted",  "reverse",   "organ", "few",
                                    "two",    "shuffle", "all equal", "comb",  "high words"};

static void fill(cw_word *a, int h, int kind, uint64_t seed)
{
    struct cw_random x = cw_random_from(seed);

    for (int i = 0; i < h; i++) {
        const cw_word r = cw_random_next(&x), k = (cw_word)i;
        const cw_word of[] = {r,
                              k,
                              (cw_word)(h - i),
                              (cw_word)(i < h / 2 ? i : h - i),
                              r % 7,
                              r & 1,
                              k * 2 % (cw_word)h, /* neighbours go to both halves */
                              42,
                              k % 8 * (cw_word)h + k, /* every block has all sizes */
                              WORD_MAX - r % 3};

        a[i] = of[kind];
    }
}

static void all_kinds(int h, int times)
{
    cw_word *a = (cw_word *)malloc((size_t)h * sizeof *a);
    struct bench b;

    assert_non_null(a);
    bench_open(&b, h, 1, 0, 1, h);
    for (int kind = 0; kind < (int)COUNT(kinds); kind++)
        for (int t = 0; t < times; t++) {
            const uint64_t seed = (uint64_t)(h * 100 + t);

            fill(a, h, kind, seed);
            b.desc = (h + kind + t) & 1;
            bench_run(&b, a, kinds[kind], seed);
        }
    bench_close(&b);
    free(a);
}

/* ---- it sorts -------------------------------------------------------------- */

static void every_order_of_eight_rows_is_sorted(void **state)
{
    cw_word a[8];
    struct bench b;

    (void)state;
    bench_open(&b, 8, 1, 0, 1, 8);
    for (int code = 0; code < 40320; code++) {
        for (int i = 0, c = code; i < 8; c /= ++i) { /* insert i at place c mod (i + 1) */
            const int at = c % (i + 1);

            memmove(a + at + 1, a + at, (size_t)(i - at) * sizeof *a);
            a[at] = (cw_word)i;
        }
        bench_run(&b, a, "order", (uint64_t)code);
    }
    bench_close(&b);
}

static void every_0_1_input_is_sorted(void **state)
{
    cw_word a[14];

    (void)state;
    for (int h = 1; h <= (CW_SANITIZED ? 11 : (int)COUNT(a)); h++) {
        struct bench b;

        bench_open(&b, h, 1, 0, 1, h);
        for (int bits = 0; bits < 1 << h; bits++) {
            for (int i = 0; i < h; i++)
                a[i] = (cw_word)(bits >> i & 1);
            b.desc = h & 1;
            bench_run(&b, a, "bits", (uint64_t)bits);
        }
        bench_close(&b);
    }
}

/* Blocks are sorted first, so for 9 .. 16 rows this is every order there is. */
static void every_interleaving_of_two_blocks_is_sorted(void **state)
{
    cw_word a[16];

    (void)state;
    for (int h = 9; h <= (CW_SANITIZED ? 11 : cw_long_run() ? 16 : 14); h++) {
        const int low = h / 2; /* rows of the first block */
        struct bench b;

        bench_open(&b, h, 1, 0, 1, h);
        for (int bits = 0; bits < 1 << h; bits++) {
            int n[2] = {0, low};

            if (__builtin_popcount((unsigned)bits) != h - low)
                continue;
            for (int i = 0; i < h; i++) /* item i goes to block bits[i] */
                a[n[bits >> i & 1]++] = (cw_word)i;
            bench_run(&b, a, "interleaving", (uint64_t)bits);
        }
        bench_close(&b);
    }
}

/* All zero counts of the four blocks: every 0-1 input of 24 rows, blocks sorted. */
static void every_0_1_input_of_four_blocks_is_sorted(void **state)
{
    cw_word a[24];
    struct bench b;

    (void)state;
    bench_open(&b, 24, 1, 0, 1, 24);
    for (int code = 0; code < 7 * 7 * 7 * 7; code++) {
        for (int k = 0, c = code; k < 4; k++, c /= 7)
            for (int i = 0; i < 6; i++)
                a[6 * k + i] = i >= c % 7;
        bench_run(&b, a, "zero counts", (uint64_t)code);
    }
    bench_close(&b);
}

static void any_number_of_rows_is_sorted(void **state)
{
    (void)state;
    for (int h = 1; h <= 70; h++)
        all_kinds(h, CW_SANITIZED ? 1 : 2);
    for (int h = 127; h <= 129; h++)
        all_kinds(h, 1);
    for (int h = 255; h <= 257; h++)
        all_kinds(h, 1);
    for (int h = 77; h <= 1100 && cw_long_run(); h += 11)
        all_kinds(h, 1);
    all_kinds(CW_SANITIZED ? 500 : 1000, 1);
}

static void large_columns_are_sorted(void **state)
{
    (void)state;
    all_kinds(CW_SANITIZED ? 512 : 2048, 1);
    if (cw_long_run() && !CW_SANITIZED) {
        all_kinds(3000, 1);
        all_kinds(4096, 1);
        all_kinds(1 << 14, 1);
    }
}

/* Three views side by side, row by row, and rows that belong to none of them. */
static void views_and_columns_do_not_disturb_each_other(void **state)
{
    enum { H = 37, M = 3, STRIDE = 3, FIRST = 2, W = FIRST + H * STRIDE + 5 };
    const uint64_t seed = 11;
    struct cw_random x = cw_random_from(seed);
    cw_word in[W][M], want[H];
    struct bench b;

    (void)state;
    bench_open(&b, H, M, FIRST, STRIDE, W);
    for (int r = 0; r < W; r++)
        for (int c = 0; c < M; c++)
            in[r][c] = *cw_model_at(b.model, (uint32_t)r, (uint32_t)c) = cw_random_next(&x) % 50;
    assert_int_equal(cw_model_run(b.model, body, &b), CW_OK);
    for (int c = 0; c < M; c++) {
        for (int k = 0; k < STRIDE; k++) {
            for (int i = 0; i < H; i++)
                want[i] = in[FIRST + k + i * STRIDE][c];
            qsort(want, H, sizeof *want, by_word);
            for (int i = 0; i < H; i++)
                assert_int_equal(
                    *cw_model_at(b.model, (uint32_t)(FIRST + k + i * STRIDE), (uint32_t)c),
                    want[c & 1 ? H - 1 - i : i]);
        }
        for (int r = 0; r < W; r += r == FIRST - 1 ? 1 + H * STRIDE : 1)
            assert_int_equal(*cw_model_at(b.model, (uint32_t)r, (uint32_t)c), in[r][c]);
    }
    bench_close(&b);
}

/* ---- in few steps ---------------------------------------------------------- */

static uint64_t worst_steps(int h, int times)
{
    cw_word *a = (cw_word *)malloc((size_t)h * sizeof *a);
    uint64_t worst;
    struct bench b;

    assert_non_null(a);
    bench_open(&b, h, 1, 0, 1, h);
    for (int t = 0; t < times; t++) {
        const int kind = t == 1 ? 4 : t == 2 ? 8 : t == 3 ? 5 : 0;

        fill(a, h, kind, (uint64_t)t);
        bench_run(&b, a, kinds[kind], (uint64_t)t);
    }
    worst = b.worst;
    bench_close(&b);
    free(a);
    print_message("h = %d: %llu steps at most\n", h, (unsigned long long)worst);
    assert_true(worst <=
                (uint64_t)(COLE_OTHER_STEPS + 3 * (log_up(h) - COLE_BASE) * COLE_STAGE_STEPS));
    return worst;
}

static void a_column_of_1024_takes_at_most_1700_steps(void **state)
{
    (void)state;
    assert_true(worst_steps(1024, CW_SANITIZED ? 4 : 12) <= 1700);
}

static void steps_grow_as_the_logarithm_from_4096_rows_on(void **state)
{
    const int last = cw_long_run() ? 14 : 13;
    double before = 0;

    (void)state;
    if (CW_SANITIZED)
        skip();
    for (int l = 12; l <= last; l++) {
        const double now = (double)worst_steps(1 << l, 2) / l;

        assert_true(l == 12 || now <= 1.10 * before);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_of_eight_rows_is_sorted),
        cmocka_unit_test(every_0_1_input_is_sorted),
        cmocka_unit_test(every_interleaving_of_two_blocks_is_sorted),
        cmocka_unit_test(every_0_1_input_of_four_blocks_is_sorted),
        cmocka_unit_test(any_number_of_rows_is_sorted),
        cmocka_unit_test(large_columns_are_sorted),
        cmocka_unit_test(views_and_columns_do_not_disturb_each_other),
        cmocka_unit_test(a_column_of_1024_takes_at_most_1700_steps),
        cmocka_unit_test(steps_grow_as_the_logarithm_from_4096_rows_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
