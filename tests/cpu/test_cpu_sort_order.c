/* test_cpu_sort_order.c - sorts on the host of arrays that have some order already, or equal floats of several bits. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "clearway.h"
#include "cpu/sort/sort.h"
#include "cpu/sort/work.h"
#include "test.h"
#include "values.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* of those that the sort alone calls */
#define WORD_LOG 2
#include "cpu/sort/leaf/nearly.h"

/* ---- what is taken out ------------------------------------------------------------------------ */

static int by_value(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

/* Part n words; kept ones must rise, and all must be there. 1: it was the way. */
static int parted(const uint32_t *x, uint32_t n, uint32_t *out)
{
    uint32_t *const room = (uint32_t *)malloc(n * sizeof *room);
    uint32_t *const want = (uint32_t *)malloc(n * sizeof *want);
    struct kept k = {cw_sort_keys_of(cw_columns_list, 4), room, n, 0, 0, n, 0};
    const int was = part(&k, x);

    *out = k.out;
    if (was) {
        assert_int_equal(k.kept + k.out, n);
        for (uint32_t i = 1; i < k.kept; i++)
            assert_true(room[i - 1] <= room[i]);
        memcpy(want, x, n * sizeof *want);
        qsort(want, n, sizeof *want, by_value);
        qsort(room, n, sizeof *room, by_value);
        assert_memory_equal(room, want, n * sizeof *want);
    }
    free(want);
    free(room);
    return was;
}

static void only_what_disturbs_the_order_is_taken_out(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());
    const uint32_t n = 4096;
    uint32_t *const x = (uint32_t *)malloc(n * sizeof *x), out;

    (void)state;
    assert_non_null(x);
    for (uint32_t moved = 0; moved <= n / 40; moved = moved * 2 + 1) {
        for (uint32_t i = 0; i < n; i++)
            x[i] = i << 16;
        for (uint32_t k = 0; k < moved; k++)
            x[cw_random_below(&r, n)] = (uint32_t)cw_random_next(&r);
        assert_true(parted(x, n, &out));
        assert_true(out <= 2 * moved);
    }
    for (uint32_t i = 0; i < n; i++) /* a block of high ones among the others */
        x[i] = (i < 1000 || i > 1030 ? i : n + i) << 16;
    assert_true(parted(x, n, &out));
    assert_int_equal(out, 31);
    for (uint32_t i = 0; i < n; i++)
        x[i] = (uint32_t)cw_random_next(&r);
    assert_false(parted(x, n, &out));
    assert_true(out <= 2 * SHARE); /* random words are known early */
    free(x);
}

/* Sort keys 4 bytes long by a way, with their places as values: equal keys keep their order. */
static void stays_stable(const struct cw_columns *columns, const uint32_t *keys, uint32_t n)
{
    const struct cw_sort_ways ways = {columns, 0, 12, cw_test_seed(), 0};
    const size_t bytes = 32 * (size_t)n + ((size_t)1 << 16);
    uint32_t *const place = (uint32_t *)malloc(3 * n * sizeof *place);
    uint32_t *const sorted = place + n, *const from = place + 2 * n;
    void *const workspace = aligned_alloc(256, bytes / 256 * 256);
    const cw_array job = {.type = CW_U32,
                          .n = n,
                          .keys_in = keys,
                          .keys_out = sorted,
                          .value_bytes = 4,
                          .values_in = place,
                          .values_out = from};

    assert_non_null(place);
    assert_non_null(workspace);
    for (uint32_t x = 0; x < n; x++)
        place[x] = x;
    assert_int_equal(cw_cpu_sort_by(&job, workspace, NULL, &ways), CW_OK);
    for (uint32_t x = 0; x < n; x++) {
        assert_int_equal(sorted[x], keys[from[x]]);
        if (x &&
            (sorted[x] < sorted[x - 1] || (sorted[x] == sorted[x - 1] && from[x] < from[x - 1])))
            fail_msg("%s, %u keys: place %u behind place %u", columns->name, n, from[x],
                     from[x - 1]);
    }
    free(place);
    free(workspace);
}

/* What is taken out of an array is not in the order of its places any more: it was sorted by digits of keys alone,
 * where there is no AVX-512, and equal keys came out backwards. */
static void equal_keys_that_are_taken_out_keep_their_order(void **state)
{
    static const uint32_t lengths[] = {700, 5000, 32768};

    (void)state;
    for (uint32_t way = 0; way < cw_columns_count; way++)
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const uint32_t n = lengths[l];
            uint32_t *const keys = (uint32_t *)malloc(n * sizeof *keys);

            assert_non_null(keys);
            for (uint32_t x = 0; x < n; x++)
                keys[x] = x < 100 || x % 19 ? UINT32_MAX / 2 / n * x : x / 19 % 2 ? 0 : UINT32_MAX;
            if (cw_columns_list[way].here())
                stays_stable(&cw_columns_list[way], keys, n);
            free(keys);
        }
}

/* ---- equal floats ------------------------------------------------------------------------------ */

/* -0 and +0 come first, or NaNs last; between them whole numbers. */
static int comes_before(cw_type type, uint64_t a, uint64_t b)
{
    const long double x = cw_value_of(type, a), y = cw_value_of(type, b);

    return x != x ? 0 : y != y ? 1 : x < y;
}

/* Stable, by merging halves; `room` has n words. */
static void sorted_by_merging(cw_type type, uint64_t *key, uint64_t *room, size_t n)
{
    const size_t half = n / 2;
    size_t x = 0, y = half;

    if (n < 2)
        return;
    sorted_by_merging(type, key, room, half);
    sorted_by_merging(type, key + half, room, n - half);
    for (size_t k = 0; k < n; k++) {
        const int second = x == half || (y < n && comes_before(type, key[y], key[x]));

        room[k] = key[second ? y++ : x++];
    }
    memcpy(key, room, n * sizeof *key);
}

static void sort_ties(cw_context *context, cw_type type, uint32_t kind, size_t n, int in_place)
{
    const size_t bytes = cw_type_bytes(type);
    const uint64_t zero = (uint64_t)1 << (8 * bytes - 1);
    struct cw_random r = cw_random_from(cw_test_seed() * 97 + kind * 8191 + n);
    uint64_t *const want = (uint64_t *)malloc(2 * n * sizeof *want);
    char *const keys = (char *)malloc(n * bytes), *const out = (char *)malloc(n * bytes);
    cw_array job = {.type = type, .flags = CW_STABLE, .n = n, .keys_in = keys, .keys_out = out};
    void *workspace;
    size_t need;

    job.keys_out = in_place ? keys : out;
    for (size_t x = 0; x < n; x++) {
        const uint64_t draw = cw_random_below(&r, 8), low = cw_random_below(&r, 1000);

        want[x] = 1 + low; /* subnormal, or nearly */
        if (draw == 0)
            want[x] = kind & 1 ? zero : 0;
        if (draw == 1)
            want[x] = kind & 2 && x > n / 2 ? 0 : want[x];
        if (draw == 2 && kind & 4)
            want[x] = cw_nan_of(type, kind & 8 ? x : 1);
        if (kind == 16) /* words fall: the last two keys are equal, and stay */
            want[x] = x + 2 < n ? n - x : x + 2 == n ? 0 : zero;
        cw_set_item(keys, x, bytes, want[x]);
    }
    sorted_by_merging(type, want, want + n, n);
    assert_int_equal(cw_sort_workspace(&job, &need), CW_OK);
    assert_non_null(workspace = aligned_alloc(256, need / 256 * 256 + 256));
    assert_int_equal(cw_sort(context, &job, workspace, need, NULL), CW_OK);
    for (size_t x = 0; x < n; x++)
        if (cw_item(job.keys_out, x, bytes) != want[x])
            fail_msg("%s, kind %u, %zu keys, in place %d: key %zu is %llx, not %llx (CW_SEED=%llu)",
                     cw_type_name(type), kind, n, in_place, x,
                     (unsigned long long)cw_item(job.keys_out, x, bytes),
                     (unsigned long long)want[x], (unsigned long long)cw_test_seed());
    free(workspace);
    free(out);
    free(keys);
    free(want);
}

/* Of every mixture: none, -0 and +0, NaNs of one kind, NaNs of several; and +0 before -0 in falling keys. */
static void equal_floats_of_other_bits_keep_their_order(void **state)
{
    static const size_t lengths[] = {2, 40, 700, 3000};
    cw_context *context;

    (void)state;
    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    for (int type = CW_F16; type <= CW_F64; type++)
        for (uint32_t kind = 0; kind < 17; kind++)
            for (size_t k = 0; k < COUNT(lengths); k++)
                sort_ties(context, (cw_type)type, kind, lengths[k], (int)(kind + k) % 2);
    cw_context_destroy(context);
}

/* ---- buffers ----------------------------------------------------------------------------------- */

static void a_team_keeps_its_buffers(void **state)
{
    struct cw_team team = {.wanted = 2};
    void *first, *second, *large, *none;

    (void)state;
    assert_non_null(first = cw_team_buffers(&team, 100000));
    assert_int_equal((uintptr_t)first % 256, 0);
    assert_non_null(second = cw_team_buffers(&team, 1000)); /* while the first is out */
    assert_ptr_not_equal(first, second);
    cw_team_buffers_done(&team, second);
    cw_team_buffers_done(&team, first);
    assert_ptr_equal(cw_team_buffers(&team, 99999), first);
    cw_team_buffers_done(&team, first);
    assert_non_null(large = cw_team_buffers(&team, 3 * CW_TEAM_KEEPS)); /* too much to keep */
    cw_team_buffers_done(&team, large);
    assert_int_equal(team.kept_bytes, 100096);
    assert_non_null(none = cw_team_buffers(NULL, 0));
    cw_team_buffers_done(NULL, none);
    cw_team_end(&team);
    assert_null(team.kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_disturbs_the_order_is_taken_out),
        cmocka_unit_test(equal_keys_that_are_taken_out_keep_their_order),
        cmocka_unit_test(equal_floats_of_other_bits_keep_their_order),
        cmocka_unit_test(a_team_keeps_its_buffers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
