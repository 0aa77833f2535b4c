/* test_sort_methods.c - the LSD sort and the sort in one launch, each asked for by itself, with every key and payload
 * that they have kernels for: the same as a stable sort of the host.
 *
 * cw_sort takes one of them by the length of an array, so that tests of the other one need long arrays.  Here both have
 * few tiles: CW_TEST_BACKEND=cuda under compute-sanitizer's racecheck ends within a minute.
 */
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "rows_case.h"
#include "sort/small/plan.h"
#include "test.h"

#define MOST ((size_t)30000)

static cw_context *context;
static unsigned char *given, *payload, *keys_back, *payload_back; /* the host's */
static void *in, *out, *values_in, *values_out, *workspace;       /* the context's */
static uint32_t *order;

static const size_t workspace_bytes = (size_t)48 << 20;

static int open_all(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        print_message("%s\n", cw_last_error());
        return -1;
    }
    given = (unsigned char *)malloc(MOST * 8);
    keys_back = (unsigned char *)malloc(MOST * 8);
    payload = (unsigned char *)malloc(MOST * 16);
    payload_back = (unsigned char *)malloc(MOST * 16);
    order = (uint32_t *)malloc(MOST * sizeof *order);
    assert_true(given && keys_back && payload && payload_back && order);
    assert_int_equal(cw_memory_alloc(context, MOST * 8, &in), CW_OK);
    assert_int_equal(cw_memory_alloc(context, MOST * 8, &out), CW_OK);
    assert_int_equal(cw_memory_alloc(context, MOST * 16, &values_in), CW_OK);
    assert_int_equal(cw_memory_alloc(context, MOST * 16, &values_out), CW_OK);
    assert_int_equal(cw_memory_alloc(context, workspace_bytes, &workspace), CW_OK);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    free(given), free(keys_back), free(payload), free(payload_back), free(order);
    cw_memory_free(context, in), cw_memory_free(context, out);
    cw_memory_free(context, values_in), cw_memory_free(context, values_out);
    cw_memory_free(context, workspace);
    cw_context_destroy(context);
    return 0;
}

/* Half of the keys are of few values, so that their order counts. */
static void make_items(size_t n, size_t key_bytes, size_t payload_bytes, uint64_t seed)
{
    struct cw_random r = cw_random_from(seed);

    for (size_t i = 0; i < n; i++) {
        const uint64_t x = cw_random_next(&r), key = x & 1 ? x >> 3 & 7 : cw_random_next(&r);

        memcpy(given + i * key_bytes, &key, key_bytes);
        for (size_t b = 0; b < payload_bytes; b++)
            payload[i * payload_bytes + b] = (unsigned char)cw_random_next(&r);
    }
}

static uint64_t key_of(uint32_t i, size_t bytes)
{
    uint64_t key = 0;

    memcpy(&key, given + i * bytes, bytes);
    return key;
}

/* order[] = where the items of a stable sort were, by halves. */
static void merge_sort(size_t from, size_t end, size_t bytes, uint32_t *room)
{
    const size_t mid = from + (end - from) / 2;
    size_t a = from, b = mid;

    if (end - from < 2)
        return;
    merge_sort(from, mid, bytes, room);
    merge_sort(mid, end, bytes, room);
    for (size_t k = from; k < end; k++)
        room[k] = b == end || (a < mid && key_of(order[a], bytes) <= key_of(order[b], bytes))
                      ? order[a++]
                      : order[b++];
    memcpy(order + from, room + from, (end - from) * sizeof *room);
}

static void queue_of(union cw_any_queue *q, size_t n, const struct lsd_task *t)
{
    struct cw_queue *const head = (struct cw_queue *)q;

    cw_context_queue(context, NULL, q);
    cw_queue_buffer(head, in, n * t->key_bytes, 0);
    cw_queue_buffer(head, out, n * t->key_bytes, 1);
    cw_queue_buffer(head, values_in, n * t->payload_bytes, 0);
    cw_queue_buffer(head, values_out, n * t->payload_bytes, 1);
    cw_queue_buffer(head, workspace, workspace_bytes, 1);
}

static void check(size_t n, const struct lsd_task *t, const char *what)
{
    const size_t wide = t->payload_bytes;

    assert_int_equal(cw_memory_read(context, keys_back, out, n * t->key_bytes), CW_OK);
    assert_int_equal(cw_memory_read(context, payload_back, values_out, n * wide), CW_OK);
    for (size_t i = 0; i < n; i++)
        if (memcmp(keys_back + i * t->key_bytes, given + order[i] * t->key_bytes, t->key_bytes) ||
            memcmp(payload_back + i * wide, payload + order[i] * wide, wide))
            fail_msg("%s, %zu items of %u + %u bytes: item %zu is wrong, seed %llu", what, n,
                     t->key_bytes, t->payload_bytes, i, (unsigned long long)cw_test_seed());
}

/* Both methods, if the array is short enough for the second. */
static void try_both(size_t n, cw_type type, uint32_t payload_bytes)
{
    const size_t key_bytes = cw_type_bytes(type);
    const struct lsd_task task = {.n = n,
                                  .key_bytes = (uint32_t)key_bytes,
                                  .payload_bytes = payload_bytes,
                                  .map = cw_key_map_of(type, 0, 1),
                                  .bits = 8u * (uint32_t)key_bytes,
                                  .keys_in = in,
                                  .keys_out = out,
                                  .payload_in = payload_bytes ? values_in : NULL,
                                  .payload_out = payload_bytes ? values_out : NULL};
    uint32_t *const room = (uint32_t *)malloc(n * sizeof *room);

    assert_non_null(room);
    make_items(n, key_bytes, payload_bytes, cw_test_seed() + n + payload_bytes);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    merge_sort(0, n, key_bytes, room);
    free(room);
    for (int small = 0; small < 2; small++) {
        union cw_any_queue any;
        struct cw_queue *const q = (struct cw_queue *)&any;

        if (small && n > cw_small_most(&task, context->shapes))
            continue;
        assert_int_equal(cw_memory_write(context, in, given, n * key_bytes), CW_OK);
        assert_int_equal(cw_memory_write(context, values_in, payload, n * payload_bytes), CW_OK);
        queue_of(&any, n, &task);
        if (small && !cw_small_fits(q, &task, context->shapes))
            continue;
        assert_true((small ? cw_small_bytes : cw_lsd_bytes)(&task, context->shapes) <=
                    workspace_bytes);
        assert_int_equal(
            (small ? cw_small_enqueue : cw_lsd_enqueue)(q, &task, context->shapes, workspace),
            CW_OK);
        assert_int_equal(cw_wait(context, NULL), CW_OK);
        check(n, &task, small ? "one launch" : "LSD");
    }
}

static void try_all(cw_type type)
{
    static const uint32_t payloads[] = {0, 4, 8, 16};
    const int gpu = rows_test_backend() == CW_CUDA;
    const size_t some[] = {gpu ? 22000 : 2900, gpu ? 5000 : 700, 40}; /* three tiles; one; less */

    for (size_t p = 0; p < COUNT(payloads); p++)
        for (size_t k = 0; k < (cw_quick_run() ? 1 : COUNT(some)); k++)
            try_both(some[k], type, payloads[p]);
}

static void keys_of_4_bytes(void **state)
{
    (void)state;
    try_all(CW_U32);
}

static void keys_of_8_bytes(void **state)
{
    (void)state;
    try_all(CW_U64);
}

static void keys_of_1_and_2_bytes(void **state)
{
    (void)state;
    try_both(rows_test_backend() == CW_CUDA ? 12000 : 2000, CW_U8, 4);
    try_both(rows_test_backend() == CW_CUDA ? 12000 : 2000, CW_U16, 0);
}

int main(int argc, char **argv) /* the name of a test: that one alone */
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_4_bytes),
        cmocka_unit_test(keys_of_8_bytes),
        cmocka_unit_test(keys_of_1_and_2_bytes),
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_all, close_all);
}
