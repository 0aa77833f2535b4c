"""faults.py TOOL SHIM - every file call of every command that writes fails, once in each way; the tool
is killed before and after it; and power is lost after it.

Whatever happens, inputs are there as they were, and each output is as it was or whole and new.  A
call that fails is told in one line that names a file, with exit status 1 or 2, and leaves nothing
behind; one that is interrupted or does half of its work is made again, and nobody sees it.
CW_LONG=1: more errors, and every command on systems without O_TMPFILE and RENAME_EXCHANGE.
"""
import errno
import os
import random
import shutil
import subprocess
import sys

from power import Disk, losses

TOOL, SHIM = sys.argv[1:3]
LONG = os.environ.get("CW_LONG") not in (None, "", "0")
SEED = int(os.environ.get("CW_SEED", random.randrange(1 << 32)))
random.seed(SEED)

# Outputs in the order in which they get their names; those marked + are there before, with old bytes;
# = means that the output is the input.
CASES = [
    ("sort box/x.npy -o box/new.npy", ["new.npy"]),
    ("sort box/x.npy -o box/old.npy", ["old.npy+"]),
    ("sort box/x.npy -o box/x.npy", ["x.npy="]),
    ("argsort box/x.npy -o box/new.npy", ["new.npy"]),
    ("sort box/p.npy --values box/x.npy --values-output box/x.npy -o box/new.npy", ["x.npy=", "new.npy"]),
    ("sort box/n.txt --text -o box/sorted.txt", ["sorted.txt+"]),
    ("generate uniform --n 300 -o box/old", ["old+"]),
    ("partition box/x.npy -o box/new.npy --buckets 4 --offsets box/o.npy", ["o.npy", "new.npy"]),
    ("partition box/x.npy -o box/x.npy --buckets 4 --offsets box/o.npy", ["o.npy+", "x.npy="]),
    ("permute box/x.npy --index box/p.npy -o box/x.npy", ["x.npy="]),
    ("permute box/x.npy --plan box/saved --on cpu -o box/x.npy", ["x.npy="]),
    ("transpose box/x --type u32 --rows 10 --columns 30 -o box/new.npy", ["new.npy"]),
    ("plan box/p.npy --on cpu -o box/plan", ["plan+"]),
    ("model sort -w 4 -m 4 --trace box/t", ["t"]),
    ("model sort -w 4 -m 4 --html box/page", ["page+"]),
    ("model permute-offline -w 4 -m 4 --save-plan box/s --trace box/t --html box/page",
     ["s+", "t", "page+"]),
    ("view box/run -o box/page", ["page+"]),
    ("conflicts t --html box/page", ["page"]),
]
GALLERY = ["1-with-and-without", "2-theorem-1", "3-proof", "4-lemma-1", "5-tall", "6-shearsort", "7-padding",
           "8-partition", "9-permutation", "10-transpose", "calculator", "index"]
if LONG:
    CASES.append(("gallery -o box", [name + ".html" for name in GALLERY]))
    CASES.append(("view --kernel cw_paper_warp4 -o box/page", ["page"]))

FAILURES = {
    "openat": ["EIO", "EINTR"], "pwrite": ["ENOSPC", "EINTR", "short"],
    "write": ["ENOSPC", "EINTR", "short"], "pread": ["EIO", "EINTR", "short"],
    "fsync": ["EIO", "EINTR"], "renameat": ["EIO"], "linkat": ["EIO"], "unlinkat": ["EIO"],
    "fchmod": ["EPERM"], "fchown": ["EPERM"], "ftruncate": ["EIO"],
}
if LONG:
    for some in FAILURES.values():
        some += [x for x in ("EIO", "ENOSPC", "EDQUOT", "EPERM", "EROFS") if x not in some]

wrong = runs = disks = 0


def bad(what, *words):
    global wrong
    wrong += 1
    print("WRONG:", what, "\n      ", *words)


def contents():
    found = {}
    for name in os.listdir("box"):
        with open(os.path.join("box", name), "rb") as file:
            found[name] = file.read()
    return found


class Case:
    def __init__(self, command, outputs, without):
        self.argv = command.split()
        self.what = command + (" (without " + without + ")" if without else "")
        self.without = without
        self.outputs = [name.rstrip("+=") for name in outputs]
        self.before = dict(INPUTS)
        for name in outputs:
            if name.endswith("+"):
                self.before[name[:-1]] = b"old " * 100
        self.after = dict(self.before)

    def run(self, fail=None, log=None):
        global runs
        runs += 1
        shutil.rmtree("box", ignore_errors=True)
        os.mkdir("box")
        for name, data in self.before.items():
            with open(os.path.join("box", name), "wb") as file:
                file.write(data)
        env = dict(os.environ, LD_PRELOAD=SHIM, CW_CALLS_WITHOUT=self.without, OMP_NUM_THREADS="2")
        if fail:
            env["CW_CALLS_FAIL"] = fail
        if log:
            env["CW_CALLS_LOG"] = log
        return subprocess.run([TOOL] + self.argv, env=env, capture_output=True, timeout=120)

    def whole(self, files, what):
        """Inputs are as they were; outputs old or new, none new after one that is old."""
        seen_old = False
        for name in self.outputs:
            old = files.get(name) == self.before.get(name)
            new = files.get(name) == self.after[name]
            if not old and not new:
                bad(what, name, "is neither what it was nor what it should be")
            elif seen_old and not old:
                bad(what, name, "is new, but an output before it is not")
            seen_old |= not new
        for name, data in self.before.items():
            if name not in self.outputs and files.get(name) != data:
                bad(what, "the input", name, "changed")

    def nothing_else(self, files, what):
        left = sorted(set(files) - set(self.before) - set(self.outputs))
        if left:
            bad(what, "leaves", *left)

    def learn(self):
        """Run it as it should be: what comes out, and which calls it makes."""
        done = self.run(log="log")
        files = contents()
        if done.returncode or done.stderr:
            bad(self.what, "exit", done.returncode, done.stderr.decode())
        for name in self.outputs:
            self.after[name] = files.get(name)
            if self.after[name] in (None, self.before.get(name)):
                bad(self.what, "does not write", name)
        self.nothing_else(files, self.what)
        with open("log") as log:
            return log.read().splitlines()

    def fail(self, k, call, how):
        what = "%s, call %d (%s) fails: %s" % (self.what, k, call, how)
        number = how if how == "short" else str(getattr(errno, how))
        done = self.run("%d:%s" % (k, number))
        files, says = contents(), done.stderr.decode()
        self.whole(files, what)
        if call != "unlinkat":
            self.nothing_else(files, what)
        if done.returncode not in ((0,) if how in ("EINTR", "short") else (0, 1, 2)):
            bad(what, "exit", done.returncode, says)
        new = [files.get(name) == self.after[name] for name in self.outputs]
        if done.returncode == 0:
            if not all(new) or says:
                bad(what, "exit 0, but not all is done", says)
            return
        if says.count("\n") != 1 or not says.startswith("clearway: ") or "box" not in says:
            bad(what, "says", repr(says))
        if any(new) and "for good" not in says:
            bad(what, "fails, but an output is there:", says)

    def die(self, k, call):
        """A disk that does nothing any more: what it holds is whole, or has another name."""
        what = "%s, all fails from call %d (%s) on" % (self.what, k, call)
        done = self.run("%d+:%d" % (k, errno.EIO))
        files, says = contents(), done.stderr.decode()
        self.whole(files, what)
        self.nothing_else({name for name in files if not name.startswith(".clearway-")}, what)
        if done.returncode not in ((0, 1) if call == "unlinkat" else (1, 2)):
            bad(what, "exit", done.returncode, says)
        for name in self.outputs:
            old = self.before.get(name)
            if old and done.returncode and old not in files.values() and "for good" not in says:
                bad(what, "the old", name, "is lost:", says)

    def kill(self, k, call, when):
        what = "%s, killed %s call %d (%s)" % (self.what, when, k, call)
        self.run("%d:%s" % (k, when))
        files = contents()
        self.whole(files, what)
        left = {name for name in files if not name.startswith(".clearway-")}
        self.nothing_else(left, what)

    def lose_power(self, lines):
        global disks
        self.run(log="log2")  # makes box anew; the log is the first one's
        shutil.rmtree("box")
        os.mkdir("box")
        for name, data in self.before.items():
            with open(os.path.join("box", name), "wb") as file:
                file.write(data)
        disk = Disk("box")
        for k, line in enumerate([None] + lines):
            if line:
                disk.call(line)
            for files in losses(disk, 20 if LONG else 4):
                disks += 1
                what = "%s, power is lost after call %d (%s), seed %d" % (
                    self.what, k - 1, (line or "none")[:60], SEED)
                self.whole(files, what)
                done = [files.get(name) == self.after[name] for name in self.outputs]
                if k == len(lines) and not all(done):
                    bad(what, "it was through, but not all is on the disk")

    def all(self):
        lines = self.learn()
        calls = [line.split()[0] for line in lines if not line.startswith("close ")]
        self.lose_power(lines)
        for k, call in enumerate(calls):
            for how in FAILURES[call]:
                self.fail(k, call, how)
            if call != "pread":
                self.kill(k, call, "before")
                self.die(k, call)
            if k + 1 == len(calls):
                self.kill(k, call, "after")


def make_inputs():
    for command in ("generate uniform --n 300 -o box/x.npy", "argsort box/x.npy -o box/p.npy",
                    "sort box/x.npy --descending -o box/x", "model sort -w 4 -m 4 --trace box/run",
                    "plan box/p.npy --on cpu -o box/saved", "generate few --n 50 --text -o box/n.txt"):
        subprocess.run([TOOL] + command.split(), check=True, stdout=subprocess.DEVNULL)
    return contents()


os.mkdir("box")
INPUTS = make_inputs()
for command, outputs in CASES:
    both = len(outputs) > 1 or command.startswith("permute")
    for without in ["", "t", "x", "tx"] if LONG else ["", "tx"] if both else [""]:
        Case(command, outputs, without).all()
print("%d runs of the tool, %d disks after a loss of power, %d not as they should be"
      % (runs, disks, wrong))
sys.exit(wrong > 0)
