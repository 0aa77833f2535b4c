/* compare.c - clearway compare: every sorting algorithm that takes the shape, on one input. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "run.h"

/* What became of one algorithm. */
struct entry {
    struct result result;
    cw_status status; /* CW_ERR_SHAPE and CW_ERR_ARGUMENT: not for this shape */
    char why[256];
};

static int by_steps(const void *a, const void *b)
{
    const struct entry *const x = (const struct entry *)a;
    const struct entry *const y = (const struct entry *)b;

    if (x->result.counters.steps != y->result.counters.steps)
        return x->result.counters.steps < y->result.counters.steps ? -1 : 1;
    return strcmp(x->result.alg->name, y->result.alg->name);
}

static int is_refusal(cw_status status)
{
    return status == CW_ERR_SHAPE || status == CW_ERR_ARGUMENT;
}

/* ---- running them, side by side ------------------------------------------- */

#define WORKERS 8u
#define ALONE   (UINT64_C(1) << 22) /* words; above, one at a time, to spare memory */

struct work {
    const struct request *r;
    const struct input *in;
    struct entry *entries;
    uint32_t count, next;
    pthread_mutex_t lock; /* of next */
};

static void *worker(void *arg)
{
    struct work *const work = (struct work *)arg;

    for (;;) {
        struct entry *e;
        uint32_t i;

        pthread_mutex_lock(&work->lock);
        i = work->next++;
        pthread_mutex_unlock(&work->lock);
        if (i >= work->count)
            return NULL;
        e = &work->entries[i];
        e->status = run_algorithm(work->r, e->result.alg, work->in, &e->result);
        if (e->status || !e->result.verified)
            snprintf(e->why, sizeof e->why, "%s", cw_last_error());
    }
}

static void run_all(const struct request *r, const struct input *in, struct entry *entries,
                    uint32_t count)
{
    struct work work = {r, in, entries, count, 0, PTHREAD_MUTEX_INITIALIZER};
    const long cores = r->w * r->m > ALONE ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[WORKERS];
    uint32_t started = 0;

    while (started < WORKERS && (long)started + 1 < cores &&
           pthread_create(&threads[started], NULL, worker, &work) == 0)
        started++;
    worker(&work);
    while (started)
        pthread_join(threads[--started], NULL);
}

/* ---- the table ------------------------------------------------------------- */

static void print_json(const struct request *r, const struct input *in, const struct entry *e,
                       uint32_t count)
{
    struct json j = {stdout, 0};
    uint32_t printed = 0;

    printf("[");
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].status)
            continue;
        printf("%s\n  ", printed++ ? "," : "");
        j.some = 0;
        result_json(&j, &e[i].result, r, in);
    }
    printf("\n]\n");
}

static void print_row(const struct request *r, const struct result *x)
{
    printf("%c %-19s %9" PRIu64 " %8.1f ", x->alg->conflict_free ? '*' : ' ', x->alg->name,
           x->counters.steps, (double)x->counters.steps / (double)r->m);
    if (isfinite(x->ratio))
        printf("%11.2f", x->ratio);
    else
        printf("%11s", "-");
    printf(" %9" PRIu64 " %7" PRIu32 " %8s\n", x->counters.conflicts, x->extra,
           x->verified ? "yes" : "NO");
}

static void print_notes(const struct entry *e, uint32_t count)
{
    int refused = 0;

    printf("\n* conflict-free: ran in strict mode, where a conflict ends the run\n"
           "extra: auxiliary words a row\n");
    for (uint32_t i = 0; i < count; i++) {
        if (!e[i].status && e[i].result.report.chosen)
            printf("%s took %s\n", e[i].result.alg->name, e[i].result.report.chosen);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_refusal(e[i].status))
            continue;
        printf("%s  %-19s ", refused++ ? "" : "\nnot for this shape:\n", e[i].result.alg->name);
        print_wrapped(e[i].why, 22, 22);
    }
}

static void print_table(const struct request *r, const struct input *in, const struct entry *e,
                        uint32_t count)
{
    const uint64_t all = r->w * r->m;

    printf("%" PRIu64 " x %" PRIu64 " (w x m), n = %" PRIu64 ", input %s, seed %" PRIu64 "\n", r->w,
           r->m, r->n ? r->n : all, in->name, r->seed);
    if (r->n && r->n < all)
        printf("padding: %" PRIu64 " of the %" PRIu64 " items fill the matrix\n", all - r->n, all);
    printf("\n");
    printf("  %-19s %9s %8s %11s %9s %7s %8s\n", "algorithm", "steps", "steps/m", "steps/bound",
           "conflicts", "extra", "verified");
    for (uint32_t i = 0; i < count; i++) {
        if (!e[i].status)
            print_row(r, &e[i].result);
    }
    print_notes(e, count);
}

/* ---- the command ------------------------------------------------------------ */

static int compare_entries(const struct request *r, const struct input *in, struct entry *e)
{
    uint32_t count = 0;
    int status = DONE;

    for (uint32_t i = 0; i < cw_algorithm_count; i++) {
        if (cw_algorithms[i]->problem == CW_SORT)
            e[count++].result.alg = cw_algorithms[i];
    }
    run_all(r, in, e, count);
    qsort(e, count, sizeof *e, by_steps);
    if (r->json)
        print_json(r, in, e, count);
    else
        print_table(r, in, e, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_refusal(e[i].status) && !e[i].result.verified)
            status = complain(FAILED, "%s: %s", e[i].result.alg->name, e[i].why);
    }
    return status;
}

static int compare(struct request *r)
{
    struct entry *entries;
    struct input in;
    int status = input_shape(r, CW_SORT);

    if (!status)
        status = request_shape(r);
    if (!status)
        status = input_load(r, CW_SORT, &in);
    if (status)
        return status;
    entries = (struct entry *)calloc(cw_algorithm_count, sizeof *entries);
    status = entries ? compare_entries(r, &in, entries) : complain(FAILED, "out of memory");
    free(entries);
    input_free(&in);
    return status;
}

int command_compare(int argc, char **argv)
{
    struct request r;
    struct arguments args;
    const struct option table[] = {REQUEST_OPTIONS(&r), OPTIONS_END};

    request_init(&r);
    if (options_parse(table, argc, argv, &args))
        return USAGE;
    if (args.help) {
        printf("usage: clearway compare -w W -m M [OPTION...]\n\n"
               "Runs every sorting algorithm that takes the shape on the same input, the fewest\n"
               "steps first, and says why the others do not take it.\n\n");
        options_print(table);
        printf("\nInputs: uniform (default), sorted, reverse, equal, zeroone, few, organ, or a\n"
               "file of unsigned numbers; numbers in the command, --input 5,3,9, need no -m.\n");
        return DONE;
    }
    if (args.count)
        return complain(USAGE, "compare takes no argument, got '%s'", args.word[0]);
    return compare(&r);
}
