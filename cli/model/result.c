/* result.c - a result for people, and as a JSON object with keys in a fixed order. */
#include <inttypes.h>
#include <math.h>

#include "paper/inputs.h"
#include "run.h"

static const char *const rule_names[] = {
    [CW_MODEL_DMM] = "dmm", [CW_MODEL_MERGE] = "merge", [CW_MODEL_UMM] = "umm"};

static int draws(const struct result *x, const struct input *in)
{
    return x->alg->problem == CW_PERMUTE && !in->plan;
}

static void print_report(const struct result *x, const struct input *in)
{
    const struct cw_report *const report = &x->report;

    if (report->chosen) {
        const char *const whose = explain_choice(report->chosen);

        printf("took           %s", report->chosen);
        printf(whose ? ", which is not the paper's but %s\n" : "\n", whose);
    }
    if (report->path)
        printf("path           %s\n", report->path);
    if (draws(x, in)) {
        printf("iterations     %" PRIu32 ", items left after each:", report->iterations);
        for (uint32_t i = 0; i < report->leftover_count && i < CW_LEFTOVERS; i++)
            printf(" %" PRIu64, report->leftovers[i]);
        printf("\nrandom words   %" PRIu64 "\n", report->random_words);
    }
    if (in->plan)
        printf("plan steps     %" PRIu64 " to read the plan, counted apart\n", report->plan_steps);
}

static void print_worst(const struct request *r, uint32_t most)
{
    if (r->rule == CW_MODEL_UMM)
        printf("worst step     a warp asked for %" PRIu32 " address group%s\n", most,
               most == 1 ? "" : "s");
    else
        printf("worst step     a bank asked for %" PRIu32 " word%s\n", most,
               most == 1 ? "" : "s at once");
}

void result_print(const struct result *x, const struct request *r, const struct input *in)
{
    const struct cw_counters *const c = &x->counters;

    printf("algorithm      %s\n", x->alg->name);
    printf("shape          %" PRIu64 " x %" PRIu64 " (w x m), n = %" PRIu64 "\n", r->w, r->m,
           r->w * r->m);
    printf("input          %s, seed %" PRIu64 "\n", in->name, r->seed);
    if (x->padding)
        printf("padding        %" PRIu64 " of the %" PRIu64
               " items fill the matrix and are not part of the result\n",
               x->padding, r->w * r->m);
    print_report(x, in);
    printf("steps          %" PRIu64 "\n", c->steps);
    printf("steps / m      %.2f\n", (double)c->steps / (double)r->m);
    printf("bound          %s = %.6g\n", x->bound_text, x->bound);
    if (isfinite(x->ratio))
        printf("steps / bound  %.2f\n", x->ratio);
    printf("conflicts      %" PRIu64 " (%s)\n", c->conflicts,
           x->count ? "counted" : "strict: one would have ended the run");
    if (x->count)
        print_worst(r, c->worst_degree);
    printf("extra words    %" PRIu32 " a row\n", x->extra);
    if (r->rule || r->banks || r->dmms)
        printf("time           %" PRIu64 " (%s, %" PRIu64 " banks, latency %" PRIu32 "%s)\n",
               c->time, rule_names[r->rule], r->banks ? r->banks : r->w, x->latency,
               r->dmms ? ", loaded and stored by a UMM" : "");
    else if (r->latency || r->threads)
        printf("time           %" PRIu64 " (latency %" PRIu32 ", threads %" PRIu32 ")\n", c->time,
               x->latency, x->threads);
    if (x->gpu.matrices)
        printf("on the GPU     %" PRIu32 " matrices in %.4g ms, %.4g ms of it to load and store\n",
               x->gpu.matrices, x->gpu.ms, x->gpu.move_ms);
    printf("verified       %s\n", x->verified ? "yes" : "NO");
    if (r->explain)
        explain_print(x);
    if (r->print) {
        printf("\n");
        result_show(x, r);
    }
}

static void json_report(struct json *j, const struct result *x, const struct input *in)
{
    const struct cw_report *const report = &x->report;

    if (report->chosen) {
        json_text(j, "chosen", report->chosen);
        json_bool(j, "of_the_paper", !explain_choice(report->chosen));
    }
    if (report->path)
        json_text(j, "path", report->path);
    if (draws(x, in)) {
        json_number(j, "iterations", report->iterations);
        json_open(j, "leftovers", '[');
        for (uint32_t i = 0; i < report->leftover_count && i < CW_LEFTOVERS; i++)
            json_number(j, NULL, report->leftovers[i]);
        json_close(j, ']');
        json_number(j, "random_words", report->random_words);
    }
    if (in->plan)
        json_number(j, "plan_steps", report->plan_steps);
}

void result_json(struct json *j, const struct result *x, const struct request *r,
                 const struct input *in)
{
    const struct cw_counters *const c = &x->counters;

    json_open(j, NULL, '{');
    json_text(j, "algorithm", x->alg->name);
    json_number(j, "w", r->w);
    json_number(j, "m", r->m);
    json_number(j, "n", r->w * r->m);
    json_text(j, "input", in->name);
    json_number(j, "seed", r->seed);
    json_number(j, "steps", c->steps);
    json_number(j, "work", c->work);
    json_number(j, "accesses", c->accesses);
    json_number(j, "conflicts", c->conflicts);
    json_number(j, "extra_words_per_row", x->extra);
    json_real(j, "bound", x->bound);
    json_real(j, "ratio", x->ratio);
    json_bool(j, "verified", x->verified);
    json_text(j, "bound_text", x->bound_text);
    json_text(j, "mode", x->count ? "count" : "strict");
    json_number(j, "busiest_bank", c->busiest_bank);
    json_number(j, "busiest_load", c->busiest_load);
    json_number(j, "worst_degree", c->worst_degree);
    json_number(j, "latency", x->latency);
    json_number(j, "threads", x->threads);
    json_number(j, "time", c->time);
    if (r->rule || r->banks || r->dmms) {
        json_text(j, "rule", rule_names[r->rule]);
        json_number(j, "banks", r->banks ? r->banks : r->w);
        json_number(j, "dmms", r->dmms);
    }
    json_report(j, x, in);
    if (r->n)
        json_number(j, "padding", x->padding);
    if (r->explain)
        explain_json(j, x);
    if (r->print)
        result_show_json(j, x, r);
    if (x->gpu.matrices) {
        json_number(j, "gpu_matrices", x->gpu.matrices);
        json_real(j, "gpu_ms", x->gpu.ms);
        json_real(j, "gpu_move_ms", x->gpu.move_ms);
    }
    json_close(j, '}');
}
