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
    OP_JUMP,   /* on to `value` */
    OP_CONVERT /* to the type; `value`: to a narrower one first, enum cw_narrow */
};

enum cw_narrow { NARROW_NONE, NARROW_INT8, NARROW_UINT8, NARROW_INT16, NARROW_UINT16, NARROW_BOOL };

/* A number on the stack is an int64_t: the value of an int, an unsigned or a long, the bits of an
 * unsigned long. */
struct cw_instruction {
    enum cw_expr_op op;
    enum cw_expr_type type; /* that it calculates in, and for all but comparisons gives */
    uint32_t at;            /* the byte of the text that it comes from */
    int64_t value;
};

struct cw_expr {
    enum cw_expr_level level;
    enum cw_expr_type type;
    uint32_t count;
    struct cw_instruction code[];
};

/* What an expression becomes as the value of a name of this type; once at most. */
void cw_expr_cast(struct cw_expr *e, enum cw_expr_type type, enum cw_narrow narrow);

#endif
