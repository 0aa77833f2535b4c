#include "trial.h"

#include <stdlib.h>
#include <string.h>

int cw_trial_takes(const struct cw_algorithm *alg)
{
    return alg->problem == CW_SORT && alg->conflict_free;
}

int cw_trial_open(struct cw_trial *t, const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                  const struct cw_options *opt)
{
    const struct cw_model_config config = {w, m, 0, 0, 0};
    cw_status status;

    assert_non_null(alg);
    memset(t, 0, sizeof *t);
    t->alg = alg;
    status = cw_job_make(alg, &config, opt, &t->job, &t->model);
    if (status == CW_ERR_SHAPE)
        return 0;
    if (status)
        fail_msg("%s %u x %u: %s", alg->name, w, m, cw_last_error());
    t->n = (uint64_t)w * m;
    t->in = (cw_word *)malloc(t->n * sizeof *t->in);
    t->out = (cw_word *)malloc(t->n * sizeof *t->out);
    t->want = (cw_word *)malloc(t->n * sizeof *t->want);
    assert_true(t->in && t->out && t->want);
    return 1;
}

void cw_trial_close(struct cw_trial *t)
{
    cw_model_destroy(t->model);
    free(t->in);
    free(t->out);
    free(t->want);
    memset(t, 0, sizeof *t);
}

cw_status cw_trial_run(struct cw_trial *t)
{
    const uint32_t w = t->job.w, m = t->job.m;
    cw_status status;
    uint64_t x = 0;

    for (uint32_t r = 0; r < w; r++)
        for (uint32_t c = 0; c < m; c++)
            *cw_model_at(t->model, r, c) = t->in[x++];
    status = cw_model_run(t->model, t->job.algorithm->body, &t->job);
    cw_model_counters(t->model, &t->counters);
    t->runs++;
    for (x = 0; x < t->n; x++)
        t->out[x] = *cw_job_item(t->model, &t->job, t->alg->order, x);
    return status;
}

int cw_by_word(const void *a, const void *b)
{
    const cw_word x = *(const cw_word *)a, y = *(const cw_word *)b;

    return (x > y) - (x < y);
}

int cw_trial_sorted(struct cw_trial *t)
{
    memcpy(t->want, t->in, t->n * sizeof *t->want);
    qsort(t->want, t->n, sizeof *t->want, cw_by_word);
    return memcmp(t->want, t->out, t->n * sizeof *t->want) == 0;
}

void cw_trial_check(struct cw_trial *t, const char *what, uint64_t seed)
{
    const struct cw_algorithm *const alg = t->alg;
    const cw_status status = cw_trial_run(t);
    const int sorted = cw_trial_sorted(t);
    const uint64_t said =
        alg->steps ? alg->steps(t->job.w, t->job.m, &t->job.opt) : t->counters.steps;

    if (status || !sorted || t->counters.conflicts || said != t->counters.steps)
        fail_msg("%s (by %s) %u x %u, %u ways, literal %d, %s, seed %llu (CW_SEED=%llu): %s; %s; "
                 "%llu conflicts; %llu steps, the formula says %llu",
                 alg->name, t->job.algorithm->name, t->job.w, t->job.m, t->job.opt.ways,
                 t->job.opt.literal, what, (unsigned long long)seed,
                 (unsigned long long)cw_test_seed(), status ? cw_last_error() : "it ran",
                 sorted ? "sorted" : "NOT SORTED", (unsigned long long)t->counters.conflicts,
                 (unsigned long long)t->counters.steps, (unsigned long long)said);
}

void cw_trial_row_zeros(struct cw_trial *t, const uint32_t *zeros)
{
    for (uint64_t x = 0; x < t->n; x++)
        t->in[x] = x % t->job.m >= zeros[x / t->job.m];
}

void cw_trial_column_zeros(struct cw_trial *t, const uint32_t *zeros)
{
    for (uint64_t x = 0; x < t->n; x++)
        t->in[x] = x / t->job.m >= zeros[x % t->job.m];
}

int cw_next_vector(uint32_t *x, uint32_t count, uint32_t top)
{
    for (uint32_t k = 0; k < count; k++) {
        if (x[k] < top) {
            x[k]++;
            return 1;
        }
        x[k] = 0;
    }
    return 0;
}

uint64_t cw_vectors(uint32_t count, uint32_t top, uint64_t limit)
{
    uint64_t all = 1;

    for (uint32_t k = 0; k < count && all < limit; k++)
        all *= (uint64_t)top + 1;
    return all < limit ? all : limit;
}
