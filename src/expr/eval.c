/* eval.c - run an expression's instructions. */
#include <stdio.h>

#include "expr/code.h"

static const char overflow_64[] = "overflow: the result does not fit in 64 bits";
static const char overflow_32[] = "overflow: the result does not fit in an int, 32 bits";

static int is_unsigned(enum cw_expr_type type)
{
    return type == CW_EXPR_UNSIGNED || type == CW_EXPR_UNSIGNED_LONG;
}

static int is_long(enum cw_expr_type type)
{
    return type >= CW_EXPR_LONG;
}

/* To a type of C, modulo a power of two where the value does not fit. */
static int64_t convert(enum cw_expr_type type, int64_t x)
{
    if (type == CW_EXPR_INT)
        return (int32_t)(uint32_t)x;
    return type == CW_EXPR_UNSIGNED ? (int64_t)(uint32_t)x : x;
}

static int64_t narrow(enum cw_narrow to, int64_t x)
{
    switch (to) {
    case NARROW_INT8:
        return (int8_t)(uint8_t)x;
    case NARROW_UINT8:
        return (uint8_t)x;
    case NARROW_INT16:
        return (int16_t)(uint16_t)x;
    case NARROW_UINT16:
        return (uint16_t)x;
    case NARROW_BOOL:
        return x != 0;
    default:
        return x;
    }
}

/* a << b is a * 2^b, where that fits in 64 bits. */
static const char *shift_left(int64_t a, int64_t b, int64_t *out)
{
    if (b == 63) { /* 2^63 is no int64_t */
        *out = a == 0 ? 0 : INT64_MIN;
        return a == 0 || a == -1 ? NULL : overflow_64;
    }
    return __builtin_mul_overflow(a, INT64_C(1) << b, out) ? overflow_64 : NULL;
}

static const char *wrong_shift(enum cw_expr_type type, int64_t by)
{
    if (by >= 0 && by < (is_long(type) ? 64 : 32))
        return NULL;
    return is_long(type) ? "shift by less than 0 or more than 63"
                         : "shift by less than 0 or more than 31";
}

static const char *wrong_division(enum cw_expr_op op, int64_t by)
{
    if (by || (op != OP_DIVIDE && op != OP_REMAINDER))
        return NULL;
    return op == OP_DIVIDE ? "division by zero" : "remainder of a division by zero";
}

/* In 64 bits; the caller has looked at shifts and divisors. */
static const char *by_sign(enum cw_expr_op op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case OP_MULTIPLY:
        return __builtin_mul_overflow(a, b, out) ? overflow_64 : NULL;
    case OP_ADD:
        return __builtin_add_overflow(a, b, out) ? overflow_64 : NULL;
    case OP_SUBTRACT:
        return __builtin_sub_overflow(a, b, out) ? overflow_64 : NULL;
    case OP_LEFT:
        return shift_left(a, b, out);
    case OP_RIGHT:
        *out = a >> b;
        return NULL;
    default:
        if (a == INT64_MIN && b == -1)
            return overflow_64;
        *out = op == OP_DIVIDE ? a / b : a % b;
        return NULL;
    }
}

static int64_t by_bits(enum cw_expr_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case OP_MULTIPLY:
        return (int64_t)(a * b);
    case OP_ADD:
        return (int64_t)(a + b);
    case OP_SUBTRACT:
        return (int64_t)(a - b);
    case OP_LEFT:
        return (int64_t)(a << b);
    case OP_RIGHT:
        return (int64_t)(a >> b);
    default:
        return (int64_t)(op == OP_DIVIDE ? a / b : a % b);
    }
}

/* NULL, or what is wrong. */
static const char *arithmetic(const struct cw_instruction *c, int64_t a, int64_t b, int64_t *out)
{
    const int shifts = c->op == OP_LEFT || c->op == OP_RIGHT;
    const char *wrong = shifts ? wrong_shift(c->type, b) : NULL;

    a = convert(c->type, a);
    b = shifts ? b : convert(c->type, b);
    if (!wrong)
        wrong = wrong_division(c->op, b);
    if (wrong)
        return wrong;
    if (is_unsigned(c->type)) {
        *out = convert(c->type, by_bits(c->op, (uint64_t)a, (uint64_t)b));
        return NULL;
    }
    wrong = by_sign(c->op, a, b, out);
    if (c->type == CW_EXPR_INT && (wrong || *out != (int32_t)(uint32_t)*out ||
                                   (a == INT32_MIN && b == -1 && c->op == OP_REMAINDER)))
        return overflow_32;
    return wrong;
}

static int64_t compare(const struct cw_instruction *c, int64_t a, int64_t b)
{
    const int64_t sign = c->type == CW_EXPR_UNSIGNED_LONG ? INT64_MIN : 0; /* their order by bits */

    a = convert(c->type, a);
    b = convert(c->type, b);
    switch (c->op) {
    case OP_LESS:
        return (a ^ sign) < (b ^ sign);
    case OP_LESS_EQUAL:
        return (a ^ sign) <= (b ^ sign);
    case OP_GREATER:
        return (a ^ sign) > (b ^ sign);
    case OP_GREATER_EQUAL:
        return (a ^ sign) >= (b ^ sign);
    case OP_EQUAL:
        return a == b;
    case OP_UNEQUAL:
        return a != b;
    case OP_BIT_AND:
        return a & b;
    case OP_BIT_XOR:
        return a ^ b;
    default:
        return a | b;
    }
}

static const char *unary(const struct cw_instruction *c, int64_t *x)
{
    static const struct cw_instruction minus = {OP_SUBTRACT, CW_EXPR_INT, 0, 0};
    struct cw_instruction from = minus;

    from.type = c->type;
    if (c->op == OP_NEGATE)
        return arithmetic(&from, 0, *x, x);
    if (c->op == OP_CONVERT)
        *x = convert(c->type, narrow((enum cw_narrow)c->value, *x));
    else
        *x = c->op == OP_INVERT ? convert(c->type, ~*x) : c->op == OP_NOT ? !*x : *x != 0;
    return NULL;
}

/* The instructions that choose what comes next; x is the top of the stack. */
static size_t branch(const struct cw_instruction *c, size_t next, int64_t **top)
{
    int64_t *const x = *top;

    if (c->op == OP_JUMP)
        return (size_t)c->value;
    if (c->op == OP_OR && *x) {
        *x = 1;
        return (size_t)c->value;
    }
    if (c->op == OP_AND && !*x)
        return (size_t)c->value;
    --*top;
    return c->op == OP_UNLESS && !*x ? (size_t)c->value : next;
}

static cw_status refuse(struct cw_expr_error *error, size_t at, const char *text)
{
    error->at = at;
    snprintf(error->text, sizeof error->text, "%s", text);
    return CW_ERR_ARGUMENT;
}

cw_status cw_expr_eval(const struct cw_expr *e, const int64_t *values, int64_t *out,
                       struct cw_expr_error *error)
{
    int64_t stack[CW_EXPR_STACK + 1], *top = stack; /* the parser has seen that it suffices */
    size_t next;

    *top = 0;
    for (size_t at = 0; at < e->count; at = next) {
        const struct cw_instruction *const c = &e->code[at];
        const char *wrong = NULL;

        next = at + 1;
        if (c->op == OP_CONSTANT) {
            *++top = c->value;
        } else if (c->op == OP_NAME) {
            *++top = convert(c->type, values[c->value]);
        } else if (c->op >= OP_MULTIPLY && c->op <= OP_BIT_OR) {
            top--;
            if (c->op <= OP_RIGHT)
                wrong = arithmetic(c, top[0], top[1], &top[0]);
            else
                top[0] = compare(c, top[0], top[1]);
        } else if (c->op < OP_MULTIPLY || c->op == OP_TRUTH || c->op == OP_CONVERT) {
            wrong = unary(c, top);
        } else {
            next = branch(c, next, &top);
        }
        if (wrong)
            return refuse(error, c->at, wrong);
    }
    *out = *top;
    if (e->type == CW_EXPR_UNSIGNED_LONG && *top < 0)
        return refuse(error, e->code[0].at, "the result is 2^63 or more");
    return CW_OK;
}
