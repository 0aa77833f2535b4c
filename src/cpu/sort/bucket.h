/* bucket.h - a bucket's keys, whether it is in order, and how it gets where it ends. */
#ifndef CW_CPU_SORT_BUCKET_H
#define CW_CPU_SORT_BUCKET_H

#include "cpu/sort/work.h"

/* Mapped keys x .. x + n - 1 of a side: in `room`, or where they are. */
const void *cw_side_keys(const struct cw_sorter *s, enum cw_side side, size_t x, uint32_t n,
                         void *room);

/* Indices of the same items: likewise. */
const void *cw_side_index(const struct cw_sorter *s, enum cw_side side, size_t x, uint32_t n,
                          void *room);

/* Is no key less than the one before? */
int cw_bucket_in_order(const struct cw_sorter *s, const struct cw_bucket *p);

/* Bring a bucket that is in order where it belongs. */
void cw_bucket_finish(const struct cw_sorter *s, const struct cw_bucket *p);

#endif
