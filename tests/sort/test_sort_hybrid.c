/* test_sort_hybrid.c - keys of 8 bytes, for which a sample makes a bucket map: one pass, two passes, groups that
 * prefixes do not tell apart, and arrays that are left to the LSD sort. */
#include <stdio.h>

#include "array_case.h"
#include "rows_case.h"

static const cw_type types[] = {CW_U64, CW_I64, CW_F64};
static const size_t widths[] = {0, 1, 2, 4, 8, 16};

static int run(cw_context *context, struct array_case *c)
{
    c->seed++;
    return array_case_run(context, c);
}

/* On either side of the lengths where methods change, on the emulator. */
static void every_pattern_and_payload_is_sorted(void **state)
{
    static const size_t lengths[] = {1999, 2000, 6000, 6001, 13000};
    cw_context *context;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    for (int pattern = 0; pattern < ARRAY_PATTERNS; pattern++) {
        for (size_t n = (size_t)pattern % 3; n < 5; n += cw_long_run() ? 1 : 3) {
            const size_t at = (size_t)pattern + n;
            struct array_case c = {.type = types[at % 3],
                                   .flags = at % 2 ? CW_STABLE : CW_STABLE | CW_DESCENDING,
                                   .n = lengths[n],
                                   .value_bytes = widths[at % 6],
                                   .keys = 1,
                                   .in_place = at % 4 == 1,
                                   .pattern = (enum array_pattern)pattern,
                                   .seed = cw_test_seed() + 100 * at};

            if (cw_quick_run() && at % 8 != 3)
                continue;
            if (at % 2 || cw_long_run())
                failed += run(context, &c);
            c.in_place = !c.in_place;
            c.value_bytes = widths[(at + 3) % 6];
            if (at % 2 == 0 || cw_long_run())
                failed += run(context, &c);
        }
    }
    cw_context_destroy(context);
    assert_int_equal(failed, 0);
}

static void an_index_is_that_of_a_stable_sort(void **state)
{
    cw_context *context;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    for (size_t k = 0; k < 12; k++) {
        struct array_case c = {.type = types[k % 3],
                               .n = k % 2 ? 5000 : 9000,
                               .value_bytes = k % 4 == 3 ? 8 : 0,
                               .index_bytes = k % 3 ? 4 : 8,
                               .keys = k % 5 != 0,
                               .in_place = k % 5 != 0 && k % 2,
                               .pattern = k % 3 == 2 ? ARRAY_ZIPF : ARRAY_RANDOM,
                               .seed = cw_test_seed() + k};

        if (cw_quick_run() && k % 8 != 2)
            continue;
        failed += run(context, &c);
        c.in_place = c.keys;
        failed += run(context, &c);
    }
    cw_context_destroy(context);
    assert_int_equal(failed, 0);
}

/* Values of 16 bytes that are gathered in place need more of the workspace than the sort before them: all of it, from
 * its first byte on. */
static void values_gathered_in_place_keep_to_the_workspace(void **state)
{
    static const size_t lengths[] = {3000, 5000, 9000, 12001, 22687};
    cw_context *context;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    for (size_t k = 0; k < 2 * COUNT(lengths); k++) {
        struct array_case c = {.type = types[k % 3],
                               .n = lengths[k / 2],
                               .value_bytes = 16,
                               .index_bytes = k % 2 ? 8 : 4,
                               .keys = 1,
                               .in_place = 1,
                               .pattern = k % 4 == 3 ? ARRAY_ZIPF : ARRAY_RANDOM,
                               .seed = cw_test_seed() + k};

        if (cw_quick_run() && k < 8)
            continue;
        failed += run(context, &c);
    }
    cw_context_destroy(context);
    assert_int_equal(failed, 0);
}

/* As a splat's frame has them, tile and depth in 45 bits: these are left to other methods. */
static void only_the_bits_asked_for_count(void **state)
{
    static const unsigned bits[] = {40, 45, 63};
    cw_context *context;
    int failed = 0;

    (void)state;
    assert_int_equal(cw_context_create(rows_test_backend(), &context), CW_OK);
    for (size_t k = 0; k < 12; k++) {
        struct array_case c = {.type = CW_U64,
                               .flags = CW_STABLE,
                               .n = k % 2 ? 4000 : 7000,
                               .value_bytes = widths[k % 6],
                               .keys = 1,
                               .in_place = k % 4 >= 2,
                               .bits = bits[k % 3],
                               .pattern = k % 4 ? ARRAY_RANDOM : ARRAY_NESTED,
                               .seed = cw_test_seed() + k};

        if (!cw_quick_run() || k == 4)
            failed += run(context, &c);
    }
    cw_context_destroy(context);
    assert_int_equal(failed, 0);
}

/* ---- keys that one prefix does not tell apart ----------------------------------------------- */

#define CROWDED 5000u
#define ONE_BLOCK \
    1000u /* a block has room for these, and not for all pairs of them that are out of order */

/* Keys in clusters of `cluster`, which differ in their lowest bits alone; clusters are spread over all 64 bits.
 * Or one cluster of so many, the rest by itself, in a random order. */
static void clusters_sort(cw_context *context, unsigned n, unsigned cluster, int single,
                          struct cw_random *r)
{
    static uint64_t keys[CROWDED], sorted[CROWDED], workspace[1 << 19];
    static uint32_t places[CROWDED];
    uint64_t high = 0;
    cw_array job = {.type = CW_U64,
                    .n = n,
                    .keys_in = keys,
                    .keys_out = sorted,
                    .index_out = places,
                    .index_bytes = 4};
    size_t bytes;

    for (unsigned i = 0; i < n; i++) {
        high = (single ? i && i < cluster : i % cluster != 0) ? high : cw_random_next(r);
        keys[i] = (high & ~(uint64_t)255) | cw_random_below(r, 200);
    }
    for (unsigned i = n; single && i > 1; i--) {
        const unsigned other = (unsigned)cw_random_below(r, i);
        const uint64_t key = keys[i - 1];

        keys[i - 1] = keys[other];
        keys[other] = key;
    }
    assert_int_equal(cw_sort_workspace(&job, &bytes), CW_OK);
    assert_true(bytes <= sizeof workspace - 256);
    assert_int_equal(cw_sort(context, &job,
                             (char *)workspace + 255 - ((uintptr_t)workspace + 255) % 256,
                             sizeof workspace - 256, NULL),
                     CW_OK);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(sorted[i], keys[places[i]]);
        if (i) {
            assert_true(sorted[i - 1] <= sorted[i]);
            assert_true(sorted[i - 1] < sorted[i] || places[i - 1] < places[i]);
        }
    }
}

static void clusters_of_every_size_are_sorted(void **state)
{
    static const unsigned sizes[] = {2, 3, 31, 32, 33, 34, 100, 500};
    struct cw_random r = cw_random_from(cw_test_seed());
    cw_context *context;

    (void)state;
    printf("seed %llu\n", (unsigned long long)cw_test_seed());
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k += cw_quick_run() ? 4 : 1) {
        clusters_sort(context, CROWDED, sizes[k], 0, &r);
        clusters_sort(context, ONE_BLOCK, sizes[k], 0, &r);
    }
    cw_context_destroy(context);
}

/* A bucket has room for 1024 items on the emulator.  A few more in one place: now the sample sees that it is
 * too full, now only the count of all keys does, and then the array is left to the LSD sort before anything moved. */
static void a_bucket_that_is_a_little_too_full_is_found(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());
    cw_context *context;

    (void)state;
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    assert_int_equal(cw_context_set_seed(context, cw_test_seed()), CW_OK);
    for (unsigned k = 0; k < (cw_quick_run() ? 6 : 12); k++)
        clusters_sort(context, CROWDED, 1025 + 16 * k, 1, &r);
    cw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_and_payload_is_sorted),
        cmocka_unit_test(an_index_is_that_of_a_stable_sort),
        cmocka_unit_test(values_gathered_in_place_keep_to_the_workspace),
        cmocka_unit_test(only_the_bits_asked_for_count),
        cmocka_unit_test(clusters_of_every_size_are_sorted),
        cmocka_unit_test(a_bucket_that_is_a_little_too_full_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
