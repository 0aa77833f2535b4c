"""take, scatter, shuffle, gather_sum, transpose, Plan and partition on the host, against NumPy."""

import numpy as np
import pytest

import clearway as cw


def rows(rng, n):
    shape = (n,) + tuple(int(e) for e in rng.integers(1, 6, rng.integers(0, 3)))
    dtype = ["u1", "i2", "f4", "f8", "c16", "S3"][rng.integers(6)]
    size = np.dtype(dtype).itemsize
    return rng.integers(0, 255, shape + (size,), "u1").view(dtype)[..., 0]


def equal(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def test_take_and_scatter(seed, cases):
    rng = np.random.default_rng(seed)
    for _ in range(cases // 4):
        n = int(rng.integers(0, 2000))
        x, p = rows(rng, n), rng.permutation(n).astype(["i4", "u4", "i8", "u8"][rng.integers(4)])
        kept = x.copy()
        assert equal(cw.take(x, p), x[p])
        there = np.empty_like(x)
        there[p] = x
        assert equal(cw.scatter(x, p), there) and equal(x, kept)
        assert equal(cw.take(x[::-1], p), np.ascontiguousarray(x[::-1])[p])


def test_indices_that_are_no_permutation():
    x = np.arange(4.0)
    for bad in ([0, 1, 2, 4], [0, 1, 2, -1], [0, 1, 1, 2]):
        with pytest.raises(IndexError, match="^indices:"):
            cw.take(x, np.array(bad))
        with pytest.raises(IndexError, match="^indices:"):
            cw.scatter(x, np.array(bad))
    assert cw.take(x, np.array([0, 1, 1, 2]), check=False).tolist() == [0, 1, 1, 2]
    with pytest.raises(ValueError, match="indices"):
        cw.take(x, np.array([0, 1]))
    with pytest.raises(TypeError, match="indices"):
        cw.take(x, np.array([0.0, 1, 2, 3]))


def test_shuffle_and_back(seed):
    rng = np.random.default_rng(seed)
    for n in (0, 1, 2, 3, 1000, 4099):
        x = rows(rng, n)
        y = cw.shuffle(x, 7)
        assert sorted(r.tobytes() for r in x) == sorted(r.tobytes() for r in y)
        assert equal(cw.shuffle(y, 7, inverse=True), x)
    assert not np.array_equal(cw.shuffle(np.arange(100), 1), cw.shuffle(np.arange(100), 2))


def test_transpose(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        shape = tuple(int(e) for e in rng.integers(0, 40, rng.integers(2, 4)))
        x = rng.integers(0, 255, shape).astype(["u1", "i2", "f4", "f8", "c16"][rng.integers(5)])
        assert equal(cw.transpose(x), np.ascontiguousarray(np.swapaxes(x, -1, -2)))
    x = rng.random((30, 30))
    expected = x.T.copy()
    assert cw.transpose(x, out=x) is x and np.array_equal(x, expected)
    with pytest.raises(ValueError, match="x:"):
        cw.transpose(np.arange(3))


def test_gather_sum(seed):
    rng = np.random.default_rng(seed)
    x = rng.random((50, 8)).astype("f4")
    index = rng.integers(0, 50, (20, 3))
    weights = rng.random((20, 3)).astype("f4")
    expected = (x[index] * weights[..., None]).sum(1)
    assert np.allclose(cw.gather_sum(x, index, weights), expected)
    assert np.allclose(cw.gather_sum(x, index), x[index].sum(1))


def test_plans(seed, tmp_path):
    rng = np.random.default_rng(seed)
    for n, width in ((1, 4), (1000, 8), (5000, 2), (777, 12)):
        p = rng.permutation(n)
        x = rng.integers(0, 255, (n, width), "u1")
        there = np.empty_like(x)
        there[p] = x
        plan = cw.Plan(p, width)
        assert equal(plan(x), there)
        assert equal(cw.Plan(p, width, gather=True)(x), x[p])
        assert equal(cw.Plan(p, width, any_gpu=True)(x), there)
        plan.save(tmp_path / "plan")
        loaded = cw.Plan.load(tmp_path / "plan")
        assert loaded.items == n and loaded.itemsize == width and equal(loaded(x), there)
    assert cw.Plan(np.arange(64)[::-1].copy(), 4).kind == "reversal"
    with pytest.raises(IndexError):
        cw.Plan(np.array([0, 0]), 4)
    with pytest.raises(ValueError, match="x:"):
        cw.Plan(np.arange(3), 4)(np.arange(4, dtype="f4"))
    with pytest.raises(OSError):
        cw.Plan.load(tmp_path / "none")
    (tmp_path / "bad").write_bytes(b"no plan" * 100)
    with pytest.raises(ValueError):
        cw.Plan.load(tmp_path / "bad")


def check_partition(keys, buckets, number, got, payload):
    order = np.argsort(number, kind="stable")
    counts = np.bincount(number, minlength=buckets)
    assert np.array_equal(got.keys, keys[order])
    assert np.array_equal(got.offsets, np.concatenate([[0], np.cumsum(counts)]))
    assert np.array_equal(got.padded, np.concatenate([[0], np.cumsum(-(-counts // 16) * 16)]))
    assert np.array_equal(got.index, order)
    assert np.array_equal(got.inverse, np.argsort(order))
    assert equal(got.payloads[0], payload[order])


def test_partition_by_label(seed):
    rng = np.random.default_rng(seed)
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"):
        for n in (0, 1, 1000):
            buckets = int(rng.integers(1, 100))
            keys = rng.integers(0, buckets, n).astype(dtype)
            payload = rng.random((n, 3))
            got = cw.partition(keys, buckets, payloads=[payload], pad_to=16, index=True, inverse=True)
            check_partition(keys, buckets, keys.astype("i8"), got, payload)


def test_partition_by_other_rules(seed):
    rng = np.random.default_rng(seed)
    keys, payload = rng.random(5000).astype("f4"), rng.random((5000, 2))
    splitters = np.sort(rng.random(20)).astype("f4")
    got = cw.partition(
        keys, by="splitters", splitters=splitters, payloads=(payload,), pad_to=16, index=True,
        inverse=True,
    )  # fmt: skip
    check_partition(keys, 21, np.searchsorted(splitters, keys, "right"), got, payload)
    keys = rng.integers(0, 1 << 32, 5000, "u4")
    got = cw.partition(keys, 32, by="bits", first_bit=3, payloads=(payload,), pad_to=16, index=True,
                       inverse=True)  # fmt: skip
    check_partition(keys, 32, (keys >> 3 & 31).astype("i8"), got, payload)
    got = cw.partition(keys, 32, by="hash", multiplier=12345, payloads=(payload,), pad_to=16,
                       index=True, inverse=True)  # fmt: skip
    hashed = (keys.astype("u8") * np.uint64(12345)) >> np.uint64(32)
    check_partition(keys, 32, ((hashed * np.uint64(32)) >> np.uint64(32)).astype("i8"), got, payload)


def test_partition_refuses():
    keys = np.array([0, 1, 5], "i8")
    for bad in (keys, keys.astype("u1"), np.array([0, -1], "i4"), np.array([0, -1], "i8"),
                np.array([1 << 32], "i8")):  # fmt: skip
        with pytest.raises(ValueError, match="^keys:"):
            cw.partition(bad, 5)
    with pytest.raises(ValueError, match="buckets:"):
        cw.partition(keys, 0)
    with pytest.raises(ValueError, match="by:"):
        cw.partition(keys, 3, by="name")
    with pytest.raises(TypeError, match="keys:"):
        cw.partition(np.array([0.0]), 3)
    with pytest.raises(ValueError, match="payloads:"):
        cw.partition(keys, 6, payloads=[np.arange(2)])


def test_only_what_was_asked_for():
    got = cw.partition(np.array([1, 0], "u1"), 2, move_keys=False, offsets=False, index=True)
    assert got.keys is None and got.offsets is None and got.padded is None
    assert got.payloads == () and got.inverse is None and got.index.tolist() == [1, 0]
