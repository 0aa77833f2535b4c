/* program_parts.h - what program.c does for program_read.c. */
#ifndef CW_EXPR_PROGRAM_PARTS_H
#define CW_EXPR_PROGRAM_PARTS_H

#include "expr/parser.h"
#include "expr/program.h"

/* Its value, if it is made of constants only and has one: 1.  Else 0, with *error filled if it
 * goes wrong. */
int cw_program_constant(const struct cw_program *p, const struct cw_expr *e, int64_t *out,
                        struct cw_expr_error *error);

/* Another name, which takes the expression in any case. */
cw_status cw_program_add(struct cw_program *p, const char *name, size_t length, size_t at,
                         struct cw_expr *value, struct cw_expr_error *error);

#endif
