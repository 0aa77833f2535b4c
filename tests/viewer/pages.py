"""pages.py - one page of every kind, for tests that ask the same of all."""

import base64
import json
import os
import pathlib
import re

import runner
from runner import Tool

PHONE = {"width": 390, "height": 844, "scale": 2, "mobile": True}
FLAT = {"width": 844, "height": 390, "scale": 2, "mobile": True}
EMPTY = os.path.join(os.path.dirname(runner.TOOL), "viewer", "page.html") # as the build leaves it
HELD = re.compile(r'id="clearway-index">([A-Za-z0-9+/=]*)<')


def Kernels(name="kernels.html", count=8):
    """A page of kernels as view --kernel all makes it, which takes long: two that it runs, one of them with conflicts, and
    copies of the first."""
    if pathlib.Path(name).exists():
        return
    pages = []
    for kernel in ("cw_paper_warp4", "cw_sort_radix_p32_scatter_plain"):
        Tool("view", "--kernel", kernel, "--source", runner.SOURCE, "-o", kernel + ".html")
        pages.append(pathlib.Path(kernel + ".html").read_text())
    index, other = (json.loads(base64.b64decode(HELD.search(page).group(1))) for page in pages)
    index["kernels"] += other["kernels"]
    index["sources"].update(other["sources"])
    first = index["kernels"][0]
    index["kernels"] += [dict(first, name=f"cw_another_{k}") for k in range(count - 2)]
    new = base64.b64encode(json.dumps(index).encode()).decode()
    pathlib.Path(name).write_text(pages[0].replace(HELD.search(pages[0]).group(1), new))


def Gallery():
    if not pathlib.Path("gallery").exists():
        Tool("gallery", "-o", "gallery")


def Pages():
    """A name and a file for each kind."""
    Gallery()
    Kernels()
    return {"gallery": "gallery/index.html", "run": "gallery/2-theorem-1.html#step=100",
            "proof": "gallery/3-proof.html#step=300&colours=mark", "two runs": "gallery/1-with-and-without.html#step=900",
            "kernels": "kernels.html", "one kernel": "cw_sort_radix_p32_scatter_plain.html",
            "calculator": "gallery/calculator.html", "no run": EMPTY}
