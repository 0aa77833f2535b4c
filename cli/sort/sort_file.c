/* sort_file.c - sort or argsort the rows of an array in a file.
 *
 * Rows that fit into memory are read, sorted and written, as many at a time as fit; a longer row
 * is sorted externally (files/external.h).
 */
#include <stdlib.h>

#include "cli/cli.h"
#include "files/external.h"
#include "sort.h"

#define ROWS_LENGTH 32768u /* longer rows are rather sorted one by one, by cw_sort */

struct batch {
    const struct sort_request *r;
    struct files *f;
    struct on *on;
    size_t key;      /* bytes */
    uint64_t length; /* of a row */
    uint64_t rows;   /* at a time */
    int by_rows;     /* cw_sort_rows rather than cw_sort */
    unsigned char *keys;
    int64_t *places;
    uint32_t *small;             /* places, as cw_sort_rows makes them */
    void *keys_there, *ix_there; /* where the work is done; not the host's on a GPU */
    void *workspace;
    size_t workspace_bytes;
};

static int on_gpu(const struct batch *b)
{
    return cw_context_backend(b->on->context) == CW_CUDA;
}

static cw_array array_job(const struct batch *b, const void *keys, void *index)
{
    cw_array job = {.type = b->f->in.head.type, .flags = sort_flags(b->r), .n = (size_t)b->length};

    job.keys_in = keys;
    if (b->r->argsort) {
        job.index_out = index;
        job.index_bytes = 8;
    } else {
        job.keys_out = (void *)(uintptr_t)keys; /* in place: the buffer is ours */
    }
    return job;
}

static cw_rows rows_job(const struct batch *b, uint64_t rows)
{
    cw_rows job = {.type = b->f->in.head.type,
                   .flags = sort_flags(b->r),
                   .rows = (size_t)rows,
                   .length = (size_t)b->length};

    job.keys_in = b->keys_there;
    if (b->r->argsort)
        job.index_out = (uint32_t *)b->ix_there;
    else
        job.keys_out = b->keys_there;
    return job;
}

/* ---- how many rows at a time -------------------------------------------------------------------- */

/* Bytes of memory for `rows` rows. */
static double needs(struct batch *b, uint64_t rows)
{
    const double n = (double)rows * (double)b->length;
    double bytes = n * (double)b->key + (b->r->argsort ? n * (b->by_rows ? 12 : 8) : 0);
    cw_status status;

    b->keys_there = b->ix_there = b; /* for the workspace it only counts that they are there */
    if (b->by_rows) {
        const cw_rows job = rows_job(b, rows);

        status = cw_sort_rows_workspace(&job, &b->workspace_bytes);
    } else {
        const cw_array job = array_job(b, b, b);

        status = cw_sort_workspace(&job, &b->workspace_bytes);
    }
    b->keys_there = b->ix_there = NULL;
    bytes += (double)b->workspace_bytes;
    return status ? -1 : bytes;
}

/* 0 rows: not one fits.  DONE, or FAILED after a complaint. */
static int plan_rows(struct batch *b)
{
    const struct cw_npy *const head = &b->f->in.head;
    double one;

    b->by_rows = head->dims == 2 && b->length <= ROWS_LENGTH;
    one = needs(b, 1);
    if (one < 0)
        return files_failed(b->f, CW_ERR_INTERNAL);
    b->rows = 0;
    if (one > (double)b->f->memory)
        return DONE;
    b->rows = b->by_rows ? head->rows : 1;
    while (b->rows > 1 && needs(b, b->rows) > (double)b->f->memory)
        b->rows = (b->rows + 1) / 2;
    return needs(b, b->rows) < 0 ? files_failed(b->f, CW_ERR_INTERNAL) : DONE;
}

static int make_room(struct batch *b)
{
    const size_t n = (size_t)(b->rows * b->length);
    const int argsort = b->r->argsort;
    int status = DONE;

    b->keys = (unsigned char *)malloc(n * b->key + 1);
    b->places = (int64_t *)malloc(argsort ? n * 8 + 1 : 1);
    b->small = (uint32_t *)malloc(argsort && b->by_rows ? n * 4 + 1 : 1);
    if (!b->keys || !b->places || !b->small)
        return complain(FAILED, "out of memory for %zu keys", n);
    b->keys_there = b->keys;
    b->ix_there = b->by_rows ? (void *)b->small : (void *)b->places;
    if (on_gpu(b)) {
        status = on_alloc(b->on, n * b->key, &b->keys_there);
        if (!status)
            status = on_alloc(b->on, argsort ? n * (b->by_rows ? 4 : 8) : 0, &b->ix_there);
    }
    return status ? status : on_alloc(b->on, b->workspace_bytes, &b->workspace);
}

/* ---- one batch ----------------------------------------------------------------------------------- */

static cw_status sort_there(const struct batch *b, uint64_t rows)
{
    cw_context *const context = b->on->context;
    cw_status status;

    if (b->by_rows) {
        const cw_rows job = rows_job(b, rows);

        status = cw_sort_rows(context, &job, b->workspace, b->workspace_bytes, NULL);
    } else {
        const cw_array job = array_job(b, b->keys_there, b->ix_there);

        status = cw_sort(context, &job, b->workspace, b->workspace_bytes, NULL);
    }
    return status ? status : cw_wait(context, NULL);
}

static cw_status sort_batch(struct batch *b, uint64_t first, uint64_t rows)
{
    cw_context *const context = b->on->context;
    const uint64_t n = rows * b->length, from = first * b->length;
    const size_t index = b->by_rows ? 4 : 8;
    const int shift = b->f->in.head.kind == CW_NPY_TIME && !b->r->descending;
    cw_status status = cw_array_file_read(&b->f->in, from, n, b->keys);

    if (!status && shift)
        cw_npy_shift(b->keys, n, 0);
    if (!status && on_gpu(b))
        status = cw_memory_write(context, b->keys_there, b->keys, n * b->key);
    if (!status)
        status = sort_there(b, rows);
    if (!status && on_gpu(b))
        status = b->r->argsort ? cw_memory_read(context, b->by_rows ? (void *)b->small : b->places,
                                                b->ix_there, n * index)
                               : cw_memory_read(context, b->keys, b->keys_there, n * b->key);
    if (status)
        return status;
    if (!b->r->argsort) {
        if (shift)
            cw_npy_shift(b->keys, n, 1);
        if (b->f->in.head.swapped)
            cw_swap_bytes(b->keys, n, b->key);
        return cw_output_write(&b->f->out, b->keys, n * b->key, b->f->out_at + from * b->key);
    }
    for (uint64_t i = 0; b->by_rows && i < n; i++)
        b->places[i] = b->small[i];
    return cw_output_write(&b->f->out, b->places, n * 8, b->f->out_at + from * 8);
}

static int sort_batches(struct batch *b)
{
    const uint64_t rows = b->f->in.head.rows;
    int status = make_room(b);

    for (uint64_t row = 0; !status && row < rows; row += b->rows) {
        const uint64_t some = rows - row < b->rows ? rows - row : b->rows;

        status = files_failed(b->f, sort_batch(b, row, some));
        progress_tell(&b->f->progress, (double)(row + some) / (double)rows);
    }
    free(b->keys);
    free(b->places);
    free(b->small);
    return status;
}

/* ---- larger than memory --------------------------------------------------------------------------- */

struct part {
    struct progress *progress;
    double begun, share;
};

static void tell_part(void *user, double done)
{
    const struct part *const p = (const struct part *)user;

    progress_tell(p->progress, p->begun + p->share * done);
}

static int sort_externally(const struct batch *b)
{
    const struct cw_npy *const head = &b->f->in.head;
    struct part part = {&b->f->progress, 0, 1 / (double)head->rows};
    struct cw_external x = {.type = head->type,
                            .flags = sort_flags(b->r),
                            .places = b->r->argsort,
                            .n = b->length,
                            .fd = b->f->in.fd,
                            .path = b->f->in.path,
                            .swapped = head->swapped,
                            .times = head->kind == CW_NPY_TIME,
                            .out = &b->f->out,
                            .memory = b->f->memory,
                            .folder = b->f->folder,
                            .threads = (unsigned)b->on->threads,
                            .progress = tell_part,
                            .user = &part};
    const size_t out = b->r->argsort ? 8 : b->key;
    int status = DONE;

    if (b->r->on.where == 1 || b->r->on.where == 3 || b->r->conflict_free)
        return complain(USAGE, "%s is larger than --memory: that is sorted on the CPU only",
                        b->f->in.path);
    for (uint64_t row = 0; !status && row < head->rows; row++) {
        part.begun = (double)row / (double)head->rows;
        x.at = head->data_at + row * b->length * b->key;
        x.out_at = b->f->out_at + row * b->length * out;
        status = files_failed(b->f, cw_external_sort(&x));
    }
    return status;
}

/* ---- the command ----------------------------------------------------------------------------------- */

int sort_file(struct sort_request *r, struct files *f)
{
    struct batch b = {.r = r, .f = f, .on = &r->on};
    struct cw_npy head;
    const double begun = seconds_now();
    int status = files_open(f, r->data.type);

    if (status)
        return status;
    head = f->in.head;
    if (r->argsort) {
        head.type = CW_I64;
        head.kind = CW_NPY_NUMBER;
        head.swapped = 0;
    }
    b.key = cw_type_bytes(f->in.head.type);
    b.length = f->in.head.length;
    status = on_open(&r->on);
    if (!status)
        status = plan_rows(&b);
    if (!status)
        status = files_begin(f, &head);
    progress_begin(&f->progress, r->argsort ? "argsort" : "sort");
    if (!status && f->in.head.data_bytes)
        status = b.rows ? sort_batches(&b) : sort_externally(&b);
    status = files_end(f, status);
    on_close(&r->on);
    if (!status)
        files_tell(f, &(struct told){.command = r->argsort ? "argsort" : "sort",
                                     .input = f->in_path,
                                     .items = "keys",
                                     .head = &f->in.head,
                                     .seconds = seconds_now() - begun,
                                     .time = r->time,
                                     .json = r->json});
    return status;
}
