"""axe.py - accessibility of the page at hand, by checks of our own (lesson.py) and by axe-core (access.py).

axe-core is one script, axe.min.js.  It is looked for at $CW_AXE, in build/axe, where scripts/setup puts it,
and in Python's packages that carry it.  $CW_AXE=none stands for a machine without it.
"""

import glob
import importlib.util
import os

from runner import SOURCE


def Script():
    if os.environ.get("CW_AXE") == "none":
        return None
    places = [os.environ.get("CW_AXE", "")]
    places += glob.glob(os.path.join(SOURCE, "build*", "axe", "**", "axe.min.js"), recursive=True)
    for package in ("axe_playwright_python", "axe_selenium_python"):
        spec = importlib.util.find_spec(package)
        for folder in spec.submodule_search_locations if spec else []:
            places += glob.glob(os.path.join(folder, "**", "axe.min.js"), recursive=True)
    return next((p for p in places if p and os.path.exists(p)), None)


# Names of controls, contrast of text, targets for fingers, ids, the page's language and its order.
OWN = """((small) => {
    const out = [], seen = (n) => n.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    const tell = (n, what) => out.push(what + ': ' + n.outerHTML.slice(0, 90));
    const named = (n) => n.getAttribute('aria-label') || n.getAttribute('aria-labelledby') || n.textContent.trim() ||
        (n.labels && n.labels.length) || n.title;
    for (const n of document.querySelectorAll('button, input, select, textarea, a[href], [tabindex], canvas, svg[role]'))
        if (seen(n) && !named(n)) tell(n, 'has no name');
    for (const n of document.querySelectorAll('[tabindex]')) if (n.tabIndex > 0) tell(n, 'has an order of its own');
    const ids = [...document.querySelectorAll('[id]')].map((n) => n.id);
    for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) out.push('two have the id ' + id);
    if (!document.documentElement.lang || !document.title) out.push('no language, or no title');
    if ([...document.querySelectorAll('main')].filter(seen).length !== 1) out.push('not one main part');
    if ([...document.querySelectorAll('h1')].filter(seen).length > 1) out.push('two first headings');
    for (const n of document.querySelectorAll('button:not(.term), select, summary')) {
        const box = n.getBoundingClientRect();
        if (small && seen(n) && (box.height < 36 || box.width < 24)) tell(n, 'is small for a finger');
    }
    const rgb = (text) => { const x = text.match(/[\\d.]+/g).map(Number); return x.length < 4 ? [...x, 1] : x; };
    const light = ([r, g, b]) => [r, g, b].map((x) => { x /= 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; })
        .reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
    const behind = (n) => { for (; n; n = n.parentElement) { const c = getComputedStyle(n).backgroundColor;
        if (/^rgb/.test(c) && rgb(c)[3] === 1) return rgb(c); } return [255, 255, 255]; };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let t; (t = walker.nextNode());) {
        const n = t.parentElement, style = getComputedStyle(n);
        if (!t.data.trim() || !seen(n) || n.closest('svg, script, :disabled, .unseen') || !/^rgb/.test(style.color)) continue;
        const a = light(rgb(style.color)), b = light(behind(n)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) tell(n, 'contrast ' + ratio.toFixed(2));
    }
    return [...new Set(out)];
})"""


def Findings(b, small=False):
    """What is seriously wrong by checks of our own; small: fingers use it."""
    return b.js(OWN + f"({str(small).lower()})")


def Ask(b, path):
    """What axe-core calls serious or critical."""
    b.js(open(path, encoding="utf-8").read() + "; null")
    return b.js("""axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, impact, nodes }) => 'axe ' + impact + ' ' + id + ': ' + nodes.slice(0, 3).map((n) => n.html.slice(0, 100))))""")
