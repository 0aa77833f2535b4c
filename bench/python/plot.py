#!/usr/bin/env python3
"""plot - draw what bench/python/bench.py measured: how many times as fast as PyTorch, over n.

    bench/python/plot.py docs/data/python-h200.csv > docs/python.svg

Three panels: sort_with_index on three inputs; rows; take and routing.  A bar below 1, where PyTorch is faster, is red.
"""

import csv
import math
import sys

BLUE, RED, GREY = "#1b6ca8", "#c8553d", "#8a8a8a"
LIGHTER = {"#1b6ca8": "#58a6e0", "#c8553d": "#e8856f", "#4d9a5b": "#63b873", "#b8860b": "#d6a52c"}  # on a dark page
COLOURS = {"gauss": "#1b6ca8", "zipf": "#4d9a5b", "sorted": "#b8860b"}
WIDTH, LEFT, HEIGHT = 900, 60, 200
NAMES = 390 # where the names of bars end


def read(path):
    with open(path, encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def text(x, y, words, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {extra}>{words}</text>'


def power(n):
    k = round(math.log2(n))
    return f"2^{k}" if 2**k == n else str(n)


def curves(rows, top):
    """Ratio over n, a line an input."""
    of = [r for r in rows if r["what"] == "sort_with_index f32+i64"]
    sizes = sorted({int(r["n"]) for r in of})
    if not sizes:
        return []
    most = max(2.5, max(float(r["ratio"]) for r in of))

    def at(n, ratio):
        x = LEFT + (math.log2(n / sizes[0]) / math.log2(sizes[-1] / sizes[0])) * (WIDTH - LEFT - 110)
        return x, top + HEIGHT * (1 - ratio / most)

    out = [text(LEFT, top - 10, "sort f32 with int64 index: times as fast as torch.sort", 'font-weight="bold"')]
    for ratio in range(int(most) + 1):
        y = at(sizes[0], ratio)[1]
        colour, wide = (RED, 1.5) if ratio == 1 else ("#8884", 1)
        out.append(f'<path d="M{LEFT},{y:.1f}H{WIDTH - 110}" stroke="{colour}" stroke-width="{wide}"/>')
        out.append(text(LEFT - 8, y + 4, ratio, 'text-anchor="end"'))
    for n in (n for n in sizes if n == sizes[0] or n & (n - 1) == 0):
        out.append(text(at(n, 0)[0], top + HEIGHT + 16, power(n), 'text-anchor="middle"'))
    for k, (kind, colour) in enumerate(COLOURS.items()):
        points = [at(int(r["n"]), float(r["ratio"])) for r in of if r["input"] == kind]
        way = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(text(WIDTH - 100, top + 20 + 18 * k, kind, f'fill="{colour}"'))
    return out


def bars(rows, top):
    """A bar for each of the other lines."""
    wanted = ("rows", "take", "shuffle", "route", "group")
    of = [r for r in rows if r["what"].startswith(wanted)]
    most = max([2.0] + [float(r["ratio"]) for r in of])
    out = [text(LEFT, top - 10, "the rest: times as fast as PyTorch", 'font-weight="bold"')]
    wide = WIDTH - NAMES - 70
    for k, r in enumerate(of):
        y, ratio = top + 19 * k, float(r["ratio"])
        length = max(1.0, wide * ratio / most)
        n = power(int(r["n"])) if r["n"].isdigit() else r["n"].replace("x", " x ")
        colour = BLUE if ratio >= 1 else RED
        out.append(text(NAMES, y + 12, f"{r['what']}, {n}, {r['input']}", 'text-anchor="end"'))
        out.append(f'<rect x="{NAMES + 10}" y="{y}" width="{length:.1f}" height="14" fill="{colour}"/>')
        out.append(text(NAMES + 16 + length, y + 12, f"{ratio:.2f}"))
    one = NAMES + 10 + wide / most
    out.append(f'<path d="M{one:.1f},{top}V{top + 19 * len(of)}" stroke="{GREY}" stroke-dasharray="3 3"/>')
    return out, 19 * len(of)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = read(sys.argv[1])
    out = curves(rows, 40)
    more, high = bars(rows, 40 + HEIGHT + 60)
    total = 40 + HEIGHT + 60 + high + 20
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" font-family="sans-serif" '
          'font-size="12" fill="currentColor">')  # fmt: skip
    dark = "".join(f'[fill="{a}"]{{fill:{b}}}[stroke="{a}"]{{stroke:{b}}}' for a, b in LIGHTER.items())
    print(f"<style>:root{{color:#222}}@media(prefers-color-scheme:dark){{:root{{color:#ddd}}{dark}}}</style>")
    print("\n".join(out + more))
    print("</svg>")


if __name__ == "__main__":
    main()
