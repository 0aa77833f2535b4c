#!/usr/bin/env python3
"""bench - Clearway and PyTorch through Python, on one GPU, in one run.

    python bench/python/bench.py [--quick] [--part sort|rows|moves|moe|overhead]... [-o docs/data/python-h200.csv]

Each line: what, n (or the shape), input, microseconds of Clearway and of the peer, and their ratio (above 1:
Clearway is faster).  Times are medians of at least 9, by events, after a warm-up; calls of less than 100 us are
timed 20 at a time.  Outputs are checked against the peer's in the same run; a wrong one ends it.
bench/python/plot.py draws docs/python.svg from the lines.  Half a minute on an H200.  What the ratios ought to be
stands in bench/promises.py, and scripts/promises judges them.
"""

import argparse
import statistics
import sys
import time

import torch

import clearway as cw
import clearway.torch as ct
from clearway import _clearway
from clearway.torch import moe


def timed(call):
    """Microseconds of a call, the median."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def once(times):
        begin.record()
        for _ in range(times):
            call()
        end.record()
        end.synchronize()
        return 1000.0 * begin.elapsed_time(end) / times

    once(2)
    times = 20 if once(3) < 100.0 else 1
    return statistics.median(once(times) for _ in range(9))


def line(what, n, kind, ours, peer, name="torch"):
    say(f"\"{what}\",{n},{kind},{ours:.2f},{peer:.2f},{name},{peer / ours:.3f}")


def say(text):
    print(text, flush=True)
    if OUT:
        OUT.write(text + "\n")


OUT = None
def must(right, what):
    if not right:
        sys.exit(f"bench: wrong result: {what}")


def keys(kind, n):
    if kind == "gauss":
        return torch.randn(n, device="cuda")
    if kind == "sorted":
        return torch.linspace(-1.0, 1.0, n, device="cuda")
    u = torch.rand(n, device="cuda").clamp_(1e-6)  # zipf: P(rank) ~ rank^-1.2
    return u.pow_(-1.0 / 0.2).clamp_(max=1e9).floor_()


def check_any(x, what):
    """No index: the values alone."""
    must(torch.equal(cw.sort(x, stable=False), torch.sort(x).values), what)


def check_sort(x, got, what):
    values, index = got
    step = 1 << 26  # in parts: there is not room for everything twice
    for i in range(0, x.numel(), step):
        part = slice(i, i + step)
        must(torch.equal(x[index[part]], values[part]), what)
    must(bool((values[1:] >= values[:-1]).all()), what)
    tie = values[1:] == values[:-1]
    must(bool((index[1:] > index[:-1])[tie].all()), what + " (order of equal keys)")
    must(int(torch.zeros_like(x, dtype=torch.bool).index_fill_(0, index, True).sum()) == x.numel(), what)


def bench_sort(quick):
    sizes = [1000, 4096, 10_000, 16384, 65536, 100_000, 1 << 18, 1_000_000, 1 << 20, 1 << 22, 1 << 24,
             1 << 26, 1 << 28]  # fmt: skip
    for n in sizes[::3] if quick else sizes:
        for kind in ("gauss", "zipf", "sorted"):
            x = keys(kind, n)
            check_sort(x, cw.sort_with_index(x), f"sort {n} {kind}")
            ours = timed(lambda: cw.sort_with_index(x))
            line("sort_with_index f32+i64", n, kind, ours, timed(lambda: torch.sort(x)))
            if n >= 1 << 20:
                check_any(x, f"sort {n} {kind}, stable=False")
                peer = timed(lambda: torch.sort(x))
                line("sort f32", n, kind, timed(lambda: cw.sort(x)), peer)
                line("sort f32, stable=False", n, kind, timed(lambda: cw.sort(x, stable=False)), peer)
            torch.cuda.empty_cache() if n >= 1 << 26 else None


def bench_rows(quick):
    shapes = [(65536, 1024), (4096, 4096), (1000, 1000), (64, 65536), (8192, 64)]
    for rows, length in shapes[:2] if quick else shapes:
        x = torch.randn(rows, length, device="cuda")
        values, index = cw.sort_with_index(x)
        must(torch.equal(values, torch.sort(x).values) and torch.equal(x.gather(1, index), values), "rows")
        check_any(x, "rows, stable=False")
        line("rows f32+i64", f"{rows}x{length}", "gauss", timed(lambda: cw.sort_with_index(x)),
             timed(lambda: torch.sort(x, dim=-1)))  # fmt: skip
        peer = timed(lambda: torch.sort(x, dim=-1))
        line("rows f32", f"{rows}x{length}", "gauss", timed(lambda: cw.sort(x)), peer)
        ours = timed(lambda: cw.sort(x, stable=False))
        line("rows f32, stable=False", f"{rows}x{length}", "gauss", ours, peer)


def bench_moves(quick):
    for n in (1000, 1 << 16, 1 << 20, 1 << 22, 1 << 24) + (() if quick else (1 << 26, 1 << 28)):
        x = torch.randn(n, device="cuda")
        p = torch.randperm(n, device="cuda")
        for name, index in (("i64", p), ("i32", p.int())):
            if name == "i64" or n < 1 << 28:
                must(torch.equal(cw.take(x, index), x[p]), "take")
                line(f"take f32 by {name}", n, "random", timed(lambda: cw.take(x, index)),
                     timed(lambda: x[index]))  # fmt: skip
        ident = torch.arange(n, device="cuda")
        line("take f32 by i64", n, "identity", timed(lambda: cw.take(x, ident)), timed(lambda: x[ident]))
        line("shuffle f32", n, "seed", timed(lambda: cw.shuffle(x, 7)),
             timed(lambda: x[torch.randperm(n, device="cuda")]))  # fmt: skip
        del p, ident, index
        torch.cuda.empty_cache()


def by_torch(labels, count):
    order = torch.sort(labels, stable=True).indices
    return order, torch.bincount(labels, minlength=count).cumsum(0)


def bench_moe(quick):
    for n, count in ((8192, 256), (32768, 256), (262144, 256), (262144, 64)):
        for dtype in (torch.int32, torch.int64, torch.uint8):
            labels = torch.randint(0, count, (n,), device="cuda").to(dtype)
            index, _, offsets, _ = ct.partition_index(labels, count)
            order, ends = by_torch(labels, count)
            must(torch.equal(index.long(), order) and torch.equal(offsets[1:], ends), "routing")
            line(f"route {dtype} to {count}".replace("torch.", ""), n, "uniform",
                 timed(lambda: ct.partition_index(labels, count)),
                 timed(lambda: by_torch(labels, count)))  # fmt: skip
    tokens, hidden, count, k = (1024 if quick else 8192), 7168, 256, 8
    x = torch.randn(tokens, hidden, device="cuda", dtype=torch.bfloat16)
    chosen = torch.rand(tokens, count, device="cuda").topk(k).indices.int()
    weights = torch.rand(tokens, k, device="cuda")

    def ours():
        grouped = moe.group(x, chosen, count)
        return moe.combine(grouped.rows, grouped, weights)

    def grouped_by_torch():  # labels of one byte sort fastest
        order, _ = by_torch(chosen.reshape(-1).to(torch.uint8), count)
        return order, x[order // k]

    def by_scatter():
        order, rows = grouped_by_torch()
        back = torch.empty_like(rows)
        back[order] = rows
        return torch.einsum("tkh,tk->th", back.view(tokens, k, hidden), weights.to(x.dtype))

    def by_bmm():
        order, rows = grouped_by_torch()
        inverse = torch.empty_like(order)
        inverse[order] = torch.arange(order.numel(), device="cuda")
        back = rows[inverse].view(tokens, k, hidden)
        return torch.bmm(weights.to(x.dtype).view(tokens, 1, k), back).view(tokens, hidden)

    def by_adding():
        order, rows = grouped_by_torch()
        rows = rows * weights.to(x.dtype).reshape(-1)[order].unsqueeze(1)
        return torch.zeros_like(x).index_add_(0, order // k, rows)

    ways = {by_scatter: 0.1, by_bmm: 0.1, by_adding: 0.3}  # the last rounds every sum to bf16
    for way, off in ways.items():
        torch.testing.assert_close(ours(), way(), rtol=0.05, atol=off)
    best, name = min((timed(way), way.__name__) for way in ways)
    line("group and combine bf16 7168 top 8 of 256", tokens, "uniform", timed(ours), best, "torch " + name)


def host_us(call, times=2000):
    """Microseconds on the host's side, the best of 7 runs, without waiting for the GPU inside one."""
    best = 1e9
    for _ in range(7):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - start) / times)
    return 1e6 * best


def bench_overhead(quick):
    import numpy

    h = numpy.empty(0, "f4")
    line("overhead, empty NumPy array", 0, "host", host_us(lambda: cw.sort(h)),
         host_us(lambda: numpy.sort(h)), "numpy")  # fmt: skip
    t = torch.empty(0, device="cuda")
    line("overhead, empty tensor", 0, "gpu", host_us(lambda: cw.sort(t)), host_us(lambda: torch.sort(t)))
    x = torch.randn(512, device="cuda")
    y = torch.empty_like(x)
    line("host's side of a call, out=", 512, "gpu", host_us(lambda: cw.sort(x, out=y), 300),
         1e6 * min(_clearway.bare_sort(x, y, 300) for _ in range(7)), "cw_sort from C")  # fmt: skip
    line("host's side of a call", 512, "gpu", host_us(lambda: cw.sort(x), 300),
         1e6 * min(_clearway.bare_sort(x, y, 300) for _ in range(7)), "cw_sort from C")  # fmt: skip
    line("host's side of a call", 512, "gpu", host_us(lambda: cw.sort_with_index(x), 300),
         host_us(lambda: torch.sort(x), 300))  # fmt: skip


PARTS = {"overhead": bench_overhead, "sort": bench_sort, "rows": bench_rows, "moves": bench_moves,
         "moe": bench_moe}  # fmt: skip


def main():
    global OUT
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ask.add_argument("--quick", action="store_true")
    ask.add_argument("--part", action="append", choices=PARTS)
    ask.add_argument("-o", metavar="FILE", type=argparse.FileType("w"), help="write the lines there, too")
    asked = ask.parse_args()
    OUT = asked.o
    say(f"# {torch.cuda.get_device_name()}, torch {torch.__version__}, clearway {cw.__version__}")
    say("what,n,input,us,peer_us,peer,ratio")
    for name in asked.part or PARTS:
        PARTS[name](asked.quick)


if __name__ == "__main__":
    main()
