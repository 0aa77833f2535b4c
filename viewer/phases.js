/* phases.js - marks of finished phases laid out as bands of a time line, a row a level.
 *
 * A mark says that some rows have finished "theorem: what is true now".  Marks with one prefix
 * about groups of about one height make a level, the highest groups the outermost.  A band begins
 * where the one before it on its level ended, or an outer one did, whichever is later.
 */

function levelsOf(marks) {
    const heights = new Map(); /* prefix -> heights of groups */
    for (const p of marks) {
        const at = p.name.indexOf(": ");
        p.prefix = at < 0 ? "" : p.name.slice(0, at);
        p.text = at < 0 ? p.name : p.name.slice(at + 2);
        if (!heights.has(p.prefix)) heights.set(p.prefix, new Set());
        heights.get(p.prefix).add(p.rows);
    }
    const levels = [];
    for (const [prefix, set] of heights) {
        let top = 0;
        for (const rows of [...set].sort((a, b) => b - a)) {
            if (!top || 3 * rows <= top) {
                top = rows;
                levels.push({ prefix, top, least: rows, bands: [] });
            }
            levels[levels.length - 1].least = rows;
        }
    }
    return levels.sort((a, b) => b.top - a.top);
}

function layPhases(run) {
    const levels = levelsOf(run.phases);
    for (let outer = 0; outer < levels.length; outer++) {
        const level = levels[outer];
        let before = null, seen = new Set();
        for (const p of run.phases) {
            if (p.prefix !== level.prefix || p.rows > level.top || p.rows < level.least) continue;
            if (before && before.text === p.text && !seen.has(p.first)) {
                before.end = Math.max(before.end, p.end); /* another group's part of the same */
            } else {
                before = { text: p.text, name: p.name, start: before ? before.end : 0, end: p.end };
                before.groups = 0;
                level.bands.push(before);
                seen = new Set();
            }
            before.groups++;
            seen.add(p.first);
        }
        startAfterOuter(levels, outer);
    }
    return levels.filter((level) => level.bands.length);
}

/* Bands begin where an outer band ended, if that is later, and are counted anew from there. */
function startAfterOuter(levels, inner) {
    let number = 0;
    for (const band of levels[inner].bands) {
        let moved = 0;
        for (let outer = 0; outer < inner; outer++)
            for (const x of levels[outer].bands)
                if (x.end < band.end && x.end > band.start) moved = Math.max(moved, x.end);
        for (let outer = 0; outer < inner; outer++)
            for (const x of levels[outer].bands) if (x.end === band.start) number = 0;
        if (moved) {
            band.start = moved;
            number = 0;
        }
        band.number = ++number;
    }
}

function bandAt(level, t) {
    let low = 0, high = level.bands.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (level.bands[middle].end >= t) high = middle;
        else low = middle + 1;
    }
    const band = level.bands[low];
    return band && band.start < t ? band : null;
}
