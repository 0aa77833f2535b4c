#!/usr/bin/env python3
"""grid.py - the heat map of docs/grid.svg from the CSV of bench_grid.

    scripts/grid.py [GRID.csv] > docs/grid.svg      docs/data/grid.csv unless named

A first line that begins with # says where the figures come from, and stands below the picture.  scripts/plots.py makes
this picture too, with all others.  A cell is a width of key and payload, an order, an input (down) and n (across).  Its colour is the ratio
of CUB's time to Clearway's: green above 1, red below.
"""
import csv
import math
import os
import sys
from collections import OrderedDict
from html import escape

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "data", "grid.csv")
STYLE = """<style>.page { fill: #ffffff } .out { fill: #1f2328 }
@media (prefers-color-scheme: dark) { .page { fill: #0d1117 } .out { fill: #e6edf3 } }</style>"""

CELL_W, CELL_H, LEFT, TOP = 46, 11, 190, 58


def colour(ratio):
    """Green for 2 and more, white for 1, red for a half and less."""
    x = max(-1.0, min(1.0, math.log2(ratio)))
    if x >= 0:
        return "#%02x%02x%02x" % (int(245 - 200 * x), int(245 - 95 * x), int(245 - 175 * x))
    return "#%02x%02x%02x" % (int(245 - 35 * -x), int(245 - 200 * -x), int(245 - 190 * -x))


def draw(path=DATA):
    rows, lengths, origin = OrderedDict(), [], ""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines()
        if lines[0].startswith("#"):
            origin = lines.pop(0).lstrip("# ").split(". ")[0]
        for r in csv.DictReader(lines):
            name = (r["key"], r["payload"], r["order"], r["input"])
            n = int(r["n"])
            rows.setdefault(name, {})[n] = float(r["ratio"])
            if n not in lengths:
                lengths.append(n)
    lengths.sort()
    ratios = [x for row in rows.values() for x in row.values()]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    below = sum(x < 0.97 for x in ratios)
    height = TOP + CELL_H * len(rows) + 24
    width = LEFT + CELL_W * len(lengths) + 10
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="8" role="img">'
        % (width, height),
        "<title>cw_sort beside CUB's radix sort</title>", STYLE,
        '<rect class="page" width="100%" height="100%"/>',
        '<text class="out" x="10" y="16" font-size="12">cw_sort beside CUB radix sort, H200: CUB\'s time over ours</text>',
        '<text class="out" x="10" y="30" font-size="9">%d cells, %d below 0.97, geometric mean %.2f; green: faster, red: slower</text>'
        % (len(ratios), below, mean),
    ]
    for x, n in enumerate(lengths):
        power = n.bit_length() - 1
        label = "2^%d" % power if n == 1 << power else str(n)
        out.append('<text class="out" x="%d" y="%d" text-anchor="middle">%s</text>'
                   % (LEFT + CELL_W * x + CELL_W // 2, TOP - 6, label))
    for y, (name, row) in enumerate(rows.items()):
        top = TOP + CELL_H * y
        label = "%s + %s, %s, %s" % name if name[1] != "0" else "%s, %s" % (name[0], name[3])
        out.append('<text class="out" x="%d" y="%d" text-anchor="end">%s</text>' % (LEFT - 6, top + 8, label))
        for x, n in enumerate(lengths):
            if n in row:
                out.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>'
                           % (LEFT + CELL_W * x, top, CELL_W - 1, CELL_H - 1, colour(row[n])))
                out.append('<text x="%d" y="%d" text-anchor="middle" font-size="7">%.2f</text>'
                           % (LEFT + CELL_W * x + CELL_W // 2, top + 8, row[n]))
    out.append('<text class="out" x="10" y="%d">%s</text>' % (height - 8, escape(origin)))
    out.append("</svg>")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    print(draw(*sys.argv[1:2]), end="")
