/* test_sort_fill.c - keys alone that take few values are counted and written, not moved (sort/counting/write_out.h,
 * sort/counting/counted_buckets.h): which buckets are, looked at on the emulator, and what comes out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fill_sort.h"

static uint64_t zipf(uint64_t r, double top)
{
    return (uint64_t)exp((double)(r >> 11) / 9007199254740992.0 * log(top));
}

/* ---- claims --------------------------------------------------------------------------------- */

/* All chunks are left where they are if no key has another bin. */
static void few_values_are_counted_and_never_moved(void **state)
{
    static const cw_type types[] = {CW_U32, CW_I32, CW_U64, CW_F64, CW_F32, CW_F32};
    static const uint64_t bases[] = {3, 0x70000000u, 3, 0x70000000u, 0x80000000u, 0xff800001u};

    (void)state;
    for (unsigned x = 0; x < (CW_SANITIZED ? 6u : 12u); x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + x);
        struct fill_sort s = fill_sort_begin(types[x % 6], x & 1 ? FEWER : N - x);
        const unsigned values = x % 3 ? 2 : x & 1 ? 3 : 5; /* such that each crowds a bin */
        /* signs differ, for some types; of floats: -0 and below, NaNs */
        const uint64_t base = bases[x % 6],
                       wide = CW_FULL_SHAPES && x % 6 < 4 ? 1u << 31 : 1u << 20;
        uint64_t some[5];

        for (unsigned v = 0; v < values; v++)
            some[v] = base + cw_random_next(&r) % wide;
        for (size_t i = 0; i < s.n; i++)
            s.keys[i] = some[cw_random_next(&r) % values];
        s.flags = x & 1 ? CW_DESCENDING : 0;
        s.in_place = x / 2 % 2;
        s.shift = x % 4;
        fill_sort_run(&s);
        assert_int_equal(s.tree, 1);
        assert_true(s.counted + s.single == s.n);
        assert_true(s.none == s.chunks && s.none > 1);
        free(s.keys);
    }
}

static void equal_keys_are_written_and_not_copied(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 4; x++) {
        struct fill_sort s = fill_sort_begin(x & 1 ? CW_F64 : CW_F32, x & 1 ? FEWER : N);

        for (size_t i = 0; i < s.n; i++)
            s.keys[i] = x & 1 ? 0xfff8000000001234u : 0x80000000u; /* a NaN, -0 */
        s.in_place = x / 2;
        fill_sort_run(&s);
        assert_true(s.single == s.n);
        free(s.keys);
    }
}

/* Most of what is frequent, in bins of one or a few values; the rest is moved as ever. */
static void the_narrow_bins_of_skewed_keys_are_counted(void **state)
{
    static const cw_type types[] = {CW_U32, CW_U64, CW_I32, CW_I64};

    (void)state;
    for (unsigned x = 0; x < (CW_SANITIZED ? 2u : 8u); x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 100 + x);
        struct fill_sort s = fill_sort_begin(types[x % 4], x & 2 ? FEWER : N);
        uint64_t narrow = 0;

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t y = cw_random_next(&r);

            s.keys[i] = x < 4 ? zipf(y, 1e7) : y & 1 ? y >> 34 : 0x5a000u + (y >> 57);
            narrow += x < 4 ? s.keys[i] < 32 : (y & 1) == 0;
        }
        s.flags = x & 4 ? CW_DESCENDING : 0;
        s.in_place = x & 1;
        fill_sort_run(&s);
        assert_int_equal(s.tree, 1);
        assert_true(s.counted + s.single > narrow / 4 * 3 && s.counted + s.single < s.n);
        assert_true(s.none == 0);
        free(s.keys);
    }
}

/* Runs of 2000 in order: tiles, which move all keys of a chunk. */
static void chunks_that_go_by_tiles_may_have_exact_bins(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 2; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 150 + x);
        struct fill_sort s = fill_sort_begin(x ? CW_U64 : CW_U32, N);

        for (size_t i = 0; i < s.n; i++)
            s.keys[i] = zipf(cw_random_next(&r), 1e7);
        for (size_t i = 0; i + 2000 <= s.n; i += 2000)
            qsort(s.keys + i, 2000, sizeof *s.keys, fill_sort_by_size);
        s.in_place = (int)x;
        fill_sort_run(&s);
        assert_int_equal(s.tree, 1);
        assert_true(s.tiles > s.chunks / 2 && s.counted > 0);
        free(s.keys);
    }
}

/* Both zeros, NaNs and infinities, each as often as the other. */
static void special_floats_keep_their_bits(void **state)
{
    static const uint32_t bits[] = {0,           0x80000000u, 0x7f800000u, 0xff800000u,
                                    0x7fc00000u, 0xffc00001u, 0x7f800001u, 0xffffffffu,
                                    1,           0x80000001u};

    (void)state;
    for (unsigned x = 0; x < 4; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 500 + x);
        struct fill_sort s = fill_sort_begin(x / 2 ? CW_F64 : CW_F32, N);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t b = bits[cw_random_next(&r) % 10];

            s.keys[i] = x / 2 ? b << 32 | b >> 31 : b;
        }
        s.flags = x & 1 ? CW_DESCENDING : 0;
        fill_sort_run(&s);
        free(s.keys);
    }
}

/* Where only some bits count, keys that agree in these are not the same. */
static void a_range_of_bits_counts_no_values(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 3; x++) {
        struct cw_random r = cw_random_from(cw_test_seed() + 600 + x);
        struct fill_sort s = fill_sort_begin(x == 2 ? CW_U64 : CW_U32, N);

        for (size_t i = 0; i < s.n; i++) {
            const uint64_t y = cw_random_next(&r);

            s.keys[i] = x ? y & 0xff000003u : (y & 0x30u) | y << 56 >> 32;
        }
        s.first_bit = x == 1 ? 0 : 4;
        s.bits = x == 1 ? 16 : 8;
        fill_sort_run(&s);
        assert_int_equal(s.launched, 0);
        free(s.keys);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_counted_and_never_moved),
        cmocka_unit_test(equal_keys_are_written_and_not_copied),
        cmocka_unit_test(the_narrow_bins_of_skewed_keys_are_counted),
        cmocka_unit_test(chunks_that_go_by_tiles_may_have_exact_bins),
        cmocka_unit_test(special_floats_keep_their_bits),
        cmocka_unit_test(a_range_of_bits_counts_no_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
