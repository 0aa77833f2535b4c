/* partition.c - an array split into buckets; rows of other arrays move along. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#define PAYLOADS_MAX 8

struct parts {
    struct view keys, splitters, keys_out, offsets, padded, index, inverse;
    struct view in[PAYLOADS_MAX], out[PAYLOADS_MAX];
    cw_payload list[PAYLOADS_MAX];
    cw_partition_job job;
};

static cw_status need(const cw_context *host, const void *job, size_t *bytes)
{
    (void)host;
    return cw_partition_workspace((const cw_partition_job *)job, bytes);
}

static cw_status run(struct work *w, const void *job)
{
    return cw_partition(w->context, (const cw_partition_job *)job, w->workspace, w->bytes,
                        w->stream);
}

static void finish(struct parts *p)
{
    view_end(&p->keys);
    view_end(&p->splitters);
    view_end(&p->keys_out);
    view_end(&p->offsets);
    view_end(&p->padded);
    view_end(&p->index);
    view_end(&p->inverse);
    for (size_t i = 0; i < PAYLOADS_MAX; i++) {
        view_end(&p->in[i]);
        view_end(&p->out[i]);
    }
    free(p);
}

/* Labels of signed types are taken as unsigned: a negative one is then no bucket's number. */
static cw_type label_type(int type)
{
    if (type == CW_I8)
        return CW_U8;
    if (type == CW_I16)
        return CW_U16;
    return type == CW_I32 ? CW_U32 : (cw_type)type;
}

static int is_integer(const struct view *v)
{
    return v->type != NO_TYPE && (v->dl.code == DL_INT || v->dl.code == DL_UINT);
}

static int check_keys(struct parts *p)
{
    const struct view *const k = &p->keys;

    if (k->type == NO_TYPE || (p->job.rule == CW_BY_LABEL && !is_integer(k)))
        return refuse_dtype(k, p->job.rule == CW_BY_LABEL
                                   ? "is not taken: labels are whole numbers"
                                   : "is not taken: keys are integers or floats");
    if (k->rank != 1)
        return refuse(PyExc_ValueError, k->name, "rank 1 is expected, not %d", k->rank);
    p->job.type = p->job.rule == CW_BY_LABEL ? label_type(k->type) : (cw_type)k->type;
    p->job.n = k->n;
    p->job.keys_in = k->data;
    return 0;
}

static int take_splitters(struct parts *p, PyObject *given)
{
    if (p->job.rule != CW_BY_SPLITTER)
        return 0;
    if (view_contiguous(&p->splitters, given, "splitters") || same_device(&p->keys, &p->splitters))
        return -1;
    if (p->splitters.type != p->keys.type)
        return refuse(PyExc_TypeError, "splitters", "the keys have another dtype");
    if (p->splitters.rank != 1 || p->splitters.n + 1 != p->job.buckets)
        return refuse(PyExc_ValueError, "splitters", "%u buckets need %u of them, in rank 1",
                      p->job.buckets, p->job.buckets - 1);
    p->job.splitters = p->splitters.data;
    return 0;
}

/* A new array in place i of the tuple; NULL: an exception. */
static void *result(PyObject *tuple, int i, const struct view *like, const struct dl_type *type,
                    int rank, const int64_t *shape, struct view *out)
{
    PyObject *const made = view_new(like, type, rank, shape, out);

    if (!made || PyTuple_SetItem(tuple, i, made))
        return NULL;
    return out->data ? out->data : (void *)out;
}

static int take_payloads(struct parts *p, PyObject *given, PyObject *tuple)
{
    const Py_ssize_t count = PyTuple_Size(given);

    if (count > PAYLOADS_MAX)
        return refuse(PyExc_ValueError, "payloads", "%d at most", PAYLOADS_MAX);
    for (Py_ssize_t i = 0; i < count; i++) {
        struct view *const v = &p->in[i];

        if (view_contiguous(v, PyTuple_GetItem(given, i), "payloads") || same_device(&p->keys, v))
            return -1;
        if (!v->rank || (size_t)v->shape[0] != p->job.n)
            return refuse(PyExc_ValueError, "payloads", "a row for every key is expected");
        p->list[i].bytes = p->job.n ? v->n / p->job.n * v->item : v->item;
        p->list[i].in = v->data;
        p->list[i].out = result(tuple, (int)i, v, NULL, v->rank, v->shape, &p->out[i]);
        if (!p->list[i].out)
            return -1;
    }
    p->job.payload_count = (size_t)count;
    p->job.payloads = p->list;
    return 0;
}

enum { WANT_KEYS = 1, WANT_OFFSETS = 2, WANT_INDEX = 4, WANT_INVERSE = 8 };

/* Results 0 keys, 2 offsets, 3 padded, 4 index, 5 inverse. */
static int make_results(struct parts *p, PyObject *tuple, unsigned want)
{
    const struct dl_type wide = index_type(8), places = index_type(p->job.index_bytes);
    const int64_t buckets = (int64_t)p->job.buckets + 1;
    const int64_t n = (int64_t)p->job.n;
    const struct view *const k = &p->keys;

    if (want & (WANT_INDEX | WANT_INVERSE) &&
        check_places("index_dtype", p->job.n, p->job.index_bytes))
        return -1;
    if (want & WANT_KEYS && !(p->job.keys_out = result(tuple, 0, k, NULL, 1, &n, &p->keys_out)))
        return -1;
    if (want & WANT_OFFSETS &&
        !(p->job.offsets = (uint64_t *)result(tuple, 2, k, &wide, 1, &buckets, &p->offsets)))
        return -1;
    if (p->job.pad_to &&
        !(p->job.padded = (uint64_t *)result(tuple, 3, k, &wide, 1, &buckets, &p->padded)))
        return -1;
    if (want & WANT_INDEX && !(p->job.index_out = result(tuple, 4, k, &places, 1, &n, &p->index)))
        return -1;
    if (want & WANT_INVERSE &&
        !(p->job.inverse_out = result(tuple, 5, k, &places, 1, &n, &p->inverse)))
        return -1;
    if (!(want & (WANT_INDEX | WANT_INVERSE)))
        p->job.index_bytes = 0;
    return 0;
}

static PyObject *new_results(PyObject *payloads)
{
    PyObject *const tuple = PyTuple_New(6);
    PyObject *const moved = PyTuple_New(PyTuple_Size(payloads));

    if (!tuple || !moved) {
        Py_XDECREF(tuple);
        Py_XDECREF(moved);
        return NULL;
    }
    for (int i = 0; i < 6; i++) {
        if (i != 1) {
            Py_INCREF(Py_None);
            (void)PyTuple_SetItem(tuple, i, Py_None);
        }
    }
    (void)PyTuple_SetItem(tuple, 1, moved);
    return tuple;
}

static int take_numbers(struct parts *p, PyObject *const *args)
{
    uint64_t buckets, bit, pad_to;

    p->job.rule = (cw_rule)PyLong_AsLong(args[2]);
    p->job.flags = (unsigned)PyLong_AsUnsignedLong(args[3]);
    p->job.index_bytes = PyLong_AsSize_t(args[10]);
    if (PyErr_Occurred() || whole_number(args[1], "buckets", CW_BUCKETS_MAX, &buckets) ||
        whole_number(args[5], "first_bit", 63, &bit) ||
        whole_number(args[6], "multiplier", UINT64_MAX, &p->job.multiplier) ||
        whole_number(args[9], "pad_to", SIZE_MAX, &pad_to))
        return -1;
    if (!buckets)
        return refuse(PyExc_ValueError, "buckets", "1 at least is expected");
    p->job.buckets = (uint32_t)buckets;
    p->job.first_bit = (unsigned)bit;
    p->job.pad_to = (size_t)pad_to;
    return 0;
}

static int partition(struct parts *p, PyObject *const *args, PyObject *tuple)
{
    if (take_numbers(p, args) || view_contiguous(&p->keys, args[0], "keys") || check_keys(p) ||
        take_splitters(p, args[4]) ||
        make_results(p, tuple, (unsigned)PyLong_AsUnsignedLong(args[8])) ||
        take_payloads(p, args[7], PyTuple_GetItem(tuple, 1)))
        return -1;
    return work_perform(&p->keys, args[11], &p->job, need, run, "keys");
}

/* (keys, buckets, rule, flags, splitters, first_bit, multiplier, payloads, want, pad_to, index_bytes, stream)
 * -> (keys, payloads, offsets, padded, index, inverse), None for what was not wanted */
PyObject *py_partition(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct parts *p;
    PyObject *tuple;

    (void)self;
    if (check_count("partition", count, 12))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("partition", args, count);
    if (!PyTuple_Check(args[7])) {
        (void)refuse(PyExc_TypeError, "payloads", "a tuple is expected");
        return NULL;
    }
    p = (struct parts *)calloc(1, sizeof *p);
    tuple = p ? new_results(args[7]) : PyErr_NoMemory();
    if (tuple && partition(p, args, tuple)) {
        Py_DECREF(tuple);
        tuple = NULL;
    }
    if (p)
        finish(p);
    return tuple;
}
