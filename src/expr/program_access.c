/* program_access.c - which elements a statement asks for.
 *
 * With an array, every place of a statement where the array's name and a bracket stand is an access: to the left of =
 * it writes, to the left of += and the like it reads and writes, elsewhere it reads.  What else the statement does with
 * the value is not looked at.
 */
#include <string.h>

#include "expr/program_parts.h"

/* ---- the condition -------------------------------------------------------- */

/* "if (condition)", passed: what is inside; at length 0 there is none. */
static struct cw_span condition(struct cw_reader *r)
{
    const struct cw_span s = cw_reader_word(r);
    struct cw_span inside = {0, 0};
    size_t end;

    if (!cw_reader_is(r, s, "if"))
        return inside;
    r->p.at += s.length;
    if (cw_parser_next(&r->p) != '(')
        cw_parser_unexpected(&r->p, "'('");
    end = cw_reader_closing(r, '(', ')');
    inside.at = r->p.at + 1;
    if (end == r->p.length)
        cw_parser_fail(&r->p, r->p.at, "no ')' for this '('");
    if (r->p.failed)
        return inside;
    inside.length = end - inside.at;
    r->p.at = end + 1;
    return inside;
}

/* A new access under this condition (at 0: none); NULL after a failure. */
static struct cw_access *add(struct cw_reader *r, size_t at, struct cw_span only_if)
{
    struct cw_program *const p = r->program;
    struct cw_access *const a = &p->access[p->accesses];

    if (p->accesses == (p->step ? CW_PROGRAM_ACCESSES : CW_LINES_ACCESSES))
        cw_parser_fail(&r->p, at, "more than %u accesses", p->accesses);
    if (r->p.failed)
        return NULL;
    p->accesses++;
    a->condition = only_if.at ? cw_reader_expression(r, only_if) : NULL;
    return r->p.failed ? NULL : a;
}

/* ---- to an array ---------------------------------------------------------- */

const struct cw_declared *cw_reader_declared(const struct cw_reader *r, struct cw_span name)
{
    for (uint32_t k = r->arrays; name.length && k-- > 0;) {
        const struct cw_span s = r->declared[k].name;

        if (s.length == name.length && !memcmp(r->p.text + s.at, r->p.text + name.at, s.length))
            return &r->declared[k];
    }
    return NULL;
}

/* The next place of the statement with a declared array and a bracket: *name is not passed. */
static const struct cw_declared *find(struct cw_reader *r, struct cw_span *name)
{
    while (cw_parser_next(&r->p) >= 0) {
        const struct cw_declared *a;
        const int member = r->p.at && r->p.text[r->p.at - 1] == '.';

        *name = cw_reader_word(r);
        a = member ? NULL : cw_reader_declared(r, *name);
        r->p.at += name->length ? name->length : 1;
        while (!name->length && cw_is_digit(r->p.text[r->p.at - 1]) &&
               (cw_is_letter(cw_parser_ahead(&r->p, 0)) || cw_is_digit(cw_parser_ahead(&r->p, 0))))
            r->p.at++; /* 32u is no name */
        if (a && cw_parser_next(&r->p) == '[')
            return a;
    }
    return NULL;
}

/* The byte before `at`, white space left out; 0: the statement begins there. */
static char before(const struct cw_reader *r, size_t begin, size_t at)
{
    while (at > begin && strchr(" \t\n\v\f\r", r->p.text[at - 1]))
        at--;
    return at > begin ? r->p.text[at - 1] : 0;
}

/* The byte of the bracket that the one before `at` closes; `begin`, if there is none. */
static size_t opening(const struct cw_reader *r, size_t begin, size_t at, char open, char close)
{
    int deep = 0;

    while (at > begin) {
        at--;
        deep += r->p.text[at] == close;
        deep -= r->p.text[at] == open;
        if (deep == 0)
            return at;
    }
    return begin;
}

/* Where the byte is that `before` tells. */
static size_t behind(const struct cw_reader *r, size_t begin, size_t at)
{
    while (at > begin && strchr(" \t\n\v\f\r", r->p.text[at - 1]))
        at--;
    return at;
}

/* &t[..] */
static int is_address(const struct cw_reader *r, size_t begin, size_t at)
{
    const char c = at > begin + 1 ? before(r, begin, at - 1) : 0;

    return at > begin && r->p.text[at - 1] == '&' && c != '&' && c != ']' && !cw_is_letter(c) &&
           !cw_is_digit(c);
}

/* Of "(float4 *)" or "reinterpret_cast<float4 *>(" before the address at `at`, the bytes; 0: neither is there. */
static uint32_t cast_before(struct cw_reader *r, size_t begin, size_t at)
{
    const size_t back = r->p.at;
    const int cpp = before(r, begin, at) == '(';
    const size_t end = behind(r, begin, cpp ? behind(r, begin, at) - 1 : at);
    const size_t open = opening(r, begin, end, cpp ? '<' : '(', cpp ? '>' : ')');
    uint32_t bytes;

    if (end == begin || r->p.text[end - 1] != (cpp ? '>' : ')') ||
        r->p.text[open] != (cpp ? '<' : '('))
        return 0;
    r->p.at = open + 1;
    bytes = cw_reader_type(r);
    if (cw_parser_next(&r->p) != '*' || behind(r, begin, end - 1) != r->p.at + 1)
        bytes = 0;
    r->p.at = back;
    return bytes;
}

/* The ")" of a cast and [0], passed. */
static void pass_cast(struct cw_reader *r)
{
    if (cw_parser_next(&r->p) == ')')
        r->p.at++;
    if (cw_parser_next(&r->p) == '[') {
        const struct cw_span s = cw_reader_brackets(r);

        if (!r->p.failed && (s.length != 1 || r->p.text[s.at] != '0'))
            cw_parser_fail(&r->p, s.at, "behind a cast, [0] only: add it to the subscript");
    }
}

static void subscripts(struct cw_reader *r, const struct cw_declared *array, struct cw_access *a)
{
    while (cw_parser_next(&r->p) == '[') {
        const struct cw_span s = cw_reader_brackets(r);

        if (a->dims == array->dims) {
            cw_parser_fail(&r->p, s.at, "the array has %u dimension%s", array->dims,
                           array->dims == 1 ? "" : "s");
            return;
        }
        if (!(a->index[a->dims] = cw_reader_expression(r, s)))
            return;
        a->text[a->dims++] = s;
    }
    if (a->dims < array->dims)
        cw_parser_fail(&r->p, r->p.at, "the array has %u dimensions, here are %u", array->dims,
                       a->dims);
}

/* ".x" of a vector, passed. */
static void part(struct cw_reader *r, const struct cw_declared *array, struct cw_access *a)
{
    static const char letters[] = "xyzw";
    const char *letter;
    struct cw_span s;

    if (r->p.failed || cw_parser_next(&r->p) != '.')
        return;
    r->p.at++;
    s = cw_reader_word(r);
    letter = s.length == 1 ? strchr(letters, r->p.text[s.at]) : NULL;
    if (!letter || letter - letters >= (int)array->parts || array->parts < 2 || a->bytes) {
        cw_parser_fail(&r->p, s.at,
                       "a part that elements do not have: .x and .y of float2, and the like");
        return;
    }
    r->p.at += s.length;
    a->bytes = array->bytes / array->parts;
    a->offset = (uint32_t)(letter - letters) * a->bytes;
}

enum use { READS = 1, WRITES = 2 };

/* By what stands behind the subscripts, and before the name. */
static int use_of(struct cw_reader *r, size_t begin, size_t name)
{
    const int c = cw_parser_next(&r->p), next = cw_parser_ahead(&r->p, 1);
    const char sign = before(r, begin, name);

    if (c == '=')
        return next == '=' ? READS : WRITES;
    if ((c == '+' || c == '-') && next == c)
        return READS | WRITES;
    if ((sign == '+' || sign == '-') && name > begin + 1 && r->p.text[name - 1] == sign &&
        r->p.text[name - 2] == sign)
        return READS | WRITES;
    if ((c == '<' || c == '>') && next == c)
        return cw_parser_ahead(&r->p, 2) == '=' ? READS | WRITES : READS;
    return c > 0 && strchr("+-*/%&|^", c) && next == '=' ? READS | WRITES : READS;
}

/* What is read here is no single access. */
static void look_at(struct cw_reader *r, size_t begin)
{
    const size_t at = r->p.at;
    struct cw_span s;

    for (r->p.at = begin; cw_parser_next(&r->p) >= 0 && !r->p.failed;) {
        const int c = cw_parser_next(&r->p);

        s = cw_reader_word(r);
        if (c == '{' || c == '}')
            cw_parser_fail(&r->p, r->p.at, "{ } are for kernels: declare the array as __shared__");
        if (s.length > 6 && !memcmp(r->p.text + s.at, "atomic", 6))
            cw_parser_fail(&r->p, s.at, "atomics are not known: they do not share equal words");
        r->p.at += s.length ? s.length : 1;
    }
    r->p.at = at;
}

int cw_reader_one_access(struct cw_reader *r, const struct cw_declared *array, size_t begin,
                         struct cw_span name, struct cw_span only_if)
{
    const size_t subscript = r->p.at;
    uint32_t bytes = array->bytes;
    struct cw_access *a;
    int use;

    if (is_address(r, begin, name.at))
        bytes = cast_before(r, begin, name.at - 1);
    if (!bytes && r->address >= array->bytes)
        bytes = r->address;
    if (!bytes || bytes < array->bytes)
        cw_parser_fail(&r->p, name.at - 1,
                       "an address: which type is read or written there? *(float4 *)&..");
    a = add(r, name.at, only_if);
    if (!a)
        return 0;
    a->name = array->name;
    a->at = name.at;
    subscripts(r, array, a);
    a->bytes = bytes == array->bytes ? 0 : bytes;
    if (a->bytes && !r->p.failed)
        pass_cast(r);
    part(r, array, a);
    use = r->p.failed ? READS : use_of(r, begin, name.at);
    a->writes = use == WRITES;
    if (use != (READS | WRITES) || !(a = add(r, name.at, only_if)))
        return !r->p.failed;
    r->p.at = subscript;
    subscripts(r, array, a);
    a->name = array->name;
    a->at = name.at;
    a->bytes = a[-1].bytes;
    a->offset = a[-1].offset;
    a->writes = 1;
    return !r->p.failed;
}

/* Of lines all accesses are to one array. */
static void same_array(struct cw_reader *r, const struct cw_declared *array, struct cw_span name)
{
    struct cw_program *const p = r->program;

    if (p->array.dims && p->array.name.at != array->name.at)
        cw_parser_fail(&r->p, name.at,
                       "a second array: in lines with __shared__ all arrays are looked at");
    p->array = *array;
}

int cw_reader_accesses(struct cw_reader *r)
{
    const size_t begin = r->p.at;
    const struct cw_declared *array;
    struct cw_span name, only_if;
    int some = r->arrays && find(r, &name);

    r->p.at = begin;
    if (!some)
        return 0;
    look_at(r, begin);
    only_if = r->p.failed ? (struct cw_span){0, 0} : condition(r);
    while (!r->p.failed && (array = find(r, &name))) {
        same_array(r, array, name);
        (void)cw_reader_one_access(r, array, begin, name, only_if);
    }
    return 1;
}

/* ---- to no array ---------------------------------------------------------- */

/* __syncthreads() and __syncwarp() ask for nothing. */
static int is_barrier(const struct cw_reader *r, struct cw_span s)
{
    return s.length > 6 && !memcmp(r->p.text + s.at, "__sync", 6);
}

void cw_reader_unknown_array(struct cw_reader *r, struct cw_span name)
{
    const int length = (int)(name.length < 20 ? name.length : 20);

    cw_parser_fail(&r->p, name.at, "unknown array '%.*s': declare it before, like float %.*s[32]",
                   length, r->p.text + name.at, length, r->p.text + name.at);
}

static void no_access(struct cw_reader *r, struct cw_span name, size_t at)
{
    const struct cw_span array = r->declared[0].name;

    r->p.at += name.length;
    if (cw_reader_is(r, name, "for") || cw_reader_is(r, name, "while"))
        cw_parser_fail(&r->p, name.at, "a loop: declare the array as __shared__, or --i LO:HI");
    else if (name.length && cw_parser_next(&r->p) == '[')
        cw_reader_unknown_array(r, name);
    else if (r->arrays)
        cw_parser_fail(&r->p, at, "an access to '%.*s' is wanted",
                       (int)(array.length < 20 ? array.length : 20), r->p.text + array.at);
}

void cw_reader_index(struct cw_reader *r)
{
    struct cw_program *const p = r->program;
    struct cw_span name = cw_reader_word(r), only_if, s;
    struct cw_access *a;

    if (r->arrays && is_barrier(r, name))
        return;
    if (cw_parser_next(&r->p) == '#')
        cw_parser_fail(&r->p, r->p.at, "no preprocessor here: -D N=32 names a constant");
    if (p->accesses && !r->arrays) {
        cw_parser_fail(&r->p, r->p.at, "one index only; with an array, several");
        return;
    }
    only_if = condition(r);
    name = cw_reader_word(r);
    s.at = r->p.at;
    s.length = r->p.length - s.at;
    no_access(r, name, s.at);
    a = add(r, s.at, only_if);
    if (a && (a->index[0] = cw_reader_expression(r, s))) {
        a->text[0] = s;
        a->dims = 1;
    }
}
