/* list.h - what each algorithm is. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "paper/paper.h"

int list_algorithms(int json);

/* Which shapes it takes, in a few words, found by asking it about small ones. */
const char *shapes_of(const struct cw_algorithm *alg);

#endif
