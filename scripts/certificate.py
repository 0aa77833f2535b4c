#!/usr/bin/env python3
"""certificate.py - the table of docs/certificate.md: how many kernels are marked conflict-free, room by room.

    scripts/certificate.py [TOOL]      build/clearway unless named; half a minute
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "certificate.md")
ROOMS = {"gather": "gather and add", "lookup": "sorts over ranks", "paper": "the paper's, for one warp", "partition": "partition", "permute": "permute",
         "plan": "plans", "rows": "rows", "sample": "comparison sort", "sort": "radix and counting sorts",
         "tiles": "tiles", "transpose": "transpose"}


def main(tool):
    done = subprocess.run([tool, "verify", "--json"], stdout=subprocess.PIPE, check=True)
    sums = {}
    for kernel in json.loads(done.stdout)["kernels"]:
        for room in (ROOMS.get(kernel["name"].split("_")[1], kernel["name"].split("_")[1]), "all"):
            row = sums.setdefault(room, [0, 0, 0, 0])
            row[0] += 1
            row[1] += kernel["conflict_free"]
            row[2] += kernel["conflict_free"] and not kernel["requests"]
            row[3] += kernel["excess"] > 0
    lines = ["| room | kernels | marked conflict-free | of these, without shared memory | conflicts seen |",
             "|---|---|---|---|---|"]
    for room in sorted(sums, key=lambda r: (r == "all", r)):
        lines.append(f"| {room} | " + " | ".join(map(str, sums[room])) + " |")
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    table = "<!-- begin kernels -->\n" + "\n".join(lines) + "\n<!-- end kernels -->"
    page = re.sub(r"<!-- begin kernels -->.*?<!-- end kernels -->", lambda _: table, page, flags=re.S)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "clearway"))
