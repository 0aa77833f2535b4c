/* test_sort_count.c - arrays whose number of items is in the context's memory, in two contexts.
 *
 * Whatever the count says, the result is that of an array of so many items, or of n if it says more, and what is behind
 * them in the outputs stays as it was.  One job is sorted again and again with other counts, as a graph would be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "rows_case.h"
#include "values.h"

#define GUARD 0x5b

static cw_context *contexts[2];

static int open_contexts(void **state)
{
    (void)state;
    return cw_context_create(CW_CPU, &contexts[0]) ||
           cw_context_create(rows_test_backend(), &contexts[1]);
}

static int close_contexts(void **state)
{
    (void)state;
    cw_context_destroy(contexts[0]);
    cw_context_destroy(contexts[1]);
    return 0;
}

struct form {
    cw_type type;
    unsigned flags;
    size_t value_bytes, index_bytes, count_bytes;
    int keys, in_place;
};

static const struct form forms[] = {
    {.type = CW_U32, .keys = 1, .count_bytes = 4},
    {.type = CW_F32, .keys = 1, .value_bytes = 4, .flags = CW_STABLE, .count_bytes = 8},
    {.type = CW_U64,
     .keys = 1,
     .value_bytes = 4,
     .in_place = 1,
     .flags = CW_STABLE,
     .count_bytes = 4},
    {.type = CW_I32, .index_bytes = 4, .count_bytes = 8},
    {.type = CW_F64, .keys = 1, .index_bytes = 8, .flags = CW_DESCENDING, .count_bytes = 4},
    {.type = CW_U16,
     .keys = 1,
     .index_bytes = 4,
     .value_bytes = 8,
     .in_place = 1,
     .count_bytes = 8},
    {.type = CW_U8, .keys = 1, .count_bytes = 4},
    {.type = CW_F16,
     .keys = 1,
     .value_bytes = 16,
     .flags = CW_STABLE,
     .in_place = 1,
     .count_bytes = 4},
};

enum { KEYS_IN, KEYS_OUT, VALUES_IN, VALUES_OUT, INDEX, ARRAYS };

struct run {
    const struct form *f;
    cw_context *context;
    size_t n, bytes[ARRAYS];
    unsigned char *host[ARRAYS], *want[ARRAYS], *got;
    void *there[ARRAYS], *count, *workspace;
    size_t workspace_bytes;
    cw_array job;
};

static void take(cw_context *context, size_t bytes, void **out)
{
    assert_int_equal(case_memory_take(context, bytes + 1, out), CW_OK);
}

static void *array_of(void *const *all, const struct form *f, int which)
{
    if (which == KEYS_OUT)
        return !f->keys ? NULL : all[f->in_place ? KEYS_IN : KEYS_OUT];
    if (which == VALUES_OUT)
        return !f->value_bytes ? NULL : all[f->in_place ? VALUES_IN : VALUES_OUT];
    if (which == VALUES_IN)
        return f->value_bytes ? all[VALUES_IN] : NULL;
    return which == INDEX && !f->index_bytes ? NULL : all[which];
}

static cw_array job_of(const struct form *f, size_t n, void *const *all)
{
    cw_array job = {.type = f->type, .flags = f->flags, .n = n};

    job.keys_in = all[KEYS_IN];
    job.keys_out = array_of(all, f, KEYS_OUT);
    job.values_in = array_of(all, f, VALUES_IN);
    job.values_out = array_of(all, f, VALUES_OUT);
    job.value_bytes = f->value_bytes;
    job.index_out = array_of(all, f, INDEX);
    job.index_bytes = f->index_bytes;
    return job;
}

static void begin(struct run *r, const struct form *f, cw_context *context, size_t n)
{
    const size_t key = cw_type_bytes(f->type);
    const size_t bytes[ARRAYS] = {key, key, f->value_bytes, f->value_bytes, f->index_bytes};
    struct cw_random random = cw_random_from(cw_test_seed() + n);

    memset(r, 0, sizeof *r);
    r->f = f;
    r->context = context;
    r->n = n;
    r->got = (unsigned char *)malloc(n * 16 + 1);
    for (int x = 0; x < ARRAYS; x++) {
        r->bytes[x] = n * bytes[x];
        r->host[x] = (unsigned char *)malloc(r->bytes[x] + 1);
        r->want[x] = (unsigned char *)malloc(r->bytes[x] + 1);
        assert_true(r->host[x] && r->want[x] && r->got);
        for (size_t i = 0; i < r->bytes[x]; i++)
            r->host[x][i] =
                x % 2 || x == INDEX ? GUARD : (unsigned char)(cw_random_next(&random) >> 9);
        take(context, r->bytes[x], &r->there[x]);
    }
    take(context, 8, &r->count);
    r->job = job_of(f, n, r->there);
    r->job.count = r->count;
    r->job.count_bytes = f->count_bytes;
    assert_int_equal(cw_sort_workspace(&r->job, &r->workspace_bytes), CW_OK);
    take(context, r->workspace_bytes, &r->workspace);
}

static void end(struct run *r)
{
    for (int x = 0; x < ARRAYS; x++) {
        free(r->host[x]);
        free(r->want[x]);
        case_memory_give(r->context, r->there[x]);
    }
    free(r->got);
    case_memory_give(r->context, r->count);
    case_memory_give(r->context, r->workspace);
}

/* The same by a host that is told how many there are. */
static void expect(struct run *r, size_t count)
{
    void *all[ARRAYS], *workspace;
    cw_array job;
    size_t bytes;

    for (int x = 0; x < ARRAYS; x++) {
        memcpy(r->want[x], r->host[x], r->bytes[x]);
        all[x] = r->want[x];
    }
    job = job_of(r->f, count, all);
    job.flags |= CW_STABLE;
    assert_int_equal(cw_sort_workspace(&job, &bytes), CW_OK);
    workspace = aligned_alloc(256, bytes / 256 * 256 + 256);
    assert_non_null(workspace);
    assert_int_equal(cw_sort(contexts[0], &job, workspace, bytes, NULL), CW_OK);
    free(workspace);
}

static void sort_with(struct run *r, uint64_t count)
{
    const size_t there = count < r->n ? (size_t)count : r->n;
    const uint32_t count4 = (uint32_t)count;

    for (int x = 0; x < ARRAYS; x++)
        if (r->bytes[x])
            assert_int_equal(cw_memory_write(r->context, r->there[x], r->host[x], r->bytes[x]),
                             CW_OK);
    assert_int_equal(
        cw_memory_write(r->context, r->count,
                        r->f->count_bytes == 4 ? (const void *)&count4 : (const void *)&count,
                        r->f->count_bytes),
        CW_OK);
    if (cw_sort(r->context, &r->job, r->workspace, r->workspace_bytes, NULL) ||
        cw_wait(r->context, NULL))
        fail_msg("%s", cw_last_error());
    expect(r, there);
    for (int x = 0; x < ARRAYS; x++) {
        if (!r->bytes[x])
            continue;
        assert_int_equal(cw_memory_read(r->context, r->got, r->there[x], r->bytes[x]), CW_OK);
        if (memcmp(r->got, r->want[x], r->bytes[x]))
            fail_msg("form %d, array %d, %s: n %zu, count %llu (CW_SEED=%llu)", (int)(r->f - forms),
                     x, r->context == contexts[0] ? "host" : "kernels", r->n,
                     (unsigned long long)count, (unsigned long long)cw_test_seed());
    }
}

static void try_bound(size_t n, unsigned part)
{
    const uint64_t counts[] = {0, 1, n / 100, n / 3 + 1, n - 1, n, n + 1, UINT32_MAX};

    for (size_t f = 0; f < COUNT(forms); f++) {
        for (int c = 0; c < 2; c++) {
            struct run r;

            if (CW_SANITIZED && c && n > 10000 && (f + cw_test_seed()) % 2)
                continue; /* half of the forms, the others another time */
            begin(&r, &forms[f], contexts[c], n);
            for (size_t x = 0; x < COUNT(counts); x++)
                if ((x + f) % part == 0 || !c)
                    sort_with(&r, counts[x]);
            end(&r);
        }
    }
}

/* Of one launch, of tiles and of portions. */
static void as_many_as_the_count_says_are_sorted(void **state)
{
    const int emulated = rows_test_backend() == CW_EMULATOR;

    (void)state;
    try_bound(1, 1);
    try_bound(300, CW_FEW ? 3 : 1);
    try_bound(4000, CW_FEW ? 5 : 2);
    try_bound(30011, CW_FEW ? 8 : 4);
    if (!emulated) {
        try_bound(1000003, 2);
        try_bound(6000011, 3);
    }
}

static void counts_of_other_sizes_are_refused(void **state)
{
    uint32_t keys[4] = {3, 1, 2, 0};
    cw_array job = {.type = CW_U32, .n = 4, .keys_in = keys, .keys_out = keys, .count_bytes = 2};
    size_t bytes;

    (void)state;
    job.count = keys;
    assert_int_equal(cw_sort_workspace(&job, &bytes), CW_ERR_ARGUMENT);
    job.count_bytes = 0;
    assert_int_equal(cw_sort(contexts[0], &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "count_bytes"));
    assert_int_equal(keys[0], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_other_sizes_are_refused),
        cmocka_unit_test(as_many_as_the_count_says_are_sorted),
    };

    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
