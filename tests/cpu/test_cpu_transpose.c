/* test_cpu_transpose.c - matrices transposed by threads of the host, in place and not, held
 * against out(c, r) = in(r, c). */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "cpu/transpose/transpose.h"

#define GUARD  64
#define CANARY 0x96

static void try_transpose(size_t rows, size_t columns, size_t batch, size_t bytes, int in_place,
                          size_t shift, unsigned threads)
{
    const size_t each = rows * columns, all = (batch ? batch : 1) * each * bytes;
    unsigned char *in = (unsigned char *)malloc(all + 2 * GUARD + shift);
    unsigned char *got = (unsigned char *)malloc(all + 2 * GUARD + shift);
    unsigned char *const from = in + GUARD + shift, *const out = got + GUARD + shift;
    struct cw_random random = cw_random_from(rows * 31 + columns);
    const cw_transpose_job job = {rows, columns, batch, bytes, in_place ? out : from, out};
    struct cw_team team = {.wanted = threads};

    assert_true(in && got);
    for (size_t x = 0; x < all; x++)
        from[x] = (unsigned char)(cw_random_next(&random) >> 30);
    memset(got, CANARY, all + 2 * GUARD + shift);
    if (in_place)
        memcpy(out, from, all);
    assert_int_equal(cw_cpu_transpose(&job, NULL, &team), CW_OK);
    cw_team_end(&team);
    for (size_t b = 0; b < (batch ? batch : 1); b++)
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < columns; c++)
                if (memcmp(out + (b * each + c * rows + r) * bytes,
                           from + (b * each + r * columns + c) * bytes, bytes))
                    fail_msg("%zu x %zu, batch %zu, %zu bytes, in place %d, shift %zu, %u threads: "
                             "element %zu, %zu of %zu",
                             rows, columns, batch, bytes, in_place, shift, threads, r, c, b);
    for (size_t x = 0; x < GUARD; x++)
        if (got[x + shift] != CANARY || out[all + x] != CANARY)
            fail_msg("written outside: %zu x %zu of %zu", rows, columns, bytes);
    free(in);
    free(got);
}

static void small_matrices_of_every_shape_are_transposed(void **state)
{
    (void)state;
    for (size_t rows = 0; rows < 40; rows += rows < 5 ? 1 : 7)
        for (size_t columns = 0; columns < 70; columns += columns < 5 ? 1 : 9)
            for (size_t bytes = 1; bytes <= 16; bytes++)
                try_transpose(rows, columns, bytes % 3, bytes, (int)(bytes + rows) % 2, bytes % 5,
                              1);
}

/* So large that threads share them; above 256 KiB, in place without a copy. */
static void large_matrices_are_transposed(void **state)
{
    static const size_t shapes[][2] = {{512, 512},  {513, 513}, {301, 1009}, {1009, 301},
                                       {1024, 256}, {96, 4000}, {4000, 96},  {3, 100000},
                                       {100000, 3}, {60000, 2}, {997, 1000}, {640, 480}};
    static const size_t widths[] = {4, 8, 2, 16, 1, 3, 12};
    static const unsigned threads[] = {1, 2, 7};
    const size_t step = CW_SANITIZED ? 5 : 1;
    size_t trial = 0;

    (void)state;
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t w = 0; w < COUNT(widths); w += step)
            for (int in_place = 0; in_place < 2; in_place++, trial++)
                try_transpose(shapes[s][0], shapes[s][1], trial % 5 == 0 ? 2 : 1, widths[w],
                              in_place, trial % 3 ? 0 : 16 + trial % 2, threads[trial % 3]);
}

static void batches_are_transposed(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads < 8; threads += 3)
        for (int in_place = 0; in_place < 2; in_place++) {
            try_transpose(33, 65, 100, 4, in_place, 0, threads);
            try_transpose(32, 32, 200, 8, in_place, 0, threads);
            try_transpose(300, 300, 3, 4, in_place, 0, threads);
        }
}

/* Written past the caches. */
static void megabytes_are_transposed(void **state)
{
    (void)state;
    try_transpose(2048, 1536, 1, 4, 0, 0, 2);
    try_transpose(1111, 2223, 1, 4, 0, 4, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_matrices_of_every_shape_are_transposed),
        cmocka_unit_test(large_matrices_are_transposed),
        cmocka_unit_test(batches_are_transposed),
        cmocka_unit_test(megabytes_are_transposed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
