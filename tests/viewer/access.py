"""access.py - axe-core finds nothing serious on a page of any kind, on a desktop and on a phone held either way.

    tests/viewer/access.py TOOL BROWSER     exit status 77 where axe-core is not here: nothing was asked
"""

import sys

import runner
from axe import Ask, Script
from pages import FLAT, Pages, PHONE
from runner import PROGRAM, Say

SIZES = {"gallery": (({}, False), (PHONE, True)), "run": (({}, True), (PHONE, False), (FLAT, True)),
         "proof": (({}, False), (FLAT, False)), "two runs": (({}, False), (PHONE, True), (FLAT, False)),
         "kernels": (({}, False), (PHONE, True), (FLAT, False)), "one kernel": (({}, True),),
         "calculator": (({}, True), (PHONE, False)), "no run": (({}, False),)}


def axe_finds_nothing_serious(b):
    asked = 0
    for name, page in Pages().items():
        for size, dark in SIZES[name]:
            b.open(page, dark=dark, **size)
            found = Ask(b, Script())
            Say(f"{name}, {size.get('width', 1280)}, {'dark' if dark else 'light'}", not found, *found[:4])
            asked += 1
    return f"of {asked} pages"


def nor_in_the_help(b):
    b.open(Pages()["run"])
    b.js("document.getElementById('help').click()")
    found = Ask(b, Script())
    Say("the list of keys and words", not found, *found[:4])


def what_is_wrong_is_found(b):
    b.open(Pages()["gallery"])
    b.js("document.body.insertAdjacentHTML('beforeend', '<button></button><p style=\"color: #bbb; background: #fff\">pale</p>')")
    found = Ask(b, Script())
    Say("a button without a name and a pale text", len(found) == 2, *found)


if __name__ == "__main__":
    if not Script():
        print("skipped: axe-core is not here (scripts/setup check fetches it): nobody judged the pages' accessibility by it")
        sys.exit(77)
    sys.exit(runner.run(globals(), PROGRAM))
