"""Mixture of experts: which experts, tokens put together by expert, and back.

    weights, experts = route(logits, k)          # of each token: k experts and their weights
    grouped = group(x, experts, count)           # rows of one expert stand together
    y = ...                                      # each expert on its rows, offsets say which
    out = combine(y, grouped, weights)           # each token's k rows, weighted and added

All of it is differentiable in x, y and weights, and goes through torch.compile.
"""

from typing import NamedTuple

import torch

from . import gather_sum, partition_index


class Grouped(NamedTuple):
    rows: torch.Tensor  # tokens * k rows, by expert
    offsets: torch.Tensor  # experts + 1: where an expert's rows begin
    padded: torch.Tensor  # the same if every expert's rows were rounded up to pad_to
    index: torch.Tensor  # of each row: its place among tokens * k
    inverse: torch.Tensor  # of each token's choice: its row; tokens x k


def route(logits, k, *, renormalize=True):
    """Weights (tokens x k, f32) and experts (tokens x k, int32) of the k largest logits of each token.

    renormalize: the k weights of a token add up to 1; otherwise they are shares of all experts.
    """
    top, experts = torch.topk(logits.float(), k, dim=-1)
    if renormalize:
        weights = torch.softmax(top, dim=-1)
    else:
        weights = torch.exp(top - torch.logsumexp(logits.float(), dim=-1, keepdim=True))
    return weights, experts.to(torch.int32)


def group(x, experts, count, *, pad_to=1):
    """Rows of x, k copies of each, in the order of their experts; inside an expert, in the order of tokens."""
    tokens, k = experts.shape
    index, inverse, offsets, padded = partition_index(experts.reshape(-1), count, pad_to)
    token = torch.div(index, k, rounding_mode="floor") if k > 1 else index
    rows = gather_sum(x, token.unsqueeze(1))
    return Grouped(rows, offsets, padded, index, inverse.reshape(tokens, k))


def combine(rows, grouped, weights):
    """out[t] = sum over the choices of token t of weight * row."""
    return gather_sum(rows, grouped.inverse, weights)
