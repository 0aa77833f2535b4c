#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/output.h"
#include "gpu.h"
#include "base/status.h"
#include "machine/trace/trace.h"
#include "paper/inputs.h"
#include "paper/verify.h"

cw_status run_check(const struct request *r, const struct cw_algorithm *alg)
{
    const uint32_t w = (uint32_t)r->w, m = (uint32_t)r->m;
    struct cw_options opt;
    struct cw_area areas[CW_AREAS];
    const struct cw_algorithm *runs;
    uint64_t columns = 0; /* beside the matrix */
    uint32_t count;
    cw_status status;

    request_options(r, &opt);
    status = cw_algorithm_check(alg, w, m, &opt);
    if (status)
        return status;
    runs = alg->choose ? alg->choose(w, m, &opt) : alg;
    count = runs->areas ? runs->areas(w, m, &opt, areas) : 0;
    for (uint32_t i = 0; i < count; i++)
        columns += areas[i].columns;
    return request_fits(r, columns);
}

/* ---- items in and out ------------------------------------------------------ */

enum cw_order run_order_in(const struct cw_algorithm *alg)
{
    return alg->problem == CW_SORT ? alg->order : CW_ROW_MAJOR;
}

enum cw_order run_order_out(const struct cw_algorithm *alg)
{
    return alg->problem == CW_TRANSPOSE ? CW_COLUMN_MAJOR : run_order_in(alg);
}

/* The i-th item of the output.  It is where the input was, but for a planned permutation,
 * which leaves it in its first auxiliary area (permute_offline.h). */
static cw_word item_out(struct cw_model *model, const struct cw_job *job, uint64_t i)
{
    const uint32_t m = job->m;

    if (job->input)
        return *cw_model_at(model, (uint32_t)(i / m), job->aux[0] + (uint32_t)(i % m));
    return *cw_job_item(model, job, run_order_out(job->algorithm), i);
}

/* *keep: where the output goes, NULL if nobody wants it. */
static cw_status verify(struct cw_model *model, const struct cw_job *job, const struct input *in,
                        cw_word **keep)
{
    const uint64_t n = (uint64_t)job->w * job->m;
    cw_word *const out = (cw_word *)malloc(n * sizeof *out);
    cw_status status;

    if (!out)
        return cw_fail(CW_ERR_MEMORY, "out of memory to verify the output");
    for (uint64_t i = 0; i < n; i++)
        out[i] = item_out(model, job, i);
    status = cw_verify(job->algorithm->problem, job->w, job->m, in->items, out);
    if (keep)
        *keep = out;
    else
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
    cw_status status = cw_trace_begin(r->trace_to, &info, model, &trace);
    cw_status run_status;
    char why[512];

    if (status)
        return status;
    cw_model_trace(model, trace);
    run_status = cw_model_run(model, job->algorithm->body, job);
    strncpy(why, cw_last_error(), sizeof why - 1);
    why[sizeof why - 1] = 0;
    status = cw_trace_close(trace); /* a run that failed is worth looking at, too */
    if (status)
        cw_output_drop(r->trace_to); /* but not half of it */
    return run_status ? cw_fail(run_status, "%s", why) : status;
}

static void take_result(const struct cw_job *job, const struct cw_model *model, struct result *out)
{
    const struct cw_model_config *const config = cw_model_settings(model);

    cw_model_counters(model, &out->counters);
    out->extra = cw_model_extra(model) + (job->input ? job->m : 0);
    out->latency = config->latency;
    out->threads = config->threads;
    out->count = config->count;
    out->bound = cw_job_bound(job, &out->bound_text);
    out->ratio = out->bound > 0 ? (double)out->counters.steps / out->bound : INFINITY;
}

static cw_status run_job(const struct request *r, const struct cw_algorithm *alg,
                         const struct input *in, struct cw_model *model, struct cw_job *job,
                         struct result *out)
{
    const uint64_t n = r->w * r->m;
    cw_status status;

    for (uint64_t i = 0; i < n; i++)
        *cw_job_item(model, job, run_order_in(job->algorithm), i) = in->items[i];
    job->input = in->plan;
    job->output = &out->report;
    if (r->explain)
        explain_watch(model, &out->phases);
    status = r->trace_to ? run_traced(r, alg, in, model, job)
                         : cw_model_run(model, job->algorithm->body, job);
    if (status)
        return status;
    take_result(job, model, out);
    if (job->algorithm != alg && !out->report.chosen)
        out->report.chosen = job->algorithm->name;
    status = verify(model, job, in, r->output || r->print ? &out->items : NULL);
    out->verified = !status;
    out->padding = r->n ? n - r->n : 0;
    if (status == CW_ERR_MEMORY)
        return status;
    return r->on == ON_GPU ? gpu_run(r, in, model, job, out) : CW_OK;
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
    struct cw_model_rules rules;
    struct cw_options opt;
    struct cw_job job;
    struct cw_model *model = NULL;
    cw_status status = run_check(r, alg);

    memset(out, 0, sizeof *out);
    out->alg = alg;
    request_config(r, alg, &config);
    request_options(r, &opt);
    if (!status)
        status = cw_job_make(alg, &config, &opt, &job, &model);
    request_rules(r, &rules);
    if (!status)
        status = cw_model_rules(model, &rules);
    if (!status)
        status = run_job(r, alg, in, model, &job, out);
    cw_model_destroy(model);
    return status;
}
