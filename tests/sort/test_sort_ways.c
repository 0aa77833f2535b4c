/* test_sort_ways.c - each array is sorted in the way that is meant for it, on the emulator.
 *
 * Another way would sort it as well, only slower, and tests of what comes out would not notice.
 */
#include <stdio.h>
#include <string.h>

#include "array_case.h"
#include "launched.h"
#include "rows_case.h"
#include "sort/small/plan.h"

struct way {
    struct array_case c;
    enum cw_kernel kernel; /* which this way launches, and no other */
};

#define KEYS(what, count)         .type = what, .n = count, .keys = 1
#define PAIRS(what, count, bytes) KEYS(what, count), .value_bytes = bytes

static const struct way ways[] = {
    {{KEYS(CW_U32, 250)}, CW_KERNEL_cw_sort_radix_u32_local_10},
    {{KEYS(CW_I32, 1500)}, CW_KERNEL_cw_sort_small_k4_few},
    {{KEYS(CW_F32, 2000)}, CW_KERNEL_cw_sort_radix_u32_local_11},
    {{KEYS(CW_F32, 3000)}, CW_KERNEL_cw_sort_radix_u32_local_12},
    {{KEYS(CW_F32, 4500)}, CW_KERNEL_cw_sort_radix_u32_local_13},
    {{KEYS(CW_F32, 7000)}, CW_KERNEL_cw_sort_radix_u32_scatter},
    {{KEYS(CW_U64, 16000)}, CW_KERNEL_cw_sort_radix_u64_scatter_tree},
    {{PAIRS(CW_U32, 16000, 4)}, CW_KERNEL_cw_sort_radix_p32_scatter_plain},
    {{PAIRS(CW_I32, 16000, 4), .flags = CW_STABLE}, CW_KERNEL_cw_sort_radix_p32_stable},
    {{PAIRS(CW_I32, 16000, 4), .flags = CW_STABLE, .pattern = ARRAY_EQUAL},
     CW_KERNEL_cw_sort_radix_p32_stable}, /* no ticket is moved */
    {{PAIRS(CW_U32, 5000, 2)}, CW_KERNEL_cw_sort_lsd_k4_v4_pass},
    {{PAIRS(CW_U32, 5000, 8)}, CW_KERNEL_cw_sort_lsd_k4_v8_pass},
    {{PAIRS(CW_U16, 5000, 16)}, CW_KERNEL_cw_sort_lsd_k4_v16_pass},
    {{KEYS(CW_U16, 4000)}, CW_KERNEL_cw_sort_counting_write},
    {{KEYS(CW_U8, 4000), .index_bytes = 4}, CW_KERNEL_cw_sort_lsd_k4_v4_pass},
    {{PAIRS(CW_F64, 5000, 4)}, CW_KERNEL_cw_sort_hybrid_k8_v4_local},
    {{PAIRS(CW_U64, 9000, 1)}, CW_KERNEL_cw_sort_hybrid_k8_v4_pass},
    {{PAIRS(CW_I64, 7000, 8)}, CW_KERNEL_cw_sort_hybrid_k8_v8_pass},
    {{PAIRS(CW_U64, 7000, 16)}, CW_KERNEL_cw_sort_hybrid_k8_v16_pass},
    {{KEYS(CW_U64, 9000), .bits = 45, .value_bytes = 8}, CW_KERNEL_cw_sort_lsd_k8_v8_pass},
    {{KEYS(CW_U32, 80000), .flags = CW_CONFLICT_FREE}, CW_KERNEL_cw_sample_sort_u32_tiles},
    {{PAIRS(CW_U64, 26000, 4)}, CW_KERNEL_cw_sort_hybrid_histogram},
    {{PAIRS(CW_U32, 61000, 4), .pattern = ARRAY_TWO}, CW_KERNEL_cw_sort_radix_p32_sample},
};

static void every_array_is_sorted_in_its_way(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(ways); x++) {
        struct array_case c = ways[x].c;

        if (CW_FEW && c.n > 30000)
            continue;
        memset(launched, 0, sizeof launched);
        c.seed = cw_test_seed() + x;
        failed += array_case_run(context, &c);
        if (!launched[ways[x].kernel]) {
            failed++;
            print_message("%zu %s: no %s, but\n", c.n, cw_type_name(c.type),
                          cw_kernel_name(ways[x].kernel));
            for (int k = 0; k < CW_KERNEL_COUNT; k++)
                if (launched[k])
                    print_message("    %u of %s\n", launched[k], cw_kernel_name((enum cw_kernel)k));
        }
    }
    print_message("seed %llu\n", (unsigned long long)cw_test_seed());
    assert_int_equal(failed, 0);
}

/* The sort in one launch holds its items in registers: as many as blocks that run at once have room for. */
static void one_launch_takes_no_more_than_its_blocks_hold(void **state)
{
    enum { BLOCK = 256 * 8 }; /* of the emulator's shapes: threads, items of each */
    struct lsd_task task = {.key_bytes = 4, .bits = 32, .map = cw_key_map_of(CW_U32, 0, 0)};
    struct cw_queue q;

    (void)state;
    memset(&q, 0, sizeof q);
    for (q.processors = 1; q.processors <= 2; q.processors++) {
        const uint64_t most = q.processors * (uint64_t)BLOCK;

        for (task.n = most - 1; task.n <= most + 1 && task.n <= 3600; task.n++)
            assert_int_equal(cw_small_fits(&q, &task, CW_SHAPES_TINY), task.n <= most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_array_is_sorted_in_its_way),
        cmocka_unit_test(one_launch_takes_no_more_than_its_blocks_hold),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
