/* test_model_limits.c - what the model is made of: memory, time, size, and what it refuses. */
#define _POSIX_C_SOURCE 200809L
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

/* ---- memory --------------------------------------------------------------- */

static int outside_line;

static void go_outside(struct cw_model *s, const void *arg)
{
    const int *at = (const int *)arg;

    lane_skip(s);
    if (lane_id(s) == 3) {
        outside_line = __LINE__ + 1;
        bank_write(s, at[0], at[1], 1);
    }
}

static void an_access_outside_memory_ends_the_run(void **state)
{
    static const int places[][2] = {{W, 0}, {-1, 0}, {0, 8}, {0, -1}, {1 << 30, 1 << 30}};
    struct cw_model *s = machine(W, 5, 1);
    uint32_t first;
    char expected[512];

    (void)state;
    assert_int_equal(cw_model_aux(s, "more", 3, &first), CW_OK);
    for (size_t x = 0; x < sizeof places / sizeof *places; x++) {
        assert_int_equal(cw_model_run(s, go_outside, places[x]), CW_ERR_BOUNDS);
        snprintf(expected, sizeof expected,
                 "step 2: processor 3 asks for (%u, %u) at %s:%d, outside the 10 x 8 words of "
                 "memory",
                 (unsigned)places[x][0], (unsigned)places[x][1], __FILE__, outside_line);
        assert_string_equal(cw_last_error(), expected);
    }
    cw_model_destroy(s);
}

static void use_all_columns(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    for (int c = 0; c < 5 + 3 + 2; c++)
        bank_write(s, i, c, 1 + bank_read(s, i, c));
}

static void auxiliary_columns_are_named_counted_and_hold_junk(void **state)
{
    struct cw_model *s = machine(W, 5, 0);
    const char *name;
    uint32_t first, columns;

    (void)state;
    assert_int_equal(cw_model_extra(s), 0);
    assert_int_equal(cw_model_aux(s, "ranks", 3, &first), CW_OK);
    assert_int_equal(first, 5);
    assert_int_equal(cw_model_aux(s, "a name that is longer than a name may be", 2, &first), CW_OK);
    assert_int_equal(first, 8);
    assert_int_equal(cw_model_extra(s), 5);
    assert_int_equal(cw_model_columns(s), 10);
    assert_true(cw_model_area(s, 0, &name, &first, &columns));
    assert_string_equal(name, "ranks");
    assert_int_equal(first, 5);
    assert_int_equal(columns, 3);
    assert_true(cw_model_area(s, 1, &name, &first, &columns));
    assert_string_equal(name, "a name that is longer t");
    assert_int_equal(first, 8);
    assert_false(cw_model_area(s, 2, &name, &first, &columns));
    for (int again = 0; again < 2; again++) {
        for (uint32_t i = 0; i < W; i++)
            for (uint32_t c = 0; c < 5; c++)
                *cw_model_at(s, i, c) = 100 * i + c;
        (void)run(s, use_all_columns, NULL);
        for (uint32_t i = 0; i < W; i++)
            for (uint32_t c = 0; c < 10; c++)
                assert_int_equal(*cw_model_at(s, i, c), 1 + (c < 5 ? 100 * i + c : CW_MODEL_JUNK));
    }
    cw_model_destroy(s);
}

static void a_machine_that_cannot_be_is_refused_with_the_reason(void **state)
{
    static const struct {
        struct cw_model_config config;
        const char *says;
    } bad[] = {
        {{0, 5, 0, 0, 0}, "w and m must be at least 1 (got 0 x 5)"},
        {{5, 0, 0, 0, 0}, "w and m must be at least 1 (got 5 x 0)"},
        {{1u << 21, 1, 0, 0, 0},
         "2097152 x 1 is too large: at most 2^20 processors and 2^30 words"},
        {{1u << 16, 1u << 15, 0, 0, 0},
         "65536 x 32768 is too large: at most 2^20 processors and 2^30 words"},
        {{8, 5, 0, 1, 12}, "threads must be a multiple of w (got 12, w = 8)"},
        {{1, 5, 0, 1, 1u << 21}, "2097152 threads are too many: at most 2^20 warps of w"},
    };
    struct cw_model *s;
    uint32_t first;

    (void)state;
    for (size_t x = 0; x < sizeof bad / sizeof *bad; x++) {
        assert_int_equal(cw_model_create(&bad[x].config, &s), CW_ERR_ARGUMENT);
        assert_null(s);
        assert_string_equal(cw_last_error(), bad[x].says);
    }
    s = machine(4, 4, 0);
    assert_int_equal(cw_model_aux(s, "huge", UINT32_MAX, &first), CW_ERR_MEMORY);
    assert_string_equal(cw_last_error(),
                        "auxiliary columns 'huge' (4294967295 a row) are too many");
    assert_int_equal(cw_model_columns(s), 4);
    cw_model_destroy(s);
    cw_model_destroy(NULL);
}

static void defaults_are_unit_latency_and_w_threads(void **state)
{
    struct cw_model *s = machine(7, 3, 1);
    const struct cw_model_config *c = cw_model_settings(s);

    (void)state;
    assert_int_equal(c->w, 7);
    assert_int_equal(c->m, 3);
    assert_int_equal(c->count, 1);
    assert_int_equal(c->latency, 1);
    assert_int_equal(c->threads, 7);
    cw_model_destroy(s);
}

/* ---- latency and threads -------------------------------------------------- */

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

static uint64_t time_of(uint32_t latency, uint32_t warps, const struct ask *a)
{
    const struct cw_model_config config = {W, W, 1, latency, W * warps};
    struct cw_model *s;
    struct cw_counters k;

    assert_int_equal(cw_model_create(&config, &s), CW_OK);
    k = run(s, ask, a);
    cw_model_destroy(s);
    return k.time;
}

/* One warp: each step waits for its answer, k + l - 1.  Warps that fill the pipeline:
 * q k a step, and l - 1 at the end.  Too few of them: k + l - 1 a step, and the last
 * step takes the other warps' requests too. */
static void time_is_nakanos_pipeline_in_closed_form(void **state)
{
    const struct ask degree1 = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 20};
    const struct ask degree4 = {{6, 7, 7, 8, 8, 8, 9, 9, 9, 9}, 20};

    (void)state;
    for (uint32_t l = 1; l < 40; l += 3) {
        for (uint32_t q = 1; q < 30; q++) {
            for (uint32_t k = 1; k <= 4; k += 3) {
                const uint64_t round = q * k > k + l - 1 ? q * k : k + l - 1;

                assert_int_equal(time_of(l, q, k == 1 ? &degree1 : &degree4),
                                 19 * round + q * k + l - 1);
            }
        }
        assert_int_equal(time_of(l, 1, &degree4), 20 * (4 + l - 1));
    }
}

static void a_step_without_a_request_takes_one_unit_of_time(void **state)
{
    const struct ask none = {{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, 13};

    (void)state;
    assert_int_equal(time_of(1, 1, &none), 13);
    assert_int_equal(time_of(9, 1, &none), 13);
    assert_int_equal(time_of(9, 4, &none), 13);
}

/* ---- size ----------------------------------------------------------------- */

DEV void reverse_columns(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s), w = *(const int *)arg;

    for (int c = 0; c < 16; c++)
        bank_write(s, w - 1 - i, 16 + c, bank_read(s, i, c));
}

static void sixty_five_thousand_processors_fit_in_two_gib(void **state)
{
#ifdef CW_LANES_ASAN
    (void)state;
    skip(); /* the sanitizer's stacks are larger */
#else
    const int w = 65536;
    struct cw_model *s = machine(65536, 16, 0);
    struct cw_counters k;
    struct rusage use;
    uint32_t first;

    (void)state;
    assert_int_equal(cw_model_aux(s, "other", 16, &first), CW_OK);
    for (uint32_t i = 0; i < 65536; i++)
        *cw_model_at(s, i, 15) = i;
    k = run(s, reverse_columns, &w);
    assert_int_equal(k.steps, 32);
    assert_int_equal(k.accesses, 32 * 65536);
    for (uint32_t i = 0; i < 65536; i++)
        assert_int_equal(*cw_model_at(s, i, 31), 65535 - i);
    cw_model_destroy(s);
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    assert_true(use.ru_maxrss < 2 * 1024 * 1024);
#endif
}

/* ---- the end of the stamps ------------------------------------------------ */

static void near_the_end(void *arg, const struct cw_phase *phase)
{
    struct cw_model *s = (struct cw_model *)arg;

    (void)phase;
    s->hot.stamp = UINT64_C(0xfffffffe) << 32;
}

static void pass_the_end(struct cw_model *s, const void *arg)
{
    const int i = lane_id(s);

    (void)arg;
    for (int k = 0; k < 20; k++) {
        if (k == 7)
            phase_mark(s, 0, 1, W, 0, W, "almost");
        bank_write(s, i == 0 ? 1 : i, k % W, 1);
    }
}

static void counting_goes_on_when_the_stamps_wrap(void **state)
{
    struct cw_model *s = machine(W, W, 1);
    struct cw_counters k;

    (void)state;
    cw_model_hook(s, near_the_end, s);
    k = run(s, pass_the_end, NULL);
    assert_int_equal(k.steps, 40);
    assert_int_equal(k.conflicts, 20);
    assert_int_equal(k.accesses, 20 * W);
    assert_int_equal(k.busiest_bank, 1);
    assert_int_equal(k.busiest_load, 40);
    cw_model_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_outside_memory_ends_the_run),
        cmocka_unit_test(auxiliary_columns_are_named_counted_and_hold_junk),
        cmocka_unit_test(a_machine_that_cannot_be_is_refused_with_the_reason),
        cmocka_unit_test(defaults_are_unit_latency_and_w_threads),
        cmocka_unit_test(time_is_nakanos_pipeline_in_closed_form),
        cmocka_unit_test(a_step_without_a_request_takes_one_unit_of_time),
        cmocka_unit_test(sixty_five_thousand_processors_fit_in_two_gib),
        cmocka_unit_test(counting_goes_on_when_the_stamps_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
