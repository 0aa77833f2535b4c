"""Clearway: sort, partition and permute arrays of NumPy, PyTorch, CuPy and others where they lie.

Arrays on the host are worked on by host threads.  Arrays on a GPU are worked on by that GPU, on the
stream that is current in their library, or on `stream`; the call returns before the work is done,
as those libraries' own calls do.  A result is an array of the same library on the same device.

NaNs are last, ascending or descending, and -0 equals +0.
"""

from collections import namedtuple as _namedtuple
import os as _os

from . import _clearway
from ._clearway import release, set_threads, set_workspace_limit

__version__ = _clearway.version
__all__ = [
    "sort", "argsort", "sort_with_index", "sort_pairs", "take", "scatter", "shuffle", "gather_sum",
    "partition", "transpose", "Plan", "Sorted", "Pairs", "Partition", "set_workspace_limit",
    "set_threads", "release", "gpus", "has_cuda",
]  # fmt: skip

has_cuda = bool(_clearway.has_cuda)

_sort = _clearway.sort
_permute = _clearway.permute
_DESCENDING, _STABLE = _clearway.DESCENDING, _clearway.STABLE

Sorted = _namedtuple("Sorted", "values indices")
Pairs = _namedtuple("Pairs", "keys values")
Partition = _namedtuple("Partition", "keys payloads offsets padded index inverse")


def _index_bytes(dtype):
    """4 or 8, of "int32", numpy.int64, torch.int32, .."""
    if dtype is None:
        return 8
    text = str(getattr(dtype, "__name__", dtype))
    if text.endswith("int64") and not text.endswith("uint64"):
        return 8
    if text.endswith("int32") and not text.endswith("uint32"):
        return 4
    raise TypeError(f"index_dtype: int32 or int64 is expected, not {dtype!r}")


def _pair(out):
    if out is None:
        return None, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError("out: a tuple of two arrays is expected")
    return out


def sort(x, /, *, axis=-1, descending=False, stable=True, out=None, stream=None):
    """A sorted copy of x along an axis.  `out` may be x itself, which then is sorted in place."""
    flags = (_DESCENDING if descending else 0) | (_STABLE if stable else 0)
    return _sort(x, 1, axis, flags, 8, out, None, stream)


def argsort(x, /, *, axis=-1, descending=False, stable=True, out=None, index_dtype=None, stream=None):
    """The indices that sort x along an axis, int64 or int32.  Equal keys keep their order."""
    bytes = 8 if index_dtype is None else _index_bytes(index_dtype)
    flags = (_DESCENDING if descending else 0) | (_STABLE if stable else 0)
    return _sort(x, 2, axis, flags, bytes, None, out, stream)


def sort_with_index(
    x, /, *, axis=-1, descending=False, stable=True, out=None, index_dtype=None, stream=None
):
    """Values and indices at once, as torch.sort.  `out` is a tuple of two arrays."""
    bytes = 8 if index_dtype is None else _index_bytes(index_dtype)
    values, index = (None, None) if out is None else _pair(out)
    flags = (_DESCENDING if descending else 0) | (_STABLE if stable else 0)
    return Sorted._make(_sort(x, 3, axis, flags, bytes, values, index, stream))


def sort_pairs(keys, values, /, *, axis=-1, descending=False, stable=True, out=None, stream=None):
    """Keys sorted along an axis, and values moved with them.

    values has the shape of keys; or keys has rank 1, and values a row of any width for each key.
    """
    if stream is not None:
        from . import _arrays

        with _arrays.current(stream, keys) as stream:
            return _sort_pairs(keys, values, axis, descending, stable, out, stream)
    return _sort_pairs(keys, values, axis, descending, stable, out, None)


def _sort_pairs(keys, values, axis, descending, stable, out, stream):
    flags = (_DESCENDING if descending else 0) | (_STABLE if stable else 0)
    out_keys, out_values = _pair(out)
    rank = len(keys.shape)
    if rank == 1 and len(values.shape) > 1:
        sorted_keys, index = _sort(keys, 3, axis, flags, 8, out_keys, None, stream)
        moved = _permute(values, index, _clearway.GATHER, out_values, stream)
        return Pairs(sorted_keys, moved)
    if axis in (-1, rank - 1):
        result = _clearway.sort_pairs(keys, values, flags, out_keys, out_values, stream)
        if result is not None:
            return Pairs._make(result)
    from . import _pairs

    return Pairs._make(
        _pairs.by_index(keys, values, axis, flags, out_keys, out_values, stream)
    )


def _check_flag(check, x):
    if check is None:
        check = _clearway.about(x)[0] < 0
    return _clearway.CHECK if check else 0


def take(x, indices, /, *, out=None, check=None, stream=None):
    """out[i] = x[indices[i]] for the rows of x, of any width; indices is a permutation.

    `check` refuses (IndexError) what is none before anything is written.  It is the default on the host; on
    a GPU it waits for the stream.  Without it an index may be there twice, and one that is out of
    range leaves its row of `out` as it is.
    """
    return _permute(x, indices, _clearway.GATHER | _check_flag(check, x), out, stream)


def scatter(x, indices, /, *, out=None, check=None, stream=None):
    """out[indices[i]] = x[i] for the rows of x: the inverse of take.  `check` as there."""
    return _permute(x, indices, _check_flag(check, x), out, stream)


def shuffle(x, seed, /, *, inverse=False, out=None, stream=None):
    """The rows of x in a random order that follows from the seed; `inverse` brings them back.

    The same on every device.  No permutation is stored.
    """
    return _clearway.shuffle(x, seed, inverse, out, stream)


def gather_sum(x, index, weights=None, /, *, out=None, check=False, stream=None):
    """out[i] = sum over k of weights[i, k] * x[index[i, k]]: rows gathered, weighted and added in f32."""
    flags = _clearway.CHECK if check else 0
    return _clearway.gather_sum(x, index, weights, flags, out, stream)


def transpose(x, /, *, out=None, stream=None):
    """The last two axes exchanged, in memory.  `out` may be x if its matrices are square."""
    return _clearway.transpose(x, out, stream)


_RULES = {"label": 0, "bits": 1, "splitters": 2, "hash": 3}


def partition(
    keys, /, buckets=None, *, by="label", splitters=None, first_bit=0, multiplier=0, payloads=(),
    stable=True, move_keys=True, offsets=True, pad_to=0, index=False, inverse=False,
    index_dtype=None, check=None, stream=None,
):  # fmt: skip
    """Keys, and rows of payloads, put together by bucket.

    by="label"      the key, of any integer type, is the bucket's number
    by="bits"       log2(buckets) bits of the key in its sorting order, from first_bit up
    by="splitters"  how many of the splitters, which ascend, are not above the key
    by="hash"       a multiplicative hash of the key's bits

    The result has keys, payloads, offsets (where buckets begin, and the end), padded (the same if every bucket
    were rounded up to a multiple of pad_to), index (the place that each output came from) and inverse (the
    place that each input went to); None for what was not asked for.

    `check` refuses labels that are no bucket's number, and splitters that do not ascend.  It is the default on
    the host.  On a GPU it waits; without it there, offsets are -1 throughout if a label was wrong.
    """
    if by not in _RULES:
        raise ValueError(f"by: one of {', '.join(_RULES)} is expected, not {by!r}")
    if by == "splitters":
        if splitters is None:
            raise ValueError("splitters: by='splitters' needs them")
        if buckets is None:
            buckets = len(splitters) + 1
    elif splitters is not None:
        raise ValueError("splitters: they are for by='splitters'")
    if buckets is None:
        raise ValueError("buckets: say how many there are")
    if isinstance(payloads, list):
        payloads = tuple(payloads)
    flags = _check_flag(check, keys) | (0 if stable else _clearway.UNSTABLE)
    want = bool(move_keys) + 2 * bool(offsets) + 4 * bool(index) + 8 * bool(inverse)
    return Partition._make(
        _clearway.partition(
            keys, buckets, _RULES[by], flags, splitters, first_bit, multiplier, payloads, want,
            pad_to, _index_bytes(index_dtype), stream,
        )  # fmt: skip
    )


class Plan:
    """A permutation made ready once, and executed many times.

    plan(x) is out[index[i]] = x[i], or with gather=True out[i] = x[index[i]].  `itemsize` is the bytes of a
    row.  The index may be on a GPU; it is read on the host, and not needed afterwards.  any_gpu=True makes a
    plan for every GPU; without it, large plans may need more shared memory than an RTX card has.
    """

    __slots__ = ("_plan", "kind", "items", "itemsize", "table_bytes")

    def __init__(self, index, itemsize, *, gather=False, any_gpu=False, threads=0):
        try:
            on_gpu = _clearway.about(index)[0] >= 0
        except TypeError as error:
            raise TypeError(str(error).replace("x:", "index:", 1)) from None
        if on_gpu:
            index = index.cpu() if hasattr(index, "cpu") else index.get()
        flags = (_clearway.GATHER if gather else 0) | (_clearway.ANY_GPU if any_gpu else 0)
        self._set(_clearway.plan_create(index, itemsize, flags, threads))

    def _set(self, plan):
        self._plan = plan
        self.kind, self.items, self.itemsize, self.table_bytes = _clearway.plan_about(plan)

    def __call__(self, x, /, *, out=None, stream=None):
        return _clearway.plan_execute(self._plan, x, out, stream)

    def save(self, path):
        """To a file, as a whole or not at all."""
        _clearway.plan_save(self._plan, _os.fsencode(path))

    @classmethod
    def load(cls, path):
        plan = cls.__new__(cls)
        plan._set(_clearway.plan_load(_os.fsencode(path)))
        return plan

    def __repr__(self):
        return f"<clearway.Plan: {self.kind}, {self.items} items of {self.itemsize} bytes>"


def gpus():
    """The names of the GPUs that clearway can use; none if it was built without CUDA."""
    return _clearway.gpus()
