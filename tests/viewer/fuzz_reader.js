/* fuzz_reader.js READER SECONDS SEED TRACE... - the page's reader of traces, on traces that were damaged at random and
 * given a right checksum again: it takes them or refuses them with one of its own errors, at once. */
"use strict";
const fs = require("fs");
const vm = require("vm");

const [reader, seconds, seed, ...files] = process.argv.slice(2);
const readTrace = vm.runInThisContext(fs.readFileSync(reader, "utf8") + "\nreadTrace", { filename: reader });

let state = BigInt(seed);
function below(limit) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(limit));
}

/* The checksum that belongs to the bytes before it. */
function signed(bytes) {
    let sum = 2166136261 | 0;
    const end = bytes.length - 4;
    for (let x = 0; x < end; x++) sum = Math.imul(sum ^ bytes[x], 16777619);
    for (let x = 0; x < 4; x++) bytes[end + x] = (sum >>> (8 * x)) & 255;
    return bytes;
}

/* The head more often than the rest: it says how much room is made. */
function place(bytes) {
    return 8 + below(below(2) ? Math.min(24, bytes.length - 12) : bytes.length - 12);
}

function damaged(trace) {
    let bytes = trace.slice();
    for (let times = 1 + below(4); times > 0 && bytes.length > 16; times--) {
        const at = place(bytes), kind = below(6);
        if (kind === 0) bytes[at] ^= 1 << below(8);
        else if (kind === 1) bytes[at] = below(256);
        else if (kind === 2) bytes.fill(255, at, Math.min(bytes.length, at + 1 + below(9))); /* long numbers */
        else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(5))]);
        else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(below(bytes.length))]);
        else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + below(9), below(256)), bytes.subarray(at)]);
    }
    return bytes.length < 12 ? signed(Buffer.concat([trace.subarray(0, 8), Buffer.alloc(8)])) : signed(bytes);
}

function isSound(run) {
    for (let x = 0; x < run.accesses; x++)
        if (run.cell[x] >= run.w * run.cols || run.lane[x] >> 1 >= run.w || run.site[x] >= run.names.length ||
            run.word[x] >= run.words.count) return false;
    return run.first.length === run.w * run.cols && run.records >= 0;
}

const traces = files.map((file) => fs.readFileSync(file));
for (const trace of traces)
    if (!isSound(readTrace(new Uint8Array(trace)))) throw new Error("a trace as it should be is not read");

const end = Date.now() + 1000 * Number(seconds);
let tried = 0, taken = 0;
while (Date.now() < end) {
    const bytes = damaged(traces[below(traces.length)]), begin = Date.now();
    let said = "", sound = true;
    try {
        sound = isSound(readTrace(new Uint8Array(bytes)));
        taken++;
    } catch (error) {
        said = error.constructor.name + ": " + error.message;
    }
    tried++;
    const slow = Date.now() - begin > 20000;
    if (!sound || slow || (said && !said.startsWith("Error: "))) {
        fs.writeFileSync("bad.cwt", bytes);
        console.log(`seed ${seed}, case ${tried}: ${slow ? "takes long" : said || "reads nonsense"}; it is in bad.cwt`);
        process.exit(1);
    }
}
console.log(`${tried} damaged traces, ${taken} taken, the others refused (seed ${seed})`);
