#!/usr/bin/env python3
"""partition_torch - 262144 labels of 256 buckets in PyTorch: stable sort with its permutation, and a count.

    bench/partition_torch.py > partition_torch.csv

Lines as bench_partition has them, without a peer: the median of 9 in ms by events, for labels of 1, 4
and 8 bytes.  Without PyTorch or a GPU: says so and exits 0.
"""

import csv
import os
import sys

N = 262144


def median(torch, run):
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


def main():
    try:
        import torch
    except ImportError:
        print("partition_torch: PyTorch is missing: left out", file=sys.stderr)
        return
    if not torch.cuda.is_available():
        print("partition_torch: no GPU: left out", file=sys.stderr)
        return
    begin = [
        torch.cuda.get_device_name(),
        os.environ.get("CW_DRIVER") or f"CUDA {torch.version.cuda}",
        os.environ.get("CW_COMMIT") or "unknown",
    ]
    out = csv.writer(sys.stdout, lineterminator="\n")
    head = "gpu,driver,commit,items,input,n,buckets,order,ms,G/s,peer,peer ms,peer G/s,ratio,output"
    out.writerow(head.split(","))
    for kind in (torch.uint8, torch.int32, torch.int64):
        labels = torch.randint(0, 256, (N,), device="cuda").to(kind)

        def both():
            torch.sort(labels, stable=True)
            torch.bincount(labels, minlength=256)

        def sort():
            torch.sort(labels, stable=True)

        for what, run in (("torch.sort", sort), ("torch.sort + bincount", both)):
            ms = median(torch, run)
            name = f"{what} {str(kind).removeprefix('torch.')}"
            speed = f"{N / ms / 1e6:.1f}"
            out.writerow(begin + [name, "uniform", N, 256, "stable", f"{ms:.4f}", speed] + [""] * 4 + ["-"])


if __name__ == "__main__":
    main()
