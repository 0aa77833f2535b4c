/* cpu_sort_case.c - one sort on the host, checked; and many. */
#include "base/threads.h"
#include "cpu_sort_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guarded.h"
#include "values.h"

static const char *text_of(const struct sort_data *d, const struct sort_run *run)
{
    static char text[400];

    snprintf(text, sizeof text,
             "%s %s, %zu keys, %s, bits %u from %u, keys %d values %zu index %zu in place %d, "
             "flags %u, %s, leaf %zu, pivots %u, %u threads, seed %llu (CW_SEED=%llu)",
             cw_type_name(d->type), d->descending ? "down" : "up", d->n, sort_input_names[d->input],
             d->bits, d->first_bit, run->keys, run->value_bytes, run->index_bytes, run->in_place,
             run->flags, run->ways.columns->name, run->ways.leaf, run->ways.pivots, run->threads,
             (unsigned long long)d->seed, (unsigned long long)cw_test_seed());
    return text;
}

/* The buffers of one run: copies of the input, and outputs full of canaries or those copies. */
struct arrays {
    void *keys_in, *keys_out, *values_in, *values_out, *index, *workspace;
    size_t workspace_bytes;
};

static struct arrays arrays_of(const struct sort_data *d, const struct sort_run *run)
{
    struct arrays a = {0};

    a.keys_in = guarded_array(d->n * d->key_bytes);
    memcpy(a.keys_in, d->keys, d->n * d->key_bytes);
    a.keys_out = run->in_place ? a.keys_in : guarded_array(d->n * d->key_bytes);
    a.values_in = guarded_array(d->n * run->value_bytes);
    for (size_t x = 0; x < d->n && run->value_bytes; x++)
        memcpy((char *)a.values_in + x * run->value_bytes, d->values + x * VALUE, run->value_bytes);
    a.values_out = run->in_place ? a.values_in : guarded_array(d->n * run->value_bytes);
    a.index = guarded_array(d->n * run->index_bytes);
    return a;
}

static void free_arrays(const struct arrays *a, const struct sort_run *run)
{
    guarded_free(a->keys_in);
    guarded_free(a->values_in);
    guarded_free(a->index);
    guarded_free(a->workspace);
    if (!run->in_place) {
        guarded_free(a->keys_out);
        guarded_free(a->values_out);
    }
}

static cw_array job_of(const struct sort_data *d, const struct sort_run *run,
                       const struct arrays *a)
{
    cw_array job = {0};

    job.type = d->type;
    job.flags = run->flags | (d->descending ? (unsigned)CW_DESCENDING : 0);
    job.n = d->n;
    job.keys_in = a->keys_in;
    job.keys_out = run->keys ? a->keys_out : NULL;
    job.value_bytes = run->value_bytes;
    job.values_in = run->value_bytes ? a->values_in : NULL;
    job.values_out = run->value_bytes ? a->values_out : NULL;
    job.index_bytes = run->index_bytes;
    job.index_out = run->index_bytes ? a->index : NULL;
    job.first_bit = d->first_bit;
    job.bits = d->bits;
    return job;
}

/* Item x of what came out is item order[x] of `in`, or that number itself. */
static void check_array(const struct sort_data *d, const struct sort_run *run, const char *name,
                        const void *got, const void *in, size_t stride, size_t bytes)
{
    if (!guards_stand(got, d->n * bytes))
        fail_msg("%s written outside; %s", name, text_of(d, run));
    for (size_t x = 0; x < d->n; x++) {
        const uint64_t place = d->order[x]; /* the low bytes come first */
        const void *want = in ? (const char *)in + d->order[x] * stride : (const char *)&place;

        if (memcmp((const char *)got + x * bytes, want, bytes))
            fail_msg("%s: item %zu is not that of place %u; %s", name, x, d->order[x],
                     text_of(d, run));
    }
}

static void check_run(const struct sort_data *d, const struct sort_run *run, const struct arrays *a)
{
    const size_t v = run->value_bytes;

    if (run->keys)
        check_array(d, run, "keys", a->keys_out, d->keys, d->key_bytes, d->key_bytes);
    if (run->index_bytes)
        check_array(d, run, "index", a->index, NULL, 0, run->index_bytes);
    if (v)
        check_array(d, run, "values", a->values_out, d->values, VALUE, v);
    if (!guards_stand(a->workspace, a->workspace_bytes))
        fail_msg("workspace overrun; %s", text_of(d, run));
    if ((!run->in_place || !run->keys) && memcmp(a->keys_in, d->keys, d->n * d->key_bytes))
        fail_msg("keys_in written; %s", text_of(d, run));
    for (size_t x = 0; x < d->n && v && !run->in_place; x++)
        if (memcmp((char *)a->values_in + x * v, d->values + x * VALUE, v))
            fail_msg("values_in written; %s", text_of(d, run));
}

/* Where equal floats may come in any order, the host puts -0 before +0, or after it if the order falls. */
static void zeros_apart(struct sort_data *d)
{
    uint32_t *const order = (uint32_t *)guarded_array(d->n * sizeof *order);
    size_t first = 0, end, at;

    while (first < d->n &&
           cw_value_of(d->type, cw_item(d->keys, d->order[first], d->key_bytes)) != 0)
        first++;
    for (end = first; end < d->n; end++)
        if (cw_value_of(d->type, cw_item(d->keys, d->order[end], d->key_bytes)) != 0)
            break;
    memcpy(order, d->order, d->n * sizeof *order);
    at = first;
    for (int pass = 0; pass < 2; pass++)
        for (size_t x = first; x < end; x++)
            if ((cw_item(d->keys, d->order[x], d->key_bytes) == 0) == (pass != d->descending))
                order[at++] = d->order[x];
    d->order = order;
}

/* Whether equal keys keep their order: also if some of their bits are asked for, not if all are. */
static int keeps(const struct sort_data *d, const struct sort_run *run)
{
    const int some = d->bits && d->bits < 8 * d->key_bytes;

    return run->flags & CW_STABLE || run->index_bytes || some;
}

void sort_run_try(const struct sort_data *data, const struct sort_run *run)
{
    struct sort_data apart = *data;
    const struct sort_data *const d = &apart;

    struct arrays a = arrays_of(d, run);
    cw_array job = job_of(d, run, &a);
    struct cw_team team = {.wanted = run->threads};
    cw_status status;

    a.workspace_bytes = cw_cpu_sort_workspace(&job);
    a.workspace = guarded_array(a.workspace_bytes);
    status = cw_cpu_sort_by(&job, a.workspace, &team, &run->ways);
    cw_team_end(&team);
    if (status != CW_OK)
        fail_msg("%s: %s; %s", cw_status_name(status), cw_last_error(), text_of(d, run));
    if (cw_is_float(d->type) && !keeps(d, run))
        zeros_apart(&apart);
    check_run(d, run, &a);
    free_arrays(&a, run);
    if (d->order != data->order)
        guarded_free(apart.order);
}

/* ---- what is tried -------------------------------------------------------------------------- */

struct cw_sort_ways sort_ways_random(struct cw_random *random)
{
    static const size_t leaves[] = {0, 0, 16, 300, 2000};
    static const uint32_t pivots[] = {12, 12, 0, 2};
    struct cw_sort_ways ways;

    do
        ways.columns = &cw_columns_list[cw_random_below(random, cw_columns_count)];
    while (!ways.columns->here());
    ways.leaf = leaves[cw_random_below(random, COUNT(leaves))];
    ways.pivots = pivots[cw_random_below(random, COUNT(pivots))];
    ways.seed = cw_random_next(random);
    ways.foreseen = (int)cw_random_below(random, 2);
    return ways;
}

/* Starting threads takes a while, so short arrays are mostly sorted by one. */
static struct sort_run random_run(struct cw_random *random, size_t n)
{
    static const struct sort_run forms[] = {
        {.keys = 1},
        {.keys = 1},
        {.keys = 1, .value_bytes = 1},
        {.keys = 1, .value_bytes = 2},
        {.keys = 1, .value_bytes = 4},
        {.keys = 1, .value_bytes = 8},
        {.keys = 1, .value_bytes = 16},
        {.index_bytes = 4},
        {.index_bytes = 8},
        {.keys = 1, .index_bytes = 4},
        {.index_bytes = 4, .value_bytes = 4},
        {.keys = 1, .index_bytes = 8, .value_bytes = 16},
    };
    static const unsigned threads[] = {2, 0, 7};
    struct sort_run run = forms[cw_random_below(random, COUNT(forms))];

    run.in_place = (int)cw_random_below(random, 2);
    run.threads = threads[cw_random_below(random, COUNT(threads))];
    if (cw_random_below(random, n > 60000 ? 2 : 30))
        run.threads = 1;
    run.flags = cw_random_below(random, 3) ? 0 : (unsigned)CW_CONFLICT_FREE;
    run.flags |= cw_random_below(random, 2) ? (unsigned)CW_STABLE : 0;
    run.ways = sort_ways_random(random);
    return run;
}

void sort_data_try(struct sort_data d, size_t runs)
{
    struct cw_random random = cw_random_from(~d.seed);

    d = sort_data_of(d);
    for (size_t k = 0; k < runs; k++) {
        const struct sort_run run = random_run(&random, d.n);

        sort_run_try(&d, &run);
    }
    sort_data_free(&d);
}

void sort_length_try(size_t n, size_t runs, uint64_t one_in)
{
    struct cw_random random = cw_random_from(cw_test_seed() ^ n << 32);

    for (int type = 0; type < CW_TYPE_COUNT; type++) {
        for (int descending = 0; descending < 2; descending++) {
            for (int input = 0; input < INPUTS; input++) {
                struct sort_data d = {
                    .type = (cw_type)type, .input = (enum sort_input)input, .n = n};

                d.descending = descending;
                d.seed = cw_random_next(&random);
                if (cw_random_below(&random, one_in) == 0)
                    sort_data_try(d, runs);
            }
        }
    }
}
