/* test_sort.c - cw_sort sorts, in whichever context CW_TEST_BACKEND names (emulator, unless
 * told). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_case.h"
#include "rows_case.h"

static cw_context *context;

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
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

/* On a GPU one block sorts what the emulator splits: there must be more. */
static size_t items(size_t n)
{
    return small() ? n : 12 * n;
}

static struct array_case case_of(cw_type type, size_t n, uint64_t salt)
{
    const struct array_case c = {.type = type, .n = n, .keys = 1, .seed = cw_test_seed() + salt};

    return c;
}

/* Keys, then in place and off their alignment. */
static int both_places(struct array_case c)
{
    const int failed = array_case_run(context, &c);

    c.in_place = 1;
    c.shift = 1;
    return failed + array_case_run(context, &c);
}

/* The same, pairs, stable pairs. */
static int four_ways(struct array_case c)
{
    int failed = both_places(c);

    c.in_place = 1;
    c.value_bytes = 4;
    failed += array_case_run(context, &c);
    c.in_place = 0;
    c.flags |= CW_STABLE;
    return failed + array_case_run(context, &c);
}

/* ---- claims --------------------------------------------------------------------------------- */

/* Around what one block sorts, tiles and queues of the emulator's kernels, then of a GPU's; primes. */
static void every_length_is_sorted(void **state)
{
    static const size_t lengths[] = {0,    1,    2,    3,    31,   33,   255,  256,  257,  511,
                                     512,  513,  1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097,
                                     6143, 6144, 6145, 7919, 8191, 8192, 8193, 10007};
    static const size_t more[] = {16384, 32768, 32769, 65537, 98304, 300007, 1100009};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        if (CW_FEW && x % 3)
            continue;
        failed += four_ways(case_of(CW_U32, lengths[x], x));
        failed += x % 4 ? both_places(case_of(CW_U64, lengths[x], 100 + x))
                        : four_ways(case_of(CW_U64, lengths[x], 100 + x));
    }
    for (size_t x = 0; x < (cw_quick_run() || emulated() ? 5 : COUNT(more)) && !small(); x++) {
        failed += four_ways(case_of(CW_U32, more[x], 200 + x));
        failed += both_places(case_of(CW_U64, more[x], 300 + x));
    }
    assert_int_equal(failed, 0);
}

static void every_input_is_sorted(void **state)
{
    const size_t n = small()                        ? CW_SANITIZED ? 4999 : 15013
                     : emulated() || cw_quick_run() ? 60013
                                                    : 299993;
    static const cw_type types[] = {CW_U32, CW_F32, CW_I64};
    int failed = 0;

    (void)state;
    for (int p = 0; p < ARRAY_PATTERNS; p++) {
        for (size_t t = 0; t < COUNT(types); t++) {
            struct array_case c = case_of(types[t], n, 1000u + 10u * (unsigned)p + t);

            if (CW_SANITIZED && ((size_t)p + t) % 3)
                continue;
            c.pattern = (enum array_pattern)p;
            c.flags = t == 1 && p % 2 ? CW_DESCENDING : 0;
            failed += t == 0 && (CW_FEW ? CW_SANITIZED && p % 3 == 0 : 1)
                          ? four_ways(c)
                          : array_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

static void every_type_is_sorted_in_both_directions(void **state)
{
    int failed = 0;

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        const int step = CW_FEW ? 5 : small() ? 2 : 1;

        for (int p = t % step; p < ARRAY_PATTERNS; p += step) {
            struct array_case c =
                case_of((cw_type)t, p % 3 ? 700 : items(4987), 2000u + (unsigned)p);

            c.pattern = (enum array_pattern)p;
            c.flags = (t + p) % 2 ? CW_DESCENDING : 0;
            c.in_place = p % 3 == 1;
            c.shift = (size_t)p % 4;
            failed += array_case_run(context, &c);
            c.flags ^= CW_DESCENDING;
            c.n = 997;
            failed += array_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

static void values_and_indices_go_with_their_keys(void **state)
{
    static const size_t values[] = {0, 1, 2, 4, 8, 16}, indices[] = {0, 4, 8};
    unsigned salt = 0;
    int failed = 0;

    (void)state;
    for (int t = 0; t < CW_TYPE_COUNT; t++) {
        for (size_t v = 0; v < COUNT(values); v++) {
            for (size_t i = 0; i < COUNT(indices); i++) {
                struct array_case c =
                    case_of((cw_type)t, items(salt % 5 ? 1201 : 4999), 3000u + salt);

                c.value_bytes = values[v];
                c.index_bytes = indices[i];
                c.keys = !c.index_bytes || salt % 3;
                c.flags = (salt % 2 ? CW_STABLE : 0u) | (salt % 5 ? 0u : CW_DESCENDING);
                c.in_place = c.keys && salt % 4 >= 2;
                c.pattern = (enum array_pattern)(salt++ % ARRAY_PATTERNS);
                if (CW_FEW ? salt % (CW_SANITIZED ? 16 : 8) == 0
                           : !small() || (salt + (unsigned)t) % 2)
                    failed += array_case_run(context, &c);
            }
        }
    }
    assert_int_equal(failed, 0);
}

static void only_the_bits_asked_for_count(void **state)
{
    static const unsigned ranges[][2] = {{0, 1}, {3, 5},  {7, 1},   {0, 8},   {4, 0},
                                         {8, 8}, {5, 20}, {16, 16}, {10, 33}, {1, 62}};
    unsigned salt = 0;
    int failed = 0;

    (void)state;
    for (int t = 0; t <= CW_I64; t++) {
        const unsigned bits = 8u * (unsigned)cw_type_bytes((cw_type)t);

        for (size_t x = 0; x < COUNT(ranges); x++) {
            struct array_case c = case_of((cw_type)t, items(x % 3 ? 1009 : 4500), 4000u + salt++);

            c.first_bit = ranges[x][0];
            c.bits = ranges[x][1];
            if (c.first_bit + c.bits > bits || (cw_quick_run() && salt % 4))
                continue;
            c.flags = (x % 2 ? CW_STABLE : 0u) | (x % 3 ? 0u : CW_DESCENDING);
            c.value_bytes = x % 4 == 1 ? 8 : x % 4 == 2 ? 4 : 0;
            c.index_bytes = x % 5 == 4 ? 4 : 0;
            c.in_place = x % 3 == 1;
            failed += array_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* More rows than their list holds. */
static void rows_that_find_no_room_are_sorted_all_the_same(void **state)
{
    static const size_t lengths[] = {17011, 25013};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        struct array_case c = case_of(CW_U32, small() ? lengths[x] : 4 * lengths[x], 5000 + x);

        c.pattern = ARRAY_NESTED;
        failed += x ? 0 : CW_SANITIZED ? array_case_run(context, &c) : four_ways(c);
        c.type = CW_U64;
        failed += x || !CW_SANITIZED ? array_case_run(context, &c) : 0;
    }
    assert_int_equal(failed, 0);
}

/* Rows of 2^12 and 2^13: arrays that would have too many shorter ones. */
static void long_arrays_are_sorted(void **state)
{
    int failed = 0;

    (void)state;
    for (int x = 0; x < (CW_FEW ? 1 : 3); x++) {
        struct array_case c = case_of(x == 1 ? CW_U64 : CW_I32, 130003, 6000u + (unsigned)x);

        c.value_bytes = x == 2 ? 4 : 0;
        c.pattern = x == 2 ? ARRAY_HEAVY : ARRAY_RANDOM;
        failed += array_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_sorted),
        cmocka_unit_test(every_input_is_sorted),
        cmocka_unit_test(every_type_is_sorted_in_both_directions),
        cmocka_unit_test(values_and_indices_go_with_their_keys),
        cmocka_unit_test(only_the_bits_asked_for_count),
        cmocka_unit_test(rows_that_find_no_room_are_sorted_all_the_same),
        cmocka_unit_test(long_arrays_are_sorted),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
