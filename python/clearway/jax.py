"""Clearway's sorts for JAX: calls of XLA's foreign function interface, under jit, on the host and on GPUs.

    sort(x), argsort(x), sort_with_index(x)      axis=-1, descending=False, stable=True

The workspace is a result of the call that is thrown away; its size is known when the call is traced.
sort and sort_with_index have derivatives.  Indices are int32, or int64 where JAX has 64-bit types enabled.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from . import Sorted, _clearway

_NAME = "clearway_sort"
_TYPES = {
    "bool": 0, "uint8": 0, "uint16": 1, "uint32": 2, "uint64": 3, "int8": 4, "int16": 5, "int32": 6,
    "int64": 7, "float16": 8, "bfloat16": 9, "float32": 10, "float64": 11,
}  # fmt: skip

_host, _cuda = _clearway.jax_handlers()
jax.ffi.register_ffi_target(_NAME, _host, platform="cpu")
if _cuda is not None:
    jax.ffi.register_ffi_target(_NAME, _cuda, platform="CUDA")


def _last_axis(x, want, flags):
    """The call: values and/or indices of the last axis."""
    if x.dtype.name not in _TYPES:
        raise TypeError(f"x: dtype {x.dtype} cannot be sorted")
    index = np.dtype("int64" if jax.config.jax_enable_x64 else "int32")
    length = x.shape[-1]
    rows = x.size // length if length else 0
    bytes = _clearway.jax_workspace(_TYPES[x.dtype.name], rows, length, want, index.itemsize, flags)
    results = [jax.ShapeDtypeStruct(x.shape, x.dtype)] * (want & 1)
    results += [jax.ShapeDtypeStruct(x.shape, index)] * (want >> 1)
    results.append(jax.ShapeDtypeStruct((bytes,), np.uint8))
    call = jax.ffi.ffi_call(_NAME, results, vmap_method="sequential")
    return call(x, want=np.int32(want), flags=np.int32(flags))[:-1]


def _sort(x, axis, want, descending, stable):
    x = jnp.asarray(x)
    if x.ndim == 0 or not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis: {axis} is out of range for an array of rank {x.ndim}")
    flags = _clearway.DESCENDING * bool(descending) | _clearway.STABLE * bool(stable)
    got = _last_axis(jnp.moveaxis(x, axis, -1), want, flags)
    return tuple(jnp.moveaxis(g, -1, axis) for g in got)


@partial(jax.custom_jvp, nondiff_argnums=(1, 2, 3))
def _with_index(x, axis, descending, stable):
    return _sort(x, axis, 3, descending, stable)


@_with_index.defjvp
def _with_index_jvp(axis, descending, stable, primals, tangents):
    values, index = _with_index(primals[0], axis, descending, stable)
    moved = jnp.take_along_axis(tangents[0], index, axis)
    return (values, index), (moved, np.zeros(index.shape, jax.dtypes.float0))


@partial(jax.custom_jvp, nondiff_argnums=(1, 2, 3))
def _values(x, axis, descending, stable):
    return _sort(x, axis, 1, descending, stable)[0]


@_values.defjvp
def _values_jvp(axis, descending, stable, primals, tangents):
    values, index = _with_index(primals[0], axis, descending, stable)
    return values, jnp.take_along_axis(tangents[0], index, axis)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """As jax.numpy.sort; NaNs are last either way."""
    return _values(jnp.asarray(x), axis, bool(descending), bool(stable))


def argsort(x, /, *, axis=-1, descending=False):
    """As jax.numpy.argsort; equal keys keep their order."""
    return _sort(x, axis, 2, descending, True)[0]


def sort_with_index(x, /, *, axis=-1, descending=False, stable=True):
    """Values and indices at once."""
    return Sorted(*_with_index(jnp.asarray(x), axis, bool(descending), bool(stable)))
