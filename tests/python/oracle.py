"""What a sort should give, by NumPy's stable argsort of keys that it sorts rightly.

NumPy's own sort of float16 is not asked: half floats are compared as float32.
"""

import numpy as np

import clearway as cw

# Whether the library that was built takes -0 for +0.  Until it does, random keys have one zero and one NaN only, and
# test_nan_is_last_and_zeros_are_equal is expected to fail.
NUMERIC = cw.argsort(np.array([0.0, -0.0])).tolist() == [0, 1]

TYPES = ["bool", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]


def argsort(x, axis=-1, descending=False):
    """NaNs last either way, -0 equal to +0, equal keys in their order."""
    key = x.astype("f4") if x.dtype == np.float16 else x
    if descending:
        key = ~key if x.dtype.kind in "iub" else -key
    return np.argsort(key, axis=axis, kind="stable")


def bits(x):
    """Comparable with -0 and NaNs told apart."""
    x = np.ascontiguousarray(x)
    return x.view(f"u{x.dtype.itemsize}") if x.dtype.kind in "fb" else x


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(bits(a), bits(b))


def keys(rng, dtype, shape):
    """Few values or many; floats with both zeros, infinities and NaNs of both signs."""
    x = any_keys(rng, dtype, shape)
    if x.dtype.kind == "f" and not NUMERIC:
        x = x + x.dtype.type(0)
        x[np.isnan(x)] = np.nan
    return x


def any_keys(rng, dtype, shape):
    dtype = np.dtype(dtype)
    kind = rng.integers(4)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        about = np.iinfo(dtype)
        low, high = (about.min, about.max) if kind < 2 else (0, 3)
        return rng.integers(low, high, shape, dtype=dtype, endpoint=True)
    if kind == 0:
        return np.round(rng.standard_normal(shape)).astype(dtype)
    x = rng.standard_normal(shape).astype(dtype)
    if kind >= 2:
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan], dtype)
        place = rng.random(shape) < (0.1 if kind == 2 else 0.7)
        x = np.where(place, special[rng.integers(0, len(special), shape)], x).astype(dtype)
    return x


def shape(rng, rank=None, most=3000):
    rank = int(rng.integers(1, 5)) if rank is None else rank
    size = int(rng.integers(0, most))
    extents = []
    for _ in range(rank - 1):
        extent = int(rng.integers(0, 6)) if rng.random() < 0.3 else int(rng.integers(1, 9))
        extents.append(extent)
        size //= max(extent, 1)
    extents.append(size)
    rng.shuffle(extents)
    return tuple(extents)


def strided(rng, x):
    """The same values in memory of another shape: steps, reversed axes, Fortran's order."""
    way = rng.integers(5)
    if way == 0:
        return np.asfortranarray(x)
    if way == 1:
        return np.flip(np.flip(x, 0).copy(), 0)
    if way == 2 and x.ndim:
        wide = np.zeros(x.shape[:-1] + (2 * x.shape[-1] + 1,), x.dtype)
        wide[..., : 2 * x.shape[-1] : 2] = x
        return wide[..., : 2 * x.shape[-1] : 2]
    if way == 3:
        raw = np.zeros(x.nbytes + 1, "u1")  # not aligned
        y = raw[1:].view(x.dtype) if x.nbytes else raw[1:1].view(x.dtype)
        y = y[: x.size].reshape(x.shape)
        y[...] = x
        return y
    return x
