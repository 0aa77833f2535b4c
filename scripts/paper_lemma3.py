"""paper_lemma3.py - the plot of lemma 3 for paper.py: labels left over, beside what the lemma says.

A row of k labels gives each of m colours about Poisson(k/m) labels.  A colour with more than alpha is
heavy; alpha labels of each colour go, so at most the heavy colours' labels are left.
"""

import math

from separation import INK, PAPER, SOFT, line, mark, rule, text

WIDTH, HEIGHT, SIDE, TALL, LEFT, TOP, GAP = 940, 478, 376, 270, 66, 78, 84
COLOURS = ["#0072B2", "#D55E00", "#007F5F"]
LOW = 2.0 ** -16


def poisson(rate, count):
    return math.exp(-rate) * rate ** count / math.factorial(count)


def left(rate, alpha):
    """E(X - alpha)+ of X = Poisson(rate): labels of a colour that do not go."""
    return sum((x - alpha) * poisson(rate, x) for x in range(alpha + 1, 80))


def heavy(rate, alpha):
    """E(X; X > alpha): labels of a colour, where it is heavy."""
    return sum(x * poisson(rate, x) for x in range(alpha + 1, 80))


def frame(x0, xs, shown, across, up, label):
    out = []
    for k in range(-16, 1, 4):
        out += [rule(x0, up(2.0 ** k), x0 + SIDE, up(2.0 ** k)),
                text(x0 - 8, up(2.0 ** k) + 4, f"2^{k}" if k else "1", 12, "end", SOFT)]
    for x in xs:
        out += [rule(across(x), TOP + TALL, across(x), TOP + TALL + 4, SOFT),
                text(across(x), TOP + TALL + 18, shown(x), 12, "middle", SOFT)]
    out.append(f'<rect x="{x0}" y="{TOP}" width="{SIDE}" height="{TALL}" fill="none" stroke="{SOFT}"/>')
    out.append(text(x0 + SIDE / 2, TOP + TALL + 38, label, 13, "middle"))
    return out


def key(x0, k, colour, words, dash=None, shape=None):
    y = TOP + TALL + 62 + 19 * k
    out = [line([(x0, y - 4), (x0 + 30, y - 4)], colour, 1.2 if dash else 2.0, dash)] if not shape else []
    return out + ([mark(shape, x0 + 15, y - 4, colour, r=3.4)] if shape else []) + [text(x0 + 40, y, words, 12.5)]


def up(y):
    return TOP + TALL - (math.log2(max(y, LOW)) + 16.5) / 17 * TALL


def by_alpha(x0, run):
    """Left panel: the first iteration, k = m, over alpha."""
    alphas = range(1, 7)

    def across(a):
        return x0 + (a - .6) / 5.8 * SIDE

    out = frame(x0, alphas, str, across, up, "alpha, for k = m")
    out.append(line([(across(a), up(heavy(1, a))) for a in alphas], COLOURS[1]))
    out.append(line([(across(a), up(left(1, a))) for a in alphas], COLOURS[0]))
    out.append(line([(across(a), up(.5 ** a)) for a in alphas], INK, 1.2, "6 4"))
    for a in alphas:
        said = run("permute", 1024, 256, "--alpha", str(a))
        out.append(mark("circle", across(a), up(said["leftovers"][0] / said["n"]), COLOURS[0], r=3.4))
    return (out + key(x0, 0, COLOURS[1], "labels of heavy colours, expected, over m")
            + key(x0, 1, COLOURS[0], "labels left, expected, over m; dots: runs of 1024 x 256")
            + key(x0, 2, INK, "the lemma: (k / 2m)^alpha", "6 4"))


def by_load(x0, run):
    """Right panel: every iteration, after over before."""
    def across(x):
        return x0 + (math.log2(x) + 8.3) / 8.6 * SIDE

    rates = [2.0 ** (k / 4) for k in range(-32, 1)]
    out = frame(x0, [2.0 ** k for k in range(-8, 1, 2)], lambda x: f"2^{round(math.log2(x))}" if x < 1 else "1",
                across, up, "k / m before an iteration")
    for alpha in (1, 2):
        colour = COLOURS[2 * alpha - 2]
        inside = [x for x in rates if left(x, alpha) >= LOW]
        out.append(line([(across(x), up(left(x, alpha))) for x in inside], colour))
        out.append(line([(across(x), up((x / 2) ** alpha)) for x in rates if (x / 2) ** alpha >= LOW],
                        colour, 1.2, "6 4"))
        for seed in range(1, 4):
            said = run("permute", 1024, 256, "--alpha", str(alpha), "--seed", str(seed))
            before = 1.0
            for count in said["leftovers"]:
                now = count / said["n"]
                if now >= LOW and before >= 2.0 ** -8:
                    out.append(mark("circle", across(before), up(now), colour, r=3.4))
                before = now
        out += key(x0, alpha - 1, colour, f"alpha = {alpha}: left over m, expected; dots: three runs each")
    return out + key(x0, 2, SOFT, "dashed: the lemma's (k / 2m)^alpha", "6 4")


def picture(run, dark):
    title = "Lemma 3: labels that an iteration leaves"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
           f'height="{HEIGHT}" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, '
           f'sans-serif">', f"<title>{title}</title>", dark,
           f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{PAPER}"/>',
           text(LEFT, 34, title, 17, weight="bold", colour=INK),
           text(LEFT, 56, "a share of m, on average over rows; the mixer as hash", 12.5, colour=SOFT)]
    out += by_alpha(LEFT, run) + by_load(LEFT + SIDE + GAP, run)
    return "\n".join(out) + "\n</svg>\n"
