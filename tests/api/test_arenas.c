/* test_arenas.c - at any length the pieces of a workspace lie in it.
 *
 * The plans that hand out pieces are compiled so that this program is told of each (base/arena.h, CW_ARENA_GAP).
 * Launches go to a queue that runs nothing, and arrays are numbers, so they may be as long as any GPU's memory: random
 * jobs as each GPU, of 1 to 2^34 items.  A piece must lie in the workspace of just the bytes that were asked for, or in
 * an output where the sort keeps some of its own; so must what is cleared and copied there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/dry.h"
#include "base/arena.h"
#include "partition/request.h"
#include "permute/plan.h"
#include "sort/sample_sort/request.h"
#include "sort/sort.h"
#include "test.h"
#include "transpose/plan.h"

static const char *const names[] = {"emulator", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"};

/* ---- where pieces may lie ------------------------------------------------------------------- */

enum { KEYS_IN, KEYS_OUT, VALUES_IN, VALUES_OUT, INDEX, MORE, ARRAYS };

#define APART ((uintptr_t)1 << 40) /* from array to array; then the workspace */

static uint64_t bytes_of[ARRAYS + 1];
static unsigned outside, pieces;

void cw_arena_taken(const uint8_t *base, uint64_t at, uint64_t bytes)
{
    const uintptr_t from = (uintptr_t)base;
    const size_t which = (size_t)(from / APART) - 1;

    pieces++;
    outside += which > ARRAYS || from % APART + at + bytes > bytes_of[which];
}

/* Array x, of so many bytes. */
static void *array(int x, uint64_t bytes)
{
    bytes_of[x] = bytes;
    return (void *)((uintptr_t)(x + 1) * APART);
}

struct trial {
    struct cw_random r;
    const struct cw_gpu *gpu;
    enum cw_shapes shapes;
    struct cw_dry_queue q;
};

static uint64_t below(struct trial *t, uint64_t limit)
{
    return cw_random_below(&t->r, limit);
}

/* As many short ones as long ones, and many of about 2^k, 3 * 2^k or 5^k. */
static size_t length(struct trial *t)
{
    const uint64_t n = 1 + (cw_random_next(&t->r) >> (30 + below(t, 34)));
    uint64_t five = 5;

    for (unsigned k = (unsigned)below(t, 13); k; k--)
        five *= 5;
    switch (below(t, 4)) {
    case 0:
        return (size_t)((uint64_t)(2 + below(t, 2)) << below(t, 33)) - 1 + (size_t)below(t, 3);
    case 1:
        return (size_t)(five - 1 + below(t, 3));
    default:
        return (size_t)n;
    }
}

static void *room_of(struct trial *t, uint64_t bytes)
{
    cw_dry_queue_begin(&t->q, t->gpu, t->shapes);
    t->q.room = array(ARRAYS, bytes);
    t->q.room_bytes = (size_t)bytes;
    return array(ARRAYS, bytes);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static cw_status sort(struct trial *t, size_t n)
{
    static const size_t values[] = {0, 0, 1, 2, 4, 8, 16}, indices[] = {0, 0, 4, 8};
    cw_array job = {.type = (cw_type)below(t, CW_TYPE_COUNT), .n = n};
    const size_t key = cw_type_bytes(job.type);
    const int place = (int)below(t, 2);

    job.flags = (unsigned)below(t, 8) | (below(t, 3) ? 0u : CW_TOTAL_ORDER);
    job.value_bytes = values[below(t, COUNT(values))];
    job.index_bytes = indices[below(t, n >> 32 ? 2 : COUNT(indices))];
    job.bits = 8u * (unsigned)key - (unsigned)(below(t, 5) ? 0 : below(t, 8u * key));
    job.keys_in = array(KEYS_IN, n * key);
    job.keys_out = place ? array(KEYS_IN, n * key) : array(KEYS_OUT, n * key);
    if (job.index_bytes && !place && below(t, 2))
        job.keys_out = NULL;
    job.index_out = job.index_bytes ? array(INDEX, n * job.index_bytes) : NULL;
    if (job.value_bytes) {
        job.values_in = array(VALUES_IN, n * job.value_bytes);
        job.values_out = array(place ? VALUES_IN : VALUES_OUT, n * job.value_bytes);
    }
    if (job.flags & CW_CONFLICT_FREE) {
        void *room;

        if (cw_sample_sort_refuses(&job, t->shapes))
            return CW_OK;
        room = room_of(t, cw_sample_sort_workspace(&job, t->shapes));
        return cw_sample_sort_enqueue_job(&t->q.queue, &job, t->shapes, room);
    }
    if (!below(t, 5)) {
        job.count = array(MORE, 8);
        job.count_bytes = 8;
    }
    return cw_sort_enqueue(&t->q.queue, &job, t->shapes,
                           room_of(t, cw_sort_bytes(&job, t->shapes)));
}

static cw_status partition(struct trial *t, size_t n)
{
    static const size_t widths[] = {1, 2, 4, 4, 4, 8, 12, 16};
    const cw_rule rules[] = {CW_BY_LABEL, CW_BY_BITS, CW_BY_SPLITTER, CW_BY_HASH};
    const cw_payload payload = {array(VALUES_IN, 16 * n), array(VALUES_OUT, 16 * n),
                                widths[below(t, COUNT(widths))]};
    cw_partition_job job = {.type = below(t, 2) ? CW_U32 : CW_U64, .n = n, .payloads = &payload};
    cw_status status;
    void *room;

    job.rule = rules[below(t, 4)];
    job.flags = below(t, 2) ? CW_UNSTABLE : 0u;
    job.buckets = 1u + (uint32_t)below(t, (uint64_t)1 << below(t, 17));
    if (job.rule == CW_BY_BITS)
        job.buckets = 1u << below(t, 17);
    job.payload_count = below(t, 2);
    job.keys_in = array(KEYS_IN, 8 * n);
    job.keys_out = below(t, 3) ? array(KEYS_OUT, 8 * n) : NULL;
    job.splitters = array(MORE, (uint64_t)8 << 16);
    job.offsets = (uint64_t *)(below(t, 3) ? array(MORE, (uint64_t)8 << 17) : NULL);
    if (!(n >> 32) && !below(t, 3)) {
        job.index_out = array(INDEX, 8 * n);
        job.index_bytes = 8;
    }
    if (!below(t, 4)) {
        job.block_buckets = (uint32_t *)array(MORE, (uint64_t)8 << 17);
        job.block_count = 1000;
        job.pad_to = 128;
    }
    if (cw_partition_request_refuses(&job))
        return CW_OK;
    room = room_of(t, cw_partition_request_bytes(&job, t->shapes));
    status = cw_partition_request(&t->q.queue, &job, t->shapes, room, 1);
    if (!status && job.payload_count && !cw_partition_request_moves(&job, t->shapes))
        status = cw_partition_request_payload(&t->q.queue, &job, t->shapes, room, &payload);
    return status;
}

static cw_status permute(struct trial *t, size_t n)
{
    const int cuda = t->shapes != CW_SHAPES_TINY;
    const size_t bytes = below(t, 5) ? (size_t)1 << below(t, 5) : 1 + (size_t)below(t, 16);
    const cw_permute_job job = {.flags = below(t, 2) ? CW_GATHER : 0u,
                                .n = n,
                                .bytes = bytes,
                                .in = array(VALUES_IN, n * bytes),
                                .out = array(VALUES_OUT, n * bytes),
                                .index = array(INDEX, 8 * n),
                                .index_bytes = 8};

    return cw_permute_enqueue(&t->q.queue, &job, CW_PERMUTE_AUTO, cuda,
                              room_of(t, cw_permute_bytes(&job, CW_PERMUTE_AUTO, cuda)));
}

static cw_status shuffle(struct trial *t, size_t n)
{
    const int cuda = t->shapes != CW_SHAPES_TINY;
    const size_t bytes = (size_t)1 << below(t, 5);
    const cw_shuffle_job job = {.n = n,
                                .bytes = bytes,
                                .in = array(VALUES_IN, n * bytes),
                                .out = array(VALUES_OUT, n * bytes),
                                .inverse = (int)below(t, 2)};

    return cw_shuffle_enqueue(&t->q.queue, &job, CW_PERMUTE_AUTO, cuda,
                              room_of(t, cw_shuffle_bytes(&job, CW_PERMUTE_AUTO, cuda)));
}

/* In place, where it takes a workspace. */
static cw_status transpose(struct trial *t, size_t n)
{
    const int cuda = t->shapes != CW_SHAPES_TINY;
    cw_transpose_job job = {.rows = 1 + (size_t)below(t, 1 + (n >> below(t, 34))), .batch = 1};
    cw_status status;
    void *room;

    job.columns = 1 + n / job.rows;
    job.bytes = below(t, 4) ? (size_t)1 << below(t, 5) : 1 + (size_t)below(t, 64);
    if (!below(t, 4))
        job.rows = (job.rows + 63) / 64 * 64, job.columns = (job.columns + 31) / 32 * 32;
    job.in = job.out = array(KEYS_IN, (uint64_t)job.rows * job.columns * job.bytes);
    room = room_of(t, cw_transpose_bytes(&job, 1, cuda));
    status = cw_transpose_enqueue(&t->q.queue, &job, cuda, room, t->q.room_bytes);
    return status == CW_ERR_DEVICE && strstr(cw_last_error(), "workspace") ? CW_OK : status;
}

/* ---- claims --------------------------------------------------------------------------------- */

static int fails(size_t call, uint64_t seed)
{
    static cw_status (*const calls[])(struct trial * t, size_t n) = {sort, partition, permute,
                                                                     shuffle, transpose};
    static const char *const what[] = {"a sort", "a partition", "a permutation", "a shuffle",
                                       "a transposition"};
    struct trial t = {.r = cw_random_from(seed), .gpu = cw_gpu_find(names[seed % COUNT(names)])};
    const size_t n = length(&t);
    cw_status status;

    assert_int_equal(cw_shapes_of(t.gpu, &t.shapes), CW_OK);
    outside = 0;
    status = calls[call](&t, n);
    if (status || outside)
        print_message("%s of %zu on %s: %u pieces outside, %s (CW_SEED=%llu CW_CASES=1)\n",
                      what[call], n, t.gpu->name, outside, status ? cw_last_error() : "done",
                      (unsigned long long)seed);
    return status || outside;
}

static void pieces_lie_in_the_workspace(void **state)
{
    const unsigned cases = cw_test_cases(cw_long_run() ? 200000 : 8000);
    unsigned failed = 0;

    (void)state;
    for (unsigned x = 0; x < cases; x++)
        for (size_t call = 0; call < 5 && failed < 20; call++)
            failed += (unsigned)fails(call, cw_test_seed() + x);
    print_message("%u pieces, CW_SEED=%llu\n", pieces, (unsigned long long)cw_test_seed());
    assert_int_equal(failed, 0);
    assert_true(pieces > cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_lie_in_the_workspace)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
