/* parts.h - parts into buckets, buckets into leaves, by all threads. */
#ifndef CW_CPU_SORT_PARTS_H
#define CW_CPU_SORT_PARTS_H

#include "cpu/sort/work.h"

/* Bytes of the lists that all threads share; 0: none is needed. */
size_t cw_sort_lists_bytes(const struct cw_sorter *s);

/* Sort a part, to CW_SIDE_OUT. */
void cw_sort_part(struct cw_sorter *s, const struct cw_part *p);

#endif
