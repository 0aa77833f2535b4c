/* kernel_assign.c - statements that are no keyword's: declarations and assignments. */
#include <stdlib.h>
#include <string.h>

#include "expr/kernel_parts.h"

/* ---- assignments ----------------------------------------------------------------- */

/* x += e and the like, as "x + (e)". */
static void set_by(struct kernel *k, uint32_t local, struct cw_span name, const char *sign,
                   struct cw_span value)
{
    const size_t room = name.length + value.length + 8;
    char *const text = (char *)malloc(room);
    struct cw_parser before = k->r.p;
    struct cw_span whole = {0, 0};
    char *t = text;

    if (!text) {
        cw_parser_fail(&k->r.p, name.at, "out of memory");
        return;
    }
    memcpy(t, before.text + name.at, name.length);
    t += name.length;
    *t++ = ' ';
    for (; *sign; sign++)
        *t++ = *sign;
    *t++ = ' ';
    *t++ = '(';
    memcpy(t, value.length ? before.text + value.at : "1", value.length ? value.length : 1);
    t += value.length ? value.length : 1;
    *t++ = ')';
    whole.length = (size_t)(t - text);
    k->r.p.text = text;
    kernel_set(k, local, whole);
    k->r.p.text = before.text;
    if (!k->r.p.failed)
        k->r.program->step[k->r.program->steps - 1].text = name;
    free(text);
}

/* The sign of "x <<= e", without the =; NULL: there is none. */
static const char *sign_of(const struct kernel *k, struct cw_span rest)
{
    static const char *const signs[] = {"<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^"};

    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
        const size_t length = strlen(signs[s]);

        if (rest.length > length && !memcmp(k->r.p.text + rest.at, signs[s], length) &&
            k->r.p.text[rest.at + length] == '=')
            return signs[s];
    }
    return NULL;
}

/* "x = e", "x += e", "++x", "x--" of a local; anything else is looked through for accesses. */
static void expression(struct kernel *k, size_t from, size_t to, size_t begin, size_t end)
{
    const char *const text = k->r.p.text;
    const struct cw_span all = kernel_trim(k, from, to), none = {0, 0};
    const size_t stop = all.at + all.length;
    const int first = all.length > 2 && (text[all.at] == '+' || text[all.at] == '-') &&
                      text[all.at + 1] == text[all.at];
    const struct cw_span name = kernel_word_at(k, all.at + (first ? 2 : 0), stop);
    const uint32_t local = kernel_find_local(k, name);
    const struct cw_span rest = kernel_trim(k, name.at + name.length, stop);
    const char c = rest.length ? text[rest.at] : 0, next = rest.length > 1 ? text[rest.at + 1] : 0;
    const int counts = first || ((c == '+' || c == '-') && next == c);
    const int is = c == '=' && next != '=';
    const char *const sign = sign_of(k, rest);

    if (local == NO_LABEL || (!counts && !is && !sign)) {
        kernel_scan(k, all.at, stop, begin, end);
        return;
    }
    kernel_scan(k, rest.at, stop, begin, end);
    if (counts)
        set_by(k, local, name, (first ? text[all.at] : c) == '+' ? "+" : "-", none);
    else if (is)
        kernel_set(k, local, kernel_trim(k, rest.at + 1, stop));
    else
        set_by(k, local, name, sign, kernel_trim(k, rest.at + strlen(sign) + 1, stop));
}

void kernel_expressions(struct kernel *k, size_t from, size_t to)
{
    while (from < to && !k->r.p.failed) {
        const size_t comma = kernel_find(k, from, to, ",");

        expression(k, from, comma, from, to);
        from = comma + 1;
    }
}

/* "index_t x = ..", of a type that is not known: x has no value, whatever else is called x. */
static void unknown_declaration(struct kernel *k, size_t from, size_t to)
{
    static const struct cw_written_type number = {4, 1, 1, CW_EXPR_LONG, 0};
    const struct cw_span all = kernel_trim(k, from, to), nothing = {all.at, 0};
    const struct cw_span type = kernel_word_at(k, all.at, to);
    const struct cw_span rest = kernel_trim(k, type.at + type.length, to);
    const struct cw_span name = kernel_word_at(k, rest.at, to);
    uint32_t local;

    if (!type.length || !name.length || !rest.length || kernel_find_local(k, type) != NO_LABEL)
        return;
    local = kernel_local(k, name, &number);
    if (local != NO_LABEL)
        (void)kernel_emit(k, STEP_SET, local, NULL, nothing);
}

void kernel_simple(struct kernel *k, size_t from, size_t to)
{
    k->r.p.at = from;
    if (kernel_declaration(k, to))
        return;
    kernel_expressions(k, from, to);
    unknown_declaration(k, from, to);
}
