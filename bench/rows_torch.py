#!/usr/bin/env python3
"""rows_torch - torch.sort(dim=-1) on rows of i32 keys, which gives keys and indices.

    bench/rows_torch.py [-n LOG] [ROWS_CSV] > torch.csv

Lines as of rows_bench.h: 2^LOG keys (27), 10^9 keys a second, the median of 9 by events after a run
that is checked.  The ratio is to Clearway doing the same work, type i32+index of ROWS_CSV, and
empty where that has no such line.  Without PyTorch or a GPU: says so and exits 0.
"""

import argparse
import csv
import os
import sys

LENGTHS = [128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384, 32768]
RUNS = 9
TYPE = "i32+index"


def clearway(path):
    """Gkey/s of Clearway by length."""
    if not path:
        return {}
    with open(path, encoding="utf-8", newline="") as lines:
        return {
            int(line["length"]): float(line["gkeys"])
            for line in csv.DictReader(lines)
            if (line["type"], line["method"], line["shape"]) == (TYPE, "clearway", "random")
        }


def check(torch, keys, out, index):
    """Rows ascend, and hold what the indices say."""
    assert bool((out[:, 1:] >= out[:, :-1]).all()), "rows do not ascend"
    assert bool((keys.gather(1, index) == out).all()), "keys and indices disagree"
    assert int(index.sum()) == keys.shape[0] * (keys.shape[1] * (keys.shape[1] - 1) // 2)


def measure(torch, keys):
    """Median of RUNS, in milliseconds."""
    from_event = torch.cuda.Event(enable_timing=True)
    to_event = torch.cuda.Event(enable_timing=True)
    out, index = torch.sort(keys, dim=-1)
    check(torch, keys, out, index)
    torch.sort(keys, dim=-1, out=(out, index))
    times = []
    for _ in range(RUNS):
        from_event.record()
        torch.sort(keys, dim=-1, out=(out, index))
        to_event.record()
        to_event.synchronize()
        times.append(from_event.elapsed_time(to_event))
    return sorted(times)[RUNS // 2]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("-n", type=int, default=27, help="log2 of all keys")
    options.add_argument("rows_csv", nargs="?", help="what bench_rows wrote, for the ratios")
    given = options.parse_args()
    try:
        import torch
    except ImportError:
        print("rows_torch: PyTorch is missing: left out", file=sys.stderr)
        return
    if not torch.cuda.is_available():
        print("rows_torch: no GPU: left out", file=sys.stderr)
        return

    ours = clearway(given.rows_csv)
    begin = [
        torch.cuda.get_device_name(),
        os.environ.get("CW_DRIVER") or f"CUDA {torch.version.cuda}",
        os.environ.get("CW_COMMIT") or "unknown",
    ]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("gpu driver commit n type length method shape gkeys ratio".split())
    torch.manual_seed(1)
    keys = torch.randint(-(2**31), 2**31, (2**given.n,), dtype=torch.int32, device="cuda")
    for length in LENGTHS:
        rows = 2**given.n // length
        n = rows * length
        speed = n / measure(torch, keys[:n].view(rows, length)) / 1e6
        ratio = f"{ours[length] / speed:.2f}" if length in ours else ""
        line = [n, TYPE, length, "torch.sort", torch.__version__, f"{speed:.2f}", ratio]
        out.writerow(begin + line)
        print(f"i32 {length:5}: torch.sort {speed:.1f} Gkey/s", file=sys.stderr)


if __name__ == "__main__":
    main()
