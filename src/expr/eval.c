/* eval.c - run an expression's instructions. */
#include <stdio.h>

#include "expr/code.h"

static const char overflow[] = "overflow: the result does not fit in 64 bits";

/* a << b is a * 2^b, where that fits. */
static const char *shift_left(int64_t a, int64_t b, int64_t *out)
{
    if (b < 0 || b > 63)
        return "shift by less than 0 or more than 63";
    if (b == 63) { /* 2^63 is no int64_t */
        *out = a == 0 ? 0 : INT64_MIN;
        return a == 0 || a == -1 ? NULL : overflow;
    }
    return __builtin_mul_overflow(a, INT64_C(1) << b, out) ? overflow : NULL;
}

/* NULL, or what is wrong. */
static const char *divide(enum cw_expr_op op, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return op == OP_DIVIDE ? "division by zero" : "remainder of a division by zero";
    if (a == INT64_MIN && b == -1)
        return overflow;
    *out = op == OP_DIVIDE ? a / b : a % b;
    return NULL;
}

static const char *arithmetic(enum cw_expr_op op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case OP_MULTIPLY:
        return __builtin_mul_overflow(a, b, out) ? overflow : NULL;
    case OP_ADD:
        return __builtin_add_overflow(a, b, out) ? overflow : NULL;
    case OP_SUBTRACT:
        return __builtin_sub_overflow(a, b, out) ? overflow : NULL;
    case OP_LEFT:
        return shift_left(a, b, out);
    case OP_RIGHT:
        if (b < 0 || b > 63)
            return "shift by less than 0 or more than 63";
        *out = a >> b;
        return NULL;
    default:
        return divide(op, a, b, out);
    }
}

static int64_t compare(enum cw_expr_op op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
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

static const char *unary(enum cw_expr_op op, int64_t *x)
{
    if (op == OP_NEGATE)
        return __builtin_sub_overflow((int64_t)0, *x, x) ? overflow : NULL;
    *x = op == OP_INVERT ? ~*x : op == OP_NOT ? !*x : *x != 0;
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
            *++top = values[c->value];
        } else if (c->op >= OP_MULTIPLY && c->op <= OP_BIT_OR) {
            top--;
            if (c->op <= OP_RIGHT)
                wrong = arithmetic(c->op, top[0], top[1], &top[0]);
            else
                top[0] = compare(c->op, top[0], top[1]);
        } else if (c->op < OP_MULTIPLY || c->op == OP_TRUTH) {
            wrong = unary(c->op, top);
        } else {
            next = branch(c, next, &top);
        }
        if (wrong) {
            error->at = c->at;
            snprintf(error->text, sizeof error->text, "%s", wrong);
            return CW_ERR_ARGUMENT;
        }
    }
    *out = *top;
    return CW_OK;
}
