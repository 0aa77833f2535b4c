#!/usr/bin/env python3
"""grid.py - the heat maps of docs/grid.svg and docs/speed.svg from the CSV of bench_grid.

    scripts/grid.py [GRID.csv] > docs/grid.svg      docs/data/grid.csv unless named

A first line that begins with # says where the figures come from, and stands below the picture.  scripts/plots.py makes
these pictures too, with all others.  A cell of grid.svg is a width of key and payload, an order, an input (down) and n (across).
speed.svg is the small one of README: it has the mean and the worst of a cell's inputs and orders.  The colour is the ratio of
CUB's time to Clearway's: green above 1, red below.
"""
import csv
import math
import os
import sys
import textwrap
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


def read(path):
    """The line about the figures; {(key, payload, order, input): {n: ratio}}; every n."""
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
    return origin, rows, sorted(lengths)


def mean_of(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def power_of(n):
    return "2^%d" % (n.bit_length() - 1) if n & (n - 1) == 0 else str(n)


def begin(width, height, what):
    """An SVG up to its title; it shrinks with the page."""
    return ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="8" role="img">'
            % (width, height, width, height), "<title>cw_sort beside CUB's radix sort</title>", STYLE,
            '<rect class="page" width="100%" height="100%"/>',
            '<text class="out" x="10" y="16" font-size="12">cw_sort beside CUB radix sort, H200: CUB\'s time over ours</text>',
            '<text class="out" x="10" y="30" font-size="9">%s</text>' % what]


def below(origin, width, height):
    """Where the figures come from, in as many lines as that takes; the last one ends above the edge."""
    lines = textwrap.wrap(origin, (width - 20) * 10 // 43)
    return ['<text class="out" x="10" y="%d">%s</text>' % (height - 8 - 10 * (len(lines) - 1 - k), escape(line))
            for k, line in enumerate(lines)], 10 * (len(lines) - 1)


def summary(path=DATA):
    """README's: a row for each key and payload; the mean of all inputs and orders, and the worst of them."""
    origin, rows, lengths = read(path)
    cells = OrderedDict()
    for (key, payload, _, _), row in rows.items():
        label = "%s + %s bytes" % (key, payload) if payload != "0" else key
        for n, ratio in row.items():
            cells.setdefault(label, {}).setdefault(n, []).append(ratio)
    cell_w, cell_h, left, gap, top = 38, 16, 90, 24, 66
    width = left + 2 * cell_w * len(lengths) + gap + 10
    room = top + cell_h * len(cells) + 24
    height = room + below(origin, width, room)[1]
    ratios = [x for row in rows.values() for x in row.values()]
    out = begin(width, height, "%d cases, %d below 0.97, geometric mean %.2f; green: faster, red: slower"
                % (len(ratios), sum(x < 0.97 for x in ratios), mean_of(ratios)))
    for panel, (what, of) in enumerate((("mean of all inputs and orders", mean_of), ("the worst of them", min))):
        x0 = left + panel * (cell_w * len(lengths) + gap)
        out.append('<text class="out" x="%d" y="46" font-size="10">%s</text>' % (x0, what))
        for x, n in enumerate(lengths):
            out.append('<text class="out" x="%d" y="%d" text-anchor="middle" font-size="9">%s</text>'
                       % (x0 + cell_w * x + cell_w // 2, top - 6, power_of(n)))
        for y, (label, row) in enumerate(cells.items()):
            if not panel:
                out.append('<text class="out" x="%d" y="%d" text-anchor="end" font-size="10">%s</text>' % (left - 6, top + cell_h * y + 12, label))
            for x, n in enumerate(lengths):
                ratio = of(row[n])
                out.append('<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>'
                           % (x0 + cell_w * x, top + cell_h * y, cell_w - 1, cell_h - 1, colour(ratio)))
                out.append('<text x="%d" y="%d" text-anchor="middle" font-size="10">%.2f</text>'
                           % (x0 + cell_w * x + cell_w // 2, top + cell_h * y + 12, ratio))
    return "\n".join(out + below(origin, width, height)[0] + ["</svg>", ""])


def draw(path=DATA):
    origin, rows, lengths = read(path)
    ratios = [x for row in rows.values() for x in row.values()]
    room = TOP + CELL_H * len(rows) + 24
    width = LEFT + CELL_W * len(lengths) + 10
    height = room + below(origin, width, room)[1]
    out = begin(width, height, "%d cells, %d below 0.97, geometric mean %.2f; green: faster, red: slower"
                % (len(ratios), sum(x < 0.97 for x in ratios), mean_of(ratios)))
    for x, n in enumerate(lengths):
        out.append('<text class="out" x="%d" y="%d" text-anchor="middle">%s</text>'
                   % (LEFT + CELL_W * x + CELL_W // 2, TOP - 6, power_of(n)))
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
    return "\n".join(out + below(origin, width, height)[0] + ["</svg>", ""])


if __name__ == "__main__":
    print(draw(*sys.argv[1:2]), end="")
