#!/usr/bin/env python3
"""sort_torch - torch.sort, cupy.sort and cupy.argsort of arrays, as bench_sort -c does for Clearway and CUB.

    bench/sort_torch.py [-x LOG] [SORT_CSV] > sort_torch.csv

Lines as of bench/sort_table.h: uniform keys of 2^10, 2^12, .. 2^LOG (30), then all inputs of 2^26 and
2^28; 10^9 keys a second, the median of 9 by events (3, where one takes over 0.1 s) after two runs, the
first of which is checked.  Short ones are 20 in a row.  torch.sort gives keys and indices of 8 bytes,
of signed keys, as it has no unsigned ones; argsort indices alone.  The ratio is to Clearway's line of
SORT_CSV for the same n, type and input.  What is missing (PyTorch, CuPy, a GPU) is said and left out.
"""

import argparse
import csv
import os
import sys

TYPES = ["u32", "u64", "f32"]
RUNS = 9
SHORT = 2**22
INPUTS = [
    "uniform",
    "equal",
    "two values",
    "sorted",
    "reverse",
    "one heavy bucket",
    "zipf",
    "equal top 16",
    "equal low 16",
]
FLOAT_INPUTS = ["NaNs among others", "NaNs and zeros"]


def clearway(path):
    """Gkey/s of Clearway by (n, type, input)."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as lines:
        return {
            (int(line["n"]), line["type"], line["shape"]): float(line["gkeys"])
            for line in csv.DictReader(lines)
            if line["method"] == "clearway" and line["length"] == "array"
        }


def signed(torch, kind):
    """The type whose bits are made: floats are made of those of i32."""
    return torch.int64 if kind == "u64" else torch.int32


def constant(bits, x):
    """x of so many bits as a signed number."""
    x &= 2**bits - 1
    return x - 2**bits if x >> (bits - 1) else x


def make_bits(torch, kind, n, name):
    """Keys of the input as signed integers, whose order is that of signed keys."""
    integer = signed(torch, kind)
    bits = 64 if kind == "u64" else 32
    first = -(2 ** (bits - 1))
    keys = torch.randint(first, -(first + 1), (n,), dtype=integer, device="cuda")
    if name == "equal":
        keys.fill_(0x1234567)
    elif name == "two values":
        keys = torch.where(keys < 0, 0x1234567, -0x1234567).to(integer)
    elif name in ("sorted", "reverse"):
        step = 2**bits // n
        keys = torch.arange(n, dtype=integer, device="cuda") * step + first
        if name == "reverse":
            keys = keys.flip(0)
    elif name == "one heavy bucket":
        low = keys & (2 ** (bits - 16) - 1)
        keys = torch.where(keys & 1 == 1, low | 0x5A << (bits - 8), keys)
    elif name == "zipf":
        keys = torch.rand(n, device="cuda").mul_(16.118).exp_().to(integer)
    elif name == "equal top 16":
        keys = (keys & (2 ** (bits - 16) - 1)) | constant(bits, 0xABCD << (bits - 16))
    elif name == "equal low 16":
        keys = (keys & ~0xFFFF) | 0x1234
    return keys


def make_keys(torch, kind, n, name):
    if kind != "f32":
        return make_bits(torch, kind, n, name)
    if name in ("sorted", "reverse"):
        keys = torch.linspace(-1, 1, n, device="cuda")
        return keys.flip(0) if name == "reverse" else keys
    bits = make_bits(torch, kind, n, name)
    if name == "zipf":
        return bits.to(torch.float32)
    if name in FLOAT_INPUTS:
        return make_specials(torch, bits, name)
    return finite(torch, bits)


def finite(torch, bits):
    """Floats of these bits, changed where that is no number."""
    return torch.where((bits >> 23 & 255) == 255, bits ^ 1 << 30, bits).view(torch.float32)


def make_specials(torch, bits, name):
    """As special_key of bench_sort.cu, but for the sign of NaNs: PyTorch puts negative ones first."""
    signed_zero = torch.where(bits < 0, -0.0, 0.0)
    if name == "NaNs and zeros":
        return torch.where(bits % 3 == 0, torch.nan, signed_zero)
    kind = bits >> 8 & 7
    nans = (bits & 0x7FFFFFFF | 0x7F800001).view(torch.float32)
    ends = torch.where(bits & 1 == 1, torch.inf * torch.where(bits < 0, -1, 1), signed_zero)
    return torch.where(kind == 0, nans, torch.where(kind == 1, ends, finite(torch, bits)))


def ascends(out):
    """NaNs are last."""
    return bool(((out[1:] >= out[:-1]) | (out[1:] != out[1:])).all())


def same(a, b):
    return bool(((a == b) | ((a != a) & (b != b))).all())


class Events:
    """Times on the current stream, of PyTorch or of CuPy."""

    def __init__(self, torch, cupy=None):
        self.cupy = cupy
        if cupy is None:
            self.begin = torch.cuda.Event(enable_timing=True)
            self.end = torch.cuda.Event(enable_timing=True)
        else:
            self.begin, self.end = cupy.cuda.Event(), cupy.cuda.Event()

    def once(self, run, inner):
        self.begin.record()
        for _ in range(inner):
            run()
        self.end.record()
        self.end.synchronize()
        if self.cupy is None:
            return self.begin.elapsed_time(self.end) / inner
        return self.cupy.cuda.get_elapsed_time(self.begin, self.end) / inner

    def median(self, run, n):
        """In milliseconds; one more run first."""
        runs = 3 if self.once(run, 1) > 100 else RUNS
        inner = 20 if n <= SHORT else 1
        return sorted(self.once(run, inner) for _ in range(runs))[runs // 2]


def torch_ms(torch, keys):
    """torch.sort, checked."""
    out, index = torch.sort(keys)
    if keys.numel() <= 2**26:
        assert ascends(out), "keys do not ascend"
        assert same(keys[index], out), "keys and indices disagree"
    return Events(torch).median(lambda: torch.sort(keys, out=(out, index)), keys.numel())


def cupy_ms(torch, cupy, keys, kind, name):
    """(cupy.sort, cupy.argsort) of the same bits, unsigned where they are no floats; checked."""
    array = cupy.asarray(keys)
    if kind != "f32":
        array = array.view(cupy.uint64 if kind == "u64" else cupy.uint32)
        if name in ("sorted", "reverse"):  # so they are as unsigned keys, too
            array ^= array.dtype.type(2**63 if kind == "u64" else 2**31)
    events = Events(torch, cupy)
    out = cupy.sort(array)
    if array.size <= 2**26:
        assert ascends(out), "keys do not ascend"
        assert same(array[cupy.argsort(array)], out), "argsort is wrong"
    del out
    return (
        events.median(lambda: cupy.sort(array), array.size),
        events.median(lambda: cupy.argsort(array), array.size),
    )


def import_or_none(name):
    try:
        return __import__(name)
    except ImportError:
        print(f"sort_torch: {name} is missing: left out", file=sys.stderr)
        return None


def questions(kind, largest):
    """(n, input)"""
    for log in range(10, largest + 1, 2):
        yield 2**log, INPUTS[0]
    for log in (26, 28):
        if log <= largest:
            for name in INPUTS[1:] + (FLOAT_INPUTS if kind == "f32" else []):
                yield 2**log, name


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("-x", type=int, default=30, help="log2 of the largest n")
    options.add_argument("sort_csv", nargs="?", help="what bench_sort -c wrote, for the ratios")
    given = options.parse_args()
    torch = import_or_none("torch")
    if torch is None:
        return
    if not torch.cuda.is_available():
        print("sort_torch: no GPU: left out", file=sys.stderr)
        return
    cupy = import_or_none("cupy")
    ours = clearway(given.sort_csv)
    begin = [
        torch.cuda.get_device_name(),
        os.environ.get("CW_DRIVER") or f"CUDA {torch.version.cuda}",
        os.environ.get("CW_COMMIT") or "unknown",
    ]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("gpu driver commit n type length method shape gkeys ratio".split())
    torch.manual_seed(1)

    def line(n, kind, method, name, ms):
        speed = n / ms / 1e6
        own = ours.get((n, kind, name))
        ratio = f"{own / speed:.3f}" if own else ""
        out.writerow(begin + [n, kind, "array", method, name, f"{speed:.3f}", ratio])
        sys.stdout.flush()

    for kind in TYPES:
        for n, name in questions(kind, given.x):
            try:
                keys = make_keys(torch, kind, n, name)
                line(n, kind, "torch.sort", name, torch_ms(torch, keys))
                if cupy is not None:
                    sort, argsort = cupy_ms(torch, cupy, keys, kind, name)
                    line(n, kind, "cupy.sort", name, sort)
                    line(n, kind, "cupy.argsort", name, argsort)
            except (RuntimeError, MemoryError) as wrong:  # memory, most likely
                print(f"sort_torch: {kind} n {n} {name}: {wrong}", file=sys.stderr)
            keys = None
            torch.cuda.empty_cache()
            if cupy is not None:
                cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
