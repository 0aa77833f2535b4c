"""PyTorch: tensors in, tensors out; operators, gradients, torch.compile, mixture of experts.

On the host, and on a GPU where torch has one.
"""

import numpy as np
import oracle
import pytest

torch = pytest.importorskip("torch")

import clearway as cw  # noqa: E402
import clearway.torch as ct  # noqa: E402
from clearway.torch import moe  # noqa: E402

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() and cw.has_cuda else [])
TYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
         torch.bfloat16, torch.float32, torch.float64]  # fmt: skip


@pytest.fixture(params=DEVICES)
def device(request):
    return request.param


def tensor(rng, dtype, shape, device):
    if dtype.is_floating_point:
        x = torch.from_numpy(oracle.keys(rng, "f4", shape).astype("f4"))
        return x.to(dtype).to(device)
    low, high = (0, 2) if dtype is torch.bool else (0, 100)
    return torch.from_numpy(rng.integers(low, high, shape)).to(dtype).to(device)


def expected(x, axis, descending):
    """By the oracle on the host, which puts NaNs last."""
    host = x.cpu()
    host = host.float() if host.dtype in (torch.bfloat16, torch.float16) else host
    return torch.from_numpy(oracle.argsort(host.numpy(), axis, descending)).to(x.device)


def test_random_cases(device, seed, cases):
    rng = np.random.default_rng(seed)
    for _ in range(cases // 8):
        dtype = TYPES[rng.integers(len(TYPES))]
        x = tensor(rng, dtype, oracle.shape(rng), device)
        if rng.random() < 0.3 and x.dim() > 1:
            x = x.transpose(0, -1)
        axis, descending = int(rng.integers(-x.dim(), x.dim())), bool(rng.integers(2))
        place = expected(x, axis, descending)
        values, index = cw.sort_with_index(x, axis=axis, descending=descending)
        said = f"{dtype} {tuple(x.shape)} {axis} {descending}"
        assert type(values) is torch.Tensor and values.device == x.device
        assert index.dtype == torch.int64 and torch.equal(index, place), said
        there = torch.gather(x, axis, place)
        assert torch.equal(values.nan_to_num(7.0), there.nan_to_num(7.0)), said
        keys = cw.sort(x, axis=axis, descending=descending)
        assert torch.equal(keys.nan_to_num(7.0), there.nan_to_num(7.0)), said
        assert torch.equal(cw.argsort(x, axis=axis, descending=descending), place), said


def test_long_arrays(device, seed):
    rng = np.random.default_rng(seed)
    for dtype in TYPES:
        for shape in (300_000, (70, 3000), (3, 70_000)):
            x = tensor(rng, dtype, shape, device)
            place = expected(x, -1, False)
            values, index = cw.sort_with_index(x)
            assert torch.equal(index, place), (dtype, shape)
            assert torch.equal(values.nan_to_num(7.0), x.gather(-1, place).nan_to_num(7.0))


def test_moves(device, seed):
    rng = np.random.default_rng(seed)
    for n, width in ((1000, ()), (777, (3,)), (50, (4, 5))):
        x = torch.from_numpy(rng.random((n, *width))).to(device)
        p = torch.from_numpy(rng.permutation(n)).to(device)
        there = torch.empty_like(x)
        there[p] = x
        assert torch.equal(cw.take(x, p), x[p]) and torch.equal(cw.scatter(x, p), there)
        assert torch.equal(cw.take(x, p.int()), x[p])
        assert torch.equal(cw.shuffle(cw.shuffle(x, 5), 5, inverse=True), x)
        plan = cw.Plan(p, x[0].numel() * 8, gather=True)
        assert torch.equal(plan(x), x[p])
    x = torch.from_numpy(rng.random((3, 40, 50))).to(device)
    assert torch.equal(cw.transpose(x), x.transpose(-1, -2).contiguous())


def test_partition(device, seed):
    rng = np.random.default_rng(seed)
    for dtype in (torch.uint8, torch.int32, torch.int64):
        labels = torch.from_numpy(rng.integers(0, 100, 20000)).to(dtype).to(device)
        rows = torch.randn(20000, 3, device=device)
        got = cw.partition(labels, 100, payloads=(rows,), index=True, inverse=True, pad_to=16)
        order = torch.argsort(labels, stable=True)
        assert torch.equal(got.keys, labels[order]) and torch.equal(got.index, order)
        assert torch.equal(got.payloads[0], rows[order])
        assert torch.equal(got.inverse[order], torch.arange(20000, device=device))
        counts = torch.bincount(labels, minlength=100)
        assert torch.equal(got.offsets[1:], counts.cumsum(0)) and got.offsets[0] == 0


def test_operators_pass_opcheck(device):
    x = torch.randn(20, 30, device=device)
    p = torch.randperm(20, device=device)
    ops = torch.ops.clearway
    labels = torch.randint(0, 9, (100,), device=device)
    index = torch.randint(0, 20, (8, 3), device=device)
    weights = torch.rand(8, 3, device=device)
    for grad in (False, True):
        y = x.clone().requires_grad_(grad)
        w = weights.clone().requires_grad_(grad)
        torch.library.opcheck(ops.sort, (y,))
        torch.library.opcheck(ops.sort, (y, 0, True, True))
        torch.library.opcheck(ops.take, (y, p))
        torch.library.opcheck(ops.scatter, (y, p))
        torch.library.opcheck(ops.gather_sum, (y, index, w))
        torch.library.opcheck(ops.gather_sum, (y, index))
    torch.library.opcheck(ops.argsort, (x, 0))
    torch.library.opcheck(ops.partition_index, (labels, 9, 4))


def test_gradients(device):
    x = torch.randn(12, 5, dtype=torch.float64, device=device, requires_grad=True)
    p = torch.randperm(12, device=device)
    for dim in (0, 1):
        assert torch.autograd.gradcheck(lambda a: ct.sort(a, dim).values, x)
    assert torch.autograd.gradcheck(lambda a: ct.take(a, p), x)
    assert torch.autograd.gradcheck(lambda a: ct.scatter(a, p), x)
    a, w = torch.randn(9, 4, device=device), torch.rand(6, 2, device=device)
    index = torch.randint(0, 9, (6, 2), device=device)
    a.requires_grad_()
    w.requires_grad_()
    g = torch.randn(6, 4, device=device)
    got = torch.autograd.grad(ct.gather_sum(a, index, w), (a, w), g)
    plain = torch.autograd.grad((a[index] * w[..., None]).sum(1), (a, w), g)
    for one, other in zip(got, plain):
        torch.testing.assert_close(one, other)


def test_a_tensor_that_requires_grad_is_not_cut_off():
    x = torch.randn(4, requires_grad=True)
    with pytest.raises(TypeError, match="clearway.torch"):
        cw.sort(x)
    with torch.no_grad():
        assert torch.equal(cw.sort(x), x.sort().values)


def test_compile_has_no_graph_break(device):
    def layer(x, p):
        values, index = ct.sort(x * 2, 0)
        return ct.take(values, p) + 1, index

    x, p = torch.randn(50, 6, device=device), torch.randperm(50, device=device)
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    for got, plain in zip(compiled(x, p), layer(x, p)):
        torch.testing.assert_close(got, plain)


def plain_moe(x, logits, experts, k):
    top, chosen = torch.topk(logits.float(), k, dim=-1)
    weights = torch.softmax(top, -1)
    out = torch.zeros_like(x, dtype=torch.float32)
    for e, matrix in enumerate(experts):
        token, slot = torch.where(chosen == e)
        y = torch.tanh(x[token] @ matrix)
        out.index_add_(0, token, y.float() * weights[token, slot, None])
    return out.to(x.dtype)


def our_moe(x, logits, experts, k):
    weights, chosen = moe.route(logits, k)
    grouped = moe.group(x, chosen, len(experts), pad_to=16)
    begin = grouped.offsets.tolist()
    y = torch.cat([
        torch.tanh(grouped.rows[begin[e] : begin[e + 1]] @ matrix) for e, matrix in enumerate(experts)
    ])  # fmt: skip
    return moe.combine(y, grouped, weights)


def test_mixture_of_experts_equals_a_plain_layer(device):
    torch.manual_seed(1)
    for tokens, hidden, count, k in ((40, 8, 4, 1), (300, 16, 8, 2), (77, 8, 5, 3)):
        x = torch.randn(tokens, hidden, device=device, requires_grad=True)
        logits = torch.randn(tokens, count, device=device, requires_grad=True)
        experts = [torch.randn(hidden, hidden, device=device) / 4 for _ in range(count)]
        got, plain = our_moe(x, logits, experts, k), plain_moe(x, logits, experts, k)
        torch.testing.assert_close(got, plain)
        g = torch.randn_like(x)
        for a, b in zip(torch.autograd.grad(got, (x, logits), g),
                        torch.autograd.grad(plain, (x, logits), g)):  # fmt: skip
            torch.testing.assert_close(a, b)


def test_tensors_that_negate_when_they_are_read(device):
    z = torch.complex(torch.randn(50), torch.randn(50)).to(device)
    for x in (z.conj().imag, torch._neg_view(torch.randn(50, device=device))):
        assert x.is_neg() and torch.equal(cw.sort(x), x.sort().values)
    p = torch.randperm(50, device=device)
    assert torch.equal(cw.take(z.conj(), p), z.conj()[p])
    out = torch._neg_view(torch.empty(50, device=device))
    assert torch.equal(cw.sort(z.real, out=out), z.real.sort().values)


def test_tensors_without_memory_are_refused():
    for x in (torch.eye(3).to_sparse(), torch.empty(3, device="meta")):
        with pytest.raises(TypeError, match="^x:"):
            cw.sort(x)


needs_gpu = pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU")


@needs_gpu
def test_streams_and_graphs():
    x = torch.randn(100_000, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        y = cw.sort(x)
    z = cw.sort(x, stream=side)
    side.synchronize()
    assert torch.equal(y, x.sort().values) and torch.equal(z, y)
    out = torch.empty_like(x)
    cw.sort(x, out=out)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        cw.sort(x, out=out)
    for k in range(3):
        x.copy_(torch.randn(100_000, device="cuda"))
        cw.sort(torch.randn(3_000_000, device="cuda"))  # takes another workspace meanwhile
        graph.replay()
        torch.cuda.synchronize()
        assert torch.equal(out, x.sort().values)


@needs_gpu
def test_a_named_stream_waits_for_no_other():
    """Copies, results and workspaces belong to it: work that is queued elsewhere holds nothing up."""
    x = torch.randn(700, 300, device="cuda")
    labels = torch.randint(0, 9, (20_000,), device="cuda")[::2]
    cw.sort(x, axis=0), cw.partition(labels, 9)  # kernels are loaded
    expected = x.sort(0).values, labels.sort().values
    torch.cuda.synchronize()
    side = torch.cuda.Stream()
    torch.cuda._sleep(2_000_000_000)  # about a second, on the current stream
    busy = torch.cuda.Event()
    busy.record()
    y = cw.sort(x, axis=0, stream=side)
    keys = cw.partition(labels, 9, stream=side.cuda_stream).keys
    pairs = cw.sort_pairs(x, x, axis=0, stream=side)
    side.synchronize()
    waited = busy.query()
    with torch.cuda.stream(side):
        assert torch.equal(y, expected[0]) and torch.equal(keys, expected[1])
        assert torch.equal(pairs.keys, expected[0]) and torch.equal(pairs.values, expected[0])
    assert not waited
    torch.cuda.synchronize()


@needs_gpu
def test_threads_on_one_stream():
    import threading

    wrong = []

    def work(k):
        generator = torch.Generator("cuda").manual_seed(k)
        for _ in range(60):
            x = torch.randn(20_000 + 1000 * k, device="cuda", generator=generator)
            if not torch.equal(cw.sort(x), x.sort().values):
                wrong.append(k)

    all = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for t in all:
        t.start()
    for t in all:
        t.join()
    assert not wrong


@needs_gpu
def test_arrays_on_different_devices_are_refused():
    with pytest.raises(ValueError, match="indices"):
        cw.take(torch.randn(3, device="cuda"), torch.arange(3))


@needs_gpu
def test_cupy():
    cupy = pytest.importorskip("cupy")
    x = cupy.random.random((50, 300))
    y = cw.sort(x)
    assert type(y) is cupy.ndarray and cupy.array_equal(y, cupy.sort(x))
    assert cupy.array_equal(cw.argsort(x[0]), cupy.argsort(x[0]))
    assert cupy.array_equal(cw.sort(x, axis=0), cupy.sort(x, axis=0))
    with cupy.cuda.Stream(non_blocking=True) as s:
        z = cw.sort(x)
        s.synchronize()
    assert cupy.array_equal(z, y)
    p = cupy.random.permutation(50)
    assert cupy.array_equal(cw.take(x, p), x[p])
    got = cw.partition(p % 7, 7, index=True)
    assert cupy.array_equal(got.keys, cupy.sort(p % 7))
