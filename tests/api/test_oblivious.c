/* test_oblivious.c - row kernels ask for the same addresses, of shared and of global memory, in the
 * same order, whatever the keys are: the hash of every launch's accesses is one for all inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows_case.h"

#include "api/context.h"

static uint64_t trace;
static unsigned launches;

static void note(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    (void)user;
    launches++;
    trace = (trace ^ cw_emu_trace(e) ^ (uint64_t)l->kernel) * 0x9e3779b97f4a7c15u;
}

/* The trace of all launches that sort the case. */
static uint64_t trace_of(cw_context *context, const struct rows_case *c)
{
    trace = 1;
    assert_int_equal(rows_case_run(context, c), 0);
    return trace;
}

static void one_trace(struct rows_case c)
{
    cw_context *context;
    uint64_t first = 0;

    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    context->hook = note;
    c.flags = CW_CONFLICT_FREE; /* otherwise some rows are sorted in ways that look at keys */
    c.seed = cw_test_seed();
    for (int p = 0; p < 2 * ROWS_PATTERNS; p++) {
        uint64_t now;

        c.pattern = (enum rows_pattern)(p % ROWS_PATTERNS);
        c.seed += 2; /* an even step: offsets of rows begin where they began */
        now = trace_of(context, &c);
        first = p ? first : now;
        if (now != first)
            print_message("%s length %zu values %zu index %d, pattern %d, seed %llu\n",
                          cw_type_name(c.type), c.length, c.value_bytes, c.index, (int)c.pattern,
                          (unsigned long long)c.seed);
        assert_true(now == first);
        if (CW_SANITIZED && c.length > 1000 && p == 3)
            break;
    }
    cw_context_destroy(context);
}

static void keys_leave_one_trace(void **state)
{
    static const size_t lengths[] = {2, 5, 32, 100, 256, 1000, 1024, 2048, 3000, 4096};
    static const cw_type types[] = {CW_U32, CW_F64, CW_I16};

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (size_t x = 0; x < COUNT(lengths); x++) {
            const struct rows_case c = {
                .type = types[t], .rows = 3, .length = lengths[x], .keys = 1};

            one_trace(c);
        }
    }
}

static void pairs_and_indices_leave_one_trace(void **state)
{
    static const size_t lengths[] = {7, 600, 1500};

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        const struct rows_case pairs = {
            .type = CW_F32, .rows = 3, .length = lengths[x], .keys = 1, .value_bytes = 4};
        const struct rows_case wide = {
            .type = CW_I64, .rows = 3, .length = lengths[x], .keys = 1, .value_bytes = 8};
        const struct rows_case index = {
            .type = CW_U32, .rows = 3, .length = lengths[x], .index = 1};

        one_trace(pairs);
        one_trace(wide);
        one_trace(index);
    }
}

static void another_length_leaves_another_trace(void **state)
{
    struct rows_case c = {.type = CW_U32, .rows = 3, .length = 100, .keys = 1, .seed = 5};
    cw_context *context;
    uint64_t first;

    (void)state;
    assert_int_equal(cw_context_create(CW_EMULATOR, &context), CW_OK);
    context->hook = note;
    launches = 0;
    first = trace_of(context, &c);
    assert_int_equal(launches, 1);
    c.length = 99;
    assert_true(trace_of(context, &c) != first);
    cw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_leave_one_trace),
        cmocka_unit_test(pairs_and_indices_leave_one_trace),
        cmocka_unit_test(another_length_leaves_another_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
