"""262144 labels of 256 buckets in PyTorch: stable sort with its permutation, and a count.

Prints the median of 9 in ms, for uint8, int32 and int64 labels, as bench_partition does for Clearway.
"""
import torch


def median(run):
    times = []
    for r in range(12):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        run()
        b.record()
        b.synchronize()
        if r >= 3:
            times.append(a.elapsed_time(b))
    return sorted(times)[len(times) // 2]


for kind in (torch.uint8, torch.int32, torch.int64):
    labels = torch.randint(0, 256, (262144,), device="cuda").to(kind)

    def both():
        torch.sort(labels, stable=True)
        torch.bincount(labels, minlength=256)

    def sort():
        torch.sort(labels, stable=True)

    print(f"torch,{kind},sort {median(sort):.4f} ms,sort + bincount {median(both):.4f} ms")
