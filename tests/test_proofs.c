/* test_proofs.c - the proofs, phase by phase: what is dirty is what they say.
 *
 * A hook looks at the matrix at the end of each phase that a proof speaks of, and
 * holds what it sees against the claim: how many rows or columns are dirty at most,
 * where they stand, and that nothing else is out of order.  Inputs are 0-1 matrices,
 * all of them where that is few (only the zeros of each row count for what begins by
 * sorting rows, and of each column for what begins with those), or random orders of
 * different keys, of which every threshold is looked at.
 */
#include <stdio.h>
#include <string.h>

#include "marks.h"
#include "paper/sort_recursive.h"
#include "paper/sort_tall.h"
#include "patterns.h"
#include "trial.h"

/* One look: at the end of a phase, with one threshold. */
struct look {
    const struct cw_marks *marks;
    const struct cw_job *job;
    cw_word threshold;
    uint32_t h, m;    /* the rectangle */
    uint32_t round;   /* lemma 1: first or second */
    wide_plan_t plan; /* theorem 1: what sort_wide does with such a rectangle */
    struct cw_dirt rows, columns;
    const char *wrong; /* the claim that does not hold, NULL if all do */
    uint32_t value, bound;
};

static void holds(struct look *k, int yes, const char *claim)
{
    if (!yes && !k->wrong)
        k->wrong = claim;
}

static void at_most(struct look *k, uint32_t value, uint32_t bound, const char *claim)
{
    k->value = value;
    k->bound = bound;
    holds(k, value <= bound, claim);
}

static uint32_t half_of(uint32_t x)
{
    return (x + 1) / 2;
}

/* Marks change once at most, up or down, in the whole rectangle: it is sorted. */
static void sorted(struct look *k)
{
    at_most(k, cw_mark_changes(k->marks, k->threshold, 0), 1, "sorted");
}

/* Columns sorted one way: row by row, zeros only become fewer, or only more, in each. */
static void columns_are_sorted(struct look *k)
{
    const uint32_t m = k->m;
    uint32_t up = 0, down = 0;

    for (uint32_t x = m; x < k->h * m; x++) {
        const int above = k->marks->x[x - m] < k->threshold, here = k->marks->x[x] < k->threshold;

        up += here > above;
        down += here < above;
    }
    holds(k, !up || !down, "columns sorted");
}

/* Each of g groups of rows has one dirty row at most. */
static void one_dirty_row_a_group(struct look *k, uint32_t g)
{
    for (uint32_t i = 0; i < g; i++) {
        uint32_t dirty = 0;

        for (uint32_t r = k->h * i / g; r < k->h * (i + 1) / g; r++)
            dirty += k->marks->row_min[r] < k->threshold && k->marks->row_max[r] >= k->threshold;
        holds(k, dirty <= 1, "one dirty row a group at most");
    }
}

/* The dirty row has its zeros together, or its ones, if its ends are joined. */
static void one_row_cyclically_bitonic(struct look *k)
{
    at_most(k, k->rows.count, 1, "one dirty row at most");
    if (k->rows.count == 1)
        holds(k, cw_row_changes(k->marks, k->threshold, k->rows.first) == 2, "it is bitonic");
}

/* ---- lemma 1 --------------------------------------------------------------- */

static void lemma1_dealt(struct look *k)
{
    at_most(k, k->columns.count, k->round ? 2 : k->h, "w dirty columns, then two");
}

static void lemma1_back(struct look *k)
{
    at_most(k, k->rows.count, k->round ? 1 : 2, "two dirty rows, then one");
    holds(k, cw_dirt_adjacent(k->rows), "adjacent");
}

static void short_alternate(struct look *k)
{
    at_most(k, cw_mark_changes(k->marks, k->threshold, 0), k->h, "at most h changes of marks");
}

static void short_dealt(struct look *k)
{
    at_most(k, cw_zero_spread(k->marks, k->threshold), half_of(k->h), "zero counts of rows");
    holds(k, k->columns.count <= half_of(k->h), "dirty columns");
}

static void short_two(struct look *k)
{
    at_most(k, k->rows.count, 2, "two dirty rows at most");
    holds(k, cw_dirt_adjacent(k->rows), "adjacent");
}

/* ---- theorem 1 ------------------------------------------------------------- */

static void wide_groups(struct look *k)
{
    one_dirty_row_a_group(k, (uint32_t)k->plan.g);
    at_most(k, k->rows.count, (uint32_t)k->plan.g, "one dirty row a super-row");
}

static void wide_columns(struct look *k)
{
    const uint32_t g = (uint32_t)k->plan.g;

    columns_are_sorted(k);
    at_most(k, k->rows.count, k->plan.alt ? half_of(g) : g, "g dirty rows, alternating half");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void wide_alternate(struct look *k)
{
    one_dirty_row_a_group(k, (uint32_t)k->plan.g);
    at_most(k, k->rows.count, 2, "two dirty rows at most");
}

static void wide_one(struct look *k)
{
    columns_are_sorted(k);
    one_row_cyclically_bitonic(k);
}

static uint32_t square_groups(const struct look *k)
{
    const struct cw_options *opt = &k->job->opt;

    return k->m / (opt->group ? opt->group : (uint32_t)square_group((int)k->m));
}

static void theorem1_groups(struct look *k)
{
    one_dirty_row_a_group(k, square_groups(k));
    at_most(k, k->rows.count, square_groups(k), "one dirty row a super-row");
}

static void theorem1_columns(struct look *k)
{
    columns_are_sorted(k);
    at_most(k, k->rows.count, square_groups(k), "m/s dirty rows at most");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void theorem1_alternate(struct look *k)
{
    one_dirty_row_a_group(k, square_groups(k));
    at_most(k, k->rows.count, 2, "two dirty rows at most");
}

/* ---- theorem 2 ------------------------------------------------------------- */

static int three_times(const struct look *k)
{
    return strstr(k->job->algorithm->name, "cole") ||
           tall_variant((int)k->h, (int)k->m, sorter_merge((int)k->job->opt.ways)) == TALL_THREE;
}

static void theorem2_columns(struct look *k)
{
    columns_are_sorted(k);
    for (uint32_t x = 0; x < k->h * k->m; x++)
        holds(k, x % k->m == 0 || k->marks->x[x - 1] <= k->marks->x[x], "rows stay sorted");
}

static void theorem2_laid(struct look *k)
{
    at_most(k, k->rows.count, k->m, "m dirty rows at most");
}

static void theorem2_contiguous(struct look *k)
{
    columns_are_sorted(k);
    at_most(k, k->rows.count, k->m, "m dirty rows at most");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void theorem2_squares(struct look *k)
{
    one_dirty_row_a_group(k, k->h / k->m);
    at_most(k, k->rows.count, 2, "two dirty rows at most");
}

/* Read column by column there are m sorted runs, every other one turned round. */
static void tall_alternate(struct look *k)
{
    at_most(k, cw_mark_changes(k->marks, k->threshold, 1), k->m, "at most m changes of marks");
}

static void tall_laid(struct look *k)
{
    at_most(k, k->rows.count, k->m, "m dirty rows at most, whether or not m divides w");
}

/* Three column sorts: m columns have made the rows dirty.  One: a row of every block. */
static void tall_contiguous(struct look *k)
{
    const uint32_t blocks = (k->h + k->m - 1) / k->m;

    columns_are_sorted(k);
    at_most(k, k->rows.count, half_of(three_times(k) ? k->m : blocks), "half as many dirty rows");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

static void tall_blocks_alternate(struct look *k)
{
    const uint32_t blocks = (k->h + k->m - 1) / k->m;

    one_dirty_row_a_group(k, blocks);
    at_most(k, k->rows.count, three_times(k) ? 2 : blocks, "one a block; two after column sorts");
}

/* What is out of order lies between the middles of two blocks that follow each other. */
static void tall_blocks_sorted(struct look *k)
{
    const uint32_t h = k->h, q = (h + k->m - 1) / k->m;
    uint32_t first = h, last = 0; /* the first row with a one, the last with a zero */

    for (uint32_t r = 0; r < h; r++) {
        if (k->marks->row_max[r] >= k->threshold && first == h)
            first = r;
        if (k->marks->row_min[r] < k->threshold)
            last = r;
    }
    one_dirty_row_a_group(k, q);
    for (uint32_t i = 0; i < q && first < last; i++) {
        const uint32_t from = h * i / q, to = h * (i + 1) / q;
        const uint32_t middle = from + (to - from) / 2;

        holds(k, !(first < middle && middle <= last), "between two middles");
    }
}

static void recursive_alternate(struct look *k)
{
    one_dirty_row_a_group(k, k->m);
    at_most(k, k->rows.count, k->m, "one dirty row a block");
}

static void recursive_contiguous(struct look *k)
{
    columns_are_sorted(k);
    at_most(k, k->rows.count, half_of(k->m), "half of m dirty rows");
    holds(k, cw_dirt_adjacent(k->rows), "contiguous");
}

/* ---- the claims, by phase -------------------------------------------------- */

static struct claim {
    const char *phase;
    void (*look)(struct look *k);
    uint64_t looks, reached; /* how often looked at; how often the bound was attained */
} claims[] = {
    {"lemma 1: steps 1 and 2", lemma1_dealt, 0, 0},
    {"lemma 1: steps 3 and 4", lemma1_back, 0, 0},
    {"lemma 1: sorted", sorted, 0, 0},
    {"short: rows alternate", short_alternate, 0, 0},
    {"short: rows dealt and sorted", short_dealt, 0, 0},
    {"short: two dirty rows", short_two, 0, 0},
    {"short: sorted", sorted, 0, 0},
    {"wide: super-rows sorted", wide_groups, 0, 0},
    {"wide: columns sorted", wide_columns, 0, 0},
    {"wide: super-rows alternate", wide_alternate, 0, 0},
    {"wide: one dirty row", wide_one, 0, 0},
    {"wide: sorted", sorted, 0, 0},
    {"theorem 1: super-rows sorted", theorem1_groups, 0, 0},
    {"theorem 1: columns sorted", theorem1_columns, 0, 0},
    {"theorem 1: super-rows alternate", theorem1_alternate, 0, 0},
    {"theorem 1: one dirty row", one_row_cyclically_bitonic, 0, 0},
    {"theorem 1: sorted", sorted, 0, 0},
    {"theorem 2: columns sorted", theorem2_columns, 0, 0},
    {"theorem 2: columns laid into rows", theorem2_laid, 0, 0},
    {"theorem 2: dirty rows contiguous", theorem2_contiguous, 0, 0},
    {"theorem 2: squares alternate", theorem2_squares, 0, 0},
    {"theorem 2: one dirty row", one_row_cyclically_bitonic, 0, 0},
    {"theorem 2: sorted", sorted, 0, 0},
    {"tall: columns alternate", tall_alternate, 0, 0},
    {"tall: columns laid into rows", tall_laid, 0, 0},
    {"tall: dirty rows contiguous", tall_contiguous, 0, 0},
    {"tall: blocks alternate", tall_blocks_alternate, 0, 0},
    {"tall: blocks sorted", tall_blocks_sorted, 0, 0},
    {"tall: one dirty row", one_row_cyclically_bitonic, 0, 0},
    {"tall: sorted", sorted, 0, 0},
    {"recursive: blocks alternate", recursive_alternate, 0, 0},
    {"recursive: dirty rows contiguous", recursive_contiguous, 0, 0},
    {"recursive: sorted", sorted, 0, 0},
};

static struct claim *claim_of(const char *phase)
{
    for (size_t x = 0; x < COUNT(claims); x++)
        if (!strcmp(claims[x].phase, phase))
            return &claims[x];
    return NULL;
}

/* ---- the hook -------------------------------------------------------------- */

#define MOST_ROWS 256

struct watch {
    struct cw_trial t;
    struct cw_marks marks;
    cw_word thresholds;        /* looked at: 1 .. this */
    uint32_t round[MOST_ROWS]; /* of lemma 1, by the first row of the group */
    struct look failed;        /* told on the host: a test must not end inside a lane */
    const char *phase;
};

static void see(void *arg, const struct cw_phase *phase)
{
    struct watch *o = (struct watch *)arg;
    struct claim *claim = claim_of(phase->name);
    struct look k = {.marks = &o->marks, .job = &o->t.job};
    uint32_t *round = &o->round[phase->group.first];

    if (!claim || o->failed.wrong)
        return;
    cw_marks_read(&o->marks, o->t.model, phase);
    k.h = phase->group.rows;
    k.m = phase->cols;
    k.round = *round;
    if (!strncmp(phase->name, "wide", 4))
        k.plan = wide_plan((int)k.h, (int)k.m, sorter_merge((int)o->t.job.opt.ways));
    for (k.threshold = 1; k.threshold <= o->thresholds; k.threshold++) {
        k.rows = cw_dirty_rows(&o->marks, k.threshold);
        k.columns = cw_dirty_columns(&o->marks, k.threshold);
        k.value = k.bound = 0;
        claim->look(&k);
        claim->looks++;
        claim->reached += k.bound && k.value == k.bound;
        if (k.wrong) {
            o->failed = k;
            o->phase = claim->phase;
            return;
        }
    }
    if (!strncmp(phase->name, "lemma 1", 7))
        *round = !strcmp(phase->name, "lemma 1: sorted") ? 0
                 : !strcmp(phase->name, "lemma 1: steps 3 and 4");
}

static void watch_open(struct watch *o, const char *name, uint32_t w, uint32_t m,
                       const struct cw_options *opt)
{
    memset(o, 0, sizeof *o);
    assert_true(w <= MOST_ROWS);
    if (!cw_trial_open(&o->t, cw_algorithm_find(name), w, m, opt))
        fail_msg("%s %u x %u: %s", name, w, m, cw_last_error());
    assert_true(cw_marks_make(&o->marks, o->t.model));
    cw_model_hook(o->t.model, see, o);
}

static void watch_close(struct watch *o)
{
    cw_marks_free(&o->marks);
    cw_trial_close(&o->t);
}

/* Run on o->t.in; every claim must hold, and the output be sorted. */
static void watch_run(struct watch *o, cw_word thresholds, const char *what, uint64_t seed)
{
    const struct look *k = &o->failed;

    o->thresholds = thresholds;
    memset(o->round, 0, sizeof o->round);
    cw_trial_check(&o->t, what, seed);
    if (k->wrong)
        fail_msg("%s %u x %u (literal %d, %u ways), %s, seed %llu: after \"%s\" of %u x %u, "
                 "threshold %llu: not true that: %s (%u, the bound is %u)",
                 o->t.alg->name, o->t.job.w, o->t.job.m, o->t.job.opt.literal, o->t.job.opt.ways,
                 what, (unsigned long long)seed, o->phase, k->h, k->m,
                 (unsigned long long)k->threshold, k->wrong, k->value, k->bound);
}

/* ---- inputs ---------------------------------------------------------------- */

static const struct cw_options literal = {.literal = 1}, general = {.literal = 0};

/* All zero counts of rows. */
static void all_rows(const char *name, uint32_t w, uint32_t m, const struct cw_options *opt)
{
    uint32_t zeros[MOST_ROWS] = {0};
    struct watch o;

    watch_open(&o, name, w, m, opt);
    do {
        cw_trial_row_zeros(&o.t, zeros);
        watch_run(&o, 1, "zeros of rows", o.t.runs);
    } while (cw_next_vector(zeros, w, m));
    watch_close(&o);
}

/* All zero counts of columns; `stairs`: only those that do not grow from left to right. */
static void all_columns(const char *name, uint32_t w, uint32_t m, const struct cw_options *opt,
                        int stairs)
{
    uint32_t zeros[MOST_ROWS] = {0};
    struct watch o;

    watch_open(&o, name, w, m, opt);
    do {
        int falls = 1;

        for (uint32_t c = 1; c < m; c++)
            falls = falls && zeros[c] <= zeros[c - 1];
        if (!falls && stairs)
            continue;
        cw_trial_column_zeros(&o.t, zeros);
        watch_run(&o, 1, "zeros of columns", o.t.runs);
    } while (cw_next_vector(zeros, m, w));
    watch_close(&o);
}

static void all_cells(const char *name, uint32_t w, uint32_t m, const struct cw_options *opt)
{
    struct watch o;

    watch_open(&o, name, w, m, opt);
    for (uint64_t bits = 0; bits >> o.t.n == 0; bits++) {
        for (uint64_t x = 0; x < o.t.n; x++)
            o.t.in[x] = bits >> x & 1;
        watch_run(&o, 1, "zeros and ones", bits);
    }
    watch_close(&o);
}

/* Random orders with all their thresholds, and 0-1 patterns. */
static void random_ones(const char *name, uint32_t w, uint32_t m, const struct cw_options *opt,
                        uint32_t orders)
{
    struct watch o;

    watch_open(&o, name, w, m, opt);
    for (uint32_t k = 0; k < (cw_long_run() ? 10 : 1) * orders; k++) {
        const uint64_t seed = cw_test_seed() + k;

        cw_random_order(o.t.n, seed, o.t.in);
        watch_run(&o, o.t.n - 1, "a random order", seed);
        for (uint32_t p = 0; p < cw_pattern_count; p++) {
            cw_pattern_fill(p, w, m, seed, o.t.in);
            watch_run(&o, 1, cw_pattern_name(p), seed);
        }
    }
    watch_close(&o);
}

/* ---- the tests ------------------------------------------------------------- */

static void lemma_1_as_stated(void **state)
{
    static const uint32_t all[][2] = {{1, 3}, {2, 4}, {2, 6}, {2, 8}, {2, 14}, {3, 9}, {3, 12}};
    static const uint32_t some[][2] = {{4, 16}, {4, 64}, {5, 25}, {5, 30}, {8, 64}, {7, 49}};

    (void)state;
    for (size_t x = 0; x < COUNT(all); x++)
        all_rows("sort-short", all[x][0], all[x][1], &literal);
    for (size_t x = 0; x < COUNT(some); x++)
        random_ones("sort-short", some[x][0], some[x][1], &literal, 3);
}

static void lemma_1_in_the_general_form(void **state)
{
    static const uint32_t all[][2] = {{2, 1}, {2, 2}, {2, 3}, {2, 5}, {2, 9}, {3, 5},
                                      {3, 6}, {3, 7}, {3, 8}, {3, 9}, {4, 7}};
    static const uint32_t some[][2] = {{4, 8},  {5, 14},  {5, 31},   {6, 17}, {7, 27},
                                       {8, 31}, {8, 64},  {10, 49},  {13, 90}, {16, 127}};

    (void)state;
    for (size_t x = 0; x < COUNT(all); x++)
        all_rows("sort-short", all[x][0], all[x][1], &general);
    for (size_t x = 0; x < COUNT(some); x++)
        random_ones("sort-short", some[x][0], some[x][1], &general, 2);
}

static void theorem_1_as_stated(void **state)
{
    static const uint32_t squares[][2] = {{4, 0},  {6, 0},  {8, 4},   {9, 3},
                                          {16, 4}, {12, 0}, {25, 5}, {32, 8}};

    (void)state;
    all_rows("sort-square", 2, 2, &literal);
    all_rows("sort-square", 3, 3, &literal);
    all_rows("sort-square", 4, 4, &literal);
    for (size_t x = 0; x < COUNT(squares); x++) {
        const struct cw_options opt = {.literal = 1, .group = squares[x][1]};

        random_ones("sort-square", squares[x][0], squares[x][0], &opt, 2);
    }
}

static void theorem_1_for_every_wide_shape(void **state)
{
    static const uint32_t all[][2] = {{3, 3}, {3, 4}, {4, 4}, {4, 5}, {4, 6}, {5, 5}};
    static const uint32_t some[][2] = {{5, 9},   {6, 6},   {7, 8},   {8, 8},   {9, 10},
                                       {12, 13}, {16, 16}, {17, 40}, {19, 23}, {31, 31},
                                       {32, 32}, {32, 33}, {23, 64}, {33, 33}};

    (void)state;
    for (size_t x = 0; x < COUNT(all); x++)
        all_rows("sort-wide", all[x][0], all[x][1], &general);
    for (size_t x = 0; x < COUNT(some); x++) {
        for (uint32_t ways = 2; ways <= 4; ways += 2) {
            const struct cw_options opt = {.ways = ways};

            random_ones("sort-wide", some[x][0], some[x][1], &opt, 1);
        }
    }
}

/* Rows and then columns sorted, a 0-1 matrix is a staircase: these are all there are. */
static void theorem_2_as_stated(void **state)
{
    static const uint32_t all[][2] = {{2, 2}, {4, 2}, {6, 2}, {10, 2}, {3, 3},
                                      {6, 3}, {9, 3}, {4, 4}, {8, 4},  {12, 4}};
    static const uint32_t some[][2] = {{16, 4}, {36, 6}, {32, 8}, {64, 16}, {18, 9}};

    (void)state;
    for (size_t x = 0; x < COUNT(all); x++)
        all_columns("sort-tall", all[x][0], all[x][1], &literal, 1);
    for (size_t x = 0; x < COUNT(some); x++)
        random_ones("sort-tall", some[x][0], some[x][1], &literal, 2);
    all_columns("sort-tall-cole", 9, 3, &literal, 1);
}

/* Every way that sort_tall has: one column sort, three, and the padded square. */
static void theorem_2_for_every_tall_shape(void **state)
{
    static const uint32_t cells[][2] = {{3, 2}, {4, 2}, {5, 2}, {6, 2}, {4, 3}};
    static const uint32_t three[][2] = {{7, 2}, {11, 2}, {5, 3}, {7, 3}, {13, 3}, {7, 4}};
    static const uint32_t some[][2] = {{9, 3},   {10, 4},  {16, 4}, {37, 5},  {45, 7}, {40, 16},
                                       {64, 16}, {100, 9}, {33, 32}, {47, 32}, {200, 3}, {150, 8}};

    (void)state;
    for (size_t x = 0; x < COUNT(cells); x++)
        all_cells("sort-tall", cells[x][0], cells[x][1], &general);
    for (size_t x = 0; x < COUNT(three); x++)
        all_columns("sort-tall", three[x][0], three[x][1], &general, 0);
    for (size_t x = 0; x < COUNT(some); x++)
        random_ones("sort-tall", some[x][0], some[x][1], &general, 1);
    all_columns("sort-tall-cole", 8, 3, &general, 0);
    random_ones("sort-tall-cole", 33, 8, &general, 1);
    random_ones("sort-tall-recursive", 64, 4, &general, 1);
    random_ones("sort-tall-recursive", 27, 3, &general, 1);
    random_ones("sort-tall-recursive", 64, 8, &general, 1);
}

/* No claim went unseen, and all but a few bounds were met with equality somewhere: a
 * proof that gave away more would show here. */
static void every_claim_was_looked_at_and_its_bound_attained(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT(claims); x++) {
        print_message("    %-34s %9llu looks, bound attained in %llu\n", claims[x].phase,
                      (unsigned long long)claims[x].looks,
                      (unsigned long long)claims[x].reached);
        if (!claims[x].looks)
            fail_msg("no run came to \"%s\"", claims[x].phase);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemma_1_as_stated),
        cmocka_unit_test(lemma_1_in_the_general_form),
        cmocka_unit_test(theorem_1_as_stated),
        cmocka_unit_test(theorem_1_for_every_wide_shape),
        cmocka_unit_test(theorem_2_as_stated),
        cmocka_unit_test(theorem_2_for_every_tall_shape),
        cmocka_unit_test(every_claim_was_looked_at_and_its_bound_attained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
