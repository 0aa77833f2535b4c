/* ext.h - the extension module: arrays of any library, handed to libclearway where they lie.
 *
 *      arrays.c      what an array is (struct view), and a new one of the same library
 *      contexts.c    contexts and workspaces, kept by device and stream
 *      sort.c moves.c partition.c plan.c    the calls
 *      module.c      the list of calls; names looked up once
 *
 * Everything here runs with the GIL held, but for what stands between begin_work and end_work.
 * CPython's limited API from 3.10 on: one binary for all later versions.
 */
#ifndef CW_PY_EXT_H
#define CW_PY_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"
#include "dlpack.h"

/* ---- buffers: in the limited API from 3.11 on, and laid out the same in 3.10 ------------------- */

struct py_buffer {
    void *buf;
    PyObject *obj;
    Py_ssize_t len, itemsize;
    int readonly, ndim;
    char *format;
    Py_ssize_t *shape, *strides, *suboffsets;
    void *internal;
};

/* ---- arrays.c --------------------------------------------------------------------------------- */

#define RANK_MAX 64
#define NO_TYPE  (-1)
#define HOST     (-1)

enum kind { KIND_NUMPY, KIND_EXCHANGE, KIND_CUPY, KIND_OTHER };

struct library {
    PyTypeObject *type; /* of its arrays */
    enum kind kind;
    const struct dl_exchange *exchange; /* KIND_EXCHANGE */
    int looks; /* KIND_NUMPY: may arrays be looked at directly?  0: nobody knows yet, -1: no */
    struct library *next;
};

/* An array as it lies in memory.  `name` is the argument's, for messages. */
struct view {
    PyObject *object; /* borrowed */
    const char *name;
    struct library *from;
    void *data;
    int type; /* a cw_type, or NO_TYPE: items that can only be moved */
    struct dl_type dl;
    size_t item, n; /* bytes of an item; items in all */
    int rank;
    int64_t shape[RANK_MAX];
    int contiguous, writable;
    int number;                /* a dtype's, and .. */
    const Py_ssize_t *strides; /* .. what stands in an array that was looked at directly */
    int device;                /* HOST, or the GPU's number */
    struct py_buffer buffer;
    PyObject *words; /* what the buffer is of, if not of the object itself */
    PyObject *copy;  /* the contiguous copy that `object` is, or NULL */
    struct dl_managed *managed;
    struct dl_versioned *versioned;
};

/* 0, or -1 with an exception.  view_end is fine on what view_begin refused, and on zeroes. */
int view_begin(struct view *v, PyObject *object, const char *name);
void view_end(struct view *v);

/* The same of a contiguous array: a copy is made if it is not. */
int view_contiguous(struct view *v, PyObject *object, const char *name);

/* A new array of the library of `like`, on its device; `type` NULL: of its type.  A new reference, which
 * is in out->object too. */
PyObject *view_new(const struct view *like, const struct dl_type *type, int rank,
                   const int64_t *shape, struct view *out);

/* An array that was given for a result: type (NO_TYPE: that of `like`), shape, device, contiguous, writable.  A new
 * reference, as view_new. */
PyObject *view_out(PyObject *given, const char *name, const struct view *like,
                   const struct dl_type *type, int rank, const int64_t *shape, struct view *out);

/* The stream to work on: None, what is current in the library; or a tuple of a handle. */
int view_stream(const struct view *v, PyObject *stream, cw_stream *out);

int same_device(const struct view *a, const struct view *b);
int same_shape(const struct view *a, const struct view *b);
struct dl_type index_type(size_t bytes);
int check_places(const char *name, size_t n,
                 size_t index_bytes); /* that numbers below n fit; -1: an exception */

/* ---- numpy.c ----------------------------------------------------------------------------------- */

/* Fills all that an array of native numbers says, but not whether it is contiguous; -1, and no exception: it is none. */
int numpy_look(struct view *v);

/* A new array; of the type of `like`, which was looked at, or of integers.  NULL with no exception: it cannot be made so. */
PyObject *numpy_new(const struct view *like, const struct dl_type *type, int rank,
                    const int64_t *shape);

/* ---- contexts.c -------------------------------------------------------------------------------- */

/* Where a call works: a context that no other thread has, and its workspace. */
struct work {
    struct slot *slot;
    cw_context *context;
    cw_stream stream;
    void *workspace;
    size_t bytes;
    struct view extra; /* a workspace of the array's library, for this call only */
    PyObject *extra_object;
    void *host_extra;
    int device, back_to; /* the GPU; the one to make current again */
    int captures;        /* the stream is being captured in a graph */
    PyThreadState *thread;
};

/* begin: a context for the array's device.  room: a workspace.  Both 0, or -1 with an exception.  work_end
 * must follow a begin that did not fail. */
int work_begin(struct work *w, const struct view *on, PyObject *stream);
int work_room(struct work *w, const struct view *on, size_t bytes);
void work_end(struct work *w);

/* Between these other threads of Python run.  Short work on the host keeps the GIL: taking it again may
 * cost more than the work. */
void begin_work(struct work *w, size_t items);
void end_work(struct work *w);

/* A whole call: how much workspace `job` needs, in the host's context (NULL: on any GPU), and what does it. */
typedef cw_status need_of(const cw_context *host, const void *job, size_t *bytes);
typedef cw_status run_job(struct work *w, const void *job);
int work_perform(const struct view *on, PyObject *stream, const void *job, need_of *need,
                 run_job *run, const char *numbers);

/* What a call returns: `made`, or NULL if its work failed. */
static inline PyObject *made_unless(PyObject *made, int failed)
{
    if (!failed)
        return made;
    Py_DECREF(made);
    return NULL;
}

/* The exception for a status: 0 if it is CW_OK, else -1.  `numbers` names the argument whose labels or
 * indices may be wrong: keys, which raise a ValueError, or others, an IndexError; NULL: there is none. */
int raise_status(cw_status status, const char *numbers);

PyObject *py_set_workspace_limit(PyObject *self, PyObject *bytes);
PyObject *py_release(PyObject *self, PyObject *none);
PyObject *py_set_threads(PyObject *self, PyObject *count);
PyObject *py_gpus(PyObject *self, PyObject *none);

/* ---- the calls --------------------------------------------------------------------------------- */

typedef PyObject *call(PyObject *self, PyObject *const *args, Py_ssize_t count);

call py_sort, py_sort_pairs;
call py_permute, py_transpose, py_shuffle, py_gather_sum;
call py_partition;
call py_plan_create, py_plan_execute, py_plan_save, py_plan_load, py_plan_about;
call py_about;     /* (x): device, contiguous */
call py_bare_sort; /* bare.c, for benchmarks */
call py_jax_workspace;
PyObject *py_jax_handlers(PyObject *self, PyObject *none);

/* ---- module.c ---------------------------------------------------------------------------------- */

/* A function of clearway/_arrays.py, which does in Python what is not worth C.  A new reference. */
PyObject *helper(const char *name, const char *format, ...);

/* 0, or -1 with an exception: the call got another number of arguments. */
int check_count(const char *name, Py_ssize_t count, Py_ssize_t expected);

/* A whole number, 0 .. most; or -1 and a TypeError or ValueError. */
int whole_number(PyObject *given, const char *name, uint64_t most, uint64_t *out);

/* Did the caller name a stream?  It is the last argument of a call. */
int names_stream(PyObject *const *args, Py_ssize_t count);

/* The call once more, with the caller's stream current in the array's library: so copies are made on
 * it, and results and workspaces belong to it. */
PyObject *call_on_stream(const char *name, PyObject *const *args, Py_ssize_t count);

/* "TypeError: x: ..", and -1. */
int refuse(PyObject *exception, const char *name, const char *format, ...);

/* "TypeError: x: dtype complex128 ..", and -1. */
int refuse_dtype(const struct view *v, const char *why);

#endif
