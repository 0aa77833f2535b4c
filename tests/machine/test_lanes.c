/* test_lanes.c - lanes go on where they stopped, and a stack that is too small is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "dev/dev.h"
#include "machine/model/model_state.h"

#define LANES  50
#define ROUNDS 20

/* What the bodies below share; they take turns in lane order until all have ended. */
static struct {
    struct cw_lanes *lanes;
    uint32_t count, ended;
    uint32_t order[LANES * (ROUNDS + 1)], turns;
    double sums[LANES];
    uint64_t numbers[LANES];
    void (*extra)(uint32_t lane);
} t;

static uint32_t next_of(uint32_t lane)
{
    return lane + 1 < t.count ? lane + 1 : 0;
}

static uint32_t done(uint32_t lane, void *arg)
{
    assert_ptr_equal(arg, &t);
    return ++t.ended == t.count ? CW_LANE_HOST : next_of(lane);
}

/* Keeps whole numbers, floats and arrays alive over every switch. */
static void take_turns(uint32_t lane, void *arg)
{
    uint64_t a = lane, b = 3 * lane + 1, c = lane ^ 0x5555, d = ~(uint64_t)lane;
    double x = lane, y = 0.5;
    uint32_t kept[ROUNDS];

    (void)arg;
    for (uint32_t k = 0; k < ROUNDS; k++) {
        kept[k] = lane * k;
        t.order[t.turns++] = lane;
        cw_lanes_switch(t.lanes, lane, next_of(lane));
        a = a * 31 + b;
        b += c ^ k;
        c -= d >> 3;
        d ^= a;
        x = x * 0.5 + y;
        y += 0.25 * lane;
    }
    for (uint32_t k = 0; k < ROUNDS; k++)
        a += kept[k];
    t.sums[lane] = x + y;
    t.numbers[lane] = a ^ b ^ c ^ d;
    if (t.extra)
        t.extra(lane);
}

/* The same for one lane, without any switch. */
static void plain(uint32_t lane, double *sum, uint64_t *number)
{
    uint64_t a = lane, b = 3 * lane + 1, c = lane ^ 0x5555, d = ~(uint64_t)lane;
    double x = lane, y = 0.5;

    for (uint32_t k = 0; k < ROUNDS; k++) {
        a = a * 31 + b;
        b += c ^ k;
        c -= d >> 3;
        d ^= a;
        x = x * 0.5 + y;
        y += 0.25 * lane;
    }
    a += (uint64_t)lane * (ROUNDS * (ROUNDS - 1) / 2);
    *sum = x + y;
    *number = a ^ b ^ c ^ d;
}

static void go(uint32_t count, void (*extra)(uint32_t lane))
{
    const struct cw_lane_entry entry = {take_turns, done, &t};

    t.count = count;
    t.ended = t.turns = 0;
    t.extra = extra;
    cw_lanes_start(t.lanes, &entry);
    cw_lanes_enter(t.lanes, 0);
    assert_int_equal(t.ended, count);
}

static void check_values(void)
{
    for (uint32_t i = 0; i < t.count; i++) {
        double sum;
        uint64_t number;

        plain(i, &sum, &number);
        assert_true(sum == t.sums[i]);
        assert_int_equal(number, t.numbers[i]);
    }
}

static void lanes_keep_their_variables_and_run_in_the_order_asked_for(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= LANES; count += 7) {
        assert_int_equal(cw_lanes_create(count, &t.lanes), CW_OK);
        for (int again = 0; again < 3; again++) {
            go(count, NULL);
            check_values();
            for (uint32_t x = 0; x < t.turns; x++)
                assert_int_equal(t.order[x], x % count);
            assert_int_equal(t.turns, count * ROUNDS);
            assert_int_equal(cw_lanes_overrun(t.lanes), CW_LANE_HOST);
            assert_true(cw_lanes_used(t.lanes) > 0); /* the first lane's stack counts, too */
        }
        cw_lanes_destroy(t.lanes);
    }
}

/* ---- the host ------------------------------------------------------------- */

static void call_host(uint32_t lane, void *arg)
{
    (void)arg;
    for (int k = 0; k < 3; k++) {
        t.order[t.turns++] = lane;
        cw_lanes_switch(t.lanes, lane, CW_LANE_HOST);
    }
}

static void the_host_may_come_back_to_any_lane(void **state)
{
    const struct cw_lane_entry entry = {call_host, done, &t};
    static const uint32_t visits[] = {2, 0, 1, 1, 0, 2, 2, 0, 1};

    (void)state;
    assert_int_equal(cw_lanes_create(3, &t.lanes), CW_OK);
    t.count = 3;
    t.turns = 0;
    cw_lanes_start(t.lanes, &entry);
    for (size_t x = 0; x < sizeof visits / sizeof *visits; x++) {
        cw_lanes_enter(t.lanes, visits[x]);
        assert_int_equal(t.turns, x + 1);
        assert_int_equal(t.order[x], visits[x]);
    }
    cw_lanes_destroy(t.lanes);
}

static void lanes_left_in_the_middle_begin_again(void **state)
{
    const struct cw_lane_entry entry = {call_host, done, &t};

    (void)state;
    assert_int_equal(cw_lanes_create(LANES, &t.lanes), CW_OK);
    t.count = LANES;
    t.turns = 0;
    cw_lanes_start(t.lanes, &entry);
    cw_lanes_enter(t.lanes, 7);
    cw_lanes_enter(t.lanes, 9);
    go(LANES, NULL);
    check_values();
    cw_lanes_destroy(t.lanes);
}

/* ---- stacks --------------------------------------------------------------- */

static void check_alignment(uint32_t lane)
{
    _Alignas(16) volatile char here[16];

    here[0] = (char)lane;
    assert_int_equal((uintptr_t)here % 16, 0);
}

static void stacks_are_apart_and_as_large_as_they_say(void **state)
{
    (void)state;
    assert_int_equal(cw_lanes_create(LANES, &t.lanes), CW_OK);
    go(LANES, check_alignment);
    assert_true(cw_lanes_stack(t.lanes) >= 8192);
    assert_true(cw_lanes_bytes(t.lanes) >= LANES * cw_lanes_stack(t.lanes));
    for (uint32_t i = 1; i < LANES; i++) {
        const char *const sp = (const char *)cw_lanes_table(t.lanes)[i].sp;

        if (sp) /* not kept on every platform */
            assert_true((size_t)(sp - (const char *)cw_lanes_table(t.lanes)[i - 1].sp) >=
                        cw_lanes_stack(t.lanes));
    }
    cw_lanes_destroy(t.lanes);
}

/* Write where a lane that had used all its stack would. */
static void trespass(uint32_t lane)
{
    volatile char here = 0;

    if (lane == 13 || lane == 31) {
        const size_t room = cw_lanes_room(t.lanes, lane, (const void *)&here);
        volatile char *const there = (volatile char *)((uintptr_t)&here - room - 8);

        assert_true(room > 1024 && room < cw_lanes_stack(t.lanes));
        *there = 1;
    }
}

static void a_lane_that_came_to_the_end_of_its_stack_is_named(void **state)
{
    (void)state;
    assert_int_equal(cw_lanes_create(LANES, &t.lanes), CW_OK);
    go(LANES, trespass);
    assert_int_equal(cw_lanes_overrun(t.lanes), 13);
    go(LANES, NULL);
    assert_int_equal(cw_lanes_overrun(t.lanes), CW_LANE_HOST);
    assert_int_equal(cw_lanes_room(t.lanes, 5, NULL), 0);
    cw_lanes_destroy(t.lanes);
    cw_lanes_destroy(NULL);
}

static void trespass_in_a_model(struct cw_model *s, const void *arg)
{
    volatile char here = 0;

    (void)arg;
    if (lane_id(s) == 2) {
        const size_t room = cw_lanes_room(s->lanes, 2, (const void *)&here);

        *(volatile char *)((uintptr_t)&here - room - 8) = 1;
    }
    bank_write(s, lane_id(s), 0, 1);
}

static void sink(struct cw_model *s, int depth)
{
    volatile char room[500];

    room[depth % 500] = 1;
    group_sync(s, 0, 1, 4);
    if (depth < 1000000)
        sink(s, depth + room[depth % 500]);
    room[0] = 2;
}

static void dive(struct cw_model *s, const void *arg)
{
    (void)arg;
    sink(s, 0);
}

static void work(struct cw_model *s, const void *arg)
{
    (void)arg;
    bank_write(s, lane_id(s), 0, 1);
}

static void a_recursion_too_deep_is_reported_before_it_does_harm(void **state)
{
    const struct cw_model_config config = {4, 1, 0, 0, 0};
    struct cw_model *s;

    (void)state;
    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    assert_int_equal(cw_model_run(s, dive, NULL), CW_ERR_INTERNAL);
    assert_non_null(strstr(cw_last_error(), "processor 0 has used up its stack at "));
    assert_int_equal(cw_model_run(s, work, NULL), CW_OK);
    assert_int_equal(cw_model_run(s, trespass_in_a_model, NULL), CW_ERR_INTERNAL);
    assert_string_equal(cw_last_error(), "processor 2 overran its stack");
    assert_int_equal(cw_model_run(s, work, NULL), CW_OK);
    cw_model_destroy(s);
}

static void more_lanes_than_there_is_memory_for_are_refused(void **state)
{
#if defined(CW_LANES_ASAN) || defined(CW_LANES_TSAN) || defined(CW_LANES_MSAN)
    (void)state;
    skip(); /* the sanitizer's own memory counts against the limit */
#else
    const struct cw_model_config config = {1u << 20, 1, 0, 0, 0};
    struct rlimit limit, small;
    struct cw_model *s;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    small = limit;
    small.rlim_cur = (rlim_t)1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    assert_int_equal(cw_lanes_create(1u << 20, &t.lanes), CW_ERR_MEMORY);
    assert_null(t.lanes);
    assert_string_equal(cw_last_error(), "out of memory for the stacks of 1048576 lanes");
    assert_int_equal(cw_model_create(&config, &s), CW_ERR_MEMORY);
    assert_null(s);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_keep_their_variables_and_run_in_the_order_asked_for),
        cmocka_unit_test(the_host_may_come_back_to_any_lane),
        cmocka_unit_test(lanes_left_in_the_middle_begin_again),
        cmocka_unit_test(stacks_are_apart_and_as_large_as_they_say),
        cmocka_unit_test(a_lane_that_came_to_the_end_of_its_stack_is_named),
        cmocka_unit_test(a_recursion_too_deep_is_reported_before_it_does_harm),
        cmocka_unit_test(more_lanes_than_there_is_memory_for_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
