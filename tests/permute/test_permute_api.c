/* test_permute_api.c - cw_permute moves every element to where the index says, in whichever context
 * CW_TEST_BACKEND names (emulator, unless told). */
#include "permute_case.h"

static void every_length_is_permuted(void **state)
{
    static const size_t lengths[] = {0,   1,   2,   3,    31,   32,   33,   255,  256,  257, 299,
                                     300, 511, 512, 1023, 1024, 1025, 2047, 2049, 3001, 4099};
    static const size_t more[] = {65537, 1000003, (1u << 22) - 1, (1u << 22) + 1, (1u << 25) + 7};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++)
        failed += permute_both(permute_case_of(lengths[x], 4, x));
    for (size_t x = 0;
         x < COUNT(more) && !permute_emulated() && (x < 3 || (permute_on_gpu() && !cw_quick_run()));
         x++)
        failed += permute_both(permute_case_of(more[x], 4, 100 + x));
    assert_int_equal(failed, 0);
}

static void every_way_permutes(void **state)
{
    static const size_t bytes[] = {1, 2, 4, 8, 16};
    static const size_t lengths[] = {1, 700, 1024, 2500, 4096};
    int failed = 0;

    (void)state;
    for (size_t b = 0; b < COUNT(bytes); b++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            for (int way = CW_PERMUTE_NAIVE; way <= CW_PERMUTE_ROUTE; way++) {
                struct permute_case t = permute_case_of(lengths[x], bytes[b], 200 + 10 * x + b);

                t.n = permute_items(t.n);
                t.way = (enum cw_permute_way)way;
                t.flags = way == CW_PERMUTE_ROUTE ? CW_GATHER : 0;
                t.shift = x % 2;
                if (way != CW_PERMUTE_NAIVE || b < 2)
                    failed += permute_run(t);
            }
        }
    }
    assert_int_equal(failed, 0);
}

/* One of them (TRADES) sends a single tile through the passes: that is a reason for each of them. */
static void every_pattern_is_permuted(void **state)
{
    int failed = 0;

    (void)state;
    for (int p = 0; p < PATTERNS; p++) {
        struct permute_case t = permute_case_of(permute_items(3000), 4, 300 + (unsigned)p);

        t.pattern = (enum permute_pattern)p;
        failed += permute_both(t);
        t.way = CW_PERMUTE_PLACE;
        failed += permute_run(t);
        t.flags = CW_GATHER;
        t.way = CW_PERMUTE_ROUTE;
        failed += permute_run(t);
    }
    assert_int_equal(failed, 0);
}

/* The first word of the workspace counts the tiles that took the way of random targets. */
static uint32_t tiles_sent(enum permute_pattern pattern, size_t bytes, unsigned flags)
{
    struct permute_case t = permute_case_of(permute_items(4000), bytes, 350 + bytes);
    struct permute_arrays a = {0};
    uint32_t sent = 0;

    t.pattern = pattern;
    t.flags = flags;
    permute_make(&t, &a);
    permute_good(permute_by_call(&t, &a));
    permute_good(cw_memory_read(permute_context, &sent, a.work, sizeof sent));
    permute_drop(&a);
    return sent;
}

/* Only random targets are worth passes: the rest goes straight to its place. */
static void tiles_that_a_plain_kernel_moves_as_fast_are_left_to_it(void **state)
{
    (void)state;
    if (!permute_emulated())
        return;
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        /* gathers of 16 bytes have no passes */
        for (unsigned flags = 0; flags <= (bytes < 16 ? CW_GATHER : 0); flags += CW_GATHER) {
            const uint32_t all = tiles_sent(RANDOM, bytes, flags);
            const uint32_t half = tiles_sent(HALVES, bytes, flags);

            assert_int_equal(tiles_sent(IDENTITY, bytes, flags), 0);
            assert_int_equal(tiles_sent(REVERSE, bytes, flags), 0);
            assert_int_equal(tiles_sent(ROTATED, bytes, flags), 0);
            assert_int_equal(tiles_sent(BLOCKS, bytes, flags), 0);
            assert_true(all > 2);
            assert_in_range(half, all / 2, all / 2 + 1);
            assert_int_equal(tiles_sent(TRADES, bytes, flags), 1);
        }
    }
}

static void elements_of_1_byte_to_1_mib_are_permuted(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 256; bytes += bytes < 34 ? 1 : 37) {
        struct permute_case t =
            permute_case_of(permute_emulated() || cw_quick_run() ? 97 : 10007, bytes, 400 + bytes);

        failed += permute_both(t);
    }
    failed += permute_both(permute_case_of(53, 256, 1));
    failed += permute_both(permute_case_of(23, 1008, 1));
    failed += permute_both(permute_case_of(11, 4096, 2));
    failed += permute_both(permute_case_of(5, 7001, 3));
    for (size_t bytes = 33; bytes < 40; bytes++) { /* from any address, to any */
        struct permute_case t = permute_case_of(29, bytes, bytes);

        t.shift = bytes % 5;
        failed += permute_both(t);
    }
    failed += permute_both(permute_case_of(permute_emulated() ? 2 : 9, CW_ELEMENT_MAX, 4));
    assert_int_equal(failed, 0);
}

/* Indices out of range are left out, in every way; the emulator sees that no access leaves the
 * arrays.  Twice: the same, where no two threads write to one word of shared memory. */

static void random_jobs(void **state)
{
    const unsigned cases = cw_test_cases(cw_long_run() ? 10000 : CW_FEW ? 20 : 100);
    const size_t most = permute_small()                        ? 2500
                        : permute_emulated() || cw_quick_run() ? 200000
                                                               : 2000000;
    struct cw_random r = cw_random_from(cw_test_seed());
    int failed = 0;

    (void)state;
    for (unsigned k = 0; k < cases && failed < 5; k++) {
        struct permute_case t =
            permute_case_of((size_t)cw_random_below(
                                &r, permute_small() ? most : 2 + (most >> cw_random_below(&r, 14))),
                            (size_t)1 << cw_random_below(&r, 5), cw_random_next(&r));

        if (cw_random_below(&r, 4) == 0)
            t.bytes = (size_t)cw_random_below(&r, 40) + 1;
        t.pattern = (enum permute_pattern)cw_random_below(&r, PATTERNS);
        t.flags = cw_random_below(&r, 2) ? CW_GATHER : 0;
        t.shift = (size_t)cw_random_below(&r, 5);
        t.way = (enum cw_permute_way)cw_random_below(&r, CW_PERMUTE_ROUTE + 1);
        if (t.n && cw_random_below(&r, 3) == 0)
            t.out_of_range = (int)cw_random_below(&r, 20);
        failed += permute_run(t);
    }
    print_message("%u cases, seed %llu: %d failed\n", cases, (unsigned long long)cw_test_seed(),
                  failed);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_permuted),
        cmocka_unit_test(every_way_permutes),
        cmocka_unit_test(every_pattern_is_permuted),
        cmocka_unit_test(tiles_that_a_plain_kernel_moves_as_fast_are_left_to_it),
        cmocka_unit_test(elements_of_1_byte_to_1_mib_are_permuted),
        cmocka_unit_test(random_jobs),
    };

    return cmocka_run_group_tests(tests, permute_open, permute_close);
}
