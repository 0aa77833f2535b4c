/* numpy.c - arrays of NumPy as they lie in memory, and new ones, without the detours of the buffer protocol and of Python.
 *
 * What stands at the beginning of an array and of its dtype, and where functions are in the table of NumPy's C interface,
 * has not changed since 1.7 and is compiled into every extension that uses NumPy.  It is not taken on trust: the first
 * array of each type is looked at in both ways.
 *
 * Only native numbers, whose dtypes have a number below 13, or 23.  All else goes the other way.
 */
#include "ext.h"

#include <string.h>

struct dtype {
    PyObject head;
    PyTypeObject *scalars;
    char kind, letter, order, was_flags;
    int number;
};

struct array {
    PyObject head;
    char *data;
    int rank;
    Py_ssize_t *shape, *strides;
    PyObject *base;
    struct dtype *dtype;
    int flags;
};

#define WRITEABLE 0x400

#define LONG_CODE  (sizeof(long) == 8 ? 7 : 9)
#define HALF       23
#define NEW        93 /* in the table: PyArray_New */
#define ARRAY_TYPE 2  /* ndarray */

/* By the dtype's number; a long is what C says. */
static int type_of(int number, struct dl_type *out)
{
    static const struct dl_type types[] = {{DL_BOOL, 8, 1},
                                           {DL_INT, 8, 1},
                                           {DL_UINT, 8, 1},
                                           {DL_INT, 16, 1},
                                           {DL_UINT, 16, 1},
                                           {DL_INT, 32, 1},
                                           {DL_UINT, 32, 1},
                                           {DL_INT, 8 * sizeof(long), 1},
                                           {DL_UINT, 8 * sizeof(long), 1},
                                           {DL_INT, 64, 1},
                                           {DL_UINT, 64, 1},
                                           {DL_FLOAT, 32, 1},
                                           {DL_FLOAT, 64, 1}};
    static const struct dl_type half = {DL_FLOAT, 16, 1};

    if (number == HALF)
        *out = half;
    else if (number >= 0 && number < (int)(sizeof types / sizeof *types))
        *out = types[number];
    else
        return -1;
    return 0;
}

int numpy_look(struct view *v)
{
    const struct array *const a = (const struct array *)(const void *)v->object;

    if (a->rank < 0 || a->rank > RANK_MAX || (a->dtype->order != '=' && a->dtype->order != '|') ||
        type_of(a->dtype->number, &v->dl))
        return -1;
    v->number = a->dtype->number;
    v->data = a->data;
    v->item = v->dl.bits / 8u;
    v->device = HOST;
    v->writable = (a->flags & WRITEABLE) != 0;
    v->rank = a->rank;
    v->strides = a->strides;
    v->n = 1;
    for (int d = 0; d < a->rank; d++) {
        v->shape[d] = a->shape[d];
        v->n *= (size_t)a->shape[d];
    }
    return 0;
}

/* ---- new arrays ------------------------------------------------------------------------------- */

typedef PyObject *new_array(PyTypeObject *type, int rank, const Py_ssize_t *shape, int number,
                            const Py_ssize_t *strides, void *data, int item, int flags,
                            PyObject *of);

static void **table_of(const char *module)
{
    PyObject *const m = PyImport_ImportModule(module);
    PyObject *const capsule = m ? PyObject_GetAttrString(m, "_ARRAY_API") : NULL;
    void **const table = capsule ? (void **)PyCapsule_GetPointer(capsule, NULL) : NULL;

    PyErr_Clear();
    Py_XDECREF(capsule);
    Py_XDECREF(m);
    return table;
}

static void **table(void)
{
    static void **found;
    static int looked;

    if (!looked) {
        looked = 1;
        found = table_of("numpy._core._multiarray_umath"); /* 2.0 and later */
        if (!found)
            found = table_of("numpy.core._multiarray_umath");
    }
    return found;
}

PyObject *numpy_new(const struct view *like, const struct dl_type *type, int rank,
                    const int64_t *shape)
{
    void **const all = table();
    const int number = !type ? like->number : type->bits == 32 ? 5 : LONG_CODE;
    new_array *make;

    if (!all || !like->strides)
        return NULL;
    memcpy(&make, &all[NEW], sizeof make);
    return make((PyTypeObject *)all[ARRAY_TYPE], rank, (const Py_ssize_t *)shape, number, NULL,
                NULL, 0, 0, NULL);
}
