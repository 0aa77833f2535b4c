#!/usr/bin/env python3
"""host - Clearway and NumPy on the host, over a grid of calls, types, lengths and inputs, in one run.

    python bench/python/host.py [--calls sort,argsort,rows] [--types u4,f8] [--n 1000,100000] [--inputs sorted] [--threads T]

A line each: call, type, input, n, microseconds of Clearway and of NumPy, and their ratio (above 1: Clearway is
faster).  NumPy may use its default sort or its stable one, whichever is faster there.  Times are the least of several
runs, taken in turns.  Every output is compared with NumPy's; `WRONG` ends a line that differs, and the exit status is 1.
At the end, on stderr: a table of ratios.
"""

import argparse
import sys
import time

import numpy as np

import clearway as cw

LENGTHS_OF_ROWS = (8, 33, 100, 1000, 4096, 30000)


def wanted():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--calls", default="sort,argsort,rows,argrows")
    p.add_argument("--types", default="u1,u2,f2,u4,f4,u8,f8")
    p.add_argument("--n", default="1000,10000,100000,1000000,4000000")
    p.add_argument("--inputs", default="uniform,sorted,reverse,nearly,equal,few,zipf")
    p.add_argument("--threads", type=int, default=0, help="0: one a processor")
    p.add_argument("--seconds", type=float, default=0.05, help="for each side of a line, at least")
    return p.parse_args()


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


def least(calls, seconds):
    """Seconds of each call, the least, all in turns."""
    best, spent, rounds = [1e9] * len(calls), 0.0, 0
    while rounds < 3 or (spent < seconds * len(calls) and rounds < 400):
        for k, call in enumerate(calls):
            begin = time.perf_counter()
            call()
            took = time.perf_counter() - begin
            best[k] = min(best[k], took)
            spent += took
        rounds += 1
    return best


def cases(call, x):
    """Names, ours, NumPy's ways."""
    rows = call.endswith("rows")
    ours, theirs = (cw.argsort, np.argsort) if call.startswith("arg") else (cw.sort, np.sort)
    for length in LENGTHS_OF_ROWS if rows else (0,):
        if rows and len(x) < 4 * length:
            continue
        y = x[: len(x) // length * length].reshape(-1, length) if rows else x
        yield f"{call}{length or ''}", lambda: ours(y), lambda: theirs(y), lambda: theirs(y, kind="stable")


def main():
    a, rng, wrong, table = wanted(), np.random.default_rng(7), 0, {}
    lengths = [int(float(n)) for n in a.n.split(",")]
    if a.threads:
        cw.set_threads(a.threads)
    print("call,type,input,n,clearway_us,numpy_us,ratio")
    for call in a.calls.split(","):
        for kind in map(np.dtype, a.types.split(",")):
            for name in a.inputs.split(","):
                for n in lengths:
                    for what, ours, plain, stable in cases(call, keys(rng, name, kind, n)):
                        good = np.array_equal(ours(), stable())
                        took = least((ours, plain, stable), a.seconds)
                        ratio = min(took[1:]) / took[0]
                        table.setdefault((what, kind.str[1:], name), {})[n] = ratio
                        wrong += not good
                        print(f"{what},{kind.str[1:]},{name},{n},{1e6 * took[0]:.2f},{1e6 * min(took[1:]):.2f},"
                              f"{ratio:.2f}{'' if good else ' WRONG'}", flush=True)
    print(f"{'':24}" + "".join(f"{n:>9}" for n in lengths), file=sys.stderr)
    for row, of in table.items():
        print(f"{' '.join(row):24}" + "".join(f"{of[n]:9.2f}" if n in of else " " * 9 for n in lengths), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
