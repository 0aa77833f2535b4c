/* parser.h - what the two halves of the parser share: operand.c reads operands, parse.c what stands
 * between them.
 *
 * The first thing that is wrong ends it: from then on no function reads or emits anything.
 */
#ifndef CW_EXPR_PARSER_H
#define CW_EXPR_PARSER_H

#include "expr/code.h"

struct cw_parser {
    const char *text;
    size_t length, at; /* `at`: the next byte */
    const struct cw_expr_name *names;
    struct cw_expr *e;
    enum cw_expr_type type; /* of the operand that was read last */
    uint32_t nest;
    uint32_t stacked; /* numbers on the stack when the program gets here */
    int failed;
    struct cw_expr_error *error;
};

/* ---- parse.c -------------------------------------------------------------- */

void cw_parser_fail(struct cw_parser *p, size_t at, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Skip white space; the byte that follows, -1 behind the end. */
int cw_parser_next(struct cw_parser *p);

/* The byte k after the next one; -1 behind the end. */
int cw_parser_ahead(const struct cw_parser *p, size_t k);

/* Neither an operand nor what may follow one. */
void cw_parser_unexpected(struct cw_parser *p, const char *wanted);

/* One level deeper, if that is allowed. */
int cw_parser_enter(struct cw_parser *p, size_t at);

/* Appended, in p->type; returns its place. */
uint32_t cw_parser_emit(struct cw_parser *p, enum cw_expr_op op, size_t at, int64_t value);

/* A whole expression. */
enum cw_expr_level cw_parser_conditional(struct cw_parser *p);

/* ---- operand.c ------------------------------------------------------------ */

enum cw_expr_level cw_parser_operand(struct cw_parser *p);

int cw_is_digit(int c);
int cw_is_letter(int c);

/* The type that is named at the next byte, "unsigned int" or "uint8_t": 1, with p->at behind it, or
 * 0 with p->at where it was. */
int cw_parser_type(struct cw_parser *p, enum cw_expr_type *type, enum cw_narrow *narrow);

#endif
