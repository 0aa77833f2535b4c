/* arrays.c - what an array is, whoever made it; and a new one of the same library.
 *
 *      NumPy       the buffer protocol                       numpy.empty
 *      torch, ..   the functions that its type offers in C   the same (DLPack's exchange API)
 *      CuPy        a DLPack capsule                          cupy.empty
 *      others      a DLPack capsule                          empty() of the array's namespace
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

int PyObject_GetBuffer(PyObject *of, struct py_buffer *out, int flags);
void PyBuffer_Release(struct py_buffer *buffer);

#define RECORDS_READ_ONLY 0x1c /* PyBUF_RECORDS_RO */

/* ---- libraries: looked up once a type -------------------------------------------------------- */

static struct library *libraries;

static int find_exchange(PyTypeObject *type, const struct dl_exchange **out)
{
    PyObject *const capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
    const struct dl_exchange *api = NULL;

    if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api"))
        api = (const struct dl_exchange *)PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
    PyErr_Clear();
    while (api && api->version.major > 1)
        api = (const struct dl_exchange *)api->older;
    Py_XDECREF(capsule);
    *out = api;
    return api != NULL;
}

/* "numpy", "exchange", "cupy" or "other"; or an exception that says what was expected. */
static int find_kind(PyObject *object, const char *name, struct library *l)
{
    PyObject *const kind = helper("kind_of", "Os", object, name);
    const char *text;

    if (!kind)
        return -1;
    text = PyUnicode_AsUTF8AndSize(kind, NULL);
    if (!text) {
        Py_DECREF(kind);
        return -1;
    }
    l->kind = KIND_OTHER;
    if (!strcmp(text, "numpy"))
        l->kind = KIND_NUMPY;
    else if (!strcmp(text, "cupy"))
        l->kind = KIND_CUPY;
    else if (find_exchange(l->type, &l->exchange))
        l->kind = KIND_EXCHANGE;
    Py_DECREF(kind);
    return 0;
}

/* They are kept, and so are their types: views point to them while Python's code runs. */
static struct library *library_of(PyObject *object, const char *name)
{
    PyTypeObject *const type = Py_TYPE(object);
    struct library *l;

    for (l = libraries; l; l = l->next) {
        if (l->type == type)
            return l;
    }
    l = (struct library *)calloc(1, sizeof *l);
    if (!l) {
        PyErr_NoMemory();
        return NULL;
    }
    l->type = type;
    if (find_kind(object, name, l)) {
        free(l);
        return NULL;
    }
    Py_INCREF(type);
    l->next = libraries;
    libraries = l;
    return l;
}

/* ---- types ----------------------------------------------------------------------------------- */

static int type_of(struct dl_type t)
{
    static const int ints[] = {CW_I8, CW_I16, CW_I32, CW_I64};
    static const int uints[] = {CW_U8, CW_U16, CW_U32, CW_U64};
    const int log = t.bits == 8 ? 0 : t.bits == 16 ? 1 : t.bits == 32 ? 2 : t.bits == 64 ? 3 : -1;

    if (log < 0 || t.lanes != 1)
        return NO_TYPE;
    if (t.code == DL_INT)
        return ints[log];
    if (t.code == DL_UINT)
        return uints[log];
    if (t.code == DL_BOOL)
        return log == 0 ? (int)CW_U8 : NO_TYPE;
    if (t.code == DL_BFLOAT)
        return log == 1 ? (int)CW_BF16 : NO_TYPE;
    if (t.code == DL_FLOAT && log > 0)
        return log == 1 ? (int)CW_F16 : log == 2 ? (int)CW_F32 : (int)CW_F64;
    return NO_TYPE;
}

struct dl_type index_type(size_t bytes)
{
    const struct dl_type t = {DL_INT, (uint8_t)(8 * bytes), 1};

    return t;
}

int check_places(const char *name, size_t n, size_t index_bytes)
{
    if (index_bytes == 4 && n > (size_t)1 << 31)
        return refuse(PyExc_ValueError, name, "%zu places are more than an index of int32 can name",
                      n);
    return 0;
}

/* The code of a struct-module format, as NumPy writes it; -1: nothing that can be sorted. */
static int code_of(const char *format)
{
    if (!format)
        return DL_UINT;
    if (*format == '<' || *format == '=' || *format == '@' || *format == '|')
        format++;
    if (!format[0] || format[1])
        return -1;
    if (strchr("bhilq", *format))
        return DL_INT;
    if (strchr("BHILQ", *format))
        return DL_UINT;
    if (strchr("efd", *format))
        return DL_FLOAT;
    return *format == '?' ? DL_BOOL : -1;
}

/* ---- where an array lies ---------------------------------------------------------------------- */

static size_t align_of(size_t bytes)
{
    const size_t all = bytes | 16u;

    return all & (0u - all);
}

/* Strides in units of `unit` bytes. */
static int is_contiguous(const struct view *v, const int64_t *strides, int64_t unit)
{
    int64_t expected = unit;

    if ((uintptr_t)v->data % align_of(v->item))
        return v->n == 0;
    if (!strides || !v->n)
        return 1;
    for (int d = v->rank - 1; d >= 0; d--) {
        if (v->shape[d] != 1 && strides[d] != expected)
            return 0;
        expected *= v->shape[d];
    }
    return 1;
}

static int take_shape(struct view *v, int rank, const int64_t *shape)
{
    if (rank > RANK_MAX)
        return refuse(PyExc_ValueError, v->name, "rank %d: at most %d", rank, RANK_MAX);
    v->rank = rank;
    v->n = 1;
    for (int d = 0; d < rank; d++) {
        v->shape[d] = shape[d];
        v->n *= (size_t)shape[d];
    }
    return 0;
}

static int take_tensor(struct view *v, const struct dl_tensor *t)
{
    v->data = (char *)t->data + t->byte_offset;
    v->dl = t->type;
    v->type = type_of(t->type);
    v->item = (size_t)t->type.bits * t->type.lanes / 8u;
    if (t->device.type == DL_CPU || t->device.type == DL_CUDA_HOST)
        v->device = HOST;
    else if (t->device.type == DL_CUDA || t->device.type == DL_CUDA_MANAGED)
        v->device = t->device.id;
    else
        return refuse(PyExc_TypeError, v->name,
                      "it is on a device of DLPack's type %d; the host and NVIDIA GPUs are taken",
                      (int)t->device.type);
    if (!v->item)
        return refuse(PyExc_TypeError, v->name, "items of %d bits are not taken",
                      (int)t->type.bits);
    if (take_shape(v, t->rank, t->shape))
        return -1;
    v->contiguous = is_contiguous(v, t->strides, 1);
    return 0;
}

/* NumPy's types that have no buffer format (bfloat16, times) as words of their size. */
static int get_words(struct view *v)
{
    PyObject *bfloat;
    int truth;

    PyErr_Clear();
    v->words = helper("numpy_words", "Os", v->object, v->name);
    if (!v->words || PyObject_GetBuffer(v->words, &v->buffer, RECORDS_READ_ONLY))
        return -1;
    bfloat = helper("is_bfloat16", "O", v->object);
    if (!bfloat)
        return -1;
    truth = PyObject_IsTrue(bfloat);
    Py_DECREF(bfloat);
    v->dl.code = truth ? DL_BFLOAT : DL_UINT;
    return truth < 0 ? -1 : 0;
}

/* Records, strings and the like may only be moved; Python's objects not even that. */
static int check_opaque(const struct view *v)
{
    PyObject *const none = helper("numpy_movable", "Os", v->object, v->name);

    Py_XDECREF(none);
    return none ? 0 : -1;
}

/* Do both ways see the same? */
static int agrees(const struct view *v, const struct view *looked)
{
    if (looked->data != v->data || looked->rank != v->rank || looked->n != v->n ||
        looked->item != v->item || looked->dl.code != v->dl.code ||
        looked->writable != v->writable || v->words)
        return 0;
    for (int d = 0; d < v->rank; d++)
        if (looked->shape[d] != v->shape[d] || looked->strides[d] != v->buffer.strides[d])
            return 0;
    return 1;
}

static int begin_buffer(struct view *v);

/* Directly, if that has been seen to be right for its type. */
static int begin_numpy(struct view *v)
{
    struct view looked;

    if (v->from->looks < 0)
        return begin_buffer(v);
    if (v->from->looks > 0) {
        if (numpy_look(v))
            return begin_buffer(v);
        v->type = type_of(v->dl);
        v->contiguous = is_contiguous(v, (const int64_t *)v->strides, (int64_t)v->item);
        return 0;
    }
    if (begin_buffer(v))
        return -1;
    memset(&looked, 0, sizeof looked);
    looked.object = v->object;
    if (v->type != NO_TYPE && v->rank && v->n && !numpy_look(&looked))
        v->from->looks = agrees(v, &looked) ? 1 : -1;
    return 0;
}

static int begin_buffer(struct view *v)
{
    int code = -1;

    if (PyObject_GetBuffer(v->object, &v->buffer, RECORDS_READ_ONLY)) {
        memset(&v->buffer, 0, sizeof v->buffer);
        if (get_words(v))
            return -1;
        code = v->dl.code == DL_BFLOAT ? DL_BFLOAT : -1;
    } else {
        code = code_of(v->buffer.format);
    }
    v->data = v->buffer.buf;
    v->item = (size_t)v->buffer.itemsize;
    v->device = HOST;
    v->writable = !v->buffer.readonly;
    v->dl.code = (uint8_t)(code < 0 ? DL_UINT : code);
    v->dl.bits = (uint8_t)(v->item <= 16 ? 8 * v->item : 0);
    v->dl.lanes = 1;
    v->type = code < 0 ? NO_TYPE : type_of(v->dl);
    if (!v->item)
        return refuse(PyExc_TypeError, v->name, "items of 0 bytes are not taken");
    if (code < 0 && check_opaque(v))
        return -1;
    if (take_shape(v, v->buffer.ndim, (const int64_t *)v->buffer.shape))
        return -1;
    v->contiguous = is_contiguous(v, (const int64_t *)v->buffer.strides, (int64_t)v->item);
    return 0;
}

/* A result knows nothing of gradients: a tensor that wants one must not lose it silently. */
static int check_grad(const struct view *v)
{
    static PyObject *name;
    PyObject *wants;
    int truth;

    if (!name)
        name = PyUnicode_InternFromString("requires_grad");
    wants = name ? PyObject_GetAttr(v->object, name) : NULL;
    if (!wants) {
        PyErr_Clear(); /* a library without gradients */
        return 0;
    }
    truth = PyObject_IsTrue(wants);
    Py_DECREF(wants);
    if (truth <= 0)
        return truth;
    wants = helper("check_grad", "Os", v->object, v->name);
    Py_XDECREF(wants);
    return wants ? 0 : -1;
}

/* Does a method without arguments say yes?  No if there is no such method. */
static int says(const struct view *v, PyObject **name, const char *text)
{
    PyObject *answer;
    int truth;

    if (!*name)
        *name = PyUnicode_InternFromString(text);
    answer = *name ? PyObject_CallMethodObjArgs(v->object, *name, NULL) : NULL;
    if (!answer) {
        PyErr_Clear();
        return 0;
    }
    truth = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth > 0;
}

/* torch may negate and conjugate when numbers are read: memory has other ones.  A copy has the same. */
static int is_lazy(const struct view *v)
{
    static PyObject *neg, *conj;

    if (v->dl.code != DL_FLOAT && v->dl.code != DL_BFLOAT && v->dl.code != DL_COMPLEX)
        return 0;
    return says(v, &neg, "is_neg") || (v->dl.code == DL_COMPLEX && says(v, &conj, "is_conj"));
}

static int begin_exchange(struct view *v)
{
    struct dl_tensor t;

    memset(&t, 0, sizeof t);
    if (check_grad(v))
        return -1;
    if (v->from->exchange->look(v->object, &t)) {
        if (!PyErr_ExceptionMatches(PyExc_RuntimeError) &&
            !PyErr_ExceptionMatches(PyExc_BufferError))
            return -1;
        PyErr_Clear();
        return refuse(PyExc_TypeError, v->name,
                      "its library does not show its memory: is it sparse, quantized or without "
                      "data?");
    }
    v->writable = 1;
    if (take_tensor(v, &t))
        return -1;
    v->contiguous = v->contiguous && !is_lazy(v);
    return 0;
}

static int begin_capsule(struct view *v)
{
    PyObject *const capsule = helper("capsule", "Os", v->object, v->name);
    int status = -1;

    if (!capsule)
        return -1;
    v->writable = 1;
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        v->versioned = (struct dl_versioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned");
        PyCapsule_SetName(capsule, "used_dltensor_versioned");
        v->writable = !(v->versioned->flags & DL_READ_ONLY);
        status = v->versioned->version.major > 1
                     ? refuse(PyExc_TypeError, v->name, "its DLPack is newer than version 1")
                     : take_tensor(v, &v->versioned->tensor);
    } else if (PyCapsule_IsValid(capsule, "dltensor")) {
        v->managed = (struct dl_managed *)PyCapsule_GetPointer(capsule, "dltensor");
        PyCapsule_SetName(capsule, "used_dltensor");
        status = take_tensor(v, &v->managed->tensor);
    } else {
        status = refuse(PyExc_TypeError, v->name, "its __dlpack__ gave no DLPack capsule");
    }
    Py_DECREF(capsule);
    return status;
}

int view_begin(struct view *v, PyObject *object, const char *name)
{
    memset(v, 0, sizeof *v);
    v->object = object;
    v->name = name;
    v->from = library_of(object, name);
    if (!v->from)
        return -1;
    if (v->from->kind == KIND_NUMPY)
        return begin_numpy(v);
    return v->from->kind == KIND_EXCHANGE ? begin_exchange(v) : begin_capsule(v);
}

void view_end(struct view *v)
{
    if (v->buffer.obj)
        PyBuffer_Release(&v->buffer);
    if (v->managed && v->managed->deleter)
        v->managed->deleter(v->managed);
    if (v->versioned && v->versioned->deleter)
        v->versioned->deleter(v->versioned);
    Py_XDECREF(v->words);
    Py_XDECREF(v->copy);
    v->words = v->copy = NULL;
    v->managed = NULL;
    v->versioned = NULL;
}

int view_contiguous(struct view *v, PyObject *object, const char *name)
{
    PyObject *copy;
    int status;

    if (view_begin(v, object, name))
        return -1;
    if (v->contiguous)
        return 0;
    view_end(v);
    copy = helper("contiguous", "(O)", object);
    if (!copy)
        return -1;
    status = view_begin(v, copy, name);
    v->copy = copy;
    return status;
}

/* ---- new arrays ------------------------------------------------------------------------------- */

static PyObject *shape_tuple(int rank, const int64_t *shape)
{
    PyObject *const tuple = PyTuple_New(rank);

    for (int d = 0; tuple && d < rank; d++) {
        PyObject *const extent = PyLong_FromLongLong(shape[d]);

        if (!extent) {
            Py_DECREF(tuple);
            return NULL;
        }
        (void)PyTuple_SetItem(tuple, d, extent);
    }
    return tuple;
}

/* numpy.empty, without the detour by the helpers. */
static PyObject *new_numpy(const struct view *like, const struct dl_type *type, PyObject *shape)
{
    static PyObject *empty, *int32, *int64, *dtype_name;
    PyObject *dtype, *made;

    if (!empty) {
        PyObject *const numpy = PyImport_ImportModule("numpy");

        if (!numpy)
            return NULL;
        int32 = PyObject_CallMethod(numpy, "dtype", "s", "int32");
        int64 = PyObject_CallMethod(numpy, "dtype", "s", "int64");
        dtype_name = PyUnicode_InternFromString("dtype");
        if (int32 && int64 && dtype_name)
            empty = PyObject_GetAttrString(numpy, "empty");
        Py_DECREF(numpy);
        if (!empty)
            return NULL;
    }
    if (type) {
        dtype = type->bits == 32 ? int32 : int64;
        Py_INCREF(dtype);
    } else {
        dtype = PyObject_GetAttr(like->object, dtype_name);
    }
    made = dtype ? PyObject_CallFunctionObjArgs(empty, shape, dtype, NULL) : NULL;
    Py_XDECREF(dtype);
    return made;
}

static void set_error(void *context, const char *kind, const char *message)
{
    (void)context;
    PyErr_Format(PyExc_MemoryError, "%s: %s", kind, message);
}

static PyObject *new_exchange(const struct view *like, const struct dl_type *type, int rank,
                              const int64_t *shape, struct view *out)
{
    const struct dl_exchange *const api = like->from->exchange;
    struct dl_tensor t = {0};
    struct dl_versioned *made = NULL;
    void *object = NULL;

    t.device.type = like->device == HOST ? DL_CPU : DL_CUDA;
    t.device.id = like->device == HOST ? 0 : like->device;
    t.rank = rank;
    t.type = type ? *type : like->dl;
    t.shape = (int64_t *)shape;
    if (api->allocate(&t, &made, NULL, set_error))
        return NULL;
    memset(out, 0, sizeof *out);
    out->name = "a result";
    out->from = like->from;
    out->writable = 1;
    if (take_tensor(out, &made->tensor)) {
        made->deleter(made);
        return NULL;
    }
    if (api->to_object(made, &object))
        return NULL;
    out->object = (PyObject *)object;
    return out->object;
}

static PyObject *begin_made(PyObject *made, struct view *out)
{
    if (!view_begin(out, made, "a result"))
        return made;
    view_end(out);
    Py_DECREF(made);
    return NULL;
}

PyObject *view_new(const struct view *like, const struct dl_type *type, int rank,
                   const int64_t *shape, struct view *out)
{
    PyObject *tuple, *made;

    if (like->from->kind == KIND_EXCHANGE)
        return new_exchange(like, type, rank, shape, out);
    made = like->strides && (!type || type->code == DL_INT) ? numpy_new(like, type, rank, shape)
                                                            : NULL;
    if (made)
        return begin_made(made, out);
    if (PyErr_Occurred())
        return NULL;
    tuple = shape_tuple(rank, shape);
    if (!tuple)
        return NULL;
    if (like->from->kind == KIND_NUMPY && (!type || type->code == DL_INT))
        made = new_numpy(like, type, tuple);
    else
        made = helper("empty", "OOsi", like->object, tuple,
                      !type                  ? ""
                      : type->code == DL_INT ? "int"
                                             : "uint",
                      type ? (int)type->bits : 0);
    Py_DECREF(tuple);
    return made ? begin_made(made, out) : NULL;
}

int same_shape(const struct view *a, const struct view *b)
{
    return a->rank == b->rank && !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof a->shape[0]);
}

int same_device(const struct view *a, const struct view *b)
{
    if (a->device == b->device)
        return 0;
    return refuse(PyExc_ValueError, b->name, "it is not on the device of %s", a->name);
}

static int check_out(const struct view *like, const struct dl_type *type, int rank,
                     const int64_t *shape, const struct view *out)
{
    const struct dl_type *const t = type ? type : &like->dl;

    if (same_device(like, out))
        return -1;
    if (out->dl.code != t->code || out->item != (type ? type->bits / 8u : like->item))
        return refuse(PyExc_TypeError, out->name, "it has another dtype than the result");
    if (out->rank != rank || memcmp(out->shape, shape, (size_t)rank * sizeof *shape))
        return refuse(PyExc_ValueError, out->name, "it has another shape than the result");
    if (!out->writable)
        return refuse(PyExc_ValueError, out->name, "it is read-only");
    if (!out->contiguous)
        return refuse(PyExc_ValueError, out->name, "it is not contiguous");
    return 0;
}

PyObject *view_out(PyObject *given, const char *name, const struct view *like,
                   const struct dl_type *type, int rank, const int64_t *shape, struct view *out)
{
    if (!given || given == Py_None)
        return view_new(like, type, rank, shape, out);
    if (view_begin(out, given, name) || check_out(like, type, rank, shape, out)) {
        view_end(out);
        return NULL;
    }
    Py_INCREF(given);
    return given;
}

/* ---- streams ---------------------------------------------------------------------------------- */

int view_stream(const struct view *v, PyObject *stream, cw_stream *out)
{
    PyObject *number;

    *out = NULL;
    if (v->device == HOST)
        return 0;
    if (stream == Py_None && v->from->kind == KIND_EXCHANGE)
        return v->from->exchange->current_stream(DL_CUDA, v->device, out);
    if (stream == Py_None) {
        number = helper("stream_of", "OO", stream, v->object);
    } else {
        number = PyTuple_GetItem(stream, 0);
        Py_XINCREF(number);
    }
    if (!number)
        return -1;
    *out = PyLong_AsVoidPtr(number);
    Py_DECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

/* (x) -> the GPU's number or -1 for the host, whether it is contiguous, bytes of an item */
PyObject *py_about(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct view v = {0};
    PyObject *result = NULL;

    (void)self;
    if (check_count("about", count, 1))
        return NULL;
    if (!view_begin(&v, args[0], "x"))
        result = Py_BuildValue("iik", v.device, v.contiguous, (unsigned long)v.item);
    view_end(&v);
    return result;
}
