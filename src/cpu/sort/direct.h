/* direct.h - keys alone, sorted by vectors from the input to the output. */
#ifndef CW_CPU_SORT_DIRECT_H
#define CW_CPU_SORT_DIRECT_H

#include "cpu/sort/work.h"

/* Can they, and is it the best way for that many threads? */
int cw_sort_takes_vectors(const struct cw_sorter *s);

/* Do they look nearly sorted? */
int cw_sort_looks_sorted(const struct cw_sorter *s);

/* From the side where all keys are. */
void cw_sort_keys_by_vectors(const struct cw_sorter *s, enum cw_side side);

#endif
