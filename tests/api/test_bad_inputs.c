/* test_bad_inputs.c - splitters out of order and equal indices: every context says the same of them.
 *
 * Version 0.1 took splitters in any order, even if asked to check; and equal indices, which it
 * promises to survive, were an error on the emulator alone. */
#include <stdlib.h>
#include <string.h>

#include "clearway.h"
#include "test.h"

static const cw_backend backends[] = {CW_CPU, CW_EMULATOR};

/* ---- splitters ------------------------------------------------------------------------------ */

#define N       ((size_t)3000)
#define BUCKETS 40u

static void put(cw_type type, void *array, size_t x, double value)
{
    switch (type) {
    case CW_F32:
        ((float *)array)[x] = (float)value;
        break;
    case CW_F64:
        ((double *)array)[x] = value;
        break;
    case CW_I32:
        ((int32_t *)array)[x] = (int32_t)value;
        break;
    default:
        ((uint64_t *)array)[x] = (uint64_t)(value + 1000);
    }
}

/* Splitters -20, -19, .., of which `bad` is less than the one before (0: none). */
static cw_status partition(cw_backend backend, cw_type type, unsigned flags, size_t bad)
{
    double keys[N], out[N], splitters[BUCKETS];
    uint64_t offsets[BUCKETS + 1];
    cw_partition_job job = {
        .type = type, .rule = CW_BY_SPLITTER, .flags = flags, .n = N, .buckets = BUCKETS};
    cw_context *context;
    void *workspace;
    size_t bytes;
    cw_status status;

    for (size_t x = 0; x < N; x++)
        put(type, keys, x, (double)(x * 7 % 61) - 30);
    for (size_t x = 0; x + 1 < BUCKETS; x++)
        put(type, splitters, x, (double)x - 20 - (bad && x == bad ? 2 : 0));
    job.splitters = splitters;
    job.keys_in = keys;
    job.keys_out = out;
    job.offsets = offsets;
    assert_int_equal(cw_context_create(backend, &context), CW_OK);
    assert_int_equal(cw_partition_workspace(&job, &bytes), CW_OK);
    assert_int_equal(cw_memory_alloc(context, bytes, &workspace), CW_OK);
    status = cw_partition(context, &job, workspace, bytes, NULL);
    if (!status)
        assert_int_equal(offsets[BUCKETS], N);
    cw_memory_free(context, workspace);
    cw_context_destroy(context);
    return status;
}

static void splitters_out_of_order_are_refused_if_asked(void **state)
{
    static const cw_type types[] = {CW_F32, CW_F64, CW_I32, CW_U64};

    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++)
        for (size_t t = 0; t < COUNT(types); t++) {
            assert_int_equal(partition(backends[b], types[t], CW_CHECK, 0), CW_OK);
            for (size_t bad = 1; bad + 1 < BUCKETS; bad += 12) {
                assert_int_equal(partition(backends[b], types[t], CW_CHECK, bad), CW_ERR_ARGUMENT);
                assert_non_null(strstr(cw_last_error(), "is less than splitter"));
                assert_int_equal(partition(backends[b], types[t], 0, bad), CW_OK);
            }
        }
}

/* ---- indices -------------------------------------------------------------------------------- */

/* Every place that an index names holds one of the elements that go there; others are as before. */
static void permute(cw_backend backend, size_t n, size_t bytes, int kind, uint64_t seed)
{
    struct cw_random random = cw_random_from(seed);
    unsigned char *in = (unsigned char *)malloc(n * bytes);
    unsigned char *out = (unsigned char *)malloc(n * bytes);
    uint32_t *index = (uint32_t *)malloc(n * sizeof *index);
    char *named = (char *)calloc(n, 1);
    const cw_permute_job job = {0, n, bytes, in, out, index, 4};
    cw_context *context;
    void *workspace;
    size_t room;

    assert_true(in && out && index && named);
    for (size_t x = 0; x < n * bytes; x++)
        in[x] = (unsigned char)(1 + cw_random_below(&random, 255));
    memset(out, 0, n * bytes);
    for (size_t x = 0; x < n; x++) {
        index[x] = (uint32_t)(kind == 0   ? (x == 5 ? 4 : x)
                              : kind == 1 ? 0
                                          : cw_random_below(&random, n + n / 8));
        if (index[x] < n)
            named[index[x]] = 1;
    }
    assert_int_equal(cw_context_create(backend, &context), CW_OK);
    assert_int_equal(cw_permute_workspace(&job, &room), CW_OK);
    assert_int_equal(cw_memory_alloc(context, room, &workspace), CW_OK);
    if (cw_permute(context, &job, workspace, room, NULL))
        fail_msg("backend %d, n %zu of %zu, kind %d: %s; seed %llu", (int)backend, n, bytes, kind,
                 cw_last_error(), (unsigned long long)seed);
    if (bytes > 16 || kind < 2) /* of others, what arrives where is left open */
        for (size_t x = 0; x < n; x++)
            assert_true(!named[x] == !out[x * bytes]);
    cw_memory_free(context, workspace);
    cw_context_destroy(context);
    free(in);
    free(out);
    free(index);
    free(named);
}

static void equal_indices_are_survived_by_all(void **state)
{
    const uint64_t seed = cw_test_seed();

    (void)state;
    for (size_t b = 0; b < COUNT(backends); b++)
        for (size_t n = 10; n <= 10000; n = n * 31 + 1)
            for (size_t bytes = 1; bytes <= 32; bytes *= 2)
                for (int kind = 0; kind < 3; kind++)
                    permute(backends[b], n, bytes, kind, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitters_out_of_order_are_refused_if_asked),
        cmocka_unit_test(equal_indices_are_survived_by_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
