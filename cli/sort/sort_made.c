/* sort_made.c - sort data that was made for it, check the result, tell the speed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "sort.h"

struct run {
    const struct sort_request *r;
    size_t key_bytes, value_bytes, index_bytes;
    cw_array job;
    void *workspace;
    size_t workspace_bytes;
    void *values, *keys_back, *values_back, *index_back; /* on the host */
    struct timing timing;
    const char *wrong;
    char text[160];
};

static cw_status work(struct on *o, void *arg)
{
    const struct run *const x = (const struct run *)arg;

    return cw_sort(o->context, &x->job, x->workspace, x->workspace_bytes, NULL);
}

/* Host memory for what is made and for what comes back. */
static int host_arrays(struct run *x)
{
    const size_t n = (size_t)x->r->data.n;

    x->values = malloc(n * x->value_bytes + 1);
    x->keys_back = malloc(n * x->key_bytes + 1);
    x->values_back = malloc(n * x->value_bytes + 1);
    x->index_back = malloc(n * x->index_bytes + 1);
    if (!x->values || !x->keys_back || !x->values_back || !x->index_back)
        return complain(FAILED, "out of memory for %zu keys", n);
    if (x->value_bytes)
        values_make(x->values, x->value_bytes, n);
    return DONE;
}

static int job_arrays(struct run *x, struct on *on)
{
    const size_t n = (size_t)x->r->data.n;
    void *in = NULL, *out = NULL, *values_in = NULL, *values_out = NULL, *index = NULL;
    int status = on_copy(on, x->r->data.keys, n * x->key_bytes, &in);

    if (!status && !x->r->argsort)
        status = on_alloc(on, n * x->key_bytes, &out);
    if (!status && x->value_bytes) {
        status = on_copy(on, x->values, n * x->value_bytes, &values_in);
        if (!status)
            status = on_alloc(on, n * x->value_bytes, &values_out);
    }
    if (!status && x->index_bytes)
        status = on_alloc(on, n * x->index_bytes, &index);
    x->job.type = (cw_type)x->r->data.type;
    x->job.flags = sort_flags(x->r);
    x->job.n = n;
    x->job.keys_in = in;
    x->job.keys_out = out;
    x->job.values_in = values_in;
    x->job.values_out = values_out;
    x->job.value_bytes = x->value_bytes;
    x->job.index_out = index;
    x->job.index_bytes = x->index_bytes;
    if (!status)
        status = on_failed(cw_sort_workspace(&x->job, &x->workspace_bytes));
    return status ? status : on_alloc(on, x->workspace_bytes, &x->workspace);
}

static int check(struct run *x, struct on *on)
{
    const size_t n = (size_t)x->r->data.n;
    struct sorted s = {.type = x->job.type,
                       .flags = sort_flags(x->r),
                       .n = n,
                       .keys_in = x->r->data.keys,
                       .value_bytes = x->value_bytes,
                       .index_bytes = x->index_bytes,
                       .rising = 1,
                       .stable = x->r->stable};
    int status = DONE;

    if (x->job.keys_out) {
        status = on_read(on, x->keys_back, x->job.keys_out, n * x->key_bytes);
        s.keys_out = x->keys_back;
    }
    if (!status && x->value_bytes) {
        status = on_read(on, x->values_back, x->job.values_out, n * x->value_bytes);
        s.values_in = x->values;
        s.values_out = x->values_back;
    }
    if (!status && x->index_bytes) {
        status = on_read(on, x->index_back, x->job.index_out, n * x->index_bytes);
        s.index = x->index_back;
    }
    if (!status)
        x->wrong = sorted_wrong(&s, x->text);
    return status;
}

/* ---- what it says --------------------------------------------------------------------------- */

static double rate_of(const struct run *x)
{
    return x->timing.seconds > 0 ? (double)x->job.n / x->timing.seconds : 0;
}

static double share_of(const struct run *x)
{
    return x->timing.seconds > 0 ? x->timing.copy / x->timing.seconds : 0;
}

static void print_json(const struct run *x, const struct on *on)
{
    const struct data *const d = &x->r->data;
    struct json j = {stdout, 0};

    json_open(&j, NULL, '{');
    json_text(&j, "command", x->r->argsort ? "argsort" : "sort");
    json_number(&j, "n", d->n);
    json_text(&j, "type", type_names[d->type]);
    json_text(&j, "input", cw_data_names[d->input]);
    json_number(&j, "seed", d->seed);
    json_number(&j, "value_bytes", x->value_bytes);
    json_bool(&j, "stable", x->r->stable);
    json_bool(&j, "descending", x->r->descending);
    json_text(&j, "order", order_names[x->r->order]);
    json_bool(&j, "conflict_free", x->r->conflict_free);
    json_text(&j, "on", on_name(on));
    json_number(&j, "threads", on_threads(on));
    json_number(&j, "workspace", x->workspace_bytes);
    json_number(&j, "runs", x->timing.runs);
    json_real(&j, "seconds", x->timing.seconds);
    json_real(&j, "keys_per_second", rate_of(x));
    if (x->timing.copy > 0)
        json_real(&j, "share_of_copy", share_of(x));
    else
        json_text(&j, "share_of_copy", NULL);
    json_bool(&j, "verified", !x->wrong);
    json_close(&j, '}');
    printf("\n");
}

static void print_lines(const struct run *x, const struct on *on)
{
    const struct data *const d = &x->r->data;
    char text[48];

    printf("%s of %" PRIu64 " %s key%s", x->r->argsort ? "argsort" : "sort", d->n,
           type_names[d->type], d->n == 1 ? "" : "s");
    if (x->value_bytes)
        printf(" with values of %zu bytes", x->value_bytes);
    printf("%s%s%s\n", x->r->stable ? ", stable" : "", x->r->descending ? ", descending" : "",
           x->r->conflict_free ? ", conflict-free" : "");
    printf("input     %s, seed %" PRIu64 "\n", cw_data_names[d->input], d->seed);
    printf("on        %s", on_name(on));
    if (on_threads(on))
        printf(", %u thread%s", on_threads(on), on_threads(on) > 1 ? "s" : "");
    printf("\ntime      %s", show_seconds(x->timing.seconds, text));
    if (x->timing.runs > 1)
        printf(" (median of %u)", x->timing.runs);
    printf("\nrate      %s\n", show_rate(rate_of(x), x->value_bytes ? "pair" : "key", text));
    if (x->timing.copy > 0)
        printf("copy      %.1f %% of the speed of a copy of the same bytes\n", 100 * share_of(x));
    printf("verified  %s%s\n", x->wrong ? "NO: " : "yes", x->wrong ? x->wrong : "");
}

int sort_made(struct sort_request *r)
{
    static const size_t sizes[] = {0, 1, 2, 4, 8, 16};
    struct run x = {.r = r,
                    .key_bytes = cw_type_bytes((cw_type)r->data.type),
                    .value_bytes = sizes[r->pairs],
                    .index_bytes = !r->argsort       ? 0
                                   : r->data.n >> 32 ? 8
                                                     : 4};
    const double beside =
        4.0 * (double)x.key_bytes + 4.0 * (double)x.value_bytes + 3.0 * (double)x.index_bytes;
    size_t copied;
    int status = on_open(&r->on);

    if (!status)
        status = data_make(&r->data, beside);
    if (!status)
        status = host_arrays(&x);
    if (!status)
        status = job_arrays(&x, &r->on);
    copied = (size_t)r->data.n * (x.key_bytes + x.value_bytes);
    if (!status)
        status = on_time(&r->on, r->time, work, &x, copied, &x.timing);
    if (!status)
        status = check(&x, &r->on);
    if (!status && r->json)
        print_json(&x, &r->on);
    else if (!status)
        print_lines(&x, &r->on);
    if (!status && x.wrong)
        status = complain(FAILED, "wrong: %s", x.wrong);
    on_close(&r->on);
    data_free(&r->data);
    free(x.values);
    free(x.keys_back);
    free(x.values_back);
    free(x.index_back);
    return status;
}
