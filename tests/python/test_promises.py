"""Threads, leaks, overhead, settings, fork."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import clearway as cw


def test_threads_that_call_at_once(seed):
    wrong = []

    def work(k):
        rng = np.random.default_rng([*seed, k])
        for _ in range(50):
            x = rng.random(int(rng.integers(1, 30000)))
            y = rng.integers(0, 100, (40, 300))
            if not np.array_equal(cw.sort(x), np.sort(x)):
                wrong.append(k)
            if not np.array_equal(cw.argsort(y), np.argsort(y, kind="stable")):
                wrong.append(k)

    all = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in all:
        t.start()
    for t in all:
        t.join()
    assert not wrong
    cw.release()


def test_the_gil_is_released():
    x = np.random.default_rng(1).random(4_000_000)
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.0005)

    t = threading.Thread(target=tick)
    t.start()
    time.sleep(0.01)
    before = ticks[0]
    cw.sort(x)
    seen = ticks[0] - before
    stop.set()
    t.join()
    assert seen > 3


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_no_leak_over_many_calls():
    x = np.random.default_rng(2).random(1000)
    y = x.reshape(10, 100)[:, ::2]
    labels = np.arange(1000) % 7
    p = np.random.default_rng(2).permutation(1000)

    def calls(count):
        for _ in range(count):
            cw.sort(x)
            cw.sort_with_index(y, axis=0)
            cw.take(x, p)
            cw.partition(labels, 7, payloads=(x,), index=True)
            try:
                cw.sort(x, axis=3)
            except ValueError:
                pass

    def counts():
        return [sys.getrefcount(o) for o in (None, x, y, p, labels, x.dtype, np.dtype("i8"))]

    calls(200)
    before, memory = counts(), resident()
    calls(20000 if os.environ.get("CW_LONG") else 4000)
    assert [abs(a - b) < 50 for a, b in zip(before, counts())] == [True] * 7
    assert resident() - memory < 4 << 20


def test_overhead_of_an_empty_sort():
    x = np.empty(0, "f4")
    best = 1.0
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(2000):
            cw.sort(x)
        best = min(best, (time.perf_counter() - start) / 2000)
    assert best < 3e-6, f"{best * 1e6:.2f} us"


def test_settings():
    cw.set_workspace_limit(0)
    x = np.random.default_rng(3).random(100_000)
    try:
        assert np.array_equal(cw.sort(x), np.sort(x))
    finally:
        cw.set_workspace_limit(128 << 20)
    cw.set_threads(1)
    assert np.array_equal(cw.sort(x), np.sort(x))
    cw.set_threads(0)
    cw.release()
    assert np.array_equal(cw.sort(x), np.sort(x))
    with pytest.raises((OverflowError, ValueError)):
        cw.set_workspace_limit(-1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork():
    code = (
        "import os, numpy as np, clearway as cw\n"
        "x = np.random.default_rng(1).random(1_000_000)\n"
        "e = np.sort(x)\n"
        "assert np.array_equal(cw.sort(x), e)\n"
        "pid = os.fork()\n"
        "assert np.array_equal(cw.sort(x), e)\n"
        "if pid == 0: os._exit(0)\n"
        "assert os.waitpid(pid, 0)[1] == 0\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_info_and_version():
    said = subprocess.run(
        [sys.executable, "-m", "clearway", "info"], check=True, capture_output=True, text=True
    ).stdout
    assert f"clearway {cw.__version__}" in said and "CUDA in this build" in said
    assert subprocess.run([sys.executable, "-m", "clearway"], capture_output=True).returncode == 2
