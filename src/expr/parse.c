/* parse.c - text to instructions, by recursive descent with one table of binary operators.
 *
 * The first thing that is wrong ends it: from then on no function reads or emits anything.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/code.h"

struct parser {
    const char *text;
    size_t length, at; /* `at`: the next byte */
    const char *const *names;
    struct cw_expr *e;
    uint32_t nest;
    uint32_t stacked; /* numbers on the stack when the program gets here */
    int failed;
    struct cw_expr_error *error;
};

static enum cw_expr_level conditional(struct parser *p);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
fail(struct parser *p, size_t at, const char *format, ...)
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

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int digit_of(int c) /* 16: none */
{
    return is_digit(c)              ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : 16;
}

/* The byte k after the next one; -1 behind the end. */
static int ahead(const struct parser *p, size_t k)
{
    return k < p->length - p->at ? (unsigned char)p->text[p->at + k] : -1;
}

/* Skip white space; the byte that follows. */
static int next(struct parser *p)
{
    if (p->failed)
        return -1;
    while (ahead(p, 0) == ' ' || (ahead(p, 0) >= '\t' && ahead(p, 0) <= '\r'))
        p->at++;
    return ahead(p, 0);
}

/* Neither an operand nor what may follow one. */
static void unexpected(struct parser *p, const char *wanted)
{
    const int c = next(p);

    if (c < 0)
        fail(p, p->at, "%s is missing at the end", wanted);
    else if (c > ' ' && c < 127)
        fail(p, p->at, "'%c' where %s is wanted", c, wanted);
    else
        fail(p, p->at, "byte 0x%02x where %s is wanted", c, wanted);
}

/* ---- instructions --------------------------------------------------------- */

/* What an instruction adds to the stack.  A branch not taken drops its number; one that is taken
 * by && or || keeps it, as if the other side had been pushed. */
static int grows(enum cw_expr_op op)
{
    if (op == OP_CONSTANT || op == OP_NAME)
        return 1;
    return op == OP_NEGATE || op == OP_INVERT || op == OP_NOT || op == OP_TRUTH ? 0 : -1;
}

/* Every instruction stands for a byte of the text of its own: its operator's, its operand's, or,
 * the second ones of && || and ?:, the operator's second.  So `length` of them suffice. */
static uint32_t emit(struct parser *p, enum cw_expr_op op, size_t at, int64_t value)
{
    struct cw_instruction *c;

    if (p->failed)
        return 0;
    p->stacked += (uint32_t)grows(op);
    if (p->stacked > CW_EXPR_STACK) {
        fail(p, at, "too deep: more than %u numbers at once", CW_EXPR_STACK);
        return 0;
    }
    c = &p->e->code[p->e->count];
    c->op = op;
    c->at = (uint32_t)at;
    c->value = value;
    return p->e->count++;
}

/* Let the jump at `from` lead to what is emitted next. */
static void land(struct parser *p, uint32_t from)
{
    if (!p->failed)
        p->e->code[from].value = p->e->count;
}

/* One level deeper, if that is allowed. */
static int enter(struct parser *p, size_t at)
{
    if (++p->nest > CW_EXPR_NEST)
        fail(p, at, "too deep: more than %u levels", CW_EXPR_NEST);
    return !p->failed;
}

/* ---- operands ------------------------------------------------------------- */

static void number(struct parser *p)
{
    const size_t at = p->at;
    const int hex = ahead(p, 0) == '0' && (ahead(p, 1) == 'x' || ahead(p, 1) == 'X');
    const int base = hex ? 16 : 10;
    int64_t x = 0;
    size_t digits = 0;
    int over = 0;

    if (!hex && ahead(p, 0) == '0' && is_digit(ahead(p, 1))) {
        fail(p, at, "a number that begins with 0 is octal in C: leave the 0 out");
        return;
    }
    for (p->at += hex ? 2 : 0; digit_of(ahead(p, 0)) < base; p->at++, digits++)
        over |= __builtin_mul_overflow(x, (int64_t)base, &x) ||
                __builtin_add_overflow(x, (int64_t)digit_of(ahead(p, 0)), &x);
    if (digits == 0)
        fail(p, p->at, "no digits after 0x");
    else if (is_letter(ahead(p, 0)) || ahead(p, 0) == '.')
        fail(p, p->at, "'%c' in a number: all are plain decimal or 0x hexadecimal", ahead(p, 0));
    else if (over)
        fail(p, at, "the number does not fit in 63 bits");
    emit(p, OP_CONSTANT, at, x);
}

static void unknown(struct parser *p, size_t at, size_t length)
{
    char all[80] = "";

    for (const char *const *name = p->names; *name; name++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? ", " : "", *name);
    fail(p, at, "unknown name '%.*s': the names are %s", (int)(length < 20 ? length : 20),
         p->text + at, all);
}

static void name(struct parser *p)
{
    const size_t at = p->at;
    size_t length;

    while (is_letter(ahead(p, 0)) || is_digit(ahead(p, 0)))
        p->at++;
    length = p->at - at;
    for (int64_t k = 0; p->names[k]; k++) {
        if (strlen(p->names[k]) == length && !memcmp(p->names[k], p->text + at, length)) {
            emit(p, OP_NAME, at, k);
            return;
        }
    }
    unknown(p, at, length);
}

static void parentheses(struct parser *p)
{
    const size_t at = p->at++;

    if (!enter(p, at))
        return;
    conditional(p);
    p->nest--;
    if (next(p) == ')')
        p->at++;
    else if (next(p) < 0)
        fail(p, p->at, "no ')' for the '(' in column %zu", at + 1);
    else
        unexpected(p, "an operator or ')'");
}

static enum cw_expr_level sign(struct parser *p, int c);

static enum cw_expr_level operand(struct parser *p)
{
    const int c = next(p);

    if (c > 0 && strchr("+-~!", c))
        return sign(p, c);
    if (is_digit(c))
        number(p);
    else if (is_letter(c))
        name(p);
    else if (c == '(')
        parentheses(p);
    else
        unexpected(p, "an operand");
    return CW_EXPR_PRIMARY;
}

/* + changes nothing. */
static enum cw_expr_level sign(struct parser *p, int c)
{
    const size_t at = p->at;

    if ((c == '+' || c == '-') && ahead(p, 1) == c)
        fail(p, at, "%c%c counts in C: put a space between, if two signs are meant", c, c);
    p->at++;
    if (!enter(p, at))
        return CW_EXPR_UNARY;
    operand(p);
    p->nest--;
    if (c != '+')
        emit(p, c == '-' ? OP_NEGATE : c == '~' ? OP_INVERT : OP_NOT, at, 0);
    return CW_EXPR_UNARY;
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
static int assigns(const struct parser *p, const struct binary *b)
{
    const size_t length = strlen(b->text);
    const int after = ahead(p, length);

    return (after == '=' && (length == 1 || b->level == CW_EXPR_SHIFT)) ||
           (after == b->text[0] && b->level == CW_EXPR_SUM);
}

/* The binary operator that comes next, NULL if none does. */
static const struct binary *peek(struct parser *p)
{
    const int c = next(p);

    for (size_t k = 0; k < sizeof binaries / sizeof *binaries; k++) {
        const struct binary *const b = &binaries[k];

        if (c == b->text[0] && (!b->text[1] || ahead(p, 1) == b->text[1]))
            return b;
    }
    return NULL;
}

/* Operators that bind at least as tightly as `least`; all group from the left. */
static enum cw_expr_level binary(struct parser *p, enum cw_expr_level least)
{
    enum cw_expr_level level = operand(p);
    const struct binary *b;

    while ((b = peek(p)) && b->level >= least) {
        const size_t at = p->at;
        const int lazy = b->op == OP_AND || b->op == OP_OR;
        uint32_t skip = 0;

        if (assigns(p, b))
            fail(p, at, "nothing can be assigned to: -- and ++ and += are not taken");
        p->at += strlen(b->text);
        if (lazy)
            skip = emit(p, b->op, at, 0);
        binary(p, (enum cw_expr_level)(b->level + 1));
        emit(p, lazy ? OP_TRUTH : b->op, at, 0);
        if (lazy)
            land(p, skip);
        level = b->level;
    }
    return level;
}

static enum cw_expr_level conditional(struct parser *p)
{
    const enum cw_expr_level level = binary(p, CW_EXPR_OR);
    size_t at;
    uint32_t otherwise, end;

    if (next(p) != '?')
        return level;
    at = p->at++;
    if (!enter(p, at))
        return level;
    otherwise = emit(p, OP_UNLESS, at, 0);
    conditional(p);
    if (next(p) != ':')
        unexpected(p, "an operator or ':'");
    end = emit(p, OP_JUMP, p->at, 0); /* the stack is as it was before that side */
    p->at += !p->failed;
    land(p, otherwise);
    conditional(p);
    land(p, end);
    p->nest--;
    return CW_EXPR_CONDITIONAL;
}

/* ---- the whole ------------------------------------------------------------ */

static void whole(struct parser *p)
{
    if (p->length > CW_EXPR_LENGTH)
        fail(p, CW_EXPR_LENGTH, "the expression is longer than %u bytes", CW_EXPR_LENGTH);
    else if (next(p) < 0)
        fail(p, p->at, "the expression is empty");
    p->e->level = conditional(p);
    if (next(p) == ')')
        fail(p, p->at, "')' without '('");
    else if (next(p) == '=')
        fail(p, p->at, "nothing can be assigned to: == compares");
    else if (next(p) >= 0)
        unexpected(p, "an operator");
}

cw_status cw_expr_parse(const char *text, size_t length, const char *const *names,
                        struct cw_expr **out, struct cw_expr_error *error)
{
    struct parser p = {text, length, 0, names, NULL, 0, 0, 0, error};
    const size_t room = length < CW_EXPR_LENGTH ? length : CW_EXPR_LENGTH;

    *out = NULL;
    p.e = (struct cw_expr *)malloc(sizeof *p.e + room * sizeof p.e->code[0]);
    if (!p.e) {
        fail(&p, 0, "out of memory");
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

enum cw_expr_level cw_expr_level(const struct cw_expr *e)
{
    return e->level;
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
