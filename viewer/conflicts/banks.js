/* banks.js - what requests cost, as src/machine/banks.c has it, and which lanes collide. */

const MACHINES = [{ name: "nvidia", lanes: 32, banks: 32, shared: 227 * 1024, crossed: false, pairs: true },
    { name: "amd", lanes: 64, banks: 32, shared: 64 * 1024, crossed: true, pairs: false },
    { name: "64-banks", lanes: 64, banks: 64, shared: 160 * 1024, crossed: false, pairs: false }];
const CROSSED = [0, 1, 2, 3, 1, 0, 3, 2]; /* of four lanes each */

const wordsOf = (bytes) => (bytes <= 4 ? 1 : bytes / 4);

/* A request: asks[lane] is 1 or 0, at[lane] a byte. */
function neighboursDiffer(asks, at, lanes) {
    for (let i = 0; i < lanes; i += 2) if (asks[i] && asks[i + 1] && at[i] !== at[i + 1]) return true;
    return false;
}

/* The part that serves each lane; returns how many there are. */
function partsOf(m, bytes, write, asks, at, part) {
    const words = wordsOf(bytes), most = Math.min(Math.floor(m.banks / words), m.lanes);
    const larger = m.pairs && words > 1 && !write && !neighboursDiffer(asks, at, m.lanes);
    const n = larger ? 2 * most : most;
    for (let i = 0; i < m.lanes; i++)
        part[i] = m.crossed && bytes === 16 && !write ? (i >> 5) * 4 + CROSSED[(i & 31) >> 2] : Math.floor(i / n);
    return m.lanes / n;
}

const scratch = { part: new Uint8Array(64), count: new Uint16Array(64), word: new Uint32Array(64 * 64) };

/* [wavefronts, ideal] */
function wavefrontsOf(m, bytes, write, asks, at) {
    const { part, count, word } = scratch, words = wordsOf(bytes);
    const parts = partsOf(m, bytes, write, asks, at, part);
    let sum = 0, active = 0;
    for (let i = 0; i < m.lanes; i++) active += asks[i];
    for (let k = 0; k < parts; k++) {
        let most = 0;
        count.fill(0);
        for (let i = 0; i < m.lanes; i++) {
            if (!asks[i] || part[i] !== k) continue;
            const first = Math.floor(at[i] / 4);
            for (let x = first; x < first + words; x++) {
                const bank = x % m.banks, from = bank * 64;
                let y = 0;
                while (y < count[bank] && word[from + y] !== x) y++;
                if (y === count[bank]) word[from + count[bank]++] = x;
                if (count[bank] > most) most = count[bank];
            }
        }
        sum += most;
    }
    const full = Math.ceil((active * 4 * words) / (4 * m.banks));
    return [sum, Math.min(full, sum)];
}

/* Lanes of one part that ask one bank for different words, the most words first. */
function collisionsOf(m, bytes, write, asks, at) {
    const part = new Uint8Array(64), parts = partsOf(m, bytes, write, asks, at, part), out = [];
    for (let k = 0; k < parts; k++) {
        const banks = Array.from({ length: m.banks }, (_, bank) => ({ bank, lanes: [], words: [] }));
        for (let i = 0; i < m.lanes; i++) {
            if (!asks[i] || part[i] !== k) continue;
            const first = Math.floor(at[i] / 4);
            for (let x = first; x < first + wordsOf(bytes); x++) {
                const b = banks[x % m.banks];
                if (!b.lanes.includes(i)) b.lanes.push(i);
                if (!b.words.includes(x)) b.words.push(x);
            }
        }
        out.push(...banks.filter((b) => b.words.length > 1));
    }
    return out.sort((a, b) => b.words.length - a.words.length || a.bank - b.bank || a.lanes[0] - b.lanes[0]);
}
