/* expr.js - C's integer expressions, as src/expr has them: the same texts are taken, with the same
 * values, types and errors.  tests/expr/page.sh holds both against each other on random ones.
 *
 * Ints and unsigneds are numbers, longs and unsigned longs are BigInts.  An expression becomes a
 * function of the values of its names.
 */

const INT = 0, UNSIGNED = 1, LONG = 2, UNSIGNED_LONG = 3;
const LEVEL = { conditional: 1, or: 2, and: 3, bitOr: 4, bitXor: 5, bitAnd: 6, equal: 7, less: 8, shift: 9,
    sum: 10, product: 11, unary: 12, primary: 13 };
const EXPR_LENGTH = 16384, EXPR_NEST = 100, EXPR_STACK = 256;

/* What is wrong, and at which byte. */
class Wrong extends Error {
    constructor(at, text) {
        super(text);
        this.at = at;
    }
}

function fail(at, text) {
    throw new Wrong(at, text);
}

/* ---- values ----------------------------------------------------------------- */

function convert(type, x) {
    if (typeof x === "number")
        return type === INT ? x | 0 : type === UNSIGNED ? x >>> 0 : type === LONG ? BigInt(x)
            : BigInt.asUintN(64, BigInt(x));
    return type === INT ? Number(BigInt.asIntN(32, x)) : type === UNSIGNED ? Number(BigInt.asUintN(32, x))
        : type === LONG ? BigInt.asIntN(64, x) : BigInt.asUintN(64, x);
}

const isTrue = (x) => x !== 0 && x !== 0n;

const NARROW = {
    int8: (x) => (convert(INT, x) << 24) >> 24,
    uint8: (x) => convert(INT, x) & 255,
    int16: (x) => (convert(INT, x) << 16) >> 16,
    uint16: (x) => convert(INT, x) & 65535,
    bool: (x) => (isTrue(x) ? 1 : 0),
};

/* Into an int or a long, if it fits. */
function settle(type, x, at) {
    if (type === INT) {
        if (x !== (Number(x) | 0)) fail(at, "overflow: the result does not fit in an int, 32 bits");
        return x;
    }
    if (x !== BigInt.asIntN(64, x)) fail(at, "overflow: the result does not fit in 64 bits");
    return x;
}

function shiftBy(type, b, at) {
    const most = type >= LONG ? 63 : 31;
    if (b < 0 || b > most) fail(at, "shift by less than 0 or more than " + most);
    return b;
}

function divide(op, type, a, b, at) {
    if (!isTrue(b)) fail(at, op === "/" ? "division by zero" : "remainder of a division by zero");
    if (type >= LONG) {
        if (type === LONG) settle(LONG, a / b, at);
        return op === "/" ? a / b : a % b;
    }
    const whole = Math.trunc(a / b);
    if (type === INT) settle(INT, whole + 0, at);
    return (op === "/" ? whole : a % b) + 0; /* + 0: there is no -0 */
}

/* a and b in the type; b of a shift as it is. */
function arithmetic(op, type, a, b, at) {
    if (op === "/" || op === "%") return divide(op, type, a, b, at);
    if (op === "<<" || op === ">>") {
        shiftBy(type, b, at);
        if (type === UNSIGNED) return op === "<<" ? (a << Number(b)) >>> 0 : a >>> Number(b);
        if (type === INT) return op === "<<" ? settle(INT, a * Math.pow(2, Number(b)) + 0, at) : a >> Number(b);
        if (op === ">>") return a >> BigInt(b);
        return type === LONG ? settle(LONG, a << BigInt(b), at) : BigInt.asUintN(64, a << BigInt(b));
    }
    if (type === UNSIGNED)
        return (op === "+" ? a + b : op === "-" ? a - b : Math.imul(a, b)) >>> 0;
    const x = op === "+" ? a + b : op === "-" ? a - b : a * b;
    if (type === UNSIGNED_LONG) return BigInt.asUintN(64, x);
    return settle(type, type === INT ? x + 0 : x, at);
}

function compare(op, a, b) {
    switch (op) {
    case "<": return a < b ? 1 : 0;
    case "<=": return a <= b ? 1 : 0;
    case ">": return a > b ? 1 : 0;
    case ">=": return a >= b ? 1 : 0;
    case "==": return a === b ? 1 : 0;
    default: return a !== b ? 1 : 0;
    }
}

function bitwise(op, type, a, b) {
    return convert(type, op === "&" ? a & b : op === "|" ? a | b : a ^ b);
}

/* ---- the parser -------------------------------------------------------------- */

const isDigit = (c) => c >= "0" && c <= "9";
const isLetter = (c) => (c >= "a" && c <= "z") || (c >= "A" && c <= "Z") || c === "_";
const isBlank = (c) => c === " " || (c >= "\t" && c <= "\r");

const TYPES = { bool: [INT, "bool"], int8_t: [INT, "int8"], uint8_t: [INT, "uint8"], int16_t: [INT, "int16"],
    uint16_t: [INT, "uint16"], int32_t: [INT, null], uint32_t: [UNSIGNED, null], uint: [UNSIGNED, null],
    int64_t: [LONG, null], ptrdiff_t: [LONG, null], uint64_t: [UNSIGNED_LONG, null],
    size_t: [UNSIGNED_LONG, null] };
const TYPE_WORDS = ["unsigned", "signed", "char", "short", "int", "long"];

/* Those of two characters first: they begin with others. */
const BINARY = [["||", 2], ["&&", 3], ["==", 7], ["!=", 7], ["<=", 8], [">=", 8], ["<<", 9], [">>", 9], ["|", 4],
    ["^", 5], ["&", 6], ["<", 8], [">", 8], ["+", 10], ["-", 10], ["*", 11], ["/", 11], ["%", 11]];

/* Over text[from .. to - 1], a text of bytes; names: [{ text, type }], of equal ones the last is meant. */
class Parser {
    constructor(text, from, to, names) {
        Object.assign(this, { text, at: from, end: to, names, nest: 0, stacked: 0, first: -1, uses: new Map() });
    }

    ahead(k) {
        return this.at + k < this.end ? this.text[this.at + k] : "";
    }

    next() {
        while (isBlank(this.ahead(0))) this.at++;
        return this.ahead(0);
    }

    unexpected(wanted) {
        const c = this.next(), code = c ? c.charCodeAt(0) : 0;
        if (!c) fail(this.at, wanted + " is missing at the end");
        if (code > 32 && code < 127) fail(this.at, "'" + c + "' where " + wanted + " is wanted");
        fail(this.at, "byte 0x" + code.toString(16).padStart(2, "0") + " where " + wanted + " is wanted");
    }

    /* How many numbers the tool would have on its stack; it refuses more than so many. */
    emit(at, grows) {
        this.stacked += grows;
        if (this.stacked > EXPR_STACK) fail(at, "too deep: more than " + EXPR_STACK + " numbers at once");
        if (this.first < 0) this.first = at;
    }

    enter(at) {
        if (++this.nest > EXPR_NEST) fail(at, "too deep: more than " + EXPR_NEST + " levels");
    }

    /* ---- operands ---- */

    number() {
        const at = this.at, hex = this.ahead(0) === "0" && /^[xX]$/.test(this.ahead(1));
        const digit = hex ? /^[0-9a-fA-F]$/ : /^[0-9]$/;
        if (!hex && this.ahead(0) === "0" && isDigit(this.ahead(1)))
            fail(at, "a number that begins with 0 is octal in C: leave the 0 out");
        let digits = "";
        for (this.at += hex ? 2 : 0; digit.test(this.ahead(0)); this.at++) digits += this.ahead(0);
        if (!digits) fail(this.at, "no digits after 0x");
        const x = BigInt((hex ? "0x" : "") + digits), has = this.suffix(), c = this.ahead(0);
        if (isLetter(c) || isDigit(c) || c === ".")
            fail(this.at, "'" + c + "' in a number: all are whole, decimal or 0x hexadecimal");
        const over = x >= 1n << 64n;
        if (over || (!hex && !has.u && x >= 1n << 63n))
            fail(at, "the number does not fit in " + (over ? 64 : 63) + " bits");
        let type = !has.u && x < 1n << 63n ? LONG : UNSIGNED_LONG;
        if (!has.l && (has.u || hex) && x < 1n << 32n) type = UNSIGNED;
        if (!has.l && !has.u && x < 1n << 31n) type = INT;
        const value = convert(type, x);
        this.emit(at, 1);
        return { level: LEVEL.primary, type, run: () => value };
    }

    suffix() {
        const has = { u: false, l: false };
        for (;;) {
            const c = this.ahead(0);
            if (/^[uU]$/.test(c) && !has.u) {
                has.u = true;
                this.at++;
            } else if (/^[lL]$/.test(c) && !has.l) {
                has.l = true;
                this.at += this.ahead(1) === c ? 2 : 1;
            } else return has;
        }
    }

    nameLength() {
        let n = 0;
        while (isLetter(this.ahead(n)) || (n && isDigit(this.ahead(n)))) n++;
        return n;
    }

    /* The type that is named at the next byte, passed: [type, narrow]; or null. */
    typeName() {
        const begin = this.at;
        let n = this.nameLength(), end = begin;
        const one = this.text.slice(this.at, this.at + n);
        if (Object.hasOwn(TYPES, one)) {
            this.at += n;
            return TYPES[one];
        }
        const has = new Set();
        for (; (n = this.nameLength()) > 0; this.next()) {
            const word = this.text.slice(this.at, this.at + n);
            if (!TYPE_WORDS.includes(word)) break;
            has.add(word);
            end = this.at += n;
        }
        this.at = has.size ? end : begin;
        if (!has.size) return null;
        const u = has.has("unsigned");
        const narrow = has.has("char") ? (u ? "uint8" : "int8") : has.has("short") ? (u ? "uint16" : "int16") : null;
        return [has.has("long") ? (u ? UNSIGNED_LONG : LONG) : u && !narrow ? UNSIGNED : INT, narrow];
    }

    cast(of, [type, narrow], at) {
        this.emit(at, 0);
        return { level: LEVEL.unary, type,
            run: narrow ? (v) => convert(type, NARROW[narrow](of.run(v))) : (v) => convert(type, of.run(v)) };
    }

    unknown(at, length) {
        const shown = this.text.slice(at, at + Math.min(length, 20));
        if (shown.startsWith("blockIdx.") || shown.startsWith("gridDim."))
            fail(at, shown + " is the same for all threads of a block: write a number for it");
        let all = "", before = "";
        for (const { text } of this.names) {
            const one = text.split(".")[0];
            if (one === before) continue;
            if (all.length + one.length + 2 > 22) {
                all += ", ..";
                break;
            }
            all += (all ? ", " : "") + one;
            before = one;
        }
        fail(at, "unknown name '" + shown + "': the names are " + all);
    }

    name() {
        const at = this.at;
        let length = this.nameLength(), found = -1;
        if (this.ahead(length) === "." && isLetter(this.ahead(length + 1)))
            for (length++; isLetter(this.ahead(length));) length++;
        const text = this.text.slice(at, at + length);
        this.names.forEach((name, k) => {
            if (name.text === text) found = k;
        });
        if (found < 0) {
            const type = this.typeName();
            if (type && this.next() === "(") {
                const inside = this.parentheses();
                return Object.assign(this.cast(inside, type, at), { level: LEVEL.primary });
            }
            this.unknown(at, length);
        }
        this.at = at + length;
        const { type } = this.names[found];
        this.emit(at, 1);
        if (!this.uses.has(found)) this.uses.set(found, at);
        return { level: LEVEL.primary, type, run: (v) => convert(type, v[found]) };
    }

    /* After "(": a cast, if a type and ")" follow. */
    castAfter(at) {
        const begin = this.at;
        this.next();
        const type = this.typeName();
        if (!type || this.next() !== ")") {
            this.at = begin;
            return null;
        }
        this.at++;
        return this.cast(this.operand(), type, at);
    }

    parentheses() {
        const at = this.at++;
        this.enter(at);
        const casts = this.castAfter(at), inside = casts || this.conditional();
        this.nest--;
        if (casts) return casts;
        if (this.next() === ")") this.at++;
        else if (!this.next()) fail(this.at, "no ')' for the '(' in column " + (at + 1));
        else this.unexpected("an operator or ')'");
        return { level: LEVEL.primary, type: inside.type, run: inside.run };
    }

    sign(c) {
        const at = this.at;
        if ((c === "+" || c === "-") && this.ahead(1) === c)
            fail(at, c + c + " counts in C: put a space between, if two signs are meant");
        this.at++;
        this.enter(at);
        const { type, run } = this.operand();
        this.nest--;
        if (c !== "+") this.emit(at, 0);
        const zero = type >= LONG ? 0n : 0;
        const runs = { "+": run, "-": (v) => arithmetic("-", type, zero, run(v), at),
            "~": (v) => convert(type, ~run(v)), "!": (v) => (isTrue(run(v)) ? 0 : 1) };
        return { level: LEVEL.unary, type: c === "!" ? INT : type, run: runs[c] };
    }

    operand() {
        const c = this.next();
        if (c && "+-~!".includes(c)) return this.sign(c);
        if (c === "(") return this.parentheses();
        if (isDigit(c)) return this.number();
        if (isLetter(c)) return this.name();
        return this.unexpected("an operand");
    }

    /* ---- operators ---- */

    peek() {
        const c = this.next();
        return BINARY.find(([text]) => c === text[0] && (text.length === 1 || this.ahead(1) === text[1]));
    }

    assigns([text, level]) {
        const after = this.ahead(text.length);
        return (after === "=" && (text.length === 1 || level === LEVEL.shift)) ||
            (after === text[0] && level === LEVEL.sum);
    }

    join(op, level, at, a, b) {
        if (op === "&&") return { type: INT, run: (v) => (isTrue(a.run(v)) && isTrue(b.run(v)) ? 1 : 0) };
        if (op === "||") return { type: INT, run: (v) => (isTrue(a.run(v)) || isTrue(b.run(v)) ? 1 : 0) };
        const type = level === LEVEL.shift ? a.type : Math.max(a.type, b.type);
        const left = (v) => convert(type, a.run(v));
        const right = level === LEVEL.shift ? b.run : (v) => convert(type, b.run(v));
        if (level === LEVEL.equal || level === LEVEL.less)
            return { type: INT, run: (v) => compare(op, left(v), right(v)) };
        if (level >= LEVEL.shift) return { type, run: (v) => arithmetic(op, type, left(v), right(v), at) };
        return { type, run: (v) => bitwise(op, type, left(v), right(v)) };
    }

    binary(least) {
        let left = this.operand(), operator;
        while ((operator = this.peek()) && operator[1] >= least) {
            const at = this.at, [op, level] = operator;
            if (this.assigns(operator)) fail(at, "nothing can be assigned to: -- and ++ and += are not taken");
            this.at += op.length;
            const lazy = op === "&&" || op === "||";
            if (lazy) this.emit(at, -1);
            const right = this.binary(level + 1);
            this.emit(at, lazy ? 0 : -1);
            left = { level, ...this.join(op, level, at, left, right) };
        }
        return left;
    }

    conditional() {
        const test = this.binary(LEVEL.or);
        if (this.next() !== "?") return test;
        const at = this.at++;
        this.enter(at);
        this.emit(at, -1);
        const yes = this.conditional();
        if (this.next() !== ":") this.unexpected("an operator or ':'");
        this.emit(this.at, -1);
        this.at++;
        const no = this.conditional();
        this.nest--;
        const type = Math.max(yes.type, no.type);
        if (yes.type !== no.type) this.emit(at, 0);
        return { level: LEVEL.conditional, type, run: (v) => convert(type, isTrue(test.run(v)) ? yes.run(v) : no.run(v)) };
    }

    whole() {
        if (this.end - this.at > EXPR_LENGTH)
            fail(this.at + EXPR_LENGTH, "the expression is longer than " + EXPR_LENGTH + " bytes");
        if (!this.next()) fail(this.at, "the expression is empty");
        const e = this.conditional();
        if (this.next() === ")") fail(this.at, "')' without '('");
        if (this.next() === "=") fail(this.at, "nothing can be assigned to: == compares");
        if (this.next()) this.unexpected("an operator");
        return { ...e, first: this.first, uses: this.uses };
    }
}

const parseExpression = (text, from, to, names) => new Parser(text, from, to, names).whole();

/* The value, a number or a BigInt; an unsigned long of 2^63 or more is refused. */
function evaluate(e, values) {
    const x = e.run(values);
    if (e.type === UNSIGNED_LONG && x >= 1n << 63n) fail(e.first, "the result is 2^63 or more");
    return x;
}

/* As the value of a name of this type. */
function castTo(e, [type, narrow]) {
    return { ...e, type, run: (v) => convert(type, narrow ? NARROW[narrow](e.run(v)) : e.run(v)) };
}

/* A text as its bytes, a character each. */
const bytesOf = (text) => Array.from(new TextEncoder().encode(text), (x) => String.fromCharCode(x)).join("");
