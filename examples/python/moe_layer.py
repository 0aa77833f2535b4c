"""A layer of a mixture of experts, whole, checked against a plain one in torch.

Each token goes to k of the experts, which are two matrices with a nonlinearity between them.  Rows of one
expert stand together in memory, so each expert is two matrix products over a slice.
"""

import torch

import clearway as cw
from clearway.torch import moe


class Experts(torch.nn.Module):
    def __init__(self, hidden, inner, count, k):
        super().__init__()
        self.k = k
        self.router = torch.nn.Linear(hidden, count, bias=False)
        self.up = torch.nn.Parameter(torch.randn(count, hidden, inner) * hidden**-0.5)
        self.down = torch.nn.Parameter(torch.randn(count, inner, hidden) * inner**-0.5)

    def expert(self, e, rows):
        return torch.nn.functional.silu(rows @ self.up[e]) @ self.down[e]

    def forward(self, x):
        weights, experts = moe.route(self.router(x), self.k)
        grouped = moe.group(x, experts, len(self.up))
        at = grouped.offsets.tolist()
        rows = [self.expert(e, grouped.rows[at[e] : at[e + 1]]) for e in range(len(self.up))]
        return moe.combine(torch.cat(rows), grouped, weights)

    def plain(self, x):
        top, experts = torch.topk(self.router(x), self.k)
        weights = torch.softmax(top, -1)
        out = torch.zeros_like(x)
        for e in range(len(self.up)):
            token, choice = torch.where(experts == e)
            out = out.index_add(0, token, self.expert(e, x[token]) * weights[token, choice, None])
        return out


device = "cuda" if torch.cuda.is_available() and cw.has_cuda else "cpu"
torch.manual_seed(1)
layer = Experts(hidden=64, inner=128, count=8, k=2).to(device)
x = torch.randn(500, 64, device=device, requires_grad=True)
one, other = layer(x), layer.plain(x)
torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
for a, b in zip(torch.autograd.grad(one.sum(), (x, layer.router.weight)),
                torch.autograd.grad(other.sum(), (x, layer.router.weight))):  # fmt: skip
    torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)
print("500 tokens, 2 of 8 experts each: the same as the plain layer, gradients too, on the", device)
