"""power.py - a log of file calls (tests/preload/file_calls.c), replayed up to a loss of power.

A disk keeps of a file what was written before the last fsync of it, and of what was written since
any part; of a folder the names as they were at the last fsync of it, and of the changes since any.
So after each call several disks are possible: none of what is not flushed, all of it, or some.
"""
import os
import random

EXCHANGE = 2


class File:
    def __init__(self, data=b""):
        self.kept = data
        self.writes = []  # (place, bytes) since the last fsync

    def write(self, at, data):
        self.writes.append((at, data))

    def flush(self):
        self.kept = self.read(lambda write: [write])
        self.writes = []

    def read(self, choose):
        """What it holds if of each write those pieces are on the disk that `choose` gives."""
        data = bytearray(self.kept)
        for write in self.writes:
            for at, piece in choose(write):
                data.extend(bytes(max(0, at + len(piece) - len(data))))
                data[at:at + len(piece)] = piece
        return bytes(data)


class Disk:
    def __init__(self, folder):
        """The files of a folder, all flushed."""
        self.folder = os.path.realpath(folder)
        self.kept = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                self.kept[name] = File(file.read())
        self.now = dict(self.kept)
        self.changes = []  # since the last fsync: lists of (name, File or None)
        self.open = {}  # number -> File, or the folder's name

    def change(self, *names):
        self.changes.append(names)
        for name, file in names:
            self.now[name] = file

    def where(self, number, path):
        """The name in the folder that a path means; None for other folders."""
        base = os.getcwd() if number == "-100" else self.open.get(number)
        full = os.path.normpath(os.path.join(base, path)) if isinstance(base, str) else None
        return os.path.basename(full) if full and os.path.dirname(full) == self.folder else None

    def call(self, line):
        """Do what a line of the log says was done."""
        words, result = line.rsplit(" = ", 1)
        words = words.split(" ")
        if result != "-1":
            getattr(self, words[0], lambda *rest: None)(result, *words[1:])

    def openat(self, result, folder, path, flags):
        flags = int(flags)
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            self.open[result] = File()
        elif flags & os.O_DIRECTORY:
            base = os.getcwd() if folder == "-100" else self.open[folder]
            self.open[result] = os.path.normpath(os.path.join(base, path))
        else:
            name = self.where(folder, path)
            if name and flags & os.O_CREAT and not self.now.get(name):
                self.change((name, File()))
            self.open[result] = self.now.get(name)

    def close(self, _, number):
        self.open.pop(number, None)

    def pwrite(self, result, number, at, _, data):
        self.open[number].write(int(at), bytes.fromhex(data)[:int(result)])

    def fsync(self, _, number, *rest):
        file = self.open[number]
        if isinstance(file, File):
            file.flush()
        elif file == self.folder:
            self.kept = dict(self.now)
            self.changes = []

    def linkat(self, _, folder, path, to, name, flags):
        own = path.startswith("/proc/self/fd/")
        file = self.open[path.split("/")[-1]] if own else self.now[self.where(folder, path)]
        self.change((self.where(to, name), file))

    def renameat(self, _, folder, path, to, name, flags):
        old, new = self.where(folder, path), self.where(to, name)
        file = self.now[old]
        self.change((old, self.now[new] if int(flags) & EXCHANGE else None), (new, file))

    def unlinkat(self, _, folder, path, flags):
        self.change((self.where(folder, path), None))

    def after_loss(self, changed, choose):
        """Name -> bytes, if those changes of names and pieces of writes are on the disk."""
        names = dict(self.kept)
        for change in self.changes:
            if changed():
                names.update(change)
        return {name: file.read(choose) for name, file in names.items() if file}


def torn(write):
    """Any of the sectors of a write."""
    at, data = write
    return [(at + k, data[k:k + 512]) for k in range(0, len(data), 512) if random.random() < 0.5]


def losses(disk, count):
    """What the disk may hold: the extremes, and some of all else."""
    for changed in (lambda: False, lambda: True):
        for choose in (lambda write: [], lambda write: [write], torn):
            yield disk.after_loss(changed, choose)
    for _ in range(count):
        yield disk.after_loss(lambda: random.random() < 0.5, torn)
