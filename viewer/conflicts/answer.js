/* answer.js - from a question to its answer, the same as `clearway conflicts --json` gives.
 *
 * A question: { text, block: [x, y, z], defines, if, bytes, i: [from, to] or null, store, machine }.
 */

const REQUESTS_MAX = 65536;
const THREAD_NAMES = [["threadIdx.x", UNSIGNED], ["threadIdx.y", UNSIGNED], ["threadIdx.z", UNSIGNED], ["tid", INT],
    ["lane", INT], ["warp", INT], ["t", INT], ["i", INT], ["blockDim.x", UNSIGNED], ["blockDim.y", UNSIGNED],
    ["blockDim.z", UNSIGNED], ["warpSize", INT]].map(([text, type]) => ({ text, type }));
const NAME_I = 7;

/* An error of the question: which text it is about, at which byte (-1: none), and for which thread. */
class Trouble extends Error {
    constructor(text, at, of, where) {
        super(text);
        Object.assign(this, { at, of: of || "lines", where: where || "" });
    }
}

function inText(of, read) {
    try {
        return read();
    } catch (wrong) {
        throw wrong instanceof Wrong ? new Trouble(wrong.message, wrong.at, of) : wrong;
    }
}

function makeProgram(q, text, kernel) {
    const program = new Program(THREAD_NAMES);
    q.defines.forEach((define) => {
        if (!defineType(program, bytesOf(define))) inText("define", () => program.define(bytesOf(define)));
    });
    inText("lines", () => (kernel ? new Kernel(program, text).readAll(q.array || 0) : new Reader(program, text).read()));
    if (q.if) inText("if", () => program.onlyIf(bytesOf(q.if)));
    const at = program.uses(NAME_I);
    if (!q.i && at >= 0) throw new Trouble("i has no range: give one, --i LO:HI", at);
    return program;
}

/* Lines with a shared array that say more than lines may are tried as a kernel. */
function programOf(q, text) {
    const shared = text.includes("__shared__"), kernel = shared && isKernel(text);
    try {
        return makeProgram(q, text, kernel);
    } catch (trouble) {
        if (!(trouble instanceof Trouble) || !shared || kernel || trouble.of !== "lines") throw trouble;
        try {
            return makeProgram(q, text, true);
        } catch (again) {
            throw again instanceof Trouble ? trouble : again;
        }
    }
}

/* ---- requests ----------------------------------------------------------------- */

function valuesOf(q, m, t, lane, warp, i) {
    const [x, y, z] = q.block;
    return [t % x, Math.floor(t / x) % y, Math.floor(t / x / y), t, lane, warp, t, i, x, y, z, m.lanes];
}

function askOf(q, p, program, access, warp, i, threads) {
    const m = p.machine, { bytes, offset, writes } = program.accesses[access];
    const a = { access, warp, i, bytes: bytes || p.bytes, offset: offset || 0, write: Boolean(q.store) || writes, asks: new Uint8Array(64), index: new Float64Array(64) };
    let some = false;
    for (let lane = 0; lane < m.lanes && warp * m.lanes + lane < threads; lane++) {
        const t = warp * m.lanes + lane, where = () => "t = " + t + (q.i ? ", i = " + i : "");
        let x;
        try {
            x = program.element(valuesOf(q, m, t, lane, warp, i), access);
        } catch (wrong) {
            throw wrong instanceof Wrong ? new Trouble(wrong.message, wrong.at, "lines", where()) : wrong;
        }
        if (x === null) continue;
        if (x < 0) throw new Trouble("the index is negative: " + x, -1, "lines", where());
        if (x >= 4294967296 / p.bytes) throw new Trouble("index " + x + " is beyond 4 GiB", -1, "lines", where());
        if ((Number(x) * p.bytes) % a.bytes)
            throw new Trouble("byte " + Number(x) * p.bytes + " of the array is no multiple of " + a.bytes, -1, "lines", where());
        a.asks[lane] = 1;
        a.index[lane] = Number(x);
        some = true;
    }
    return some ? a : null;
}

/* Of a kernel: lanes of a warp ask together if they are at the same access in the same round of its loops. */
function gather(q, p, program, text, warp, i, threads) {
    const m = p.machine, found = new Map();
    for (let lane = 0; lane < m.lanes && warp * m.lanes + lane < threads; lane++) {
        const t = warp * m.lanes + lane, where = "t = " + t + (q.i ? ", i = " + i : "");
        const refuse = (says) => { throw new Trouble(says, -1, "lines", where); };
        const asked = (access, loops, round, x) => {
            const key = access + ":" + round, { bytes, offset, writes } = program.accesses[access];
            let a = found.get(key);
            if (!a) {
                if (p.asks.length === REQUESTS_MAX) refuse("more than 65536 requests in all accesses");
                a = { access, warp, i, loops, round, bytes: bytes || p.bytes, offset: offset || 0, write: Boolean(q.store) || writes,
                    asks: new Uint8Array(64), index: new Float64Array(64) };
                found.set(key, a);
                p.asks.push(a);
            }
            if (x < 0) refuse("the index is negative: " + x);
            if (x >= 4294967296 / p.bytes) refuse("index " + x + " is beyond 4 GiB");
            if ((Number(x) * p.bytes) % a.bytes) refuse("byte " + Number(x) * p.bytes + " of the array is no multiple of " + a.bytes);
            a.asks[lane] = 1;
            a.index[lane] = Number(x);
        };
        try {
            runThread(program, text, valuesOf(q, m, t, lane, warp, i), asked);
        } catch (wrong) {
            throw wrong instanceof Wrong ? new Trouble(wrong.message, wrong.at, "lines", where) : wrong;
        }
    }
}

function byAccess(a, b) {
    if (a.access !== b.access) return a.access - b.access;
    if (a.i !== b.i) return a.i - b.i;
    for (let k = 0; k < a.round.length; k++) if (a.round[k] !== b.round[k]) return a.round[k] - b.round[k];
    return a.warp - b.warp;
}

function runKernel(q, p, program, text, from, to, warps, threads) {
    for (let i = from; i < to; i++) for (let warp = 0; warp < warps; warp++) gather(q, p, program, text, warp, i, threads);
    p.asks.sort(byAccess);
    Object.assign(p, { kernel: true, name: program.array.name.text, arrays: program.arrays, notes: program.notes,
        lines: program.accesses.map(({ at }) => lineOf(text, at)) });
    const [note] = program.notes;
    if (!p.asks.length) throw new Trouble(note ? causeOf(note) : "no lane asks for anything", note ? note.at : -1);
    return p;
}

const lineOf = (text, at) => text.slice(0, at).split("\n").length;

function patternOf(q, text) {
    const program = programOf(q, text), machine = MACHINES.find(({ name }) => name === q.machine);
    const threads = q.block[0] * q.block[1] * q.block[2], warps = Math.ceil(threads / machine.lanes);
    const [from, to] = q.i || [0, 1];
    if (program.array && q.bytes) throw new Trouble("--bytes is not for an array: its type says it", -1);
    if (!program.steps.length && program.accesses.length * warps * (to - from) > REQUESTS_MAX)
        throw new Trouble("more than 65536 requests in all accesses", -1);
    const p = { machine, bytes: program.array ? program.array.bytes : q.bytes || 4, wide: 0, reads: 0, writes: 0,
        size: program.array ? program.array.size : [], accesses: program.accesses.length, asks: [] };
    for (const { writes, bytes } of program.accesses) {
        p[q.store || writes ? "writes" : "reads"]++;
        p.wide = Math.max(p.wide, bytes || p.bytes);
    }
    if (program.steps.length) return runKernel(q, p, program, text, from, to, warps, threads);
    for (let access = 0; access < p.accesses; access++)
        for (let i = from; i < to; i++)
            for (let warp = 0; warp < warps; warp++) {
                const a = askOf(q, p, program, access, warp, i, threads);
                if (a) p.asks.push(a);
            }
    if (!p.asks.length) throw new Trouble("no lane asks for anything", -1);
    return p;
}

/* ---- prices ---------------------------------------------------------------------- */

const placesOf = (p, a) => a.index.map((x) => x * p.bytes + a.offset);
const priceOf = (p, a) => wavefrontsOf(p.machine, a.bytes, a.write, a.asks, placesOf(p, a));

function memoryOf(p) {
    if (p.size.length && p.size[0]) return p.size.reduce((all, x) => all * x, p.bytes);
    let last = 0;
    for (const a of p.asks) a.index.forEach((x, lane) => {
        if (a.asks[lane]) last = Math.max(last, x * p.bytes + Math.max(a.bytes, p.bytes));
    });
    return last;
}

function totalOf(p) {
    const out = { wavefronts: 0, ideal: 0, memory: memoryOf(p), worst: 0, worstTakes: 0, worstIdeal: 0 };
    p.asks.forEach((a, k) => {
        const [takes, ideal] = priceOf(p, a), excess = out.worstTakes - out.worstIdeal;
        out.wavefronts += takes;
        out.ideal += ideal;
        if (k === 0 || takes - ideal > excess || (takes - ideal === excess && takes > out.worstTakes))
            Object.assign(out, { worst: k, worstTakes: takes, worstIdeal: ideal });
    });
    return out;
}

/* ---- fixes ------------------------------------------------------------------------- */

function fixOf(q, text, p, now, swizzle) {
    const { change, tried } = searchChange(p, now, swizzle);
    if (!change) return { tried };
    const changed = changedText(q, text, p, change);
    let then;
    try {
        then = totalOf(patternOf(q, changed));
    } catch (trouble) {
        if (trouble instanceof Trouble) return { tried, unwritten: true };
        throw trouble;
    }
    if (then.wavefronts >= now.wavefronts) return { tried };
    const array = p.size.length && change.every ? declarationOf(q, changed) : null;
    return { tried, change, text: changed, price: then, array: array !== null && array !== declarationOf(q, text) ? array : null };
}

function swizzleIsBetter(padding, swizzle, now) {
    if (!padding.change || !swizzle.change) return Boolean(swizzle.change);
    if (padding.price.wavefronts !== swizzle.price.wavefronts)
        return swizzle.price.wavefronts < padding.price.wavefronts;
    return padding.price.memory > now.memory + Math.floor(now.memory / 8) &&
        swizzle.price.memory < padding.price.memory;
}

/* Comments and pragmas become spaces, so that columns stay what they are. */
const blankComments = (text) => text.replace(/\/\/[^\n]*|#pragma[^\n]*|\/\*[^]*?(\*\/|$)/g, (x) => " ".repeat(x.length));

const tidy = (text, kernel) => kernel ? text.replace(/[ \t\v-\r]/g, " ").replace(/[ \n]+$/, "") : text.replace(/[ \t-\r]/g, " ").replace(/^ +| +$/g, "");

/* All that is known: pattern, price, collisions of the worst request, fixes. */
function answer(q) {
    const lines = blankComments(bytesOf(q.text)), pattern = patternOf(q, lines), text = tidy(lines, pattern.kernel);
    const price = totalOf(pattern), worst = pattern.asks[price.worst];
    const collisions = collisionsOf(pattern.machine, worst.bytes, worst.write, worst.asks, placesOf(pattern, worst));
    const out = { text, pattern, price, worst, collisions, fix: { tried: 0 }, other: { tried: 0 } };
    if (price.wavefronts === price.ideal) return out;
    const padding = fixOf(q, text, pattern, price, false), swizzle = fixOf(q, text, pattern, price, true);
    const first = swizzleIsBetter(padding, swizzle, price);
    return Object.assign(out, { fix: first ? swizzle : padding, other: first ? padding : swizzle,
        paddings: padding.tried, swizzles: swizzle.tried, unwritten: padding.unwritten || swizzle.unwritten });
}

/* ---- as the tool prints it with --json ------------------------------------------------ */

const jsonPrice = (p) => ({ wavefronts: p.wavefronts, ideal: p.ideal, excess: p.wavefronts - p.ideal, memory: p.memory });

function jsonFix({ change, text, price, array }) {
    if (!change) return null;
    const { every, pad, shift, mask, left } = change;
    return { kind: every ? "padding" : "swizzle", expression: text, ...(array ? { array } : {}), ...jsonPrice(price),
        ...(every ? { every, pad } : { shift, mask, left }) };
}

function jsonOfOne(q) {
    const a = answer(q), { pattern: p, worst } = a;
    return { expression: a.text, machine: p.machine.name, access: !p.writes ? "read" : p.reads ? "read and write" : "write", bytes: p.bytes,
        requests: p.asks.length, ...jsonPrice(a.price),
        worst: { warp: worst.warp, ...(p.accesses > 1 ? { access: worst.access } : {}), ...(q.i ? { i: worst.i } : {}),
            ...(worst.loops ? { rounds: worst.round.slice(0, worst.loops) } : {}),
            wavefronts: a.price.worstTakes, ideal: a.price.worstIdeal,
            collisions: a.collisions.map(({ bank, lanes, words }) => ({ bank, lanes, words })) },
        fix: jsonFix(a.fix), other_fix: jsonFix(a.other), ...(p.kernel ? kernelOf(a) : {}) };
}

/* What each access costs, and what was assumed. */
function costsOf(p) {
    return p.lines.map((line, k) => {
        const asks = p.asks.filter(({ access }) => access === k), prices = asks.map((a) => priceOf(p, a));
        return { line, requests: asks.length, wavefronts: prices.reduce((sum, [x]) => sum + x, 0), ideal: prices.reduce((sum, [, x]) => sum + x, 0) };
    });
}

function kernelOf({ pattern: p, text }) {
    return { array: p.name, accesses: costsOf(p), notes: p.notes.map((n) => ({ line: lineOf(text, n.at), text: n.text })) };
}

function jsonOf(q) {
    const first = jsonOfOne({ ...q, array: 0 }), { arrays } = patternOf({ ...q, array: 0 }, blankComments(bytesOf(q.text)));
    if (!(arrays > 1)) return first;
    return { arrays: [first].concat(Array.from({ length: arrays - 1 }, (_, k) => jsonOfOne({ ...q, array: k + 1 }))) };
}
