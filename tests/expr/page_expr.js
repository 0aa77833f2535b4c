/* page_expr.js FILE SOURCE - does the page read and reckon expressions as the library does?
 *
 * A line of FILE: seed, the bytes of the text in hexadecimal, "value X" or "error AT TEXT", and the
 * values of the names, all separated by tabs.  Names and types are those of expr_tree.h.
 */
"use strict";
const fs = require("fs");
const [file, source] = process.argv.slice(2);
const { parseExpression, evaluate, Wrong } = require("./page_load.js")(source);
const names = [["t", 0], ["threadIdx.x", 1], ["warp", 2], ["i", 0], ["size", 3]].map(([text, type]) => ({ text, type }));

function outcome(text, values) {
    try {
        return "value " + evaluate(parseExpression(text, 0, text.length, names), values);
    } catch (wrong) {
        if (!(wrong instanceof Wrong)) throw wrong;
        return "error " + wrong.at + " " + wrong.message;
    }
}

let count = 0, wrong = 0;
for (const line of fs.readFileSync(file, "latin1").split("\n").slice(0, -1)) {
    const [seed, hex, want, ...values] = line.split("\t");
    const text = Buffer.from(hex, "hex").toString("latin1");
    const got = outcome(text, values.map(BigInt));
    count++;
    if (got === want || wrong > 4) continue;
    wrong++;
    console.log("seed " + seed + ": " + JSON.stringify(text) + "\n  page    " + got + "\n  library " + want);
}
console.log(count + " expressions, " + (wrong ? "the page differs" : "page and library agree"));
process.exit(wrong || count < 1000 ? 1 : 0);
