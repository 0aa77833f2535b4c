/* picture.js - a request as a picture: a row for each wavefront, a column for each bank, and in each cell
 * the lane that the bank serves then.  What could have been served at once is in the first row of a part;
 * rows below it are striped: those lanes wait.
 */

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
    const node = document.createElementNS(SVG, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
}

/* [{ part, wait, cells: Map bank -> lanes }], a wavefront each. */
function scheduleOf(p, a) {
    const m = p.machine, at = placesOf(p, a), part = new Uint8Array(64), rows = [];
    const parts = partsOf(m, a.bytes, a.write, a.asks, at, part);
    for (let k = 0; k < parts; k++) {
        const banks = new Map(); /* bank -> Map word -> lanes */
        let most = 0;
        for (let lane = 0; lane < m.lanes; lane++) {
            if (!a.asks[lane] || part[lane] !== k) continue;
            const first = Math.floor(at[lane] / 4);
            for (let x = first; x < first + wordsOf(a.bytes); x++) {
                const bank = x % m.banks;
                if (!banks.has(bank)) banks.set(bank, new Map());
                if (!banks.get(bank).has(x)) banks.get(bank).set(x, []);
                banks.get(bank).get(x).push(lane);
                most = Math.max(most, banks.get(bank).size);
            }
        }
        for (let wait = 0; wait < most; wait++) {
            const cells = new Map();
            for (const [bank, words] of banks) if (words.size > wait) cells.set(bank, [...words.entries()][wait]);
            rows.push({ part: k, wait, cells });
        }
    }
    return rows;
}

const CELL = 18, LEFT = 30, TOP = 16;

function drawRow(to, row, y, banks) {
    for (let bank = 0; bank < banks; bank++) {
        const x = LEFT + bank * CELL, cell = row.cells.get(bank);
        const box = svg("rect", { x, y, width: CELL, height: CELL,
            class: "cell " + (cell ? (row.wait ? "waits" : "served") : "empty") });
        to.append(box);
        if (!cell) continue;
        const [word, lanes] = cell;
        box.append(svg("title", {}, "bank " + bank + ", word " + word + ": lane" + (lanes.length > 1 ? "s " : " ") +
            lanes.join(", ")));
        if (row.wait) to.append(svg("line", { x1: x + 2, y1: y + CELL - 2, x2: x + CELL - 2, y2: y + 2, class: "stripe" }));
        to.append(svg("text", { x: x + CELL / 2, y: y + 12.5, class: "lane" },
            lanes.length > 1 ? lanes[0] + "…" : String(lanes[0])));
    }
}

/* A figure of at most `most` wavefronts, with a caption that says it in words. */
function pictureOf(title, p, a) {
    const most = 40, rows = scheduleOf(p, a), { banks } = p.machine, shown = rows.slice(0, most);
    const width = LEFT + banks * CELL + 2, height = TOP + shown.length * CELL + 4;
    const waits = rows.filter(({ wait }) => wait).length;
    const says = title + ": " + rows.length + " wavefront" + (rows.length === 1 ? "" : "s") +
        (waits ? ", " + waits + " of them because lanes wait for a bank" : ", no lane waits");
    const image = svg("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": says });
    for (let bank = 0; bank < banks; bank += 4)
        image.append(svg("text", { x: LEFT + bank * CELL + 2, y: 11, class: "axis" }, String(bank)));
    shown.forEach((row, k) => {
        const y = TOP + k * CELL;
        image.append(svg("text", { x: 2, y: y + 13, class: "axis" }, String(k + 1)));
        drawRow(image, row, y, banks);
        if (k && row.part !== shown[k - 1].part)
            image.append(svg("line", { x1: LEFT, y1: y, x2: width - 2, y2: y, class: "border" }));
    });
    const figure = document.createElement("figure"), caption = document.createElement("figcaption");
    const scroll = document.createElement("div");
    figure.className = banks > 32 ? "many" : "";
    caption.textContent = says + (rows.length > most ? "; the first " + most + " are drawn" : "") + ".";
    scroll.className = "scroll";
    scroll.append(image);
    figure.append(caption, scroll);
    return figure;
}
