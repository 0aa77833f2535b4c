/* test_rows_lists.c - rows by offsets go to the list of their length, and each kind of kernel makes each form of output,
 * once; in whichever context CW_TEST_BACKEND names (emulator, unless told). */
#include <stdio.h>

#include "api/context.h"
#include "rows_case.h"

static cw_context *context;
static uint64_t excess; /* wavefronts above the ideal, of kernels that are marked free of them */

static void count(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    cw_emu_total(e, &total);
    if (cw_kernel_free(l->kernel))
        excess += total.wavefronts - total.ideal;
}

static int open_context(void **state)
{
    (void)state;
    if (cw_context_create(rows_test_backend(), &context)) {
        fprintf(stderr, "%s\n", cw_last_error());
        return 1;
    }
    context->hook = count;
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    cw_context_destroy(context);
    return 0;
}

/* 256 rows that are alike take their places in the list by one atomic, which other warps take at the same time. */
static void rows_of_one_length_are_all_listed(void **state)
{
    static const size_t lengths[] = {70, 128};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        const struct rows_case c = {.type = x % 2 ? CW_U64 : CW_U32,
                                    .rows = 600,
                                    .length = lengths[x],
                                    .keys = 1,
                                    .mixed = 3,
                                    .narrow = x % 2,
                                    .seed = cw_test_seed() + x};

        failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

/* 256 rows of which only the first 32 differ: a lane's first row tells of the others nothing. */
static void a_few_short_rows_among_long_ones_are_listed(void **state)
{
    const struct rows_case c = {
        .type = CW_U32, .rows = 600, .length = 70, .keys = 1, .mixed = 4, .seed = cw_test_seed()};

    (void)state;
    assert_int_equal(rows_case_run(context, &c), 0);
}

/* Rows of 2^k keys are moved 16 bytes at a time where they begin so: here they begin anywhere. */
static void full_rows_begin_anywhere(void **state)
{
    const struct rows_case c = {.type = CW_F32,
                                .rows = CW_FEW ? 50 : 100,
                                .length = 1024,
                                .keys = 1,
                                .mixed = 3,
                                .gaps = 1,
                                .seed = cw_test_seed()};

    (void)state;
    assert_int_equal(rows_case_run(context, &c), 0);
}

/* What a row of a length has to bring: the next lengths have the next forms. */
static const struct rows_case forms[] = {
    {.keys = 1, .value_bytes = 2, .in_place = 1},
    {.index = 1, .flags = CW_STABLE},
    {.keys = 1, .value_bytes = 8, .index = 1, .wide_index = 1},
    {.keys = 1, .flags = CW_DESCENDING, .shift = 1},
    {.keys = 1, .index = 1, .value_bytes = 4, .flags = CW_STABLE | CW_DESCENDING},
    {.keys = 1, .value_bytes = 1, .flags = CW_CONFLICT_FREE, .counted = 1, .missing = 1},
    {.keys = 1, .value_bytes = 4, .mixed = 2, .narrow = 1},
};

static void every_kind_of_kernel_makes_every_form(void **state)
{
    static const size_t lengths[] = {5, 32, 50, 130, 300, 700, 1024, 1500, 3000, 9000};
    static const cw_type types[] = {CW_U32, CW_F64, CW_I16, CW_F32, CW_U8};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++) {
        for (size_t f = 0; f < COUNT(forms); f++) {
            struct rows_case c = forms[f];

            if (lengths[x] > 3000 && (x + f) % 3)
                continue;
            c.type = types[(x + f) % COUNT(types)];
            c.length = lengths[x];
            c.rows = c.length > 300 ? 2 : c.length > 32 ? 4 : 35;
            c.pattern = (enum rows_pattern)((2 * x + f) % ROWS_PATTERNS);
            c.seed = cw_test_seed() + 100 * x + f;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* A lane has a row, and lanes of a warp take its keys in different orders: rows of every length that they can have. */
static void short_rows_that_lie_together_are_sorted(void **state)
{
    static const struct rows_case kinds[] = {
        {.type = CW_U32, .keys = 1},
        {.type = CW_F32, .keys = 1, .value_bytes = 4, .in_place = 1},
        {.type = CW_F32, .keys = 1, .index = 1, .flags = CW_DESCENDING},
        {.type = CW_I32, .keys = 1, .index = 1, .wide_index = 1},
        {.type = CW_F32, .keys = 1, .in_place = 1, .flags = CW_DESCENDING},
        {.type = CW_U32, .index = 1, .counted = 1, .missing = 3},
    };
    int failed = 0;

    (void)state;
    for (size_t length = 3; length <= 48; length++) {
        for (size_t k = 0; k < COUNT(kinds); k++) {
            struct rows_case c = kinds[k];

            if (CW_FEW && (length + k) % 3)
                continue;
            c.length = length;
            c.rows = length <= 8 ? 270 : 140; /* more than a warp has, and some that are left */
            c.mixed = (length + k) % 2 ? 3 : k % 2 ? 2 : 0;
            c.narrow = k == 3;
            c.pattern = (enum rows_pattern)((length + k) % ROWS_PATTERNS);
            c.seed = cw_test_seed() + 100 * length + k;
            failed += rows_case_run(context, &c);
        }
    }
    assert_int_equal(failed, 0);
}

/* More than three quarters of 2^k: such rows have kernels of their own. */
static void rows_of_many_warps_are_sorted(void **state)
{
    static const struct rows_case cases[] = {
        {.type = CW_F64, .length = 1000, .value_bytes = 8, .flags = CW_STABLE, .in_place = 1},
        {.type = CW_U32, .length = 13000},
        {.type = CW_F32, .length = 13000, .index = 1},
        {.type = CW_I64, .length = 7000},
        {.type = CW_I32, .length = 30000},
        {.type = CW_U64, .length = 15000},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < (CW_SANITIZED ? 2 : COUNT(cases)); x++) {
        struct rows_case c = cases[x];

        c.rows = 1 + (x == 0);
        c.keys = 1;
        c.seed = cw_test_seed() + x;
        failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

/* More rows than blocks: what a row has left in shared memory waits until all have read it. */
static void blocks_sort_one_row_after_another(void **state)
{
    static const struct rows_case cases[] = {
        {.type = CW_U32, .rows = 26, .length = 2100, .value_bytes = 4},
        {.type = CW_F32, .rows = 100, .length = 520, .index = 1, .pattern = ROWS_CROWDS},
        {.type = CW_U32, .rows = 18, .length = 6400}, /* stored 16 bytes at a time */
    };
    const uint32_t processors = context->gpu.processors;
    int failed = 0;

    (void)state;
    if (rows_test_backend() == CW_EMULATOR)
        context->gpu.processors = 1;
    for (size_t x = 0; x < COUNT(cases) - CW_SANITIZED; x++) {
        struct rows_case c = cases[x];

        c.keys = 1;
        c.mixed = 3; /* listed: no launch is for so many */
        c.seed = cw_test_seed() + x;
        failed += rows_case_run(context, &c);
    }
    context->gpu.processors = processors;
    assert_int_equal(failed, 0);
}

/* Longer than a block sorts. */
static void rows_in_parts_are_sorted(void **state)
{
    static const struct rows_case cases[] = {
        {.type = CW_U32, .rows = 1, .length = 33000, .keys = 1},
        {.type = CW_I64, .rows = 2, .length = 17000, .keys = 1, .value_bytes = 4, .mixed = 3},
        {.type = CW_F32, .rows = 2, .length = 82000, .keys = 1, .index = 1, .wide_index = 1},
        {.type = CW_U32,
         .rows = 9,
         .length = 70000,
         .keys = 1,
         .value_bytes = 4,
         .mixed = 1,
         .in_place = 1},
        {.type = CW_F32,
         .rows = 1,
         .length = 50000,
         .keys = 1,
         .value_bytes = 8,
         .flags = CW_STABLE},
        {.type = CW_U64,
         .rows = 2,
         .length = 60000,
         .keys = 1,
         .value_bytes = 8,
         .counted = 1,
         .missing = 1},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases); x++) {
        struct rows_case c = cases[x];

        if (CW_SANITIZED && x % 2)
            continue;
        if (CW_FEW && c.rows > 2)
            c.rows = 3;
        if (CW_SANITIZED)
            c.rows = 1; /* test_sort_rows has several */
        c.seed = cw_test_seed() + x;
        c.pattern = (enum rows_pattern)((cw_test_seed() + x) % ROWS_PATTERNS);
        failed += rows_case_run(context, &c);
        c.flags |= CW_CONFLICT_FREE; /* by a network */
        if (x < 2)
            failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

/* A part and one key more, all of them: no list of parts has an entry too many. */
static void rows_that_fill_the_list_of_parts_are_sorted(void **state)
{
    static const struct rows_case cases[] = {
        {.type = CW_U32, .rows = 3, .length = 32769, .keys = 1, .mixed = 3},
        {.type = CW_U64, .rows = 2, .length = 16385, .keys = 1, .mixed = 3},
    };
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(cases) - CW_SANITIZED; x++) {
        struct rows_case c = cases[x];

        c.seed = cw_test_seed() + x;
        failed += rows_case_run(context, &c);
    }
    assert_int_equal(failed, 0);
}

static void no_bank_was_asked_twice(void **state)
{
    (void)state;
    assert_int_equal(excess, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_kernel_makes_every_form),
        cmocka_unit_test(short_rows_that_lie_together_are_sorted),
        cmocka_unit_test(rows_of_one_length_are_all_listed),
        cmocka_unit_test(a_few_short_rows_among_long_ones_are_listed),
        cmocka_unit_test(full_rows_begin_anywhere),
        cmocka_unit_test(rows_of_many_warps_are_sorted),
        cmocka_unit_test(blocks_sort_one_row_after_another),
        cmocka_unit_test(rows_in_parts_are_sorted),
        cmocka_unit_test(rows_that_fill_the_list_of_parts_are_sorted),
        cmocka_unit_test(no_bank_was_asked_twice),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
