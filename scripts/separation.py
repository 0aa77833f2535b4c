#!/usr/bin/env python3
"""separation.py - the data, the plot and the table of docs/separation.md.

    scripts/separation.py            run the tool, write docs/separation.json, then draw
    scripts/separation.py draw       draw docs/separation.svg from the data that is there
    scripts/separation.py table      print the page's tables, in Markdown

Every number is the "steps" of a verified run in strict mode:
build/clearway model ALGORITHM -w W -m M --seed S --json.  The only ones that depend on the
seed are those of permute; of its runs the median is taken.  Standard library only.
"""

import json
import math
import os
import statistics
import subprocess
import sys
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "clearway")
DATA = os.path.join(ROOT, "docs", "separation.json")
PLOT = os.path.join(ROOT, "docs", "separation.svg")

COLUMNS = [8, 32, 128, 1024]           # m, a panel each
ROWS = [2 ** k for k in range(3, 15)]  # w
LARGEST = 2 ** 20                      # n
WARP = 32                              # w of a GPU, for a table of its own
DEPTHS = [8, 32, 128, 256, 512, 1024, 4096, 16384]
SEEDS = {"sort": [1], "partition": [1], "permute": [1, 2, 3, 4, 5], "permute-offline": [1],
         "blocked-bitonic": [1]}
OPTIONS = {"partition": ["--prefer", "bound"]}  # the paper's way, not the fewest steps
KEEP = ["algorithm", "w", "m", "seed", "steps", "path", "chosen", "iterations"]


# ---- the data ---------------------------------------------------------------

def run(algorithm, w, m, seed):
    """One run of the tool; None if it does not know the algorithm."""
    command = [TOOL, "model", algorithm, "-w", str(w), "-m", str(m), "--seed", str(seed), "--json",
               *OPTIONS.get(algorithm, [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode == 2 and "unknown" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    said = json.loads(done.stdout)
    if not said["verified"] or said["conflicts"] or said["mode"] != "strict":
        sys.exit(f"{' '.join(command)}: not a verified run without conflicts")
    return {key: said[key] for key in KEEP if key in said}


def shapes(algorithm):
    plot = [(w, m) for m in COLUMNS for w in ROWS if w * m <= LARGEST]
    warp = [(WARP, m) for m in DEPTHS]
    return warp if algorithm == "blocked-bitonic" else plot + [x for x in warp if x not in plot]


def measure():
    runs = []
    for algorithm, seeds in SEEDS.items():
        for w, m in shapes(algorithm):
            some = [run(algorithm, w, m, seed) for seed in seeds]
            if None in some:
                print(f"{algorithm} is not there: left out")
                break
            runs += some
            print(f"{algorithm:15} {w:5} x {m:<5}  {some[0]['steps'] / m:8.1f} m", flush=True)
    version = subprocess.run([TOOL, "--version"], stdout=subprocess.PIPE, text=True, check=True)
    with open(DATA, "w", encoding="utf-8") as out:
        lines = ",\n    ".join(json.dumps(one) for one in runs)
        out.write(f'{{"tool": {json.dumps(version.stdout.strip())}, "runs": [\n    {lines}\n]}}\n')


def load():
    """{algorithm: {m: {w: run}}}, steps the median over seeds."""
    with open(DATA, encoding="utf-8") as text:
        runs = json.load(text)["runs"]
    found = {}
    for one in runs:
        found.setdefault(one["algorithm"], {}).setdefault(one["m"], {}).setdefault(
            one["w"], []).append(one)
    return {a: {m: {w: dict(some[0], steps=statistics.median(x["steps"] for x in some))
                    for w, some in sorted(by_w.items())}
                for m, by_w in sorted(by_m.items())}
            for a, by_m in found.items()}


# ---- the plot ---------------------------------------------------------------

# Okabe and Ito's colours, told apart by every eye; shapes say the same again.
LINES = [
    ("sort", "#0072B2", "circle", "sorting"),
    ("partition", "#D55E00", "square", "partition"),
    ("permute", "#007F5F", "triangle", "permutation, randomised"),
    ("permute-offline", "#8E4A86", "diamond", "permutation, offline"),
]
INK, SOFT, GRID, PAPER = "#1f2328", "#59636e", "#e3e6ea", "#ffffff"
WIDTH, HEIGHT = 940, 872
PANEL_W, PANEL_H = 392, 290
LEFT, TOP, GAP_X, GAP_Y = 62, 132, 64, 78
X_MIN, X_MAX = math.log2(ROWS[0]) - 0.35, math.log2(ROWS[-1]) + 0.35
Y_MIN, Y_MAX = math.log2(1.5), math.log2(2600)
Y_TICKS = [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]


def text(x, y, words, size=13, anchor="start", colour=INK, weight="normal", turn=None):
    spin = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn is not None else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{colour}" font-weight="{weight}"{spin}>{escape(words)}</text>')


def rule(x1, y1, x2, y2, colour=GRID, width=1.0, dash=None):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"{dashes}/>')


def mark(shape, x, y, colour, hollow=False, r=4.2):
    fill = PAPER if hollow else colour
    style = f'fill="{fill}" stroke="{colour}" stroke-width="1.6"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {style}/>'
    if shape == "square":
        return (f'<rect x="{x - r + .4:.1f}" y="{y - r + .4:.1f}" width="{2 * r - .8:.1f}" '
                f'height="{2 * r - .8:.1f}" {style}/>')
    points = {"triangle": [(0, -r - .6), (r + .3, r - .5), (-r - .3, r - .5)],
              "diamond": [(0, -r - .8), (r + .8, 0), (0, r + .8), (-r - .8, 0)]}[shape]
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f'<polygon points="{corners}" {style}/>'


def line(points, colour, width=2.0, dash=None):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    where = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (f'<polyline points="{where}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-linejoin="round"{dashes}/>')


def places(x0, y0):
    """Functions from w and from steps / m to places in the panel at (x0, y0)."""
    def across(w):
        return x0 + (math.log2(w) - X_MIN) / (X_MAX - X_MIN) * PANEL_W

    def up(ratio):
        return y0 + PANEL_H - (math.log2(ratio) - Y_MIN) / (Y_MAX - Y_MIN) * PANEL_H

    return across, up


def axes(x0, y0, m):
    across, up = places(x0, y0)
    out = [text(x0, y0 - 12, f"m = {m}", 15, weight="bold")]
    for ratio in Y_TICKS:
        out.append(rule(x0, up(ratio), x0 + PANEL_W, up(ratio)))
        out.append(text(x0 - 8, up(ratio) + 4, str(ratio), 12, "end", SOFT))
    for k, w in enumerate(ROWS):
        out.append(rule(across(w), y0 + PANEL_H, across(w), y0 + PANEL_H + 4, SOFT))
        if k % 2 == 0:
            out.append(text(across(w), y0 + PANEL_H + 18, str(w), 12, "middle", SOFT))
    out.append(rule(across(m), y0, across(m), y0 + PANEL_H, SOFT, 1, "2 4"))
    out.append(text(across(m) + 6, up(1400) + 4, "w = m", 12, colour=SOFT))
    out.append(f'<rect x="{x0}" y="{y0}" width="{PANEL_W}" height="{PANEL_H}" fill="none" '
               f'stroke="{SOFT}" stroke-width="1"/>')
    return out


def curves(x0, y0, m, data):
    """Sorting last, and small: where partition is a sort both are seen."""
    across, up = places(x0, y0)
    widths = [w for w in ROWS if w * m <= LARGEST]
    out = [line([(across(w), up(math.log2(w * m))) for w in widths], SOFT, 1.2, "6 4")]
    for algorithm, colour, shape, _ in sorted(LINES, key=lambda one: one[0] == "sort"):
        runs = {w: one for w, one in data.get(algorithm, {}).get(m, {}).items() if w in widths}
        points = [(across(w), up(one["steps"] / m)) for w, one in runs.items()]
        out.append(line(points, colour))
        for (x, y), one in zip(points, runs.values()):
            out.append(mark(shape, x, y, colour, one.get("path") == "lemma 2",
                            3.2 if algorithm == "sort" else 4.6))
    if widths[-1] < ROWS[-3]:
        out.append(text(across(widths[-1]) + 16, up(6), f"n above 2^{LARGEST.bit_length() - 1}:",
                        12, colour=SOFT))
        out.append(text(across(widths[-1]) + 16, up(6) + 16, "not run", 12, colour=SOFT))
    return out


def legend():
    out, x, y = [], LEFT, 66
    for algorithm, colour, shape, name in LINES:
        out += [line([(x, y), (x + 34, y)], colour), mark(shape, x + 17, y, colour,
                                                         r=3.2 if algorithm == "sort" else 4.6),
                text(x + 42, y + 4.5, name)]
        x += 42 + 7.1 * len(name) + 26
    x, y = LEFT, 92
    out += [line([(x, y), (x + 34, y)], LINES[1][1]), mark("square", x + 17, y, LINES[1][1], True),
            text(x + 42, y + 4.5, "partition by lemma 2 (filled: lemma 1 or theorem 1)")]
    x += 562
    out += [line([(x, y), (x + 34, y)], SOFT, 1.2, "6 4"),
            text(x + 42, y + 4.5, "log2 n, for comparison")]
    return out


# A dark page turns light and dark around, and keeps the hues.
DARK = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(1) hue-rotate(180deg) } }</style>"


def draw():
    data = load()
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" '
           'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
           '<title>Steps over m for sorting, partition and permutation</title>', DARK,
           f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{PAPER}"/>',
           text(LEFT, 36, "Steps / m on the model, without bank conflicts", 18, weight="bold")]
    out += legend()
    for k, m in enumerate(COLUMNS):
        x0 = LEFT + k % 2 * (PANEL_W + GAP_X)
        y0 = TOP + 18 + k // 2 * (PANEL_H + GAP_Y)
        out += axes(x0, y0, m) + curves(x0, y0, m, data)
        if k >= 2:
            out.append(text(x0 + PANEL_W / 2, y0 + PANEL_H + 38, "w (banks, processors)", 13,
                            "middle"))
        if k % 2 == 0:
            out.append(text(18, y0 + PANEL_H / 2, "steps / m", 13, "middle", turn=-90))
    with open(PLOT, "w", encoding="utf-8") as svg:
        svg.write("\n".join(out) + "\n</svg>\n")


# ---- the tables -------------------------------------------------------------

def per_m(one):
    return f"{one['steps'] / one['m']:.1f}"


def table():
    """Every second w of the plot and the last, then w = 32."""
    data = load()
    print("| m | w | log2 n | sorting | | partition | | permutation | offline |")
    print("|---|---|---|---|---|---|---|---|---|")
    for m in COLUMNS:
        widths = [w for w in ROWS if w * m <= LARGEST]
        for w in sorted(set(widths[::2] + widths[-1:])):
            sort, part, permute, offline = (data[a][m][w] for a, _, _, _ in LINES)
            print(f"| {m} | {w} | {math.log2(w * m):.0f} | {per_m(sort)} | {sort['chosen']} "
                  f"| {per_m(part)} | {part['path']} | {per_m(permute)} | {per_m(offline)} |")
    print(f"\n| {WARP} x m | blocked-bitonic | sort | partition | permute | permute-offline |")
    print("|---|---|---|---|---|---|")
    for m in DEPTHS:
        cells = [per_m(data[a][m][WARP]) for a in ["blocked-bitonic", "sort", "partition",
                                                   "permute", "permute-offline"]]
        print(f"| {m} | {' | '.join(cells)} |")


def main(words):
    if words not in ([], ["draw"], ["table"]):
        sys.exit(__doc__)
    if words == ["table"]:
        table()
        return
    if not words:
        measure()
    draw()


if __name__ == "__main__":
    main(sys.argv[1:])
