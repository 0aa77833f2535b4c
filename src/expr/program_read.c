/* program_read.c - lines of a kernel, one statement after another up to its semicolon, and what they declare;
 * program_access.c has the accesses. */
#include <stdio.h>
#include <string.h>

#include "expr/program_parts.h"

static const char *const qualifiers[] = {"extern", "static",    "__shared__", "volatile",
                                         "const",  "constexpr", "register",   "__restrict__"};

static const struct {
    const char *name;
    uint32_t bytes, parts; /* .x, .y, .. */
} elements[] = {
    {"float", 4, 1},         {"double", 8, 1},
    {"half", 2, 1},          {"__half", 2, 1},
    {"half2", 4, 2},         {"__half2", 4, 2},
    {"bfloat16", 2, 1},      {"nv_bfloat16", 2, 1},
    {"__nv_bfloat16", 2, 1}, {"__nv_bfloat162", 4, 2},
    {"nv_bfloat162", 4, 2},  {"cuFloatComplex", 8, 2},
    {"cuComplex", 8, 2},     {"cuDoubleComplex", 16, 2},
    {"__nv_fp8_e4m3", 1, 1}, {"__nv_fp8_e5m2", 1, 1},
    {"uchar", 1, 1},         {"ushort", 2, 1},
    {"char2", 2, 2},         {"char4", 4, 4},
    {"uchar2", 2, 2},        {"uchar4", 4, 4},
    {"short2", 4, 2},        {"short4", 8, 4},
    {"ushort2", 4, 2},       {"ushort4", 8, 4},
    {"int2", 8, 2},          {"int4", 16, 4},
    {"uint2", 8, 2},         {"uint4", 16, 4},
    {"float2", 8, 2},        {"float4", 16, 4},
    {"double2", 16, 2},      {"longlong2", 16, 2},
    {"ulonglong2", 16, 2},
};

/* ---- words ---------------------------------------------------------------- */

/* The name at the next byte, not passed. */
struct cw_span cw_reader_word(struct cw_reader *r)
{
    struct cw_span s = {r->p.at, 0};

    cw_parser_next(&r->p);
    s.at = r->p.at;
    while (cw_is_letter(cw_parser_ahead(&r->p, s.length)) ||
           (s.length && cw_is_digit(cw_parser_ahead(&r->p, s.length))))
        s.length++;
    return s;
}

int cw_reader_is(const struct cw_reader *r, struct cw_span s, const char *text)
{
    return strlen(text) == s.length && !memcmp(r->p.text + s.at, text, s.length);
}

/* "(..)" behind alignas, passed. */
static void pass_parentheses(struct cw_reader *r)
{
    if (cw_parser_next(&r->p) != '(')
        return;
    r->p.at = cw_reader_closing(r, '(', ')');
    r->p.at += r->p.at < r->p.length;
}

int cw_reader_qualifiers(struct cw_reader *r, int *shared)
{
    int some = 0;

    *shared = 0;

    for (;;) {
        const struct cw_span s = cw_reader_word(r);
        size_t k = 0;

        while (k < sizeof qualifiers / sizeof *qualifiers && !cw_reader_is(r, s, qualifiers[k]))
            k++;
        if (cw_reader_is(r, s, "alignas") || cw_reader_is(r, s, "__align__")) {
            r->p.at += s.length;
            pass_parentheses(r);
        } else if (k < sizeof qualifiers / sizeof *qualifiers) {
            r->p.at += s.length;
            *shared |= cw_reader_is(r, s, "__shared__");
        } else {
            return some;
        }
        some = 1;
    }
}

/* ---- declarations --------------------------------------------------------- */

static uint32_t bytes_of(const struct cw_written_type *t)
{
    if (t->narrow == NARROW_INT16 || t->narrow == NARROW_UINT16)
        return 2;
    return t->narrow != NARROW_NONE ? 1 : t->type >= CW_EXPR_LONG ? 8 : 4;
}

/* "std::" and "cuda::std::", passed. */
static void pass_namespaces(struct cw_reader *r)
{
    struct cw_span s = cw_reader_word(r);

    while ((cw_reader_is(r, s, "std") || cw_reader_is(r, s, "cuda")) &&
           cw_parser_ahead(&r->p, s.length) == ':' && cw_parser_ahead(&r->p, s.length + 1) == ':') {
        r->p.at += s.length + 2;
        s = cw_reader_word(r);
    }
}

int cw_reader_type_name(struct cw_reader *r, struct cw_written_type *out)
{
    enum cw_narrow narrow;
    struct cw_span s;

    memset(out, 0, sizeof *out);
    pass_namespaces(r);
    s = cw_reader_word(r);
    for (uint32_t k = 0; k < r->program->types; k++)
        if (cw_reader_is(r, s, r->program->type[k].name)) {
            *out = r->program->type[k].is;
            r->p.at += s.length;
            return 1;
        }
    if (cw_parser_type(&r->p, &out->type, &narrow)) {
        out->narrow = narrow;
        out->is_number = 1;
        out->bytes = bytes_of(out);
        return 1;
    }
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
        if (cw_reader_is(r, s, elements[k].name)) {
            out->bytes = elements[k].bytes;
            out->parts = elements[k].parts;
        }
    out->is_number = cw_reader_is(r, s, "auto");
    if (out->bytes || out->is_number)
        r->p.at += s.length;
    return out->bytes || out->is_number;
}

uint32_t cw_reader_type(struct cw_reader *r)
{
    struct cw_written_type t;
    int shared;

    (void)cw_reader_qualifiers(r, &shared);
    return cw_reader_type_name(r, &t) ? t.bytes : 0;
}

/* The byte of the bracket that closes the one at the next byte; the end, if none does. */
size_t cw_reader_closing(const struct cw_reader *r, char open, char close)
{
    size_t at = r->p.at;
    int deep = 0;

    for (; at < r->p.length; at++) {
        deep += r->p.text[at] == open;
        deep -= r->p.text[at] == close;
        if (deep == 0)
            break;
    }
    return at;
}

/* "[ ... ]" at the next byte, passed: what is inside. */
struct cw_span cw_reader_brackets(struct cw_reader *r)
{
    const size_t end = cw_reader_closing(r, '[', ']');
    struct cw_span s = {r->p.at + 1, 0};

    if (end == r->p.length) {
        cw_parser_fail(&r->p, r->p.at, "no ']' for this '['");
        return s;
    }
    s.length = end - s.at;
    r->p.at = end + 1;
    return s;
}

static int blank(const struct cw_reader *r, struct cw_span s)
{
    for (size_t k = 0; k < s.length; k++)
        if (!strchr(" \t\n\v\f\r", r->p.text[s.at + k]))
            return 0;
    return 1;
}

/* An expression in the text; NULL after a failure. */
struct cw_expr *cw_reader_expression(struct cw_reader *r, struct cw_span s)
{
    struct cw_expr *e = NULL;

    if (!r->p.failed && r->macros && cw_reader_macros(r, s, &e, r->p.error))
        r->p.failed = !e;
    else if (!r->p.failed && cw_expr_parse_part(r->p.text, s.at, s.at + s.length, r->program->names,
                                                &e, r->p.error))
        r->p.failed = 1;
    return e;
}

static uint64_t size_of(struct cw_reader *r, struct cw_span s)
{
    struct cw_expr *const e = cw_reader_expression(r, s);
    int64_t x = 0;

    if (!e)
        return 0;
    r->p.error->text[0] = 0;
    if (!cw_program_constant(r->program, e, &x, r->p.error)) {
        if (!*r->p.error->text)
            cw_parser_fail(&r->p, s.at, "the size of an array is a constant");
        r->p.failed = 1;
    } else if (x < 1 || x > UINT32_MAX) {
        cw_parser_fail(&r->p, s.at, "an array of size %lld", (long long)x);
    }
    cw_expr_free(e);
    return (uint64_t)x;
}

void cw_reader_array(struct cw_reader *r, struct cw_span name, const struct cw_written_type *t)
{
    struct cw_declared *const a = &r->declared[r->arrays < r->most ? r->arrays : 0];
    uint64_t all = 1;

    if (r->arrays == r->most) {
        cw_parser_fail(&r->p, name.at, "more than %u arrays", r->most);
        return;
    }
    r->arrays++;
    a->name = name;
    a->bytes = t->bytes;
    a->parts = t->parts;
    while (cw_parser_next(&r->p) == '[') {
        const struct cw_span s = cw_reader_brackets(r);

        if (a->dims == CW_PROGRAM_DIMS) {
            cw_parser_fail(&r->p, s.at, "more than %u dimensions", CW_PROGRAM_DIMS);
            return;
        }
        a->text[a->dims] = s;
        a->size[a->dims] = a->dims == 0 && blank(r, s) ? 0 : size_of(r, s);
        all *= a->size[a->dims] ? a->size[a->dims] : 1;
        a->dims++;
        if (all > UINT32_MAX)
            cw_parser_fail(&r->p, name.at, "the array does not fit in 4 GiB");
        if (r->p.failed)
            return;
    }
}

static void arrays(struct cw_reader *r, struct cw_span name, const struct cw_written_type *t)
{
    for (;;) {
        cw_reader_array(r, name, t);
        if (r->p.failed || cw_parser_next(&r->p) != ',')
            break;
        r->p.at++;
        name = cw_reader_word(r);
        r->p.at += name.length;
        if (!name.length || cw_parser_next(&r->p) != '[') {
            cw_parser_unexpected(&r->p, name.length ? "'['" : "a name");
            return;
        }
    }
    if (cw_parser_next(&r->p) >= 0)
        cw_parser_unexpected(&r->p, "';'");
}

/* The comma after the value at the next byte, outside of parentheses; the end, if there is none. */
static size_t value_end(const struct cw_reader *r)
{
    size_t at = r->p.at;
    int deep = 0;

    for (; at < r->p.length && (deep > 0 || r->p.text[at] != ','); at++) {
        deep += r->p.text[at] == '(';
        deep -= r->p.text[at] == ')';
    }
    return at;
}

/* "= 3", and after a comma another name with its value. */
static void local(struct cw_reader *r, struct cw_span name, const struct cw_written_type *t)
{
    for (;;) {
        struct cw_span s;
        struct cw_expr *e;

        s.at = ++r->p.at;
        s.length = value_end(r) - s.at;
        e = cw_reader_expression(r, s);
        if (!e)
            return;
        if (t->bytes)
            cw_expr_cast(e, t->type, (enum cw_narrow)t->narrow);
        if (r->program->locals == CW_LINES_LOCALS) {
            cw_parser_fail(&r->p, name.at, "too many names");
            cw_expr_free(e);
            return;
        }
        if (cw_program_add(r->program, r->p.text + name.at, name.length, name.at, e, r->p.error))
            r->p.failed = 1;
        r->p.at = s.at + s.length;
        if (r->p.failed || r->p.at == r->p.length)
            return;
        r->p.at++;
        name = cw_reader_word(r);
        r->p.at += name.length;
        if (!name.length || cw_parser_next(&r->p) != '=') {
            cw_parser_unexpected(&r->p, name.length ? "'='" : "a name");
            return;
        }
    }
}

/* "float x = u[..": the array is not known; "float x = 1": that is no index. */
static void no_number(struct cw_reader *r, struct cw_span name)
{
    struct cw_span array = {0, 0};

    if (cw_parser_next(&r->p) == '=') {
        r->p.at++;
        array = cw_reader_word(r);
        r->p.at += array.length;
    }
    if (array.length && cw_parser_next(&r->p) == '[')
        cw_reader_unknown_array(r, array);
    else
        cw_parser_fail(&r->p, name.at, "'%.*s' has neither [sizes] nor a whole number as its value",
                       (int)(name.length < 20 ? name.length : 20), r->p.text + name.at);
}

/* After __shared__ or the like: "mytype t[32]", or nothing that could be a type and a name. */
static void no_declaration(struct cw_reader *r, int has_type)
{
    const struct cw_span word = cw_reader_word(r);

    if (has_type || !word.length)
        cw_parser_fail(&r->p, r->p.at, "a type and a name are wanted, like float t[32][32]");
    else
        cw_parser_fail(&r->p, word.at,
                       "unknown type '%.*s': use one of as many bytes, like float or double2",
                       (int)(word.length < 20 ? word.length : 20), r->p.text + word.at);
}

/* 1 if the statement declares something. */
static int declaration(struct cw_reader *r)
{
    const size_t begin = r->p.at;
    int shared;
    const int qualified = cw_reader_qualifiers(r, &shared);
    struct cw_written_type t;
    const int has_type = cw_reader_type_name(r, &t);
    struct cw_span name;

    if (!has_type || !(name = cw_reader_word(r)).length) {
        if (qualified)
            no_declaration(r, has_type);
        r->p.at = begin;
        return qualified;
    }
    r->p.at += name.length;
    if (cw_parser_next(&r->p) == '[' && t.bytes)
        arrays(r, name, &t);
    else if (cw_parser_next(&r->p) == '=' && t.is_number)
        local(r, name, &t);
    else
        no_number(r, name);
    return 1;
}

/* ---- all of it ------------------------------------------------------------ */

cw_status cw_program_read(struct cw_program *p, const char *text, size_t length,
                          struct cw_expr_error *error)
{
    struct cw_reader r = {.program = p,
                          .p = {text, 0, 0, p->names, NULL, CW_EXPR_INT, 0, 0, 0, error},
                          .most = CW_LINES_ARRAYS};

    for (size_t at = 0; at < length && !r.p.failed; at++) {
        const char *const end = (const char *)memchr(text + at, ';', length - at);

        r.p.at = at;
        r.p.length = end ? (size_t)(end - text) : length;
        at = r.p.length;
        if (cw_parser_next(&r.p) >= 0 && !cw_reader_accesses(&r) && !declaration(&r))
            cw_reader_index(&r);
    }
    if (!r.p.failed && p->accesses == 0)
        cw_parser_fail(&r.p, length,
                       r.arrays || p->locals ? "no access: which element does a thread ask for?"
                                             : "the expression is empty");
    return r.p.failed ? CW_ERR_ARGUMENT : CW_OK;
}
