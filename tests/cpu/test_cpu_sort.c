/* test_cpu_sort.c - arrays are sorted by threads of the host, in a stable way, asked for or not. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/threads.h"
#include "cpu_sort_case.h"
#include "guarded.h"

static void short_arrays_are_sorted(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 3, 15, 16, 17, 100, 1000};

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++)
        sort_length_try(lengths[x], 4, CW_SANITIZED ? 6 : 1);
}

static void arrays_of_several_blocks_are_sorted(void **state)
{
    const uint64_t all = cw_long_run() ? 1 : CW_SANITIZED ? 20 : 2;

    (void)state;
    sort_length_try(1025, 3, all);
    sort_length_try(4097, 4, all);
}

static void long_arrays_are_sorted(void **state)
{
    const uint64_t all = cw_long_run() ? 1 : CW_SANITIZED ? 64 : 16;

    (void)state;
    sort_length_try(65537, 3, all);
    sort_length_try(100003, 4, all);
}

/* With the leaves that the library would take, on one thread and on two. */
static void a_million_keys_are_sorted(void **state)
{
    static const struct sort_data all[] = {
        {.type = CW_U32, .input = UNIFORM},
        {.type = CW_U64, .input = ZIPF},
        {.type = CW_F32, .input = HEAVY, .descending = 1},
        {.type = CW_I16, .input = MAGNITUDES},
        {.type = CW_F64, .input = UNIFORM},
    };
    const size_t count = cw_long_run() ? COUNT(all) : CW_SANITIZED ? 1 : 3;

    (void)state;
    for (size_t x = 0; x < count; x++) {
        struct cw_random random = cw_random_from(cw_test_seed() + x);
        struct sort_data d = all[x];

        d.n = (size_t)1 << 20;
        d.seed = cw_random_next(&random);
        d = sort_data_of(d);
        for (size_t form = 0; form < 6; form++) {
            struct sort_run run = {.keys = form != 1, .threads = 1 + form % 2};

            run.index_bytes = form == 1 ? 4 : 0;
            run.value_bytes = form == 2 ? 8 : 0;
            run.flags = form == 5 ? CW_CONFLICT_FREE : 0;
            run.in_place = form == 3;
            run.ways = sort_ways_random(&random);
            run.ways.leaf = 0;
            sort_run_try(&d, &run);
        }
        sort_data_free(&d);
    }
}

/* From 65536 keys on they are counted (cpu/sort/count.c), by one thread for every 256 KiB. */
static void keys_of_two_bytes_are_counted(void **state)
{
    static const cw_type types[] = {CW_U16, CW_I16, CW_F16};
    static const size_t lengths[] = {65535, 65536, 65537, 300000};
    struct cw_random random = cw_random_from(cw_test_seed() * 3);

    (void)state;
    for (size_t x = 0; x < COUNT(lengths) - CW_SANITIZED; x++) {
        for (size_t t = 0; t < COUNT(types); t++) {
            struct sort_run run = {.keys = 1, .threads = 2, .in_place = (int)(x % 2)};
            struct sort_data d = {.type = types[t], .n = lengths[x], .input = UNIFORM};

            d.descending = (int)((x + t) % 2);
            d.seed = cw_random_next(&random);
            d = sort_data_of(d);
            run.ways = sort_ways_random(&random);
            run.ways.leaf = 0;
            sort_run_try(&d, &run);
            sort_data_free(&d);
        }
    }
}

static void only_the_bits_asked_for_count(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() * 7);
    const size_t cases = cw_long_run() ? 4000 : CW_SANITIZED ? 40 : 240;

    (void)state;
    for (size_t x = 0; x < cases; x++) {
        struct sort_data d = {.n = x % 25 ? 1 + cw_random_below(&random, 3000) : 70000};
        uint32_t width;

        d.type = (cw_type)cw_random_below(&random, CW_TYPE_COUNT);
        d.input = (enum sort_input)cw_random_below(&random, INPUTS);
        d.descending = (int)cw_random_below(&random, 2);
        width = (uint32_t)(8 * cw_type_bytes(d.type));
        d.first_bit = (unsigned)cw_random_below(&random, width);
        d.bits = 1 + (unsigned)cw_random_below(&random, width - d.first_bit);
        d.seed = cw_random_next(&random);
        sort_data_try(d, 3);
    }
}

static void random_cases_are_sorted(void **state)
{
    struct cw_random random = cw_random_from(cw_test_seed() * 31);
    const size_t cases = cw_long_run() ? 20000 : CW_SANITIZED ? 80 : 600;

    (void)state;
    for (size_t x = 0; x < cases; x++) {
        struct sort_data d = {
            .n = cw_random_below(&random, (uint64_t)1 << cw_random_below(&random, 14))};

        d.type = (cw_type)cw_random_below(&random, CW_TYPE_COUNT);
        d.input = (enum sort_input)cw_random_below(&random, INPUTS);
        d.descending = (int)cw_random_below(&random, 2);
        d.seed = cw_random_next(&random);
        sort_data_try(d, 2);
    }
}

static void workspace_is_no_more_than_a_copy(void **state)
{
    char there = 0;

    (void)state;
    for (size_t n = 0; n < (size_t)1 << 34; n = n * 3 + 1) {
        cw_array job = {.type = CW_U64, .n = n, .keys_in = &there, .keys_out = &there};
        const size_t keys = cw_cpu_sort_workspace(&job);

        assert_in_range(keys, 0, n * 8 + ((size_t)64 << 20));
        job.value_bytes = 16;
        job.index_bytes = 4;
        job.index_out = &there;
        assert_in_range(cw_cpu_sort_workspace(&job), keys, n * 28 + ((size_t)64 << 20));
        job.n++;
        assert_true(cw_cpu_sort_workspace(&job) >= keys);
    }
}

struct item {
    cw_type type;
    size_t value_bytes, index_bytes;
};

/* Bytes of the buffers that one thread takes to sort n random items. */
static size_t buffers_for(const struct item *x, size_t n)
{
    const size_t key = cw_type_bytes(x->type), item = key + x->value_bytes + x->index_bytes;
    char *const all = (char *)aligned_alloc(256, 2 * n * item);
    cw_array job = {.type = x->type, .n = n, .index_bytes = x->index_bytes};
    struct cw_random random = cw_random_from(cw_test_seed());
    struct cw_team team = {.wanted = 1};
    size_t kept;

    assert_non_null(all);
    memset(all, 0, n * item);
    for (size_t k = 0; k < n * key; k += 8) {
        const uint64_t drawn = cw_random_next(&random);

        memcpy(all + k, &drawn, sizeof drawn);
    }
    job.value_bytes = x->value_bytes;
    job.keys_in = job.keys_out = all;
    job.values_in = job.values_out = x->value_bytes ? all + n * key : NULL;
    job.index_out = x->index_bytes ? all + n * (key + x->value_bytes) : NULL;
    assert_int_equal(cw_cpu_sort(&job, all + n * item, &team, 5), CW_OK);
    kept = team.kept_bytes;
    cw_team_end(&team);
    free(all);
    return kept;
}

/* From 2^21 items on, 5 % of what is sorted at most (docs/cpu.md); none where vectors sort keys alone. */
static void buffers_are_a_twentieth(void **state)
{
    static const struct item items[] = {{CW_U32, 0, 0}, {CW_U64, 0, 0}, {CW_F32, 4, 0},
                                        {CW_U8, 4, 0},  {CW_U16, 4, 0}, {CW_I64, 0, 8},
                                        {CW_U32, 8, 4}, {CW_F64, 16, 8}};

    (void)state;
    for (size_t x = 0; x < COUNT(items); x++) {
        const size_t item =
            cw_type_bytes(items[x].type) + items[x].value_bytes + items[x].index_bytes;

        for (unsigned log = 21; log <= (CW_SANITIZED ? 21 : 23); log++) {
            const size_t n = ((size_t)1 << log) + 256 * x;

            assert_in_range(buffers_for(&items[x], n), 0, n * item / 20);
        }
    }
}

/* Memory for threads is refused: nothing is written, and the sort says so. */
static void a_sort_without_memory_writes_nothing(void **state)
{
    const size_t n = 300000;
    uint32_t *keys, *was, *workspace;
    cw_array job = {
        .type = CW_U32, .n = n, .flags = CW_CONFLICT_FREE}; /* not by vectors, which need none */
    struct cw_team many = {.wanted = 1000}, two = {.wanted = 2};
    struct rlimit limit, none;
    cw_status status;

    (void)state;
    if (CW_SANITIZED)
        skip();
    keys = (uint32_t *)guarded_array(n * sizeof *keys);
    was = (uint32_t *)guarded_array(n * sizeof *keys);
    workspace = (uint32_t *)guarded_array(n * sizeof *keys);
    job.keys_in = job.keys_out = keys;
    for (size_t x = 0; x < n; x++)
        was[x] = keys[x] = (uint32_t)(x * 2654435761u);
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    none = limit;
    none.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    status = cw_cpu_sort(&job, workspace, &many, 1);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    assert_int_equal(status, CW_ERR_MEMORY);
    assert_memory_equal(keys, was, n * sizeof *keys);
    assert_int_equal(cw_cpu_sort(&job, workspace, &two, 2), CW_OK);
    cw_team_end(&two);
    for (size_t x = 1; x < n; x++)
        assert_true(keys[x - 1] <= keys[x]);
    guarded_free(keys);
    guarded_free(was);
    guarded_free(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sort_without_memory_writes_nothing), /* first: nothing is free yet */
        cmocka_unit_test(short_arrays_are_sorted),
        cmocka_unit_test(arrays_of_several_blocks_are_sorted),
        cmocka_unit_test(long_arrays_are_sorted),
        cmocka_unit_test(a_million_keys_are_sorted),
        cmocka_unit_test(keys_of_two_bytes_are_counted),
        cmocka_unit_test(only_the_bits_asked_for_count),
        cmocka_unit_test(random_cases_are_sorted),
        cmocka_unit_test(workspace_is_no_more_than_a_copy),
        cmocka_unit_test(buffers_are_a_twentieth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
