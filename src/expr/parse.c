/* parse.c - text to instructions, by recursive descent with one table of binary operators. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/parser.h"

void cw_parser_fail(struct cw_parser *p, size_t at, const char *format, ...)
{
    va_list args;

    if (p->failed)
        return;
    p->failed = 1;
    p->error->at = at;
    va_start(args, format);
    vsnprintf(p->error->text, sizeof p->error->text, format, args);
    va_end(args);
}

/* ---- bytes ---------------------------------------------------------------- */

int cw_parser_ahead(const struct cw_parser *p, size_t k)
{
    return k < p->length - p->at ? (unsigned char)p->text[p->at + k] : -1;
}

int cw_parser_next(struct cw_parser *p)
{
    if (p->failed)
        return -1;
    while (cw_parser_ahead(p, 0) == ' ' ||
           (cw_parser_ahead(p, 0) >= '\t' && cw_parser_ahead(p, 0) <= '\r'))
        p->at++;
    return cw_parser_ahead(p, 0);
}

void cw_parser_unexpected(struct cw_parser *p, const char *wanted)
{
    const int c = cw_parser_next(p);

    if (c < 0)
        cw_parser_fail(p, p->at, "%s is missing at the end", wanted);
    else if (c > ' ' && c < 127)
        cw_parser_fail(p, p->at, "'%c' where %s is wanted", c, wanted);
    else
        cw_parser_fail(p, p->at, "byte 0x%02x where %s is wanted", c, wanted);
}

/* ---- instructions --------------------------------------------------------- */

/* What an instruction adds to the stack.  A branch not taken drops its number; one that is taken
 * by && or || keeps it, as if the other side had been pushed. */
static int grows(enum cw_expr_op op)
{
    if (op == OP_CONSTANT || op == OP_NAME)
        return 1;
    return op == OP_NEGATE || op == OP_INVERT || op == OP_NOT || op == OP_TRUTH || op == OP_CONVERT
               ? 0
               : -1;
}

/* Every instruction stands for a byte of the text of its own: its operator's, its operand's, or,
 * the second ones of && || and ?:, the operator's second; ?: may have a third.  So two for each
 * byte suffice. */
uint32_t cw_parser_emit(struct cw_parser *p, enum cw_expr_op op, size_t at, int64_t value)
{
    struct cw_instruction *c;

    if (p->failed)
        return 0;
    p->stacked += (uint32_t)grows(op);
    if (p->stacked > CW_EXPR_STACK) {
        cw_parser_fail(p, at, "too deep: more than %u numbers at once", CW_EXPR_STACK);
        return 0;
    }
    c = &p->e->code[p->e->count];
    c->op = op;
    c->type = p->type;
    c->at = (uint32_t)at;
    c->value = value;
    return p->e->count++;
}

/* Let the jump at `from` lead to what is emitted next. */
static void land(struct cw_parser *p, uint32_t from)
{
    if (!p->failed)
        p->e->code[from].value = p->e->count;
}

int cw_parser_enter(struct cw_parser *p, size_t at)
{
    if (++p->nest > CW_EXPR_NEST)
        cw_parser_fail(p, at, "too deep: more than %u levels", CW_EXPR_NEST);
    return !p->failed;
}

/* ---- operators ------------------------------------------------------------ */

struct binary {
    char text[3];
    enum cw_expr_level level;
    enum cw_expr_op op;
};

static const struct binary binaries[] = {
    /* those of two bytes first: they begin with others */
    {"||", CW_EXPR_OR, OP_OR},           {"&&", CW_EXPR_AND, OP_AND},
    {"==", CW_EXPR_EQUAL, OP_EQUAL},     {"!=", CW_EXPR_EQUAL, OP_UNEQUAL},
    {"<=", CW_EXPR_LESS, OP_LESS_EQUAL}, {">=", CW_EXPR_LESS, OP_GREATER_EQUAL},
    {"<<", CW_EXPR_SHIFT, OP_LEFT},      {">>", CW_EXPR_SHIFT, OP_RIGHT},
    {"|", CW_EXPR_BIT_OR, OP_BIT_OR},    {"^", CW_EXPR_BIT_XOR, OP_BIT_XOR},
    {"&", CW_EXPR_BIT_AND, OP_BIT_AND},  {"<", CW_EXPR_LESS, OP_LESS},
    {">", CW_EXPR_LESS, OP_GREATER},     {"+", CW_EXPR_SUM, OP_ADD},
    {"-", CW_EXPR_SUM, OP_SUBTRACT},     {"*", CW_EXPR_PRODUCT, OP_MULTIPLY},
    {"/", CW_EXPR_PRODUCT, OP_DIVIDE},   {"%", CW_EXPR_PRODUCT, OP_REMAINDER},
};

/* Does C read an assignment here: += <<= ++ and the like? */
static int assigns(const struct cw_parser *p, const struct binary *b)
{
    const size_t length = strlen(b->text);
    const int after = cw_parser_ahead(p, length);

    return (after == '=' && (length == 1 || b->level == CW_EXPR_SHIFT)) ||
           (after == b->text[0] && b->level == CW_EXPR_SUM);
}

/* The binary operator that comes next, NULL if none does. */
static const struct binary *peek(struct cw_parser *p)
{
    const int c = cw_parser_next(p);

    for (size_t k = 0; k < sizeof binaries / sizeof *binaries; k++) {
        const struct binary *const b = &binaries[k];

        if (c == b->text[0] && (!b->text[1] || cw_parser_ahead(p, 1) == b->text[1]))
            return b;
    }
    return NULL;
}

/* The type in which two operands meet. */
static enum cw_expr_type common(enum cw_expr_type a, enum cw_expr_type b)
{
    return a > b ? a : b;
}

/* The instruction of an operator behind its operands, the left one of this type. */
static void join(struct cw_parser *p, const struct binary *b, size_t at, enum cw_expr_type left)
{
    const int lazy = b->op == OP_AND || b->op == OP_OR;

    p->type = b->level == CW_EXPR_SHIFT ? left : common(left, p->type);
    cw_parser_emit(p, lazy ? OP_TRUTH : b->op, at, 0);
    if (lazy || b->level == CW_EXPR_EQUAL || b->level == CW_EXPR_LESS)
        p->type = CW_EXPR_INT;
}

/* Operators that bind at least as tightly as `least`; all group from the left. */
static enum cw_expr_level binary(struct cw_parser *p, enum cw_expr_level least)
{
    enum cw_expr_level level = cw_parser_operand(p);
    const struct binary *b;

    while ((b = peek(p)) && b->level >= least) {
        const size_t at = p->at;
        const int lazy = b->op == OP_AND || b->op == OP_OR;
        const enum cw_expr_type left = p->type;
        uint32_t skip = 0;

        if (assigns(p, b))
            cw_parser_fail(p, at, "nothing can be assigned to: -- and ++ and += are not taken");
        p->at += strlen(b->text);
        if (lazy)
            skip = cw_parser_emit(p, b->op, at, 0);
        binary(p, (enum cw_expr_level)(b->level + 1));
        join(p, b, at, left);
        if (lazy)
            land(p, skip);
        level = b->level;
    }
    return level;
}

enum cw_expr_level cw_parser_conditional(struct cw_parser *p)
{
    const enum cw_expr_level level = binary(p, CW_EXPR_OR);
    enum cw_expr_type first;
    size_t at;
    uint32_t otherwise, end;

    if (cw_parser_next(p) != '?')
        return level;
    at = p->at++;
    if (!cw_parser_enter(p, at))
        return level;
    otherwise = cw_parser_emit(p, OP_UNLESS, at, 0);
    cw_parser_conditional(p);
    first = p->type;
    if (cw_parser_next(p) != ':')
        cw_parser_unexpected(p, "an operator or ':'");
    end = cw_parser_emit(p, OP_JUMP, p->at, 0); /* the stack is as it was before that side */
    p->at += !p->failed;
    land(p, otherwise);
    cw_parser_conditional(p);
    land(p, end);
    p->nest--;
    if (first != p->type) { /* both sides have the type in which they meet */
        p->type = common(first, p->type);
        cw_parser_emit(p, OP_CONVERT, at, NARROW_NONE);
    }
    return CW_EXPR_CONDITIONAL;
}

/* ---- the whole ------------------------------------------------------------ */

static void whole(struct cw_parser *p)
{
    if (p->length - p->at > CW_EXPR_LENGTH)
        cw_parser_fail(p, p->at + CW_EXPR_LENGTH, "the expression is longer than %u bytes",
                       CW_EXPR_LENGTH);
    else if (cw_parser_next(p) < 0)
        cw_parser_fail(p, p->at, "the expression is empty");
    p->e->level = cw_parser_conditional(p);
    p->e->type = p->type;
    if (cw_parser_next(p) == ')')
        cw_parser_fail(p, p->at, "')' without '('");
    else if (cw_parser_next(p) == '=')
        cw_parser_fail(p, p->at, "nothing can be assigned to: == compares");
    else if (cw_parser_next(p) >= 0)
        cw_parser_unexpected(p, "an operator");
}

cw_status cw_expr_parse_part(const char *text, size_t from, size_t to,
                             const struct cw_expr_name *names, struct cw_expr **out,
                             struct cw_expr_error *error)
{
    struct cw_parser p = {text, to, from, names, NULL, CW_EXPR_INT, 0, 0, 0, error};
    const size_t room = to - from < CW_EXPR_LENGTH ? to - from : CW_EXPR_LENGTH;

    *out = NULL;
    p.e = (struct cw_expr *)malloc(sizeof *p.e + (2 * room + 1) * sizeof p.e->code[0]);
    if (!p.e) {
        cw_parser_fail(&p, 0, "out of memory");
        return CW_ERR_MEMORY;
    }
    p.e->count = 0;
    whole(&p);
    if (p.failed) {
        cw_expr_free(p.e);
        return CW_ERR_ARGUMENT;
    }
    *out = p.e;
    return CW_OK;
}

cw_status cw_expr_parse(const char *text, size_t length, const struct cw_expr_name *names,
                        struct cw_expr **out, struct cw_expr_error *error)
{
    return cw_expr_parse_part(text, 0, length, names, out, error);
}

void cw_expr_cast(struct cw_expr *e, enum cw_expr_type type, enum cw_narrow narrow)
{
    const struct cw_instruction c = {OP_CONVERT, type, e->code[0].at, narrow};

    e->code[e->count++] = c; /* there is room for one */
    e->type = type;
}

enum cw_expr_level cw_expr_level(const struct cw_expr *e)
{
    return e->level;
}

enum cw_expr_type cw_expr_type(const struct cw_expr *e)
{
    return e->type;
}

int cw_expr_uses(const struct cw_expr *e, uint32_t k, size_t *at)
{
    for (uint32_t x = 0; x < e->count; x++) {
        if (e->code[x].op == OP_NAME && e->code[x].value == k) {
            *at = e->code[x].at;
            return 1;
        }
    }
    return 0;
}

void cw_expr_free(struct cw_expr *e)
{
    free(e);
}
