/* test_transpose.c - cw_transpose transposes, in whichever context CW_TEST_BACKEND names (emulator,
 * unless told). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "case_memory.h"
#include "rows_case.h"
#include "transpose/plan.h"

static cw_context *context;
static uint64_t excess; /* wavefronts above the ideal, of kernels that are marked free of them */
static uint64_t blocks; /* that were launched */
static const char *last = "";

static void count(void *user, const struct cw_launch *l, const struct cw_emu *e)
{
    struct cw_emu_place total;

    (void)user;
    blocks += l->blocks;
    last = cw_kernel_name(l->kernel);
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

static int on_gpu(void)
{
    return rows_test_backend() == CW_CUDA;
}

/* Are matrices that do not fit in a GPU's workspace small ones? */
static int tiny(void)
{
    return context->backend == CW_EMULATOR && context->shapes == CW_SHAPES_TINY;
}

struct shape {
    size_t rows, columns, batch, bytes, shift;
    int in_place;
    int roomy; /* with a workspace for a matrix */
};

static void good(cw_status status)
{
    if (status)
        fail_msg("%s", cw_last_error());
}

static size_t wrong(const struct shape *s, const uint8_t *in, const uint8_t *out)
{
    const size_t each = s->rows * s->columns, batch = s->batch ? s->batch : 1;
    size_t bad = 0;

    for (size_t k = 0; k < batch; k++) {
        for (size_t i = 0; i < s->rows; i++) {
            for (size_t j = 0; j < s->columns; j++)
                bad += memcmp(in + (k * each + i * s->columns + j) * s->bytes,
                              out + (k * each + j * s->rows + i) * s->bytes, s->bytes) != 0;
        }
    }
    return bad;
}

/* 0 if it went as it must. */
static int run(struct shape s)
{
    const size_t bytes = s.rows * s.columns * (s.batch ? s.batch : 1) * s.bytes;
    const size_t shift = s.shift * s.bytes;
    struct cw_random r = cw_random_from(cw_test_seed() + bytes);
    uint8_t *const in = (uint8_t *)malloc(bytes + 1), *const out = (uint8_t *)malloc(bytes + 1);
    void *from, *to = NULL, *work;
    cw_transpose_job job = {
        .rows = s.rows, .columns = s.columns, .batch = s.batch, .bytes = s.bytes};
    size_t need = 0, bad = 0;
    cw_status status;

    assert_true(in && out);
    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t x = cw_random_next(&r);

        memcpy(in + i, &x, bytes - i < 8 ? bytes - i : 8);
    }
    good(case_memory_take(context, bytes + shift, &from));
    good(case_memory_take(context, bytes + shift, &to));
    good(cw_memory_write(context, (uint8_t *)from + shift, in, bytes));
    job.in = (uint8_t *)from + shift;
    job.out = s.in_place ? (uint8_t *)from + shift : (uint8_t *)to + shift;
    good(cw_transpose_workspace(&job, &need));
    if (s.roomy && need && need < bytes)
        need = bytes;
    good(case_memory_take(context, need, &work));
    status = cw_transpose(context, &job, work, need, NULL);
    if (!status)
        status = cw_wait(context, NULL);
    good(cw_memory_read(context, out, job.out, bytes));
    if (!status)
        bad = wrong(&s, in, out);
    if (status || bad)
        print_message("%zu x %zu, batch %zu, %zu bytes, shift %zu, in place %d: %s, %zu wrong "
                      "(seed %llu)\n",
                      s.rows, s.columns, s.batch, s.bytes, s.shift, s.in_place,
                      status ? cw_last_error() : "done", bad, (unsigned long long)cw_test_seed());
    case_memory_give(context, from);
    case_memory_give(context, to);
    case_memory_give(context, work);
    free(in);
    free(out);
    return status || bad;
}

static int both_places(struct shape s)
{
    const int failed = run(s);

    s.in_place = !s.in_place;
    s.shift = s.shift ? 0 : 1;
    return failed + run(s);
}

/* ---- claims --------------------------------------------------------------------------------- */

static void every_shape_is_transposed(void **state)
{
    static const size_t sides[][2] = {
        {0, 5},    {1, 1},    {1, 100},  {77, 1},    {2, 3},    {3, 500},   {500, 3},  {16, 16},
        {31, 33},  {32, 32},  {64, 64},  {63, 65},   {65, 64},  {100, 100}, {64, 129}, {17, 300},
        {130, 70}, {3, 5000}, {5000, 3}, {15, 2100}, {2100, 8}, {2, 9000}};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(sides); x++) {
        const struct shape s = {sides[x][0], sides[x][1], 1, 4, 0, CW_SANITIZED && x % 2, 0};

        failed += CW_SANITIZED ? run(s) : both_places(s);
    }
    assert_int_equal(failed, 0);
}

static void elements_of_1_to_64_bytes_are_transposed(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 64; bytes += CW_SANITIZED && bytes > 8 ? 7
                                                 : bytes < 17              ? 1
                                                                           : 5) {
        const struct shape wide = {35, 70, 1, bytes, 1, 0, 0};
        const struct shape square = {66, 66, 2, bytes, 0, 1, 0};
        const struct shape thin = {bytes % 2 ? 4 : 2049, bytes % 2 ? 2050 : 5, 2, bytes, 0, 0, 0};

        const struct shape deep = {bytes % 2 ? 381 : 330, 65 + bytes, 1, bytes, 1, 0, 0};

        failed += both_places(wide) + both_places(square) + run(thin);
        if (!CW_FEW || bytes < 8)
            failed += run(deep);
    }
    assert_int_equal(failed, 0);
}

/* Two at a time where rows and columns are even; also from addresses that do not let them. */
static void elements_of_2_bytes_are_transposed(void **state)
{
    static const size_t sides[][2] = {{64, 64},  {128, 128}, {130, 126},
                                      {256, 66}, {65, 128},  {64, 300}};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(sides); x++) {
        const struct shape s = {sides[x][0], sides[x][1], 1 + x % 2, 2, 0, 0, 0};
        const struct shape shifted = {sides[x][0], sides[x][1], 2, 2, 1, 0, 0};

        if (!CW_SANITIZED || x % 2)
            failed += both_places(s);
        if (!CW_SANITIZED || x % 2 == 0)
            failed += both_places(shifted);
    }
    assert_int_equal(failed, 0);
}

/* Ragged ones with tiles that have all of their rows and columns, and others. */
static void tall_matrices_are_transposed(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 16; bytes *= CW_SANITIZED ? 4 : 2) {
        const struct shape tall = {203, 133, 1, bytes, 1, 0, 0};
        const struct shape wide = {131, 200, 2, bytes, 0, 0, 0};
        const struct shape last = {255, 77, 1, bytes, 0, 0, 0}; /* rows before the next tile */
        const struct shape deep = {407, 261, 1, bytes, 0, 0, 0};

        failed += run(tall) + run(wide) + run(last) + run(deep);
    }
    assert_int_equal(failed, 0);
}

/* Elements of 1 and 2 bytes by words, whose ends are parts, from more than one block. */
static void thin_matrices_are_transposed(void **state)
{
    static const size_t sides[][2] = {{3, 20011}, {20011, 3}, {15, 2100}, {2100, 8},
                                      {2, 9001},  {8193, 2},  {7, 5003},  {5003, 14}};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(sides); x++) {
        for (size_t bytes = 1; bytes <= 2; bytes++) {
            const struct shape s = {sides[x][0], sides[x][1], 1, bytes, 0, 0, 0};
            const struct shape shifted = {sides[x][0], sides[x][1], 2, bytes, 1 + x % 2, 0, 0};

            if (!CW_SANITIZED || (x + bytes) % 2)
                failed += run(s);
            if (!CW_SANITIZED || (x + bytes) % 2 == 0)
                failed += run(shifted);
            if (rows_test_backend() == CW_EMULATOR && !strstr(last, "_thin"))
                fail_msg("%zu x %zu: %s", sides[x][0], sides[x][1], last);
        }
    }
    assert_int_equal(failed, 0);
}

static void batches_are_transposed(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t batch = 0; batch < 40; batch = 3 * batch + 1) {
        const struct shape square = {33, 33, batch, 4, 0, 0, 0};
        const struct shape tall = {40, 21, batch, 8, 0, 0, 0};
        const struct shape tiny = {3, 4, batch, 2, 0, 0, 0};

        failed += both_places(square) + both_places(tall) + both_places(tiny);
    }
    assert_int_equal(failed, 0);
}

/* A block for each would be right too, and slow. */
static void small_matrices_share_blocks(void **state)
{
    const struct shape s = {3, 5, 120, 4, 0, 0, 0};

    (void)state;
    blocks = 0;
    assert_int_equal(run(s), 0);
    assert_true(blocks < s.batch / 4);
}

/* What takes elements of any size would do, and is slower. */
static void elements_of_a_words_size_have_tiles(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= 16 && rows_test_backend() == CW_EMULATOR; bytes *= 2) {
        const struct shape s = {64, 64, 1, bytes, 0, 0, 0};

        assert_int_equal(run(s), 0);
        if (!strstr(last, bytes == 1 ? "_words" : bytes == 2 ? "_pairs" : "_tile"))
            fail_msg("%zu bytes: %s", bytes, last);
    }
}

/* Sides with and without a common divisor, more rows than columns and fewer; more than one group
 * of slices. */
static void large_ragged_matrices_are_transposed_in_place(void **state)
{
    static const size_t sides[][2] = {{257, 131}, {256, 96},  {300, 45},
                                      {264, 300}, {511, 100}, {1000, 50}};
    static const size_t more[][2] = {{4099, 4111}, {4096, 4128}, {9000, 3000},
                                     {3000, 9001}, {300, 50000}, {100000, 200}};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(sides); x++) {
        const size_t bytes = (size_t)1 << (x + 2) % 5;
        const struct shape s = {sides[x][0], sides[x][1], x == 4 ? 2 : 1, bytes, x % 2, 1, 0};
        const struct shape words = {sides[x][0], sides[x][1], 1, 4, 0, 1, x % 2};

        failed += run(s) + run(words);
        if (tiny() && x != 1 && !strstr(last, "_rest"))
            fail_msg("%zu x %zu: %s", sides[x][0], sides[x][1], last);
    }
    for (size_t x = 0; x < COUNT(more) && on_gpu() && !cw_quick_run(); x++) {
        const struct shape s = {more[x][0], more[x][1], 1, 4, 0, 1, 0};
        const struct shape wide = {more[x][0], more[x][1], 1, 8, 0, 1, x % 2};

        failed += run(s) + run(wide);
    }
    assert_int_equal(failed, 0);
}

/* Columns that would need too many pages that stand for nothing. */
static void narrow_matrices_are_transposed_in_place_by_steps(void **state)
{
    int failed = 0;

    (void)state;
    for (size_t bytes = 1; bytes <= 16; bytes *= CW_FEW ? 4 : 2) {
        const struct shape s = {(bytes > 4 ? 4800 : 2400) / bytes, 65, 1, bytes, 0, 1, 0};
        const struct shape prime = {(bytes > 4 ? 4810 : 2410) / bytes, 67, 1, bytes, 1, 1, 0};

        failed += run(s) + run(prime);
        if (tiny() && !strstr(last, "_columns"))
            fail_msg("%zu bytes: %s", bytes, last);
    }
    assert_int_equal(failed, 0);
}

/* By pages all blocks that read a row of tiles run at a time; here there are more than a GPU has room for. */
static void wide_matrices_are_transposed_in_place_on_few_multiprocessors(void **state)
{
    const struct shape s = {257, 545, 1, 8, 0, 1, 0};

    (void)state;
    assert_int_equal(run(s), 0);
    if (tiny() && !strstr(last, "_columns"))
        fail_msg("%s", last);
}

/* Multiples of 32 and of 64: short cycles, long ones, more rows than columns and fewer, and sides
 * that have every, some and no common divisor but that. */
static void large_matrices_of_whole_tiles_are_transposed_in_place(void **state)
{
    static const size_t sides[][2] = {{256, 64},  {64, 256}, {128, 512}, {224, 160}, {96, 352},
                                      {320, 192}, {32, 992}, {992, 32},  {448, 64},  {192, 384}};
    static const size_t more[][2] = {{4096, 8192}, {8192, 4128}, {16384, 2112}, {64, 524352}};
    int failed = 0;

    (void)state;
    for (size_t x = 0; x < COUNT(sides); x += CW_FEW ? 3 : 1) {
        for (size_t bytes = 1; bytes <= 16; bytes *= CW_SANITIZED ? 4 : 2) {
            const struct shape s = {sides[x][0], sides[x][1], 1 + x % 2, bytes, 0, 1, 0};

            failed += run(s);
            if (bytes > 2 && tiny() && !strstr(last, "_pages"))
                fail_msg("%zu x %zu: %s", sides[x][0], sides[x][1], last);
        }
    }
    for (size_t x = 0; x < COUNT(more) && on_gpu() && !cw_quick_run(); x++) {
        const struct shape s = {more[x][0], more[x][1], 1, 4, 0, 1, 0};
        const struct shape wide = {more[x][0], more[x][1], 1, 8, 0, 1, 0};

        failed += run(s) + run(wide);
    }
    assert_int_equal(failed, 0);
}

static void tiles_have_no_conflicts(void **state)
{
    (void)state;
    assert_int_equal(excess, 0);
}

static void misuse_is_refused(void **state)
{
    static const uint32_t zeros[64];
    cw_transpose_job right = {.rows = 4, .columns = 8, .bytes = 4}, job;
    uint32_t *a;
    void *memory;
    size_t need;

    (void)state;
    /* The context's memory: a GPU refuses that of the host before it looks any further. */
    assert_int_equal(cw_memory_alloc(context, sizeof zeros, &memory), CW_OK);
    assert_int_equal(cw_memory_write(context, memory, zeros, sizeof zeros), CW_OK);
    a = (uint32_t *)memory;
    right.in = a;
    right.out = a + 32;
    job = right;
    job.bytes = 65;
    assert_int_equal(cw_transpose(context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_transpose_workspace(&job, &need), CW_ERR_ARGUMENT);
    job.bytes = 0;
    assert_int_equal(cw_transpose(context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right;
    job.rows = SIZE_MAX / 8;
    assert_int_equal(cw_transpose(context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right;
    job.out = a + 16;
    assert_int_equal(cw_transpose(context, &job, NULL, 0, NULL), CW_ERR_OVERLAP);
    job = right;
    job.out = NULL;
    assert_int_equal(cw_transpose(context, &job, NULL, 0, NULL), CW_ERR_ARGUMENT);
    job = right;
    job.out = a;
    assert_int_equal(cw_transpose(context, &job, NULL, 0, NULL),
                     cw_context_backend(context) == CW_CPU ? CW_OK : CW_ERR_WORKSPACE);
    assert_int_equal(cw_transpose(NULL, &right, NULL, 0, NULL), CW_ERR_ARGUMENT);
    assert_int_equal(cw_transpose(context, NULL, NULL, 0, NULL), CW_ERR_ARGUMENT);
    cw_memory_free(context, memory);
}

/* From 256 rows on steps do it in place, with a part of the matrix beside it (the emulator's sizes). */
static void in_place_256_rows_need_no_copy(void **state)
{
    cw_transpose_job job = {.columns = 1001, .batch = 1, .bytes = 4};

    (void)state;
    for (job.rows = 255; job.rows <= 257; job.rows++) {
        const uint64_t all = (uint64_t)job.rows * job.columns * job.bytes;
        const uint64_t bytes = cw_transpose_bytes(&job, 1, 0);

        if (job.rows < 256)
            assert_true(bytes >= all);
        else
            assert_in_range(bytes, 1, all / 3);
    }
}

static void random_shapes(void **state)
{
    const unsigned cases = cw_test_cases(cw_long_run() ? 10000 : CW_FEW ? 20 : 60);
    struct cw_random r = cw_random_from(cw_test_seed());
    int failed = 0;

    (void)state;
    for (unsigned k = 0; k < cases && failed < 5; k++) {
        const size_t most = on_gpu() && k % 16 == 0 ? 700 : 80;
        const struct shape s = {.rows = (size_t)cw_random_below(&r, most),
                                .columns = (size_t)cw_random_below(&r, most),
                                .batch = (size_t)cw_random_below(&r, 4),
                                .bytes = cw_random_below(&r, 3)
                                             ? (size_t)1 << cw_random_below(&r, 5)
                                             : (size_t)cw_random_below(&r, 16) + 1,
                                .shift = (size_t)cw_random_below(&r, 4),
                                .in_place = (int)cw_random_below(&r, 2)};

        failed += run(s);
    }
    print_message("%u cases, seed %llu: %d failed\n", cases, (unsigned long long)cw_test_seed(),
                  failed);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_transposed),
        cmocka_unit_test(elements_of_1_to_64_bytes_are_transposed),
        cmocka_unit_test(elements_of_2_bytes_are_transposed),
        cmocka_unit_test(tall_matrices_are_transposed),
        cmocka_unit_test(thin_matrices_are_transposed),
        cmocka_unit_test(batches_are_transposed),
        cmocka_unit_test(small_matrices_share_blocks),
        cmocka_unit_test(elements_of_a_words_size_have_tiles),
        cmocka_unit_test(large_ragged_matrices_are_transposed_in_place),
        cmocka_unit_test(narrow_matrices_are_transposed_in_place_by_steps),
        cmocka_unit_test(wide_matrices_are_transposed_in_place_on_few_multiprocessors),
        cmocka_unit_test(large_matrices_of_whole_tiles_are_transposed_in_place),
        cmocka_unit_test(in_place_256_rows_need_no_copy),
        cmocka_unit_test(random_shapes),
        cmocka_unit_test(tiles_have_no_conflicts),
        cmocka_unit_test(misuse_is_refused),
    };

    return cmocka_run_group_tests(tests, open_context, close_context);
}
