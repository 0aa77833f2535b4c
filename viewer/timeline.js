/* timeline.js - a run from beginning to end: phases by level, and what its time went into.
 *
 * Each step could serve w words.  The blue part of a column of the chart are those that it did, the
 * red part is time in which processors waited for a bank that served another.
 */

const BAND = 17, CHART = 46, AXIS = 16;

function Timeline(canvas, player, span) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.player = player;
    this.from = 0;
    this.to = this.span = Math.max(1, span);
}

Timeline.prototype.layout = function () {
    this.width = this.canvas.clientWidth;
    this.levels = this.player.phases.slice(0, 4);
    this.top = this.levels.length * (BAND + 2);
    const tall = this.top + CHART + AXIS, scale = window.devicePixelRatio || 1;
    this.canvas.style.height = tall + "px";
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(tall * scale);
    this.scale = scale;
    this.still = null;
};

Timeline.prototype.x = function (t) {
    return ((t - this.from) / (this.to - this.from)) * this.width;
};

Timeline.prototype.time = function (x) {
    return this.from + (Math.min(Math.max(x, 0), this.width) / this.width) * (this.to - this.from);
};

Timeline.prototype.zoom = function (x, by) {
    const at = this.time(x), wide = Math.min(this.span, Math.max(16, (this.to - this.from) * by));
    this.from = Math.max(0, Math.min(this.span - wide, at - (x / this.width) * wide));
    this.to = this.from + wide;
    this.still = null;
};

/* Keep the playhead in view when zoomed in. */
Timeline.prototype.follow = function (t) {
    const wide = this.to - this.from;
    if (wide >= this.span || (t >= this.from && t <= this.to)) return;
    this.from = Math.max(0, Math.min(this.span - wide, t - wide / 8));
    this.to = this.from + wide;
    this.still = null;
};

/* Words served before time t, and steps lost, by interpolation inside a step. */
Timeline.prototype.before = function (t) {
    const { run } = this.player;
    const s = this.player.recordAt(t);
    if (s === 0) return [0, 0];
    const start = run.time[s - 1], long = run.time[s] - start, part = Math.min(1, (t - start) / long);
    return [run.start[s - 1] + (run.start[s] - run.start[s - 1]) * part,
            run.time[s - 1] - (s - 1) + (long - 1) * part];
};

Timeline.prototype.drawChart = function (g, p) {
    const { run } = this.player, base = this.top + CHART;
    const end = Math.min(this.width, this.x(run.steps));
    g.fillStyle = p.faint;
    g.fillRect(0, this.top, end, CHART);
    let last = this.before(this.time(0));
    for (let x = 0; x < end; x++) {
        const t = Math.min(run.steps, this.time(x + 1)), span = Math.max(1e-9, t - this.time(x));
        const here = this.before(t);
        const served = ((here[0] - last[0]) / span / run.w) * CHART;
        const lost = ((here[1] - last[1]) / span) * CHART;
        last = here;
        g.globalAlpha = 0.55;
        g.fillStyle = p.read;
        g.fillRect(x, base - served, 1, served);
        g.globalAlpha = 1;
        g.fillStyle = p.bad;
        g.fillRect(x, base - served - lost, 1, lost);
    }
};

Timeline.prototype.drawBands = function (g, p) {
    g.font = "11px system-ui, sans-serif";
    this.levels.forEach((level, row) => {
        const y = row * (BAND + 2);
        level.bands.forEach((band, x) => {
            const left = Math.max(0, this.x(band.start)), right = Math.min(this.width, this.x(band.end));
            if (right <= left) return;
            g.fillStyle = x % 2 ? p.faint : p.line;
            g.fillRect(left, y, Math.max(0.6, right - left - 1), BAND);
            const text = band.number + " " + band.text;
            g.fillStyle = p.ink;
            if (right - left > g.measureText(text).width + 8) g.fillText(text, left + 4, y + 12.5);
            else if (right - left > 16) g.fillText(String(band.number), left + 4, y + 12.5);
        });
    });
};

Timeline.prototype.drawAxis = function (g, p) {
    const wish = (this.to - this.from) / Math.max(2, this.width / 110);
    let step = Math.pow(10, Math.floor(Math.log10(Math.max(1, wish))));
    while (step < wish) step *= step / Math.pow(10, Math.floor(Math.log10(step))) === 2 ? 2.5 : 2;
    g.fillStyle = p.soft;
    g.font = "11px system-ui, sans-serif";
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
        const text = count(t), wide = g.measureText(text).width;
        const x = Math.min(this.width - wide, Math.max(0, this.x(t) - wide / 2));
        g.fillRect(this.x(t), this.top + CHART, 1, 3);
        g.fillText(text, x, this.top + CHART + 14);
    }
};

Timeline.prototype.draw = function (p) {
    if (!this.still) {
        this.still = document.createElement("canvas");
        this.still.width = this.canvas.width;
        this.still.height = this.canvas.height;
        const g = this.still.getContext("2d");
        g.scale(this.scale, this.scale);
        this.drawChart(g, p);
        this.drawBands(g, p);
        this.drawAxis(g, p);
    }
    const g = this.context;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.drawImage(this.still, 0, 0);
    g.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const x = this.x(Math.min(this.player.now, this.player.run.steps));
    g.fillStyle = p.ink;
    g.fillRect(Math.min(this.width - 2, Math.max(0, x - 1)), 0, 2, this.top + CHART);
    g.beginPath();
    g.arc(Math.min(this.width - 5, Math.max(5, x)), this.top + CHART, 5, 0, 7);
    g.fill();
};

Timeline.prototype.explain = function (x, y) {
    const t = this.time(x), { run } = this.player;
    if (t > run.steps) return null;
    const level = this.levels[Math.floor(y / (BAND + 2))];
    const band = level && bandAt(level, t);
    if (band) {
        const groups = band.groups > 1 ? ", " + band.groups + " groups of rows" : "";
        return band.name + ": steps " + count(band.start) + " to " + count(band.end) + groups;
    }
    return "step " + count(Math.round(t));
};

const count = (x) => Math.round(x).toLocaleString("en");
