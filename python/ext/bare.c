/* bare.c - the library's call alone, many times over: what bench/python holds the cost of a call against. */
#include "ext.h"

#include <time.h>

struct bare {
    cw_array job;
    size_t times;
    double seconds;
};

static double now(void)
{
    struct timespec t;

    (void)timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cw_status need(const cw_context *host, const void *job, size_t *bytes)
{
    (void)host;
    return cw_sort_workspace(&((const struct bare *)job)->job, bytes);
}

static cw_status run(struct work *w, const void *job)
{
    struct bare *const b = (struct bare *)job;
    const double start = now();
    cw_status status = CW_OK;

    for (size_t i = 0; i < b->times && !status; i++)
        status = cw_sort(w->context, &b->job, w->workspace, w->bytes, w->stream);
    b->seconds = (now() - start) / (double)b->times;
    return status;
}

/* (x, out, times) -> seconds a call of cw_sort takes on the host's side */
PyObject *py_bare_sort(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view x = {0}, out = {0};
    struct bare b = {0};
    PyObject *result = NULL;

    (void)self;
    if (check_count("bare_sort", count, 3))
        return NULL;
    b.times = PyLong_AsSize_t(args[2]);
    if (PyErr_Occurred() || view_begin(&x, args[0], "x") || view_begin(&out, args[1], "out"))
        goto done;
    if (x.type == NO_TYPE || !x.contiguous || !out.contiguous || x.n != out.n || !b.times ||
        x.type != out.type || x.device != out.device) {
        PyErr_SetString(PyExc_ValueError, "two contiguous arrays alike, and how many times");
        goto done;
    }
    b.job.type = (cw_type)x.type;
    b.job.flags = CW_STABLE;
    b.job.n = x.n;
    b.job.keys_in = x.data;
    b.job.keys_out = out.data;
    if (!work_perform(&x, Py_None, &b, need, run, NULL))
        result = PyFloat_FromDouble(b.seconds);
done:
    view_end(&x);
    view_end(&out);
    return result;
}
