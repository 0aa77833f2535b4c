/* test_group_failures.c - a rank that fails, by a bad argument or without memory, makes all ranks return the
 * same status, and nobody waits for it: a watchdog would end the program. */
#include <stdio.h>
#include <string.h>

#include "group_failures.h"
#include "group_threads.h"
#include "test.h"

static int failures(const cw_group *group, cw_context *context, void *user)
{
    return group_failures(group, context, *(const uint32_t *)user);
}

static void all_ranks_return_the_same_status(void **state)
{
    static const uint32_t ranks[] = {1, 2, 5};

    (void)state;
    for (size_t x = 0; x < COUNT(ranks); x++) {
        for (uint32_t bad = 0; bad < ranks[x]; bad += 2)
            assert_int_equal(group_threads_run(ranks[x], CW_CPU, 60, failures, &bad), 0);
    }
}

/* ---- other calls ------------------------------------------------------------------------------ */

/* Rank 1 names a place that rank 0 has named too, or one that there is not. */
static int bad_places(const cw_group *group, cw_context *context, void *user)
{
    const uint64_t wrong = *(const uint64_t *)user;
    uint32_t rows[10], out[10];
    uint64_t index[10];
    cw_permute_job job = {
        .n = 10, .bytes = 4, .in = rows, .out = out, .index = index, .index_bytes = 8};
    void *workspace;
    size_t need;
    cw_status status;

    for (uint32_t i = 0; i < 10; i++) {
        rows[i] = i;
        index[i] = group->rank * 10 + i;
    }
    if (group->rank == 1)
        index[3] = wrong;
    if (cw_group_permute_workspace(context, &job, 10 * group->ranks, group->ranks, &need) ||
        cw_memory_alloc(context, need, &workspace))
        return 1;
    status = cw_group_permute(group, context, &job, workspace, need, NULL, NULL);
    cw_memory_free(context, workspace);
    return status != CW_ERR_LABEL;
}

static void places_that_are_no_permutation_are_refused(void **state)
{
    static const uint64_t wrong[] = {12, 5, 30, UINT64_MAX};

    (void)state;
    for (size_t x = 0; x < COUNT(wrong); x++) {
        uint64_t place = wrong[x];

        assert_int_equal(group_threads_run(3, CW_CPU, 60, bad_places, &place), 0);
    }
}

/* All items go to rank 0, which has room for half of them. */
static int no_room(const cw_group *group, cw_context *context, void *user)
{
    uint32_t keys[10] = {0}, out[40];
    cw_partition_job job = {.type = CW_U32,
                            .rule = CW_BY_LABEL,
                            .n = 10,
                            .buckets = 4,
                            .keys_in = keys,
                            .keys_out = out};
    void *workspace;
    size_t need, got = 7;
    cw_status status;

    (void)user;
    if (cw_group_partition_workspace(context, &job, 15, &need) ||
        cw_memory_alloc(context, need, &workspace))
        return 1;
    memset(out, 0x5a, sizeof out);
    status = cw_group_partition(group, context, &job, 15, &got, workspace, need, NULL, NULL);
    cw_memory_free(context, workspace);
    for (size_t i = 0; i < 40; i++) {
        if (out[i] != 0x5a5a5a5au)
            return 1;
    }
    return status != CW_ERR_LENGTH || got != (group->rank ? 0u : 30u);
}

static void buckets_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    assert_int_equal(group_threads_run(3, CW_CPU, 60, no_room, NULL), 0);
}

/* ---- options of one array --------------------------------------------------------------------- */

/* Choices: the call does not know what they mean for all ranks.  A count of bytes that there is not. */
static int foreign_options(const cw_group *group, cw_context *context, void *user)
{
    static const uint64_t count = 4;
    uint32_t keys[10] = {0}, out[40];
    uint64_t index[10] = {0};
    cw_partition_job split = {.type = CW_U32, .rule = CW_BY_LABEL, .n = 10, .buckets = 4};
    cw_permute_job move = {.n = 10, .bytes = 4, .in = keys, .out = out, .index = index};
    cw_array sort = {.type = CW_U32, .n = 10, .keys_in = keys, .keys_out = out};
    char room[1];
    size_t got = 0;
    int wrong = 0;

    (void)user;
    split.keys_in = keys;
    split.keys_out = out;
    split.choices = 2;
    wrong += cw_group_partition(group, context, &split, 40, &got, room, 1, NULL, NULL) !=
             CW_ERR_ARGUMENT;
    split.choices = 0;
    split.count = move.count = sort.count = &count; /* and count_bytes is 0 */
    move.index_bytes = 8;
    wrong += cw_group_partition(group, context, &split, 40, &got, room, 1, NULL, NULL) !=
             CW_ERR_ARGUMENT;
    wrong += cw_group_permute(group, context, &move, room, 1, NULL, NULL) != CW_ERR_ARGUMENT;
    wrong += cw_group_sort(group, context, &sort, room, 1, NULL, NULL) != CW_ERR_ARGUMENT;
    return wrong;
}

static void options_of_one_array_are_refused(void **state)
{
    (void)state;
    assert_int_equal(group_threads_run(2, CW_CPU, 60, foreign_options, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ranks_return_the_same_status),
        cmocka_unit_test(places_that_are_no_permutation_are_refused),
        cmocka_unit_test(buckets_that_do_not_fit_are_refused),
        cmocka_unit_test(options_of_one_array_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
