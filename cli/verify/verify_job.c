/* verify_job.c - a case of rows or of an array: left out, or run and checked. */
#include <stdio.h>
#include <string.h>

#include "backend/dry.h"
#include "sort/sample_sort/request.h"
#include "sort/sort.h"
#include "rows/plan.h"
#include "verify_batch.h"

/* ---- does a job launch the kernel that is asked for? ---------------------------------------- */

struct looked_for {
    int kernel, found;
};

static void look(void *user, const struct cw_launch *l)
{
    struct looked_for *const f = (struct looked_for *)user;

    f->found |= (int)l->kernel == f->kernel;
}

static int wanted(const struct batch *b)
{
    const cw_context *const context = b->v->context;
    struct looked_for f = {b->v->only, 0};
    struct cw_dry_queue d;

    if (b->v->only < 0)
        return 1;
    cw_dry_queue_begin(&d, &context->gpu, context->shapes);
    d.each = look;
    d.user = &f;
    if (b->c->array && b->array.flags & CW_CONFLICT_FREE)
        (void)cw_sample_sort_enqueue_job(&d.queue, &b->array, context->shapes,
                                         b->a[WORKSPACE].there);
    else if (b->c->array)
        (void)cw_sort_enqueue(&d.queue, &b->array, context->shapes, b->a[WORKSPACE].there);
    else
        (void)cw_rows_enqueue(&d.queue, &b->job, b->a[WORKSPACE].there);
    return f.found;
}

/* ---- a case --------------------------------------------------------------------------------- */

static void begin(const struct batch *b)
{
    const struct rows_form *const f = &b->c->form;
    char shape[48], value[24] = "";

    if (b->c->array)
        snprintf(shape, sizeof shape, "an array of %u", b->length);
    else if (b->c->last)
        snprintf(shape, sizeof shape, "%u rows to %u by offsets", b->rows, b->length);
    else
        snprintf(shape, sizeof shape, "%u rows of %u", b->rows, b->length);
    if (f->value_bytes)
        snprintf(value, sizeof value, "+%zu", f->value_bytes);
    verify_begin(b->v, "%s %s%s%s%s%s%s%s", shape, cw_type_name(f->type), value,
                 f->index ? f->no_keys ? " argsort" : " index" : "",
                 f->flags & CW_STABLE ? " stable" : "", f->flags & CW_DESCENDING ? " falling" : "",
                 b->c->array && f->flags & CW_CONFLICT_FREE ? " compared" : "",
                 b->c->shift ? " off 16 bytes" : "");
}

void batch_run(struct verify *v, struct rows_case c)
{
    struct batch b;
    cw_status status;

    c.salt = v->salt++;
    if (verify_skip(v, 0))
        return;
    status = batch_make(v, &c, &b);
    if (status || wanted(&b)) {
        begin(&b);
        if (!status)
            status = batch_sort(&b);
        verify_end(v, status ? cw_last_error() : batch_check(&b));
    }
    batch_free(&b);
}
