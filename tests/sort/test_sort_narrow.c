/* test_sort_narrow.c - long buckets whose keys take few values, in a narrow range or a power of two apart, are
 * counted, not split (sort/counting/narrow_buckets.h). */
#include <stdlib.h>
#include <string.h>

#include "fill_sort.h"

/* The widest range of values that is counted, at both ends and in the middle of what keys can be, and
 * one value more. */
static void a_narrow_range_is_counted_up_to_its_limit(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 6; x++) {
        const cw_type type = x % 2 ? CW_U64 : CW_U32;
        const uint64_t top = x % 2 ? UINT64_MAX : UINT32_MAX;
        const uint64_t lo = x / 2 == 0 ? 0 : x / 2 == 1 ? top - NARROW + 1u : top / 3u;

        for (unsigned more = 0; more < 2; more++) {
            struct cw_random r = cw_random_from(cw_test_seed() + 200 + x);
            struct fill_sort s = fill_sort_begin(type, CW_FULL_SHAPES ? 4u * NARROW + 3u
                                                       : x % 2        ? FEWER
                                                                      : N);

            for (size_t i = 0; i < s.n; i++)
                s.keys[i] = lo + cw_random_next(&r) % NARROW;
            s.keys[s.n / 3] = lo;
            s.keys[s.n / 2] = lo + NARROW - 1u;
            if (more && x / 2 != 1)
                s.keys[s.n / 2]++;
            else if (more)
                s.keys[s.n / 3]--;
            s.in_place = x / 2 % 2;
            s.shift = x % 3;
            fill_sort_run(&s);
            assert_int_equal(s.tree, 0);
            assert_true(s.narrow == (more ? 0 : s.n));
            free(s.keys);
        }
    }
}

/* Whole numbers kept as floats; multiples of a power of two, with something in the bits below that is the same in
 * all, at the limit and one value beyond. */
static void values_a_power_of_two_apart_are_counted(void **state)
{
    (void)state;
    for (unsigned x = 0; x < (CW_SANITIZED ? 4u : 8u); x++) {
        static const cw_type types[] = {CW_F32, CW_F64, CW_U32, CW_I64};
        const cw_type type = types[x % 4];
        const uint64_t many = x % 4 < 2 ? 100u : NARROW + x / 4;
        struct cw_random r = cw_random_from(cw_test_seed() + 250 + x);
        struct fill_sort s = fill_sort_begin(type, CW_FULL_SHAPES ? 4u * NARROW + 7u
                                                   : x % 2        ? FEWER
                                                                  : N);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t v = i < many ? i : cw_random_next(&r) % many;
            const float f = 128.0f + (float)v;
            const double d = -5000.0 - (double)v;

            s.keys[i] = 0;
            if (type == CW_F32)
                memcpy(&s.keys[i], &f, sizeof f);
            else if (type == CW_F64)
                memcpy(&s.keys[i], &d, sizeof d);
            else
                s.keys[i] = type == CW_U32 ? 0x555u + (v << 12) : (v << 33) + 77u;
        }
        s.flags = x & 1 ? CW_DESCENDING : 0;
        s.in_place = x / 2 % 2;
        s.shift = x % 3;
        fill_sort_run(&s);
        assert_true(s.narrow == (many > NARROW ? 0 : s.n));
        free(s.keys);
    }
}

/* 6667 of 100003 keys in 200 values, far from others: it takes a split to find these; or two, if some are near. */
static void narrow_buckets_are_counted_wherever_they_stand(void **state)
{
    (void)state;
    if (CW_FULL_SHAPES)
        return;
    for (unsigned x = 0; x < 2; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 300 + x);
        struct fill_sort s = fill_sort_begin(CW_U32, 100003);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t y = cw_random_next(&r), far = (uint32_t)y;

            s.keys[i] = far >= 0x20000000u && far < 0x60000000u ? far ^ 0x80000000u : far;
            if (x && i % 60 == 2)
                s.keys[i] = 0x40000000u + far % 1500u;
            if (i % 15 == 9) /* of these the sample has few, lest a tree is made */
                s.keys[i] = 0x40000000u + (y >> 40) % 200u;
        }
        s.in_place = 1;
        fill_sort_run(&s);
        assert_int_equal(s.tree, 0);
        assert_true(s.narrow >= s.n / 15);
        assert_int_equal(s.at, x ? 1u << AT_OUT : 1u << AT_TMP);
        free(s.keys);
    }
}

/* Two such buckets: one is found by the second pass, the other one, among others in 1500 values, by the
 * third.  Lists are worked off in between. */
static void narrow_buckets_are_counted_after_every_pass(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed() + 350);
    struct fill_sort s = fill_sort_begin(CW_U32, 120011);

    (void)state;
    for (size_t i = 0; i < s.n && !CW_FULL_SHAPES; i++) {
        const uint64_t y = cw_random_next(&r);

        s.keys[i] = i % 19 == 0    ? 0x20000000u + y % 200u
                    : i % 19 == 1  ? 0xa0000000u + 600u + y % 200u
                    : i % 300 == 2 ? 0xa0000000u + y % 1500u
                                   : (uint32_t)y | 0x40000000u;
    }
    if (!CW_FULL_SHAPES) {
        fill_sort_run(&s);
        assert_int_equal(s.tree, 0);
        assert_true(s.narrow >= s.n / 19 * 2);
        assert_int_equal(s.at, 1u << AT_OUT | 1u << AT_TMP);
    }
    free(s.keys);
}

/* One piece of the range is counted in the first pass, more of it in bins of the tree. */
static void narrow_bins_that_are_not_exact_are_counted_later(void **state)
{
    struct cw_random r = cw_random_from(cw_test_seed() + 400);
    struct fill_sort s = fill_sort_begin(CW_U32, 520003);

    (void)state;
    if (CW_FULL_SHAPES || CW_SANITIZED) {
        free(s.keys);
        return;
    }
    for (size_t i = 0; i < s.n; i++) {
        const uint64_t y = cw_random_next(&r);

        s.keys[i] = y & 1 ? (uint32_t)(y >> 8) : 0x5a000000u + (uint32_t)(y >> 8) % 1500u;
    }
    fill_sort_run(&s);
    assert_int_equal(s.tree, 1);
    assert_true(s.counted > 0 && s.narrow > s.n / 8);
    free(s.keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_range_is_counted_up_to_its_limit),
        cmocka_unit_test(values_a_power_of_two_apart_are_counted),
        cmocka_unit_test(narrow_buckets_are_counted_wherever_they_stand),
        cmocka_unit_test(narrow_buckets_are_counted_after_every_pass),
        cmocka_unit_test(narrow_bins_that_are_not_exact_are_counted_later),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
