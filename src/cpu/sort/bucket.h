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

/* Is every key less than the one before?  Equal keys may follow each other where nothing tells them
 * apart. */
int cw_bucket_reversed(const struct cw_sorter *s, const struct cw_bucket *p);

/* Is no key greater than the one before? */
int cw_bucket_falls(const struct cw_sorter *s, const struct cw_bucket *p);

/* Of such a bucket, bring items from .. end - 1 of its first half, and those that they trade places
 * with, where they belong; */
void cw_bucket_turn(const struct cw_sorter *s, const struct cw_bucket *p, size_t from, size_t end);

/* .. then turn those with equal keys back.  The bucket stood on the caller's side. */
void cw_bucket_turn_runs(const struct cw_sorter *s, const struct cw_bucket *p);

#endif
