/* test_full_shapes.c - kernels whose shapes are small on the emulator sort, partition and permute there
 * with those of a GPU, too.
 *
 * The kernels are those of the library, for an emulated sm_90.  This program alone is linked with tables
 * whose thresholds come early (SHAPES_EARLY, CMakeLists.txt): short arrays are sorted like long ones.
 * For more, build all tests so (-DCMAKE_C_FLAGS=-DSHAPES_EARLY), and run them with CW_EMU_GPU=sm_90.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "array_case.h"
#include "partition_case.h"

static cw_context *context;
static unsigned launched[CW_KERNEL_COUNT], most_threads[CW_KERNEL_COUNT];

static void note(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    (void)user;
    (void)e;
    launched[l->kernel]++;
    if (l->threads > most_threads[l->kernel])
        most_threads[l->kernel] = l->threads;
}

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(CW_EMULATOR, &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    if (cw_context_as(context, cw_gpu_find("sm_90")))
        return 1;
    context->hook = note;
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

/* It ran, and was not small. */
#define RAN(name, threads)                                      \
    do {                                                        \
        assert_true(launched[CW_KERNEL_##name] > 0);            \
        assert_true(most_threads[CW_KERNEL_##name] >= threads); \
    } while (0)

/* ---- claims --------------------------------------------------------------------------------- */

static void arrays_are_sorted(void **state)
{
    static const struct array_case cases[] = {
        {.type = CW_U32, .n = 60013, .keys = 1, .pattern = ARRAY_ZIPF},
        {.type = CW_U64, .n = 40009, .keys = 1, .pattern = ARRAY_HEAVY, .in_place = 1},
        {.type = CW_F32, .n = 36007, .keys = 1, .value_bytes = 4, .shift = 1},
        {.type = CW_I32,
         .flags = CW_STABLE,
         .n = 55001,
         .keys = 1,
         .value_bytes = 4,
         .pattern = ARRAY_TWO},
        {.type = CW_U16, .n = 34011, .keys = 1, .index_bytes = 4},
        {.type = CW_U64, .n = 9001, .keys = 1, .value_bytes = 2, .in_place = 1},
        {.type = CW_I32, .n = 36007, .keys = 1, .index_bytes = 4},
        {.type = CW_U64, .n = 8191, .keys = 1, .value_bytes = 8},
        {.type = CW_F64, .flags = CW_STABLE, .n = 22013, .keys = 1, .value_bytes = 8},
        {.type = CW_F64, .n = 36007, .keys = 1, .index_bytes = 8},
        {.type = CW_U32, .flags = CW_CONFLICT_FREE, .n = 40009, .keys = 1},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct array_case c = cases[x];

        c.seed = cw_test_seed() + x;
        failed += array_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
    RAN(cw_sort_radix_u32_histogram_tree, 512);
    RAN(cw_sort_radix_u32_scatter_tree, 512);
    RAN(cw_sort_lsd_k4_v4_pass, 512);
    RAN(cw_sort_radix_u64_scatter_plain, 512);
    RAN(cw_sort_radix_p32_scatter_tiles, 512);
    RAN(cw_sort_radix_p32_medium, 512);
    RAN(cw_sample_sort_u32_tiles, 512);
    RAN(cw_sort_block_k8_v8, 1024);
    RAN(cw_sort_hybrid_k8_v4_local, 512);
}

static void arrays_are_partitioned(void **state)
{
    int failed = 0;

    (void)state;
    for (int x = 0; x < 12; x++) {
        const size_t few = x == 11   ? 8009
                           : x == 10 ? 4001
                           : x == 9  ? 5900
                                     : 5003; /* in a launch or two, but for the first of these */
        const struct partition_case c = {.type = CW_U32,
                                         .rule = x == 4 ? CW_BY_LABEL : CW_BY_BITS,
                                         .flags = x % 2 && x < 7 ? CW_UNSTABLE : 0,
                                         .n = x < 7 ? 20011 : few,
                                         .buckets = x < 2 || x == 6 || x == 7 || x == 11 ? 256
                                                    : x < 4                              ? 32
                                                            : 1000u + 24u * (x != 4),
                                         .first_bit = 9,
                                         .keys = 1,
                                         .offsets = 1,
                                         .payload = {(x % 3 && x != 11) || x == 6 ? 4 : 0, 0, 0, 0},
                                         .pattern = x == 3 ? PARTITION_SKEWED : PARTITION_RANDOM,
                                         .seed = cw_test_seed() + (uint64_t)x};

        failed += partition_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
    RAN(cw_partition_p32_scatter8, 512);
    RAN(cw_partition_k32_scatter8, 512);
    RAN(cw_partition_pass_k4, 512);
    RAN(cw_partition_pass_k4_v4, 512);
    RAN(cw_partition_p32_combining, 512);
    RAN(cw_partition_p32_scatter5, 512);
    RAN(cw_partition_short, 512);
    RAN(cw_partition_one_k4_256, 512);
    RAN(cw_partition_one_k4_1024, 1024);
}

/* out[p[i]] = in[i], or the other way round. */
static int permute_fails(size_t n, unsigned flags)
{
    struct cw_random r = cw_random_from(cw_test_seed() + n);
    uint32_t *const p = (uint32_t *)malloc(3 * n * sizeof *p), *const in = p + n,
                    *const out = in + n;
    cw_permute_job job = {
        .flags = flags, .n = n, .bytes = 4, .in = in, .out = out, .index = p, .index_bytes = 4};
    size_t need = 0, wrong = 0;
    void *room = NULL;

    assert_non_null(p);
    for (size_t i = 0; i < n; i++) {
        const size_t j = (size_t)cw_random_below(&r, i + 1);

        p[i] = p[j];
        p[j] = (uint32_t)i;
        in[i] = (uint32_t)cw_random_next(&r);
        out[i] = ~in[i];
    }
    assert_int_equal(cw_permute_workspace(&job, &need), CW_OK);
    assert_int_equal(cw_memory_alloc(context, need, &room), CW_OK);
    if (cw_permute(context, &job, room, need, NULL) || cw_wait(context, NULL))
        print_message("%s\n", cw_last_error());
    for (size_t i = 0; i < n; i++)
        wrong += flags & CW_GATHER ? out[i] != in[p[i]] : out[p[i]] != in[i];
    if (wrong)
        print_message("n %zu, flags %u: %zu wrong (CW_SEED=%llu)\n", n, flags, wrong,
                      (unsigned long long)cw_test_seed());
    cw_memory_free(context, room);
    free(p);
    return wrong != 0;
}

static void arrays_are_permuted(void **state)
{
    (void)state;
    assert_int_equal(permute_fails(50021, 0), 0);
    assert_int_equal(permute_fails(140009, 0), 0); /* two passes */
    assert_int_equal(permute_fails(70001, CW_GATHER), 0);
    RAN(cw_permute_b4_pass, 512);
    RAN(cw_permute_b4_place, 512);
    RAN(cw_permute_b4_fetch, 256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_sorted),
        cmocka_unit_test(arrays_are_partitioned),
        cmocka_unit_test(arrays_are_permuted),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
