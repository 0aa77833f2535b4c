/* kernel_scan.c - which accesses to shared memory an expression makes, and under which conditions. */
#include <string.h>

#include "expr/kernel_parts.h"

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int names_shared(const struct kernel *k, size_t from, size_t to)
{
    while (from < to) {
        const struct cw_span s = kernel_word_at(k, from, to);

        if (s.length && cw_reader_declared(&k->r, s))
            return 1;
        from += s.length ? s.length : 1;
    }
    return 0;
}

/* ---- one access ------------------------------------------------------------------ */

static void drop_accesses(struct cw_program *p, uint32_t from)
{
    while (p->accesses > from) {
        struct cw_access *const a = &p->access[--p->accesses];

        for (uint32_t d = 0; d < CW_PROGRAM_DIMS; d++)
            cw_expr_free(a->index[d]);
        memset(a, 0, sizeof *a);
    }
}

/* Of &s[..] as the first argument of a call that is known, the bytes that go there: a row of ldmatrix, or what is
 * copied; 0: another call. */
static uint32_t bytes_of_call(struct kernel *k, struct cw_span name, size_t begin, int *writes)
{
    static const struct {
        const char *call;
        int writes;
    } calls[] = {{"__cvta_generic_to_shared", 0}, {"__pipeline_memcpy_async", 1}};
    const char *const text = k->r.p.text;
    size_t at = name.at;

    *writes = 0;
    if (at < begin + 3 || text[at - 1] != '&' || text[at - 2] != '(')
        return 0;
    for (at -= 2; at > begin && (cw_is_letter(text[at - 1]) || cw_is_digit(text[at - 1]));)
        at--;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        if (!kernel_is(k, kernel_word_at(k, at, name.at), calls[c].call))
            continue;
        *writes = calls[c].writes;
        cw_program_note(k->r.program, name.at, "%s of 16 bytes, as %s",
                        *writes ? "a write" : "a read",
                        *writes ? "cp.async does" : "ldmatrix does");
        return 16;
    }
    return 0;
}

/* At the first bracket: returns the byte behind. */
static size_t access(struct kernel *k, const struct cw_declared *array, struct cw_span name,
                     size_t at, size_t begin, size_t end)
{
    struct cw_program *const p = k->r.program;
    const uint32_t before = p->accesses;
    const struct cw_span none = {0, 0};
    int writes;

    k->r.address = bytes_of_call(k, name, begin, &writes);
    k->r.p.at = at;
    k->r.p.length = end;
    if (cw_reader_one_access(&k->r, array, begin, name, none)) {
        for (uint32_t a = before; a < p->accesses; a++) {
            p->access[a].writes |= writes;
            kernel_emit(k, STEP_ASK, a, NULL, name);
        }
        return k->r.p.at;
    }
    drop_accesses(p, before);
    k->r.p.failed = 0;
    cw_program_note(p, name.at, "left out: %s", k->r.p.error->text);
    return at;
}

/* Is the name changed where it stands: x++, --x, x = e, x <<= e? */
static int is_changed(const struct kernel *k, struct cw_span name, size_t begin, size_t end)
{
    const char *const text = k->r.p.text;
    const struct cw_span rest = kernel_trim(k, name.at + name.length, end);
    const char c = rest.length ? text[rest.at] : 0, next = rest.length > 1 ? text[rest.at + 1] : 0;
    const char third = rest.length > 2 ? text[rest.at + 2] : 0;
    const char before = name.at > begin ? text[name.at - 1] : 0;

    if ((before == '+' || before == '-') && name.at > begin + 1 && text[name.at - 2] == before)
        return 1;
    if (((c == '+' || c == '-') && next == c) || (c == '=' && next != '='))
        return 1;
    if ((c == '<' || c == '>') && next == c)
        return third == '=';
    return c && strchr("+-*/%&|^", c) && next == '=';
}

/* A word, and what belongs to it: returns the byte behind. */
static size_t word(struct kernel *k, struct cw_span s, size_t to, size_t begin, size_t end)
{
    const char *const text = k->r.p.text;
    const struct cw_declared *const array = cw_reader_declared(&k->r, s);
    const struct cw_macro *const macro = kernel_find_macro(k, s);
    const int member =
        s.at > begin && (text[s.at - 1] == '.' ||
                         (s.at > begin + 1 && text[s.at - 1] == '>' && text[s.at - 2] == '-'));
    size_t at = s.at + s.length;

    while (at < end && is_space(text[at]))
        at++;
    if (s.length > 6 && !memcmp(text + s.at, "atomic", 6) && at < to && text[at] == '(') {
        const size_t close = kernel_closing(k, at, to);

        if (names_shared(k, at, close))
            cw_program_note(k->r.program, s.at, "left out: atomics do not share equal words");
        return close;
    }
    if (kernel_is(k, s, "sizeof"))
        return at < to && text[at] == '(' ? kernel_closing(k, at, to) : at;
    if (!member && kernel_find_local(k, s) != NO_LABEL && is_changed(k, s, begin, end))
        (void)kernel_emit(k, STEP_SET, kernel_find_local(k, s), NULL, s); /* not followed */
    if (macro && names_shared(k, macro->body.at, macro->body.at + macro->body.length))
        cw_program_note(k->r.program, s.at, "left out: an access by a macro");
    if (!array || member)
        return s.at + s.length;
    if (at < end && text[at] == '[')
        return access(k, array, s, at, begin, end);
    cw_program_note(k->r.program, s.at, "left out: '%.*s' without a subscript",
                    (int)(s.length < 40 ? s.length : 40), text + s.at);
    return at;
}

static size_t number_end(const struct kernel *k, size_t at, size_t to)
{
    while (at < to && (cw_is_letter(k->r.p.text[at]) || cw_is_digit(k->r.p.text[at]) ||
                       k->r.p.text[at] == '.'))
        at++;
    return at;
}

static void plain(struct kernel *k, size_t from, size_t to, size_t begin, size_t end)
{
    while (from < to && !k->r.p.failed) {
        const char c = k->r.p.text[from];

        if (cw_is_letter(c)) {
            from = word(k, kernel_word_at(k, from, to), to, begin, end);
        } else if (cw_is_digit(c)) {
            from = number_end(k, from, to);
        } else if (c == '(' || c == '[' || c == '{') {
            const size_t close = kernel_closing(k, from, to);

            k->r.p.at = from;
            kernel_scan(k, from + 1, close, begin, end);
            from = k->r.p.at > close ? k->r.p.at : close + 1; /* a cast goes on behind */
        } else {
            from = c == '"' || c == '\'' ? kernel_closing(k, from, to) + 1 : from + 1;
        }
    }
}

/* ---- conditions ------------------------------------------------------------------ */

/* The && outside of brackets; `to`: none. */
static size_t find_and(const struct kernel *k, size_t from, size_t to)
{
    for (size_t at = from; (at = kernel_find(k, at, to, "&|?")) < to; at++) {
        if (k->r.p.text[at] != '&') {
            if (k->r.p.text[at] == '?' || (at + 1 < to && k->r.p.text[at + 1] == '|'))
                return to; /* || binds less: it stays whole */
        } else if (at + 1 < to && k->r.p.text[at + 1] == '&') {
            return at;
        }
    }
    return to;
}

static int has_or(const struct kernel *k, size_t from, size_t to)
{
    for (size_t at = from; (at = kernel_find(k, at, to, "|?")) < to; at++)
        if (k->r.p.text[at] == '?' || (at + 1 < to && k->r.p.text[at + 1] == '|'))
            return 1;
    return 0;
}

void kernel_unless(struct kernel *k, size_t from, size_t to, uint32_t label, int if_unknown,
                   int ends_loop)
{
    const int whole = has_or(k, from, to);
    size_t end;

    for (; from < to && !k->r.p.failed; from = end + 2) {
        struct cw_span s;
        struct cw_step *step;

        end = whole ? to : find_and(k, from, to);
        s = kernel_trim(k, from, end);
        kernel_scan(k, from, end, from, end);
        step = kernel_emit(k, STEP_UNLESS, 0, kernel_parse(k, s), s);
        if (!step)
            return;
        step->to = label;
        step->if_unknown = if_unknown;
        step->ends_loop = ends_loop;
    }
}

/* Where the condition before the ? at `question` begins: behind an = or a comma. */
static size_t condition_begin(const struct kernel *k, size_t from, size_t question)
{
    const char *const text = k->r.p.text;
    size_t out = from;

    for (size_t at = from; (at = kernel_find(k, at, question, "=,")) < question; at++) {
        const char before = at > from ? text[at - 1] : 0;

        if (text[at] == ',' || (text[at + 1] != '=' && !strchr("=!<>", before ? before : ' ')))
            out = at + 1;
    }
    return out;
}

/* The : of the ? at `question`. */
static size_t colon(const struct kernel *k, size_t question, size_t to)
{
    int deep = 0;

    for (size_t at = question; (at = kernel_find(k, at, to, "?:")) < to; at++) {
        deep += k->r.p.text[at] == '?' ? 1 : -1;
        if (deep == 0)
            return at;
    }
    return to;
}

/* c ? a : b, with the ? at `question`: asks for what is in a or in b. */
static void choice(struct kernel *k, size_t from, size_t question, size_t to, size_t begin,
                   size_t end)
{
    const size_t condition = condition_begin(k, from, question), other = colon(k, question, to);
    const uint32_t otherwise = kernel_label(k), behind = kernel_label(k);

    plain(k, from, condition, begin, end);
    kernel_unless(k, condition, question, otherwise, 0, 0);
    kernel_scan(k, question + 1, other, begin, end);
    kernel_jump(k, STEP_JUMP, behind);
    kernel_place(k, otherwise);
    if (other < to)
        kernel_scan(k, other + 1, to, begin, end);
    kernel_place(k, behind);
}

void kernel_scan(struct kernel *k, size_t from, size_t to, size_t begin, size_t end)
{
    const size_t question = kernel_find(k, from, to, "?");

    if (++k->nest > KERNEL_NEST)
        cw_parser_fail(&k->r.p, from, "too deep: more than %u levels", KERNEL_NEST);
    else if (question < to && k->r.p.text[question] == '?' && names_shared(k, question, to))
        choice(k, from, question, to, begin, end);
    else
        plain(k, from, to, begin, end);
    k->nest--;
}
