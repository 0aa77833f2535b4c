/* test_rows_orders.c - the orders of floats (CW_ORDER_LIST) in rows, in two contexts.
 *
 * All 65536 patterns of f16 and bf16, in rows of many lengths, and special values of f32 and f64 (zeros of both signs, NaNs
 * of several bits) go by every kind of kernel: several rows a thread, a row a warp, a block, three quarters of the
 * places, parts, words of places.  Keys, stable keys, index, values; in place and not.
 */
#include <stdio.h>

#include "rows_case.h"

#define ORDER_FLAG(flag, name) flag,
static const unsigned orders[] = {CW_ORDER_LIST(ORDER_FLAG)};
#undef ORDER_FLAG

static cw_context *contexts[2];

static int open_contexts(void **state)
{
    (void)state;
    return cw_context_create(CW_CPU, &contexts[0]) ||
           cw_context_create(rows_test_backend(), &contexts[1]);
}

static int close_contexts(void **state)
{
    (void)state;
    cw_context_destroy(contexts[0]);
    cw_context_destroy(contexts[1]);
    return 0;
}

static const struct rows_case forms[] = {
    {.keys = 1, .flags = CW_STABLE},
    {.keys = 1, .index = 1, .in_place = 1},
    {.keys = 1, .value_bytes = 4, .flags = CW_STABLE, .in_place = 1},
    {.keys = 1},
    {.index = 1, .wide_index = 1},
    {.keys = 1, .value_bytes = 8, .flags = CW_STABLE | CW_CONFLICT_FREE},
    {.keys = 1, .value_bytes = 1, .flags = CW_STABLE, .mixed = 1},
    {.keys = 1, .index = 1, .flags = CW_CONFLICT_FREE, .in_place = 1},
    {.keys = 1, .value_bytes = 2},
    {.keys = 1, .index = 1, .mixed = 1, .gaps = 1, .in_place = 1},
    {.keys = 1, .flags = CW_STABLE, .in_place = 1},
    {.keys = 1, .flags = CW_STABLE, .mixed = 1},
};

/* The host does every eighth form, kernels that are emulated every 41st, others of them with every call. */
static int try_all(struct rows_case c, unsigned salt)
{
    const int emulated = rows_test_backend() == CW_EMULATOR;
    int failed = 0;

    for (unsigned way = 0; way < 2 * COUNT(orders); way++) {
        for (unsigned x = 0; x < COUNT(forms); x++) {
            struct rows_case each = forms[x];

            each.type = c.type;
            each.rows = c.rows;
            each.length = c.length;
            each.pattern = c.pattern;
            each.seed = cw_test_seed() + salt + way;
            each.flags |= orders[way / 2] | (way % 2 ? (unsigned)CW_DESCENDING : 0u);
            if (CW_SANITIZED && (x + way + salt) % 5)
                continue;
            if (cw_long_run() || (x + way + salt) % 8 == 0)
                failed += rows_case_run(contexts[0], &each);
            if (!emulated || (5 * x + 7 * way + 11 * salt) % (cw_long_run() ? 3 : 41) == 0)
                failed += rows_case_run(contexts[1], &each);
        }
    }
    return failed;
}

static void every_pattern_of_16_bits_is_sorted_in_every_order(void **state)
{
    static const size_t lengths[] = {2, 16, 24, 512, 3000, 65536};
    unsigned salt = 0;
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        for (int t = 0; t < 2; t++) {
            const struct rows_case c = {.type = t ? CW_BF16 : CW_F16,
                                        .rows = 65536 / lengths[x] + (65536 % lengths[x] != 0),
                                        .length = lengths[x],
                                        .pattern = ROWS_EVERY};

            if (!CW_FEW || x % 2 == (size_t)t)
                failed += try_all(c, salt++);
        }
    }
    assert_int_equal(failed, 0);
}

static void special_values_are_sorted_in_every_order(void **state)
{
    static const size_t lengths[] = {3,    20,   33,   100,  700,   1024,
                                     1500, 2000, 5000, 9001, 20000, 40000};
    unsigned salt = 100;
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        for (int t = 0; t < 4; t++) {
            const struct rows_case c = {.type = t < 2 ? CW_F32 : CW_F64,
                                        .rows = 1 + 6000 / lengths[x],
                                        .length = lengths[x],
                                        .pattern = t % 2 ? ROWS_SPECIAL : ROWS_RANDOM};

            if (!CW_FEW || (x + (size_t)t) % 3 == 0)
                failed += try_all(c, salt++);
        }
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values_are_sorted_in_every_order),
        cmocka_unit_test(every_pattern_of_16_bits_is_sorted_in_every_order),
    };

    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
