/* test_plan_misuse.c - what is asked of cw_plan wrongly is refused, and what is no permutation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_case.h"

static void what_is_no_permutation_is_refused(void **state)
{
    (void)state;
    for (uint32_t passes = 0; passes <= 3; passes++) {
        for (unsigned flags = 0; flags <= CW_GATHER; flags += CW_GATHER) {
            struct plan_case c = plan_passes_of(RANDOM, 1500, passes, 256);
            uint64_t *const p = plan_case_index(&c);
            const uint64_t kept = p[700];
            cw_plan *plan = (cw_plan *)&c;

            c.wish.tile = passes == 1 ? 4096 : c.wish.tile;
            p[700] = p[3];
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_ERR_LABEL);
            assert_null(plan);
            assert_non_null(strstr(cw_last_error(), "index 700"));
            p[700] = 1500;
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_ERR_LABEL);
            assert_non_null(strstr(cw_last_error(), "index 700 is 1500"));
            p[700] = kept + ((uint64_t)1 << 32); /* not to be taken for its lower half */
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_ERR_LABEL);
            p[700] = kept;
            assert_int_equal(cw_plan_make(p, 8, c.n, 4, flags, 0, &c.wish, &plan), CW_OK);
            cw_plan_destroy(plan);
            free(p);
        }
    }
}

static void misuse_is_refused(void **state)
{
    static uint32_t index[8] = {1, 0, 3, 2, 5, 4, 7, 6};
    static uint32_t data[24];
    cw_plan *plan = NULL;
    size_t bytes;

    (void)state;
    assert_int_equal(cw_plan_create(index, 3, 8, 4, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 0, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, ((size_t)1 << 20) + 1, 0, 0, &plan),
                     CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 4, CW_STABLE, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(NULL, 4, 8, 4, 0, 0, &plan), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, 8, 4, 0, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_create(index, 4, ((size_t)1 << 31) + 1, 4, 0, 0, &plan),
                     CW_ERR_LENGTH);
    assert_null(plan);
    assert_int_equal(cw_plan_create(index, 4, 8, 4, 0, 0, &plan), CW_OK);
    assert_int_equal(cw_plan_workspace(plan, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_workspace(NULL, &bytes), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_execute(plan_context[0], plan, NULL, data, data + 8, NULL, 0, NULL),
                     CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_write_table(plan_context[0], plan, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_save(NULL, "x"), CW_ERR_ARGUMENT);
    assert_int_equal(cw_plan_load(NULL, &plan), CW_ERR_ARGUMENT);
    cw_plan_destroy(plan);
    cw_plan_destroy(NULL);
}

/* A tile is what a block of a GPU holds: so many bytes, and no line more. */
static void tiles_fill_shared_memory_and_no_more(void **state)
{
    static const uint32_t index[8] = {1, 0, 3, 2, 5, 4, 7, 6};
    static const size_t sizes[] = {1, 4, 8, 16};

    (void)state;
    for (size_t x = 0; x < COUNT(sizes); x++) {
        struct cw_plan_wish wish = {.table = 1, .gather = -1};
        cw_plan *plan = NULL;

        wish.tile = CW_PLAN_SHARED / cw_plan_word((uint32_t)sizes[x]);
        assert_int_equal(cw_plan_make(index, 4, 8, sizes[x], 0, 1, &wish, &plan), CW_OK);
        assert_int_equal(plan->tile, wish.tile);
        cw_plan_destroy(plan);
        wish.tile += CW_PLAN_LINE;
        assert_int_equal(cw_plan_make(index, 4, 8, sizes[x], 0, 1, &wish, &plan), CW_ERR_FORMAT);
        assert_null(plan);
    }
}

static void overlap_and_workspace_are_checked(void **state)
{
    struct plan_case c = plan_passes_of(RANDOM, 1500, 2, 256);
    uint64_t *const p = plan_case_index(&c);
    cw_context *const x = plan_context[0];
    cw_plan *plan = NULL;
    void *table, *room;
    char *data;
    size_t need;

    (void)state;
    assert_int_equal(cw_plan_make(p, 8, c.n, 4, 0, 0, &c.wish, &plan), CW_OK);
    assert_int_equal(cw_plan_workspace(plan, &need), CW_OK);
    assert_true(need >= 6000);
    assert_int_equal(cw_memory_alloc(x, cw_plan_table_bytes(plan), &table), CW_OK);
    assert_int_equal(cw_memory_alloc(x, 2 * need + 512, &room), CW_OK);
    assert_int_equal(cw_memory_alloc(x, 12000, (void **)&data), CW_OK);
    assert_int_equal(cw_plan_write_table(x, plan, table), CW_OK);
    memset(data, 0, 12000);
#define EXECUTE(in, out, room, need) cw_plan_execute(x, plan, table, in, out, room, need, NULL)
    assert_int_equal(EXECUTE(data, data, room, need), CW_ERR_OVERLAP);
    assert_int_equal(EXECUTE(data, data + 5996, room, need), CW_ERR_OVERLAP);
    assert_int_equal(EXECUTE(data, data + 6000, data, need), CW_ERR_OVERLAP);
    assert_int_equal(EXECUTE(data, data + 6000, room, need - 1), CW_ERR_WORKSPACE);
    assert_int_equal(EXECUTE(data, data + 6000, NULL, need), CW_ERR_WORKSPACE);
    assert_int_equal(EXECUTE(data, data + 6000, (char *)room + 4, need), CW_ERR_WORKSPACE);
    assert_int_equal(EXECUTE(data + 1, data + 6004, room, need), CW_ERR_ARGUMENT);
    assert_int_equal(EXECUTE(data, data + 6000, room, need), CW_OK);
    cw_memory_free(x, table);
    cw_memory_free(x, room);
    cw_memory_free(x, data);
    cw_plan_destroy(plan);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_permutation_is_refused),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(tiles_fill_shared_memory_and_no_more),
        cmocka_unit_test(overlap_and_workspace_are_checked),
    };

    return cmocka_run_group_tests(tests, plan_open_contexts, plan_close_contexts);
}
