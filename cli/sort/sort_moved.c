/* sort_moved.c - sort an array in a file, and move with it what belongs to its keys: other files (--values), or
 * the rest of a record (--by).
 *
 * The index that sorts the keys is made first; then each file is read, gathered by it and written, one after the
 * other.  By several fields: by the last first, each time stable.  Everything at hand is in memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "sort.h"

#define FIELDS_MOST 16

struct moved {
    struct sort_request *r;
    struct files *f;
    struct files values[FILES_SIDES]; /* opened, and begun */
    uint64_t rows, length, n;         /* keys: n = rows * length */
    uint64_t *index;                  /* sorted place -> place, in the whole array */
};

/* ---- the index -------------------------------------------------------------------------------- */

/* Sort these keys: index[i] is the place, in its row, of what comes i-th.  The keys are lost. */
static int argsort_rows(struct moved *x, const struct cw_npy *type, void *keys, uint64_t *index)
{
    struct on *const on = &x->r->on;
    const size_t bytes = (size_t)x->n * cw_type_bytes(type->type);
    cw_rows rows = {.type = type->type,
                    .flags = sort_flags(x->r),
                    .rows = (size_t)x->rows,
                    .length = (size_t)x->length,
                    .index_bytes = 8};
    cw_array array = {
        .type = type->type, .flags = sort_flags(x->r), .n = (size_t)x->n, .index_bytes = 8};
    const int one = x->rows == 1;
    void *keys_there = NULL, *there = NULL, *workspace = NULL;
    size_t needs = 0;
    int status;

    if (type->kind == CW_NPY_TIME && !x->r->descending)
        cw_npy_shift(keys, x->n, 0);
    status = on_copy(on, keys, bytes, &keys_there);
    if (!status)
        status = on_alloc(on, (size_t)x->n * 8, &there);
    rows.keys_in = array.keys_in = keys_there;
    rows.index_out = array.index_out = there;
    if (!status)
        status = on_failed(one ? cw_sort_workspace(&array, &needs)
                               : cw_sort_rows_workspace(&rows, &needs));
    if (!status)
        status = on_alloc(on, needs, &workspace);
    if (!status)
        status = on_failed(one ? cw_sort(on->context, &array, workspace, needs, NULL)
                               : cw_sort_rows(on->context, &rows, workspace, needs, NULL));
    if (!status)
        status = on_failed(cw_wait(on->context, NULL));
    return status ? status : on_read(on, index, there, (size_t)x->n * 8);
}

/* By the keys themselves. */
static int index_by_keys(struct moved *x)
{
    const struct cw_npy *const head = &x->f->in.head;
    void *const keys = malloc((size_t)head->data_bytes + 1);
    int status = keys ? DONE : complain(FAILED, "out of memory for the keys");

    if (!status)
        status = files_failed(x->f, cw_array_file_read(&x->f->in, 0, x->n, keys));
    if (!status)
        status = argsort_rows(x, head, keys, x->index);
    for (uint64_t i = 0; !status && i < x->n; i++)
        x->index[i] += i / x->length * x->length;
    free(keys);
    return status;
}

/* The field of every record, in the order that the index has so far. */
static void take_field(const struct moved *x, const struct cw_npy_field *field,
                       const unsigned char *records, unsigned char *keys)
{
    const size_t bytes = cw_type_bytes(field->type.type);
    const uint64_t record = x->f->in.head.length;

    for (uint64_t i = 0; i < x->n; i++)
        memcpy(keys + i * bytes, records + x->index[i] * record + field->at, bytes);
    if (field->type.swapped)
        cw_swap_bytes(keys, x->n, bytes);
}

/* One field more to sort by: places of places. */
static int index_by_field(struct moved *x, const struct cw_npy_field *field,
                          const unsigned char *records)
{
    unsigned char *const keys = (unsigned char *)malloc((size_t)x->n * 8 + 1);
    uint64_t *const next = (uint64_t *)malloc((size_t)x->n * 8 + 1);
    int status = keys && next ? DONE : complain(FAILED, "out of memory for the keys");

    if (!status) {
        take_field(x, field, records, keys);
        status = argsort_rows(x, &field->type, keys, next);
    }
    for (uint64_t i = 0; !status && i < x->n; i++)
        next[i] = x->index[next[i]];
    for (uint64_t i = 0; !status && i < x->n; i++)
        x->index[i] = next[i];
    free(next);
    free(keys);
    return status;
}

/* The fields of "a,b,c", the first first: how many, or 0 after a complaint. */
static int find_fields(const struct moved *x, struct cw_npy_field out[FIELDS_MOST])
{
    const char *at = x->r->by;
    char name[128];
    int count = 0;

    for (;; at++) {
        const size_t length = strcspn(at, ",");

        if (!length || length >= sizeof name || count == FIELDS_MOST)
            return complain(USAGE, "--by '%s': 1 to %d names of fields, with commas between them",
                            x->r->by, FIELDS_MOST),
                   0;
        memcpy(name, at, length);
        name[length] = 0;
        if (cw_npy_find_field(&x->f->in.head, name, &out[count++]))
            return complain(USAGE, "%s: %s", x->f->in.path, cw_last_error()), 0;
        at += length;
        if (!*at)
            return count;
    }
}

static int index_by_fields(struct moved *x)
{
    const uint64_t bytes = x->f->in.head.data_bytes;
    struct cw_npy_field fields[FIELDS_MOST];
    int count = find_fields(x, fields);
    unsigned char *records;
    int status;

    if (!count)
        return USAGE;
    records = (unsigned char *)malloc((size_t)bytes + 1);
    if (!records)
        return complain(FAILED, "out of memory for %s", x->f->in_path);
    status = files_failed(x->f, cw_array_file_read(&x->f->in, 0, bytes, records));
    for (uint64_t i = 0; i < x->n; i++)
        x->index[i] = i;
    while (!status && count--)
        status = index_by_field(x, &fields[count], records);
    free(records);
    return status;
}

/* ---- moving ----------------------------------------------------------------------------------- */

/* Bytes of what moves with one key. */
static size_t element(const struct moved *x, const struct cw_npy *head)
{
    return x->n ? (size_t)(head->data_bytes / x->n) : 0;
}

/* One file, from `f->in` to `f->out`. */
static int move_file(struct moved *x, struct files *f)
{
    const struct cw_npy *const head = &f->in.head;
    const size_t bytes = element(x, head);
    unsigned char *const in = (unsigned char *)malloc((size_t)head->data_bytes + 1);
    unsigned char *const out = (unsigned char *)malloc((size_t)head->data_bytes + 1);
    int status = in && out ? DONE : complain(FAILED, "out of memory for %s", f->in_path);

    if (!status) /* bytes as they are, whatever their order */
        status = files_failed(
            x->f, cw_read_at(f->in.fd, f->in.path, in, head->data_bytes, head->data_at));
    for (uint64_t i = 0; !status && i < x->n; i++)
        memcpy(out + i * bytes, in + x->index[i] * bytes, bytes);
    if (!status)
        status = files_failed(x->f, cw_output_write(&f->out, out, head->data_bytes, f->out_at));
    free(out);
    free(in);
    return status;
}

/* ---- the command ------------------------------------------------------------------------------ */

/* Does it hold as many items as there are keys? */
static int check_values(const struct moved *x, const struct files *v)
{
    const struct cw_npy *const head = &v->in.head;
    const struct cw_npy *const keys = &x->f->in.head;
    const int rows = keys->dims == 2 && keys->kind != CW_NPY_RECORD;

    if (rows ? head->dims == 2 && head->kind != CW_NPY_RECORD && head->rows == x->rows &&
                   head->length == x->length
             : (head->dims == 2 ? head->rows : head->length) == x->n)
        return DONE;
    return complain(USAGE,
                    "%s has %" PRIu64 " x %" PRIu64 " items, and there are %" PRIu64 " x %" PRIu64
                    " keys",
                    v->in.path, head->rows, head->length, x->rows, x->length);
}

/* Each output is apart from every input but its own. */
static int check_paths(const struct moved *x)
{
    const char *outputs[FILES_SIDES + 1] = {x->f->out_path};
    const char *inputs[FILES_SIDES + 1] = {x->f->in_path};
    const int count = (int)x->r->values.count + 1;
    int status = DONE;

    for (int k = 1; k < count; k++) {
        outputs[k] = x->r->values_out.at[k - 1];
        inputs[k] = x->r->values.at[k - 1];
    }
    for (int k = 0; !status && k < count; k++) {
        const char *const own = inputs[k];

        inputs[k] = NULL;
        status = outputs_apart(outputs + k, 1, inputs, (size_t)count);
        inputs[k] = own;
    }
    if (!status)
        status = inputs_apart(inputs, (size_t)count);
    return status ? status : outputs_apart(outputs, (size_t)count, NULL, 0);
}

static int open_all(struct moved *x)
{
    const struct cw_npy *const head = &x->f->in.head;
    double most = (double)head->data_bytes, largest = 0;
    int status = check_paths(x);

    if (!status)
        status =
            files_open(x->f, x->r->by && x->r->data.type < 0 ? CW_ARRAY_RECORDS : x->r->data.type);
    if (status)
        return status;
    x->rows = x->r->by || head->dims == 1 ? 1 : head->rows;
    x->length = x->r->by && head->kind == CW_NPY_RECORD ? head->rows : head->length;
    x->n = x->rows * x->length;
    for (uint32_t k = 0; !status && k < x->r->values.count; k++) {
        struct files *const v = &x->values[k];

        v->in_path = x->r->values.at[k];
        v->out_path = x->r->values_out.at[k];
        v->tmpdir = x->f->tmpdir;
        v->text = x->f->text;
        v->untyped = 1;
        status = files_open(v, CW_ARRAY_RECORDS);
        if (!status)
            status = check_values(x, v);
        if (!status && (double)v->in.head.data_bytes > most)
            most = (double)v->in.head.data_bytes;
    }
    largest = 2 * most + 48.0 * (double)x->n; /* a file twice; keys, index and workspace */
    if (!status && largest > (double)x->f->memory)
        status =
            complain(USAGE, "%s needs %.0f MiB with what moves with it, and --memory is %.0f MiB",
                     x->f->in.path, largest / 0x1p20, (double)x->f->memory / 0x1p20);
    return status;
}

static int begin_all(struct moved *x)
{
    struct cw_npy head = x->f->in.head;
    int status;

    if (x->r->argsort)
        head = (struct cw_npy){.type = CW_I64, .dims = 1, .rows = 1, .length = x->n};
    status = files_begin(x->f, &head);
    for (uint32_t k = 0; !status && k < x->r->values.count; k++) {
        status = files_begin(&x->values[k], &x->values[k].in.head);
        x->f->sides[x->f->side_count++] = &x->values[k];
    }
    return status;
}

static int move_all(struct moved *x)
{
    int status =
        x->r->argsort
            ? files_failed(x->f, cw_output_write(&x->f->out, x->index, x->n * 8, x->f->out_at))
            : move_file(x, x->f);

    for (uint32_t k = 0; !status && k < x->r->values.count; k++) {
        progress_tell(&x->f->progress, (k + 1.0) / (x->r->values.count + 1));
        status = move_file(x, &x->values[k]);
    }
    return status;
}

int sort_moved(struct sort_request *r, struct files *f)
{
    struct moved x = {.r = r, .f = f};
    const double begun = seconds_now();
    int status;

    for (int k = 0; k < FILES_SIDES; k++)
        x.values[k] = (struct files)FILES_NONE;
    status = open_all(&x);
    if (!status)
        status = begin_all(&x);
    if (!status)
        status = on_open(&r->on);
    progress_begin(&f->progress, r->argsort ? "argsort" : "sort");
    x.index = (uint64_t *)malloc((size_t)x.n * 8 + 1);
    if (!status && !x.index)
        status = complain(FAILED, "out of memory for the index");
    if (!status && x.n)
        status = r->by ? index_by_fields(&x) : index_by_keys(&x);
    if (!status)
        status = move_all(&x);
    status = files_end(f, status);
    for (uint32_t k = 0; k < r->values.count; k++) {
        cw_array_file_close(&x.values[k].in);
        free(x.values[k].folder);
    }
    free(x.index);
    on_close(&r->on);
    if (!status)
        files_tell(f, &(struct told){.command = r->argsort ? "argsort" : "sort",
                                     .input = f->in_path,
                                     .items = r->by ? "records" : "keys",
                                     .head = &f->in.head,
                                     .seconds = seconds_now() - begun,
                                     .time = r->time,
                                     .json = r->json});
    return status;
}
