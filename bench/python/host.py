#!/usr/bin/env python3
"""host - Clearway and NumPy on the host: a grid of calls, types, inputs and lengths, both in one run.

    python bench/python/host.py [--calls sort,rows100] [--types u4,f8] [--n 1000,1e5] [--inputs zipf] [--threads 1] [-o FILE]

One CSV line a cell, to FILE or stdout: call, type, input, n, threads, microseconds of Clearway and of NumPy, and NumPy's
over Clearway's: above 1 Clearway is faster.  The peer is what a program says now: np.sort (by default or stable, whichever
is faster), np.argsort by default (`argsort`) or stable (`argstable`), the same along rows of 10, 100 and 1000 keys, x[p] or
np.take, out[p] = x, a.T.copy(), and for `partition` (256 buckets, with the index) x[order] of a stable argsort.  `takeany` and
`scatterany` are not told to check that p is a permutation, as NumPy does not.

Sides take turns, each several calls on several arrays; the least time counts.  On one thread it is processor time, which
other programs do not add to; on more it is the clock's.  Every output is compared: `WRONG` ends a line that differs, and the
exit status is 1.  On stderr: geometric means, cells below --least, the worst.
"""

import argparse
import math
import sys
import time

import numpy as np

import clearway as cw

SORTS = ("sort", "argsort", "argstable")
ROWS = tuple(f"{call}{length}" for call in ("rows", "argrows") for length in (10, 100, 1000))
MOVES = ("take", "takeany", "scatter", "scatterany", "transpose", "transpose10", "partition")
TYPES = "u1,i2,f2,i4,u4,f4,i8,u8,f8"
INPUTS = "uniform,sorted,reverse,nearly,equal,few,zipf"


def wanted():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--calls", default=",".join(SORTS + ROWS + MOVES))
    p.add_argument("--types", default=TYPES)
    p.add_argument("--n", default="10,100,1e3,1e4,1e5,1e6,1e7")
    p.add_argument("--inputs", default=INPUTS)
    p.add_argument("--threads", type=int, default=1, help="0: one a processor")
    p.add_argument("--seconds", type=float, default=0.008, help="for each side of a cell, if a call takes less")
    p.add_argument("--least", type=float, default=0.97)
    p.add_argument("-o", metavar="FILE", type=argparse.FileType("w"), default=sys.stdout)
    return p.parse_args()


# ---- inputs ---------------------------------------------------------------------------------------


def uniform(rng, kind, n):
    if kind.kind == "f":
        return rng.random(n).astype(kind)
    limits = np.iinfo(kind)
    return rng.integers(limits.min, limits.max, n, dtype=kind, endpoint=True)


def keys(rng, name, kind, n):
    x = uniform(rng, kind, n)
    if name in ("sorted", "reverse", "nearly"):
        x.sort()
    if name == "reverse":
        return x[::-1].copy()
    if name == "nearly":  # one in a thousand is elsewhere
        places = rng.integers(0, n, max(1, n // 1000))
        x[places] = x[rng.permutation(places)]
    if name == "equal":
        x[:] = x[0]
    if name == "few":
        return x[rng.integers(0, min(16, n), n)]
    if name == "zipf":
        most = 60000 if kind.kind == "f" else min(2.0 ** (8 * kind.itemsize - 1) - 1, 2.0**62)
        return np.minimum(rng.zipf(1.3, n), most).astype(kind)
    return x


def permutation(rng, name, n):
    p = rng.permutation(n) if name == "uniform" else np.arange(n)
    if name == "nearly":
        places = np.unique(rng.integers(0, n, max(1, n // 1000)))
        p[places] = p[rng.permutation(places)]
    return p[::-1].copy() if name == "reverse" else p


# ---- calls: ours, then NumPy's ways to the same ------------------------------------------------------


def sides_of_sort(call, x):
    arg, length = call.startswith("arg"), int("".join(c for c in call if c.isdigit()) or 0)
    if length:
        x = x[: len(x) // length * length].reshape(-1, length)
    if call == "argstable":
        return lambda: cw.argsort(x), lambda: np.argsort(x, kind="stable")
    if arg:
        return lambda: cw.argsort(x, stable=False), lambda: np.argsort(x)
    return lambda: cw.sort(x), lambda: np.sort(x), lambda: np.sort(x, kind="stable")


def put(x, p):
    out = np.empty_like(x)
    out[p] = x
    return out


def parted(x):
    order = np.argsort(x, kind="stable")
    return x[order], order, np.bincount(x, minlength=256).cumsum()


def sides_of_move(call, x, p):
    check = None if not call.endswith("any") else False
    if call.startswith("take"):
        return lambda: cw.take(x, p, check=check), lambda: x[p], lambda: np.take(x, p)
    if call.startswith("scatter"):
        return lambda: cw.scatter(x, p, check=check), lambda: put(x, p)
    if call == "partition":
        x = x.view(np.uint8)[: len(x)]
        return lambda: cw.partition(x, 256, index=True), lambda: parted(x)
    width = 10 if call == "transpose10" else math.isqrt(len(x))
    a = x[: len(x) // width * width].reshape(-1, width)
    return lambda: cw.transpose(a), lambda: a.T.copy()


def same(call, ours, theirs, x):
    if call == "partition":
        return all(map(np.array_equal, (ours.keys, ours.index, ours.offsets[1:]), theirs))
    if call == "argstable" or not call.startswith("arg"):
        return np.array_equal(ours, theirs)
    x = x[: ours.size].reshape(ours.shape)
    return np.array_equal(np.take_along_axis(x, ours, -1), np.take_along_axis(x, theirs, -1))


def cases(asked):
    """Every cell: call, type, input, n."""
    for call in asked.calls.split(","):
        for kind in asked.types.split(","):
            if call == "partition" and kind != "u1" or call in MOVES and kind not in ("u1", "i2", "u4", "u8"):
                continue
            for name in asked.inputs.split(","):
                if call in MOVES and name not in ("uniform",) + ("sorted", "reverse") * ("tr" not in call):
                    continue
                for n in (int(float(n)) for n in asked.n.split(",")):
                    rows = int("".join(c for c in call if c.isdigit()) or 0) * (2 + 8 * call.endswith("rows10"))
                    if n >= rows and not (call in ROWS and n > 1e6):
                        yield call, np.dtype(kind), name, n


# ---- times ------------------------------------------------------------------------------------------


def least(sides, seconds, clock):
    """Seconds of a call on each side, the least.  A side is a list of calls, done in turn."""
    best, spent, many = [1e9] * len(sides), [0.0] * len(sides), [1] * len(sides)
    for turn in range(2000):
        done = True
        for k, calls in enumerate(sides):
            if turn > 2 and (spent[k] > seconds or best[k] > 4 * seconds):
                continue  # long calls: three times
            if turn and best[k] > 0.25:
                continue  # once
            done = False
            begin = clock()
            for i in range(many[k]):
                calls[i % len(calls)]()
            took = clock() - begin
            best[k] = min(best[k], took / many[k]) if turn else took / many[k]
            spent[k] += took
            if turn < 2 and took < 1e-4:
                many[k] = len(calls) * max(1, round(1e-4 / max(best[k], 1e-7) / len(calls)))
        if done:
            break
    return best


def measure(call, kind, name, n, asked, rng):
    """Seconds of ours and theirs, and whether all outputs agree."""
    pool, right = [], True
    for _ in range(max(1, min(16, 20000 // n))):
        x = keys(rng, "uniform" if call in MOVES else name, kind, n)
        sides = sides_of_move(call, x, permutation(rng, name, n)) if call in MOVES else sides_of_sort(call, x)
        right = right and same(call, sides[0](), sides[1](), x)
        pool.append(sides)
    took = least(list(zip(*pool)), asked.seconds, time.thread_time if asked.threads == 1 else time.perf_counter)
    return took[0], min(took[1:]), right


# ---- what is printed at the end -----------------------------------------------------------------------


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(cells, floor):
    ratios = [r for *_, r in cells]
    lengths = sorted({n for *_, n, _ in cells})
    print(f"\n{'mean, worst':16}" + "".join(f"{n:>15,}" for n in lengths), file=sys.stderr)
    for call in dict.fromkeys(c[0] for c in cells):
        of = [[c[4] for c in cells if c[0] == call and c[3] == n] for n in lengths]
        print(f"{call:16}" + "".join(f"{mean(r):9.2f}{min(r):6.2f}" if r else " " * 15 for r in of), file=sys.stderr)
    low = sorted((c for c in cells if c[4] < floor), key=lambda c: c[4])
    print(f"{len(cells)} cells, geometric mean {mean(ratios):.2f}, least {min(ratios):.2f}, {len(low)} below {floor}", file=sys.stderr)
    for call, kind, name, n, ratio in low[:40]:
        print(f"  {ratio:.2f}  {call} {kind} {name} {n:,}", file=sys.stderr)


def main():
    asked, rng, cells, wrong = wanted(), np.random.default_rng(7), [], 0
    cw.set_threads(asked.threads)
    begin = time.time()
    print("call,type,input,n,threads,clearway_us,numpy_us,ratio", file=asked.o)
    for call, kind, name, n in cases(asked):
        ours, theirs, right = measure(call, kind, name, n, asked, rng)
        wrong += not right
        cells.append((call, kind.str[1:], name, n, theirs / ours))
        print(f"{call},{kind.str[1:]},{name},{n},{asked.threads},{1e6 * ours:.2f},{1e6 * theirs:.2f},{theirs / ours:.3f}"
              f"{'' if right else ' WRONG'}", file=asked.o, flush=True)  # fmt: skip
    summary(cells, asked.least)
    print(f"{time.time() - begin:.0f} s", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
