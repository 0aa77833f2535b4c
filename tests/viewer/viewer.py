"""viewer.py - what a page of clearway view does in a browser, in the words of its tests.

    tests/viewer/viewer.py TOOL BROWSER [FOLDER]     pictures go to FOLDER, if one is named

A function whose name begins with a capital is not a test; each other takes the browser and returns
what it has to say.  The limits of time are those of an idle machine, times what the load demands.
"""

import glob
import json
import os
import sys

import runner
from runner import Line, Now, PROGRAM, Say, Shot, SOURCE, TOOL, Tool


def Slack():
    return max(1.0, 1.5 * os.getloadavg()[0] / os.cpu_count())


def Pixel(b, canvas, x, y):
    return b.js(f"[...document.querySelectorAll('{canvas}')[0].getContext('2d')"
                f".getImageData({x}, {y}, 1, 1).data]")


def loads_a_run_and_agrees_with_the_tool(b):
    said = json.loads(Tool("model", "sort-square", "-w", "32", "-m", "32", "--html", "square.html",
                           "--json"))
    b.open("square.html")
    run = b.js("(({w, m, steps, accesses, conflictCount}) => ({w, m, steps, accesses,"
               " conflictCount}))(clearway.shown[0].player.run)")
    Say("same counts", run == {"w": 32, "m": 32, "steps": said["steps"],
                               "accesses": said["accesses"], "conflictCount": 0}, run)
    Say("phases are named", "super-rows" in b.js("clearway.shown[0].player.phases[0].bands[0].text"))
    b.js("clearway.seek(800)")
    Shot(b, "light")
    return f"{run['accesses']} accesses"


def the_end_is_sorted_and_the_beginning_is_not(b):
    b.open("square.html")
    order = """(() => { const {run, memory} = clearway.shown[0].player; let wrong = 0, last = -1;
        for (let r = 0; r < run.w; r++) for (let c = 0; c < run.m; c++) {
            const x = run.rank[memory[r * run.cols + c]]; if (x < last) wrong++; last = x; }
        return wrong; })()"""
    b.frames()
    Say("the input is not sorted", b.js(order) > 100)
    b.key("End")
    b.frames()
    Say("the output is sorted", b.js(order) == 0, b.js(order))
    b.key("Home")
    b.frames()
    Say("and back", b.js(order) > 100)


def plays_and_pauses(b):
    b.open("square.html")
    b.key(" ", "Space", " ")
    b.js("new Promise(done => setTimeout(done, 600))")
    there = Now(b)
    Say("space plays", there > 5, there)
    b.key(" ", "Space", " ")
    first = Now(b)
    b.js("new Promise(done => setTimeout(done, 200))")
    Say("space pauses", Now(b) == first)
    b.js("document.getElementById('play').click(); clearway.setSpeed(100)")
    b.js("new Promise(done => { const f = () => clearway.state.playing ? setTimeout(f, 20) : done();"
         " f(); })")
    Say("ends at the end", Now(b) == b.js("clearway.state.span"))


def steps_by_keys(b):
    b.open("square.html")
    b.js("clearway.seek(100)")
    b.key("ArrowRight")
    Say("one step on", Now(b) == 101, Now(b))
    b.key("ArrowLeft")
    b.key("ArrowLeft")
    Say("two back", Now(b) == 99, Now(b))
    b.key("]", "BracketRight", "]")
    end = Now(b)
    b.key("]", "BracketRight", "]")
    Say("phase by phase", Now(b) > end > 99)
    b.key("[", "BracketLeft", "[")
    Say("and back", Now(b) == end)


def scrubs_with_the_mouse(b):
    b.open("square.html")
    x, y, width, height = Line(b)
    b.drag([(x + width * 0.2, y + height - 25), (x + width * 0.4, y + height - 25),
            (x + width * 0.75, y + height - 25)])
    there = Now(b) / b.js("clearway.state.span")
    Say("the playhead follows", abs(there - 0.75) < 0.01, there)
    b.mouse("mouseWheel", x + width / 2, y + height - 25, deltaX=0, deltaY=-100)
    b.frames()
    Say("the wheel zooms", b.js("clearway.shown[0].timeline.to - clearway.shown[0].timeline.from") <
        b.js("clearway.state.span"))
    b.mouse("mouseMoved", *b.js("(s => { const r = s.canvas.getBoundingClientRect(), p = s.places[0];"
                                "return [r.x + p.x + 5, r.y + 24 + s.row / 2]; })"
                                "(clearway.shown[0].stage)"))
    tip = b.js("document.getElementById('tip').textContent")
    Say("a cell tells what it holds", tip.startswith("matrix (0, 0), bank 0: "), tip)


def any_moment_is_the_replay_of_all_before(b):
    """Jumps go by checkpoints: memory must be as if every step had been taken."""
    b.open("square.html")
    wrong = b.js("""(() => {
        const {player} = clearway.shown[0], {run} = player; let wrong = 0, x = 1;
        player.gap = 500;
        for (let k = 0; k < 60; k++) {
            x = (x * 48271) % 2147483647;
            const to = x % (run.records + 1), memory = run.first.slice();
            player.goto(to);
            for (let a = 0; a < run.start[to]; a++)
                if (run.lane[a] & 1) memory[run.cell[a]] = run.word[a];
            if (memory.some((y, at) => y !== player.memory[at])) wrong++;
        }
        return player.checkpoints.length < 20 ? -1 : wrong; })()""")
    Say("memory after a jump", wrong == 0, wrong)


def lights_dirty_rows(b):
    b.open("square.html", dark=True)
    b.key("z", "KeyZ", "z")
    b.js("clearway.seek(clearway.shown[0].player.phases[0].bands[3].end)")
    b.frames()
    rows = b.js("clearway.shown[0].stage.dirt.rows")
    Say("theorem 1: one dirty row", rows <= 1, rows)
    b.js("clearway.seek(0)")
    b.frames()
    Say("all dirty at first", b.js("clearway.shown[0].stage.dirt.rows") == 32)
    b.js("clearway.seek(1112)")
    Shot(b, "dark")


def compares_two_runs(b):
    Tool("model", "sort-square", "-w", "32", "-m", "32", "--trace", "a.cwt")
    said = json.loads(Tool("model", "bitonic", "-w", "32", "-m", "32", "--trace", "b.cwt", "--json"))
    Tool("view", "a.cwt", "b.cwt", "-o", "two.html")
    b.open("two.html", width=1500, height=860)
    Say("two runs", b.js("clearway.shown.length") == 2)
    Say("side by side", Line(b, 0)[0] < Line(b, 1)[0] and abs(Line(b, 0)[2] - Line(b, 1)[2]) < 2)
    tall = b.js("clearway.shown.map(({stage}) => stage.height)")
    Say("stages are of one height", tall[0] == tall[1] > 300, tall)
    Say("conflicts agree", b.js("clearway.shown[1].player.run.conflictCount") == said["conflicts"])
    b.js("clearway.seek(3000)")
    b.frames()
    one, other = b.js("clearway.shown.map(({player}) => player.now)")
    Say("one clock, the shorter waits at its end", one < 2000 and other == 3000, one, other)
    b.key("Home")
    b.key("c", "KeyC", "c")
    b.frames()
    Say("c finds a conflict", b.js("clearway.shown[1].stage.counts.some(k => k > 1)"))
    b.js("clearway.seek(1110)")
    Shot(b, "two")


def fits_a_phone(b):
    for name, dark in (("square", False), ("two", True)):
        b.open(name + ".html", width=390, height=844, scale=2, dark=dark, mobile=True)
        b.js("clearway.seek(600)")
        b.frames()
        wide = b.js("document.documentElement.scrollWidth")
        Say("no sideways scrolling", wide <= 390, wide)
        low = sum(Line(b)[1::2])
        Say("the time line is in sight", low < 844 - b.js("document.getElementById('controls').offsetHeight"), low)
        Shot(b, "phone-" + name)


def shows_kernels_by_source_line(b):
    Tool("view", "--kernel", "cw_sort_radix_p32_scatter_plain", "--source",
         SOURCE, "-o", os.path.abspath("k.html"))
    b.open("k.html")
    Say("lines with conflicts are red", b.js("document.querySelectorAll('tr.over td.over').length") > 0)
    Say("with their source", "sh_" in b.js("document.querySelector('tr.over code').textContent"))
    Shot(b, "kernel")


def an_empty_page_takes_a_trace(b):
    """The page without data, as the build leaves it, and a file chosen by hand."""
    page = os.path.join(os.path.dirname(TOOL), "viewer", "page.html")
    b.open(page)
    Say("asks for one", b.js("!document.getElementById('empty').hidden"))
    node = b.call("Runtime.evaluate", expression="document.getElementById('files')")["result"]
    b.call("DOM.setFileInputFiles", files=[os.path.abspath("a.cwt")], objectId=node["objectId"])
    b.js("new Promise(done => { const f = () => clearway.shown.length ? done() : setTimeout(f, 20);"
         " f(); })")
    Say("and shows it", b.js("clearway.shown[0].player.run.algorithm") == "sort-square")


def no_words_of_a_figure_are_cut_off(b):
    paths = sorted(glob.glob(os.path.join(SOURCE, "docs", "**", "*.svg"), recursive=True))
    for path in paths:
        b.open(path, width=1400, height=2000)
        cut = b.js("(() => { const whole = document.documentElement.getBoundingClientRect(), all = [...document.querySelectorAll('text')];"
                   "return all.filter((t) => { const r = t.getBoundingClientRect(); return r.left < whole.left - 1 || r.right > whole.right + 1 ||"
                   "r.bottom > whole.bottom + 1; }).map((t) => t.textContent); })()")
        Say(os.path.relpath(path, SOURCE), not cut, cut)
    return f"{len(paths)} figures"


def draws_sixty_frames_a_second(b):
    Tool("model", "sort-wide", "-w", "32", "-m", "1024", "--html", "wide.html")
    b.open("wide.html")
    b.js("clearway.setSpeed(80); clearway.play(true)")
    before = b.js("clearway.frameCost()")
    b.js("new Promise(done => setTimeout(done, 2500))")
    after = b.js("clearway.frameCost()")
    frames = after["frames"] - before["frames"]
    cost = (after["spent"] - before["spent"]) / max(1, frames)
    limit = 1000 / 60 * Slack()
    Say("a frame in a 60th of a second", cost < limit, f"{cost:.1f} ms, limit {limit:.1f}")
    Say("frames come", frames > 2.5 * 60 * 0.6 / Slack(), frames)
    Shot(b, "wide")
    return f"{cost:.1f} ms a frame, {frames / 2.5:.0f} frames a second"


def opens_ten_million_accesses_in_three_seconds(b):
    Tool("model", "shearsort", "-w", "64", "-m", "1280", "--html", "big.html")
    b.open("big.html")
    ms, count = b.js("[performance.timing.loadEventEnd - performance.timing.navigationStart,"
                     " clearway.shown[0].player.run.accesses]")
    limit = 3000 * Slack()
    cpu = b.cpu()
    Say("ten million", count > 10_000_000, count)
    Say("without the load, in time", cpu < 3, f"{cpu:.1f} s of a processor")
    Say("opens in time", ms < limit, f"{ms:.0f} ms, limit {limit:.0f}")
    at = b.js("(() => { const t = performance.now(); const {player} = clearway.shown[0];"
              "player.seek(player.run.steps); const u = performance.now(); player.seek(1e5);"
              "return [u - t, performance.now() - u]; })()")
    return f"{count} accesses in {ms:.0f} ms, {1000 * cpu:.0f} of them on a processor; first jump {at[0]:.0f} ms, jump back {at[1]:.0f} ms"


if __name__ == "__main__":
    sys.exit(runner.run(globals(), PROGRAM))
