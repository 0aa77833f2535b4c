/* test_partition.c - every item to the row of its label, on the strict machine.
 *
 * An item is its label and, as payload, its place in the input, so no two items are
 * the same word: what is lost, doubled or in the wrong row shows.  That a run ends
 * well says that no bank was asked twice.
 */
#include "trial.h"

#include <math.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/report.h"

static const char *const row_names[] = {"best", "merge", "radix"};

static const struct cw_algorithm *named(const char *name)
{
    const struct cw_algorithm *const alg = cw_algorithm_find(name);

    assert_non_null(alg);
    return alg;
}

/* ---- one run held to all that is promised --------------------------------- */

/* The first place that does not hold an item of its row, or holds one twice; n: none. */
static uint64_t misplaced(struct cw_trial *t)
{
    uint64_t x = 0;

    memset(t->want, 0, t->n * sizeof *t->want); /* items seen */
    for (; x < t->n; x++) {
        const cw_word item = t->out[x];
        const uint32_t from = CW_ITEM_PAYLOAD(item);

        if (CW_ITEM_LABEL(item) != x / t->job.m || from >= t->n || t->in[from] != item)
            break;
        if (t->want[from]++)
            break;
    }
    return x;
}

static void partitions(struct cw_trial *t, const char *kind, uint64_t seed)
{
    struct cw_report report = {0};
    uint64_t bad, said;
    cw_status status;

    status = cw_input_make(kind, CW_PARTITION, t->job.w, t->job.m, 0, seed, t->in);
    assert_int_equal(status, CW_OK);
    cw_input_items(t->n, t->in);
    t->job.output = &report;
    status = cw_trial_run(t);
    bad = misplaced(t);
    said = t->alg->steps(t->job.w, t->job.m, &t->job.opt);
    if (status || bad < t->n || t->counters.conflicts || said != t->counters.steps || !report.path)
        fail_msg("%s %u x %u, rows %s, %s, seed %llu: %s; %s, place %llu holds label %u of item "
                 "%u; %llu conflicts; %llu steps, the formula says %llu",
                 t->alg->name, t->job.w, t->job.m, row_names[t->job.opt.rows], kind,
                 (unsigned long long)seed, status ? cw_last_error() : "it ran",
                 bad < t->n ? "WRONG" : "right", (unsigned long long)bad,
                 CW_ITEM_LABEL(t->out[bad % t->n]), CW_ITEM_PAYLOAD(t->out[bad % t->n]),
                 (unsigned long long)t->counters.conflicts, (unsigned long long)t->counters.steps,
                 (unsigned long long)said);
}

/* ---- many shapes ---------------------------------------------------------- */

static const uint32_t radix_w[] = {1,  2,  3,  4,  5,  7,  8,  9,   13,
                                   16, 17, 31, 32, 33, 48, 64, 100, 127};
static const uint32_t radix_m[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 15, 16, 17, 24, 31, 32, 33, 50, 64};

static const uint32_t more[][2] = {
    {128, 8},  {256, 8},  {512, 8},  {1024, 8}, {128, 16}, {256, 16}, {512, 16}, {1024, 16},
    {128, 32}, {256, 32}, {64, 128}, {32, 256}, {16, 512}, {8, 1024}, {7, 343},  {30, 900},
    {2, 1000}, {1, 4096}, {1000, 3}, {625, 5},  {257, 4},  {255, 16}, {96, 48},  {243, 3},
    {509, 2},  {300, 10}, {64, 63},  {128, 77}, {16, 14},  {1021, 1}, {61, 67},  {67, 61},
};

/* Kinds of input x ways to sort rows x seeds: all of them for small shapes, a sample that
 * differs from shape to shape for larger ones. */
static uint64_t partitions_shape(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                                 uint64_t shape)
{
    const char *const *const kinds = cw_input_names(CW_PARTITION);
    const uint64_t seed = cw_test_seed() + 1000 * shape;
    const uint64_t n = (uint64_t)w * m;
    const uint64_t some = n < 360 ? 1 + n / 20 : 19;
    const uint64_t step = cw_long_run() ? 1 + some / 5 : CW_SANITIZED ? 4 * some : some;
    uint64_t runs = 0;
    uint32_t count = 0;

    while (kinds[count])
        count++;
    for (uint32_t rows = 0; rows < 3; rows++) {
        const struct cw_options opt = {.rows = (enum cw_row_sort)rows,
                                       .prefer = shape % 2 ? CW_PREFER_BOUND : CW_PREFER_STEPS};
        struct cw_trial t;

        assert_true(cw_trial_open(&t, alg, w, m, &opt));
        for (uint64_t k = 0; k < 2 * count; k++)
            if ((rows * 2 * count + k + shape) % step == 0)
                partitions(&t, kinds[k % count], seed + k);
        runs += t.runs;
        cw_trial_close(&t);
    }
    return runs;
}

static void every_shape_is_partitioned_without_conflicts(void **state)
{
    const struct cw_algorithm *const alg = named("partition");
    uint64_t shapes = 0, runs = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(radix_w); i++)
        for (size_t j = 0; j < COUNT(radix_m); j++)
            runs += partitions_shape(alg, radix_w[i], radix_m[j], shapes++);
    for (size_t k = 0; k < COUNT(more); k++)
        runs += partitions_shape(alg, more[k][0], more[k][1], shapes++);
    print_message("    %llu shapes, %llu runs\n", (unsigned long long)shapes,
                  (unsigned long long)runs);
    assert_true(shapes >= 300 && runs >= (CW_SANITIZED ? 1 : 3) * shapes);
}

/* Padding must not pass for an item of the last row where rows are sorted by label:
 * that row's label is all ones when w is a power of two. */
static void the_last_label_is_not_taken_for_padding(void **state)
{
    static const uint32_t shapes[][2] = {{16, 9}, {16, 15}, {32, 13}, {32, 31}, {64, 40}};

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++) {
        for (uint32_t rows = 0; rows < 3; rows++) {
            const struct cw_options opt = {.rows = (enum cw_row_sort)rows,
                                           .prefer = k % 2 ? CW_PREFER_BOUND : CW_PREFER_STEPS};
            struct cw_trial t;

            assert_true(cw_trial_open(&t, named("partition"), shapes[k][0], shapes[k][1], &opt));
            for (uint64_t seed = 1; seed <= 3; seed++)
                partitions(&t, "random", seed);
            cw_trial_close(&t);
        }
    }
}

static void banks_as_many_as_there_can_be(void **state)
{
    const struct cw_options opt = {0};
    struct cw_trial t;

    (void)state;
    if (CW_SANITIZED)
        skip(); /* a lane's stack is eight times as large, and there are 65536 */
    assert_true(cw_trial_open(&t, named("partition"), 65536, cw_long_run() ? 4 : 1, &opt));
    partitions(&t, "random", cw_test_seed());
    cw_trial_close(&t);
}

/* ---- which way was taken, and how long ------------------------------------ */

static const char *path_of(const char *name, uint32_t w, uint32_t m, enum cw_prefer prefer)
{
    const struct cw_options opt = {.prefer = prefer};
    struct cw_report report = {0};
    struct cw_trial t;

    assert_true(cw_trial_open(&t, named(name), w, m, &opt));
    memset(t.in, 0, t.n * sizeof *t.in);
    t.job.output = &report;
    assert_int_equal(cw_trial_run(&t), CW_OK);
    cw_trial_close(&t);
    return report.path;
}

static void the_path_is_told(void **state)
{
    static const struct {
        uint32_t w, m;
        const char *path;
    } cases[] = {
        {1, 16, "lemma 1"},    {8, 64, "lemma 1"},    {32, 1024, "lemma 1"}, {16, 16, "theorem 1"},
        {31, 32, "theorem 1"}, {32, 64, "theorem 1"}, {16, 4, "lemma 2"},    {64, 8, "lemma 2"},
        {256, 16, "lemma 2"},  {33, 8, "lemma 2"},    {100, 7, "lemma 2"},   {5, 1, "general sort"},
        {64, 4, "lemma 2"},    {48, 2, "lemma 2"},    {48, 16, "lemma 2"},   {16, 15, "lemma 2"},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        assert_string_equal(path_of("partition", cases[k].w, cases[k].m, CW_PREFER_BOUND),
                            cases[k].path);
        if (cases[k].w >= cases[k].m)
            assert_string_equal(path_of("partition-tall", cases[k].w, cases[k].m, CW_PREFER_STEPS),
                                cases[k].path);
        assert_string_equal(path_of("sort-integers", cases[k].w, cases[k].m, CW_PREFER_BOUND),
                            cases[k].path);
    }
    /* far from the lemma's condition: 16 m < 2^sqrt(2 lg w) */
    assert_string_equal(path_of("partition-tall", 8192, 2, CW_PREFER_STEPS), "general sort");
    if (!CW_SANITIZED)
        assert_string_equal(path_of("partition-tall", 8192, 2, CW_PREFER_BOUND), "lemma 2");
}

/* Without a wish, whichever of lemma 2 and the general sort takes fewer steps; and the bound that
 * is told is the bound of that one. */
static void fewest_steps_are_taken_and_their_bound_is_told(void **state)
{
    uint32_t lemma = 0, network = 0;

    (void)state;
    for (uint32_t w = 9; w <= 70; w += w < 40 ? 5 : 29) {
        for (uint32_t m = 2; m < w; m += 3) {
            struct cw_options opt = {0};
            const uint64_t tall =
                (cw_options_fill(&opt), named("partition-tall")->steps(w, m, &opt));
            const uint64_t best = named("partition")->steps(w, m, &opt);
            const char *const path = path_of("partition", w, m, CW_PREFER_STEPS);
            const int is_lemma = !strcmp(path, "lemma 2");
            const char *text;
            const double bound = cw_algorithm_bound(named("partition"), w, m, &opt, &text);
            const double logs = log2(w) / log2(m);

            assert_true(best <= tall);
            assert_true(is_lemma || best < tall);
            assert_true(fabs(bound - (is_lemma ? m * pow(logs, 3) : m * pow(log2(w), 2))) <
                        1e-9 * bound);
            assert_string_equal(text, is_lemma ? "m max(1, log_m w)^3" : "m log2(w)^2");
            lemma += is_lemma;
            network += !is_lemma;
        }
    }
    print_message("    %u shapes by lemma 2, %u by the general sort\n", lemma, network);
    assert_true(network > 0);
}

static void partition_tall_is_for_w_at_least_m(void **state)
{
    const struct cw_algorithm *const tall = named("partition-tall");
    const struct cw_options opt = {0};
    struct cw_trial t;

    (void)state;
    assert_false(cw_trial_open(&t, tall, 7, 8, &opt));
    assert_non_null(strstr(cw_last_error(), "7 x 8"));
    for (uint64_t shape = 0; shape < 24; shape++)
        partitions_shape(tall, 8 + 5 * (uint32_t)shape, 1 + (uint32_t)shape % 8, shape);
}

static void a_literal_lemma_2_is_refused(void **state)
{
    const struct cw_model_config config = {64, 8, 0, 0, 0};
    const struct cw_options opt = {.literal = 1};
    struct cw_job job;
    struct cw_model *model;

    (void)state;
    assert_int_equal(cw_job_make(named("partition"), &config, &opt, &job, &model), CW_ERR_ARGUMENT);
    assert_null(model);
}

/* The corollary where it pays: below both its bound here, 30m, and any comparison sort. */
static void partition_at_32_x_1024_takes_at_most_30m(void **state)
{
    struct cw_options any = {0};
    uint64_t blocked;

    (void)state;
    cw_options_fill(&any);
    blocked = named("blocked-bitonic")->steps(32, 1024, &any);
    for (uint32_t rows = 0; rows < 3; rows++) {
        const struct cw_options opt = {.rows = (enum cw_row_sort)rows};
        struct cw_trial t;

        assert_true(cw_trial_open(&t, named("partition"), 32, 1024, &opt));
        partitions(&t, rows == 1 ? "blocks" : "random", cw_test_seed());
        partitions(&t, rows == 2 ? "transpose" : "reverse", cw_test_seed());
        print_message("    rows %-5s %.2fm\n", row_names[rows], (double)t.counters.steps / 1024);
        assert_true(t.counters.steps <= 30 * 1024);
        assert_true(t.counters.steps < blocked);
        cw_trial_close(&t);
    }
}

/* By counting, a row takes O(m) while labels fit into one digit: steps / m stay put as m
 * grows with w fixed, where merging grows with log m. */
static void partition_by_counting_is_linear_for_w_up_to_sqrt_m(void **state)
{
    const struct cw_algorithm *const alg = named("partition");
    struct cw_options radix = {.rows = CW_ROWS_RADIX}, merge = {.rows = CW_ROWS_MERGE};

    (void)state;
    cw_options_fill(&radix);
    cw_options_fill(&merge);
    for (uint32_t w = 4; w <= 64; w *= 2) {
        const uint32_t m = w * w;
        const double first = (double)alg->steps(w, m, &radix) / m;
        const double last = (double)alg->steps(w, 256 * m, &radix) / (256.0 * m);

        print_message("    w = %-2u radix %.1fm at m = w^2, %.1fm at 256 w^2\n", w, first, last);
        assert_true(last <= first && first <= 40);
        assert_true(alg->steps(w, 256 * m, &merge) - 256 * alg->steps(w, m, &merge) >= 512 * m);
    }
}

/* ---- integers ------------------------------------------------------------- */

static void integers_sort(uint32_t w, uint32_t m, uint32_t bits, enum cw_row_sort rows,
                          uint64_t seed)
{
    const struct cw_options opt = {.rows = rows, .key_bits = bits, .prefer = CW_PREFER_BOUND};
    const cw_word mask = bits < 64 ? ((cw_word)1 << bits) - 1 : UINT64_MAX;
    struct cw_random random = cw_random_from(seed);
    struct cw_trial t;

    assert_true(cw_trial_open(&t, named("sort-integers"), w, m, &opt));
    for (int k = 0; k < 3; k++) {
        for (uint64_t x = 0; x < t.n; x++)
            t.in[x] = k == 0   ? cw_random_next(&random) & mask
                      : k == 1 ? (cw_random_next(&random) & 1) * mask
                               : (t.n - x) & mask;
        cw_trial_check(&t, row_names[rows], seed);
    }
    cw_trial_close(&t);
}

static void integers_of_known_bits_are_sorted(void **state)
{
    static const uint32_t shapes[][2] = {{1, 16}, {5, 1},  {8, 64}, {16, 16}, {31, 17}, {16, 9},
                                         {16, 4}, {64, 8}, {33, 8}, {7, 5},   {9, 6},   {12, 11}};
    static const uint32_t bits[] = {1, 3, 12, 17, 64};
    uint64_t seed = cw_test_seed();

    (void)state;
    for (size_t k = 0; k < COUNT(shapes); k++)
        for (size_t b = 0; b < COUNT(bits); b++)
            for (uint32_t rows = 0; rows < 3; rows += b ? 2 : 1) /* merging sees no bits */
                integers_sort(shapes[k][0], shapes[k][1], bits[b], (enum cw_row_sort)rows, seed++);
}

static void counting_needs_to_know_the_bits(void **state)
{
    const struct cw_model_config config = {64, 8, 0, 0, 0};
    struct cw_options opt = {.rows = CW_ROWS_RADIX};
    struct cw_job job;
    struct cw_model *model;

    (void)state;
    assert_int_equal(cw_job_make(named("sort-integers"), &config, &opt, &job, &model),
                     CW_ERR_ARGUMENT);
    opt.key_bits = 65;
    assert_int_equal(cw_job_make(named("sort-integers"), &config, &opt, &job, &model),
                     CW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_partitioned_without_conflicts),
        cmocka_unit_test(the_last_label_is_not_taken_for_padding),
        cmocka_unit_test(banks_as_many_as_there_can_be),
        cmocka_unit_test(the_path_is_told),
        cmocka_unit_test(fewest_steps_are_taken_and_their_bound_is_told),
        cmocka_unit_test(partition_tall_is_for_w_at_least_m),
        cmocka_unit_test(a_literal_lemma_2_is_refused),
        cmocka_unit_test(partition_at_32_x_1024_takes_at_most_30m),
        cmocka_unit_test(partition_by_counting_is_linear_for_w_up_to_sqrt_m),
        cmocka_unit_test(integers_of_known_bits_are_sorted),
        cmocka_unit_test(counting_needs_to_know_the_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
