"""What the extension asks of Python: kinds of arrays, copies, streams.

Nothing here is on the way of a contiguous array that is sorted along its last axis.
"""

import contextlib
import sys

from . import _clearway


def _root(x):
    return type(x).__module__.partition(".")[0]


def kind_of(x, name):
    """The library of an array; a TypeError for what is none."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        if isinstance(x, numpy.ma.MaskedArray):
            raise TypeError(f"{name}: masked arrays are not taken; fill or compress it first")
        return "numpy"
    root = _root(x)
    if root in ("jax", "jaxlib"):
        raise TypeError(f"{name}: arrays of JAX cannot be written to; use clearway.jax")
    if root == "cupy":
        return "cupy"
    if hasattr(type(x), "__dlpack__"):
        return "other"
    raise TypeError(
        f"{name}: an array of NumPy, PyTorch, CuPy or another library with DLPack is expected, "
        f"not {type(x).__name__}" + ("; numpy.asarray makes one" if isinstance(x, (list, tuple)) else "")
    )


def numpy_words(x, name):
    """The same memory as words, of an array whose dtype has no buffer format."""
    kinds = {1: "u1", 2: "u2", 4: "u4", 8: "u8"}
    if x.dtype.hasobject or x.dtype.itemsize not in kinds:
        raise TypeError(f"{name}: dtype {x.dtype} is not taken")
    return x.view(kinds[x.dtype.itemsize])


def is_bfloat16(x):
    return x.dtype.name == "bfloat16"


def numpy_movable(x, name):
    if x.dtype.hasobject:
        raise TypeError(f"{name}: dtype {x.dtype} holds Python's objects, which are not taken")


def check_grad(x, name):
    torch = sys.modules.get("torch")
    if torch is not None and torch.is_grad_enabled():
        raise TypeError(f"{name}: it requires grad; use clearway.torch, or detach() it")


def capsule(x, name):
    """A DLPack capsule.  CuPy's work goes on in its own order; others are asked to wait for theirs."""
    where = x.__dlpack_device__()[0]
    stream = {} if where not in (2, 13) else {"stream": -1 if _root(x) == "cupy" else 1}
    try:
        return x.__dlpack__(max_version=(1, 0), **stream)
    except TypeError:
        return x.__dlpack__(**stream)
    except BufferError as error:
        raise TypeError(f"{name}: {error}") from None


def namespace(x):
    """The module that has empty, moveaxis and the like for x."""
    root = _root(x)
    if root in ("numpy", "cupy", "torch"):
        return sys.modules[root]
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__()
    return sys.modules[root]


def empty(x, shape, kind, bits):
    """A new array like x, on its device; kind "": of its dtype, else "int" or "uint" of so many bits."""
    xp = namespace(x)
    dtype = getattr(xp, f"{kind}{bits}") if kind else x.dtype
    root = _root(x)
    if root == "numpy":
        return xp.empty(shape, dtype)
    if root == "cupy":
        if x.device.id == xp.cuda.runtime.getDevice():
            return xp.empty(shape, dtype)
        with x.device:
            return xp.empty(shape, dtype)
    return xp.empty(shape, dtype=dtype, device=x.device)


def stream_of(said, x):
    """The handle of a stream: what the caller said, or what is current in the library of x."""
    if said is None:
        if _root(x) == "cupy":
            return sys.modules["cupy"].cuda.get_current_stream().ptr
        if _root(x) == "torch":
            return sys.modules["torch"].cuda.current_stream(x.device).cuda_stream
        return 0
    if isinstance(said, int):
        return said
    for name in ("cuda_stream", "ptr"):
        if hasattr(said, name):
            return getattr(said, name)
    if hasattr(said, "__cuda_stream__"):
        return said.__cuda_stream__()[1]
    raise TypeError(
        f"stream: a stream of torch or CuPy, an object with __cuda_stream__ or an int is expected, "
        f"not {type(said).__name__}"
    )


@contextlib.contextmanager
def current(said, x):
    """Make a stream current in the library of x; gives what the extension takes for it.

    Then copies are made on it, and results and workspaces come from memory that is free there: memory
    that was freed on another stream may still be read by work in flight on that one.
    """
    where = getattr(x, "__dlpack_device__", None)
    if said is None or where is None or where()[0] not in (2, 13):
        yield None
        return
    handle, root = stream_of(said, x), _root(x)
    if root == "torch":
        cuda = sys.modules["torch"].cuda
        with cuda.stream(cuda.ExternalStream(0 if handle == 1 else handle, device=x.device)):
            yield None
    elif root == "cupy":
        with x.device, sys.modules["cupy"].cuda.ExternalStream(handle):
            yield None
    else:
        yield (handle,)


def on_stream(name, args):
    """A call of the extension, whose last argument is a stream that the caller named."""
    x = args[1 if name == "plan_execute" else 0]
    with current(args[-1], x) as stream:
        return getattr(_clearway, name)(*args[:-1], stream)


def contiguous(x):
    """A copy whose rows lie one after another."""
    if _root(x) == "torch":
        return x.contiguous() if not x.is_contiguous() else x.clone()
    xp = namespace(x)
    if hasattr(xp, "ascontiguousarray"):
        return xp.array(x, copy=True, order="C", subok=False) if x.ndim else xp.array(x)
    return xp.asarray(x, copy=True)


def moved(x, axis):
    """A contiguous copy of x, with the axis last."""
    xp = namespace(x)
    last = len(x.shape) - 1
    y = x if axis == last else xp.moveaxis(x, axis, last)
    if _root(x) == "torch":
        return y.clone(memory_format=xp.contiguous_format)
    if hasattr(xp, "ascontiguousarray"):
        return xp.array(y, copy=True, order="C", subok=False)
    return xp.asarray(y, copy=True)


def back(x, axis, out):
    """The axis, which is last, in its place again; copied to `out` if there is one."""
    last = len(x.shape) - 1
    if axis != last:
        x = namespace(x).moveaxis(x, last, axis)
    if out is None:
        return x
    if tuple(out.shape) != tuple(x.shape) or out.dtype != x.dtype:
        raise ValueError("out: it has another shape or dtype than the result")
    out[...] = x
    return out


def sort_by_copy(x, axis, want, flags, index_bytes, out_keys, out_index, stream):
    """Sort along any axis of any array: in a copy, which becomes the result."""
    copy = moved(x, axis)
    keys = copy if want & 1 else None
    result = _clearway.sort(copy, want, -1, flags, index_bytes, keys, None, stream)
    if want == 1:
        return back(result, axis, out_keys)
    if want == 2:
        return back(result, axis, out_index)
    return back(result[0], axis, out_keys), back(result[1], axis, out_index)


def gather_last(x, index):
    """x taken along its last axis."""
    xp = namespace(x)
    if _root(x) == "torch":
        return xp.gather(x, -1, index)
    return xp.take_along_axis(x, index, -1)
