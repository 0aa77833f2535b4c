/* kernel_parts.h - what the parts of the reader of kernels do for each other. */
#ifndef CW_EXPR_KERNEL_PARTS_H
#define CW_EXPR_KERNEL_PARTS_H

#include "expr/kernel.h"
#include "expr/program_parts.h"

#define KERNEL_LABELS 1024u
#define KERNEL_NEST   64u
#define NO_LABEL      UINT32_MAX

struct kernel {
    struct cw_reader r; /* r.p.at is behind what was read; r.p.length ends what may be read */
    uint32_t room;      /* for steps */
    uint32_t label[KERNEL_LABELS], labels; /* which step is next there */
    uint32_t loops, nest;
    uint32_t on_break, on_continue, on_return; /* labels */
    uint32_t defined;                          /* locals that -D gave */
    int narrow[CW_PROGRAM_LOCALS];
};

/* ---- text ---------------------------------------------------------------------- */

/* The first byte of from .. to - 1 that is one of these and outside of brackets and quotes; `to` if there is none, or
 * the bracket that closes one before `from`. */
size_t kernel_find(const struct kernel *k, size_t from, size_t to, const char *these);

/* The bracket that closes the one at `at`; `to` if none does. */
size_t kernel_closing(const struct kernel *k, size_t at, size_t to);

struct cw_span kernel_word_at(const struct kernel *k, size_t at, size_t to);
struct cw_span kernel_trim(const struct kernel *k, size_t from, size_t to);
int kernel_is(const struct kernel *k, struct cw_span s, const char *text);

/* ---- steps --------------------------------------------------------------------- */

/* NULL after a failure, and then e is freed. */
struct cw_step *kernel_emit(struct kernel *k, enum cw_step_kind kind, uint32_t which,
                            struct cw_expr *e, struct cw_span text);
uint32_t kernel_label(struct kernel *k);
void kernel_place(struct kernel *k, uint32_t label);
void kernel_jump(struct kernel *k, enum cw_step_kind kind, uint32_t label);

/* Take steps back, from this one on. */
void kernel_undo(struct kernel *k, uint32_t from);

/* The expression, or NULL if it cannot be read: that is no failure. */
struct cw_expr *kernel_parse(struct kernel *k, struct cw_span s);

/* ---- kernel_declare.c ------------------------------------------------------------ */

/* A new name without a value, or the one that -D gave; NO_LABEL after a failure. */
uint32_t kernel_local(struct kernel *k, struct cw_span name, const struct cw_written_type *t);

/* The number of the local of this name; NO_LABEL: none. */
uint32_t kernel_find_local(const struct kernel *k, struct cw_span name);

/* local = the text, as far as it can be read. */
void kernel_set(struct kernel *k, uint32_t local, struct cw_span value);

/* The same for one that is const: if it is made of constants, it can be the size of an array. */
void kernel_set_constant(struct kernel *k, uint32_t local, struct cw_span value);

/* 1 if the statement up to `end` declares something. */
int kernel_declaration(struct kernel *k, size_t end);

/* ---- kernel_types.c -------------------------------------------------------------- */

/* "using T = float" and "typedef float T"; `word` is the first one. */
void kernel_type_statement(struct kernel *k, struct cw_span word, size_t end);

/* "#define N 32" and the like, passed. */
void kernel_directive(struct kernel *k);

/* "(int n, float *x)" at `at` .. `end`: names without values; of a template with "<" and ">". */
void kernel_parameters(struct kernel *k, size_t at, size_t end);

/* ---- kernel_macro.c -------------------------------------------------------------- */

/* "#define F(x) .." behind the name: a macro whose text takes the place of its name. */
void kernel_macro(struct kernel *k, struct cw_span name, size_t end);
const struct cw_macro *kernel_find_macro(const struct kernel *k, struct cw_span name);

/* ---- kernel_read.c, kernel_control.c ----------------------------------------------- */

/* The statement at the next byte, which ends before `limit`, passed. */
void kernel_statement(struct kernel *k, size_t limit);

/* Names that were declared since are out of scope. */
void kernel_forget(struct kernel *k, uint32_t from);

/* Behind these words. */
void kernel_if(struct kernel *k, size_t limit);
void kernel_for(struct kernel *k, size_t limit);
void kernel_while(struct kernel *k, size_t limit);
void kernel_do(struct kernel *k, size_t limit);

/* ---- kernel_assign.c ------------------------------------------------------------- */

/* Several expressions, with commas between. */
void kernel_expressions(struct kernel *k, size_t from, size_t to);

/* A statement that is no keyword's, without its semicolon. */
void kernel_simple(struct kernel *k, size_t from, size_t to);

/* ---- kernel_scan.c --------------------------------------------------------------- */

/* A step for every access in from .. to - 1, which is a part of the statement begin .. end - 1. */
void kernel_scan(struct kernel *k, size_t from, size_t to, size_t begin, size_t end);

/* Go on at the label unless all of these conditions, joined by &&, hold. */
void kernel_unless(struct kernel *k, size_t from, size_t to, uint32_t label, int if_unknown,
                   int ends_loop);

#endif
