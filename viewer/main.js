/* main.js - the page: loads what it holds, plays it, and listens to hands. */

const byId = (id) => document.getElementById(id);
const shown = []; /* { player, stage, timeline, card } of each run */
const state = { playing: false, now: 0, span: 1, pace: 1, mode: "key", share: 0.5, extras: true };
const LEAD = "sorting and permuting without bank conflicts";
let speaker = 0, tipTimer = 0;
let colours = null, wanted = true, lastFrame = 0, frames = 0, spent = 0;

/* ---- loading -------------------------------------------------------------------------------- */

function fromBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let x = 0; x < raw.length; x++) bytes[x] = raw.charCodeAt(x);
    return bytes;
}

function card(run) {
    const rows = ["step", "conflicts", "banks busy", "dirty rows", "dirty columns", "phase"];
    const facts = element("dl", { class: "facts" });
    const at = {};
    for (const name of rows) {
        at[name] = element("dd", {});
        facts.append(element("div", { class: "fact " + name.split(" ")[0] },
            element("dt", {}, ...withTerms(name, new Set())), at[name]));
    }
    const says = run.w + " × " + run.m + ", input " + run.input + ", seed " + run.seed + ": " +
        count(run.steps) + " steps, " + count(run.conflictCount) + " conflicts";
    const stage = element("canvas", { class: "stage", role: "application", tabindex: "0", "aria-label": says,
        "aria-roledescription": "picture", "aria-describedby": "how-to-read" });
    const line = element("canvas", { class: "timeline", tabindex: "0", role: "slider",
        "aria-label": "time of " + run.algorithm, "aria-valuemin": "0", "aria-valuemax": String(run.steps) });
    const caption = element("div", { class: "caption" }), colours = legend();
    const node = element("article", { "aria-label": run.algorithm }, element("h2", {}, run.algorithm),
        element("p", { class: "says" }, says), run.fault ? element("p", { class: "fault" }, run.fault) : null, stage,
        colours, facts, line, caption);
    return { node, stage, line, at, caption, legend: colours, told: null };
}

/* What colours mean; style.css shows one line or the other. */
function legend() {
    const swatch = (kind, text) => element("span", { class: kind }, element("i", {}), text);
    return element("p", { class: "legend" }, swatch("ramp", "smallest to largest key"),
        swatch("zero", "0"), swatch("one", "1"), swatch("dirty", "dirty row or column"),
        swatch("read", "read"), swatch("write", "write"), swatch("clash", "conflict"));
}

function addRun(run) {
    run.rank = rankKeys(run);
    const player = new Player(run), c = card(run);
    byId("runs").append(c.node);
    const one = { player, card: c, stage: new Stage(c.stage, player) };
    one.timeline = new Timeline(c.line, player, run.steps);
    shown.push(one);
    listen(one);
    listenToReader(one);
}

function begin() {
    const some = shown.length > 0;
    byId("runs").hidden = byId("controls").hidden = !some;
    byId("runs").classList.toggle("two", shown.length > 1);
    if (!some) return;
    state.span = Math.max(...shown.map(({ player }) => player.run.steps), 1);
    for (const { timeline } of shown) {
        timeline.span = state.span;
        timeline.from = 0;
        timeline.to = state.span;
    }
    if (shown.every(({ player }) => player.run.distinct <= 2)) state.mode = "mark";
    setSpeed(Math.min(100, Math.max(0, (100 * Math.log(state.span / 20)) / Math.log(fastest()))));
    const names = shown.map(({ player }) => player.run.algorithm);
    document.title = names.join(" and ") + " - Clearway";
    byId("conflict-next").disabled = shown.every(({ player }) => !player.run.conflictCount);
    const areas = shown.some(({ player }) => player.run.cols > player.run.m);
    byId("areas").hidden = !areas;
    readLink();
    restyle();
}

function load() {
    const started = performance.now();
    const index = byId("clearway-index");
    const held = index ? JSON.parse(new TextDecoder().decode(fromBase64(index.textContent.trim()))) : {};
    (held.traces || []).forEach((size, x) => {
        const node = byId("clearway-trace-" + x);
        addRun(readTrace(fromBase64(node.textContent.trim()), size));
        node.remove();
    });
    if (held.kernels) showKernels(held.kernels, held.sources || {});
    byId("lead").textContent = held.kernels ? "requests to shared memory by source line" : LEAD;
    document.body.dataset.page = held.kernels ? "kernels" : shown.length ? "run" : "empty";
    byId("empty").hidden = shown.length > 0 || Boolean(held.kernels);
    begin();
    return performance.now() - started;
}

/* ---- time ------------------------------------------------------------------------------------ */

const fastest = () => Math.max(2, state.span); /* steps a second: from one to the whole run */

function setSpeed(x) {
    byId("speed").value = x;
    state.pace = Math.pow(fastest(), x / 100);
    byId("pace").textContent = count(Math.max(1, state.pace)) + " steps/s";
}

function seek(t) {
    state.now = Math.min(Math.max(t, 0), state.span);
    wanted = true;
}

function play(on) {
    if (on && state.now >= state.span) state.now = 0;
    state.playing = on;
    byId("play").querySelector("path").setAttribute("d", on ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4 2v12l10-6z");
    lastFrame = 0;
    wanted = true;
}

function step(by) {
    play(false);
    for (const { player } of shown) player.seek(state.now);
    const times = shown.map(({ player }) => player.stepFrom(by)).filter((t) => (t - state.now) * by > 0);
    if (times.length) seek(by > 0 ? Math.min(...times) : Math.max(...times));
}

function jumpPhase(by) {
    play(false);
    const ends = shown.flatMap(({ player }) => player.phases.flatMap((l) => l.bands.map((b) => b.end)));
    const there = ends.filter((t) => (by > 0 ? t > state.now : t < state.now));
    seek(there.length ? (by > 0 ? Math.min(...there) : Math.max(...there)) : by > 0 ? state.span : 0);
}

function jumpConflict() {
    play(false);
    seek(Math.min(...shown.map(({ player }) => {
        const t = player.nextConflict();
        return player.run.conflictCount && t > state.now ? t : state.span;
    })));
}

/* ---- drawing --------------------------------------------------------------------------------- */

function restyle() {
    const p = (colours = palette());
    for (const { player, stage, card: c } of shown) {
        stage.colours = keyColours(player.run, p);
        stage.marks = state.mode === "mark" ? marks(player.run, state.share) : null;
        stage.markColours = [p.zero, p.one, p.other].map((x) => packed(parsed(x)));
        stage.litColours = [p["lit-zero"], p.lit, p.other].map((x) => packed(parsed(x)));
        stage.extras = state.extras;
        for (const name of ["dirty rows", "dirty columns"]) c.at[name].parentNode.hidden = !stage.marks;
    }
    document.body.dataset.mode = state.mode;
    byId("by-key").setAttribute("aria-pressed", state.mode === "key");
    byId("by-mark").setAttribute("aria-pressed", state.mode === "mark");
    byId("areas").setAttribute("aria-pressed", state.extras);
    byId("cut-label").hidden = state.mode === "key" || shown.every(({ player }) => player.run.distinct <= 2);
    byId("share").textContent = Math.round(100 * state.share) + " %";
    layout();
}

const narrow = matchMedia("(max-width: 700px)");
const flat = matchMedia("(max-height: 500px) and (min-width: 560px)"); /* a phone on its side: style.css */

function layout() {
    const above = flat.matches ? 0 : document.querySelector("header").offsetHeight;
    const page = above + byId("trouble").offsetHeight + byId("controls").offsetHeight + (narrow.matches ? 36 : 24);
    let room = 900;
    for (const { timeline, card: c } of shown) {
        timeline.layout();
        const below = narrow.matches ? c.caption.offsetHeight : 0; /* a phone scrolls to the caption */
        const rest = flat.matches ? c.line.offsetHeight + c.legend.offsetHeight + 6 : c.node.offsetHeight - c.stage.offsetHeight - below;
        room = Math.min(room, window.innerHeight - rest - page - STAGE_MARGIN);
    }
    for (const { stage } of shown) {
        stage.room = Math.max(flat.matches ? 120 : 200, room);
        stage.layout();
    }
    wanted = true;
}

function tell({ player, stage, card: { at, line } }) {
    const { run, record, now } = player, w = run.w;
    const degree = record ? run.time[record] - run.time[record - 1] : 0;
    let busy = 0;
    for (let r = 0; r < w; r++) if (stage.counts[r]) busy++;
    at.step.textContent = count(Math.floor(now)) + " of " + count(run.steps);
    at.conflicts.textContent = count(player.lost[record]) + (degree > 1 ? " (" + degree + " words of one bank now)" : "");
    at.conflicts.parentNode.classList.toggle("bad", player.lost[record] > 0);
    at["banks busy"].textContent = busy + " of " + w;
    for (const [name, kind, all] of [["dirty rows", "rows", w], ["dirty columns", "columns", run.m]]) {
        if (stage.marks) at[name].textContent = stage.dirt[kind] + " of " + all;
    }
    const phase = player.phases.map((level) => [level, bandAt(level, now)]).filter((x) => x[1])
        .map(([level, band]) => (level.prefix ? level.prefix + " " : "") + band.number + ": " + band.text);
    at.phase.textContent = phase.join("  ›  ") || (now >= run.steps ? "done" : now ? "-" : "the input");
    line.setAttribute("aria-valuenow", Math.floor(now));
    line.setAttribute("aria-valuetext", "step " + Math.floor(now) + " of " + run.steps + ", " + at.phase.textContent);
}

/* The caption changes with the phase; words inside it keep the focus while they stay. */
function explainPhase({ player, card: c }) {
    const { what, why, where, inside, waits } = tellMoment(player), key = [what, why, where, inside].join("|");
    if (c.told === key) return;
    c.told = key;
    const seen = new Set(), line = (kind, label, text) => text
        ? [element("p", { class: kind }, ...(label ? [element("strong", {}, label + " ")] : []), ...withTerms(text, seen))] : [];
    c.caption.replaceChildren(...line("what", "", what), ...line("inside", "Now inside it:", inside),
        ...line("why", waits ? "Why processors wait:" : "Why no bank is asked twice:", why), ...(where ? [element("p", { class: "where" }, "In the paper: " + where + ".")] : []));
}

/* The part of time that is shown, if it is not all of it. */
function shownTime() {
    const [{ timeline }] = shown;
    return timeline.to - timeline.from < timeline.span ? " The time line shows steps " + count(timeline.from) + " to " +
        count(timeline.to) + "." : "";
}

/* For screen readers: the step, once it rests, and what the reader's cursor then stands on. */
function speak() {
    if (state.playing || !shown.length) return;
    const text = shown.map((one) => {
        const says = one.stage.describe();
        one.card.stage.setAttribute("aria-label", one.player.run.algorithm + ", step " + Math.floor(one.player.now) + ". " + says);
        return (shown.length > 1 ? one.player.run.algorithm + ": " : "") + "step " + Math.floor(one.player.now) + ", " +
            one.card.at.phase.textContent + ". " + says;
    }).join(" ") + shownTime();
    if (state.said === text) return;
    state.said = text;
    const reader = shown.find(({ stage }) => stage.reading);
    byId("spoken").textContent = text + (reader ? " " + reader.stage.tellCursor() : "");
}

function frame(at) {
    requestAnimationFrame(frame);
    if (state.playing) {
        const gone = lastFrame ? Math.min(at - lastFrame, 100) : 0;
        lastFrame = at;
        state.now = Math.min(state.span, state.now + (gone * state.pace) / 1000);
        if (state.now >= state.span) play(false);
        wanted = true;
    }
    if (!wanted || !colours) return;
    wanted = false;
    const began = performance.now();
    for (const one of shown) {
        one.player.seek(state.now);
        one.timeline.follow(state.now); /* one clock: the same part of it for all */
        one.stage.draw(colours);
        one.timeline.draw(colours);
        tell(one);
        explainPhase(one);
        if (one.stage.reading) readHere(one, false);
    }
    clearTimeout(speaker);
    if (!state.playing) speaker = setTimeout(speak, 400);
    frames++;
    spent += performance.now() - began;
}

/* ---- hands ------------------------------------------------------------------------------------ */

function tip(text, event) {
    const node = byId("tip");
    node.hidden = !text;
    if (!text) return;
    node.textContent = text;
    const left = Math.min(event.clientX + 14, window.innerWidth - node.offsetWidth - 8);
    const above = event.clientY + 18 + node.offsetHeight > window.innerHeight;
    node.style.left = Math.max(4, left) + "px";
    node.style.top = event.clientY + (above ? -node.offsetHeight - 10 : 18) + "px";
}

/* The meaning of a word, beside it. */
function tipTerm(button) {
    const box = button.getBoundingClientRect();
    tip(GLOSSARY[button.dataset.term], { clientX: box.left - 14, clientY: box.bottom - 12 });
}

function listenToTerms() {
    const term = (event) => event.target.closest && event.target.closest(".term");
    for (const [kind, show] of [["pointerover", true], ["focusin", true], ["click", true], ["pointerout", false], ["focusout", false]])
        document.addEventListener(kind, (event) => {
            if (term(event)) show ? tipTerm(term(event)) : tip(null);
        });
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape") tip(null);
    });
}

function listen({ stage, timeline, card: c }) {
    const here = (event) => [event.offsetX, event.offsetY];
    c.stage.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "touch") return;
        clearTimeout(tipTimer);
        tip(stage.explain(...here(event)), event);
        tipTimer = setTimeout(() => tip(null), 4000);
    });
    c.stage.addEventListener("pointermove", (event) => tip(stage.explain(...here(event)), event));
    c.stage.addEventListener("pointerleave", (event) => event.pointerType === "touch" || tip(null));
    const scrub = (event) => seek(timeline.time(event.offsetX));
    const fingers = new Map(); /* where each is: one scrubs, two pinch */
    c.line.addEventListener("pointerdown", (event) => {
        c.line.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, event.offsetX);
        play(false);
        if (fingers.size === 1) scrub(event);
    });
    c.line.addEventListener("pointermove", (event) => {
        if (fingers.size === 2 && fingers.has(event.pointerId)) pinch(fingers, event);
        else if (event.buttons) scrub(event);
        tip(event.pointerType === "touch" ? null : timeline.explain(...here(event)), event);
    });
    for (const end of ["pointerup", "pointercancel"]) c.line.addEventListener(end, (event) => fingers.delete(event.pointerId));
    c.line.addEventListener("pointerleave", () => tip(null));
    c.line.addEventListener("wheel", (event) => {
        event.preventDefault();
        zoom(event.offsetX, event.deltaY > 0 ? 1.25 : 0.8);
    }, { passive: false });
}

/* All time lines show the same part of time. */
function zoom(x, by) {
    for (const { timeline } of shown) timeline.zoom(x, by);
    wanted = true;
}

/* By key and button: around the playhead, where it is in sight. */
function zoomHere(by) {
    const [{ timeline }] = shown, x = timeline.x(state.now);
    zoom(x >= 0 && x <= timeline.width ? x : timeline.width / 2, by);
}

function pinch(fingers, event) {
    const places = () => [...fingers.values()], wide = () => Math.max(8, Math.abs(places()[0] - places()[1]));
    const before = wide();
    fingers.set(event.pointerId, event.offsetX);
    zoom((places()[0] + places()[1]) / 2, before / wide());
}

function setMode(mode) {
    state.mode = mode;
    restyle();
}

function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    restyle();
}

function toggleAreas() {
    state.extras = !state.extras;
    restyle();
}

function help() {
    if (byId("keys").open) byId("keys").close();
    else byId("keys").showModal();
}

const KEYS = {
    " ": () => play(!state.playing),
    ArrowLeft: (event) => (event.shiftKey ? seek(state.now - state.span / 100) : step(-1)),
    ArrowRight: (event) => (event.shiftKey ? seek(state.now + state.span / 100) : step(1)),
    ",": () => step(-1),
    ".": () => step(1),
    Home: () => seek(0),
    End: () => seek(state.span),
    "[": () => jumpPhase(-1),
    "]": () => jumpPhase(1),
    c: jumpConflict,
    "+": () => setSpeed(Math.min(100, Number(byId("speed").value) + 5)),
    "=": () => setSpeed(Math.min(100, Number(byId("speed").value) + 5)),
    "-": () => setSpeed(Math.max(0, Number(byId("speed").value) - 5)),
    i: () => zoomHere(0.5),
    o: () => zoomHere(2),
    k: () => setMode("key"),
    z: () => setMode("mark"),
    a: toggleAreas,
    l: () => shareLink(),
    f: pick,
    t: toggleTheme,
    "?": help,
};

function listenToPage() {
    document.addEventListener("keydown", (event) => {
        const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
        const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range";
        const pressing = event.key === " " && /^(BUTTON|A|SUMMARY|INPUT)$/.test(event.target.tagName); /* its own key */
        const sliding = event.target.type === "range" && /^(Arrow|Home|End)/.test(event.key);
        if (!act || typing || sliding || pressing || (byId("keys").open && event.key !== "?") || event.ctrlKey || event.metaKey || event.altKey) return;
        if (!shown.length && !/^[ft]$/.test(event.key)) return;
        event.preventDefault();
        act(event);
    });
    const clicks = { play: () => play(!state.playing), first: () => seek(0), last: () => seek(state.span),
        back: () => step(-1), forth: () => step(1), theme: toggleTheme, areas: toggleAreas, help: help,
        "by-key": () => setMode("key"), "by-mark": () => setMode("mark"), "phase-back": () => jumpPhase(-1),
        "phase-next": () => jumpPhase(1), "conflict-next": jumpConflict, link: () => shareLink(),
        "zoom-in": () => zoomHere(0.5), "zoom-out": () => zoomHere(2), open: pick, pick };
    for (const id in clicks) byId(id).addEventListener("click", clicks[id]);
    byId("speed").addEventListener("input", () => setSpeed(Number(byId("speed").value)));
    byId("cut").addEventListener("input", () => {
        state.share = Number(byId("cut").value) / 100;
        restyle();
    });
    byId("runs").addEventListener("focusin", ({ target }) => { /* what has the focus is not below the controls */
        const box = target.getBoundingClientRect(), under = box.bottom + 6 - byId("controls").getBoundingClientRect().top;
        if (under > 0 && target.matches(":focus-visible")) window.scrollBy(0, Math.min(under, box.top));
    });
    window.addEventListener("resize", layout);
    window.addEventListener("hashchange", () => {
        if (!shown.length) return;
        readLink();
        restyle();
    });
    for (const word in GLOSSARY) byId("glossary").append(element("dt", {}, word), element("dd", {}, GLOSSARY[word]));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", restyle);
}

function pick() {
    byId("files").value = ""; /* the same file again is another choice too */
    byId("files").click();
}

/* Traces dropped on the page, or chosen, take the place of what it holds; what cannot be read leaves it as it is. */
async function open(files) {
    byId("trouble").hidden = true;
    try {
        const all = await Promise.all([...files].slice(0, 2).map((file) => file.arrayBuffer()));
        const runs = all.map((bytes) => readTrace(new Uint8Array(bytes)));
        play(false);
        shown.length = 0;
        byId("runs").replaceChildren();
        byId("kernels").hidden = byId("empty").hidden = true;
        document.body.dataset.page = "run";
        byId("lead").textContent = LEAD;
        runs.forEach(addRun);
        if (location.hash) history.replaceState(null, "", "#"); /* it named a step of another run */
        state.now = 0;
        begin();
    } catch (error) {
        byId("trouble").textContent = [...files].map(({ name }) => name).join(", ") + ": " + error.message;
        byId("trouble").hidden = false;
    }
    layout();
}

function listenToFiles() {
    byId("files").addEventListener("change", (event) => event.target.files.length && open(event.target.files));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
        event.preventDefault();
        if (event.dataTransfer.files.length) open(event.dataTransfer.files);
    });
}

listenToPage();
listenToTerms();
listenToFiles();
const loadMs = load();
requestAnimationFrame(frame);
/* For tests, and for the curious. */
window.clearway = { shown, state, seek, play, step, setMode, setSpeed, loadMs,
    frameCost: () => ({ frames, spent }), story: (name) => STORIES[name] || "",
    unexplained: () => shown.flatMap(({ player }) => player.phases.flatMap((level) => level.bands))
        .filter((band) => !captionOf(band)).map((band) => band.name) };
