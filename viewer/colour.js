/* colour.js - what a word looks like: by its rank among the keys of the input, or as 0 or 1. */

/* Dark violet to yellow, evenly bright to the eye and free of red, which is for conflicts. */
const RAMP = [[59, 28, 98], [64, 60, 143], [46, 100, 158], [32, 136, 156], [38, 170, 140],
              [98, 200, 106], [176, 221, 66], [252, 231, 60]];

function ramp(x) {
    const at = Math.min(Math.max(x, 0), 1) * (RAMP.length - 1);
    const low = Math.min(Math.floor(at), RAMP.length - 2), part = at - low;
    return RAMP[low].map((a, c) => Math.round(a + (RAMP[low + 1][c] - a) * part));
}

const packed = ([r, g, b], a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;

function parsed(css) {
    const hex = css.trim().replace("#", "");
    return [0, 2, 4].map((x) => parseInt(hex.slice(x, x + 2), 16));
}

/* Colours of the page as the theme has them. */
function palette() {
    const style = getComputedStyle(document.documentElement);
    const p = {};
    for (const name of ["paper", "ink", "soft", "line", "faint", "panel", "read", "write", "bad", "lit",
                        "lit-zero", "one", "zero", "other"])
        p[name] = style.getPropertyValue("--" + name).trim();
    return p;
}

/* The rank of every key of the input, from 0 to 1; equal keys are one id. */
function rankKeys(run) {
    const { words, keys } = run;
    const order = new Uint32Array(keys).map((_, x) => x);
    order.sort((a, b) => words.high[a] - words.high[b] || words.low[a] - words.low[b]);
    const count = new Uint32Array(keys);
    const { w, m, cols } = run;
    for (let row = 0; row < w; row++)
        for (let col = 0; col < m; col++) count[run.first[row * cols + col]]++;
    const rank = new Float64Array(keys);
    let before = 0;
    for (const id of order) {
        rank[id] = (before + (count[id] - 1) / 2) / Math.max(1, w * m - 1);
        before += count[id];
    }
    run.distinct = keys;
    return rank;
}

/* A colour for every id.  Words that are no keys (counters, pointers) are grey, junk is nothing. */
function keyColours(run, p) {
    const lut = new Uint32Array(run.words.count).fill(packed(parsed(p.other)));
    for (let id = 0; id < run.keys; id++) lut[id] = packed(ramp(run.rank[id]));
    if (run.junk >= run.keys) lut[run.junk] = 0;
    return lut;
}

/* 0, 1, or 2 for what is no key; `share` of the keys, the largest, are ones. */
function marks(run, share) {
    const lut = new Uint8Array(run.words.count).fill(2);
    const two = run.distinct === 2; /* a 0-1 input: no cut to choose */
    for (let id = 0; id < run.keys; id++) {
        const other = run.distinct === 2 ? 1 - id : 0;
        lut[id] = (two ? run.rank[id] > run.rank[other] : run.rank[id] > 1 - share) ? 1 : 0;
    }
    return lut;
}
