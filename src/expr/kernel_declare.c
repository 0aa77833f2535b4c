/* kernel_declare.c - what a kernel declares: shared arrays, pointers into them, and numbers. */
#include <stdio.h>
#include <string.h>

#include "expr/kernel_parts.h"

/* ---- numbers --------------------------------------------------------------------- */

uint32_t kernel_find_local(const struct kernel *k, struct cw_span name)
{
    const struct cw_program *const p = k->r.program;

    for (uint32_t l = p->locals; name.length && l-- > 0;)
        if (kernel_is(k, name, p->names[p->given + l].text))
            return l;
    return NO_LABEL;
}

uint32_t kernel_local(struct kernel *k, struct cw_span name, const struct cw_written_type *t)
{
    struct cw_program *const p = k->r.program;
    struct cw_local *const l = &p->local[p->locals];

    if (p->locals == CW_PROGRAM_LOCALS || name.length >= sizeof l->name) {
        cw_parser_fail(&k->r.p, name.at,
                       p->locals == CW_PROGRAM_LOCALS ? "too many names" : "the name is too long");
        return NO_LABEL;
    }
    memcpy(l->name, k->r.p.text + name.at, name.length);
    l->name[name.length] = 0;
    p->names[p->given + p->locals].text = l->name;
    p->names[p->given + p->locals].type = t->type;
    k->narrow[p->locals] = t->narrow;
    return p->locals++;
}

static void assign(struct kernel *k, uint32_t local, struct cw_expr *e, struct cw_span value)
{
    if (e)
        cw_expr_cast(e, k->r.program->names[k->r.program->given + local].type,
                     (enum cw_narrow)k->narrow[local]);
    (void)kernel_emit(k, STEP_SET, local, e, value);
}

void kernel_set(struct kernel *k, uint32_t local, struct cw_span value)
{
    if (local != NO_LABEL)
        assign(k, local, kernel_parse(k, value), value);
}

void kernel_set_constant(struct kernel *k, uint32_t local, struct cw_span value)
{
    struct cw_program *const p = k->r.program;
    struct cw_expr *const e = kernel_parse(k, value);
    struct cw_expr_error error;
    int64_t is;

    if (e && cw_program_constant(p, e, &is, &error)) {
        p->local[local].constant = 1;
        p->local[local].is = is;
    }
    assign(k, local, e, value);
}

/* ---- arrays ---------------------------------------------------------------------- */

/* Does the text name a shared array?  And may it differ from thread to thread? */
static int points_into_shared(const struct kernel *k, size_t from, size_t to, int *varies)
{
    const struct cw_program *const p = k->r.program;
    int shared = 0;

    *varies = 0;
    while (from < to) {
        const struct cw_span s = kernel_word_at(k, from, to);
        const uint32_t l = kernel_find_local(k, s);

        shared |= s.length && cw_reader_declared(&k->r, s);
        *varies |= l != NO_LABEL && !p->local[l].constant;
        *varies |= kernel_is(k, s, "threadIdx") || kernel_is(k, s, "tid") ||
                   kernel_is(k, s, "lane") || kernel_is(k, s, "warp");
        from += s.length ? s.length : 1;
    }
    return shared;
}

/* Another name for the place that the text points to, the same for all threads: banks turn by it, all alike. */
static void alias(struct kernel *k, struct cw_span name, const struct cw_written_type *t,
                  size_t dims)
{
    struct cw_reader *const r = &k->r;
    const uint32_t which = r->arrays;
    struct cw_declared inner;

    r->p.at = dims;
    cw_reader_array(r, name, t);
    if (!r->p.failed && r->declared[which].dims == CW_PROGRAM_DIMS)
        cw_parser_fail(&r->p, name.at, "more than %u dimensions", CW_PROGRAM_DIMS);
    if (r->p.failed)
        return;
    inner = r->declared[which]; /* (*tile)[33]: its first subscript has no size */
    memset(&r->declared[which].size, 0, sizeof inner.size);
    for (uint32_t d = 0; d < inner.dims; d++) {
        r->declared[which].size[d + 1] = inner.size[d];
        r->declared[which].text[d + 1] = inner.text[d];
    }
    r->declared[which].text[0].at = r->declared[which].text[0].length = 0;
    r->declared[which].dims = inner.dims + 1;
}

/* ---- declarators ------------------------------------------------------------------ */

struct declarator {
    struct cw_span name;
    int pointer;
    size_t dims; /* the byte behind (*name); else behind the name */
};

/* "*x", "(*x)[33]", "x" at the next byte, passed. */
static struct declarator declarator(struct kernel *k)
{
    struct cw_reader *const r = &k->r;
    struct declarator d = {{0, 0}, 0, 0};
    int open = 0;

    for (;;) {
        const int c = cw_parser_next(&r->p);
        const struct cw_span s = cw_reader_word(r);

        if (c == '(' && !open) {
            open = 1;
        } else if (c == '*' || c == '&') {
            d.pointer = 1;
        } else if (!kernel_is(k, s, "const") && !kernel_is(k, s, "__restrict__")) {
            d.name = s;
            r->p.at += s.length;
            break;
        } else {
            r->p.at += s.length - 1;
        }
        r->p.at++;
    }
    if (open && cw_parser_next(&r->p) == ')')
        r->p.at++;
    (void)cw_parser_next(&r->p);
    d.dims = r->p.at;
    return d;
}

/* What is behind = or in ( ) or { }, passed. */
static struct cw_span initial(struct kernel *k, size_t end)
{
    const int c = cw_parser_next(&k->r.p);
    const size_t at = k->r.p.at;
    struct cw_span none = {0, 0};

    if (c == '=') {
        k->r.p.at = kernel_find(k, at + 1, end, ",");
        return kernel_trim(k, at + 1, k->r.p.at);
    }
    if (c != '(' && c != '{')
        return none;
    k->r.p.at = kernel_closing(k, at, end) + 1;
    if (k->r.p.at > end)
        k->r.p.at = end;
    return kernel_trim(k, at + 1, k->r.p.at > at + 1 ? k->r.p.at - 1 : k->r.p.at);
}

static void brackets(struct kernel *k)
{
    while (cw_parser_next(&k->r.p) == '[')
        (void)cw_reader_brackets(&k->r);
}

static void declare(struct kernel *k, const struct declarator *d, const struct cw_written_type *t,
                    int constant, size_t begin, size_t end)
{
    int varies;
    struct cw_span value;
    uint32_t local;

    brackets(k);
    value = initial(k, end);
    if (d->pointer && points_into_shared(k, value.at, value.at + value.length, &varies)) {
        const size_t behind = k->r.p.at;

        if (varies)
            cw_program_note(k->r.program, d->name.at,
                            "left out: a pointer that differs from thread to thread: use [ ]");
        else
            alias(k, d->name, t, d->dims);
        k->r.p.at = behind;
        return;
    }
    kernel_scan(k, value.at, value.at + value.length, begin, end);
    k->r.p.length = end;
    k->r.p.at =
        value.length && k->r.p.at < value.at + value.length ? value.at + value.length : k->r.p.at;
    local = kernel_local(k, d->name, t);
    if (local == NO_LABEL)
        return;
    if (d->pointer || !t->is_number || !value.length)
        (void)kernel_emit(k, STEP_SET, local, NULL, value);
    else if (constant)
        kernel_set_constant(k, local, value);
    else
        kernel_set(k, local, value);
}

static void unknown_type(struct kernel *k)
{
    const struct cw_span s = cw_reader_word(&k->r);
    const int length = (int)(s.length < 20 ? s.length : 20);

    if (s.length)
        cw_parser_fail(&k->r.p, s.at, "unknown type '%.*s': -D %.*s=float, or another, names it",
                       length, k->r.p.text + s.at, length, k->r.p.text + s.at);
    else
        cw_parser_fail(&k->r.p, s.at, "a type and a name are wanted, like float t[32][32]");
}

static int is_constant(const struct kernel *k, size_t from, size_t to)
{
    while (from < to) {
        const struct cw_span s = kernel_word_at(k, from, to);

        if (kernel_is(k, s, "const") || kernel_is(k, s, "constexpr"))
            return 1;
        from += s.length ? s.length : 1;
    }
    return 0;
}

int kernel_declaration(struct kernel *k, size_t end)
{
    struct cw_reader *const r = &k->r;
    const size_t begin = r->p.at;
    struct cw_written_type t;
    int shared, constant;

    r->p.length = end;
    (void)cw_reader_qualifiers(r, &shared);
    if (!cw_reader_type_name(r, &t)) {
        if (shared)
            unknown_type(k);
        r->p.at = begin;
        return shared;
    }
    (void)cw_reader_qualifiers(r, &constant); /* float const x */
    constant = is_constant(k, begin, r->p.at);
    while (!r->p.failed && cw_parser_next(&r->p) >= 0) {
        const struct declarator d = declarator(k);

        if (!d.name.length) {
            r->p.at = begin;
            if (shared)
                unknown_type(k);
            return shared;
        }
        if (shared && cw_parser_next(&r->p) == '[' && t.bytes)
            cw_reader_array(r, d.name, &t);
        else if (!shared)
            declare(k, &d, &t, constant, begin, end);
        r->p.length = end;
        if (cw_parser_next(&r->p) != ',')
            break;
        r->p.at++;
    }
    return 1;
}
