"""PyTorch: on the GPU if there is one, on the current stream; a gradient through a sort."""

import torch

import clearway as cw
import clearway.torch as ct

device = "cuda" if torch.cuda.is_available() and cw.has_cuda else "cpu"
x = torch.randn(1_000_000, device=device)
values, index = cw.sort_with_index(x)
assert torch.equal(values, x[index])

y = torch.randn(100, 50, device=device, requires_grad=True)
ct.sort(y, dim=0).values[-1].sum().backward()  # the gradient of the largest of each column
assert int((y.grad != 0).sum()) == 50
print("median on the", device, float(values[len(values) // 2]))
