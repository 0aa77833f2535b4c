/* kernel.h - a whole kernel, or a piece of one: read once, then run for every thread of a block.
 *
 *      __global__ void f(float *out, const float *in, int n) {
 *          __shared__ float t[32][32];
 *          for (int j = 0; j < 32; j += 8)
 *              t[threadIdx.y + j][threadIdx.x] = in[..];
 *      }
 *
 * Whole numbers are followed through declarations, assignments, if, for, while and do.  All other values
 * (memory, floats, calls, parameters) are unknown.  What comes of an unknown number is unknown:
 *
 *      a condition          is taken as true; one that only returns or breaks, as false
 *      the end of a loop    the loop runs once
 *      a subscript          the access is left out
 *
 * and each of these leaves a note.  Lanes of a warp ask together where they are at the same access in the
 * same round of its loops.
 */
#ifndef CW_EXPR_KERNEL_H
#define CW_EXPR_KERNEL_H

#include "expr/program.h"

enum cw_step_kind {
    STEP_SET,    /* local `which` = e; e NULL: unknown */
    STEP_ASK,    /* access `which` */
    STEP_UNLESS, /* e is 0: on at label `to` */
    STEP_JUMP,   /* on at label `to` */
    STEP_ENTER,  /* a loop, inside of `which` others */
    STEP_NEXT,   /* another round of it: on at label `to`, unless the end was unknown */
    STEP_LEAVE   /* inside of `which` loops */
};

struct cw_step {
    enum cw_step_kind kind;
    uint32_t which, to;
    int if_unknown; /* STEP_UNLESS: go on at `to` where e is unknown */
    int ends_loop;  /* STEP_UNLESS: where e is unknown, this is the last round */
    struct cw_expr *e;
    struct cw_span text; /* of e */
};

/* Is it a kernel, or lines that cw_program_read takes? */
int cw_expr_is_kernel(const char *text, size_t length);

/* Read it, and choose the array `which` of those that are accessed: p->array and p->access are about that one,
 * p->arrays says how many there are.  Else as cw_program_read. */
cw_status cw_expr_kernel_read(struct cw_program *p, const char *text, size_t length, uint32_t which,
                              struct cw_expr_error *error);

/* "T=float" */
int cw_expr_kernel_type(struct cw_program *p, const char *text);

struct cw_asked {
    uint32_t access, loops;
    uint32_t round[CW_PROGRAM_LOOPS]; /* of each loop around it */
    int64_t index;
};

/* Run it for one thread.  `asked` is called for every access; it returns CW_OK to go on. */
cw_status cw_expr_kernel_run(struct cw_program *p, const int64_t *values, const char *text,
                             cw_status (*asked)(void *to, const struct cw_asked *what), void *to,
                             struct cw_expr_error *error);

/* ---- for both halves ---------------------------------------------------------- */

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void cw_program_note(struct cw_program *p, size_t at, const char *format, ...);

/* The note without "left out: ". */
const char *cw_note_cause(const struct cw_note *n);

void cw_expr_kernel_free(struct cw_program *p);

/* Where a subscript is, row by row. */
cw_status cw_program_locate(const struct cw_program *p, const struct cw_access *a,
                            const int64_t *values, int64_t *index, struct cw_expr_error *error);

#endif
