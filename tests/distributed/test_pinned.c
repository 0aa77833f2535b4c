/* test_pinned.c - page-locked memory is kept for the next exchange, to a limit. */
#include <stdlib.h>

#include "api/context.h"
#include "distributed/ranks/pinned.h"
#include "test.h"

static int live, made;

static cw_status pinned(size_t bytes, void **out)
{
    *out = malloc(bytes < 64 ? bytes : 64); /* nobody writes to it */
    live++;
    made++;
    return *out ? CW_OK : CW_ERR_MEMORY;
}

static void unpinned(void *memory)
{
    free(memory);
    live--;
}

static const struct cw_backend_table fake = {.pinned = pinned, .unpinned = unpinned};
static const struct cw_backend_table other = {.pinned = pinned, .unpinned = unpinned};

static void what_was_given_back_is_taken_again(void **state)
{
    void *a, *b, *c;

    (void)state;
    (void)cw_pinned_drop();
    live = made = 0;
    assert_int_equal(cw_pinned_take(&fake, 1000, &a), CW_OK);
    cw_pinned_give(&fake, a, 1000);
    assert_int_equal(cw_pinned_take(&fake, 900, &b), CW_OK);
    assert_ptr_equal(a, b);
    assert_int_equal(cw_pinned_take(&fake, 900, &c), CW_OK); /* it is taken: another one */
    assert_int_equal(made, 2);
    cw_pinned_give(&fake, b, 900);
    cw_pinned_give(&fake, c, 900);
    assert_int_equal(live, 2);
    assert_int_equal(cw_pinned_drop(), 1800);
    assert_int_equal(live, 0);
}

static void neither_too_small_nor_another_device_s(void **state)
{
    void *a, *b;

    (void)state;
    live = made = 0;
    assert_int_equal(cw_pinned_take(&fake, 1000, &a), CW_OK);
    cw_pinned_give(&fake, a, 1000);
    assert_int_equal(cw_pinned_take(&fake, 1001, &b), CW_OK);
    cw_pinned_give(&fake, b, 1001);
    assert_int_equal(made, 2);
    assert_int_equal(cw_pinned_take(&other, 1000, &b), CW_OK);
    assert_int_equal(made, 3);
    cw_pinned_give(&other, b, 1000);
    assert_int_equal(cw_pinned_take(&fake, 100, &b), CW_OK); /* much too large for it */
    assert_int_equal(made, 4);
    cw_pinned_give(&fake, b, 100);
    (void)cw_pinned_drop();
    assert_int_equal(live, 0);
}

static void no_more_is_kept_than_the_limit(void **state)
{
    enum { MANY = 40 };
    void *all[MANY];

    (void)state;
    live = made = 0;
    for (int k = 0; k < MANY; k++)
        assert_int_equal(cw_pinned_take(&fake, CW_PINNED_KEPT / 4, &all[k]), CW_OK);
    for (int k = 0; k < MANY; k++)
        cw_pinned_give(&fake, all[k], CW_PINNED_KEPT / 4);
    assert_int_equal(live, 4);
    assert_int_equal(cw_pinned_drop(), CW_PINNED_KEPT);
    assert_int_equal(cw_pinned_drop(), 0); /* so there is room for others */
    for (int k = 0; k < MANY; k++)
        assert_int_equal(cw_pinned_take(&fake, 10, &all[k]), CW_OK);
    for (int k = 0; k < MANY; k++)
        cw_pinned_give(&fake, all[k], 10);
    assert_true(live <= 16);
    (void)cw_pinned_drop();
    assert_int_equal(live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_given_back_is_taken_again),
        cmocka_unit_test(neither_too_small_nor_another_device_s),
        cmocka_unit_test(no_more_is_kept_than_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
