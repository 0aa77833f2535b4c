#!/usr/bin/env python3
"""certificate.py - how many kernels are marked conflict-free: the table of docs/certificate.md and README's sentence.

    scripts/certificate.py [--check] [TOOL | JSON]

Takes what `clearway verify --json` printed, or runs the tool to get it (build/clearway unless named; half a minute).
Writes both pages; with --check changes nothing, and exits 1 if a page says something else.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "src", "backend", "kernel_list.h")
ROOMS = {"gather": "gather and add", "lookup": "sorts over ranks", "paper": "the paper's, for one warp", "partition": "partition", "permute": "permute",
         "plan": "plans", "rows": "rows", "sample": "comparison sort", "sort": "radix and counting sorts",
         "tiles": "tiles", "transpose": "transpose"}


def certificate(source):
    """The kernels of `clearway verify --json`, and those of the list that no case launches."""
    if source.endswith(".json"):
        with open(source, encoding="utf-8") as file:
            kernels = json.load(file)["kernels"]
    else:
        kernels = json.loads(subprocess.run([source, "verify", "--json"], stdout=subprocess.PIPE, check=True).stdout)["kernels"]
    with open(LIST, encoding="utf-8") as file:
        listed = re.findall(r"^ *K\((cw_\w+),[^,]*, ([01]),", file.read(), flags=re.M)
    seen = {kernel["name"] for kernel in kernels}
    return kernels, [{"name": name, "conflict_free": free == "1", "requests": 1, "excess": 0} for name, free in listed if name not in seen]


def sums_of(kernels, unseen):
    """Per room: kernels, marked, marked and without shared memory, conflicts seen."""
    sums = {}
    for kernel in kernels + unseen:
        for room in (ROOMS.get(kernel["name"].split("_")[1], kernel["name"].split("_")[1]), "all"):
            row = sums.setdefault(room, [0, 0, 0, 0])
            row[0] += 1
            row[1] += kernel["conflict_free"]
            row[2] += kernel["conflict_free"] and not kernel["requests"]
            row[3] += kernel["excess"] > 0
    return sums


def table(sums):
    lines = ["| room | kernels | marked conflict-free | of these, without shared memory | conflicts seen |",
             "|---|---|---|---|---|"]
    for room in sorted(sums, key=lambda r: (r == "all", r)):
        lines.append(f"| {room} | " + " | ".join(map(str, sums[room])) + " |")
    return "\n".join(lines) + "\n"


def sentence(row, unseen):
    kernels, marked, without, excess = row
    return (f"Of the {kernels} kernels, {marked} are marked conflict-free: on no input does shared memory take longer than it must. {without} of\n"
            f"these use no shared memory at all, so {marked - without} have something to show. The other {kernels - marked} may have conflicts, and {excess}\n"
            "did in the test cases." + (f" {len(unseen)} of all were not run: only arrays too long to emulate launch them.\n" if unseen else "\n"))


def mend(path, text, check):
    """Put text between the page's markers; 1 if it was not there."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    new = re.sub(r"(<!-- begin kernels -->\n).*?(<!-- end kernels -->)", lambda m: m[1] + text + m[2], page, flags=re.S)
    if "<!-- begin kernels -->" not in page:
        sys.exit(f"certificate.py: {os.path.relpath(path, ROOT)} has no place for the kernels")
    if new == page:
        return 0
    if check:
        print(f"{os.path.relpath(path, ROOT)}: the numbers of kernels are not those of this tree: run scripts/certificate.py")
        return 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


def main(arguments):
    check = "--check" in arguments
    source = [a for a in arguments if a != "--check"] or [os.path.join(ROOT, "build", "clearway")]
    kernels, unseen = certificate(source[0])
    sums = sums_of(kernels, unseen)
    bad = mend(os.path.join(ROOT, "docs", "certificate.md"), table(sums), check)
    bad |= mend(os.path.join(ROOT, "README.md"), sentence(sums["all"], unseen), check)
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
