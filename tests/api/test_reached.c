/* test_reached.c - every kernel of the library is launched by some call on some GPU.
 *
 * Calls of all kinds and lengths are made into a queue that runs nothing (backend/dry.h), for each GPU that is
 * supported.  A kernel that none of them launches is code that no user can reach.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/dry.h"
#include "backend/emulated/queue.h"
#include "offline/plan.h"
#include "partition/request.h"
#include "permute/plan.h"
#include "permute/sum_plan.h"
#include "rows/plan.h"
#include "sort/sample_sort/request.h"
#include "sort/sort.h"
#include "test.h"
#include "transpose/plan.h"

static const char *const gpus[] = {"sm_80", "sm_86", "sm_90", "sm_100"};
static const size_t lengths[] = {300,
                                 1500,
                                 3000,
                                 6000,
                                 8193,
                                 70001,
                                 200000,
                                 500000,
                                 700000,
                                 1000003,
                                 2000000,
                                 (1u << 22) + 5,
                                 (1u << 24) + 77,
                                 (1u << 26) + 3,
                                 (size_t)1 << 28,
                                 ((size_t)1 << 31) + 9};
static const cw_type types[] = {CW_U8, CW_U16, CW_U32, CW_F32, CW_U64, CW_F64};
static const size_t widths[] = {1, 2, 4, 8, 16, 12};
static char memory[4096]; /* arrays that nobody touches */
static unsigned launched[CW_KERNEL_COUNT];

/* What calls do not launch: kernels that only the tool and tests do, as parts of the paper, and those that look into a
 * rank's sorted keys, which tests/distributed launches. */
static const char *const others[] = {"cw_tiles_", "cw_paper_", "cw_lookup_"};

static void note(void *user, const struct cw_launch *l)
{
    (void)user;
    launched[l->kernel]++;
}

static enum cw_shapes shapes_of(const struct cw_gpu *gpu)
{
    enum cw_shapes shapes;

    assert_int_equal(cw_shapes_of(gpu, &shapes), CW_OK);
    return shapes;
}

static struct cw_queue *queue_of(struct cw_dry_queue *q, const struct cw_gpu *gpu)
{
    cw_dry_queue_begin(q, gpu, shapes_of(gpu));
    q->each = note;
    return &q->queue;
}

static void sort_all(const struct cw_gpu *gpu, size_t n)
{
    for (size_t x = 0; x < COUNT(types) * 6 * 2 * 2; x++) {
        const size_t v = x / COUNT(types) % 6 ? widths[x / COUNT(types) % 6 - 1] : 0;
        struct cw_dry_queue q;
        cw_array job;

        memset(&job, 0, sizeof job);
        job.type = types[x % COUNT(types)];
        job.bits = 8u * (unsigned)cw_type_bytes(job.type);
        job.value_bytes = v;
        job.index_bytes = x / COUNT(types) / 6 % 2 ? 4 : 0;
        job.flags = x / COUNT(types) / 12 ? CW_STABLE : 0;
        job.n = n;
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.values_in = v ? memory + 512 : NULL;
        job.values_out = v ? memory + 768 : NULL;
        job.index_out = job.index_bytes ? memory + 1024 : NULL;
        (void)cw_sort_enqueue(queue_of(&q, gpu), &job, shapes_of(gpu), memory);
        job.flags |= CW_CONFLICT_FREE;
        if (!cw_sample_sort_refuses(&job, shapes_of(gpu)))
            (void)cw_sample_sort_enqueue_job(queue_of(&q, gpu), &job, shapes_of(gpu), memory);
    }
}

static void partition_all(const struct cw_gpu *gpu, size_t n)
{
    static const uint32_t buckets[] = {2, 16, 64, 256, 1000, 65536};
    static const cw_rule rules[] = {CW_BY_LABEL, CW_BY_BITS, CW_BY_SPLITTER, CW_BY_HASH};

    for (size_t x = 0; x < 4 * 2 * 7 * 2 * COUNT(types) * COUNT(buckets); x++) {
        const size_t width = x / 8 % 7 ? widths[x / 8 % 7 - 1] : 0;
        const cw_payload payload[] = {{memory + 512, memory + 1024, width},
                                      {memory + 512, memory + 1024, 4}};
        struct cw_dry_queue q;
        cw_partition_job job;

        memset(&job, 0, sizeof job);
        job.rule = rules[x % 4];
        job.flags = x / 4 % 2 ? CW_UNSTABLE : 0;
        job.payloads = payload;
        job.payload_count = width ? 1 + x / 56 % 2 : 0;
        job.type = types[x / 112 % COUNT(types)];
        job.buckets = buckets[x / 112 / COUNT(types)];
        job.n = n;
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.splitters = memory;
        job.offsets = (uint64_t *)(void *)(memory + 2048);
        if (x / 56 % 2) {
            job.padded = job.offsets;
            job.pad_to = 64;
            job.block_buckets = (uint32_t *)(void *)memory;
            job.block_count = 10;
        }
        (void)cw_partition_request(queue_of(&q, gpu), &job, shapes_of(gpu), memory, 1);
        for (size_t k = cw_partition_request_moves(&job, shapes_of(gpu)); k < job.payload_count;
             k++)
            (void)cw_partition_request_payload(queue_of(&q, gpu), &job, shapes_of(gpu), memory,
                                               &payload[k]);
    }
}

static void permute_all(const struct cw_gpu *gpu, size_t n)
{
    static const size_t bytes[] = {1, 2, 4, 8, 16, 3, 6, 24, 100, 101, 102, 512};

    for (size_t x = 0; x < COUNT(bytes) * 4; x++) {
        const cw_permute_job job = {.bytes = bytes[x / 4],
                                    .flags = x % 2 ? CW_GATHER : 0,
                                    .index_bytes = 4,
                                    .n = n,
                                    .in = memory,
                                    .out = memory + 256,
                                    .index = memory + 512,
                                    .count = x / 2 % 2 ? memory : NULL,
                                    .count_bytes = x / 2 % 2 ? 4 : 0};
        const cw_shuffle_job shuffle = {.n = n, .bytes = job.bytes, .in = memory, .out = job.out};
        struct cw_dry_queue q;

        (void)cw_permute_enqueue(queue_of(&q, gpu), &job, CW_PERMUTE_AUTO, 1, memory);
        (void)cw_permute_enqueue_check(queue_of(&q, gpu), &job, memory);
        (void)cw_shuffle_enqueue(queue_of(&q, gpu), &shuffle, CW_PERMUTE_AUTO, 1, memory);
    }
    for (unsigned x = 0; x < 6; x++) {
        const cw_type sums[] = {CW_F16, CW_BF16, CW_F32};
        const cw_gather_job job = {.type = sums[x % 3],
                                   .n = n,
                                   .rows = 100,
                                   .columns = x / 3 ? 63 : 64,
                                   .per = 2,
                                   .in = memory,
                                   .out = memory + 256,
                                   .index = memory,
                                   .index_bytes = 4};
        struct cw_dry_queue q;

        (void)cw_gather_sum_enqueue(queue_of(&q, gpu), &job);
        (void)cw_gather_sum_enqueue_check(queue_of(&q, gpu), &job, memory);
    }
}

static void transpose_all(const struct cw_gpu *gpu)
{
    static const size_t sides[] = {3,    32,   77,    300,   1000,  1024,  1037,   4096,
                                   7000, 8192, 16384, 20000, 40000, 65536, 100003, 12700};

    for (size_t x = 0; x < COUNT(sides) * COUNT(sides) * 18 * 2; x++) {
        struct cw_dry_queue q;
        cw_transpose_job job;

        memset(&job, 0, sizeof job);
        job.rows = sides[x % COUNT(sides)];
        job.columns = sides[x / COUNT(sides) % COUNT(sides)];
        job.bytes = x / COUNT(sides) / COUNT(sides) % 18 + 1;
        job.batch = 2;
        job.in = memory;
        job.out = x / COUNT(sides) / COUNT(sides) / 18 ? memory : memory + 256;
        (void)cw_transpose_enqueue(queue_of(&q, gpu), &job, 1, memory, 0);
    }
}

static void rows_all(const struct cw_gpu *gpu)
{
    for (size_t x = 0; x < 25 * 8 * COUNT(types) * 7 * 4; x++) {
        const size_t v = x / 200 / COUNT(types) % 7 ? widths[x / 200 / COUNT(types) % 7 - 1] : 0;
        const size_t form = x / 200 / COUNT(types) / 7;
        struct cw_dry_queue q;
        cw_rows job;

        memset(&job, 0, sizeof job);
        job.length = (8 + x % 8) * ((size_t)1 << x / 8 % 25) / 8;
        job.rows = 100;
        job.type = types[x / 200 % COUNT(types)];
        job.value_bytes = v;
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.values_in = v ? memory + 512 : NULL;
        job.values_out = v ? memory + 768 : NULL;
        job.index_out = form % 2 ? memory + 1024 : NULL;
        job.offsets = form / 2 ? memory + 2048 : NULL;
        job.items = job.offsets ? job.rows * job.length : 0;
        (void)cw_rows_enqueue(queue_of(&q, gpu), &job, memory);
        job.flags = CW_CONFLICT_FREE;
        (void)cw_rows_enqueue(queue_of(&q, gpu), &job, memory);
    }
}

/* Short plans go the way of long ones by wish; maps of bits and rotations need none. */
static void plan_all(const struct cw_gpu *gpu)
{
    enum { BITS = 16, N = 1 << BITS };
    static const size_t bytes[] = {1, 3, 4, 6, 8, 12, 16};
    uint32_t *const index = (uint32_t *)malloc(N * sizeof *index);

    assert_non_null(index);
    for (size_t x = 0; x < COUNT(bytes) * 4; x++) {
        const struct cw_plan_wish wishes[] = {{.gather = -1}, {.gather = 1}};
        const size_t way = x % 4;
        struct cw_dry_queue q;
        cw_plan *plan;

        for (uint32_t i = 0; i < N; i++)
            index[i] = way < 2 ? i * 30011u % N : way == 2 ? (i + 5) % N : i >> 8 | (i & 255u) << 8;
        assert_int_equal(
            cw_plan_make(index, 4, N, bytes[x / 4], 0, 1, way < 2 ? &wishes[way] : NULL, &plan),
            CW_OK);
        (void)cw_plan_queue(plan, (const unsigned char *)memory, memory, memory + 256, memory + 512,
                            queue_of(&q, gpu));
        cw_plan_destroy(plan);
    }
    free(index);
}

static int is_other(const char *name)
{
    for (size_t x = 0; x < COUNT(others); x++)
        if (!strncmp(name, others[x], strlen(others[x])))
            return 1;
    return 0;
}

static void every_kernel_is_launched_by_some_call(void **state)
{
    struct cw_gpu few = *cw_gpu_find("sm_90"); /* a slice of one */
    unsigned never = 0;

    (void)state;
    few.processors = 16;
    transpose_all(&few);
    for (size_t g = 0; g < COUNT(gpus); g++) {
        const struct cw_gpu *const gpu = cw_gpu_find(gpus[g]);

        for (size_t x = 0; x < COUNT(lengths); x++) {
            sort_all(gpu, lengths[x]);
            partition_all(gpu, lengths[x]);
            permute_all(gpu, lengths[x]);
        }
        transpose_all(gpu);
        rows_all(gpu);
        plan_all(gpu);
    }
    for (unsigned k = 0; k < CW_KERNEL_COUNT; k++) {
        const char *const name = cw_kernel_name((enum cw_kernel)k);

        if (!launched[k] && !is_other(name)) {
            print_error("no call launches %s\n", name);
            never++;
        }
    }
    assert_int_equal(never, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_is_launched_by_some_call)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
