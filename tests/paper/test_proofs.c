/* test_proofs.c - the proofs, phase by phase: what is dirty is what they say.
 *
 * A hook looks at the matrix at the end of each phase that a proof speaks of, and
 * holds what it sees against the claim: how many rows or columns are dirty at most,
 * where they stand, and that nothing else is out of order.  Inputs are 0-1 matrices,
 * all of them where that is few (only the zeros of each row count for what begins by
 * sorting rows, and of each column for what begins with those), or random orders of
 * different keys, of which every threshold is looked at.
 */
#include <string.h>

#include "claims.h"
#include "patterns.h"
#include "trial.h"

/* ---- the hook -------------------------------------------------------------- */

#define MOST_ROWS 256

struct watch {
    struct cw_trial t;
    struct cw_marks marks;
    cw_word thresholds;        /* looked at: 1 .. this */
    uint32_t round[MOST_ROWS]; /* of lemma 1, by the first row of the group */
    struct cw_look failed;     /* told on the host: a test must not end inside a lane */
    const char *phase;
};

static void see(void *arg, const struct cw_phase *phase)
{
    struct watch *o = (struct watch *)arg;
    struct cw_claim *claim = cw_claim_of(phase->name);
    struct cw_look k = {.marks = &o->marks, .job = &o->t.job};
    uint32_t *round = &o->round[phase->group.first];

    if (!claim || o->failed.wrong)
        return;
    cw_marks_read(&o->marks, o->t.model, phase);
    k.h = phase->group.rows;
    k.m = phase->cols;
    k.round = *round;
    if (!strncmp(phase->name, "wide", 4))
        k.plan = wide_plan((int)k.h, (int)k.m, sorter_merge((int)o->t.job.opt.ways));
    cw_claim_look(claim, &k, o->thresholds);
    if (k.wrong) {
        o->failed = k;
        o->phase = claim->phase;
    }
    if (!strncmp(phase->name, "lemma 1", 7))
        *round = !strcmp(phase->name, "lemma 1: sorted")
                     ? 0
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
    const struct cw_look *k = &o->failed;

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
    static const uint32_t some[][2] = {{4, 8},  {5, 14}, {5, 31},  {6, 17},  {7, 27},
                                       {8, 31}, {8, 64}, {10, 49}, {13, 90}, {16, 127}};

    (void)state;
    for (size_t x = 0; x < COUNT(all); x++)
        all_rows("sort-short", all[x][0], all[x][1], &general);
    for (size_t x = 0; x < COUNT(some); x++)
        random_ones("sort-short", some[x][0], some[x][1], &general, 2);
}

static void theorem_1_as_stated(void **state)
{
    static const uint32_t squares[][2] = {{4, 0},  {6, 0},  {8, 4},  {9, 3},
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
    static const uint32_t some[][2] = {{9, 3},   {10, 4},  {16, 4},  {37, 5},  {45, 7},  {40, 16},
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

/* No claim went unseen, and every bound was met with equality somewhere: the hook sees
 * what it should, and none of the bounds could be lowered. */
static void every_claim_was_looked_at_and_every_bound_attained(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < cw_claim_count; x++) {
        const struct cw_claim *c = &cw_claims[x];

        print_message("    %-34s %8llu looks, bound attained in %llu\n", c->phase,
                      (unsigned long long)c->looks, (unsigned long long)c->reached);
        if (!c->looks || (c->bounded && !c->reached))
            fail_msg("\"%s\" was looked at %llu times, its bound never attained", c->phase,
                     (unsigned long long)c->looks);
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
        cmocka_unit_test(every_claim_was_looked_at_and_every_bound_attained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
