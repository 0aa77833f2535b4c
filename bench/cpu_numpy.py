#!/usr/bin/env python3
"""Clearway's CPU context against NumPy, on the same arrays in one run.

    bench/cpu_numpy.py build/libclearway.so [-n LOG] [-t THREADS] [-r RUNS] [TEXT]

One CSV line a case whose name has TEXT in it, over 2^26 items: seconds on the clock and of all
processors together, the best of RUNS each (both taken in turns), and two ratios, NumPy's seconds
over Clearway's: by the clock, and by processor seconds over the number of threads, which is what
the clock says where nothing else runs.  NumPy uses one thread.  Every output is compared with
NumPy's.  Arrays are in large pages, as NumPy asks for, and were written before.
"""
import argparse
import ctypes as c
import os
import sys
import time

import numpy as np

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait take no processor time

CW_CPU, CW_GATHER, CW_CHECK = 1, 32, 8
TYPES = {"uint8": 0, "uint16": 1, "uint32": 2, "uint64": 3, "int32": 6, "int64": 7, "float32": 10,
         "float64": 11}
size, pointer = c.c_size_t, c.c_void_p


class Array(c.Structure):
    _fields_ = [("type", c.c_int), ("flags", c.c_uint), ("n", size), ("keys_in", pointer),
                ("keys_out", pointer), ("values_in", pointer), ("values_out", pointer),
                ("value_bytes", size), ("index_out", pointer), ("index_bytes", size),
                ("first_bit", c.c_uint), ("bits", c.c_uint)]


class Payload(c.Structure):
    _fields_ = [("in_", pointer), ("out", pointer), ("bytes", size)]


class Partition(c.Structure):
    _fields_ = [("type", c.c_int), ("rule", c.c_int), ("flags", c.c_uint), ("n", size),
                ("buckets", c.c_uint32), ("first_bit", c.c_uint), ("splitters", pointer),
                ("multiplier", c.c_uint64), ("keys_in", pointer), ("keys_out", pointer),
                ("payloads", c.POINTER(Payload)), ("payload_count", size), ("offsets", pointer),
                ("padded", pointer), ("pad_to", size), ("index_out", pointer),
                ("inverse_out", pointer), ("index_bytes", size)]


class Permute(c.Structure):
    _fields_ = [("flags", c.c_uint), ("n", size), ("bytes", size), ("in_", pointer),
                ("out", pointer), ("index", pointer), ("index_bytes", size)]


class Transpose(c.Structure):
    _fields_ = [("rows", size), ("columns", size), ("batch", size), ("bytes", size),
                ("in_", pointer), ("out", pointer)]


def at(array):
    return array.ctypes.data


class Clearway:
    def __init__(self, path, threads):
        self.lib = c.CDLL(path)
        self.lib.cw_last_error.restype = c.c_char_p
        self.lib.cw_context_set_threads.argtypes = [pointer, c.c_uint]
        self.context = pointer()
        self.checked(self.lib.cw_context_create(CW_CPU, c.byref(self.context)))
        self.checked(self.lib.cw_context_set_threads(self.context, threads))

    def checked(self, status):
        if status:
            sys.exit("cpu_numpy.py: " + self.lib.cw_last_error().decode())

    def ready(self, name, job):
        """A call of cw_NAME with its workspace, that only has to be made."""
        bytes_ = size()
        self.checked(getattr(self.lib, f"cw_{name}_workspace")(c.byref(job), c.byref(bytes_)))
        room = np.zeros(bytes_.value + 512, np.uint8)
        start = (at(room) + 255) // 256 * 256
        call = getattr(self.lib, f"cw_{name}")
        call.argtypes = [pointer, pointer, pointer, size, pointer]
        # room, a default, lives as long as the call
        return lambda room=room: self.checked(
            call(self.context, c.addressof(job), start, bytes_.value, None))


# ---- cases: (NumPy's call, ours, whether both outputs agree, largest number of runs) -------------

def sort_case(cw, x):
    ours, theirs = np.zeros_like(x), np.zeros_like(x)
    job = Array(type=TYPES[x.dtype.name], n=len(x), keys_in=at(x), keys_out=at(ours))

    def before():
        theirs[:] = x

    return theirs.sort, cw.ready("sort", job), lambda: np.array_equal(ours, theirs), 9, before


def argsort_case(cw, x):
    ours, theirs = np.zeros(len(x), np.uint32), []
    job = Array(type=TYPES[x.dtype.name], n=len(x), keys_in=at(x), index_out=at(ours),
                index_bytes=4)
    return (lambda: theirs.append(np.argsort(x)), cw.ready("sort", job),
            lambda: np.array_equal(x[ours], x[theirs[-1]]), 1, theirs.clear)


def permute_case(cw, rng, n, dtype, flags, index_type):
    x = rng.integers(0, 1 << 31, n).astype(dtype)
    p = rng.permutation(n)
    index = p.astype(index_type)
    ours, theirs = np.zeros_like(x), np.zeros_like(x)
    job = Permute(flags=flags, n=n, bytes=x.itemsize, in_=at(x), out=at(ours), index=at(index),
                  index_bytes=index.itemsize)

    def scatter():
        theirs[p] = x

    def gather():
        np.take(x, p, out=theirs, mode="clip")

    call = cw.ready("permute", job)
    return (gather if flags & CW_GATHER else scatter, lambda keep=index: call(),
            lambda: np.array_equal(ours, theirs), 3, None)


def partition_case(cw, rng, n, buckets):
    label = rng.integers(0, buckets, n).astype(np.uint8 if buckets <= 256 else np.uint16)
    x = rng.integers(0, 1 << 32, n, dtype=np.uint32)
    ours, offsets, theirs = np.zeros_like(x), np.zeros(buckets + 1, np.uint64), []
    rows = (Payload * 1)(Payload(at(x), at(ours), 4))
    job = Partition(type=TYPES[label.dtype.name], rule=0, n=n, buckets=buckets, keys_in=at(label),
                    payloads=rows, payload_count=1, offsets=at(offsets))
    call = cw.ready("partition", job)

    def right():
        counts = np.bincount(label, minlength=buckets)
        return np.array_equal(ours, theirs[-1]) and np.array_equal(np.diff(offsets), counts)

    return (lambda: theirs.append(x[np.argsort(label, kind="stable")]), lambda keep=rows: call(),
            right, 2, theirs.clear)


def transpose_case(cw, rng, rows, columns):
    x = rng.integers(0, 1 << 32, (rows, columns), dtype=np.uint32)
    ours, theirs = np.zeros((columns, rows), np.uint32), np.zeros((columns, rows), np.uint32)
    job = Transpose(rows=rows, columns=columns, bytes=4, in_=at(x), out=at(ours))
    call = cw.ready("transpose", job)
    return (lambda: np.copyto(theirs, x.T), lambda keep=x: call(),
            lambda: np.array_equal(ours, theirs), 5, None)


def cases(cw, rng, log):
    n, half = 1 << log, log // 2
    u32 = lambda: rng.integers(0, 1 << 32, n, dtype=np.uint32)
    u64 = lambda: rng.integers(0, 1 << 64, n, dtype=np.uint64)
    yield "sort u32", lambda: sort_case(cw, u32())
    yield "sort u64", lambda: sort_case(cw, u64())
    yield "sort f32", lambda: sort_case(cw, rng.random(n, np.float32))
    yield "sort f64", lambda: sort_case(cw, rng.random(n))
    yield "argsort u32", lambda: argsort_case(cw, u32())
    yield "argsort u64", lambda: argsort_case(cw, u64())
    yield "out[p] = x u32", lambda: permute_case(cw, rng, n, np.uint32, 0, np.uint32)
    yield "out[p] = x u32 int64 index", lambda: permute_case(cw, rng, n, np.uint32, 0, np.int64)
    yield "out[p] = x u32 checked", lambda: permute_case(cw, rng, n, np.uint32, CW_CHECK, np.uint32)
    yield "out[p] = x u64", lambda: permute_case(cw, rng, n, np.uint64, 0, np.uint32)
    yield "out = x[p] u32", lambda: permute_case(cw, rng, n, np.uint32, CW_GATHER, np.uint32)
    yield "partition 256", lambda: partition_case(cw, rng, n, 256)
    yield "partition 4096", lambda: partition_case(cw, rng, n, 4096)
    yield "transpose u32", lambda: transpose_case(cw, rng, 1 << half, 1 << (log - half))


def timed(call):
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("-n", type=int, default=26, metavar="LOG")
    parser.add_argument("-t", type=int, default=2, metavar="THREADS")
    parser.add_argument("-r", type=int, default=5, metavar="RUNS")
    o = parser.parse_args()
    cw, rng = Clearway(o.library, o.t), np.random.default_rng(1)
    good = True
    print("case,n,threads,numpy,numpy_s,numpy_cpu_s,clearway_s,clearway_cpu_s,ratio,ratio_cpu")
    for name, make in cases(cw, rng, o.n):
        if o.text not in name:
            continue
        theirs, ours, right, most, before = make()
        a, b = [], []
        for _ in range(o.r):
            if before and len(a) < most:
                before()
            if len(a) < most:
                a.append(timed(theirs))
            b.append(timed(ours))
        (aw, ac), (bw, bc) = (map(min, zip(*t)) for t in (a, b))
        ok = right()
        good &= ok
        print(f"{name},{1 << o.n},{o.t},{np.__version__},{aw:.3f},{ac:.3f},{bw:.3f},{bc:.3f},"
              f"{aw / bw:.2f},{ac * o.t / bc:.2f}{'' if ok else ',WRONG'}", flush=True)
        del theirs, ours, right, before
    return not good


if __name__ == "__main__":
    sys.exit(main())
