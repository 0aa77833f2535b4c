/* test_emu_barriers.c - threads that wait for each other at different places never meet: an error,
 * which names both places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "dev/kernel.h"

static struct cw_emu *make(uint32_t threads, uint32_t shared)
{
    const struct cw_emu_config config = {threads, shared};
    struct cw_emu *e;

    assert_int_equal(cw_emu_create(&config, &e), CW_OK);
    return e;
}

static int line, other_line;

#define HERE  (line = __LINE__ + 1)
#define THERE (other_line = __LINE__ + 1)

static void leave_early(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (THREAD_ID == 40)
        return;
    HERE;
    block_sync();
}

static void two_barriers(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (THREAD_ID < 32) {
        HERE;
        block_sync();
    } else {
        THERE;
        block_sync();
    }
}

static void a_block_barrier_that_not_all_reach_is_an_error(void **state)
{
    struct cw_emu *e = make(64, 256);
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_run(e, leave_early, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "barrier at %s:%d: 63 of 64 threads came (the first is 0), thread 40 has ended (last "
             "seen at its beginning)",
             __FILE__, line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(cw_emu_run(e, two_barriers, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected, "thread 0 waits for the block at %s:%d, thread 32 at %s:%d",
             __FILE__, line, __FILE__, other_line);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

static void warp_or_block(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (LANE_ID > 3) {
        HERE;
        warp_sync();
    } else {
        THERE;
        block_sync();
    }
}

static void two_votes(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    if (THREAD_ID % 2) {
        THERE;
        (void)ballot(1);
    } else {
        HERE;
        (void)ballot(1);
    }
}

static void vote_or_end(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    THERE;
    warp_sync();
    if (THREAD_ID == 63)
        return;
    HERE;
    (void)shfl_xor4(1, 1);
}

/* Lane 5 has ended where it last met the others: it does not come there again. */
static void loop_of_unequal_length(struct cw_emu *s, const void *arg)
{
    (void)s;
    (void)arg;
    for (uint32_t k = 0; k < (THREAD_ID == 5 ? 1u : 2u); k++) {
        HERE;
        (void)shfl4(k, 0);
    }
}

static void a_lane_that_has_ended_is_not_there_the_next_time(void **state)
{
    struct cw_emu *e = make(32, 256);
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_run(e, loop_of_unequal_length, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "thread 0 waits for its warp in shfl at %s:%d, thread 5 of that warp has ended (last "
             "seen at %s:%d)",
             __FILE__, line, __FILE__, line);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

static void lanes_that_do_not_meet_are_an_error_with_both_places(void **state)
{
    struct cw_emu *e = make(64, 256);
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_run(e, warp_or_block, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "thread 4 waits for its warp in warp_sync at %s:%d, thread 0 of that warp waits in "
             "block_sync at %s:%d",
             __FILE__, line, __FILE__, other_line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(cw_emu_run(e, two_votes, NULL), CW_ERR_BARRIER);
    snprintf(
        expected, sizeof expected,
        "thread 0 waits for its warp in ballot at %s:%d, thread 1 of that warp waits in ballot "
        "at %s:%d",
        __FILE__, line, __FILE__, other_line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(cw_emu_run(e, vote_or_end, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "thread 32 waits for its warp in shfl_xor at %s:%d, thread 63 of that warp has ended "
             "(last seen at %s:%d)",
             __FILE__, line, __FILE__, other_line);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

static void shuffle_from(struct cw_emu *s, const void *arg)
{
    (void)s;
    HERE;
    (void)shfl4(1, LANE_ID == 2 ? *(const uint32_t *)arg : 0);
}

static void a_shuffle_from_a_lane_that_does_not_exist_is_an_error(void **state)
{
    static const uint32_t there = 7, not_there = 8;
    struct cw_emu *e = make(40, 16);
    char expected[512];

    (void)state;
    assert_int_equal(cw_emu_run(e, shuffle_from, &there), CW_OK);
    assert_int_equal(cw_emu_run(e, shuffle_from, &not_there), CW_ERR_BOUNDS);
    snprintf(expected, sizeof expected,
             "thread 34 takes the value of lane 8 of a warp that has 8, in shfl at %s:%d", __FILE__,
             line);
    assert_string_equal(cw_last_error(), expected);
    cw_emu_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_barrier_that_not_all_reach_is_an_error),
        cmocka_unit_test(a_lane_that_has_ended_is_not_there_the_next_time),
        cmocka_unit_test(lanes_that_do_not_meet_are_an_error_with_both_places),
        cmocka_unit_test(a_shuffle_from_a_lane_that_does_not_exist_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
