/* kernel_text.c - bytes, words and brackets of a kernel; its steps; and whether a text is one. */
#include <stdlib.h>
#include <string.h>

#include "expr/kernel_parts.h"

/* ---- text ---------------------------------------------------------------------- */

static int is_open(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static int is_close(char c)
{
    return c == ')' || c == ']' || c == '}';
}

static size_t quote_end(const struct kernel *k, size_t at, size_t to)
{
    const char quote = k->r.p.text[at];

    for (at++; at < to && k->r.p.text[at] != quote; at++)
        at += k->r.p.text[at] == '\\';
    return at < to ? at : to;
}

size_t kernel_closing(const struct kernel *k, size_t at, size_t to)
{
    int deep = 0;

    if (k->r.p.text[at] == '"' || k->r.p.text[at] == '\'')
        return quote_end(k, at, to);
    for (; at < to; at++) {
        const char c = k->r.p.text[at];

        if (c == '"' || c == '\'')
            at = quote_end(k, at, to);
        else
            deep += is_open(c) - is_close(c);
        if (deep == 0)
            return at;
    }
    return to;
}

size_t kernel_find(const struct kernel *k, size_t from, size_t to, const char *these)
{
    for (size_t at = from; at < to; at++) {
        const char c = k->r.p.text[at];

        if (c && strchr(these, c))
            return at;
        if (is_close(c))
            return at;
        if (is_open(c) || c == '"' || c == '\'')
            at = kernel_closing(k, at, to);
    }
    return to;
}

struct cw_span kernel_word_at(const struct kernel *k, size_t at, size_t to)
{
    struct cw_span s = {at, 0};

    while (at + s.length < to && (cw_is_letter(k->r.p.text[at + s.length]) ||
                                  (s.length && cw_is_digit(k->r.p.text[at + s.length]))))
        s.length++;
    return s;
}

struct cw_span kernel_trim(const struct kernel *k, size_t from, size_t to)
{
    struct cw_span s = {from, to > from ? to - from : 0};

    for (; s.length && strchr(" \t\n\v\f\r\\", k->r.p.text[s.at]); s.length--)
        s.at++;
    while (s.length && strchr(" \t\n\v\f\r\\", k->r.p.text[s.at + s.length - 1]))
        s.length--;
    return s;
}

int kernel_is(const struct kernel *k, struct cw_span s, const char *text)
{
    return s.length && cw_reader_is(&k->r, s, text);
}

/* ---- steps --------------------------------------------------------------------- */

struct cw_step *kernel_emit(struct kernel *k, enum cw_step_kind kind, uint32_t which,
                            struct cw_expr *e, struct cw_span text)
{
    struct cw_program *const p = k->r.program;
    struct cw_step *s;

    if (p->steps == k->room && !k->r.p.failed) {
        const uint32_t room = 2 * k->room;
        struct cw_step *const more = (struct cw_step *)realloc(p->step, room * sizeof *more);

        if (more) {
            p->step = more;
            k->room = room;
        } else {
            cw_parser_fail(&k->r.p, text.at, "out of memory");
        }
    }
    if (k->r.p.failed) {
        cw_expr_free(e);
        return NULL;
    }
    s = &p->step[p->steps++];
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->which = which;
    s->e = e;
    s->text = text;
    return s;
}

uint32_t kernel_label(struct kernel *k)
{
    if (k->labels == KERNEL_LABELS) {
        cw_parser_fail(&k->r.p, k->r.p.at, "too many branches");
        return 0;
    }
    return k->labels++;
}

void kernel_place(struct kernel *k, uint32_t label)
{
    k->label[label] = k->r.program->steps;
}

void kernel_jump(struct kernel *k, enum cw_step_kind kind, uint32_t label)
{
    const struct cw_span nothing = {k->r.p.at, 0};
    struct cw_step *const s = kernel_emit(k, kind, 0, NULL, nothing);

    if (s)
        s->to = label;
}

void kernel_undo(struct kernel *k, uint32_t from)
{
    while (k->r.program->steps > from)
        cw_expr_free(k->r.program->step[--k->r.program->steps].e);
}

struct cw_expr *kernel_parse(struct kernel *k, struct cw_span s)
{
    struct cw_expr_error error;
    struct cw_expr *e = NULL;

    if (s.length && !k->r.p.failed && k->r.macros && cw_reader_macros(&k->r, s, &e, &error))
        return e;
    if (s.length == 0 || k->r.p.failed ||
        cw_expr_parse_part(k->r.p.text, s.at, s.at + s.length, k->r.program->names, &e, &error))
        return NULL;
    return e;
}

/* ---- is it one? -------------------------------------------------------------------- */

static int has_word(const struct kernel *k, size_t length, const char *word, uint32_t least)
{
    uint32_t found = 0;

    for (size_t at = 0; at < length;) {
        const struct cw_span s = kernel_word_at(k, at, length);

        found += (uint32_t)kernel_is(k, s, word);
        at += s.length ? s.length : 1;
    }
    return found >= least;
}

/* A statement that begins with a name and an =. */
static int assigns(const struct kernel *k, size_t length)
{
    for (size_t at = 0; at < length; at = kernel_find(k, at, length, ";") + 1) {
        const struct cw_span s = kernel_trim(k, at, length);
        const struct cw_span name = kernel_word_at(k, s.at, length);
        const struct cw_span rest = kernel_trim(k, name.at + name.length, length);

        if (name.length && rest.length > 1 && k->r.p.text[rest.at] == '=' &&
            k->r.p.text[rest.at + 1] != '=')
            return 1;
    }
    return 0;
}

int cw_expr_is_kernel(const char *text, size_t length)
{
    static const char *const words[] = {"for", "while", "do", "else", "return", "using", "typedef"};
    struct kernel k;

    memset(&k, 0, sizeof k);
    k.r.p.text = text;
    k.r.p.length = length;
    if (!has_word(&k, length, "__shared__", 1))
        return 0;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (has_word(&k, length, words[w], 1))
            return 1;
    return has_word(&k, length, "__shared__", 2) || memchr(text, '{', length) ||
           memchr(text, '}', length) || memchr(text, '#', length) || assigns(&k, length);
}
