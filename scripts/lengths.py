#!/usr/bin/env python3
"""lengths - draw what bench_lengths measured: speed over the length of rows.

    scripts/lengths.py [CSV...] > docs/rows-lengths.svg      docs/data/rows-lengths.csv unless named

scripts/plots.py makes this picture too, with all others.  The files are what bench_lengths and bench/rows_torch.py wrote.  Three panels: keys, pairs, keys with
an index; in each Clearway on rows of one length and by offsets, the faster of CUB's segmented sorts, and
torch.sort where it was measured.  Both axes are logarithmic.  Lines whose length is no number are mixes,
and are left out.
"""

import csv
import math
import os
import sys
from html import escape

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "data", "rows-lengths.csv")
STYLE = """<style>.page { fill: #ffffff } text { fill: #1f2328 } .grid { stroke: #dddddd }
@media (prefers-color-scheme: dark) { .page { fill: #0d1117 } text { fill: #e6edf3 } .grid { stroke: #2a313a } }</style>"""

PANELS = [("keys", ("u32",)), ("pairs", ("u32+u32",)), ("index", ("u32+index", "i32+index"))]
LINES = [
    ("Clearway, one length", "#1b6ca8", lambda m, s: m == "clearway" and s == "one length"),
    ("Clearway, by offsets", "#7fb7dd", lambda m, s: m == "clearway" and s == "offsets"),
    ("CUB segmented, the faster", "#c8553d", lambda m, s: m.startswith("cub segmented")),
    ("torch.sort(dim=-1)", "#8a8a8a", lambda m, s: m == "torch.sort"),
]
WIDTH, HEIGHT, LEFT, TOP, GAP = 900, 230, 52, 34, 46
LOW, HIGH = 1.0, 1000.0  # Gkey/s


def read(paths):
    """(type, method, shape, length) -> Gkey/s; and where they come from, if the first file says so."""
    speeds, origin = {}, ""
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
            if lines[0].startswith("#"):
                origin = origin or lines[0].lstrip("# ").split(". ")[0]
                lines = lines[1:]
            for line in csv.DictReader(lines):
                if line["length"].isdigit():
                    key = line["type"], line["method"], line["shape"], int(line["length"])
                    speeds[key] = float(line["gkeys"])
    return speeds, origin


def points(speeds, types, wanted):
    """Lengths in order, each with the best speed of the wanted lines."""
    best = {}
    for (kind, method, shape, length), speed in speeds.items():
        if kind in types and wanted(method, shape):
            best[length] = max(best.get(length, 0.0), speed)
    return sorted(best.items())


def panel(out, top, title, speeds, types, longest):
    """One panel: a frame, grid lines, and a line for each method."""

    def across(length):
        return LEFT + (math.log2(length) - 1) / (math.log2(longest) - 1) * (WIDTH - LEFT - 18)

    def down(speed):
        part = math.log(max(speed, LOW) / LOW) / math.log(HIGH / LOW)
        return top + HEIGHT - part * HEIGHT

    out.append(f'<text x="{LEFT}" y="{top - 8}" font-weight="bold">{title}, Gkey/s</text>')
    for speed in (1, 3, 10, 30, 100, 300, 1000):
        y = down(speed)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 18}" class="grid"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{speed}</text>')
    for log in range(1, int(math.log2(longest)) + 1):
        x = across(2**log)
        out.append(f'<path d="M{x:.1f} {top}V{top + HEIGHT}" class="grid"/>')
        name = 2**log if log < 11 else f"2^{log}"
        out.append(f'<text x="{x:.1f}" y="{top + HEIGHT + 14}" text-anchor="middle">{name}</text>')
    for _, colour, wanted in LINES:
        path = " ".join(f"{across(n):.1f},{down(s):.1f}" for n, s in points(speeds, types, wanted))
        if path:
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')


def draw(paths=()):
    speeds, origin = read(paths or [DATA])
    longest = max((key[3] for key in speeds), default=32768)
    height = TOP + 20 + len(PANELS) * (HEIGHT + GAP) + 6
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11" role="img">',
        "<title>Speed of cw_sort_rows over the length of rows</title>", STYLE,
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
    ]
    x = LEFT
    for name, colour, _ in LINES:
        out.append(f'<path d="M{x} 14h22" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{x + 27}" y="18">{name}</text>')
        x += 200
    for k, (title, types) in enumerate(PANELS):
        panel(out, TOP + 20 + k * (HEIGHT + GAP), title, speeds, types, longest)
    out.append(f'<text x="{LEFT}" y="{height - 8}">{escape(origin)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    print(draw(sys.argv[1:]), end="")
