/* partition_made.c - partition data that was made for it, check the result, tell the speed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "inputs/random.h"
#include "partition.h"
#include "cli/verify/verify_keys.h"

struct run {
    struct partition_request *r;
    size_t key, value; /* bytes */
    cw_partition_job job;
    cw_payload payload;
    void *workspace;
    size_t workspace_bytes;
    unsigned char *splitters, *values, *keys_back, *values_back; /* on the host */
    uint64_t *offsets_back;
    struct timing timing;
    const char *wrong;
    char text[160];
};

static cw_status work(struct on *o, void *arg)
{
    const struct run *const x = (const struct run *)arg;

    return cw_partition(o->context, &x->job, x->workspace, x->workspace_bytes, NULL);
}

/* ---- data -------------------------------------------------------------------------------------- */

/* Keys as labels: what they are modulo the number of buckets. */
static void make_labels(const struct run *x)
{
    unsigned char *const keys = (unsigned char *)x->r->data.keys;
    const uint64_t most = x->job.type == CW_I8 ? 128 : x->job.type == CW_I16 ? 32768 : UINT64_MAX;
    const uint64_t labels = x->r->buckets < most ? x->r->buckets : most;

    for (size_t i = 0; i < x->job.n; i++) {
        const uint64_t label = item_at(keys, i, x->key) % labels;
        const uint32_t label4 = (uint32_t)label;
        const uint16_t label2 = (uint16_t)label;
        const uint8_t label1 = (uint8_t)label;

        memcpy(keys + i * x->key,
               x->key == 8   ? (const void *)&label
               : x->key == 4 ? (const void *)&label4
               : x->key == 2 ? (const void *)&label2
                             : (const void *)&label1,
               x->key);
    }
}

static int by_rank(const void *a, const void *b)
{
    const uint64_t *const x = (const uint64_t *)a, *const y = (const uint64_t *)b;

    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Splitters from keys that are drawn, as one who knows nothing of them would. */
static int make_splitters(struct run *x)
{
    const size_t count = (size_t)x->r->buckets - 1;
    uint64_t *const drawn = (uint64_t *)malloc((count + 1) * 16);
    uint64_t random = x->r->data.seed + 1;

    x->splitters = (unsigned char *)calloc(count + 1, x->key);
    if (!drawn || !x->splitters) {
        free(drawn);
        return complain(FAILED, "out of memory for %zu splitters", count);
    }
    for (size_t k = 0; k < count && x->job.n; k++) {
        const uint64_t i = cw_drawn_below(&random, x->job.n);

        drawn[2 * k + 1] = item_at(x->r->data.keys, i, x->key);
        drawn[2 * k] = verify_rank(x->job.type, x->job.flags, drawn[2 * k + 1]);
    }
    if (x->job.n)
        qsort(drawn, count, 16, by_rank);
    for (size_t k = 0; k < count && x->job.n; k++) {
        for (size_t b = 0; b < x->key; b++) /* the lowest byte first; turned below if need be */
            x->splitters[k * x->key + b] = (unsigned char)(drawn[2 * k + 1] >> 8 * b);
    }
    random = 1;
    if (!*(const unsigned char *)&random)
        cw_swap_bytes(x->splitters, count, x->key);
    free(drawn);
    return DONE;
}

static int make_data(struct run *x)
{
    const size_t n = (size_t)x->r->data.n;

    if (x->r->rule == CW_BY_LABEL)
        make_labels(x);
    if (x->r->rule == CW_BY_SPLITTER && make_splitters(x))
        return FAILED;
    x->values = (unsigned char *)malloc(n * x->value + 1);
    x->keys_back = (unsigned char *)malloc(n * x->key + 1);
    x->values_back = (unsigned char *)malloc(n * x->value + 1);
    x->offsets_back = (uint64_t *)malloc(((size_t)x->r->buckets + 1) * 8);
    if (!x->values || !x->keys_back || !x->values_back || !x->offsets_back)
        return complain(FAILED, "out of memory for %zu keys", n);
    if (x->value)
        values_make(x->values, x->value, n);
    return DONE;
}

static int job_arrays(struct run *x, struct on *on)
{
    const size_t n = x->job.n;
    void *in = NULL, *out = NULL, *values_in = NULL, *values_out = NULL, *splitters = NULL;
    void *offsets = NULL;

    if (on_copy(on, x->r->data.keys, n * x->key, &in) || on_alloc(on, n * x->key, &out) ||
        on_alloc(on, ((size_t)x->r->buckets + 1) * 8, &offsets) ||
        (x->value && (on_copy(on, x->values, n * x->value, &values_in) ||
                      on_alloc(on, n * x->value, &values_out))) ||
        (x->splitters &&
         on_copy(on, x->splitters, ((size_t)x->r->buckets - 1) * x->key, &splitters)))
        return FAILED;
    x->payload = (cw_payload){values_in, values_out, x->value};
    x->job.keys_in = in;
    x->job.keys_out = out;
    x->job.splitters = splitters;
    x->job.payloads = x->value ? &x->payload : NULL;
    x->job.payload_count = x->value ? 1 : 0;
    x->job.offsets = (uint64_t *)offsets;
    if (cw_partition_workspace(&x->job, &x->workspace_bytes))
        return on_failed(CW_ERR_INTERNAL);
    return on_alloc(on, x->workspace_bytes, &x->workspace);
}

/* ---- is it right? ------------------------------------------------------------------------------ */

static uint64_t value_of(const struct run *x, const unsigned char *values, uint64_t i)
{
    return x->value > 8 ? item_at(values, 2 * i, 8) : item_at(values, i, x->value);
}

static uint64_t hashed(const struct run *x, const void *keys, const unsigned char *values,
                       uint64_t i)
{
    const uint64_t key = cw_mixed(item_at(keys, i, x->key) + UINT64_C(0x9e3779b97f4a7c15));

    return x->value ? cw_mixed(key ^ value_of(x, values, i)) : key;
}

/* Item i of the output is of bucket b, and stands behind what stood before it. */
static int stands(const struct run *x, uint64_t b, uint64_t i)
{
    if (partition_bucket(&x->job, x->splitters, item_at(x->keys_back, i, x->key)) != b)
        return 0;
    return x->r->unstable || !x->value || i == x->offsets_back[b] ||
           value_of(x, x->values_back, i - 1) <= value_of(x, x->values_back, i);
}

static void look_at(struct run *x)
{
    uint64_t before = 0, after = 0;

    if (x->offsets_back[0] != 0 || x->offsets_back[x->r->buckets] != x->job.n)
        x->wrong = "the offsets do not go from 0 to n";
    for (uint64_t b = 0; !x->wrong && b < x->r->buckets; b++) {
        if (x->offsets_back[b] > x->offsets_back[b + 1])
            x->wrong = "the offsets fall";
        for (uint64_t i = x->offsets_back[b]; !x->wrong && i < x->offsets_back[b + 1]; i++) {
            if (!stands(x, b, i)) {
                snprintf(x->text, sizeof x->text,
                         "item %" PRIu64 " does not belong where it is, in bucket %" PRIu64, i, b);
                x->wrong = x->text;
            }
        }
    }
    for (uint64_t i = 0; i < x->job.n; i++) {
        before += hashed(x, x->r->data.keys, x->values, i);
        after += hashed(x, x->keys_back, x->values_back, i);
    }
    if (!x->wrong && before != after)
        x->wrong = "the output does not hold the items of the input";
}

static int check(struct run *x, struct on *on)
{
    const size_t n = x->job.n;

    if (on_read(on, x->keys_back, x->job.keys_out, n * x->key) ||
        (x->value && on_read(on, x->values_back, x->payload.out, n * x->value)) ||
        on_read(on, x->offsets_back, x->job.offsets, ((size_t)x->r->buckets + 1) * 8))
        return FAILED;
    look_at(x);
    return DONE;
}

/* ---- what it says ------------------------------------------------------------------------------ */

static const char *rule_name(const struct run *x)
{
    static const char *const names[] = {"label", "bits", "splitters", "hash"};

    return names[x->r->rule];
}

static double rate_of(const struct run *x)
{
    return x->timing.seconds > 0 ? (double)x->job.n / x->timing.seconds : 0;
}

static void print_json(const struct run *x, const struct on *on)
{
    const struct data *const d = &x->r->data;
    struct json j = {stdout, 0};

    json_open(&j, NULL, '{');
    json_text(&j, "command", "partition");
    json_number(&j, "n", d->n);
    json_text(&j, "type", type_names[d->type]);
    json_text(&j, "input", cw_data_names[d->input]);
    json_number(&j, "seed", d->seed);
    json_text(&j, "by", rule_name(x));
    json_number(&j, "buckets", x->r->buckets);
    json_number(&j, "value_bytes", x->value);
    json_bool(&j, "stable", !x->r->unstable);
    json_text(&j, "on", on_name(on));
    json_number(&j, "threads", on_threads(on));
    json_number(&j, "workspace", x->workspace_bytes);
    json_number(&j, "runs", x->timing.runs);
    json_real(&j, "seconds", x->timing.seconds);
    json_real(&j, "keys_per_second", rate_of(x));
    if (x->timing.copy > 0)
        json_real(&j, "share_of_copy", x->timing.copy / x->timing.seconds);
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

    printf("partition of %" PRIu64 " %s key%s", d->n, type_names[d->type], d->n == 1 ? "" : "s");
    if (x->value)
        printf(" with values of %zu bytes", x->value);
    printf(" into %" PRIu64 " buckets by %s%s\n", x->r->buckets, rule_name(x),
           x->r->unstable ? ", order free" : "");
    printf("input     %s, seed %" PRIu64 "\n", cw_data_names[d->input], d->seed);
    printf("on        %s", on_name(on));
    if (on_threads(on))
        printf(", %u thread%s", on_threads(on), on_threads(on) > 1 ? "s" : "");
    printf("\ntime      %s", show_seconds(x->timing.seconds, text));
    if (x->timing.runs > 1)
        printf(" (median of %u)", x->timing.runs);
    printf("\nrate      %s\n", show_rate(rate_of(x), x->value ? "pair" : "key", text));
    if (x->timing.copy > 0)
        printf("copy      %.1f %% of the speed of a copy of the same bytes\n",
               100 * x->timing.copy / x->timing.seconds);
    printf("verified  %s%s\n", x->wrong ? "NO: " : "yes", x->wrong ? x->wrong : "");
}

int partition_made(struct partition_request *r)
{
    static const size_t sizes[] = {0, 1, 2, 4, 8, 16};
    struct run x = {.r = r, .value = sizes[r->pairs]};
    int status;

    if (r->data.type < 0)
        r->data.type = CW_U32;
    x.key = cw_type_bytes((cw_type)r->data.type);
    status = partition_job(r, (cw_type)r->data.type, (size_t)r->data.n, &x.job);
    if (!status)
        status = data_make(&r->data, 4.0 * (double)(x.key + x.value) + 4);
    if (!status)
        status = on_open(&r->on);
    if (!status)
        status = make_data(&x);
    if (!status)
        status = job_arrays(&x, &r->on);
    if (!status)
        x.job.flags &= cw_context_backend(r->on.context) == CW_CUDA ? ~(unsigned)CW_CHECK : ~0u;
    if (!status)
        status = on_time(&r->on, r->time, work, &x, x.job.n * (x.key + x.value), &x.timing);
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
    free(x.splitters);
    free(x.values);
    free(x.keys_back);
    free(x.values_back);
    free(x.offsets_back);
    return status;
}
