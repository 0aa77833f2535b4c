/* text.js - the lines with a change of layout in them, as cli/conflicts/conflicts_text.c writes them. */

const trimmed = (all, s) => {
    let { at, length } = s;
    for (; length && all[at] === " "; at++) length--;
    while (length && all[at + length - 1] === " ") length--;
    return { at, length };
};

const textOf = (all, s) => all.slice(s.at, s.at + s.length);
const operand = (text, level, least) => (level >= least ? text : "(" + text + ")");

function indexText(text, level, c) {
    const outer = text[0] === "-" ? LEVEL.conditional : level;
    if (c.every)
        return operand(text, outer, LEVEL.sum) + " + " + operand(text, level, LEVEL.product) +
            (c.every > 1 ? " / " + c.every : "") + (c.pad > 1 ? " * " + c.pad : "");
    return operand(text, outer, LEVEL.unary) + (c.left ? " ^ ((" : " ^ (") + operand(text, outer, LEVEL.unary) +
        " >> " + c.shift + " & " + c.mask + (c.left ? ") << " + c.left : "") + ")";
}

/* column ^ ((row >> s & mask) << left), without the parts that do nothing. */
function columnText(all, access, p, c) {
    const last = access.index.length - 1, rows = p.size[last - 1];
    const row = textOf(all, trimmed(all, access.text[last - 1]));
    const column = textOf(all, trimmed(all, access.text[last]));
    const shift = c.shift - Math.log2(p.size[last]);
    const masks = !rows || Math.floor((rows - 1) / Math.pow(2, shift)) > c.mask;
    const alone = !shift && !masks && !c.left, inner = c.left && (shift || masks);
    return operand(column, access.index[last].level, LEVEL.unary) + (alone ? " ^ " : " ^ (") + (inner ? "(" : "") +
        operand(row, access.index[last - 1].level, LEVEL.unary) + (shift ? " >> " + shift : "") +
        (masks ? " & " + c.mask : "") + (c.left ? (inner ? ") << " : " << ") + c.left : "") + (alone ? "" : ")");
}

/* The size that a padding makes larger, and by how much. */
function largerDim(p, c) {
    let inside = 1, d = p.size.length - 1;
    while (d > 1 && inside * p.size[d] !== c.every) inside *= p.size[d--];
    return { d, by: Math.floor(c.pad / inside) };
}

function sizeText(all, array, p, c, d) {
    if (!c.every || (array.size.length === 1 && !array.size[0])) return null;
    let by;
    if (array.size.length === 1) by = applyChange(c, array.size[0] - 1) + 1 - array.size[0];
    else {
        const larger = largerDim(p, c);
        if (larger.d !== d) return null;
        by = larger.by;
    }
    const was = textOf(all, trimmed(all, array.text[d]));
    return was === String(array.size[d]) ? String(array.size[d] + by) : was + " + " + by;
}

function subscriptText(all, access, p, c, d) {
    if (p.size.length < 2) return indexText(textOf(all, trimmed(all, access.text[0])), access.index[0].level, c);
    return c.every || d !== access.index.length - 1 ? null : columnText(all, access, p, c);
}

function changedText(q, all, p, c) {
    const program = programOf(q, all), { array } = program;
    let out = "", done = 0;
    const change = (span, text) => {
        if (text === null) return;
        const s = trimmed(all, span);
        if (s.at < done) return; /* += reads and writes there: it was changed for the one */
        out += all.slice(done, s.at) + text;
        done = s.at + s.length;
    };
    if (array) array.text.forEach((s, d) => change(s, sizeText(all, array, p, c, d)));
    for (const access of program.accesses)
        access.text.forEach((s, d) => change(s, subscriptText(all, access, p, c, d)));
    return out + all.slice(done);
}

/* t[32][33] */
function declarationOf(q, all) {
    const { array } = programOf(q, all);
    return array.name.text + array.text.map((s) => "[" + textOf(all, trimmed(all, s)) + "]").join("");
}
