/* buckets.h - buckets into smaller ones, and these into leaves, by all threads. */
#ifndef CW_CPU_SORT_BUCKETS_H
#define CW_CPU_SORT_BUCKETS_H

#include "cpu/sort/work.h"

/* Bytes of the lists that all threads share; 0: none is needed. */
size_t cw_sort_lists_bytes(const struct cw_sorter *s);

/* If the bucket is in order, or (where `turned`) reversed, all threads bring it where it belongs: 1. */
int cw_bucket_finished(const struct cw_sorter *s, const struct cw_bucket *p, int turned);

/* Sort a bucket, to CW_SIDE_OUT. */
void cw_sort_bucket(struct cw_sorter *s, const struct cw_bucket *p);

#endif
