#!/usr/bin/env python3
"""distributed.py - the two pictures of docs/distributed.md.

    scripts/distributed.py             docs/distributed.svg, the algorithm; docs/distributed-rounds.svg, the rounds,
                                       messages and bytes of docs/data/distributed-rounds.csv

docs/data/distributed-rounds.csv is what bench_rounds printed.
"""
import csv
import os

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44"]
STYLE = ("<style>text{font:13px sans-serif;fill:#222}.s{font-size:11px;fill:#555}"
         "line,path{stroke:#888;fill:none}</style>")


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def rect(x, y, w, h, fill):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}"/>'


# A dark page turns light and dark around, and keeps the hues.
DARK = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(1) hue-rotate(180deg) } }</style>"


def write(name, width, height, parts):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                  f'height="{height}">\n<rect width="{width}" height="{height}" fill="white"/>\n{DARK}\n{STYLE}\n')
        out.write("\n".join(parts) + "\n</svg>\n")


def random_keys(n, state):
    keys = []
    for _ in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        keys.append((state >> 33) / 2**31)
    return keys, state


def bars(x, y, w, keys, colours):
    step = w / max(len(keys), 1)
    return [rect(x + i * step, y + 46 - 44 * k, max(step - 0.6, 0.8), 44 * k + 2, c)
            for i, (k, c) in enumerate(zip(keys, colours))]


def algorithm():
    """Four ranks with unlike numbers of keys: as given, sorted, cut, exchanged, merged."""
    lengths, state, ranks = [30, 12, 22, 16], 7, []
    for n in lengths:
        keys, state = random_keys(n, state)
        ranks.append(keys)
    everything = sorted(k for keys in ranks for k in keys)
    share = len(everything) // 4
    cuts = [everything[share * j] for j in (1, 2, 3)]
    owner = [[COLOURS[sum(k >= c for c in cuts)] for k in sorted(keys)] for keys in ranks]
    out, top = [], 58
    steps = ["1  any keys on any rank", "2  sorted; splitters found", "3  exchanged, once",
             "4  merged: equal shares"]
    for s, words in enumerate(steps):
        out.append(text(70 + s * 215, 24, words))
    for r, keys in enumerate(ranks):
        y = top + r * 66
        out.append(text(10, y + 30, f"rank {r}"))
        out += bars(70, y, 190 * len(keys) / 30, keys, ["#bbb"] * len(keys))
        out += bars(285, y, 190 * len(keys) / 30, sorted(keys), owner[r])
        runs = [[k for k in sorted(source) if sum(k >= c for c in cuts) == r] for source in ranks]
        flat = [k for run in runs for k in run]
        out += bars(500, y, 190 * len(flat) / 30, flat, [COLOURS[r]] * len(flat))
        out += bars(715, y, 190 * len(flat) / 30, sorted(flat), [COLOURS[r]] * len(flat))
    out.append(text(285, top + 4 * 66 + 14, "colour: the rank whose share a key is in", "s"))
    write("distributed.svg", 920, top + 4 * 66 + 28, out)


def rows():
    with open(os.path.join(HERE, "data", "distributed-rounds.csv"), encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def axis(x, y, w, h, title, ticks, top):
    out = [text(x, y - 10, title), f'<line x1="{x}" y1="{y + h}" x2="{x + w}" y2="{y + h}"/>']
    for t in ticks:
        at = y + h - h * t / top
        out += [f'<line x1="{x}" y1="{at:.1f}" x2="{x + w}" y2="{at:.1f}" stroke-opacity="0.25"/>',
                text(x - 6, at + 4, f"{t:g}", "s", "end")]
    return out


def plot(x, title, data, column, scale, ticks, top, bound):
    sizes = sorted({int(r["ranks"]) for r in data})
    place = {p: x + 20 + 190 * i / max(len(sizes) - 1, 1) for i, p in enumerate(sizes)}
    out = axis(x, 40, 230, 170, title, ticks, top)
    for p in sizes:
        out.append(text(place[p], 228, str(p), "s", "middle"))
        values = [float(r[column]) / scale for r in data if int(r["ranks"]) == p]
        for v in values:
            out.append(f'<circle cx="{place[p]:.1f}" cy="{210 - 170 * v / top:.1f}" r="4" fill="{COLOURS[0]}" '
                       'fill-opacity="0.5"/>')
    most = {p: max(float(r[bound]) for r in data if int(r["ranks"]) == p) / scale for p in sizes}
    steps = " ".join(f"{place[p]:.1f},{210 - 170 * most[p] / top:.1f}" for p in sizes)
    out.append(f'<polyline points="{steps}" fill="none" stroke="{COLOURS[1]}" stroke-width="2"/>')
    out.append(text(x + 115, 246, "ranks", "s", "middle"))
    return out


def rounds():
    data = rows()
    out = plot(40, "rounds (line: the bound)", data, "rounds", 1, range(0, 9, 2), 8, "rounds_bound")
    out += plot(330, "messages a rank, in thousands", data, "messages", 1e3, range(0, 61, 10), 60, "messages_bound")
    out += plot(620, "MB a rank sends to find splitters", data, "control_bytes", 1e6, [0, 0.25, 0.5, 0.75, 1], 1, "control_bound")
    write("distributed-rounds.svg", 870, 258, out)


if __name__ == "__main__":
    algorithm()
    rounds()
