/* test_kernels.c - the row-sort kernels that a GPU runs sort on the emulator too: with no bank
 * asked twice, and asking for the same addresses whatever the keys are.
 *
 * One launch for each length, way to move keys and kind of input; sizes of blocks are small, what
 * a GPU's table chooses otherwise (how many merges go by shuffles, which comparators use
 * multiply-adds) is tried both ways.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "dev/kernel.h"

#ifndef ROWS_LOG_K
#define ROWS_LOG_K 5
#endif
#define ROWS_K (1 << ROWS_LOG_K)
#include "kernels/rows_io.h"

/* Two views of a merge hold 2 log_k bits (row_sort.h): no kernel is for longer rows than k^3. */
#define LONGEST (cw_long_run() ? 1u << 3 * ROWS_LOG_K : 4096u)

struct launch {
    struct rows a;
    struct row_shape shape;
};

static void run_rows(struct cw_emu *s, const void *arg)
{
    const struct launch *l = (const struct launch *)arg;

    (void)s;
    rows_kernel(l->a, 1, l->shape);
}

/* ---- rows to sort -------------------------------------------------------------- */

enum { RANDOM, SORTED, REVERSE, EQUAL, ZERO_ONE, LARGEST, PATTERNS };

static key key_of(int pattern, uint32_t column, struct cw_random *r)
{
    const key x = (key)cw_random_next(r);

    switch (pattern) {
    case SORTED:
        return (key)column * 3u;
    case REVERSE:
        return ~(key)column;
    case EQUAL:
        return 7;
    case ZERO_ONE:
        return x & 1u;
    case LARGEST: /* the key that places past a row's end are filled with */
        return x & 1u ? KEY_MAX : x;
    default:
        return x;
    }
}

static int by_key(const void *a, const void *b)
{
    const key x = *(const key *)a, y = *(const key *)b;

    return (x > y) - (x < y);
}

/* ---- one length ------------------------------------------------------------------ */

struct trial {
    uint32_t length, rows, blocks;
    struct launch launch;
    struct cw_emu *e;
    key *memory, *in, *out, *expected; /* in and out are parts of one mapping */
};

static uint32_t log_of(uint32_t length)
{
    uint32_t log = 1;

    while (1u << log < length)
        log++;
    return log;
}

/* As many threads as a row takes, and not less than two warps; a full block and part of another,
 * or two full ones when keys move in vectors. */
static void begin(struct trial *t, uint32_t length, struct row_shape shape, int vectors)
{
    const uint32_t places = 1u << shape.log_n;
    const uint32_t threads = places > 64u * ROWS_K ? places / ROWS_K : 64u;
    const uint32_t block_rows = threads * ROWS_K / places;
    const struct cw_emu_config config = {threads, threads * (ROWS_K * KEY_BYTES + 16u)};

    t->length = length;
    t->rows = vectors ? 2 * block_rows : block_rows + (block_rows + 2) / 3;
    t->blocks = 2;
    t->memory = (key *)aligned_alloc(16, (3 * (size_t)t->rows * length + 8) * 16);
    assert_non_null(t->memory);
    t->in = t->memory + (vectors ? 0 : 1); /* off the 16 bytes that vectors need */
    t->out = t->in + (size_t)t->rows * length;
    t->expected = t->out + (size_t)t->rows * length;
    t->launch.shape = shape;
    t->launch.a.count = t->rows;
    t->launch.a.length = length;
    t->launch.a.vectors = (uint32_t)vectors;
    assert_int_equal(cw_emu_create(&config, &t->e), CW_OK);
}

static void end(struct trial *t)
{
    cw_emu_destroy(t->e);
    free(t->memory);
}

static void fill(struct trial *t, int pattern, uint64_t seed)
{
    const size_t n = (size_t)t->rows * t->length;
    struct cw_random r = cw_random_from(seed);

    for (size_t x = 0; x < n; x++)
        t->in[x] = key_of(pattern, (uint32_t)(x % t->length), &r);
    memcpy(t->expected, t->in, n * KEY_BYTES);
    for (uint32_t row = 0; row < t->rows; row++)
        qsort(t->expected + (size_t)row * t->length, t->length, KEY_BYTES, by_key);
}

/* Sort, in place or not; returns the trace. */
static uint64_t sort(struct trial *t, int pattern, int in_place)
{
    const uint64_t seed = cw_test_seed() + (uint64_t)pattern;
    const size_t bytes = (size_t)t->rows * t->length * KEY_BYTES;
    key *const out = in_place ? t->in : t->out;
    const struct cw_emu_buffer buffers[] = {{t->in, bytes, 0}, {out, bytes, 1}};
    const struct cw_emu_launch l = {run_rows, &t->launch, t->blocks, buffers, 2};
    struct cw_emu_place total;
    cw_status status;

    fill(t, pattern, seed);
    t->launch.a.in = t->in;
    t->launch.a.out = out;
    status = cw_emu_launch(t->e, &l);
    cw_emu_total(t->e, &total);
    if (status || memcmp(out, t->expected, bytes) != 0 || total.wavefronts != total.ideal) {
        print_message("length %u, %u rows, pattern %d, seed %llu, vectors %u, shuffles %d: %s\n",
                      t->length, t->rows, pattern, (unsigned long long)seed, t->launch.a.vectors,
                      t->launch.shape.shuffles,
                      status ? cw_last_error() : "wrong order or conflicts");
        (void)cw_emu_report(t->e, stderr);
    }
    assert_int_equal(status, CW_OK);
    assert_memory_equal(out, t->expected, bytes);
    assert_true(total.requests > 0);
    assert_int_equal(total.wavefronts, total.ideal);
    return cw_emu_trace(t->e);
}

static void sort_all(uint32_t length, struct row_shape shape, int vectors, int in_place)
{
    struct trial t;
    uint64_t trace = 0;

    begin(&t, length, shape, vectors);
    for (int pattern = 0; pattern < PATTERNS; pattern += vectors ? 2 : 1) {
        const uint64_t now = sort(&t, pattern, in_place);

        if (pattern > 0 && now != trace)
            print_message("length %u: the addresses depend on the keys\n", length);
        assert_true(pattern == 0 || now == trace);
        trace = now;
    }
    end(&t);
}

/* ---- claims ---------------------------------------------------------------------- */

static struct row_shape shape_of(uint32_t length, int shuffles, int mads)
{
    const struct row_shape s = {ROWS_LOG_K, (int)log_of(length), shuffles, mads};

    return s;
}

static void rows_of_any_length_are_sorted_without_conflicts_by_one_trace(void **state)
{
    static const uint32_t lengths[] = {2, 3, 7, 13, 33, 50, 100, 256, 777, 1500, 4095};

    (void)state;
    for (size_t x = 0; x < COUNT(lengths); x++)
        sort_all(lengths[x], shape_of(lengths[x], x % 2 ? 1 : 2, 4), 0, 0);
}

static void full_rows_are_moved_in_vectors_and_sorted_the_same(void **state)
{
    (void)state;
    for (uint32_t length = 2; length <= LONGEST; length *= 2)
        sort_all(length, shape_of(length, log_of(length) % 2 ? 2 : 1, 5), 1, 0);
}

static void rows_may_be_sorted_in_place(void **state)
{
    (void)state;
    sort_all(100, shape_of(100, 2, 4), 0, 1);
    sort_all(64, shape_of(64, 2, 4), 1, 1);
    sort_all(2048, shape_of(2048, 1, 4), 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_any_length_are_sorted_without_conflicts_by_one_trace),
        cmocka_unit_test(full_rows_are_moved_in_vectors_and_sorted_the_same),
        cmocka_unit_test(rows_may_be_sorted_in_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
