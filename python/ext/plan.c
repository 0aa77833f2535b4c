/* plan.c - permutations made ready once.  A plan is a capsule; its table is written for each device that it is
 * executed on, and kept with it. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#define CAPSULE    "clearway.plan"
#define TABLES_MAX 32

struct table {
    int device;
    cw_context *context;
    void *memory;
};

struct plan {
    cw_plan *plan;
    struct table tables[TABLES_MAX];
    int count;
};

static void plan_free(PyObject *capsule)
{
    struct plan *const p = (struct plan *)PyCapsule_GetPointer(capsule, CAPSULE);

    if (!p)
        return;
    for (int i = 0; i < p->count; i++) {
        cw_memory_free(p->tables[i].context, p->tables[i].memory);
        cw_context_destroy(p->tables[i].context);
    }
    cw_plan_destroy(p->plan);
    free(p);
}

static PyObject *plan_wrap(cw_plan *made)
{
    struct plan *const p = (struct plan *)calloc(1, sizeof *p);
    PyObject *capsule;

    if (!p) {
        cw_plan_destroy(made);
        return PyErr_NoMemory();
    }
    p->plan = made;
    capsule = PyCapsule_New(p, CAPSULE, plan_free);
    if (!capsule) {
        cw_plan_destroy(made);
        free(p);
    }
    return capsule;
}

static struct plan *plan_of(PyObject *capsule)
{
    return (struct plan *)PyCapsule_GetPointer(capsule, CAPSULE);
}

/* (index on the host, bytes of an item, flags, threads) */
PyObject *py_plan_create(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view index = {0};
    cw_plan *made = NULL;
    PyThreadState *thread;
    PyObject *capsule = NULL;
    uint64_t bytes, threads;
    unsigned flags;
    cw_status status;

    (void)self;
    if (check_count("plan_create", count, 4))
        return NULL;
    flags = (unsigned)PyLong_AsUnsignedLong(args[2]);
    if (PyErr_Occurred() || whole_number(args[1], "itemsize", SIZE_MAX, &bytes) ||
        whole_number(args[3], "threads", 65536, &threads) ||
        view_contiguous(&index, args[0], "index"))
        goto done;
    if (index.device != HOST || index.rank != 1 || (index.item != 4 && index.item != 8) ||
        (index.dl.code != DL_INT && index.dl.code != DL_UINT)) {
        (void)refuse(PyExc_TypeError, "index",
                     "rank 1 of int32, int64, uint32 or uint64, on the host, is expected");
        goto done;
    }
    thread = PyEval_SaveThread();
    status = cw_plan_create(index.data, index.item, index.n, (size_t)bytes, flags,
                            (unsigned)threads, &made);
    PyEval_RestoreThread(thread);
    if (!raise_status(status, "index"))
        capsule = plan_wrap(made);
done:
    view_end(&index);
    return capsule;
}

/* ---- execution ----------------------------------------------------------------------------------- */

struct execution {
    const struct plan *plan;
    const void *table, *in;
    void *out;
};

static cw_status need(const cw_context *host, const void *job, size_t *bytes)
{
    (void)host;
    return cw_plan_workspace(((const struct execution *)job)->plan->plan, bytes);
}

static cw_status run(struct work *w, const void *job)
{
    const struct execution *const e = (const struct execution *)job;

    return cw_plan_execute(w->context, e->plan->plan, e->table, e->in, e->out, w->workspace,
                           w->bytes, w->stream);
}

static cw_status new_table(struct table *t, const struct plan *p, int device)
{
    cw_status status = cw_context_create(device == HOST ? CW_CPU : CW_CUDA, &t->context);

    if (!status)
        status = cw_memory_alloc(t->context, cw_plan_table_bytes(p->plan), &t->memory);
    if (!status)
        status = cw_plan_write_table(t->context, p->plan, t->memory);
    if (status) {
        cw_memory_free(t->context, t->memory);
        cw_context_destroy(t->context);
    }
    t->device = device;
    return status;
}

/* The plan's table on the array's device; NULL without an exception: it has none. */
static const void *table_of(struct plan *p, const struct view *x)
{
    struct work w;
    cw_status status;

    if (!cw_plan_table_bytes(p->plan))
        return NULL;
    for (int i = 0; i < p->count; i++) {
        if (p->tables[i].device == x->device)
            return p->tables[i].memory;
    }
    if (p->count == TABLES_MAX) {
        (void)refuse(PyExc_ValueError, "x", "the plan is on %d devices already", TABLES_MAX);
        return NULL;
    }
    if (work_begin(&w, x, Py_None)) /* makes the device current */
        return NULL;
    memset(&p->tables[p->count], 0, sizeof p->tables[0]);
    status = new_table(&p->tables[p->count], p, x->device);
    work_end(&w);
    if (raise_status(status, NULL))
        return NULL;
    return p->tables[p->count++].memory;
}

static int fits(const struct plan *p, const struct view *x)
{
    const size_t items = cw_plan_items(p->plan), bytes = cw_plan_item_bytes(p->plan);

    if (x->rank && (size_t)x->shape[0] == items && (!items || x->n / items * x->item == bytes))
        return 0;
    return refuse(PyExc_ValueError, "x", "the plan is for %zu rows of %zu bytes", items, bytes);
}

/* (plan, x, out, stream) */
PyObject *py_plan_execute(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view x = {0}, out = {0};
    struct execution e = {0};
    struct plan *p;
    PyObject *made = NULL;

    (void)self;
    if (check_count("plan_execute", count, 4))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("plan_execute", args, count);
    p = plan_of(args[0]);
    if (!p || view_contiguous(&x, args[1], "x") || fits(p, &x))
        goto done;
    e.plan = p;
    e.table = table_of(p, &x);
    if (PyErr_Occurred())
        goto done;
    made = view_out(args[2], "out", &x, NULL, x.rank, x.shape, &out);
    if (!made)
        goto done;
    e.in = x.data;
    e.out = out.data;
    made = made_unless(made, x.n && work_perform(&x, args[3], &e, need, run, NULL));
done:
    view_end(&x);
    view_end(&out);
    return made;
}

/* ---- files --------------------------------------------------------------------------------------- */

/* (plan, path as bytes) */
PyObject *py_plan_save(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct plan *p;
    const char *path;
    PyThreadState *thread;
    cw_status status;

    (void)self;
    if (check_count("plan_save", count, 2))
        return NULL;
    p = plan_of(args[0]);
    path = p ? PyBytes_AsString(args[1]) : NULL;
    if (!path)
        return NULL;
    thread = PyEval_SaveThread();
    status = cw_plan_save(p->plan, path);
    PyEval_RestoreThread(thread);
    if (raise_status(status, NULL))
        return NULL;
    Py_RETURN_NONE;
}

/* (path as bytes) */
PyObject *py_plan_load(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    cw_plan *made = NULL;
    const char *path;
    PyThreadState *thread;
    cw_status status;

    (void)self;
    if (check_count("plan_load", count, 1))
        return NULL;
    path = PyBytes_AsString(args[0]);
    if (!path)
        return NULL;
    thread = PyEval_SaveThread();
    status = cw_plan_load(path, &made);
    PyEval_RestoreThread(thread);
    return raise_status(status, NULL) ? NULL : plan_wrap(made);
}

/* (plan) -> kind, items, bytes of an item, bytes of the table */
PyObject *py_plan_about(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct plan *p;

    (void)self;
    if (check_count("plan_about", count, 1))
        return NULL;
    p = plan_of(args[0]);
    if (!p)
        return NULL;
    return Py_BuildValue("skkk", cw_plan_kind(p->plan), (unsigned long)cw_plan_items(p->plan),
                         (unsigned long)cw_plan_item_bytes(p->plan),
                         (unsigned long)cw_plan_table_bytes(p->plan));
}
