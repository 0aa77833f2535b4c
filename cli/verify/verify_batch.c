#include "verify_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "inputs/random.h"
#include "verify_keys.h"

/* ---- shape ---------------------------------------------------------------------------------- */

/* Row r of mixed lengths.  For each class 2^c comes at a place where rows can be full, and again
 * where they cannot, with the lengths beside it; long ones once. */
static uint32_t mixed_length(const struct rows_case *c, uint32_t r)
{
    static const uint32_t begin[] = {1, 0, 2, 2, 1, 3, 3}; /* 12 items */
    uint32_t k = c->first;

    if (k <= 1) {
        if (r < 7)
            return begin[r];
        r -= 7;
        k = 2;
    }
    for (;; k++) {
        const uint32_t n = 1u << k, rows = k < 13 ? 4 : c->once ? 1 : 2;
        const uint32_t lengths[] = {n, n - 1, n, n + 1};

        if (k > c->last)
            return UINT32_MAX;
        if (r < rows)
            return lengths[r];
        r -= rows;
    }
}

static cw_status make_offsets(struct batch *b)
{
    const struct rows_case *const c = b->c;
    uint32_t rows = c->rows;

    b->length = c->length;
    if (c->last) {
        for (rows = 0; mixed_length(c, rows) != UINT32_MAX; rows++) {
            if (mixed_length(c, rows) > b->length)
                b->length = mixed_length(c, rows);
        }
    }
    b->rows = rows;
    b->offsets = (uint64_t *)calloc(rows + 1, sizeof *b->offsets);
    if (!b->offsets)
        return cw_fail(CW_ERR_MEMORY, "out of memory for %u rows", rows);
    for (uint32_t r = 0; r < rows; r++)
        b->offsets[r + 1] = b->offsets[r] + (c->last ? mixed_length(c, r) : c->length);
    b->items = (size_t)b->offsets[rows];
    return CW_OK;
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* Of 16 bytes: the first 8. */
static uint64_t item_of(const struct verify_array *a, size_t bytes, size_t x)
{
    uint64_t bits = 0;

    memcpy(&bits, (const char *)a->host + x * bytes, bytes < sizeof bits ? bytes : sizeof bits);
    return bits;
}

static enum verify_pattern pattern_of(const struct batch *b, uint32_t row)
{
    return b->c->keys != KEYS_BY_SALT ? (enum verify_pattern)b->c->keys
                                      : verify_pattern_of(row, b->c->salt);
}

static void fill(struct batch *b)
{
    const struct rows_form *const f = &b->c->form;
    const size_t bytes = cw_type_bytes(f->type);
    uint64_t random = 1000u + b->c->salt;

    for (uint32_t r = 0; r < b->rows; r++) {
        const enum verify_pattern p = pattern_of(b, r);
        const uint32_t n = (uint32_t)(b->offsets[r + 1] - b->offsets[r]);

        for (uint64_t i = 0; i < n; i++) {
            const size_t x = (size_t)(b->offsets[r] + i);
            const uint64_t key = verify_key(f->type, p, (uint32_t)i, n, &random);
            const uint64_t value[2] = {i, ~i};

            memcpy((char *)b->a[KEYS_IN].host + x * bytes, &key, bytes);
            memcpy((char *)b->a[VALUES_IN].host + x * f->value_bytes, value, f->value_bytes);
        }
    }
    if (b->c->last)
        memcpy(b->a[OFFSETS].host, b->offsets, b->a[OFFSETS].bytes);
}

static void fill_job(struct batch *b)
{
    const struct rows_form *const f = &b->c->form;

    memset(&b->job, 0, sizeof b->job);
    b->job.type = f->type;
    b->job.flags = f->flags;
    b->job.rows = b->rows;
    b->job.length = b->length;
    b->job.offsets = b->c->last ? (const uint64_t *)b->a[OFFSETS].there : NULL;
    b->job.items = b->c->last ? b->items : 0;
    b->job.keys_in = b->a[KEYS_IN].there;
    b->job.keys_out = f->no_keys ? NULL : b->a[KEYS_OUT].there;
    b->job.values_in = f->value_bytes ? b->a[VALUES_IN].there : NULL;
    b->job.values_out = f->value_bytes ? b->a[VALUES_OUT].there : NULL;
    b->job.value_bytes = f->value_bytes;
    b->job.index_out = f->index ? (uint32_t *)b->a[INDEX].there : NULL;
}

static void fill_array(struct batch *b)
{
    const struct rows_form *const f = &b->c->form;

    memset(&b->array, 0, sizeof b->array);
    b->array.type = f->type;
    b->array.flags = f->flags;
    b->array.n = b->items;
    b->array.keys_in = b->job.keys_in;
    b->array.keys_out = b->job.keys_out;
    b->array.values_in = b->job.values_in;
    b->array.values_out = b->job.values_out;
    b->array.value_bytes = f->value_bytes;
    b->array.index_out = b->job.index_out;
    b->array.index_bytes = f->index ? sizeof(uint32_t) : 0;
    b->array.bits = b->c->bits ? b->c->bits : 8u * (unsigned)cw_type_bytes(f->type);
}

static cw_status make_arrays(struct batch *b)
{
    const struct rows_form *const f = &b->c->form;
    const size_t key = cw_type_bytes(f->type), value = f->value_bytes;
    const size_t bytes[WORKSPACE] = {b->items * key,
                                     b->items * key,
                                     b->items * value,
                                     b->items * value,
                                     b->items * sizeof(uint32_t),
                                     (b->rows + (size_t)1) * sizeof(uint64_t)};
    const size_t size[WORKSPACE] = {key, key, value, value, sizeof(uint32_t), 0};
    size_t workspace = 0;
    cw_status status = CW_OK;

    for (int x = 0; x < WORKSPACE && !status; x++)
        status = verify_array_make(b->v, &b->a[x], bytes[x], b->c->shift * size[x]);
    if (status)
        return status;
    fill(b);
    fill_job(b);
    fill_array(b);
    status = b->c->array ? cw_sort_workspace(&b->array, &workspace)
                         : cw_sort_rows_workspace(&b->job, &workspace);
    if (!status)
        status = verify_array_make(b->v, &b->a[WORKSPACE], workspace, 0);
    for (int x = 0; x < BATCH_ARRAYS && !status; x++)
        status = verify_send(b->v, &b->a[x]);
    return status;
}

cw_status batch_make(struct verify *v, const struct rows_case *c, struct batch *b)
{
    cw_status status;

    memset(b, 0, sizeof *b);
    b->v = v;
    b->c = c;
    status = make_offsets(b);
    return status ? status : make_arrays(b);
}

void batch_free(struct batch *b)
{
    for (int x = 0; x < BATCH_ARRAYS; x++)
        verify_array_free(b->v, &b->a[x]);
    free(b->offsets);
}

cw_status batch_sort(struct batch *b)
{
    cw_context *const context = b->v->context;
    const struct verify_array *const w = &b->a[WORKSPACE];
    cw_status status = b->c->array ? cw_sort(context, &b->array, w->there, w->bytes, NULL)
                                   : cw_sort_rows(context, &b->job, w->there, w->bytes, NULL);

    if (!status)
        status = cw_wait(b->v->context, NULL);
    for (int x = KEYS_OUT; x <= INDEX && !status; x++) {
        if (x != VALUES_IN)
            status = verify_fetch(b->v, &b->a[x]);
    }
    return status;
}

/* ---- the outcome ---------------------------------------------------------------------------- */

struct item {
    uint64_t rank;
    uint32_t place;
};

static int by_rank(const void *x, const void *y)
{
    const struct item *const a = (const struct item *)x, *const b = (const struct item *)y;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

struct row {
    size_t start, n;
    struct item *want; /* in the order of sorting, equals as they came */
    char *seen;        /* places that have come out */
};

/* Equal floats may change places, unless their order is kept. */
static int same_key(const struct rows_form *f, uint64_t is, uint64_t should)
{
    if (f->flags & CW_STABLE || f->index)
        return is == should;
    return verify_rank(f->type, f->flags, is) == verify_rank(f->type, f->flags, should);
}

/* Values of equal keys may come in any order, each place once. */
static const char *check_value(const struct batch *b, const struct row *row, size_t x)
{
    const struct rows_form *const f = &b->c->form;
    const size_t key = cw_type_bytes(f->type);
    const uint32_t want = row->want[x].place;
    const uint64_t place = item_of(&b->a[VALUES_OUT], f->value_bytes, row->start + x);

    if (f->value_bytes == 16 && item_of(&b->a[VALUES_OUT], 8, 2 * (row->start + x) + 1) != ~place)
        return "half of a value is wrong";
    if (f->index || f->flags & CW_STABLE)
        return place == want ? NULL : "a value is wrong";
    if (place >= row->n || row->seen[place] ||
        !same_key(f, item_of(&b->a[KEYS_IN], key, row->start + (size_t)place),
                  item_of(&b->a[KEYS_IN], key, row->start + want)))
        return "a value is wrong, or there twice";
    row->seen[place] = 1;
    return NULL;
}

/* The sum of a hash of each key: whether all came out. */
static uint64_t keys_sum(const struct batch *b, const struct row *row, int which)
{
    const size_t key = cw_type_bytes(b->c->form.type);
    uint64_t sum = 0;

    for (size_t i = 0; i < row->n; i++)
        sum += cw_mixed(item_of(&b->a[which], key, row->start + i) + 1);
    return sum;
}

static const char *check_item(const struct batch *b, const struct row *row, size_t x)
{
    const struct rows_form *const f = &b->c->form;
    const size_t key = cw_type_bytes(f->type);
    const uint32_t want = row->want[x].place;

    if (!f->no_keys && !same_key(f, item_of(&b->a[KEYS_OUT], key, row->start + x),
                                 item_of(&b->a[KEYS_IN], key, row->start + want)))
        return "a key is wrong";
    if (f->index && item_of(&b->a[INDEX], sizeof want, row->start + x) != want)
        return "an index is wrong";
    return f->value_bytes ? check_value(b, row, x) : NULL;
}

static const char *check_row(const struct batch *b, uint32_t r, struct row *row)
{
    const struct rows_form *const f = &b->c->form;
    const size_t key = cw_type_bytes(f->type);
    const char *wrong = NULL;

    row->start = (size_t)b->offsets[r];
    row->n = (size_t)b->offsets[r + 1] - row->start;
    memset(row->seen, 0, row->n);
    for (size_t i = 0; i < row->n; i++) {
        row->want[i].rank =
            verify_rank(f->type, f->flags, item_of(&b->a[KEYS_IN], key, row->start + i));
        row->want[i].place = (uint32_t)i;
    }
    qsort(row->want, row->n, sizeof *row->want, by_rank);
    for (size_t i = 0; i < row->n && !wrong; i++)
        wrong = check_item(b, row, i);
    if (!wrong && !f->no_keys && keys_sum(b, row, KEYS_IN) != keys_sum(b, row, KEYS_OUT))
        wrong = "keys were lost";
    return wrong;
}

const char *batch_check(const struct batch *b)
{
    static char says[128];
    struct row row = {0, 0, (struct item *)calloc(b->length, sizeof *row.want),
                      (char *)calloc(b->length, 1)};
    const char *wrong = row.want && row.seen ? NULL : "out of memory to check the rows";

    for (uint32_t r = 0; r < b->rows && !wrong; r++) {
        wrong = check_row(b, r, &row);
        if (wrong) {
            snprintf(says, sizeof says, "row %u (%s): %s", r, verify_pattern_name(pattern_of(b, r)),
                     wrong);
            wrong = says;
        }
    }
    free(row.want);
    free(row.seen);
    return wrong;
}
