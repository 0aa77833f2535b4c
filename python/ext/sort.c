/* sort.c - sort, argsort and sort_with_index along an axis; sort_pairs.
 *
 * The last axis of a contiguous array is sorted where it lies, a row at a time by cw_sort_rows, or as one array by
 * cw_sort.  Anything else is first copied so that it is (clearway/_arrays.py), and sorted in the copy.
 */
#include "ext.h"

#include <string.h>

#include "cpu/sort/sort.h"

enum { VALUES = 1, INDEX = 2 };

/* Rows this long keep the whole device busy one by one; cw_sort_rows would merge them from parts. */
#define LONG_ROW ((size_t)1 << 20)

/* What is asked for.  Names of arguments are Python's. */
struct request {
    PyObject *x, *values, *out_keys, *out_other, *stream;
    int want;
    unsigned flags;
    size_t index_bytes;
};

struct sorted {
    struct view x, values, keys_out, values_out, index_out;
    PyObject *keys, *moved, *index;
};

static void finish(struct sorted *s)
{
    view_end(&s->x);
    view_end(&s->values);
    view_end(&s->keys_out);
    view_end(&s->values_out);
    view_end(&s->index_out);
    Py_XDECREF(s->keys);
    Py_XDECREF(s->moved);
    Py_XDECREF(s->index);
}

static int check_keys(const struct view *x)
{
    if (x->type == NO_TYPE)
        return refuse_dtype(x,
                            "cannot be sorted; bool, integers of 8 to 64 bits, float16, bfloat16, "
                            "float32 and float64 in this machine's byte order can");
    if (!x->rank)
        return refuse(PyExc_ValueError, x->name, "an array of rank 0 has no axis to sort along");
    return 0;
}

/* Of the axis that is asked for: counted from the first; -1 and an exception: there is none. */
static int axis_of(const struct view *x, PyObject *given)
{
    const long axis = PyLong_AsLong(given);

    if (axis == -1 && PyErr_Occurred()) {
        const int large = PyErr_ExceptionMatches(PyExc_OverflowError);

        PyErr_Clear();
        return large ? refuse(PyExc_ValueError, "axis", "it is out of range")
                     : refuse(PyExc_TypeError, "axis", "an integer is expected");
    }
    if (axis < -x->rank || axis >= x->rank)
        return refuse(PyExc_ValueError, "axis", "%ld is out of range for an array of rank %d", axis,
                      x->rank);
    return (int)(axis < 0 ? axis + x->rank : axis);
}

/* ---- one call of the library ------------------------------------------------------------------- */

static void fill_array(cw_array *job, const struct request *r, const struct sorted *s, size_t n,
                       size_t first)
{
    const size_t key = first * s->x.item, value = first * s->values.item;

    memset(job, 0, sizeof *job);
    job->type = (cw_type)s->x.type;
    job->flags = r->flags;
    job->n = n;
    job->keys_in = (const char *)s->x.data + key;
    if (s->keys)
        job->keys_out = (char *)s->keys_out.data + key;
    if (s->moved) {
        job->values_in = (const char *)s->values.data + value;
        job->values_out = (char *)s->values_out.data + value;
        job->value_bytes = s->values.item;
    }
    if (s->index) {
        job->index_out = (char *)s->index_out.data + first * r->index_bytes;
        job->index_bytes = r->index_bytes;
    }
}

static void fill_rows(cw_rows *job, const struct request *r, const struct sorted *s, size_t rows,
                      size_t length)
{
    memset(job, 0, sizeof *job);
    job->type = (cw_type)s->x.type;
    job->flags = r->flags;
    job->rows = rows;
    job->length = length;
    job->keys_in = s->x.data;
    job->keys_out = s->keys ? s->keys_out.data : NULL;
    if (s->moved) {
        job->values_in = s->values.data;
        job->values_out = s->values_out.data;
        job->value_bytes = s->values.item;
    }
    if (s->index) {
        job->index_out = s->index_out.data;
        job->index_bytes = r->index_bytes;
    }
}

static cw_status sort_arrays(struct work *w, const struct request *r, const struct sorted *s,
                             size_t rows, size_t length)
{
    cw_status status = CW_OK;

    for (size_t row = 0; row < rows && !status; row++) {
        cw_array job;

        fill_array(&job, r, s, length, row * length);
        status = cw_sort(w->context, &job, w->workspace, w->bytes, w->stream);
    }
    return status;
}

/* As one array after another: a single row, long rows, and values that rows do not take. */
static int one_by_one(const struct sorted *s, size_t rows, size_t length)
{
    return rows == 1 || length >= LONG_ROW || (s->moved && s->values.item == 16);
}

struct sort_call {
    const struct request *r;
    const struct sorted *s;
    size_t rows, length;
};

static cw_status sort_need(const cw_context *host, const void *job, size_t *bytes)
{
    const struct sort_call *const c = (const struct sort_call *)job;
    cw_array array;
    cw_rows batch;

    if (one_by_one(c->s, c->rows, c->length)) {
        fill_array(&array, c->r, c->s, c->length, 0);
        if (!host)
            return cw_sort_workspace(&array, bytes);
        *bytes = cw_cpu_sort_workspace(&array);
        return CW_OK;
    }
    if (host) /* rows take none there */
        return CW_OK;
    fill_rows(&batch, c->r, c->s, c->rows, c->length);
    return cw_sort_rows_workspace(&batch, bytes);
}

static cw_status sort_run(struct work *w, const void *job)
{
    const struct sort_call *const c = (const struct sort_call *)job;
    cw_rows batch;

    if (one_by_one(c->s, c->rows, c->length))
        return sort_arrays(w, c->r, c->s, c->rows, c->length);
    fill_rows(&batch, c->r, c->s, c->rows, c->length);
    return cw_sort_rows(w->context, &batch, w->workspace, w->bytes, w->stream);
}

static int perform(const struct request *r, const struct sorted *s)
{
    const size_t length = (size_t)s->x.shape[s->x.rank - 1];
    const size_t rows = s->x.rank == 1 || !length ? 1 : s->x.n / length;
    const struct sort_call c = {r, s, rows, length};

    if (!s->x.n)
        return 0;
    return work_perform(&s->x, r->stream, &c, sort_need, sort_run, NULL);
}

/* ---- sort, argsort, sort_with_index -------------------------------------------------------------- */

static PyObject *result_of(const struct request *r, struct sorted *s)
{
    if (r->want == VALUES) {
        Py_INCREF(s->keys);
        return s->keys;
    }
    if (r->want == INDEX) {
        Py_INCREF(s->index);
        return s->index;
    }
    return PyTuple_Pack(2, s->keys, s->index);
}

static PyObject *sort_straight(const struct request *r, struct sorted *s)
{
    const struct dl_type places = index_type(r->index_bytes);

    if (r->want & INDEX &&
        check_places("index_dtype", (size_t)s->x.shape[s->x.rank - 1], r->index_bytes))
        return NULL;
    if (r->want & VALUES) {
        s->keys = view_out(r->out_keys, "out", &s->x, NULL, s->x.rank, s->x.shape, &s->keys_out);
        if (!s->keys)
            return NULL;
    }
    if (r->want & INDEX) {
        s->index =
            view_out(r->out_other, "out", &s->x, &places, s->x.rank, s->x.shape, &s->index_out);
        if (!s->index)
            return NULL;
    }
    return perform(r, s) ? NULL : result_of(r, s);
}

/* By a copy with the axis last.  The helper calls py_sort again with it. */
static PyObject *sort_by_copy(const struct request *r, int axis)
{
    return helper("sort_by_copy", "(OiiIkOOO)", r->x, axis, r->want, r->flags,
                  (unsigned long)r->index_bytes, r->out_keys, r->out_other, r->stream);
}

static int usable(PyObject *given)
{
    struct view v;
    int contiguous;

    if (given == Py_None)
        return 1;
    contiguous = !view_begin(&v, given, "out") && v.contiguous;
    view_end(&v);
    PyErr_Clear(); /* what is wrong with it is said later */
    return contiguous;
}

/* (x, want, axis, flags, index_bytes, out of values, out of the index, stream) */
PyObject *py_sort(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct request r = {0};
    struct sorted s;
    PyObject *result = NULL;
    int axis;

    (void)self;
    if (check_count("sort", count, 8))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("sort", args, count);
    memset(&s, 0, sizeof s);
    r.x = args[0];
    r.want = (int)PyLong_AsLong(args[1]);
    r.flags = (unsigned)PyLong_AsUnsignedLong(args[3]);
    r.index_bytes = PyLong_AsSize_t(args[4]);
    r.out_keys = args[5];
    r.out_other = args[6];
    r.stream = args[7];
    if (PyErr_Occurred() || view_begin(&s.x, r.x, "x") || check_keys(&s.x))
        goto done;
    axis = axis_of(&s.x, args[2]);
    if (axis < 0)
        goto done;
    if (axis == s.x.rank - 1 && s.x.contiguous && usable(r.out_keys) && usable(r.out_other))
        result = sort_straight(&r, &s);
    else
        result = sort_by_copy(&r, axis);
done:
    finish(&s);
    return result;
}

/* ---- sort_pairs -------------------------------------------------------------------------------- */

static int check_pair(const struct sorted *s)
{
    if (same_device(&s->x, &s->values))
        return -1;
    if (!same_shape(&s->x, &s->values))
        return refuse(PyExc_ValueError, "values", "their shape is not that of the keys");
    return 0;
}

static PyObject *pairs_straight(const struct request *r, struct sorted *s)
{
    s->keys = view_out(r->out_keys, "out", &s->x, NULL, s->x.rank, s->x.shape, &s->keys_out);
    if (!s->keys)
        return NULL;
    s->moved =
        view_out(r->out_other, "out", &s->values, NULL, s->x.rank, s->x.shape, &s->values_out);
    if (!s->moved || perform(r, s))
        return NULL;
    return PyTuple_Pack(2, s->keys, s->moved);
}

/* (keys, values, flags, out of keys, out of values, stream): contiguous, along the last axis, and the values of a width
 * that moves with keys; the caller has seen to that.  None: it has not. */
PyObject *py_sort_pairs(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct request r = {0};
    struct sorted s;
    PyObject *result = NULL;

    (void)self;
    if (check_count("sort_pairs", count, 6))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("sort_pairs", args, count);
    memset(&s, 0, sizeof s);
    r.flags = (unsigned)PyLong_AsUnsignedLong(args[2]);
    r.out_keys = args[3];
    r.out_other = args[4];
    r.stream = args[5];
    if (PyErr_Occurred() || view_begin(&s.x, args[0], "keys") || check_keys(&s.x) ||
        view_begin(&s.values, args[1], "values") || check_pair(&s))
        goto done;
    if (s.x.contiguous && s.values.contiguous && s.values.item <= 16 &&
        !(s.values.item & (s.values.item - 1)) && usable(r.out_keys) && usable(r.out_other)) {
        result = pairs_straight(&r, &s);
    } else {
        Py_INCREF(Py_None);
        result = Py_None;
    }
done:
    finish(&s);
    return result;
}
