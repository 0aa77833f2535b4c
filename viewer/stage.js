/* stage.js - one moment of a run: processors, wires, memory, banks.
 *
 * Row r of memory is bank r, so everything shares its rows: at the left processor i with a wire to
 * the bank that it asks, in the middle the matrix and the extra memory, at the right how many
 * words each bank is asked for, now and in the steps before.
 */

const GAP = 10, HEAD = 24, LIGHTS = 5, STAGE_MARGIN = HEAD + 8;

function Stage(canvas, player) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.player = player;
    this.image = document.createElement("canvas");
    this.past = document.createElement("canvas");
    const { w, cols } = player.run;
    this.image.width = cols;
    this.image.height = w;
    this.pixels = new ImageData(cols, w);
    this.pixels32 = new Uint32Array(this.pixels.data.buffer);
    this.counts = new Uint16Array(w);
    this.dirtyRow = new Uint8Array(w);
    this.dirtyCol = new Uint8Array(cols);
    this.extras = true;
    this.cursor = { row: 0, stop: 1 }; /* the first word: reading.js */
    this.reading = false;
    const { words, keys } = player.run;
    this.shortKeys = keys > 0;
    for (let id = 0; id < keys && this.shortKeys; id++) this.shortKeys = words.text(id).length <= 3;
}

/* ---- where things stand -------------------------------------------------------------------- */

Stage.prototype.layout = function () {
    const { run } = this.player;
    const width = this.canvas.clientWidth;
    const rows = Math.max(1, Math.floor(Math.min(24, Math.max(1, this.room / run.w)) * 4) / 4);
    this.height = Math.max(48, Math.min(rows * run.w, this.room));
    this.row = this.height / run.w;
    this.wires = Math.round(Math.min(120, Math.max(38, width * 0.11)));
    this.banks = Math.round(Math.min(170, Math.max(58, width * 0.17)));
    const left = this.wires + GAP, right = width - this.banks - GAP;
    const shown = run.areas.filter((a, x) => a.cols && (x === 0 || this.extras));
    const cols = shown.reduce((sum, a) => sum + Math.max(a.cols, run.cols / 40), 0);
    const free = right - left - (shown.length - 1) * GAP;
    let x = left;
    this.places = shown.map((a) => {
        const part = (free * Math.max(a.cols, run.cols / 40)) / cols;
        const wide = Math.min(part, a.cols * Math.max(this.row * 1.6, 4));
        const place = { area: a, x: x, width: wide, cell: wide / a.cols };
        x += wide + GAP;
        return place;
    });
    this.bankLeft = x;
    const scale = window.devicePixelRatio || 1;
    const tall = STAGE_MARGIN + this.height;
    this.canvas.style.height = tall + "px";
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(tall * scale);
    this.scale = scale;
};

/* ---- memory -------------------------------------------------------------------------------- */

Stage.prototype.findDirt = function () {
    const { run, memory } = this.player;
    const { column, cols } = this.player.place();
    const { w, cols: all } = run;
    let rows = 0, columns = 0;
    this.dirtyRow.fill(0);
    this.dirtyCol.fill(0);
    const seen = new Uint8Array(cols);
    for (let r = 0; r < w; r++) {
        let here = 0;
        for (let c = 0, at = r * all + column; c < cols; c++, at++) {
            const bit = 1 << this.marks[memory[at]];
            here |= bit;
            seen[c] |= bit;
        }
        if ((here & 3) === 3) rows += this.dirtyRow[r] = 1;
    }
    for (let c = 0; c < cols; c++) if ((seen[c] & 3) === 3) columns += this.dirtyCol[column + c] = 1;
    this.place = { column, cols };
    this.dirt = { rows, columns };
};

Stage.prototype.paintWords = function () {
    const { memory, run } = this.player;
    const out = this.pixels32, length = memory.length;
    if (!this.marks) {
        const lut = this.colours;
        for (let x = 0; x < length; x++) out[x] = lut[memory[x]];
    } else {
        this.findDirt();
        const { w, cols } = run, { column, cols: wide } = this.place;
        const dull = this.markColours, lit = this.litColours;
        for (let r = 0, x = 0; r < w; r++)
            for (let c = 0; c < cols; c++, x++) {
                const inside = this.dirtyRow[r] && c >= column && c < column + wide;
                const id = memory[x];
                out[x] = id === run.junk ? 0 : (inside ? lit : dull)[this.marks[id]];
            }
    }
    this.image.getContext("2d").putImageData(this.pixels, 0, 0);
};

Stage.prototype.drawMemory = function (p) {
    const g = this.context, { run } = this.player;
    for (const { area, x, width, cell } of this.places) {
        g.fillStyle = p.faint;
        g.fillRect(x, HEAD, width, this.height);
        g.imageSmoothingEnabled = cell * this.scale < 1 || this.row * this.scale < 1;
        g.drawImage(this.image, area.first, 0, area.cols, run.w, x, HEAD, width, this.height);
        g.strokeStyle = p.panel;
        g.lineWidth = 1;
        g.beginPath();
        if (cell >= 5) for (let c = 1; c < area.cols; c++) this.line(x + c * cell, HEAD, 0, this.height);
        if (this.row >= 5) for (let r = 1; r < run.w; r++) this.line(x, HEAD + r * this.row, width, 0);
        g.stroke();
        this.drawNumbers(area, x, cell);
        this.label(p, area.name + " " + run.w + " × " + area.cols, x, width);
        if (this.marks) this.drawLights(p, area, x, cell);
    }
};

/* What a cell says when there is room: 0 or 1, a short key as it is, or its rank among the keys. */
Stage.prototype.cellText = function (id) {
    const { run } = this.player;
    if (id === run.junk) return "";
    if (this.marks) return this.marks[id] < 2 ? String(this.marks[id]) : "";
    if (id >= run.keys) return "";
    const key = run.words.text(id);
    return this.shortKeys ? key : String(Math.round(run.rank[id] * (run.w * run.m - 1)));
};

Stage.prototype.drawNumbers = function (area, x, cell) {
    const g = this.context, { run, memory } = this.player;
    const digits = this.marks ? 1 : this.shortKeys ? 3 : String(run.w * run.m - 1).length;
    const size = Math.min(12, this.row - 3, (cell - 3) / (0.6 * digits));
    this.numbers = size >= 7;
    if (!this.numbers) return;
    g.font = size + "px system-ui, sans-serif";
    g.textAlign = "center";
    const colours = this.pixels32;
    for (let r = 0; r < run.w; r++)
        for (let c = 0; c < area.cols; c++) {
            const at = r * run.cols + area.first + c, text = this.cellText(memory[at]), under = colours[at];
            if (!text) continue;
            const light = 0.3 * (under & 255) + 0.59 * ((under >> 8) & 255) + 0.11 * ((under >> 16) & 255);
            g.fillStyle = light > 125 ? "#10131a" : "#ffffff";
            g.fillText(text, x + (c + 0.5) * cell, HEAD + (r + 0.5) * this.row + size * 0.36);
        }
    g.textAlign = "start";
};

Stage.prototype.line = function (x, y, dx, dy) {
    this.context.moveTo(x, y);
    this.context.lineTo(x + dx, y + dy);
};

Stage.prototype.label = function (p, text, x, width) {
    const g = this.context;
    g.fillStyle = p.soft;
    g.font = "11px system-ui, sans-serif";
    if (g.measureText(text).width > width + GAP) text = text.split(" ")[0];
    if (g.measureText(text).width <= width + GAP) g.fillText(text, x, HEAD - 11);
};

/* Dirty columns light up above the area, dirty rows at its sides. */
Stage.prototype.drawLights = function (p, area, x, cell) {
    const g = this.context, { column, cols } = this.place;
    if (area.first + area.cols <= column || area.first >= column + cols) return;
    g.fillStyle = p.lit;
    for (let c = 0; c < area.cols; c++)
        if (this.dirtyCol[area.first + c]) g.fillRect(x + c * cell, HEAD - LIGHTS - 1, Math.max(cell - 0.5, 0.6), LIGHTS - 1);
    for (let r = 0; r < this.dirtyRow.length; r++)
        if (this.dirtyRow[r]) g.fillRect(x - LIGHTS - 1, HEAD + r * this.row, LIGHTS - 1, Math.max(this.row - 1, 1));
};

/* ---- the step at hand ---------------------------------------------------------------------- */

Stage.prototype.countBanks = function (record) {
    const { run } = this.player;
    this.counts.fill(0);
    if (record < 1) return 0;
    let most = 0;
    for (let x = run.start[record - 1]; x < run.start[record]; x++) {
        const k = ++this.counts[Math.floor(run.cell[x] / run.cols)];
        if (k > most) most = k;
    }
    return most;
};

Stage.prototype.drawWires = function (p, record) {
    const g = this.context, { run } = this.player;
    const left = 7, right = this.wires, middle = (left + right) / 2;
    const dot = Math.max(0.6, Math.min(4, this.row * 0.3));
    this.label(p, "processors", 0, this.wires);
    g.fillStyle = p.line;
    if (run.w <= 256) for (let i = 0; i < run.w; i++) {
        g.beginPath();
        g.arc(left - 2, HEAD + (i + 0.5) * this.row, dot, 0, 7);
        g.fill();
    }
    if (record < 1) return;
    const end = run.start[record], stride = Math.max(1, Math.ceil((end - run.start[record - 1]) / 1024));
    for (let pass = 0; pass < 3; pass++) {
        g.beginPath();
        g.strokeStyle = pass === 2 ? p.bad : pass ? p.write : p.read;
        g.setLineDash(pass === 1 ? [5, 4] : []); /* writes are dashed, conflicts thick */
        g.lineWidth = pass === 2 ? 3 : Math.max(0.6, Math.min(1.6, this.row / 7));
        for (let x = run.start[record - 1]; x < end; x += stride) {
            const bank = Math.floor(run.cell[x] / run.cols);
            if ((this.counts[bank] > 1 ? 2 : run.lane[x] & 1) !== pass) continue;
            const y = HEAD + ((run.lane[x] >> 1) + 0.5) * this.row, to = HEAD + (bank + 0.5) * this.row;
            g.moveTo(left, y);
            g.bezierCurveTo(middle, y, middle, to, right, to);
        }
        g.stroke();
    }
    g.setLineDash([]);
};

/* A frame around every word that is asked for. */
Stage.prototype.drawAsked = function (p, record) {
    const g = this.context, { run } = this.player;
    if (record < 1) return;
    for (let x = run.start[record - 1]; x < run.start[record]; x++) {
        const col = run.cell[x] % run.cols, row = (run.cell[x] - col) / run.cols;
        const place = this.places.find(({ area }) => col >= area.first && col < area.first + area.cols);
        if (!place) continue;
        const wide = Math.max(place.cell, 3), tall = Math.max(this.row, 2);
        const left = place.x + (col - place.area.first + 0.5) * place.cell - wide / 2;
        const top = HEAD + (row + 0.5) * this.row - tall / 2;
        const colour = this.counts[row] > 1 ? p.bad : run.lane[x] & 1 ? p.write : p.read;
        if (wide < 6 || tall < 6) {
            g.fillStyle = colour;
            g.fillRect(left, top, wide, run.lane[x] & 1 ? tall / 2 : tall); /* half a cell is a write */
        } else {
            g.lineWidth = 3;
            g.strokeStyle = p.panel;
            g.strokeRect(left + 1, top + 1, wide - 2, tall - 2);
            g.lineWidth = this.counts[row] > 1 ? 3 : 2;
            g.strokeStyle = colour;
            g.setLineDash(run.lane[x] & 1 ? [3, 3] : []);
            g.strokeRect(left + 1, top + 1, wide - 2, tall - 2);
            g.setLineDash([]);
        }
    }
};

/* Words asked of each bank: squares for this step, a strip for those before it. */
Stage.prototype.drawBanks = function (p, record) {
    const g = this.context, { run } = this.player, left = this.bankLeft;
    const size = Math.max(1.5, Math.min(9, this.row - 2)), room = this.banks < 90 ? 2 : 3;
    const now = this.banks < 90 ? 30 : 42; /* the width of this step */
    this.label(p, "banks", left, now);
    if (now > 40) this.label(p, "steps before", left + now, this.banks - now);
    for (let r = 0; r < run.w; r++) {
        const y = HEAD + (r + 0.5) * this.row - size / 2;
        const many = this.counts[r] > room && this.row >= 9; /* a number instead */
        g.fillStyle = this.counts[r] > 1 ? p.bad : p.read;
        for (let k = 0; k < (many ? 1 : Math.min(this.counts[r], room)); k++)
            g.fillRect(left + k * (size + 2), y, size, Math.max(size, 1));
        if (many) g.fillText("× " + this.counts[r], left + size + 4, y + size);
        if (!this.counts[r]) {
            g.fillStyle = p.line;
            g.fillRect(left, y + size / 2 - 0.5, size, 1);
        }
    }
    this.drawPast(p, record, left + now, this.banks - now);
};

Stage.prototype.drawPast = function (p, record, x, width) {
    const { run } = this.player, steps = Math.max(4, Math.floor(width / 4));
    if (this.past.width !== steps || this.past.height !== run.w) {
        this.past.width = steps;
        this.past.height = run.w;
        this.pastPixels = new ImageData(steps, run.w);
        this.past32 = new Uint32Array(this.pastPixels.data.buffer);
    }
    const none = packed(parsed(p.faint)), bad = packed(parsed(p.bad));
    const one = packed(parsed(p.read), 150), counts = new Uint8Array(run.w);
    this.past32.fill(none);
    for (let k = 0; k < steps && record - k > 0; k++) {
        counts.fill(0);
        for (let at = run.start[record - k - 1]; at < run.start[record - k]; at++) {
            const bank = Math.floor(run.cell[at] / run.cols);
            this.past32[bank * steps + k] = counts[bank]++ ? bad : one;
        }
    }
    this.past.getContext("2d").putImageData(this.pastPixels, 0, 0);
    this.context.imageSmoothingEnabled = this.row * this.scale < 1;
    const g = this.context;
    g.drawImage(this.past, x, HEAD, width, this.height);
    g.strokeStyle = p.panel;
    g.lineWidth = 1;
    g.beginPath();
    for (let k = 1; k < steps; k++) this.line(x + (k * width) / steps, HEAD, 0, this.height);
    if (this.row >= 5) for (let r = 1; r < run.w; r++) this.line(x, HEAD + r * this.row, width, 0);
    g.stroke();
};

/* ---- all of it ------------------------------------------------------------------------------ */

Stage.prototype.draw = function (p) {
    const g = this.context, record = this.player.record;
    g.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    g.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    this.countBanks(record);
    this.paintWords();
    this.drawMemory(p);
    this.drawWires(p, record);
    this.drawAsked(p, record);
    this.drawBanks(p, record);
    this.drawCursor(p);
};

/* What is under the pointer, in words; null for nothing. */
Stage.prototype.explain = function (x, y) {
    const { run, memory, record } = this.player;
    const row = Math.floor((y - HEAD) / this.row);
    if (row < 0 || row >= run.w) return null;
    if (x < this.wires) return "processor " + row + this.asks(record, row);
    if (x >= this.bankLeft) return "bank " + row + ": asked for " + this.counts[row] + " in this step";
    const place = this.places.find((a) => x >= a.x && x < a.x + a.width);
    if (!place) return null;
    const col = Math.min(place.area.cols - 1, Math.floor((x - place.x) / place.cell));
    const id = memory[row * run.cols + place.area.first + col];
    const what = id === run.junk ? "never written" : run.words.text(id) +
        (id < run.keys ? ", " + Math.round(100 * run.rank[id]) + " % of the keys are smaller" : "");
    return place.area.name + " (" + row + ", " + col + "), bank " + row + ": " + what;
};

Stage.prototype.asks = function (record, lane) {
    const { run } = this.player;
    if (record < 1) return "";
    for (let x = run.start[record - 1]; x < run.start[record]; x++)
        if (run.lane[x] >> 1 === lane) {
            const col = run.cell[x] % run.cols;
            return (run.lane[x] & 1 ? " writes (" : " reads (") + (run.cell[x] - col) / run.cols + ", " + col +
                ") at " + shortSite(run.names[run.site[x]]);
        }
    return " asks for nothing";
};

/* This moment in words, for those who do not see it. */
Stage.prototype.describe = function () {
    const { run, record } = this.player, kinds = [0, 0];
    if (record < 1) return "The input: " + run.w + " rows, each a bank, of " + run.m + " keys, before the first step.";
    for (let x = run.start[record - 1]; x < run.start[record]; x++) kinds[run.lane[x] & 1]++;
    const clash = [];
    for (let r = 0; r < run.w; r++) if (this.counts[r] > 1) clash.push(r);
    const many = (n, word) => n + " processor" + (n === 1 ? " " + word + "s" : "s " + word);
    return kinds.map((n, k) => (n ? many(n, k ? "write" : "read") : "")).filter(Boolean).join(", ") + "; " +
        (clash.length ? (clash.length === 1 ? "bank " + clash[0] + " is" : clash.length + " banks are") + " asked more than once"
            : "no bank is asked twice") + "." +
        (this.marks ? " " + this.dirt.rows + " of " + run.w + " rows are dirty." : "");
};

const shortSite = (site) => site.replace(/^.*\/(src|tests)\//, "$1/");
