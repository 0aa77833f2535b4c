/* test_cpu_rows.c - rows sorted by threads of the host, held against a merge sort of values.
 *
 * The reference compares keys as long doubles, which hold every type exactly, and knows nothing of
 * the map to words.  A batch has rows of several kinds, so that every path through the sort is
 * taken: keys all over, few different ones, in order, all the same, of all magnitudes, and equal
 * but for their last bits.  Every array stands between canaries, and so do the rows in it.
 * All ways to sort leaves that this processor has are tried in turn, and numbers of threads.
 */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/rows/rows.h"
#include "cpu/work.h"
#include "base/threads.h"
#include "values.h"

#define GUARD  64   /* bytes of canary before and after an array */
#define CANARY 0xa5 /* in guards, and in every output before it is written */
#define EDGE   3    /* items before the first row and after the last, with offsets */

/* ---- arrays between canaries ---------------------------------------------------------------- */

static void *array_of(size_t bytes)
{
    unsigned char *p = (unsigned char *)malloc(bytes + 2 * GUARD);

    assert_non_null(p);
    memset(p, CANARY, bytes + 2 * GUARD);
    return p + GUARD;
}

static int guards_stand(const void *array, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)array;

    for (size_t x = 0; x < GUARD; x++)
        if ((p - GUARD)[x] != CANARY || p[bytes + x] != CANARY)
            return 0;
    return 1;
}

static void free_array(void *array)
{
    free((unsigned char *)array - GUARD);
}

/* ---- a batch -------------------------------------------------------------------------------- */

struct batch {
    cw_type type;
    int descending;
    size_t key_bytes, rows, length, items, first; /* first: the item of row 0 */
    uint64_t *offsets;                            /* NULL for rows of equal length */
    void *keys;
    uint64_t *values; /* of 8 bytes; shorter ones are their low bytes */
    uint32_t *order;  /* of every item: the place in its row that belongs there */
    uint64_t seed;
};

static size_t row_at(const struct batch *b, size_t r)
{
    return b->offsets ? b->offsets[r] : r * b->length;
}

/* Key k of a row; NaNs of a batch all have the same bits, so that only places tell them apart. */
static uint64_t key_of(const struct batch *b, struct cw_random *random, size_t kind, size_t k)
{
    const uint64_t x = cw_random_next(random), mask = UINT64_MAX >> (64 - 8 * b->key_bytes);
    uint64_t key = x;

    switch (kind) {
    case 1: /* few; of floats both zeros */
        key = (x % 5 ? x % 5 : 0) | (x >> 32 & 1) << (8 * b->key_bytes - 1);
        break;
    case 2: /* in order, nearly */
        key = x % 16 ? k : x;
        break;
    case 3:
        key = b->seed;
        break;
    case 4: /* of all magnitudes */
        key = x >> (x & 63) ^ (x & 64 ? mask : 0);
        break;
    case 5: /* a few apart from the rest, which differ in their last bits */
        key = x % 97 ? b->seed << 5 ^ (x >> 32 & 31) : x;
        break;
    default:
        break;
    }
    if (cw_is_float(b->type) && (isnan(cw_value_of(b->type, key & mask)) || x >> 40 == 7))
        key = cw_nan_of(b->type, b->seed);
    return key & mask;
}

static void fill_row(struct batch *b, struct cw_random *random, size_t r)
{
    const size_t from = row_at(b, r), n = row_at(b, r + 1) - from;
    const size_t kind = cw_random_below(random, 6);
    long double *value = (long double *)malloc((n + 1) * sizeof *value);
    uint32_t *spare = (uint32_t *)malloc((n + 1) * sizeof *spare);

    assert_true(value && spare);
    for (size_t k = 0; k < n; k++) {
        const uint64_t key = key_of(b, random, kind, k);

        cw_set_item(b->keys, from + k, b->key_bytes, key);
        value[k] = cw_value_of(b->type, key);
        b->order[from + k] = (uint32_t)k;
    }
    cw_value_sort(value, b->order + from, spare, n, b->descending);
    free(value);
    free(spare);
}

/* Rows of `length` keys, or with `mixed` of 0 .. length. */
static struct batch batch_of(cw_type type, int descending, size_t rows, size_t length, int mixed,
                             uint64_t seed)
{
    struct batch b = {.type = type, .descending = descending, .rows = rows, .seed = seed};
    struct cw_random random = cw_random_from(seed);

    b.key_bytes = cw_type_bytes(type);
    b.length = length;
    b.items = rows * length;
    if (mixed) {
        b.offsets = (uint64_t *)array_of((rows + 1) * sizeof *b.offsets);
        b.offsets[0] = b.first = EDGE;
        for (size_t r = 0; r < rows; r++) {
            const size_t most = cw_random_below(&random, 4) ? length / 8 : length;

            b.offsets[r + 1] = b.offsets[r] + (r == rows / 2 ? length
                                               : r % 5 == 1  ? 0
                                                             : cw_random_below(&random, most + 1));
        }
        b.items = b.offsets[rows] + EDGE;
    }
    b.keys = array_of(b.items * b.key_bytes);
    b.values = (uint64_t *)array_of(b.items * sizeof *b.values);
    b.order = (uint32_t *)array_of(b.items * sizeof *b.order);
    for (size_t x = 0; x < b.items; x++)
        b.values[x] = cw_random_next(&random);
    for (size_t r = 0; r < rows; r++)
        fill_row(&b, &random, r);
    return b;
}

static void free_batch(struct batch *b)
{
    free_array(b->keys);
    free_array(b->values);
    free_array(b->order);
    if (b->offsets)
        free_array(b->offsets);
}

/* ---- one run -------------------------------------------------------------------------------- */

struct run {
    int keys, index, in_place;
    size_t value_bytes;
    unsigned threads, flags;
    const struct cw_columns *columns;
};

static const char *text_of(const struct batch *b, const struct run *run)
{
    static char text[300];

    snprintf(text, sizeof text,
             "%s %s, %zu rows of %s%zu, keys %d index %d values %zu in place %d, %s, %u threads, "
             "seed %llu (CW_SEED=%llu)",
             cw_type_name(b->type), b->descending ? "down" : "up", b->rows,
             b->offsets ? "up to " : "", b->length, run->keys, run->index, run->value_bytes,
             run->in_place, run->columns->name, run->threads, (unsigned long long)b->seed,
             (unsigned long long)cw_test_seed());
    return text;
}

/* What one array holds after the run; want_of says which item of the input belongs at x. */
static void check_array(const struct batch *b, const struct run *run, const char *name,
                        const void *got, const void *in, const void *was, size_t bytes)
{
    size_t r = 0;

    if (!guards_stand(got, b->items * bytes))
        fail_msg("%s written outside; %s", name, text_of(b, run));
    for (size_t x = 0; x < b->items; x++) {
        uint64_t want = cw_item(was, x, bytes);

        while (r < b->rows && x >= row_at(b, r + 1))
            r++;
        if (x >= b->first && r < b->rows)
            want = in ? cw_item(in, row_at(b, r) + b->order[x], bytes) : b->order[x];
        if (cw_item(got, x, bytes) != want)
            fail_msg("%s: item %zu, place %zu of row %zu, is 0x%llx, not 0x%llx; %s", name, x,
                     x - row_at(b, r < b->rows ? r : 0), r,
                     (unsigned long long)cw_item(got, x, bytes), (unsigned long long)want,
                     text_of(b, run));
    }
}

/* The buffers of one run: copies of the input, and outputs full of canaries or those copies. */
struct arrays {
    void *keys_in, *keys_out, *values_in, *values_out, *values_copy, *fresh;
    uint32_t *index;
};

static struct arrays arrays_of(const struct batch *b, const struct run *run)
{
    struct arrays a;

    a.keys_in = array_of(b->items * b->key_bytes);
    memcpy(a.keys_in, b->keys, b->items * b->key_bytes);
    a.keys_out = run->in_place ? a.keys_in : array_of(b->items * b->key_bytes);
    a.values_in = array_of(b->items * run->value_bytes);
    a.values_copy = array_of(b->items * run->value_bytes);
    for (size_t x = 0; x < b->items && run->value_bytes; x++) {
        cw_set_item(a.values_in, x, run->value_bytes, b->values[x]);
        cw_set_item(a.values_copy, x, run->value_bytes, b->values[x]);
    }
    a.values_out = run->in_place ? a.values_in : array_of(b->items * run->value_bytes);
    a.index = (uint32_t *)array_of(b->items * sizeof *a.index);
    a.fresh = array_of(b->items * sizeof(uint64_t));
    return a;
}

static void free_arrays(const struct arrays *a, const struct run *run)
{
    free_array(a->keys_in);
    free_array(a->values_in);
    free_array(a->values_copy);
    free_array(a->index);
    free_array(a->fresh);
    if (!run->in_place) {
        free_array(a->keys_out);
        free_array(a->values_out);
    }
}

static cw_rows job_of(const struct batch *b, const struct run *run, const struct arrays *a)
{
    cw_rows job = {0};

    job.type = b->type;
    job.flags = run->flags | (b->descending ? (unsigned)CW_DESCENDING : 0);
    job.rows = b->rows;
    job.length = b->length;
    job.offsets = b->offsets;
    job.items = b->offsets ? b->items : 0;
    job.keys_in = a->keys_in;
    job.keys_out = run->keys ? a->keys_out : NULL;
    job.index_out = run->index ? a->index : NULL;
    job.value_bytes = run->value_bytes;
    if (run->value_bytes) {
        job.values_in = a->values_in;
        job.values_out = a->values_out;
    }
    return job;
}

static void try_run(const struct batch *b, const struct run *run)
{
    const struct arrays a = arrays_of(b, run);
    const cw_rows job = job_of(b, run, &a);
    struct cw_team team = {.wanted = run->threads};
    const cw_status status = cw_cpu_sort_rows_by(&job, &team, run->columns);
    const size_t v = run->value_bytes;

    cw_team_end(&team);
    if (status != CW_OK)
        fail_msg("%s: %s; %s", cw_status_name(status), cw_last_error(), text_of(b, run));
    if (run->keys)
        check_array(b, run, "keys", a.keys_out, b->keys, run->in_place ? b->keys : a.fresh,
                    b->key_bytes);
    if (run->index)
        check_array(b, run, "index", a.index, NULL, a.fresh, sizeof *a.index);
    if (v)
        check_array(b, run, "values", a.values_out, a.values_copy,
                    run->in_place ? a.values_copy : a.fresh, v);
    if (!run->in_place || !run->keys)
        assert_memory_equal(a.keys_in, b->keys, b->items * b->key_bytes);
    if (!run->in_place && v)
        assert_memory_equal(a.values_in, a.values_copy, b->items * v);
    free_arrays(&a, run);
}

/* Everything that can be asked for, of one batch, with every way to sort leaves (of large batches,
 * some of it).  Places and values tell equal keys apart, so they are seen to keep their order. */
static void try_batch(const struct batch *b)
{
    static const struct run runs[] = {
        {.keys = 1},
        {.keys = 1, .value_bytes = 1},
        {.keys = 1, .value_bytes = 2},
        {.keys = 1, .value_bytes = 4},
        {.keys = 1, .value_bytes = 8},
        {.index = 1},
        {.keys = 1, .index = 1},
        {.index = 1, .value_bytes = 4},
        {.keys = 1, .index = 1, .value_bytes = 8},
    };
    static const unsigned threads[] = {1, 1, 1, 1, 2, 0};
    const uint64_t one_in = cw_long_run() ? 1 : CW_SANITIZED ? 12 : b->items > 5000 ? 6 : 1;
    struct cw_random random = cw_random_from(b->seed);

    for (size_t x = 0; x < 2 * COUNT(runs) * cw_columns_count; x++) {
        struct run run = runs[x / 2 % COUNT(runs)];

        run.in_place = x & 1;
        run.columns = &cw_columns_list[x / 2 / COUNT(runs)];
        run.flags = x / 2 % COUNT(runs) || cw_is_float(b->type) ? (unsigned)CW_STABLE : 0u;
        run.threads = threads[cw_random_below(&random, COUNT(threads))];
        if (run.columns->here() && cw_random_below(&random, one_in) == 0)
            try_run(b, &run);
    }
}

static void try_types(size_t rows, size_t length, int mixed)
{
    for (int type = 0; type < CW_TYPE_COUNT; type++) {
        for (int descending = 0; descending < 2; descending++) {
            const uint64_t seed = cw_test_seed() * 1000003 + (uint64_t)type * 99991 + length * 2 +
                                  (uint64_t)descending;
            struct batch b = batch_of((cw_type)type, descending, rows, length, mixed, seed);

            try_batch(&b);
            free_batch(&b);
        }
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void rows_of_equal_length_are_sorted(void **state)
{
    static const size_t shapes[][2] = {{0, 5},   {3, 0},   {9, 1},    {7, 2},    {40, 3},  {5, 31},
                                       {33, 32}, {17, 33}, {19, 100}, {9, 1000}, {9, 4096}};

    (void)state;
    for (size_t x = 0; x < COUNT(shapes); x++)
        try_types(shapes[x][0], shapes[x][1], 0);
}

/* Above 65536 keys a place needs more than 16 bits. */
static void long_rows_are_sorted(void **state)
{
    (void)state;
    try_types(1, 32768, 0);
    try_types(1, 65537, 0);
}

static void rows_of_mixed_lengths_are_sorted(void **state)
{
    (void)state;
    try_types(1, 3, 1);
    try_types(200, 40, 1);
    try_types(30, 1500, 1);
    try_types(6, 9000, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_equal_length_are_sorted),
        cmocka_unit_test(long_rows_are_sorted),
        cmocka_unit_test(rows_of_mixed_lengths_are_sorted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
