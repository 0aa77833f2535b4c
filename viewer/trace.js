/* trace.js - a recorded run (docs/trace.md) from bytes to typed arrays.
 *
 * Every access becomes four numbers: its cell (row * cols + column), its lane with the lowest bit
 * for "write", the id of the word that moved, and its site.  Words are 64 bits wide and
 * JavaScript's numbers are not, so equal words share an id: a write of what was read costs nothing,
 * and a colour is one look into a table.  Ids of the first matrix come first.
 */

/* Words <-> ids: a hash table with open addressing over two halves. */
function Words(room) {
    let size = 1 << 10;
    while (size < 2 * room) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
    this.low = new Uint32Array(size);
    this.high = new Uint32Array(size);
    this.count = 0;
}

Words.prototype.id = function (low, high) {
    const mask = this.slots.length - 1;
    let at = (Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask;
    for (let id; (id = this.slots[at]) >= 0; at = (at + 1) & mask)
        if (this.low[id] === low && this.high[id] === high) return id;
    if (2 * this.count >= this.slots.length) {
        this.grow();
        return this.id(low, high);
    }
    this.slots[at] = this.count;
    this.low[this.count] = low;
    this.high[this.count] = high;
    return this.count++;
};

Words.prototype.grow = function () {
    const old = this;
    const next = new Words(this.slots.length);
    for (let x = 0; x < old.count; x++) next.id(old.low[x], old.high[x]);
    Object.assign(this, next);
};

Words.prototype.text = function (id) {
    return String((BigInt(this.high[id]) << 32n) | BigInt(this.low[id]));
};

/* ---- bytes ------------------------------------------------------------------------------- */

function Bytes(bytes) {
    this.b = bytes;
    this.at = 8;
    this.low = this.high = 0;
}

/* A number below 2^53 or so. */
Bytes.prototype.number = function () {
    let x = this.b[this.at++];
    if (x < 128) return x;
    x &= 127;
    for (let digit = 128; ; digit *= 128) {
        const more = this.b[this.at++];
        x += (more & 127) * digit;
        if (!(more >= 128)) return x; /* also past the end */
    }
};

/* A number of 64 bits, into .low and .high. */
Bytes.prototype.word = function () {
    let low = 0, high = 0, shift = 0, byte;
    do {
        byte = this.b[this.at++] | 0;
        const digit = byte & 127;
        if (shift < 32) low |= digit << shift;
        if (shift > 25) high |= shift < 32 ? digit >>> (32 - shift) : digit << (shift - 32);
        shift += 7;
    } while (byte >= 128);
    this.low = low >>> 0;
    this.high = high >>> 0;
};

Bytes.prototype.string = function () {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.b.subarray(this.at - length, this.at));
};

function checkFrame(bytes) {
    const magic = String.fromCharCode(...bytes.subarray(0, 7));
    if (magic !== "CWTRACE") throw new Error("not a trace: it does not begin with CWTRACE");
    if (bytes[7] !== 1) throw new Error("a trace of version " + bytes[7] + "; this page reads 1");
    let sum = 2166136261 | 0;
    const end = bytes.length - 4;
    for (let x = 0; x < end; x++) sum = Math.imul(sum ^ bytes[x], 16777619);
    const said = bytes[end] | (bytes[end + 1] << 8) | (bytes[end + 2] << 16) | (bytes[end + 3] << 24);
    if (sum !== said) throw new Error("the trace is damaged or cut off: its checksum is wrong");
}

/* ---- the head ---------------------------------------------------------------------------- */

const CELLS_MOST = 1 << 25; /* of all arrays: what a page can hold */

/* What a head asks for is in the file, or is refused before room is made for it. */
function checkHead(run, areas, from) {
    if (!(run.w > 0 && run.m > 0 && run.w * run.m <= from.b.length && areas <= from.b.length))
        throw new Error("the trace is damaged: its head tells of more than it holds");
}

function readHead(from) {
    const run = { w: from.number(), m: from.number(), counted: from.number() === 1 };
    run.latency = from.number();
    run.threads = from.number();
    run.seed = from.number();
    run.algorithm = from.string();
    run.input = from.string();
    run.areas = [{ name: "matrix", first: 0, cols: run.m }];
    run.cols = run.m;
    let left = from.number();
    checkHead(run, left, from);
    for (; left > 0; left--) {
        const cols = from.number();
        run.areas.push({ name: from.string(), first: run.cols, cols: cols });
        run.cols += cols;
    }
    from.word();
    const junk = [from.low, from.high];
    const { w, m, cols } = run;
    if (w * cols > CELLS_MOST) throw new Error("the trace has more memory than a page can hold");
    run.words = new Words(w * m + 16);
    run.first = new Int32Array(w * cols);
    for (let col = 0; col < m; col++)
        for (let row = 0; row < w; row++) {
            from.word();
            run.first[row * cols + col] = run.words.id(from.low, from.high);
        }
    run.keys = run.words.count; /* ids below are words of the input */
    run.junk = cols > m ? run.words.id(junk[0], junk[1]) : -1;
    for (let row = 0; row < w && cols > m; row++)
        run.first.fill(run.junk, row * cols + m, (row + 1) * cols);
    return run;
}

/* ---- records ----------------------------------------------------------------------------- */

function longer(array, room) {
    const more = new array.constructor(room);
    more.set(array);
    return more;
}

/* What the records before this one leave behind. */
function Records(run, size) {
    const room = Math.max(1024, size.accesses || 0);
    this.cell = new Uint32Array(room);
    this.lane = new Uint32Array(room); /* 2 * lane + write */
    this.word = new Uint32Array(room);
    this.site = new Uint16Array(room);
    this.count = 0;
    const steps = Math.max(1024, (size.records || 0) + 1);
    this.start = new Uint32Array(steps); /* of a step: its first access */
    this.time = new Float64Array(steps); /* steps, serialised, before it */
    this.conflicts = new Uint32Array(steps); /* of it */
    this.steps = 0;
    this.names = [];
    this.phases = [];
    this.fault = null;
    this.asked = new Uint32Array(run.w); /* the step that last asked this bank, plus 1 */
}

Records.prototype.more = function () {
    const room = 2 * this.cell.length;
    for (const key of ["cell", "lane", "word", "site"]) this[key] = longer(this[key], room);
};

Records.prototype.name = function (from) {
    const id = from.number();
    if (id > this.names.length) throw new Error("the trace uses a name that it did not tell");
    if (id === this.names.length) this.names.push(from.string());
    return id;
};

Records.prototype.endStep = function (run, degree) {
    const s = this.steps++;
    if (s + 1 === this.start.length)
        for (const key of ["start", "time", "conflicts"]) this[key] = longer(this[key], 2 * (s + 1));
    this.start[s + 1] = this.count;
    this.time[s + 1] = this.time[s] + degree;
    if (degree === 1) return;
    let twice = 0;
    for (let x = this.start[s]; x < this.count; x++) {
        const bank = (this.cell[x] / run.cols) | 0;
        if (this.asked[bank] === s + 1) twice++;
        this.asked[bank] = s + 1;
    }
    this.conflicts[s] = twice;
};

Records.prototype.other = function (run, from, type) {
    if (type === 0) this.endStep(run, 1);
    else if (type === 1) this.endStep(run, from.number());
    else if (type === 2) {
        const p = { first: from.number(), stride: from.number(), rows: from.number() };
        p.column = from.number();
        p.cols = from.number();
        p.name = this.names[this.name(from)];
        p.end = this.time[this.steps];
        this.phases.push(p);
    } else if (type === 3) this.fault = from.string();
    else if (type === 4) {
        const steps = from.number();
        if (from.number() !== this.count || steps !== this.time[this.steps])
            throw new Error("the trace's end tells of other steps and accesses than it holds");
        return true;
    } else throw new Error("the trace holds an unknown record");
    return false;
};

/* All records of `from` into `r`: the hot loop of a load, so what it touches is local, and numbers
 * of one byte, which most are, are read in place. */
function readRecords(run, from, r) {
    const { w, cols, words } = run;
    const b = from.b, end = b.length - 4;
    const memory = run.first.slice();
    const recent = new Int32Array(4 * w).fill(words.id(0, 0));
    const head = new Uint8Array(w);
    let lane = w - 1, row = 0, col = 0, site = 0, d = 0, at = from.at, count = 0;
    let { cell: cells, lane: lanes, word: moved, site: sites } = r, room = cells.length;

    const far = (first) => { /* the rest of a number whose first byte says that there is one */
        let x = first & 127, byte = 128;
        for (let digit = 128; byte >= 128; digit *= 128) {
            byte = at < end ? b[at++] : 0;
            x += (byte & 127) * digit;
        }
        return x;
    };
    for (;;) {
        if (at >= end) throw new Error("the trace is cut off");
        const code = b[at++], act = code & 7;
        if (act > 5) {
            from.at = at;
            r.count = count;
            if (r.other(run, from, act === 6 ? code >> 3 : 31)) break;
            at = from.at;
            if (code < 16) lane = w - 1;
            continue;
        }
        if (++lane === w) lane = 0;
        if ((code & 8) === 0) {
            d = b[at++];
            if ((lane += d < 128 ? d : far(d)) >= w) lane -= w;
        }
        if ((code & 16) !== 0) row = lane;
        else {
            d = b[at++];
            if ((row += d < 128 ? d : far(d)) >= w) row -= w;
        }
        if ((code & 32) === 0) {
            d = b[at++];
            if (d >= 128) d = far(d);
            col += (d & 1) !== 0 ? -(d >>> 1) - 1 : d >>> 1;
        }
        if (!(col >= 0 && col < cols && row < w && lane < w))
            throw new Error("the trace holds an access outside memory");
        const cell = row * cols + col;
        let id = 0;
        if (act === 0) {
            id = memory[cell];
            recent[4 * lane + (head[lane]++ & 3)] = id;
        } else {
            if (act === 5) {
                from.at = at;
                from.word();
                at = from.at;
                id = words.id(from.low, from.high);
            } else id = recent[4 * lane + ((head[lane] - act) & 3)];
            memory[cell] = id;
        }
        if ((code & 64) === 0) {
            from.at = at;
            site = r.name(from);
            at = from.at;
        }
        if (count === room) {
            r.more();
            ({ cell: cells, lane: lanes, word: moved, site: sites } = r);
            room = cells.length;
        }
        cells[count] = cell;
        lanes[count] = 2 * lane + (act > 0 ? 1 : 0);
        moved[count] = id;
        sites[count++] = site;
    }
    if (count > r.start[r.steps]) r.endStep(run, 1); /* the step that a fault cut short */
    return memory;
}

/* A whole trace.  `size`, if known: { accesses, records }, the latter steps with no regard to
 * conflicts. */
function readTrace(bytes, size) {
    checkFrame(bytes);
    const from = new Bytes(bytes);
    const run = readHead(from);
    const r = new Records(run, size || {});
    run.last = readRecords(run, from, r);
    Object.assign(run, { cell: r.cell, lane: r.lane, word: r.word, site: r.site });
    Object.assign(run, { accesses: r.count, names: r.names, phases: r.phases, fault: r.fault });
    run.records = r.steps;
    run.start = r.start.subarray(0, r.steps + 1);
    run.time = r.time.subarray(0, r.steps + 1);
    run.conflicts = r.conflicts.subarray(0, r.steps + 1);
    run.steps = run.time[r.steps];
    run.conflictCount = run.conflicts.reduce((a, x) => a + x, 0);
    return run;
}
