/* test_gpus.c - every operation, key width and payload fits the GPUs that are supported, and is right there.
 *
 * First all launches are made into a queue that runs nothing and holds each of them to the limits of a GPU, and
 * what is cleared and copied to the workspace that was asked for: of arrays of any length.  Then short arrays are sorted, partitioned, permuted and transposed on the emulator, as
 * each of these GPUs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "array_case.h"
#include "backend/dry.h"
#include "offline/plan.h"
#include "partition/request.h"
#include "partition_case.h"
#include "permute/plan.h"
#include "plan_case.h"
#include "rows/plan.h"
#include "rows_case.h"
#include "sort/sample_sort/request.h"
#include "sort/sort.h"
#include "transpose/plan.h"

static const char *const names[] = {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
/* Of arrays that many GPUs hold, and on both sides of where 31, 32 and 40 bits end. */
static const size_t usual[] = {
    1, 2000, 8193, 70001, 1000003, (size_t)1 << 25, (size_t)1 << 28, 3u * ((size_t)1 << 28)};
static const size_t huge[] = {((size_t)1 << 31) - 1, (size_t)1 << 31, ((size_t)1 << 31) + 1,
                              ((size_t)1 << 32) - 1, (size_t)1 << 32, ((size_t)1 << 32) + 1,
                              ((size_t)1 << 36) - 3, (size_t)1 << 40};
static const cw_type types[] = {CW_U8, CW_I16, CW_F32, CW_U64};
static char memory[4096]; /* arrays that nobody touches */

struct fits {
    const struct cw_gpu *gpu;
    enum cw_shapes shapes;
    const size_t *lengths;
    size_t count; /* of lengths */
    unsigned calls, launches, with_more;
};

/* ---- launches ------------------------------------------------------------------------------- */

static void begin(struct cw_dry_queue *q, const struct fits *f)
{
    cw_dry_queue_begin(q, f->gpu, f->shapes);
}

/* The same with a workspace as long as it must be: a number, far from all arrays. */
static void *begin_with(struct cw_dry_queue *q, const struct fits *f, uint64_t bytes)
{
    begin(q, f);
    q->room = (const void *)((uintptr_t)1 << 62);
    q->room_bytes = (size_t)bytes;
    return (void *)((uintptr_t)1 << 62);
}

static void end(const struct cw_dry_queue *q, struct fits *f, cw_status status, const char *what,
                size_t n)
{
    f->calls++;
    f->launches += (unsigned)q->launches;
    if (status)
        print_error("%s of %zu on %s: %s\n", what, n, f->gpu->name, cw_last_error());
    assert_int_equal(status, CW_OK);
}

static void sort_fits(struct fits *f, cw_array job)
{
    struct cw_dry_queue q;
    void *room;

    job.bits = job.bits ? job.bits : 8u * (unsigned)cw_type_bytes(job.type);
    room = begin_with(&q, f, cw_sort_bytes(&job, f->shapes));
    end(&q, f, cw_sort_enqueue(&q.queue, &job, f->shapes, room), "a sort", job.n);
    job.flags |= CW_CONFLICT_FREE;
    if (cw_sample_sort_refuses(&job, f->shapes))
        return;
    room = begin_with(&q, f, cw_sample_sort_workspace(&job, f->shapes));
    end(&q, f, cw_sample_sort_enqueue_job(&q.queue, &job, f->shapes, room), "a comparison sort",
        job.n);
}

static void sorts_fit(struct fits *f)
{
    static const size_t values[] = {0, 1, 2, 4, 8, 16}, indices[] = {0, 4, 8};

    for (size_t x = 0; x < f->count * COUNT(types) * COUNT(values) * COUNT(indices); x++) {
        const size_t v = values[x / COUNT(types) % COUNT(values)];
        cw_array job;

        memset(&job, 0, sizeof job);
        job.type = types[x % COUNT(types)];
        job.value_bytes = v;
        job.index_bytes = indices[x / COUNT(types) / COUNT(values) % COUNT(indices)];
        job.n = f->lengths[x / COUNT(types) / COUNT(values) / COUNT(indices)];
        if (job.index_bytes == 4 && job.n > (size_t)1 << 32)
            continue; /* refused before */
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.values_in = v ? memory + 512 : NULL;
        job.values_out = v ? memory + 768 : NULL;
        job.index_out = job.index_bytes ? memory + 1024 : NULL;
        sort_fits(f, job);
        job.flags = CW_STABLE;
        sort_fits(f, job);
        job.values_in = job.values_out; /* in place */
        job.keys_in = job.keys_out;
        sort_fits(f, job);
        job.bits = 7;
        sort_fits(f, job);
    }
}

static void partitions_fit(struct fits *f)
{
    static const uint32_t buckets[] = {2, 3, 16, 64, 256, 1000, 65536};
    static const size_t payloads[] = {0, 1, 4, 12};

    for (size_t x = 0; x < f->count * COUNT(types) * COUNT(payloads) * COUNT(buckets) * 8; x++) {
        const cw_rule rules[] = {CW_BY_LABEL, CW_BY_BITS, CW_BY_SPLITTER, CW_BY_HASH};
        const cw_payload payload = {memory + 512, memory + 1024, payloads[x / 8 % COUNT(payloads)]};
        struct cw_dry_queue q;
        cw_partition_job job;
        void *room;

        memset(&job, 0, sizeof job);
        job.rule = rules[x % 4];
        job.flags = x / 4 % 2 ? CW_UNSTABLE : 0;
        job.type = types[x / 8 / COUNT(payloads) % COUNT(types)];
        job.buckets = buckets[x / 8 / COUNT(payloads) / COUNT(types) % COUNT(buckets)];
        job.n = f->lengths[x / 8 / COUNT(payloads) / COUNT(types) / COUNT(buckets)];
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.splitters = memory;
        job.payloads = &payload;
        job.payload_count = payload.bytes != 0;
        job.offsets = (uint64_t *)(void *)(memory + 2048);
        if (cw_partition_request_refuses(&job))
            continue;
        room = begin_with(&q, f, cw_partition_request_bytes(&job, f->shapes));
        end(&q, f, cw_partition_request(&q.queue, &job, f->shapes, room, 1), "a partition", job.n);
    }
}

static void permutations_fit(struct fits *f)
{
    for (size_t x = 0; x < f->count * 18 * 2 * 2; x++) {
        const int cuda = f->shapes != CW_SHAPES_TINY;
        struct cw_dry_queue q;
        cw_permute_job job;
        void *room;

        memset(&job, 0, sizeof job);
        job.bytes = x % 18 + 1;
        job.flags = x / 18 % 2 ? CW_GATHER : 0;
        job.index_bytes = x / 36 % 2 ? 8 : 4;
        job.n = f->lengths[x / 72];
        job.in = memory;
        job.out = memory + 256;
        job.index = memory + 512;
        room = begin_with(&q, f, cw_permute_bytes(&job, CW_PERMUTE_AUTO, cuda));
        end(&q, f, cw_permute_enqueue(&q.queue, &job, CW_PERMUTE_AUTO, cuda, room), "a permutation",
            job.n);
        room = begin_with(&q, f, cw_permute_check_bytes(&job));
        end(&q, f, cw_permute_enqueue_check(&q.queue, &job, room), "a check", job.n);
    }
}

static void transpositions_fit(struct fits *f)
{
    static const size_t sides[] = {1, 3, 32, 77, 1000, 4096, 40000};

    for (size_t x = 0; x < COUNT(sides) * COUNT(sides) * 18 * 2; x++) {
        const int cuda = f->shapes != CW_SHAPES_TINY;
        struct cw_dry_queue q;
        cw_transpose_job job;
        cw_status status;
        void *room;

        memset(&job, 0, sizeof job);
        job.rows = sides[x % COUNT(sides)];
        job.columns = sides[x / COUNT(sides) % COUNT(sides)];
        job.bytes = x / COUNT(sides) / COUNT(sides) % 18 + 1;
        job.batch = 2;
        job.in = memory;
        job.out = x % 2 ? memory : memory + 256;
        room = begin_with(&q, f, cw_transpose_bytes(&job, job.in == job.out, cuda));
        status = cw_transpose_enqueue(&q.queue, &job, cuda, room, q.room_bytes);
        if (status) { /* then it is told what helps, and that does */
            f->with_more++;
            assert_int_equal(f->shapes, CW_SHAPES_SMALL);
            assert_int_equal(q.launches, 0);
            assert_non_null(strstr(cw_last_error(), "workspace"));
            q.room_bytes = job.rows * job.columns * job.bytes;
            status = cw_transpose_enqueue(&q.queue, &job, cuda, room, q.room_bytes);
        }
        end(&q, f, status, "a transposition", job.rows);
    }
}

static void rows_fit(struct fits *f)
{
    enum { LENGTHS = 20 }; /* some are sorted in parts */
    static const size_t values[] = {0, 1, 2, 4, 8};
    const size_t forms = LENGTHS * COUNT(types) * COUNT(values);

    for (size_t x = 0; x < forms * 4; x++) {
        const size_t v = values[x / LENGTHS / COUNT(types) % COUNT(values)];
        struct cw_dry_queue q;
        cw_rows job;
        cw_status status;
        void *room;

        memset(&job, 0, sizeof job);
        job.length = ((size_t)1 << x % LENGTHS) - x % 3 / 2;
        job.rows = 100;
        job.type = types[x / LENGTHS % COUNT(types)];
        job.value_bytes = v;
        job.keys_in = memory;
        job.keys_out = memory + 256;
        job.values_in = v ? memory + 512 : NULL;
        job.values_out = v ? memory + 768 : NULL;
        job.index_out = x / forms % 2 ? memory + 1024 : NULL;
        job.offsets = x / forms / 2 ? memory + 2048 : NULL;
        job.items = job.offsets ? job.rows * job.length : 0;
        room = begin_with(&q, f, cw_rows_workspace(&job));
        status = job.length ? cw_rows_enqueue(&q.queue, &job, room) : CW_OK;
        end(&q, f, status, "rows", job.length);
    }
}

/* Plans that were made for any GPU: whichever kind is best, and passes. */
static void plans_fit(struct fits *f)
{
    static const size_t bytes[] = {1, 4, 8, 16, 12};
    static const struct cw_plan_wish wishes[] = {
        {.table = 0}, {.table = 1, .gather = -1}, {.table = 1, .gather = -1, .partitions = 3}};

    for (size_t x = 0; x < COUNT(bytes) * COUNT(wishes); x++) {
        struct plan_case c = plan_case_of(RANDOM, 50000, x);
        struct cw_dry_queue q;
        cw_plan *plan;
        cw_status status;
        uint64_t *index;

        c.index_bytes = 4;
        c.bytes = bytes[x % COUNT(bytes)];
        c.flags = CW_ANY_GPU;
        c.wish = wishes[x / COUNT(bytes)];
        c.wished = x >= COUNT(bytes);
        index = plan_case_index(&c);
        plan = index ? plan_case_plan(&c, index) : NULL;
        free(index);
        assert_non_null(plan);
        begin(&q, f);
        status = cw_plan_queue(plan, (const unsigned char *)memory, memory, memory + 256,
                               memory + 512, &q.queue);
        end(&q, f, status, "a plan", c.n);
        cw_plan_destroy(plan);
    }
}

static void every_launch_fits(void **state)
{
    (void)state;
    for (size_t g = 0; g < COUNT(names); g++) {
        struct fits f = {cw_gpu_find(names[g]), CW_SHAPES_TINY, usual, COUNT(usual), 0, 0, 0};

        assert_non_null(f.gpu);
        assert_int_equal(cw_shapes_of(f.gpu, &f.shapes), CW_OK);
        sorts_fit(&f);
        partitions_fit(&f);
        permutations_fit(&f);
        transpositions_fit(&f);
        rows_fit(&f);
        plans_fit(&f);
        print_message("%-7s %s shapes: %u calls, %u launches, %u with more workspace\n", names[g],
                      cw_shapes_name(f.shapes), f.calls, f.launches, f.with_more);
        assert_true(f.launches > 1000);
    }
}

/* Nobody has such arrays here: launches are, and what is cleared and copied.  A GPU of each kind. */
static void launches_of_huge_arrays_fit(void **state)
{
    static const char *const few[] = {"sm_86", "sm_90"};

    (void)state;
    for (size_t g = 0; g < COUNT(few); g++) {
        struct fits f = {cw_gpu_find(few[g]), CW_SHAPES_TINY, huge, COUNT(huge), 0, 0, 0};

        assert_int_equal(cw_shapes_of(f.gpu, &f.shapes), CW_OK);
        sorts_fit(&f);
        partitions_fit(&f);
        permutations_fit(&f);
        assert_true(f.launches > 1000);
    }
}

/* ---- counters ------------------------------------------------------------------------------- */

/* Of an array of so many items, keys of so many bytes. */
struct counted {
    uint64_t n, bytes;
    unsigned launches;
};

/* A block's counters have 32 bits, and one key may be all of its items. */
static void count_hold(void *user, const struct cw_launch *l)
{
    struct counted *const c = (struct counted *)user;
    uint64_t blocks = l->blocks;

    switch (l->kernel) {
    case CW_KERNEL_cw_sort_counting_histogram: /* a block for each half of the values */
        blocks /= c->bytes;
        break;
    case CW_KERNEL_cw_sort_lsd_k4_histogram:
    case CW_KERNEL_cw_sort_lsd_k8_histogram:
    case CW_KERNEL_cw_partition_count_k4:
    case CW_KERNEL_cw_partition_count_k8:
        break;
    default:
        return;
    }
    c->launches++;
    assert_true(c->n / blocks < UINT32_MAX - (1u << 20));
}

/* A GPU of few multiprocessors has few blocks at a time. */
static void no_block_counts_2_32_items(void **state)
{
    struct cw_gpu few = *cw_gpu_find("sm_90");
    struct counted c = {0, 0, 0};

    (void)state;
    few.processors = 16;
    for (size_t x = 0; x < COUNT(huge) * COUNT(types) * 2; x++) {
        struct fits f = {&few, CW_SHAPES_LARGE, NULL, 0, 0, 0, 0};
        struct cw_dry_queue q;
        cw_array sort = {.keys_in = memory, .keys_out = memory + 256, .flags = CW_STABLE};
        cw_partition_job partition = {.keys_in = memory, .keys_out = memory + 256, .buckets = 200};
        void *room;

        sort.n = partition.n = c.n = huge[x / 2 % COUNT(huge)];
        sort.type = partition.type = types[x / 2 / COUNT(huge)];
        sort.value_bytes = x % 2 ? 2 : 0;
        sort.values_in = sort.values_out = x % 2 ? memory + 512 : NULL;
        sort.bits = 8u * (unsigned)cw_type_bytes(sort.type);
        partition.rule = CW_BY_HASH;
        partition.count = memory + 1024;
        partition.count_bytes = 8;
        c.bytes = cw_type_bytes(sort.type);
        room = begin_with(&q, &f, cw_sort_bytes(&sort, f.shapes));
        q.each = count_hold;
        q.user = &c;
        end(&q, &f, cw_sort_enqueue(&q.queue, &sort, f.shapes, room), "a sort", sort.n);
        room = begin_with(&q, &f, cw_partition_request_bytes(&partition, f.shapes));
        q.each = count_hold;
        q.user = &c;
        end(&q, &f, cw_partition_request(&q.queue, &partition, f.shapes, room, 0), "a partition",
            partition.n);
    }
    assert_true(c.launches >= COUNT(huge) * COUNT(types) * 3);
}

/* ---- on the emulator ------------------------------------------------------------------------ */

static unsigned launched[CW_KERNEL_COUNT];

static void note(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    (void)user;
    (void)e;
    launched[l->kernel]++;
}

static cw_context *context_as(const char *name)
{
    cw_context *context;

    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    assert_int_equal(cw_context_as(context, cw_gpu_find(name)), CW_OK);
    context->hook = note;
    return context;
}

static int arrays_go_wrong(cw_context *context, uint64_t seed)
{
    const struct array_case cases[] = {
        {.type = CW_U32, .n = 9001, .keys = 1, .pattern = ARRAY_ZIPF},
        {.type = CW_F64, .n = 3001, .keys = 1, .in_place = 1},
        {.type = CW_U8, .n = 7001, .keys = 1},
        {.type = CW_I16, .n = 3001, .keys = 1, .value_bytes = 8, .flags = CW_STABLE},
        {.type = CW_F32, .n = 9001, .keys = 1, .value_bytes = 4, .shift = 1},
        {.type = CW_U64, .n = 2001, .value_bytes = 16, .index_bytes = 8},
        {.type = CW_I32, .n = 2001, .keys = 1, .index_bytes = 4, .flags = CW_DESCENDING},
        {.type = CW_U32, .n = 17001, .keys = 1, .flags = CW_CONFLICT_FREE},
        {.type = CW_U64, .n = 17001, .keys = 1, .value_bytes = 4, .flags = CW_CONFLICT_FREE},
        {.type = CW_U64, .n = 5001, .keys = 1, .index_bytes = 4, .flags = CW_CONFLICT_FREE},
    };
    int failed = 0;

    for (size_t x = 0; x < COUNT(cases); x++) {
        struct array_case c = cases[x];

        c.seed = seed + x;
        failed += array_case_run(context, &c);
    }
    return failed;
}

static int partitions_go_wrong(cw_context *context, uint64_t seed)
{
    static const uint32_t buckets[] = {2, 32, 64, 256, 1024};
    int failed = 0;

    for (unsigned x = 0; x < 2 * COUNT(buckets); x++) {
        const struct partition_case c = {.type = x % 3 == 2 ? CW_U64 : CW_U32,
                                         .rule = x % 4 == 3 ? CW_BY_HASH : CW_BY_BITS,
                                         .flags = x % 2 ? CW_UNSTABLE : 0,
                                         .n = 9001,
                                         .buckets = buckets[x / 2],
                                         .first_bit = 9,
                                         .keys = 1,
                                         .offsets = 1,
                                         .payload = {x % 3 ? 4 : 0, x % 5 == 4 ? 12 : 0, 0, 0},
                                         .seed = seed + x};

        failed += partition_case_run(context, &c);
    }
    return failed;
}

static int rows_go_wrong(cw_context *context, uint64_t seed)
{
    const struct rows_case cases[] = {
        {.type = CW_U32, .rows = 9, .length = 1024, .keys = 1},
        {.type = CW_F64, .rows = 5, .length = 700, .keys = 1, .mixed = 1},
        {.type = CW_I32, .rows = 3, .length = 2000, .keys = 1, .value_bytes = 4},
        {.type = CW_U64, .rows = 3, .length = 900, .index = 1, .flags = CW_STABLE},
    };
    int failed = 0;

    for (size_t x = 0; x < COUNT(cases); x++) {
        struct rows_case c = cases[x];

        c.seed = seed + x;
        failed += rows_case_run(context, &c);
    }
    return failed;
}

/* Rows of the last classes, and of parts, which have kernels of their own where blocks have little shared memory. */
static void long_rows_are_sorted_as_any_gpu(void **state)
{
    static const struct rows_case cases[] = {
        {.type = CW_U32, .rows = 2, .length = 20000, .keys = 1},
        {.type = CW_U32, .rows = 1, .length = 33000, .keys = 1},
        {.type = CW_U32, .rows = 1, .length = 33000, .keys = 1, .flags = CW_CONFLICT_FREE},
        {.type = CW_U64, .rows = 2, .length = 9000, .keys = 1, .mixed = 1},
        {.type = CW_I32, .rows = 2, .length = 10000, .keys = 1, .value_bytes = 4},
        {.type = CW_F64, .rows = 2, .length = 5000, .keys = 1, .value_bytes = 8},
    };
    static const char *const few[] = {"sm_86", "sm_90"};

    (void)state;
    for (size_t x = 0; x < COUNT(few) * COUNT(cases); x++) {
        cw_context *const context = context_as(few[x % COUNT(few)]);
        struct rows_case c = cases[x / COUNT(few)];

        c.seed = cw_test_seed() + x;
        memset(launched, 0, sizeof launched);
        assert_int_equal(rows_case_run(context, &c), 0);
        assert_true(context->shapes != CW_SHAPES_SMALL || x / COUNT(few) != 2 ||
                    launched[CW_KERNEL_cw_rows_u32_merge_small]);
        assert_true(x / COUNT(few) != 1 || launched[CW_KERNEL_cw_rows_u32_join]);
        cw_context_destroy(context);
    }
}

static void every_operation_is_right_as_any_gpu(void **state)
{
    static const char *const few[] = {"sm_80", "sm_86", "sm_90"}; /* the others have their shapes */

    (void)state;
    for (size_t g = 0; g < COUNT(few); g++) {
        cw_context *context;
        const uint64_t seed = cw_test_seed() + 100 * g;
        int failed;

        if (CW_SANITIZED && g == 0)
            continue;
        context = context_as(few[g]);
        memset(launched, 0, sizeof launched);
        failed = arrays_go_wrong(context, seed) + partitions_go_wrong(context, seed) +
                 rows_go_wrong(context, seed);
        if (failed)
            print_error("as %s: %d failed (CW_SEED=%llu)\n", few[g], failed,
                        (unsigned long long)cw_test_seed());
        assert_int_equal(failed, 0);
        for (int k = CW_KERNEL_FIRST_SMALL; k < CW_KERNEL_COUNT; k++)
            assert_true(context->shapes == CW_SHAPES_SMALL || !launched[k]);
        assert_true(context->shapes != CW_SHAPES_SMALL ||
                    (launched[CW_KERNEL_cw_partition_p32_combining_any_small] &&
                     launched[CW_KERNEL_cw_sample_sort_p64_fine_small]));
        cw_context_destroy(context);
    }
}

/* A block has 99 KB of every GPU that is supported. */
static void plans_for_any_gpu_have_tiles_that_fit(void **state)
{
    static const size_t bytes[] = {1, 4, 8, 12, 16};
    enum { N = 15000000 }; /* 60 MB: by passes, with tiles of 112 KiB unless told otherwise */
    uint32_t *const index = (uint32_t *)malloc(N * sizeof *index);

    (void)state;
    for (size_t x = 0; x < 20 * COUNT(bytes); x++) {
        const cw_plan plan = {.n = ((uint64_t)1 << (12 + x / COUNT(bytes))) - x % 3,
                              .bytes = (uint32_t)bytes[x % COUNT(bytes)]};
        const uint32_t tile = cw_plan_best_tile(&plan, CW_PLAN_ANY_GPU);

        assert_true(tile && tile % CW_PLAN_LINE == 0);
        assert_true(tile * cw_plan_word(plan.bytes) <= CW_SMALL_SHARED);
    }
    assert_non_null(index);
    for (uint64_t i = 0; i < N; i++)
        index[i] = (uint32_t)(i * 7368787 % N); /* a prime */
    for (unsigned any = 0; any < 2; any++) {
        cw_plan *plan;

        assert_int_equal(cw_plan_create(index, 4, N, 4, any ? CW_ANY_GPU : 0, 0, &plan), CW_OK);
        assert_string_equal(cw_plan_kind(plan), "two passes");
        assert_int_equal(4 * plan->tile > CW_SMALL_SHARED, !any);
        cw_plan_destroy(plan);
    }
    free(index);
}

/* Tiles of 192 KiB and of 99 KB on a GPU with 99 KB. */
static void a_plan_runs_where_its_tiles_fit_and_says_so_elsewhere(void **state)
{
    cw_context *const context = context_as("sm_86");

    (void)state;
    for (int fit = 0; fit < 2; fit++) {
        const uint32_t tile = (fit ? CW_PLAN_ANY_GPU : CW_PLAN_SHARED) / 4;
        struct plan_case c = plan_passes_of(RANDOM, 60000, 2, tile);
        uint64_t *const index = plan_case_index(&c);
        struct fits f = {cw_gpu_find("sm_86"), CW_SHAPES_SMALL, NULL, 0, 0, 0, 0};
        struct cw_dry_queue q;
        cw_plan *plan;

        c.bytes = c.index_bytes = 4;
        plan = plan_case_plan(&c, index);
        assert_non_null(plan);
        begin(&q, &f);
        assert_int_equal(cw_plan_queue(plan, (const unsigned char *)memory, memory, memory + 256,
                                       memory + 512, &q.queue),
                         fit ? CW_OK : CW_ERR_DEVICE);
        if (fit)
            assert_int_equal(plan_case_execute(context, &c, index, plan), 1);
        else
            assert_non_null(strstr(cw_last_error(), "CW_ANY_GPU"));
        cw_plan_destroy(plan);
        free(index);
    }
    cw_context_destroy(context);
}

static void a_gpu_that_no_shapes_fit_is_refused_by_name(void **state)
{
    cw_context *context;

    (void)state;
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    assert_int_equal(cw_context_as(context, cw_gpu_find("sm_75")), CW_ERR_DEVICE);
    assert_non_null(strstr(cw_last_error(), "sm_75"));
    cw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_launch_fits),
        cmocka_unit_test(launches_of_huge_arrays_fit),
        cmocka_unit_test(no_block_counts_2_32_items),
        cmocka_unit_test(every_operation_is_right_as_any_gpu),
        cmocka_unit_test(long_rows_are_sorted_as_any_gpu),
        cmocka_unit_test(plans_for_any_gpu_have_tiles_that_fit),
        cmocka_unit_test(a_plan_runs_where_its_tiles_fit_and_says_so_elsewhere),
        cmocka_unit_test(a_gpu_that_no_shapes_fit_is_refused_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
