/* test_errata.c - where the paper's statements fail, and that the general forms do not.
 *
 * opt.literal = 2 runs a statement word for word also where its conditions do not hold;
 * opt.group chooses the height of the super-rows.  Each witness is run both ways: the
 * literal form must leave it unsorted, the general form must sort it.
 */
#include <string.h>

#include "marks.h"
#include "paper/sort/sort_square.h"
#include "patterns.h"
#include "trial.h"

static const struct cw_options general = {.literal = 0}, unchecked = {.literal = 2};

/* Is t.in sorted by the algorithm?  It must run, and without conflicts, in any case. */
static int sorts(struct cw_trial *t)
{
    if (cw_trial_run(t))
        fail_msg("%s %u x %u: %s", t->alg->name, t->job.w, t->job.m, cw_last_error());
    assert_int_equal(t->counters.conflicts, 0);
    return cw_trial_sorted(t);
}

static void open(struct cw_trial *t, const char *name, uint32_t w, uint32_t m,
                 const struct cw_options *opt)
{
    if (!cw_trial_open(t, cw_algorithm_find(name), w, m, opt))
        fail_msg("%s %u x %u: %s", name, w, m, cw_last_error());
}

/* The same input in every general form that takes the shape. */
static void general_forms_sort(const struct cw_trial *bad)
{
    for (uint32_t a = 0; a < cw_algorithm_count; a++) {
        struct cw_trial t;

        if (!cw_trial_takes(cw_algorithms[a]) ||
            !cw_trial_open(&t, cw_algorithms[a], bad->job.w, bad->job.m, &general))
            continue;
        memcpy(t.in, bad->in, bad->n * sizeof *t.in);
        cw_trial_check(&t, "a witness", 0);
        cw_trial_close(&t);
    }
}

/* ---- erratum 1: lemma 1 needs w | m ------------------------------------------ */

static void lemma_1_fails_where_w_does_not_divide_m(void **state)
{
    static const struct {
        uint32_t w, m, zeros[5];
    } witness[] = {
        {2, 5, {4, 1}},
        {3, 10, {8, 1, 0}},
        {4, 17, {14, 1, 0, 0}},
        {5, 26, {8, 25, 12, 5, 2}},
    };

    (void)state;
    for (size_t x = 0; x < COUNT(witness); x++) {
        struct cw_trial t;

        assert_true(witness[x].w * witness[x].w <= witness[x].m); /* all else it asks for */
        open(&t, "sort-short", witness[x].w, witness[x].m, &unchecked);
        cw_trial_row_zeros(&t, witness[x].zeros);
        assert_false(sorts(&t));
        general_forms_sort(&t);
        cw_trial_close(&t);
    }
}

/* ---- where lemma 1 works ----------------------------------------------------- */

/* Does it sort all 0-1 inputs?  It begins by sorting rows, so zero counts are enough. */
static int lemma_1_sorts_all(uint32_t w, uint32_t m)
{
    uint32_t zeros[32] = {0};
    struct cw_trial t;
    int good = 1;

    open(&t, "sort-short", w, m, &unchecked);
    do {
        cw_trial_row_zeros(&t, zeros);
        good = sorts(&t);
    } while (good && cw_next_vector(zeros, w, m));
    cw_trial_close(&t);
    return good;
}

static void lemma_1_works_if_and_only_if_w_divides_m_and_half_w_is_at_most_m_over_w_plus_1(
    void **state)
{
    const uint64_t limit = cw_long_run() ? 100000 : CW_SANITIZED ? 800 : 2500;
    uint32_t works = 0, fails = 0;

    (void)state;
    for (uint32_t w = 1; w <= 12; w++) {
        for (uint32_t m = 1; m <= 60 && cw_vectors(w, m, limit) < limit; m++) {
            const int told = m % w == 0 && (w + 1) / 2 <= m / w + 1;

            if (lemma_1_sorts_all(w, m) != told)
                fail_msg("lemma 1 at %u x %u: %s", w, m, told ? "fails" : "works");
            works += told;
            fails += !told;
        }
    }
    print_message("    it works on %u shapes, all with w | m; it fails on %u\n", works, fails);
    assert_true(works > 20 && fails > 20);
}

/* w <= sqrt(m) is not necessary. */
static void lemma_1_works_beyond_sqrt_m(void **state)
{
    static const uint32_t shapes[][2] = {{4, 4}, {6, 12}, {8, 24}};

    (void)state;
    for (size_t x = 0; x < COUNT(shapes); x++) {
        struct cw_trial t;

        open(&t, "sort-short", shapes[x][0], shapes[x][1], &unchecked);
        for (uint64_t seed = 0; seed < 100; seed++) {
            cw_random_order(t.n, cw_test_seed() + seed, t.in);
            cw_trial_check(&t, "beyond sqrt(m)", cw_test_seed() + seed);
        }
        cw_trial_close(&t);
    }
}

/* ---- the alternation is needed ----------------------------------------------- */

static uint32_t one_buffer(uint32_t w, uint32_t m, const struct cw_options *opt,
                           struct cw_area *out)
{
    (void)w;
    (void)opt;
    out[0].name = "buffer";
    out[0].columns = m;
    return 1;
}

static view whole(const struct cw_job *job)
{
    return view_make(0, (int)job->w, (int)job->m, 0, (int)job->aux[0], (int)job->opt.ways);
}

/* Lemma 1 with all rows in one direction. */
static void one_way_body(struct cw_model *s, const void *arg)
{
    view v = whole((const struct cw_job *)arg);

    for (int round = 0; round < 2; round++) {
        sort_rows(s, v, 0, 0, v.a);
        v = r2c(s, v);
        sort_rows(s, v, 0, 0, v.a);
        v = c2r(s, v);
    }
    sort_rows(s, v, 0, 0, v.a);
}

static const struct cw_algorithm one_way = {
    .name = "lemma 1, one way",
    .problem = CW_SORT,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .areas = one_buffer,
    .body = one_way_body,
};

static void lemma_1_fails_without_alternation(void **state)
{
    uint32_t zeros[2] = {0}, wrong = 0;
    struct cw_trial t;

    (void)state;
    assert_true(lemma_1_sorts_all(2, 4));
    assert_true(cw_trial_open(&t, &one_way, 2, 4, NULL));
    do {
        cw_trial_row_zeros(&t, zeros);
        wrong += !sorts(&t);
    } while (cw_next_vector(zeros, 2, 4));
    cw_trial_close(&t);
    assert_true(wrong > 0);
}

/* ---- erratum 2: theorem 1 where sqrt(m) is no integer ------------------------- */

/* One zero in each super-row of s rows, and row `full` full of them. */
static void zeros_here_and_there(struct cw_trial *t, uint32_t s, uint32_t full)
{
    uint32_t zeros[64];

    for (uint32_t r = 0; r < t->job.w; r++)
        zeros[r] = r == full ? t->job.m : r % s == 0;
    cw_trial_row_zeros(t, zeros);
}

/* Some 0-1 input of rows with random zero counts is left unsorted by super-rows of s. */
static void theorem_1_fails(uint32_t m, uint32_t s)
{
    const struct cw_options opt = {.literal = 2, .group = s};
    const uint32_t enough = 4;
    uint32_t found = 0;
    struct cw_trial t;

    open(&t, "sort-square", m, m, &opt);
    for (uint64_t seed = 0; seed < 3000 && found < enough; seed++) {
        cw_pattern_fill(seed % 2 ? 4 : 1, m, m, seed, t.in);
        if (sorts(&t))
            continue;
        found++;
        general_forms_sort(&t);
    }
    if (!found)
        fail_msg("theorem 1, m = %u, super-rows of %u: no witness", m, s);
    cw_trial_close(&t);
}

static void theorem_1_fails_where_sqrt_m_is_rounded(void **state)
{
    (void)state;
    theorem_1_fails(5, 2);
    theorem_1_fails(5, 3);
    theorem_1_fails(8, 2);
    theorem_1_fails(32, 5);
    theorem_1_fails(32, 6);
}

static void theorem_1_fails_on_32_with_super_rows_of_four(void **state)
{
    const struct cw_options opt = {.literal = 2, .group = 4};
    struct cw_trial t;

    (void)state;
    open(&t, "sort-square", 32, 32, &opt);
    for (uint32_t full = 1; full < 32; full += 10) {
        zeros_here_and_there(&t, 4, full); /* not the row of the one zero */
        assert_false(sorts(&t));
        general_forms_sort(&t);
    }
    cw_trial_close(&t);
}

/* The same with the first pass over super-rows alternating, too. */
static void alternating_body(struct cw_model *s, const void *arg)
{
    const struct cw_job *job = (const struct cw_job *)arg;
    const int g = (int)job->opt.group;
    view v = whole(job);
    const int i = view_row(s, v) / g;

    for (int pass = 0; pass < 2; pass++) {
        short_literal(s, view_rows(v, i * g, (i + 1) * g), i & 1);
        view_sync(s, v);
        v = square_columns(s, v, 0);
    }
    sort_rows(s, v, 0, 0, v.a);
}

static const struct cw_algorithm alternating = {
    .name = "theorem 1, both passes alternate",
    .problem = CW_SORT,
    .order = CW_ROW_MAJOR,
    .conflict_free = 1,
    .areas = one_buffer,
    .body = alternating_body,
};

static void super_rows_of_four_do_if_both_passes_alternate_and_of_eight_as_stated(void **state)
{
    const struct cw_options four = {.group = 4}, eight = {.literal = 1, .group = 8};
    struct cw_trial t[2];

    (void)state;
    assert_true(cw_trial_open(&t[0], &alternating, 32, 32, &four));
    open(&t[1], "sort-square", 32, 32, &eight);
    for (int k = 0; k < 2; k++) {
        for (uint32_t full = 0; full < 32; full++) {
            zeros_here_and_there(&t[k], k ? 8 : 4, full);
            cw_trial_check(&t[k], "zeros here and there", full);
            cw_random_order(t[k].n, full, t[k].in);
            cw_trial_check(&t[k], "a random order", full);
        }
        cw_trial_close(&t[k]);
    }
}

/* ---- erratum 9: more than m dirty rows --------------------------------------- */

struct watch {
    struct cw_trial t;
    struct cw_marks marks;
    uint32_t laid, contiguous; /* most dirty rows seen after those phases */
};

static void count_dirty_rows(void *arg, const struct cw_phase *phase)
{
    struct watch *o = (struct watch *)arg;
    const char *name = strchr(phase->name, ':');
    uint32_t *most = name && !strcmp(name, ": columns laid into rows")  ? &o->laid
                     : name && !strcmp(name, ": dirty rows contiguous") ? &o->contiguous
                                                                        : NULL;

    if (most) {
        cw_marks_read(&o->marks, o->t.model, phase);
        if (cw_dirty_rows(&o->marks, 1).count > *most)
            *most = cw_dirty_rows(&o->marks, 1).count;
    }
}

static void watch_open(struct watch *o, const char *name, const struct cw_options *opt)
{
    memset(o, 0, sizeof *o);
    open(&o->t, name, 5, 2, opt);
    assert_true(cw_marks_make(&o->marks, o->t.model));
    cw_model_hook(o->t.model, count_dirty_rows, o);
}

static void theorem_2_has_three_dirty_rows_of_two_columns(void **state)
{
    const uint32_t witness[] = {3, 2};
    uint32_t zeros[2] = {0};
    struct watch o;

    (void)state;
    watch_open(&o, "sort-tall", &unchecked);
    cw_trial_column_zeros(&o.t, witness);
    assert_int_equal(cw_trial_run(&o.t), CW_OK);
    assert_int_equal(o.laid, 3);
    assert_in_range(o.contiguous, 1, 2); /* harmless: the column sort makes up for it */
    general_forms_sort(&o.t);
    cw_marks_free(&o.marks);
    cw_trial_close(&o.t);

    /* columns that alternate do not have it, whatever their zeros */
    watch_open(&o, "sort-tall-cole", &general);
    do {
        cw_trial_column_zeros(&o.t, zeros);
        cw_trial_check(&o.t, "zeros of columns", o.t.runs);
    } while (cw_next_vector(zeros, 2, 5));
    assert_int_equal(o.laid, 2);
    assert_int_equal(o.contiguous, 1);
    cw_marks_free(&o.marks);
    cw_trial_close(&o.t);
}

/* ---- the literal forms refuse what they cannot do ------------------------------ */

static int some_group_works(uint32_t m, uint32_t only)
{
    for (uint32_t s = 1; s <= m; s++)
        if ((!only || s == only) && m % s == 0 && (s + 1) / 2 <= m / s + 1 && m / s <= s + 1)
            return 1;
    return 0;
}

/* Asked as stated, the algorithm takes the shape exactly if told so; then it sorts. */
static void takes(const char *name, uint32_t w, uint32_t m, uint32_t group, int told)
{
    const struct cw_options opt = {.literal = 1, .group = group};
    struct cw_trial t;

    if (cw_trial_open(&t, cw_algorithm_find(name), w, m, &opt) != told)
        fail_msg("%s as stated, %u x %u, group %u: %s", name, w, m, group,
                 told ? cw_last_error() : "taken, but its conditions do not hold");
    if (!told) {
        assert_true(strlen(cw_last_error()) > 10);
        return;
    }
    for (uint64_t seed = 0; seed < 3 && t.n <= 400; seed++) {
        cw_random_order(t.n, cw_test_seed() + seed, t.in);
        cw_trial_check(&t, "a random order", cw_test_seed() + seed);
    }
    cw_trial_close(&t);
}

static void literal_forms_refuse_exactly_where_their_conditions_fail(void **state)
{
    (void)state;
    for (uint32_t w = 1; w <= 14; w++) {
        for (uint32_t m = 1; m <= 60; m++) {
            takes("sort-short", w, m, 0, w * w <= m && m % w == 0);
            if (m <= 14)
                takes("sort-tall", w, m, 0, w >= m && w % m == 0 && some_group_works(m, 0));
        }
    }
    for (uint32_t m = 1; m <= 40; m++) {
        takes("sort-square", m, m, 0, some_group_works(m, 0));
        takes("sort-square", m, m + 1, 0, 0);
        for (uint32_t s = 1; s <= m; s++)
            takes("sort-square", m, m, s, some_group_works(m, s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemma_1_fails_where_w_does_not_divide_m),
        cmocka_unit_test(
            lemma_1_works_if_and_only_if_w_divides_m_and_half_w_is_at_most_m_over_w_plus_1),
        cmocka_unit_test(lemma_1_works_beyond_sqrt_m),
        cmocka_unit_test(lemma_1_fails_without_alternation),
        cmocka_unit_test(theorem_1_fails_where_sqrt_m_is_rounded),
        cmocka_unit_test(theorem_1_fails_on_32_with_super_rows_of_four),
        cmocka_unit_test(super_rows_of_four_do_if_both_passes_alternate_and_of_eight_as_stated),
        cmocka_unit_test(theorem_2_has_three_dirty_rows_of_two_columns),
        cmocka_unit_test(literal_forms_refuse_exactly_where_their_conditions_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
