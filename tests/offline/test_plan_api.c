/* test_plan_api.c - cw_plan executes the permutation it was made from, on the host's threads and in
 * whichever context CW_TEST_BACKEND names (emulator, unless told). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_case.h"
#include "rows_case.h"

/* ---- claims --------------------------------------------------------------------------------- */

static void plans_of_any_length_permute(void **state)
{
    static const size_t lengths[] = {0, 1, 2, 3, 5, 31, 32, 33, 100, 1000, 1024, 4095, 4097, 10007};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        struct plan_case c = plan_case_of(RANDOM, lengths[x], x);

        failed += plan_case_run(c);
        c.flags = CW_GATHER;
        c.index_bytes = 8;
        failed += plan_case_run(c);
    }
    assert_int_equal(failed, 0);
}

static void passes_permute(void **state)
{
    static const size_t lengths[] = {33, 64, 97, 1000, 3000, 4096, 8191};
    struct plan_case one;
    int failed = 0;

    (void)state;
    for (uint32_t passes = 2; passes <= 3; passes++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            struct plan_case c;

            if (passes == 3 && lengths[x] < 97)
                continue;
            c = plan_passes_of(RANDOM, lengths[x], passes, lengths[x] < 1000 ? 32 : 224);
            c.kind = passes == 2 ? "two passes" : "three passes";
            failed += plan_case_run(c);
            c.flags = CW_GATHER;
            c.shift = 1; /* no longer on 16 bytes */
            failed += plan_case_run(c);
        }
        failed += plan_case_run(plan_passes_of(BLOCKS, 4096, passes, 256));
        failed += plan_case_run(plan_passes_of(SPREAD, 61 * 64, passes, 256));
        failed += plan_case_run(plan_passes_of(IDENTITY, 4000, passes, 256));
    }
    failed += plan_case_run(plan_passes_of(RANDOM, 4096, 1, 4096));
    failed += plan_case_run(plan_passes_of(RANDOM, 4000, 1, 4096));
    one = plan_passes_of(RANDOM, 500, 0, 512); /* one tile: no partition is needed, nor made */
    one.wish.gather = -1;
    one.kind = "one pass";
    failed += plan_case_run(one);
    for (uint32_t passes = 2; passes <= 3; passes++) /* tiles of several warps */
        failed += plan_case_run(plan_passes_of(RANDOM, 9001, passes, 2048));
    assert_int_equal(failed, 0);
}

static void items_of_any_size_are_moved(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 16; bytes++) {
        struct plan_case c = plan_passes_of(RANDOM, 900, 2 + bytes % 2, 128);

        c.bytes = bytes;
        failed += plan_case_run(c);
        c.shift = 1;
        failed += plan_case_run(c);
        c = plan_passes_of(RANDOM, 700, 0, 0);
        c.bytes = bytes;
        c.kind = "gather";
        failed += plan_case_run(c);
        if (bytes % 4 && bytes % 5 != 1)
            continue;
        c = plan_case_of(BIT_REVERSAL, 4096, bytes);
        c.bytes = bytes;
        c.kind = "bit reversal";
        failed += plan_case_run(c);
        c = plan_case_of(ROTATION, 999, 1);
        c.bytes = bytes;
        failed += plan_case_run(c);
        c = plan_case_of(TRANSPOSE, 37 * 70, 1);
        c.bytes = bytes;
        c.kind = "transpose";
        c.shift = 1;
        failed += plan_case_run(c);
    }
    assert_int_equal(failed, 0);
}

/* A map, a length, the kind it must be recognised as. */
static void maps_are_recognised(void **state)
{
    static const struct {
        enum plan_map map;
        size_t n;
        const char *kind;
    } cases[] = {
        {IDENTITY, 1, "identity"},          {IDENTITY, 1000, "identity"},
        {ROTATION, 1001, "rotation"},       {REVERSAL, 4096, "reversal"},
        {REVERSAL, 999, "reversal"},        {TRANSPOSE, 37 * 41, "transpose"},
        {TRANSPOSE, 64 * 128, "transpose"}, {BIT_REVERSAL, 8192, "bit reversal"},
        {BITS, 8192, "bit permutation"},    {AFFINE, 16384, "affine map of bits"},
        {RANDOM, 4096, "gather"},           {TRANSPOSE, 64 * 101, "transpose"},
        {SHUFFLE, 3002, "transpose"},       {FORTIES, 40 * 50, "block map"},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct plan_case c = plan_case_of(cases[x].map, cases[x].n, 1);

        c.seed = 1 + (cw_test_seed() + x) % 900; /* a rotation by 0 is the identity */
        c.kind = cases[x].kind;
        failed += plan_case_run(c);
        c.flags = CW_GATHER;
        failed += plan_case_run(c);
        c.bytes = 8;
        c.index_bytes = 8;
        failed += plan_case_run(c);
        c.bytes = 16;
        failed += plan_case_run(c);
    }
    assert_int_equal(failed, 0);
}

/* Rows of any width are gathered, whatever the index. */
static void items_of_more_than_16_bytes_are_permuted(void **state)
{
    static const size_t widths[] = {17, 24, 100, 1024, 7001};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(widths); x++) {
        struct plan_case c = plan_case_of(x % 2 ? REVERSAL : RANDOM, widths[x] < 1000 ? 77 : 9, x);

        c.bytes = widths[x];
        c.flags = x % 3 ? CW_GATHER : 0;
        failed += plan_case_run(c);
        c.map = IDENTITY;
        failed += plan_case_run(c);
    }
    assert_int_equal(failed, 0);
}

/* One value away from a map is another permutation, and is executed as such. */
static void near_maps_are_not_recognised(void **state)
{
    static const enum plan_map maps[] = {IDENTITY, ROTATION, REVERSAL, BIT_REVERSAL, AFFINE};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(maps); x++) {
        struct plan_case c = plan_case_of(maps[x], 4096, 1);
        uint64_t *p;
        cw_plan *plan;

        c.bytes = c.index_bytes = 4;
        p = plan_case_index(&c);
        p[4094] = p[4094] ^ p[4095];
        p[4095] = p[4094] ^ p[4095];
        p[4094] = p[4094] ^ p[4095];
        plan = plan_case_plan(&c, p);
        failed += !plan || strcmp(cw_plan_kind(plan), "gather") != 0 ||
                  !plan_case_execute(plan_context[0], &c, p, plan) ||
                  !plan_case_execute(plan_context[1], &c, p, plan);
        cw_plan_destroy(plan);
        free(p);
    }
    assert_int_equal(failed, 0);
}

/* As large as the host's threads do quickly: tiles, passes and gathers as they are chosen. */
static void large_plans_permute_on_the_host(void **state)
{
    static const size_t lengths[] = {300007, 1u << 20, 5000011};
    cw_context *const other = plan_context[1];
    int failed = 0;

    (void)state;
    plan_context[1] = rows_test_backend() == CW_CUDA ? other : plan_context[0];
    for (size_t x = 0; x < COUNT(lengths); x++) {
        struct plan_case c = plan_case_of(RANDOM, lengths[x], x);

        if (lengths[x] > 1u << 20 &&
            (cw_quick_run() || (!cw_long_run() && rows_test_backend() != CW_CUDA)))
            continue;
        c.kind = lengths[x] > 1u << 22 ? "two passes" : "gather";
        failed += plan_case_run(c);
        c = plan_passes_of(RANDOM, lengths[x], 2, 0);
        c.flags = CW_GATHER;
        failed += plan_case_run(c);
        c = plan_passes_of(RANDOM, lengths[x], 3, 0);
        c.bytes = 7;
        failed += plan_case_run(c);
    }
    failed += plan_case_run(plan_case_of(AFFINE, 1u << 20, 3));
    plan_context[1] = other;
    assert_int_equal(failed, 0);
}

/* Who wishes for nothing gets passes, where a gather is slower. */
static void a_plan_of_more_than_32_mb_has_passes(void **state)
{
    const size_t n = ((size_t)1 << 21) + 7;
    uint32_t *const p = (uint32_t *)malloc(n * sizeof *p);
    cw_plan *plan = NULL;

    (void)state;
    assert_non_null(p);
    for (size_t i = 0; i < n; i++)
        p[i] = (uint32_t)(i * 7919 % n); /* no common factor */
    assert_int_equal(cw_plan_create(p, 4, n, 16, 0, 1, &plan), CW_OK);
    assert_non_null(strstr(cw_plan_kind(plan), " passes"));
    cw_plan_destroy(plan);
    free(p);
}

/* Bad ones among them: one index out of range, or twice there. */
static void random_cases(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed());
    const unsigned cases = cw_test_cases(cw_long_run() ? 10000 : CW_FEW ? 10 : 40);
    int failed = 0;

    (void)state;
    for (unsigned k = 0; k < cases && failed < 5; k++) {
        const uint32_t tile = 32u * (1u + (uint32_t)cw_random_below(&r, 8));
        const size_t n = 3u * tile + cw_random_below(&r, 8 * tile);
        struct plan_case c = plan_passes_of(RANDOM, n, 2 + k % 2, tile);

        if (k % 4 == 0)
            c = plan_passes_of(RANDOM, cw_random_below(&r, 2000), 0, 0);
        c.seed = cw_random_next(&r);
        c.bytes = 1 + cw_random_below(&r, 16);
        c.index_bytes = cw_random_below(&r, 2) ? 4 : 8;
        c.flags = cw_random_below(&r, 2) ? CW_GATHER : 0;
        c.shift = cw_random_below(&r, 3);
        if (k % 8 == 3) { /* no permutation */
            uint64_t *const p = plan_case_index(&c);
            const size_t at = cw_random_below(&r, n);
            cw_plan *plan = NULL;

            p[at] = cw_random_below(&r, 2) ? n + cw_random_next(&r) % 1000 : p[(at + 1) % n];
            failed += cw_plan_make(p, 8, n, c.bytes, c.flags, 2, &c.wish, &plan) != CW_ERR_LABEL ||
                      plan != NULL;
            free(p);
        } else {
            failed += plan_case_run(c);
        }
    }
    print_message("%u cases, seed %llu: %d failed\n", cases, (unsigned long long)cw_test_seed(),
                  failed);
    assert_int_equal(failed, 0);
}

/* Maps of bits and transpositions, of all tests above. */
static void maps_have_no_conflict(void **state)
{
    (void)state;
    assert_int_equal(plan_excess, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_of_any_length_permute),
        cmocka_unit_test(passes_permute),
        cmocka_unit_test(items_of_any_size_are_moved),
        cmocka_unit_test(maps_are_recognised),
        cmocka_unit_test(items_of_more_than_16_bytes_are_permuted),
        cmocka_unit_test(near_maps_are_not_recognised),
        cmocka_unit_test(large_plans_permute_on_the_host),
        cmocka_unit_test(a_plan_of_more_than_32_mb_has_passes),
        cmocka_unit_test(random_cases),
        cmocka_unit_test(maps_have_no_conflict),
    };

    return cmocka_run_group_tests(tests, plan_open_contexts, plan_close_contexts);
}
