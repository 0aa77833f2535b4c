/* test_permute_worst.c - theorem 4's permutation charged as worst takes what all rows can foresee.
 *
 * Rows agree, an iteration, how many labels the fullest of them has, and on nothing else that
 * depends on the data.  So with --charge worst the steps are a closed form in w, m, the options
 * and these numbers; a loop that ends when the slowest row is done would take fewer.
 */
#include <stdlib.h>
#include <string.h>

#include "paper/inputs.h"
#include "paper/paper.h"
#include "paper/permute/permute.h"
#include "test.h"

#define MOST 64

extern const struct cw_algorithm cw_alg_permute;

struct watch {
    struct cw_model *model;
    uint32_t sync;
    int coloured, packed; /* phases that were seen */
    int most[MOST];       /* labels of the fullest row before each iteration */
    int last, left;       /* and of the packed matrix; its labels in all */
    uint64_t random_words;
};

/* For a power of two of rows the word that row 0 ends with is the agreement. */
static int agreed(const struct watch *x)
{
    return (int)(*cw_model_at(x->model, 0, x->sync) >> 32);
}

static void look(void *arg, const struct cw_phase *phase)
{
    struct watch *const x = (struct watch *)arg;

    if (!strcmp(phase->name, "coloured")) {
        assert_true(x->coloured < MOST);
        if (x->coloured)
            x->most[x->coloured] = agreed(x);
        x->coloured++;
    } else if (!strcmp(phase->name, "finish: packed")) {
        x->last = x->coloured ? agreed(x) : x->most[0];
        if (x->coloured)
            x->left = (int)(*cw_model_at(x->model, 0, x->sync) & PERMUTE_LOW);
        x->packed++;
    }
}

/* Reads that one evaluation takes, besides the words that a processor keeps. */
static int reads_of(hash_shape f)
{
    return f.kind == CW_HASH_TABLE ? 1 : f.kind == CW_HASH_PAGH && f.z ? 9 : 0;
}

static uint64_t sync_steps(uint32_t w)
{
    uint64_t steps = 1;

    for (uint32_t b = w; b; b /= 2)
        steps += (b & 1) + (b > 1 ? 2 : 0);
    return steps;
}

/* Were labels moved from wide rows?  The shifts of packing are drawn, too.  The agreement before it
 * is then not seen here. */
static int moved(const struct watch *x, const struct cw_job *job)
{
    const hash_shape f = hash_shape_of((int)job->opt.hash, (int)job->w, (int)job->m);

    return x->random_words != job->w + (uint64_t)x->coloured * (uint64_t)f.draws;
}

/* What the rows know beforehand, iteration by iteration. */
static uint64_t foreseen(const struct watch *x, const struct cw_job *job)
{
    const int w = (int)job->w, m = (int)job->m, alpha = (int)job->opt.alpha;
    const hash_shape f = hash_shape_of((int)job->opt.hash, w, m);
    uint64_t steps = 3 * (uint64_t)m; /* to shuffle, to clear */

    for (int i = 0; i < x->coloured; i++) {
        const int most = x->most[i], after = i + 1 < x->coloured ? x->most[i + 1] : x->last;

        steps += (uint64_t)share_steps(f.words, w) + (uint64_t)f.keep;
        steps += (uint64_t)most * (uint64_t)((i ? 5 : 4) + reads_of(f));
        steps += (uint64_t)m * (uint64_t)(2 + 3 * (alpha < most ? alpha : most));
        steps += sync_steps(job->w) + 3 * (uint64_t)after;
    }
    if (x->packed) {
        const sorter by = sorter_merge((int)job->opt.ways);
        const int wide = finish_lemma2(w, x->last), width = wide ? wide : x->last;
        const int emptiest = x->left - (w - 1) * x->last;

        steps += (uint64_t)(x->coloured ? 3 : 2) * (uint64_t)x->last; /* to gather */
        steps += (uint64_t)(width - (emptiest > 0 ? emptiest : 0));   /* to fill up */
        steps += (uint64_t)(wide ? lemma2_steps(w, wide, by) : any_steps(w, width, by));
        steps += 2 * (uint64_t)m + 4 * (uint64_t)width + 2; /* to send */
    }
    return steps;
}

/* One verified run. */
static uint64_t run(uint32_t w, uint32_t m, const struct cw_options *opt, struct watch *x,
                    struct cw_job *job)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};
    struct cw_random random = cw_random_from(cw_test_seed() + opt->seed);
    uint32_t *const label = (uint32_t *)malloc((size_t)w * m * sizeof *label);
    struct cw_report report = {0};
    struct cw_counters counters;

    assert_non_null(label);
    memset(x, 0, sizeof *x);
    x->most[0] = (int)m;
    x->left = (int)(w * m);
    assert_int_equal(cw_job_make(&cw_alg_permute, &config, opt, job, &x->model), CW_OK);
    x->sync = job->aux[PERMUTE_SYNC];
    job->output = &report;
    cw_model_hook(x->model, look, x);
    for (uint32_t k = 0; k < w * m; k++) { /* a random order, as it is dealt */
        const uint32_t at = (uint32_t)cw_random_below(&random, k + 1);

        label[k] = label[at];
        label[at] = k;
    }
    for (uint32_t k = 0; k < w * m; k++)
        *cw_model_at(x->model, k / m, k % m) = CW_ITEM(label[k], k);
    assert_int_equal(cw_model_run(x->model, job->algorithm->body, job), CW_OK);
    for (uint32_t k = 0; k < w * m; k++)
        assert_int_equal(CW_ITEM_LABEL(*cw_model_at(x->model, k / m, k % m)), k);
    x->random_words = report.random_words;
    cw_model_counters(x->model, &counters);
    cw_model_destroy(x->model);
    free(label);
    return counters.steps;
}

static void charged_as_worst_steps_are_what_all_rows_foresee(void **state)
{
    static const uint32_t shapes[][2] = {{32, 32},  {64, 16}, {256, 16}, {512, 8},
                                         {128, 40}, {8, 20},  {64, 80}}; /* 80: pagh has tables */
    uint32_t fewer_seen = 0, finished = 0, filled = 0, tables = 0;

    (void)state;
    for (uint32_t k = 0; k < COUNT(shapes) * 24; k++) {
        const uint32_t w = shapes[k % COUNT(shapes)][0], m = shapes[k % COUNT(shapes)][1];
        struct cw_options opt = {.hash = (enum cw_hash)(k / COUNT(shapes) % 3),
                                 .alpha = 1 + k % 4,
                                 .finish = k / COUNT(shapes) % 2 != 0,
                                 .seed = k};
        struct watch x;
        struct cw_job job;
        uint64_t seen, worst;

        cw_options_fill(&opt);
        seen = run(w, m, &opt, &x, &job);
        opt.charge = CW_CHARGE_WORST;
        worst = run(w, m, &opt, &x, &job);
        if (moved(&x, &job))
            continue;
        if (worst != foreseen(&x, &job))
            fail_msg("%u x %u, hash %d, alpha %u, finish %d, CW_SEED=%llu: %llu steps, not %llu", w,
                     m, (int)opt.hash, opt.alpha, opt.finish, (unsigned long long)cw_test_seed(),
                     (unsigned long long)worst, (unsigned long long)foreseen(&x, &job));
        assert_true(seen <= worst);
        fewer_seen += seen < worst;
        finished += x.packed;
        filled += x.packed && x.coloured;
        tables += x.coloured && hash_shape_of((int)opt.hash, (int)w, (int)m).z > 0;
    }
    assert_true(fewer_seen > 0 && finished > filled && filled > 0 && tables > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charged_as_worst_steps_are_what_all_rows_foresee),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
