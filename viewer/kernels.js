/* kernels.js - what kernels ask of shared memory, by source line.
 *
 * The tool hands over, for each kernel, its lines with requests, wavefronts and ideal, added over
 * all launches of `clearway verify`, and the source around them if it was found.
 */

function element(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children.filter((x) => x !== null));
    return node;
}

const excess = (x) => x.wavefronts - x.ideal;

function summed(lines) {
    const sum = { requests: 0, wavefronts: 0, ideal: 0 };
    for (const line of lines) for (const key in sum) sum[key] += line[key];
    return sum;
}

function splitSite(site) {
    const parts = /^(.*?):(\d+)(.*)$/.exec(site) || [site, site, "0", ""];
    return { file: parts[1], line: Number(parts[2]), rest: parts[3].trim() };
}

function bar(line, most) {
    const fine = element("i", { class: "fine", style: "width:" + (100 * line.ideal) / most + "%" });
    const bad = element("i", { class: "bad", style: "width:" + (100 * excess(line)) / most + "%" });
    return element("span", { class: "bar" }, fine, bad);
}

function kernelRow(line, text, most) {
    const over = excess(line);
    const cells = [
        element("td", { class: "number" }, String(splitSite(line.site).line)),
        element("td", { class: "what" }, line.kind + " " + line.bytes),
        element("td", { class: "number" }, count(line.requests)),
        element("td", { class: "number" }, count(line.wavefronts)),
        element("td", { class: "number" + (over ? " over" : "") }, over ? "+" + count(over) : "0"),
        element("td", {}, bar(line, most)),
        text === null ? null : element("td", { class: "code" }, element("code", {}, text)),
    ];
    return element("tr", { class: over ? "over" : "asked" }, ...cells.filter(Boolean));
}

function codeRow(number, text) {
    const cells = [element("td", { class: "number" }, String(number)), element("td", { colspan: "5" }),
                   element("td", { class: "code" }, element("code", {}, text))];
    return element("tr", { class: "around" }, ...cells);
}

/* Without its source, a file has no column for it. */
function fileTable(file, lines, source, most) {
    const head = ["line", "access", "requests", "wavefronts", "above ideal", "", ...(source ? ["source"] : [])];
    const body = element("tbody", {});
    const asked = new Map();
    for (const line of lines) {
        const at = splitSite(line.site).line;
        if (!asked.has(at)) asked.set(at, []);
        asked.get(at).push(line);
    }
    const near = (x) => [...asked.keys()].some((y) => Math.abs(x - y) <= 3); /* others' lines are not */
    const numbers = new Set([...asked.keys(), ...Object.keys(source || {}).map(Number).filter(near)]);
    let before = 0;
    for (const number of [...numbers].sort((a, b) => a - b)) {
        if (before && number > before + 1)
            body.append(element("tr", { class: "cut" }, element("td", { colspan: String(head.length) }, "⋯")));
        before = number;
        if (!asked.has(number)) body.append(codeRow(number, source[number]));
        (asked.get(number) || []).forEach((line, x) =>
            body.append(kernelRow(line, source && (x ? "" : source[number] || ""), most)));
    }
    return element("table", {}, element("caption", {}, file),
        element("thead", {}, element("tr", {}, ...head.map((x) => (x ? element("th", { scope: "col" }, x) : element("td", {}))))), body);
}

function showKernel(kernel, sources) {
    const place = document.getElementById("kernel");
    const sum = summed(kernel.lines), most = Math.max(1, ...kernel.lines.map((x) => x.wavefronts));
    const over = excess(sum);
    place.replaceChildren(element("h2", {}, kernel.name),
        element("p", { class: over ? "verdict over" : "verdict" },
            count(sum.requests) + " requests, " + count(sum.wavefronts) + " wavefronts, " +
            (over ? count(over) + " above the ideal" : "none above the ideal") +
            (kernel.marked ? " (marked conflict-free)" : "") +
            " in " + count(kernel.launches) + (kernel.launches === 1 ? " launch" : " launches")));
    const files = new Map();
    for (const line of kernel.lines) {
        const { file } = splitSite(line.site);
        if (!files.has(file)) files.set(file, []);
        files.get(file).push(line);
    }
    const worst = [...files].sort((a, b) => excess(summed(b[1])) - excess(summed(a[1])));
    if (worst.some(([file]) => !sources[file]))
        place.append(element("p", { class: "no-source" }, "The source is not shown, because it was not found when the page was made: clearway view --kernel " +
            kernel.name + " --source DIR, where DIR is the folder that holds src/."));
    for (const [file, lines] of worst)
        place.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": file }, fileTable(file, lines, sources[file] || null, most)));
    if (!kernel.lines.length) place.append(element("p", {}, "It asks nothing of shared memory."));
    for (const button of document.querySelectorAll("#kernel-list button"))
        button.setAttribute("aria-current", button.dataset.name === kernel.name);
}

/* All words of the search are in its name, its files or its source. */
function matches(kernel, sources, words) {
    const files = [...new Set(kernel.lines.map(({ site }) => splitSite(site).file))];
    const text = () => [kernel.name, ...files, ...kernel.lines.map(({ site }) => {
        const { file, line } = splitSite(site);
        return (sources[file] || {})[line] || "";
    })].join("\n").toLowerCase();
    return words.every((word) => kernel.name.toLowerCase().includes(word) || text().includes(word));
}

function searchKernels(kernels, sources) {
    const words = document.getElementById("kernel-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = new Set(kernels.filter((kernel) => matches(kernel, sources, words)).map(({ name }) => name));
    for (const item of document.querySelectorAll("#kernel-list li")) item.hidden = !found.has(item.dataset.name);
    document.getElementById("kernel-count").textContent = found.size + " of " + kernels.length + " kernels";
}

/* A long name is broken after an underscore. */
function breakable(name) {
    return name.split(/(?<=_)/).flatMap((part, x) => (x ? [element("wbr", {}), part] : [part]));
}

function showKernels(kernels, sources) {
    const list = document.getElementById("kernel-list");
    const over = (x) => excess(summed(x.lines));
    kernels.sort((a, b) => over(b) - over(a)); /* the worst first */
    for (const kernel of kernels) {
        const more = over(kernel);
        const button = element("button", { type: "button", "data-name": kernel.name, class: more ? "over" : "" }, element("span", {}, ...breakable(kernel.name)),
            element("small", {}, more ? "+" + count(more) : "0"));
        button.addEventListener("click", () => {
            showKernel(kernel, sources);
            history.replaceState(null, "", "#kernel=" + encodeURIComponent(kernel.name));
        });
        list.append(element("li", { "data-name": kernel.name }, button));
    }
    const search = document.getElementById("kernel-search");
    search.addEventListener("input", () => searchKernels(kernels, sources));
    search.addEventListener("keydown", (event) => {
        const first = document.querySelector("#kernel-list li:not([hidden]) button");
        if (event.key === "Enter" && first) first.click();
    });
    searchKernels(kernels, sources);
    document.getElementById("kernel-nav").hidden = kernels.length === 1;
    document.getElementById("kernels").hidden = false;
    const asked = new URLSearchParams(location.hash.slice(1)).get("kernel");
    showKernel(kernels.find(({ name }) => name === asked) || kernels[0], sources);
}
