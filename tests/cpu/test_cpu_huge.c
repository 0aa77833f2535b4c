/* test_cpu_huge.c - more than 2^31 words, and more than 2^32 items, on the host.
 *
 * Few machines have such arrays.  Here they are the same few pages again and again: all words alike, but
 * for some.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1 /* memfd_create */
#endif

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* of those that the sort alone calls */
#define WORD_LOG 2
#include "cpu/sort/leaf/nearly.h"
#include "test.h"

#define PIECE ((size_t)4 << 20) /* bytes that are there once */
#define MANY  ((size_t)1 << 31)

/* ---- memory ----------------------------------------------------------------------------------- */

/* So many bytes, pieces of them the same memory, which begins as `byte` throughout; what is written to the last
 * piece stands there alone.  The test ends if there is no such memory. */
static unsigned char *again(size_t bytes, int byte)
{
    const size_t pieces = (bytes + PIECE - 1) / PIECE;
    const int fd = memfd_create("again", 0);
    unsigned char *all, *one;

    if (fd < 0 || ftruncate(fd, (off_t)PIECE))
        skip();
    all = (unsigned char *)mmap(NULL, pieces * PIECE, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        skip();
    for (size_t k = 0; k < pieces; k++) {
        one = (unsigned char *)mmap(all + k * PIECE, PIECE, PROT_READ | PROT_WRITE,
                                    (k + 1 < pieces ? MAP_SHARED : MAP_PRIVATE) | MAP_FIXED, fd, 0);
        if (one == MAP_FAILED)
            skip();
    }
    close(fd);
    memset(all, byte, PIECE);
    return all;
}

static void end(unsigned char *all, size_t bytes)
{
    assert_int_equal(munmap(all, (bytes + PIECE - 1) / PIECE * PIECE), 0);
}

/* ---- words that are nearly in order ----------------------------------------------------------- */

static void places_are_found_however_far_from_the_end(void **state)
{
    static const uint32_t lengths[] = {UINT32_C(1) << 31, (UINT32_C(1) << 31) + 1,
                                       (UINT32_C(3) << 30) + 7, UINT32_MAX};
    const size_t bytes = (size_t)UINT32_MAX * sizeof(word);
    unsigned char *const room = again(bytes, 1);
    const word *const x = (const word *)(const void *)room;

    (void)state;
    for (size_t k = 0; k < COUNT(lengths); k++) {
        assert_int_equal(place_of(x[0] - 1, x, lengths[k]), 0);
        assert_int_equal(place_of(x[0], x, lengths[k]), lengths[k]);
    }
    end(room, bytes);
}

static void runs_may_be_longer_than_a_quarter_of_all_numbers(void **state)
{
    const word x[] = {1, 2, 3, 5, 8, 13, 21};

    (void)state;
    for (uint32_t run = UINT32_C(1) << 30; run; run *= 2) {
        word y[COUNT(x)] = {0};

        merge_runs(x, y, COUNT(x), run);
        assert_memory_equal(x, y, sizeof x);
    }
}

/* ---- indices ---------------------------------------------------------------------------------- */

/* Of 2^32 rows -1, as 4 bytes, would be the last, were it not signed. */
static void negative_indices_name_no_row_of_2_32(void **state)
{
    static const int32_t index[] = {-1, 7, INT32_MIN, INT32_MAX};
    const size_t rows = 2 * MANY, bytes = rows * sizeof(uint16_t);
    uint16_t out[COUNT(index)];
    unsigned char *const in = again(bytes, 0x3c); /* 0x3c3c: some number */
    cw_gather_job job = {.type = CW_F16, .n = COUNT(index), .rows = rows, .columns = 1, .per = 1};
    cw_context *context;

    (void)state;
    job.in = in;
    job.out = out;
    job.index = index;
    job.index_bytes = 4;
    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    assert_int_equal(cw_gather_sum(context, &job, NULL, 0, NULL), CW_OK);
    for (size_t k = 0; k < COUNT(index); k++)
        assert_int_equal(out[k], 0x3c3c);
    job.index_signed = 1;
    assert_int_equal(cw_gather_sum(context, &job, NULL, 0, NULL), CW_OK);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 0x3c3c);
    assert_int_equal(out[2], 0);
    assert_int_equal(out[3], 0x3c3c);
    cw_context_destroy(context);
    end(in, bytes);
}

/* ---- whole arrays: CW_LONG -------------------------------------------------------------------- */

static void sort(const cw_array *job, unsigned threads)
{
    cw_context *context;
    void *workspace;
    size_t need;

    assert_int_equal(cw_context_create(CW_CPU, &context), CW_OK);
    assert_int_equal(cw_context_set_threads(context, threads), CW_OK);
    assert_int_equal(cw_sort_workspace(job, &need), CW_OK);
    workspace = mmap(NULL, need, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(workspace != MAP_FAILED);
    assert_int_equal(cw_sort(context, job, workspace, need, NULL), CW_OK);
    assert_int_equal(munmap(workspace, need), 0);
    cw_context_destroy(context);
}

/* The last key is the least.  Output is the same memory again and again, too: what is written to its first place
 * stands in the first place of every piece, and nowhere else. */
static void the_last_of_many_keys_goes_to_the_first_place(void **state)
{
    const size_t n = MANY + 1000, bytes = n * sizeof(word);
    unsigned char *in, *out;
    word *x, *y;
    cw_array job = {.type = CW_U32, .n = n};

    (void)state;
    if (!cw_long_run() || CW_SANITIZED)
        skip();
    in = again(bytes, 1);
    out = again(bytes, 2);
    x = (word *)(void *)in;
    y = (word *)(void *)out;
    x[n - 2]++; /* lest the array fall throughout */
    x[n - 1] = 0;
    job.keys_in = x;
    job.keys_out = y;
    sort(&job, 1);
    assert_int_equal(y[0], 0);
    assert_int_equal(y[1], x[0]);
    assert_int_equal(y[PIECE / sizeof *y - 1], x[0]);
    assert_int_equal(y[n - 2], x[0]);
    assert_int_equal(y[n - 1], x[n - 2]);
    end(in, bytes);
    end(out, bytes);
}

/* As many of each byte as there were; 4 GiB of memory. */
static void more_than_2_32_bytes_are_sorted(void **state)
{
    const size_t n = 2 * MANY + 5, whole = n / PIECE;
    size_t want[256] = {0}, at = 0;
    unsigned char *in, *out;
    cw_array job = {.type = CW_U8, .n = n};

    (void)state;
    if (!cw_long_run() || CW_SANITIZED)
        skip();
    in = again(n, 0);
    for (size_t k = 0; k < PIECE; k++)
        in[k] = (unsigned char)(k * k >> 7);
    for (size_t k = 0; k < PIECE; k++)
        want[in[k]] += whole + (k < n % PIECE);
    out = (unsigned char *)malloc(n);
    if (!out)
        skip();
    job.keys_in = in;
    job.keys_out = out;
    sort(&job, 0);
    for (unsigned b = 0; b < 256; at += want[b], b++)
        for (size_t k = 0; k < want[b]; k++)
            if (out[at + k] != b)
                fail_msg("byte %zu is %u, not %u", at + k, out[at + k], b);
    assert_int_equal(at, n);
    free(out);
    end(in, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_found_however_far_from_the_end),
        cmocka_unit_test(runs_may_be_longer_than_a_quarter_of_all_numbers),
        cmocka_unit_test(negative_indices_name_no_row_of_2_32),
        cmocka_unit_test(the_last_of_many_keys_goes_to_the_first_place),
        cmocka_unit_test(more_than_2_32_bytes_are_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
