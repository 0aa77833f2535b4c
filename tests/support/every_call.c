/* every_call.c - every call that a context of host threads does work in. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "every_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

/* Arrays that calls share. */
struct room {
    cw_context *context;
    size_t n;
    uint64_t *in, *out, *values, *values_out, *index;
    void *workspace;
    size_t bytes;
};

static int take_room(struct room *r)
{
    const size_t bytes = (r->n + 1) * 16;

    r->bytes = 4 * bytes + ((size_t)64 << 20);
    return !cw_memory_alloc(r->context, bytes, (void **)&r->in) &&
           !cw_memory_alloc(r->context, bytes, (void **)&r->out) &&
           !cw_memory_alloc(r->context, bytes, (void **)&r->values) &&
           !cw_memory_alloc(r->context, bytes, (void **)&r->values_out) &&
           !cw_memory_alloc(r->context, bytes, (void **)&r->index) &&
           !cw_memory_alloc(r->context, r->bytes, &r->workspace);
}

static void give_room(struct room *r)
{
    cw_memory_free(r->context, r->in);
    cw_memory_free(r->context, r->out);
    cw_memory_free(r->context, r->values);
    cw_memory_free(r->context, r->values_out);
    cw_memory_free(r->context, r->index);
    cw_memory_free(r->context, r->workspace);
}

/* ---- sorts ---------------------------------------------------------------------------------- */

/* Keys that are their own values: both are in order, and none is lost. */
static int sorts(struct room *r, cw_type type, unsigned flags, int with_values, int with_index)
{
    const size_t n = r->n;
    cw_array job = {.type = type, .flags = flags, .n = n, .keys_in = r->in, .keys_out = r->out};
    uint64_t sum = 0;

    if (with_values) {
        job.values_in = r->in;
        job.values_out = r->values_out;
        job.value_bytes = cw_type_bytes(type);
    }
    if (with_index) {
        job.index_out = r->index;
        job.index_bytes = 8;
    }
    if (cw_sort(r->context, &job, r->workspace, r->bytes, NULL))
        return 0;
    for (size_t x = 0; x < n; x++) {
        const uint64_t key = type == CW_U64 ? r->out[x] : ((uint32_t *)r->out)[x];
        const uint64_t next = x + 1 == n       ? UINT64_MAX
                              : type == CW_U64 ? r->out[x + 1]
                                               : ((uint32_t *)r->out)[x + 1];

        sum += key - (type == CW_U64 ? r->in[x] : ((uint32_t *)r->in)[x]);
        if (key > next)
            return 0;
        if (with_index && (r->index[x] >= n || r->in[r->index[x]] != key))
            return 0;
    }
    return !sum && (!with_values || !memcmp(r->out, r->values_out, n * cw_type_bytes(type)));
}

static int sorts_rows(struct room *r, size_t length)
{
    const size_t rows = r->n / length;
    const cw_rows job = {.type = CW_U64,
                         .rows = rows,
                         .length = length,
                         .keys_in = r->in,
                         .keys_out = r->out,
                         .index_out = (uint32_t *)r->index};

    if (cw_sort_rows(r->context, &job, r->workspace, r->bytes, NULL))
        return 0;
    for (size_t x = 0; x < rows * length; x++) {
        const size_t first = x - x % length;

        if (r->in[first + ((uint32_t *)r->index)[x]] != r->out[x] ||
            (x % length && r->out[x] < r->out[x - 1]))
            return 0;
    }
    return 1;
}

static int sorts_small_keys(struct room *r)
{
    const uint8_t *in = (const uint8_t *)r->in, *out = (const uint8_t *)r->out;
    const cw_array job = {.type = CW_U8, .n = r->n, .keys_in = r->in, .keys_out = r->out};
    size_t counts[256] = {0};

    if (cw_sort(r->context, &job, r->workspace, r->bytes, NULL))
        return 0;
    for (size_t x = 0; x < r->n; x++) {
        counts[in[x]]++;
        counts[out[x]]--;
        if (x && out[x] < out[x - 1])
            return 0;
    }
    for (size_t k = 0; k < 256; k++)
        if (counts[k])
            return 0;
    return 1;
}

/* ---- moves ---------------------------------------------------------------------------------- */

static int partitions(struct room *r, cw_rule rule)
{
    const cw_payload rows = {r->in, r->values_out, 8};
    cw_partition_job job = {.type = CW_U64, .rule = rule, .n = r->n, .buckets = 64};
    uint64_t offsets[65];

    job.first_bit = 58;
    job.splitters = r->values;
    for (size_t k = 0; k < 63; k++)
        r->values[k] = (k + 1) << 58;
    job.keys_in = r->in;
    job.keys_out = r->out;
    job.payloads = &rows;
    job.payload_count = 1;
    job.offsets = offsets;
    if (cw_partition(r->context, &job, r->workspace, r->bytes, NULL) || offsets[64] != r->n)
        return 0;
    for (size_t k = 0; k < 64 && rule != CW_BY_HASH; k++)
        for (size_t x = offsets[k]; x < offsets[k + 1]; x++)
            if (r->out[x] >> 58 != k)
                return 0;
    return !memcmp(r->out, r->values_out, 8 * r->n);
}

/* i -> i * step mod n, for a step that n does not share a divisor with. */
static uint64_t moved(const struct room *r, size_t i)
{
    return (uint64_t)i * 1000003u % r->n;
}

static int permutes(struct room *r, unsigned flags)
{
    const cw_permute_job job = {flags, r->n, 8, r->in, r->out, r->index, 8};

    for (size_t i = 0; i < r->n; i++)
        r->index[i] = moved(r, i);
    if (cw_permute(r->context, &job, r->workspace, r->bytes, NULL))
        return 0;
    for (size_t i = 0; i < r->n; i++) {
        const size_t p = (size_t)r->index[i];

        if (flags & CW_GATHER ? r->out[i] != r->in[p] : r->out[p] != r->in[i])
            return 0;
    }
    return 1;
}

static int transposes(struct room *r, size_t rows, size_t columns, int in_place)
{
    cw_transpose_job job = {rows, columns, 1, 8, r->in, r->out};

    if (in_place) {
        memcpy(r->out, r->in, rows * columns * 8);
        job.in = r->out;
    }
    if (cw_transpose(r->context, &job, r->workspace, r->bytes, NULL))
        return 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            if (r->out[j * rows + i] != r->in[i * columns + j])
                return 0;
    return 1;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static int saved_and_loaded(cw_plan **plan)
{
    char path[] = "/tmp/clearway-test-XXXXXX";
    const int fd = mkstemp(path);
    int good;

    if (fd < 0)
        return 0;
    close(fd);
    good = !cw_plan_save(*plan, path);
    cw_plan_destroy(*plan);
    *plan = NULL;
    good = good && !cw_plan_load(path, plan);
    unlink(path);
    return good;
}

static int plans(struct room *r, size_t n)
{
    cw_plan *plan = NULL;
    void *table = NULL;
    int good;

    for (size_t i = 0; i < n; i++)
        r->index[i] = i;
    for (size_t i = n - 1; i > 1; i--) {
        const size_t k = (size_t)((r->in[i] >> 20) % i);
        const uint64_t was = r->index[i];

        r->index[i] = r->index[k];
        r->index[k] = was;
    }
    good = !cw_plan_create(r->index, 8, n, 8, 0, 3, &plan) && saved_and_loaded(&plan) &&
           !cw_memory_alloc(r->context, cw_plan_table_bytes(plan), &table) &&
           !cw_plan_write_table(r->context, plan, table) &&
           !cw_plan_execute(r->context, plan, table, r->in, r->out, r->workspace, r->bytes, NULL);
    for (size_t i = 0; good && i < n; i++)
        good = r->out[r->index[i]] == r->in[i];
    cw_memory_free(r->context, table);
    cw_plan_destroy(plan);
    return good;
}

/* ---- all ------------------------------------------------------------------------------------ */

static const char *try_all(struct room *r)
{
    const size_t high = 317, wide = r->n / high;

#define TRY(call)         \
    do {                  \
        if (!(call))      \
            return #call; \
    } while (0)
    TRY(sorts(r, CW_U64, 0, 0, 0));
    TRY(sorts(r, CW_U32, 0, 0, 0));
    TRY(sorts(r, CW_U64, 0, 1, 1));
    TRY(sorts(r, CW_U32, 0, 1, 0));
    TRY(sorts(r, CW_U64, CW_CONFLICT_FREE, 0, 0));
    TRY(sorts(r, CW_U32, CW_CONFLICT_FREE, 1, 0));
    TRY(sorts_small_keys(r));
    TRY(sorts_rows(r, 100));
    TRY(sorts_rows(r, 20000));
    TRY(partitions(r, CW_BY_BITS));
    TRY(partitions(r, CW_BY_SPLITTER));
    TRY(partitions(r, CW_BY_HASH));
    TRY(permutes(r, 0));
    TRY(permutes(r, CW_GATHER));
    TRY(permutes(r, CW_CHECK));
    TRY(transposes(r, high, wide, 0));
    TRY(transposes(r, high, wide, 1));
    TRY(transposes(r, 500, 500, 1));
    TRY(plans(r, r->n));
    TRY(plans(r, 50000));
#undef TRY
    return NULL;
}

const char *every_call(cw_context *context, size_t n, uint64_t seed)
{
    struct room r = {.context = context, .n = n};
    struct cw_random random = cw_random_from(seed);
    const char *failed = "memory";

    if (take_room(&r)) {
        for (size_t x = 0; x < n; x++)
            r.in[x] = cw_random_next(&random);
        failed = try_all(&r);
    }
    give_room(&r);
    return failed;
}

const char *sort_call(cw_context *context, const uint64_t *keys, size_t n)
{
    struct room r = {.context = context, .n = n};
    const char *failed = "memory";

    if (take_room(&r)) {
        memcpy(r.in, keys, n * sizeof *keys);
        failed = sorts(&r, CW_U64, 0, 0, 0) ? NULL : "sort";
    }
    give_room(&r);
    return failed;
}
