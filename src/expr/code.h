/* code.h - what an expression is parsed to: instructions for a stack of numbers. */
#ifndef CW_EXPR_CODE_H
#define CW_EXPR_CODE_H

#include "expr/expr.h"

#define CW_EXPR_STACK 256u /* numbers; the parser refuses what would take more */

enum cw_expr_op {
    OP_CONSTANT, /* push value */
    OP_NAME,     /* push values[value] */
    OP_NEGATE,
    OP_INVERT,
    OP_NOT,
    OP_MULTIPLY, /* from here to OP_BIT_OR: two numbers become one */
    OP_DIVIDE,
    OP_REMAINDER,
    OP_ADD,
    OP_SUBTRACT,
    OP_LEFT,
    OP_RIGHT,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_BIT_AND,
    OP_BIT_XOR,
    OP_BIT_OR,
    OP_AND,    /* 0 stays, and on to instruction `value`; else drop it */
    OP_OR,     /* else than 0 becomes 1, and on to `value`; 0 is dropped */
    OP_TRUTH,  /* 0 or 1 */
    OP_UNLESS, /* drop; if it was 0, on to `value` */
    OP_JUMP    /* on to `value` */
};

struct cw_instruction {
    enum cw_expr_op op;
    uint32_t at; /* the byte of the text that it comes from */
    int64_t value;
};

struct cw_expr {
    enum cw_expr_level level;
    uint32_t count;
    struct cw_instruction code[];
};

#endif
