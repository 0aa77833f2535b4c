/* test_model.c - the model counts what happened: steps, conflicts, banks, time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dev/dev.h"

#define W 10

static struct cw_model *machine(uint32_t w, uint32_t m, int count)
{
    const struct cw_model_config config = {w, m, count, 0, 0};
    struct cw_model *s;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    return s;
}

/* Run, and hand out the counters. */
static struct cw_counters run(struct cw_model *s, void (*body)(struct cw_model *, const void *),
                              const void *arg)
{
    struct cw_counters k;

    assert_int_equal(cw_model_run(s, body, arg), CW_OK);
    cw_model_counters(s, &k);
    return k;
}

/* ---- what one program costs ----------------------------------------------- */

/* Each lane asks for row rows[i], `times` times over; a negative row is a skip. */
struct ask {
    int rows[W], times;
};

static void ask(struct cw_model *s, const void *arg)
{
    const struct ask *a = (const struct ask *)arg;
    const int i = lane_id(s);

    for (int k = 0; k < a->times; k++) {
        if (a->rows[i] < 0)
            lane_skip(s);
        else if (k % 2)
            bank_write(s, a->rows[i], i, (word)k);
        else
            bank_read(s, a->rows[i], i);
    }
}

static void expect(const struct ask *a, uint64_t steps, uint64_t conflicts, uint32_t degree,
                   uint32_t busiest, uint64_t load)
{
    struct cw_model *s = machine(W, W, 1);
    const struct cw_counters k = run(s, ask, a);
    uint64_t active = 0;

    for (int i = 0; i < W; i++)
        active += a->rows[i] >= 0;
    assert_int_equal(k.steps, steps);
    assert_int_equal(k.work, steps * W);
    assert_int_equal(k.time, steps);
    assert_int_equal(k.conflicts, conflicts);
    assert_int_equal(k.worst_degree, degree);
    assert_int_equal(k.busiest_bank, busiest);
    assert_int_equal(k.busiest_load, load);
    assert_int_equal(k.accesses, active * (uint64_t)a->times);
    assert_int_equal(k.reads, active * (uint64_t)((a->times + 1) / 2));
    cw_model_destroy(s);
}

static void own_rows_never_collide(void **state)
{
    const struct ask a = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 7};

    (void)state;
    expect(&a, 7, 0, 1, 0, 7);
}

static void two_lanes_a_bank_take_two_steps(void **state)
{
    const struct ask a = {{1, 1, 3, 3, 5, 5, 7, 7, 9, 9}, 6};

    (void)state;
    expect(&a, 2 * 6, 5 * 6, 2, 1, 2 * 6);
}

static void all_lanes_at_one_bank_take_w_steps(void **state)
{
    const struct ask a = {{4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, 5};

    (void)state;
    expect(&a, W * 5, (W - 1) * 5, W, 4, W * 5);
}

static void the_busiest_bank_sets_the_price(void **state)
{
    const struct ask a = {{6, 7, 7, 8, 8, 8, 9, 9, 9, 9}, 3}; /* loads 1, 2, 3, 4 */

    (void)state;
    expect(&a, 4 * 3, 6 * 3, 4, 9, 4 * 3);
}

static void lanes_that_skip_cost_a_step_but_no_access(void **state)
{
    const struct ask some = {{2, -1, 2, -1, -1, 5, -1, -1, -1, -1}, 4};
    const struct ask none = {{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, 4};

    (void)state;
    expect(&some, 2 * 4, 1 * 4, 2, 2, 2 * 4);
    expect(&none, 4, 0, 0, 0, 0);
}

/* ---- any program ---------------------------------------------------------- */

#define LENGTH 60

/* plan[k][i]: the row that lane i asks for as its k-th request; -1 skip, -2 has ended. */
static int plan[LENGTH][W];

static void follow(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    for (int k = 0; k < LENGTH && plan[k][i] != -2; k++) {
        if (plan[k][i] == -1)
            lane_skip(s);
        else
            bank_read(s, plan[k][i], i);
    }
}

static unsigned draw(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void make_plan(unsigned seed)
{
    for (int i = 0; i < W; i++) {
        const int length = (int)draw(&seed, LENGTH + 1);
        const unsigned rows = 1 + draw(&seed, W);

        for (int k = 0; k < LENGTH; k++) {
            plan[k][i] = k >= length ? -2 : (int)draw(&seed, rows + 2) - 1;
            if (plan[k][i] >= W)
                plan[k][i] = i;
        }
    }
}

static void counters_of_any_program_agree_with_a_plain_recount(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 300; seed++) {
        struct cw_model *s = machine(W, W, 1);
        struct cw_counters k;
        uint64_t steps = 0, conflicts = 0, accesses = 0, load[W] = {0}, busiest = 0;
        unsigned worst = 0;

        make_plan(seed);
        for (int t = 0; t < LENGTH; t++) {
            unsigned at[W] = {0}, most = 0, live = 0;

            for (int i = 0; i < W; i++) {
                live += plan[t][i] != -2;
                if (plan[t][i] < 0)
                    continue;
                conflicts += at[plan[t][i]]++ > 0;
                accesses++;
                load[plan[t][i]]++;
            }
            for (int r = 0; r < W; r++) {
                most = at[r] > most ? at[r] : most;
                busiest = load[r] > busiest ? load[r] : busiest;
            }
            steps += most ? most : live > 0;
            worst = most > worst ? most : worst;
        }
        k = run(s, follow, NULL);
        if (k.steps != steps || k.conflicts != conflicts)
            print_message("seed %u\n", seed);
        assert_int_equal(k.steps, steps);
        assert_int_equal(k.conflicts, conflicts);
        assert_int_equal(k.accesses, accesses);
        assert_int_equal(k.worst_degree, worst);
        assert_int_equal(k.busiest_load, busiest);
        assert_int_equal(load[k.busiest_bank], busiest);
        cw_model_destroy(s);
    }
}

/* All at (3, 0) in one step: even lanes write i + 1, odd lanes read what the lane before
 * them has just written. */
static void one_after_another(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    if (i % 2)
        bank_write(s, i, 1, bank_read(s, 3, 0));
    else
        bank_write(s, 3, 0, (word)i + 1);
}

static void collisions_are_served_in_the_order_in_which_lanes_stop(void **state)
{
    struct cw_model *s = machine(W, 2, 1);
    const struct cw_counters k = run(s, one_after_another, NULL);

    (void)state;
    assert_int_equal(k.steps, W + 1);
    assert_int_equal(k.conflicts, W - 1);
    for (uint32_t i = 1; i < W; i += 2)
        assert_int_equal(*cw_model_at(s, i, 1), i);
    cw_model_destroy(s);
}

/* ---- strict mode ---------------------------------------------------------- */

static int first_line, second_line;

/* Steps 1 and 2 are clean; in step 3 lanes 2 and 5 meet at bank 7. */
static void meet_at_seven(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    bank_write(s, (i + 7) % W, 0, 1);
    lane_skip(s);
    if (i == 0) {
        lane_skip(s); /* its last access, two steps ago, was to bank 7 */
    } else if (i == 2) {
        first_line = __LINE__ + 1;
        bank_write(s, 7, 4, 1);
    } else if (i == 5) {
        second_line = __LINE__ + 1;
        (void)bank_read(s, 7, 1);
    } else if (i < 7) {
        bank_write(s, i, 1, 1);
    }
}

/* Lanes 3 and 8 at one bank in one step, in every way: both read or write, the same word or two. */
static void two_at_bank_four(struct cw_model *s, const void *arg)
{
    const int how = *(const int *)arg, i = lane_id(s), second = i == 8;
    const int col = how & 4 ? second : 0;

    if (i != 3 && i != 8)
        lane_skip(s);
    else if (how >> second & 1)
        bank_write(s, 4, col, 1);
    else
        (void)bank_read(s, 4, col);
}

/* Also two that read one word: hardware merges these, the paper's model does not. */
static void strict_mode_lets_no_two_accesses_pass_to_one_bank(void **state)
{
    (void)state;
    for (int how = 0; how < 8; how++) {
        struct cw_model *const s = machine(W, 2, 0), *const counted = machine(W, 2, 1);
        struct cw_counters k;

        assert_int_equal(cw_model_run(s, two_at_bank_four, &how), CW_ERR_CONFLICT);
        assert_non_null(strstr(cw_last_error(), "bank 4 is asked by processor 3"));
        k = run(counted, two_at_bank_four, &how);
        assert_int_equal(k.conflicts, 1);
        assert_int_equal(k.steps, 2);
        cw_model_destroy(s);
        cw_model_destroy(counted);
    }
}

static void a_conflict_names_step_bank_processors_addresses_and_lines(void **state)
{
    struct cw_model *s = machine(W, 6, 0);
    struct cw_counters k;
    char expected[512];

    (void)state;
    assert_int_equal(cw_model_run(s, meet_at_seven, NULL), CW_ERR_CONFLICT);
    snprintf(expected, sizeof expected,
             "bank conflict in step 3: bank 7 is asked by processor 2 for (7, 4) at %s:%d and by "
             "processor 5 for (7, 1) at %s:%d",
             __FILE__, first_line, __FILE__, second_line);
    assert_string_equal(cw_last_error(), expected);
    cw_model_counters(s, &k);
    assert_int_equal(k.steps, 2);
    assert_int_equal(k.accesses, W + 4); /* lanes 1 .. 4 had asked in step 3 */
    assert_int_equal(k.conflicts, 0);
    cw_model_destroy(s);
}

static void the_first_conflict_in_lane_order_is_the_one_named(void **state)
{
    const struct ask late = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 8}, 1};
    const struct ask first = {{9, 8, 8, 3, 4, 3, 6, 7, 9, 9}, 1};
    struct cw_model *s = machine(W, W, 0);

    (void)state;
    assert_int_equal(cw_model_run(s, ask, &late), CW_ERR_CONFLICT);
    assert_non_null(strstr(cw_last_error(), "bank 8 is asked by processor 8 for (8, 8)"));
    assert_non_null(strstr(cw_last_error(), "by processor 9 for (8, 9)"));
    assert_int_equal(cw_model_run(s, ask, &first), CW_ERR_CONFLICT);
    assert_non_null(strstr(cw_last_error(), "step 1: bank 8 is asked by processor 1 for (8, 1)"));
    assert_non_null(strstr(cw_last_error(), "by processor 2 for (8, 2)"));
    cw_model_destroy(s);
}

/* The same bank in two steps is no conflict, however near they are. */
static void take_turns(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    for (int k = 0; k < W; k++) {
        if (k == i)
            bank_write(s, 0, 0, (word)i);
        else
            lane_skip(s);
    }
}

static void one_bank_in_turn_is_no_conflict(void **state)
{
    struct cw_model *s = machine(W, 1, 0);
    const struct cw_counters k = run(s, take_turns, NULL);

    (void)state;
    assert_int_equal(k.steps, W);
    assert_int_equal(k.accesses, W);
    assert_int_equal(k.conflicts, 0);
    assert_int_equal(k.busiest_load, W);
    assert_int_equal(*cw_model_at(s, 0, 0), W - 1);
    cw_model_destroy(s);
}

static void a_run_after_a_failed_one_is_as_good_as_new(void **state)
{
    struct cw_model *s = machine(W, W, 0), *fresh = machine(W, W, 0);
    const struct ask good = {{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 9};
    struct cw_counters a, b;

    (void)state;
    assert_int_equal(cw_model_run(s, meet_at_seven, NULL), CW_ERR_CONFLICT);
    a = run(s, ask, &good);
    b = run(fresh, ask, &good);
    assert_memory_equal(&a, &b, sizeof a);
    cw_model_destroy(s);
    cw_model_destroy(fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_rows_never_collide),
        cmocka_unit_test(two_lanes_a_bank_take_two_steps),
        cmocka_unit_test(all_lanes_at_one_bank_take_w_steps),
        cmocka_unit_test(the_busiest_bank_sets_the_price),
        cmocka_unit_test(lanes_that_skip_cost_a_step_but_no_access),
        cmocka_unit_test(counters_of_any_program_agree_with_a_plain_recount),
        cmocka_unit_test(collisions_are_served_in_the_order_in_which_lanes_stop),
        cmocka_unit_test(strict_mode_lets_no_two_accesses_pass_to_one_bank),
        cmocka_unit_test(a_conflict_names_step_bank_processors_addresses_and_lines),
        cmocka_unit_test(the_first_conflict_in_lane_order_is_the_one_named),
        cmocka_unit_test(one_bank_in_turn_is_no_conflict),
        cmocka_unit_test(a_run_after_a_failed_one_is_as_good_as_new),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
