/* kernel.js - a whole kernel, or a piece of one, read and run as src/expr/kernel*.c read and run it. */

const KERNEL_ACCESSES = 64, KERNEL_LOCALS = 128, KERNEL_ARRAYS = 16, KERNEL_NEST = 64, KERNEL_LABELS = 1024;
const KERNEL_LOOPS = 8, KERNEL_NOTES = 8, KERNEL_TYPES = 8, STEPS_MAX = 1000000;
const INT_TYPE = { bytes: 4, type: [INT, null], number: true };

const isWhite = (c) => isBlank(c) || c === "\\";

function noteOf(program, at, text) {
    const { notes } = program;
    if (notes.length < KERNEL_NOTES && !notes.some((n) => n.at === at)) notes.push({ at, text: text.slice(0, 119) });
}

const causeOf = ({ text }) => text.replace(/^left out: /, "");

class Kernel extends Reader {
    constructor(program, text) {
        super(program, text);
        Object.assign(this, { most: KERNEL_ARRAYS, labels: [], loops: 0, nest: 0, onBreak: -1, onContinue: -1, onReturn: -1,
            macros: [], defined: program.locals.length });
        this.p.end = text.length;
    }

    /* ---- text ---- */

    quoteEnd(from, to) {
        let at = from + 1;
        for (; at < to && this.text[at] !== this.text[from]; at++) if (this.text[at] === "\\") at++;
        return Math.min(at, to);
    }

    closingOf(from, to) {
        if ("\"'".includes(this.text[from])) return this.quoteEnd(from, to);
        for (let at = from, deep = 0; at < to; at++) {
            const c = this.text[at];
            if (c === "\"" || c === "'") at = this.quoteEnd(at, to);
            else deep += "([{".includes(c) - ")]}".includes(c);
            if (deep === 0) return at;
        }
        return to;
    }

    /* The first of these outside of brackets and quotes, or a bracket that closes an earlier one; or `to`. */
    seek(from, to, these) {
        for (let at = from; at < to; at++) {
            const c = this.text[at];
            if (these.includes(c) || ")]}".includes(c)) return at;
            if ("([{\"'".includes(c)) at = this.closingOf(at, to);
        }
        return to;
    }

    wordAt(at, to) {
        let length = 0;
        for (let c; at + length < to && (isLetter((c = this.text[at + length])) || (length && isDigit(c)));) length++;
        return { at, length, text: this.text.slice(at, at + length) };
    }

    *words(from, to) {
        for (let at = from; at < to;) {
            const s = this.wordAt(at, to);
            if (s.length) yield s;
            at += s.length || 1;
        }
    }

    trim(from, to) {
        let at = from, length = Math.max(to - from, 0);
        for (; length && isWhite(this.text[at]); length--) at++;
        while (length && isWhite(this.text[at + length - 1])) length--;
        return { at, length };
    }

    note(at, text) {
        noteOf(this.program, at, text);
    }

    /* ---- steps ---- */

    emit(kind, more) {
        this.program.steps.push({ kind, ...more });
    }

    label() {
        if (this.labels.length === KERNEL_LABELS) fail(this.p.at, "too many branches");
        return this.labels.push(0) - 1;
    }

    place(label) {
        this.labels[label] = this.program.steps.length;
    }

    parse(s) {
        if (!s.length) return null;
        try {
            return this.expression(s);
        } catch (wrong) {
            if (wrong instanceof Wrong) return null;
            throw wrong;
        }
    }

    /* ---- numbers ---- */

    findLocal(name) {
        const { names, given } = this.program;
        for (let k = names.length; name && k-- > given;) if (names[k].text === name) return k - given;
        return -1;
    }

    local(name, t) {
        const { program } = this;
        if (program.locals.length === KERNEL_LOCALS) fail(name.at, "too many names");
        if (name.length >= 64) fail(name.at, "the name is too long");
        program.names.push({ text: name.text, type: t.type ? t.type[0] : INT });
        return program.locals.push({ value: null, is: null, name: name.text, narrow: t.type ? t.type[1] : null }) - 1;
    }

    assign(local, e, text) {
        const { program } = this, { type } = program.names[program.given + local];
        this.emit("set", { which: local, text, e: e && castTo(e, [type, program.locals[local].narrow]) });
    }

    set(local, value) {
        this.assign(local, this.parse(value), value);
    }

    setConstant(local, value) {
        const e = this.parse(value);
        let is = null;
        try {
            is = e && this.program.constant(e);
        } catch (wrong) {
            if (!(wrong instanceof Wrong)) throw wrong;
        }
        if (is !== null) this.program.locals[local].is = is;
        this.assign(local, e, value);
    }

    /* ---- arrays ---- */

    pointsIntoShared(from, to) {
        let shared = false, varies = false;
        for (const s of this.words(from, to)) {
            const l = this.findLocal(s.text);
            shared = shared || Boolean(this.arrayOf(s.text));
            varies = varies || (l >= 0 && this.program.locals[l].is === null) || ["threadIdx", "tid", "lane", "warp"].includes(s.text);
        }
        return { shared, varies };
    }

    alias(name, t, dims) {
        this.p.at = dims;
        this.declareArray(name, t);
        const array = this.declared[this.declared.length - 1];
        if (array.size.length === DIMS_MAX) fail(name.at, "more than " + DIMS_MAX + " dimensions");
        array.size.unshift(0);
        array.text.unshift({ at: 0, length: 0 });
    }

    declarator() {
        const d = { name: null, pointer: false, dims: 0 };
        for (let open = false; ;) {
            const c = this.p.next(), s = this.word();
            if (c === "(" && !open) open = true;
            else if (c === "*" || c === "&") d.pointer = true;
            else if (s.text !== "const" && s.text !== "__restrict__") {
                d.name = s;
                this.p.at += s.length;
                if (open && this.p.next() === ")") this.p.at++;
                this.p.next();
                d.dims = this.p.at;
                return d;
            } else this.p.at += s.length - 1;
            this.p.at++;
        }
    }

    initial(end) {
        const c = this.p.next(), { at } = this.p;
        if (c === "=") {
            this.p.at = this.seek(at + 1, end, ",");
            return this.trim(at + 1, this.p.at);
        }
        if (c !== "(" && c !== "{") return { at: 0, length: 0 };
        this.p.at = Math.min(this.closingOf(at, end) + 1, end);
        return this.trim(at + 1, this.p.at > at + 1 ? this.p.at - 1 : this.p.at);
    }

    declare(d, t, constant, begin, end) {
        while (this.p.next() === "[") this.brackets();
        const value = this.initial(end), last = value.at + value.length;
        const points = d.pointer ? this.pointsIntoShared(value.at, last) : { shared: false };
        if (points.shared) {
            const behind = this.p.at;
            if (points.varies) this.note(d.name.at, "left out: a pointer that differs from thread to thread: use [ ]");
            else this.alias(d.name, t, d.dims);
            this.p.at = behind;
            return;
        }
        this.scan(value.at, last, begin, end);
        this.p.end = end;
        if (value.length && this.p.at < last) this.p.at = last;
        const local = this.local(d.name, t);
        if (d.pointer || !t.number || !value.length) this.emit("set", { which: local, e: null, text: value });
        else if (constant) this.setConstant(local, value);
        else this.set(local, value);
    }

    unknownType() {
        const s = this.word(), short = s.text.slice(0, 20);
        if (s.length) fail(s.at, "unknown type '" + short + "': -D " + short + "=float, or another, names it");
        fail(s.at, "a type and a name are wanted, like float t[32][32]");
    }

    declaresSomething(end) {
        const begin = this.p.at;
        this.p.end = end;
        this.passQualifiers();
        const { shared } = this, t = this.typeName();
        if (!t) {
            if (shared) this.unknownType();
            this.p.at = begin;
            return false;
        }
        this.passQualifiers();
        const constant = [...this.words(begin, this.p.at)].some((s) => s.text === "const" || s.text === "constexpr");
        while (this.p.next()) {
            const d = this.declarator();
            if (!d.name.length) {
                this.p.at = begin;
                if (shared) this.unknownType();
                return false;
            }
            if (shared && this.p.next() === "[" && t.bytes) this.declareArray(d.name, t);
            else if (!shared) this.declare(d, t, constant, begin, end);
            this.p.end = end;
            if (this.p.next() !== ",") break;
            this.p.at++;
        }
        return true;
    }

    /* ---- parameters, macros, types ---- */

    parameters(from, end) {
        for (let at = from; at < end;) {
            const comma = this.seek(at, end, ","), equals = this.seek(at, comma, "=[");
            const name = [...this.words(at, equals)].pop(), known = name ? this.findLocal(name.text) : -1;
            if (name && !(known >= 0 && known < this.defined)) {
                const local = this.local(name, INT_TYPE);
                if (equals < comma && this.text[equals] === "=") this.setConstant(local, this.trim(equals + 1, comma));
            }
            at = comma + 1;
        }
    }

    nameType(name, from, to) {
        const { at, end } = this.p, { types } = this.program;
        Object.assign(this.p, { at: from, end: to });
        const whole = types.length < KERNEL_TYPES && name.length > 0 && name.length < 32;
        const t = whole ? this.typeName() : null, is = Boolean(t && !this.p.next() && t.bytes);
        Object.assign(this.p, { at, end });
        if (is) types.push([this.text.slice(name.at, name.at + name.length), t]);
        return is;
    }

    typeStatement(word, end) {
        const at = word.at + word.length;
        if (word.text === "using") {
            const equals = this.seek(at, end, "=");
            if (equals < end) this.nameType(this.trim(at, equals), equals + 1, end);
            return;
        }
        const name = this.trim(at, end);
        while (name.length && this.wordAt(name.at, end).length !== name.length) {
            name.at++;
            name.length--;
        }
        this.nameType(name, at, name.at);
    }

    /* ---- macros ---- */

    macroOf(name) {
        return this.macros.filter((m) => m.name === name).pop();
    }

    /* "(a, b)" at `at` of the text: { args, behind }, or null if they are not as many as the macro has. */
    argumentsOf(text, from, m) {
        const args = [];
        for (let at = from, deep = 0, begin = from + 1; at < text.length; at++) {
            const c = text[at];
            deep += "([".includes(c) - ")]".includes(c);
            if ((deep === 1 && c === ",") || deep === 0) {
                if (args.length === m.params.length) return null;
                args.push(text.slice(begin, at));
                begin = at + 1;
            }
            if (deep === 0) return args.length === m.params.length ? { args, behind: at + 1 } : null;
        }
        return null;
    }

    /* The first macro of the text replaced; or null. */
    replaceMacro(text) {
        for (let at = 0; at < text.length;) {
            const word = /^[A-Za-z_][A-Za-z_0-9]*/.exec(text.slice(at)), n = word ? word[0].length : 0, m = n ? this.macroOf(word[0]) : null;
            let found = m && !m.params.length ? { args: [], behind: at + n } : null;
            if (m && m.params.length) {
                let open = at + n;
                while (text[open] === " ") open++;
                if (text[open] === "(") found = this.argumentsOf(text, open, m);
            }
            if (found) {
                const body = m.body.replace(/[A-Za-z_][A-Za-z_0-9]*/g, (x) => (m.params.includes(x) ? found.args[m.params.indexOf(x)] : x));
                return text.slice(0, at) + body + text.slice(found.behind);
            }
            at += n || 1;
        }
        return null;
    }

    /* The expression that macros make of the text; null: there are none. */
    throughMacros(s) {
        let text = this.text.slice(s.at, s.at + s.length), count = 0;
        for (let next; count <= 64 && text.length <= EXPR_LENGTH && (next = this.replaceMacro(text)) !== null; count++) text = next;
        if (!count || count > 64 || text.length > EXPR_LENGTH) return null;
        const here = (run) => {
            try {
                return run();
            } catch (wrong) {
                if (wrong instanceof Wrong) wrong.at = s.at;
                throw wrong;
            }
        };
        const e = here(() => parseExpression(text, 0, text.length, this.program.names));
        const uses = new Map([...e.uses.keys()].map((k) => [k, s.at]));
        return { ...e, uses, first: s.at, run: (v) => here(() => e.run(v)) };
    }

    defineMacro(name, end) {
        let at = name.at + name.length;
        const params = [];
        if (this.macros.length === 16) return;
        if (at < end && this.text[at] === "(") {
            const close = this.closingOf(at, end);
            for (at++; at < close; at++) {
                const comma = this.seek(at, close, ","), s = this.trim(at, comma);
                if (params.length === 4) return;
                params.push(this.text.slice(s.at, s.at + s.length));
                at = comma;
            }
            at = close + 1;
        }
        const s = this.trim(at, end);
        if (s.length) this.macros.push({ name: name.text, params, body: this.text.slice(s.at, s.at + s.length), span: s });
    }

    directive() {
        const { text } = this, begin = this.p.at;
        let end = begin;
        while (end < this.p.end && (text[end] !== "\n" || text[end - 1] === "\\")) end++;
        this.p.at = end;
        const word = this.wordAt(this.trim(begin + 1, end).at, end);
        const name = this.wordAt(this.trim(word.at + word.length, end).at, end);
        if (/^if/.test(word.text)) this.note(begin, "#if: all of its branches are read");
        const value = this.trim(name.at + name.length, end), known = this.findLocal(name.text);
        if (word.text !== "define" || (known >= 0 && known < this.defined) || !name.length || !value.length ||
            this.nameType(name, value.at, value.at + value.length)) return;
        const e = text[name.at + name.length] === "(" ? null : this.parse(value);
        let is = null;
        try {
            is = e && this.program.constant(e);
        } catch (wrong) {
            if (!(wrong instanceof Wrong)) throw wrong;
        }
        if (is === null) this.defineMacro(name, end);
        else this.setConstant(this.local(name, { bytes: 4, type: [e.type, null], number: true }), value);
    }

    /* ---- accesses ---- */

    namesShared(from, to) {
        return [...this.words(from, to)].some((s) => this.arrayOf(s.text));
    }

    /* Of &s[..] as the first argument of a call that is known, whether it writes; null: another call. */
    callWrites(name, begin) {
        const { text } = this;
        let { at } = name;
        if (at < begin + 3 || text[at - 1] !== "&" || text[at - 2] !== "(") return null;
        for (at -= 2; at > begin && (isLetter(text[at - 1]) || isDigit(text[at - 1]));) at--;
        const writes = { __cvta_generic_to_shared: false, __pipeline_memcpy_async: true }, call = this.wordAt(at, name.at).text;
        if (!Object.hasOwn(writes, call)) return null;
        this.note(name.at, writes[call] ? "a write of 16 bytes, as cp.async does" : "a read of 16 bytes, as ldmatrix does");
        return writes[call];
    }

    access(array, name, at, begin, end) {
        const { accesses } = this.program, before = accesses.length, writes = this.callWrites(name, begin);
        this.address = writes === null ? 0 : 16;
        Object.assign(this.p, { at, end });
        try {
            this.oneAccess({ array, name }, begin, null);
        } catch (wrong) {
            if (!(wrong instanceof Wrong)) throw wrong;
            accesses.length = before;
            this.note(name.at, "left out: " + wrong.message.slice(0, 119));
            return at;
        }
        for (let a = before; a < accesses.length; a++) {
            accesses[a].writes = accesses[a].writes || Boolean(writes);
            this.emit("ask", { which: a, text: name });
        }
        return this.p.at;
    }

    /* Is the name changed where it stands: x++, --x, x = e, x <<= e? */
    isChanged(name, begin, end) {
        const rest = this.trim(name.at + name.length, end), [c, next, third] = this.text.slice(rest.at, rest.at + Math.min(rest.length, 3));
        const before = name.at > begin ? this.text[name.at - 1] : "";
        if ((before === "+" || before === "-") && name.at > begin + 1 && this.text[name.at - 2] === before) return true;
        if (((c === "+" || c === "-") && next === c) || (c === "=" && next !== "=")) return true;
        if ((c === "<" || c === ">") && next === c) return third === "=";
        return Boolean(c) && "+-*/%&|^".includes(c) && next === "=";
    }

    scanWord(s, to, begin, end) {
        const { text } = this, array = this.arrayOf(s.text);
        const member = s.at > begin && (text[s.at - 1] === "." || (s.at > begin + 1 && text[s.at - 1] === ">" && text[s.at - 2] === "-"));
        let at = s.at + s.length;
        while (at < end && isBlank(text[at])) at++;
        if (/^atomic./.test(s.text) && at < to && text[at] === "(") {
            const close = this.closingOf(at, to);
            if (this.namesShared(at, close)) this.note(s.at, "left out: atomics do not share equal words");
            return close;
        }
        if (s.text === "sizeof") return at < to && text[at] === "(" ? this.closingOf(at, to) : at;
        const local = member ? -1 : this.findLocal(s.text);
        if (local >= 0 && this.isChanged(s, begin, end)) this.emit("set", { which: local, e: null, text: s });
        const macro = this.macroOf(s.text);
        if (macro && this.namesShared(macro.span.at, macro.span.at + macro.span.length)) this.note(s.at, "left out: an access by a macro");
        if (!array || member) return s.at + s.length;
        if (at < end && text[at] === "[") return this.access(array, s, at, begin, end);
        this.note(s.at, "left out: '" + s.text.slice(0, 40) + "' without a subscript");
        return at;
    }

    plain(from, to, begin, end) {
        const { text } = this;
        for (let at = from; at < to;) {
            const c = text[at];
            if (isLetter(c)) at = this.scanWord(this.wordAt(at, to), to, begin, end);
            else if (isDigit(c)) while (at < to && (isLetter(text[at]) || isDigit(text[at]) || text[at] === ".")) at++;
            else if ("([{".includes(c)) {
                const close = this.closingOf(at, to);
                this.p.at = at;
                this.scan(at + 1, close, begin, end);
                at = this.p.at > close ? this.p.at : close + 1;
            } else at = c === "\"" || c === "'" ? this.closingOf(at, to) + 1 : at + 1;
        }
    }

    findAnd(from, to) {
        for (let at = from; (at = this.seek(at, to, "&|?")) < to; at++) {
            if (this.text[at] !== "&") {
                if (this.text[at] === "?" || (at + 1 < to && this.text[at + 1] === "|")) return to;
            } else if (at + 1 < to && this.text[at + 1] === "&") return at;
        }
        return to;
    }

    hasOr(from, to) {
        for (let at = from; (at = this.seek(at, to, "|?")) < to; at++)
            if (this.text[at] === "?" || (at + 1 < to && this.text[at + 1] === "|")) return true;
        return false;
    }

    unless(first, to, label, ifUnknown, endsLoop) {
        const whole = this.hasOr(first, to);
        for (let from = first, end; from < to; from = end + 2) {
            end = whole ? to : this.findAnd(from, to);
            const text = this.trim(from, end);
            this.scan(from, end, from, end);
            this.emit("unless", { e: this.parse(text), text, to: label, ifUnknown, endsLoop });
        }
    }

    conditionBegin(from, question) {
        let out = from;
        for (let at = from; (at = this.seek(at, question, "=,")) < question; at++) {
            const before = at > from ? this.text[at - 1] : " ";
            if (this.text[at] === "," || (this.text[at + 1] !== "=" && !"=!<>".includes(before))) out = at + 1;
        }
        return out;
    }

    colon(question, to) {
        let deep = 0;
        for (let at = question; (at = this.seek(at, to, "?:")) < to; at++) {
            deep += this.text[at] === "?" ? 1 : -1;
            if (deep === 0) return at;
        }
        return to;
    }

    choice(from, question, to, begin, end) {
        const condition = this.conditionBegin(from, question), other = this.colon(question, to);
        const otherwise = this.label(), behind = this.label();
        this.plain(from, condition, begin, end);
        this.unless(condition, question, otherwise, false, false);
        this.scan(question + 1, other, begin, end);
        this.emit("jump", { to: behind });
        this.place(otherwise);
        if (other < to) this.scan(other + 1, to, begin, end);
        this.place(behind);
    }

    scan(from, to, begin, end) {
        const question = this.seek(from, to, "?");
        if (++this.nest > KERNEL_NEST) fail(from, "too deep: more than " + KERNEL_NEST + " levels");
        if (question < to && this.text[question] === "?" && this.namesShared(question, to)) this.choice(from, question, to, begin, end);
        else this.plain(from, to, begin, end);
        this.nest--;
    }

    /* ---- assignments ---- */

    setBy(local, name, sign, value) {
        const { text } = this, right = value.length ? text.slice(value.at, value.at + value.length) : "1";
        this.text = name.text + " " + sign + " (" + right + ")";
        this.set(local, { at: 0, length: this.text.length });
        this.text = text;
        this.program.steps[this.program.steps.length - 1].text = name;
    }

    assignment(from, to, begin, end) {
        const { text } = this, all = this.trim(from, to), stop = all.at + all.length;
        const first = all.length > 2 && "+-".includes(text[all.at]) && text[all.at + 1] === text[all.at];
        const name = this.wordAt(all.at + (first ? 2 : 0), stop), local = this.findLocal(name.text);
        const rest = this.trim(name.at + name.length, stop);
        const c = rest.length ? text[rest.at] : "", next = rest.length > 1 ? text[rest.at + 1] : "";
        const counts = first || ((c === "+" || c === "-") && next === c), is = c === "=" && next !== "=";
        const sign = ["<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^"].find((x) => rest.length > x.length && text.startsWith(x + "=", rest.at));
        if (local < 0 || (!counts && !is && !sign)) {
            this.scan(all.at, stop, begin, end);
            return;
        }
        this.scan(rest.at, stop, begin, end);
        if (counts) this.setBy(local, name, first ? text[all.at] : c, { at: 0, length: 0 });
        else if (is) this.set(local, this.trim(rest.at + 1, stop));
        else this.setBy(local, name, sign, this.trim(rest.at + sign.length + 1, stop));
    }

    assignments(first, to) {
        for (let from = first; from < to;) {
            const comma = this.seek(from, to, ",");
            this.assignment(from, comma, from, to);
            from = comma + 1;
        }
    }

    /* "index_t x = ..", of a type that is not known: x has no value, whatever else is called x. */
    unknownDeclaration(from, to) {
        const all = this.trim(from, to), type = this.wordAt(all.at, to), rest = this.trim(type.at + type.length, to);
        const name = this.wordAt(rest.at, to);
        if (!type.length || !name.length || !rest.length || this.findLocal(type.text) >= 0) return;
        const local = this.local(name, { bytes: 4, type: [LONG, null], number: true });
        this.emit("set", { which: local, e: null, text: { at: all.at, length: 0 } });
    }

    simple(from, to) {
        this.p.at = from;
        if (this.declaresSomething(to)) return;
        this.assignments(from, to);
        this.unknownDeclaration(from, to);
    }

    /* ---- statements ---- */

    forget(from) {
        const { names, given } = this.program;
        for (let k = given + from; k < names.length; k++) names[k] = { ...names[k], text: "" };
    }

    block(limit) {
        const open = this.p.at, close = this.closingOf(open, limit), locals = this.program.locals.length;
        if (close === limit) fail(open, "no '}' for this '{'");
        for (this.p.at = open + 1; this.p.at < close;) {
            this.p.end = close;
            if (this.p.next()) this.statement(close);
        }
        this.forget(locals);
        this.p.end = limit;
        this.p.at = close + 1;
    }

    inParentheses(limit) {
        this.p.end = limit;
        if (this.p.next() !== "(") this.p.unexpected("'('");
        const at = this.p.at + 1, close = this.closingOf(this.p.at, limit);
        if (close === limit) fail(this.p.at, "no ')' for this '('");
        this.p.at = close + 1;
        return { at, length: close - at };
    }

    wordFollows(text, limit) {
        this.p.end = limit;
        this.p.next();
        return this.wordAt(this.p.at, limit).text === text;
    }

    leaves(limit) {
        this.p.end = limit;
        const braces = this.p.next() === "{", end = braces ? this.closingOf(this.p.at, limit) : limit;
        let at = braces ? this.p.at + 1 : this.p.at;
        do {
            const { text } = this.wordAt(this.trim(at, end).at, end);
            if (["return", "break", "continue"].includes(text)) return true;
            at = this.seek(at, end, ";") + 1;
        } while (end < limit && at < end);
        return false;
    }

    ifStatement(limit) {
        const { steps, accesses } = this.program, otherwise = this.label(), before = steps.length, asked = accesses.length;
        if (this.wordFollows("constexpr", limit)) this.p.at += 9;
        const s = this.inParentheses(limit), body = this.p.at;
        this.unless(s.at, s.at + s.length, otherwise, this.leaves(limit), false);
        const first = steps.length;
        this.p.at = body;
        this.statement(limit);
        if (this.wordFollows("else", limit)) {
            const behind = this.label();
            this.p.at += 4;
            this.emit("jump", { to: behind });
            this.place(otherwise);
            this.statement(limit);
            this.place(behind);
            return;
        }
        if (first === steps.length && asked === accesses.length) steps.length = before;
        this.place(otherwise);
    }

    enter() {
        const l = { top: this.label(), next: this.label(), end: this.label(), onBreak: this.onBreak, onContinue: this.onContinue };
        if (this.loops === KERNEL_LOOPS) fail(this.p.at, "more than " + KERNEL_LOOPS + " loops inside each other");
        this.emit("enter", { which: this.loops++ });
        this.place(l.top);
        this.onBreak = l.end;
        this.onContinue = l.next;
        return l;
    }

    leave(l) {
        this.emit("next", { to: l.top, text: { at: this.p.at } });
        this.place(l.end);
        this.emit("leave", { which: --this.loops });
        this.onBreak = l.onBreak;
        this.onContinue = l.onContinue;
    }

    forStatement(limit) {
        const locals = this.program.locals.length, s = this.inParentheses(limit), end = s.at + s.length, body = this.p.at;
        const first = this.seek(s.at, end, ";"), second = first < end ? this.seek(first + 1, end, ";") : end;
        if (second === end) fail(s.at, "a loop has three parts: for (int k = 0; k < 8; k++)");
        this.simple(s.at, first);
        this.p.at = body;
        const l = this.enter();
        this.unless(this.trim(first + 1, second).at, second, l.end, false, true);
        this.p.at = body;
        this.statement(limit);
        const { at } = this.p;
        this.place(l.next);
        this.assignments(second + 1, end);
        this.p.at = at;
        this.leave(l);
        this.forget(locals);
    }

    whileStatement(limit) {
        const s = this.inParentheses(limit), body = this.p.at, l = this.enter();
        this.unless(s.at, s.at + s.length, l.end, false, true);
        this.p.at = body;
        this.statement(limit);
        this.place(l.next);
        this.leave(l);
    }

    doStatement(limit) {
        const l = this.enter();
        this.statement(limit);
        if (!this.wordFollows("while", limit)) this.p.unexpected("'while'");
        this.p.at += 5;
        const s = this.inParentheses(limit), { at } = this.p;
        this.place(l.next);
        this.unless(s.at, s.at + s.length, l.end, false, true);
        this.p.at = at;
        this.leave(l);
    }

    jumpStatement(label, end, from) {
        this.assignments(from, end);
        if (label >= 0) this.emit("jump", { to: label });
        this.p.at = end + 1;
    }

    functionBody(open, limit) {
        const locals = this.program.locals.length, { onReturn } = this;
        let from = open, to = open;
        for (let at = this.p.at; (at = this.seek(at, open, "(")) < open; at = to + 1) {
            from = at + 1;
            to = this.closingOf(at, open);
        }
        this.onReturn = this.label();
        this.parameters(from, to);
        this.p.at = open;
        this.block(limit);
        this.place(this.onReturn);
        this.emit("leave", { which: this.loops });
        this.forget(locals);
        this.onReturn = onReturn;
    }

    templateParameters(limit) {
        const { at } = this.p;
        let end = at;
        for (let deep = 0; end < limit; end++) {
            deep += (this.text[end] === "<") - (this.text[end] === ">");
            if (deep === 0 && this.text[end] === ">") break;
        }
        if (end === limit) fail(at, "no '>' for template");
        this.parameters(at + 1, end);
        this.p.at = end + 1;
    }

    keyword(s, limit) {
        const end = this.seek(s.at, limit, ";"), behind = s.at + s.length;
        const kinds = { if: "ifStatement", for: "forStatement", while: "whileStatement", do: "doStatement", template: "templateParameters" };
        if (Object.hasOwn(kinds, s.text)) {
            this.p.at = behind;
            this.p.next();
            this[kinds[s.text]](limit);
            return true;
        }
        if (["struct", "union", "enum", "class"].includes(s.text) && this.seek(s.at, end, "{") < end) {
            this.p.at = end + 1;
            return true;
        }
        if (s.text === "return") this.jumpStatement(this.onReturn, end, behind);
        else if (s.text === "break") this.jumpStatement(this.onBreak, end, end);
        else if (s.text === "continue") this.jumpStatement(this.onContinue, end, end);
        else if (s.text === "using" || s.text === "typedef") this.typeStatement(s, end);
        else if (s.text === "switch" || s.text === "goto") fail(s.at, s.text + " is not known: write it with if");
        else return false;
        this.p.at = end + 1;
        return true;
    }

    other(limit) {
        const { at } = this.p, open = this.seek(at, limit, "{;=");
        if (open < limit && this.text[open] === "{") {
            if (this.seek(at, open, "(") < open) this.functionBody(open, limit);
            else this.p.at = open;
            return;
        }
        const end = this.seek(at, limit, ";");
        if (end < limit && ")]}".includes(this.text[end])) fail(end, "'" + this.text[end] + "' without its opening bracket");
        this.simple(at, end);
        this.p.at = end + 1;
    }

    statement(limit) {
        this.p.end = limit;
        const c = this.p.next();
        if (!c) return;
        if (++this.nest > KERNEL_NEST) fail(this.p.at, "too deep: more than " + KERNEL_NEST + " levels");
        if (c === "{") this.block(limit);
        else if (c === "#") this.directive();
        else if (c === ";") this.p.at++;
        else if (!this.keyword(this.wordAt(this.p.at, limit), limit)) this.other(limit);
        this.nest--;
        this.p.end = limit;
        this.p.at = Math.min(this.p.at, limit);
    }

    /* ---- the whole ---- */

    choose(which) {
        const { program } = this, arrays = [], to = [], kept = [];
        for (const access of program.accesses) {
            if (!arrays.includes(access.array)) arrays.push(access.array);
            to.push(access.array === arrays[which] ? kept.push(access) - 1 : -1);
        }
        program.arrays = arrays.length;
        program.accesses = kept;
        if (kept.length) program.array = kept[0].array;
        for (const step of program.steps) if (step.kind === "ask") step.which = to[step.which];
    }

    readAll(which) {
        const { program, text } = this;
        this.onReturn = this.label();
        while (this.p.next()) {
            this.statement(text.length);
            this.p.end = text.length;
        }
        this.place(this.onReturn);
        if (!program.accesses.length) {
            const [note] = program.notes;
            fail(note ? note.at : text.length, note ? causeOf(note) : "no access to shared memory: which element does a thread ask for?");
        }
        for (const step of program.steps) if ("to" in step) step.to = this.labels[step.to];
        this.choose(which);
    }
}

function isKernel(text) {
    const k = new Kernel(new Program([]), text), words = [...k.words(0, text.length)].map((s) => s.text);
    const shared = words.filter((s) => s === "__shared__").length;
    if (!shared) return false;
    if (["for", "while", "do", "else", "return", "using", "typedef"].some((s) => words.includes(s)) || shared > 1 || /[{}#]/.test(text)) return true;
    for (let at = 0; at < text.length; at = k.seek(at, text.length, ";") + 1) {
        const name = k.wordAt(k.trim(at, text.length).at, text.length), rest = k.trim(name.at + name.length, text.length);
        if (name.length && rest.length > 1 && text[rest.at] === "=" && text[rest.at + 1] !== "=") return true;
    }
    return false;
}

/* "T=float": a name for a type; false: something else. */
function defineType(program, text) {
    const k = new Kernel(program, text), equals = text.indexOf("=");
    return equals >= 0 && k.nameType(k.wordAt(0, equals), equals + 1, text.length);
}

/* ---- one thread ---- */

function runThread(program, text, values, asked) {
    const { locals, steps, given } = program;
    const value = values.concat(locals.map(({ is }) => is)), known = value.map((x) => x !== null);
    const round = new Array(KERNEL_LOOPS).fill(0), last = [];
    let loops = 0, left = STEPS_MAX;
    const unknownIn = (e) => (e ? [...e.uses.keys()].find((k) => !known[k]) : undefined);
    const isKnown = (e) => e && unknownIn(e) === undefined;
    const jumpsUnless = (s) => {
        const shown = text.slice(s.text.at, s.text.at + Math.min(s.text.length, 40));
        if (isKnown(s.e)) return !isTrue(evaluate(s.e, value));
        if (s.endsLoop) last[loops - 1] = true;
        noteOf(program, s.text.at, "'" + shown + "' is not known: " +
            (s.endsLoop ? "the loop is run once" : "taken as " + (s.ifUnknown ? "false" : "true")));
        return s.ifUnknown;
    };
    const set = (s) => {
        const k = given + s.which;
        known[k] = Boolean(isKnown(s.e));
        try {
            if (known[k]) value[k] = evaluate(s.e, value);
        } catch (wrong) {
            if (!(wrong instanceof Wrong)) throw wrong;
            known[k] = false;
        }
    };
    const ask = (s) => {
        const a = program.accesses[s.which];
        if (program.condition && isKnown(program.condition)) {
            let holds;
            try {
                holds = evaluate(program.condition, value);
            } catch (wrong) {
                if (wrong instanceof Wrong) wrong.at = -1;
                throw wrong;
            }
            if (!isTrue(holds)) return;
        }
        for (const e of a.index) {
            const k = unknownIn(e);
            if (k === undefined) continue;
            noteOf(program, a.at, "left out: '" + (program.names[k].text || locals[k - given].name) + "' is not known here: -D may give it a value");
            return;
        }
        asked(s.which, loops, round.slice(), program.locate(a, value));
    };
    for (let pc = 0; pc < steps.length; left--) {
        const s = steps[pc++];
        let jumps = s.kind === "jump";
        if (left === 0) fail(s.text ? s.text.at : 0, "more than " + STEPS_MAX + " steps: does this loop end?");
        if (s.kind === "set") set(s);
        else if (s.kind === "ask" && s.which >= 0) ask(s);
        else if (s.kind === "unless") jumps = jumpsUnless(s);
        else if (s.kind === "enter") {
            loops = s.which + 1;
            round[s.which] = 0;
            last[s.which] = false;
        } else if (s.kind === "next") {
            round[loops - 1]++;
            jumps = !last[loops - 1];
        } else if (s.kind === "leave") {
            loops = s.which;
            round.fill(0, loops);
        }
        if (jumps) pc = s.to;
    }
}
