/* partition_file.c - partition an array in a file.  All of it is in memory at once. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "partition.h"

struct files_job {
    struct partition_request *r;
    struct files side; /* the offsets' */
    uint64_t n;
    size_t key, row; /* bytes of a key, and of what is moved */
    unsigned char *items, *moved, *labels, *splitters;
    uint64_t *offsets;
    cw_partition_job job;
    cw_payload payload;
};

/* All of another file of one dimension with `count` items: on the host, to be freed.  `as`: its type, if it is text;
 * -1: any. */
static int read_side(const struct files *main, const char *path, uint64_t count, const char *what,
                     int as, cw_type *type, unsigned char **out)
{
    const int text = main->text && !cw_npy_name(path);
    struct cw_array_file f;
    int status = DONE;

    if (array_open(path, text ? as : -1, main->tmpdir, main->text, &f))
        return array_refused(0, main->text);
    *type = f.head.type;
    if (f.head.dims != 1 || f.head.length != count)
        status = complain(USAGE, "%s holds %" PRIu64 " %s, not %" PRIu64, f.path,
                          f.head.rows * f.head.length, what, count);
    if (!status) {
        *out = (unsigned char *)malloc((size_t)f.head.data_bytes + 1);
        status = *out ? DONE : complain(FAILED, "out of memory for %s", path);
    }
    if (!status && cw_array_file_read(&f, 0, count, *out))
        status = complain(FAILED, "%s", cw_last_error());
    cw_array_file_close(&f);
    return status;
}

/* What is moved, and by what. */
static int look_at(struct files_job *x)
{
    const struct cw_npy *const head = &x->r->files.in.head;
    cw_type type = head->type, splitters;
    int status = DONE;

    x->n = x->r->labels && head->dims == 2 ? head->rows : head->length;
    x->row = cw_type_bytes(head->type) * (x->r->labels && head->dims == 2 ? head->length : 1);
    if (head->dims == 2 && !x->r->labels)
        return complain(USAGE, "%s has two dimensions: its rows can be moved by --labels only",
                        x->r->files.in.path);
    if (x->r->labels)
        status = read_side(&x->r->files, x->r->labels, x->n, "labels", -1, &type, &x->labels);
    if (!status)
        status = partition_job(x->r, type, (size_t)x->n, &x->job);
    if (!status && x->r->splitters) {
        status = read_side(&x->r->files, x->r->splitters, x->r->buckets - 1, "splitters", (int)type,
                           &splitters, &x->splitters);
        if (!status && splitters != type)
            status = complain(USAGE, "%s holds %s, but the items are %s", x->r->splitters,
                              cw_type_name(splitters), cw_type_name(type));
    }
    x->key = cw_type_bytes(type);
    return status;
}

static int read_items(struct files_job *x)
{
    struct files *const f = &x->r->files;
    const uint64_t bytes = f->in.head.data_bytes;

    if (3.0 * (double)bytes > (double)f->memory)
        return complain(
            USAGE,
            "%s is too large for --memory: a partition takes three times that, --memory %.0fM",
            f->in.path, ceil(3 * (double)bytes / 0x1p20));
    x->items = (unsigned char *)malloc((size_t)bytes + 1);
    x->moved = (unsigned char *)malloc((size_t)bytes + 1);
    x->offsets = (uint64_t *)calloc((size_t)x->r->buckets + 1, sizeof *x->offsets);
    if (!x->items || !x->moved || !x->offsets)
        return complain(FAILED, "out of memory for %s", f->in_path);
    return files_failed(
        f, cw_array_file_read(&f->in, 0, f->in.head.rows * f->in.head.length, x->items));
}

static int run(struct files_job *x, struct on *on)
{
    const size_t n = (size_t)x->n;
    void *keys = NULL, *in = NULL, *out = NULL, *splitters = NULL, *offsets = NULL, *space = NULL;
    size_t bytes = 0;
    cw_status status = CW_OK;

    if (on_copy(on, x->labels ? x->labels : x->items, n * x->key, &keys) ||
        on_alloc(on, n * x->row, &out) || on_alloc(on, ((size_t)x->r->buckets + 1) * 8, &offsets) ||
        (x->labels && on_copy(on, x->items, n * x->row, &in)) ||
        (x->splitters &&
         on_copy(on, x->splitters, ((size_t)x->r->buckets - 1) * x->key, &splitters)))
        return FAILED;
    x->payload = (cw_payload){in, out, x->row};
    x->job.keys_in = keys;
    x->job.keys_out = x->labels ? NULL : out;
    x->job.splitters = splitters;
    x->job.payloads = x->labels ? &x->payload : NULL;
    x->job.payload_count = x->labels ? 1 : 0;
    x->job.offsets = (uint64_t *)offsets;
    status = cw_partition_workspace(&x->job, &bytes);
    if (!status && on_alloc(on, bytes, &space))
        return FAILED;
    if (!status)
        status = cw_partition(on->context, &x->job, space, bytes, NULL);
    if (!status)
        status = cw_wait(on->context, NULL);
    if (status == CW_ERR_LABEL)
        return complain(USAGE, "%s: %s (--buckets)",
                        x->r->labels ? x->r->labels : x->r->files.in_path, cw_last_error());
    if (status)
        return complain(FAILED, "%s", cw_last_error());
    return on_read(on, x->moved, out, n * x->row) ||
                   on_read(on, x->offsets, offsets, ((size_t)x->r->buckets + 1) * 8)
               ? FAILED
               : DONE;
}

/* ---- the results -------------------------------------------------------------------------------- */

/* Only the items may go to the file that they come from. */
static int look_at_paths(const struct partition_request *r)
{
    const char *const outputs[] = {r->files.out_path, r->offsets};
    const char *const inputs[] = {r->labels, r->splitters, r->files.in_path};
    int status = outputs_apart(outputs, 2, inputs, 2);

    if (!status)
        status = inputs_apart(inputs, 3);
    return status ? status : outputs_apart(outputs + 1, 1, &r->files.in_path, 1);
}

/* What cannot be written is told before the work. */
static int begin(struct files_job *x)
{
    const struct cw_npy head = {.type = CW_I64, .dims = 1, .rows = 1, .length = x->r->buckets + 1};
    int status = files_begin(&x->r->files, &x->r->files.in.head);

    x->side.out_path = x->r->offsets;
    x->side.tmpdir = x->r->files.tmpdir;
    x->side.text = x->r->files.text;
    if (!status && x->r->offsets) {
        status = files_begin(&x->side, &head);
        x->r->files.sides[x->r->files.side_count++] = &x->side;
    }
    return status;
}

static int write_results(struct files_job *x)
{
    struct files *const f = &x->r->files;
    const struct cw_npy *const head = &f->in.head;
    cw_status status;

    if (head->swapped)
        cw_swap_bytes(x->moved, head->rows * head->length, cw_type_bytes(head->type));
    status = cw_output_write(&f->out, x->moved, head->data_bytes, f->out_at);
    if (!status && x->r->offsets)
        status = cw_output_write(&x->side.out, x->offsets, (x->r->buckets + 1) * 8, x->side.out_at);
    return files_failed(f, status);
}

int partition_file(struct partition_request *r, const char *path)
{
    struct files_job x = {.r = r, .side = FILES_NONE};
    const double begun = seconds_now();
    int status;

    r->files.in_path = path;
    status = look_at_paths(r);
    if (!status)
        status =
            files_open(&r->files, r->labels && r->data.type < 0 ? CW_ARRAY_RECORDS : r->data.type);
    if (!status)
        status = look_at(&x);
    if (!status)
        status = begin(&x);
    if (!status)
        status = read_items(&x);
    if (!status)
        status = on_open(&r->on);
    if (!status && x.n)
        status = run(&x, &r->on);
    if (!status)
        status = write_results(&x);
    status = files_end(&r->files, status);
    free(x.side.folder);
    on_close(&r->on);
    if (!status)
        files_tell(&r->files, &(struct told){.command = "partition",
                                             .input = path,
                                             .items = "items",
                                             .head = &r->files.in.head,
                                             .seconds = seconds_now() - begun,
                                             .time = r->time,
                                             .json = r->json});
    free(x.items);
    free(x.moved);
    free(x.labels);
    free(x.splitters);
    free(x.offsets);
    return status;
}
