/* test_partition_ways.c - each array is partitioned in the way that is meant for it, on the emulator.
 *
 * Another way would do as well, only slower, and tests of what comes out would not notice.
 */
#include <stdio.h>
#include <string.h>

#include "launched.h"
#include "partition_case.h"

#define BITS(what, count, into)                                                               \
    .type = what, .n = count, .buckets = into, .rule = CW_BY_BITS, .first_bit = 5, .keys = 1, \
    .offsets = 1

#define CUTS(what, count, into) \
    .type = what, .n = count, .buckets = into, .rule = CW_BY_SPLITTER, .keys = 1, .offsets = 1

static const struct {
    struct partition_case c;
    enum cw_kernel kernel; /* which this way launches, and no other */
} ways[] = {
    {{BITS(CW_U32, 500, 64)}, CW_KERNEL_cw_partition_one_k4_256},
    {{BITS(CW_U32, 500, 512)}, CW_KERNEL_cw_partition_short},
    {{BITS(CW_U64, 500, 65536), .payload = {16}}, CW_KERNEL_cw_partition_short},
    {{BITS(CW_U32, 600, 64)}, CW_KERNEL_cw_partition_one_k4_256},
    {{BITS(CW_U32, 2000, 512)}, CW_KERNEL_cw_partition_one_k4_1024},
    {{BITS(CW_U64, 2000, 512)}, CW_KERNEL_cw_partition_one_k8_1024},
    {{BITS(CW_U32, 30000, 16)}, CW_KERNEL_cw_partition_k32_scatter5},
    {{BITS(CW_U32, 30000, 16), .payload = {4}}, CW_KERNEL_cw_partition_p32_scatter5},
    {{BITS(CW_U32, 30000, 16), .payload = {8}}, CW_KERNEL_cw_partition_pass_k4_v8},
    {{BITS(CW_U64, 30000, 16)}, CW_KERNEL_cw_partition_pass_k8},
    {{CUTS(CW_U32, 9000, 16), .payload = {8}}, CW_KERNEL_cw_partition_pass_k4_v8},
    {{CUTS(CW_U64, 9000, 16)}, CW_KERNEL_cw_partition_pass_k8},
};

static void every_array_is_partitioned_in_its_way(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(ways); x++) {
        struct partition_case c = ways[x].c;

        memset(launched, 0, sizeof launched);
        c.seed = cw_test_seed() + x;
        failed += partition_case_run(context, &c);
        if (!launched[ways[x].kernel]) {
            failed++;
            print_message("%zu %s into %u: no %s, but\n", c.n, cw_type_name(c.type), c.buckets,
                          cw_kernel_name(ways[x].kernel));
            for (int k = 0; k < CW_KERNEL_COUNT; k++)
                if (launched[k])
                    print_message("    %u of %s\n", launched[k], cw_kernel_name((enum cw_kernel)k));
        }
    }
    print_message("seed %llu\n", (unsigned long long)cw_test_seed());
    assert_int_equal(failed, 0);
}

/* Tokens that are routed: how many launches there are. */
static void routing_takes_a_launch_or_two(void **state)
{
    static const struct {
        size_t n;
        uint32_t buckets;
        unsigned launches;
    } some[] = {{500, 256, 1},  {500, 1024, 1}, {500, 65000, 1}, {800, 256, 1},
                {800, 1024, 1}, {2000, 256, 2}, {3000, 1024, 2}};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(some); x++) {
        const struct partition_case c = {.type = CW_I32,
                                         .rule = CW_BY_LABEL,
                                         .n = some[x].n,
                                         .buckets = some[x].buckets,
                                         .offsets = 1,
                                         .index = 1,
                                         .inverse = 1,
                                         .index_bytes = 4,
                                         .pad_to = 16,
                                         .payload = {8},
                                         .seed = cw_test_seed() + x};
        unsigned all = 0;

        memset(launched, 0, sizeof launched);
        failed += partition_case_run(context, &c);
        for (int k = 0; k < CW_KERNEL_COUNT; k++)
            all += launched[k];
        if (all != some[x].launches) {
            failed++;
            print_message("%zu labels of %u: %u launches\n", c.n, c.buckets, all);
        }
    }
    assert_int_equal(failed, 0);
}

/* Tiles of one digit go as they stand, with all that belongs to their items. */
static void arrays_of_few_buckets_in_runs_are_partitioned(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < 12; x++) {
        const struct partition_case c = {.type = x % 2 ? CW_U64 : CW_U16,
                                         .rule = CW_BY_BITS,
                                         .n = 9000,
                                         .buckets = x % 3 ? 256 : 4096,
                                         .keys = x % 4 != 3,
                                         .offsets = 1,
                                         .index = 1,
                                         .inverse = 1,
                                         .index_bytes = x % 3 ? 4 : 8,
                                         .payload = {x % 2 ? 4 : 16, 12},
                                         .pattern = x < 6 ? PARTITION_EQUAL : PARTITION_SORTED,
                                         .seed = cw_test_seed() + x};

        failed += partition_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

/* Threads of several blocks find them, and add up how many there are. */
static void many_labels_that_are_out_of_range_are_refused(void **state)
{
    static const struct partition_case cases[] = {
        {.type = CW_U32, .n = 500, .buckets = 16, .bad = 100},
        {.type = CW_U32, .n = 30000, .buckets = 16, .bad = 300},
        {.type = CW_U32, .n = 9000, .buckets = 16, .bad = 300, .payload = {8}},
        {.type = CW_U64, .n = 9000, .buckets = 16, .bad = 300},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct partition_case c = cases[x];

        c.rule = CW_BY_LABEL;
        c.keys = c.offsets = 1;
        c.seed = cw_test_seed() + x;
        failed += partition_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_array_is_partitioned_in_its_way),
        cmocka_unit_test(routing_takes_a_launch_or_two),
        cmocka_unit_test(arrays_of_few_buckets_in_runs_are_partitioned),
        cmocka_unit_test(many_labels_that_are_out_of_range_are_refused),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
