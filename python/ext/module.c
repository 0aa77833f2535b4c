/* module.c - the list of calls. */
#include "ext.h"

#include <stdarg.h>
#include <stdio.h>

PyObject *helper(const char *name, const char *format, ...)
{
    static PyObject *module;
    PyObject *function, *args, *result = NULL;
    va_list list;

    if (!module)
        module = PyImport_ImportModule("clearway._arrays");
    function = module ? PyObject_GetAttrString(module, name) : NULL;
    if (!function)
        return NULL;
    va_start(list, format);
    args = Py_VaBuildValue(format, list);
    va_end(list);
    if (args && !PyTuple_Check(args)) {
        PyObject *const one = PyTuple_Pack(1, args);

        Py_DECREF(args);
        args = one;
    }
    if (args)
        result = PyObject_CallObject(function, args);
    Py_XDECREF(args);
    Py_DECREF(function);
    return result;
}

int refuse(PyObject *exception, const char *name, const char *format, ...)
{
    char text[400];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    PyErr_Format(exception, "%s: %s", name, text);
    return -1;
}

int refuse_dtype(const struct view *v, const char *why)
{
    PyObject *const dtype = PyObject_GetAttrString(v->object, "dtype");

    if (dtype)
        PyErr_Format(PyExc_TypeError, "%s: dtype %S %s", v->name, dtype, why);
    else
        (void)refuse(PyExc_TypeError, v->name, "its dtype %s", why);
    Py_XDECREF(dtype);
    return -1;
}

int check_count(const char *name, Py_ssize_t count, Py_ssize_t expected)
{
    if (count == expected)
        return 0;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, expected, count);
    return -1;
}

int whole_number(PyObject *given, const char *name, uint64_t most, uint64_t *out)
{
    PyObject *const number = PyNumber_Index(given); /* NumPy's integers, too */

    if (!number) {
        PyErr_Clear();
        return refuse(PyExc_TypeError, name, "an integer is expected");
    }
    *out = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (!PyErr_Occurred() && *out <= most)
        return 0;
    PyErr_Clear();
    return refuse(PyExc_ValueError, name, "0 to %llu is expected", (unsigned long long)most);
}

int names_stream(PyObject *const *args, Py_ssize_t count)
{
    return args[count - 1] != Py_None && !PyTuple_Check(args[count - 1]);
}

PyObject *call_on_stream(const char *name, PyObject *const *args, Py_ssize_t count)
{
    PyObject *const all = PyTuple_New(count);

    if (!all)
        return NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_INCREF(args[i]);
        (void)PyTuple_SetItem(all, i, args[i]);
    }
    return helper("on_stream", "sN", name, all);
}

#define FAST(name, function)                                             \
    {                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL \
    }

static PyMethodDef calls[] = {
    FAST("sort", py_sort),
    FAST("sort_pairs", py_sort_pairs),
    FAST("permute", py_permute),
    FAST("transpose", py_transpose),
    FAST("shuffle", py_shuffle),
    FAST("gather_sum", py_gather_sum),
    FAST("partition", py_partition),
    FAST("plan_create", py_plan_create),
    FAST("plan_execute", py_plan_execute),
    FAST("plan_save", py_plan_save),
    FAST("plan_load", py_plan_load),
    FAST("plan_about", py_plan_about),
    FAST("about", py_about),
    FAST("bare_sort", py_bare_sort),
    FAST("jax_workspace", py_jax_workspace),
    {"jax_handlers", py_jax_handlers, METH_NOARGS, NULL},
    {"set_workspace_limit", py_set_workspace_limit, METH_O, NULL},
    {"set_threads", py_set_threads, METH_O, NULL},
    {"release", py_release, METH_NOARGS, NULL},
    {"gpus", py_gpus, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_def = {PyModuleDef_HEAD_INIT,
                                        "_clearway",
                                        "libclearway, for clearway's Python files",
                                        -1,
                                        calls,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL};

#ifdef CW_HAVE_CUDA
#define HAVE_CUDA 1
#else
#define HAVE_CUDA 0
#endif

PyMODINIT_FUNC PyInit__clearway(void)
{
    PyObject *const m = PyModule_Create(&module_def);

    if (m && (PyModule_AddStringConstant(m, "version", cw_version()) ||
              PyModule_AddIntConstant(m, "has_cuda", HAVE_CUDA) ||
              PyModule_AddIntConstant(m, "DESCENDING", CW_DESCENDING) ||
              PyModule_AddIntConstant(m, "STABLE", CW_STABLE) ||
              PyModule_AddIntConstant(m, "CHECK", CW_CHECK) ||
              PyModule_AddIntConstant(m, "UNSTABLE", CW_UNSTABLE) ||
              PyModule_AddIntConstant(m, "GATHER", CW_GATHER) ||
              PyModule_AddIntConstant(m, "ANY_GPU", CW_ANY_GPU))) {
        Py_DECREF(m);
        return NULL;
    }
    return m;
}
