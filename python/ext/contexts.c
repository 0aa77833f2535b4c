/* contexts.c - contexts and workspaces, kept by device and stream.
 *
 * A slot is a context and a workspace for one stream of one device (or for the host).  One thread at a
 * time has a slot; a second thread on the same stream gets another one, so that the kernels of two
 * calls may alternate on a stream without sharing memory.  Slots are found and given back with the
 * GIL held, so they need no lock of their own.
 *
 * A workspace up to the limit is kept.  A larger one comes from the array's own library for one call, and so
 * does every one while a graph is captured: the graph goes on using it, and only the library that
 * captures knows for how long.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#ifdef CW_HAVE_CUDA
#include "backend/cuda/current.h"
#endif

#define SLOTS_MAX  64
#define SHORT_WORK 4096 /* items that are sorted in less time than the GIL takes to come back */
#define ROOM_LEAST ((size_t)1 << 16) /* a workspace grows from here by doubling */

struct slot {
    int device;
    uint64_t stream; /* its id, which is never used again; a handle may be */
    cw_context *context;
    void *workspace;
    size_t bytes;
    int busy;
    struct slot *next;
};

static struct slot *slots;
static size_t limit = (size_t)128 << 20;
static unsigned threads;

int raise_status(cw_status status, const char *numbers)
{
    PyObject *kind = PyExc_RuntimeError;

    if (status == CW_OK)
        return 0;
    if (status == CW_ERR_LABEL && numbers) {
        kind = strcmp(numbers, "keys") ? PyExc_IndexError : PyExc_ValueError;
        PyErr_Format(kind, "%s: %s", numbers, cw_last_error());
        return -1;
    }
    if (status == CW_ERR_TYPE)
        kind = PyExc_TypeError;
    else if (status == CW_ERR_MEMORY)
        kind = PyExc_MemoryError;
    else if (status == CW_ERR_IO)
        kind = PyExc_OSError;
    else if (status == CW_ERR_ARGUMENT || status == CW_ERR_SHAPE || status == CW_ERR_LENGTH ||
             status == CW_ERR_OVERLAP || status == CW_ERR_FORMAT)
        kind = PyExc_ValueError;
    PyErr_Format(kind, "%s%s", status == CW_ERR_OVERLAP ? "out: " : "",
                 *cw_last_error() ? cw_last_error() : cw_status_text(status));
    return -1;
}

/* ---- the GPU that is current in this thread ------------------------------------------------------ */

#ifdef CW_HAVE_CUDA

static int use_device(int device, int *before)
{
    return raise_status(cw_cuda_use(device, before), NULL);
}

static void back_to_device(int device)
{
    (void)cw_cuda_use(device, NULL);
}

static int about_stream(cw_stream stream, uint64_t *id, int *captures)
{
    return raise_status(cw_cuda_stream(stream, id, captures), NULL);
}

#else

static int use_device(int device, int *before)
{
    *before = device;
    PyErr_SetString(PyExc_RuntimeError,
                    "an array on a GPU, but this build of clearway has no CUDA in it");
    return -1;
}

static void back_to_device(int device)
{
    (void)device;
}

static int about_stream(cw_stream stream, uint64_t *id, int *captures)
{
    (void)stream;
    *id = 0;
    *captures = 0;
    return 0;
}

#endif

/* ---- slots ----------------------------------------------------------------------------------- */

static void destroy(struct slot *s)
{
    cw_memory_free(s->context, s->workspace);
    cw_context_destroy(s->context);
    free(s);
}

/* Free what nobody uses. */
static void drop_idle(void)
{
    struct slot **at = &slots;

    while (*at) {
        struct slot *const s = *at;

        if (s->busy) {
            at = &s->next;
        } else {
            *at = s->next;
            destroy(s);
        }
    }
}

static struct slot *new_slot(int device, uint64_t stream)
{
    struct slot *s;
    int count = 0;
    cw_status status;

    for (s = slots; s; s = s->next)
        count++;
    if (count >= SLOTS_MAX)
        drop_idle();
    s = (struct slot *)calloc(1, sizeof *s);
    if (!s) {
        PyErr_NoMemory();
        return NULL;
    }
    status = cw_context_create(device == HOST ? CW_CPU : CW_CUDA, &s->context);
    if (!status && threads)
        status = cw_context_set_threads(s->context, threads);
    if (raise_status(status, NULL)) {
        free(s);
        return NULL;
    }
    s->device = device;
    s->stream = stream;
    s->next = slots;
    slots = s;
    return s;
}

/* While a graph is captured any context of the device will do: its workspace is not used, and none need be made. */
static struct slot *take_slot(int device, uint64_t stream, int captures)
{
    struct slot *s = slots;

    while (s && (s->busy || s->device != device || (s->stream != stream && !captures)))
        s = s->next;
    if (!s)
        s = new_slot(device, stream);
    if (s)
        s->busy = 1;
    return s;
}

/* ---- a call's place to work -------------------------------------------------------------------- */

int work_begin(struct work *w, const struct view *on, PyObject *stream)
{
    uint64_t id = 0;

    memset(w, 0, sizeof *w);
    w->device = w->back_to = on->device;
    if (on->device != HOST) {
        if (view_stream(on, stream, &w->stream) || use_device(on->device, &w->back_to))
            return -1;
        if (about_stream(w->stream, &id, &w->captures)) {
            back_to_device(w->back_to);
            return -1;
        }
    }
    w->slot = take_slot(on->device, id, w->captures);
    if (!w->slot) {
        if (w->back_to != w->device)
            back_to_device(w->back_to);
        return -1;
    }
    w->context = w->slot->context;
    return 0;
}

/* -1, and no exception: there is no memory, or none may be asked for while another thread captures a
 * graph.  The array's library may still have some. */
static int grow(struct slot *s, size_t bytes)
{
    size_t room = ROOM_LEAST;

    while (room < bytes)
        room *= 2;
    room = room < limit ? room : limit;
    cw_memory_free(s->context, s->workspace);
    s->workspace = NULL;
    s->bytes = 0;
    if (cw_memory_alloc(s->context, room, &s->workspace))
        return -1;
    s->bytes = room;
    return 0;
}

/* For this call only. */
static int borrow(struct work *w, const struct view *on, size_t bytes)
{
    const struct dl_type bytes_type = {DL_UINT, 8, 1};
    const int64_t shape = (int64_t)bytes + 256;

    w->bytes = bytes;
    if (w->device == HOST) {
        const cw_status status = cw_memory_alloc(w->context, bytes, &w->host_extra);

        w->workspace = w->host_extra;
        return raise_status(status, NULL);
    }
    w->extra_object = view_new(on, &bytes_type, 1, &shape, &w->extra);
    if (!w->extra_object)
        return -1;
    w->workspace = (void *)(((uintptr_t)w->extra.data + 255u) & ~(uintptr_t)255u);
    return 0;
}

int work_room(struct work *w, const struct view *on, size_t bytes)
{
    if (!bytes)
        return 0;
    if (w->captures || bytes > limit)
        return borrow(w, on, bytes);
    if (bytes > w->slot->bytes && grow(w->slot, bytes))
        return borrow(w, on, bytes);
    w->workspace = w->slot->workspace;
    w->bytes = w->slot->bytes;
    return 0;
}

void work_end(struct work *w)
{
    if (w->host_extra)
        cw_memory_free(w->context, w->host_extra);
    if (w->extra_object) {
        view_end(&w->extra);
        Py_DECREF(w->extra_object);
    }
    if (w->back_to != w->device)
        back_to_device(w->back_to);
    w->slot->busy = 0;
    if (w->slot->bytes > limit) { /* it was lowered meanwhile */
        cw_memory_free(w->context, w->slot->workspace);
        w->slot->workspace = NULL;
        w->slot->bytes = 0;
    }
}

void begin_work(struct work *w, size_t items)
{
    if (w->device != HOST || items > SHORT_WORK)
        w->thread = PyEval_SaveThread();
}

void end_work(struct work *w)
{
    if (w->thread)
        PyEval_RestoreThread(w->thread);
    w->thread = NULL;
}

int work_perform(const struct view *on, PyObject *stream, const void *job, need_of *need,
                 run_job *run, const char *numbers)
{
    struct work w;
    size_t bytes = 0;
    int result;
    cw_status status;

    if (work_begin(&w, on, stream))
        return -1;
    status = need(w.device == HOST ? w.context : NULL, job, &bytes);
    if (raise_status(status, numbers) || work_room(&w, on, bytes)) {
        work_end(&w);
        return -1;
    }
    begin_work(&w, on->n);
    status = run(&w, job);
    end_work(&w);
    result = raise_status(status, numbers);
    work_end(&w);
    return result;
}

/* ---- settings --------------------------------------------------------------------------------- */

PyObject *py_set_workspace_limit(PyObject *self, PyObject *bytes)
{
    const size_t most = PyLong_AsSize_t(bytes);

    (void)self;
    if (PyErr_Occurred())
        return NULL;
    limit = most;
    for (struct slot *s = slots; s; s = s->next) {
        if (s->bytes > limit && !s->busy) {
            cw_memory_free(s->context, s->workspace);
            s->workspace = NULL;
            s->bytes = 0;
        }
    }
    Py_RETURN_NONE;
}

PyObject *py_release(PyObject *self, PyObject *none)
{
    (void)self;
    (void)none;
    drop_idle();
    Py_RETURN_NONE;
}

PyObject *py_set_threads(PyObject *self, PyObject *count)
{
    const size_t most = PyLong_AsSize_t(count);

    (void)self;
    if (PyErr_Occurred())
        return NULL;
    threads = most > 65536 ? 65536u : (unsigned)most;
    for (struct slot *s = slots; s; s = s->next) {
        if (s->device == HOST && !s->busy &&
            raise_status(cw_context_set_threads(s->context, threads), NULL))
            return NULL;
    }
    Py_RETURN_NONE;
}

/* "H200 (sm_90), .." for each GPU; none without CUDA in the build, or without a driver. */
PyObject *py_gpus(PyObject *self, PyObject *none)
{
    PyObject *const list = PyList_New(0);
    int count = 0;

    (void)self;
    (void)none;
#ifdef CW_HAVE_CUDA
    if (cw_cuda_count(&count))
        count = 0;
    for (int d = 0; list && d < count; d++) {
        char name[256];
        PyObject *text;

        if (cw_cuda_name(d, name, sizeof name))
            break;
        text = PyUnicode_FromString(name);
        if (!text || PyList_Append(list, text))
            count = 0;
        Py_XDECREF(text);
    }
#endif
    (void)count;
    return list;
}
