"""Clearway's calls as operators of PyTorch: torch.ops.clearway.*

Each has a fake kernel, so torch.compile goes through it without a graph break, and a backward where the
call has a derivative.  The functions here take the short way around the dispatcher where nothing asks
for a graph or a gradient.

    sort, argsort            along a dimension; values and int64 indices
    take, scatter            rows by a permutation
    gather_sum               rows gathered, weighted and added
    partition_index          labels -> order, inverse, offsets, padded offsets

clearway.torch.moe has the three steps of a mixture of experts.
"""

import torch

from .. import Sorted, _clearway

_library = torch.library.Library("clearway", "DEF")
_library.define("sort(Tensor x, int dim=-1, bool descending=False, bool stable=True) -> (Tensor, Tensor)")
_library.define("argsort(Tensor x, int dim=-1, bool descending=False) -> Tensor")
_library.define("take(Tensor x, Tensor index) -> Tensor")
_library.define("scatter(Tensor x, Tensor index) -> Tensor")
_library.define("gather_sum(Tensor x, Tensor index, Tensor? weights=None) -> Tensor")
_library.define(
    "partition_index(Tensor labels, int buckets, int pad_to=1) -> (Tensor, Tensor, Tensor, Tensor)"
)
_ops = torch.ops.clearway


def _flags(descending, stable):
    return _clearway.DESCENDING * bool(descending) | _clearway.STABLE * bool(stable)


# ---- what does the work ---------------------------------------------------------------------------


def _sort(x, dim=-1, descending=False, stable=True):
    if x.dim() == 0:
        return x.clone(), torch.zeros((), dtype=torch.int64, device=x.device)
    x = x.detach()
    values, index = _clearway.sort(x, 3, dim, _flags(descending, stable), 8, None, None, None)
    return values.contiguous(), index.contiguous()


def _argsort(x, dim=-1, descending=False):
    if x.dim() == 0:
        return torch.zeros((), dtype=torch.int64, device=x.device)
    flags = _flags(descending, True)
    return _clearway.sort(x.detach(), 2, dim, flags, 8, None, None, None).contiguous()


def _take(x, index):
    return _clearway.permute(x.detach(), index, _clearway.GATHER, None, None)


def _scatter(x, index):
    return _clearway.permute(x.detach(), index, 0, None, None)


def _gather_sum(x, index, weights=None):
    weights = None if weights is None else weights.detach()
    return _clearway.gather_sum(x.detach(), index, weights, 0, None, None)


def _partition_index(labels, buckets, pad_to=1):
    got = _clearway.partition(labels, buckets, 0, 0, None, 0, 0, (), 14, pad_to, 4, None)
    return got[4], got[5], got[2], got[3]


# ---- shapes alone, for tracing --------------------------------------------------------------------


def _like(x, dtype=None):
    return torch.empty_like(x, dtype=dtype, memory_format=torch.contiguous_format)


def _sort_fake(x, dim=-1, descending=False, stable=True):
    return _like(x), _like(x, torch.int64)


def _argsort_fake(x, dim=-1, descending=False):
    return _like(x, torch.int64)


def _move_fake(x, index):
    return _like(x)


def _gather_sum_fake(x, index, weights=None):
    return x.new_empty((index.shape[0], x.shape[1]))


def _partition_index_fake(labels, buckets, pad_to=1):
    def of(n, dtype):
        return labels.new_empty((n,), dtype=dtype)

    n = labels.shape[0]
    return (
        of(n, torch.int32), of(n, torch.int32), of(buckets + 1, torch.int64),
        of(buckets + 1, torch.int64),
    )  # fmt: skip


for _name, _real, _fake in (
    ("sort", _sort, _sort_fake),
    ("argsort", _argsort, _argsort_fake),
    ("take", _take, _move_fake),
    ("scatter", _scatter, _move_fake),
    ("gather_sum", _gather_sum, _gather_sum_fake),
    ("partition_index", _partition_index, _partition_index_fake),
):
    for _where in ("CPU", "CUDA"):
        _library.impl(_name, _real, _where)
    torch.library.register_fake(f"clearway::{_name}", _fake, lib=_library)


# ---- backward -------------------------------------------------------------------------------------


def _sort_setup(ctx, inputs, output):
    ctx.dim = inputs[1] if len(inputs) > 1 else -1
    ctx.mark_non_differentiable(output[1])
    ctx.save_for_backward(output[1])


def _sort_backward(ctx, grad, _):
    (index,) = ctx.saved_tensors
    if grad.dim() == 0:
        return grad, None, None, None
    return torch.scatter(torch.zeros_like(grad), ctx.dim, index, grad), None, None, None


def _argsort_setup(ctx, inputs, output):
    ctx.mark_non_differentiable(output)


def _argsort_backward(ctx, grad):
    return None, None, None


def _move_setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[1])


def _take_backward(ctx, grad):
    return _ops.scatter(grad.contiguous(), ctx.saved_tensors[0]), None


def _scatter_backward(ctx, grad):
    return _ops.take(grad.contiguous(), ctx.saved_tensors[0]), None


def _gather_sum_setup(ctx, inputs, output):
    x, index = inputs[:2]
    ctx.save_for_backward(x, index, inputs[2] if len(inputs) > 2 else None)


def _gather_sum_backward(ctx, grad):
    x, index, weights = ctx.saved_tensors
    place = index.reshape(-1).long()
    grad_x = grad_weights = None
    if ctx.needs_input_grad[0]:
        part = grad.unsqueeze(1).expand(-1, index.shape[1], -1)
        if weights is not None:
            part = part * weights.unsqueeze(-1).to(grad.dtype)
        sums = torch.zeros(x.shape, dtype=torch.float32, device=x.device)
        sums = sums.index_add(0, place, part.reshape(-1, x.shape[1]).float())
        grad_x = sums.to(x.dtype)
    if weights is not None and ctx.needs_input_grad[2]:
        rows = x.index_select(0, place).reshape(*index.shape, -1)
        grad_weights = (rows.float() * grad.unsqueeze(1).float()).sum(-1).to(weights.dtype)
    return grad_x, None, grad_weights


for _name, _backward, _setup in (
    ("sort", _sort_backward, _sort_setup),
    ("argsort", _argsort_backward, _argsort_setup),
    ("take", _take_backward, _move_setup),
    ("scatter", _scatter_backward, _move_setup),
    ("gather_sum", _gather_sum_backward, _gather_sum_setup),
):
    torch.library.register_autograd(
        f"clearway::{_name}", _backward, setup_context=_setup, lib=_library
    )


# ---- functions ------------------------------------------------------------------------------------


def _plain(*tensors):
    """Whether nothing asks for a graph or a gradient."""
    if torch.compiler.is_compiling():
        return False
    for t in tensors:
        if t is not None and t.requires_grad and torch.is_grad_enabled():
            return False
        if t is not None and type(t) is not torch.Tensor and type(t) is not torch.nn.Parameter:
            return False
    return True


def sort(x, dim=-1, descending=False, stable=True):
    """As torch.sort: (values, indices).  NaNs are last either way."""
    if not _plain(x) or x.dim() == 0:
        return Sorted(*_ops.sort(x, dim, descending, stable))
    flags = _flags(descending, stable)
    return Sorted._make(_clearway.sort(x, 3, dim, flags, 8, None, None, None))


def argsort(x, dim=-1, descending=False):
    """As torch.argsort, and stable."""
    if not _plain(x) or x.dim() == 0:
        return _ops.argsort(x, dim, descending)
    return _clearway.sort(x, 2, dim, _flags(descending, True), 8, None, None, None)


def take(x, index):
    """x[index] for rows; index is a permutation."""
    return _take(x, index) if _plain(x) else _ops.take(x, index)


def scatter(x, index):
    """out[index] = x for rows; index is a permutation."""
    return _scatter(x, index) if _plain(x) else _ops.scatter(x, index)


def gather_sum(x, index, weights=None):
    """out[i] = sum over k of weights[i, k] * x[index[i, k]], added in f32."""
    if _plain(x, weights):
        return _gather_sum(x, index, weights)
    return _ops.gather_sum(x, index, weights)


def partition_index(labels, buckets, pad_to=1):
    """Order, inverse (int32), offsets and padded offsets (int64) of labels by bucket."""
    if _plain(labels):
        return _partition_index(labels, buckets, pad_to)
    return _ops.partition_index(labels, buckets, pad_to)
