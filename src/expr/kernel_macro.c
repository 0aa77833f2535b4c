/* kernel_macro.c - macros of a kernel that are no constants: their text takes the place of their name, as in C. */
#include <stdlib.h>
#include <string.h>

#include "expr/code.h"
#include "expr/kernel_parts.h"

#define EXPANSIONS_MAX 64

static size_t word_length(const char *text, size_t at, size_t length)
{
    size_t n = 0;

    while (at + n < length && (cw_is_letter(text[at + n]) || (n && cw_is_digit(text[at + n]))))
        n++;
    return n;
}

static const struct cw_macro *macro_of(const struct cw_reader *r, const char *word, size_t length)
{
    for (uint32_t m = r->macros; m-- > 0;)
        if (r->macro[m].name.length == length &&
            !memcmp(r->source + r->macro[m].name.at, word, length))
            return &r->macro[m];
    return NULL;
}

const struct cw_macro *kernel_find_macro(const struct kernel *k, struct cw_span name)
{
    return name.length ? macro_of(&k->r, k->r.p.text + name.at, name.length) : NULL;
}

/* ---- its text ---------------------------------------------------------------------- */

struct text {
    char *at;
    size_t length;
    int failed;
};

static void put(struct text *t, const char *from, size_t length)
{
    if (t->length + length > CW_EXPR_LENGTH)
        t->failed = 1;
    if (t->failed)
        return;
    memcpy(t->at + t->length, from, length);
    t->length += length;
}

/* "(a, b)" at `at`: the arguments; returns the byte behind, 0 if they are not as many as the macro has. */
static size_t arguments(const struct text *t, size_t at, const struct cw_macro *m,
                        struct cw_span *args)
{
    uint32_t count = 0;
    size_t begin = at + 1;
    int deep = 0;

    for (; at < t->length; at++) {
        const char c = t->at[at];

        deep += (c == '(' || c == '[') - (c == ')' || c == ']');
        if ((deep == 1 && c == ',') || deep == 0) {
            if (count == m->params)
                return 0;
            args[count].at = begin;
            args[count++].length = at - begin;
            begin = at + 1;
        }
        if (deep == 0)
            return count == m->params ? at + 1 : 0;
    }
    return 0;
}

/* The body, with arguments in the place of parameters. */
static void put_body(struct text *to, const struct cw_reader *r, const struct cw_macro *m,
                     const struct text *from, const struct cw_span *args)
{
    const char *const body = r->source + m->body.at;

    for (size_t at = 0; at < m->body.length;) {
        const size_t n = word_length(body, at, m->body.length);
        uint32_t p = 0;

        while (p < m->params && (m->param[p].length != n || !n ||
                                 memcmp(r->source + m->param[p].at, body + at, n) != 0))
            p++;
        if (p < m->params)
            put(to, from->at + args[p].at, args[p].length);
        else
            put(to, body + at, n ? n : 1);
        at += n ? n : 1;
    }
}

/* The first macro of the text replaced: 1; 0 if there is none. */
static int replace(const struct cw_reader *r, const struct text *from, struct text *to)
{
    for (size_t at = 0; at < from->length;) {
        const size_t n = word_length(from->at, at, from->length);
        const struct cw_macro *const m = n ? macro_of(r, from->at + at, n) : NULL;
        struct cw_span args[CW_MACRO_PARAMS];
        size_t behind = at + n;

        while (m && m->params && behind < from->length && from->at[behind] == ' ')
            behind++;
        if (m && m->params)
            behind = behind < from->length && from->at[behind] == '('
                         ? arguments(from, behind, m, args)
                         : 0;
        if (m && behind) {
            to->length = 0;
            put(to, from->at, at);
            put_body(to, r, m, from, args);
            put(to, from->at + behind, from->length - behind);
            return 1;
        }
        at += n ? n : 1;
    }
    return 0;
}

int cw_reader_macros(struct cw_reader *r, struct cw_span s, struct cw_expr **e,
                     struct cw_expr_error *error)
{
    struct text a = {(char *)malloc(CW_EXPR_LENGTH + 1), 0, 0};
    struct text b = {(char *)malloc(CW_EXPR_LENGTH + 1), 0, 0};
    int count = 0;

    *e = NULL;
    if (a.at && b.at) {
        put(&a, r->p.text + s.at, s.length);
        while (count <= EXPANSIONS_MAX && !a.failed && replace(r, &a, &b)) {
            const struct text swap = a;

            a = b;
            b = swap;
            count++;
        }
        if (count && count <= EXPANSIONS_MAX && !a.failed)
            (void)cw_expr_parse_part(a.at, 0, a.length, r->program->names, e, error);
        if (*e)
            for (uint32_t c = 0; c < (*e)->count; c++)
                (*e)->code[c].at = (uint32_t)s.at;
    }
    if (count && !*e)
        error->at = s.at;
    free(a.at);
    free(b.at);
    return count && count <= EXPANSIONS_MAX && !a.failed;
}

/* ---- its definition ---------------------------------------------------------------- */

/* "(r, c)" behind the name at `at`, or nothing; then the body up to `end`. */
void kernel_macro(struct kernel *k, struct cw_span name, size_t end)
{
    struct cw_macro *const m = &k->r.macro[k->r.macros];
    size_t at = name.at + name.length;

    if (k->r.macros == CW_MACROS)
        return;
    memset(m, 0, sizeof *m);
    m->name = name;
    if (at < end && k->r.p.text[at] == '(') {
        const size_t close = kernel_closing(k, at, end);

        for (at++; at < close; at++) {
            const size_t comma = kernel_find(k, at, close, ",");

            if (m->params == CW_MACRO_PARAMS)
                return;
            m->param[m->params++] = kernel_trim(k, at, comma);
            at = comma;
        }
        at = close + 1;
    }
    m->body = kernel_trim(k, at, end);
    if (m->body.length)
        k->r.macros++;
}
