/* paper_cases.h - the paper's algorithms for one warp: test_paper_emulated.c runs these cases on
 * the emulator, cuda_probes.cu on a GPU, where scripts/probes counts their wavefronts.  The figures of
 * the table are those of an NVIDIA H200 (driver 580.159.04, CUDA 13.0); there, too, none is above
 * the ideal.  `scripts/probes -p -w` writes them.
 */
#ifndef CW_TEST_PAPER_CASES_H
#define CW_TEST_PAPER_CASES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"
#include "paper/inputs.h"
#include "paper/paper.h"
#include "paper/permute/plan.h"
#include "paper/report.h"
#include "paper/verify.h"

#ifdef __cplusplus
}
#endif

struct paper_case {
    const char *algorithm;
    uint32_t m;
    uint32_t word_bytes;
    uint32_t wavefronts; /* as the profiler counts them on an H200, for the first input, seed 1;
                            0: not measured since the algorithm was changed */
    int literal;
    enum cw_row_sort rows;
    enum cw_hash hash;
    uint32_t alpha;
    int finish;
    enum cw_prefer prefer;
    int ragged; /* blocks of two heights: lanes run apart on the GPU, whose figure is near the emulator's,
                   not the same */
};

#define PLAIN        0, CW_ROWS_BEST, CW_HASH_MIXER, 0, 0, CW_PREFER_STEPS, 0
#define AS_IS        1, CW_ROWS_BEST, CW_HASH_MIXER, 0, 0, CW_PREFER_STEPS, 0 /* as the paper states it */
#define RADIX        0, CW_ROWS_RADIX, CW_HASH_MIXER, 0, 0, CW_PREFER_STEPS, 0
#define MERGE        0, CW_ROWS_MERGE, CW_HASH_MIXER, 0, 0, CW_PREFER_STEPS, 0
#define FINISH       0, CW_ROWS_BEST, CW_HASH_MIXER, 0, 1, CW_PREFER_STEPS, 0
#define RAGGED(rows) 0, rows, CW_HASH_MIXER, 0, 0, CW_PREFER_STEPS, 1
#define BOUND        0, CW_ROWS_BEST, CW_HASH_MIXER, 0, 0, CW_PREFER_BOUND, 0 /* lemma 2 */

static const struct paper_case paper_cases[] = {
    {"transpose", 1, 8, 12, PLAIN},
    {"transpose", 64, 8, 768, PLAIN},
    {"transpose", 200, 4, 1200, PLAIN},
    {"transpose-in-place", 13, 4, 78, PLAIN},
    {"transpose-in-place", 48, 8, 768, PLAIN},
    {"transpose-square", 32, 8, 252, PLAIN},
    {"row-sort", 5, 8, 62, PLAIN},
    {"row-sort", 64, 4, 527, MERGE},
    {"row-sort", 64, 8, 8000, RADIX},
    {"sort-short", 511, 4, 21012, PLAIN},
    {"sort-short", 896, 4, 31926, PLAIN},
    {"sort-square", 32, 4, 1727, PLAIN},
    {"sort-square", 32, 8, 3454, PLAIN},
    {"sort-square", 32, 8, 6780, AS_IS},
    {"sort-wide", 33, 8, 4584, PLAIN},
    {"sort-wide", 64, 4, 3353, PLAIN},
    {"sort-wide", 64, 8, 6706, PLAIN},
    {"sort-wide", 100, 8, 11616, PLAIN},
    {"sort-wide", 256, 4, 13311, PLAIN},
    {"sort-tall", 1, 8, 66, PLAIN},
    {"sort-tall", 5, 8, 1672, RAGGED(CW_ROWS_BEST)},
    {"sort-tall", 7, 4, 1184, RAGGED(CW_ROWS_BEST)},
    {"sort-tall", 12, 8, 3562, PLAIN},
    {"sort-tall", 27, 8, 3676, PLAIN},
    {"blocked-bitonic", 7, 8, 776, PLAIN},
    {"blocked-bitonic", 60, 8, 6948, PLAIN},
    {"sort-integers", 40, 8, 5046, PLAIN},
    {"partition", 5, 8, 1684, RAGGED(CW_ROWS_MERGE)},
    {"partition", 8, 8, 2362, BOUND},
    {"partition", 16, 4, 1611, BOUND},
    {"partition", 32, 8, 6842, RAGGED(CW_ROWS_RADIX)},
    {"partition", 40, 8, 5050, PLAIN},
    {"partition", 64, 4, 3349, MERGE},
    {"permute-offline", 1, 8, 8, PLAIN},
    {"permute-offline", 40, 8, 320, PLAIN},
    {"permute-offline", 128, 4, 512, PLAIN},
    {"permute", 2, 8, 118, PLAIN},
    {"permute", 16, 8, 820, PLAIN},
    {"permute", 40, 8, 3500, 0, CW_ROWS_BEST, CW_HASH_PAGH, 1, 0, CW_PREFER_STEPS, 0},
    {"permute", 132, 8, 14762, 0, CW_ROWS_BEST, CW_HASH_PAGH, 1, 0, CW_PREFER_STEPS, 0},
    {"permute", 16, 8, 888, 0, CW_ROWS_BEST, CW_HASH_TABLE, 2, 0, CW_PREFER_STEPS, 0},
    {"permute", 8, 8, 920, 0, CW_ROWS_BEST, CW_HASH_TABULATION, 0, 0, CW_PREFER_STEPS, 0},
    {"permute", 64, 8, 3036, PLAIN},
    {"permute", 8, 8, 460, FINISH},
    {"permute", 16, 8, 1166, FINISH},
    {"permute", 40, 8, 5772, FINISH},
};

#define PAPER_CASES (sizeof paper_cases / sizeof *paper_cases)

/* A case on one input. */
struct paper_trial {
    const struct paper_case *c;
    const struct cw_algorithm *alg;
    struct cw_model *model; /* for its areas, and to count steps */
    struct cw_job job;
    struct cw_paper_plan plan;
    struct cw_report report;
    enum cw_order order_in, order_out;
    uint32_t n, result;
    int labels;
    cw_word *in, *out;
};

static inline void paper_trial_close(struct paper_trial *t)
{
    cw_model_destroy(t->model);
    cw_paper_plan_free(&t->plan);
    free(t->in);
    free(t->out);
}

static inline cw_status paper_trial_fill(struct paper_trial *t, const char *input, uint64_t seed)
{
    cw_status status =
        cw_input_make(input, t->alg->problem, 32, t->c->m, t->job.opt.key_bits, seed, t->in);

    if (!status && !strcmp(t->alg->name, "permute-offline")) {
        status = cw_paper_plan_make(&t->plan, 32, t->c->m, t->in, seed);
        t->job.input = &t->plan;
        t->result = t->job.aux[0];
    }
    if (!status && t->labels)
        cw_input_items(t->n, t->in);
    return status;
}

/* Make the job and its input, one of cw_input_names or NULL for the first of them. */
static inline cw_status paper_trial_open(struct paper_trial *t, const struct paper_case *c,
                                         const char *input, uint64_t seed)
{
    const struct cw_model_config config = {32, c->m, 0, 0, 0};
    struct cw_options opt;
    cw_status status;

    memset(t, 0, sizeof *t);
    memset(&opt, 0, sizeof opt);
    t->c = c;
    t->alg = cw_algorithm_find(c->algorithm);
    t->labels = cw_problem_has_labels(t->alg->problem);
    opt.literal = c->literal;
    opt.rows = c->rows;
    opt.hash = c->hash;
    opt.alpha = c->alpha;
    opt.finish = c->finish;
    opt.prefer = c->prefer;
    opt.seed = seed;
    opt.key_bits = t->labels ? 0 : 32;
    cw_options_fill(&opt);
    t->n = 32 * c->m;
    t->in = (cw_word *)malloc(t->n * sizeof *t->in);
    t->out = (cw_word *)malloc(t->n * sizeof *t->out);
    t->order_in = t->alg->problem == CW_SORT ? t->alg->order : CW_ROW_MAJOR;
    t->order_out = t->alg->problem == CW_TRANSPOSE ? CW_COLUMN_MAJOR : t->order_in;
    if (!t->in || !t->out)
        return cw_fail(CW_ERR_MEMORY, "out of memory");
    status = cw_algorithm_check(t->alg, 32, c->m, &opt);
    if (!status)
        status = cw_job_make(t->alg, &config, &opt, &t->job, &t->model);
    t->job.output = &t->report;
    if (!status)
        status = paper_trial_fill(t, input ? input : cw_input_names(t->alg->problem)[0], seed);
    return status;
}

/* Is what stands in t->out right? */
static inline cw_status paper_trial_verify(const struct paper_trial *t)
{
    return cw_verify(t->alg->problem, 32, t->c->m, t->in, t->out);
}

#endif
