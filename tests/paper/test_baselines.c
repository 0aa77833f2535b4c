/* test_baselines.c - what people used before: it sorts, and costs what is claimed. */
#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/paper.h"
#include "test.h"

static const char *const conflict_free[] = {"shearsort", "blocked-bitonic"};
static const char *const networks[] = {"bitonic", "odd-even", "padded-bitonic", "padded-odd-even"};
static const char *const all[] = {"shearsort",      "blocked-bitonic", "bitonic", "odd-even",
                                  "padded-bitonic", "padded-odd-even", "merge"};

static uint32_t ceil_lg(uint32_t x)
{
    uint32_t k = 0;

    while (1u << k < x)
        k++;
    return k;
}

/* ---- a bench: one algorithm on one machine, run many times ---------------- */

struct bench {
    const struct cw_algorithm *alg;
    struct cw_job job;
    struct cw_model *model;
    struct cw_counters counters;
    uint64_t n;
    cw_word *in; /* what was put in, then sorted by qsort */
};

/* Strict where no conflict may be, unless `strict` says so for all. */
static void bench_open(struct bench *b, const char *name, uint32_t w, uint32_t m, uint32_t ways,
                       int strict)
{
    const struct cw_algorithm *alg = cw_algorithm_find(name);
    const struct cw_model_config config = {w, m, !strict && alg && !alg->conflict_free, 0, 0};
    const struct cw_options opt = {.ways = ways};

    assert_non_null(alg);
    memset(b, 0, sizeof *b);
    b->alg = alg;
    if (cw_job_make(b->alg, &config, &opt, &b->job, &b->model))
        fail_msg("%s %u x %u: %s", name, w, m, cw_last_error());
    b->n = (uint64_t)w * m;
    b->in = (cw_word *)malloc(b->n * sizeof *b->in);
    assert_non_null(b->in);
}

static void bench_close(struct bench *b)
{
    cw_model_destroy(b->model);
    free(b->in);
}

static int by_value(const void *a, const void *b)
{
    const cw_word x = *(const cw_word *)a, y = *(const cw_word *)b;

    return x < y ? -1 : x > y;
}

/* Run on b->in, without looking at the result. */
static cw_status bench_run(struct bench *b)
{
    cw_status status;

    for (uint64_t x = 0; x < b->n; x++)
        *cw_job_item(b->model, &b->job, b->alg->order, x) = b->in[x];
    status = cw_model_run(b->model, b->alg->body, &b->job);
    cw_model_counters(b->model, &b->counters);
    return status;
}

/* Run on b->in; the output must be b->in sorted, and what is promised must hold. */
static void bench_check(struct bench *b, const char *what, uint64_t seed)
{
    const struct cw_algorithm *alg = b->alg;
    const uint64_t said = alg->steps ? alg->steps(b->job.w, b->job.m, &b->job.opt) : 0;
    const cw_status status = bench_run(b);
    const uint64_t steps = b->counters.steps;
    uint64_t x = 0;

    qsort(b->in, b->n, sizeof *b->in, by_value);
    while (x < b->n && *cw_job_item(b->model, &b->job, alg->order, x) == b->in[x])
        x++;
    if (status || x < b->n || (alg->steps && said != steps) ||
        (alg->conflict_free && b->counters.conflicts))
        fail_msg("%s %u x %u, %s, seed %llu: %s; item %llu of %llu is wrong; %llu steps, the "
                 "formula says %llu; %llu conflicts",
                 alg->name, b->job.w, b->job.m, what, (unsigned long long)seed,
                 status ? cw_last_error() : "it ran", (unsigned long long)x,
                 (unsigned long long)b->n, (unsigned long long)steps, (unsigned long long)said,
                 (unsigned long long)b->counters.conflicts);
}

/* ---- inputs --------------------------------------------------------------- */

static const char *const kinds[] = {"uniform", "sorted",   "reverse", "few",
                                    "equal",   "greatest", "organ",   "zeroone"};

/* "greatest": two keys, one of them the greatest word there is. */
static void fill(struct bench *b, const char *kind, uint64_t seed)
{
    const int greatest = !strcmp(kind, "greatest");

    assert_int_equal(
        cw_input_make(greatest ? "zeroone" : kind, CW_SORT, b->job.w, b->job.m, 0, seed, b->in),
        CW_OK);
    for (uint64_t x = 0; greatest && x < b->n; x++)
        b->in[x] = ~b->in[x];
}

/* Steps and conflicts on one random input, which must be sorted. */
static struct cw_counters measure(const char *name, uint32_t w, uint32_t m, uint32_t ways)
{
    struct bench b;

    bench_open(&b, name, w, m, ways, 0);
    fill(&b, "uniform", w * 1000 + m);
    bench_check(&b, "uniform", w * 1000 + m);
    bench_close(&b);
    return b.counters;
}

/* ---- they sort ------------------------------------------------------------ */

static void sorts_all_zero_one_inputs(const char *name, uint32_t limit)
{
    for (uint32_t w = 1; w <= limit; w++) {
        for (uint32_t m = 1; w * m <= limit; m++) {
            struct bench b;

            bench_open(&b, name, w, m, 2, 0);
            for (uint64_t bits = 0; bits >> b.n == 0; bits++) {
                for (uint64_t x = 0; x < b.n; x++)
                    b.in[x] = bits >> x & 1;
                bench_check(&b, "zeros and ones", bits);
            }
            bench_close(&b);
        }
    }
}

static void all_zero_one_inputs_are_sorted(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT(all); a++)
        sorts_all_zero_one_inputs(all[a], cw_long_run() ? 14 : 10);
}

static void every_kind_of_input(const char *name, uint32_t w, uint32_t m)
{
    struct bench b;

    bench_open(&b, name, w, m, 2, 0);
    for (size_t k = 0; k < COUNT(kinds); k += b.alg->conflict_free || b.n < 1000 ? 1 : 3) {
        fill(&b, kinds[k], w * 7919 + m);
        bench_check(&b, kinds[k], w * 7919 + m);
    }
    bench_close(&b);
}

static void every_shape_and_input_is_sorted(void **state)
{
    static const uint32_t shapes[][2] = {
        {1, 1},   {1, 2},   {1, 3},   {1, 7},   {1, 64},  {1, 100}, {2, 1},   {3, 1},   {5, 1},
        {16, 1},  {31, 1},  {64, 1},  {257, 1}, {2, 2},   {2, 3},   {3, 2},   {3, 3},   {4, 4},
        {5, 5},   {5, 13},  {6, 4},   {7, 7},   {7, 31},  {8, 8},   {8, 3},   {8, 64},  {9, 12},
        {11, 2},  {12, 9},  {13, 5},  {13, 64}, {15, 17}, {16, 16}, {16, 4},  {16, 40}, {17, 15},
        {19, 3},  {20, 33}, {23, 23}, {24, 10}, {27, 55}, {29, 2},  {31, 7},  {31, 31}, {31, 33},
        {32, 2},  {32, 31}, {32, 32}, {32, 33}, {32, 63}, {32, 64}, {33, 32}, {33, 5},  {37, 41},
        {47, 32}, {61, 3},  {63, 20}, {64, 17}, {65, 2},  {97, 5},  {128, 8}, {131, 3}, {256, 3},
    };

    (void)state;
    for (size_t a = 0; a < COUNT(all); a++)
        for (size_t x = CW_SANITIZED ? a % 3 : 0; x < COUNT(shapes); x += CW_SANITIZED ? 3 : 1)
            every_kind_of_input(all[a], shapes[x][0], shapes[x][1]);
    for (uint32_t w = 1; cw_long_run() && w <= 24; w++)
        for (uint32_t m = 1; m <= 24; m++)
            for (size_t a = 0; a < COUNT(all); a++)
                every_kind_of_input(all[a], w, m);
}

static void rows_may_be_merged_any_number_of_ways(void **state)
{
    static const uint32_t ways[] = {0, 2, 3, 4, 5, 8, 16};

    (void)state;
    for (size_t k = 0; k < COUNT(ways); k++) {
        for (size_t a = 0; a < COUNT(conflict_free); a++) {
            measure(conflict_free[a], 8, 100, ways[k]);
            measure(conflict_free[a], 33, 31, ways[k]);
            measure(conflict_free[a], 40, 9, ways[k]);
        }
    }
}

/* ---- why they sort -------------------------------------------------------- */

struct watch {
    struct bench *b;
    uint32_t phases, rounds; /* so far: of any name, of the watched name */
    uint32_t wrong;          /* told later: an assertion must not leave from inside a lane */
};

/* After k column sorts at most ceil(w / 2^k) rows are dirty; all columns are sorted. */
static void count_dirty_rows(void *arg, const struct cw_phase *phase)
{
    struct watch *t = (struct watch *)arg;
    const uint32_t w = t->b->job.w, m = t->b->job.m;
    uint32_t dirty = 0;

    t->phases++;
    if (strcmp(phase->name, "columns sorted"))
        return;
    t->rounds++;
    for (uint32_t r = 0; r < w; r++) {
        uint32_t ones = 0;

        for (uint32_t c = 0; c < m; c++) {
            const cw_word x = *cw_model_at(t->b->model, r, phase->column + c);

            ones += x == 1;
            t->wrong += r > 0 && *cw_model_at(t->b->model, r - 1, phase->column + c) > x;
        }
        dirty += ones > 0 && ones < m;
    }
    t->wrong += dirty > ((w - 1) >> t->rounds) + 1;
}

/* After phase k every block of 2^k rows is sorted in row-major order. */
static void look_at_blocks(void *arg, const struct cw_phase *phase)
{
    struct watch *t = (struct watch *)arg;
    const uint32_t w = t->b->job.w, m = t->b->job.m, size = 1u << t->phases;

    t->phases++;
    t->rounds += !strcmp(phase->name, "blocks merged");
    for (uint32_t x = 1; x < w * m; x++)
        t->wrong += x / m / size == (x - 1) / m / size &&
                    *cw_model_at(t->b->model, (x - 1) / m, phase->column + (x - 1) % m) >
                        *cw_model_at(t->b->model, x / m, phase->column + x % m);
}

static void watch_phases(const char *name, void (*hook)(void *, const struct cw_phase *))
{
    static const uint32_t shapes[][2] = {{2, 2},   {3, 5},   {4, 4},   {5, 3},   {7, 9},
                                         {8, 8},   {13, 4},  {16, 16}, {16, 50}, {31, 8},
                                         {32, 32}, {33, 32}, {64, 10}, {100, 3}};

    for (size_t x = 0; x < COUNT(shapes); x++) {
        struct bench b;

        bench_open(&b, name, shapes[x][0], shapes[x][1], 2, 0);
        for (uint64_t seed = 0; seed < 25; seed++) {
            struct watch t = {.b = &b};

            fill(&b, "zeroone", seed);
            cw_model_hook(b.model, hook, &t);
            bench_check(&b, "zeroone", seed);
            assert_int_equal(t.rounds, ceil_lg(b.job.w));
            if (t.wrong)
                fail_msg("%s %u x %u, seed %llu: %u times not as the proof says", name, b.job.w,
                         b.job.m, (unsigned long long)seed, t.wrong);
        }
        bench_close(&b);
    }
}

static void shearsort_halves_the_dirty_rows_in_each_round(void **state)
{
    (void)state;
    watch_phases("shearsort", count_dirty_rows);
}

static void blocked_bitonic_sorts_blocks_of_twice_the_rows_in_each_phase(void **state)
{
    (void)state;
    watch_phases("blocked-bitonic", look_at_blocks);
}

/* ---- what they cost ------------------------------------------------------- */

struct cost {
    uint32_t w, m;
    uint64_t bitonic, odd_even, shearsort, blocked;
};

/* As counted by the prototypes; blocked bitonic has saved one step a phase since then. */
static const struct cost costs[] = {
    {32, 32, 6080, 5760, 3456, 1696},
    {32, 64, 14208, 13440, 7680, 3520},
    {32, 128, 32768, 30976, 16896, 7296},
    {32, 256, 74752, 70656, 36864, 15104},
    {32, 512, 168960, 159744, 79872, 31232},
    {32, 1024, 378880, 358400, 172032, 64512},
    {64, 64, 17280, 16512, 9856, 4480},
    {256, 256, 120832, 116736, 69120, 28160},
    {256, 1024, 0, 0, 313344, 116736},
    {1024, 1024, 0, 0, 428032, 161792},
    {256, 16, 4672, 0, 0, 1632},
    {4096, 64, 0, 0, 0, 12928},
};

static void check_cost(const char *name, const struct cost *c, uint64_t steps)
{
    const struct cw_algorithm *alg = cw_algorithm_find(name);
    const struct cw_options opt = {.ways = 2};

    if (!steps)
        return;
    if (alg->steps)
        assert_int_equal(alg->steps(c->w, c->m, &opt), steps);
    if (c->w * c->m <= 32 * 256 || (c->w == 32 && c->m == 1024) || cw_long_run())
        assert_int_equal(measure(name, c->w, c->m, 2).steps, steps);
}

static void steps_are_those_known_before(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(costs); x++) {
        const struct cost *c = &costs[x];

        check_cost("bitonic", c, c->bitonic);
        check_cost("odd-even", c, c->odd_even);
        check_cost("shearsort", c, c->shearsort);
        check_cost("blocked-bitonic", c, c->blocked - ceil_lg(c->w));
    }
}

static void networks_cost_the_same_for_all_data(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT(networks); a++) {
        struct bench b;
        struct cw_counters first = {0};

        bench_open(&b, networks[a], 16, 13, 2, 0);
        for (size_t k = 0; k < COUNT(kinds); k++) {
            fill(&b, kinds[k], k);
            bench_check(&b, kinds[k], k);
            if (k == 0)
                first = b.counters;
            assert_memory_equal(&first, &b.counters, sizeof first);
        }
        bench_close(&b);
    }
}

/* ---- what conflicts they have --------------------------------------------- */

static void strict_mode_refuses_what_conflicts(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT(all); a++) {
        struct bench b;

        bench_open(&b, all[a], 32, 32, 2, 1);
        fill(&b, "uniform", 1);
        assert_int_equal(bench_run(&b), b.alg->conflict_free ? CW_OK : CW_ERR_CONFLICT);
        bench_close(&b);
    }
}

static void bitonic_conflicts_in_every_stage_of_stride_below_w(void **state)
{
    const struct cw_counters c = measure("bitonic", 32, 32, 2);

    (void)state;
    /* lg n = 10: strides 1 .. 16 occur 10 + 9 + 8 + 7 + 6 = 40 times, and in each of
     * the 64 steps of such a stage half of the 32 accesses wait */
    assert_int_equal(c.conflicts, 40 * 64 * 16);
    assert_int_equal(c.steps, (40 * 2 + 15) * 64);
    assert_int_equal(c.worst_degree, 2);
}

static void padding_ends_the_conflicts_of_stride_one_only(void **state)
{
    const struct cw_counters c = measure("padded-bitonic", 32, 32, 2);

    (void)state;
    /* stride 1 occurs 10 times; of stride st > 1 one in st of the waits is gone */
    assert_int_equal(c.steps, (30 * 2 + 25) * 64 + 4 * 31);
    assert_int_equal(c.conflicts, 64 * (9 * 8 + 8 * 12 + 7 * 14 + 6 * 15));
    assert_int_equal(c.worst_degree, 2);
}

static void merging_threads_meet_in_one_bank_unless_m_is_odd(void **state)
{
    const struct cw_counters even = measure("merge", 32, 32, 2);
    const struct cw_counters odd = measure("merge", 32, 33, 2);

    (void)state;
    assert_int_equal(even.worst_degree, 32);
    assert_true(even.conflicts > 0 && odd.conflicts > 0);
    assert_true(odd.steps < even.steps / 4);
}

static void bounds_are_never_less_than_m(void **state)
{
    (void)state;
    for (size_t a = 0; a < COUNT(all); a++) {
        const struct cw_algorithm *alg = cw_algorithm_find(all[a]);

        assert_non_null(alg);
        assert_non_null(alg->bound_text);
        for (uint32_t w = 1; w < 5; w++)
            for (uint32_t m = 1; m < 5; m++)
                assert_true(alg->bound(w, m) >= m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_zero_one_inputs_are_sorted),
        cmocka_unit_test(every_shape_and_input_is_sorted),
        cmocka_unit_test(rows_may_be_merged_any_number_of_ways),
        cmocka_unit_test(shearsort_halves_the_dirty_rows_in_each_round),
        cmocka_unit_test(blocked_bitonic_sorts_blocks_of_twice_the_rows_in_each_phase),
        cmocka_unit_test(steps_are_those_known_before),
        cmocka_unit_test(networks_cost_the_same_for_all_data),
        cmocka_unit_test(strict_mode_refuses_what_conflicts),
        cmocka_unit_test(bitonic_conflicts_in_every_stage_of_stride_below_w),
        cmocka_unit_test(padding_ends_the_conflicts_of_stride_one_only),
        cmocka_unit_test(merging_threads_meet_in_one_bank_unless_m_is_odd),
        cmocka_unit_test(bounds_are_never_less_than_m),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
