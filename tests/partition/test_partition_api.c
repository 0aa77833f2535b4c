/* test_partition_api.c - cw_partition partitions, in whichever context CW_TEST_BACKEND names (emulator,
 * unless told; the host's threads besides). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_case.h"
#include "rows_case.h"

static cw_context *context, *host;

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context) || cw_context_create(CW_CPU, &host)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    cw_context_destroy(host);
    return 0;
}

static int emulated(void)
{
    return rows_test_backend() == CW_EMULATOR;
}

static int small(void)
{
    return emulated() && !CW_FULL_SHAPES;
}

/* The emulator's; a GPU's, unless each launch costs much. */
static size_t items(size_t few, size_t many)
{
    if (small())
        return few;
    return emulated() || cw_quick_run() ? 10 * few : many;
}

static int both(const struct partition_case *c)
{
    return partition_case_run(context, c) + partition_case_run(host, c);
}

/* Keys alone, then pairs: stable, and not. */
static int four_ways(struct partition_case c)
{
    int failed = 0;

    c.keys = 1;
    c.offsets = 1;
    for (int x = 0; x < 4; x++) {
        c.payload[0] = x & 1 ? 4 : 0;
        c.flags = x & 2 ? CW_UNSTABLE : 0;
        failed += both(&c);
    }
    return failed;
}

/* ---- claims --------------------------------------------------------------------------------- */

/* Around tiles, queues and chunks of the emulator's kernels. */
static void every_length_is_partitioned(void **state)
{
    static const size_t lengths[] = {0,   1,   2,    31,   33,   255,  256, 257,
                                     511, 513, 1023, 1025, 2049, 3071, 4099};
    static const size_t more[] = {8191, 8192, 8193, 40009, 100003, 500009};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        const struct partition_case c = {.type = CW_U32,
                                         .rule = x % 2 ? CW_BY_BITS : CW_BY_HASH,
                                         .n = lengths[x],
                                         .buckets = x % 3 ? 32 : 64,
                                         .first_bit = 7,
                                         .seed = cw_test_seed() + x};

        if (!CW_FEW || x % 3 == 0)
            failed += four_ways(c);
    }
    for (size_t x = 0; x < COUNT(more) - (CW_FEW ? 3 : 0) && !small(); x++) {
        const struct partition_case c = {.type = CW_U32,
                                         .rule = CW_BY_BITS,
                                         .n = more[x],
                                         .buckets = 8u << x,
                                         .seed = cw_test_seed() + x};

        failed += four_ways(c);
    }
    assert_int_equal(failed, 0);
}

/* One, two and (on the emulator) three levels; ragged numbers too. */
static void every_number_of_buckets_is_made(void **state)
{
    static const uint32_t buckets[] = {1,  2,   3,   5,    16,   17,   33,    64,
                                       65, 100, 256, 1000, 1024, 4096, 10007, 65536};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(buckets); x++) {
        const struct partition_case c = {.type = CW_U32,
                                         .rule = buckets[x] == 2 ? CW_BY_BITS
                                                 : x % 2         ? CW_BY_LABEL
                                                                 : CW_BY_HASH,
                                         .n = items(3001, 100003),
                                         .buckets = buckets[x],
                                         .seed = cw_test_seed() + x};

        if (!CW_FEW || x % 3 == 1)
            failed += four_ways(c);
    }
    assert_int_equal(failed, 0);
}

static void every_pattern_is_partitioned(void **state)
{
    int failed = 0;

    (void)state;
    for (int p = 0; p < PARTITION_PATTERNS; p++) {
        for (int x = 0; x < 4; x++) {
            const struct partition_case c = {.type = CW_U32,
                                             .rule = x % 2 ? CW_BY_BITS : CW_BY_LABEL,
                                             .n = items(4500, 150001),
                                             .buckets = x < 2 ? 64 : 512,
                                             .first_bit = 21,
                                             .pattern = (enum partition_pattern)p,
                                             .seed = cw_test_seed() + (uint64_t)x};

            if (!CW_FEW || (p + x) % 3 == 0)
                failed += four_ways(c);
        }
    }
    assert_int_equal(failed, 0);
}

static void every_type_goes_by_every_rule(void **state)
{
    int failed = 0;

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (int rule = CW_BY_BITS; rule <= CW_BY_HASH; rule++) {
            const struct partition_case c = {.type = (cw_type)t,
                                             .rule = (cw_rule)rule,
                                             .n = items(1500, 100003),
                                             .buckets = 32,
                                             .first_bit = 3,
                                             .keys = 1,
                                             .index = t % 2,
                                             .index_bytes = 4,
                                             .seed = cw_test_seed() + (uint64_t)t};

            if (!CW_FEW || (t + rule) % 3 == 0)
                failed += both(&c);
        }
    }
    assert_int_equal(failed, 0);
}

static void everything_is_written_at_once(void **state)
{
    int failed = 0;

    (void)state;
    for (int x = 0; x < 8; x++) {
        const struct partition_case c = {.type = x % 2 ? CW_U32 : CW_U16,
                                         .rule = CW_BY_LABEL,
                                         .flags = x & 2 ? CW_UNSTABLE : 0,
                                         .n = 2500,
                                         .buckets = x & 4 ? 300 : 60,
                                         .keys = 1,
                                         .offsets = 1,
                                         .index = 1,
                                         .inverse = 1,
                                         .index_bytes = x & 1 ? 4 : 8,
                                         .pad_to = 16,
                                         .payload = {4, 12, 1, 544},
                                         .shift = (size_t)x % 3,
                                         .seed = cw_test_seed() + (uint64_t)x};

        if (!CW_FEW || x % 3 == 0)
            failed += both(&c);
    }
    assert_int_equal(failed, 0);
}

static void bad_labels_are_refused_and_nothing_is_written(void **state)
{
    int failed = 0;

    (void)state;
    for (int x = 0; x < 36; x++) { /* the last ones: two buckets, which go another way */
        const struct partition_case c = {.type = x % 3 == 0   ? CW_U8
                                                 : x % 3 == 1 ? CW_U16
                                                              : CW_U32,
                                         .rule = CW_BY_LABEL,
                                         .flags =
                                             (x & 4 ? CW_UNSTABLE : 0u) | (x & 8 ? CW_CHECK : 0u),
                                         .n = 1200,
                                         .buckets = x >= 24                ? 2
                                                    : x < 12 || x % 3 == 0 ? 37
                                                                           : 5000,
                                         .keys = 1,
                                         .offsets = 1,
                                         .index = x & 1,
                                         .index_bytes = 4,
                                         .pad_to = 8,
                                         .payload = {4, x & 2 ? 24 : 0, 0, 0},
                                         .bad = 1,
                                         .seed = cw_test_seed() + (uint64_t)x};

        if (!CW_FEW || x % 5 == 0)
            failed += both(&c);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_partitioned),
        cmocka_unit_test(every_number_of_buckets_is_made),
        cmocka_unit_test(every_pattern_is_partitioned),
        cmocka_unit_test(every_type_goes_by_every_rule),
        cmocka_unit_test(everything_is_written_at_once),
        cmocka_unit_test(bad_labels_are_refused_and_nothing_is_written),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
