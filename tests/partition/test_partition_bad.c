/* test_partition_bad.c - 2^32 bad labels are no fewer than one: kernels count them in 32 bits.
 *
 * No test has so many.  Here a count begins where that many, less those that the array has, would have
 * left it.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/emulated/queue.h"
#include "partition/job.h"
#include "partition/request.h"
#include "test.h"

#define N       9001u
#define BUCKETS 20u

static struct partition_state *state; /* the workspace begins with it */
static uint32_t before;
static cw_status (*clear_all)(struct cw_queue *q, void *at, size_t bytes);

/* Some were counted already. */
static cw_status clear(struct cw_queue *q, void *at, size_t bytes)
{
    const cw_status status = clear_all(q, at, bytes);

    if (at == (void *)state)
        state->bad = before;
    return status;
}

static void *room_of(size_t bytes)
{
    void *const room = aligned_alloc(256, (bytes + 255) / 256 * 256);

    assert_non_null(room);
    memset(room, 0, bytes);
    return room;
}

/* How many bad labels are found where `had` of 2^32 were before; of N labels `bad` are none. */
static uint32_t found(cw_type type, uint32_t bad, uint32_t had)
{
    const size_t bytes = cw_type_bytes(type);
    cw_partition_job job = {.type = type, .rule = CW_BY_LABEL, .n = N, .buckets = BUCKETS};
    uint8_t *const in = (uint8_t *)room_of(N * bytes), *const out = (uint8_t *)room_of(N * bytes);
    struct cw_emulated_queue q;
    size_t need;
    uint32_t result;

    for (uint32_t x = 0; x < N; x++) /* the low byte comes first */
        in[x * bytes] = (uint8_t)(x * 7u % N < bad ? BUCKETS : x % BUCKETS);
    job.keys_in = in;
    job.keys_out = out;
    cw_emulated_queue_begin(&q);
    need = cw_partition_request_bytes(&job, q.queue.shapes);
    state = (struct partition_state *)room_of(need);
    before = had;
    clear_all = q.queue.clear;
    q.queue.clear = clear;
    cw_queue_buffer(&q.queue, in, N * bytes, 0);
    cw_queue_buffer(&q.queue, out, N * bytes, 1);
    cw_queue_buffer(&q.queue, state, need, 1);
    assert_int_equal(cw_partition_request(&q.queue, &job, q.queue.shapes, state, 0), CW_OK);
    result = state->bad;
    for (size_t x = 0; x < N * bytes && result; x++)
        assert_int_equal(out[x], 0); /* nothing was moved */
    free(in);
    free(out);
    free(state);
    return result;
}

/* By most significant digits, and by stable passes. */
static const cw_type types[] = {CW_U32, CW_U8, CW_U64};

static void bad_labels_are_counted(void **unused)
{
    (void)unused;
    for (size_t x = 0; x < COUNT(types); x++) {
        assert_int_equal(found(types[x], 0, 0), 0);
        assert_int_equal(found(types[x], 1, 0), 1);
        assert_int_equal(found(types[x], N, 0), N);
        assert_int_equal(found(types[x], N, UINT32_MAX - N), UINT32_MAX);
    }
}

static void a_count_of_2_32_is_not_none(void **unused)
{
    (void)unused;
    for (size_t x = 0; x < COUNT(types); x++) {
        assert_int_equal(found(types[x], 1, UINT32_MAX), UINT32_MAX);
        assert_int_equal(found(types[x], N, UINT32_MAX - N + 1), UINT32_MAX);
        assert_int_equal(found(types[x], N, UINT32_MAX - N / 2), UINT32_MAX);
        assert_int_equal(found(types[x], N, UINT32_MAX), UINT32_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_labels_are_counted),
        cmocka_unit_test(a_count_of_2_32_is_not_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
