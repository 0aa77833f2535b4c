/* test_faults.c - each call of the API while memory, threads, files or the system's randomness fail, once at each place
 * where it asks for them: it says so with the right status or does without, leaks nothing, leaves its outputs alone
 * when it fails, and works the next time. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clearway.h"
#include "clearway_distributed.h"
#include "failing_calls.h"
#include "test.h"

#define MOST      ((size_t)80000) /* items */
#define PAYLOADS  40u             /* more than a call has room for on its stack */
#define WORKSPACE ((size_t)8 << 20)

/* What calls work on: made once, and not by calls that fail. */
static struct {
    uint64_t *in, *out, *values, *index; /* MOST each, of 16 bytes */
    float *weights;
    unsigned char *workspace, *kept;
    char folder[64], plan[96], file[96];
} room;

struct scene {
    cw_context *context;
    size_t n;
    cw_plan *plan, *made;
    void *table, *block;
    cw_threads *threads;
};

/* ---- the calls ------------------------------------------------------------------------------ */

static cw_status sort_pairs(struct scene *s)
{
    const cw_array job = {.type = CW_U64,
                          .n = s->n,
                          .keys_in = room.in,
                          .keys_out = room.out,
                          .values_in = room.in,
                          .values_out = room.values,
                          .value_bytes = 8};

    return cw_sort(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status argsort(struct scene *s)
{
    const cw_array job = {
        .type = CW_U32, .n = s->n, .keys_in = room.in, .index_out = room.out, .index_bytes = 8};

    return cw_sort(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status sort_comparing(struct scene *s)
{
    const cw_array job = {.type = CW_U32,
                          .flags = CW_CONFLICT_FREE,
                          .n = s->n,
                          .keys_in = room.in,
                          .keys_out = room.out};

    return cw_sort(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status sort_bytes(struct scene *s)
{
    const cw_array job = {.type = CW_I8, .n = s->n, .keys_in = room.in, .keys_out = room.out};

    return cw_sort(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status sort_rows(struct scene *s)
{
    const cw_rows job = {.type = CW_F32,
                         .rows = s->n / 100,
                         .length = 100,
                         .keys_in = room.in,
                         .keys_out = room.out,
                         .index_out = room.values};

    return cw_sort_rows(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status sort_long_rows(struct scene *s)
{
    const cw_rows job = {
        .type = CW_U64, .rows = 2, .length = s->n / 2, .keys_in = room.in, .keys_out = room.out};

    return cw_sort_rows(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status partition(struct scene *s)
{
    cw_payload payloads[PAYLOADS];
    const size_t n = s->n / PAYLOADS;
    const cw_partition_job job = {.type = CW_U16,
                                  .rule = CW_BY_HASH,
                                  .flags = CW_CHECK,
                                  .n = n,
                                  .buckets = 50,
                                  .keys_in = room.in,
                                  .payloads = payloads,
                                  .payload_count = PAYLOADS,
                                  .offsets = room.values};

    for (size_t x = 0; x < PAYLOADS; x++)
        payloads[x] = (cw_payload){room.in + n * x, room.out + n * x, 8};
    return cw_partition(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status permute(struct scene *s)
{
    const cw_permute_job job = {.flags = CW_CHECK,
                                .n = s->n,
                                .bytes = 8,
                                .in = room.in,
                                .out = room.out,
                                .index = room.index,
                                .index_bytes = 8};

    return cw_permute(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status gather_sum(struct scene *s)
{
    const cw_gather_job job = {.flags = CW_CHECK,
                               .type = CW_F32,
                               .n = s->n / 4,
                               .rows = s->n / 4,
                               .columns = 8,
                               .per = 2,
                               .in = room.in,
                               .out = room.out,
                               .index = room.weights,
                               .index_bytes = 4};

    return cw_gather_sum(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status shuffle(struct scene *s)
{
    const cw_shuffle_job job = {.n = s->n, .bytes = 8, .seed = 3, .in = room.in, .out = room.out};

    return cw_shuffle(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status transpose(struct scene *s)
{
    const cw_transpose_job job = {
        .rows = 50, .columns = s->n / 50, .bytes = 8, .in = room.in, .out = room.out};

    return cw_transpose(s->context, &job, room.workspace, WORKSPACE, NULL);
}

static cw_status plan_execute(struct scene *s)
{
    return cw_plan_execute(s->context, s->plan, s->table, room.in, room.out, room.workspace,
                           WORKSPACE, NULL);
}

static cw_status plan_write_table(struct scene *s)
{
    return cw_plan_write_table(s->context, s->plan, s->table);
}

static cw_status plan_create(struct scene *s)
{
    const cw_status status = cw_plan_create(room.index, 8, s->n, 8, 0, 3, &s->made);

    assert_true(!status == (s->made != NULL));
    cw_plan_destroy(s->made);
    s->made = NULL;
    return status;
}

static cw_status plan_save(struct scene *s)
{
    return cw_plan_save(s->plan, room.file);
}

static cw_status plan_load(struct scene *s)
{
    const cw_status status = cw_plan_load(room.plan, &s->made);

    assert_true(!status == (s->made != NULL));
    cw_plan_destroy(s->made);
    s->made = NULL;
    return status;
}

static cw_status memory_alloc(struct scene *s)
{
    const cw_status status = cw_memory_alloc(s->context, 1000, &s->block);

    cw_memory_free(s->context, s->block);
    return status;
}

static cw_status context_create(struct scene *s)
{
    cw_context *other;
    const cw_status status = cw_context_create(cw_context_backend(s->context), &other);

    assert_true(!status == (other != NULL));
    cw_context_destroy(other);
    return status;
}

static cw_status threads_create(struct scene *s)
{
    const cw_status status = cw_threads_create(4, &s->threads);

    assert_true(!status == (s->threads != NULL));
    cw_threads_destroy(s->threads);
    return status;
}

static const struct call {
    const char *name;
    cw_status (*make)(struct scene *s);
} calls[] = {
#define CALL(name)  \
    {               \
#name, name \
    }
    CALL(sort_pairs),   CALL(argsort),          CALL(sort_comparing), CALL(sort_bytes),
    CALL(sort_rows),    CALL(sort_long_rows),   CALL(partition),      CALL(permute),
    CALL(gather_sum),   CALL(shuffle),          CALL(transpose),      CALL(plan_execute),
    CALL(plan_create),  CALL(plan_write_table), CALL(plan_save),      CALL(plan_load),
    CALL(memory_alloc), CALL(context_create),   CALL(threads_create),
};

/* ---- the scenes ----------------------------------------------------------------------------- */

static void open_scene(struct scene *s, cw_backend backend, size_t n)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    assert_int_equal(cw_context_create(backend, &s->context), CW_OK);
    assert_int_equal(cw_context_set_threads(s->context, 3), CW_OK);
    assert_int_equal(cw_context_set_seed(s->context, 1), CW_OK);
    assert_int_equal(cw_plan_create(room.index, 8, n, 8, 0, 1, &s->plan), CW_OK);
    assert_int_equal(cw_memory_alloc(s->context, cw_plan_table_bytes(s->plan) + 1, &s->table),
                     CW_OK);
    assert_int_equal(cw_plan_write_table(s->context, s->plan, s->table), CW_OK);
}

static void close_scene(struct scene *s)
{
    cw_plan_destroy(s->plan);
    cw_memory_free(s->context, s->table);
    cw_context_destroy(s->context);
}

/* Indices 0 .. n - 1 in another order: plans and permutations of n. */
static void make_inputs(size_t n)
{
    struct cw_random random = cw_random_from(7);

    for (size_t i = 0; i < MOST; i++) {
        room.in[i] = cw_random_next(&random) & UINT64_C(0x7f7f7fff7f7f7fff); /* no NaNs */
        room.index[i] = i;
        ((uint32_t *)room.weights)[i] = (uint32_t)(i % (n / 4));
    }
    for (size_t i = n - 1; i; i--) {
        const size_t k = (size_t)cw_random_below(&random, i + 1);
        const uint64_t was = room.index[i];

        room.index[i] = room.index[k];
        room.index[k] = was;
    }
}

static void clear_outputs(void)
{
    memset(room.out, 0x5a, MOST * 16);
    memset(room.values, 0x5a, MOST * 16);
}

static int outputs_are(const unsigned char *kept)
{
    return !memcmp(room.out, kept, MOST * 16) && !memcmp(room.values, kept + MOST * 16, MOST * 16);
}

static void keep_outputs(unsigned char *kept)
{
    memcpy(kept, room.out, MOST * 16);
    memcpy(kept + MOST * 16, room.values, MOST * 16);
}

static int is_right(cw_status status, enum failing_kind kind, const char *name)
{
    switch (kind) {
    case FAILING_MEMORY:
        return status == CW_OK || status == CW_ERR_MEMORY;
    case FAILING_FILE: /* a file that ends too early may be a damaged one */
        return status == CW_ERR_IO || status == CW_OK ||
               (status == CW_ERR_FORMAT && !strcmp(name, "fread"));
    default:
        return status == CW_OK;
    }
}

/* One call with its k-th request failing; 0 when it makes no more than k. */
static int try_one(const struct call *call, cw_backend backend, size_t n, long k)
{
    const long before = failing_calls_live();
    const unsigned char *const clean = room.kept + MOST * 32;
    struct scene s;
    enum failing_kind kind;
    const char *name;
    cw_status status;

    open_scene(&s, backend, n);
    clear_outputs();
    failing_calls_begin(k);
    status = call->make(&s);
    kind = failing_calls_end(&name);
    if (!is_right(status, kind, name) || !cw_status_name(status) ||
        (status && backend == CW_CPU && !outputs_are(clean)) ||
        (!status && !outputs_are(room.kept)))
        fail_msg("%s on backend %d, request %ld (%s) fails: %s (%s)", call->name, (int)backend, k,
                 name, cw_status_name(status), cw_last_error());
    clear_outputs();
    if (call->make(&s) || !outputs_are(room.kept))
        fail_msg("%s on backend %d does not work after request %ld (%s) failed", call->name,
                 (int)backend, k, name);
    close_scene(&s);
    if (failing_calls_live() != before)
        fail_msg("%s on backend %d, request %ld (%s) fails: %ld blocks are lost", call->name,
                 (int)backend, k, name, failing_calls_live() - before);
    return kind != FAILING_NONE;
}

/* The first requests one after another, then ever fewer of them, others with each seed; CW_LONG: all. */
static void try_all(cw_backend backend, size_t n)
{
    struct cw_random random = cw_random_from(cw_test_seed());
    const long all = cw_long_run() ? 100000 : CW_FEW ? 4 : 16; /* one after another */
    long tried = 0;

    make_inputs(n);
    clear_outputs();
    keep_outputs(room.kept + MOST * 32);
    for (size_t c = 0; c < COUNT(calls); c++) {
        struct scene s;
        long requests = 0;

        open_scene(&s, backend, n);
        clear_outputs();
        assert_int_equal(calls[c].make(&s), CW_OK);
        keep_outputs(room.kept);
        close_scene(&s);
        while (try_one(&calls[c], backend, n, requests) && requests < all)
            requests++;
        for (long k = requests; try_one(&calls[c], backend, n, k); tried++)
            k += 1 + (long)cw_random_below(&random, (uint64_t)k);
        tried += requests;
    }
    print_message("backend %d: %ld requests failed\n", (int)backend, tried);
}

static void host_threads_survive_every_fault(void **state)
{
    (void)state;
    try_all(CW_CPU, MOST);
}

static void the_emulator_survives_every_fault(void **state)
{
    (void)state;
    try_all(CW_EMULATOR, CW_FEW ? 700 : 2000);
}

static int make_room(void **state)
{
    cw_plan *plan;

    (void)state;
    strcpy(room.folder, "/tmp/clearway-test-XXXXXX");
    assert_non_null(mkdtemp(room.folder));
    (void)snprintf(room.plan, sizeof room.plan, "%s/plan", room.folder);
    (void)snprintf(room.file, sizeof room.file, "%s/file", room.folder);
    room.in = (uint64_t *)calloc(MOST, 16);
    room.out = (uint64_t *)calloc(MOST, 16);
    room.values = (uint64_t *)calloc(MOST, 16);
    room.index = (uint64_t *)calloc(MOST, 16);
    room.weights = (float *)calloc(MOST, 4);
    room.kept = (unsigned char *)calloc(MOST, 64);
    room.workspace = (unsigned char *)aligned_alloc(256, WORKSPACE);
    assert_true(room.in && room.out && room.values && room.index && room.weights && room.kept &&
                room.workspace);
    make_inputs(MOST);
    assert_int_equal(cw_plan_create(room.index, 8, MOST, 8, 0, 1, &plan), CW_OK);
    assert_int_equal(cw_plan_save(plan, room.plan), CW_OK);
    cw_plan_destroy(plan);
    return 0;
}

static int clean_room(void **state)
{
    (void)state;
    unlink(room.plan);
    unlink(room.file);
    if (rmdir(room.folder))
        print_message("%s: something is left there\n", room.folder);
    free(room.in), free(room.out), free(room.values), free(room.index);
    free(room.weights), free(room.kept), free(room.workspace);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_threads_survive_every_fault),
        cmocka_unit_test(the_emulator_survives_every_fault),
    };

    return cmocka_run_group_tests(tests, make_room, clean_room);
}
