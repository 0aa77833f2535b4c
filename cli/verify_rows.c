/* verify_rows.c - jobs of cw_sort_rows that reach every row kernel, class by class. */
#include <stdio.h>
#include <string.h>

#include "kernels/rows_plan.h"
#include "kernels/rows_shapes.h"
#include "verify_batch.h"

/* ---- does a job launch the kernel that is asked for? ---------------------------------------- */

struct dry_queue {
    struct cw_queue queue; /* the first member */
    int kernel, found;
};

static cw_status dry_launch(struct cw_queue *q, const struct cw_launch *l)
{
    struct dry_queue *const d = (struct dry_queue *)q;

    d->found |= l->blocks && (int)l->kernel == d->kernel;
    return CW_OK;
}

static cw_status dry_clear(struct cw_queue *q, void *at, size_t bytes)
{
    (void)q;
    (void)at;
    (void)bytes;
    return CW_OK;
}

static cw_status dry_copy(struct cw_queue *q, void *to, const void *from, size_t bytes)
{
    (void)from;
    return dry_clear(q, to, bytes);
}

static int wanted(const struct batch *b)
{
    struct dry_queue d;

    if (b->v->only < 0)
        return 1;
    memset(&d, 0, sizeof d);
    d.queue.launch = dry_launch;
    d.queue.clear = dry_clear;
    d.queue.copy = dry_copy;
    d.queue.processors = 1;
    d.kernel = b->v->only;
    (void)cw_rows_enqueue(&d.queue, &b->job, b->a[WORKSPACE].there);
    return d.found;
}

/* ---- a case --------------------------------------------------------------------------------- */

static void begin(const struct batch *b)
{
    const struct rows_form *const f = &b->c->form;
    char shape[48], value[24] = "";

    if (b->c->last)
        snprintf(shape, sizeof shape, "%u rows to %u by offsets", b->rows, b->length);
    else
        snprintf(shape, sizeof shape, "%u rows of %u", b->rows, b->length);
    if (f->value_bytes)
        snprintf(value, sizeof value, "+%zu", f->value_bytes);
    verify_begin(b->v, "%s %s%s%s%s%s%s", shape, cw_type_name(f->type), value,
                 f->index ? f->no_keys ? " argsort" : " index" : "",
                 f->flags & CW_STABLE ? " stable" : "", f->flags & CW_DESCENDING ? " falling" : "",
                 b->c->shift ? " off 16 bytes" : "");
}

static void run(struct verify *v, struct rows_case c)
{
    struct batch b;
    cw_status status;

    c.salt = v->salt++;
    status = batch_make(v, &c, &b);
    if (status || wanted(&b)) {
        begin(&b);
        if (!status)
            status = batch_sort(&b);
        verify_end(v, status ? cw_last_error() : batch_check(&b));
    }
    batch_free(&b);
}

/* ---- the list ------------------------------------------------------------------------------- */

#define FORMS 6

/* A word size of the kernels: what is sorted in such words, and the classes. */
struct words {
    uint32_t log_k;
    uint32_t last;                /* the longest class that has a kernel */
    struct rows_form any[FORMS];  /* in kernels for any rows */
    struct rows_form full[FORMS]; /* in those for full rows; type 0 in all: there are none */
    int has_full;
};

static const struct words all_words[] = {
    {CW_ROWS_U32_LOG_K,
     15,
     {{CW_F32, 0, 0, 0, 0},
      {CW_U16, 0, 0, 1, 0},
      {CW_U32, CW_DESCENDING, 0, 0, 0},
      {CW_BF16, CW_DESCENDING, 0, 1, 1},
      {CW_I32, 0, 0, 0, 0},
      {CW_I8, 0, 0, 0, 0}},
     {{CW_U32, 0, 0, 0, 0},
      {CW_F32, CW_DESCENDING, 0, 0, 0},
      {CW_I32, 0, 0, 0, 0},
      {CW_F32, 0, 0, 0, 0},
      {CW_U32, CW_DESCENDING, 0, 0, 0},
      {CW_I32, CW_DESCENDING, 0, 0, 0}},
     1},
    {CW_ROWS_U64_LOG_K,
     14,
     {{CW_U32, 0, 4, 0, 0},
      {CW_F64, 0, 0, 0, 0},
      {CW_F32, CW_DESCENDING, 0, 1, 0},
      {CW_U64, CW_DESCENDING, 0, 0, 0},
      {CW_F16, CW_STABLE, 8, 0, 0},
      {CW_I32, 0, 0, 1, 1}},
     {{CW_U64, 0, 0, 0, 0},
      {CW_F64, CW_DESCENDING, 0, 0, 0},
      {CW_I64, 0, 0, 0, 0},
      {CW_F64, 0, 0, 0, 0},
      {CW_U64, CW_DESCENDING, 0, 0, 0},
      {CW_I64, CW_DESCENDING, 0, 0, 0}},
     1},
    {CW_ROWS_U128_LOG_K,
     13,
     {{CW_U64, 0, 8, 0, 0},
      {CW_F64, CW_DESCENDING, 4, 0, 0},
      {CW_I64, CW_STABLE, 4, 0, 0},
      {CW_U64, CW_DESCENDING, 0, 1, 0},
      {CW_F64, CW_STABLE, 8, 1, 0},
      {CW_I64, 0, 0, 1, 1}},
     {{CW_U8, 0, 0, 0, 0}},
     0},
};

/* Short rows: a tile of four warps and a half, and one more; long ones, which have a block each: few. */
static uint32_t rows_of(const struct words *w, uint32_t length)
{
    const uint32_t tile = 4u * 32u << w->log_k;

    if (length <= tile)
        return tile / length + 1 + tile / length / 2;
    return VERIFY_SMALL ? 1 : length <= 1u << (w->last - 1) ? 3 : 2;
}

static void equal_rows(struct verify *v, const struct words *w)
{
    for (uint32_t c = 1; c <= w->last; c++) {
        const uint32_t most = 1u << c, least = most / 2 + 1;
        const int is_long = c > w->log_k + 7;
        struct rows_case x = {w->any[c % FORMS], rows_of(w, most - 1), most - 1, 0, 0, 0, 0};

        run(v, x);
        x.form = w->any[(c + 1) % FORMS];
        x.length = is_long && c % 2 ? most : least;
        x.rows = rows_of(w, x.length);
        x.shift = 1;
        if (!is_long || !VERIFY_SMALL)
            run(v, x);
        x.form = w->full[c % FORMS];
        x.length = most;
        x.rows = rows_of(w, most);
        x.shift = 0;
        if (w->has_full)
            run(v, x);
    }
}

static void rows_in_parts(struct verify *v, const struct words *w)
{
    const uint32_t lengths[] = {(1u << w->last) + 1, (1u << w->last) * 2 - 1, CW_ROWS_MAX};

    for (uint32_t k = 0; w->last < 15 && k < 3; k++) {
        const struct rows_case x = {w->any[k], 1, lengths[k], 0, 0, k % 2,
                                    0};

        if (!VERIFY_SMALL || k == 0)
            run(v, x);
    }
}

static void mixed_rows(struct verify *v, const struct words *w)
{
    for (uint32_t k = 0; k < FORMS; k++) {
        struct rows_case x = {w->any[k], 0, 0, 1, w->log_k + (k % 2 ? 5 : 3), k == 3, 0};

        run(v, x);
    }
    if (w->has_full) {
        struct rows_case x = {w->full[0], 0, 0, 1, w->log_k + 7, 0, 0};

        run(v, x);
        x.form = w->full[1];
        x.first = w->log_k + 8;
        x.last = VERIFY_SMALL ? w->log_k + 8 : w->last;
        run(v, x);
    }
    if (w->last < 15) {
        const struct rows_case x = {w->any[1], 0, 0, w->last + 1, 15, 0, 0};

        if (!VERIFY_SMALL)
            run(v, x);
    }
}

void verify_rows(struct verify *v)
{
    for (size_t k = 0; k < sizeof all_words / sizeof *all_words; k++) {
        equal_rows(v, &all_words[k]);
        rows_in_parts(v, &all_words[k]);
        mixed_rows(v, &all_words[k]);
    }
}
