/* player.js - where a run stands at a moment: memory, and what was asked last.
 *
 * Time is counted in steps of the model: one in which some bank is asked k times takes k.  Memory
 * follows the playhead forwards by replaying writes; for jumps there are checkpoints, made when
 * time first passes them, so a jump replays a few ten thousand accesses at most.
 */

const CHECKPOINT_BYTES = 64 << 20;

function Player(run) {
    this.run = run;
    this.memory = run.first.slice();
    this.record = 0; /* steps applied, conflicts not counted */
    this.now = 0; /* the time asked for */
    this.checkpoints = [{ record: 0, memory: run.first }];
    const bytes = 4 * run.first.length;
    this.gap = Math.max(1 << 15, Math.ceil((run.accesses * bytes) / CHECKPOINT_BYTES));
    this.lost = new Float64Array(run.records + 1); /* conflicts before each step */
    for (let s = 0; s < run.records; s++) this.lost[s + 1] = this.lost[s] + run.conflicts[s];
    this.phases = layPhases(run);
}

/* Steps that have ended or are under way at this time: the first s with time[s] >= t. */
Player.prototype.recordAt = function (t) {
    const { time, records } = this.run;
    let low = 0, high = records;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (time[middle] >= t) high = middle;
        else low = middle + 1;
    }
    return low;
};

Player.prototype.apply = function (to) {
    const { cell, lane, word, start } = this.run;
    const memory = this.memory;
    for (let x = start[this.record], end = start[to]; x < end; x++)
        if (lane[x] & 1) memory[cell[x]] = word[x];
    this.record = to;
};

/* Memory after `to` steps. */
Player.prototype.goto = function (to) {
    const { start } = this.run;
    let from = this.checkpoints.length - 1;
    while (this.checkpoints[from].record > to) from--;
    const best = this.checkpoints[from];
    if (to < this.record || this.record < best.record) {
        this.memory.set(best.memory);
        this.record = best.record;
    }
    while (this.record < to) {
        const last = this.checkpoints[this.checkpoints.length - 1];
        let stop = to;
        if (start[to] - start[last.record] >= this.gap) {
            stop = Math.max(this.record, last.record);
            while (start[stop] - start[last.record] < this.gap) stop++;
        }
        if (stop <= this.record) break;
        this.apply(stop);
        if (start[stop] - start[last.record] >= this.gap)
            this.checkpoints.push({ record: stop, memory: this.memory.slice() });
    }
};

Player.prototype.seek = function (t) {
    this.now = Math.min(Math.max(t, 0), this.run.steps);
    this.goto(this.recordAt(this.now));
};

/* The time at which the step before, or the next one, ends. */
Player.prototype.stepFrom = function (by) {
    const s = Math.min(Math.max(this.record + by, 0), this.run.records);
    return this.run.time[s];
};

Player.prototype.nextConflict = function () {
    const { conflicts, records, time } = this.run;
    for (let s = this.record; s < records; s++) if (conflicts[s]) return time[s + 1];
    return this.run.steps;
};

/* Where the items are: the columns that the last finished phase named, else the matrix. */
Player.prototype.place = function () {
    const { phases, m } = this.run;
    let low = 0, high = phases.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (phases[middle].end <= this.now) low = middle + 1;
        else high = middle;
    }
    const p = low ? phases[low - 1] : null;
    return p && p.cols ? { column: p.column, cols: p.cols } : { column: 0, cols: m };
};
