"""CuPy: arrays stay on the GPU, and work goes on the current stream."""

import cupy

import clearway as cw

x = cupy.random.standard_normal((4096, 1024), dtype=cupy.float32)
with cupy.cuda.Stream(non_blocking=True) as stream:
    y = cw.sort(x)
    order = cupy.random.permutation(4096)
    z = cw.take(y, order)  # rows in another order
    stream.synchronize()
assert cupy.array_equal(z, y[order])
print("rows sorted and shuffled:", z.shape)
