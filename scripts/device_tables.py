"""device_tables - the tables of docs/performance.md about whole arrays, for scripts/performance.

What wrote a line is seen from its columns: bench_sort -c and sort_torch.py (length is "array"),
bench_partition and partition_torch.py (buckets), bench_permute (direction), bench_transpose (place),
bench_plan (map).  Every maker takes such lines and gives the text of its table, or "".
"""

import math

SORT_INPUT_SIZES = (2**26, 2**28)  # with targets
SORT_SHOWN_SIZES = (2**22, 2**24, *SORT_INPUT_SIZES)


def kind_of(line):
    """sort, partition, permute, transpose or plan; rows for all else."""
    if line.get("length") == "array":
        return "sort"
    for column, kind in (
        ("buckets", "partition"),
        ("direction", "permute"),
        ("place", "transpose"),
        ("map", "plan"),
    ):
        if column in line:
            return kind
    return "rows"


def table(head, rows):
    if not rows:
        return ""
    lines = [head, ["---"] * len(head)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def size(n):
    """2^20, or the number."""
    n = int(n)
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def num(x, digits=1):
    return "" if x is None else f"{x:.{digits}f}"


def ratio(a, b):
    """a over b, and a word if it is slower; nothing where one is missing."""
    if not a or not b:
        return ""
    return f"{a / b:.2f}" + (" (slower)" if a / b < 0.995 else "")


# -- sort -------------------------------------------------------------------------------------


def speeds(lines):
    """{(type, n, input): {method: Gkey/s}}, in the order of the lines; the last line of a kind counts."""
    found = {}
    for x in lines:
        key = x["type"], int(x["n"]), x["shape"]
        found.setdefault(key, {})[x["method"]] = float(x["gkeys"])
    return found


def sort_row(begin, of):
    ours, free = of.get("clearway"), of.get("clearway conflict-free")
    radix, merge = of.get("cub radix"), of.get("cub merge")
    cells = [ours, of.get("clearway stable"), radix]
    row = begin + [num(x, 2 if x and x < 10 else 1) for x in cells] + [ratio(ours, radix)]
    row += [num(x, 2 if x and x < 10 else 1) for x in (free, merge)] + [ratio(free, merge)]
    others = [of.get(x) for x in ("cupy.sort", "cupy.argsort", "torch.sort")]
    return row + [num(x, 2 if x and x < 10 else 1) for x in others]


SORT_HEAD = ["Clearway", "stable", "CUB radix", "ratio", "conflict-free", "CUB merge", "ratio"]
SORT_HEAD += ["CuPy sort", "argsort", "PyTorch"]


def sort_table(lines):
    """Uniform keys, n down."""
    rows = []
    for (kind, n, name), of in speeds(lines).items():
        if name == "uniform":
            rows.append(sort_row([f"{kind} {size(n)}"], of))
    return table(["type, n"] + SORT_HEAD, rows)


def sort_inputs_table(lines):
    rows = []
    for (kind, n, name), of in speeds(lines).items():
        if n in SORT_SHOWN_SIZES:
            rows.append((kind, n, sort_row([f"{kind} {size(n)}", name], of)))
    kinds = list(dict.fromkeys(x[0] for x in rows))
    rows.sort(key=lambda x: (kinds.index(x[0]), x[1]))
    return table(["type, n", "input"] + SORT_HEAD, [x[2] for x in rows])


def flatness(lines, method):
    """{(type, n): slowest over fastest input}"""
    found = {}
    for (kind, n, _), of in speeds(lines).items():
        if n in SORT_INPUT_SIZES and method in of:
            found.setdefault((kind, n), []).append(of[method])
    return {key: max(x) / min(x) for key, x in found.items() if len(x) > 1}


def sort_targets(lines):
    """(what, goal, reached, met)"""
    of = speeds(lines)
    at = 2**28

    def over(what, kind, n, ours, peer, goal, name="uniform"):
        found = of.get((kind, n, name), {})
        if ours in found and peer in found:
            reached = found[ours] / found[peer]
            yield what, f"{goal}", f"{reached:.2f}", reached >= goal

    radix = (("u32", "clearway", 1.4), ("u64", "clearway", 1.8), ("u32+u32", "clearway", 1.3))
    for kind, ours, goal in radix + (("u32+u32", "clearway stable", 1.0),):
        yield from over(f"{ours} {kind} 2^28 over CUB radix", kind, at, ours, "cub radix", goal)
    merge = (("u32", 1.3), ("u64", 1.2), ("u32+u32", 1.2))
    for kind, goal in merge:
        what = f"conflict-free {kind} 2^28 over CUB merge"
        yield from over(what, kind, at, "clearway conflict-free", "cub merge", goal)
    for kind, n, name in of:
        if n in SORT_INPUT_SIZES and name != "uniform":
            what = f"{kind} {size(n)} {name} over CUB radix"
            yield from over(what, kind, n, "clearway", "cub radix", 1.0, name)
            yield from over(f"{what}, stable", kind, n, "clearway stable", "cub radix", 1.0, name)
        if name == "uniform" and n in (2**12, 2**16, 2**20, 2**22, 2**24):
            what = f"{kind} {size(n)} over CUB radix"
            yield from over(what, kind, n, "clearway", "cub radix", 1.0)
    for (kind, n), reached in flatness(lines, "clearway conflict-free").items():
        what = f"conflict-free {kind} {size(n)}, slowest over fastest input"
        yield what, "1.05", f"{reached:.3f}", reached <= 1.05


# -- partition, permute, plan, transpose --------------------------------------------------------


def partition_table(lines):
    rows = []
    for x in lines:
        name = x["items"] if x["input"] == "uniform" else f"{x['items']}, {x['input']}"
        wrong = " WRONG" if x["output"] == "WRONG" else ""
        peer = [x["peer"], x["peer G/s"], ratio(float(x["G/s"]), float(x["peer G/s"] or 0))]
        begin = [name, size(x["n"]), x["buckets"], x["order"]]
        rows.append(begin + [x["ms"], x["G/s"] + wrong] + peer)
    head = ["items", "n", "buckets", "order", "ms", "G/s", "peer", "its G/s", "ratio"]
    return table(head, rows)


def partition_targets(lines):
    goals = {("u32+u32", "unstable"): 1.25, ("u32+u32", "stable"): 1.0}
    torch, ours = None, None
    for x in lines:
        if x["input"] == "uniform" and x["n"] == str(2**28) and x["ratio"]:
            goal = goals.get((x["items"], x["order"]))
            if goal and int(x["buckets"]) > 256:
                goal = 1.2
            if x["items"] == "u32" and x["buckets"] == "2":
                goal = 1.0
            if goal:
                what = f"{x['items']} {x['order']}, {x['buckets']} buckets, over {x['peer']}"
                yield what, f"{goal}", x["ratio"], float(x["ratio"]) >= goal
        if x["items"] == "torch.sort + bincount int32":
            torch = float(x["ms"])
        if x["items"] == "labels with index and offsets":
            ours = float(x["ms"])
    if torch and ours:
        reached = torch / ours
        yield "262144 labels over torch.sort + bincount", "3", f"{reached:.2f}", reached >= 3


def permute_table(lines):
    rows = []
    for x in lines:
        what = f"{x['bytes']} bytes" + (", u64 index" if x["index_bytes"] == "8" else "")
        wrong = " WRONG" if x.get("output") == "WRONG" else ""
        ours, naive = float(x["Gelem/s"]), float(x["naive Gelem/s"])
        begin = [what, x["direction"], size(x["n"]), x["way"]]
        rows.append(begin + [num(ours) + wrong, num(naive), ratio(ours, naive)])
    return table(["elements", "direction", "n", "way", "Gelem/s", "naive", "ratio"], rows)


def permute_targets(lines):
    for x in lines:
        n, ours, naive = int(x["n"]), float(x["Gelem/s"]), float(x["naive Gelem/s"])
        what = f"{x['direction']} of {x['bytes']} bytes, {size(n)}, over the naive one"
        if x["bytes"] == "4" and x["index_bytes"] == "4" and n in (2**26, 2**28, 2**30):
            goal = 1.4 if x["direction"] == "gather" else 3.5
            yield what, f"{goal}", f"{ours / naive:.2f}", ours >= goal * naive
        elif x["bytes"] in ("8", "16") and x["direction"] == "scatter" and n == 2**28:
            yield what, "2", f"{ours / naive:.2f}", ours >= 2 * naive
        elif n >= 2**10:
            yield what, "0.97", f"{ours / naive:.2f}", ours >= 0.97 * naive


def plan_table(lines):
    rows = []
    for x in lines:
        wrong = " WRONG" if x["check"] == "WRONG" else ""
        begin = [f"{x['map']}, {x['bytes']} bytes", size(x["n"]), x["kind"]]
        rates = [x["gelem_s"] + wrong, x["gather"], x["scatter"], x["copy"]]
        rows.append(begin + rates + [x["x_gather"], x["x_scatter"], x["x_copy"], x["make_ns"]])
    head = ["permutation", "n", "plan", "Gelem/s", "gather", "scatter", "copy"]
    return table(head + ["over gather", "over scatter", "of copy", "ns to make"], rows)


def plan_targets(lines):
    for x in lines:
        n, gather = int(x["n"]), float(x["x_gather"])
        what = f"plan of {x['map']}, {x['bytes']} bytes, {size(n)}"
        if x["map"] == "random" and x["bytes"] == "4" and n >= 2**24:
            goal = 1.5 if n == 2**24 else 2.5
            yield what + ", over the gather", f"{goal}", f"{gather:.2f}", gather >= goal
            if n >= 2**26:
                scatter = float(x["x_scatter"])
                yield what + ", over the scatter", "6", f"{scatter:.2f}", scatter >= 6
        elif x["map"] != "random" and x["bytes"] == "4" and n >= 2**27:
            share = float(x["x_copy"])
            yield what + ", of a copy", "0.8", f"{share:.2f}", share >= 0.8


def transpose_table(lines):
    rows = []
    for x in lines:
        wrong = " WRONG" if x.get("output") == "WRONG" else ""
        shape = f"{x['rows']} x {x['columns']}" + (f", {x['batch']}" if x["batch"] != "1" else "")
        share = f"{100 * float(x['ratio']):.0f} %"
        rows.append([shape, f"{x['bytes']}", x["place"], x["GB/s"] + wrong, x["copy GB/s"], share])
    return table(["matrix, batch", "bytes", "place", "GB/s", "copy", "of the copy"], rows)


def transpose_targets(lines):
    for x in lines:
        rows, columns, share = int(x["rows"]), int(x["columns"]), float(x["ratio"])
        if x["bytes"] != "4" or not 16300 < rows < 16500 or not 16300 < columns < 16500:
            continue
        goal = 0.85 if x["place"] == "out of place" else 0.8 if rows == columns else 0.2
        what = f"transpose {rows} x {columns} {x['place']}, of a copy"
        yield what, f"{goal}", f"{share:.2f}", share >= goal


# name in the document: (kind of its lines, maker, what wrote them)
TABLES = {
    "sort": ("sort", sort_table, "`bench_sort -c -x {}`, `sort_torch.py -x {}`"),
    "sort-inputs": ("sort", sort_inputs_table, "`bench_sort -c -x {}`, `sort_torch.py -x {}`"),
    "partition": ("partition", partition_table, "`bench_partition -x {}`, `partition_torch.py`"),
    "permute": ("permute", permute_table, "`bench_permute -x {}`"),
    "plan": ("plan", plan_table, "`bench_plan .. {}`"),
    "transpose": ("transpose", transpose_table, "`bench_transpose`"),
}

TARGETS = {
    "sort": sort_targets,
    "partition": partition_targets,
    "permute": permute_targets,
    "plan": plan_targets,
    "transpose": transpose_targets,
}


def origin(lines, command):
    """One line on where figures come from."""
    seen = sorted({(x["gpu"], x["driver"], x["commit"]) for x in lines})
    runs = "; ".join(f"{gpu}, driver {driver}, commit {commit}" for gpu, driver, commit in seen)
    sizes = [int(x["n"]) for x in lines if x.get("n")]
    power = round(math.log2(max(sizes))) if sizes else 0
    return f"{runs}; {command.format(power, power)}.\n\n"


def targets(lines):
    """(what, goal, reached, met) of all of them."""
    for kind, found in TARGETS.items():
        yield from found([x for x in lines if kind_of(x) == kind])


def targets_table(lines):
    found = list(targets(lines))
    missed = [[what, goal, reached] for what, goal, reached, met in found if not met]
    text = f"{len(found) - len(missed)} of {len(found)} targets are met"
    if not missed:
        return text + ".\n"
    return text + "; missed are\n\n" + table(["what", "target", "reached"], missed)


def texts(lines):
    """(name in the document, text) of every table that there are lines for."""
    for name, (kind, make, command) in TABLES.items():
        mine = [x for x in lines if kind_of(x) == kind]
        text = make(mine)
        if text:
            yield name, origin(mine, command) + text
    device = [x for x in lines if kind_of(x) != "rows"]
    if device:
        yield "device-targets", origin(device, "all of the above") + targets_table(device)
