/* expr.h - C's integer expressions over a few names: parsed once, evaluated often.
 *
 * Decimal and hexadecimal constants with C's suffixes, names (threadIdx.x is one), parentheses,
 * casts to integer types, and in C's order of precedence
 *
 *      - + ~ !      * / %      + -      << >>      < <= > >=      == !=
 *      &      ^      |      &&      ||      ?:
 *
 * Values have C's types: int and unsigned of 32 bits, long and unsigned long of 64, with C's usual
 * conversions between them; unsigned ones wrap around.  What C leaves undefined (overflow of a
 * signed type, division by zero, shifts by less than 0 or as far as the type is wide) is an error
 * of the evaluation, && || and ?: evaluate only what they need, and what C would read otherwise
 * (010, a--b) is refused.  A shift of a negative number multiplies or divides by a power of two,
 * the latter rounding down, as all compilers have it.
 *
 * Any bytes may be handed in.  Parsing takes time and space linear in the length; its recursion is
 * bounded by CW_EXPR_NEST, and evaluation, of a postfix program with jumps, has none.
 */
#ifndef CW_EXPR_EXPR_H
#define CW_EXPR_EXPR_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

#define CW_EXPR_LENGTH 16384u /* bytes of text */
#define CW_EXPR_NEST   100u   /* parentheses, signs and ?: inside each other */

struct cw_expr;

struct cw_expr_error {
    size_t at; /* the byte that it is about, 0 .. length */
    char text[120];
};

/* As C ranks them: of two operands' types the later one is the result's, but for int and unsigned
 * beside long, which are long. */
enum cw_expr_type { CW_EXPR_INT, CW_EXPR_UNSIGNED, CW_EXPR_LONG, CW_EXPR_UNSIGNED_LONG };

struct cw_expr_name {
    const char *text; /* NULL ends a list; of two equal names the later one is meant */
    enum cw_expr_type type;
};

/* How tightly the outermost operator binds; a loose one needs parentheses beside a tight one. */
enum cw_expr_level {
    CW_EXPR_CONDITIONAL = 1, /* ?: */
    CW_EXPR_OR,
    CW_EXPR_AND,
    CW_EXPR_BIT_OR,
    CW_EXPR_BIT_XOR,
    CW_EXPR_BIT_AND,
    CW_EXPR_EQUAL,
    CW_EXPR_LESS,
    CW_EXPR_SHIFT,
    CW_EXPR_SUM,
    CW_EXPR_PRODUCT,
    CW_EXPR_UNARY,
    CW_EXPR_PRIMARY /* a constant, a name, parentheses */
};

/* CW_OK, or CW_ERR_ARGUMENT or CW_ERR_MEMORY with *out NULL and *error
 * filled. */
cw_status cw_expr_parse(const char *text, size_t length, const struct cw_expr_name *names,
                        struct cw_expr **out, struct cw_expr_error *error);

/* The same for bytes from .. to - 1 of a text; errors and cw_expr_uses count from its beginning. */
cw_status cw_expr_parse_part(const char *text, size_t from, size_t to,
                             const struct cw_expr_name *names, struct cw_expr **out,
                             struct cw_expr_error *error);

/* With values[k] for names[k].  CW_OK, or CW_ERR_ARGUMENT with *error filled; that too if the
 * result is an unsigned long of 2^63 or more. */
cw_status cw_expr_eval(const struct cw_expr *e, const int64_t *values, int64_t *out,
                       struct cw_expr_error *error);

/* Is names[k] in it?  *at: where first. */
int cw_expr_uses(const struct cw_expr *e, uint32_t k, size_t *at);

enum cw_expr_level cw_expr_level(const struct cw_expr *e);
enum cw_expr_type cw_expr_type(const struct cw_expr *e);

void cw_expr_free(struct cw_expr *e); /* NULL: nothing */

#endif
