#!/usr/bin/env python3
"""plots.py - every plot of a measurement, from the figures in docs/data.

    scripts/plots.py            write every plot anew
    scripts/plots.py check      exit 1 if one of them is not what its figures give, or a figure of docs/ has no script

A CSV begins with a line that says where its figures come from, which stands below the plot too.  An SVG has
colours for a light and a dark page and takes those of the reader.  Standard library only.

The heat maps are drawn by scripts/grid.py, rows over all lengths by scripts/lengths.py, Python's by bench/python/plot.py; this
script calls them.  (The plots of the paper's algorithms are counted, not measured: scripts/paper.py, separation.py.)
"""

import csv
import glob
import math
import os
import subprocess
import sys
import textwrap
from html import escape

import grid
import lengths

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA, DOCS = os.path.join(ROOT, "docs", "data"), os.path.join(ROOT, "docs")
W, H, LEFT, TOP, RIGHT, BOTTOM = 760, 430, 66, 64, 150, 70

STYLE = """<style>
text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; font-size: 12px }
.page { fill: #ffffff } .soft { fill: #59636e } .title { font-size: 17px; font-weight: bold }
.grid { stroke: #e3e6ea } .frame { fill: none; stroke: #59636e }
.s0 { stroke: #0072b2; fill: #0072b2 } .s1 { stroke: #b8530a; fill: #b8530a } .s2 { stroke: #00785a; fill: #00785a }
.s3 { stroke: #a3477f; fill: #a3477f } .s4 { stroke: #6b6b00; fill: #6b6b00 } .s5 { stroke: #555555; fill: #555555 }
polyline { fill: none !important; stroke-width: 2 } text.s0, text.s1, text.s2, text.s3, text.s4, text.s5 { stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .page { fill: #0d1117 } .soft { fill: #9198a1 } .grid { stroke: #2a313a } .frame { stroke: #9198a1 }
.s0 { stroke: #58b4e8; fill: #58b4e8 } .s1 { stroke: #f0944d; fill: #f0944d } .s2 { stroke: #3fc9a0; fill: #3fc9a0 }
.s3 { stroke: #e08fc0; fill: #e08fc0 } .s4 { stroke: #d6d04a; fill: #d6d04a } .s5 { stroke: #b0b0b0; fill: #b0b0b0 }
}
</style>"""
DASHES = ["", "7 4", "2 3", "9 3 2 3", "4 4", "1 4"]


def read(name):
    """The line about the figures, and the rows."""
    with open(os.path.join(DATA, name + ".csv"), newline="", encoding="utf-8") as file:
        origin = file.readline().lstrip("# ").strip()
        return origin, list(csv.DictReader(file))


def powers(low, high, base):
    x = base ** math.floor(math.log(low, base) + 1e-9)
    while x <= high * 1.0001:
        if x >= low * 0.9999:
            yield x
        x *= base


def label_of(x):
    e = math.log2(x)
    return f"2^{round(e)}" if abs(e - round(e)) < 1e-6 and x >= 2048 else f"{x:g}"


def ticks(low, high):
    return [x * k for x in powers(low / 10, high, 10) for k in (1, 2, 5) if low <= x * k <= high]


def draw(title, what, origin, series, across):
    """series: {name: [(x, y)]}, both axes logarithmic."""
    points = [p for line in series.values() for p in line]
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0, y1 = min(p[1] for p in points) / 1.15, max(p[1] for p in points) * 1.15

    def at(x, y):
        return (LEFT + (W - LEFT - RIGHT) * math.log(x / x0) / math.log(x1 / x0),
                H - BOTTOM - (H - TOP - BOTTOM) * math.log(y / y0) / math.log(y1 / y0))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" width="{W}" height="{H}" role="img">',
           f"<title>{escape(title)}</title>", STYLE, f'<rect class="page" width="{W}" height="{H}" rx="10"/>',
           f'<text class="title" x="{LEFT}" y="28">{escape(title)}</text>',
           f'<text class="soft" x="{LEFT}" y="48">{escape(what)}</text>']
    for y in ticks(y0, y1):
        _, py = at(x0, y)
        out += [f'<line class="grid" x1="{LEFT}" x2="{W - RIGHT}" y1="{py:.1f}" y2="{py:.1f}"/>',
                f'<text class="soft" x="{LEFT - 8}" y="{py + 4:.1f}" text-anchor="end">{y:g}</text>']
    marks = list(powers(x0, x1, 2))
    for k, x in enumerate(marks):
        px, _ = at(x, y0)
        out.append(f'<line class="frame" x1="{px:.1f}" x2="{px:.1f}" y1="{H - BOTTOM}" y2="{H - BOTTOM + 4}"/>')
        if k % max(1, len(marks) // 8) == 0:
            out.append(f'<text class="soft" x="{px:.1f}" y="{H - BOTTOM + 18}" text-anchor="middle">{label_of(x)}</text>')
    out += [f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{W - LEFT - RIGHT}" height="{H - TOP - BOTTOM}"/>',
            f'<text x="{(LEFT + W - RIGHT) / 2:.0f}" y="{H - BOTTOM + 36}" text-anchor="middle">{escape(across)}</text>',
            *about(origin)]
    out += lines(series, at)
    return "\n".join(out + ["</svg>", ""])


def about(origin):
    """Its first sentence, in lines that fit."""
    words = textwrap.wrap(origin.split(". ")[0], 112)
    return [f'<text class="soft" x="{LEFT}" y="{H - 8 - 13 * (len(words) - 1 - k)}" style="font-size:10.5px">{escape(line)}</text>'
            for k, line in enumerate(words)]


def lines(series, at):
    out, ends = [], []
    for k, (name, line) in enumerate(series.items()):
        places = [at(x, y) for x, y in sorted(line)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        out.append(f'<polyline class="s{k}" points="{path}" stroke-dasharray="{DASHES[k]}"/>')
        out += [f'<circle class="s{k}" cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>' for x, y in places]
        ends.append((places[-1][1], k, name))
    below = -1e9
    for y, k, name in sorted(ends):  # names beside their ends, none on another
        below = max(y + 4, below + 15)
        out.append(f'<text class="s{k}" x="{W - RIGHT + 8}" y="{below:.1f}">{escape(name)}</text>')
    return out


def group(rows, x, **only):
    """{who: [(x, rate)]} of the rows that have these values."""
    series = {}
    for r in rows:
        if all(r[key] == value for key, value in only.items()):
            series.setdefault(r["who"], []).append((float(r[x]), float(r["rate"])))
    return series


def over_inputs(rows, kind, n):
    """Rates of one n, an input a place across, from the most to the least alike."""
    order = ["uniform", "one heavy bucket", "zipf", "equal top 16", "two values", "equal"]
    series = {}
    for r in rows:
        if r["type"] == kind and r["n"] == n and r["input"] in order:
            series.setdefault(r["who"], []).append((2.0 ** order.index(r["input"]), float(r["rate"])))
    return series


def skew(origin, rows, log_n):
    names = ["uniform", "one heavy bucket", "zipf", "equal top 16", "two values", "equal"]
    text = draw(f"cw_sort over skew: 2^{log_n} u32 keys", "10^9 keys a second; from uniform keys to one value", origin,
                over_inputs(rows, "u32", str(1 << log_n)), "input")
    for k, name in enumerate(names):
        text = text.replace(f">{2 ** k:g}</text>", f">{name}</text>", 1) if k else text.replace(">1</text>", f">{name}</text>", 1)
    return text


def plots():
    origin, rows = read("sort_n")
    for kind in ("u32", "u64", "u32+u32"):
        yield f"plots/sort-{kind.replace('+', '-')}", draw(
            f"cw_sort over n: {kind}", "10^9 keys a second, uniform keys; conflict-free: CW_CONFLICT_FREE, which compares",
            origin, group(rows, "n", type=kind), "n")
    origin, rows = read("sort_inputs")
    for log_n in (22, 28):
        yield f"plots/sort-skew-{log_n}", skew(origin, rows, log_n)
    origin, rows = read("rows")
    for kind in ("u32", "u32+u32"):
        yield f"plots/rows-{kind.replace('+', '-')}", draw(f"cw_sort_rows over the length of rows: {kind}",
                                                    "10^9 keys a second, random keys", origin,
                                                    group(rows, "length", type=kind), "keys of a row")
    origin, rows = read("permute")
    for way in ("scatter", "gather"):
        what = "out[p[i]] = in[i]" if way == "scatter" else "out[i] = in[p[i]]"
        yield f"plots/permute-{way}", draw(f"cw_permute over n: {what}", "10^9 elements of 4 bytes a second, random permutations",
                                     origin, group(rows, "n", direction=way), "n")
    origin, rows = read("plan")
    yield "plots/plan", draw("A plan over n", "10^9 elements of 4 bytes a second, random permutations", origin,
                       group(rows, "n"), "n")
    origin, rows = read("moves")
    yield "plots/moves", draw("Random permutations over n: index, plan, seed, plain kernels, torch", "10^9 elements of 4 bytes a second", origin,
                        group(rows, "n"), "n")
    yield "grid", grid.draw()
    yield "speed", grid.summary()
    yield "rows-lengths", lengths.draw()
    drawn = subprocess.run([sys.executable, os.path.join(ROOT, "bench", "python", "plot.py"), os.path.join(DATA, "python-h200.csv")],
                           stdout=subprocess.PIPE, text=True, check=True)
    yield "python", drawn.stdout


COUNTED = ("paper-lemma1", "paper-lemma2", "paper-lemma3", "paper-theorem1", "paper-theorem2", "paper-theorem3", "paper-theorem4",  # paper.py, paper_lemma3.py
           "paper-corollary", "separation", "distributed", "distributed-rounds",  # separation.py, distributed.py
           "viewer")  # scripts/picture, of a page in a browser


def without_script(made):
    """Figures of docs/ that no script makes."""
    paths = [path for kind in ("svg", "png") for path in glob.glob(os.path.join(DOCS, "**", "*." + kind), recursive=True)]
    found = [os.path.splitext(os.path.relpath(path, DOCS))[0] for path in paths]
    return sorted(set(found) - set(made) - set(COUNTED))


def main(arguments):
    wrong, made = 0, []
    for name, svg in plots():
        made.append(name)
        path = os.path.join(DOCS, name + ".svg")
        if arguments == ["check"]:
            with open(path, encoding="utf-8") as file:
                if file.read() != svg:
                    print(f"docs/{name}.svg is not what docs/data gives: scripts/plots.py")
                    wrong += 1
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(svg)
    for name in without_script(made):
        print(f"docs/{name}: no script makes this figure")
        wrong += 1
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
