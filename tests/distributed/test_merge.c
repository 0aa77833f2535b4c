/* test_merge.c - runs of keys merged by one thread: all of them, in order, and nothing beside them. */
#include <string.h>

#include "clearway_distributed.h"
#include "distributed/sort/merge.h"
#include "test.h"

#define MOST (16u * 7u)

static uint64_t word_at(const void *keys, size_t bytes, uint64_t i)
{
    return bytes == 8 ? ((const uint64_t *)keys)[i] : ((const uint32_t *)keys)[i];
}

static void put(void *keys, size_t bytes, uint64_t i, uint64_t x)
{
    if (bytes == 8)
        ((uint64_t *)keys)[i] = x;
    else
        ((uint32_t *)keys)[i] = (uint32_t)x;
}

/* `runs` runs of 0 to 6 keys.  What stands behind their lengths is no length. */
static void merges(size_t bytes, uint32_t runs, struct cw_random *r)
{
    const cw_array job = {.type = bytes == 8 ? CW_U64 : CW_U32, .bits = 8u * (unsigned)bytes};
    struct cw_merge m = {.range = UINT64_MAX >> (64u - job.bits), .runs = runs};
    uint64_t from[MOST + 8], to[MOST + 8], lengths[CW_MERGE_RUNS + 1], all = 0;
    uint64_t counts[64] = {0};

    memset(to, 0x5a, sizeof to);
    for (uint32_t x = 0; x < runs; x++) {
        uint64_t key = 0;

        lengths[x] = cw_random_below(r, 7);
        for (uint64_t k = 0; k < lengths[x]; k++) {
            key += cw_random_below(r, 9);
            put(from, bytes, all++, key);
            counts[key]++;
        }
    }
    lengths[runs] = 3;
    m.map = cw_key_map_of_array(&job);
    m.lengths = lengths;
    if (bytes == 8)
        cw_merge8(&m, from, to);
    else
        cw_merge4(&m, (uint32_t *)from, (uint32_t *)to);
    for (uint64_t i = 0; i < all; i++) {
        assert_true(i == 0 || word_at(to, bytes, i - 1) <= word_at(to, bytes, i));
        assert_true(counts[word_at(to, bytes, i)]-- > 0);
    }
    for (uint64_t i = all * bytes; i < sizeof to; i++)
        assert_int_equal(((unsigned char *)to)[i], 0x5a);
}

static void runs_are_merged_and_no_byte_behind_them_is_written(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());

    (void)state;
    for (uint32_t runs = 1; runs <= CW_MERGE_RUNS; runs++) {
        for (int k = 0; k < 20; k++) {
            merges(4, runs, &r);
            merges(8, runs, &r);
        }
    }
}

/* 2^64 / 64 keys are the most: sizes of them, in bytes, are numbers still. */
static void as_many_keys_as_fit_are_taken(void **state)
{
    const cw_array job = {.type = CW_U8, .n = 100, .bits = 8};
    const uint64_t most = SIZE_MAX / 64u;
    cw_context *context;
    size_t bytes;

    (void)state;
    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    assert_int_equal(cw_group_sort_workspace(context, &job, most, UINT32_MAX, &bytes), CW_OK);
    assert_true(bytes >= most / UINT32_MAX);
    assert_int_equal(cw_group_sort_workspace(context, &job, most + 1, UINT32_MAX, &bytes),
                     CW_ERR_ARGUMENT);
    assert_int_equal(bytes, 0);
    cw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_merged_and_no_byte_behind_them_is_written),
        cmocka_unit_test(as_many_keys_as_fit_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
