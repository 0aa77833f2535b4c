"""judge - are promises of speed kept?  Reads the CSV of benchmarks for scripts/promises, whose words bench/promises.py explains."""

import csv
import fnmatch
import math
import operator
import os
import re
from typing import NamedTuple, Optional

ENDED = "# ended: "  # the last line that scripts/promises writes to a CSV; without one it was stopped
BEGUN = "# promises: "  # the first
WRONG = ("WRONG", "NO", "no")
COMPARED = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}


class Lines(NamedTuple):
    """What a run left: its cells, the line on where they come from, and why not all are there."""

    cells: list
    columns: list
    origin: str
    missing: str
    malformed: int


class Verdict(NamedTuple):
    promise: object
    word: str  # met, NOT met, met so far, not measured
    reached: Optional[float]
    says: str  # in parentheses
    aim: Optional[bool]  # is it reached?


def number(text):
    """123.0 for "123" and 1024.0 for "2^10"; None for other words, and for what is not finite."""
    power = re.fullmatch(r"2\^(\d+)", text)
    if power:
        return 2.0 ** int(power[1])
    try:
        x = float(text)
    except ValueError:
        return None
    return x if math.isfinite(x) else None


def read(path):
    """The Lines of a CSV.  A line of another number of fields is left out, and counted; so is one without its end."""
    rows, missing = [], ""
    with open(path, encoding="utf-8", errors="replace", newline="") as text:
        body, sign, ended = text.read().replace("\r", "").rpartition("\n" + ENDED)
    lines = (body if sign else ended).split("\n")
    malformed = int(lines.pop() != "")
    head = next((x for x in lines if x.startswith("#")), "")
    if head.startswith(BEGUN):
        missing = ended.strip() if sign else "stopped in the middle"
        missing = "" if missing == "ok" else missing
    table = list(csv.reader(x for x in lines if x and not x.startswith("#")))
    columns = table[0] if table else []
    for fields in table[1:]:
        if len(fields) == len(columns) + 1 and fields[-1] in WRONG:
            rows.append(dict(zip(columns, fields), output=fields[-1]))
        elif len(fields) == len(columns) + 1 and fields[-1] == "SLOW":
            rows.append(dict(zip(columns, fields)))
        elif len(fields) == len(columns):
            rows.append(dict(zip(columns, fields)))
        else:
            malformed += 1
    origin = head.removeprefix(BEGUN).lstrip("# ")
    if not origin and rows and "commit" in columns:
        origin = "{gpu}, driver {driver}, commit {commit}".format(**rows[0])
    return Lines(rows, columns, origin, missing or ("" if rows else "no cells"), malformed)


def find(folder, runs):
    """{run's name: Lines} of the CSVs in a folder: the longest name that a file's begins with has it."""
    found = {}
    names = sorted((x.name for x in runs), key=len, reverse=True)
    for file in sorted(os.listdir(folder)):
        stem = file.removesuffix(".csv")
        name = next((x for x in names if stem == x or stem.startswith(x + "-")), None)
        if name and file.endswith(".csv"):
            found[name] = read(os.path.join(folder, file))
    return found


# ---- conditions and values --------------------------------------------------------------------


def words_of(value):
    """The words that have commas without a space between them."""
    return re.split(r",(?! )", value)


def fits_one(have, want):
    a, b = number(have), number(want)
    return a == b if a is not None and b is not None else fnmatch.fnmatchcase(have, want)


def fits(cell, conditions):
    """Is a cell one of those that the conditions pick?  A column that it lacks fits only what is != something."""
    for condition in filter(None, (x.strip() for x in conditions.split(";"))):
        columns, sign, value = re.fullmatch(r"(.+?)(!=|<=|>=|=|<|>)(.*)", condition).groups()
        have = " ".join(cell.get(x, "") for x in columns.split("+"))
        if sign in ("=", "!="):
            if any(fits_one(have, x) for x in words_of(value)) != (sign == "="):
                return False
            continue
        x = number(have)
        if x is None or not COMPARED[sign](x, number(value)):
            return False
    return True


def columns_of(promise):
    """All columns that a promise speaks of, but those that it only excludes."""
    columns = set()
    parts = re.split(r" / | - ", promise.value.split(" ", 1)[1])
    conditions = [promise.cells] + [y for x in parts for y in re.findall(r"\[(.*)\]", x)]
    for condition in "; ".join(conditions).split(";"):
        if condition.strip() and "!=" not in condition:
            columns.update(re.match(r"[^=<>]+", condition.strip())[0].split("+"))
    return columns | {re.sub(r"\[.*\]", "", x) for x in parts}


def next_power(cell):
    return str(2 ** math.ceil(math.log2(number(cell["length"]))))


class Values:
    """Numbers of the cells of a run."""

    def __init__(self, run, cells):
        self.names = run.cell.split()
        self.cells = cells
        self.groups = {}

    def column(self, cell, text):
        """Of the cell itself, or the largest of those that a text like gkeys[method=cub*] speaks of."""
        name, conditions = re.fullmatch(r"([^\[]*)(?:\[(.*)\])?", text).groups()
        if conditions is None:
            return number(cell.get(name, ""))
        if "2^+" in conditions:
            conditions = conditions.replace("2^+", next_power(cell))
        free = {re.match(r"[^=<>!]+", x.strip())[0] for x in conditions.split(";")}
        same = tuple(x for x in self.names if x not in free)
        if (same, conditions) not in self.groups:
            group = self.groups[same, conditions] = {}
            for other in self.cells:
                if fits(other, conditions):
                    group.setdefault(tuple(other.get(x) for x in same), []).append(other)
        of = self.groups[same, conditions].get(tuple(cell.get(x) for x in same), [])
        found = [number(x.get(name, "")) for x in of]
        return max((x for x in found if x is not None), default=None)

    def value(self, cell, text):
        a, sign, b = (re.split(r" (/|-) ", text) + [None, None])[:3]
        x = self.column(cell, a)
        if sign is None or x is None:
            return x
        y = self.column(cell, b)
        if y is None or (sign == "/" and y == 0):
            return None
        return x / y if sign == "/" else x - y


def fixed(promise):
    """Columns that a promise has one word for."""
    of = (re.fullmatch(r"([^=<>!]+)=(.*)", x.strip()) for x in promise.cells.split(";"))
    return {x[1] for x in of if x and len(words_of(x[2])) == 1 and "*" not in x[2]}


def named(run, cell, unsaid):
    """A cell in words, but for columns that go without saying: "u64 payload 8 any 2^22 heavy3"."""
    words = []
    for name in (x for x in run.cell.split() if x not in unsaid):
        x = cell.get(name, "")
        whole = int(x) if x.isdigit() else 0
        if whole >= 1024 and whole & (whole - 1) == 0:
            x = f"2^{whole.bit_length() - 1}"
        words.append(f"{name} {x}" if number(x) is not None and name not in ("n", "length", "items") else x)
    return " ".join(words)


# ---- verdicts ---------------------------------------------------------------------------------


def is_wrong(cell):
    return any(x in WRONG for name, x in cell.items() if name in ("output", "right", "check", "exact"))


def holds(statistic, reached, bound):
    return reached <= bound if statistic == "most" else reached >= bound


def not_measured(promise, runs, found):
    """Why there is no cell."""
    for run in runs:
        of = found.get(run.name)
        if of is None:
            return "not run"
        if of.missing:
            return of.missing
        lacks = sorted(columns_of(promise) - set(of.columns))
        if lacks:
            return f"{run.name}.csv has no column {lacks[0]}"
    return "no such cells"


def judge(promise, all_runs, found):
    """The Verdict on a promise; `found` has the Lines of runs."""
    runs = [x for x in all_runs if x.name in promise.runs.split()]
    statistic, text = promise.value.split(" ", 1)
    reached, wrong, unsaid = [], [], fixed(promise)
    for run in runs:
        cells = found[run.name].cells if run.name in found else []
        values = Values(run, cells)
        for cell in cells:
            if fits(cell, promise.cells):
                x = values.value(cell, text)
                name = named(run, cell, unsaid)
                wrong += [name] if is_wrong(cell) else []
                reached += [(x, name)] if x is not None else []
    if wrong:
        return Verdict(promise, "NOT met", None, f"wrong output: {wrong[0]}", None)
    if not reached or (statistic == "mean" and min(reached)[0] <= 0):
        return Verdict(promise, "not measured", None, not_measured(promise, runs, found), None)
    worst = max(reached) if statistic == "most" else min(reached)
    x = worst[0] if statistic != "mean" else math.exp(sum(math.log(y) for y, _ in reached) / len(reached))
    aim = None if promise.aim is None else holds(statistic, x, promise.aim)
    if promise.target is None:
        missed = [y for y, _ in reached if not holds(statistic, y, promise.aim)]
        return Verdict(promise, "hoped for", x, tell(x, promise.aim, worst, missed, reached, statistic), aim)
    missed = [y for y, _ in reached if not holds(statistic, y, promise.target)]
    says = tell(x, promise.target, worst, missed, reached, statistic)
    if not holds(statistic, x, promise.target):
        return Verdict(promise, "NOT met", x, says, aim)
    why = [f"{run.name}: {found[run.name].missing if run.name in found else 'not run'}" for run in runs]
    why = [x for x in why if not x.endswith(": ")]
    return Verdict(promise, "met so far" if why else "met", x, "; ".join([says] + why), aim)


def tell(reached, asked, worst, missed, cells, statistic):
    says = f"{reached:.4g} of {asked:g}"
    if len(cells) > 1:
        says += f"; worst: {worst[1]}" + (f", {worst[0]:.4g}" if statistic == "mean" else "")
        says += f"; {len(missed)} of {len(cells)} cells" if missed and statistic != "mean" else f"; {len(cells)} cells"
    return says
