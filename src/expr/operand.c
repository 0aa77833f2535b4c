/* operand.c - operands of an expression: numbers, names, casts, signs and parentheses. */
#include <stdio.h>
#include <string.h>

#include "expr/parser.h"

int cw_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

int cw_is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int digit_of(int c) /* 16: none */
{
    return cw_is_digit(c)           ? c - '0'
           : (c >= 'a' && c <= 'f') ? c - 'a' + 10
           : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                    : 16;
}

/* ---- numbers -------------------------------------------------------------- */

/* u, l, ll, in either case and order: 1 for an u, 2 for an l. */
static int suffix(struct cw_parser *p)
{
    int has = 0;

    for (;;) {
        const int c = cw_parser_ahead(p, 0);

        if ((c == 'u' || c == 'U') && !(has & 1)) {
            has |= 1;
            p->at++;
        } else if ((c == 'l' || c == 'L') && !(has & 2)) {
            has |= 2;
            p->at += cw_parser_ahead(p, 1) == c ? 2 : 1;
        } else {
            return has;
        }
    }
}

/* The first type of C's list that holds x: decimal ones without u are never unsigned. */
static enum cw_expr_type type_of(uint64_t x, int hex, int has)
{
    if (!(has & 3) && x <= INT32_MAX)
        return CW_EXPR_INT;
    if (!(has & 2) && (has & 1 || hex) && x <= UINT32_MAX)
        return CW_EXPR_UNSIGNED;
    return !(has & 1) && x <= INT64_MAX ? CW_EXPR_LONG : CW_EXPR_UNSIGNED_LONG;
}

static void number(struct cw_parser *p)
{
    const size_t at = p->at;
    const int hex = cw_parser_ahead(p, 0) == '0' && (cw_parser_ahead(p, 1) | 32) == 'x';
    const uint64_t base = hex ? 16 : 10;
    uint64_t x = 0;
    size_t digits = 0;
    int over = 0, has;

    if (!hex && cw_parser_ahead(p, 0) == '0' && cw_is_digit(cw_parser_ahead(p, 1))) {
        cw_parser_fail(p, at, "a number that begins with 0 is octal in C: leave the 0 out");
        return;
    }
    for (p->at += hex ? 2 : 0; digit_of(cw_parser_ahead(p, 0)) < (int)base; p->at++, digits++)
        over |= __builtin_mul_overflow(x, base, &x) ||
                __builtin_add_overflow(x, (uint64_t)digit_of(cw_parser_ahead(p, 0)), &x);
    if (digits == 0) {
        cw_parser_fail(p, p->at, "no digits after 0x");
        return;
    }
    has = suffix(p);
    if (cw_is_letter(cw_parser_ahead(p, 0)) || cw_is_digit(cw_parser_ahead(p, 0)) ||
        cw_parser_ahead(p, 0) == '.')
        cw_parser_fail(p, p->at, "'%c' in a number: all are whole, decimal or 0x hexadecimal",
                       cw_parser_ahead(p, 0));
    else if (over || (!hex && !(has & 1) && x > INT64_MAX))
        cw_parser_fail(p, at, "the number does not fit in %d bits", over ? 64 : 63);
    p->type = type_of(x, hex, has);
    cw_parser_emit(p, OP_CONSTANT, at, (int64_t)x);
}

/* ---- types ---------------------------------------------------------------- */

static const struct {
    const char *text;
    enum cw_expr_type type;
    enum cw_narrow narrow;
} types[] = {
    {"bool", CW_EXPR_INT, NARROW_BOOL},
    {"int8_t", CW_EXPR_INT, NARROW_INT8},
    {"uint8_t", CW_EXPR_INT, NARROW_UINT8},
    {"int16_t", CW_EXPR_INT, NARROW_INT16},
    {"uint16_t", CW_EXPR_INT, NARROW_UINT16},
    {"int32_t", CW_EXPR_INT, NARROW_NONE},
    {"uint32_t", CW_EXPR_UNSIGNED, NARROW_NONE},
    {"uint", CW_EXPR_UNSIGNED, NARROW_NONE},
    {"int64_t", CW_EXPR_LONG, NARROW_NONE},
    {"ptrdiff_t", CW_EXPR_LONG, NARROW_NONE},
    {"uint64_t", CW_EXPR_UNSIGNED_LONG, NARROW_NONE},
    {"size_t", CW_EXPR_UNSIGNED_LONG, NARROW_NONE},
};

enum {
    WORD_UNSIGNED = 1,
    WORD_SIGNED = 2,
    WORD_CHAR = 4,
    WORD_SHORT = 8,
    WORD_INT = 16,
    WORD_LONG = 32
};

static const struct {
    const char *text;
    unsigned word;
} words[] = {{"unsigned", WORD_UNSIGNED}, {"signed", WORD_SIGNED}, {"char", WORD_CHAR},
             {"short", WORD_SHORT},       {"int", WORD_INT},       {"long", WORD_LONG}};

/* The length of the name at the next byte. */
static size_t name_length(const struct cw_parser *p)
{
    size_t n = 0;

    while (cw_is_letter(cw_parser_ahead(p, n)) || (n && cw_is_digit(cw_parser_ahead(p, n))))
        n++;
    return n;
}

static int is(const struct cw_parser *p, size_t length, const char *text)
{
    return strlen(text) == length && !memcmp(p->text + p->at, text, length);
}

static void type_of_words(unsigned has, enum cw_expr_type *type, enum cw_narrow *narrow)
{
    const int no_sign = has & WORD_UNSIGNED;

    *narrow = has & WORD_CHAR    ? (no_sign ? NARROW_UINT8 : NARROW_INT8)
              : has & WORD_SHORT ? (no_sign ? NARROW_UINT16 : NARROW_INT16)
                                 : NARROW_NONE;
    *type = has & WORD_LONG                     ? (no_sign ? CW_EXPR_UNSIGNED_LONG : CW_EXPR_LONG)
            : no_sign && *narrow == NARROW_NONE ? CW_EXPR_UNSIGNED
                                                : CW_EXPR_INT;
}

int cw_parser_type(struct cw_parser *p, enum cw_expr_type *type, enum cw_narrow *narrow)
{
    size_t end = p->at, n, k;
    unsigned has = 0;
    const size_t begin = p->at;

    for (k = 0, n = name_length(p); k < sizeof types / sizeof *types; k++) {
        if (is(p, n, types[k].text)) {
            *type = types[k].type;
            *narrow = types[k].narrow;
            p->at += n;
            return 1;
        }
    }
    for (; (n = name_length(p)) > 0; cw_parser_next(p)) {
        for (k = 0; k < sizeof words / sizeof *words && !is(p, n, words[k].text); k++) {
        }
        if (k == sizeof words / sizeof *words)
            break;
        has |= words[k].word;
        end = p->at += n;
    }
    p->at = has ? end : begin;
    if (has)
        type_of_words(has, type, narrow);
    return has != 0;
}

/* What a cast leaves behind: its operand's value in the type. */
static void convert(struct cw_parser *p, size_t at, enum cw_expr_type type, enum cw_narrow narrow)
{
    p->type = type;
    cw_parser_emit(p, OP_CONVERT, at, narrow);
}

/* ---- names and parentheses ------------------------------------------------ */

/* The first few names; threadIdx.x and its like are told once.  What else CUDA has is one number for a block. */
static void unknown(struct cw_parser *p, size_t at, size_t length)
{
    enum { ROOM = 22 };
    char all[2 * ROOM] = "", before[ROOM] = "", one[ROOM];

    if ((length > 9 && !memcmp(p->text + at, "blockIdx.", 9)) ||
        (length > 8 && !memcmp(p->text + at, "gridDim.", 8))) {
        cw_parser_fail(p, at, "%.*s is the same for all threads of a block: write a number for it",
                       (int)(length < 20 ? length : 20), p->text + at);
        return;
    }
    for (const struct cw_expr_name *name = p->names; name->text; name++) {
        snprintf(one, sizeof one, "%.*s", (int)strcspn(name->text, "."), name->text);
        if (!strcmp(one, before))
            continue;
        if (strlen(all) + strlen(one) + 2 > ROOM) {
            snprintf(all + strlen(all), sizeof all - strlen(all), ", ..");
            break;
        }
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? ", " : "", one);
        memcpy(before, one, sizeof one);
    }
    cw_parser_fail(p, at, "unknown name '%.*s': the names are %s", (int)(length < 20 ? length : 20),
                   p->text + at, all);
}

static enum cw_expr_level parentheses(struct cw_parser *p);

/* threadIdx.x is one name; of two equal ones the later is meant. */
static void name(struct cw_parser *p)
{
    const size_t at = p->at;
    size_t length = name_length(p), found = SIZE_MAX;
    enum cw_expr_type type;
    enum cw_narrow narrow;

    if (cw_parser_ahead(p, length) == '.' && cw_is_letter(cw_parser_ahead(p, length + 1)))
        for (length++; cw_is_letter(cw_parser_ahead(p, length)); length++) {
        }
    for (size_t k = 0; p->names[k].text; k++)
        if (is(p, length, p->names[k].text))
            found = k;
    if (found == SIZE_MAX && cw_parser_type(p, &type, &narrow) && cw_parser_next(p) == '(') {
        parentheses(p); /* int(x), as C++ has it */
        convert(p, at, type, narrow);
        return;
    }
    p->at = at + length;
    if (found == SIZE_MAX) {
        unknown(p, at, length);
        return;
    }
    p->type = p->names[found].type;
    cw_parser_emit(p, OP_NAME, at, (int64_t)found);
}

/* After "(": a cast, if a type and ")" follow. */
static int cast(struct cw_parser *p, size_t at)
{
    const size_t begin = p->at;
    enum cw_expr_type type;
    enum cw_narrow narrow;

    cw_parser_next(p);
    if (!cw_parser_type(p, &type, &narrow) || cw_parser_next(p) != ')') {
        p->at = begin;
        return 0;
    }
    p->at++;
    cw_parser_operand(p);
    convert(p, at, type, narrow);
    return 1;
}

static enum cw_expr_level parentheses(struct cw_parser *p)
{
    const size_t at = p->at++;
    int casts;

    if (!cw_parser_enter(p, at))
        return CW_EXPR_PRIMARY;
    casts = cast(p, at);
    if (!casts)
        cw_parser_conditional(p);
    p->nest--;
    if (casts)
        return CW_EXPR_UNARY;
    if (cw_parser_next(p) == ')')
        p->at++;
    else if (cw_parser_next(p) < 0)
        cw_parser_fail(p, p->at, "no ')' for the '(' in column %zu", at + 1);
    else
        cw_parser_unexpected(p, "an operator or ')'");
    return CW_EXPR_PRIMARY;
}

/* + changes nothing. */
static enum cw_expr_level sign(struct cw_parser *p, int c)
{
    const size_t at = p->at;

    if ((c == '+' || c == '-') && cw_parser_ahead(p, 1) == c)
        cw_parser_fail(p, at, "%c%c counts in C: put a space between, if two signs are meant", c,
                       c);
    p->at++;
    if (!cw_parser_enter(p, at))
        return CW_EXPR_UNARY;
    cw_parser_operand(p);
    p->nest--;
    if (c != '+')
        cw_parser_emit(p, c == '-' ? OP_NEGATE : c == '~' ? OP_INVERT : OP_NOT, at, 0);
    if (c == '!')
        p->type = CW_EXPR_INT;
    return CW_EXPR_UNARY;
}

enum cw_expr_level cw_parser_operand(struct cw_parser *p)
{
    const int c = cw_parser_next(p);

    if (c > 0 && strchr("+-~!", c))
        return sign(p, c);
    if (c == '(')
        return parentheses(p);
    if (cw_is_digit(c))
        number(p);
    else if (cw_is_letter(c))
        name(p);
    else
        cw_parser_unexpected(p, "an operand");
    return CW_EXPR_PRIMARY;
}
