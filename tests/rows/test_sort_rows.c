/* test_sort_rows.c - cw_sort_rows sorts, in whichever context CW_TEST_BACKEND names (emulator, unless
 * told; check-gpu says cuda), and its kernels do so with no bank conflict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows_case.h"

#include "api/context.h"

static cw_context *context;
static uint64_t requests, excess;

static void count(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    cw_emu_total(e, &total);
    requests += total.requests;
    if (cw_kernel_free(l->kernel) && total.wavefronts != total.ideal) {
        excess += total.wavefronts - total.ideal;
        print_message("%s: %llu wavefronts, ideal %llu\n", cw_kernel_name(l->kernel),
                      (unsigned long long)total.wavefronts, (unsigned long long)total.ideal);
        (void)cw_emu_report(e, stderr);
    }
}

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    context->hook = count;
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

/* A few rows of a length: two blocks of short ones, one or two of long ones. */
static size_t some_rows(size_t length)
{
    return length <= 64 ? 100 : length <= 1024 ? 5 : length <= 4096 ? 2 : 1;
}

static struct rows_case case_of(cw_type type, size_t length, uint64_t salt)
{
    const struct rows_case c = {.type = type,
                                .rows = some_rows(length),
                                .length = length,
                                .keys = 1,
                                .seed = cw_test_seed() + salt};

    return c;
}

/* ---- claims --------------------------------------------------------------------------------- */

static void every_length_is_sorted_by_its_kernel(void **state)
{
    static const size_t lengths[] = {1,   2,   3,    4,    5,    8,    9,    16,   17,  31,
                                     32,  33,  64,   65,   100,  128,  200,  256,  300, 512,
                                     600, 777, 1024, 1025, 2048, 2049, 4096, 5000, 8192};
    static const cw_type types[] = {CW_U32, CW_U64};
    int failed = 0;

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            struct rows_case c = case_of(types[t], lengths[x], 100 * t + x);

            if (CW_FEW && x % 2 != t)
                continue;

            failed += rows_case_run(context, &c);
            c.shift = 1; /* off the 16 bytes that vectors need */
            c.in_place = 1;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

static void long_rows_are_sorted_in_parts(void **state)
{
    static const cw_type types[] = {CW_F32, CW_I64};
    static const size_t lengths[] = {16384, 16385, 32768};
    int failed = 0;

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            struct rows_case c = case_of(types[t], lengths[x], 200 + 100 * t + x);

            if (!CW_SANITIZED || (x + t) % 2 == 0)
                failed += rows_case_run(context, &c);
            c.mixed = 1; /* by offsets */
            if (!CW_SANITIZED || (x == 2 && t == 1))
                failed += rows_case_run(context, &c);
            c.mixed = 0;
            c.value_bytes = 4;
            c.in_place = 1;
            c.flags = CW_STABLE;
            c.pattern = ROWS_FEW;
            if (!CW_SANITIZED || (x == 1 && t == 0))
                failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* Rows that several blocks sort, of one length and among short ones. */
static void rows_longer_than_a_block_are_sorted(void **state)
{
    static const struct rows_case cases[] = {
        {.type = CW_U32, .rows = 2, .length = 32769},
        {.type = CW_F32, .rows = 1, .length = 100000, .flags = CW_DESCENDING, .mixed = 1},
        {.type = CW_U32, .rows = 40, .length = 70001, .mixed = 1, .value_bytes = 4, .in_place = 1},
        {.type = CW_I64, .rows = 3, .length = 50000, .mixed = 1, .gaps = 1, .narrow = 1},
        {.type = CW_U64, .rows = 1, .length = 17000, .value_bytes = 8, .index = 1, .wide_index = 1},
        {.type = CW_U8, .rows = 1, .length = 70000, .index = 1, .flags = CW_CONFLICT_FREE},
        {.type = CW_F64, .rows = 5, .length = 40000, .mixed = 2, .value_bytes = 2, .in_place = 1},
        {.type = CW_U32, .rows = 1, .length = 300000, .flags = CW_CONFLICT_FREE},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct rows_case c = cases[x];

        c.keys = 1;
        c.seed = cw_test_seed() + x;
        if (CW_SANITIZED && c.rows > 8)
            c.rows = 8;
        if ((!CW_FEW || x < 3) && (cw_long_run() || c.length <= 100000))
            failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

static void every_type_is_sorted_in_both_directions(void **state)
{
    int failed = 0;

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (unsigned flags = 0; flags <= CW_DESCENDING; flags++) {
            for (int p = cw_quick_run() || CW_SANITIZED ? ROWS_SPECIAL : 0; p < ROWS_PATTERNS;
                 p++) {
                struct rows_case c = case_of((cw_type)t, p % 2 ? 37 : 64, 1000u + (uint64_t)p);

                c.rows = 9;
                c.flags = flags;
                c.pattern = (enum rows_pattern)p;
                failed += rows_case_run(context, &c);
            }
        }
    }
    assert_int_equal(failed, 0);
}

static void values_and_indices_go_with_their_keys(void **state)
{
    static const size_t values[] = {0, 1, 2, 4, 8};
    static const size_t lengths[] = {3, 60, 300, 1500};
    int failed = 0;
    unsigned salt = 0;

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (size_t v = 0; v < COUNT(values); v++) {
            for (unsigned form = cw_quick_run() ? (unsigned)t % 4 : 0; form < 4;
                 form += cw_quick_run() ? 4 : 1) {
                struct rows_case c = case_of((cw_type)t, lengths[(t + form) % 4], 2000u + salt);

                c.rows = c.length > 1000 ? 1 : 7;
                c.value_bytes = values[v];
                c.index = form & 1 || !values[v];
                c.keys = form != 3;
                c.flags = (form & 2 ? CW_STABLE : 0u) | (salt % 3 ? 0u : CW_DESCENDING);
                c.in_place = form == 2;
                c.pattern = (enum rows_pattern)(salt++ % ROWS_PATTERNS);
                failed += rows_case_run(context, &c);
            }
        }
    }
    assert_int_equal(failed, 0);
}

/* By an index (rows/index_payload.h), unless conflicts are forbidden. */
static void long_rows_with_company_are_sorted_on_any_keys(void **state)
{
    static const size_t lengths[] = {600, 1024, 1500, 2048, 4095, 8192, 10000, 32768};
    static const cw_type types[] = {CW_U32, CW_F32, CW_I32};
    unsigned salt = 0;
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        for (int p = 0; p < ROWS_PATTERNS; p++, salt++) {
            struct rows_case c = case_of(types[salt % 3], lengths[x], 4000u + salt);

            if ((CW_FEW || c.length > 5000) && salt % 3)
                continue;
            c.rows = c.length > 1024 ? 1 : 2;
            c.pattern = (enum rows_pattern)p;
            c.index = salt % 2 || c.length > 8192;
            c.value_bytes = c.index && (salt % 4 == 1 || c.length > 8192) ? 0 : 4;
            c.keys = !c.index || salt % 5 != 1;
            c.in_place = salt % 2 == 0;
            c.mixed = salt % 7 == 3;
            c.flags = salt % 3 == 1 ? CW_DESCENDING : salt % 3 == 2 ? CW_STABLE : 0u;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* Floats that crowd at the ends of their range, whose words have zones, beside such as do not. */
static void rows_of_floats_with_company_are_sorted(void **state)
{
    static const size_t lengths[] = {513, 1000, 1536, 2048, 4096, 6144, 8192, 16384, 32768};
    static const enum rows_pattern patterns[] = {ROWS_NORMAL, ROWS_RANDOM, ROWS_NORMAL};
    static const unsigned flags[] = {CW_STABLE, CW_DESCENDING, CW_TOTAL_ORDER};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        for (size_t p = 0; p < COUNT(patterns); p++) {
            struct rows_case c = case_of(CW_F32, lengths[x], 5500u + 10u * x + p);

            if ((CW_FEW && (x + p) % 3) || (lengths[x] > 8192 && x % 2 != p % 2))
                continue;
            c.rows = 1;
            c.pattern = patterns[p];
            c.flags = flags[(x + p) % COUNT(flags)];
            c.index = p != 1;
            c.wide_index = (int)(x % 2);
            c.value_bytes = x % 3 == 1 ? 4 : 0;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

static void rows_of_mixed_lengths_are_sorted(void **state)
{
    static const size_t lengths[] = {1, 7, 100, 1000, 5000, 32768};
    static const cw_type types[] = {CW_U32, CW_BF16, CW_F64};
    int failed = 0;

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            struct rows_case c = case_of(types[t], lengths[x], 3000 + 100 * t + x);

            if (CW_FEW && lengths[x] > 1000 && t)
                continue;
            c.mixed = 1;
            c.rows = lengths[x] > 1000 ? 20 : 300;
            c.in_place = x % 2 == 0;
            c.value_bytes = x % 3 == 1 ? 8 : 0;
            c.index = x % 3 == 2;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* By offsets; most of them stand together, in one list, and warps find whole runs of them. */
static void equal_rows_by_offsets_are_sorted(void **state)
{
    static const size_t lengths[] = {2, 32, 64, 96, 256, 512, 1024, 4096};
    static const cw_type types[] = {CW_U32, CW_I64, CW_F32};
    int failed = 0;

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            struct rows_case c = case_of(types[t], lengths[x], 4000 + 100 * t + x);

            if (CW_FEW && lengths[x] > 512 && t)
                continue;
            c.mixed = 2;
            c.rows = lengths[x] > 256 ? 11 : lengths[x] > 32 ? 70 : 600;
            c.in_place = x % 2 == 0;
            c.flags = t == 2 ? CW_DESCENDING : CW_CONFLICT_FREE;
            failed += rows_case_run(context, &c);
            c.shift = 1; /* no longer on 16 bytes */
            c.rows /= 2;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* Where the last warps of a row have nothing to sort, and where they begin to have. */
static void rows_that_end_before_their_last_warps_are_sorted(void **state)
{
    static const size_t lengths[] = {2049, 3000, 3071, 3072, 3073, 4095, 4100, 5121, 6144, 7169};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        struct rows_case c = case_of(CW_U32, lengths[x], 5000 + x);

        if (CW_FEW && x % 3)
            continue;
        c.rows = 2;
        c.shift = x % 2;
        failed += rows_case_run(context, &c);
        c.mixed = 2;
        c.flags = CW_DESCENDING;
        failed += rows_case_run(context, &c);
        c.type = x % 2 ? CW_F64 : CW_U64;
        failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

static void rows_with_nothing_in_them_are_ordinary(void **state)
{
    struct rows_case c = case_of(CW_U32, 0, 1);
    cw_rows none;

    (void)state;
    memset(&none, 0, sizeof none);
    assert_int_equal(cw_sort_rows(context, &none, NULL, 0, NULL), CW_OK);
    none.length = 5;
    assert_int_equal(cw_sort_rows(context, &none, NULL, 0, NULL), CW_OK);
    c.mixed = 1;
    assert_int_equal(rows_case_run(context, &c), 0);
}

static void random_cases_are_sorted(void **state)
{
    const unsigned cases = cw_test_cases(cw_long_run() ? 4000 : CW_FEW ? 20 : 250);
    struct cw_random r = cw_random_from(cw_test_seed());
    int failed = 0;

    (void)state;
    for (unsigned x = 0; x < cases; x++) {
        static const size_t values[] = {0, 0, 1, 2, 4, 8};
        struct rows_case c = case_of((cw_type)cw_random_below(&r, CW_TYPE_COUNT), 0, x);

        c.length = (size_t)cw_random_below(&r, 2 + (32768u >> cw_random_below(&r, 15)));
        if (x % 2) /* near 2^k or 3 * 2^k */
            c.length = ((size_t)(2 + cw_random_below(&r, 2)) << cw_random_below(&r, 14)) - 1u +
                       (size_t)cw_random_below(&r, 3);
        c.length = !cw_long_run() && c.length > 8192 ? c.length / 8 : c.length;
        c.rows = (size_t)cw_random_below(&r, 2 + 20000 / (c.length + 200));
        c.mixed = (int)cw_random_below(&r, 3);
        c.flags = (unsigned)cw_random_below(&r, 16);
        c.value_bytes = values[cw_random_below(&r, 6)];
        c.index = (int)cw_random_below(&r, 2);
        c.keys = !c.index || cw_random_below(&r, 2);
        c.in_place = (int)cw_random_below(&r, 2);
        c.shift = (size_t)cw_random_below(&r, 3);
        c.narrow = (int)cw_random_below(&r, 2);
        c.gaps = c.mixed && cw_random_below(&r, 3) == 0;
        c.counted = cw_random_below(&r, 4) == 0;
        c.missing = c.counted ? (size_t)cw_random_below(&r, c.rows + 1) : 0;
        c.wide_index = c.index && cw_random_below(&r, 2);
        c.pattern = (enum rows_pattern)cw_random_below(&r, ROWS_PATTERNS);
        failed += rows_case_run(context, &c);
    }
    print_message("%u cases, seed %llu: %d failed\n", cases, (unsigned long long)cw_test_seed(),
                  failed);
    assert_int_equal(failed, 0);
}

static void no_bank_was_asked_twice(void **state)
{
    (void)state;
    assert_true(rows_test_backend() != CW_EMULATOR || requests > 100000);
    assert_int_equal(excess, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_sorted_by_its_kernel),
        cmocka_unit_test(long_rows_are_sorted_in_parts),
        cmocka_unit_test(rows_longer_than_a_block_are_sorted),
        cmocka_unit_test(every_type_is_sorted_in_both_directions),
        cmocka_unit_test(values_and_indices_go_with_their_keys),
        cmocka_unit_test(long_rows_with_company_are_sorted_on_any_keys),
        cmocka_unit_test(rows_of_floats_with_company_are_sorted),
        cmocka_unit_test(rows_of_mixed_lengths_are_sorted),
        cmocka_unit_test(equal_rows_by_offsets_are_sorted),
        cmocka_unit_test(rows_that_end_before_their_last_warps_are_sorted),
        cmocka_unit_test(rows_with_nothing_in_them_are_ordinary),
        cmocka_unit_test(random_cases_are_sorted),
        cmocka_unit_test(no_bank_was_asked_twice),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
