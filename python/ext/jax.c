/* jax.c - a handler for XLA: sort along the last axis, with or without an index.
 *
 *      argument    x
 *      results     values and/or indices, as `want` says, then a workspace of bytes
 *      attributes  want (1 values, 2 indices, 3 both) and flags (CW_DESCENDING | CW_STABLE), int32
 *
 * XLA calls it from threads of its own, without the GIL.  So contexts are kept here, under a lock, and nothing of
 * Python is touched.
 */
#include "ext.h"
#include "xla.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef CW_HAVE_CUDA
#include "backend/cuda/current.h"
#endif

/* ---- contexts --------------------------------------------------------------------------------- */

struct kept {
    int device;
    cw_context *context;
    struct kept *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept *idle;

/* One that nobody uses, for the GPU that is current in this thread, or for the host. */
static cw_status take_context(int device, struct kept **out)
{
    struct kept **at, *k;
    cw_status status;

    (void)pthread_mutex_lock(&lock);
    for (at = &idle; *at && (*at)->device != device; at = &(*at)->next)
        ;
    k = *at;
    if (k)
        *at = k->next;
    (void)pthread_mutex_unlock(&lock);
    *out = k;
    if (k)
        return CW_OK;
    k = (struct kept *)calloc(1, sizeof *k);
    if (!k)
        return CW_ERR_MEMORY;
    k->device = device;
    status = cw_context_create(device == HOST ? CW_CPU : CW_CUDA, &k->context);
    if (status)
        free(k);
    else
        *out = k;
    return status;
}

static void give_context(struct kept *k)
{
    (void)pthread_mutex_lock(&lock);
    k->next = idle;
    idle = k;
    (void)pthread_mutex_unlock(&lock);
}

/* ---- what is asked for -------------------------------------------------------------------------- */

static void *fail(const struct xla_frame *f, int code, const char *message)
{
    struct xla_error_create e = {0};

    e.struct_size = sizeof e;
    e.message = message;
    e.code = code;
    return f->api->error_create(&e);
}

/* XLA's numbers of types. */
static int type_of(int xla)
{
    static const int types[] = {
        [1] = CW_U8,   [2] = CW_I8,   [3] = CW_I16,  [4] = CW_I32, [5] = CW_I64,
        [6] = CW_U8,   [7] = CW_U16,  [8] = CW_U32,  [9] = CW_U64, [10] = CW_F16,
        [11] = CW_F32, [12] = CW_F64, [16] = CW_BF16};

    if (xla < 1 || xla > 16 || (xla > 12 && xla < 16))
        return NO_TYPE;
    return types[xla];
}

static int32_t attribute(const struct xla_frame *f, const char *name)
{
    for (int64_t i = 0; i < f->attributes.count; i++) {
        const struct xla_span *const s = f->attributes.names[i];

        if (s->length == strlen(name) && !memcmp(s->text, name, s->length) &&
            f->attributes.types[i] == XLA_ATTRIBUTE_SCALAR)
            return *(const int32_t *)((const struct xla_scalar *)f->attributes.all[i])->value;
    }
    return 0;
}

static const struct xla_buffer *result(const struct xla_frame *f, int64_t i)
{
    return (const struct xla_buffer *)f->results.all[i];
}

static size_t items_of(const struct xla_buffer *b)
{
    size_t n = 1;

    for (int64_t d = 0; d < b->rank; d++)
        n *= (size_t)b->shape[d];
    return n;
}

struct sort_job {
    cw_array array;
    cw_rows rows;
    int one; /* a single row */
    void *workspace;
    size_t bytes;
    size_t n;
};

static const char *fill(const struct xla_frame *f, struct sort_job *j)
{
    const int32_t want = attribute(f, "want");
    const struct xla_buffer *const x =
        f->args.count == 1 ? (const struct xla_buffer *)f->args.all[0] : NULL;
    const struct xla_buffer *last;
    int64_t next = 0;

    memset(j, 0, sizeof *j);
    if (!x || want < 1 || want > 3 || f->results.count != 2 + (want == 3) || x->rank < 1)
        return "clearway: one array of rank 1 or more, and what is wanted of it";
    if (type_of(x->type) == NO_TYPE)
        return "clearway: this type cannot be sorted";
    j->n = items_of(x);
    j->rows.type = (cw_type)type_of(x->type);
    j->rows.flags = (unsigned)attribute(f, "flags");
    j->rows.length = (size_t)x->shape[x->rank - 1];
    j->rows.rows = j->rows.length ? j->n / j->rows.length : 0;
    j->rows.keys_in = x->data;
    if (want & 1)
        j->rows.keys_out = result(f, next++)->data;
    if (want & 2) {
        j->rows.index_bytes = cw_type_bytes((cw_type)type_of(result(f, next)->type));
        j->rows.index_out = result(f, next++)->data;
    }
    last = result(f, next);
    j->workspace = (void *)(((uintptr_t)last->data + 255u) & ~(uintptr_t)255u);
    j->bytes = items_of(last) - (size_t)((char *)j->workspace - (char *)last->data);
    return NULL;
}

static void as_array(struct sort_job *j)
{
    j->one = j->rows.rows == 1;
    j->array.type = j->rows.type;
    j->array.flags = j->rows.flags;
    j->array.n = j->rows.length;
    j->array.keys_in = j->rows.keys_in;
    j->array.keys_out = j->rows.keys_out;
    j->array.index_out = j->rows.index_out;
    j->array.index_bytes = j->rows.index_bytes;
}

/* ---- the handlers ------------------------------------------------------------------------------- */

static cw_status perform(struct sort_job *j, int device, cw_stream stream)
{
    struct kept *k;
    cw_status status = take_context(device, &k);

    if (status)
        return status;
    status = j->one ? cw_sort(k->context, &j->array, j->workspace, j->bytes, stream)
                    : cw_sort_rows(k->context, &j->rows, j->workspace, j->bytes, stream);
    give_context(k);
    return status;
}

/* Asked at registration: which version this is written for.  1: it was that. */
static int metadata(struct xla_frame *f)
{
    struct xla_extension *const e = f->extension;
    struct xla_metadata *m;

    if (!e || e->type != XLA_EXTENSION_METADATA)
        return 0;
    m = ((struct xla_metadata_extension *)e)->metadata;
    m->version.major = f->api ? f->api->version.major : 0;
    m->version.minor = f->api ? f->api->version.minor : 1;
    m->traits = 0;
    return 1;
}

static void *handle(struct xla_frame *f, int device, cw_stream stream)
{
    struct sort_job j;
    const char *const wrong = fill(f, &j);

    if (wrong)
        return fail(f, XLA_INVALID_ARGUMENT, wrong);
    if (!j.n)
        return NULL;
    as_array(&j);
    if (perform(&j, device, stream))
        return fail(f, XLA_INTERNAL, cw_last_error());
    return NULL;
}

static void *handle_host(struct xla_frame *f)
{
    return metadata(f) || f->stage != XLA_STAGE_EXECUTE ? NULL : handle(f, HOST, NULL);
}

#ifdef CW_HAVE_CUDA
static void *handle_cuda(struct xla_frame *f)
{
    struct xla_stream_get get = {0};
    void *error;
    int device = 0;

    if (metadata(f) || f->stage != XLA_STAGE_EXECUTE)
        return NULL;
    get.struct_size = sizeof get;
    get.context = f->context;
    error = f->api->stream_get(&get);
    if (error)
        return error;
    if (cw_cuda_current(&device))
        return fail(f, XLA_INTERNAL, cw_last_error());
    return handle(f, device, get.stream);
}
#endif

/* () -> (capsule for the host, capsule for CUDA or None) */
PyObject *py_jax_handlers(PyObject *self, PyObject *none)
{
    PyObject *host, *cuda, *both;

    (void)self;
    (void)none;
    host = PyCapsule_New((void *)(uintptr_t)handle_host, "xla._CUSTOM_CALL_TARGET", NULL);
#ifdef CW_HAVE_CUDA
    cuda = PyCapsule_New((void *)(uintptr_t)handle_cuda, "xla._CUSTOM_CALL_TARGET", NULL);
#else
    cuda = Py_None;
    Py_INCREF(cuda);
#endif
    both = host && cuda ? PyTuple_Pack(2, host, cuda) : NULL;
    Py_XDECREF(host);
    Py_XDECREF(cuda);
    return both;
}

/* (cw_type, rows, length, want, bytes of an index, flags) -> bytes of workspace, with room to align it */
PyObject *py_jax_workspace(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    struct sort_job j;
    size_t bytes = 0;
    long want;
    cw_status status;

    (void)self;
    if (check_count("jax_workspace", count, 6))
        return NULL;
    memset(&j, 0, sizeof j);
    j.rows.type = (cw_type)PyLong_AsLong(args[0]);
    j.rows.rows = PyLong_AsSize_t(args[1]);
    j.rows.length = PyLong_AsSize_t(args[2]);
    want = PyLong_AsLong(args[3]);
    j.rows.flags = (unsigned)PyLong_AsUnsignedLong(args[5]);
    j.rows.keys_in = &j;
    j.rows.keys_out = want & 1 ? &j : NULL;
    j.rows.index_out = want & 2 ? &j : NULL;
    j.rows.index_bytes = want & 2 ? PyLong_AsSize_t(args[4]) : 0;
    if (PyErr_Occurred() || check_places("x", j.rows.length, j.rows.index_bytes))
        return NULL;
    as_array(&j);
    status = j.one ? cw_sort_workspace(&j.array, &bytes) : cw_sort_rows_workspace(&j.rows, &bytes);
    return raise_status(status, NULL) ? NULL : PyLong_FromSize_t(bytes + 256);
}
