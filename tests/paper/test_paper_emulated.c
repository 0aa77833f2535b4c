/* test_paper_emulated.c - the paper's algorithms as the kernel of one warp, on the emulator: they
 * do what they should, no bank is asked twice in a request, and nothing races; the wavefronts are near
 * the model's steps, and the same as a GPU's.
 *
 * A step of the model is a request, or two with words of 8 bytes, where all lanes stand at one
 * place in the source.  There may be more: lanes that merge take one branch or the other, and the
 * branches are requests of their own.  And fewer: steps in which all lanes let one pass, or in
 * which those that wait for others do.
 */
#include <stdio.h>

#include "test.h"

#include "backend/emulated/paper.h"
#include "paper_cases.h"

static struct cw_paper_batch batch_of(const struct paper_trial *t, uint32_t matrices,
                                      const cw_word *in, cw_word *out)
{
    const struct cw_paper_batch b = {matrices,
                                     cw_model_columns(t->model),
                                     t->c->word_bytes,
                                     t->labels,
                                     t->result,
                                     t->order_in,
                                     t->order_out,
                                     in,
                                     out,
                                     0,
                                     0};

    return b;
}

static void open_trial(struct paper_trial *t, const struct paper_case *c, const char *input,
                       uint64_t seed)
{
    if (paper_trial_open(t, c, input, seed))
        fail_msg("%s, m = %u, %s, seed %llu: %s", c->algorithm, c->m, input ? input : "default",
                 (unsigned long long)seed, cw_last_error());
}

/* Steps of the model on the same input. */
static uint64_t steps_of(struct paper_trial *t)
{
    struct cw_counters counters;

    for (uint32_t i = 0; i < t->n; i++)
        *cw_job_item(t->model, &t->job, t->order_in, i) = t->in[i];
    assert_int_equal(cw_model_run(t->model, t->job.algorithm->body, &t->job), CW_OK);
    cw_model_counters(t->model, &counters);
    return counters.steps;
}

/* Run the case on the emulator; all must be right. */
static struct cw_emu_place run_case(struct paper_trial *t, const char *input, uint64_t seed)
{
    const struct cw_paper_batch b = batch_of(t, 1, t->in, t->out);
    struct cw_emu *e = NULL;
    struct cw_emu_place total;
    cw_status status;

    memset(&t->report, 0, sizeof t->report);
    assert_int_equal(cw_emulated_paper_check(t->job.algorithm, 32, b.columns, b.word_bytes), CW_OK);
    status = cw_emulated_paper_run(&t->job, &b, &e);
    if (!status)
        status = paper_trial_verify(t);
    cw_emu_total(e, &total);
    if (status || total.wavefronts != total.ideal) {
        print_message("%s, m = %u, words of %u bytes, %s, seed %llu: %s\n", t->c->algorithm,
                      t->c->m, t->c->word_bytes, input ? input : "default",
                      (unsigned long long)seed, status ? cw_last_error() : "conflicts");
        (void)cw_emu_report(e, stderr);
    }
    assert_int_equal(status, CW_OK);
    assert_int_equal(total.wavefronts, total.ideal);
    cw_emu_destroy(e);
    return total;
}

/* For scripts/probes: see test_probes.c. */
static void write_figures(const struct paper_case *c, const struct cw_emu_place *total)
{
    const char *const name = getenv("CW_FIGURES");
    FILE *const file = name ? fopen(name, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "\"%s, m = %u, %u bytes\",%llu,%llu\n", c->algorithm, c->m, c->word_bytes,
            (unsigned long long)total->wavefronts, (unsigned long long)total->ideal);
    assert_int_equal(fclose(file), 0);
}

/* ---- claims ------------------------------------------------------------------------ */

/* A third of the inputs, others from case to case; all with CW_LONG=1. */
static void every_case_is_solved_without_conflict_or_race(void **state)
{
    const uint64_t step = CW_SANITIZED ? 1000 : cw_long_run() ? 1 : 3;

    (void)state;
    for (size_t x = 0; x < PAPER_CASES; x++) {
        const struct paper_case *const c = &paper_cases[x];
        const char *const *names = cw_input_names(cw_algorithm_find(c->algorithm)->problem);

        for (uint64_t k = 0; names[k]; k++) {
            const uint64_t seed = cw_test_seed() + 100 * x + k;
            struct paper_trial t;

            if (CW_SANITIZED ? k > 0 : (k + x) % step)
                continue;
            open_trial(&t, c, names[k], seed);
            (void)run_case(&t, names[k], seed);
            paper_trial_close(&t);
        }
    }
}

/* The same number, but for blocks of two heights: docs/model-and-silicon.md says why. */
static void assert_as_on_gpu(const struct paper_case *c, uint64_t wavefronts)
{
    const uint64_t more = wavefronts > c->wavefronts ? wavefronts - c->wavefronts : 0;
    const uint64_t less = wavefronts < c->wavefronts ? c->wavefronts - wavefronts : 0;

    if (!c->wavefronts)
        return;
    if (c->ragged)
        assert_true(40 * (more + less) <= c->wavefronts);
    else
        assert_int_equal(wavefronts, c->wavefronts);
}

/* Loading and storing the matrix takes a request a column each, and two with words of 8 bytes. */
static void requests_are_near_the_steps_of_the_model_and_wavefronts_those_of_a_gpu(void **state)
{
    (void)state;
    for (size_t x = 0; x < PAPER_CASES; x++) {
        const struct paper_case *const c = &paper_cases[x];
        const uint64_t words = c->word_bytes / 4, moves = 2 * c->m * words;
        struct paper_trial t;
        struct cw_emu_place total;
        uint64_t steps, requests;

        open_trial(&t, c, NULL, 1);
        steps = steps_of(&t);
        total = run_case(&t, NULL, 1);
        requests = total.requests;
        write_figures(c, &total);
        assert_as_on_gpu(c, total.wavefronts);
        print_message(
            "%-18s m = %4u, %u bytes: %6llu steps, %6llu requests, %.3f a step and word\n",
            c->algorithm, c->m, c->word_bytes, (unsigned long long)steps,
            (unsigned long long)requests,
            steps ? (double)(requests - moves) / (double)(words * steps) : 1.0);
        assert_true(4 * (requests - moves) <= 5 * words * steps);
        assert_true(2 * (requests - moves) >= words * steps);
        if (t.alg->problem == CW_TRANSPOSE || !strcmp(c->algorithm, "permute-offline"))
            assert_int_equal(requests - moves, words * steps);
        paper_trial_close(&t);
    }
}

static void a_grid_has_a_matrix_a_block(void **state)
{
    enum { MATRICES = 5 };
    static const struct paper_case c = {"sort-wide", 33, 8, 0, PLAIN};
    struct paper_trial t[MATRICES];
    cw_word *const in = (cw_word *)malloc(MATRICES * sizeof *in * 32 * c.m);
    cw_word *const out = (cw_word *)malloc(MATRICES * sizeof *out * 32 * c.m);
    struct cw_paper_batch b;
    struct cw_emu *e = NULL;

    (void)state;
    assert_non_null(in);
    assert_non_null(out);
    for (uint32_t k = 0; k < MATRICES; k++) {
        open_trial(&t[k], &c, NULL, cw_test_seed() + k);
        memcpy(in + k * t->n, t[k].in, t->n * sizeof *in);
    }
    b = batch_of(&t[0], MATRICES, in, out);
    assert_int_equal(cw_emulated_paper_run(&t->job, &b, &e), CW_OK);
    for (uint32_t k = 0; k < MATRICES; k++) {
        memcpy(t[k].out, out + k * t->n, t->n * sizeof *out);
        assert_int_equal(paper_trial_verify(&t[k]), CW_OK);
    }
    cw_emu_destroy(e);
    for (uint32_t k = 0; k < MATRICES; k++)
        paper_trial_close(&t[k]);
    free(in);
    free(out);
}

static void what_no_warp_can_run_is_refused(void **state)
{
    const struct cw_algorithm *const wide = cw_algorithm_find("sort-wide");

    (void)state;
    assert_int_equal(cw_emulated_paper_check(wide, 32, 227 * 4, 8), CW_OK);
    assert_int_equal(cw_emulated_paper_check(wide, 32, 227 * 4 + 1, 8), CW_ERR_SHAPE);
    assert_int_equal(cw_emulated_paper_check(wide, 16, 64, 8), CW_ERR_SHAPE);
    assert_int_equal(cw_emulated_paper_check(cw_algorithm_find("shearsort"), 32, 64, 8),
                     CW_ERR_SHAPE);
    assert_int_equal(cw_emulated_paper_check(cw_algorithm_find("permute"), 32, 64, 4),
                     CW_ERR_SHAPE);
    assert_int_equal(cw_emulated_paper_check(cw_algorithm_find("permute"), 32, 64, 8), CW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_is_solved_without_conflict_or_race),
        cmocka_unit_test(requests_are_near_the_steps_of_the_model_and_wavefronts_those_of_a_gpu),
        cmocka_unit_test(a_grid_has_a_matrix_a_block),
        cmocka_unit_test(what_no_warp_can_run_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
