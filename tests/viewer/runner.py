"""runner.py - what tests in a browser share, and how they are run.

    tests/viewer/NAME.py TOOL BROWSER [FOLDER]     pictures go to FOLDER, if one is named

$CW_TEST in the environment, a part of a name, runs the tests that have it.  A function whose name begins with a capital is not a test; each other takes the browser and returns
what it has to say.
"""

import os
import subprocess
import sys
import tempfile

from browser import Browser

TOOL, PROGRAM = os.path.abspath(sys.argv[1]), sys.argv[2]
PICTURES = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def Tool(*args):
    return subprocess.run([TOOL, *args], check=True, capture_output=True, text=True).stdout


def Shot(b, name):
    if PICTURES:
        b.shot(os.path.join(PICTURES, name + ".png"))


def Say(claim, holds, *details):
    if not holds:
        raise AssertionError(claim + (": " + ", ".join(map(str, details)) if details else ""))


def Now(b):
    b.frames()
    return b.js("clearway.state.now")


def Line(b, which=0):
    """The time line's place on the screen."""
    return b.js(f"(r => [r.x, r.y, r.width, r.height])"
                f"(clearway.shown[{which}].card.line.getBoundingClientRect())")


def Asked(b):
    """Whether the page has asked for a file, now or soon; Page.setInterceptFileChooserDialog is on."""
    for _ in range(100):
        if "Page.fileChooserOpened" in b.events:
            return True
        b.js("new Promise((done) => setTimeout(done, 10))")
    return False


def run(names, program, first=None):
    """first: what all tests need, made in the folder at hand."""
    tests = [f for name, f in names.items()
             if callable(f) and name.islower() and getattr(f, "__module__", "") == "__main__" and
             os.environ.get("CW_TEST", "") in name]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if first:
            first()
        with Browser(program) as b:
            for test in tests:
                b.complaints.clear()
                try:
                    says = test(b)
                    Say("nothing on the console", not b.complaints, *b.complaints)
                    print(f"ok      {test.__name__}" + (f": {says}" if says else ""))
                except AssertionError as why:
                    failed += 1
                    print(f"FAILED  {test.__name__}: {why}")
        os.chdir("/")
    print(f"{len(tests)} tests in a browser, {failed} failed")
    return 1 if failed else 0
