/* search.js - the change of layout with the fewest wavefronts, as cli/conflicts/conflicts_search.c
 * looks for it: the same candidates, in the same order.
 */

const EVERY_MAX = 1024, POWER_MAX = 32768, PAD_MAX = 8, SHIFT_MAX = 20, SAMPLE = 64, WORK = 1 << 20;

function applyChange(c, x) {
    if (c.every) return x + Math.floor(x / c.every) * c.pad;
    return (x ^ (((x >>> c.shift) & c.mask) << c.left)) >>> 0;
}

const isPower = (x) => Number.isInteger(Math.log2(x));

function isStride(a, x) {
    let before = 0;
    for (let lane = 1; lane < 32 && a.asks[0]; lane *= 2) {
        const far = Math.abs(a.index[lane] - a.index[0]);
        if (a.asks[lane] && far === x && far !== 2 * before) return true;
        before = a.asks[lane] ? far : 0;
    }
    return false;
}

const apartOf = (p) => (4 * p.machine.banks) / p.bytes;

function paddings(every, most, step, odd, last) {
    const out = [];
    for (let pad = 1; pad <= most; pad++) {
        const change = { every, pad: pad * step, shift: 0, mask: 0, left: 0 };
        out.push({ change, takes: 0, memory: applyChange(change, last), odd });
    }
    return out;
}

function largerSizes(p, last) {
    const most = Math.min(apartOf(p), 64), out = [];
    let inside = 1;
    for (let d = p.size.length - 1; d > 0; d--) {
        const every = inside * p.size[d];
        out.push(...paddings(every, most, inside, 0, last));
        inside = every;
    }
    return out;
}

function allPaddings(p, now) {
    const apart = apartOf(p), last = now.memory / p.bytes - 1, out = [];
    if (p.size.length > 1) return largerSizes(p, last);
    for (let every = 1; every <= POWER_MAX && every <= last; every += every < EVERY_MAX ? 1 : every) {
        const most = isPower(every) || PAD_MAX > apart - 1 ? apart - 1 : PAD_MAX;
        const odd = !isPower(every) && !isStride(p.asks[now.worst], every) ? 1 : 0;
        out.push(...paddings(every, most, 1, odd, last));
    }
    return out;
}

/* Can the subscripts of the array say it: the last one changed by the one before it? */
function isSayable(p, c) {
    if (p.size.length < 2) return true;
    const wide = p.size[p.size.length - 1], rows = p.size[p.size.length - 2];
    if (!isPower(wide) || Math.pow(2, c.shift) < wide || c.mask * Math.pow(2, c.left) >= wide) return false;
    return p.size.length === 2 || (isPower(rows) && c.mask * Math.pow(2, c.shift) < wide * rows);
}

function allSwizzles(p) {
    const apart = apartOf(p), out = [];
    for (let left = 0; 1 << left < apart; left++)
        for (let mask = 1; mask << left < apart; mask = 2 * mask + 1)
            for (let shift = left + 1; shift <= SHIFT_MAX; shift++) {
                const change = { every: 0, pad: 0, shift, mask, left };
                if (isSayable(p, change)) out.push({ change, takes: 0, memory: 0, odd: 0 });
            }
    return out;
}

function limitOf(p, now, swizzle) {
    if (swizzle && p.size.length && p.size[0]) return now.memory;
    return now.memory <= p.machine.shared ? p.machine.shared : 4294967296;
}

const moved = new Float64Array(64);

function requestTakes(p, a, c, limit) {
    const more = Math.max(a.bytes / p.bytes - 1, 0);
    for (let lane = 0; lane < p.machine.lanes; lane++) {
        if (!a.asks[lane]) continue;
        const at = applyChange(c, a.index[lane]);
        moved[lane] = at * p.bytes + a.offset;
        if (moved[lane] + a.bytes > limit) return 4294967295;
        if (more && (at % (more + 1) || applyChange(c, a.index[lane] + more) !== at + more)) return 4294967295; /* torn */
    }
    return wavefrontsOf(p.machine, a.bytes, a.write, a.asks, moved)[0];
}

/* At most SAMPLE requests: all, or half of them the worst and half spread over the others. */
function takeSample(p) {
    const count = Math.min(p.asks.length, SAMPLE), worst = p.asks.length > SAMPLE ? SAMPLE / 2 : count;
    const all = p.asks.map((a, at) => {
        const [takes, ideal] = priceOf(p, a);
        return { at, above: takes - ideal, takes };
    }).sort((a, b) => b.above - a.above || a.at - b.at);
    const rest = p.asks.length - worst, sample = [];
    for (let k = 0; k < count; k++)
        sample.push(all[k < worst ? k : worst + Math.floor((rest * (k - worst)) / (count - worst))]);
    return { sample: sample.map(({ at }) => p.asks[at]), takes: sample.reduce((sum, x) => sum + x.takes, 0) };
}

const KEYS_OF = [(x) => x.takes, (x) => x.odd, (x) => x.memory, (x) => x.change.pad, (x) => x.change.every,
    (x) => x.change.mask, (x) => x.change.shift, (x) => x.change.left];

function byPrice(a, b) {
    for (const key of KEYS_OF) if (key(a) !== key(b)) return key(a) - key(b);
    return 0;
}

/* { change, tried }: change is null if none takes fewer wavefronts. */
function searchChange(p, now, swizzle) {
    const limit = limitOf(p, now, swizzle), { sample, takes: before } = takeSample(p);
    const all = swizzle ? allSwizzles(p) : allPaddings(p, now);
    const kept = all.filter((c) => {
        for (const a of sample) if ((c.takes += requestTakes(p, a, c.change, limit)) >= before) return false;
        return c.takes < before;
    }).sort(byPrice);
    let best = now.wavefronts, work = 0, change = null;
    for (const c of kept) {
        if (work >= WORK || c.takes >= best || best <= now.ideal) break;
        let takes = 0, x = 0;
        for (; x < p.asks.length && takes < best; x++) takes += requestTakes(p, p.asks[x], c.change, limit);
        work += x;
        if (takes < best) {
            best = takes;
            change = c.change;
        }
    }
    return { change, tried: all.length };
}
