/* parts.h - parts into buckets, buckets into leaves, by all threads. */
#ifndef CW_CPU_SORT_PARTS_H
#define CW_CPU_SORT_PARTS_H

#include "cpu/sort/work.h"

/* Sort a part, to CW_SIDE_OUT. */
void cw_sort_part(const struct cw_sorter *s, const struct cw_part *p);

#endif
