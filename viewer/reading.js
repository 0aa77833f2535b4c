/* reading.js - the stage by keyboard: arrows move a cursor, and what it stands on is told.
 *
 * A row of the stage is processor r, the words of row r in the areas that are shown, and bank r: its stops.  The cursor
 * is a row and a stop; what is told is what a pointer there is told (Stage.explain).
 */

Stage.prototype.stops = function () {
    return 2 + this.places.reduce((sum, { area }) => sum + area.cols, 0);
};

/* Where a stop stands on the canvas. */
Stage.prototype.boxOf = function ({ row, stop }) {
    const y = HEAD + row * this.row, height = this.row;
    if (stop === 0) return { x: 0, y, width: this.wires, height };
    let column = stop - 1;
    for (const { area, x, cell } of this.places) {
        if (column < area.cols) return { x: x + column * cell, y, width: cell, height };
        column -= area.cols;
    }
    return { x: this.bankLeft, y, width: this.canvas.clientWidth - this.bankLeft, height };
};

/* The stop under the pointer; null for none. */
Stage.prototype.stopAt = function (x, y) {
    const row = Math.floor((y - HEAD) / this.row);
    if (row < 0 || row >= this.player.run.w) return null;
    if (x < this.wires) return { row, stop: 0 };
    if (x >= this.bankLeft) return { row, stop: this.stops() - 1 };
    let before = 1;
    for (const place of this.places) {
        if (x >= place.x && x < place.x + place.width)
            return { row, stop: before + Math.min(place.area.cols - 1, Math.floor((x - place.x) / place.cell)) };
        before += place.area.cols;
    }
    return null;
};

/* By so many rows and stops; past an end it begins at the other. */
Stage.prototype.moveCursor = function (rows, stops) {
    const { w } = this.player.run, all = this.stops(), { row, stop } = this.cursor;
    this.cursor = { row: (row + rows + 10 * w) % w, stop: (Math.min(stop, all - 1) + stops + 10 * all) % all };
};

Stage.prototype.tellCursor = function () {
    this.cursor.stop = Math.min(this.cursor.stop, this.stops() - 1); /* extra memory may have gone */
    const { x, y, width, height } = this.boxOf(this.cursor);
    return this.explain(x + width / 2, y + height / 2);
};

Stage.prototype.drawCursor = function (p) {
    if (!this.reading) return;
    const g = this.context, { x, y, width, height } = this.boxOf(this.cursor);
    const wide = Math.max(width, 7), tall = Math.max(height, 7);
    const left = Math.min(Math.max(2, x + (width - wide) / 2), this.canvas.clientWidth - wide - 2), top = y + (height - tall) / 2;
    for (const [colour, line] of [[p.panel, 5], [p.ink, 2.5]]) {
        g.strokeStyle = colour;
        g.lineWidth = line;
        g.strokeRect(left, top, wide, tall);
    }
};

/* ---- keys ------------------------------------------------------------------------------------- */

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/* What the cursor stands on, beside it; aloud too, if it has moved. */
function readHere({ stage, card: c }, aloud) {
    const text = stage.tellCursor(), { x, y, width, height } = stage.boxOf(stage.cursor);
    const at = c.stage.getBoundingClientRect();
    tip(text, { clientX: at.left + x + Math.min(width, 40), clientY: at.top + y + height - 8 });
    if (aloud) byId("spoken").textContent = text;
}

function listenToReader(one) {
    const { stage, card: c } = one;
    c.stage.addEventListener("keydown", (event) => {
        const move = ARROWS[event.key], far = event.shiftKey ? 10 : 1;
        if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation(); /* elsewhere arrows step */
        stage.moveCursor(...move.map((x) => x * far));
        stage.reading = wanted = true;
        readHere(one, true);
    });
    c.stage.addEventListener("focus", () => {
        if (!c.stage.matches(":focus-visible")) return; /* a pointer reads by itself */
        stage.reading = wanted = true;
        readHere(one, true);
    });
    c.stage.addEventListener("blur", () => {
        stage.reading = false;
        wanted = true;
        tip(null);
    });
    c.stage.addEventListener("pointerdown", (event) => {
        stage.cursor = stage.stopAt(event.offsetX, event.offsetY) || stage.cursor;
        stage.reading = false;
        wanted = true;
    });
}
