/* test_sort_orders.c - the orders of floats (CW_ORDER_LIST), on every 16-bit pattern, in two contexts.
 *
 * All 65536 patterns of f16 and bf16 are shuffled and sorted in each order, up and down, as keys, stable keys, with
 * stable values, as an index, in place, by comparing; the reference compares values (support/values.c).  So does
 * each pair of patterns' order show: of equals by the index, of others by the keys.  f32 and f64 are held to the
 * same by arrays of special values.  The contexts are the host and the one that CW_TEST_BACKEND names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_memory.h"
#include "rows_case.h"
#include "values.h"

#define ALL 65536u

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

/* ---- the reference -------------------------------------------------------------------------- */

struct item {
    uint64_t key;
    uint32_t place;
    cw_type type;
    unsigned flags;
};

static int by_order(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int order = cw_value_compare(a->type, a->flags, a->key, b->key);

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* ---- one sort ------------------------------------------------------------------------------- */

/* What is asked for besides the order. */
struct form {
    unsigned flags;
    size_t value_bytes, index_bytes;
    int keys, in_place;
};

static const struct form forms[] = {
    {.keys = 1},
    {.keys = 1, .flags = CW_STABLE},
    {.keys = 1, .flags = CW_STABLE, .in_place = 1},
    {.keys = 1, .flags = CW_STABLE, .value_bytes = 4},
    {.keys = 1, .flags = CW_STABLE, .value_bytes = 8, .in_place = 1},
    {.index_bytes = 4},
    {.keys = 1, .index_bytes = 8, .in_place = 1},
    {.keys = 1, .index_bytes = 4, .value_bytes = 2},
    {.keys = 1, .flags = CW_STABLE | CW_CONFLICT_FREE},
    {.keys = 1, .flags = CW_STABLE | CW_CONFLICT_FREE, .value_bytes = 4, .in_place = 1},
    {.keys = 1, .flags = CW_CONFLICT_FREE, .index_bytes = 4},
};

struct trial {
    cw_context *context;
    cw_type type;
    unsigned flags; /* direction and order */
    struct form form;
    const void *keys; /* n of them */
    size_t n;
};

static void *taken(cw_context *context, size_t bytes)
{
    void *memory = NULL;

    assert_int_equal(case_memory_take(context, bytes + 1, &memory), CW_OK);
    return memory;
}

static void wrong(const struct trial *t, const char *what, size_t i)
{
    fail_msg("%s, flags 0x%x and 0x%x, values %zu, index %zu, in place %d, %s: %s %zu of %zu is "
             "wrong (CW_SEED=%llu)",
             cw_type_name(t->type), t->flags, t->form.flags, t->form.value_bytes,
             t->form.index_bytes, t->form.in_place, t->context == contexts[0] ? "host" : "kernels",
             what, i, t->n, (unsigned long long)cw_test_seed());
}

/* Where keys that are no longer told apart may stand anywhere, each must equal the one that is wanted. */
static void check(const struct trial *t, const struct item *want, const void *keys,
                  const void *values, const void *index)
{
    const size_t bytes = cw_type_bytes(t->type), v = t->form.value_bytes;
    const int exact = t->form.flags & CW_STABLE || t->form.index_bytes;
    uint64_t sum = 0;

    for (size_t i = 0; i < t->n; i++) {
        const uint64_t key = t->form.keys ? cw_item(keys, i, bytes) : 0;

        sum += (key + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ key << 7;
        sum -= (want[i].key + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ want[i].key << 7;
        if (t->form.keys && (exact ? key != want[i].key
                                   : cw_value_compare(t->type, t->flags, key, want[i].key) != 0))
            wrong(t, "key", i);
        if (t->form.index_bytes && cw_item(index, i, t->form.index_bytes) != want[i].place)
            wrong(t, "index", i);
        if (v && cw_item(values, i, v) != (v == 2 ? want[i].place & 0xffff : want[i].place))
            wrong(t, "value", i);
    }
    if (t->form.keys)
        assert_int_equal(sum, 0);
}

static void sort_and_check(const struct trial *t, const struct item *want)
{
    const size_t n = t->n, bytes = cw_type_bytes(t->type), v = t->form.value_bytes;
    cw_array job = {.type = t->type, .flags = t->flags | t->form.flags, .n = n};
    unsigned char *const back = (unsigned char *)malloc(n * 32 + 64);
    unsigned char *const values = back + n * 8, *const index = values + n * 8;
    void *const in = taken(t->context, n * bytes), *const out = taken(t->context, n * bytes);
    void *const values_in = taken(t->context, n * v), *const values_out = taken(t->context, n * v);
    void *const index_out = taken(t->context, n * t->form.index_bytes);
    void *workspace;
    size_t need;

    assert_non_null(back);
    for (size_t i = 0; i < n && v; i++)
        cw_set_item(values, i, v, i);
    assert_int_equal(cw_memory_write(t->context, in, t->keys, n * bytes), CW_OK);
    if (v)
        assert_int_equal(cw_memory_write(t->context, values_in, values, n * v), CW_OK);
    job.keys_in = in;
    job.keys_out = !t->form.keys ? NULL : t->form.in_place ? in : out;
    job.value_bytes = v;
    job.values_in = v ? values_in : NULL;
    job.values_out = !v ? NULL : t->form.in_place ? values_in : values_out;
    job.index_bytes = t->form.index_bytes;
    job.index_out = t->form.index_bytes ? index_out : NULL;
    assert_int_equal(cw_sort_workspace(&job, &need), CW_OK);
    workspace = taken(t->context, need);
    if (cw_sort(t->context, &job, workspace, need, NULL) || cw_wait(t->context, NULL))
        fail_msg("%s", cw_last_error());
    if (job.keys_out)
        assert_int_equal(cw_memory_read(t->context, back, job.keys_out, n * bytes), CW_OK);
    if (v)
        assert_int_equal(cw_memory_read(t->context, values, job.values_out, n * v), CW_OK);
    if (job.index_out)
        assert_int_equal(cw_memory_read(t->context, index, index_out, n * t->form.index_bytes),
                         CW_OK);
    check(t, want, back, values, index);
    case_memory_give(t->context, in);
    case_memory_give(t->context, out);
    case_memory_give(t->context, values_in);
    case_memory_give(t->context, values_out);
    case_memory_give(t->context, index_out);
    case_memory_give(t->context, workspace);
    free(back);
}

/* Every form in both contexts; kernels that are emulated do one of `part` forms each time, another with every order. */
static void try_all(cw_type type, const void *keys, size_t n, unsigned part)
{
    struct item *const want = (struct item *)malloc((n + 1) * sizeof *want);
    const int emulated = rows_test_backend() == CW_EMULATOR;

    assert_non_null(want);
    for (unsigned way = 0; way < 2 * COUNT(orders); way++) {
        const unsigned flags = orders[way / 2] | (way % 2 ? (unsigned)CW_DESCENDING : 0u);

        for (size_t i = 0; i < n; i++)
            want[i] =
                (struct item){cw_item(keys, i, cw_type_bytes(type)), (uint32_t)i, type, flags};
        qsort(want, n, sizeof *want, by_order);
        for (unsigned x = 0; x < 2 * COUNT(forms); x++) {
            const struct trial t = {contexts[x % 2], type, flags, forms[x / 2], keys, n};

            if (x % 2 && emulated && (x / 2 + way) % part)
                continue;
            if (CW_SANITIZED && (x / 2 + way) % 5)
                continue;
            sort_and_check(&t, want);
        }
    }
    free(want);
}

/* ---- claims --------------------------------------------------------------------------------- */

static void every_pattern_of_16_bits_is_sorted_in_every_order(void **state)
{
    static uint16_t keys[ALL];
    struct cw_random random = cw_random_from(cw_test_seed());

    (void)state;
    for (uint32_t i = 0; i < ALL; i++)
        keys[i] = (uint16_t)i;
    for (uint32_t i = ALL - 1; i; i--) {
        const uint32_t k = (uint32_t)cw_random_below(&random, i + 1);
        const uint16_t key = keys[i];

        keys[i] = keys[k];
        keys[k] = key;
    }
    try_all(CW_F16, keys, ALL, COUNT(forms));
    try_all(CW_BF16, keys, ALL, COUNT(forms));
}

/* Half of them zeros and NaNs, the others any bits. */
static uint64_t special(cw_type type, struct cw_random *random)
{
    const uint64_t r = cw_random_next(random), sign = (uint64_t)1 << (8 * cw_type_bytes(type) - 1);
    const uint64_t infinity = type == CW_F32 ? 0x7f800000u : UINT64_C(0x7ff0000000000000);

    switch (r >> 61) {
    case 0:
        return 0;
    case 1:
        return sign;
    case 2:
        return (r & 1 ? sign : 0) | infinity | (r >> 1 & 1023);
    case 3:
        return (r & 1 ? sign : 0) | (sign - 1 - (r >> 1 & 1023));
    default:
        return r & (2 * sign - 1);
    }
}

static void special_values_of_wide_floats_are_sorted_in_every_order(void **state)
{
    static const cw_type types[] = {CW_F32, CW_F64};
    const int emulated = rows_test_backend() == CW_EMULATOR;
    static const size_t lengths[] = {37, 1000, 5003, 30011, 70001, 1100009, 20000003};
    struct cw_random random = cw_random_from(cw_test_seed() + 1);

    (void)state;
    for (size_t l = 0; l < (emulated         ? cw_long_run() ? 5u
                                               : CW_FEW      ? 3u
                                                             : 4u
                            : cw_quick_run() ? 6u
                                             : 7u);
         l++) {
        for (size_t t = 0; t < COUNT(types); t++) {
            const size_t n = lengths[l], bytes = cw_type_bytes(types[t]);
            unsigned char *const keys = (unsigned char *)malloc(n * bytes);

            assert_non_null(keys);
            for (size_t i = 0; i < n; i++)
                cw_set_item(keys, i, bytes, special(types[t], &random));
            try_all(types[t], keys, n, emulated && n < 10000 ? 3 : 11);
            free(keys);
        }
    }
}

static void two_orders_at_once_are_refused(void **state)
{
    cw_array job = {.type = CW_F32, .flags = CW_TOTAL_ORDER | CW_NAN_FIRST, .n = 1};
    cw_rows rows = {.type = CW_F32, .flags = CW_NAN_GREATEST | CW_NAN_FIRST, .rows = 1};
    size_t bytes;

    (void)state;
    assert_int_equal(cw_sort_workspace(&job, &bytes), CW_ERR_ARGUMENT);
    assert_non_null(strstr(cw_last_error(), "more than one order"));
    rows.length = 1;
    assert_int_equal(cw_sort_rows_workspace(&rows, &bytes), CW_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_orders_at_once_are_refused),
        cmocka_unit_test(special_values_of_wide_floats_are_sorted_in_every_order),
        cmocka_unit_test(every_pattern_of_16_bits_is_sorted_in_every_order),
    };

    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
