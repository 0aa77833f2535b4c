"""reach.py - every control of every kind of page, by the tab key, by finger and by mouse.

    tests/viewer/reach.py TOOL BROWSER

On a desktop and on a phone held either way.  Controls are found on the page, not named here, so a new one is asked too.
"""

import sys

import runner
from pages import FLAT, Pages, PHONE
from runner import Asked, PROGRAM, Say

SIZES = {"desktop": {}, "phone": PHONE, "phone on its side": FLAT}

# Visible, enabled, and not behind an open dialogue.
CONTROLS = """((kinds) => { const open = document.querySelector('dialog[open]');
    return [...(open || document).querySelectorAll(kinds)].filter((n) => !n.disabled &&
        n.checkVisibility({ checkVisibilityCSS: true }) && n.getClientRects().length); })"""
ALL = "'a[href], button, input, select, textarea, summary, [tabindex=\"0\"]'"

# What has the focus is noted, and whether something lies over it.
WATCH = """(() => { window.visited = new Set(); window.hidden = [];
    const seen = (n) => { const r = n.getClientRects()[0], x = r.x + r.width / 2, y = r.y + Math.min(r.height / 2, 16),
            over = document.elementFromPoint(x, y); return over && (n === over || n.contains(over) || over.contains(n)); };
    document.activeElement.blur();
    document.addEventListener('focusin', ({ target }) => { if (visited.has(target)) return;
        visited.add(target); if (!seen(target)) hidden.push(target.outerHTML.slice(0, 80)); }); })()"""



def Tab(b, what):
    """Through the whole page, and a little further: the first stops come again after the last."""
    count = b.js(f"{CONTROLS}({ALL}).length")
    Say(what + ": has controls", count > 0)
    b.js(WATCH)
    for _ in range(count + 6):
        b.key("Tab")
    missed, hidden = b.js(f"[{CONTROLS}({ALL}).filter((n) => !visited.has(n)).map((n) => n.outerHTML.slice(0, 80)), hidden]")
    Say(what + ": the tab key reaches all", not missed, *missed[:5])
    Say(what + ": what has the focus can be seen", not hidden, *hidden[:5])
    return count


def the_tab_key_reaches_every_control_of_every_page(b):
    count = 0
    for name, page in Pages().items():
        for size, how in SIZES.items():
            b.open(page, **how)
            count += Tab(b, f"{name}, {size}")
    for size, how in SIZES.items():
        b.open(Pages()["two runs"], **how)
        b.js("document.getElementById('help').click()")
        count += Tab(b, "help, " + size)
    return f"{count} controls"


# The page as it is before each control: paused at step 100, zeros and ones, zoomed in; nothing told, nothing open.
BEFORE = """(node) => { const byId = (id) => document.getElementById(id), live = window.clearway && clearway.shown && clearway.shown.length;
    if (live) { clearway.play(false); clearway.seek(100); clearway.setSpeed(10); clearway.state.share = 0.3; byId('cut').value = 30;
        clearway.state.extras = true; clearway.setMode(node.id === 'by-mark' ? 'key' : 'mark');
        for (const { timeline } of clearway.shown) timeline.zoom(0, 0.9); }
    if (byId('text')) byId('text').value = 'tid';
    if (byId('copied')) byId('copied').textContent = '';
    if (byId('tip')) byId('tip').hidden = true;
    if (byId('keys') && byId('keys').open && !byId('keys').contains(node)) byId('keys').close();
    for (const n of document.querySelectorAll('#kernel-list button')) n.removeAttribute('aria-current');
    document.activeElement.blur();
    history.replaceState(null, '', location.pathname);
    window.followed = null; }"""

# All that a control may change.
STATE = """() => { const all = (kinds, f) => [...document.querySelectorAll(kinds)].map(f), live = window.clearway && clearway.shown;
    return JSON.stringify([location.hash, document.documentElement.dataset.theme, live && clearway.state,
        live && clearway.shown.map(({ timeline }) => [timeline.from, timeline.to]), all('dialog, details', (n) => n.open),
        all('#tip:not([hidden]), #copied', (n) => n.textContent), all('[aria-current]', (n) => n.dataset.name),
        all('input, textarea, select', (n) => [n.value, n.checked]), window.followed,
        /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) && document.activeElement.dataset.reach]); }"""

# Words of captions and copies of changes first: others put new ones in their place.
PREPARE = f"""(() => {{ window.controls = {CONTROLS}('a[href], button, input, select, textarea, summary, canvas')
        .map((n, k) => (n.dataset.reach = k, n)).sort((a, z) => !a.closest('.caption, #fixes, details') - !z.closest('.caption, #fixes, details'));
    window.addEventListener('click', (event) => {{ const link = event.target.closest('a[href]');
        if (link) {{ event.preventDefault(); window.followed = link.getAttribute('href'); }} }}, true);
    window.stateOf = {STATE};
    window.place = (k) => {{ const n = controls[k]; before(n); n.scrollIntoView({{ block: 'center', inline: 'nearest' }});
        const r = n.getClientRects()[0], x = r.x + r.width * (n.type === 'range' ? 0.75 : 0.5), y = r.y + r.height / 2;
        const over = document.elementFromPoint(x, y); window.was = stateOf();
        return [x, y, n.id, n.outerHTML.slice(0, 80), over === n || n.contains(over) ? null : over ? over.outerHTML.slice(0, 80) : 'nothing']; }};
    window.changed = () => new Promise((done) => {{ let left = 100;
        const look = () => stateOf() !== was ? done(true) : left-- ? setTimeout(look, 5) : done(false); look(); }});
    return controls.length; }})()"""


def Use(b, page, how):
    """Each control once; how many there were."""
    b.js(f"window.before = {BEFORE}; before(document.querySelector('dialog[open] button') || document.body)")
    b.frames()
    count = b.js(PREPARE)
    for k in range(count):
        b.events.clear()
        x, y, name, node, over = b.js(f"place({k})")
        Say(f"{page}: {node} can be hit", not over, over)
        if how:
            b.tap(x, y)
        else:
            b.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
            b.mouse("mouseReleased", x, y, button="left", buttons=0, clickCount=1)
        Say(f"{page}: {node} does something", Asked(b) if name in ("open", "pick") else b.js("changed()"))
        if node.startswith("<select"):
            b.key("Escape") # its list would take the next tap
    return count


def every_control_works_by_finger_and_by_mouse(b):
    b.call("Page.setInterceptFileChooserDialog", enabled=True)
    count = 0
    for name, page in Pages().items():
        for size, how in SIZES.items() if name != "proof" else []: # it has the controls of a run
            b.open(page, **how)
            count += Use(b, f"{name}, {size}", how)
    for size, how in SIZES.items():
        b.open(Pages()["run"], **how)
        b.js("document.getElementById('help').click()")
        count += Use(b, "help, " + size, how)
    b.call("Page.setInterceptFileChooserDialog", enabled=False)
    return f"{count} taps and clicks"


if __name__ == "__main__":
    sys.exit(runner.run(globals(), PROGRAM))
