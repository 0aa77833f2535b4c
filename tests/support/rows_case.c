#include "rows_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "case_memory.h"
#include "prim/float16.h"
#include "rows/layout.h"
#include "rows_order.h"

#define GUARD  256u /* bytes on both sides of every array, which must stay as they were */
#define CANARY 0x5b

cw_backend rows_test_backend(void)
{
    const char *const name = getenv("CW_TEST_BACKEND");

    if (name && !strcmp(name, "cuda"))
        return CW_CUDA;
    return name && !strcmp(name, "cpu") ? CW_CPU : CW_EMULATOR;
}

/* ---- making a case -------------------------------------------------------------------------- */

static uint64_t special(cw_type t, uint64_t r)
{
    const unsigned bits = 8u * (unsigned)cw_type_bytes(t);
    const uint64_t sign = (uint64_t)1 << (bits - 1), all = UINT64_MAX >> (64 - bits);
    const uint64_t infinity = t == CW_F16    ? 0x7c00
                              : t == CW_BF16 ? 0x7f80
                              : t == CW_F32  ? 0x7f800000
                                             : 0x7ff0000000000000u;
    const uint64_t quiet = infinity | (infinity & ~(infinity << 1)) >> 1;
    const uint64_t floats[] = {0, sign,     infinity, infinity | sign, quiet, quiet | sign,
                               1, sign | 1, all,      infinity | 1};
    const uint64_t integers[] = {0, sign, all, sign - 1, 1, all - 1, sign + 1};

    return is_float(t) ? floats[r % 10] : integers[r % 7];
}

/* The sum of four numbers, from -2 to 2, as a float of the type; of others, in units of 2^-16. */
static uint64_t normal(cw_type t, uint64_t r)
{
    const int64_t sum =
        (int64_t)((r & 0xffff) + (r >> 16 & 0xffff) + (r >> 32 & 0xffff) + (r >> 48)) - 0x1fffe;
    const double x = (double)sum / 65536.0 * (r % 40 ? 1.0 : 1.0 / (1 << 20));
    const uint32_t bits = bits_of_f32((float)x);
    uint64_t wide;

    if (r % 509 == 1)
        return special(t, r / 509);
    memcpy(&wide, &x, sizeof wide);
    return !is_float(t)   ? (uint64_t)sum
           : t == CW_F64  ? wide
           : t == CW_F32  ? bits
           : t == CW_BF16 ? bits >> 16
                          : (bits >> 16 & 0x8000) | (bits >> 13 & 0x7fff);
}

static uint64_t key_of(const struct rows_case *c, size_t column, struct cw_random *random)
{
    const uint64_t r = cw_random_next(random);

    switch (c->pattern) {
    case ROWS_FEW:
        return r % 5;
    case ROWS_EQUAL:
        return 77;
    case ROWS_SORTED:
        return column;
    case ROWS_REVERSE:
        return c->length - column;
    case ROWS_ZERO_ONE:
        return r & 1;
    case ROWS_SPECIAL:
        return special(c->type, r);
    case ROWS_TWINS:
        return (column / 3 * 0x9e3779b97f4a7c15u >> 7 & ~(uint64_t)0xff) | (r & 0xff);
    case ROWS_CROWDS:
        return ((r % 3) << (8u * cw_type_bytes(c->type) - 2u)) | (r >> 8 & 0x3ff);
    case ROWS_NORMAL:
        return normal(c->type, r);
    default:
        return r;
    }
}

static uint64_t tame(cw_type t, uint64_t x)
{
    return x & UINT64_MAX >> (64u - 8u * (unsigned)cw_type_bytes(t));
}

enum { KEYS_IN, KEYS_OUT, VALUES_IN, VALUES_OUT, INDEX, OFFSETS, ENDS, COUNT, WORKSPACE, ARRAYS };

struct array {
    char *host;   /* with guards */
    void *device; /* the same, in the context's memory */
    size_t bytes, shift;
};

struct batch {
    const struct rows_case *c;
    cw_context *context;
    size_t items;
    uint64_t *offsets, *ends; /* of each row */
    struct array a[ARRAYS];
    cw_rows job;
};

static void *inside(const struct array *a)
{
    return a->device ? (char *)a->device + GUARD + a->shift : NULL;
}

static void array_make(struct batch *b, int which, size_t bytes, size_t item)
{
    struct array *const a = &b->a[which];

    a->bytes = bytes;
    a->shift = item * b->c->shift;
    a->host = (char *)malloc(bytes + 2 * GUARD + a->shift);
    assert_non_null(a->host);
    memset(a->host, CANARY, bytes + 2 * GUARD + a->shift);
    assert_int_equal(case_memory_take(b->context, bytes + 2 * GUARD + a->shift, &a->device), CW_OK);
}

/* Entries of lists are read before it is known that they are there, and not used (rows/spot.h). */
static void send_lists(struct batch *b)
{
    const struct array *const a = &b->a[WORKSPACE];
    const struct cw_rows_words *const w = cw_rows_words(&b->job, b->context->shapes);
    const struct cw_rows_layout l = cw_rows_layout_of(&b->job, w);
    const size_t at = GUARD + l.lists, bytes = 8 * (size_t)l.list_at[CW_ROWS_LISTS];

    if (b->job.offsets && !cw_rows_is_unlisted(&b->job, w))
        assert_int_equal(cw_memory_write(b->context, (char *)a->device + at, a->host + at, bytes),
                         CW_OK);
}

/* All of an array; of the workspace, and of an output all of whose items are sorted, what is beside it: nobody has
 * written the rest, and the emulator sees who reads it. */
static void array_send(struct batch *b, int which)
{
    const struct array *const a = &b->a[which];
    const int output = which == KEYS_OUT || which == VALUES_OUT || which == INDEX;
    const int none = which == WORKSPACE || (output && !b->c->mixed && !b->c->missing);
    const size_t before = GUARD + a->shift, behind = before + (none ? a->bytes : 0);

    if (!a->host)
        return;
    assert_int_equal(cw_memory_write(b->context, a->device, a->host, before), CW_OK);
    assert_int_equal(cw_memory_write(b->context, (char *)a->device + behind, a->host + behind,
                                     a->bytes + GUARD + before - behind),
                     CW_OK);
    if (which == WORKSPACE && b->context->backend != CW_CPU)
        send_lists(b);
}

static void fill_offsets(struct batch *b, struct cw_random *random)
{
    const struct rows_case *const c = b->c;

    uint64_t at = c->mixed ? 4 * (c->seed % 2) : 0;

    b->offsets = (uint64_t *)malloc((c->rows + 1) * sizeof(uint64_t));
    b->ends = (uint64_t *)malloc((c->rows + 1) * sizeof(uint64_t));
    assert_non_null(b->offsets);
    assert_non_null(b->ends);
    for (size_t x = 0; x < c->rows; x++) {
        /* as many short rows as long ones, whatever short is, and many of 2^k keys; the first
         * row is the longest */
        const uint64_t most = c->length >> cw_random_below(random, 12);
        const uint64_t any = cw_random_below(random, most + 1);
        const uint64_t some = !x ? c->length : cw_random_below(random, 2) ? any : most / 4 * 4;
        const int usual = c->mixed == 3 || (c->mixed == 2 && cw_random_below(random, 50)) ||
                          (c->mixed == 4 && (!x || x >= 32));
        const uint64_t mixed = usual ? c->length : some;
        const size_t r = c->gaps ? c->rows - 1 - x : x; /* with gaps, the last one first */

        b->offsets[r] = at;
        at += c->mixed ? mixed : c->length;
        b->ends[r] = at;
        at += c->gaps ? cw_random_below(random, 4) : 0;
    }
    b->offsets[c->rows] = at;
    b->items = (size_t)at + (c->mixed ? 2 : 0);
}

static void fill_item(struct batch *b, size_t item, size_t column, struct cw_random *random)
{
    const size_t key = cw_type_bytes(b->c->type), value = b->c->value_bytes;
    const uint64_t v = cw_random_next(random);
    const uint64_t k = tame(b->c->type, key_of(b->c, column, random));

    memcpy(b->a[KEYS_IN].host + GUARD + b->a[KEYS_IN].shift + item * key, &k, key);
    if (value)
        memcpy(b->a[VALUES_IN].host + GUARD + b->a[VALUES_IN].shift + item * value, &v, value);
}

/* Every pattern of 16 bits comes once in 65536 items. */
static void fill_every(struct batch *b)
{
    for (size_t x = 0; x < b->items; x++) {
        const uint16_t key = (uint16_t)((x + b->c->seed) * 40503u);

        memcpy(b->a[KEYS_IN].host + GUARD + b->a[KEYS_IN].shift + 2 * x, &key, 2);
    }
}

static void fill_keys(struct batch *b, struct cw_random *random)
{
    for (size_t x = 0; x < b->items; x++) /* those that are in no row, too */
        fill_item(b, x, x, random);
    for (size_t r = 0; r < b->c->rows; r++) {
        for (uint64_t x = b->offsets[r]; x < b->ends[r]; x++)
            fill_item(b, (size_t)x, (size_t)(x - b->offsets[r]), random);
    }
    if (b->c->pattern == ROWS_EVERY)
        fill_every(b);
}

/* Offsets, or ends, as wide as the case has them. */
static void fill_bounds(struct batch *b, int which, const uint64_t *from, size_t count)
{
    const size_t bytes = b->c->narrow ? 4 : 8;

    array_make(b, which, count * bytes, 0);
    for (size_t r = 0; r < count; r++) {
        const uint32_t narrow = (uint32_t)from[r];

        memcpy(b->a[which].host + GUARD + r * bytes,
               b->c->narrow ? (const void *)&narrow : (const void *)&from[r], bytes);
    }
}

static void fill_count(struct batch *b)
{
    const uint64_t count = b->c->missing ? b->c->rows - b->c->missing : b->c->rows + b->c->seed % 3;
    const uint32_t narrow = (uint32_t)count;

    array_make(b, COUNT, b->c->narrow ? 4 : 8, 0);
    memcpy(b->a[COUNT].host + GUARD, b->c->narrow ? (const void *)&narrow : (const void *)&count,
           b->a[COUNT].bytes);
}

static size_t index_bytes(const struct rows_case *c)
{
    return c->wide_index ? 8 : 4;
}

static void batch_job(struct batch *b)
{
    const struct rows_case *const c = b->c;
    cw_rows job;

    memset(&job, 0, sizeof job);
    job.type = c->type;
    job.flags = c->flags;
    job.rows = c->rows;
    job.length = c->length;
    job.offsets = inside(&b->a[OFFSETS]);
    job.ends = inside(&b->a[ENDS]);
    job.offset_bytes = c->narrow ? 4 : c->seed % 3 ? 8 : 0;
    job.items = b->items;
    job.count = inside(&b->a[COUNT]);
    job.count_bytes = c->narrow ? 4 : c->seed % 2 ? 8 : 0;
    job.keys_in = inside(&b->a[KEYS_IN]);
    job.keys_out = !c->keys ? NULL : inside(&b->a[c->in_place ? KEYS_IN : KEYS_OUT]);
    job.values_in = c->value_bytes ? inside(&b->a[VALUES_IN]) : NULL;
    job.values_out = c->value_bytes ? inside(&b->a[c->in_place ? VALUES_IN : VALUES_OUT]) : NULL;
    job.value_bytes = c->value_bytes;
    job.index_out = inside(&b->a[INDEX]);
    job.index_bytes = c->wide_index ? 8 : c->seed % 2 ? 4 : 0;
    b->job = job;
}

static void batch_make(struct batch *b, cw_context *context, const struct rows_case *c)
{
    struct cw_random random = cw_random_from(c->seed);
    size_t workspace;

    memset(b, 0, sizeof *b);
    b->c = c;
    b->context = context;
    fill_offsets(b, &random);
    array_make(b, KEYS_IN, b->items * cw_type_bytes(c->type), cw_type_bytes(c->type));
    if (!c->in_place && c->keys)
        array_make(b, KEYS_OUT, b->items * cw_type_bytes(c->type), cw_type_bytes(c->type));
    if (c->value_bytes)
        array_make(b, VALUES_IN, b->items * c->value_bytes, c->value_bytes);
    if (c->value_bytes && !c->in_place)
        array_make(b, VALUES_OUT, b->items * c->value_bytes, c->value_bytes);
    if (c->index)
        array_make(b, INDEX, b->items * index_bytes(c), index_bytes(c));
    if (c->mixed)
        fill_bounds(b, OFFSETS, b->offsets, c->rows + !c->gaps);
    if (c->mixed && c->gaps)
        fill_bounds(b, ENDS, b->ends, c->rows);
    if (c->counted)
        fill_count(b);
    fill_keys(b, &random);
    batch_job(b);
    assert_int_equal(cw_sort_rows_workspace(&b->job, &workspace), CW_OK);
    array_make(b, WORKSPACE, workspace, 0);
    for (int x = 0; x < ARRAYS; x++)
        array_send(b, x);
}

static void batch_end(struct batch *b)
{
    for (int x = 0; x < ARRAYS; x++) {
        free(b->a[x].host);
        case_memory_give(b->context, b->a[x].device);
    }
    free(b->offsets);
    free(b->ends);
}

/* ---- the outcome ---------------------------------------------------------------------------- */

static const char *guards_hold(const char *was, const char *is, const struct array *a)
{
    const size_t first = GUARD + a->shift, end = first + a->bytes;

    if (memcmp(was, is, first) != 0 || memcmp(was + end, is + end, GUARD) != 0)
        return "wrote outside an array";
    return NULL;
}

/* Items of row r, sorted: by place if order among equals counts, else by value. */
static void expect_row(const struct batch *b, size_t r, struct item *row, int exact)
{
    const size_t start = (size_t)b->offsets[r], n = (size_t)b->ends[r] - start;
    const char *const keys = b->a[KEYS_IN].host + GUARD + b->a[KEYS_IN].shift;
    const char *const values =
        b->c->value_bytes ? b->a[VALUES_IN].host + GUARD + b->a[VALUES_IN].shift : NULL;

    for (size_t x = 0; x < n; x++) {
        row[x].type = b->c->type;
        row[x].flags = b->c->flags;
        row[x].place = (uint32_t)x;
        row[x].key = bits_at(keys, cw_type_bytes(b->c->type), start + x);
        row[x].value = b->c->value_bytes ? bits_at(values, b->c->value_bytes, start + x) : 0;
    }
    qsort(row, n, sizeof *row, exact ? by_key_then_place : by_key_then_all);
}

static const char *check_row(const struct batch *b, size_t r, char *const *out, struct item *want,
                             struct item *got)
{
    const size_t start = (size_t)b->offsets[r], n = (size_t)b->ends[r] - start;
    const int exact = b->c->index || b->c->flags & CW_STABLE;

    expect_row(b, r, want, exact);
    for (size_t x = 0; x < n; x++) {
        got[x] = want[x];
        if (b->c->keys)
            got[x].key = bits_at(out[KEYS_OUT], cw_type_bytes(b->c->type), start + x);
        if (b->c->value_bytes)
            got[x].value = bits_at(out[VALUES_OUT], b->c->value_bytes, start + x);
        if (exact ? got[x].key != want[x].key : by_key(&got[x], &want[x]) != 0)
            return "a key is wrong";
        if (b->c->index && bits_at(out[INDEX], index_bytes(b->c), start + x) != want[x].place)
            return "an index is wrong";
    }
    if (!exact)
        qsort(got, n, sizeof *got, by_key_then_all);
    for (size_t x = 0; x < n; x++) {
        if (got[x].key != want[x].key)
            return "a key was lost";
        if (got[x].value != want[x].value)
            return "a value is wrong";
    }
    return NULL;
}

/* Keys of a row that is not there are as they were. */
static const char *check_missing(const struct batch *b, size_t r, char *const *out)
{
    const struct array *const a = &b->a[b->c->in_place ? KEYS_IN : KEYS_OUT];
    const size_t bytes = cw_type_bytes(b->c->type), at = (size_t)b->offsets[r] * bytes;

    if (b->c->keys && memcmp(out[KEYS_OUT] + at, a->host + GUARD + a->shift + at,
                             (size_t)(b->ends[r] - b->offsets[r]) * bytes) != 0)
        return "a row that is not there was written";
    return NULL;
}

static const char *check_rows(struct batch *b, char *const *out)
{
    struct item *const both = (struct item *)calloc(2 * b->c->length + 1, sizeof *both);
    const char *wrong = NULL;

    assert_non_null(both);
    for (size_t r = 0; r < b->c->rows && !wrong; r++)
        wrong = r < b->c->rows - b->c->missing ? check_row(b, r, out, both, both + b->c->length)
                                               : check_missing(b, r, out);
    free(both);
    return wrong;
}

/* Fetch all arrays; nothing outside them, and no input that is no output, may have changed. */
static const char *check(struct batch *b)
{
    char *now[ARRAYS] = {0}, *out[ARRAYS] = {0};
    const char *wrong = NULL;

    for (int x = 0; x < ARRAYS; x++) {
        const struct array *const a = &b->a[x];
        const size_t all = a->bytes + 2 * GUARD + a->shift;

        if (!a->host)
            continue;
        now[x] = (char *)malloc(all);
        assert_non_null(now[x]);
        assert_int_equal(cw_memory_read(b->context, now[x], a->device, all), CW_OK);
        out[x] = now[x] + GUARD + a->shift;
        if (!wrong)
            wrong = guards_hold(a->host, now[x], a);
        if (!wrong &&
            (x == OFFSETS || x == ENDS || x == COUNT ||
             ((x == KEYS_IN || x == VALUES_IN) && !b->c->in_place)) &&
            memcmp(a->host, now[x], all) != 0)
            wrong = "an input was changed";
    }
    if (b->c->in_place) {
        out[KEYS_OUT] = out[KEYS_IN];
        out[VALUES_OUT] = out[VALUES_IN];
    }
    if (!wrong)
        wrong = check_rows(b, out);
    for (int x = 0; x < ARRAYS; x++)
        free(now[x]);
    return wrong;
}

int rows_case_run(cw_context *context, const struct rows_case *c)
{
    struct batch b;
    const char *wrong = NULL;
    cw_status status;

    batch_make(&b, context, c);
    status = cw_sort_rows(context, &b.job, inside(&b.a[WORKSPACE]), b.a[WORKSPACE].bytes, NULL);
    if (!status)
        status = cw_wait(context, NULL);
    wrong = status ? cw_last_error() : check(&b);
    if (wrong)
        print_message("%s flags %u rows %zu length %zu mixed %d values %zu keys %d index %d "
                      "in_place %d shift %zu pattern %d narrow %d gaps %d wide %d missing %zu seed "
                      "%llu: %s\n",
                      cw_type_name(c->type), c->flags, c->rows, c->length, c->mixed, c->value_bytes,
                      c->keys, c->index, c->in_place, c->shift, (int)c->pattern, c->narrow, c->gaps,
                      c->wide_index, c->missing, (unsigned long long)c->seed, wrong);
    batch_end(&b);
    return wrong != NULL;
}
