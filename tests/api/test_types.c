/* test_types.c - every type's keys as unsigned words: one word a key, in the order of values.
 *
 * Values are compared as long doubles, which hold every type exactly; the map itself is used only
 * where it is tested.  Types of 8 and 16 bits are tried in full, the others with edges, random
 * bits, and bits near both.
 */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prim/key_map.h"
#include "values.h"

#define SAMPLE 1500

#define ORDER_FLAG(flag, name) flag,
static const unsigned orders[] = {CW_ORDER_LIST(ORDER_FLAG)};
#undef ORDER_FLAG

#define WAYS (2 * (unsigned)COUNT(orders)) /* each order up and down */

static unsigned flags_of(unsigned way)
{
    return orders[way / 2] | (way % 2 ? (unsigned)CW_DESCENDING : 0u);
}

/* ---- the map -------------------------------------------------------------------------------- */

/* What kernels hold for keys up to 32 bits. */
struct narrow {
    uint32_t flip, toggle, bias, mask, bits;
    uint32_t minus, plus, low, high;
};

static uint64_t word_of(const struct cw_key_map *m, uint64_t key)
{
    const uint64_t word = CW_KEY_TO_WORD(m, key);

    if (m->bits <= 32) {
        const struct narrow n = {
            (uint32_t)m->flip,  (uint32_t)m->toggle, (uint32_t)m->bias, (uint32_t)m->mask, m->bits,
            (uint32_t)m->minus, (uint32_t)m->plus,   (uint32_t)m->low,  (uint32_t)m->high};
        const uint32_t key4 = (uint32_t)key, word4 = CW_KEY_TO_WORD(&n, key4);

        assert_int_equal(word4, word);
        assert_int_equal(CW_WORD_TO_RANK(&n, word4), CW_WORD_TO_RANK(m, word));
    }
    assert_int_equal(word & ~m->mask, 0);
    return word;
}

static uint64_t key_of(const struct cw_key_map *m, uint64_t word)
{
    const uint64_t flipped = CW_WORD_FLIPPED(m, word);

    return CW_FLIPPED_TO_KEY(m, flipped);
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* All keys of a type of 16 bits or fewer, by their words: each word once, never out of order; keys have one rank if and
 * only if they are equal. */
static void try_all(cw_type type, unsigned flags)
{
    const struct cw_key_map m = cw_key_map_of(type, flags, 1);
    const uint64_t keys = m.mask + 1;
    uint32_t *by_word = (uint32_t *)malloc(keys * sizeof *by_word);

    assert_non_null(by_word);
    memset(by_word, 0xff, keys * sizeof *by_word);
    for (uint64_t key = 0; key < keys; key++) {
        const uint64_t word = word_of(&m, key);

        assert_int_equal(by_word[word], UINT32_MAX);
        assert_int_equal(key_of(&m, word), key);
        by_word[word] = (uint32_t)key;
    }
    for (uint64_t word = 1; word < keys; word++) {
        const uint32_t a = by_word[word - 1], b = by_word[word];

        const uint64_t low = CW_WORD_TO_RANK(&m, word - 1), high = CW_WORD_TO_RANK(&m, word);
        const int order = cw_value_compare(type, flags, a, b);

        if (order > 0 || low > high || (order == 0) != (low == high))
            fail_msg("%s, flags 0x%x: 0x%x has the word before that of 0x%x", cw_type_name(type),
                     flags, a, b);
        if (low == high)
            assert_true(m.tied && CW_RANK_SHARED(&m, low));
    }
    free(by_word);
}

static void short_types_map_every_key_to_a_word_of_its_own_in_order(void **state)
{
    (void)state;
    for (int type = 0; type < CW_TYPE_COUNT; type++)
        for (unsigned way = 0; way < WAYS && cw_type_bytes((cw_type)type) <= 2; way++)
            try_all((cw_type)type, flags_of(way));
}

/* Numbers around all powers of two, so around the bounds of exponents and integers too. */
static uint64_t edge(uint32_t x)
{
    const uint64_t bit = (uint64_t)1 << x / 6 % 64;
    const uint64_t near[] = {bit - 1, bit, bit + 1, ~bit, ~bit + 1, ~bit - 1};

    return near[x % 6];
}

/* The keys that a float's order can go wrong at. */
static uint64_t float_edge(cw_type type, uint32_t x)
{
    const uint32_t bits = type == CW_F32 ? 32 : 64, fraction = type == CW_F32 ? 23 : 52;
    const uint64_t sign = (uint64_t)(x & 1) << (bits - 1);
    const uint64_t most = ((uint64_t)1 << (bits - 1)) - 1, infinity = most >> fraction << fraction;
    const uint64_t magnitude[] = {0, 1, infinity - 1, infinity, infinity + 1, most};

    return sign | magnitude[x / 2 % 6];
}

static void make_sample(cw_type type, struct cw_random *random, uint64_t *sample)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * cw_type_bytes(type));

    for (uint32_t x = 0; x < SAMPLE; x++) {
        if (x < 12 && cw_is_float(type))
            sample[x] = float_edge(type, x);
        else if (x < 400)
            sample[x] = edge(x) & mask;
        else if (x < 900)
            sample[x] = cw_random_next(random) & mask;
        else /* close to one before, and to the same number of the other sign */
            sample[x] = (sample[cw_random_below(random, x)] + cw_random_below(random, 3) - 1 +
                         (cw_random_below(random, 2) << (8 * cw_type_bytes(type) - 1))) &
                        mask;
    }
}

static void try_sample(cw_type type, unsigned flags, uint64_t seed)
{
    static uint64_t sample[SAMPLE], word[SAMPLE];
    const struct cw_key_map m = cw_key_map_of(type, flags, 1);
    struct cw_random random = cw_random_from(seed);

    make_sample(type, &random, sample);
    for (uint32_t a = 0; a < SAMPLE; a++) {
        word[a] = word_of(&m, sample[a]);
        if (key_of(&m, word[a]) != sample[a])
            fail_msg("%s, seed %llu: 0x%llx does not come back", cw_type_name(type),
                     (unsigned long long)seed, (unsigned long long)sample[a]);
    }
    for (uint32_t a = 0; a < SAMPLE; a++) {
        for (uint32_t b = 0; b < SAMPLE; b++) {
            const uint64_t x = CW_WORD_TO_RANK(&m, word[a]), y = CW_WORD_TO_RANK(&m, word[b]);
            const int order = cw_value_compare(type, flags, sample[a], sample[b]);

            if ((word[a] == word[b]) != (sample[a] == sample[b]) ||
                (order < 0 && word[a] >= word[b]) || (x > y) - (x < y) != order)
                fail_msg("%s, flags 0x%x, seed %llu: 0x%llx and 0x%llx", cw_type_name(type), flags,
                         (unsigned long long)seed, (unsigned long long)sample[a],
                         (unsigned long long)sample[b]);
        }
    }
}

static void long_types_keep_the_order_of_values_and_come_back(void **state)
{
    (void)state;
    for (int type = 0; type < CW_TYPE_COUNT; type++)
        for (unsigned way = 0; way < WAYS && cw_type_bytes((cw_type)type) > 2; way++)
            try_sample((cw_type)type, flags_of(way), cw_test_seed() + (uint64_t)type);
}

/* By their bits: the claims of clearway.h, for every float type. */
static void nans_come_last_in_both_orders(void **state)
{
    static const struct {
        cw_type type;
        uint64_t infinity, sign;
    } floats[] = {
        {CW_F16, 0x7c00, 0x8000},
        {CW_BF16, 0x7f80, 0x8000},
        {CW_F32, 0x7f800000, 0x80000000},
        {CW_F64, UINT64_C(0x7ff0000000000000), UINT64_C(0x8000000000000000)},
    };

    (void)state;
    for (size_t x = 0; x < COUNT(floats); x++) {
        const uint64_t infinity = floats[x].infinity, sign = floats[x].sign;
        const uint64_t nan[] = {infinity + 1, infinity | infinity >> 1, sign - 1,
                                sign | (infinity + 1), sign | (sign - 1)};

        for (int descending = 0; descending < 2; descending++) {
            const struct cw_key_map m =
                cw_key_map_of(floats[x].type, descending ? CW_DESCENDING : 0u, 0);
            const uint64_t last = word_of(&m, descending ? sign | infinity : infinity);

            assert_int_equal(word_of(&m, descending ? infinity : sign | infinity), 0);
            for (size_t k = 0; k < COUNT(nan); k++) {
                assert_true(isnan(cw_value_of(floats[x].type, nan[k])));
                assert_true(word_of(&m, nan[k]) > last);
            }
        }
    }
}

static void minus_zero_is_next_before_plus_zero(void **state)
{
    static const cw_type floats[] = {CW_F16, CW_BF16, CW_F32, CW_F64};

    (void)state;
    for (size_t x = 0; x < COUNT(floats); x++) {
        const struct cw_key_map up = cw_key_map_of(floats[x], 0, 0),
                                down = cw_key_map_of(floats[x], CW_DESCENDING, 0);
        const uint64_t minus = (uint64_t)1 << (up.bits - 1);

        assert_int_equal(word_of(&up, minus) + 1, word_of(&up, 0));
        assert_int_equal(word_of(&down, 0) + 1, word_of(&down, minus));
    }
}

static void only_unsigned_keys_in_ascending_order_are_their_words(void **state)
{
    (void)state;
    for (int type = 0; type < CW_TYPE_COUNT; type++) {
        for (int descending = 0; descending < 2; descending++) {
            const struct cw_key_map m =
                cw_key_map_of((cw_type)type, descending ? CW_DESCENDING : 0u, 1);
            const int same = word_of(&m, 1) == 1 && word_of(&m, 0) == 0;

            assert_int_equal(m.plain, type <= CW_U64 && !descending);
            assert_int_equal(m.plain, same);
        }
    }
}

static void types_have_names_and_sizes(void **state)
{
    static const char *const names[] = {"u8",  "u16", "u32", "u64",  "i8",  "i16",
                                        "i32", "i64", "f16", "bf16", "f32", "f64"};
    static const size_t bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};

    (void)state;
    assert_int_equal(CW_TYPE_COUNT, COUNT(names));
    for (int type = 0; type < CW_TYPE_COUNT; type++) {
        assert_string_equal(cw_type_name((cw_type)type), names[type]);
        assert_int_equal(cw_type_bytes((cw_type)type), bytes[type]);
    }
    assert_string_equal(cw_type_name(CW_TYPE_COUNT), "unknown");
    assert_int_equal(cw_type_bytes(CW_TYPE_COUNT), 0);
    assert_int_equal(cw_type_bytes((cw_type)-1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_names_and_sizes),
        cmocka_unit_test(short_types_map_every_key_to_a_word_of_its_own_in_order),
        cmocka_unit_test(long_types_keep_the_order_of_values_and_come_back),
        cmocka_unit_test(nans_come_last_in_both_orders),
        cmocka_unit_test(minus_zero_is_next_before_plus_zero),
        cmocka_unit_test(only_unsigned_keys_in_ascending_order_are_their_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
