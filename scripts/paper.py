#!/usr/bin/env python3
"""paper.py - the numbers and the plots of docs/paper.md.

    scripts/paper.py                 run the tool; tables and plots of docs/paper.md anew
    scripts/paper.py plots [NAME]    the plots alone, or one of them
    scripts/paper.py tables          the tables alone
    scripts/paper.py check [TOOL]    recompute the tables' numbers and compare them with the page:
                                     the small ones, or all and the plots with CW_LONG=1

A table stands in the page between <!-- begin NAME --> and <!-- end NAME -->.  Every number is of a
verified run, build/clearway model ALGORITHM -w W -m M --json; in strict mode where the algorithm
is free of conflicts.  Runs are repeatable: seeds are fixed.  Standard library only.
"""

import json
import math
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paper_lemma3  # noqa: E402
from separation import INK, PAPER, SOFT, line, mark, rule, text  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "paper.md")
TOOL = os.path.join(ROOT, "build", "clearway")
COST = {"quick": 1 << 15, "all": 1 << 40}  # items of a run that check repeats

seen = {}


def run(algorithm, w, m, *options):
    """One verified run, as the tool tells it."""
    command = [TOOL, "model", algorithm, "-w", str(w), "-m", str(m), "--json", *options]
    key = " ".join(command)
    if key not in seen:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{key}: {done.stderr.strip()}")
        seen[key] = json.loads(done.stdout)
        if not seen[key]["verified"]:
            sys.exit(f"{key}: not verified")
    return seen[key]


def steps(algorithm, w, m, *options):
    return run(algorithm, w, m, *options)["steps"]


def over_m(algorithm, w, m, *options):
    return f"{steps(algorithm, w, m, *options) / m:.1f}m"


# ---- tables: name -> (head, rows); a row is (its items, its first cell, a function of the others) ----

def both(algorithm, w, m, *options):
    n = steps(algorithm, w, m, *options)
    return f"{n} ({n / m:.1f}m)"


def row(cells, w, m, name=None, cost=1):
    return (cost * w * m, name or f"{w} x {m}", cells)


def table_rows():
    made = {}
    made["lemma1"] = ("| w x m | `sort-short` | `sort-short` as stated | partition by it, rows counted |", [
        row(lambda w=w, m=m: [both("sort-short", w, m), both("sort-short", w, m, "--literal"),
                              both("partition", w, m, "--rows", "radix")], w, m)
        for w, m in [(4, 16), (8, 64), (16, 256), (32, 1024), (64, 4096)]])
    made["theorem1"] = ("| w = m | `sort-square` | as stated | partition | rows counted |", [
        row(lambda m=m: [both("sort-square", m, m),
                         both("sort-square", m, m, "--literal") if m != 8 else "no such group",
                         both("partition", m, m), both("partition", m, m, "--rows", "radix")], m, m, f"{m}")
        for m in [8, 16, 32, 64, 256, 1024]])
    made["theorem2"] = ("| w x m | `sort-tall` | as stated | `sort-tall-recursive` | `sort-tall-cole`, seen | worst |", [
        row(lambda w=w, m=m: [both("sort-tall", w, m), both("sort-tall", w, m, "--literal"),
                              both("sort-tall-recursive", w, m), both("sort-tall-cole", w, m),
                              both("sort-tall-cole", w, m, "--charge", "worst")], w, m, cost=8)
        for w, m in [(64, 16), (256, 16), (1024, 32)]])
    made["cole"] = ("| w | uniform keys | most found | charged as worst: the bound | Batcher's network |", [
        row(lambda w=w: [str(steps("sort-tall-cole", w, 1)), climbed(w), str(cole_worst(w)),
                         str(steps("sort-tall", w, 1))], w, 1, f"{w}", cost=8)
        for w in [16, 32, 64, 128, 256, 512, 1024, 4096, 16384, 65536]])
    made["wins"] = ("| w x m | `sort-wide` | `sort-tall` | `sort-tall-recursive` | `blocked-bitonic` | `shearsort` |", [
        row(lambda w=w, m=m: [both("sort-wide", w, m) if w <= m else "",
                              both("sort-tall", w, m) if w > m else "",
                              both("sort-tall-recursive", w, m) if w > m else "",
                              both("blocked-bitonic", w, m), both("shearsort", w, m)], w, m, cost=4)
        for w, m in [(32, 32), (32, 64), (32, 128), (32, 256), (32, 512), (32, 1024), (256, 256),
                     (1024, 1024), (33, 32), (256, 16), (1024, 32), (4096, 64)]])
    made["ways"] = ("| w x m, `--ways 2` | `sort-wide` | `blocked-bitonic` |", [
        row(lambda w=w, m=m: [both("sort-wide", w, m, "--ways", "2"),
                              both("blocked-bitonic", w, m, "--ways", "2")], w, m)
        for w, m in [(32, 32), (32, 512), (32, 1024), (256, 256), (1024, 1024)]])
    made["lemma2"] = ("| w x m | steps | over m log_m^3 w | rows x words that it is laid into |", [
        row(lambda w=w, m=m: (lambda x: [f"{x['steps']} ({x['steps'] / m:.1f}m)", f"{x['ratio']:.1f}",
                                         laid(w, m)])(run("partition-tall", w, m)), w, m)
        for w, m in [(256, 16), (1024, 32), (4096, 64), (961, 31), (1000, 10), (33, 32), (100, 7),
                     (1000, 100), (3000, 20)]])
    made["lemma2rows"] = ("| w | m = 16 merge | radix | m = 32 merge | radix | m = 64 merge | radix |", [
        (400 * w, str(w), lambda w=w: [
            "" if w < m else f"{steps('partition-tall', w, m, '--rows', how) / (m * max(1, math.log(w, m)) ** 3):.1f}"
            for m in (16, 32, 64) for how in ("merge", "radix")])
        for w in [16, 32, 64, 128, 256, 512, 1024]])
    made["pagh"] = ("| 64 x m | 256 | 1024 | 4096 | 16384 | 65536 |", [
        (64 * 65536, kind, lambda kind=kind: [over_m("permute", 64, m, "--hash", kind)
                                              for m in (256, 1024, 4096, 16384, 65536)])
        for kind in ("mixer", "table", "pagh", "tabulation")])
    made["charge"] = ("| 1024 x 128, alpha | 1 | 2 | 3 | 4 |", [
        (1 << 19, how + end.replace("--", ", --"),
         lambda how=how, end=end: [both("permute", 1024, 128, "--alpha", str(a), "--charge", how, *end.split())
                                   for a in (1, 2, 3, 4)]) for end in ("", "--finish") for how in ("seen", "worst")])
    made["theorem4"] = ("| w x m | loop to the end | `--finish` | iterations | random words |", [
        row(lambda w=w, m=m: (lambda x: [f"{x['steps']} ({x['steps'] / m:.1f}m)",
                                         both("permute", w, m, "--finish"), str(x["iterations"]),
                                         str(x["random_words"])])(run("permute", w, m)), w, m)
        for w, m in [(32, 32), (256, 16), (1024, 8), (1024, 128), (4096, 64), (33, 50)]])
    made["bounds"] = ("| what ran | bound | steps over it |", [
        (4 * w * m, what, lambda bound=bound, w=w, m=m, o=options, path=path: [bound, ratio(w, m, path, o)])
        for what, bound, w, m, path, options in [
            ("the loop to the end", "m max(1, log log n)", 1024, 128, "loop until nothing is left", []),
            ("the same, `--hash pagh`", "m max(1, log log n)", 1024, 128, "loop until nothing is left",
             ["--hash", "pagh"]),
            ("the same, `--hash table`, S > 3m words", "S log log n", 16384, 8, "loop until nothing is left",
             ["--hash", "table"]),
            ("`--finish`, nothing left to sort", "m max(1, logloglog_m w), the theorem's", 65536, 16,
             "loop; nothing was left to pack", ["--finish"]),
            ("the same, log w > m", "log w max(1, logloglog_m w)", 65536, 8,
             "loop; nothing was left to pack", ["--finish"]),
            ("`--finish`, lemma 2 at the end",
             "the theorem's + W log W log_W^3 w: rows are merged, which the theorem wants counted", 1024, 32,
             "loop, pack, lemma 2, three groups", ["--finish"]),
            ("`--finish`, the general sort at the end", "the theorem's + W log^2 w: columns by Batcher's network", 512, 32,
             "loop, pack, general sort, three groups", ["--finish"]),
            ("`--finish`, w <= m", "m log n: all labels are left, and the general sort is all there is", 16, 64,
             "general sort, three groups", ["--finish"])]])

    def models(small, tall, conflicts=False):  # run at 32 x 32 and, on four warps of 32, at 128 x 32
        rules = [run(small, 32, 32, *o)["steps"] for o in ([], ["--rule", "merge"], ["--rule", "umm"])]
        warps = [run(tall, 128, 32, "--banks", "32", "--latency", str(l))["time"] for l in (1, 100)]
        told = "" if conflicts else 100 * (steps(tall, 128, 32) - 1) + 4 + 100 - 1
        both = run(small, 32, 32, "--dmms", "4", "--global-latency", "100")["time"]
        return [str(x) for x in (*rules, *warps, told, both)]

    made["models"] = ("| | DMM | equal words merged | UMM | four warps, l = 1 | l = 100 | Nakano's formula | "
                      "four DMMs and a UMM |", [
        (1 << 14, "`sort-wide`, `sort-tall`", lambda: models("sort-wide", "sort-tall")),
        *((1 << 14, f"`{a}`", lambda a=a: models(a, a, a in ("bitonic", "merge")))
          for a in ("transpose", "transpose-in-place", "row-sort", "blocked-bitonic", "shearsort", "bitonic",
                    "merge"))])
    return made


def ratio(w, m, path, options):
    """Steps over the bound that is told, of a permutation that went this way."""
    told = run("permute", w, m, *options)
    return f"{told['ratio']:.1f} at {w} x {m}" if told["path"] == path else f"another way: {told['path']}"


def climbed(w):
    """The most steps of Cole's column that the hill climber of test_cole_worst.c finds."""
    with open(os.path.join(ROOT, "tests", "paper", "test_cole_worst.c"), encoding="utf-8") as test:
        found = re.search(rf"\{{{w}, \d+, (\d+)\}}", test.read())
    return found.group(1) if found else ""


def cole_worst(w):
    """cole_worst_steps of cole.h; where it takes a moment only, what a run takes."""
    if w <= 1024:
        return steps("sort-tall-cole", w, 1, "--charge", "worst")
    return 20 + 3 * 135 * (math.ceil(math.log2(w)) - 3)


def laid(w, m):
    """What lemma2_any.h takes first: the largest power of two up to w."""
    H = 1 << (w.bit_length() - 1)
    return f"{H} x {-(-w * m // H)}"


def written(cells):
    return "| " + " | ".join(cells) + " |"


def tables(names=None):
    with open(PAGE, encoding="utf-8") as page:
        words = page.read()
    for name, (head, rows) in table_rows().items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        if begin not in words or (names and name not in names):
            continue
        lines = [head, "|" + "---|" * (head.count("|") - 1)]
        for _, first, cells in rows:
            lines.append(written([first, *cells()]))
            print(lines[-1], flush=True)
        at = words.index(begin) + len(begin)
        words = words[:at] + "\n".join(lines) + "\n" + words[words.index(end, at):]
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write(words)


def check():
    limit = COST["all" if os.environ.get("CW_LONG") else "quick"]
    bad = compared = 0
    with open(PAGE, encoding="utf-8") as page:
        words = page.read()
    for name, (head, rows) in table_rows().items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        if begin not in words:
            print(f"docs/paper.md has no table {name}")
            bad += 1
            continue
        at = words.index(begin) + len(begin)
        lines = words[at:words.index(end, at)].splitlines()
        if lines[0] != head or len(lines) != 2 + len(rows):
            print(f"docs/paper.md, table {name}: another head, or another number of rows")
            bad += 1
            continue
        for (cost, first, cells), has in zip(rows, lines[2:]):
            if cost > limit:
                continue
            wants = written([first, *cells()])
            compared += 1
            if has != wants:
                bad += 1
                print(f"docs/paper.md, table {name}: it says\n  {has}\nand runs say\n  {wants}")
    print(f"{compared} rows compared, {bad} differ")
    if limit == COST["all"]:
        bad += stale()
    return 1 if bad or not compared else 0


def stale():
    """How many plots are not what the tool's runs draw."""
    bad = 0
    for name, words in drawn():
        with open(picture(name), encoding="utf-8") as svg:
            if svg.read() != words:
                print(f"docs/paper-{name}.svg is not what runs draw")
                bad += 1
    print(f"plots compared, {bad} differ")
    return bad


# ---- plots -------------------------------------------------------------------------------------------

COLOURS = ["#0072B2", "#D55E00", "#007F5F", "#8E4A86", "#B8860B"]
SHAPES = ["circle", "square", "triangle", "diamond", "circle"]
WIDTH, HEIGHT, SIDE, TALL, LEFT, TOP, GAP = 940, 478, 376, 270, 66, 78, 84


def lg(x):
    return math.log2(max(x, 2))


def cube(w, m):
    return m * max(1, lg(w) / lg(m)) ** 3


def sorting(w, m):
    return m * math.log2(w * m)


def triple(w, m):
    tall = lg(w) / lg(m) if w > 2 else 1
    return m * max(1, math.log2(math.log2(tall)) if tall > 2 else 0)


def linear(w, m):
    return m


def network(w, m):
    return m * lg(w) ** 2


# file: title, bound's text, bound, and two panels: (what varies, [(name, algorithm, options, shapes)]);
# a curve may have a bound of its own behind these: (its text, it)
def plots():
    two = [2 ** k for k in range(0, 21)]
    return {
        "lemma1": ("Lemma 1: short and wide, w <= sqrt(m)", "m log2 n", sorting, [
            ("w", [(f"m = {m}", "sort-short", [], [(w, m) for w in range(2, 65, 3) if w * ((w + 1) // 2) <= m + 1])
                   for m in (64, 512, 2048)]),
            ("m", [(f"w = {w}", "sort-short", [], [(w, m) for m in two if w * w <= m <= 1 << 14])
                   for w in (4, 16, 32)])]),
        "corollary": ("Corollary: partition in O(m) for w <= sqrt(m), rows by counting", "m", linear, [
            ("w", [(f"m = {m}", "partition", ["--rows", "radix"], [(w, m) for w in range(2, 65, 3) if w * w <= m])
                   for m in (256, 1024, 4096)]),
            ("m", [(f"w = {w}", "partition", ["--rows", "radix"], [(w, m) for m in two if w * w <= m <= 1 << 14])
                   for w in (4, 16, 32)])]),
        "theorem1": ("Theorem 1: w = m, and every w <= m", "m log2 n", sorting, [
            ("w", [(f"m = {m}", "sort-wide", [], [(w, m) for w in range(3, m + 1, max(1, m // 16))])
                   for m in (32, 128, 512)]),
            ("m", [("w = m, sort-square", "sort-square", [], [(m, m) for m in two[2:11]]),
                   ("w = m, as stated", "sort-square", ["--literal"], [(m, m) for m in two[4:11]]),
                   ("w = m, partition, rows counted", "partition", ["--rows", "radix"],
                    [(m, m) for m in two[2:11]], ("m", linear))])]),
        "theorem2": ("Theorem 2: w >= m, columns by Cole's mergesort or by Batcher's network", "m log2 n", sorting, [
            ("w", [("m = 8, Cole, seen", "sort-tall-cole", [], [(w, 8) for w in two[4:13]]),
                   ("m = 8, Cole, worst", "sort-tall-cole", ["--charge", "worst"], [(w, 8) for w in two[4:12]]),
                   ("m = 8, Batcher", "sort-tall", [], [(w, 8) for w in two[4:15]],
                    ("m log2(w)^2", network))]),
            ("m", [("w = 512, Cole, seen", "sort-tall-cole", [], [(512, m) for m in two[1:6]]),
                   ("w = 512, Batcher", "sort-tall", [], [(512, m) for m in two[1:9]],
                    ("m log2(w)^2", network))])]),
        "lemma2": ("Lemma 2: partition, w >= m, any w and m", "m log_m^3 w", cube, [
            ("w", [(f"m = {m}", "partition-tall", [], [(w, m) for w in
                   sorted({int(m * 1.6 ** k) for k in range(1, 22)}) if w * m <= 1 << 16])
                   for m in (10, 31, 100)]),
            ("m", [(f"w = {w}", "partition-tall", [], [(w, m) for m in
                   sorted({int(4 * 1.35 ** k) for k in range(0, 20)}) if m < w])
                   for w in (256, 1000)])]),
        "theorem3": ("Theorem 3: a hash in O(m) words and constant time; a permutation by it", "m", linear, [
            ("w", [(f"m = {m}, pagh", "permute", ["--hash", "pagh"], [(w, m) for w in two[3:13] if w * m <= 1 << 18])
                   for m in (64, 256)]),
            ("m", [(f"w = 64, {kind}", "permute", ["--hash", kind], [(64, m) for m in two[5:15]])
                   for kind in ("pagh", "tabulation", "table")])]),
        "theorem4": ("Theorem 4: permutation, expected steps (alpha = 3)", "m max(1, logloglog_m w)", triple, [
            ("w", [(f"m = {m}, {kind}", "permute", ["--hash", kind], [(w, m) for w in two[3:15]
                   if w * m <= 1 << 18]) for m, kind in ((8, "mixer"), (32, "mixer"), (64, "pagh"))] +
             [("m = 32, mixer, --finish", "permute", ["--finish"], [(w, 32) for w in two[3:14]])]),
            ("m", [(f"w = {w}, {kind}", "permute", ["--hash", kind], [(w, m) for m in two[3:15]
                   if w * m <= 1 << 18]) for w, kind in ((64, "mixer"), (64, "pagh"), (1024, "mixer"))] +
             [("w = 1024, mixer, --finish", "permute", ["--finish"], [(1024, m) for m in two[3:9]])])]),
    }


def nice(low, high):
    """Round numbers between low and high: as few as a decade may have, but three at least."""
    for steps in ((1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)):
        ticks = [t for k in range(-1, 6) for a in steps if low <= (t := a * 10 ** k) <= high]
        if len(ticks) > 2:
            break
    return ticks


def panel(x0, vary, curves, bound):
    """One panel: steps / m over what varies, both in logarithms; dashed: the bound, times the most
    that steps are of it on that curve."""
    own = {name: more[0] for name, _, _, _, *more in curves if more}
    points = [(name, [(w if vary == "w" else m, steps(a, w, m, *o) / m,
                       own.get(name, ("", bound))[1](w, m) / m) for w, m in shapes])
              for name, a, o, shapes, *_ in curves]
    xs = [x for _, p in points for x, _, _ in p]
    factor = {name: max(y / b for _, y, b in p) for name, p in points}
    ys = [y for _, p in points for _, y, _ in p] + [factor[n] * b for n, p in points for _, _, b in p]
    left, right = math.log2(min(xs)) - .3, math.log2(max(xs)) + .3
    low, high = math.log2(min(ys)) - .25, math.log2(max(ys)) + .25

    def across(x):
        return x0 + (math.log2(x) - left) / (right - left) * SIDE

    def up(y):
        return TOP + TALL - (math.log2(y) - low) / (high - low) * TALL

    out = []
    for y in nice(2 ** low, 2 ** high):
        out += [rule(x0, up(y), x0 + SIDE, up(y)), text(x0 - 8, up(y) + 4, f"{y:g}", 12, "end", SOFT)]
    for k in range(math.ceil(left), math.floor(right) + 1):
        out.append(rule(across(2 ** k), TOP + TALL, across(2 ** k), TOP + TALL + 4, SOFT))
        if (k - math.ceil(left)) % 2 == 0:
            out.append(text(across(2 ** k), TOP + TALL + 18, str(2 ** k), 12, "middle", SOFT))
    out.append(f'<rect x="{x0}" y="{TOP}" width="{SIDE}" height="{TALL}" fill="none" stroke="{SOFT}"/>')
    out.append(text(x0 + SIDE / 2, TOP + TALL + 38, vary, 13, "middle"))
    for k, (name, p) in enumerate(points):
        colour = COLOURS[k]
        out.append(line([(across(x), up(factor[name] * b)) for x, _, b in p], colour, 1.2, "6 4"))
        out.append(line([(across(x), up(y)) for x, y, _ in p], colour))
        out += [mark(SHAPES[k], across(x), up(y), colour, r=3.4) for x, y, _ in p]
        y = TOP + TALL + 62 + 19 * k
        out += [line([(x0, y - 4), (x0 + 30, y - 4)], colour), mark(SHAPES[k], x0 + 15, y - 4, colour, r=3.4),
                text(x0 + 40, y, f"{name} ({factor[name]:.1f}"
                     f"{' ' + own[name][0] if name in own else ''})", 12.5)]
    return out


# A dark page turns light and dark around, and keeps the hues.
DARK = "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(1) hue-rotate(180deg) } }</style>"


def picture(name):
    return os.path.join(ROOT, "docs", f"paper-{name}.svg")


def draw(names=None):
    for name, words in drawn(names):
        with open(picture(name), "w", encoding="utf-8") as svg:
            svg.write(words)
        print(f"docs/paper-{name}.svg", flush=True)


def drawn(names=None):
    """Every plot, or those of these names: its name and its SVG."""
    if not names or "lemma3" in names:
        yield "lemma3", paper_lemma3.picture(run, DARK)
    for name, (title, bound_text, bound, panels) in plots().items():
        if names and name not in names:
            continue
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
               f'height="{HEIGHT}" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, '
               f'sans-serif">', f"<title>{title.replace('<', '&lt;')}</title>", DARK,
               f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{PAPER}"/>',
               text(LEFT, 34, title, 17, weight="bold", colour=INK),
               text(LEFT, 56, f"steps / m, verified runs; dashed: {bound_text}, times the factor in brackets",
                    12.5, colour=SOFT)]
        for k, (vary, curves) in enumerate(panels):
            out += panel(LEFT + k * (SIDE + GAP), vary, curves, bound)
        out.append(text(18, TOP + TALL / 2, "steps / m", 13, "middle", turn=-90))
        yield name, "\n".join(out) + "\n</svg>\n"


def main(words):
    global TOOL
    if words and words[0] == "check":
        TOOL = words[1] if len(words) > 1 else TOOL
        sys.exit(check())
    if words[:1] == ["plots"] and set(words[1:]) <= {*plots(), "lemma3"}:
        return draw(words[1:])
    if words not in ([], ["tables"]):
        sys.exit(__doc__)
    tables()
    if not words:
        draw()


if __name__ == "__main__":
    main(sys.argv[1:])
