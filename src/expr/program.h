/* program.h - lines of a kernel: what they declare, and which elements a thread asks for.
 *
 *      __shared__ float t[32][33];           an array, or several of which one is accessed
 *      const int c = threadIdx.x % 32;       numbers by name
 *      if (c < 16) t[threadIdx.y][c] = 0;    accesses, with a condition or without
 *      float x = t[c][threadIdx.y];          what else a statement does is not looked at
 *
 * Without an array an access is an expression, the index of the element.  Sizes are constants, or
 * made of constants that were named before.  A subscript outside its size is an error of the
 * evaluation, as C has it.
 *
 * Any bytes may be handed in; parsing takes time and space linear in their number.
 */
#ifndef CW_EXPR_PROGRAM_H
#define CW_EXPR_PROGRAM_H

#include "expr/expr.h"

#define CW_PROGRAM_NAMES    16u /* that the caller gives a value */
#define CW_PROGRAM_LOCALS   128u
#define CW_PROGRAM_ACCESSES 64u
#define CW_PROGRAM_DIMS     4u
#define CW_PROGRAM_NOTES    8u
#define CW_PROGRAM_TYPES    8u
#define CW_PROGRAM_LOOPS    8u /* inside each other */

struct cw_span {
    size_t at, length;
};

struct cw_declared {
    struct cw_span name;
    uint32_t bytes; /* of an element */
    uint32_t parts; /* of an element: 4, of float4 */
    uint32_t dims;
    uint64_t size[CW_PROGRAM_DIMS]; /* 0: not told; the first only */
    struct cw_span text[CW_PROGRAM_DIMS];
};

struct cw_access {
    struct cw_expr *condition; /* NULL: none */
    int writes;                /* as far as the statement tells */
    uint32_t bytes;  /* of several elements, *(float4 *)&t[..], or of a part, t[..].x; 0: of one */
    uint32_t offset; /* of the part in its element, in bytes */
    uint32_t dims;
    struct cw_expr *index[CW_PROGRAM_DIMS];
    struct cw_span text[CW_PROGRAM_DIMS]; /* of the subscripts, or of the expression */
    struct cw_span name;                  /* of the array, where it is declared */
    size_t at;                            /* where the access is */
};

struct cw_local {
    char name[64];
    struct cw_expr *value;
    int constant;
    int64_t is; /* if it is one */
};

/* What a reader of the answer should know: where in the lines, and a sentence. */
struct cw_note {
    size_t at;
    char text[120];
};

struct cw_written_type {
    uint32_t bytes; /* of an element; 0: `auto` */
    uint32_t parts;
    int is_number; /* a name of it can have a value: in this type */
    enum cw_expr_type type;
    int narrow; /* enum cw_narrow */
};

struct cw_type_name {
    char name[32]; /* -D T=float, using T = float; */
    struct cw_written_type is;
};

struct cw_step; /* of a kernel: kernel.h */

struct cw_program {
    struct cw_expr_name names[CW_PROGRAM_NAMES + CW_PROGRAM_LOCALS + 1];
    uint32_t given; /* names that the caller gives a value */
    uint32_t locals, accesses;
    struct cw_local local[CW_PROGRAM_LOCALS];
    struct cw_declared array; /* dims 0: none */
    struct cw_access access[CW_PROGRAM_ACCESSES];
    struct cw_expr *condition; /* of all accesses, or NULL */

    /* of a kernel, cw_expr_kernel_read */
    struct cw_step *step;
    uint32_t steps, arrays; /* arrays: how many are accessed */
    uint32_t notes;
    struct cw_note note[CW_PROGRAM_NOTES];
    uint32_t types;
    struct cw_type_name type[CW_PROGRAM_TYPES];
};

/* `names`: at most CW_PROGRAM_NAMES, and kept. */
void cw_program_begin(struct cw_program *p, const struct cw_expr_name *names);
void cw_program_free(struct cw_program *p);

/* These return CW_OK, or CW_ERR_ARGUMENT or CW_ERR_MEMORY with *error filled. */

/* "N=32": a constant by this name. */
cw_status cw_program_define(struct cw_program *p, const char *text, struct cw_expr_error *error);

/* The lines. */
cw_status cw_program_read(struct cw_program *p, const char *text, size_t length,
                          struct cw_expr_error *error);

/* A condition for all accesses. */
cw_status cw_program_only_if(struct cw_program *p, const char *text, struct cw_expr_error *error);

/* With values[k] for the name k that was given: does access `which` ask, and for which element?  A
 * condition of all accesses that fails is told as located nowhere: error->at is SIZE_MAX. */
cw_status cw_program_eval(const struct cw_program *p, const int64_t *values, uint32_t which,
                          int *asks, int64_t *index, struct cw_expr_error *error);

/* Is the name k that was given in it?  *at: where, in the lines, an expression has it first. */
int cw_program_uses(const struct cw_program *p, uint32_t k, size_t *at);

/* Elements of the array; 0 if not told. */
uint64_t cw_declared_elements(const struct cw_declared *a);

#endif
