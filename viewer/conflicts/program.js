/* program.js - lines of a kernel, as src/expr/program_read.c and program_access.c read them. */

const LOCALS_MAX = 32, ACCESSES_MAX = 8, DIMS_MAX = 4, ARRAYS_MAX = 4, UINT32_MAX = 4294967295;
const QUALIFIERS = ["extern", "static", "__shared__", "volatile", "const", "constexpr", "register", "__restrict__",
    "alignas", "__align__"];
const ELEMENTS = { float: 4, double: 8, half: 2, __half: 2, half2: 4, __half2: 4, bfloat16: 2, nv_bfloat16: 2,
    __nv_bfloat16: 2, __nv_bfloat162: 4, nv_bfloat162: 4, cuFloatComplex: 8, cuComplex: 8, cuDoubleComplex: 16, __nv_fp8_e4m3: 1, __nv_fp8_e5m2: 1, uchar: 1, ushort: 2, char2: 2, char4: 4,
    uchar2: 2, uchar4: 4, short2: 4, short4: 8, ushort2: 4, ushort4: 8, int2: 8, int4: 16, uint2: 8, uint4: 16,
    float2: 8, float4: 16, double2: 16, longlong2: 16, ulonglong2: 16 };

/* .x, .y, .. of a vector */
const partsOfType = (name) => (/^cu/.test(name) ? 2 : Number((/^(?:u?(?:char|short|int|longlong)|float|double|(?:__)?half|(?:__)?nv_bfloat16)([24])$/.exec(name) || [0, 1])[1]));

class Program {
    constructor(names) {
        this.names = names.slice();
        this.given = names.length;
        this.locals = [];
        this.array = null;
        this.accesses = [];
        this.condition = null;
        this.types = []; /* [name, type], of -D T=float */
        this.steps = []; /* of a kernel: kernel.js */
        this.notes = [];
        this.arrays = 0;
    }

    /* ---- names ---- */

    /* The value, if it is made of constants only; else null. */
    constant(e) {
        const values = this.names.map((_, k) => (k < this.given ? 0 : this.locals[k - this.given].is || 0));
        for (const k of e.uses.keys())
            if (k < this.given || this.locals[k - this.given].is === null) return null;
        return evaluate(e, values);
    }

    add(name, at, value) {
        if (name.length >= 64) fail(at, "the name is too long");
        let is = null;
        try {
            is = this.constant(value);
        } catch (wrong) {
            if (!(wrong instanceof Wrong)) throw wrong;
            this.last = wrong; /* a thread that gets there tells it */
        }
        this.locals.push({ value, is });
        this.names.push({ text: name, type: value.type });
        return is;
    }

    define(text) {
        const name = text.split("=")[0];
        if (!name || name.length === text.length) fail(name.length, "a name and its value are wanted, N=32");
        for (let k = 0; k < name.length; k++)
            if (!isLetter(name[k]) && !(k && isDigit(name[k]))) fail(k, "a name is letters, digits and _");
        const value = parseExpression(text, name.length + 1, text.length, this.names);
        this.last = null;
        if (this.add(name, 0, value) === null)
            throw this.last || new Wrong(name.length + 1, "the value is no constant");
    }

    onlyIf(text) {
        this.condition = parseExpression(text, 0, text.length, this.names);
    }

    /* ---- evaluation ---- */

    /* The element that access `which` asks for, a number or a BigInt; null: it does not ask. */
    element(values, which) {
        const all = values.slice(), access = this.accesses[which];
        for (const { value, is } of this.locals) all.push(is === null ? evaluate(value, all) : is);
        if (this.condition) {
            let holds;
            try {
                holds = evaluate(this.condition, all);
            } catch (wrong) {
                if (wrong instanceof Wrong) wrong.at = -1; /* in no place of the lines */
                throw wrong;
            }
            if (!holds) return null;
        }
        if (access.condition && !evaluate(access.condition, all)) return null;
        if (!this.array) return evaluate(access.index[0], all);
        return this.locate(access, all);
    }

    locate(access, all) {
        let sum = 0;
        for (let d = 0; d < access.index.length; d++) {
            const x = evaluate(access.index[d], all), size = this.array.size[d];
            if (x < 0 || (size && x >= size) || x > UINT32_MAX)
                fail(access.text[d].at, "subscript " + x + " is outside [" + size + "]");
            sum = sum * size + Number(x);
        }
        return sum;
    }

    /* Where the name k that was given comes first; -1: nowhere. */
    uses(k) {
        const parts = this.locals.map(({ value }) => value).filter(Boolean).concat(this.steps.map(({ e }) => e).filter(Boolean));
        for (const access of this.accesses) {
            if (access.condition) parts.push(access.condition);
            parts.push(...access.index);
        }
        if (this.condition) parts.push(this.condition);
        const found = parts.find((e) => e.uses.has(k));
        return found ? found.uses.get(k) : -1;
    }
}

/* Reads statement by statement; `p` sees only the bytes of the one at hand. */
class Reader {
    constructor(program, text) {
        this.program = program;
        this.text = text;
        this.p = new Parser(text, 0, 0, program.names);
        this.declared = [];
    }

    word() {
        this.p.next();
        const at = this.p.at, length = this.p.nameLength();
        return { at, length, text: this.text.slice(at, at + length) };
    }

    expression(span) {
        const e = this.macros ? this.throughMacros(span) : null;
        return e || parseExpression(this.text, span.at, span.at + span.length, this.program.names);
    }

    closing(open, close) {
        let at = this.p.at, deep = 0;
        for (; at < this.p.end; at++) {
            deep += (this.text[at] === open) - (this.text[at] === close);
            if (deep === 0) break;
        }
        return at;
    }

    brackets() {
        const end = this.closing("[", "]"), at = this.p.at + 1;
        if (end === this.p.end) fail(this.p.at, "no ']' for this '['");
        this.p.at = end + 1;
        return { at, length: end - at };
    }

    /* ---- declarations ---- */

    /* { bytes, type }: bytes 0 is auto; type null is no number's. */
    typeName() {
        let s = this.word();
        while (["std", "cuda"].includes(s.text) && this.p.ahead(s.length) === ":" && this.p.ahead(s.length + 1) === ":") {
            this.p.at += s.length + 2;
            s = this.word();
        }
        const named = this.program.types.find(([name]) => name === s.text);
        if (named) {
            this.p.at += s.length;
            return named[1];
        }
        const type = this.p.typeName();
        if (type) {
            const narrow = type[1];
            const bytes = /16/.test(narrow) ? 2 : narrow ? 1 : type[0] >= LONG ? 8 : 4;
            return { bytes, type, number: true };
        }
        const bytes = Object.hasOwn(ELEMENTS, s.text) ? ELEMENTS[s.text] : 0, number = s.text === "auto";
        if (!bytes && !number) return null;
        this.p.at += s.length;
        return { bytes, type: null, number, parts: partsOfType(s.text) };
    }

    sizeOf(span) {
        const x = this.program.constant(this.expression(span));
        if (x === null) fail(span.at, "the size of an array is a constant");
        if (x < 1 || x > UINT32_MAX) fail(span.at, "an array of size " + x);
        return Number(x);
    }

    declareArray(name, { bytes, parts }) {
        const most = this.most || ARRAYS_MAX;
        if (this.declared.length === most) fail(name.at, "more than " + most + " arrays");
        const array = { name, bytes, parts: parts || 1, size: [], text: [] };
        this.declared.push(array);
        let all = 1;
        while (this.p.next() === "[") {
            const s = this.brackets();
            if (array.size.length === DIMS_MAX) fail(s.at, "more than " + DIMS_MAX + " dimensions");
            const blank = /^[ \t-\r]*$/.test(this.text.slice(s.at, s.at + s.length));
            array.text.push(s);
            array.size.push(array.size.length === 0 && blank ? 0 : this.sizeOf(s));
            all *= array.size[array.size.length - 1] || 1;
            if (all > UINT32_MAX) fail(name.at, "the array does not fit in 4 GiB");
        }
    }

    declareArrays(name, t) {
        for (;;) {
            this.declareArray(name, t);
            if (this.p.next() !== ",") break;
            this.p.at++;
            name = this.word();
            this.p.at += name.length;
            if (!name.length || this.p.next() !== "[") this.p.unexpected(name.length ? "'['" : "a name");
        }
        if (this.p.next()) this.p.unexpected("';'");
    }

    /* The comma after the value at the next byte, outside of parentheses; or the end. */
    valueEnd() {
        let at = this.p.at, deep = 0;
        for (; at < this.p.end && (deep > 0 || this.text[at] !== ","); at++)
            deep += (this.text[at] === "(") - (this.text[at] === ")");
        return at;
    }

    declareNumbers(name, t) {
        for (;;) {
            const at = ++this.p.at, end = this.valueEnd(), e = this.expression({ at, length: end - at });
            if (this.program.locals.length === LOCALS_MAX) fail(name.at, "too many names");
            this.program.add(name.text, name.at, t.bytes ? castTo(e, t.type) : e);
            this.p.at = end;
            if (end === this.p.end) return;
            this.p.at++;
            name = this.word();
            this.p.at += name.length;
            if (!name.length || this.p.next() !== "=") this.p.unexpected(name.length ? "'='" : "a name");
        }
    }

    passQualifiers() {
        let some = false;
        this.shared = false;
        for (let s; QUALIFIERS.includes((s = this.word()).text); some = true) {
            this.p.at += s.length;
            this.shared = this.shared || s.text === "__shared__";
            if (!/align/.test(s.text) || this.p.next() !== "(") continue;
            this.p.at = Math.min(this.closing("(", ")") + 1, this.p.end);
        }
        return some;
    }

    unknownArray(name) {
        const short = name.text.slice(0, 20);
        fail(name.at, "unknown array '" + short + "': declare it before, like float " + short + "[32]");
    }

    /* "float x = u[..": the array is not known; "float x = 1": that is no index. */
    noNumber(name) {
        if (this.p.next() === "=") {
            this.p.at++;
            const array = this.word();
            this.p.at += array.length;
            if (array.length && this.p.next() === "[") this.unknownArray(array);
        }
        fail(name.at, "'" + name.text.slice(0, 20) + "' has neither [sizes] nor a whole number as its value");
    }

    /* After __shared__ or the like: "mytype t[32]", or nothing that could be a type and a name. */
    noDeclaration(type) {
        const word = this.word();
        if (type || !word.length) fail(this.p.at, "a type and a name are wanted, like float t[32][32]");
        fail(word.at, "unknown type '" + word.text.slice(0, 20) + "': use one of as many bytes, like float or double2");
    }

    declaration() {
        const begin = this.p.at;
        const qualified = this.passQualifiers();
        const t = this.typeName(), name = t && this.word();
        if (!t || !name.length) {
            if (qualified) this.noDeclaration(t);
            this.p.at = begin;
            return false;
        }
        this.p.at += name.length;
        if (this.p.next() === "[" && t.bytes) {
            this.declareArrays(name, t);
        } else if (this.p.next() === "=" && t.number) {
            this.declareNumbers(name, t);
        } else {
            this.noNumber(name);
        }
        return true;
    }

    /* ---- accesses ---- */

    /* "if (condition)", passed: what is inside, or null. */
    condition() {
        const s = this.word();
        if (s.text !== "if") return null;
        this.p.at += s.length;
        if (this.p.next() !== "(") this.p.unexpected("'('");
        const end = this.closing("(", ")"), at = this.p.at + 1;
        if (end === this.p.end) fail(this.p.at, "no ')' for this '('");
        this.p.at = end + 1;
        return { at, length: end - at };
    }

    add(at, onlyIf) {
        const { accesses } = this.program;
        const most = this.most ? KERNEL_ACCESSES : ACCESSES_MAX;
        if (accesses.length === most) fail(at, "more than " + most + " accesses");
        const access = { condition: onlyIf && this.expression(onlyIf), writes: false, index: [], text: [] };
        accesses.push(access);
        return access;
    }

    arrayOf(name) {
        return this.declared.filter((a) => a.name.text === name).pop() || null;
    }

    /* The next place with a declared array and a bracket, which is not passed; or null. */
    find() {
        while (this.p.next()) {
            const member = this.p.at > 0 && this.text[this.p.at - 1] === ".", name = this.word();
            const array = member ? null : this.arrayOf(name.text);
            this.p.at += name.length || 1;
            if (!name.length && isDigit(this.text[this.p.at - 1]))
                while (this.p.at < this.p.end && (isLetter(this.text[this.p.at]) || isDigit(this.text[this.p.at])))
                    this.p.at++; /* 32u is no name */
            if (array && this.p.next() === "[") return { array, name };
        }
        return null;
    }

    /* The byte before `at`, white space left out; "": the statement begins there. */
    before(begin, at) {
        while (at > begin && /[ \t-\r]/.test(this.text[at - 1])) at--;
        return at > begin ? this.text[at - 1] : "";
    }

    /* The bracket that the one before `at` closes; `begin`, if there is none. */
    opening(begin, at, open, close) {
        for (let deep = 0; at > begin;) {
            at--;
            deep += (this.text[at] === close) - (this.text[at] === open);
            if (deep === 0) return at;
        }
        return begin;
    }

    behind(begin, at) {
        while (at > begin && /[ \t-\r]/.test(this.text[at - 1])) at--;
        return at;
    }

    /* Of "(float4 *)" or "reinterpret_cast<float4 *>(" before the address at `at`, the bytes; 0: neither is there. */
    castBefore(begin, at) {
        const back = this.p.at, cpp = this.before(begin, at) === "(", [open, close] = cpp ? "<>" : "()";
        const end = this.behind(begin, cpp ? this.behind(begin, at) - 1 : at), from = this.opening(begin, end, open, close);
        if (end === begin || this.text[end - 1] !== close || this.text[from] !== open) return 0;
        this.p.at = from + 1;
        this.passQualifiers();
        const type = this.typeName();
        const whole = this.p.next() === "*" && this.behind(begin, end - 1) === this.p.at + 1;
        this.p.at = back;
        return type && whole ? type.bytes : 0;
    }

    /* The ")" of a cast and [0], passed. */
    passCast() {
        if (this.p.next() === ")") this.p.at++;
        if (this.p.next() !== "[") return;
        const s = this.brackets();
        if (s.length !== 1 || this.text[s.at] !== "0") fail(s.at, "behind a cast, [0] only: add it to the subscript");
    }

    isAddress(begin, at) {
        const c = at > begin + 1 ? this.before(begin, at - 1) : "";
        return at > begin && this.text[at - 1] === "&" && c !== "&" && c !== "]" && !(c && (isLetter(c) || isDigit(c)));
    }

    subscripts(array, access) {
        const dims = array.size.length;
        while (this.p.next() === "[") {
            const s = this.brackets();
            if (access.index.length === dims) fail(s.at, "the array has " + dims + " dimension" + (dims === 1 ? "" : "s"));
            access.index.push(this.expression(s));
            access.text.push(s);
        }
        if (access.index.length < dims)
            fail(this.p.at, "the array has " + dims + " dimensions, here are " + access.index.length);
    }

    /* ".x" of a vector, passed. */
    part(array, access) {
        if (this.p.next() !== ".") return;
        this.p.at++;
        const s = this.word(), which = s.length === 1 ? "xyzw".indexOf(s.text) : -1;
        if (which < 0 || which >= array.parts || array.parts < 2 || access.bytes !== array.bytes)
            fail(s.at, "a part that elements do not have: .x and .y of float2, and the like");
        this.p.at += s.length;
        access.bytes = array.bytes / array.parts;
        access.offset = which * access.bytes;
    }

    /* By what stands behind the subscripts, and before the name: [reads, writes]. */
    useOf(begin, name) {
        const c = this.p.next(), next = this.p.ahead(1), sign = this.before(begin, name);
        if (c === "=") return next === "=" ? [true, false] : [false, true];
        if ((c === "+" || c === "-") && next === c) return [true, true];
        if ((sign === "+" || sign === "-") && name > begin + 1 && this.text[name - 1] === sign && this.text[name - 2] === sign)
            return [true, true];
        if ((c === "<" || c === ">") && next === c) return [true, this.p.ahead(2) === "="];
        return [true, Boolean(c) && "+-*/%&|^".includes(c) && next === "="];
    }

    /* What is read here is no single access. */
    lookAt(begin) {
        const { at } = this.p;
        for (this.p.at = begin; this.p.next();) {
            const c = this.p.next(), s = this.word();
            if (c === "{" || c === "}") fail(this.p.at, "{ } are for kernels: declare the array as __shared__");
            if (/^atomic./.test(s.text)) fail(s.at, "atomics are not known: they do not share equal words");
            this.p.at += s.length || 1;
        }
        this.p.at = at;
    }

    oneAccess({ array, name }, begin, onlyIf) {
        const subscript = this.p.at;
        let { bytes } = array;
        if (this.isAddress(begin, name.at)) bytes = this.castBefore(begin, name.at - 1);
        if (!bytes && this.address >= array.bytes) bytes = this.address;
        if (bytes < array.bytes)
            fail(name.at - 1, "an address: which type is read or written there? *(float4 *)&..");
        const access = this.add(name.at, onlyIf);
        Object.assign(access, { array, at: name.at });
        this.subscripts(array, access);
        access.bytes = bytes;
        if (bytes !== array.bytes) this.passCast();
        this.part(array, access);
        const [reads, writes] = this.useOf(begin, name.at);
        access.writes = !reads;
        if (!reads || !writes) return;
        const again = this.add(name.at, onlyIf);
        this.p.at = subscript;
        this.subscripts(array, again);
        Object.assign(again, { writes: true, bytes: access.bytes, offset: access.offset, array, at: name.at });
    }

    /* All accesses of the statement to arrays that were declared; false: there are none. */
    accesses() {
        const begin = this.p.at, some = this.declared.length > 0 && this.find();
        this.p.at = begin;
        if (!some) return false;
        this.lookAt(begin);
        const onlyIf = this.condition();
        const { program } = this;
        for (let found; (found = this.find());) {
            if (program.array && program.array !== found.array)
                fail(found.name.at, "a second array: in lines with __shared__ all arrays are looked at");
            program.array = found.array;
            this.oneAccess(found, begin, onlyIf);
        }
        return true;
    }

    noAccess(name, at) {
        this.p.at += name.length;
        if (name.text === "for" || name.text === "while") fail(name.at, "a loop: declare the array as __shared__, or --i LO:HI");
        if (name.length && this.p.next() === "[") this.unknownArray(name);
        if (this.declared.length) fail(at, "an access to '" + this.declared[0].name.text.slice(0, 20) + "' is wanted");
    }

    /* A statement with none: the index of an element, where there is no array. */
    index() {
        const { program } = this;
        if (this.declared.length && /^__sync./.test(this.word().text)) return;
        if (this.p.next() === "#") fail(this.p.at, "no preprocessor here: -D N=32 names a constant");
        if (program.accesses.length && !this.declared.length) fail(this.p.at, "one index only; with an array, several");
        const onlyIf = this.condition(), name = this.word();
        const s = { at: this.p.at, length: this.p.end - this.p.at };
        this.noAccess(name, s.at);
        const access = this.add(s.at, onlyIf);
        access.index.push(this.expression(s));
        access.text.push(s);
    }

    read() {
        const { text, program, p } = this;
        for (let at = 0; at < text.length; at++) {
            const end = text.indexOf(";", at);
            p.at = at;
            p.end = at = end < 0 ? text.length : end;
            if (p.next() && !this.accesses() && !this.declaration()) this.index();
        }
        if (!program.accesses.length)
            fail(text.length, this.declared.length || program.locals.length
                ? "no access: which element does a thread ask for?" : "the expression is empty");
    }
}
