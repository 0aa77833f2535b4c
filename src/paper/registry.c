#include "paper/paper.h"

#include <string.h>

#include "base/status.h"
#include "paper/registry.h"

#define DEFAULT_WAYS  4
#define DEFAULT_ALPHA 3

const struct cw_algorithm *const cw_algorithms[] = {
#define CW_ROW(id) &cw_alg_##id,
    CW_ALGORITHM_LIST(CW_ROW)
#undef CW_ROW
};

const uint32_t cw_algorithm_count = sizeof cw_algorithms / sizeof *cw_algorithms;

const struct cw_algorithm *cw_algorithm_find(const char *name)
{
    for (uint32_t a = 0; a < cw_algorithm_count; a++)
        if (!strcmp(cw_algorithms[a]->name, name))
            return cw_algorithms[a];
    return NULL;
}

void cw_options_fill(struct cw_options *opt)
{
    if (!opt->ways)
        opt->ways = DEFAULT_WAYS;
    if (!opt->alpha)
        opt->alpha = DEFAULT_ALPHA;
}

cw_status cw_algorithm_check(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                             const struct cw_options *opt)
{
    if (opt->ways == 1 || opt->ways > 16)
        return cw_fail(CW_ERR_ARGUMENT, "ways must be 2 .. 16 (got %u)", opt->ways);
    return alg->check ? alg->check(w, m, opt) : CW_OK;
}

double cw_algorithm_bound(const struct cw_algorithm *alg, uint32_t w, uint32_t m,
                          const struct cw_options *opt, const char **text)
{
    const struct cw_algorithm *const runs = alg->choose ? alg->choose(w, m, opt) : alg;

    *text = runs->bound_text;
    return runs->bound_of ? runs->bound_of(w, m, opt, text) : runs->bound(w, m);
}

double cw_job_bound(const struct cw_job *job, const char **text)
{
    const struct cw_algorithm *const alg = job->algorithm;

    *text = alg->bound_text;
    return alg->bound_ran ? alg->bound_ran(job, text)
                          : cw_algorithm_bound(alg, job->w, job->m, &job->opt, text);
}

cw_status cw_job_make(const struct cw_algorithm *alg, const struct cw_model_config *config,
                      const struct cw_options *opt, struct cw_job *job, struct cw_model **model)
{
    struct cw_area areas[CW_AREAS];
    uint32_t count;
    cw_status status;

    *model = NULL;
    memset(job, 0, sizeof *job);
    if (config->w < 1 || config->m < 1)
        return cw_fail(CW_ERR_ARGUMENT, "w and m must be at least 1 (got %u x %u)", config->w,
                       config->m);
    job->w = config->w;
    job->m = config->m;
    if (opt)
        job->opt = *opt;
    cw_options_fill(&job->opt);
    status = cw_algorithm_check(alg, job->w, job->m, &job->opt);
    if (status)
        return status;
    job->algorithm = alg->choose ? alg->choose(job->w, job->m, &job->opt) : alg;
    job->prefer = job->algorithm->settle ? job->algorithm->settle(job->w, job->m, &job->opt)
                                         : job->opt.prefer;
    status = cw_model_create(config, model);
    count = job->algorithm->areas && !status
                ? job->algorithm->areas(job->w, job->m, &job->opt, areas)
                : 0;
    for (uint32_t a = 0; a < count && !status; a++)
        status = cw_model_aux(*model, areas[a].name, areas[a].columns, &job->aux[a]);
    if (status) {
        cw_model_destroy(*model);
        *model = NULL;
    }
    return status;
}

cw_word *cw_job_item(struct cw_model *model, const struct cw_job *job, enum cw_order order,
                     uint64_t i)
{
    return order == CW_ROW_MAJOR
               ? cw_model_at(model, (uint32_t)(i / job->m), (uint32_t)(i % job->m))
               : cw_model_at(model, (uint32_t)(i % job->w), (uint32_t)(i / job->w));
}
