/* kernel_types.c - parameters, macros, and names for types. */
#include <stdio.h>
#include <string.h>

#include "expr/kernel_parts.h"

/* ---- parameters and macros ---------------------------------------------------------- */

/* "int n", "const float *x", "int N = 4": the last word before = is the name. */
static void parameter(struct kernel *k, size_t from, size_t to)
{
    static const struct cw_written_type number = {4, 1, 1, CW_EXPR_INT, 0};
    const size_t equals = kernel_find(k, from, to, "=[");
    struct cw_span name = {0, 0};
    uint32_t local;

    for (size_t at = from; at < equals;) {
        const struct cw_span s = kernel_word_at(k, at, equals);

        name = s.length ? s : name;
        at += s.length ? s.length : 1;
    }
    local = kernel_find_local(k, name);
    if (!name.length || (local != NO_LABEL && local < k->defined))
        return;
    local = kernel_local(k, name, &number);
    if (local != NO_LABEL && equals < to && k->r.p.text[equals] == '=')
        kernel_set_constant(k, local, kernel_trim(k, equals + 1, to));
}

void kernel_parameters(struct kernel *k, size_t at, size_t end)
{
    while (at < end && !k->r.p.failed) {
        const size_t comma = kernel_find(k, at, end, ",");

        parameter(k, at, comma);
        at = comma + 1;
    }
}

/* A name for a type: 1; or 0. */
static int name_type(struct kernel *k, struct cw_span name, size_t from, size_t to)
{
    struct cw_program *const p = k->r.program;
    struct cw_type_name *const n = &p->type[p->types];
    const struct cw_parser before = k->r.p;
    int is_type;

    k->r.p.at = from;
    k->r.p.length = to;
    is_type = p->types < CW_PROGRAM_TYPES && name.length && name.length < sizeof n->name &&
              cw_reader_type_name(&k->r, &n->is) && cw_parser_next(&k->r.p) < 0 && n->is.bytes;
    k->r.p = before;
    if (!is_type)
        return 0;
    snprintf(n->name, sizeof n->name, "%.*s", (int)name.length, k->r.p.text + name.at);
    p->types++;
    return 1;
}

int cw_expr_kernel_type(struct cw_program *p, const char *text)
{
    const size_t length = strlen(text), equals = strcspn(text, "=");
    struct cw_expr_error error;
    struct kernel k;

    memset(&k, 0, sizeof k);
    k.r.program = p;
    k.r.p = (struct cw_parser){text, length, 0, p->names, NULL, CW_EXPR_INT, 0, 0, 0, &error};
    return equals < length && name_type(&k, kernel_word_at(&k, 0, equals), equals + 1, length);
}

/* "using T = float" and "typedef float T". */
void kernel_type_statement(struct kernel *k, struct cw_span word, size_t end)
{
    const size_t at = word.at + word.length;
    struct cw_span name;
    size_t equals;

    if (kernel_is(k, word, "using")) {
        equals = kernel_find(k, at, end, "=");
        name = kernel_trim(k, at, equals);
        if (equals < end)
            (void)name_type(k, name, equals + 1, end);
        return;
    }
    name = kernel_trim(k, at, end);
    while (name.length && kernel_word_at(k, name.at, end).length != name.length) {
        name.at++;
        name.length--;
    }
    (void)name_type(k, name, at, name.at);
}

/* "#define N 32": a constant; of another value, a text. */
static void define(struct kernel *k, struct cw_span name, size_t end)
{
    struct cw_written_type type = {4, 1, 1, CW_EXPR_LONG, 0};
    const struct cw_span value = kernel_trim(k, name.at + name.length, end);
    struct cw_expr *e;
    struct cw_expr_error error;
    uint32_t local;
    int64_t is;

    if (!name.length || !value.length || name_type(k, name, value.at, value.at + value.length))
        return;
    e = k->r.p.text[name.at + name.length] == '(' ? NULL : kernel_parse(k, value);
    if (!e || !cw_program_constant(k->r.program, e, &is, &error)) {
        cw_expr_free(e);
        kernel_macro(k, name, end);
        return;
    }
    type.type = cw_expr_type(e); /* a macro has the type of its value */
    cw_expr_free(e);
    local = kernel_local(k, name, &type);
    if (local != NO_LABEL)
        kernel_set_constant(k, local, value);
}

void kernel_directive(struct kernel *k)
{
    const char *const text = k->r.p.text;
    const size_t begin = k->r.p.at;
    size_t end = begin;
    struct cw_span word, name;
    uint32_t local;

    while (end < k->r.p.length && (text[end] != '\n' || text[end - 1] == '\\'))
        end++;
    k->r.p.at = end;
    word = kernel_trim(k, begin + 1, end);
    word = kernel_word_at(k, word.at, end);
    name = kernel_trim(k, word.at + word.length, end);
    name = kernel_word_at(k, name.at, end);
    local = kernel_find_local(k, name);
    if (word.length > 1 && !memcmp(text + word.at, "if", 2))
        cw_program_note(k->r.program, begin, "#if: all of its branches are read");
    if (kernel_is(k, word, "define") && !(local != NO_LABEL && local < k->defined))
        define(k, name, end);
}
