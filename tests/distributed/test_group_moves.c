/* test_group_moves.c - cw_group_permute and cw_group_partition on threads of this process, against a serial
 * oracle. */
#include <stdio.h>
#include <stdlib.h>

#include "group_case.h"
#include "group_threads.h"
#include "test.h"

struct plan {
    int (*run)(const cw_group *group, cw_context *context, uint64_t seed, uint64_t most);
    uint64_t seed, most;
    unsigned cases;
};

static int cases(const cw_group *group, cw_context *context, void *user)
{
    const struct plan *const p = (const struct plan *)user;
    int wrong = 0;

    for (unsigned x = 0; x < p->cases; x++)
        wrong += p->run(group, context, p->seed + x, p->most);
    return wrong;
}

static void on_all_ranks(struct plan plan)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7, 9};

    plan.cases = CW_SANITIZED ? 10 : cw_long_run() ? 1000 : 60;
    for (size_t x = 0; x < COUNT(ranks); x++) {
        plan.seed = cw_test_seed() * 1013 + x * 10000;
        assert_int_equal(group_threads_run(ranks[x], CW_CPU, 200, cases, &plan), 0);
    }
    plan.cases = CW_SANITIZED ? 3 : 12;
    assert_int_equal(group_threads_run(2, CW_EMULATOR, 200, cases, &plan), 0);
    print_message("CW_SEED=%llu\n", (unsigned long long)cw_test_seed());
}

static void rows_go_to_their_global_places(void **state)
{
    const struct plan plan = {group_permute_case, 0, 2000, 0};

    (void)state;
    on_all_ranks(plan);
}

static void buckets_go_to_their_ranks(void **state)
{
    const struct plan plan = {group_partition_case, 0, 1000, 0};

    (void)state;
    on_all_ranks(plan);
}

/* Labels 0 .. 7 of which 6 and 7 are dropped, 12 of each on each rank: rank r gets its buckets' 12 for each rank, and
 * blocks of 8 places for them. */
static int dropped(const cw_group *group, cw_context *context, void *user)
{
    enum { N = 96, BUCKETS = 6, EACH = 12, BLOCKS = 64 };
    const uint32_t p = group->ranks;
    uint32_t *const keys = (uint32_t *)calloc(N, 4), *const out = (uint32_t *)calloc(p, 4 * N);
    uint32_t blocks[BLOCKS];
    uint64_t padded[BUCKETS + 1];
    cw_partition_job job = {.type = CW_U32, .rule = CW_BY_LABEL, .n = N, .buckets = BUCKETS};
    void *workspace = NULL;
    size_t need = 0, got = 0, x = 0, block = 0;
    int wrong;

    (void)user;
    for (uint32_t i = 0; i < N; i++)
        keys[i] = i % 8;
    job.flags = CW_DROP;
    job.keys_in = keys;
    job.keys_out = out;
    job.padded = padded;
    job.pad_to = 8;
    job.block_buckets = blocks;
    job.block_count = BLOCKS;
    wrong =
        cw_group_partition_workspace(context, &job, (size_t)N * p, &need) ||
        cw_memory_alloc(context, need, &workspace) ||
        cw_group_partition(group, context, &job, (size_t)N * p, &got, workspace, need, NULL, NULL);
    for (uint32_t b = 0; b < BUCKETS && !wrong; b++) {
        if (cw_group_bucket_rank(b, BUCKETS, p) != group->rank)
            continue;
        for (uint32_t i = 0; i < EACH * p; i++)
            wrong |= out[x++] != b;
        for (uint32_t i = 0; i < (EACH * p + 7) / 8; i++)
            wrong |= blocks[block++] != b;
    }
    wrong |= got != x || (block < BLOCKS && blocks[block] != UINT32_MAX);
    cw_memory_free(context, workspace);
    free(keys);
    free(out);
    return wrong;
}

static void labels_are_dropped_and_blocks_are_listed(void **state)
{
    static const uint32_t ranks[] = {1, 2, 3, 7};

    (void)state;
    for (size_t x = 0; x < COUNT(ranks); x++)
        assert_int_equal(group_threads_run(ranks[x], CW_CPU, 60, dropped, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_to_their_global_places),
        cmocka_unit_test(buckets_go_to_their_ranks),
        cmocka_unit_test(labels_are_dropped_and_blocks_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
