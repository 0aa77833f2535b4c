/* input.h - the items that a run begins with: made by name, or read from a file. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "paper/permute/plan.h"
#include "request.h"

struct input {
    const char *name;                 /* the kind or the file */
    cw_word *items;                   /* w*m, in the order of places */
    const struct cw_paper_plan *plan; /* of an offline permutation, or NULL */
};

/* How many numbers --input holds itself ("5,3,9"); 0: it names a kind or a file. */
uint64_t input_numbers(const char *text);

/* -n, where it is not given: as many items as there are numbers in the command, or in a file or standard input if no -m says
 * how many.  DONE; or USAGE or FAILED after a complaint. */
int input_shape(struct request *r, enum cw_problem problem);

/* The file that would be read; NULL: none, or standard input. */
const char *input_path(const struct request *r, enum cw_problem problem);

/* DONE; or USAGE or FAILED after a complaint. */
int input_load(const struct request *r, enum cw_problem problem, struct input *out);
void input_free(struct input *in);

/* Load (--plan) or make the plan that sends the items to their labels; keep it (--save-plan). */
int input_plan(const struct request *r, struct input *in, struct cw_paper_plan *plan);

#endif
