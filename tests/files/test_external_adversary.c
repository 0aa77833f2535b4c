/* test_external_adversary.c - no file is refused by the external sort, however its keys were made.
 *
 * Version 0.1 took the depth of a bucket as the seed of its sample, and refused what it could not
 * split in 16 passes: "a bucket of 6885888 keys cannot be split".  It refused keys that all have
 * the greatest value, too. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/array_file.h"
#include "files/external.h"
#include "inputs/adversary.h"
#include "test.h"

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sort keys of 8 bytes, or their places, from file to file; x says the rest. */
static void sort_file(struct cw_external x, const uint64_t *keys, uint64_t *out)
{
    struct cw_output output;
    char path[] = "/tmp/clearway-test-XXXXXX";
    FILE *file;

    close(mkstemp(path));
    x.type = CW_U64;
    x.path = "in";
    x.folder = "/tmp";
    x.threads = 2;
    x.out = &output;
    assert_int_equal(cw_scratch_open(x.folder, &x.fd), CW_OK);
    assert_int_equal(cw_write_at(x.fd, "in", keys, x.n * 8, 0), CW_OK);
    assert_int_equal(cw_output_open(path, &output), CW_OK);
    if (cw_external_sort(&x))
        fail_msg("%s; n %llu, seed %llu", cw_last_error(), (unsigned long long)x.n,
                 (unsigned long long)x.seed);
    assert_int_equal(cw_output_commit(&output), CW_OK);
    close(x.fd);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(out, 8, x.n, file), x.n);
    fclose(file);
    unlink(path);
}

static void check(struct cw_external x, const uint64_t *keys)
{
    uint64_t *out = (uint64_t *)malloc(x.n * 8), *want = (uint64_t *)malloc(x.n * 8);
    uint64_t before = 0;

    assert_true(out && want);
    memcpy(want, keys, x.n * 8);
    qsort(want, x.n, 8, by_size);
    sort_file(x, keys, out);
    for (uint64_t i = 0; i < x.n; i++) {
        if (x.places && i && keys[out[i]] == keys[before] && out[i] < before)
            fail_msg("place %llu is not stable", (unsigned long long)i);
        before = out[i];
        if ((x.places ? keys[out[i]] : out[i]) != want[i])
            fail_msg("item %llu is wrong; n %llu, seed %llu", (unsigned long long)i,
                     (unsigned long long)x.n, (unsigned long long)x.seed);
    }
    free(out);
    free(want);
}

/* Buckets of some thousand items; a sample has 65536 of n. */
static const struct cw_external small = {.n = 300000, .bucket_items = 6000, .buckets = 16};

static void a_sample_known_before_is_sorted(void **state)
{
    struct cw_external x = small;
    uint64_t *keys;

    (void)state;
    x.n = CW_SANITIZED ? x.n : 1 << 20;
    keys = (uint64_t *)malloc(x.n * 8);
    assert_non_null(keys);
    assert_int_equal(cw_adversary_external_0_1(x.n, 24, keys), CW_OK);
    check(x, keys);
    x.places = 1;
    check(x, keys);
    free(keys);
}

static void known_seeds_are_sorted(void **state)
{
    uint64_t *keys = (uint64_t *)malloc(small.n * 8);

    (void)state;
    assert_non_null(keys);
    for (unsigned k = 0; k < 8; k++) {
        struct cw_external x = small;

        x.seed = cw_test_seed() + k;
        x.foreseen = k > 1; /* else only the first */
        x.places = k % 2;
        assert_int_equal(cw_adversary_external(x.seed, x.n, 1 + k / 2, keys), CW_OK);
        check(x, keys);
    }
    free(keys);
}

/* Ranges that are cut into equal ones find the keys only after many cuts: as many in each range of
 * 2^k, and a few values at both ends. */
static void ranges_that_are_crowded_are_sorted(void **state)
{
    const uint64_t seed = cw_test_seed();
    struct cw_random random = cw_random_from(seed);
    uint64_t *keys = (uint64_t *)malloc(small.n * 8);

    (void)state;
    assert_non_null(keys);
    for (unsigned k = 0; k < 4; k++) {
        struct cw_external x = small;

        x.seed = seed;
        x.foreseen = 1;
        x.places = k / 2;
        assert_int_equal(cw_adversary_external(x.seed, x.n, 2, keys), CW_OK);
        for (uint64_t i = 0; i < x.n; i++)
            if (keys[i] > 2)
                keys[i] = k % 2 ? UINT64_MAX - (cw_random_next(&random) >> (i % 64))
                                : 3 + (cw_random_next(&random) >> (1 + i % 63));
        check(x, keys);
    }
    free(keys);
}

static void one_value_is_sorted(void **state)
{
    static const uint64_t values[] = {0, 1, UINT64_MAX - 1, UINT64_MAX};
    uint64_t *keys = (uint64_t *)malloc(small.n * 8);

    (void)state;
    assert_non_null(keys);
    for (unsigned k = 0; k < 2 * COUNT(values); k++) {
        struct cw_external x = small;

        x.n = 50000;
        x.places = k % 2;
        for (uint64_t i = 0; i < x.n; i++)
            keys[i] = i == 77 ? i : values[k / 2];
        check(x, keys);
    }
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_known_before_is_sorted),
        cmocka_unit_test(known_seeds_are_sorted),
        cmocka_unit_test(ranges_that_are_crowded_are_sorted),
        cmocka_unit_test(one_value_is_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
