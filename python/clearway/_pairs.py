"""sort_pairs for what the library does not move with keys: other axes, strides, widths."""

from . import _arrays, _clearway


def by_index(keys, values, axis, flags, out_keys, out_values, stream):
    """Sort with an index, and gather the values by it."""
    rank = len(keys.shape)
    if not -rank <= axis < rank:
        raise ValueError(f"axis: {axis} is out of range for an array of rank {rank}")
    axis %= rank
    if tuple(values.shape) != tuple(keys.shape):
        raise ValueError("values: their shape is not that of the keys")
    k, v = _arrays.moved(keys, axis), _arrays.moved(values, axis)
    done = _clearway.sort_pairs(k, v, flags, k, v, stream)
    if done is None:
        _, index = _clearway.sort(k, 3, -1, flags, 8, k, None, stream)
        v = _arrays.gather_last(v, index)
    return _arrays.back(k, axis, out_keys), _arrays.back(v, axis, out_values)
