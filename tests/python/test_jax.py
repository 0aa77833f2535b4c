"""JAX: sorts under jit, vmap and grad, on whatever device JAX has."""

import numpy as np
import oracle
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import clearway as cw  # noqa: E402
import clearway.jax as cj  # noqa: E402

TYPES = ["bool", "u1", "u2", "u4", "i1", "i2", "i4", "f2", "f4"]

if jax.default_backend() == "gpu" and not cw.has_cuda:
    pytest.skip("JAX is on a GPU, and this build has no CUDA", allow_module_level=True)


def test_random_cases(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        dtype = TYPES[rng.integers(len(TYPES))]
        x = oracle.keys(rng, dtype, [(0,), (1,), (1000,), (7, 30), (3, 4, 50)][rng.integers(5)])
        axis, descending = int(rng.integers(-x.ndim, x.ndim)), bool(rng.integers(2))
        place = oracle.argsort(x, axis, descending)
        values, index = cj.sort_with_index(x, axis=axis, descending=descending)
        assert np.array_equal(index, place), (dtype, x.shape, axis, descending)
        assert oracle.same(np.asarray(values), np.take_along_axis(x, place, axis))
        assert np.array_equal(cj.argsort(x, axis=axis, descending=descending), place)
        assert oracle.same(np.asarray(cj.sort(x, axis=axis, descending=descending)),
                           np.take_along_axis(x, place, axis))  # fmt: skip


def test_bfloat16():
    x = jnp.asarray(np.random.default_rng(1).standard_normal(500), jnp.bfloat16)
    assert jnp.array_equal(cj.sort(x), jnp.sort(x))


def test_jit_and_vmap_and_grad():
    x = jnp.asarray(np.random.default_rng(2).standard_normal((6, 40)), jnp.float32)
    assert jnp.array_equal(jax.jit(cj.sort)(x), jnp.sort(x))
    assert jnp.array_equal(jax.jit(lambda a: cj.sort(a * 2, axis=0) + 1)(x), jnp.sort(x * 2, 0) + 1)
    assert jnp.array_equal(jax.vmap(cj.argsort)(x), jnp.argsort(x))
    weight = jnp.arange(40.0)
    got = jax.grad(lambda a: (cj.sort(a) * weight).sum())(x)
    assert jnp.allclose(got, jax.grad(lambda a: (jnp.sort(a) * weight).sum())(x))


def test_refusals():
    with pytest.raises(ValueError, match="axis"):
        cj.sort(jnp.arange(3.0), axis=1)
    with pytest.raises(TypeError, match="x"):
        cj.argsort(jnp.arange(3) * 1j)
    for length in (1 << 31, (1 << 31) + 1):
        x = jax.ShapeDtypeStruct((length,), np.uint8)
        assert jax.eval_shape(cj.sort, x).shape == x.shape
        if length > 1 << 31:
            with pytest.raises(ValueError, match="^x: .* int32"):
                jax.eval_shape(cj.argsort, x)
        else:
            assert jax.eval_shape(cj.argsort, x).dtype == np.int32
    with pytest.raises(TypeError, match="clearway.jax"):
        cw.sort(jnp.arange(3.0))
