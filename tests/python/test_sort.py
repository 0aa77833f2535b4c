"""sort, argsort, sort_with_index and sort_pairs on the host, against NumPy."""

import numpy as np
import oracle
import pytest

import clearway as cw


def one_case(rng):
    dtype = oracle.TYPES[rng.integers(len(oracle.TYPES))]
    x = oracle.keys(rng, dtype, oracle.shape(rng))
    kept = x.copy()
    given = oracle.strided(rng, x)
    axis = int(rng.integers(-x.ndim, x.ndim))
    descending = bool(rng.integers(2))
    index_dtype = [None, "int32", np.int64][rng.integers(3)]
    place = oracle.argsort(x, axis, descending)
    expected = np.take_along_axis(x, place, axis)
    said = f"{dtype} {x.shape} axis={axis} descending={descending}"

    assert oracle.same(cw.sort(given, axis=axis, descending=descending), expected), said
    got = cw.argsort(given, axis=axis, descending=descending, index_dtype=index_dtype)
    assert got.dtype == np.dtype(index_dtype or "i8") and np.array_equal(got, place), said
    values, index = cw.sort_with_index(given, axis=axis, descending=descending)
    assert oracle.same(values, expected) and np.array_equal(index, place), said
    assert oracle.same(np.ascontiguousarray(given), kept), said + ": the input was changed"
    return x, place, expected, axis, descending


def test_random_cases_sort_as_numpy_does(seed, cases):
    rng = np.random.default_rng(seed)
    for _ in range(cases):
        one_case(rng)


def test_random_pairs_move_together(seed, cases):
    rng = np.random.default_rng(seed)
    widths = ["u1", "f2", "i4", "f8", "c16", "S3", "M8[s]"]
    for _ in range(cases // 5):
        x, place, expected, axis, descending = one_case(rng)
        width = widths[rng.integers(len(widths))]
        size = np.dtype(width).itemsize
        v = rng.integers(0, 255, x.shape + (size,), "u1").view(width)[..., 0]
        if width == "M8[s]":
            v = rng.integers(0, 1 << 40, x.shape).view(width)
        keys, values = cw.sort_pairs(x, v, axis=axis, descending=descending)
        assert oracle.same(keys, expected)
        moved = np.take_along_axis(v, place, axis)
        assert values.tobytes() == moved.tobytes(), (x.dtype, x.shape, width, axis)


def test_long_arrays(seed):
    rng = np.random.default_rng(seed)
    for dtype in oracle.TYPES:
        x = oracle.keys(rng, dtype, 300_000)
        place = oracle.argsort(x)
        values, index = cw.sort_with_index(x)
        assert np.array_equal(index, place) and oracle.same(values, x[place]), dtype
        assert oracle.same(cw.sort(x), x[place]), dtype


def test_rows_of_more_than_a_million():
    x = np.random.default_rng(1).random((2, 1 << 20))
    assert np.array_equal(cw.sort(x), np.sort(x))


def test_empty_arrays():
    for shape in [(0,), (3, 0), (0, 3), (2, 0, 2)]:
        x = np.empty(shape, "f4")
        for axis in range(-x.ndim, x.ndim):
            assert cw.sort(x, axis=axis).shape == shape
            assert cw.argsort(x, axis=axis).shape == shape


@pytest.mark.xfail(not oracle.NUMERIC, reason="this library orders floats by their bits")
def test_nan_is_last_and_zeros_are_equal():
    x = np.array([np.nan, 0.0, -0.0, -np.inf, -np.nan, np.inf, -0.0, 0.0], "f4")
    assert cw.argsort(x).tolist() == [3, 1, 2, 6, 7, 5, 0, 4]
    assert cw.argsort(x, descending=True).tolist() == [5, 1, 2, 6, 7, 3, 0, 4]
    assert oracle.same(cw.sort(x), x[[3, 1, 2, 6, 7, 5, 0, 4]])


def test_out_is_used_and_returned():
    x = np.random.default_rng(2).random((4, 5))
    out, index = np.empty_like(x), np.empty(x.shape, "i8")
    assert cw.sort(x, out=out) is out and np.array_equal(out, np.sort(x))
    assert cw.sort(x, axis=0, out=out) is out and np.array_equal(out, np.sort(x, axis=0))
    values, places = cw.sort_with_index(x, out=(out, index))
    assert values is out and places is index and np.array_equal(index, np.argsort(x))
    wide = np.zeros((4, 10))[:, ::2]
    assert cw.sort(x, out=wide) is wide and np.array_equal(wide, np.sort(x))
    assert cw.argsort(x, axis=0, out=index) is index


def test_in_place():
    x = np.random.default_rng(3).random(1000)
    expected = np.sort(x)
    assert cw.sort(x, out=x) is x and np.array_equal(x, expected)
    x = np.random.default_rng(3).random((30, 40))
    expected = np.sort(x, axis=0)
    cw.sort(x, axis=0, out=x)
    assert np.array_equal(x, expected)


def test_pairs_with_rows_of_values():
    rng = np.random.default_rng(4)
    keys, rows = rng.integers(0, 50, 300), rng.random((300, 7))
    got = cw.sort_pairs(keys, rows)
    place = np.argsort(keys, kind="stable")
    assert np.array_equal(got.keys, keys[place]) and np.array_equal(got.values, rows[place])


def test_read_only_input_is_taken():
    x = np.arange(5)[::-1].copy()
    x.flags.writeable = False
    assert cw.sort(x).tolist() == [0, 1, 2, 3, 4]


def test_bfloat16_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.array([3.0, -1.0, np.nan, 2.0], ml_dtypes.bfloat16)
    assert cw.argsort(x).tolist() == [1, 3, 0, 2]
    assert cw.sort(x).dtype == ml_dtypes.bfloat16


def refused(kind, name, call):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith(name + ":"), caught.value


def test_refusals_name_the_argument():
    x = np.arange(4.0)
    refused(TypeError, "x", lambda: cw.sort([3, 1, 2]))
    refused(TypeError, "x", lambda: cw.sort(np.array(["b", "a"])))
    refused(TypeError, "x", lambda: cw.sort(np.array([1j])))
    refused(TypeError, "x", lambda: cw.sort(np.array([object()])))
    refused(TypeError, "x", lambda: cw.sort(np.arange(3, dtype=">i4")))
    refused(TypeError, "x", lambda: cw.sort(np.arange(3).astype("M8[s]")))
    refused(TypeError, "x", lambda: cw.sort(np.ma.masked_array([1, 2])))
    refused(ValueError, "x", lambda: cw.sort(np.array(3)))
    refused(ValueError, "axis", lambda: cw.sort(x, axis=1))
    refused(ValueError, "axis", lambda: cw.sort(x, axis=1 << 32))  # not 0
    refused(ValueError, "axis", lambda: cw.sort(x, axis=1 << 70))
    refused(TypeError, "axis", lambda: cw.sort(x, axis="0"))
    refused(ValueError, "axis", lambda: cw.sort_pairs(x, x, axis=2))
    refused(ValueError, "out", lambda: cw.sort(x, out=np.empty(3)))
    refused(TypeError, "out", lambda: cw.sort(x, out=np.empty(4, "f4")))
    refused(TypeError, "out", lambda: cw.sort_with_index(x, out=x))
    refused(TypeError, "index_dtype", lambda: cw.argsort(x, index_dtype="uint32"))
    refused(ValueError, "values", lambda: cw.sort_pairs(x, np.arange(5)))
    y = np.empty(4)
    y.flags.writeable = False
    refused(ValueError, "out", lambda: cw.sort(x, out=y))
    z = np.arange(9.0)  # overlaps x, but is not x
    refused(ValueError, "out", lambda: cw.sort(z[:8], out=z[1:]))


def test_places_that_int32_cannot_name_are_refused():
    x = np.zeros((1 << 31) + 1, "u1")  # no memory, as nobody looks at it
    for call in (cw.argsort, cw.sort_with_index):
        refused(ValueError, "index_dtype", lambda call=call: call(x, index_dtype="int32"))
    for want in ("index", "inverse"):
        refused(ValueError, "index_dtype",
                lambda want=want: cw.partition(x, 2, index_dtype="int32", **{want: True}))  # fmt: skip


@pytest.mark.parametrize("says, call", [
    ("x: .* not list; numpy.asarray makes one", lambda: cw.sort([3, 1])),
    ("x: dtype >i4 cannot be sorted; .* in this machine's byte order can", lambda: cw.sort(np.arange(3, dtype=">i4"))),
    ("x: dtype complex128 cannot be sorted", lambda: cw.sort(np.array([1j]))),
    ("keys: dtype float64 is not taken: labels are whole numbers", lambda: cw.partition(np.array([0.5]), 4)),
    ("keys: dtype complex128 is not taken: keys are integers or floats", lambda: cw.partition(np.array([1j]), 4, by="hash")),
    ("buckets: say how many there are", lambda: cw.partition(np.arange(4))),
    ("3 buckets: by bits, a power of two only$", lambda: cw.partition(np.arange(4), 3, by="bits")),
    ("index: .* not list; numpy.asarray makes one", lambda: cw.Plan([1, 0], 4)),
])  # fmt: skip
def test_refusals_say_what_and_why(says, call):
    with pytest.raises((TypeError, ValueError), match=says):
        call()


def test_a_plan_that_is_not_there_is_named():
    with pytest.raises(OSError, match="cannot open nope.plan: No such file or directory$"):
        cw.Plan.load("nope.plan")


def test_integers_of_numpy_and_streams_on_the_host():
    x = np.array([3, 1, 2])
    assert cw.sort(x, axis=np.int32(0), stream=7).tolist() == [1, 2, 3]
    assert cw.partition(x, np.int64(4), first_bit=np.uint8(0)).offsets.tolist() == [0, 0, 1, 2, 3]
    assert cw.shuffle(x, np.uint64(5)).tolist() == cw.shuffle(x, 5).tolist()


def test_any_number_of_array_types():
    for k in range(100):
        x = np.array([2, 1]).view(type(f"Array{k}", (np.ndarray,), {}))
        assert cw.sort(x).tolist() == [1, 2]
