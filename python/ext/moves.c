/* moves.c - take and scatter, transpose, shuffle, gather_sum.
 *
 * A result has rows of the array's shape; an element is a row of axis 0.  Arrays that are not contiguous are copied
 * once, before.
 */
#include "ext.h"

#include <string.h>

#include "api/needs.h"

/* Bytes of a row: all axes but the first. */
static size_t row_bytes(const struct view *x)
{
    size_t bytes = x->item;

    for (int d = 1; d < x->rank; d++)
        bytes *= (size_t)x->shape[d];
    return bytes;
}

static int check_index(const struct view *index, size_t *bytes, int *is_signed)
{
    *bytes = index->item;
    *is_signed = index->dl.code == DL_INT;
    if (index->type == CW_I32 || index->type == CW_I64 || index->type == CW_U32 ||
        index->type == CW_U64)
        return 0;
    return refuse(PyExc_TypeError, index->name, "int32, int64, uint32 or uint64 is expected");
}

static int check_rows(const struct view *x)
{
    if (x->rank)
        return 0;
    return refuse(PyExc_ValueError, x->name, "an array of rank 0 has no rows");
}

/* ---- take, scatter ------------------------------------------------------------------------------ */

static cw_status permute_need(const cw_context *host, const void *job, size_t *bytes)
{
    if (!host)
        return cw_permute_workspace((const cw_permute_job *)job, bytes);
    *bytes = cw_permute_need(host, (const cw_permute_job *)job);
    return CW_OK;
}

static cw_status permute_run(struct work *w, const void *job)
{
    return cw_permute(w->context, (const cw_permute_job *)job, w->workspace, w->bytes, w->stream);
}

static int fill_permute(cw_permute_job *job, const struct view *x, const struct view *index)
{
    if (check_rows(x) || check_index(index, &job->index_bytes, &job->index_signed) ||
        same_device(x, index))
        return -1;
    if (index->rank != 1 || index->shape[0] != x->shape[0])
        return refuse(PyExc_ValueError, "indices",
                      "as many as x has rows are expected, in an array of rank 1");
    job->n = (size_t)x->shape[0];
    job->bytes = row_bytes(x);
    job->in = x->data;
    job->index = index->data;
    return 0;
}

/* (x, indices, flags, out, stream) */
PyObject *py_permute(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view x = {0}, index = {0}, out = {0};
    cw_permute_job job = {0};
    PyObject *made = NULL;

    (void)self;
    if (check_count("permute", count, 5))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("permute", args, count);
    job.flags = (unsigned)PyLong_AsUnsignedLong(args[2]);
    if (PyErr_Occurred() || view_contiguous(&x, args[0], "x") ||
        view_contiguous(&index, args[1], "indices") || fill_permute(&job, &x, &index))
        goto done;
    made = view_out(args[3], "out", &x, NULL, x.rank, x.shape, &out);
    if (!made)
        goto done;
    job.out = out.data;
    made = made_unless(
        made, x.n && work_perform(&x, args[4], &job, permute_need, permute_run, "indices"));
done:
    view_end(&x);
    view_end(&index);
    view_end(&out);
    return made;
}

/* ---- transpose ---------------------------------------------------------------------------------- */

static cw_status transpose_need(const cw_context *host, const void *job, size_t *bytes)
{
    (void)host;
    return cw_transpose_workspace((const cw_transpose_job *)job, bytes);
}

static cw_status transpose_run(struct work *w, const void *job)
{
    return cw_transpose(w->context, (const cw_transpose_job *)job, w->workspace, w->bytes,
                        w->stream);
}

/* (x, out, stream): the last two axes change places */
PyObject *py_transpose(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view x = {0}, out = {0};
    cw_transpose_job job = {0};
    int64_t shape[RANK_MAX];
    PyObject *made = NULL;

    (void)self;
    if (check_count("transpose", count, 3))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("transpose", args, count);
    if (view_contiguous(&x, args[0], "x"))
        goto done;
    if (x.rank < 2) {
        (void)refuse(PyExc_ValueError, "x", "rank 2 at least is expected, not %d", x.rank);
        goto done;
    }
    memcpy(shape, x.shape, sizeof shape);
    job.rows = (size_t)(shape[x.rank - 1] = x.shape[x.rank - 2]);
    job.columns = (size_t)(shape[x.rank - 2] = x.shape[x.rank - 1]);
    job.batch = x.n ? x.n / job.rows / job.columns : 0;
    job.bytes = x.item;
    made = view_out(args[1], "out", &x, NULL, x.rank, shape, &out);
    if (!made)
        goto done;
    job.in = x.data;
    job.out = out.data;
    made = made_unless(made,
                       x.n && work_perform(&x, args[2], &job, transpose_need, transpose_run, NULL));
done:
    view_end(&x);
    view_end(&out);
    return made;
}

/* ---- shuffle ------------------------------------------------------------------------------------ */

static cw_status shuffle_need(const cw_context *host, const void *job, size_t *bytes)
{
    (void)host;
    return cw_shuffle_workspace((const cw_shuffle_job *)job, bytes);
}

static cw_status shuffle_run(struct work *w, const void *job)
{
    return cw_shuffle(w->context, (const cw_shuffle_job *)job, w->workspace, w->bytes, w->stream);
}

/* (x, seed, inverse, out, stream) */
PyObject *py_shuffle(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view x = {0}, out = {0};
    cw_shuffle_job job = {0};
    PyObject *made = NULL;

    (void)self;
    if (check_count("shuffle", count, 5))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("shuffle", args, count);
    job.inverse = PyObject_IsTrue(args[2]);
    if (PyErr_Occurred() || whole_number(args[1], "seed", UINT64_MAX, &job.seed) ||
        view_contiguous(&x, args[0], "x") || check_rows(&x))
        goto done;
    made = view_out(args[3], "out", &x, NULL, x.rank, x.shape, &out);
    if (!made)
        goto done;
    job.n = (size_t)x.shape[0];
    job.bytes = row_bytes(&x);
    job.in = x.data;
    job.out = out.data;
    made =
        made_unless(made, x.n && work_perform(&x, args[4], &job, shuffle_need, shuffle_run, NULL));
done:
    view_end(&x);
    view_end(&out);
    return made;
}

/* ---- gather_sum --------------------------------------------------------------------------------- */

static cw_status gather_need(const cw_context *host, const void *job, size_t *bytes)
{
    (void)host;
    return cw_gather_sum_workspace((const cw_gather_job *)job, bytes);
}

static cw_status gather_run(struct work *w, const void *job)
{
    return cw_gather_sum(w->context, (const cw_gather_job *)job, w->workspace, w->bytes, w->stream);
}

static int fill_gather(cw_gather_job *job, const struct view *x, const struct view *index,
                       const struct view *weights)
{
    if (x->type != CW_F32 && x->type != CW_F16 && x->type != CW_BF16)
        return refuse(PyExc_TypeError, "x", "float16, bfloat16 or float32 is expected");
    if (x->rank != 2 || index->rank != 2)
        return refuse(PyExc_ValueError, x->rank != 2 ? "x" : "index", "rank 2 is expected");
    if (check_index(index, &job->index_bytes, &job->index_signed) || same_device(x, index))
        return -1;
    if (weights->object) {
        if (same_device(x, weights))
            return -1;
        if (!same_shape(index, weights))
            return refuse(PyExc_ValueError, "weights", "their shape is not that of index");
        if (weights->type != CW_F32 && weights->type != x->type)
            return refuse(PyExc_TypeError, "weights", "float32, or the dtype of x, is expected");
        job->weights = weights->data;
        job->weight_type = (cw_type)weights->type;
    }
    job->type = (cw_type)x->type;
    job->n = (size_t)index->shape[0];
    job->per = (size_t)index->shape[1];
    job->rows = (size_t)x->shape[0];
    job->columns = (size_t)x->shape[1];
    job->in = x->data;
    job->index = index->data;
    return 0;
}

/* (x, index, weights or None, flags, out, stream) */
PyObject *py_gather_sum(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view x = {0}, index = {0}, weights = {0}, out = {0};
    cw_gather_job job = {0};
    int64_t shape[2];
    PyObject *made = NULL;

    (void)self;
    if (check_count("gather_sum", count, 6))
        return NULL;
    if (names_stream(args, count))
        return call_on_stream("gather_sum", args, count);
    job.flags = (unsigned)PyLong_AsUnsignedLong(args[3]);
    if (PyErr_Occurred() || view_contiguous(&x, args[0], "x") ||
        view_contiguous(&index, args[1], "index") ||
        (args[2] != Py_None && view_contiguous(&weights, args[2], "weights")) ||
        fill_gather(&job, &x, &index, &weights))
        goto done;
    shape[0] = index.shape[0];
    shape[1] = x.shape[1];
    made = view_out(args[4], "out", &x, NULL, 2, shape, &out);
    if (!made)
        goto done;
    job.out = out.data;
    made = made_unless(made,
                       out.n && work_perform(&x, args[5], &job, gather_need, gather_run, "index"));
done:
    view_end(&x);
    view_end(&index);
    view_end(&weights);
    view_end(&out);
    return made;
}
