"""lesson.py - the pages as somebody meets them: by keyboard, by touch, on a phone, by ear.

    tests/viewer/lesson.py TOOL BROWSER [FOLDER]     pictures go to FOLDER, if one is named
"""

import base64
import json
import pathlib
import re
import sys

import runner
from axe import Findings
from runner import Line, Now, PROGRAM, Say, Shot, Tool

PHONE = {"width": 390, "height": 844, "scale": 2, "mobile": True}
FLAT = {"width": 844, "height": 390, "scale": 2, "mobile": True}


def Focused(b):
    return b.js("document.activeElement.id")


def Focus(b, name):
    b.js(f"document.getElementById('{name}').focus()")


def Middle(b, selector):
    return b.js(f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
                f"(document.querySelector(\"{selector}\").getBoundingClientRect())")


def Tap(b, selector):
    b.js(f"document.querySelector(\"{selector}\").scrollIntoView({{ block: 'nearest', inline: 'nearest' }})")
    b.frames()
    b.tap(*Middle(b, selector))
    b.frames()


def Text(b, selector):
    return b.js(f"(document.querySelector(\"{selector}\") || {{}}).textContent || ''")


def the_gallery_leads_to_its_pages(b):
    Tool("gallery", "-o", "gallery")
    b.open("gallery/index.html")
    links = b.js("[...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))")
    Say("ten runs and the calculator", len(links) == 11, links)
    for link in links:
        b.open("gallery/" + link)
        if link.startswith("calculator"):
            Say("the calculator answers", "t[32][33]" in Text(b, "#fixes"), Text(b, "#fixes"))
        else:
            Say("a run is in " + link, b.js("clearway.shown.length") >= 1)
    b.open("gallery/" + links[2])
    Say("a link says how it begins", b.js("clearway.state.mode") == "mark")
    b.open("gallery/index.html")
    b.key("Tab")
    Say("the first link by keyboard", b.js("document.activeElement.getAttribute('href')") == links[0])
    Shot(b, "gallery")


def space_belongs_to_the_button_that_has_the_focus(b):
    b.open("gallery/2-theorem-1.html")
    Focus(b, "forth")
    b.key(" ", "Space", " ")
    Say("one step on, and no play", Now(b) == 1 and not b.js("clearway.state.playing"), Now(b))
    Say("the focus stays", Focused(b) == "forth", Focused(b))
    b.mouse("mousePressed", *Middle(b, "#back"), button="left", buttons=1, clickCount=1)
    b.mouse("mouseReleased", *Middle(b, "#back"), button="left", buttons=0, clickCount=1)
    Say("a click leaves the focus there", Now(b) == 0 and Focused(b) == "back", Focused(b))
    Focus(b, "play")
    b.key(" ", "Space", " ")
    Say("play once, not twice", b.js("clearway.state.playing"))
    b.key(" ", "Space", " ")
    Say("and pause", not b.js("clearway.state.playing"))
    b.js("document.activeElement.blur()")
    b.key(" ", "Space", " ")
    Say("elsewhere space plays", b.js("clearway.state.playing"))


def every_control_can_be_reached_by_keyboard(b):
    b.open("gallery/1-with-and-without.html")
    reached = set()
    for _ in range(60):
        b.key("Tab")
        reached.add(Focused(b) or b.js("document.activeElement.className"))
    wanted = set(b.js("[...document.querySelectorAll('footer button, footer input')]"
                      ".filter((n) => n.checkVisibility() && !n.disabled).map((n) => n.id)")) | {"theme", "timeline", "term"}
    Say("all of them", wanted <= reached, wanted - reached)
    Focus(b, "help")
    b.key("Enter", "Enter", "\r")
    Say("help opens", b.js("document.getElementById('keys').open"))
    b.key("ArrowRight")
    Say("keys rest while it is open", Now(b) == 0)
    b.key("Escape")
    Say("and gives the focus back", not b.js("document.getElementById('keys').open") and Focused(b) == "help")


def buttons_lead_to_phases_and_conflicts(b):
    b.open("gallery/1-with-and-without.html")
    ends = b.js("clearway.shown.flatMap(({player}) => player.phases.flatMap((l) => l.bands.map((x) => x.end)))")
    Focus(b, "phase-next")
    b.key("Enter", "Enter", "\r")
    Say("the end of a phase", Now(b) == min(ends), Now(b))
    Focus(b, "conflict-next")
    b.key(" ", "Space", " ")
    b.frames()
    Say("a conflict", b.js("clearway.shown[1].stage.counts.some((k) => k > 1)"))
    Say("told in words", "asked more than once" in b.js("clearway.shown[1].stage.describe()"))
    Focus(b, "phase-back")
    before = Now(b)
    b.key(" ", "Space", " ")
    Say("and back", Now(b) < before)
    b.open("gallery/2-theorem-1.html")
    Say("no conflict, no button", b.js("document.getElementById('conflict-next').disabled"))


def a_phase_has_a_caption_and_words_explain_themselves(b):
    b.open("gallery/2-theorem-1.html")
    Say("the input", Text(b, ".caption").startswith("The input."), Text(b, ".caption"))
    seen = []
    for _ in range(5):
        b.key("]", "BracketRight", "]")
        b.frames()
        seen.append(Text(b, ".caption"))
    Say("another for each", len(set(seen)) == 5, seen)
    Say("why, and where", all("Why no bank is asked twice" in x and "In the paper: Theorem 1" in x for x in seen[:4]), seen)
    b.js("document.querySelector('.caption .term, .facts .term').focus()")
    b.frames()
    Say("a word tells what it means", b.js("!document.getElementById('tip').hidden") and len(Text(b, "#tip")) > 20)
    b.key("Escape")
    Say("until escape", b.js("document.getElementById('tip').hidden"))
    b.mouse("mouseMoved", *Middle(b, ".facts .term"))
    b.frames()
    Say("on hover too", b.js("!document.getElementById('tip').hidden"))
    missing = b.js("clearway.unexplained()")
    Say("every phase of the gallery is explained", not missing, missing)


def every_algorithm_has_its_story(b):
    names = [a["algorithm"] for a in json.loads(Tool("model", "list", "--json"))]
    b.open("gallery/2-theorem-1.html")
    missing = [n for n in names if not b.js(f"clearway.story('{n}')")]
    Say("all", not missing, missing)


def cells_have_numbers_when_there_is_room(b):
    b.open("gallery/2-theorem-1.html", width=1280, height=900)
    b.frames()
    Say("numbers", b.js("clearway.shown[0].stage.numbers"))
    Shot(b, "numbers")
    b.open("gallery/2-theorem-1.html", **PHONE)
    b.frames()
    Say("none without", not b.js("clearway.shown[0].stage.numbers"))


def reads_and_writes_differ_without_colour(b):
    """Writes are dashed: the wire of a write has gaps, that of a read has none."""
    b.open("gallery/10-transpose.html")
    gaps = """(kind) => { const {player, stage} = clearway.shown[0], {run} = player;
        let record = 1; while (run.lane[run.start[record - 1]] % 2 !== kind) record++;
        clearway.seek(run.time[record]);
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
            const s = stage.scale, bank = Math.floor(run.cell[run.start[record - 1]] / run.cols);
            const y = 24 + (bank + 0.5) * stage.row, x = stage.wires;
            const copy = new OffscreenCanvas(12 * s, 1).getContext('2d', { willReadFrequently: true });
            copy.drawImage(stage.canvas, (x - 12) * s, Math.floor(y * s), 12 * s, 1, 0, 0, 12 * s, 1);
            const row = copy.getImageData(0, 0, 12 * s, 1).data;
            let empty = 0; for (let k = 3; k < row.length; k += 4) empty += row[k] < 40; done(empty); }))); }"""
    read, write = b.js(f"({gaps})(0)"), b.js(f"({gaps})(1)")
    Say("a read is a line, a write is dashed", read == 0 and write > 1, read, write)


def a_link_leads_to_a_step(b):
    b.open("gallery/2-theorem-1.html")
    b.js("clearway.seek(123)")
    b.key("z", "KeyZ", "z")
    b.key("l", "KeyL", "l")
    b.frames()
    link = b.js("location.hash")
    Say("in the address", "step=123" in link and "colours=mark" in link, link)
    b.open("gallery/2-theorem-1.html" + link)
    Say("and back", Now(b) == 123 and b.js("clearway.state.mode") == "mark", Now(b))


def a_finger_plays_scrubs_and_asks(b):
    b.open("gallery/1-with-and-without.html", **PHONE)
    Say("no sideways scrolling", b.js("document.documentElement.scrollWidth") <= 390)
    Tap(b, "#forth")
    Say("a step", Now(b) > 0)
    Tap(b, "#phase-next")
    Say("a phase", Now(b) > 50, Now(b))
    x, y, width, height = Line(b)
    b.swipe([(x + width * 0.2, y + height - 30), (x + width * 0.4, y + height - 30), (x + width * 0.6, y + height - 30)])
    there = Now(b) / b.js("clearway.state.span")
    Say("a finger scrubs", abs(there - 0.6) < 0.05, there)
    b.tap(*b.js("(s => { const r = s.canvas.getBoundingClientRect(), p = s.places[0];"
                "return [r.x + p.x + 5, r.y + 24 + s.row / 2]; })(clearway.shown[0].stage)"))
    b.frames()
    Say("a cell tells what it holds", Text(b, "#tip").startswith("matrix (0, "), Text(b, "#tip"))
    Tap(b, ".facts .term")
    Say("and a word what it means", "unit of time" in Text(b, "#tip"), Text(b, "#tip"))


def a_phone_on_its_side_shows_it_all(b):
    b.open("gallery/2-theorem-1.html", **FLAT)
    b.js("clearway.seek(300)")
    b.frames()
    size = b.js("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    Say("without scrolling", size[0] <= 844 and size[1] <= 400, size)
    Say("the stage is large enough", b.js("clearway.shown[0].stage.height") > 150)
    _, y, _, height = Line(b)
    Say("the time line is in sight", y + height <= 390 - b.js("document.getElementById('controls').offsetHeight"))
    Tap(b, "#phase-next")
    Say("its buttons work", Now(b) > 300)
    Shot(b, "flat")


def it_can_be_followed_by_ear(b):
    b.open("gallery/2-theorem-1.html")
    b.key("ArrowRight")
    b.js("new Promise((done) => setTimeout(done, 600))")
    said = Text(b, "#spoken")
    Say("the step is spoken", "step 1," in said and "no bank is asked twice" in said, said)
    Say("the picture is described", "step 1." in b.js("document.querySelector('.stage').getAttribute('aria-label')"))
    Say("the time line has words", b.js("document.querySelector('.timeline').getAttribute('aria-valuetext')").startswith("step 1 of"))


def Kernels():
    """A page of many kernels, made from one, since running all takes long."""
    Tool("view", "--kernel", "cw_paper_warp4", "--source", runner.SOURCE, "-o", "one.html")
    page = pathlib.Path("one.html").read_text()
    held = re.search(r'id="clearway-index">([A-Za-z0-9+/=]*)<', page).group(1)
    index = json.loads(base64.b64decode(held))
    kernel = index["kernels"][0]
    index["kernels"] += [dict(kernel, name=f"cw_another_{k}") for k in range(40)]
    new = base64.b64encode(json.dumps(index).encode()).decode()
    pathlib.Path("kernels.html").write_text(page.replace(held, new))


def kernels_can_be_searched(b):
    Kernels()
    b.open("kernels.html")
    Focus(b, "kernel-search")
    b.type("warp4")
    b.frames()
    found = b.js("[...document.querySelectorAll('#kernel-list li:not([hidden])')].map((n) => n.dataset.name)")
    Say("by name", found and all("warp4" in x for x in found), found)
    b.key("Enter", "Enter", "\r")
    Say("enter shows the first", Text(b, "#kernel h2") == found[0])
    link = b.js("location.hash")
    b.open("kernels.html" + link)
    Say("a link shows it", Text(b, "#kernel h2") == found[0])
    Focus(b, "kernel-search")
    b.type("no such kernel")
    b.frames()
    Say("none is told", Text(b, "#kernel-count").startswith("0 of"), Text(b, "#kernel-count"))


def the_calculator_answers_while_one_types(b):
    Tool("conflicts", "__shared__ int s[N][64]; s[tid][i]", "-D", "N=32", "--i", "0:4", "--html", "calc.html")
    b.open("calc.html")
    Say("what it was asked", b.js("document.getElementById('defines').value") == "N=32")
    Say("the smallest change", "Declare s[N][65]" in Text(b, "#fixes"), Text(b, "#fixes"))
    b.js("document.getElementById('text').select()")
    b.type("tid * 33")
    b.js("document.getElementById('range').value = ''")
    b.js("new Promise((done) => setTimeout(done, 700))")
    Say("no conflicts", Text(b, "#verdict").startswith("No conflicts"), Text(b, "#verdict"))
    Say("in the address", "tid+*+33" in b.js("location.hash"), b.js("location.hash"))
    b.js("document.getElementById('text').select()")
    b.type("tid * (33")
    b.js("new Promise((done) => setTimeout(done, 700))")
    Say("what is wrong, and where", "no ')'" in Text(b, "#wrong") and Text(b, "#wrong").endswith("^"), Text(b, "#wrong"))
    Say("at its field", b.js("document.getElementById('text').getAttribute('aria-invalid')") == "true")
    link = b.js("location.hash")
    b.open("calc.html#text=tid*32&machine=amd")
    Say("a link asks", b.js("document.getElementById('machine').value") == "amd" and "Pad" in Text(b, "#fixes"), link)
    b.open("calc.html", **PHONE)
    Say("fits a phone", b.js("document.documentElement.scrollWidth") <= 390)
    for k in range(5):
        Tap(b, f"[data-example='{k}']")
        Say("example %d is answered" % k, Text(b, "#verdict").startswith(("Conflicts", "No conflicts")), Text(b, "#verdict"))
    Shot(b, "calculator-phone")


def nothing_is_seriously_wrong_for_those_who_see_or_hear_otherwise(b):
    Tool("gallery", "-o", "gallery")
    Kernels()
    asked = 0
    run, proof = "gallery/1-with-and-without.html#step=900", "gallery/3-proof.html#step=300&colours=mark"
    for page, size, dark in (("gallery/index.html", {}, False), (run, {}, False), (run, PHONE, True), (run, FLAT, False),
                             (proof, {}, True), ("gallery/calculator.html", {}, True),
                             ("gallery/calculator.html", PHONE, False), ("kernels.html", {}, False),
                             ("kernels.html", PHONE, True)):
        b.open(page, dark=dark, **size)
        b.frames()
        found, axe = Findings(b, small=bool(size))
        asked += axe
        Say(f"{page}, {size.get('width', 1280)}, {'dark' if dark else 'light'}", not found, *found[:4])
    b.js("document.body.insertAdjacentHTML('beforeend', '<button></button><p style=\"color: #bbb; background: #fff\">x</p>')")
    found, axe = Findings(b)
    Say("what is wrong is found", len(found) >= (3 if axe else 2), *found)
    return "axe-core found nothing serious" if asked else "by checks of our own; axe-core is not here"


if __name__ == "__main__":
    sys.exit(runner.run(globals(), PROGRAM))
