"""measure - run benchmarks, each with a limit of time, into CSVs that begin with where they come from; for scripts/promises."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import judge

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def said_by(*command):
    """What a command says, or "" where it fails."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def gpu():
    """ "NVIDIA H200, driver 580.159.04", or "" """
    says = said_by("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    return ", driver ".join(says.splitlines()[0].split(", ")) if says else ""


def commit(folder):
    path = os.path.join(folder, "commit")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as text:
            return text.read().strip()
    return said_by(os.path.join(ROOT, "scripts", "gpu-build"), "-c", folder)


def surroundings(folder, scratch, on):
    """The environment of runs: MPI as root and on few processors, and the Python package of the folder."""
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", CW_DRIVER=on.partition("driver ")[2])
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    env.update(PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", CW_COMMIT=commit(folder))
    package = os.path.join(folder, "python")
    extension = os.path.join(package, "_clearway.abi3.so")
    if os.path.exists(extension):  # not packed: the two halves are brought together
        package = scratch
        shutil.copytree(os.path.join(ROOT, "python", "clearway"), os.path.join(scratch, "clearway"))
        shutil.copy(extension, os.path.join(scratch, "clearway"))
    env["PYTHONPATH"] = package + (os.pathsep + env["PYTHONPATH"] if env.get("PYTHONPATH") else "")
    return env


def words_of(run, folder):
    """The command with paths, and what is missing for it."""
    words, missing = shlex.split(run.command), ""
    for k, word in enumerate(words):
        if word.startswith("bench_"):
            words[k] = os.path.join(folder, "bench", word)
            if not os.access(words[k], os.X_OK):
                missing = f"{word} is not built"
        elif word.endswith(".py"):
            words[k] = os.path.join(ROOT, word)
            words.insert(0, sys.executable)
            break
        elif k == 0 and not shutil.which(word):
            missing = f"{word} is missing"
    return words, missing


def lacks(run, has_gpu, env):
    """What this machine lacks for a run, or "" """
    if run.needs != "host" and not has_gpu:
        return "no GPU"
    if run.needs == "torch":
        test = subprocess.run([sys.executable, "-c", "import torch, clearway.torch"], env=env, stderr=subprocess.PIPE, check=False)
        if test.returncode:
            return (test.stderr.decode().strip().splitlines() or ["Python fails"])[-1]
    return ""


STOPPED = []  # signals that came


def wait(process, seconds):
    """Its status; None if it has to be stopped: its time is over, or a signal came."""
    end = time.monotonic() + seconds
    while not STOPPED and time.monotonic() < end:
        try:
            return process.wait(timeout=min(0.2, max(0.0, end - time.monotonic())))
        except subprocess.TimeoutExpired:
            pass
    return None


def perform(command, env, seconds, csv, log):
    """Runs it into the open CSV: "ok", or how it ended."""
    with open(log, "w", encoding="utf-8") as errors:
        try:
            process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=csv, stderr=errors, start_new_session=True)
        except OSError as why:
            return str(why)
        status = wait(process, seconds)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it began and left, too
        except ProcessLookupError:
            pass
        process.wait()
    if STOPPED:
        return "stopped by a signal"
    if status is None:
        return f"out of time ({seconds:.0f} s)"
    if status == 0:
        return "ok"
    with open(log, encoding="utf-8", errors="replace") as text:
        last = (text.read().strip().splitlines() or [""])[-1]
    if "out of memory" in last or "not enough memory" in last:
        return "not enough memory"
    return f"failed ({status}) {last}".strip()


def run_one(run, asked, env, left):
    """Writes its CSV, and says how it went."""
    words, missing = words_of(run, asked.folder)
    missing = lacks(run, asked.gpu, env) or missing
    if not missing and left <= 0:
        missing = f"not begun: {asked.seconds:g} s are over"
    path = os.path.join(asked.csv, run.name)
    began = time.monotonic()
    where = asked.gpu if run.needs != "host" else f"this machine's {os.cpu_count()} processors"
    with open(path + ".csv", "w", encoding="utf-8") as csv:
        csv.write(f"{judge.BEGUN}{where or 'no GPU'}, commit {env['CW_COMMIT']}, {time.strftime('%Y-%m-%d')}; {run.command}\n")
        csv.flush()
        how = missing or perform(words, env, min(run.seconds, left), csv, path + ".log")
        csv.write(f"\n{judge.ENDED}{how}\n")
    seconds = time.monotonic() - began
    cells = len(judge.read(path + ".csv").cells)
    print(f"{run.part:10} {run.name:20} {seconds:7.1f} s  {how}" + (f", {cells} cells" if cells else ""), flush=True)


def run_all(asked, runs):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # what runs has a session of its own, and ends with us
        signal.signal(number, lambda x, _: STOPPED.append(x))
    end = time.monotonic() + (asked.seconds or 1e9)
    os.makedirs(asked.csv, exist_ok=True)
    print(f"on {asked.gpu or 'no GPU'}, commit {commit(asked.folder)}; CSVs in {asked.csv}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        env = surroundings(asked.folder, scratch, asked.gpu)
        for run in runs:
            run_one(run, asked, env, end - time.monotonic())
            if STOPPED:
                sys.exit(128 + STOPPED[0])
    print(f"{'in all':31} {time.monotonic() - end + (asked.seconds or 1e9):7.1f} s\n", flush=True)
