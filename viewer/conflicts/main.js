/* main.js - the page: reads the form, answers while one types, and keeps the question in the address. */

const byId = (id) => document.getElementById(id);
const FIELDS = ["text", "block", "defines", "if", "range", "bytes", "machine"];
const EXAMPLES = [
    { text: "__shared__ float t[32][32];\nt[threadIdx.y][threadIdx.x] = in[x];\n__syncthreads();\nout[x] = t[threadIdx.x][threadIdx.y];", block: "32x8" },
    { text: "__shared__ float4 s[32][16];\ns[lane][i];", range: "0:16" },
    { text: "__shared__ int sum[256];\nif (tid < 128 / i) sum[2 * i * tid] += sum[2 * i * tid + i];", block: "128", range: "1:5" },
    { text: "__shared__ half a[64][N];\n*(float4 *)&a[lane][8 * warp] = v;", block: "128", defines: "N=64" },
    { text: "(t % 32) * 32 + t / 32", block: "256" },
    { text: "__global__ void transpose(float *out, const float *in, int width)\n{\n    __shared__ float tile[32][32];\n    int x = blockIdx.x * 32 + threadIdx.x;\n    int y = blockIdx.y * 32 + threadIdx.y;\n\n    for (int j = 0; j < 32; j += 8)\n        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];\n    __syncthreads();\n    x = blockIdx.y * 32 + threadIdx.x;\n    y = blockIdx.x * 32 + threadIdx.y;\n    for (int j = 0; j < 32; j += 8)\n        out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];\n}", block: "32x8" },
];
let timer = 0, lastTook = 0;

/* ---- the question --------------------------------------------------------------- */

/* An error of a field that is not the lines. */
class FieldTrouble extends Error {
    constructor(field, text) {
        super(text);
        this.field = field;
    }
}

function blockOf(text, machine) {
    if (!text.trim()) return [machine.lanes, 1, 1];
    const parts = /^(\d+)(?:x(\d+))?(?:x(\d+))?$/.exec(text.replace(/[\s]/g, "").replace(/[,×*]/g, "x"));
    const block = parts && parts.slice(1).map((x) => Number(x || 1));
    if (!block || block.some((x) => x < 1)) throw new FieldTrouble("block", "a block is like 32x8");
    if (block[0] * block[1] * block[2] > 1024) throw new FieldTrouble("block", "a block has at most 1024 threads");
    return block;
}

function rangeOf(text) {
    if (!text.trim()) return null;
    const parts = /^(-?\d+):(-?\d+)$/.exec(text.replace(/\s/g, ""));
    const range = parts && parts.slice(1).map(Number);
    if (!range || range.some((x) => Math.abs(x) > 2147483648)) throw new FieldTrouble("range", "a range is like 0:32");
    if (range[0] >= range[1]) throw new FieldTrouble("range", "i goes from the first number to the second, less one");
    return range;
}

function questionOf() {
    const value = (id) => byId(id).value;
    const machine = MACHINES.find(({ name }) => name === value("machine"));
    return { text: value("text"), block: blockOf(value("block"), machine), i: rangeOf(value("range")),
        defines: value("defines").split(/[\s,]+/).filter(Boolean), if: value("if").trim() || null,
        bytes: Number(value("bytes")), store: byId("store").checked, machine: machine.name };
}

function fill(values) {
    for (const id of FIELDS) byId(id).value = values[id] || (id === "bytes" ? "0" : id === "machine" ? "nvidia" : "");
    byId("text").rows = Math.max(5, Math.min(18, byId("text").value.split("\n").length));
    byId("store").checked = Boolean(values.store) && values.store !== "0";
}

function remember() {
    const all = new URLSearchParams();
    for (const id of FIELDS) if (byId(id).value && byId(id).value !== "0") all.set(id, byId(id).value);
    if (byId("store").checked) all.set("store", "1");
    history.replaceState(null, "", "#" + all);
}

/* ---- the answer ------------------------------------------------------------------- */

function node(name, attributes, ...children) {
    const out = document.createElement(name);
    for (const key in attributes) out.setAttribute(key, attributes[key]);
    out.append(...children);
    return out;
}

const many = (n, word) => n.toLocaleString("en") + " " + word + (n === 1 ? "" : "s");

/* The line with what differs from the old one marked. */
function markedLine(line, was) {
    let a = 0, z = 0;
    while (a < line.length && line[a] === was[a]) a++;
    while (a && isDigit(line[a] || "") && isDigit(line[a - 1])) a--; /* numbers as a whole */
    while (z < line.length - a && z < was.length - a && line[line.length - 1 - z] === was[was.length - 1 - z]) z++;
    return [line.slice(0, a), line.length - z > a ? node("mark", {}, line.slice(a, line.length - z)) : "", line.slice(line.length - z)];
}

/* The lines, a statement each; of a kernel those that differ, with their numbers. */
function linesOf(text, old, kernel) {
    const pre = node("pre", { tabindex: "0" });
    if (kernel) {
        const before = old.split("\n");
        text.split("\n").forEach((line, k) => {
            if (line !== before[k]) pre.append((k + 1) + ": ", ...markedLine(line.trim(), (before[k] || "").trim()), "\n");
        });
        return pre;
    }
    const split = (x) => x.split(/;\s*/).filter(Boolean), before = split(old);
    split(text).forEach((line, k, all) =>
        pre.append(...markedLine(line, before[k] || ""), (all.length > 1 ? ";" : "") + (k + 1 < all.length ? "\n" : "")));
    return pre;
}

function changeName(fix, p) {
    const c = fix.change;
    if (fix.array) return "Declare " + fix.array;
    if (c.every) return "Pad " + many(c.pad, "element") + " after every " + c.every;
    return p.size.length > 1 ? "Swizzle the last subscript" : "Swizzle the index";
}

function fixNode(fix, a, label) {
    const more = fix.price.memory - a.price.memory;
    const says = label + changeName(fix, a.pattern) + ": " + many(fix.price.wavefronts, "wavefront") + " instead of " +
        a.price.wavefronts.toLocaleString("en") + ", " +
        (more ? many(Math.abs(more), "byte") + (more > 0 ? " more" : " less") : "no more memory") +
        (fix.price.wavefronts > fix.price.ideal ? " (the fewest that were found, not the ideal)" : "");
    const { kernel } = a.pattern, pre = linesOf(fix.text, a.text, kernel), copy = node("button", { type: "button" }, "copy");
    pre.setAttribute("aria-label", "lines with the change");
    copy.addEventListener("click", () => copyText(kernel ? fix.text : pre.textContent, "copied"));
    return node("div", { class: "fix" }, node("div", { class: "row" }, node("p", {}, says), copy), pre);
}

/* Of all arrays; `a` is the answer about the one that loses most. */
function showFixes(all, a) {
    const place = byId("fixes"), sum = (key) => all.reduce((x, { price }) => x + price[key], 0);
    const ratio = sum("wavefronts") / sum("ideal"), free = ratio === 1;
    byId("verdict").textContent = free ? "No conflicts: nothing to change"
        : "Conflicts: it takes " + (ratio >= 10 ? Math.round(ratio) : ratio.toFixed(ratio % 1 ? 1 : 0)) + " times as long as it should";
    byId("verdict").className = free ? "free" : "bad";
    place.replaceChildren();
    for (const one of all) {
        const ideal = one.price.wavefronts === one.price.ideal, name = all.length > 1 ? one.pattern.name + ": " : "";
        if (all.length > 1 && ideal && !free) place.append(node("p", {}, name + "no conflicts"));
        if (!ideal && !one.fix.change)
            place.append(node("p", {}, name + "no padding and no swizzle helps (" + one.paddings + " and " + one.swizzles + " were tried)."));
        if (one.fix.change) place.append(fixNode(one.fix, one, name));
        if (one.other.change && one.other.price.wavefronts === one.fix.price.wavefronts) place.append(fixNode(one.other, one, name + "or: "));
    }
    for (const n of a.pattern.notes || [])
        place.append(node("p", { class: "note" }, "Line " + lineOf(a.text, n.at) + ": " + n.text));
}

/* Of a kernel: what each line costs. */
function showAccesses(all) {
    const rows = all.filter(({ pattern }) => pattern.kernel).flatMap((a) => costsOf(a.pattern).map((c) => ({ ...c, a })));
    rows.sort((x, y) => x.line - y.line);
    byId("by-line").hidden = !rows.length;
    byId("accesses").replaceChildren(...rows.map(({ line, requests, wavefronts, ideal, a }) => node("tr", {},
        node("td", {}, String(line)), node("td", {}, node("code", {}, a.text.split("\n")[line - 1].trim())),
        ...[requests, wavefronts, ideal].map((x) => node("td", {}, x.toLocaleString("en"))))));
}

function showNumbers(a) {
    const { price, pattern } = a;
    const rows = [...(pattern.kernel ? [["array", pattern.name]] : []), ["requests", pattern.asks.length], ["wavefronts", price.wavefronts], ["ideal", price.ideal],
        ["worst request", price.worstTakes], ["bytes of an element", pattern.bytes], ["memory, bytes", price.memory]];
    byId("numbers").replaceChildren(...rows.map(([name, x]) =>
        node("div", {}, node("dt", {}, name), node("dd", {}, x.toLocaleString("en")))));
}

/* "0-31", "0, 32, .. 992" */
function listOf(x) {
    const step = x[1] - x[0], even = x.every((y, k) => k === 0 || y - x[k - 1] === step);
    if (x.length > 2 && even && step === 1) return x[0] + "-" + x[x.length - 1];
    if (x.length > 4 && even) return x[0] + ", " + x[1] + ", .. " + x[x.length - 1];
    return x.length > 12 ? x.slice(0, 12).join(", ") + ", .." : x.join(", ");
}

function showPictures(q, a) {
    const { worst, pattern } = a;
    const which = "warp " + worst.warp + (q.i ? ", i = " + worst.i : "") +
        (pattern.kernel ? ", line " + pattern.lines[worst.access] + (worst.loops ? ", round " + worst.round.slice(0, worst.loops).map((x) => x + 1).join(".") : "")
            : pattern.accesses > 1 ? ", access " + (worst.access + 1) + " of " + pattern.accesses : "");
    const pictures = [pictureOf("Now, " + which, pattern, worst)];
    if (a.fix.change) {
        const then = patternOf(q, a.fix.text);
        const same = then.asks.find((x) => x.warp === worst.warp && x.i === worst.i && x.access === worst.access &&
            String(x.round) === String(worst.round));
        pictures.push(pictureOf("With the change", then, same));
    }
    byId("pictures").replaceChildren(...pictures);
    byId("more").hidden = !a.collisions.length;
    byId("collisions").replaceChildren(...a.collisions.map(({ bank, lanes, words }) => node("tr", {}, node("td", {}, String(bank)),
        node("td", {}, String(words.length)), node("td", {}, listOf(lanes)), node("td", {}, listOf(words)))));
}

/* ---- what is wrong --------------------------------------------------------------------- */

function showTrouble(trouble) {
    for (const id of FIELDS) byId(id).removeAttribute("aria-invalid");
    byId("wrong").hidden = !trouble;
    if (!trouble) return;
    const field = trouble instanceof FieldTrouble ? trouble.field : { define: "defines", if: "if" }[trouble.of] || "text";
    byId(field).setAttribute("aria-invalid", "true");
    let says = (trouble.where ? trouble.where + ": " : "") + trouble.message;
    if (field !== "text") {
        const label = document.querySelector("label[for='" + field + "']").textContent;
        says = label + ": " + says;
    } else if (trouble.at >= 0) {
        const before = bytesOf(byId("text").value).slice(0, trouble.at).split("\n");
        const line = byId("text").value.split("\n")[before.length - 1] || "";
        says += "\n" + line + "\n" + " ".repeat(before[before.length - 1].length) + "^";
    }
    byId("wrong").textContent = says;
    byId("verdict").textContent = "This cannot be read yet";
    byId("verdict").className = "";
    for (const id of ["fixes", "numbers", "pictures", "collisions", "accesses"]) byId(id).replaceChildren();
    byId("more").hidden = byId("by-line").hidden = true;
}

function update() {
    const began = performance.now();
    remember();
    try {
        const q = questionOf(), excess = ({ price }) => price.wavefronts - price.ideal;
        const all = [answer({ ...q, array: 0 })];
        while (all.length < all[0].pattern.arrays) all.push(answer({ ...q, array: all.length }));
        const a = all.reduce((worst, one) => (excess(one) > excess(worst) ? one : worst));
        showTrouble(null);
        showFixes(all, a);
        showNumbers(a);
        showAccesses(all);
        showPictures({ ...q, array: all.indexOf(a) }, a);
        window.clearway = { question: q, answer: jsonOf };
    } catch (trouble) {
        if (!(trouble instanceof Trouble) && !(trouble instanceof FieldTrouble)) throw trouble;
        showTrouble(trouble);
    }
    lastTook = performance.now() - began;
}

async function copyText(text, says) {
    try {
        await navigator.clipboard.writeText(text);
    } catch (refused) { /* pages from files may not; an old way may */
        const area = node("textarea", { "aria-hidden": "true" });
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    byId("copied").textContent = says;
    setTimeout(() => (byId("copied").textContent = ""), 3000);
}

function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
}

/* ---- the beginning ------------------------------------------------------------------------ */

function held() {
    const raw = byId("clearway-question");
    if (!raw) return EXAMPLES[0];
    const bytes = Uint8Array.from(atob(raw.textContent.trim()), (c) => c.charCodeAt(0));
    const q = JSON.parse(new TextDecoder().decode(bytes));
    if (!q.text) return EXAMPLES[0];
    const text = q.text.includes("\n") ? q.text : q.text.replace(/;\s*(?=\S)/g, ";\n"); /* a kernel keeps its lines */
    return { text, block: q.block.join("x").replace(/(x1)+$/, ""),
        defines: q.defines.join(" "), if: q.if, range: q.i, bytes: String(q.bytes), machine: q.machine, store: q.store };
}

function begin() {
    const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    fill(asked.text ? asked : held());
    byId("question").addEventListener("submit", (event) => event.preventDefault());
    byId("question").addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(update, Math.min(2000, 120 + 2 * lastTook));
    });
    for (const button of document.querySelectorAll("[data-example]"))
        button.addEventListener("click", () => {
            fill(EXAMPLES[Number(button.dataset.example)]);
            update();
        });
    byId("theme").addEventListener("click", toggleTheme);
    byId("copy-link").addEventListener("click", () => copyText(location.href, "copied"));
    window.addEventListener("hashchange", () => {
        const now = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
        if (now.text) fill(now);
        update();
    });
    update();
}

begin();
