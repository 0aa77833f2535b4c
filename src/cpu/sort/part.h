/* part.h - parts: their keys, whether they are in order, and how they get where they end. */
#ifndef CW_CPU_SORT_PART_H
#define CW_CPU_SORT_PART_H

#include "cpu/sort/work.h"

/* Mapped keys x .. x + n - 1 of a side: in `room`, or where they are. */
const void *cw_side_keys(const struct cw_sorter *s, enum cw_side side, size_t x, uint32_t n,
                         void *room);

/* Indices of the same items: likewise. */
const void *cw_side_index(const struct cw_sorter *s, enum cw_side side, size_t x, uint32_t n,
                          void *room);

/* Is no key less than the one before? */
int cw_part_in_order(const struct cw_sorter *s, const struct cw_part *p);

/* Bring a part that is in order where it belongs. */
void cw_part_finish(const struct cw_sorter *s, const struct cw_part *p);

#endif
