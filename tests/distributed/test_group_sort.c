/* test_group_sort.c - cw_group_sort on threads of this process against a serial oracle.
 *
 * Random cases (types, payloads, flags, bits, uneven and empty ranks, nine inputs) on 1, 2, 3, 4, 7 and 9
 * ranks of the host, and on 2 of the emulator.  tests/mpi runs the same cases on MPI. */
#include <stdio.h>
#include <stdlib.h>

#include "distributed/move.h"
#include "distributed/sort/runs.h"
#include "group_case.h"
#include "group_threads.h"
#include "inputs/random.h"
#include "rows_case.h"
#include "test.h"

struct plan {
    uint64_t seed, most;
    unsigned cases;
};

static int cases(const cw_group *group, cw_context *context, void *user)
{
    const struct plan *const p = (const struct plan *)user;
    int wrong = 0;

    for (unsigned x = 0; x < p->cases; x++)
        wrong += group_sort_case(group, context, p->seed + x, p->most);
    return wrong;
}

static void sorts_like_the_oracle_on(uint32_t ranks, cw_backend backend, struct plan plan)
{
    const int wrong = group_threads_run(ranks, backend, 200, cases, &plan);

    print_message("%u ranks, %u cases, %d ranks wrong, CW_SEED=%llu\n", ranks, plan.cases, wrong,
                  (unsigned long long)cw_test_seed());
    assert_int_equal(wrong, 0);
}

static void every_rank_gets_its_share_in_order(void **state)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7, 9};

    (void)state;
    for (size_t x = 0; x < 6; x++) {
        const struct plan few = {cw_test_seed() * 1009 + x * 100000, 300,
                                 CW_SANITIZED    ? 40
                                 : cw_long_run() ? 2000
                                                 : 200};
        const struct plan many = {cw_test_seed() * 2003 + x * 100000, 60000,
                                  CW_SANITIZED    ? 4
                                  : cw_long_run() ? 200
                                                  : 20};

        sorts_like_the_oracle_on(ranks[x], CW_CPU, few);
        sorts_like_the_oracle_on(ranks[x], CW_CPU, many);
    }
}

/* As where the group cannot reach a GPU's memory: through other memory, in pieces. */
static void staged_exchanges_bring_the_same(void **state)
{
    const struct plan few = {cw_test_seed() * 4001, 3000, CW_SANITIZED ? 10 : 60};
    const struct plan emulated = {cw_test_seed() * 4003, 2000, 4};

    (void)state;
    cw_moves_staged = 700;
    sorts_like_the_oracle_on(1, CW_CPU, few);
    sorts_like_the_oracle_on(4, CW_CPU, few);
    sorts_like_the_oracle_on(7, CW_CPU, few);
    sorts_like_the_oracle_on(3, CW_EMULATOR, emulated);
    cw_moves_staged = 0;
}

/* The emulator's kernels, or with CW_TEST_BACKEND=cuda a GPU's, whose memory all ranks share. */
static void kernels_sort_the_same(void **state)
{
    const cw_backend on = rows_test_backend();
    const struct plan plan = {cw_test_seed() * 3001, on == CW_CUDA ? 200000 : 2000,
                              cw_test_cases(CW_SANITIZED ? 4 : 20)};

    (void)state;
    sorts_like_the_oracle_on(2, on, plan);
    if (on != CW_CUDA)
        return;
    sorts_like_the_oracle_on(4, on, plan);
    cw_moves_staged = 1 << 16;
    sorts_like_the_oracle_on(3, on, plan);
    cw_moves_staged = 0;
}

/* Tiles of few items, so that runs have many cuts: equal keys, empty runs, tiles of one run. */
static void runs_that_kernels_merge_are_the_same(void **state)
{
    static const uint32_t ranks[] = {2, 3, 5, 8};
    const cw_backend on = rows_test_backend();

    (void)state;
    cw_runs_tile = 16;
    for (size_t x = 0; x < 4; x++) {
        const struct plan plan = {cw_test_seed() * 5003 + x * 1000, on == CW_CUDA ? 200000 : 700,
                                  cw_test_cases(CW_SANITIZED ? 3 : 25)};

        sorts_like_the_oracle_on(ranks[x], on, plan);
    }
    cw_runs_tile = 0;
}

/* What the search needs lies in the workspace: 32 bytes a rank are allocated, for the exchange. */
static int memory_of(const cw_group *group, cw_context *context, void *user)
{
    const uint64_t n = *(const uint64_t *)user;
    uint32_t *const keys = (uint32_t *)calloc(2 * n, sizeof *keys);
    cw_array job = {.type = CW_U32, .n = n, .keys_in = keys, .keys_out = keys + n};
    struct cw_random random = cw_random_from(cw_test_seed() + group->rank);
    cw_group_report report;
    void *workspace;
    size_t bytes;
    int wrong;

    for (uint64_t x = 0; x < n; x++)
        keys[x] = (uint32_t)cw_random_next(&random);
    if (cw_group_sort_workspace(context, &job, n * group->ranks, group->ranks, &bytes) ||
        cw_memory_alloc(context, bytes, &workspace))
        return 1;
    wrong = cw_group_sort(group, context, &job, workspace, bytes, NULL, &report) != CW_OK;
    wrong |= bytes > 4 * n + 256 || report.host_bytes > 32u * group->ranks || report.rounds < 2;
    cw_memory_free(context, workspace);
    free(keys);
    return wrong;
}

static void memory_besides_the_workspace_is_32_bytes_a_rank(void **state)
{
    uint64_t n = 20000;

    (void)state;
    assert_int_equal(group_threads_run(4, CW_CPU, 100, memory_of, &n), 0);
    assert_int_equal(group_threads_run(9, CW_CPU, 100, memory_of, &n), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_gets_its_share_in_order),
        cmocka_unit_test(memory_besides_the_workspace_is_32_bytes_a_rank),
        cmocka_unit_test(staged_exchanges_bring_the_same),
        cmocka_unit_test(kernels_sort_the_same),
        cmocka_unit_test(runs_that_kernels_merge_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
