#define _POSIX_C_SOURCE 200809L

#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/status.h"
#include "machine/trace.h"
#include "paper/inputs.h"
#include "paper/verify.h"

#define LANE_BYTES 8192 /* of its stack, what a lane comes to touch */

/* Refuse what this computer cannot hold: memory that is only promised ends in a kill. */
static cw_status check_memory(const struct cw_model_config *config, const struct cw_algorithm *alg,
                              const struct cw_options *opt)
{
    const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    struct cw_area areas[CW_AREAS];
    const struct cw_algorithm *const runs =
        alg->choose ? alg->choose(config->w, config->m, opt) : alg;
    const uint32_t count = runs->areas ? runs->areas(config->w, config->m, opt, areas) : 0;
    double columns = 4.0 * config->m; /* the matrix, the input, the output, the reference */
    double needs;

    for (uint32_t i = 0; i < count; i++)
        columns += areas[i].columns;
    needs = config->w * (columns * sizeof(cw_word) + LANE_BYTES);
    if (has > 0 && needs > has)
        return cw_fail(CW_ERR_ARGUMENT,
                       "%u x %u needs about %.0f GiB of memory, this computer has %.0f", config->w,
                       config->m, ceil(needs / 0x1p30), floor(has / 0x1p30));
    return CW_OK;
}

/* ---- items in and out ------------------------------------------------------ */

/* The i-th item of the input stands at the i-th place of this order. */
static enum cw_order order_in(const struct cw_algorithm *alg)
{
    return alg->problem == CW_SORT ? alg->order : CW_ROW_MAJOR;
}

static enum cw_order order_out(const struct cw_algorithm *alg)
{
    return alg->problem == CW_TRANSPOSE ? CW_COLUMN_MAJOR : order_in(alg);
}

static cw_status verify(struct cw_model *model, const struct cw_job *job,
                        const struct cw_algorithm *alg, const struct input *in)
{
    const uint64_t n = (uint64_t)job->w * job->m;
    cw_word *const out = (cw_word *)malloc(n * sizeof *out);
    cw_status status;

    if (!out)
        return cw_fail(CW_ERR_MEMORY, "out of memory to verify the output");
    for (uint64_t i = 0; i < n; i++)
        out[i] = *cw_job_item(model, job, order_out(job->algorithm), i);
    status = cw_verify(alg->problem, job->w, job->m, in->items, out);
    free(out);
    return status;
}

/* ---- the run ---------------------------------------------------------------- */

static cw_status run_traced(const struct request *r, const struct cw_algorithm *alg,
                            const struct input *in, struct cw_model *model,
                            const struct cw_job *job)
{
    const struct cw_trace_info info = {alg->name, in->name, r->seed};
    struct cw_trace *trace = NULL;
    cw_status status = cw_trace_open(r->trace, &info, model, &trace);
    cw_status run_status;
    char why[512];

    if (status)
        return status;
    cw_model_trace(model, trace);
    run_status = cw_model_run(model, job->algorithm->body, job);
    strncpy(why, cw_last_error(), sizeof why - 1);
    why[sizeof why - 1] = 0;
    status = cw_trace_close(trace); /* a run that failed is worth looking at, too */
    return run_status ? cw_fail(run_status, "%s", why) : status;
}

static void take_result(const struct cw_algorithm *alg, const struct cw_model *model,
                        struct result *out)
{
    const struct cw_model_config *const config = cw_model_settings(model);

    cw_model_counters(model, &out->counters);
    out->extra = cw_model_extra(model);
    out->latency = config->latency;
    out->threads = config->threads;
    out->count = config->count;
    out->bound = alg->bound ? alg->bound(config->w, config->m) : 0;
    out->ratio = out->bound > 0 ? (double)out->counters.steps / out->bound : INFINITY;
}

static cw_status run_job(const struct request *r, const struct cw_algorithm *alg,
                         const struct input *in, struct cw_model *model, struct cw_job *job,
                         struct result *out)
{
    const uint64_t n = r->w * r->m;
    cw_status status;

    for (uint64_t i = 0; i < n; i++)
        *cw_job_item(model, job, order_in(job->algorithm), i) = in->items[i];
    job->input = in->plan;
    job->output = &out->report;
    status = r->trace ? run_traced(r, alg, in, model, job)
                      : cw_model_run(model, job->algorithm->body, job);
    if (status)
        return status;
    take_result(alg, model, out);
    if (job->algorithm != alg && !out->report.chosen)
        out->report.chosen = job->algorithm->name;
    status = verify(model, job, alg, in);
    out->verified = !status;
    return status == CW_ERR_MEMORY ? status : CW_OK;
}

int exit_of(cw_status status)
{
    switch (status) {
    case CW_OK:
        return DONE;
    case CW_ERR_ARGUMENT:
    case CW_ERR_SHAPE:
    case CW_ERR_LABEL:
    case CW_ERR_IO:
    case CW_ERR_FORMAT:
        return USAGE;
    default:
        return FAILED;
    }
}

cw_status run_algorithm(const struct request *r, const struct cw_algorithm *alg,
                        const struct input *in, struct result *out)
{
    struct cw_model_config config;
    struct cw_options opt;
    struct cw_job job;
    struct cw_model *model = NULL;
    cw_status status;

    memset(out, 0, sizeof *out);
    out->alg = alg;
    request_config(r, alg, &config);
    request_options(r, &opt);
    status = cw_algorithm_check(alg, config.w, config.m, &opt);
    if (!status)
        status = check_memory(&config, alg, &opt);
    if (!status)
        status = cw_job_make(alg, &config, &opt, &job, &model);
    if (!status)
        status = run_job(r, alg, in, model, &job, out);
    cw_model_destroy(model);
    return status;
}
