/* program_parts.h - what program.c, program_read.c and program_access.c do for each other. */
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

/* ---- program_read.c --------------------------------------------------------- */

#define CW_LINES_ARRAYS   4u
#define CW_LINES_ACCESSES 8u
#define CW_LINES_LOCALS   32u
#define CW_READER_ARRAYS  16u /* of a kernel */

#define CW_MACROS       16u
#define CW_MACRO_PARAMS 4u

struct cw_macro {
    struct cw_span name, body;
    uint32_t params;
    struct cw_span param[CW_MACRO_PARAMS];
};

struct cw_reader {
    struct cw_program *program;
    struct cw_parser p; /* of the statement at hand: only its bytes are looked at */
    struct cw_declared declared[CW_READER_ARRAYS];
    uint32_t arrays, most; /* most: arrays that may be declared */
    const char *source;    /* the whole text: of macros */
    uint32_t macros;
    struct cw_macro macro[CW_MACROS];
    uint32_t address; /* bytes at an address without a cast; 0: not known */
};

/* Pass "extern __shared__" and the like; were there any?  *shared: is __shared__ one of them? */
int cw_reader_qualifiers(struct cw_reader *r, int *shared);

/* A type, passed: 1; or 0. */
int cw_reader_type_name(struct cw_reader *r, struct cw_written_type *out);

/* One more array; r->p is at its first bracket, or behind them all. */
void cw_reader_array(struct cw_reader *r, struct cw_span name, const struct cw_written_type *t);

/* The name at the next byte, not passed. */
struct cw_span cw_reader_word(struct cw_reader *r);
int cw_reader_is(const struct cw_reader *r, struct cw_span s, const char *text);

/* The byte of the bracket that closes the one at the next byte; the end, if none does. */
size_t cw_reader_closing(const struct cw_reader *r, char open, char close);

/* "[ ... ]" at the next byte, passed: what is inside. */
struct cw_span cw_reader_brackets(struct cw_reader *r);

/* An expression in the text; NULL after a failure. */
struct cw_expr *cw_reader_expression(struct cw_reader *r, struct cw_span s);

/* If there are macros in the text, the expression that they make of it, or NULL with *error filled: 1.  Else 0. */
int cw_reader_macros(struct cw_reader *r, struct cw_span s, struct cw_expr **e,
                     struct cw_expr_error *error);

/* The bytes of the type that is named at the next byte, passed; 0: none is. */
uint32_t cw_reader_type(struct cw_reader *r);

/* ---- program_access.c ------------------------------------------------------- */

/* The array of this name, or NULL. */
const struct cw_declared *cw_reader_declared(const struct cw_reader *r, struct cw_span name);

/* The access whose subscripts come next, with what stands around it: 1 or 2 more accesses of the program, with their
 * subscripts parsed; 0 after a failure.  `begin`: the statement's first byte. */
int cw_reader_one_access(struct cw_reader *r, const struct cw_declared *array, size_t begin,
                         struct cw_span name, struct cw_span only_if);

/* All accesses of the statement to arrays that were declared: 1, or 0 if there are none. */
int cw_reader_accesses(struct cw_reader *r);

/* A statement with none: the index of an element, where there is no array. */
void cw_reader_index(struct cw_reader *r);

/* Refuse an access to an array that was not declared. */
void cw_reader_unknown_array(struct cw_reader *r, struct cw_span name);

#endif
