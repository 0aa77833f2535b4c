/* conflicts_text.c - the user's lines with a change of layout in them.
 *
 * An index becomes another expression.  An array of several dimensions gets a larger size, or its last
 * subscript is changed by the one before it; all else stays as it was typed.
 */
#include "conflicts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- pieces of text ------------------------------------------------------- */

struct text {
    char *at;
    size_t length, room;
    int failed;
};

static void put(struct text *t, const char *from, size_t length)
{
    if (t->length + length + 1 > t->room) {
        const size_t room = 2 * (t->length + length + 1);
        char *const more = (char *)realloc(t->at, room);

        if (!more) {
            t->failed = 1;
            return;
        }
        t->at = more;
        t->room = room;
    }
    memcpy(t->at + t->length, from, length);
    t->length += length;
    t->at[t->length] = 0;
}

static void puts_to(struct text *t, const char *from)
{
    put(t, from, strlen(from));
}

static void put_number(struct text *t, const char *before, uint64_t x, const char *after)
{
    char number[64];

    snprintf(number, sizeof number, "%s%llu%s", before, (unsigned long long)x, after);
    puts_to(t, number);
}

/* An operand, in parentheses unless it binds as tightly as `least`. */
static void put_operand(struct text *t, const char *all, struct cw_span s, enum cw_expr_level level,
                        enum cw_expr_level least)
{
    const int bare = level >= least;

    puts_to(t, bare ? "" : "(");
    put(t, all + s.at, s.length);
    puts_to(t, bare ? "" : ")");
}

/* Without the white space around it. */
static struct cw_span trimmed(const char *all, struct cw_span s)
{
    while (s.length && all[s.at] == ' ') {
        s.at++;
        s.length--;
    }
    while (s.length && all[s.at + s.length - 1] == ' ')
        s.length--;
    return s;
}

/* ---- an index ------------------------------------------------------------- */

/* The user's expression comes twice; the first not with a -, as the whole would be taken for an
 * option. */
static void put_index(struct text *t, const char *all, struct cw_span s, enum cw_expr_level level,
                      const struct change *c)
{
    const int minus = s.length && all[s.at] == '-';

    put_operand(t, all, s, minus ? CW_EXPR_CONDITIONAL : level,
                c->every ? CW_EXPR_SUM : CW_EXPR_UNARY);
    if (c->every) {
        puts_to(t, " + ");
        put_operand(t, all, s, level, CW_EXPR_PRODUCT);
        if (c->every > 1)
            put_number(t, " / ", c->every, "");
        if (c->pad > 1)
            put_number(t, " * ", c->pad, "");
        return;
    }
    puts_to(t, c->left ? " ^ ((" : " ^ (");
    put_operand(t, all, s, minus ? CW_EXPR_CONDITIONAL : level, CW_EXPR_UNARY);
    put_number(t, " >> ", c->shift, "");
    put_number(t, " & ", c->mask, c->left ? ")" : "");
    if (c->left)
        put_number(t, " << ", c->left, "");
    puts_to(t, ")");
}

/* ---- subscripts ----------------------------------------------------------- */

static uint32_t log_of(uint64_t x)
{
    return (uint32_t)__builtin_ctzll(x);
}

/* column ^ ((row >> s & mask) << left), without the parts that do nothing. */
static void put_column(struct text *t, const char *all, const struct cw_access *a,
                       const struct pattern *p, const struct change *c)
{
    const uint32_t last = a->dims - 1;
    const struct cw_span row = trimmed(all, a->text[last - 1]);
    const uint32_t shift = c->shift - log_of(p->size[last]);
    const uint64_t rows = p->size[last - 1];
    const int masks = rows == 0 || (rows - 1) >> shift > c->mask;
    const int alone = !shift && !masks && !c->left;
    const enum cw_expr_level level = cw_expr_level(a->index[last - 1]);

    put_operand(t, all, trimmed(all, a->text[last]), cw_expr_level(a->index[last]), CW_EXPR_UNARY);
    puts_to(t, alone ? " ^ " : " ^ (");
    if (c->left && (shift || masks))
        puts_to(t, "(");
    put_operand(t, all, row, level, CW_EXPR_UNARY);
    if (shift)
        put_number(t, " >> ", shift, "");
    if (masks)
        put_number(t, " & ", c->mask, "");
    if (c->left)
        put_number(t, shift || masks ? ") << " : " << ", c->left, "");
    puts_to(t, alone ? "" : ")");
}

/* The size that a padding makes larger, and by how much. */
static uint32_t larger_dim(const struct pattern *p, const struct change *c, uint64_t *by)
{
    uint64_t inside = 1;
    uint32_t d = p->dims - 1;

    while (d > 1 && inside * p->size[d] != c->every)
        inside *= p->size[d--];
    *by = c->pad / inside;
    return d;
}

/* A size that is a number becomes another one; one that is more stays, with something added. */
static void put_size(struct text *t, const char *all, struct cw_span s, uint64_t was, uint64_t by)
{
    char digits[32];
    const struct cw_span x = trimmed(all, s);

    snprintf(digits, sizeof digits, "%llu", (unsigned long long)was);
    if (x.length == strlen(digits) && !memcmp(all + x.at, digits, x.length)) {
        put_number(t, "", was + by, "");
    } else {
        put(t, all + x.at, x.length);
        put_number(t, " + ", by, "");
    }
}

/* ---- all of it ------------------------------------------------------------ */

/* What takes the place of the size d of the array; returns whether anything does. */
static int change_size(struct text *t, const char *all, const struct cw_program *g,
                       const struct pattern *p, const struct change *c, uint32_t d)
{
    const struct cw_declared *const a = &g->array;
    uint64_t by = 0;

    if (!c->every || (a->dims == 1 && !a->size[0]))
        return 0;
    if (a->dims == 1)
        by = change_apply(c, (uint32_t)(a->size[0] - 1)) + 1 - a->size[0];
    else if (larger_dim(p, c, &by) != d)
        return 0;
    put_size(t, all, a->text[d], a->size[d], by);
    return 1;
}

/* What takes the place of subscript d of an access. */
static int change_subscript(struct text *t, const char *all, const struct cw_access *a,
                            const struct pattern *p, const struct change *c, uint32_t d)
{
    if (p->dims < 2) {
        put_index(t, all, trimmed(all, a->text[0]), cw_expr_level(a->index[0]), c);
        return 1;
    }
    if (c->every || d != a->dims - 1)
        return 0;
    put_column(t, all, a, p, c);
    return 1;
}

/* The lines in full: sizes and subscripts come in the order of the text. */
static void put_lines(struct text *t, const char *all, const struct cw_program *g,
                      const struct pattern *p, const struct change *c)
{
    size_t done = 0;

    for (uint32_t k = 0; k <= g->accesses; k++) {
        const struct cw_access *const a = k ? &g->access[k - 1] : NULL;

        for (uint32_t d = 0; d < (a ? a->dims : g->array.dims); d++) {
            const struct cw_span s = trimmed(all, a ? a->text[d] : g->array.text[d]);
            const size_t before = t->length;

            if (s.at < done) /* += reads and writes there: it was changed for the one */
                continue;
            put(t, all + done, s.at - done);
            if (a ? change_subscript(t, all, a, p, c, d) : change_size(t, all, g, p, c, d))
                done = s.at + s.length;
            else
                t->length = before;
        }
    }
    put(t, all + done, strlen(all) - done);
}

/* t[32][33], of lines that were parsed. */
static void declare(const struct question *q, const char *all, char *out, size_t size)
{
    struct cw_program g;
    struct trouble why;
    size_t used;

    if (program_make(q, all, &g, &why))
        return;
    used = (size_t)snprintf(out, size, "%.*s", (int)g.array.name.length, all + g.array.name.at);
    for (uint32_t d = 0; d < g.array.dims && used < size; d++) {
        const struct cw_span s = trimmed(all, g.array.text[d]);

        used += (size_t)snprintf(out + used, size - used, "[%.*s]", (int)s.length, all + s.at);
    }
    cw_program_free(&g);
}

char *changed_text(const struct question *q, const struct pattern *p, struct fix *f)
{
    struct text t = {NULL, 0, 0, 0};
    struct cw_program g;
    struct trouble why;

    if (program_make(q, q->text, &g, &why))
        return NULL;
    put_lines(&t, q->text, &g, p, &f->change);
    cw_program_free(&g);
    if (t.failed) {
        free(t.at);
        return NULL;
    }
    if (p->dims && f->change.every) {
        declare(q, q->text, f->was, sizeof f->was);
        declare(q, t.at, f->is, sizeof f->is);
        if (!strcmp(f->was, f->is)) /* a size that is not told */
            f->was[0] = f->is[0] = 0;
    }
    return t.at;
}
