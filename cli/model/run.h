/* run.h - one algorithm on one input, counted and verified. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/cli.h"
#include "input.h"
#include "paper/report.h"
#include "request.h"

/* A batch on a GPU; matrices 0: there was none. */
struct gpu_result {
    uint32_t matrices;
    double ms, move_ms; /* the kernel; of it, loading and storing the matrices */
};

#define EXPLAINED_MOST 64

/* The phases that all rows finished, in their order; `missed` more that found no room. */
struct explained {
    struct {
        const char *name;
        uint64_t steps, conflicts; /* of the run until then */
    } at[EXPLAINED_MOST];
    uint32_t count, missed;
};

struct result {
    const struct cw_algorithm *alg;
    struct cw_counters counters;
    struct cw_report report;
    uint32_t extra;            /* auxiliary words a row, those of a plan among them */
    const char *bound_text;    /* of what ran */
    uint32_t latency, threads; /* as they were, defaults filled in */
    double bound, ratio;       /* ratio: steps / bound; not finite if the bound is 0 */
    int count;                 /* conflicts were counted rather than refused */
    int verified;
    uint64_t padding; /* items that fill up the matrix (-n) */
    cw_word *items;   /* the output, kept if it is asked for (--output, --print); to be freed */
    struct gpu_result gpu;
    struct explained phases; /* with --explain */
};

/* Does the algorithm take this shape, and this computer the memory that it needs? */
cw_status run_check(const struct request *r, const struct cw_algorithm *alg);

/* CW_OK when the algorithm ran to its end: out->verified says whether its output is
 * right, and cw_last_error() why not.  CW_ERR_SHAPE and CW_ERR_ARGUMENT: it does not take this. */
cw_status run_algorithm(const struct request *r, const struct cw_algorithm *alg,
                        const struct input *in, struct result *out);

/* The i-th item of the input, or of the output, stands at the i-th place of this order. */
enum cw_order run_order_in(const struct cw_algorithm *alg);
enum cw_order run_order_out(const struct cw_algorithm *alg);

/* USAGE for what was asked wrongly (arguments, shapes, labels, files), else FAILED. */
int exit_of(cw_status status);

/* result_file.c: the result appended to r->result_to, to the screen, into an object; a trace that was
 * recorded, as text.  What cannot be written is told when the output is committed. */
void result_write(const struct result *x, const struct request *r);
void result_show(const struct result *x, const struct request *r);
void result_show_json(struct json *j, const struct result *x, const struct request *r);
cw_status trace_to_text(const struct cw_output *recorded, struct cw_output *to);

/* explain.c: note the phases of a run that begins; print them; NULL, or why the algorithm that `sort` took is not
 * the paper's. */
void explain_watch(struct cw_model *model, struct explained *to);
void explain_print(const struct result *x);
void explain_json(struct json *j, const struct result *x);
const char *explain_choice(const char *name);

void result_print(const struct result *x, const struct request *r, const struct input *in);
void result_json(struct json *j, const struct result *x, const struct request *r,
                 const struct input *in);

#endif
