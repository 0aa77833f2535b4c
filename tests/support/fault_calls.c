/* fault_calls.c - the calls, the arrays that they work on, and what is made anew for each try. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "fault_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#define PAYLOADS 40u /* more than a call has room for on its stack */
#define ROOM     fault_room

struct fault_room fault_room;

/* ---- the calls ------------------------------------------------------------------------------ */

static cw_status sort_pairs(struct fault_scene *s)
{
    const cw_array job = {.type = CW_U64,
                          .n = s->n,
                          .keys_in = ROOM.in,
                          .keys_out = ROOM.out,
                          .values_in = ROOM.in,
                          .values_out = ROOM.values,
                          .value_bytes = 8};

    return cw_sort(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status argsort(struct fault_scene *s)
{
    const cw_array job = {
        .type = CW_U32, .n = s->n, .keys_in = ROOM.in, .index_out = ROOM.out, .index_bytes = 8};

    return cw_sort(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status sort_comparing(struct fault_scene *s)
{
    const cw_array job = {.type = CW_U32,
                          .flags = CW_CONFLICT_FREE,
                          .n = s->n,
                          .keys_in = ROOM.in,
                          .keys_out = ROOM.out};

    return cw_sort(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status sort_bytes(struct fault_scene *s)
{
    const cw_array job = {.type = CW_I8, .n = s->n, .keys_in = ROOM.in, .keys_out = ROOM.out};

    return cw_sort(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status sort_rows(struct fault_scene *s)
{
    const cw_rows job = {.type = CW_F32,
                         .rows = s->n / 100,
                         .length = 100,
                         .keys_in = ROOM.in,
                         .keys_out = ROOM.out,
                         .index_out = ROOM.values};

    return cw_sort_rows(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status sort_long_rows(struct fault_scene *s)
{
    const cw_rows job = {
        .type = CW_U64, .rows = 2, .length = s->n / 2, .keys_in = ROOM.in, .keys_out = ROOM.out};

    return cw_sort_rows(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status partition(struct fault_scene *s)
{
    cw_payload payloads[PAYLOADS];
    const size_t n = s->n / PAYLOADS;
    const cw_partition_job job = {.type = CW_U16,
                                  .rule = CW_BY_HASH,
                                  .flags = CW_CHECK,
                                  .n = n,
                                  .buckets = 50,
                                  .keys_in = ROOM.in,
                                  .payloads = payloads,
                                  .payload_count = PAYLOADS,
                                  .offsets = ROOM.values};

    for (size_t x = 0; x < PAYLOADS; x++)
        payloads[x] = (cw_payload){ROOM.in + n * x, ROOM.out + n * x, 8};
    return cw_partition(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status permute(struct fault_scene *s)
{
    const cw_permute_job job = {.flags = CW_CHECK,
                                .n = s->n,
                                .bytes = 8,
                                .in = ROOM.in,
                                .out = ROOM.out,
                                .index = ROOM.index,
                                .index_bytes = 8};

    return cw_permute(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status gather_sum(struct fault_scene *s)
{
    const cw_gather_job job = {.flags = CW_CHECK,
                               .type = CW_F32,
                               .n = s->n / 4,
                               .rows = s->n / 4,
                               .columns = 8,
                               .per = 2,
                               .in = ROOM.in,
                               .out = ROOM.out,
                               .index = ROOM.rows,
                               .index_bytes = 4};

    return cw_gather_sum(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status shuffle(struct fault_scene *s)
{
    const cw_shuffle_job job = {.n = s->n, .bytes = 8, .seed = 3, .in = ROOM.in, .out = ROOM.out};

    return cw_shuffle(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status transpose(struct fault_scene *s)
{
    const cw_transpose_job job = {
        .rows = 50, .columns = s->n / 50, .bytes = 8, .in = ROOM.in, .out = ROOM.out};

    return cw_transpose(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status plan_execute(struct fault_scene *s)
{
    return cw_plan_execute(s->context, s->plan, s->table, ROOM.in, ROOM.out, ROOM.workspace,
                           ROOM.workspace_bytes, NULL);
}

static cw_status plan_write_table(struct fault_scene *s)
{
    return cw_plan_write_table(s->context, s->plan, s->table);
}

static cw_status plan_create(struct fault_scene *s)
{
    const cw_status status = cw_plan_create(ROOM.index, 8, s->n, 8, 0, 3, &s->made);

    assert_true(!status == (s->made != NULL));
    cw_plan_destroy(s->made);
    s->made = NULL;
    return status;
}

static cw_status plan_save(struct fault_scene *s)
{
    return cw_plan_save(s->plan, ROOM.file);
}

static cw_status plan_load(struct fault_scene *s)
{
    const cw_status status = cw_plan_load(ROOM.plan, &s->made);

    assert_true(!status == (s->made != NULL));
    cw_plan_destroy(s->made);
    s->made = NULL;
    return status;
}

static cw_status memory_alloc(struct fault_scene *s)
{
    const cw_status status = cw_memory_alloc(s->context, 1000, &s->block);

    cw_memory_free(s->context, s->block);
    return status;
}

static cw_status context_create(struct fault_scene *s)
{
    cw_context *other;
    const cw_status status = cw_context_create(cw_context_backend(s->context), &other);

    assert_true(!status == (other != NULL));
    cw_context_destroy(other);
    return status;
}

static cw_status threads_create(struct fault_scene *s)
{
    cw_threads *threads;
    const cw_status status = cw_threads_create(4, &threads);

    (void)s;
    assert_true(!status == (threads != NULL));
    cw_threads_destroy(threads);
    return status;
}

static cw_status sort_all(struct fault_scene *s) /* in place, with an index and odd values */
{
    const cw_array job = {.type = CW_F64,
                          .flags = CW_STABLE | CW_DESCENDING,
                          .n = s->n / 2,
                          .keys_in = ROOM.out,
                          .keys_out = ROOM.out,
                          .values_in = ROOM.in,
                          .values_out = (char *)ROOM.out + 8 * (s->n / 2),
                          .value_bytes = 2,
                          .index_out = ROOM.values,
                          .index_bytes = 4};

    return cw_sort(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status rows_by_offsets(struct fault_scene *s)
{
    const cw_rows job = {.type = CW_I64,
                         .flags = CW_STABLE,
                         .rows = ROOM.offset_rows,
                         .offsets = ROOM.offsets,
                         .keys_in = ROOM.in,
                         .keys_out = ROOM.out,
                         .values_in = ROOM.in,
                         .values_out = ROOM.values,
                         .value_bytes = 8};

    return cw_sort_rows(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status partition_unstable(struct fault_scene *s)
{
    const cw_partition_job job = {.type = CW_U32,
                                  .rule = CW_BY_HASH,
                                  .flags = CW_UNSTABLE,
                                  .n = s->n / 4,
                                  .buckets = 7,
                                  .keys_in = ROOM.in,
                                  .offsets = ROOM.values};

    return cw_partition(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status transpose_in_place(struct fault_scene *s)
{
    const cw_transpose_job job = {
        .rows = 20, .columns = s->n / 20, .bytes = 4, .in = ROOM.out, .out = ROOM.out};

    return cw_transpose(s->context, &job, ROOM.workspace, ROOM.workspace_bytes, NULL);
}

static cw_status memory_write(struct fault_scene *s)
{
    const cw_status status = cw_memory_write(s->context, ROOM.out, ROOM.in, 8 * s->n);

    return status ? status : cw_memory_read(s->context, ROOM.values, ROOM.in, 8 * s->n);
}

static cw_status set_threads(struct fault_scene *s)
{
    const cw_status status = cw_context_set_threads(s->context, 5);

    return status ? status : cw_context_set_threads(s->context, 3);
}

const struct fault_call fault_calls[] = {
    {"sort_pairs", sort_pairs, 0, 1},
    {"argsort", argsort, 0, 1},
    {"sort_comparing", sort_comparing, 0, 1},
    {"sort_bytes", sort_bytes, 0, 1},
    {"sort_all", sort_all, 0, 1},
    {"sort_rows", sort_rows, 0, 1},
    {"sort_long_rows", sort_long_rows, 0, 1},
    {"rows_by_offsets", rows_by_offsets, 0, 1},
    {"partition", partition, 0, 1},
    {"partition_unstable", partition_unstable, 0, 1},
    {"permute", permute, 0, 1},
    {"gather_sum", gather_sum, 0, 1},
    {"shuffle", shuffle, 0, 1},
    {"transpose", transpose, 0, 1},
    {"transpose_in_place", transpose_in_place, 0, 1},
    {"plan_execute", plan_execute, 0, 1},
    {"plan_create", plan_create, 0, 0},
    {"plan_write_table", plan_write_table, 0, 0},
    {"plan_save", plan_save, 0, 0},
    {"plan_load", plan_load, 0, 0},
    {"memory_alloc", memory_alloc, 0, 0},
    {"memory_write", memory_write, 0, 0},
    {"context_create", context_create, 0, 0},
    {"set_threads", set_threads, 0, 0},
    {"threads_create", threads_create, 0, 0},
    {"group_sort", fault_group_sort, 1, 0},
    {"group_permute", fault_group_permute, 1, 0},
    {"group_partition", fault_group_partition, 1, 0},
    {NULL, NULL, 0, 0},
};

/* ---- the room ------------------------------------------------------------------------------- */

static void *memory(size_t bytes)
{
    void *const p = calloc(bytes, 1);

    assert_non_null(p);
    return p;
}

static void fill(size_t n)
{
    struct cw_random random = cw_random_from(7);

    for (size_t i = 0; i < n; i++) {
        ROOM.in[i] = cw_random_next(&random) & UINT64_C(0x7f7f7fff7f7f7fff); /* no NaNs */
        ROOM.index[i] = i;
        ROOM.rows[i] = (uint32_t)(i % (n / 4));
    }
    for (size_t i = n - 1; i; i--) {
        const size_t k = (size_t)cw_random_below(&random, i + 1);
        const uint64_t was = ROOM.index[i];

        ROOM.index[i] = ROOM.index[k];
        ROOM.index[k] = was;
    }
    for (ROOM.offset_rows = 0; ROOM.offset_rows < 60; ROOM.offset_rows++)
        ROOM.offsets[ROOM.offset_rows + 1] =
            ROOM.offsets[ROOM.offset_rows] + cw_random_below(&random, n / 60 + 1);
}

void fault_room_make(size_t n)
{
    cw_plan *plan;

    ROOM.n = n;
    ROOM.bytes = 16 * n < 4096 ? 4096 : 16 * n;
    strcpy(ROOM.folder, "/tmp/clearway-test-XXXXXX");
    assert_non_null(mkdtemp(ROOM.folder));
    (void)snprintf(ROOM.plan, sizeof ROOM.plan, "%s/plan", ROOM.folder);
    (void)snprintf(ROOM.file, sizeof ROOM.file, "%s/file", ROOM.folder);
    ROOM.in = (uint64_t *)memory(ROOM.bytes);
    ROOM.out = (uint64_t *)memory(ROOM.bytes);
    ROOM.values = (uint64_t *)memory(ROOM.bytes);
    ROOM.index = (uint64_t *)memory(ROOM.bytes);
    ROOM.rows = (uint32_t *)memory(ROOM.bytes);
    ROOM.offsets = (uint64_t *)memory(ROOM.bytes);
    ROOM.workspace = (unsigned char *)aligned_alloc(256, FAULT_WORKSPACE);
    assert_non_null(ROOM.workspace);
    fill(n);
    assert_int_equal(cw_plan_create(ROOM.index, 8, n, 8, 0, 1, &plan), CW_OK);
    assert_int_equal(cw_plan_save(plan, ROOM.plan), CW_OK);
    cw_plan_destroy(plan);
}

void fault_room_end(void)
{
    unlink(ROOM.plan);
    unlink(ROOM.file);
    if (rmdir(ROOM.folder))
        fail_msg("%s: something is left there", ROOM.folder);
    free(ROOM.in), free(ROOM.out), free(ROOM.values), free(ROOM.index);
    free(ROOM.rows), free(ROOM.offsets), free(ROOM.workspace);
}

/* ---- the scenes ----------------------------------------------------------------------------- */

void fault_scene_open(struct fault_scene *s, cw_backend backend)
{
    memset(s, 0, sizeof *s);
    s->n = ROOM.n;
    assert_int_equal(cw_context_create(backend, &s->context), CW_OK);
    assert_int_equal(cw_context_set_threads(s->context, 3), CW_OK);
    assert_int_equal(cw_context_set_seed(s->context, 1), CW_OK);
    assert_int_equal(cw_plan_load(ROOM.plan, &s->plan), CW_OK);
    assert_int_equal(cw_memory_alloc(s->context, cw_plan_table_bytes(s->plan) + 1, &s->table),
                     CW_OK);
    assert_int_equal(cw_plan_write_table(s->context, s->plan, s->table), CW_OK);
}

void fault_scene_close(struct fault_scene *s)
{
    fault_pair_end(s->pair);
    cw_plan_destroy(s->plan);
    cw_memory_free(s->context, s->table);
    cw_context_destroy(s->context);
}
