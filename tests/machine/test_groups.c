/* test_groups.c - lanes wait for their group, for nothing else, and for no step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dev/dev.h"

#define W 12

static struct cw_model *machine(int count)
{
    const struct cw_model_config config = {W, 4, count, 0, 0};
    struct cw_model *s;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    return s;
}

static uint64_t steps_of(struct cw_model *s, void (*body)(struct cw_model *, const void *),
                         const void *arg)
{
    struct cw_counters k;

    assert_int_equal(cw_model_run(s, body, arg), CW_OK);
    cw_model_counters(s, &k);
    return k.steps;
}

/* ---- who waits for whom --------------------------------------------------- */

/* Lane i makes i accesses, waits for all, then reads what its neighbour wrote last. */
static void uneven(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    for (int k = 0; k < i; k++)
        bank_write(s, i, 0, (word)k);
    group_sync(s, 0, 1, W);
    bank_write(s, i, 1, bank_read(s, (i + 1) % W, 0));
}

static void a_barrier_waits_for_the_slowest_and_costs_no_step(void **state)
{
    struct cw_model *s = machine(0);

    (void)state;
    assert_int_equal(steps_of(s, uneven, NULL), W - 1 + 2);
    for (uint32_t i = 0; i + 1 < W; i++)
        assert_int_equal(*cw_model_at(s, i, 1), i);
    cw_model_destroy(s);
}

/* Odd and even lanes are groups of their own, within them pairs.  Even lanes do 3 rounds,
 * odd ones 30: if either waited for the other, or for the wrong pair, steps would tell. */
static void nested(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);
    const int half = i % 2, pair = i / 4 * 4 + half;

    (void)arg;
    for (int k = 0; k < (half ? 30 : 3); k++) {
        if (i / 2 % 2)
            bank_write(s, i, 0, (word)k);
        group_sync(s, pair, 2, 2);
        if (i / 2 % 2 == 0)
            bank_write(s, i, 0, bank_read(s, i + 2, 0));
        group_sync(s, half, 2, W / 2);
    }
    bank_write(s, i, 1, 1);
}

static void nested_and_strided_groups_wait_only_for_themselves(void **state)
{
    struct cw_model *s = machine(0);
    struct cw_counters k;

    (void)state;
    assert_int_equal(steps_of(s, nested, NULL), 30 * 3 + 1);
    cw_model_counters(s, &k);
    assert_int_equal(k.accesses, W / 4 * 3 * (3 + 30) + W);
    for (uint32_t i = 0; i < W; i++)
        assert_int_equal(*cw_model_at(s, i, 0), i % 2 ? 29 : 2);
    cw_model_destroy(s);
}

/* ---- any program, against a plain simulation ------------------------------ */

#define ROUNDS 6
#define MOST   5

/* In round t lane i makes work[t][i] accesses to rows drawn at random and then waits
 * for its group, one of those that the shape of the round cuts the lanes into. */
static int work[ROUNDS][W], shape[ROUNDS], rows[ROUNDS][W][MOST];

static struct cw_group group_in(int t, int i)
{
    switch (shape[t]) {
    case 0:
        return (struct cw_group){0, 1, W};
    case 1:
        return (struct cw_group){(uint32_t)i / 3 * 3, 1, 3};
    case 2:
        return (struct cw_group){(uint32_t)i % 4, 4, W / 4};
    default:
        return (struct cw_group){(uint32_t)i, 1, 1};
    }
}

static void follow(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    for (int t = 0; t < ROUNDS; t++) {
        const struct cw_group g = group_in(t, i);

        for (int k = 0; k < work[t][i]; k++)
            bank_read(s, rows[t][i][k], 0);
        group_sync(s, g.first, g.stride, g.rows);
    }
}

static int in_group(struct cw_group g, int j)
{
    const uint32_t off = (uint32_t)j - g.first;

    return (uint32_t)j >= g.first && off % g.stride == 0 && off / g.stride < g.rows;
}

/* Lanes that stand at the end of round t and whose whole group does: go on. */
static int pass_barriers(const int *k, int *t)
{
    int passed = 0;

    for (int i = 0; i < W; i++) {
        int all = t[i] < ROUNDS && k[i] == work[t[i]][i];

        for (int j = 0; all && j < W; j++)
            if (in_group(group_in(t[i], i), j))
                all = t[j] > t[i] || (t[j] == t[i] && k[j] == work[t[j]][j]);
        if (all)
            passed |= 1 << i;
    }
    return passed;
}

static uint64_t simulate(uint64_t *conflicts)
{
    int t[W] = {0}, k[W] = {0};
    uint64_t steps = 0;

    for (;;) {
        unsigned at[W] = {0}, most = 0;
        int passed, asked = 0;

        while ((passed = pass_barriers(k, t)) != 0)
            for (int i = 0; i < W; i++)
                if (passed >> i & 1) {
                    t[i]++;
                    k[i] = 0;
                }
        for (int i = 0; i < W; i++) {
            if (t[i] == ROUNDS || k[i] == work[t[i]][i])
                continue;
            asked = 1;
            *conflicts += at[rows[t[i]][i][k[i]]]++ > 0;
            if (at[rows[t[i]][i][k[i]]] > most)
                most = at[rows[t[i]][i][k[i]]];
            k[i]++;
        }
        if (!asked)
            return steps;
        steps += most;
    }
}

static unsigned draw(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static void programs_with_barriers_take_the_steps_of_a_plain_simulation(void **state)
{
    struct cw_model *s = machine(1);

    (void)state;
    for (unsigned seed = 0; seed < 1000; seed++) {
        unsigned x = seed;
        uint64_t conflicts = 0, steps;
        struct cw_counters k;

        for (int t = 0; t < ROUNDS; t++) {
            shape[t] = (int)draw(&x, 4);
            for (int i = 0; i < W; i++) {
                work[t][i] = (int)draw(&x, MOST + 1);
                for (int c = 0; c < MOST; c++)
                    rows[t][i][c] = (int)draw(&x, W);
            }
        }
        steps = simulate(&conflicts);
        assert_int_equal(cw_model_run(s, follow, NULL), CW_OK);
        cw_model_counters(s, &k);
        if (k.steps != steps || k.conflicts != conflicts)
            print_message("seed %u\n", seed);
        assert_int_equal(k.steps, steps);
        assert_int_equal(k.conflicts, conflicts);
    }
    cw_model_destroy(s);
}

/* More groups over time than the table of groups has room for, some of them waiting. */
static void many_groups(struct cw_model *s, const void *arg)
{
    const uint32_t i = (uint32_t)lane_id(s);

    (void)arg;
    if (i == 0) {
        group_sync(s, 0, W - 1, 2); /* waits for the last lane all the while */
    } else {
        for (uint32_t h = 2; h < W - 1; h++) {
            for (uint32_t f = 1; f + h <= W; f++) {
                if (i >= f && i < f + h)
                    group_sync(s, f, 1, h);
            }
        }
        if (i == W - 1)
            group_sync(s, 0, W - 1, 2);
    }
    bank_write(s, i, 0, 1);
}

static void groups_come_and_go_without_limit(void **state)
{
    struct cw_model *s = machine(0);

    (void)state;
    assert_int_equal(steps_of(s, many_groups, NULL), 1);
    cw_model_destroy(s);
}

/* ---- phases --------------------------------------------------------------- */

struct seen {
    struct cw_model *s;
    int calls, complete, rows;
};

static void look(void *arg, const struct cw_phase *phase)
{
    struct seen *seen = (struct seen *)arg;
    int complete = 1;

    for (uint32_t x = 0; x < phase->group.rows; x++) {
        const uint32_t row = phase->group.first + x * phase->group.stride;

        complete &= *cw_model_at(seen->s, row, phase->column) == (cw_word)seen->calls / 4 + 1;
    }
    seen->calls++;
    seen->complete += complete;
    seen->rows += (int)phase->group.rows;
    assert_string_equal(phase->name, "written");
    assert_int_equal(phase->cols, 2);
}

/* Four strided groups, each of which marks each of three phases when its slowest lane
 * has written; `lone` makes every lane a group of its own. */
static void phases(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s), lone = *(const int *)arg;

    for (int k = 1; k <= 3; k++) {
        for (int wait = 0; wait < i; wait++)
            lane_skip(s);
        bank_write(s, i, 1, (word)k);
        if (lone)
            phase_mark(s, i, 1, 1, 1, 2, "written");
        else
            phase_mark(s, i % 4, 4, W / 4, 1, 2, "written");
        group_sync(s, 0, 1, W);
    }
}

static void the_hook_is_called_once_a_phase_when_all_lanes_are_there(void **state)
{
    const int together = 0, lone = 1;
    struct seen seen = {machine(0), 0, 0, 0};
    uint64_t unseen;

    (void)state;
    unseen = steps_of(seen.s, phases, &together);
    cw_model_hook(seen.s, look, &seen);
    assert_int_equal(steps_of(seen.s, phases, &together), unseen);
    assert_int_equal(seen.calls, 3 * 4);
    assert_int_equal(seen.complete, 3 * 4);
    assert_int_equal(seen.rows, 3 * W);
    seen.calls = 0;
    seen.rows = 0;
    assert_int_equal(steps_of(seen.s, phases, &lone), unseen);
    assert_int_equal(seen.calls, 3 * W);
    assert_int_equal(seen.rows, 3 * W);
    cw_model_hook(seen.s, NULL, NULL);
    seen.calls = 0;
    assert_int_equal(steps_of(seen.s, phases, &together), unseen);
    assert_int_equal(seen.calls, 0);
    cw_model_destroy(seen.s);
}

/* ---- barriers that cannot be ---------------------------------------------- */

static int line;

/* Three lanes wait for each other; the last comes two steps late. */
static void small_group(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    if (i < 4 || i > 6)
        return;
    if (i == 6) {
        lane_skip(s);
        lane_skip(s);
    }
    group_sync(s, 4, 1, 3);
    bank_write(s, i, 0, 1);
}

static void leave_early(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    bank_write(s, i, 0, 1);
    if (i == 5)
        return;
    line = __LINE__ + 1;
    group_sync(s, 4, 1, 3);
}

/* Lanes 4 and 6 wait for 5, which has ended; the others are not of this group, and the
 * first of them to say so ends the run; so they leave before. */
static void only_the_group(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    if (i >= 4 && i <= 6)
        leave_early(s, arg);
}

static void a_lane_that_ends_early_is_missed_at_the_barrier(void **state)
{
    struct cw_model *s = machine(0);
    char expected[512];

    (void)state;
    assert_int_equal(cw_model_run(s, only_the_group, NULL), CW_ERR_BARRIER);
    snprintf(expected, sizeof expected,
             "barrier at %s:%d: 2 of 3 processors came (the first is 4), the others have ended or "
             "wait elsewhere",
             __FILE__, line);
    assert_string_equal(cw_last_error(), expected);
    assert_int_equal(steps_of(s, small_group, NULL), 3); /* nobody of the failed run waits on */
    cw_model_destroy(s);
}

/* Each waits for the next one, which waits elsewhere. */
static void circle(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s), from = *(const int *)arg;

    if (i == W - 1)
        group_sync(s, from, W - 1 - from, 2);
    else if (i >= from)
        group_sync(s, i, 1, 2);
}

static void of_lanes_that_wait_in_a_circle_the_lowest_is_named(void **state)
{
    struct cw_model *s = machine(0);

    (void)state;
    for (int from = 0; from < W - 2; from++) {
        char expected[64];

        snprintf(expected, sizeof expected, "1 of 2 processors came (the first is %d)", from);
        assert_int_equal(cw_model_run(s, circle, &from), CW_ERR_BARRIER);
        assert_non_null(strstr(cw_last_error(), expected));
    }
    cw_model_destroy(s);
}

static void wrong(struct cw_model *s, const void *arg)
{
    const int *g = (const int *)arg;

    if (lane_id(s) == 7) {
        line = __LINE__ + 1;
        group_sync(s, g[0], g[1], g[2]);
    }
}

static void waiting_for_a_group_of_others_is_an_error(void **state)
{
    static const int groups[][3] = {{8, 1, 3}, {0, 1, 7}, {0, 2, 6}, {0, 0, 9}, {1, 3, 2}};
    struct cw_model *s = machine(0);
    char expected[512];

    (void)state;
    for (size_t x = 0; x < sizeof groups / sizeof *groups; x++) {
        assert_int_equal(cw_model_run(s, wrong, groups[x]), CW_ERR_BARRIER);
        snprintf(expected, sizeof expected,
                 "processor 7 waits at %s:%d for a group that it is not in (%d rows from %d by %d)",
                 __FILE__, line, groups[x][2], groups[x][0], groups[x][1]);
        assert_string_equal(cw_last_error(), expected);
    }
    cw_model_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_waits_for_the_slowest_and_costs_no_step),
        cmocka_unit_test(nested_and_strided_groups_wait_only_for_themselves),
        cmocka_unit_test(programs_with_barriers_take_the_steps_of_a_plain_simulation),
        cmocka_unit_test(groups_come_and_go_without_limit),
        cmocka_unit_test(the_hook_is_called_once_a_phase_when_all_lanes_are_there),
        cmocka_unit_test(a_lane_that_ends_early_is_missed_at_the_barrier),
        cmocka_unit_test(of_lanes_that_wait_in_a_circle_the_lowest_is_named),
        cmocka_unit_test(waiting_for_a_group_of_others_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
