#include "array_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_keys.h"
#include "case_memory.h"

#define GUARD  256u /* bytes on both sides of every array, which must stay as they were */
#define CANARY 0x5b

enum { KEYS_IN, KEYS_OUT, VALUES_IN, VALUES_OUT, INDEX, ITEMS, WORKSPACE, ARRAYS };

struct array {
    char *host;   /* with guards, as it was sent */
    char *now;    /* as it came back */
    void *device; /* the same, in the context's memory */
    size_t bytes, shift, item;
};

struct run {
    const struct array_case *c;
    cw_context *context;
    size_t n; /* items that there are */
    struct array a[ARRAYS];
    cw_array job;
};

/* ---- arrays --------------------------------------------------------------------------------- */

static size_t whole(const struct array *a)
{
    return a->bytes + 2 * GUARD + a->shift;
}

static void *inside(const struct array *a)
{
    return a->device ? (char *)a->device + GUARD + a->shift : NULL;
}

static void array_make(struct run *r, int which, size_t items, size_t item)
{
    struct array *const a = &r->a[which];

    if (!item)
        return;
    a->item = item;
    a->bytes = items * item;
    a->shift = which >= ITEMS ? 0 : item * r->c->shift;
    a->host = (char *)malloc(whole(a));
    a->now = (char *)malloc(whole(a));
    assert_non_null(a->host);
    assert_non_null(a->now);
    memset(a->host, CANARY, whole(a));
    assert_int_equal(case_memory_take(r->context, whole(a), &a->device), CW_OK);
}

static uint64_t get(const struct array *a, const char *from, size_t i)
{
    const size_t bytes = a->item < 8 ? a->item : 8;
    uint64_t x = 0;

    memcpy(&x, from + GUARD + a->shift + i * a->item, bytes);
    return x;
}

static void put(struct array *a, size_t i, uint64_t x)
{
    const uint64_t both[2] = {x, ~x};

    memcpy(a->host + GUARD + a->shift + i * a->item, both, a->item);
}

static void fill(struct run *r)
{
    struct cw_random random = cw_random_from(r->c->seed);

    for (size_t i = 0; i < r->c->n; i++) {
        put(&r->a[KEYS_IN], i, array_key(r->c, i, cw_random_next(&random)));
        if (r->c->value_bytes)
            put(&r->a[VALUES_IN], i, cw_random_next(&random));
    }
    if (r->c->count_bytes)
        put(&r->a[ITEMS], 0, r->n < r->c->n ? r->n : r->n + r->c->seed % 3);
}

/* All of an array; of an output what is beside it and behind the items, of the workspace what is beside it: nobody has
 * written the rest, and the emulator sees who reads it. */
static void array_send(struct run *r, int which)
{
    const struct array *const a = &r->a[which];
    const int output = which == KEYS_OUT || which == VALUES_OUT || which == INDEX;
    const size_t none = which == WORKSPACE ? a->bytes : output ? r->n * a->item : 0;
    const size_t before = GUARD + a->shift, behind = before + none;

    if (!a->host)
        return;
    assert_int_equal(cw_memory_write(r->context, a->device, a->host, before), CW_OK);
    assert_int_equal(cw_memory_write(r->context, (char *)a->device + behind, a->host + behind,
                                     whole(a) - behind),
                     CW_OK);
}

static void run_begin(struct run *r, cw_context *context, const struct array_case *c)
{
    const size_t key = cw_type_bytes(c->type);
    cw_array job;
    size_t workspace;

    memset(r, 0, sizeof *r);
    r->c = c;
    r->context = context;
    r->n = c->count_bytes ? c->n - c->missing : c->n;
    array_make(r, KEYS_IN, c->n, key);
    array_make(r, KEYS_OUT, c->n, c->keys && !c->in_place ? key : 0);
    array_make(r, VALUES_IN, c->n, c->value_bytes);
    array_make(r, VALUES_OUT, c->n, c->in_place ? 0 : c->value_bytes);
    array_make(r, INDEX, c->n, c->index_bytes);
    array_make(r, ITEMS, 1, c->count_bytes);
    fill(r);
    memset(&job, 0, sizeof job);
    job.type = c->type;
    job.flags = c->flags;
    job.n = c->n;
    job.keys_in = inside(&r->a[KEYS_IN]);
    job.keys_out = c->keys ? inside(&r->a[c->in_place ? KEYS_IN : KEYS_OUT]) : NULL;
    job.values_in = inside(&r->a[VALUES_IN]);
    job.values_out = inside(&r->a[c->in_place ? VALUES_IN : VALUES_OUT]);
    job.value_bytes = c->value_bytes;
    job.index_out = inside(&r->a[INDEX]);
    job.index_bytes = c->index_bytes;
    job.first_bit = c->first_bit;
    job.bits = c->bits;
    job.count = inside(&r->a[ITEMS]);
    job.count_bytes = c->count_bytes;
    r->job = job;
    assert_int_equal(cw_sort_workspace(&job, &workspace), CW_OK);
    array_make(r, WORKSPACE, workspace, 1);
    for (int x = 0; x < ARRAYS; x++)
        array_send(r, x);
}

static void run_end(struct run *r)
{
    for (int x = 0; x < ARRAYS; x++) {
        free(r->a[x].host);
        free(r->a[x].now);
        case_memory_give(r->context, r->a[x].device);
    }
}

/* ---- the outcome ---------------------------------------------------------------------------- */

struct item {
    const struct array_case *c;
    uint64_t key, value, place;
};

static int by_key_then_place(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int order = array_compare(a->c, a->key, b->key);

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int by_key_then_all(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;
    const int order = array_compare(a->c, a->key, b->key);

    if (order)
        return order;
    if (a->key != b->key)
        return a->key > b->key ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

/* `got` as it came is in order, and put into an order that equals share with `want`, the same. */
static const char *compare(const struct run *r, struct item *want, struct item *got)
{
    const struct array_case *const c = r->c;
    const int exact = c->index_bytes || c->flags & CW_STABLE;

    qsort(want, r->n, sizeof *want, exact ? by_key_then_place : by_key_then_all);
    for (size_t i = 0; i + 1 < r->n && c->keys; i++)
        if (array_compare(c, got[i].key, got[i + 1].key) > 0)
            return "keys are out of order";
    if (!exact) /* equal floats may differ, and so may values */
        qsort(got, r->n, sizeof *got, by_key_then_all);
    for (size_t i = 0; i < r->n; i++) {
        if (c->keys && got[i].key != want[i].key)
            return "a key is wrong";
        if (c->value_bytes && got[i].value != want[i].value)
            return "a value is wrong";
        if (c->index_bytes && got[i].place != want[i].place)
            return "an index is wrong";
    }
    return NULL;
}

static const char *check_items(const struct run *r)
{
    const struct array_case *const c = r->c;
    const struct array *const a = r->a;
    const struct array *const keys = &a[c->in_place ? KEYS_IN : KEYS_OUT];
    const struct array *const values = &a[c->in_place ? VALUES_IN : VALUES_OUT];
    struct item *const want = (struct item *)calloc(2 * r->n + 1, sizeof *want);
    struct item *const got = want + r->n;
    const char *wrong = NULL;

    assert_non_null(want);
    for (size_t i = 0; i < r->n; i++) {
        want[i].c = got[i].c = c;
        want[i].place = i;
        want[i].key = get(&a[KEYS_IN], a[KEYS_IN].host, i);
        got[i].key = c->keys ? get(keys, keys->now, i) : 0;
        if (c->value_bytes) {
            want[i].value = get(&a[VALUES_IN], a[VALUES_IN].host, i);
            got[i].value = get(values, values->now, i);
        }
        got[i].place = c->index_bytes ? get(&a[INDEX], a[INDEX].now, i) : 0;
        if (c->value_bytes == 16) {
            uint64_t upper;

            memcpy(&upper, values->now + GUARD + values->shift + 16 * i + 8, 8);
            if (upper != ~got[i].value)
                wrong = "the upper half of a value is wrong";
        }
    }
    if (!wrong)
        wrong = compare(r, want, got);
    free(want);
    return wrong;
}

/* Are the items behind a count as they were? */
static int rest_stands(const struct run *r, const struct array *a)
{
    const size_t from = GUARD + a->shift + r->n * a->item;

    return !a->host || !memcmp(a->host + from, a->now + from, (r->c->n - r->n) * a->item);
}

/* Fetch all arrays; nothing outside them, and no input that is no output, may have changed. */
static const char *check(struct run *r)
{
    for (int x = 0; x < ARRAYS; x++) {
        struct array *const a = &r->a[x];
        const size_t end = GUARD + a->shift + a->bytes;
        const int input = x == VALUES_IN || x == KEYS_IN || x == ITEMS;

        if (!a->host)
            continue;
        assert_int_equal(cw_memory_read(r->context, a->now, a->device, whole(a)), CW_OK);
        if (memcmp(a->host, a->now, GUARD + a->shift) != 0 ||
            memcmp(a->host + end, a->now + end, GUARD) != 0)
            return "wrote outside an array";
        if (input && (!r->c->in_place || x == ITEMS) && memcmp(a->host, a->now, whole(a)) != 0)
            return "an input was changed";
        if (x < ITEMS && !rest_stands(r, a))
            return "an item behind the count was changed";
    }
    return check_items(r);
}

int array_case_run(cw_context *context, const struct array_case *c)
{
    const char *wrong = NULL;
    struct run r;
    cw_status status;

    run_begin(&r, context, c);
    status = cw_sort(context, &r.job, inside(&r.a[WORKSPACE]), r.a[WORKSPACE].bytes, NULL);
    if (!status)
        status = cw_wait(context, NULL);
    wrong = status ? cw_last_error() : check(&r);
    if (wrong)
        print_message("%s: %s n %zu, flags %u, values %zu, index %zu, keys %d, in place %d, shift "
                      "%zu, bits %u from %u, count %zu, missing %zu, pattern %d, seed %llu\n",
                      wrong, cw_type_name(c->type), c->n, c->flags, c->value_bytes, c->index_bytes,
                      c->keys, c->in_place, c->shift, c->bits, c->first_bit, c->count_bytes,
                      c->missing, (int)c->pattern, (unsigned long long)c->seed);
    run_end(&r);
    return wrong != NULL;
}
