/* captions.js - a run in plain words: what a phase does, why no bank is asked twice in it, and where it
 * stands in the paper; and a glossary.
 *
 * Phases are marked in src/paper by what holds when they end.  OWN, COLUMNS and MOVES are the three reasons
 * there are: every phase is made of these.
 */

const OWN = "Each processor works in its own row, so each asks its own bank.";
const COLUMNS = "Columns are laid into rows first, in steps in which every processor writes to another row; then each works in its own.";
const MOVES = "In each step processor i writes to row i + k, the same k for all: different processors, different banks.";
const NETWORK = "A column is compared in pairs of rows; of a pair, one processor is at one bank while the other is at the other.";

const PLACES = { "theorem 1": "Theorem 1", wide: "Theorem 1, for every w ≤ m", "lemma 1": "Lemma 1", short: "Lemma 1, general form",
    "theorem 2": "Theorem 2", tall: "Theorem 2, for every w > m", recursive: "Theorem 2, columns by recursion", "lemma 2": "Lemma 2",
    finish: "Theorem 4, its last part" };

/* mark: [what happens while it comes about, why no bank is asked twice] */
const CAPTIONS = {
    "super-rows sorted": ["Groups of neighbouring rows, the super-rows, are sorted each for itself by lemma 1. As zeros and ones, each then has at most one dirty row.", COLUMNS],
    "columns sorted": ["All columns are sorted. Dirty rows come together in the middle: rows of zeros above, rows of ones below.", COLUMNS],
    "super-rows alternate": ["The super-rows are sorted again, every other one in falling order. The dirty rows now lie in two of them, and these two face each other.", COLUMNS],
    "one dirty row": ["The columns are sorted once more. Rising and falling cover each other, so that one dirty row is left.", COLUMNS],
    "rows dealt and sorted": ["Rows are sorted in alternating directions, dealt out like cards to all rows, and sorted again. The rows now hold nearly the same number of zeros.", MOVES],
    "two dirty rows": ["The cards are gathered again, from columns back to rows. All that is still out of order lies in two neighbouring rows.", MOVES],
    "rows alternate": ["Every row is sorted, every other one in falling order.", OWN],
    "steps 1 and 2": ["Rows are sorted in alternating directions, then read row by row and written column by column.", MOVES],
    "steps 3 and 4": ["Rows are sorted, then read column by column and written row by row. Each round leaves far fewer dirty rows.", MOVES],
    "columns alternate": ["Each column is sorted, every other one in falling order.", NETWORK],
    "columns laid into rows": ["The matrix is read column by column and written row by row: at most m rows stay dirty.", MOVES],
    "dirty rows contiguous": ["The columns are sorted: what is dirty lies in neighbouring rows.", NETWORK],
    "blocks alternate": ["Blocks of rows are sorted like square matrices, every other one in falling order.", COLUMNS],
    "squares alternate": ["Squares of m rows are sorted by theorem 1, every other one in falling order.", COLUMNS],
    "blocks sorted": ["Blocks of rows are sorted, all in rising order.", COLUMNS],
    "runs merged": ["Sorted runs are merged into runs of twice the length.", ""],
    "own items sorted": ["Each thread sorts its own m items. They stand side by side in the array, so threads' items share banks.", ""],
    "rows sorted": ["Each row is sorted by its own processor, every other one in falling order, but for the last time.", OWN],
    "blocks merged": ["Sorted blocks of rows are merged, two at a time, by Batcher's comparators between rows.", NETWORK],
    balanced: ["Small groups of rows, far apart, are sorted by columns, again and again with groups farther apart. All rows then hold nearly the same number of zeros.", COLUMNS],
    divided: ["Columns are laid into rows. Only few neighbouring rows are dirty; they are cut into smaller problems.", MOVES],
    "back in the matrix": ["The rows return to the shape of the matrix.", MOVES],
    shuffled: ["Each row turns its labels by a random amount and deals them to the rows after it, so that no row is worse off than others.", MOVES],
    coloured: ["A hash function that all rows share gives every label a colour. Each row lists its labels by colour.", OWN],
    sent: ["Colour after colour, each row sends a label of that colour to its place. Two labels of one colour never go to one row.", "If two of a colour had the same row they would have the same column too: they would be the same label."],
    "finish: packed": ["Rows with many labels push some to rows with few.", MOVES],
    "finish: middle sent": ["Sorted labels are sent: those for rows of which no other row has a label.", "In sorted order such labels lie in one row only."],
    "finish: first sent": ["Labels for the first destination of each row are sent, label (i, j) in step j.", "No other label has this i and j."],
    "finish: last sent": ["Labels for the last destination of each row are sent.", "At most one row has a given destination as its last."],
    permuted: ["In each round the plan names one item of every row, and they all go to different rows.", "The plan was made so, once, before the items were known: Nakano's offline permutation."],
    "cole-stage": ["A stage of Cole's mergesort: every node of a tree merges samples of its children.", "An item is read by one processor at a time; copies are made for the others."],
    "short: sorted": ["The end of each row is merged with the beginning of the next, which puts right whichever two rows are dirty.", "Processor i is at row i or at row i + 1, the same for all."],
    "lemma 2: sorted": ["The dirty rows are neighbours by now: blocks of rows are sorted, then blocks shifted by half of one.", COLUMNS],
    "tall: sorted": ["What is left out of order is put right, in rows or in blocks of them.", COLUMNS],
    "recursive: sorted": ["The dirty rows are neighbours: squares are sorted, then squares shifted by half of one.", COLUMNS],
    sorted: ["What is left out of order is put right: the last rows are sorted, or merged with their neighbours.", OWN],
};

/* Runs as a whole, and those that mark no phase. */
const STORIES = {
    "sort-square": "Theorem 1 sorts a square matrix of w × w keys with no conflict: super-rows, columns, super-rows, columns, rows.",
    sort: "Any shape, by the conflict-free algorithm that needs fewest steps for it.",
    "sort-integers": "Lemma 2 on keys of few bits: sorting by partition.",
    "sort-tall-recursive": "Theorem 2 with columns sorted by recursion, for a tall matrix.",
    "sort-wide": "Theorem 1 for every matrix that is wider than tall.",
    "sort-short": "Lemma 1 sorts a short and wide matrix: deal the rows out like cards, sort, gather, sort.",
    "sort-tall": "Theorem 2 sorts a tall matrix: columns, rows from columns, columns, squares, columns, rows.",
    "sort-tall-cole": "Theorem 2 with columns sorted by Cole's parallel mergesort.",
    shearsort: "Sitchinava and Weichert's sort: rows in alternating directions, then columns, log w times. Each round halves the dirty rows.",
    bitonic: "What a GPU programmer writes first: Batcher's bitonic sort of one long array. Two processors often ask the same bank, and one of them waits.",
    "padded-bitonic": "Bitonic sort with a word left free after every w. It ends the conflicts of stride 1, and few others.",
    "odd-even": "Batcher's odd-even merge sort of one long array. Two processors often ask the same bank.",
    "padded-odd-even": "Odd-even merge sort with a word left free after every w.",
    "blocked-bitonic": "Bitonic sort of whole rows: no conflict, and the strongest of the older methods.",
    merge: "Merge sort as libraries do it, a thread for every m items. What a thread reads next depends on the keys, so banks collide.",
    transpose: "Row-major order becomes column-major order. In each step every processor writes to another row.",
    "transpose-in-place": "The same inside the matrix, with one row of scratch a processor.",
    "transpose-square": "Processor i trades with rows i + k and i - k: each step asks every bank once.",
    "row-sort": "Each processor sorts its own row. It asks no bank but its own.",
    partition: "Every item goes to the row that its label names.",
    "partition-tall": "Lemma 2: every item goes to the row that its label names, in a tall matrix.",
    permute: "Theorem 4: items go to given places, by random colours. Two items of one colour never go to one row.",
    "permute-offline": "Nakano's permutation by a plan that was made before: m reads and m writes, all banks busy.",
};

/* Why others wait. */
const COLLIDES = {
    bitonic: "Item x of the array is in bank x mod w. Where compared items are less than w apart, the processors of a step stretch over twice w items and ask half of the banks for two words each.",
    "odd-even": "Item x of the array is in bank x mod w. Where compared items are less than w apart, the processors of a step ask some banks for two words.",
    "padded-bitonic": "A word left free after every w moves neighbours apart, which helps strides of 1; for other strides below w most pairs still meet in one bank.",
    "padded-odd-even": "A word left free after every w helps strides of 1; for other strides below w most pairs still meet in one bank.",
    merge: "A thread's m items stand side by side. Where m and w have a common divisor, threads at the same place of their items ask for one bank; and what is read next depends on the keys.",
};

const GLOSSARY = {
    bank: "A part of memory that gives one word at a time. Row r of the matrix is bank r.",
    processor: "One of w that work in step. In each step it reads or writes one word.",
    step: "The unit of time: every processor asks for one word. Where a bank is asked k times, the step takes k.",
    conflict: "Two processors ask one bank in the same step; one of them waits.",
    "dirty row": "A row that holds zeros and ones, when keys above a threshold count as ones. Sorted data has at most one.",
    "dirty column": "A column that holds zeros and ones.",
    "super-row": "A group of neighbouring rows that is sorted as one small matrix.",
    phase: "A part of the algorithm, named by what holds when it ends.",
    key: "What is sorted. Colours go from the smallest to the largest.",
    label: "Says where an item must go.",
    "extra memory": "Words beside the matrix that the algorithm uses: another buffer, counters.",
};

/* { what, why, where } of a band of phases; null if nothing is known of it. */
function captionOf(band) {
    const at = band.name.indexOf(": "), prefix = at < 0 ? "" : band.name.slice(0, at);
    const entry = CAPTIONS[band.name] || CAPTIONS[band.text];
    return entry ? { what: entry[0], why: entry[1], where: PLACES[prefix] || "" } : null;
}

/* What to say of this moment: the outermost phase, and the one inside it. */
function tellMoment(player) {
    const { run, now, phases } = player, bands = phases.map((level) => bandAt(level, now)).filter(Boolean);
    const story = STORIES[run.algorithm] || "", waits = run.conflictCount ? COLLIDES[run.algorithm] || "" : "";
    if (now <= 0) return { what: "The input. " + story, why: "", where: "" };
    if (now >= run.steps) return { what: "Done. " + story, why: "", where: "" };
    const first = bands.map(captionOf).find(Boolean);
    if (!first) return { what: story, why: "", where: "" };
    const inner = bands.slice(1).map(captionOf).find((x) => x && x.what !== first.what);
    return { ...first, ...(waits ? { why: waits, waits: true } : {}), inside: inner ? inner.what : "" };
}

/* ---- words that explain themselves ------------------------------------------------------------ */

const TERMS = new RegExp("\\b(" + Object.keys(GLOSSARY).sort((a, b) => b.length - a.length).join("|") + ")(e?s)?\\b", "i");

/* Text with its first known words as buttons that tell what they mean; `seen` are those told before. */
function withTerms(text, seen) {
    const out = [];
    for (let rest = text; rest;) {
        const found = TERMS.exec(rest);
        if (!found) {
            out.push(rest);
            break;
        }
        const word = found[1].toLowerCase(), end = found.index + found[0].length;
        out.push(rest.slice(0, found.index), seen.has(word) ? found[0] : termButton(found[0], word));
        seen.add(word);
        rest = rest.slice(end);
    }
    return out;
}

function termButton(text, word) {
    return element("button", { class: "term", type: "button", "data-term": word, "aria-describedby": "tip" }, text);
}
