"""NumPy: sort, argsort, pairs and a partition on host threads."""

import numpy as np

import clearway as cw

rng = np.random.default_rng(1)
x = rng.standard_normal((1000, 300)).astype("f4")
values, places = cw.sort_with_index(x, descending=True)
assert np.array_equal(values, np.take_along_axis(x, places, -1))

keys, rows = rng.integers(0, 100, 5000), rng.random((5000, 16))
got = cw.sort_pairs(keys, rows)  # rows of any width move with their keys
split = cw.partition(keys, 100, payloads=[rows])
assert np.array_equal(got.values, split.payloads[0])
print("the largest of row 0:", values[0, 0], "at", places[0, 0])
