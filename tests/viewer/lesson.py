"""lesson.py - the pages as somebody meets them: by keyboard, by touch, on a phone, by ear.

    tests/viewer/lesson.py TOOL BROWSER [FOLDER]     pictures go to FOLDER, if one is named
"""

import json
import os
import sys

import runner
from axe import Findings
from pages import FLAT, Gallery, Kernels, Pages, PHONE
from runner import Asked, Line, Now, PROGRAM, Say, Shot, Tool


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


def the_help_opens_and_gives_the_focus_back(b):
    b.open("gallery/1-with-and-without.html")
    Focus(b, "help")
    b.key("Enter", "Enter", "\r")
    Say("help opens", b.js("document.getElementById('keys').open"))
    b.key("ArrowRight")
    Say("keys rest while it is open", Now(b) == 0)
    told = b.js("[...document.querySelectorAll('#keys dl:first-of-type dt')].map((n) => n.textContent).join(' ')")
    Say("it tells of all keys", all(key in told.split() for key in "space ← → , . [ ] c Home End + − i o k z a l f t".split()), told)
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


def a_phone_on_its_side_keeps_theme_phase_and_key(b):
    """In sight without scrolling, and not below something else."""
    seen = """(n) => { const r = n.getBoundingClientRect(), over = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
        return r.width > 0 && r.bottom <= innerHeight && r.right <= innerWidth && (n === over || n.contains(over)); }"""
    for page in ("2-theorem-1.html#step=300", "1-with-and-without.html#step=900", "3-proof.html#step=300"):
        b.open("gallery/" + page, **FLAT)
        b.frames()
        hidden = b.js("[...document.querySelectorAll('#theme, #open, article:first-child :is(h2, .says, .fact, .legend)'),"
                      "...[...document.querySelectorAll('article:first-child .legend span')].filter((n) => n.offsetWidth || "
                      f"/^(read|write|clash)$/.test(n.className))].filter((n) => !n.hidden && !({seen})(n))"
                      ".map((n) => n.outerHTML.slice(0, 60))")
        Say(page + ": all in sight", not hidden, *hidden)
        Say("the phase is told", ":" in Text(b, ".fact.phase dd"), Text(b, ".fact.phase"))
        Say("a caption has room", b.js("document.querySelector('.caption').clientHeight") > 30)
        Say("no control beside the screen", b.js("(f => f.scrollWidth <= f.clientWidth)(document.getElementById('controls'))"))
    Tap(b, "#theme")
    Say("the theme by finger", b.js("document.documentElement.dataset.theme") == "dark")
    Kernels()
    b.open("kernels.html", **FLAT)
    Tap(b, "#theme")
    Say("on a page of kernels too", b.js("document.documentElement.dataset.theme") == "dark")


def Shown(b):
    b.frames()
    return b.js("clearway.shown.map(({ timeline }) => [timeline.from, timeline.to])")


def a_time_line_zooms_by_key_by_button_and_by_two_fingers(b):
    b.open("gallery/1-with-and-without.html#step=3000")
    (_, span), _ = Shown(b)
    b.key("i", "KeyI", "i")
    one, other = Shown(b)
    Say("i shows half of it, around the playhead", one[1] - one[0] == span / 2 and one[0] < 3000 < one[1], one)
    Say("on one scale", one == other, one, other)
    Focus(b, "zoom-in")
    b.key(" ", "Space", " ")
    one, other = Shown(b)
    Say("a button, half of that", one[1] - one[0] == span / 4 and one == other and Focused(b) == "zoom-in", one, other)
    b.js("new Promise((done) => setTimeout(done, 500))")
    Say("told to those who do not see it", "time line shows steps" in Text(b, "#spoken"), Text(b, "#spoken"))
    b.key("o", "KeyO", "o")
    b.js("document.getElementById('zoom-out').click()")
    Say("and all of it again", Shown(b) == [[0, span], [0, span]], Shown(b))
    b.open("gallery/2-theorem-1.html", **PHONE)
    (_, span), = Shown(b)
    b.js("document.querySelector('.timeline').scrollIntoView({ block: 'center' })")
    b.frames()
    x, y, width, height = Line(b)
    both = [(width * 0.4, width * 0.6), (width * 0.35, width * 0.65), (width * 0.3, width * 0.7)]
    touch = lambda kind, a, z: b.call("Input.dispatchTouchEvent", type=kind, touchPoints=[
        {"x": x + p, "y": y + height / 2, "id": k} for k, p in enumerate((a, z))])
    touch("touchStart", *both[0])
    for at in both[1:]:
        touch("touchMove", *at)
    b.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    (start, end), = Shown(b)
    Say("two fingers pull it apart", abs((end - start) / span - 0.5) < 0.1 and start > 0 and end < span, start, end)
    b.tap(x + width / 2, y + height / 2)
    Say("one finger scrubs again", abs(Now(b) - (start + end) / 2) < span / 50, Now(b))


def cells_and_banks_are_read_by_keyboard(b):
    b.open("gallery/2-theorem-1.html#step=100")
    run = b.js("(({ run }) => [run.w, run.cols])(clearway.shown[0].player)")
    read = lambda: (Text(b, "#spoken"), Text(b, "#tip"))
    for _ in range(20):
        b.key("Tab")
        if b.js("document.activeElement.className") == "stage":
            break
    Say("the tab key reaches the picture", b.js("document.activeElement.className") == "stage")
    Say("and tells of the first cell", all(x.startswith("matrix (0, 0), bank 0: ") for x in read()), *read())
    b.key("ArrowDown")
    b.key("ArrowRight")
    Say("arrows go to another", all(x.startswith("matrix (1, 1), bank 1: ") for x in read()), *read())
    Say("and take no step", Now(b) == 100, Now(b))
    b.key("ArrowLeft")
    b.key("ArrowLeft")
    Say("the processor", read()[0].startswith("processor 1 ") and "at src/" in read()[0], *read())
    b.key("ArrowLeft")
    Say("the bank, past the end", all(x == "bank 1: asked for 1 in this step" for x in read()), *read())
    b.js("new Promise((done) => setTimeout(done, 500))")
    Say("it stays told", read()[0].endswith(read()[1]) and read()[1].startswith("bank 1"), *read())
    b.key("ArrowUp", shift=True)
    Say("ten at once, with shift", read()[0].startswith(f"bank {(1 - 10) % run[0]}:"), *read())
    before = b.js("clearway.shown[0].stage.canvas.toDataURL()")
    b.key(".", "Period", ".")
    b.js("new Promise((done) => setTimeout(done, 500))")
    Say("a step, and the same bank in it", Now(b) == 101 and "step 101" in read()[0] and read()[1] in read()[0], *read())
    Say("the cursor can be seen", before != b.js("document.activeElement.blur(), new Promise((done) => requestAnimationFrame(() => "
        "requestAnimationFrame(() => done(clearway.shown[0].stage.canvas.toDataURL()))))"))
    Say("and goes with the focus", b.js("document.getElementById('tip').hidden"))
    b.key("ArrowRight")
    Say("elsewhere arrows step", Now(b) == 102, Now(b))


def Choose(b, path):
    """Answers the page that has asked for a file."""
    Say("it asks for a file", Asked(b))
    node = b.call("Runtime.evaluate", expression="document.getElementById('files')")["result"]
    b.call("DOM.setFileInputFiles", files=[os.path.abspath(path)], objectId=node["objectId"])
    b.js("new Promise((done) => setTimeout(done, 100))")
    b.frames()
    b.events.clear()


def another_trace_is_opened_by_key_by_button_and_by_finger(b):
    Tool("model", "transpose", "-w", "8", "-m", "8", "--trace", "t.cwt")
    with open("bad.cwt", "wb") as file:
        file.write(b"no trace at all")
    Kernels()
    b.call("Page.setInterceptFileChooserDialog", enabled=True)
    name = "clearway.shown.map(({ player }) => player.run.algorithm).join()"
    b.open("gallery/1-with-and-without.html#step=900")
    b.key("f", "KeyF", "f")
    Choose(b, "t.cwt")
    Say("f, on a page of runs", b.js(name) == "transpose" and Now(b) == 0, b.js(name), Now(b))
    for page, size in (("gallery/2-theorem-1.html", PHONE), ("kernels.html", FLAT)):
        b.open(page, **size)
        Tap(b, "#open")
        Choose(b, "t.cwt")
        Say("a tap on " + page, b.js(name) == "transpose" and b.js("document.getElementById('kernels').hidden"), b.js(name))
    b.open("gallery/2-theorem-1.html", **FLAT)
    Focus(b, "open")
    b.key("Enter", "Enter", "\r")
    Choose(b, "bad.cwt")
    says = Text(b, "#trouble")
    Say("what is no trace is told", says.startswith("bad.cwt: not a trace") and b.js("document.getElementById('trouble').checkVisibility()"), says)
    Say("and the run stays", b.js(name) == "sort-square", b.js(name))
    b.key("Enter", "Enter", "\r")
    Choose(b, "t.cwt")
    Say("the next one takes it away", b.js("document.getElementById('trouble').hidden") and b.js(name) == "transpose")
    b.call("Page.setInterceptFileChooserDialog", enabled=False)


def it_can_be_followed_by_ear(b):
    b.open("gallery/2-theorem-1.html")
    b.key("ArrowRight")
    b.js("new Promise((done) => setTimeout(done, 600))")
    said = Text(b, "#spoken")
    Say("the step is spoken", "step 1," in said and "no bank is asked twice" in said, said)
    Say("the picture is described", "step 1." in b.js("document.querySelector('.stage').getAttribute('aria-label')"))
    Say("the time line has words", b.js("document.querySelector('.timeline').getAttribute('aria-valuetext')").startswith("step 1 of"))


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


def kernels_names_may_be_long_and_their_numbers_stay_whole(b):
    Kernels()
    b.open("kernels.html")
    b.js("document.querySelector('#kernel-list small').textContent = '+189,828,000'")
    lines = b.js("(n => [n.getBoundingClientRect().height, parseFloat(getComputedStyle(n).fontSize)])(document.querySelector('#kernel-list small'))")
    Say("one line", lines[0] < 2 * lines[1], lines)
    Say("names may break after each underscore", b.js("[...document.querySelectorAll('#kernel-list button')].every((n) =>"
        "n.querySelectorAll('wbr').length == n.dataset.name.split('_').length - 1 && n.firstChild.textContent == n.dataset.name)"))


def kernels_without_their_source_say_so(b):
    Tool("view", "--kernel", "cw_paper_warp4", "-o", "bare.html") # this folder holds no src
    b.open("bare.html")
    said = Text(b, "#kernel .no-source")
    Say("what to do", "--kernel cw_paper_warp4 --source DIR" in said, said)
    Say("no empty column", b.js("document.querySelectorAll('#kernel .code').length") == 0)
    Kernels()
    b.open("kernels.html")
    Say("the others show it", b.js("document.querySelectorAll('#kernel .code').length") > 0 and not Text(b, "#kernel .no-source"))


def the_calculator_answers_while_one_types(b):
    Tool("conflicts", "__shared__ int s[N][64]; s[tid][i]", "-D", "N=32", "--i", "0:4", "--html", "calc.html")
    b.open("calc.html")
    Say("what it was asked", b.js("document.getElementById('defines').value") == "N=32")
    Say("the smallest change", "Declare s[N][65]" in Text(b, "#fixes"), Text(b, "#fixes"))
    Say("copy stands beside what it copies", b.js("[...document.querySelectorAll('.fix .row')].every((row) =>"
        "row.lastChild.offsetLeft > row.firstChild.offsetLeft + row.firstChild.offsetWidth)"))
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
    for k in range(6):
        Tap(b, f"[data-example='{k}']")
        Say("example %d is answered" % k, Text(b, "#verdict").startswith(("Conflicts", "No conflicts")), Text(b, "#verdict"))
    Shot(b, "calculator-phone")


def nothing_is_seriously_wrong_for_those_who_see_or_hear_otherwise(b):
    """By checks of our own; access.py asks axe-core."""
    for name, page in Pages().items():
        for size, dark in (({}, False), (PHONE, True), (FLAT, False)):
            b.open(page, dark=dark, **size)
            found = Findings(b, small=bool(size))
            Say(f"{name}, {size.get('width', 1280)}, {'dark' if dark else 'light'}", not found, *found[:4])
    b.js("document.body.insertAdjacentHTML('beforeend', '<button></button><p style=\"color: #bbb; background: #fff\">x</p>')")
    found = Findings(b)
    Say("what is wrong is found", len(found) >= 2, *found)


if __name__ == "__main__":
    sys.exit(runner.run(globals(), PROGRAM, Gallery))
