/* verify_paper.c - the paper's algorithms as kernels of one warp, a batch of matrices a launch.
 *
 * Each matrix of a batch is another kind of input (paper/inputs.h).  A planned permutation is for
 * one kind.
 */
#include <stdlib.h>
#include <string.h>

#include "paper/warp/launch.h"
#include "base/status.h"
#include "paper/inputs.h"
#include "paper/permute/plan.h"
#include "paper/verify.h"
#include "cli/model/run.h"
#include "verify.h"

#define W PAPER_W

struct paper_case {
    const char *algorithm;
    uint32_t m, word_bytes;
    int literal;
    enum cw_row_sort rows;
    enum cw_hash hash;
    int finish;
    const char *input; /* NULL: all kinds */
};

static const struct paper_case cases[] = {
    {"transpose", 40, 4, 0, 0, 0, 0, NULL},
    {"transpose", 33, 8, 0, 0, 0, 0, NULL},
    {"transpose-in-place", 48, 4, 0, 0, 0, 0, NULL},
    {"transpose-in-place", 13, 8, 0, 0, 0, 0, NULL},
    {"transpose-square", 32, 4, 0, 0, 0, 0, NULL},
    {"row-sort", 40, 4, 0, CW_ROWS_MERGE, 0, 0, NULL},
    {"row-sort", 12, 8, 0, CW_ROWS_RADIX, 0, 0, NULL},
    {"sort-short", 511, 4, 0, 0, 0, 0, "uniform"},
    {"sort-square", 32, 4, 0, 0, 0, 0, NULL},
    {"sort-square", 32, 8, 1, 0, 0, 0, NULL},
    {"sort-wide", 64, 4, 0, 0, 0, 0, NULL},
    {"sort-wide", 33, 8, 0, 0, 0, 0, NULL},
    {"sort-tall", 7, 4, 0, 0, 0, 0, NULL},
    {"sort-tall", 12, 8, 0, 0, 0, 0, NULL},
    {"blocked-bitonic", 7, 4, 0, 0, 0, 0, NULL},
    {"blocked-bitonic", 16, 8, 0, 0, 0, 0, NULL},
    {"sort-integers", 40, 4, 0, 0, 0, 0, NULL},
    {"partition", 16, 4, 0, 0, 0, 0, NULL},
    {"partition", 32, 8, 0, CW_ROWS_RADIX, 0, 0, NULL},
    {"permute-offline", 64, 4, 0, 0, 0, 0, "random"},
    {"permute-offline", 40, 8, 0, 0, 0, 0, "bit-reversal"},
    {"permute", 16, 8, 0, 0, CW_HASH_MIXER, 0, NULL},
    {"permute", 8, 8, 0, 0, CW_HASH_TABLE, 1, NULL},
};

enum { IN, OUT, ENTRIES, PLAN, ARRAYS };

struct paper_run {
    struct verify *v;
    const struct paper_case *c;
    const char *const *inputs;
    uint32_t matrices, n;
    struct cw_model *model; /* for its areas */
    struct cw_job job;
    struct verify_array a[ARRAYS];
};

/* The kernel reads a plan as it reads its argument: the emulator does not watch it. */
static cw_status make_plan(struct paper_run *r)
{
    struct cw_paper_plan plan;
    cw_status status = cw_paper_plan_make(&plan, W, r->c->m, (const cw_word *)r->a[IN].host, 1);

    if (!status)
        status = verify_array_make(r->v, &r->a[ENTRIES], r->n * sizeof *plan.entry, 0);
    if (!status) {
        memcpy(r->a[ENTRIES].host, plan.entry, r->a[ENTRIES].bytes);
        status = verify_send(r->v, &r->a[ENTRIES]);
    }
    cw_paper_plan_free(&plan);
    if (!status)
        status = verify_array_make(r->v, &r->a[PLAN], sizeof plan, 0);
    if (!status) {
        plan.w = W;
        plan.m = r->c->m;
        plan.entry = (uint64_t *)r->a[ENTRIES].there;
        memcpy(r->a[PLAN].host, &plan, sizeof plan);
        status = verify_send(r->v, &r->a[PLAN]);
        r->job.input = r->a[PLAN].there;
    }
    return status;
}

static cw_status make_items(struct paper_run *r)
{
    const enum cw_problem problem = r->job.algorithm->problem;
    cw_status status = CW_OK;

    for (uint32_t k = 0; k < r->matrices && !status; k++)
        status = cw_input_make(r->inputs[k], problem, W, r->c->m, r->job.opt.key_bits, k + 1,
                               (cw_word *)r->a[IN].host + (size_t)k * r->n);
    if (!status && r->c->input && problem == CW_PERMUTE)
        status = make_plan(r);
    for (uint32_t k = 0; k < r->matrices && cw_problem_has_labels(problem) && !status; k++)
        cw_input_items(r->n, (cw_word *)r->a[IN].host + (size_t)k * r->n);
    return status;
}

static cw_status make(struct paper_run *r)
{
    const struct paper_case *const c = r->c;
    const struct cw_algorithm *const alg = cw_algorithm_find(c->algorithm);
    const struct cw_model_config config = {W, c->m, 0, 0, 0};
    const size_t bytes = (size_t)r->matrices * r->n * sizeof(cw_word);
    struct cw_options opt;
    cw_status status;

    memset(&opt, 0, sizeof opt);
    opt.literal = c->literal;
    opt.rows = c->rows;
    opt.hash = c->hash;
    opt.finish = c->finish;
    opt.seed = 1;
    opt.key_bits = cw_problem_has_labels(alg->problem) ? 0 : 32;
    cw_options_fill(&opt);
    status = cw_algorithm_check(alg, W, c->m, &opt);
    if (!status)
        status = cw_job_make(alg, &config, &opt, &r->job, &r->model);
    if (!status)
        status = verify_array_make(r->v, &r->a[IN], bytes, 0);
    if (!status)
        status = verify_array_make(r->v, &r->a[OUT], bytes, 0);
    return status ? status : make_items(r);
}

static cw_status launch(struct paper_run *r, enum cw_kernel kernel)
{
    const struct cw_algorithm *const alg = r->job.algorithm;
    const uint32_t shared = cw_model_columns(r->model) * W * r->c->word_bytes;
    struct verify_array *const list[] = {&r->a[IN], &r->a[OUT]};
    struct paper_launch a;
    const struct cw_launch l = {kernel, r->matrices, W, shared, &a};
    cw_status status =
        paper_check(alg, W, cw_model_columns(r->model), r->c->word_bytes, CW_EMU_SHARED);

    memset(&a, 0, sizeof a);
    a.job = r->job;
    a.job.algorithm = NULL; /* the host's */
    a.job.output = NULL;
    a.body = paper_body_of(alg->name);
    a.labels = cw_problem_has_labels(alg->problem);
    a.result = r->job.input ? r->job.aux[0] : 0;
    a.order_in = run_order_in(alg);
    a.order_out = run_order_out(alg);
    a.in = (const cw_word *)r->a[IN].there;
    a.out = (cw_word *)r->a[OUT].there;
    return status ? status : verify_launch(r->v, &l, list, 2, 1);
}

static cw_status check(const struct paper_run *r)
{
    cw_status status = CW_OK;

    for (uint32_t k = 0; k < r->matrices && !status; k++) {
        const size_t at = (size_t)k * r->n;

        status =
            cw_verify(r->job.algorithm->problem, W, r->c->m, (const cw_word *)r->a[IN].host + at,
                      (const cw_word *)r->a[OUT].host + at);
    }
    return status;
}

static void one(struct verify *v, const struct paper_case *c, enum cw_kernel kernel)
{
    const char *const *const names = cw_input_names(cw_algorithm_find(c->algorithm)->problem);
    struct paper_run r;
    cw_status status;

    memset(&r, 0, sizeof r);
    r.v = v;
    r.c = c;
    r.n = W * c->m;
    r.inputs = c->input ? &c->input : names;
    for (r.matrices = c->input ? 1 : 0; !c->input && names[r.matrices]; r.matrices++) {
        if (VERIFY_SMALL && r.matrices == 2)
            break;
    }
    verify_begin(v, "%u matrices of %u x %u, %s, words of %u bytes", r.matrices, W, c->m,
                 c->algorithm, c->word_bytes);
    status = make(&r);
    if (!status)
        status = launch(&r, kernel);
    if (!status)
        status = check(&r);
    verify_end(v, status ? cw_last_error() : NULL);
    cw_model_destroy(r.model);
    for (int x = 0; x < ARRAYS; x++)
        verify_array_free(v, &r.a[x]);
}

void verify_paper(struct verify *v)
{
    const int kernels[] = {verify_kernel("cw_paper_warp4"), verify_kernel("cw_paper_warp8")};

    for (size_t x = 0; x < sizeof cases / sizeof *cases; x++) {
        const int kernel = kernels[cases[x].word_bytes == 8];

        if (kernel >= 0 && (v->only < 0 || v->only == kernel))
            one(v, &cases[x], (enum cw_kernel)kernel);
    }
}
