/* model.c - clearway model: one algorithm on the Discrete Memory Machine. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/files/files.h"
#include "list.h"
#include "cli/viewer/page.h"
#include "paper/inputs.h"
#include "run.h"

static const char *const row_sorts[] = {
    [CW_ROWS_BEST] = "best", [CW_ROWS_MERGE] = "merge", [CW_ROWS_RADIX] = "radix", NULL};
static const char *const hashes[] = {[CW_HASH_MIXER] = "mixer",
                                     [CW_HASH_TABLE] = "table",
                                     [CW_HASH_PAGH] = "pagh",
                                     [CW_HASH_TABULATION] = "tabulation",
                                     NULL};

static const char *const preferences[] = {
    [CW_PREFER_STEPS] = "steps", [CW_PREFER_BOUND] = "bound", NULL};
static const char *const charges[] = {[CW_CHARGE_SEEN] = "seen", [CW_CHARGE_WORST] = "worst", NULL};

static const char *const rules[] = {
    [CW_MODEL_DMM] = "dmm", [CW_MODEL_MERGE] = "merge", [CW_MODEL_UMM] = "umm", NULL};

static const char *const machines[] = {[ON_MODEL] = "model", [ON_GPU] = "gpu", NULL};

static const char usage[] =
    "usage: clearway model ALGORITHM -w W -m M [OPTION...]\n"
    "       clearway model list [--json]\n"
    "\n"
    "Runs ALGORITHM on a machine of W processors and W banks that hold a matrix of\n"
    "W x M words, counts its steps, and compares what comes out with an independent\n"
    "computation on a copy of the input.  Conflict-free algorithms run in strict\n"
    "mode, where a bank conflict ends the run; the others have theirs counted.\n"
    "\n";

static const char inputs[] =
    "\n"
    "Inputs of sorting algorithms: uniform (default), sorted, reverse, equal,\n"
    "zeroone, few, organ.  Inputs of partition and permute, where labels say where\n"
    "items go: random (default), identity, reverse, transpose, bit-reversal, rotate,\n"
    "blocks.  Numbers may stand in the command: --input 5,3,9,1.  A file holds\n"
    "W x M unsigned numbers between white space or commas, '#' begins a comment;\n"
    "labels are rows (partition) or row * M + column (permute).\n";

/* Is `name` one of a list, "this, that, other"? */
static int listed(const char *name, const char *list)
{
    const size_t length = strlen(name);

    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length) {
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return 1;
    }
    return 0;
}

/* Options that not all algorithms have: better refused than ignored. */
static int check_options(const struct request *r, const struct cw_algorithm *alg)
{
    const struct {
        int given;
        const char *option, *algorithms;
    } rules[] = {
        {r->literal, "--literal", "sort-short, sort-square, sort-tall, sort-tall-cole"},
        {r->as_printed, "--as-printed",
         "sort-short, sort-square, sort-tall, sort-tall-cole, partition-tall"},
        {r->group != 0, "--group", "sort-square, sort-tall, sort-tall-cole"},
        {r->rows >= 0, "--rows", "row-sort, partition, partition-tall, sort-integers"},
        {r->alpha != 0, "--alpha", "permute"},
        {r->hash >= 0, "--hash", "permute"},
        {r->finish, "--finish", "permute"},
        {r->prefer >= 0, "--prefer", "sort, partition, partition-tall, sort-integers"},
        {r->charge >= 0, "--charge", "permute, sort-tall-cole, sort"},
        {r->plan != NULL, "--plan", "permute-offline"},
        {r->save_plan != NULL, "--save-plan", "permute-offline"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].given && !listed(alg->name, rules[i].algorithms))
            return complain(USAGE, "%s is an option of %s, not of %s", rules[i].option,
                            rules[i].algorithms, alg->name);
    }
    if (r->n && alg->problem != CW_SORT && alg->problem != CW_PERMUTE)
        return complain(USAGE, "-n is for sorts and permutations: %s takes whole matrices",
                        alg->name);
    if (r->group && !r->as_printed && !r->literal)
        return complain(USAGE, "--group goes with --literal or --as-printed");
    if (r->batch && r->on != ON_GPU)
        return complain(USAGE, "--batch goes with --on gpu");
    if (r->key_bits && cw_problem_has_labels(alg->problem))
        return complain(USAGE, "--key-bits is for keys: %s has labels, of a known size", alg->name);
    return DONE;
}

static int unknown_algorithm(const char *name)
{
    const char *names[128];
    const char *close;
    uint32_t count = 0;

    while (count < cw_algorithm_count && count < 127) {
        names[count] = cw_algorithms[count]->name;
        count++;
    }
    names[count] = NULL;
    close = nearest(name, names);
    if (close)
        return complain(USAGE, "unknown algorithm '%s': did you mean %s?", name, close);
    return complain(USAGE, "unknown algorithm '%s': 'clearway model list' names them", name);
}

static int run_and_print(const struct request *r, const struct cw_algorithm *alg,
                         const struct input *in)
{
    struct json j = {stdout, 0};
    struct result result;
    const cw_status status = run_algorithm(r, alg, in, &result);
    int outcome = DONE;
    char why[512];

    snprintf(why, sizeof why, "%s", cw_last_error());
    if (status) {
        free(result.items);
        return complain(status == CW_ERR_IO ? FAILED : exit_of(status), "%s: %s", alg->name, why);
    }
    if (r->json) {
        result_json(&j, &result, r, in);
        printf("\n");
    } else {
        result_print(&result, r, in);
    }
    if (!result.verified)
        outcome = complain(FAILED, "%s: %s", alg->name, why);
    else if (r->result_to)
        result_write(&result, r);
    free(result.items);
    return outcome;
}

/* ---- files ------------------------------------------------------------------- */

enum { PLAN, TRACE, TRACE_TEXT, PAGE, RESULT, OUTPUTS };

/* All appear, or none.  A page and a text need a trace; if none is asked for, one without a name. */
struct kept {
    struct cw_output output[OUTPUTS];
    const char *path[OUTPUTS];
};

static int open_scratch(struct kept *k)
{
    const int beside = k->path[PAGE] ? PAGE : TRACE_TEXT;
    char *const folder =
        k->output[beside].stream < 0 ? cw_folder_of(k->path[beside]) : strdup(scratch_folder(NULL));
    int status = DONE;

    if (!folder || cw_output_scratch(folder, &k->output[TRACE]))
        status = complain(FAILED, "%s", folder ? cw_last_error() : "out of memory");
    free(folder);
    return status;
}

static int open_kept(const struct request *r, const struct cw_algorithm *alg, struct kept *k)
{
    const char *const inputs[] = {input_path(r, alg->problem), r->plan};
    int status;

    k->path[PLAN] = r->save_plan;
    k->path[TRACE] = r->trace;
    k->path[TRACE_TEXT] = r->trace_text;
    k->path[PAGE] = r->html;
    k->path[RESULT] = r->output;
    if (standard_refused("--save-plan", r->save_plan) || standard_refused("--trace", r->trace) ||
        standard_refused("--trace-text", r->trace_text) || standard_refused("--html", r->html) ||
        standard_refused("--output", r->output))
        return USAGE;
    status = outputs_apart(k->path, OUTPUTS, inputs, 2);
    for (int x = 0; x < OUTPUTS && !status; x++) {
        if (k->path[x] && cw_output_open(k->path[x], &k->output[x]))
            status = complain(FAILED, "%s", cw_last_error());
    }
    if (!status && (r->html || r->trace_text) && !r->trace)
        status = open_scratch(k);
    return status;
}

/* A trace that could not be recorded was dropped: then there is nothing to keep. */
static int commit_kept(struct kept *k)
{
    struct cw_output *all[OUTPUTS];
    size_t count = 0;
    int status = DONE;

    for (int x = 0; x < OUTPUTS; x++) {
        if (k->path[x] && !k->output[x].path)
            return DONE;
        if (k->path[x])
            all[count++] = &k->output[x];
    }
    if ((k->path[PAGE] || k->path[TRACE_TEXT]) && !k->output[TRACE].path)
        return DONE;
    if (k->path[TRACE_TEXT] && trace_to_text(&k->output[TRACE], &k->output[TRACE_TEXT]))
        status = complain(FAILED, "%s", cw_last_error());
    if (!status && k->path[PAGE])
        status = view_recorded(&k->output[TRACE], 1, &k->output[PAGE]);
    return status || !count ? status : outputs_commit(all, count);
}

/* ---- the run ----------------------------------------------------------------- */

static int run_kept(const struct request *r, const struct cw_algorithm *alg, struct kept *k)
{
    struct request told = *r;
    struct cw_paper_plan plan = {0, 0, NULL};
    struct input in;
    int status = input_load(r, alg->problem, &in), kept = DONE;

    if (status)
        return status;
    told.plan_to = r->save_plan ? &k->output[PLAN] : NULL;
    told.trace_to = r->trace || r->trace_text || r->html ? &k->output[TRACE] : NULL;
    told.result_to = r->output ? &k->output[RESULT] : NULL;
    if (!strcmp(alg->name, "permute-offline"))
        status = input_plan(&told, &in, &plan);
    if (!status) {
        status = run_and_print(&told, alg, &in);
        if (status) /* a run that failed has no result, but is worth a look */
            k->path[RESULT] = NULL;
        kept = status == USAGE ? DONE : commit_kept(k);
    }
    cw_paper_plan_free(&plan);
    input_free(&in);
    return status ? status : kept;
}

static int run_model(struct request *r, const struct cw_algorithm *alg)
{
    struct kept kept;
    int status = input_shape(r, alg->problem);

    if (!status)
        status = check_options(r, alg);
    if (!status)
        status = request_shape(r);
    if (status)
        return status;
    if (run_check(r, alg))
        return complain(USAGE, "%s: %s", alg->name, cw_last_error());
    memset(&kept, 0, sizeof kept);
    status = open_kept(r, alg, &kept);
    if (!status)
        status = run_kept(r, alg, &kept);
    for (int x = 0; x < OUTPUTS; x++)
        cw_output_drop(&kept.output[x]);
    return status;
}

int command_model(int argc, char **argv)
{
    struct request r;
    struct arguments args;
    const struct option table[] = {
        REQUEST_OPTIONS(&r),
        FLAG("count", &r.count, "count conflicts instead of refusing them"),
        WORD("rule", "RULE", rules, &r.rule,
             "what a step costs: dmm (default): accesses to the busiest bank; merge: the same, "
             "equal "
             "words counted once; umm: columns accessed"),
        NUMBER(0, "banks", "B", 1, REQUEST_ROWS, &r.banks,
               "fewer banks than processors: W / B warps on one matrix (default W)"),
        NUMBER(0, "dmms", "D", 1, 1 << 20, &r.dmms,
               "Nakano's hierarchical machine: D matrices, loaded from and stored to a UMM"),
        NUMBER(0, "global-latency", "G", 1, 1000000, &r.global, "latency of that UMM (default 1)"),
        NUMBER(0, "latency", "L", 1, 1000000, &r.latency,
               "Nakano's latency: an access takes L time units (default 1)"),
        NUMBER(0, "threads", "P", 1, 1 << 24, &r.threads,
               "Nakano's threads, a multiple of W: P / W warps, each with the same work, share the "
               "memory (default W)"),
        NUMBER('n', NULL, "N", 1, REQUEST_WORDS, &r.n,
               "number of items, if fewer than W x M: the rest is padding, which the report names "
               "and the "
               "result leaves out; without -m, M is N / W, rounded up"),
        OUTPUT("FILE", &r.output,
               "write the result as .npy, or as text with a row a line; for labels, where each "
               "item came "
               "from"),
        FLAG("print", &r.print, "print the result"),
        FLAG("explain", &r.explain, "say what each phase does, and how many steps it took"),
        TEXT("trace", "FILE", &r.trace, "record every access (docs/trace.md), for 'clearway view'"),
        TEXT("trace-text", "FILE", &r.trace_text, "the same as text, a line for each step"),
        TEXT("html", "PAGE", &r.html, "make a page that plays the run"),
        FLAG("literal", &r.literal,
             "the algorithm exactly as the paper states it; refused where that does not apply"),
        FLAG("as-printed", &r.as_printed,
             "the same, but run even where it fails, to see the paper's errata"),
        NUMBER(0, "group", "S", 1, REQUEST_ROWS, &r.group,
               "theorem 1 as stated: S rows in a super-row (default: near sqrt(M))"),
        WORD("rows", "HOW", row_sorts, &r.rows,
             "how rows are sorted: merge, radix, or best (default)"),
        NUMBER(0, "key-bits", "B", 1, 64, &r.key_bits, "keys are below 2^B"),
        NUMBER(0, "alpha", "A", 1, 1024, &r.alpha,
               "permute: rounds of M communication steps in an iteration (default 3)"),
        WORD("hash", "HASH", hashes, &r.hash,
             "permute: hash function: mixer (default), table, pagh or tabulation"),
        FLAG("finish", &r.finish,
             "permute: finish with the paper's last phase instead of iterating to the end"),
        WORD("prefer", "WHAT", preferences, &r.prefer,
             "which algorithm to take if several fit: steps (fewest, default) or bound (best)"),
        WORD("charge", "HOW", charges, &r.charge,
             "how to count loops that end with the slowest row: seen (default), or worst, the "
             "length that "
             "every row knows beforehand"),
        WORD("on", "MACHINE", machines, &r.on,
             "model (default), or gpu: run on the GPU, too, and time it (W = 32)"),
        NUMBER(0, "batch", "N", 1, 1 << 20, &r.batch,
               "gpu: number of matrices, one warp each (default 4096)"),
        TEXT("plan", "FILE", &r.plan, "permute-offline: use the plan in FILE"),
        TEXT("save-plan", "FILE", &r.save_plan, "permute-offline: save the plan to FILE"),
        OPTIONS_END};
    const struct cw_algorithm *alg;

    request_init(&r);
    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help) {
        fputs(usage, stdout);
        options_print(table);
        fputs(inputs, stdout);
        return DONE;
    }
    if (args.count == 0)
        return complain(USAGE, "which algorithm? 'clearway model list' names them");
    if (args.count > 1)
        return complain(USAGE, "one algorithm at a time: '%s' is too much", args.word[1]);
    if (!strcmp(args.word[0], "list"))
        return list_algorithms(r.json);
    alg = cw_algorithm_find(args.word[0]);
    if (alg && r.on == ON_GPU && !r.batch)
        r.batch = 4096;
    return alg ? run_model(&r, alg) : unknown_algorithm(args.word[0]);
}
